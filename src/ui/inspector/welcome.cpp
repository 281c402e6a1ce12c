// What a newcomer reads first: one line about the picture, and links to examples and lessons.
#include "ui/inspector/welcome.h"

#include <imgui.h>

#include <array>
#include <string_view>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "ui/frame/layout.h"
#include "ui/kit/widgets.h"
#include "views/model/shown_model.h"

namespace attn {
namespace {

struct Example {
    std::string_view label;
    std::string_view sentence;
};
constexpr std::array<Example, 3> kExamples = {
    {{"a journey", "Your journey starts with one step"},
     {"free speech", "The government should regulate free speech"},
     {"a tired animal", "The animal did not cross the street because it was too tired"}}};

TextStyle link_style(const Look& look) {
    return {look.fonts.sans, kTextSize, look.palette.link};
}

// A link in a row of links: on the next line where this one is full.
bool flowing_link(Canvas& canvas, const std::string& name, std::string_view label, float gap) {
    ImGui::SameLine(0, gap);
    if (ImGui::GetContentRegionAvail().x < text_size(link_style(canvas), label).x) ImGui::NewLine();
    return text_link(canvas, name, link_style(canvas), label);
}

// Where a head is trained for the first time on a sentence of words.
const Lesson& learning_lesson() {
    const Lesson* lesson = find_lesson("readings");
    ATTN_CHECK(lesson != nullptr, "there is no lesson \"readings\"");
    return *lesson;
}

}  // namespace

void put_ways_on(UiFrame& frame) {
    put_text(body(frame), "Try", text_link_height(frame, link_style(frame)));
    for (std::size_t k = 0; k < kExamples.size(); ++k) {
        if (!flowing_link(frame, concat("try=", k), kExamples[k].label, k == 0 ? 8 : 14)) continue;
        frame.next.inputs.texts = {std::string(kExamples[k].sentence)};
        frame.next.view.sentence = 0;
        frame.next.view.cell.reset();
    }
    if (shows_part(frame, "lessons")) {
        if (flowing_link(frame, "try=model", "a trained model", 14)) show_own_model(frame.next, kFirstWords);
        if (flowing_link(frame, "try=learn", "a head that learns", 14)) go_to_step(frame.next, learning_lesson(), 0);
        if (flowing_link(frame, "try=lesson", "the first lesson", 14)) go_to_step(frame.next, lessons().front(), 0);
    }
    if (!flowing_link(frame, "try=over", "start over", 28)) return;
    const Theme theme = frame.state.view.theme;
    frame.next = {};
    frame.next.view.theme = theme;
}

bool shows_welcome(const Display& display) {
    const View& view = display.state.view;
    if (display.memory.is_welcome_read || view.view != ViewKind::matrix || !view.lesson.empty()) return false;
    if (!view.hide.empty() || !view.lock.empty() || !view.check.empty() || !shows_part(display, "notes")) return false;
    Inputs fresh;  // a state that somebody chose or sent needs no introduction
    fresh.texts = display.state.inputs.texts;
    if (is_painting_cells(display)) {  // which moves no cell under the pointer
        fresh.targets = display.state.inputs.targets;
        fresh.goal = display.state.inputs.goal;
        fresh.steps = display.state.inputs.steps;
    }
    return display.state.inputs == fresh && view.stage == TensorId::weights && display.evaluation.num_tokens() > 0;
}

std::string_view welcome_words(const Look& look) {
    return look.is_touch
               ? "Each row shows how much a word looks at earlier words. The matrices behind it are random until "
                 "they are trained. Tap a number to see where it comes from."
               : "Each row shows how much a word looks at earlier words. The matrices behind it are random until "
                 "they are trained. Click a number to see where it comes from.";
}

void put_welcome(UiFrame& frame) {
    const float close = control_height(frame) + 4;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float text_width = width - close - 12;
    ImGui::BeginGroup();
    ImGui::Dummy({1, 1});
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + text_width);
    put_wrapped_text(body(frame), welcome_words(frame));
    ImGui::PopTextWrapPos();
    put_ways_on(frame);
    ImGui::EndGroup();
    const ImVec2 end = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({corner.x + width - close, corner.y + 2});
    if (icon_button(frame, "welcome=read", Icon::close, "Close")) frame.memory.is_welcome_read = true;
    call_last_item(frame, "Close the welcome");
    ImGui::SetCursorScreenPos(end);
}

}  // namespace attn

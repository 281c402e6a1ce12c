// view=learn on the screen: the curve that can be pointed at, and earlier maps trained in slices of a frame.
#include "ui/views/learn.h"

#include <imgui_internal.h>  // key ownership: the arrows belong to the curve that has the focus

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/text/format.h"
#include "ui/frame/layout.h"
#include "ui/kit/lock.h"
#include "ui/kit/scene_pen.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "views/learn/curve_scene.h"
#include "views/learn/learn_text.h"
#include "views/learn/next_words_scene.h"
#include "views/learn/strip_scene.h"

namespace attn {

struct CurveKey {
    int version;  // of the evaluation
    float width;
    double height;
    std::optional<int> pointed;

    bool operator==(const CurveKey&) const = default;
};

// Of the strip, and of the table of next words.
struct MapsKey {
    int version;
    std::uint64_t count;  // of the earlier weights that are there
    std::optional<int> head;
    float width;
    bool has_tips;
    float height = 0;  // that the maps may take; 0: any

    bool operator==(const MapsKey&) const = default;
};

struct LearnViewMemory {
    int version = -1;  // of the evaluation that `earlier` was last told of
    EarlierWeights earlier;
    std::optional<int> pointed;  // a step of the curve
    KeptScene<CurveKey> curve;
    KeptScene<MapsKey> strip, next;
    std::vector<std::string> remarks;  // of the strip
    std::string mean;                  // under the next words
};

namespace {

constexpr std::int64_t kSlice = 4'000'000;  // multiply-adds a frame: less than 10 ms on the page with a short sentence

// Examples replace all that decides the numbers, so there are none where an author fixed some of it; the view stays.
void put_examples(UiFrame& frame) {
    for (const LearnExample& example : kLearnExamples) {
        if (button(frame, std::string(example.name), example.label)) {
            const PlaygroundState state = read_link(example.link).state;
            frame.next.inputs = state.inputs;
            frame.next.view.sentence = 0;
            frame.next.view.cell.reset();
            frame.next.view.head.reset();
        }
    }
}

void draw_without_goal(UiFrame& frame) {
    ImGui::Dummy({1, 6});
    put_wrapped_text({frame.fonts.sans_bold, kTitleSize, frame.palette.ink}, "Watch a head learn");
    put_wrapped_text(body(frame), no_goal_in_words(frame.state.inputs));
    if (!frame.state.view.lock.empty()) return;
    ImGui::Dummy({1, 4});
    put_wrapped_text(small(frame), "Or begin with one of these:");
    put_examples(frame);
}

// Left and right move along the curve instead of moving the focus.
int take_arrow_keys(const ItemState& curve) {
    if (!curve.is_focused) return 0;
    const ImGuiID id = ImGui::GetItemID();
    for (const ImGuiKey key : {ImGuiKey_LeftArrow, ImGuiKey_RightArrow}) ImGui::SetKeyOwner(key, id);
    if (ImGui::IsKeyPressed(ImGuiKey_LeftArrow, ImGuiInputFlags_Repeat, id)) return -1;
    return ImGui::IsKeyPressed(ImGuiKey_RightArrow, ImGuiInputFlags_Repeat, id) ? 1 : 0;
}

// The step that pointer, finger or keyboard are at; a press goes there.
void point_at_curve(UiFrame& frame, LearnViewMemory& memory, const LossCurve& curve, const FigureBox& place,
                    ImVec2 corner) {
    const auto last = static_cast<int>(curve.losses.size()) - 1;
    ImGui::SetCursorScreenPos({corner.x + static_cast<float>(place.left), corner.y + static_cast<float>(place.top)});
    const ItemState state =
        item(frame, "loss curve",
             {static_cast<float>(place.right - place.left), static_cast<float>(place.bottom - place.top)});
    const double x = static_cast<double>(ImGui::GetMousePos().x - corner.x);
    const int moved = take_arrow_keys(state);
    // While the keyboard leads, what has its focus counts as hovered, wherever the pointer is.
    const bool is_pointed_at = state.is_hovered && !ImGui::GetCurrentContext()->NavHighlightItemUnderNav;
    if (is_pointed_at || (state.is_held && ImGui::IsMouseDown(ImGuiMouseButton_Left))) {
        memory.pointed = step_at(curve, place, x);
    } else if (state.is_focused) {
        memory.pointed = std::clamp(memory.pointed.value_or(curve.step) + moved, 0, last);
    } else {
        memory.pointed.reset();
    }
    if (!memory.pointed) return;
    const int step = *memory.pointed;
    const std::string words =
        concat("step ", step, ": loss ", shown_number(curve.losses[static_cast<std::size_t>(step)]));
    if (state.is_focused) frame.widgets.focus.label = concat("loss curve, ", words);
    if (state.is_pressed && !locks_control(frame.state.view, "steps")) frame.next.inputs.steps = step;
    if (frame.is_touch && !state.is_focused) return;
    const float at = corner.x + static_cast<float>(place.left + (place.right - place.left) * step / std::max(last, 1));
    if (begin_tip({{at - 4, state.min.y}, {at + 4, state.min.y + kTextSize}})) {
        put_text(body(frame), words);
        end_tip();
    }
}

void put_curve(UiFrame& frame, LearnViewMemory& memory, const LossCurve& curve, float room, bool is_beside) {
    const float width = std::min(room, 820.0F);
    // The maps below it are seen, too.
    const auto free = static_cast<double>(ImGui::GetContentRegionAvail().y);
    const double height = std::clamp((is_beside ? 0.55 : 0.3) * free, 120.0, 220.0);
    if (memory.pointed && *memory.pointed >= static_cast<int>(curve.losses.size())) memory.pointed.reset();
    const CurveKey key = {frame.version, width, height, memory.pointed};
    const std::string bound = curve.bound > 0 ? bound_in_numbers(frame.evaluation) : "";
    const FigureBlock& scene = memory.curve.at(frame, key, [&](const SceneStyle& style) {
        return curve_scene(style, curve, bound, static_cast<double>(width), height, memory.pointed);
    });
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    put_scene(frame, scene);
    const ImVec2 end = ImGui::GetCursorScreenPos();
    point_at_curve(frame, memory, curve, scene.places.front().box, corner);
    ImGui::SetCursorScreenPos(end);
    ImGui::Dummy({1, 0});
}

void put_words_of_curve(Display& frame, const LossCurve& curve) {
    for (const std::string& words :
         {loss_in_words(curve), bound_in_words(frame.evaluation), standstill_in_words(curve)}) {
        if (!words.empty()) put_wrapped_text(small(frame), words);
    }
}

// "‹ all heads ›", "‹ head 1 of 2 ›"
void put_head_switch(UiFrame& frame) {
    const int count = frame.evaluation.sizes.num_heads;
    if (count == 1) return;
    const std::optional<int> head = frame.state.view.head;
    const LockScope lock(frame, "head", frame.palette.paper);
    if (icon_button(frame, "head-", Icon::left, "Previous head", head.has_value())) {
        frame.next.view.head = *head > 0 ? std::optional(*head - 1) : std::nullopt;
    }
    ImGui::SameLine();
    put_text(body(frame), head ? concat("head ", *head + 1, " of ", count) : "all heads", control_height(frame) + 4);
    ImGui::SameLine();
    if (icon_button(frame, "head+", Icon::right, "Next head", head.value_or(-1) + 1 < count)) {
        frame.next.view.head = head.value_or(-1) + 1;
    }
}

void put_strip(UiFrame& frame, LearnViewMemory& memory, float width, bool is_beside, bool is_low) {
    put_heading(frame, "THE WEIGHTS AT SOME OF THE STEPS");
    put_head_switch(frame);
    if (memory.version != frame.version) {
        want_strip(memory.earlier, frame.state, frame.evaluation);
        memory.version = frame.version;
    }
    if (!memory.earlier.advance(kSlice)) frame.widgets.is_moving = true;
    const MapsKey key = {.version = frame.version,
                         .count = memory.earlier.count(),
                         .head = frame.state.view.head,
                         .width = width,
                         .has_tips = shows_part(frame, "values"),
                         .height = is_beside ? ImGui::GetContentRegionAvail().y : 0};
    const auto free = static_cast<double>(key.height);
    put_scene(frame, memory.strip.at(frame, key, [&](const SceneStyle& style) {
        const FilmStrip strip = film_strip(memory.earlier, frame.state, frame.evaluation, std::nullopt);
        memory.remarks = strip.remarks;
        constexpr double kNarrowWhereLow = 64;  // so that they share one line
        if (!is_beside)
            return strip_scene(style, strip, frame.evaluation, static_cast<double>(width), key.has_tips,
                               is_low ? kNarrowWhereLow : kNarrowMap);
        // All in one line, as large as the height allows.
        constexpr double kWords = 66, kGap = 14;  // over each head's maps, and between them
        const auto count = static_cast<double>(strip.frames.size());
        const double side = std::clamp(free / static_cast<double>(strip.heads.size()) - kWords, 44.0, 150.0);
        const double line = std::min(static_cast<double>(width), count * (side + kGap) - kGap);
        return strip_scene(style, strip, frame.evaluation, line, key.has_tips, std::min(side, 72.0));
    }));
    for (const std::string& remark : memory.remarks) put_wrapped_text(small(frame), remark);
}

void put_next_words(Display& display, LearnViewMemory& memory, const LossCurve& curve, float width) {
    put_heading(display, "THE NEXT WORD: PROBABILITY OF EACH WORD, AND THE LOSS");
    const MapsKey key = {
        .version = display.version, .count = 0, .head = {}, .width = width, .has_tips = shows_part(display, "values")};
    const FigureBlock& scene = memory.next.at(display, key, [&](const SceneStyle& style) {
        const NextWords words = next_words(display.evaluation);
        memory.mean = mean_in_words(words, curve.shown());
        return next_words_scene(style, words, static_cast<double>(width), key.has_tips);
    });
    const bool is_wide = scene.width > static_cast<double>(width);
    const float bar = is_wide ? ImGui::GetStyle().ScrollbarSize : 0;
    ImGui::BeginChild("next words", {width, static_cast<float>(scene.height) + bar}, ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    put_scene(display, scene);
    scroll_by_finger(display);
    ImGui::EndChild();
    put_wrapped_text(small(display), memory.mean);
}

}  // namespace

void draw_learn(UiFrame& frame) {
    if (frame.evaluation.is_empty()) return;
    if (has_nothing_to_learn(frame.state.inputs) || !frame.evaluation.run) {
        draw_without_goal(frame);
        return;
    }
    if (!frame.memory.learn_view) frame.memory.learn_view = std::make_shared<LearnViewMemory>();
    LearnViewMemory& memory = *frame.memory.learn_view;
    const LossCurve curve = loss_curve(frame.evaluator.inputs(), frame.evaluation);
    ImGui::BeginChild("learn", {0, 0}, ImGuiChildFlags_NavFlattened);
    ImGui::Dummy({1, 2});
    const float width = ImGui::GetContentRegionAvail().x - 6;
    // A lesson's text leaves too little height for both: the maps stand beside the curve.
    constexpr float kLow = 430, kRoomForBoth = 760, kBetween = 24;
    const bool is_low = ImGui::GetContentRegionAvail().y < kLow;
    const bool is_beside = is_low && width >= kRoomForBoth;
    constexpr float kOneLine = 622;  // of maps
    const float left =
        is_beside ? std::floor(std::clamp(width - kBetween - kOneLine, width * 0.3F, width * 0.4F)) : width;
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + left);
    put_curve(frame, memory, curve, left, is_beside);
    const bool has_words_last = is_low && !is_beside;  // the maps come first
    if (!has_words_last) put_words_of_curve(frame, curve);
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
    if (is_beside) ImGui::SameLine(0, kBetween);
    ImGui::BeginGroup();
    put_strip(frame, memory, is_beside ? width - left - kBetween : width, is_beside, is_low);
    ImGui::EndGroup();
    if (has_words_last) put_words_of_curve(frame, curve);
    if (frame.state.inputs.goal == GoalKind::next) put_next_words(frame, memory, curve, width);
    ImGui::Dummy({1, 8});
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn

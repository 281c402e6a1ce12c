// view=softmax on the screen: fields, the gain, and the picture with its rows.
#include "ui/views/softmax.h"

#include <imgui_internal.h>  // ImRect

#include <algorithm>
#include <array>
#include <cmath>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/link_view.h"
#include "playground/text/format.h"
#include "ui/frame/layout.h"
#include "ui/kit/fields.h"
#include "ui/kit/setting_rows.h"
#include "ui/kit/slider.h"
#include "ui/kit/touch.h"
#include "ui/views/experiment_memory.h"
#include "views/softmax/softmax_experiment.h"
#include "views/softmax/softmax_scene.h"

namespace attn {
namespace {

// To two significant digits.
double rounded_gain(double gain) {
    const double unit = gain < 1 ? 0.01 : gain < 10 ? 0.1 : 0.5;
    return std::clamp(std::round(gain / unit) * unit, kMinGain, kMaxGain);
}

std::optional<std::string> gain_beside(double gain, double step) {
    const double next = std::round((gain + step) * 1e6) / 1e6;
    if (next < kMinGain || next > kMaxGain) return std::nullopt;
    return exact_number(next);
}

void put_gain(UiFrame& frame) {
    static const std::array<SliderMark, 4> kMarks = {
        {{kMinGain, "0.1"}, {1, "1"}, {kLectureGain, "8, as in the lecture"}, {kMaxGain, "20"}}};
    const double gain = frame.state.view.gain;
    const double step = gain < 1 ? 0.1 : 1;
    const double down = gain <= 1 ? 0.1 : 1;
    number_row(frame, "gain", exact_number(gain), {.less = gain_beside(gain, -down), .more = gain_beside(gain, step)});
    const float width = ImGui::GetContentRegionAvail().x;
    const SliderEvent event = slider(frame, "gain", gain, {.low = kMinGain, .high = kMaxGain}, kMarks, width);
    if (event.value) frame.next.view.gain = *event.value == kLectureGain ? kLectureGain : rounded_gain(*event.value);
    const double way = event.step < 0 ? -down : step;
    if (event.step != 0) {
        frame.next.view.gain = std::clamp(std::round((gain + way) * 1e6) / 1e6, kMinGain, kMaxGain);
    }
}

void put_list_field(UiFrame& frame) {
    const std::vector<float>& numbers = frame.state.view.vector;
    std::vector<float>& next = frame.next.view.vector;
    put_text(body(frame), "x", control_height(frame));
    ImGui::SameLine(0, 12);
    const float buttons = 2 * (control_height(frame) + 4 + 6);
    const float width = std::max(120.0F, ImGui::GetContentRegionAvail().x - buttons);
    const std::optional<std::string> typed = edit_field(frame, "vector", write_vector(numbers), width, 8);
    if (typed) {
        Notes notes;
        read_vector(as_number_list(*typed), next, notes);
        if (next.size() > kMaxVector) next.resize(kMaxVector);
        if (!notes.empty()) frame.notes = std::move(notes);
    }
    ImGui::SameLine();
    if (icon_button(frame, "vector-", Icon::minus, "Remove the last number", numbers.size() > 1)) next.pop_back();
    ImGui::SameLine();
    if (icon_button(frame, "vector+", Icon::plus, "Add a number", numbers.size() < kMaxVector)) next.push_back(0);
    if (next.size() != numbers.size())
        frame.said.push_back(concat(counted(static_cast<std::int64_t>(next.size()), "number"), "."));
}

// "number 0: 1.5, its weight 0.2312" for the ear.
std::string words_of_row(const View& view, int i) {
    const auto place = static_cast<std::size_t>(i);
    return concat("number ", i, ": ", exact_number(view.vector[place]), ", its weight ",
                  shown_number(softmax_of(view.vector, view.gain).weights[place]));
}

// The field of one number, which may be typed over.
void put_number_field(UiFrame& frame, int i, const std::string& name, float width) {
    const auto place = static_cast<std::size_t>(i);
    const float number = frame.state.view.vector[place];
    const auto typed = edit_field(frame, name, exact_number(number), width, 8);
    note_field(frame, name, concat("number ", i), exact_number(number));
    if (!typed) return;
    const std::optional<double> value = parse_number(*typed);
    const bool fits = value && std::isfinite(static_cast<float>(*value));
    std::vector<float>& next = frame.next.view.vector;
    if (fits && place < next.size()) next[place] = static_cast<float>(*value);
    if (!fits)
        frame.notes = {
            concat("x", i, " stays ", exact_number(number), ": ", quoted(*typed), " is not a number that fits")};
}

// The picture, the rows that can be pointed at, and the fields in them.
void put_picture(UiFrame& frame) {
    const View& view = frame.state.view;
    const int count = static_cast<int>(view.vector.size());
    int& explained = experiments(frame).explained_number;
    const bool is_pointed_at = explained >= 0 && explained < count;
    const int lit = is_pointed_at ? explained : softmax_of(view.vector, view.gain).largest;
    const bool is_phone = frame.layout == LayoutKind::phone;
    const float room = ImGui::GetContentRegionAvail().x - 6;
    const SoftmaxKey key = {.vector = view.vector,
                            .gain = view.gain,
                            .lit = lit,
                            .layout = {.width = static_cast<double>(room),
                                       .row = static_cast<double>(control_height(frame)) + 2,
                                       .number = is_phone ? 72.0 : 84.0,
                                       .is_stacked = is_phone,
                                       .prints_numbers = false}};
    const FigureBlock& scene = experiments(frame).softmax.at(
        frame, key, [&](const SceneStyle& style) { return softmax_scene(style, view, key.layout, lit); });
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    put_scene(frame, scene);
    const ImVec2 end = ImGui::GetCursorScreenPos();
    const auto on_screen = [&](const FigureBox& box) {
        return ImRect(corner.x + static_cast<float>(box.left), corner.y + static_cast<float>(box.top),
                      corner.x + static_cast<float>(box.right), corner.y + static_cast<float>(box.bottom));
    };
    for (int i = 0; i < count; ++i) {
        const std::size_t place = 2 * static_cast<std::size_t>(i);  // of the row; that of its field follows
        const ImRect row = on_screen(scene.places[place].box);
        ImGui::SetCursorScreenPos(row.Min);
        ImGui::SetNextItemAllowOverlap();
        const ItemState state = item(frame, scene.places[place].name, row.GetSize());
        if (state.is_hovered || state.is_pressed || ImGui::IsItemFocused()) explained = i;
        if (state.is_focused) call_item(frame, state, words_of_row(view, i));
        const ImRect field = on_screen(scene.places[place + 1].box);
        ImGui::SetCursorScreenPos({field.Min.x, field.GetCenter().y - control_height(frame) / 2});
        put_number_field(frame, i, scene.places[place + 1].name, field.GetWidth());
    }
    ImGui::SetCursorScreenPos(end);
}

}  // namespace

void draw_softmax(UiFrame& frame) {
    ImGui::Dummy({1, 2});
    ImGui::BeginChild("softmax", ImGui::GetContentRegionAvail(), ImGuiChildFlags_NavFlattened);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 4);
    ImGui::BeginGroup();
    const bool is_first = lacks_height(frame);
    if (!is_first) {
        put_heading(frame, "A VECTOR AND ITS SOFTMAX");
        put_list_field(frame);
    }
    put_gain(frame);  // the hand on it, and the picture that follows it, are seen together
    put_picture(frame);
    if (is_first) put_list_field(frame);
    ImGui::Dummy({1, 8});
    ImGui::EndGroup();
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn

#include "ui/softmax.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/check.h"
#include "playground/format.h"
#include "playground/link_view.h"
#include "playground/softmax_experiment.h"
#include "ui/experiment_memory.h"
#include "ui/fields.h"
#include "ui/setting_rows.h"
#include "ui/slider.h"
#include "ui/touch.h"

namespace attn {
namespace {

constexpr float kIndexWidth = 34;
constexpr float kGap = 14;
constexpr float kNumberWidth = 56;

// Where the columns of a row stand: the number itself, then a bar with its weight, twice.
struct Columns {
    float field, bar;  // widths
    bool is_stacked;   // the bars stand one over the other
};

Columns columns_for(const UiFrame& frame, float room) {
    Columns columns;
    columns.is_stacked = frame.layout == LayoutKind::phone;
    columns.field = columns.is_stacked ? 72 : 84;
    const float rest = room - kIndexWidth - columns.field - kGap;
    columns.bar = columns.is_stacked ? rest : (rest - kGap) / 2;
    return columns;
}

std::string gain_text(const UiFrame& frame) {
    return shown_number(frame.state.view.gain, frame.state.view.gain == std::round(frame.state.view.gain) ? 0 : 2);
}

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
        {{kMinGain, "0.1"}, {1, "1"}, {kLectureGain, "8: the lecture’s"}, {kMaxGain, "20"}}};
    double& gain = frame.state.view.gain;
    const double step = gain < 1 ? 0.1 : 1;
    const double down = gain <= 1 ? 0.1 : 1;
    number_row(frame, "gain", exact_number(gain), {.less = gain_beside(gain, -down), .more = gain_beside(gain, step)});
    const float width = ImGui::GetContentRegionAvail().x;
    const SliderEvent event = slider(frame, "gain", gain, {.low = kMinGain, .high = kMaxGain}, kMarks, width);
    if (event.value) gain = *event.value == kLectureGain ? kLectureGain : rounded_gain(*event.value);
    const double way = event.step < 0 ? -down : step;
    if (event.step != 0) gain = std::clamp(std::round((gain + way) * 1e6) / 1e6, kMinGain, kMaxGain);
}

void put_list_field(UiFrame& frame) {
    std::vector<float>& numbers = frame.state.view.vector;
    put_text(body(frame), "x", control_height(frame));
    ImGui::SameLine(0, 12);
    const float buttons = 2 * (control_height(frame) + 4 + 6);
    const float width = std::max(120.0F, ImGui::GetContentRegionAvail().x - buttons);
    const std::optional<std::string> typed = edit_field(frame, "vector", write_vector(numbers), width, 8);
    if (typed) {
        Notes notes;
        read_vector(as_number_list(*typed), numbers, notes);
        if (numbers.size() > kMaxVector) numbers.resize(kMaxVector);
        if (!notes.empty()) frame.notes = std::move(notes);
    }
    ImGui::SameLine();
    if (icon_button(frame, "vector-", Icon::minus, "Remove the last number", numbers.size() > 1)) numbers.pop_back();
    ImGui::SameLine();
    if (icon_button(frame, "vector+", Icon::plus, "Add a number", numbers.size() < kMaxVector)) numbers.push_back(0);
}

void draw_bar(const UiFrame& frame, ImVec2 corner, float width, float height, double weight, bool is_lit, int color) {
    const float room = width - kNumberWidth;
    const float y = corner.y + height / 2;
    fill_box({corner.x, y - 6}, {corner.x + room, y + 6}, frame.palette.chip, 2);
    const float length = static_cast<float>(weight) * room;
    fill_box({corner.x, y - 6}, {corner.x + std::max(length, 1.0F), y + 6},
             to_imgui(head_color(color, frame.palette.is_dark)), 2);
    draw_text_in({corner.x + room, corner.y}, {corner.x + width, corner.y + height}, {1, 0.5F},
                 is_lit ? bold(frame) : body(frame), shown_number(weight));
}

// One number of the vector: its place, its field, its two weights.
void put_row(UiFrame& frame, int i, const Softmax& plain, const Softmax& gained, bool is_lit, float room) {
    const Columns columns = columns_for(frame, room);
    const auto place = static_cast<std::size_t>(i);
    const float line = control_height(frame);
    const float height = columns.is_stacked ? 2 * line - 8 : line;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::SetNextItemAllowOverlap();
    const ItemState state = item(frame, concat("softmax=", i), {room, height});
    if (state.is_hovered || state.is_pressed || ImGui::IsItemFocused()) experiments(frame).explained_number = i;
    if (is_lit) fill_box({state.min.x - 4, state.min.y}, {state.max.x + 4, state.max.y}, frame.palette.lit, 4);
    draw_text_in(corner, {corner.x + kIndexWidth, corner.y + height}, {0, 0.5F}, is_lit ? bold(frame) : body(frame),
                 concat("x", i));

    float& number = frame.state.view.vector[place];
    ImGui::SetCursorScreenPos({corner.x + kIndexWidth, corner.y + (height - line) / 2});
    if (const auto typed = edit_field(frame, concat("x=", i), exact_number(number), columns.field, 8)) {
        const std::optional<double> value = parse_number(*typed);
        const bool fits = value && std::isfinite(static_cast<float>(*value));
        if (fits) number = static_cast<float>(*value);
        if (!fits)
            frame.notes = {
                concat("x", i, " stays ", exact_number(number), ": ", quoted(*typed), " is not a number that fits")};
    }
    const ImVec2 first = {corner.x + kIndexWidth + columns.field + kGap, corner.y};
    const ImVec2 second =
        columns.is_stacked ? ImVec2(first.x, first.y + line - 8) : ImVec2(first.x + columns.bar + kGap, first.y);
    draw_bar(frame, first, columns.bar, line, plain.weights[place], is_lit, 0);
    draw_bar(frame, second, columns.bar, line, gained.weights[place], is_lit, 1);
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({room, height});
}

// "sum 1.0000" and "largest 0.8000" under each column of bars, or its title above it.
void put_line_of_columns(const UiFrame& frame, const std::string& first, const std::string& second, float room) {
    const Columns columns = columns_for(frame, room);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float left = corner.x + kIndexWidth + columns.field + kGap;
    const auto put = [&](ImVec2 place, const std::string& text, int color) {
        fill_box({place.x, place.y + 4}, {place.x + 9, place.y + 13},
                 to_imgui(head_color(color, frame.palette.is_dark)), 2);
        draw_text({place.x + 15, place.y}, small(frame), text);
    };
    put({left, corner.y}, first, 0);
    put(columns.is_stacked ? ImVec2(left, corner.y + kTextSize + 2) : ImVec2(left + columns.bar + kGap, corner.y),
        second, 1);
    ImGui::Dummy({room, columns.is_stacked ? 2 * kTextSize + 4 : kTextSize + 2});
}

std::string summary_of(const Softmax& softmax) {
    return concat("sum ", shown_number(softmax.sum), " · largest ",
                  shown_number(softmax.weights[static_cast<std::size_t>(softmax.largest)]), " at x", softmax.largest);
}

void put_formula(UiFrame& frame, int i) {
    const View& view = frame.state.view;
    put_heading(frame, concat("x", i, " WITH THE NUMBERS PUT IN"));
    const std::vector<std::string> lines = softmax_lines(view.vector, view.gain, i);
    put_wrapped_text(body(frame), lines.front());
    for (std::size_t line = 1; line < lines.size(); ++line) put_wrapped_text(mono(frame), lines[line]);
}

}  // namespace

void draw_softmax(UiFrame& frame) {
    ImGui::Dummy({1, 2});
    ImGui::BeginChild("softmax", ImGui::GetContentRegionAvail(), ImGuiChildFlags_NavFlattened);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 4);
    ImGui::BeginGroup();
    put_heading(frame, "A VECTOR AND ITS SOFTMAX");
    put_list_field(frame);
    put_gain(frame);
    const std::vector<float> numbers = frame.state.view.vector;  // a field may change it on the way down
    const Softmax plain = softmax_of(numbers, 1);
    const Softmax gained = softmax_of(numbers, frame.state.view.gain);
    const float room = ImGui::GetContentRegionAvail().x - 6;
    int& explained = experiments(frame).explained_number;
    const int count = static_cast<int>(numbers.size());
    const int lit = explained >= 0 && explained < count ? explained : gained.largest;
    put_line_of_columns(frame, "softmax(x)", concat("softmax(", gain_text(frame), " · x)"), room);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 2));
    for (int i = 0; i < count; ++i) put_row(frame, i, plain, gained, i == lit, room);
    ImGui::PopStyleVar();
    put_line_of_columns(frame, summary_of(plain), summary_of(gained), room);
    put_formula(frame, lit);
    ImGui::Dummy({1, 8});
    ImGui::EndGroup();
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn

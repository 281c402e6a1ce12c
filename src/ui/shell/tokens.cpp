// The sentence as tokens: one chip each, with its place. The pinned query is lit, the pinned key has a dashed frame, a
// selected token (Ctrl+click, or a finger held on it) a check mark.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/state/origin.h"
#include "playground/state/view_table.h"
#include "playground/text/notes.h"
#include "scene/kit/figure_text.h"
#include "ui/frame/layout.h"
#include "ui/frame/pins.h"
#include "ui/kit/marks.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/shell/panels.h"
#include "views/lines/selection.h"

namespace attn {
namespace {

constexpr float kTokenGap = 6;
constexpr float kTokenPadding = 8;
constexpr float kWidestChip = 180;
constexpr int kMostMeasured = 200;  // more tokens get chips of one width, so that only those in sight are looked at
constexpr float kUniformWidth = 92;

struct Place {
    int row = 0;
    float x = 0;  // from the first chip's left edge
    float width = 0;
};

TextStyle place_style(const Look& look) {
    return {look.fonts.sans, kTinySize, look.palette.soft_ink};
}

// Where each chip stands in rows of `width`. A sentence that is written from the right begins at the right.
class ChipLayout {
public:
    ChipLayout(const Display& display, float width)
        : num_chips_(display.evaluation.num_tokens()), width_(width), is_from_right_(begins_at_right(display)) {
        if (num_chips_ > kMostMeasured) {
            columns_ = std::max(1, static_cast<int>((width + kTokenGap) / (kUniformWidth + kTokenGap)));
            num_rows_ = (num_chips_ + columns_ - 1) / columns_;
            return;
        }
        Place next;
        for (int i = 0; i < num_chips_; ++i) {
            next.width = std::min(width, chip_width(display, i));
            if (next.x > 0 && next.x + next.width > width) {
                ++next.row;
                next.x = 0;
            }
            places_.push_back(next);
            next.x += next.width + kTokenGap;
        }
        num_rows_ = next.row + 1;
        end_ = next.x;
    }

    int num_rows() const { return num_rows_; }
    float width() const { return width_; }
    bool is_from_right() const { return is_from_right_; }
    // How long the last row is; nothing when the chips have one width.
    std::optional<float> end() const { return places_.empty() ? std::nullopt : std::optional(end_); }
    Place at(int chip) const {
        const auto column = static_cast<float>(chip % columns_);
        Place place = {.row = chip / columns_, .x = column * (kUniformWidth + kTokenGap), .width = kUniformWidth};
        if (!places_.empty()) place = places_[static_cast<std::size_t>(chip)];
        if (is_from_right_) place.x = width_ - place.x - place.width;
        return place;
    }
    // The first chip of a row or of one before it.
    int first_of_row(int row) const { return places_.empty() ? std::min(num_chips_, row * columns_) : 0; }

private:
    static bool begins_at_right(const Shown& shown) {
        return is_right_to_left(shown.state.inputs.texts[static_cast<std::size_t>(shown.state.view.sentence)]);
    }
    static float chip_width(const Display& display, int token) {
        const float text = text_size(body(display), token_text(display.evaluation, token)).x;
        const float needed = std::ceil(text + text_size(place_style(display), concat(token)).x + 3 + 2 * kTokenPadding);
        return std::clamp(needed, display.is_touch ? 40.0F : 0.0F, kWidestChip);
    }

    int num_chips_;
    float width_;
    bool is_from_right_;
    int columns_ = 1;
    int num_rows_ = 1;
    float end_ = 0;
    std::vector<Place> places_;  // empty when the chips have one width
};

// A finger can hit 40 points, but the chip is drawn lower: the rest is the distance to the next row.
float chip_height(const Look& look) {
    return look.is_touch ? 40.0F : 25.0F;
}
float row_gap(const Look& look) {
    return look.is_touch ? 0 : kTokenGap;
}
float chip_inset(const Look& look) {
    return look.is_touch ? 4 : 0;
}

// What a chip is to the cell that is pinned or pointed at: its query, its key, or neither.
struct Part {
    bool is_query = false;
    bool is_key = false;
};
Part part_in(const Shown& shown, const std::optional<Cell>& cell, int token) {
    if (!cell || stage_info(shown.state.view.stage).rows != Axis::token) return {};
    const bool has_keys = stage_info(shown.state.view.stage).columns == Axis::key_token;
    return {.is_query = cell->row == token, .is_key = has_keys && cell->column == token};
}

void draw_chip(UiFrame& frame, int token, float width) {
    const Palette& palette = frame.palette;
    ItemState state = item(frame, concat("token=", token), {width, chip_height(frame)});
    const ImGuiIO& io = ImGui::GetIO();
    if (is_held_long(frame) || (state.is_pressed && (io.KeyCtrl || io.KeySuper))) {
        toggle_selected(frame.next.view, token);
    } else if (state.is_pressed) {
        pin_token(frame.next.view, token);
    }
    state.min.y += chip_inset(frame);
    state.max.y -= chip_inset(frame);
    if (state.is_hovered) frame.next_hover.token = token;

    const Part pinned = part_in(frame, frame.state.view.cell, token);
    const Part pointed_at = part_in(frame, frame.hover.cell, token);
    const bool is_lit = pinned.is_query || pointed_at.is_query || pointed_at.is_key || frame.hover.token == token;
    fill_box(state.min, state.max, is_lit ? palette.lit : palette.chip, 6);
    const bool is_selected = frame.state.view.select.contains(token);
    if (is_selected && !pinned.is_query) frame_box(state.min, state.max, palette.accent, 1.5F, 6);
    if (pinned.is_query) {
        frame_box(state.min, state.max, cell_color(frame, *frame.state.view.cell), 1.5F, 6);
    } else if (pinned.is_key) {
        dash_box(state.min, state.max, cell_color(frame, *frame.state.view.cell), 1.5F, 6);
    }
    const std::string place = concat(token);
    const float place_width = text_size(place_style(frame), place).x;
    const float room = width - 2 * kTokenPadding - 3 - place_width;
    const std::string text = shortened(body(frame), token_text(frame.evaluation, token), room);
    draw_text_in({state.min.x + kTokenPadding, state.min.y}, state.max, {0, 0.5F}, body(frame), text);
    draw_text({state.max.x - kTokenPadding - place_width, state.center().y - place_style(frame).size * 0.85F},
              place_style(frame), place);
    if (is_selected)
        draw_check_mark({state.max.x - kTokenPadding - place_width / 2, state.center().y + 5}, 7, palette.accent);
    if (text != token_text(frame.evaluation, token)) put_tooltip(frame, token_text(frame.evaluation, token), {}, {});
}

std::string summary(const Shown& shown) {
    const Inputs& inputs = shown.state.inputs;
    const std::string tokens = counted(shown.evaluation.num_tokens(), "token");
    if (!shown.evaluation.source.model.empty()) return concat(tokens, " · ", model_in_summary(inputs));
    const std::string numbers = concat(inputs.d_in == 1 ? "number" : "numbers", " each");
    const auto how = [&]() -> std::string {
        switch (inputs.embed) {
            case EmbeddingKind::hash:
                return concat(" random ", numbers);
            case EmbeddingKind::ngrams:
                return concat(" random ", numbers, ", added up from word pieces");
            case EmbeddingKind::torch:
                return concat(" ", numbers, " from nn.Embedding");
            case EmbeddingKind::typed:
                return concat(" typed ", numbers);
        }
        return {};
    };
    return concat(tokens, " · ", inputs.d_in, how());
}

// "‹ sentence 1 of 3 ›": which sentence of the batch is shown.
void put_sentence_switch(UiFrame& frame) {
    const int shown = frame.state.view.sentence;
    const int count = static_cast<int>(frame.state.inputs.texts.size());
    const float height = control_height(frame) + 4;
    if (icon_button(frame, "sentence-", Icon::left, "The sentence before", shown > 0))
        frame.next.view.sentence = shown - 1;
    ImGui::SameLine();
    const std::string label = concat("sentence ", shown + 1, " of ", count);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = text_size(body(frame), label).x;
    ImGui::Dummy({width, height});
    draw_text_in(corner, {corner.x + width, corner.y + height}, {0, 0.5F}, body(frame), label);
    ImGui::SameLine();
    if (icon_button(frame, "sentence+", Icon::right, "The next sentence", shown + 1 < count)) {
        frame.next.view.sentence = shown + 1;
    }
}

// Whether the visitor decides where the matrices come from, not a teacher or a lesson.
bool chooses_origin(const Shown& shown) {
    const View& view = shown.state.view;
    return view.lesson.empty() && view.check.empty() && !locks_control(view, "model") &&
           !hides_control(view, "model") && shows_part(shown, "settings");
}

// Not inlined: it comes with a later part of the page.
[[gnu::noinline]] void take_origin(PlaygroundState& next, int origin) {
    const bool was_random = next.inputs.model.empty();
    if (origin == 0) {
        make_random(next.inputs);
        if (view_info(next.view.view).is_of_model()) next.view.view = ViewKind::matrix;
        return;
    }
    make_trained(next.inputs, kOwnModels[static_cast<std::size_t>(origin - 1)]);
    if (was_random && !view_info(next.view.view).is_of_model())
        next.view.view = ViewKind::model;  // what it is: its next words, and who votes for them
    leave_place(next.view);
}

// "random | first-words | own-words": the same sentence with other matrices; trained ones are shown as the model that
// they are of.
using Origins = std::array<Segment, 1 + kOwnModels.size()>;

// `width` wide at the cursor, with its name between it and the chips if `room` suffices.
void put_origin_switch(UiFrame& frame, const Origins& origins, float width, float room, bool is_from_right) {
    constexpr std::string_view kName = "matrices";
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const std::optional<int> chosen = segmented(frame, origins, shown_origin(frame), width, kName);
    if (chosen) take_origin(frame.next, *chosen);
    const TextStyle style = small(frame);
    const float name_width = text_size(style, kName).x + 8;
    if (name_width > room) return;
    const float x = is_from_right ? corner.x + width + 8 : corner.x - name_width;
    draw_text({x, corner.y + (control_height(frame) - style.size) / 2}, style, kName);
}

// Brings the pinned token into sight when another one was pinned.
void follow_pin(const Display& display, const ChipLayout& layout, float pitch) {
    const int row = display.state.view.cell ? display.state.view.cell->row : -1;
    if (row == display.memory.followed_token) return;
    display.memory.followed_token = row;
    if (row < 0 || row >= display.evaluation.num_tokens()) return;
    const float top = static_cast<float>(layout.at(row).row) * pitch;
    const float scroll = ImGui::GetScrollY();
    if (top < scroll || top + pitch > scroll + ImGui::GetWindowHeight()) ImGui::SetScrollY(top);
}

}  // namespace

int shown_origin(const Shown& shown) {
    if (shown.state.inputs.model.empty()) return 0;
    const OwnModel* own = shown.evaluation.source.model.empty() ? nullptr : find_own_model(shown.state.inputs.model);
    return own ? 1 + static_cast<int>(own - kOwnModels.data()) : -1;
}

void put_token_count(Display& display) {
    bool& is_open = display.memory.shows_tokens;
    const std::string text = counted(display.evaluation.num_tokens(), "token");
    constexpr float kIcon = 12;
    const float width = std::ceil(text_size(body(display), text).x) + kIcon + 6;
    const ItemState state = item(display, "tokens", {width, folded_height(display)});
    draw_text_in(state.min, state.max, {0, 0.5F}, body(display), text);
    draw_icon(is_open ? Icon::up : Icon::down, {state.max.x - kIcon / 2 - 2, state.center().y}, kIcon,
              state.is_hovered ? display.palette.accent : display.palette.soft_ink);
    call_item(display, state, is_open ? "Hide the tokens" : "Show the tokens");
    put_tooltip(display, is_open ? "Hide the tokens" : "Show the tokens", {}, {});
    if (state.is_pressed) is_open = !is_open;
}

void draw_tokens(UiFrame& frame) {
    const bool is_phone = frame.layout == LayoutKind::phone;
    const float margin = is_phone ? 12 : kMargin;
    const int most_rows = is_phone ? 3 : 2;
    ImGui::SetCursorPosX(margin);
    const bool has_batch = frame.state.inputs.texts.size() > 1;
    if (has_batch) {
        put_sentence_switch(frame);
        ImGui::SetCursorPosX(margin);
    }

    const float width = ImGui::GetContentRegionAvail().x - margin;
    const ChipLayout layout(frame, width - ImGui::GetStyle().ScrollbarSize);
    const float pitch = chip_height(frame) + row_gap(frame);
    const float height = static_cast<float>(std::min(layout.num_rows(), most_rows)) * pitch;
    const ImVec2 corner = ImGui::GetCursorScreenPos();

    // Behind the last chip stand, where there is room, the switch at the end of the line, the summary, and the name of
    // the switch. A summary without room stands under the chips, but not on a phone.
    const TextStyle style = small(frame);
    const std::string text = summary(frame);
    const float needed = text_size(style, text).x;
    const bool has_line = layout.num_rows() <= most_rows && layout.end();
    float room = has_line ? width - *layout.end() - 12 : 0;
    const Origins origins = {
        {{"matrices=random", "random"}, {"matrices=first-words", "first-words"}, {"matrices=own-words", "own-words"}}};
    const float switch_width = segmented_width(frame, origins);
    const bool has_switch = switch_width <= room && chooses_origin(frame);
    if (has_switch) room -= switch_width + 12;
    const bool has_room = needed <= room;
    if (has_room) room -= needed + kMargin;

    // Two points of room on the left and at the top for the focus ring of the first chip.
    ImGui::BeginChild("tokens", {width, height}, ImGuiChildFlags_NavFlattened);
    const int first_row = static_cast<int>(ImGui::GetScrollY() / pitch);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    for (int token = layout.first_of_row(first_row); token < frame.evaluation.num_tokens(); ++token) {
        const Place place = layout.at(token);
        if (place.row > first_row + most_rows) break;
        ImGui::SetCursorScreenPos({origin.x + place.x, origin.y + static_cast<float>(place.row) * pitch});
        draw_chip(frame, token, place.width);
    }
    ImGui::SetCursorScreenPos({origin.x, origin.y + static_cast<float>(layout.num_rows()) * pitch - row_gap(frame)});
    ImGui::Dummy({1, 0});
    if (has_switch) {
        const float left = layout.is_from_right() ? 0 : width - switch_width;
        ImGui::SetCursorScreenPos({origin.x + left, origin.y + static_cast<float>(layout.num_rows() - 1) * pitch});
        put_origin_switch(frame, origins, switch_width, room, layout.is_from_right());
    }
    follow_pin(frame, layout, pitch);
    scroll_by_finger(frame);
    ImGui::EndChild();

    if (has_room) {
        const float y = corner.y + height - pitch + (chip_height(frame) - style.size) / 2;
        const float x = *layout.end() + 10;
        draw_text({corner.x + (layout.is_from_right() ? layout.width() - x - needed : x), y}, style, text);
    } else if (!is_phone) {
        ImGui::SetCursorScreenPos({corner.x, corner.y + height});
        put_text(style, text);
    }
}

}  // namespace attn

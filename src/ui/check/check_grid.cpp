// The grid of answers: the visitor types into cell after cell, as in a spreadsheet.
#include <imgui_internal.h>  // scrolling the current cell into sight
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "playground/text/format.h"
#include "ui/check/check.h"
#include "ui/check/check_memory.h"
#include "ui/frame/pins.h"
#include "ui/kit/fields.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr float kCellWidth = 70;
constexpr float kRowLabel = 74;
constexpr float kColumnLabels = kSmallSize + 5;
constexpr float kTitleHeight = kTextSize + 6;
constexpr float kBlockGap = 24;
constexpr float kGridPadding = 3;

float cell_height(const Look& look) {
    return look.is_touch ? 40.0F : 26.0F;
}

// A tick or a cross, because colour alone must not carry the verdict.
void draw_verdict(ImVec2 center, bool is_right, ImU32 color) {
    constexpr float kSize = 4;
    if (is_right) {
        window_list().PathLineTo({center.x - kSize, center.y});
        window_list().PathLineTo({center.x - 1, center.y + kSize - 1});
        window_list().PathLineTo({center.x + kSize, center.y - kSize});
        window_list().PathStroke(color, ImDrawFlags_None, 1.6F);
    } else {
        window_list().AddLine({center.x - kSize + 1, center.y - kSize + 1},
                              {center.x + kSize - 1, center.y + kSize - 1}, color, 1.6F);
        window_list().AddLine({center.x - kSize + 1, center.y + kSize - 1},
                              {center.x + kSize - 1, center.y - kSize + 1}, color, 1.6F);
    }
}

void draw_hatched(const Look& look, ImVec2 min, ImVec2 max) {
    window_list().PushClipRect(min, max, true);
    const float height = max.y - min.y;
    for (float x = min.x - height; x < max.x; x += 6)
        window_list().AddLine({x, max.y}, {x + height, min.y}, look.palette.hatch);
    window_list().PopClipRect();
}

// Enter moves the keyboard to the next open question if this one is solved.
void go_on(const CheckPicture& picture, const Question& question) {
    CheckMemory& memory = check_memory(picture.frame);
    memory.wants_answer_field = true;
    const bool is_right = is_solved(picture.answers(), question);
    if (!is_right && !memory.draft.empty()) return;
    const auto next = picture.next_after(question);
    memory.after_right = is_right ? next : std::nullopt;
    if (next) picture.go_to(*next);
}

// Left and right walk over the grid while the field is empty; up and down always do, by ImGui's own navigation.
void take_arrows(const CheckPicture& picture, const Question& question) {
    if (!check_memory(picture.frame).draft.empty()) return;
    const int step = ImGui::IsKeyPressed(ImGuiKey_LeftArrow) ? -1 : ImGui::IsKeyPressed(ImGuiKey_RightArrow) ? 1 : 0;
    const auto place = std::find(picture.questions.begin(), picture.questions.end(), question);
    const auto index = place - picture.questions.begin() + step;
    if (step == 0 || index < 0 || index >= static_cast<std::ptrdiff_t>(picture.questions.size())) return;
    picture.go_to(picture.questions[static_cast<std::size_t>(index)]);
    check_memory(picture.frame).wants_answer_field = true;
}

// "Right. Score: 1 of 1 right. Done. Press Next." for the ear.
void tell_verdict(const CheckPicture& picture, const Question& question) {
    const Answer* given = picture.answer_to(question);
    if (given == nullptr) return;
    const bool is_done = picture.is_exercise && is_solved(picture.answers(), question) && !picture.next_after(question);
    picture.frame.said.push_back(concat(with_score(given->remark, picture.frame.next.view.score), is_done ? " " : "",
                                        is_done ? done_in_words(picture.frame.state.view) : ""));
}

// "Head 1 · cat → The: 0.4086, right" of a cell at rest.
std::string words_of_cell(const CheckPicture& picture, const Question& question) {
    const Display& display = picture.frame;
    const Answer* answer = picture.answer_to(question);
    const std::string place = question_in_words(display.evaluation, question);
    if (answer != nullptr && answer->is_shown) return concat(place, ": ", answer->remark);
    if (answer == nullptr || answer->typed.empty()) return concat(place, ": blank");
    return concat(place, ": ", answer->typed, answer->verdict == Verdict::right ? ", right" : ", not right");
}

// What has to be known for the answer, after what is asked.
std::string words_of_answer(const CheckPicture& picture, const Question& question) {
    const Display& display = picture.frame;
    std::string words =
        concat("answer for ", question_in_words(display.evaluation, question),
               display.widgets.focus.field_text.empty() ? "" : ": ", display.widgets.focus.field_text, ", text field");
    for (const std::string& line : needs_of(display.state, picture.answers(), display.evaluation, question))
        words += concat(". ", line);
    return words;
}

// The field over the current cell. It is judged when the visitor leaves it, with Enter or by going elsewhere; Escape
// restores it. With Shift, Enter asks for a hint, with Ctrl for the answer: the arrows lead to other questions.
void put_field(const CheckPicture& picture, const Question& question, ImVec2 size) {
    UiFrame& frame = picture.frame;
    CheckMemory& memory = check_memory(frame);
    if (memory.drafted != question) {
        const Answer* before = picture.answer_to(question);
        memory.drafted = question;
        memory.draft = before != nullptr ? before->typed : "";
    }
    if (memory.wants_answer_field) focus_next_field("##answer");
    memory.wants_answer_field = false;
    ImGui::PushFont(frame.fonts.mono, kMonoSize);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(6, (size.y - kMonoSize) / 2));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, 3);
    ImGui::SetNextItemWidth(size.x);
    ImGui::InputText("##answer", &memory.draft, ImGuiInputTextFlags_AutoSelectAll);
    ImGui::PopStyleVar(2);
    ImGui::PopFont();
    record_item(frame, "answer");
    note_field(frame, "answer", concat("answer for ", question_in_words(frame.evaluation, question)), memory.draft);
    FocusRing& focus = frame.widgets.focus;
    if (focus.name == "answer") focus.words = words_of_answer(picture, question);
    const Answer* so_far = picture.answer_to(question);
    const bool is_wrong = so_far != nullptr && so_far->verdict == Verdict::wrong;
    frame_box(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), is_wrong ? frame.palette.warning : frame.palette.accent,
              2, 3);
    if (ImGui::IsItemActive()) take_arrows(picture, question);

    const bool is_entered = ImGui::IsItemDeactivated() &&
                            (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter));
    const bool is_left = ImGui::IsItemDeactivatedAfterEdit() && !ImGui::IsKeyPressed(ImGuiKey_Escape);
    const bool asks_hint = is_entered && ImGui::GetIO().KeyShift;
    const bool asks_answer = is_entered && ImGui::GetIO().KeyCtrl;
    if (!picture.is_out_of_date) {
        if (asks_hint) {
            tell_hint(picture, question);
        } else if (asks_answer) {
            tell_answer(picture, question);
        } else if ((is_left || is_entered) && !memory.draft.empty()) {
            answer(frame.next, picture.answers(), frame.evaluation, question, memory.draft);
            tell_verdict(picture, question);
        }
    }
    if (asks_hint) memory.wants_answer_field = true;
    if (is_entered && !asks_hint) go_on(picture, question);
    if (picture.is_out_of_date) memory.drafted.reset();  // ImGui may have restored the text for the old numbers
}

// A cell at rest: blank, right, wrong, or revealed.
void draw_cell(const CheckPicture& picture, const Question& question, ImVec2 min, ImVec2 max, bool is_hovered) {
    const Display& display = picture.frame;
    const Answer* answer = picture.answer_to(question);
    const bool is_current = picture.current == question;
    const bool is_wrong = answer != nullptr && !answer->is_shown && answer->verdict == Verdict::wrong;
    const bool is_right = answer != nullptr && !answer->is_shown && answer->verdict == Verdict::right;
    fill_box(min, max, is_hovered ? display.palette.chip : display.palette.panel, 3);
    const ImU32 at_rest = answer == nullptr ? display.palette.soft_ink : display.palette.edge;  // a blank asks for more
    const bool is_marked = is_current || is_right || is_wrong;
    const ImU32 edge = is_right   ? right_color(display.palette)
                       : is_wrong ? display.palette.warning
                                  : display.palette.accent;
    frame_box(min, max, is_marked ? edge : at_rest, is_marked ? 2 : 1, 3);
    if (answer == nullptr) return;
    TextStyle style = mono(display);
    std::string text = answer->typed;
    if (is_solved(picture.answers(), question)) {
        const Vector row = stage_row(*display.evaluation.problem, display.evaluation.trace, question.stage,
                                     question.head, question.row);
        text = shown_number(static_cast<double>(row(question.column)));
    }
    if (is_wrong) style.color = display.palette.warning;
    if (answer->is_shown) style.color = display.palette.soft_ink;
    const bool has_mark = is_right || is_wrong;
    const float room = max.x - min.x - (has_mark ? 18 : 8);
    draw_text_in({min.x + 5, min.y}, max, {0, 0.5F}, style, shortened(style, text, room));
    if (has_mark) {
        draw_verdict({max.x - 8, (min.y + max.y) / 2}, is_right,
                     is_right ? right_color(display.palette) : display.palette.warning);
    }
    if (answer->is_shown) dash_box(min, max, display.palette.soft_ink, 1, 3);
}

void put_cell(const CheckPicture& picture, const Question& question, ImVec2 corner) {
    Display& display = picture.frame;
    const ImVec2 size = {kCellWidth - 3, cell_height(display) - 3};
    ImGui::SetCursorScreenPos(corner);
    const bool is_current = picture.current == question;
    if (is_current && !is_solved(picture.answers(), question)) {
        put_field(picture, question, size);
    } else {
        const std::string name = concat("answer=", question.head + 1, ",", question.row, ",", question.column);
        const ItemState state = item(display, name, size);
        // A solved one has no field that could take the keyboard.
        if (is_current && std::exchange(check_memory(display).wants_answer_field, false)) ImGui::FocusItem();
        if (state.is_focused) call_item(display, state, words_of_cell(picture, question));
        draw_cell(picture, question, state.min, state.max, state.is_hovered);
        const bool is_walked_to = ImGui::IsItemFocused() && ImGui::GetCurrentContext()->NavCursorVisible;
        if (state.is_pressed || (is_walked_to && !is_current)) {
            picture.go_to(question);
            check_memory(display).wants_answer_field = true;
        }
    }
    std::optional<Question>& followed = check_memory(display).followed_question;
    if (is_current && followed != question) {
        followed = question;
        // Includes the labels, which stay in sight.
        const ImRect seen = {corner.x - kRowLabel, corner.y - kColumnLabels, corner.x + size.x, corner.y + size.y};
        ImGui::ScrollToRect(
            ImGui::GetCurrentWindow(), seen,
            ImGuiScrollFlags_KeepVisibleEdgeX | ImGuiScrollFlags_KeepVisibleEdgeY | ImGuiScrollFlags_NoScrollParent);
    }
}

void draw_head_title(const Look& look, ImVec2 place, int head) {
    const ImU32 color = to_imgui(head_color(head, look.palette.is_dark));
    fill_box({place.x, place.y + 4}, {place.x + 10, place.y + 14}, color, 2);
    draw_text({place.x + 17, place.y}, bold(look), concat("Head ", head + 1));
}

// The labels of one head. They stay in sight while its cells scroll under them.
void draw_labels(const CheckPicture& picture, ImVec2 corner) {
    const Display& display = picture.frame;
    const Extent extent = extent_of(display.evaluation.sizes, picture.stage);
    const ImVec2 cells = {corner.x + kRowLabel, corner.y + kColumnLabels};
    const float height = cell_height(display);
    const int first = picture.first_row(), last = picture.last_row(extent.rows);
    const ImVec2 end = {cells.x + static_cast<float>(extent.columns) * kCellWidth,
                        cells.y + static_cast<float>(last - first) * height};
    const ImVec2 seen = ImGui::GetCurrentWindow()->InnerRect.Min;
    const float left = std::clamp(seen.x, corner.x, end.x - kRowLabel);
    const float top = std::clamp(seen.y, corner.y, end.y - kColumnLabels);
    const ImVec2 inner = {left + kRowLabel, top + kColumnLabels};
    if (left > corner.x) fill_box({left, top}, {inner.x, end.y}, display.palette.paper, 0);
    if (top > corner.y) fill_box({left, top}, {end.x, inner.y}, display.palette.paper, 0);
    ImGui::PushClipRect({left, inner.y}, {inner.x, end.y}, true);
    for (int i = first; i < last; ++i) {
        const float y = cells.y + static_cast<float>(i - first) * height;
        draw_text_in({left, y}, {inner.x - 8, y + height - 3}, {1, 0.5F}, body(display),
                     shortened(body(display), token_text(display.evaluation, i), kRowLabel - 8));
    }
    ImGui::PopClipRect();
    ImGui::PushClipRect({inner.x, top}, {end.x, inner.y}, true);
    const TextStyle style = small(display);
    for (int c = 0; c < extent.columns; ++c) {
        const float x = cells.x + static_cast<float>(c) * kCellWidth;
        const std::string label = shortened(style, column_text(display.evaluation, picture.stage, c), kCellWidth - 8);
        draw_text_in({x, top}, {x + kCellWidth - 3, inner.y - 3}, {0.5F, 0.5F}, style, label);
    }
    ImGui::PopClipRect();
}

// The numbers of one head: labels above and on the left.
void put_head(const CheckPicture& picture, int head, ImVec2 corner) {
    const Display& display = picture.frame;
    const Extent extent = extent_of(display.evaluation.sizes, picture.stage);
    const ImVec2 cells = {corner.x + kRowLabel, corner.y + kColumnLabels};
    const float height = cell_height(display);
    const Matrix numbers = shown_matrix(display.evaluation, picture.stage, head);
    const int first = picture.first_row();
    for (int i = first; i < picture.last_row(extent.rows); ++i) {
        const float y = cells.y + static_cast<float>(i - first) * height;
        for (int c = 0; c < extent.columns; ++c) {
            const Question question = {.stage = picture.stage, .head = head, .row = i, .column = c};
            const ImVec2 place = {cells.x + static_cast<float>(c) * kCellWidth, y};
            if (std::binary_search(picture.questions.begin(), picture.questions.end(), question)) {
                put_cell(picture, question, place);
            } else if (const ImVec2 end = {place.x + kCellWidth - 3, place.y + height - 3};
                       std::isfinite(numbers(i, c)) && !picture.blanks.has(picture.stage, head, i, c)) {
                draw_text_in(place, end, {0.5F, 0.5F}, mono(display), shown_number(static_cast<double>(numbers(i, c))));
            } else if (std::isfinite(numbers(i, c))) {
                fill_box(place, end, display.palette.chip, 3);  // blank, and not asked for
            } else {
                draw_hatched(display, place, end);
            }
        }
    }
    draw_labels(picture, corner);
}

// Where the heads' blocks stand: as many side by side as fit.
struct Blocks {
    int first = 0;
    int count = 1;
    int per_row = 1;
    ImVec2 size;  // of one
    float title = 0;

    float height() const {
        const int rows = (count + per_row - 1) / per_row;
        return static_cast<float>(rows) * (size.y + kBlockGap) - kBlockGap;
    }
};

Blocks blocks_for(const CheckPicture& picture, float width) {
    const Display& display = picture.frame;
    const Extent extent = extent_of(display.evaluation.sizes, picture.stage);
    const bool has_heads = stage_info(picture.stage).has_heads;
    const int num_heads = has_heads ? display.evaluation.sizes.num_heads : 1;
    Blocks blocks;
    if (has_heads && display.state.view.head) {
        blocks.first = *display.state.view.head;
    } else if (picture.is_exercise && !picture.questions.empty()) {
        blocks.first = picture.questions.front().head;
        blocks.count = picture.questions.back().head - blocks.first + 1;
    } else {
        blocks.count = num_heads;
    }
    blocks.title = num_heads > 1 ? kTitleHeight : 0;
    const int num_rows = picture.last_row(extent.rows) - picture.first_row();
    blocks.size = {kRowLabel + static_cast<float>(extent.columns) * kCellWidth,
                   blocks.title + kColumnLabels + static_cast<float>(num_rows) * cell_height(display)};
    blocks.per_row = std::max(1, static_cast<int>((width + kBlockGap) / (blocks.size.x + kBlockGap)));
    return blocks;
}

}  // namespace

float answer_grid_height(const CheckPicture& picture, float width) {
    const float height = blocks_for(picture, width - 2 * kGridPadding).height() + 2 * kGridPadding;
    const bool scrolls_sideways = blocks_for(picture, width).size.x + 2 * kGridPadding > width;
    return height + (scrolls_sideways ? ImGui::GetStyle().ScrollbarSize : 0);
}

void put_answer_grid(const CheckPicture& picture, ImVec2 size) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(kGridPadding, kGridPadding));
    ImGui::BeginChild("answers", size, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding,
                      ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::PopStyleVar();
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const Blocks blocks = blocks_for(picture, ImGui::GetContentRegionAvail().x);
    for (int k = 0; k < blocks.count; ++k) {
        const auto row = static_cast<float>(k / blocks.per_row);
        const auto column = static_cast<float>(k % blocks.per_row);
        const ImVec2 corner = {origin.x + column * (blocks.size.x + kBlockGap),
                               origin.y + row * (blocks.size.y + kBlockGap)};
        if (blocks.title > 0) draw_head_title(picture.frame, corner, blocks.first + k);
        put_head(picture, blocks.first + k, {corner.x, corner.y + blocks.title});
        ImGui::SetCursorScreenPos(corner);
        ImGui::Dummy(blocks.size);
    }
    scroll_by_finger(picture.frame);
    ImGui::EndChild();
}

}  // namespace attn

// The strip under maps and lines: each target with its weight in every head.
#include "ui/lines/lines.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/numbers/heads_together.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/frame/frame.h"
#include "ui/frame/layout.h"
#include "ui/kit/list.h"
#include "ui/kit/lock.h"
#include "ui/kit/marks.h"
#include "ui/kit/widgets.h"
#include "ui/lines/lines_memory.h"
#include "views/lines/targets.h"

namespace attn {
namespace {

constexpr float kStripHeading = 22;
constexpr float kHeads = 18;      // the line of the heads' numbers
constexpr float kNarrowest = 46;  // of a head's column: a weight and a check mark
constexpr float kWidest = 64;
constexpr float kDistance = 6;

// On a small screen a lesson's text needs the room: the strip keeps one line and scrolls the rest.
bool is_tight(const Display& display) {
    return display.is_small() && has_lesson(display);
}

int most_lines(const Display& display) {
    return is_tight(display) ? 1 : display.is_small() ? 2 : 4;
}

float heading_height(const Display& display) {
    return is_tight(display) ? 0 : std::max(kStripHeading, text_link_height(display, small(display)));
}

std::vector<TargetPair> pairs_of(const PlaygroundState& state) {
    return target_pairs(state.inputs.targets, state.view.sentence, painted_heads(state));
}

struct ScoreColumns {
    HeadRange heads;
    int num_left_out = 0;
    float label = 0;  // width of "query → key"
    float pitch = 0;  // from one head to the next
};

ScoreColumns columns_for(const Display& display, const ShownWeights& weights, const std::vector<TargetPair>& pairs,
                         float width) {
    constexpr std::size_t kMeasured = 64;  // of many pairs
    ScoreColumns columns{.heads = heads_looked_at(weights, display.state.view.head)};
    for (const TargetPair& pair : std::span(pairs).first(std::min(pairs.size(), kMeasured))) {
        columns.label = std::max(columns.label, text_size(body(display), target_text(display.evaluation, pair)).x + 20);
    }
    columns.label = std::clamp(columns.label, 90.0F, std::max(90.0F, width * 0.36F));
    const float room = width - columns.label;
    const int fitting = std::max(1, static_cast<int>(room / kNarrowest));
    columns.num_left_out = std::max(0, columns.heads.count() - fitting);
    columns.heads.end -= columns.num_left_out;
    columns.pitch = std::clamp(room / static_cast<float>(columns.heads.count()), kNarrowest, kWidest);
    return columns;
}

// "Targets ○- -○ · weight in each head, ✓ largest of its row", and the way to take all away.
void put_strip_heading(UiFrame& frame, const ScoreColumns& columns, float width) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const TextStyle style = small(frame);
    TextStyle link = style;
    link.color = frame.palette.link;
    const float height = heading_height(frame);
    const float middle = corner.y + height / 2;
    const char* clear = "clear targets";
    const float clear_width = text_size(link, clear).x;
    const TextStyle title = {frame.fonts.sans_bold, style.size, style.color};
    draw_text({corner.x, middle - style.size / 2}, title, "Targets");
    const float x = corner.x + text_size(title, "Targets").x + 14;
    draw_target_line(frame, {x, middle}, {x + 44, middle}, 4, frame.palette.ink);
    const float left = x + 44 + 14;
    const float room = corner.x + width - clear_width - 16 - left;
    std::string left_out;
    if (columns.num_left_out > 0) left_out = concat(counted(columns.num_left_out, "more head"), " left out · ");
    std::string words = concat(left_out, "weight in each head, ✓ where it is the largest of its row");
    if (text_size(style, words).x > room) words = concat(left_out, "✓ largest of its row");
    const std::string shown = shortened(style, words, room);
    draw_text({left, middle - style.size / 2}, style, shown);
    const float top = corner.y + (height - text_link_height(frame, link)) / 2;
    ImGui::SetCursorScreenPos({corner.x + width - clear_width, top});
    {
        const LockScope lock(frame, "target", frame.palette.paper);
        const HeadRange heads = painted_heads(frame.state);
        if (text_link(frame, "target=clear", link, clear))
            erase_targets(frame.next.inputs, frame.state.view.sentence, heads.first, heads.end);
    }
    ImGui::SetCursorScreenPos({corner.x, corner.y + height});
}

// Over the columns: which head each is of.
void put_heads(Display& display, const ShownWeights& weights, const ScoreColumns& columns) {
    constexpr float kSquare = 8;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const TextStyle style = small(display);
    for (int h = columns.heads.first; h < columns.heads.end; ++h) {
        const float x = corner.x + columns.label + static_cast<float>(h - columns.heads.first) * columns.pitch;
        const float middle = corner.y + kHeads / 2;
        fill_box({x, middle - kSquare / 2}, {x + kSquare, middle + kSquare / 2}, lines_color(display, weights, h), 2);
        const std::string name = weights.is_combined()
                                     ? combined_title(display.state.view.combine, display.evaluation.sizes.num_heads)
                                     : concat(h + 1);
        draw_text({x + kSquare + 4, middle - style.size / 2}, style, name);
    }
    ImGui::SetCursorScreenPos({corner.x, corner.y + kHeads});
}

void put_score(const Display& display, const TargetScore& score, bool is_asked, ImVec2 min, ImVec2 max) {
    TextStyle style = score.is_largest && is_asked ? bold(display) : body(display);
    if (!is_asked) style.color = display.palette.soft_ink;
    const std::string number = cell_number(static_cast<double>(score.weight));
    const float width = text_size(style, number).x;
    if (shows_part(display, "values")) draw_text_in(min, max, {0, 0.5F}, style, number);
    if (score.is_largest && is_asked) draw_check_mark({min.x + width + 9, (min.y + max.y) / 2}, 8, display.palette.ink);
}

// The scores of one pair; a hidden key is hidden in every head.
void put_scores(const Display& display, const ShownWeights& weights, const ScoreColumns& columns,
                const TargetPair& pair, const ItemState& state) {
    for (int h = columns.heads.first; h < columns.heads.end; ++h) {
        const float x = state.min.x + columns.label + static_cast<float>(h - columns.heads.first) * columns.pitch;
        const Vector row = weights.row(h, pair.query);
        const TargetScore score = score_target(row, pair);
        if (score.is_hidden) {
            const char* words =
                pair.key > pair.query ? "masked: the key is in the future" : "masked: the key is hidden";
            const std::string shown = shortened(small(display), words, state.max.x - x);
            draw_text_in({x, state.min.y}, state.max, {0, 0.5F}, small(display), shown);
            return;
        }
        const bool is_asked = weights.is_combined() ||
                              find_target(display.state.inputs.targets, target_cell(display.state, h, pair)) != nullptr;
        put_score(display, score, is_asked, {x, state.min.y}, {x + columns.pitch, state.max.y});
    }
}

// "target brush → artist: head 1 0.0412, head 2 0.3301, the largest" for the ear.
std::string words_of_pair(const Display& display, const ShownWeights& weights, const ScoreColumns& columns,
                          const TargetPair& pair) {
    std::string words = concat("target ", target_text(display.evaluation, pair));
    for (int h = columns.heads.first; h < columns.heads.end && shows_part(display, "values"); ++h) {
        const TargetScore score = score_target(weights.row(h, pair.query), pair);
        if (score.is_hidden) return concat(words, ": masked");
        words +=
            concat(h == columns.heads.first ? ": " : ", ", weights.is_combined() ? "" : concat("head ", h + 1, " "),
                   cell_number(static_cast<double>(score.weight)), score.is_largest ? ", the largest" : "");
    }
    return words;
}

void put_pair(UiFrame& frame, const ShownWeights& weights, const ScoreColumns& columns, const TargetPair& pair,
              float width) {
    const View& view = frame.state.view;
    const ItemState state = item(frame, concat("target=", pair.query, ">", pair.key), {width, list_line_height(frame)});
    if (state.is_hovered) fill_box(state.min, state.max, frame.palette.chip, 4);
    const std::string text = target_text(frame.evaluation, pair);
    if (state.is_focused) call_item(frame, state, words_of_pair(frame, weights, columns, pair));
    const TextStyle style = body(frame);
    draw_text_in({state.min.x + 4, state.min.y}, state.max, {0, 0.5F}, style,
                 shortened(style, text, columns.label - 12));
    put_scores(frame, weights, columns, pair, state);
    if (!state.is_pressed) return;
    const bool has_keys = stage_info(view.stage).columns == Axis::key_token;
    const int head = view.cell ? view.cell->head : view.head.value_or(0);
    frame.next.view.cell = Cell{.head = head, .row = pair.query, .column = has_keys ? pair.key : 0};
}

// Not inlined: without targets, as at first, it is not needed, and it comes with a later part of the page.
[[gnu::noinline]] void put_pairs(UiFrame& frame) {
    const std::vector<TargetPair> pairs = pairs_of(frame.state);
    const ShownWeights& weights = shown_weights(frame);
    const int count = static_cast<int>(pairs.size());
    const bool scrolls = count > most_lines(frame);
    const float width = ImGui::GetContentRegionAvail().x;
    const float line = width - (scrolls ? ImGui::GetStyle().ScrollbarSize + 4 : 0);
    const ScoreColumns columns = columns_for(frame, weights, pairs, line);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    if (!is_tight(frame)) put_strip_heading(frame, columns, width);
    put_heads(frame, weights, columns);
    begin_list(frame, "targets", count, most_lines(frame));
    ImGuiListClipper clipper;
    clipper.Begin(count, list_line_height(frame));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            put_pair(frame, weights, columns, pairs[static_cast<std::size_t>(i)], line);
        }
    }
    end_list(frame);
    ImGui::PopStyleVar();
}

// Whether the strip has room. Not in a low window where a lesson's text or the training bar takes it, nor under the
// maps of a small one, whose titles say the same.
bool has_room(const Display& display) {
    const bool is_small = display.is_small() || display.is_folded;
    // Maps print the weights of the targets, in their dashed cells: they come before a strip that says them again.
    const float lowest = display.state.view.view == ViewKind::lines ? 640 : 900;
    const bool is_low = display.layout != LayoutKind::phone && ImGui::GetIO().DisplaySize.y < lowest;
    const bool is_full =  // the first target that is painted sets the goal
        display.state.inputs.goal == GoalKind::pattern || has_lesson(display) || is_painting_cells(display);
    return !is_full || !(is_low || (is_small && display.state.view.view != ViewKind::lines));
}

int num_pairs(const Display& display) {
    if (display.state.inputs.targets.empty() || !has_room(display)) return 0;
    return static_cast<int>(pairs_of(display.state).size());
}

// How many lines are kept free: while targets are painted all of them, so that no cell moves under the pointer.
int num_lines(const Display& display) {
    if (is_painting_cells(display) && has_room(display)) return most_lines(display);
    return std::min(num_pairs(display), most_lines(display));
}

}  // namespace

float target_strip_height(const Display& display) {
    const int lines = num_lines(display);
    if (lines == 0 || are_weights_blank(display)) return 0;
    return kDistance + heading_height(display) + kHeads + static_cast<float>(lines) * list_line_height(display);
}

void put_target_strip(UiFrame& frame) {
    if (num_pairs(frame) == 0 || are_weights_blank(frame) || !frame.evaluator.is_complete()) return;
    put_pairs(frame);
}

}  // namespace attn

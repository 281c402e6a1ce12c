// Cuts the stage to what a person would read, and writes it with what is pinned.
#include "views/words/mirror_stage.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/check/check_course.h"
#include "playground/link/blanks.h"
#include "playground/numbers/explanation_lines.h"
#include "playground/numbers/heads_together.h"
#include "playground/numbers/nudge_lines.h"
#include "playground/numbers/shown_rows.h"
#include "playground/numbers/stage_labels.h"
#include "playground/numbers/step_lines.h"
#include "playground/numbers/strongest.h"
#include "playground/text/format.h"
#include "playground/text/text_table.h"
#include "scene/kit/figure_text.h"

namespace attn {
namespace {

// Rows or columns [first, first + count) of `total`.
struct Piece {
    int first = 0;
    int count = 0;
    int total = 0;
};

// All of them, or kMirrorCells with `center` as near the middle as the ends allow.
Piece piece_around(int total, int center) {
    const int count = std::min(total, kMirrorCells);
    return {.first = std::clamp(center - count / 2, 0, total - count), .count = count, .total = total};
}

// A number as the picture prints it; minus infinity marks a hidden key.
void write_number(JsonWriter& json, float value) {
    std::isinf(value) ? json.null() : json.text(shown_number(static_cast<double>(value)));
}

// Stands for a number that the visitor has to find.
constexpr std::string_view kBlank = "?";

// What a blank cell has: "?", "0.3910, right", "0.20, not right", "0.3910, told".
std::string blank_text(const Answers* answers, const Question& question, float value) {
    const Answer* answer = answers == nullptr ? nullptr : answer_to(*answers, question);
    if (answer == nullptr) return std::string(kBlank);
    const std::string number = shown_number(static_cast<double>(value));
    if (answer->is_shown) return concat(number, ", told");
    if (answer->verdict == Verdict::right) return concat(number, ", right");
    return answer->verdict == Verdict::wrong ? concat(answer->typed, ", not right") : std::string(kBlank);
}

// `label`: what each of its rows or columns stands for.
template <class Label>
void write_piece(JsonWriter& json, std::string_view key, const Piece& piece, const Label& label) {
    json.key(key);
    json.begin_object();
    json.key("first");
    json.integer(piece.first);
    std::vector<std::string> labels;
    for (int i = piece.first; i < piece.first + piece.count; ++i) labels.push_back(label(i));
    write_texts(json, "labels", labels);
    json.key("total");
    json.integer(piece.total);
    json.end_object();
}

// Which part of the chosen stage is shown.
struct ShownPiece {
    Piece rows, columns;
    int num_heads = 1;                 // there are
    int first_head = 0, end_head = 1;  // are shown
};

ShownPiece shown_piece(const Evaluation& evaluation, const View& view) {
    const StageInfo& info = stage_info(view.stage);
    const Extent extent = extent_of(evaluation.sizes, view.stage);
    ShownPiece piece = {.rows = piece_around(extent.rows, view.cell ? view.cell->row : 0),
                        .columns = piece_around(extent.columns, view.cell ? view.cell->column : 0),
                        .num_heads = info.has_heads ? evaluation.sizes.num_heads : 1};
    const bool is_enlarged = info.has_heads && view.head.has_value();
    piece.first_head = is_enlarged ? *view.head : 0;
    piece.end_head = is_enlarged ? piece.first_head + 1 : std::min(piece.num_heads, kMirrorHeads);
    return piece;
}

void write_values(JsonWriter& json, const Evaluation& evaluation, TensorId stage, int head, const ShownPiece& piece,
                  const Blanks& blanks, const Answers* answers) {
    const Piece& rows = piece.rows;
    const Piece& columns = piece.columns;
    json.begin_array();
    for (int i = rows.first; i < rows.first + rows.count; ++i) {
        json.begin_row();
        const Vector row = shown_row(evaluation, stage, head, i);
        for (int c = columns.first; c < columns.first + columns.count; ++c) {
            const bool is_secret = !std::isinf(row(c)) && blanks.has(stage, head, i, c);
            if (is_secret)
                json.text(blank_text(answers, {.stage = stage, .head = head, .row = i, .column = c}, row(c)));
            else
                write_number(json, row(c));
        }
        json.end_row();
    }
    json.end_array();
}

void write_pinned(JsonWriter& json, const Evaluation& evaluation, const PlaygroundState& state, const Cell& cell) {
    const TensorId stage = state.view.stage;
    const Combine combine = state.view.combine;
    const bool is_of_all = shows_combined(evaluation, state.view);
    const Explanation explanation = is_of_all ? explain_combined(evaluation, stage, combine, cell.row, cell.column)
                                              : explain(evaluation, stage, cell.head, cell.row, cell.column);
    std::vector<std::string> lines =
        is_of_all ? combined_lines(explanation, combine) : explanation_lines(evaluation, explanation);
    constexpr double kMostOfNudge = 1e7;  // multiply-adds: some ten milliseconds
    for (std::string& line : nudge_lines(evaluation, explanation.cell, kMostOfNudge)) lines.push_back(std::move(line));
    for (std::string& line : step_lines(evaluation, explanation.cell)) lines.push_back(std::move(line));
    const Blanks blanks(state);
    bool is_cell_blank = blanks.has(stage, cell.head, cell.row, cell.column);
    for (int h = 0; is_of_all && h < evaluation.sizes.num_heads; ++h) {
        is_cell_blank = is_cell_blank || blanks.has(stage, h, cell.row, cell.column);
    }
    json.begin_object();
    json.key("head");
    is_of_all ? json.null() : json.integer(cell.head + 1);
    json.key("row");
    json.integer(cell.row);
    json.key("column");
    json.integer(cell.column);
    json.key("value");
    if (explanation.is_hidden) {
        json.null();
    } else if (is_cell_blank) {
        json.text(kBlank);
    } else {
        write_number(json, explanation.shown);
    }
    // The lines are whole sentences, so a blank number in them removes them all.
    const bool is_secret = !explanation.is_hidden && (tells_of_blank(state, stage) || !blanks.empty());
    if (is_secret) lines = {std::string(blank_in_words(is_cell_blank))};
    write_texts(json, "lines", lines);
    json.end_object();
}

// As the inspector offers them, for a text of any length.
void write_strongest(JsonWriter& json, const Evaluation& evaluation, const PlaygroundState& state) {
    const View& view = state.view;
    json.key("strongest");
    if (!has_row_stats(view.stage) || shows_combined(evaluation, view) || is_blank(state, view.stage))
        return json.null();
    const int head = view.cell ? view.cell->head : view.head.value_or(0);
    json.begin_object();
    json.key("head");
    json.integer(head + 1);
    json.key("cells");
    json.begin_array();
    for (const StrongCell& strong : strongest_cells(evaluation, view.stage, head, Blanks(state))) {
        const Cell& cell = strong.cell;
        json.begin_object();
        json.member("title", from_to(token_text(evaluation, cell.row), token_text(evaluation, cell.column)));
        json.key("row");
        json.integer(cell.row);
        json.key("column");
        json.integer(cell.column);
        json.key("value");
        write_number(json, strong.value);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

}  // namespace

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
    json.key(key);
    json.begin_row();
    for (const std::string& text : texts) json.text(text);
    json.end_row();
}

void write_shown(JsonWriter& json, const Evaluation& evaluation, const PlaygroundState& state, const Answers* answers) {
    const View& view = state.view;
    const StageInfo& info = stage_info(view.stage);
    const ShownPiece piece = shown_piece(evaluation, view);
    const bool is_square = info.columns == Axis::key_token;
    json.begin_object();
    json.member("name", info.name);
    json.member("row_kind", is_square ? "query" : info.rows == Axis::token ? "token" : "row");
    const bool is_of_sink = info.columns == Axis::sink;
    json.member("column_kind", is_square                    ? "key"
                               : is_of_sink                 ? "sink"
                               : info.columns == Axis::word ? "word"
                                                            : "channel");
    write_piece(json, "rows", piece.rows, [&](int i) { return row_text(evaluation, info.id, i); });
    write_piece(json, "columns", piece.columns, [&](int c) { return column_text(evaluation, info.id, c); });

    const int num_at_once = std::max(1, kMirrorNumbers / std::max(1, piece.rows.count * piece.columns.count));
    const Blanks blanks(state);
    json.key("num_heads");
    json.integer(piece.num_heads);
    json.key("heads");
    json.begin_array();
    for (int h = piece.first_head; h < piece.end_head; ++h) {
        json.begin_object();
        json.key("head");
        json.integer(h + 1);
        json.key("values");
        const bool comes_later = h - piece.first_head >= num_at_once;
        comes_later ? json.null() : write_values(json, evaluation, view.stage, h, piece, blanks, answers);
        json.end_object();
    }
    json.end_array();
    json.key("pinned");
    view.cell ? write_pinned(json, evaluation, state, *view.cell) : json.null();
    write_strongest(json, evaluation, state);
    json.end_object();
}

void write_head(JsonWriter& json, const Evaluation& evaluation, const PlaygroundState& state, int head) {
    const ShownPiece piece = shown_piece(evaluation, state.view);
    const int shown = std::clamp(head - 1, piece.first_head, piece.end_head - 1);
    write_values(json, evaluation, state.view.stage, shown, piece, Blanks(state), nullptr);
}

}  // namespace attn

#include "playground/mirror.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/check.h"
#include "playground/evaluation.h"
#include "playground/explanation_lines.h"
#include "playground/format.h"
#include "playground/json_writer.h"

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

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
    json.key(key);
    json.begin_row();
    for (const std::string& text : texts) json.text(text);
    json.end_row();
}

// A number as the picture prints it; minus infinity marks a hidden key.
void write_number(JsonWriter& json, float value) {
    std::isinf(value) ? json.null() : json.text(shown_number(static_cast<double>(value)));
}

void write_stage(JsonWriter& json, const Evaluation& evaluation, TensorId stage) {
    const StageInfo& info = stage_info(stage);
    json.begin_object();
    json.member("name", info.name);
    json.member("title", info.title);
    json.member("letters", info.letters);
    json.key("shape");
    json.begin_row();
    for (const int size : stage_shape(evaluation, stage)) json.integer(size);
    json.end_row();
    json.member("formula", info.formula);
    json.member("meaning", info.meaning);
    json.key("has_heads");
    json.boolean(info.has_heads);
    json.end_object();
}

void write_piece(JsonWriter& json, std::string_view key, const Piece& piece, const Evaluation& evaluation, Axis axis) {
    json.key(key);
    json.begin_object();
    json.key("first");
    json.integer(piece.first);
    std::vector<std::string> labels;
    for (int i = piece.first; i < piece.first + piece.count; ++i) {
        const bool is_channel = axis == Axis::channel;
        labels.push_back(is_channel ? concat(i) : evaluation.tokens.tokens[static_cast<std::size_t>(i)].text);
    }
    write_texts(json, "labels", labels);
    json.key("total");
    json.integer(piece.total);
    json.end_object();
}

void write_head(JsonWriter& json, const Matrix& matrix, int head, const Piece& rows, const Piece& columns) {
    json.begin_object();
    json.key("head");
    json.integer(head + 1);
    json.key("values");
    json.begin_array();
    for (int i = rows.first; i < rows.first + rows.count; ++i) {
        json.begin_row();
        for (int c = columns.first; c < columns.first + columns.count; ++c) write_number(json, matrix(i, c));
        json.end_row();
    }
    json.end_array();
    json.end_object();
}

void write_pinned(JsonWriter& json, const Evaluation& evaluation, TensorId stage, const Cell& cell) {
    const Explanation explanation =
        explain(*evaluation.problem, evaluation.trace, evaluation.parts, stage, cell.head, cell.row, cell.column);
    json.begin_object();
    json.key("head");
    json.integer(cell.head + 1);
    json.key("row");
    json.integer(cell.row);
    json.key("column");
    json.integer(cell.column);
    json.key("value");
    explanation.is_hidden ? json.null() : write_number(json, explanation.shown);
    write_texts(json, "lines", explanation_lines(evaluation, explanation));
    json.end_object();
}

void write_shown(JsonWriter& json, const Evaluation& evaluation, const View& view) {
    const StageInfo& info = stage_info(view.stage);
    const Extent extent = stage_extent(evaluation.sizes, view.stage);
    const Piece rows = piece_around(extent.rows, view.cell ? view.cell->row : 0);
    const Piece columns = piece_around(extent.columns, view.cell ? view.cell->column : 0);
    const bool is_square = info.columns == Axis::key_token;
    json.begin_object();
    json.member("name", info.name);
    json.member("row_kind", is_square ? "query" : "token");
    json.member("column_kind", is_square ? "key" : "channel");
    write_piece(json, "rows", rows, evaluation, Axis::token);
    write_piece(json, "columns", columns, evaluation, info.columns);

    const int num_heads = info.has_heads ? evaluation.sizes.num_heads : 1;
    const bool is_enlarged = info.has_heads && view.head.has_value();
    const int first_head = is_enlarged ? *view.head : 0;
    const int end_head = is_enlarged ? first_head + 1 : std::min(num_heads, kMirrorHeads);
    json.key("num_heads");
    json.integer(num_heads);
    json.key("heads");
    json.begin_array();
    for (int h = first_head; h < end_head; ++h) {
        write_head(json, shown_matrix(evaluation, view.stage, h), h, rows, columns);
    }
    json.end_array();
    json.key("pinned");
    view.cell ? write_pinned(json, evaluation, view.stage, *view.cell) : json.null();
    json.end_object();
}

}  // namespace

std::string mirror_as_json(const ReadLink& link) {
    const PlaygroundState& state = link.state;
    const Evaluation evaluation = evaluate(state.inputs, state.view.sentence);
    std::vector<std::string> notes = link.notes;
    notes.insert(notes.end(), evaluation.notes.begin(), evaluation.notes.end());
    std::vector<std::string> tokens;
    for (const Token& token : evaluation.tokens.tokens) tokens.push_back(token.text);

    std::ostringstream text;
    JsonWriter json(text);
    json.begin_object();
    json.member("link", write_link(state));
    write_texts(json, "notes", notes);
    json.key("sentence");
    json.begin_object();
    json.key("number");
    json.integer(state.view.sentence + 1);
    json.key("count");
    json.integer(static_cast<std::int64_t>(state.inputs.texts.size()));
    json.member("text", evaluation.tokens.sentence);
    json.end_object();
    write_texts(json, "tokens", tokens);
    json.key("stages");
    json.begin_array();
    if (!evaluation.is_empty()) {
        for (const TensorId stage : present_stages(state.inputs)) write_stage(json, evaluation, stage);
    }
    json.end_array();
    json.key("shown");
    evaluation.is_empty() ? json.null() : write_shown(json, evaluation, state.view);
    json.end_object();
    return text.str();
}

}  // namespace attn

// One explanation as JSON, CSV or text; declared in trace_export.h.
#include <algorithm>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "core/words/tokens.h"
#include "playground/numbers/nudge_lines.h"
#include "playground/numbers/step_lines.h"
#include "playground/print/model_explanation.h"
#include "playground/print/trace_export.h"
#include "playground/text/format.h"
#include "playground/text/json_writer.h"

namespace attn {
namespace {

constexpr double kMostOfNudge = 1e9;  // multiply-adds, in plain loops: a second or two

std::string_view typed_token(const Evaluation& evaluation, int i) {
    return evaluation.tokens.tokens[static_cast<std::size_t>(i)].text;
}

// Not all tensors that a factor comes from are stages.
bool has_heads(TensorId tensor) {
    if (tensor == TensorId::keep_mask) return true;
    const std::optional<TensorId> stage = stage_of_name(tensor_name(tensor));
    return stage && stage_info(*stage).has_heads;
}

// "queries head 1 [9,0]"; empty for a constant.
std::string source_text(const Factor& factor) {
    if (!factor.has_source) return "";
    const CellRef& cell = factor.source;
    const std::string head = has_heads(cell.tensor) ? concat(" head ", cell.head + 1) : "";
    return concat(tensor_name(cell.tensor), head, " [", cell.row, ",", cell.column, "]");
}

void write_source(JsonWriter& json, std::string_view key, const Factor& factor) {
    json.key(key);
    if (!factor.has_source) return json.null();
    json.begin_object();
    json.member("tensor", tensor_name(factor.source.tensor));
    json.key("head");
    has_heads(factor.source.tensor) ? json.integer(factor.source.head + 1) : json.null();
    json.key("row");
    json.integer(factor.source.row);
    json.key("column");
    json.integer(factor.source.column);
    json.end_object();
}

void write_number(JsonWriter& json, std::string_view key, double value, bool exists = true) {
    json.key(key);
    exists ? json.number(value) : json.null();
}

void write_terms(JsonWriter& json, std::string_view key, const std::vector<Term>& terms) {
    json.key(key);
    json.begin_array();
    for (const Term& term : terms) {
        json.begin_object();
        json.member("label", term.label);
        write_number(json, "a", term.a.value);
        write_source(json, "a_source", term.a);
        write_number(json, "b", term.b.value);
        write_source(json, "b_source", term.b);
        write_number(json, "product", term.product());
        json.end_object();
    }
    json.end_array();
}

std::string as_json(const Evaluation& evaluation, const Explanation& explanation, const Notes& notes) {
    std::string text;
    JsonWriter json(text);
    const CellRef& cell = explanation.cell;
    const StageInfo& info = stage_info(cell.tensor);
    const bool is_visible = !explanation.is_hidden;
    json.begin_object();
    json.key("notes");
    json.begin_array();
    for (const std::string& note : notes) json.text(note);
    json.end_array();
    json.member("stage", info.name);
    json.key("head");
    info.has_heads ? json.integer(cell.head + 1) : json.null();
    json.key("row");
    json.integer(cell.row);
    json.key("column");
    json.integer(cell.column);
    json.key("row_token");
    info.rows == Axis::token ? json.text(typed_token(evaluation, cell.row)) : json.null();
    json.key("column_token");
    info.columns == Axis::key_token ? json.text(typed_token(evaluation, cell.column)) : json.null();
    json.key("shown");
    json.number(explanation.shown);
    json.flag("is_hidden", explanation.is_hidden);
    if (kOpensModels && !explanation.steps.empty()) {
        json.member("formula", explanation.formula);
        write_steps(json, explanation.steps, evaluation.sizes.heads_per_kv_head());
    }
    write_terms(json, "terms", explanation.terms);
    write_number(json, "sum", explanation.sum(), is_visible && explanation.steps.empty());
    write_number(json, "divisor", explanation.divisor, is_visible && explanation.steps.empty());
    write_terms(json, "divisor_terms", explanation.divisor_terms);
    if (!explanation.average_terms.empty()) write_terms(json, "average_terms", explanation.average_terms);
    write_number(json, "row_max", explanation.row_max, explanation.is_softmax);
    write_number(json, "score", explanation.score, explanation.is_softmax);
    json.key("lines");
    json.begin_array();
    for (const std::string& line : explanation_lines(evaluation, explanation)) json.text(line);
    for (const std::string& line : nudge_lines(evaluation, explanation.cell, kMostOfNudge)) json.text(line);
    for (const std::string& line : step_lines(evaluation, explanation.cell)) json.text(line);
    json.end_array();
    json.end_object();
    return text + "\n";
}

}  // namespace

std::string csv_field(std::string_view text) {
    constexpr std::string_view kSigns[] = {"=", "+", "-", "@", "＝", "＋", "－", "＠"};
    const std::string clean = clean_utf8(text).text;
    std::string field;
    bool begins_cell = true;
    for (std::string_view rest = clean; !rest.empty();) {
        if (begins_cell && std::ranges::any_of(kSigns, [&](std::string_view sign) { return rest.starts_with(sign); }))
            field += '\'';
        const auto [number, character] = take_code_point(rest);
        const bool parts_cells = std::string_view(",;\t\r\n").find(character) != std::string_view::npos;
        const bool is_blank = number == ' ' || number == 0x3000 || number == '"' || !is_seen(number);
        begins_cell = parts_cells || (begins_cell && is_blank);
        field += number == '"' ? std::string_view("\"\"") : character;
    }
    return clean.find_first_of("\",;\t\r\n") == std::string::npos ? field : concat('"', field, '"');
}

namespace {

void write_csv_terms(std::string& out, std::string_view part, const std::vector<Term>& terms) {
    for (const Term& term : terms) {
        out += concat(part, ',', csv_field(term.label), ',', exact_number(term.a.value), ',',
                      csv_field(source_text(term.a)), ',', exact_number(term.b.value), ',',
                      csv_field(source_text(term.b)), ',', exact_number(term.product()), '\n');
    }
}

std::string as_csv(const Evaluation& evaluation, const Explanation& explanation) {
    std::string out = "part,label,a,a_source,b,b_source,value\n";
    if (kOpensModels && !explanation.steps.empty()) {
        out += steps_as_csv(explanation.steps, evaluation.sizes.heads_per_kv_head());
        return out + concat("shown,,,,,,", exact_number(explanation.shown), '\n');
    }
    write_csv_terms(out, "term", explanation.terms);
    write_csv_terms(out, "divisor_term", explanation.divisor_terms);
    if (!explanation.is_hidden) out += concat("divisor,,,,,,", exact_number(explanation.divisor), '\n');
    out += concat("shown,,,,,,", exact_number(explanation.shown), '\n');
    return out;
}

std::string as_text(const Evaluation& evaluation, const Explanation& explanation, const Notes& notes) {
    std::string text;
    for (const std::string& note : notes) text += concat("note: ", note, "\n");
    text += concat(cell_title(evaluation, explanation.cell), "\n");
    for (const std::string& line : explanation_lines(evaluation, explanation)) text += concat(line, "\n");
    for (const std::string& line : nudge_lines(evaluation, explanation.cell, kMostOfNudge)) text += concat(line, "\n");
    for (const std::string& line : step_lines(evaluation, explanation.cell)) text += concat(line, "\n");
    return text;
}

}  // namespace

std::string export_explanation(const Evaluation& evaluation, const Explanation& explanation, const Notes& notes,
                               ExportFormat format) {
    Notes all_notes = notes;
    append_notes(all_notes, evaluation.notes);
    switch (format) {
        case ExportFormat::json:
            return as_json(evaluation, explanation, all_notes);
        case ExportFormat::csv:
            return as_csv(evaluation, explanation);
        case ExportFormat::text:
            return as_text(evaluation, explanation, all_notes);
    }
    fail_check(__FILE__, __LINE__, "no such format");
}

}  // namespace attn

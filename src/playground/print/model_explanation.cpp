// The same steps three times: for people, for programs, for spreadsheets.
#include "playground/print/model_explanation.h"

#include <optional>
#include <span>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/numbers/explanation_lines.h"
#include "playground/text/format.h"
#include "playground/text/json_writer.h"

namespace attn {
namespace {

bool is_between_tokens(const CellRef& cell) {
    return stage_info(cell.tensor).columns == Axis::key_token;
}

// A head as people count it: of keys and values the head of keys.
int counted_head(const CellRef& cell, int heads_per_kv_head) {
    return (has_kv_heads(cell.tensor) ? cell.head / heads_per_kv_head : cell.head) + 1;
}

bool has_head(const CellRef& cell) {
    return is_stage(cell.tensor) && stage_info(cell.tensor).has_heads;
}

// Where a factor stands: in a stage, in a tensor of the files, or in one that was changed by hand.
std::string name_of_source(const Factor& factor) {
    return factor.named ? factor.named->name : std::string(tensor_name(factor.source.tensor));
}
std::vector<std::int64_t> place_of_source(const Factor& factor) {
    return factor.named ? factor.named->place : std::vector<std::int64_t>{factor.source.row, factor.source.column};
}

// "h.1.mlp.c_fc.weight [3,17]", "weights of layer 2, head 1 [3,2]", "mean".
std::string source_text(const Factor& factor, int heads_per_kv_head) {
    if (!factor.named && !factor.has_source) return "";
    std::string text = name_of_source(factor);
    const CellRef& cell = factor.source;
    if (factor.has_source && is_of_layer(cell.tensor)) text += concat(" of layer ", cell.layer + 1);
    if (factor.has_source && has_head(cell)) text += concat(", head ", counted_head(cell, heads_per_kv_head));
    const std::vector<std::int64_t> place = place_of_source(factor);
    for (std::size_t k = 0; k < place.size(); ++k) text += concat(k == 0 ? " [" : ",", place[k]);
    return place.empty() ? text : text + "]";
}

void write_counted(JsonWriter& json, std::string_view key, bool is_there, int number) {
    json.key(key);
    is_there ? json.integer(number) : json.null();
}

void write_source(JsonWriter& json, std::string_view key, const Factor& factor, int heads_per_kv_head) {
    json.key(key);
    if (!factor.named && !factor.has_source) return json.null();
    const CellRef& cell = factor.source;
    json.begin_object();
    json.member("name", name_of_source(factor));
    write_counted(json, "layer", factor.has_source && is_of_layer(cell.tensor), cell.layer + 1);
    write_counted(json, "head", factor.has_source && has_head(cell), counted_head(cell, heads_per_kv_head));
    json.key("place");
    json.begin_row();
    for (const std::int64_t index : place_of_source(factor)) json.integer(index);
    json.end_row();
    json.end_object();
}

void write_double(JsonWriter& json, std::string_view key, double value) {
    json.key(key);
    json.number(value);
}

constexpr std::string_view kStepColumns = "label,a,a_source,b,b_source,value\n";

}  // namespace

void write_steps(JsonWriter& json, std::span<const ExplainedStep> steps, int heads_per_kv_head) {
    json.key("steps");
    json.begin_array();
    for (const ExplainedStep& step : steps) {
        json.begin_object();
        json.member("name", step.name);
        json.key("terms");
        json.begin_array();
        for (const Term& term : step.terms) {
            json.begin_object();
            json.member("label", term.label);
            write_double(json, "a", term.a.value);
            write_source(json, "a_source", term.a, heads_per_kv_head);
            write_double(json, "b", term.b.value);
            write_source(json, "b_source", term.b, heads_per_kv_head);
            write_double(json, "product", term.product());
            json.end_object();
        }
        json.end_array();
        write_double(json, "divisor", step.divisor);
        json.member("rule", step.rule);
        write_double(json, "value", step.value);
        json.end_object();
    }
    json.end_array();
}

std::string steps_as_csv(std::span<const ExplainedStep> steps, int heads_per_kv_head) {
    std::string out;
    for (const ExplainedStep& step : steps) {
        const std::string name = csv_field(step.name);
        for (const Term& term : step.terms) {
            out += concat(name, ',', csv_field(term.label), ',', exact_number(term.a.value), ',',
                          csv_field(source_text(term.a, heads_per_kv_head)), ',', exact_number(term.b.value), ',',
                          csv_field(source_text(term.b, heads_per_kv_head)), ',', exact_number(term.product()), '\n');
        }
        if (step.divisor != 1) out += concat(name, ",divisor,,,,,", exact_number(step.divisor), '\n');
        const std::string label = step.rule.empty() ? "value" : csv_field(step.rule);
        out += concat(name, ',', label, ",,,,,", exact_number(step.value), '\n');
    }
    return out;
}

namespace {

std::string as_json(const Explanation& explanation, const ModelNames& names, const Notes& notes) {
    std::string text;
    JsonWriter json(text);
    const CellRef& cell = explanation.cell;
    json.begin_object();
    json.key("notes");
    json.begin_array();
    for (const std::string& note : notes) json.text(note);
    json.end_array();
    json.member("stage", tensor_name(cell.tensor));
    write_counted(json, "layer", is_of_layer(cell.tensor), cell.layer + 1);
    write_counted(json, "head", has_head(cell), counted_head(cell, names.heads_per_kv_head));
    json.key("row");
    json.integer(cell.row);
    json.key("column");
    json.integer(cell.column);
    json.member("row_token", names.tokens[static_cast<std::size_t>(cell.row)]);
    json.key("column_token");
    if (is_between_tokens(cell)) {
        json.text(names.tokens[static_cast<std::size_t>(cell.column)]);
    } else {
        names.word.empty() ? json.null() : json.text(names.word);
    }
    json.key("shown");
    json.number(explanation.shown);
    json.flag("is_hidden", explanation.is_hidden);
    json.member("formula", explanation.formula);
    write_steps(json, explanation.steps, names.heads_per_kv_head);
    json.key("lines");
    json.begin_array();
    for (const std::string& line : lines_of_steps(explanation)) json.text(line);
    json.end_array();
    json.end_object();
    return text + "\n";
}

std::string as_csv(const Explanation& explanation, const ModelNames& names) {
    std::string out = concat("step,", kStepColumns, steps_as_csv(explanation.steps, names.heads_per_kv_head));
    return out + concat("shown,,,,,,", exact_number(explanation.shown), '\n');
}

std::string as_text(const Explanation& explanation, const ModelNames& names, const Notes& notes) {
    std::string text;
    for (const std::string& note : notes) text += concat("note: ", note, "\n");
    text += concat(cell_title(explanation.cell, names), "\n");
    for (const std::string& line : lines_of_steps(explanation)) text += concat(line, "\n");
    return text;
}

}  // namespace

std::string cell_title(const CellRef& cell, const ModelNames& names) {
    const auto token = [&](int i) { return concat(i, " ", quoted(names.tokens[static_cast<std::size_t>(i)])); };
    std::string title(tensor_name(cell.tensor));
    if (is_of_layer(cell.tensor)) title += concat(" of layer ", cell.layer + 1);
    if (has_head(cell)) title += concat(", head ", counted_head(cell, names.heads_per_kv_head));
    if (is_between_tokens(cell)) return concat(title, ", query ", token(cell.row), ", key ", token(cell.column));
    title += concat(", token ", token(cell.row));
    return names.word.empty() ? concat(title, ", channel ", cell.column)
                              : concat(title, ", word ", cell.column, " ", quoted(names.word));
}

std::string export_explanation(const Explanation& explanation, const ModelNames& names, const Notes& notes,
                               ExportFormat format) {
    switch (format) {
        case ExportFormat::json:
            return as_json(explanation, names, notes);
        case ExportFormat::csv:
            return as_csv(explanation, names);
        case ExportFormat::text:
            return as_text(explanation, names, notes);
    }
    fail_check(__FILE__, __LINE__, "no such format");
}

}  // namespace attn

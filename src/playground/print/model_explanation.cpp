// The same steps three times: for people, for programs, for spreadsheets.
#include "playground/print/model_explanation.h"

#include <optional>
#include <span>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/text/format.h"
#include "playground/text/json_writer.h"

namespace attn {
namespace {

std::string product_text(const ModelTerm& term) {
    const bool is_alone = !term.b.source && term.b.value == 1;
    return is_alone ? shown_number(term.a.value)
                    : concat(shown_number(term.a.value), " × ", shown_number(term.b.value));
}

std::string steps_sum(const ModelStep& step) {
    const std::string sum = sum_of_texts(step.terms.size(), [&](std::size_t i) { return product_text(step.terms[i]); });
    if (step.divisor == 1) return sum;
    return concat(step.terms.size() > 1 ? concat("(", sum, ")") : sum, " / ", shown_number(step.divisor));
}

// "1 / √·" with what the terms make in the place of the point.
std::string in_rule(const std::string& rule, const std::string& sum) {
    constexpr std::string_view kPoint = "·";
    const std::size_t at = rule.find(kPoint);
    ATTN_CHECK(at != std::string::npos, "a rule without its point: ", rule);
    const bool is_sum = sum.find(' ') != std::string::npos;
    const bool has_brackets = at > 0 && rule[at - 1] == '(';
    const std::string what = is_sum && !has_brackets ? concat("(", sum, ")") : sum;
    return rule.substr(0, at) + what + rule.substr(at + kPoint.size());
}

std::string step_text(const ModelStep& step) {
    const std::string sum = steps_sum(step);
    return step.rule.empty() ? sum : in_rule(step.rule, sum);
}

bool is_between_tokens(const ModelCell& cell) {
    return cell.stage->attention && stage_info(*cell.stage->attention).columns == Axis::key_token;
}

// "h.1.mlp.c_fc.weight [3,17]", "weights of layer 2, head 1 [3,2]", "mean".
std::string source_text(const ModelFactor& factor) {
    if (!factor.source) return "";
    const NumberSource& source = *factor.source;
    std::string text = source.name;
    if (source.layer) text += concat(" of layer ", *source.layer + 1);
    if (source.head) text += concat(", head ", *source.head + 1);
    for (std::size_t k = 0; k < source.place.size(); ++k) text += concat(k == 0 ? " [" : ",", source.place[k]);
    return source.place.empty() ? text : text + "]";
}

void write_counted(JsonWriter& json, std::string_view key, std::optional<int> from_zero) {
    json.key(key);
    from_zero ? json.integer(*from_zero + 1) : json.null();
}

void write_source(JsonWriter& json, std::string_view key, const ModelFactor& factor) {
    json.key(key);
    if (!factor.source) return json.null();
    json.begin_object();
    json.member("name", factor.source->name);
    write_counted(json, "layer", factor.source->layer);
    write_counted(json, "head", factor.source->head);
    json.key("place");
    json.begin_row();
    for (const std::int64_t index : factor.source->place) json.integer(index);
    json.end_row();
    json.end_object();
}

void write_double(JsonWriter& json, std::string_view key, double value) {
    json.key(key);
    json.number(value);
}

void write_steps(JsonWriter& json, std::span<const ModelStep> steps) {
    json.key("steps");
    json.begin_array();
    for (const ModelStep& step : steps) {
        json.begin_object();
        json.member("name", step.name);
        json.key("terms");
        json.begin_array();
        for (const ModelTerm& term : step.terms) {
            json.begin_object();
            json.member("label", term.label);
            write_double(json, "a", term.a.value);
            write_source(json, "a_source", term.a);
            write_double(json, "b", term.b.value);
            write_source(json, "b_source", term.b);
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

std::string as_json(const ModelExplanation& explanation, const ModelNames& names, const Notes& notes) {
    std::string text;
    JsonWriter json(text);
    const ModelCell& cell = explanation.cell;
    const ModelStageInfo& stage = *cell.stage;
    json.begin_object();
    json.key("notes");
    json.begin_array();
    for (const std::string& note : notes) json.text(note);
    json.end_array();
    json.member("stage", stage.name);
    write_counted(json, "layer", stage.is_of_layer ? std::optional(cell.layer) : std::nullopt);
    write_counted(json, "head", stage.attention ? std::optional(cell.head) : std::nullopt);
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
    json.key("is_hidden");
    json.boolean(explanation.is_hidden);
    json.member("formula", explanation.formula);
    write_steps(json, explanation.steps);
    json.key("lines");
    json.begin_array();
    for (const std::string& line : explanation_lines(explanation)) json.text(line);
    json.end_array();
    json.end_object();
    return text + "\n";
}

std::string as_csv(const ModelExplanation& explanation) {
    std::string out = "step,label,a,a_source,b,b_source,value\n";
    for (const ModelStep& step : explanation.steps) {
        const std::string name = csv_field(step.name);
        for (const ModelTerm& term : step.terms) {
            out += concat(name, ',', csv_field(term.label), ',', exact_number(term.a.value), ',',
                          csv_field(source_text(term.a)), ',', exact_number(term.b.value), ',',
                          csv_field(source_text(term.b)), ',', exact_number(term.product()), '\n');
        }
        if (step.divisor != 1) out += concat(name, ",divisor,,,,,", exact_number(step.divisor), '\n');
        const std::string label = step.rule.empty() ? "value" : csv_field(step.rule);
        out += concat(name, ',', label, ",,,,,", exact_number(step.value), '\n');
    }
    out += concat("shown,,,,,,", exact_number(explanation.shown), '\n');
    return out;
}

std::string as_text(const ModelExplanation& explanation, const ModelNames& names, const Notes& notes) {
    std::string text;
    for (const std::string& note : notes) text += concat("note: ", note, "\n");
    text += concat(cell_title(explanation.cell, names), "\n");
    for (const std::string& line : explanation_lines(explanation)) text += concat(line, "\n");
    return text;
}

}  // namespace

std::string cell_title(const ModelCell& cell, const ModelNames& names) {
    const auto token = [&](int i) { return concat(i, " ", quoted(names.tokens[static_cast<std::size_t>(i)])); };
    std::string title(cell.stage->name);
    if (cell.stage->is_of_layer) title += concat(" of layer ", cell.layer + 1);
    if (cell.stage->attention) title += concat(", head ", cell.head + 1);
    if (is_between_tokens(cell)) return concat(title, ", query ", token(cell.row), ", key ", token(cell.column));
    title += concat(", token ", token(cell.row));
    return names.word.empty() ? concat(title, ", channel ", cell.column)
                              : concat(title, ", word ", cell.column, " ", quoted(names.word));
}

std::vector<std::string> explanation_lines(const ModelExplanation& explanation) {
    std::vector<std::string> lines = {concat(explanation.cell.stage->name, " = ", explanation.formula)};
    if (explanation.is_hidden) return lines;
    const ModelStep& last = explanation.steps.back();
    for (const ModelStep& step : explanation.steps) {
        if (&step == &last) break;
        const std::string text = step_text(step), value = shown_number(step.value);
        lines.push_back(text == value ? concat(step.name, " = ", value) : concat(step.name, " = ", text, " = ", value));
    }
    const std::string text = step_text(last), value = shown_number(static_cast<double>(explanation.shown));
    if (text != value) lines.push_back(concat("= ", text));
    lines.push_back(concat("= ", value));
    return lines;
}

std::string export_explanation(const ModelExplanation& explanation, const ModelNames& names, const Notes& notes,
                               ExportFormat format) {
    switch (format) {
        case ExportFormat::json:
            return as_json(explanation, names, notes);
        case ExportFormat::csv:
            return as_csv(explanation);
        case ExportFormat::text:
            return as_text(explanation, names, notes);
    }
    fail_check(__FILE__, __LINE__, "no such format");
}

}  // namespace attn

// See trace_export.h. One writer a format; each evaluates the sentences one by one and keeps none.
#include "playground/trace_export.h"

#include <algorithm>

#include "core/check.h"
#include "core/masking.h"
#include "playground/digest.h"
#include "playground/format.h"
#include "playground/json_writer.h"
#include "playground/state_url.h"

namespace attn {
namespace {

// What is written goes on in pieces of this size, so that a large trace need not fit into memory as a text.
constexpr std::size_t kPieceBytes = 1 << 16;

struct Output {
    const TextSink& sink;
    std::string text = {};

    void hand_on() {
        sink(text);
        text.clear();
    }
    void row_done() {
        if (text.size() >= kPieceBytes) hand_on();
    }
};

// The stages to write for one sentence: none for an empty one.
std::vector<TensorId> chosen_stages(const Inputs& inputs, const Evaluation& evaluation, std::optional<TensorId> stage) {
    if (evaluation.is_empty()) return {};
    if (!stage) return present_stages(inputs);
    ATTN_CHECK(is_present(inputs, *stage), "stage ", tensor_name(*stage), " is not present");
    return {*stage};
}

int num_matrices(const Evaluation& evaluation, TensorId stage) {
    return stage_info(stage).has_heads ? evaluation.sizes.num_heads : 1;
}

Matrix matrix_of(const Evaluation& evaluation, TensorId stage, int head) {
    return stage_matrix(*evaluation.problem, evaluation.trace, stage, head);
}

std::string shape_text(const Evaluation& evaluation, TensorId stage) {
    std::string text;
    for (const int size : stage_shape(evaluation, stage)) text += concat(text.empty() ? "(" : ", ", size);
    return text + ")";
}

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts, bool on_one_line) {
    json.key(key);
    on_one_line ? json.begin_row() : json.begin_array();
    for (const std::string& text : texts) json.text(text);
    on_one_line ? json.end_row() : json.end_array();
}

void write_matrix(Output& out, JsonWriter& json, const Matrix& matrix) {
    json.begin_array();
    for (int i = 0; i < length(matrix, 0); ++i) {
        json.begin_row();
        for (const float number : row_of(matrix, i)) json.number(number);
        json.end_row();
        out.row_done();
    }
    json.end_array();
}

void write_stage(Output& out, JsonWriter& json, const Evaluation& evaluation, TensorId stage) {
    const StageInfo& info = stage_info(stage);
    json.begin_object();
    json.member("name", info.name);
    json.member("letters", info.letters);
    json.key("shape");
    json.begin_row();
    for (const int size : stage_shape(evaluation, stage)) json.integer(size);
    json.end_row();
    json.key("values");
    if (info.has_heads) json.begin_array();
    for (int h = 0; h < num_matrices(evaluation, stage); ++h) {
        write_matrix(out, json, matrix_of(evaluation, stage, h));
    }
    if (info.has_heads) json.end_array();
    json.end_object();
}

void write_json(Output& out, const PlaygroundState& state, const Notes& notes, std::optional<TensorId> stage) {
    JsonWriter json(out.text);
    json.begin_object();
    json.member("link", write_link(state));
    write_texts(json, "notes", notes, false);
    json.key("sentences");
    json.begin_array();
    DigestWork digest = stage ? DigestWork() : DigestWork(state.inputs);
    for (int s = 0; s < static_cast<int>(state.inputs.texts.size()); ++s) {
        const Evaluation evaluation = evaluate(state.inputs, s);
        json.begin_object();
        json.member("text", state.inputs.texts[static_cast<std::size_t>(s)]);
        json.key("tokens");
        json.begin_row();
        for (const Token& token : evaluation.tokens.tokens) json.text(token.text);
        json.end_row();
        write_texts(json, "notes", evaluation.notes, false);
        json.key("stages");
        json.begin_array();
        for (const TensorId id : chosen_stages(state.inputs, evaluation, stage)) write_stage(out, json, evaluation, id);
        json.end_array();
        json.end_object();
        if (!stage) digest.add_sentence(evaluation);
    }
    json.end_array();
    if (!stage) json.member("digest", digest_text(digest.digest()));
    json.end_object();
    out.text += '\n';
}

void write_csv(Output& out, const PlaygroundState& state, std::optional<TensorId> stage) {
    out.text += "sentence,stage,head,row,column,value\n";
    for (int s = 0; s < static_cast<int>(state.inputs.texts.size()); ++s) {
        const Evaluation evaluation = evaluate(state.inputs, s);
        for (const TensorId id : chosen_stages(state.inputs, evaluation, stage)) {
            for (int h = 0; h < num_matrices(evaluation, id); ++h) {
                const std::string head = stage_info(id).has_heads ? concat(h + 1) : "";
                const std::string place = concat(s + 1, ",", tensor_name(id), ",", head, ",");
                const Matrix matrix = matrix_of(evaluation, id, h);
                for (int i = 0; i < length(matrix, 0); ++i) {
                    for (int c = 0; c < length(matrix, 1); ++c) {
                        out.text += concat(place, i, ',', c, ',', exact_number(matrix(i, c)), '\n');
                    }
                    out.row_done();
                }
            }
        }
    }
}

// Characters on a screen, roughly: code points.
std::size_t width_of(std::string_view text) {
    const auto starts_character = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; };
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string padding(std::string_view text, std::size_t width) {
    return std::string(width - std::min(width, width_of(text)), ' ');
}

// A table with the row tokens at the left and tokens or channel numbers at the top.
void write_table(Output& out, const Evaluation& evaluation, TensorId stage, const Matrix& matrix) {
    const std::vector<Token>& tokens = evaluation.tokens.tokens;
    std::size_t token_width = 0;
    for (const Token& token : tokens) token_width = std::max(token_width, width_of(token.text));
    std::vector<std::string> titles;
    std::size_t cell_width = 9;  // "−123.4567"
    for (int c = 0; c < length(matrix, 1); ++c) {
        const bool is_key = stage_info(stage).columns == Axis::key_token;
        titles.push_back(is_key ? tokens[static_cast<std::size_t>(c)].text : concat(c));
        cell_width = std::max(cell_width, width_of(titles.back()));
    }
    out.text += std::string(token_width, ' ');
    for (const std::string& title : titles) out.text += concat("  ", padding(title, cell_width), title);
    out.text += '\n';
    for (int i = 0; i < length(matrix, 0); ++i) {
        const std::string& token = tokens[static_cast<std::size_t>(i)].text;
        out.text += concat(token, padding(token, token_width));
        for (const float value : row_of(matrix, i)) {
            const std::string number = shown_number(static_cast<double>(value));
            out.text += concat("  ", padding(number, cell_width), number);
        }
        out.text += '\n';
        out.row_done();
    }
}

void write_text(Output& out, const PlaygroundState& state, const Notes& notes, std::optional<TensorId> stage) {
    out.text += concat("link: ", write_link(state), '\n');
    for (const std::string& note : notes) out.text += concat("note: ", note, '\n');
    DigestWork digest = stage ? DigestWork() : DigestWork(state.inputs);
    for (int s = 0; s < static_cast<int>(state.inputs.texts.size()); ++s) {
        const Evaluation evaluation = evaluate(state.inputs, s);
        out.text += concat("\nsentence ", s + 1, ": ", state.inputs.texts[static_cast<std::size_t>(s)], '\n');
        for (const std::string& note : evaluation.notes) out.text += concat("note: ", note, '\n');
        for (const TensorId id : chosen_stages(state.inputs, evaluation, stage)) {
            const StageInfo info = stage_info(id, state.inputs.mask_at);
            out.text +=
                concat('\n', info.name, ' ', info.letters, " = ", shape_text(evaluation, id), ": ", info.formula, '\n');
            for (int h = 0; h < num_matrices(evaluation, id); ++h) {
                if (info.has_heads) out.text += concat("head ", h + 1, '\n');
                write_table(out, evaluation, id, matrix_of(evaluation, id, h));
            }
        }
        if (!stage) digest.add_sentence(evaluation);
    }
    if (!stage) out.text += concat("\ndigest: ", digest_text(digest.digest()), '\n');
}

}  // namespace

void write_trace(const TextSink& sink, const PlaygroundState& state, const Notes& notes, std::optional<TensorId> stage,
                 ExportFormat format) {
    Output out = {.sink = sink};
    switch (format) {
        case ExportFormat::json:
            write_json(out, state, notes, stage);
            break;
        case ExportFormat::csv:
            write_csv(out, state, stage);
            break;
        case ExportFormat::text:
            write_text(out, state, notes, stage);
            break;
    }
    out.hand_on();
}

std::string export_trace(const PlaygroundState& state, const Notes& notes, std::optional<TensorId> stage,
                         ExportFormat format) {
    std::string text;
    write_trace([&](std::string_view piece) { text += piece; }, state, notes, stage, format);
    return text;
}

}  // namespace attn

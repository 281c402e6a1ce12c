// The engine as a module for other people's programs (web/engine/engine.js): plain arrays in, every stage out, and the
// playground's links as JSON. C functions only; knows no browser, no picture and no file format.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/fast/attend.h"
#include "core/ground/check.h"
#include "core/ground/memory_room.h"
#include "core/operations/stage_words.h"
#include "core/words/code_points.h"
#include "engine_attention.h"
#include "engine_module.h"
#include "playground/link/state_url.h"
#include "playground/numbers/digest.h"
#include "playground/numbers/evaluation.h"
#include "playground/numbers/explanation_lines.h"
#include "playground/numbers/memory_needs.h"
#include "playground/numbers/recipe.h"
#include "playground/print/trace_export.h"
#include "playground/state/shapes.h"
#include "playground/text/json_writer.h"

namespace attn {
namespace {

// The most numbers of a trace as text; more would take hundreds of MiB.
constexpr std::int64_t kMaxTracedNumbers = 1 << 23;
constexpr std::int64_t kBytesATracedNumber = 64;  // at most 15 characters in each of a few copies of the text
constexpr std::int64_t kSpareBytes = 1 << 20;     // what reading and writing texts takes beside the numbers

// What web/engine/engine.js reads after a call, as 32-bit words at a fixed address.
struct Answer {
    EngineAttention::Arguments arguments;
    std::array<const float*, kNumStages> stages;  // null for what was not asked for
    const char* text;
    std::size_t text_size;
    std::uint32_t missing_mebibytes;  // what a call that found no room would have taken
};

struct Engine {
    EngineAttention attention;
    std::string text;
    Answer answer = {};
};

Engine& engine() {
    static Engine only;
    return only;
}

}  // namespace

void keep_missing(std::int64_t bytes) {
    engine().answer.missing_mebibytes = static_cast<std::uint32_t>((bytes >> 20) + 1);
}

void keep_text(std::string text) {
    Engine& e = engine();
    e.text = std::move(text);
    e.answer.text = e.text.data();
    e.answer.text_size = e.text.size();
}

bool has_room_or_tells(std::int64_t bytes) {
    if (has_room_for(bytes + kSpareBytes)) return true;
    keep_missing(bytes);
    keep_text("");
    return false;
}

void keep_error(const std::string& sentence) {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("error", sentence);
    json.end_object();
    keep_text(text);
}

// The text, its tokens and what is known about each character, some times over.
std::int64_t reading_bytes(std::string_view link) {
    return 32 * static_cast<std::int64_t>(std::min(link.size(), kMaxLinkBytes));
}

AttentionSettings settings_of_call(int is_causal, int scale, double temperature, int mask_at, double dropout,
                                   double dropout_seed) {
    return {
        .mask = is_causal != 0 ? Mask::causal : Mask::none,
        .mask_at = static_cast<MaskAt>(mask_at),
        .scale = static_cast<Scale>(scale),
        .temperature = static_cast<float>(temperature),
        .dropout = dropout,
        .dropout_seed = static_cast<std::uint64_t>(dropout_seed),
    };
}

EngineAttention& engine_attention() {
    return engine().attention;
}

namespace {

// Bytes that evaluating one sentence takes.
std::int64_t evaluation_bytes(const Inputs& inputs, const Sizes& sizes) {
    if (has_goal(inputs)) return bytes_needed(inputs, sizes.num_tokens);
    const std::int64_t T = sizes.num_tokens;
    const std::int64_t widths = std::int64_t{sizes.d_in} + sizes.d_out;
    return attention_bytes(sizes, inputs.dropout > 0, 0) + 4 * (3 * T * sizes.d_in + 4 * widths * sizes.d_out) +
           256 * T;
}

// What the sentences of a link take and give.
struct Extents {
    std::int64_t numbers = 0;  // of all sentences
    std::int64_t bytes = 0;    // of the largest sentence: no more than one is in memory
};

Extents extents_of(const Inputs& inputs, std::optional<TensorId> only) {
    Extents extents;
    for (std::size_t s = 0; s < inputs.texts.size(); ++s) {
        const Sizes sizes = sizes_of(inputs, count_tokens(inputs, s));
        extents.bytes = std::max(extents.bytes, evaluation_bytes(inputs, sizes));
        for (const TensorId stage : present_stages(inputs)) {
            if (!only || *only == stage) extents.numbers += count_numbers(sizes, stage);
        }
    }
    return extents;
}

// The stage of that name that these inputs have; an error is kept when there is none.
std::optional<TensorId> find_stage(const Inputs& inputs, std::string_view name) {
    const std::optional<TensorId> stage = stage_of_name(name);
    if (stage && is_present(inputs, *stage)) return stage;
    std::string names;
    for (const TensorId present : present_stages(inputs))
        names += concat(names.empty() ? "" : ", ", tensor_name(present));
    keep_error(concat("stage is ", quoted(name), ": it should be one of this link's stages, ", names));
    return std::nullopt;
}

void trace_link(std::string_view link, std::string_view stage_name) {
    if (!has_room_or_tells(reading_bytes(link))) return;
    const ReadLink read = read_link(link);
    const Inputs& inputs = read.state.inputs;
    std::optional<TensorId> only;
    if (!stage_name.empty()) {
        only = find_stage(inputs, stage_name);
        if (!only) return;
    }
    const auto [numbers, bytes] = extents_of(inputs, only);
    if (numbers > kMaxTracedNumbers) {
        return keep_error(concat("the trace of this link has ", numbers, " numbers, at most ", kMaxTracedNumbers,
                                 " are written: ask for one stage, or shorten the text"));
    }
    if (!has_room_or_tells(bytes + numbers * kBytesATracedNumber)) return;
    keep_text(export_trace(read.state, read.notes, only, ExportFormat::json));
}

void digest_link(std::string_view link) {
    if (!has_room_or_tells(reading_bytes(link))) return;
    const Inputs inputs = read_link(link).state.inputs;
    if (!has_room_or_tells(extents_of(inputs, std::nullopt).bytes)) return;
    std::string text;
    JsonWriter(text).text(digest_text(digest_of(inputs)));
    keep_text(text);
}

// `head` counts from 1. Nothing is moved to a legal place: a program that asks for a cell that is not there is told so.
void explain_link(std::string_view link, std::string_view stage_name, int head, int row, int column) {
    if (!has_room_or_tells(reading_bytes(link))) return;
    const ReadLink read = read_link(link);
    const PlaygroundState& state = read.state;
    const int sentence = state.view.sentence;
    const Sizes sizes = sizes_of(state.inputs, count_tokens(state.inputs, static_cast<std::size_t>(sentence)));
    if (sizes.num_tokens == 0) return keep_error("the link's sentence has no tokens: there is nothing to explain");
    const std::optional<TensorId> stage =
        stage_name.empty() ? std::optional(state.view.stage) : find_stage(state.inputs, stage_name);
    if (!stage) return;
    const Extent extent = extent_of(sizes, *stage);
    const int num_heads = stage_info(*stage).has_heads ? sizes.num_heads : 1;
    const auto refuse = [](std::string_view name, int value, int low, int high) {
        keep_error(concat(name, " is ", value, ": it should be ", low, " to ", high));
    };
    if (head < 1 || head > num_heads) return refuse("head", head, 1, num_heads);
    if (row < 0 || row >= extent.rows) return refuse("row", row, 0, extent.rows - 1);
    if (column < 0 || column >= extent.columns) return refuse("column", column, 0, extent.columns - 1);
    if (!has_room_or_tells(evaluation_bytes(state.inputs, sizes))) return;
    const Evaluation evaluation = evaluate(state.inputs, sentence);
    const Explanation explanation =
        explain(*evaluation.problem, evaluation.trace, evaluation.parts, *stage, head - 1, row, column);
    keep_text(export_explanation(evaluation, explanation, read.notes, ExportFormat::json));
}

}  // namespace
}  // namespace attn

extern "C" {

// Where every answer is: see Answer.
const void* engine_answer() {
    return &attn::engine().answer;
}

// The version of the engine and its stage table as JSON, in the answer's text.
void engine_describe() {
    std::string text;
    attn::JsonWriter json(text);
    json.begin_object();
    json.member("version", ATTN_VERSION);
    json.key("stages");
    json.begin_array();
    for (const attn::StageInfo& info : attn::stage_table()) {
        json.begin_object();
        json.member("name", info.name);
        json.member("symbol", info.symbol);
        json.member("letters", shape_letters(attn::Sizes(), info.id));
        const attn::StageWords words = attn::stage_words(info.id);
        json.member("formula", words.formula);
        json.member("meaning", words.meaning);
        json.end_object();
    }
    json.end_array();
    json.end_object();
    attn::keep_text(text);
}

// EngineAttention::prepare. Returns 0 when there is no room.
int engine_prepare(int num_tokens, int d_in, int d_out, int num_heads, int num_kv_heads, unsigned given) {
    attn::Engine& e = attn::engine();
    const attn::Sizes sizes = {
        .num_tokens = num_tokens, .d_in = d_in, .d_out = d_out, .num_heads = num_heads, .num_kv_heads = num_kv_heads};
    if (!e.attention.prepare(sizes, given)) {
        attn::keep_missing(e.attention.bytes_wanted());
        return 0;
    }
    e.answer.arguments = e.attention.arguments();
    return 1;
}

// EngineAttention::attend. Returns layout(), above 0; 0 when there is no room; -1 - i when query i sees no key.
int engine_attend(int is_causal, int scale, double temperature, int mask_at, double dropout, double dropout_seed,
                  unsigned stages, int matrices) {
    attn::Engine& e = attn::engine();
    const attn::AttentionSettings settings =
        attn::settings_of_call(is_causal, scale, temperature, mask_at, dropout, dropout_seed);
    switch (e.attention.attend(settings, stages, matrices)) {
        case attn::EngineAttention::Outcome::done:
            e.answer.stages = e.attention.stages();
            return e.attention.layout();
        case attn::EngineAttention::Outcome::blind_query:
            return -1 - e.attention.blind_query();
        case attn::EngineAttention::Outcome::no_room:
            break;
    }
    attn::keep_missing(e.attention.bytes_wanted());
    return 0;
}

// A link's trace as JSON text (write_trace), of `stage` alone if that is not empty; {"error": a sentence} for what is
// not there; an empty text when there is no room.
void engine_trace(const char* link, std::size_t link_size, const char* stage, std::size_t stage_size) {
    attn::trace_link({link, link_size}, {stage, stage_size});
}

// A link's digest as JSON text: 16 hexadecimal digits. An empty text when there is no room.
void engine_digest(const char* link, std::size_t link_size) {
    attn::digest_link({link, link_size});
}

// One cell's explanation as JSON text (export_explanation), in the same way. `stage` empty: the one the link shows.
void engine_explain(const char* link, std::size_t link_size, const char* stage, std::size_t stage_size, int head,
                    int row, int column) {
    attn::explain_link({link, link_size}, {stage, stage_size}, head, row, column);
}

}  // extern "C"

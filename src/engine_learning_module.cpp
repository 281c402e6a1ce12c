// What the engine's second file has beside the functions of engine_module.cpp: losses, gradients and steps of plain
// arrays, and the training that a link's recipe asks for.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/ground/check.h"
#include "engine_learning.h"
#include "engine_module.h"
#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"
#include "playground/numbers/memory_needs.h"
#include "playground/text/json_writer.h"

namespace attn {
namespace {

constexpr std::size_t kNumWayBack = 8;

// What web/engine/learning.js reads after a call, at a fixed address. Null for what is absent.
struct LearningAnswer {
    double loss;
    double lowest_loss;
    std::int32_t num_steps;
    std::int32_t is_stopped;
    LearnedPlaces numbers;
    LearnedPlaces gradients;
    // Logits and probabilities forward; the gradients at output, merged, scores, queries, keys and values.
    std::array<const float*, kNumWayBack> way_back;
};

struct Learning {
    EngineLearning learning;
    LearningAnswer answer = {};
};

Learning& learning() {
    static Learning only;
    return only;
}

template <class Tensor>
const float* place_or_null(const Tensor& tensor) {
    return tensor.size() != 0 ? tensor.data() : nullptr;
}

void keep_learning() {
    Learning& l = learning();
    const Training& training = l.learning.training();
    const Gradients& g = training.gradients(0);
    l.answer = {.loss = training.loss(),
                .lowest_loss = l.learning.lowest_loss(),
                .num_steps = training.num_steps(),
                .is_stopped = training.is_stopped() ? 1 : 0,
                .numbers = l.learning.numbers(),
                .gradients = l.learning.gradients(),
                .way_back = {place_or_null(g.logits), place_or_null(g.probabilities), place_or_null(g.output),
                             place_or_null(g.merged), place_or_null(g.scores), place_or_null(g.query),
                             place_or_null(g.key), place_or_null(g.value)}};
}

float* place_or_tells(float* place) {
    if (place == nullptr) keep_missing(learning().learning.bytes_wanted());
    return place;
}

void write_rows(JsonWriter& json, std::string_view name, std::span<const float> numbers, std::size_t columns) {
    if (numbers.empty()) return;
    json.key(name);
    json.begin_array();
    for (std::size_t first = 0; first < numbers.size(); first += columns) {
        json.begin_row();
        for (const float number : numbers.subspan(first, columns)) json.number(number);
        json.end_row();
    }
    json.end_array();
}

void write_row(JsonWriter& json, std::string_view name, std::span<const float> numbers) {
    if (numbers.empty()) return;
    json.key(name);
    json.begin_row();
    for (const float number : numbers) json.number(number);
    json.end_row();
}

void write_learned(JsonWriter& json, std::string_view name, const Projections& p) {
    json.key(name);
    json.begin_object();
    const auto rows = [&](std::string_view tensor, const Matrix& matrix) {
        write_rows(json, tensor, elements(matrix), matrix.shape(1));
    };
    rows("w_query", p.w_query);
    rows("w_key", p.w_key);
    rows("w_value", p.w_value);
    write_row(json, "b_query", elements(p.b_query));
    write_row(json, "b_key", elements(p.b_key));
    write_row(json, "b_value", elements(p.b_value));
    rows("w_out", p.w_out);
    write_row(json, "b_out", elements(p.b_out));
    json.end_object();
}

void train_link(std::string_view link) {
    if (!has_room_or_tells(reading_bytes(link))) return;
    const ReadLink read = read_link(link);
    const Inputs& inputs = read.state.inputs;
    if (!has_goal(inputs)) {
        std::string sentence = "the link has no goal: goal=pattern with targets, or goal=next, trains";
        for (const std::string& note : read.notes) sentence += concat("; ", note);
        return keep_error(sentence);
    }
    const int shown = read.state.view.sentence;
    const int num_tokens = count_tokens(inputs, static_cast<std::size_t>(shown));
    if (num_tokens == 0) return keep_error("the link's sentence has no tokens: there is nothing to train with");
    if (!has_room_or_tells(2 * bytes_needed(inputs, num_tokens))) return;
    const Evaluation evaluation = evaluate(inputs, shown);
    const TrainingRun& run = *evaluation.run;
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("link", write_link(read.state));
    json.key("notes");
    json.begin_array();
    for (const std::string& note : read.notes) json.text(note);
    for (const std::string& note : run.notes()) json.text(note);
    json.end_array();
    json.key("steps");
    json.integer(run.num_steps());
    json.key("losses");
    json.begin_row();
    for (int step = 0; step <= run.num_steps(); ++step) json.number(run.losses()[static_cast<std::size_t>(step)]);
    json.end_row();
    json.key("lowest_loss");
    json.number(run.lowest_loss());
    write_learned(json, "numbers", evaluation.problem->projections);
    write_learned(json, "gradients", run.training().gradients());
    json.end_object();
    keep_text(text);
}

}  // namespace
}  // namespace attn

extern "C" {

// Where what was learned is: see LearningAnswer.
const void* engine_learning_answer() {
    return &attn::learning().answer;
}

// EngineLearning::make_pattern and make_next: where the numbers belong; null when there is no room.
float* engine_pattern(int count) {
    return attn::place_or_tells(attn::learning().learning.make_pattern(count));
}

float* engine_next(int num_tokens, int num_words, int d_out) {
    return attn::place_or_tells(attn::learning().learning.make_next(num_tokens, num_words, d_out));
}

// EngineLearning::begin, with the arguments of engine_prepare. Returns 1; 0 when there is no room; -1 - i when query i
// sees no key.
int engine_begin(int is_causal, int scale, double temperature, int mask_at, double dropout, double dropout_seed,
                 int optimizer, double rate, unsigned learned) {
    const attn::AttentionSettings settings =
        attn::settings_of_call(is_causal, scale, temperature, mask_at, dropout, dropout_seed);
    attn::EngineLearning& learning = attn::learning().learning;
    switch (learning.begin(attn::engine_attention(), settings,
                           {.kind = static_cast<attn::OptimizerKind>(optimizer), .rate = rate}, learned)) {
        case attn::EngineLearning::Outcome::done:
            attn::keep_learning();
            return 1;
        case attn::EngineLearning::Outcome::blind_query:
            return -1 - attn::engine_attention().blind_query();
        case attn::EngineLearning::Outcome::no_room:
            break;
    }
    attn::keep_missing(learning.bytes_wanted());
    return 0;
}

// EngineLearning::step, after an engine_begin() that returned 1.
int engine_step(int count) {
    const int taken = attn::learning().learning.step(count);
    attn::keep_learning();
    return taken;
}

// What a link's recipe trains as JSON text: the losses before the first step and after each, the numbers and their
// gradients after the last; {"error": a sentence} for a link without a goal; an empty text when there is no room.
void engine_train(const char* link, std::size_t link_size) {
    attn::train_link({link, link_size});
}

}  // extern "C"

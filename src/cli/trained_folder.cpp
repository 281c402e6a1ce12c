// Small JSON texts around the numbers.
#include "cli/trained_folder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "cli/tokenizer_text.h"
#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "disk/replace_file.h"
#include "model/files/sha256.h"
#include "model/layers/model_run.h"
#include "model/layers/sampling.h"
#include "model/learn/choice.h"
#include "playground/text/json_writer.h"

namespace attn {
namespace {

constexpr int kStepsAPoint = 100;  // of the curve of losses
constexpr int kFirstSteps = 5;     // whose losses are told exactly, for who trains anew

Model model_of(const ModelTraining& training, std::string_view type) {
    Result<Model> model = model_of_numbers(training.layout(), training.numbers(), type);
    ATTN_CHECK(bool(model), model.error());
    return std::move(*model);
}

// The numbers that its file has.
std::vector<float> halves_of(const ModelTraining& training) {
    Result<std::vector<float>> numbers = numbers_of_model(training.layout(), model_of(training, "F16"));
    ATTN_CHECK(bool(numbers), numbers.error());
    return std::move(*numbers);
}

// Four decimals: more says nothing about a mean over some hundred sentences. What was not measured is left out.
void put_score(JsonWriter& json, std::string_view name, std::optional<double> value) {
    if (!value) return;
    json.key(name);
    json.number(std::round(*value * 1e4) / 1e4);
}

// What the model writes after a text, as `attn generate` does.
std::string continuation_of(const Model& model, const ModelTokenizer& tokenizer, std::string_view text,
                            double temperature, std::uint64_t seed) {
    constexpr int kTokens = 16;
    ModelInput input;
    for (const ModelToken& token : tokenizer.encode(text).tokens) input.ids.push_back(token.id);
    TorchGenerator generator(seed);
    std::string written;
    for (int i = 0; i < kTokens && find_input_problem(model.config, input).empty(); ++i) {
        const auto run = std::make_shared<ModelRun>(model, input);
        RowLogits logits(run, input.num_tokens() - 1);
        while (!logits.advance(std::numeric_limits<std::int64_t>::max())) continue;
        input.ids.push_back(next_token(logits.logits(), {.temperature = temperature}, generator));
        written += tokenizer.written_text_of(input.ids.back());
    }
    return written;
}

// Of a model that reads texts also what it makes of each prompt, whatever that is: always the likeliest token, and
// drawn, the first prompt with seed 123, each of the others with one more.
void put_about(JsonWriter& json, std::string_view about, const Model& model, const TrainingTexts* texts) {
    if (about.empty()) return;
    const Result<JsonTree> tree = JsonTree::read(about, "about.json");
    if (!tree) return;
    if (const std::optional<JsonValue> lines = tree->root().find("about")) {
        json.key("about");
        json.begin_array();
        for (const JsonValue line : *lines) json.text(line.text());
        json.end_array();
    }
    if (const std::optional<JsonValue> prompts = tree->root().find("prompts")) {
        json.key("prompts");
        json.begin_array();
        std::uint64_t seed = 123;
        for (const JsonValue prompt : *prompts) {
            json.begin_object();
            for (const JsonValue member : prompt) json.member(member.name(), member.text());
            if (const std::optional<JsonValue> text = prompt.find("text"); text && texts != nullptr) {
                json.member("likeliest", continuation_of(model, texts->tokenizer(), text->text(), 0, seed));
                json.member("drawn", continuation_of(model, texts->tokenizer(), text->text(), 1, seed));
                ++seed;
            }
            json.end_object();
        }
        json.end_array();
    }
}

void put_heads(JsonWriter& json, std::span<const HeadScores> heads) {
    json.key("heads");
    json.begin_array();
    for (const HeadScores& one : heads) {
        json.begin_object();
        json.key("layer");
        json.integer(one.layer + 1);
        json.key("head");
        json.integer(one.head + 1);
        put_score(json, "previous", one.previous);
        put_score(json, "self", one.self);
        put_score(json, "first", one.first);
        put_score(json, "duplicate", one.duplicate);
        put_score(json, "induction", one.induction);
        put_score(json, "subject", one.subject);
        put_score(json, "attachment", one.attachment);
        put_score(json, "vote", one.vote);
        put_score(json, "rise_attachment", one.rise_attachment);
        put_score(json, "rise_agreement", one.rise_agreement);
        put_score(json, "rise_copying", one.rise_copying);
        put_score(json, "rise_names", one.rise_names);
        put_score(json, "rise_text", one.rise_text);
        json.end_object();
    }
    json.end_array();
}

void put_seeds(JsonWriter& json, const TrainedModel& trained) {
    json.key("seeds");
    json.begin_array();
    for (std::size_t i = 0; i < trained.seeds.size(); ++i) {
        const TrainedSeed& one = trained.seeds[i];
        json.begin_object();
        json.key("seed");
        json.integer(static_cast<std::int64_t>(one.seed));
        json.key("steps");
        json.integer(one.num_steps);
        json.flag("chosen", i == trained.chosen);
        json.key("reached");
        json.integer(num_reached(trained.recipe, one.scores));
        if (one.scores.held_out) put_score(json, "held_out", one.scores.held_out->nats);
        for (const NamedScore& score : one.scores.named) put_score(json, score.name, score.value);
        json.end_object();
    }
    json.end_array();
}

void put_training(JsonWriter& json, const TrainedModel& trained) {
    const Recipe& recipe = trained.recipe;
    const ModelTraining& training = trained.training;
    json.key("training");
    json.begin_object();
    json.member("recipe_sha256", recipe.digest);
    json.key("seed");
    json.integer(static_cast<std::int64_t>(training.seed()));
    json.key("steps");
    json.integer(training.num_steps());
    json.key("steps_of_recipe");
    json.integer(recipe.rate.num_steps);
    json.key("tokens_seen");
    json.integer(training.num_tokens_seen());
    json.member("rule_of_choice", recipe.rule);
    json.end_object();
    json.key("loss_curve");
    json.begin_object();
    json.key("first");
    json.begin_row();
    for (std::size_t step = 0; step < std::min<std::size_t>(kFirstSteps, training.losses().size()); ++step)
        json.number(training.losses()[step]);
    json.end_row();
    json.key("steps_a_point");
    json.integer(kStepsAPoint);
    json.key("means");
    json.begin_row();
    const std::span<const float> losses = training.losses();
    for (std::size_t first = 0; first + kStepsAPoint <= losses.size(); first += kStepsAPoint) {
        double sum = 0;
        for (std::size_t k = 0; k < kStepsAPoint; ++k) sum += static_cast<double>(losses[first + k]);
        json.number(std::round(sum / kStepsAPoint * 1e4) / 1e4);
    }
    json.end_row();
    json.end_object();
}

void put_grammar_losses(JsonWriter& json, const TrainedModel& trained, const Model& model) {
    const LossTable losses = measure_losses(trained.recipe, model);
    put_score(json, "model", losses.model);
    put_score(json, "model_in_floats", measure_losses(trained.recipe, model_of(trained.training, "F32")).model);
    put_score(json, "floor", losses.floor);
    put_score(json, "bigram", losses.bigram);
    put_score(json, "unigram", losses.unigram);
    put_score(json, "held_out", losses.held_out);
}

void put_text_losses(JsonWriter& json, const TrainedModel& trained) {
    const HeldOutLoss halves = *trained.seeds[trained.chosen].scores.held_out;
    put_score(json, "held_out", halves.nats);
    put_score(json, "held_out_in_floats", trained.training.held_out_loss(trained.training.numbers()).nats);
    put_score(json, "held_out_bits_a_byte", halves.bits);
    json.key("held_out_tokens");
    json.integer(halves.num_tokens);
}

void put_known_texts(JsonWriter& json, const KnownTexts& known) {
    json.key("texts");
    json.begin_object();
    json.member("read_sha256", known.read);
    json.member("held_out_sha256", known.held_out);
    json.member("tokenizer_sha256", known.tokenizer);
    json.end_object();
}

std::string card_text(const TrainedModel& trained, const Model& model, const std::string& tensors) {
    const Recipe& recipe = trained.recipe;
    const TrainedScores& scores = trained.seeds[trained.chosen].scores;
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("name", recipe.name);
    put_about(json, trained.about, model, trained.texts);
    json.key("file");
    json.begin_object();
    json.member("name", "model.safetensors");
    json.key("bytes");
    json.integer(static_cast<std::int64_t>(tensors.size()));
    json.member("sha256", sha256_of(tensors));
    json.end_object();
    json.key("parameters");
    json.integer(num_parameters(model));
    if (recipe.texts) {
        put_known_texts(json, *recipe.texts);
    } else {
        json.key("words");
        json.begin_row();
        for (std::size_t id = 1; id < recipe.grammar.words().size(); ++id) json.text(recipe.grammar.words()[id]);
        json.end_row();
    }
    put_training(json, trained);
    json.key("losses_in_nats");
    json.begin_object();
    if (recipe.texts)
        put_text_losses(json, trained);
    else
        put_grammar_losses(json, trained, model);
    json.end_object();
    json.key("scores");
    json.begin_array();
    for (const NamedScore& score : scores.named) {
        json.begin_object();
        json.member("name", score.name);
        put_score(json, "value", score.value);
        const auto wanted = std::find_if(recipe.wanted.begin(), recipe.wanted.end(),
                                         [&](const WantedScore& one) { return one.name == score.name; });
        if (wanted != recipe.wanted.end()) put_score(json, "wanted", wanted->least);
        json.end_object();
    }
    json.end_array();
    put_score(json, "artist", scores.artist);
    put_score(json, "woman", scores.woman);
    put_score(json, "subject_baseline", scores.subject_baseline);
    put_heads(json, scores.heads);
    put_seeds(json, trained);
    json.end_object();
    return text + "\n";
}

}  // namespace

std::string write_trained_folder(const TrainedModel& trained, const std::string& folder) {
    const ModelTraining& training = trained.training;
    const std::string tensors = tensors_file(training.layout(), training.numbers(), "F16");
    const Model model = model_of(training, "F16");
    const std::vector<std::pair<std::string, std::string>> files = {
        {"config.json", config_json(training.layout().shape())},
        {"model.safetensors", tensors},
        {"tokenizer.json", trained.tokenizer.empty() ? word_tokenizer_text(trained.recipe.grammar.words())
                                                     : std::string(trained.tokenizer)},
        {"card.json", card_text(trained, model, tensors)}};
    for (const auto& [name, bytes] : files) {
        const std::filesystem::path path = std::filesystem::path(folder) / name;
        const std::string problem = replace_file(path, bytes);
        if (!problem.empty()) return concat("Cannot write ", attn::quoted(path.string()), ": ", problem, ".");
    }
    return "";
}

TrainedScores scores_of_training(const Recipe& recipe, ModelTraining& training, const TrainingTexts* texts) {
    TrainedScores scores = score_model(recipe, model_of(training, "F16"),
                                       texts != nullptr ? kSentencesBesideTexts : kSentencesOfAKind, texts);
    if (texts != nullptr) scores.held_out = training.held_out_loss(halves_of(training));
    return scores;
}

}  // namespace attn

// The steps behind every number of every kind of model: they come to the number, and each factor is the number that
// stands where it says.
#include "model/explain/explain_model.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "core/ground/portable_math.h"
#include "model/layers/model_stages.h"
#include "model/layers/random_model.h"

using attn::CellRef;
using attn::ExplainedStep;
using attn::Explanation;
using attn::Factor;
using attn::LayerTrace;
using attn::Model;
using attn::ModelInput;
using attn::ModelRun;
using attn::NamedNumbers;
using attn::TensorId;
using attn::test::all_checkpoints;
using attn::test::Checkpoint;

namespace {

constexpr std::int64_t kAllSteps = std::numeric_limits<std::int64_t>::max();

// A step's sums have up to 48 products of numbers near 1, whose float sums are off by 48 * 2^-24 = 3e-6 of their terms
// at worst; the steps leave out the roundings between them.
constexpr double kStepsNear = 6e-6;

std::int64_t flat(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& place) {
    REQUIRE(shape.size() == place.size());
    std::int64_t at = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) {
        REQUIRE((place[k] >= 0 && place[k] < shape[k]));
        at = at * shape[k] + place[k];
    }
    return at;
}

// A model with all numbers of all its stages for a text.
class Everything {
public:
    Everything(const Model& model, const ModelInput& input) : model_(model), run_(model, input) {
        run_.advance(kAllSteps);
        for (int layer = 0; layer < model.config.num_layers; ++layer) {
            attn::LayerWork work = run_.layer_work(layer);
            std::int64_t enough = kAllSteps;
            work.advance(enough);
            traces_.push_back(work.trace());
            for (const TensorId id : attn::model_stages()) {
                if (!attn::is_of_layer(id)) continue;
                if (auto stage = layer_stage(traces_.back(), id)) stages_[{layer, stage->name}] = *stage;
            }
        }
        stages_[{-1, "final_stream"}] = attn::named_matrix(TensorId::final_stream, run_.final_stream());
        if (!model.weights.unembedding.is_there()) return;
        if (model.weights.head_dense.is_there())
            stages_[{-1, "logit_input"}] =
                attn::named_matrix(TensorId::logit_input, attn::logit_input(model, run_.final_stream()));
        const attn::Matrix logits = attn::logits_of(model, input);
        stages_[{-1, "logits"}] = attn::named_matrix(TensorId::logits, logits);
        NamedNumbers probabilities = stages_[{-1, "logits"}];
        probabilities.numbers.clear();
        for (int i = 0; i < input.num_tokens(); ++i) {
            const std::vector<float> row = attn::probabilities_of(attn::row_of(logits, i));
            probabilities.numbers.insert(probabilities.numbers.end(), row.begin(), row.end());
        }
        stages_[{-1, "probabilities"}] = probabilities;
    }

    const std::map<std::pair<int, std::string>, NamedNumbers>& stages() const { return stages_; }

    // Of keys and values `head` is the head of keys.
    Explanation explain(int layer, const std::string& name, int head, int row, int column) const {
        const TensorId stage = *attn::model_stage_of_name(name);
        const CellRef cell = {stage, head * readers_of(stage), row, column, std::max(layer, 0)};
        if (layer < 0) return explain_end(model_, attn::row_of(run_.stream(model_.config.num_layers), row), cell);
        const LayerTrace& trace = traces_[static_cast<std::size_t>(layer)];
        return explain_layer(run_, {trace.problem, trace.attention, &trace}, cell);
    }

    // What stands at a source; nothing where it is an earlier step.
    std::optional<double> number_at(const Factor& factor) const {
        if (factor.has_source) {
            const CellRef& cell = factor.source;
            const int layer = attn::is_of_layer(cell.tensor) ? cell.layer : -1;
            const auto stage = stages_.find({layer, std::string(attn::tensor_name(cell.tensor))});
            if (stage == stages_.end()) FAIL("there is no " << attn::tensor_name(cell.tensor));
            std::vector<std::int64_t> place = {cell.row, cell.column};
            if (stage->second.shape.size() == 3) place.insert(place.begin(), cell.head / readers_of(cell.tensor));
            return static_cast<double>(
                stage->second.numbers[static_cast<std::size_t>(flat(stage->second.shape, place))]);
        }
        if (factor.named->place.empty()) return std::nullopt;
        for (const auto& tensor : model_.tensors) {
            if (tensor->name() != factor.named->name) continue;
            float number = 0;
            tensor->copy(flat(tensor->filed().tensor.shape, factor.named->place), {&number, 1});
            return static_cast<double>(number);
        }
        FAIL("there is nothing called " << factor.named->name);
        return std::nullopt;
    }

    int readers_of(TensorId stage) const {
        return attn::has_kv_heads(stage) ? model_.config.num_heads / model_.config.num_kv_heads : 1;
    }

private:
    const Model& model_;
    ModelRun run_;
    std::vector<LayerTrace> traces_;
    std::map<std::pair<int, std::string>, NamedNumbers> stages_;
};

// What the steps come to.
double result_of(const Explanation& explanation) {
    return explanation.steps.back().value;
}

// How far the steps are from what they say, as a share of their largest term.
struct Farness {
    double of_result = 0, of_sources = 0;
};

Farness farness_of(const Everything& all, const Explanation& explanation) {
    double most = 1, of_sources = 0;
    std::map<std::string, double> earlier;
    for (const ExplainedStep& step : explanation.steps) {
        for (const attn::Term& term : step.terms) {
            most = std::max(most, std::abs(term.product()) / step.divisor);
            for (const Factor& factor : {term.a, term.b}) {
                if ((!factor.has_source && !factor.named) || term.label == "exp") continue;
                const std::optional<double> number = all.number_at(factor);
                const double wanted = number ? *number : earlier.at(factor.named->name);
                of_sources = std::max(of_sources, std::abs(factor.value - wanted));
            }
        }
        if (step.rule.empty()) of_sources = std::max(of_sources, std::abs(step.sum() / step.divisor - step.value));
        earlier[step.name] = step.value;
    }
    return {.of_result = std::abs(result_of(explanation) - static_cast<double>(explanation.shown)) / most,
            .of_sources = of_sources};
}

// Every number of every stage. Returns how many.
int check_all(const Model& model, const ModelInput& input) {
    const Everything all(model, input);
    int count = 0;
    for (const auto& [key, stage] : all.stages()) {
        const auto& [layer, name] = key;
        const bool has_heads = stage.shape.size() == 3;
        const std::int64_t columns = stage.shape.back(), rows = stage.shape[stage.shape.size() - 2];
        Farness worst;
        for (std::size_t at = 0; at < stage.numbers.size(); ++at) {
            const auto place = static_cast<std::int64_t>(at);
            const Explanation explanation =
                all.explain(layer, name, has_heads ? static_cast<int>(place / (rows * columns)) : 0,
                            static_cast<int>(place / columns % rows), static_cast<int>(place % columns));
            ++count;
            const bool is_same = explanation.shown == stage.numbers[at];
            if (!is_same) CHECK(is_same);
            if (explanation.formula.empty()) FAIL_CHECK(name << " has no formula");
            if (explanation.is_hidden) {
                if (!explanation.steps.empty()) FAIL_CHECK(name << " is hidden and has steps");
                continue;
            }
            if (explanation.steps.back().name != name)
                FAIL_CHECK(name << " ends with " << explanation.steps.back().name);
            const Farness farness = farness_of(all, explanation);
            worst.of_result = std::max(worst.of_result, farness.of_result);
            worst.of_sources = std::max(worst.of_sources, farness.of_sources);
        }
        INFO("layer " << layer << " " << name);
        CHECK(worst.of_result < kStepsNear);
        CHECK(worst.of_sources == 0);
    }
    return count;
}

const ModelInput kFiveTokens = {.ids = {3, 16, 0, 3, 7}};

Model load(const Checkpoint& checkpoint) {
    attn::Result<Model> model = checkpoint.load();
    INFO(model.error());
    REQUIRE(model);
    return std::move(*model);
}

}  // namespace

TEST_CASE("the steps behind every number of every kind of model come to it", "[model][explain]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const Model model = load(checkpoint);
        ModelInput input = kFiveTokens;
        if (name == "bert") input.types = {0, 0, 1, 1, 1};
        CHECK(check_all(model, input) > 2000);
    }
}

TEST_CASE("heads that are off and numbers that were changed are in the steps", "[model][explain]") {
    const Model model = load(attn::test::random_gpt2());
    ModelInput input = kFiveTokens;
    input.off = {{.layer = 1, .head = 2}};
    CHECK(check_all(model, input) > 2000);
    input.off_by = attn::OffBy::mean;
    CHECK(check_all(model, input) > 2000);

    const Everything off(model, input);
    const Explanation merged = off.explain(1, "merged", 0, 3, 9);
    CHECK(merged.steps.back().terms.size() == 5);  // of each token
    CHECK(merged.steps.back().divisor == 5);
}

TEST_CASE("what patches brought is in the steps", "[model][explain][patch]") {
    using enum attn::PatchOf;
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const Model model = load(checkpoint);
        ModelInput input = kFiveTokens;
        input.other = {{.ids = {5, 2, 9, 1, 12}}};
        input.patches = {{.of = stream, .layer = 0, .row = 1},
                         {.of = stream, .layer = 1, .row = 3},
                         {.of = head, .layer = 0, .head = 2, .row = 4},
                         {.of = weights, .layer = 1, .head = 1, .row = 4}};
        if (model.config.mlp_width > 0) input.patches.push_back({.of = mlp, .layer = 1, .row = 2});
        CHECK(check_all(model, input) > 2000);

        const Everything all(model, input);
        const Explanation merged = all.explain(1, "merged", 0, 4, model.config.head_dim);
        REQUIRE(merged.steps.back().terms.size() == 5);
        CHECK(merged.steps.back().terms[2].b.source == CellRef{TensorId::values, 1, 2, 0, 1});
        CHECK(all.explain(1, "before", 0, 3, 0).formula == "the other text's number, put here by a patch");
    }
}

TEST_CASE("what was changed by hand goes by the names of edits", "[model][explain]") {
    for (const std::string kind : {"gpt2", "qwen3"}) {
        INFO(kind);
        const Model model = load(kind == "gpt2" ? attn::test::random_gpt2() : attn::test::random_llama("qwen3"));
        ModelInput input = kFiveTokens;
        input.edits = {
            {.layer = 1, .tensor = attn::TensorId::w_query, .row = 2, .column = 5, .value = 9},
            {.layer = 1, .tensor = attn::TensorId::embeddings, .row = 1, .column = 4, .value = 3},
            {.layer = 1, .tensor = attn::TensorId::queries, .row = 3, .column = 5, .value = 7},
        };
        const Everything all(model, input);
        const Explanation query = all.explain(1, "queries", 5 / model.config.head_dim, 1, 5 % model.config.head_dim);
        const Factor weight = query.steps.front().terms[2].b;
        CHECK(weight.value == 9);
        CHECK(weight.source == CellRef{TensorId::w_query, 0, 2, 5, 1});
        CHECK(std::abs(result_of(query) - static_cast<double>(query.shown)) < kStepsNear * 30);

        const Explanation typed = all.explain(1, "queries", 5 / model.config.head_dim, 3, 5 % model.config.head_dim);
        CHECK(typed.formula == "the number set here by hand");
        CHECK(result_of(typed) == 7);
        const Explanation input_number = all.explain(1, "embeddings", 0, 1, 4);
        CHECK(input_number.formula == "the number set here by hand");
        CHECK(result_of(input_number) == 3);
    }
}

TEST_CASE("a factor says where it stands in the files, whatever their layout", "[model][explain]") {
    const auto first_source = [](const Checkpoint& checkpoint, const std::string& stage, int column) {
        const Model model = load(checkpoint);
        const Everything all(model, kFiveTokens);
        const Explanation explanation = all.explain(1, stage, 0, 2, column);
        const attn::NamedNumber& named = *explanation.steps.back().terms[3].b.named;
        return std::pair(named.name, named.place);
    };
    using Place = std::vector<std::int64_t>;
    // GPT-2 has (inputs, outputs), and values behind queries and keys; the others (outputs, inputs).
    CHECK(first_source(attn::test::random_gpt2(), "values", 1) ==
          std::pair(std::string("h.1.attn.c_attn.weight"), Place{3, 25}));
    CHECK(first_source(attn::test::random_gpt_neo(), "values", 1) ==
          std::pair(std::string("transformer.h.1.attn.attention.v_proj.weight"), Place{1, 3}));
    CHECK(first_source(attn::test::random_attention_only("standard", true), "values", 1) ==
          std::pair(std::string("blocks.1.attn.W_V"), Place{0, 3, 1}));
    CHECK(first_source(attn::test::random_attention_only("standard", true), "attention_added", 7) ==
          std::pair(std::string("blocks.1.attn.W_O"), Place{0, 3, 7}));
}

TEST_CASE("a norm's steps are its mean, its variance and its scale", "[model][explain]") {
    const Model model = load(attn::test::random_gpt2());
    const Everything all(model, kFiveTokens);
    const Explanation norm = all.explain(1, "mlp_input", 0, 2, 3);
    CHECK(norm.formula == "(middle − mean) · scale · h.1.ln_2.weight + h.1.ln_2.bias");
    std::vector<std::string> names;
    for (const ExplainedStep& step : norm.steps) names.push_back(step.name);
    CHECK(names == std::vector<std::string>{"mean", "variance", "scale", "distance", "normed", "mlp_input"});
    const std::vector<float>& middle = all.stages().at({1, "middle"}).numbers;
    double mean = 0, square = 0;
    for (int c = 0; c < 12; ++c) mean += static_cast<double>(middle[static_cast<std::size_t>(24 + c)]) / 12;
    for (int c = 0; c < 12; ++c)
        square += std::pow(static_cast<double>(middle[static_cast<std::size_t>(24 + c)]) - mean, 2) / 12;
    CHECK(norm.steps[0].value == Catch::Approx(mean).epsilon(1e-12));
    CHECK(norm.steps[2].value == Catch::Approx(1 / std::sqrt(square + 1e-5)).epsilon(1e-12));

    // RMS norms have no mean.
    const Model llama = load(attn::test::random_llama("llama"));
    const Everything of_llama(llama, kFiveTokens);
    CHECK(of_llama.explain(1, "mlp_input", 0, 2, 3).formula ==
          "middle · scale · model.layers.1.post_attention_layernorm.weight");
    CHECK(of_llama.explain(1, "mlp_input", 0, 2, 3).steps.front().name == "mean square");
}

TEST_CASE("a probability is one of a softmax over the whole vocabulary", "[model][explain]") {
    const Model model = load(attn::test::random_gpt2());
    const Everything all(model, kFiveTokens);
    const Explanation probability = all.explain(-1, "probabilities", 0, 4, 6);
    REQUIRE(probability.steps.size() == 3);
    CHECK(probability.steps[1].terms.size() == 17);
    CHECK(probability.steps[1].terms[6].a.source == CellRef{TensorId::logits, 0, 4, 6, model.config.num_layers - 1});
}

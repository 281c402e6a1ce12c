// A function for each kind of stage: around the attention, in it, and after the last layer.
#include "model/explain/explain_model.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "model/explain/explain_attention.h"
#include "model/explain/explain_steps.h"

namespace attn {
namespace {

// A row of a stage, whose number `at` it is.
std::vector<ModelFactor> factors_of_row(std::span<const float> row, std::string_view stage, std::optional<int> layer,
                                        int at) {
    std::vector<ModelFactor> factors;
    for (const float number : row)
        factors.push_back(
            factor_of(static_cast<double>(number), {.name = std::string(stage),
                                                    .layer = layer,
                                                    .head = {},
                                                    .place = {at, static_cast<std::int64_t>(factors.size())}}));
    return factors;
}

// A sum of one term for each number of a row.
std::vector<std::vector<ModelTerm>> one_term_each(std::vector<ModelFactor> row) {
    std::vector<std::vector<ModelTerm>> terms;
    for (ModelFactor& factor : row) terms.push_back({term_of(std::move(factor))});
    return terms;
}

// The stages around a layer's attention.
class LayerExplainer {
public:
    LayerExplainer(const ModelRun& run, const LayerTrace& trace, ModelExplanation& to)
        : run_(run),
          model_(run.model()),
          config_(model_.config),
          trace_(trace),
          cell_(to.cell),
          edited_(model_, cell_.layer, run.input().edits),
          to_(to) {}

    void explain() {
        const std::string_view name = cell_.stage->name;
        if (name == "before") return explain_before();
        if (name == "embeddings") return explain_attention_input();
        if (name == "merged") return explain_merged();
        if (name == "attention_added") return product("merged", weights().out);
        if (name == "middle") return sum("before", "attention_added", weights().norm_1);
        if (name == "mlp_input") return normed("middle", weights().norm_2);
        if (name == "mlp_gate") return product("mlp_input", weights().mlp_gate);
        if (name == "mlp_sums") return product("mlp_input", weights().mlp_in);
        if (name == "mlp_hidden") return explain_activation();
        if (name == "mlp_added") return product("mlp_hidden", weights().mlp_out);
        if (name == "after" && config_.mlp_width == 0) return copy("middle");
        if (name == "after") return sum("middle", "mlp_added", weights().norm_2);
        fail_check(__FILE__, __LINE__, concat("no way to explain ", name));
    }

private:
    const LayerWeights& weights() const { return edited_.weights(); }

    // The cell's row of another stage of the layer, and one number of it.
    std::vector<ModelFactor> row(std::string_view stage) const {
        return factors_of_row(row_of(matrix_of(stage), cell_.row), stage, cell_.layer, cell_.row);
    }
    ModelFactor number(std::string_view stage, int column) const {
        return factor_of(static_cast<double>(matrix_of(stage)(cell_.row, column)),
                         {.name = std::string(stage), .layer = cell_.layer, .head = {}, .place = {cell_.row, column}});
    }
    const Matrix& matrix_of(std::string_view stage) const {
        const Matrix* matrix = layer_matrix(trace_, *model_stage_of_name(stage));
        ATTN_CHECK(matrix != nullptr, "the layer has no ", stage);
        return *matrix;
    }
    NormRule rule(const NormWeights& norm) const {
        return {.kind = config_.norm, .eps = config_.norm_eps, .weights = norm};
    }
    void finish(std::string formula, std::vector<ModelTerm> terms) {
        to_.formula = std::move(formula);
        to_.steps.push_back(sum_step(std::string(cell_.stage->name), std::move(terms)));
    }
    void norm(const NormRule& by, std::string_view x, const std::vector<std::vector<ModelTerm>>& terms) {
        to_.formula = norm_formula(by, x);
        add_norm_steps(by, terms, cell_.column, std::string(cell_.stage->name), to_.steps);
    }

    void copy(std::string_view stage) { finish(concat(stage, ": taken over"), {term_of(number(stage, cell_.column))}); }

    void explain_before() {
        if (cell_.layer > 0) {
            const auto value = static_cast<double>(run_.stream(cell_.layer)(cell_.row, cell_.column));
            return finish(
                concat("after of layer ", cell_.layer, ": taken over"),
                {term_of(factor_of(
                    value,
                    {.name = "after", .layer = cell_.layer - 1, .head = {}, .place = {cell_.row, cell_.column}}))});
        }
        const NormWeights& norm_weights = model_.weights.embedding_norm;
        const bool has_types = model_.weights.type_embedding != nullptr;
        const std::string sum =
            concat("the token's embedding", config_.positions == PositionKind::learned ? " + that of its position" : "",
                   has_types ? " + that of its type" : "");
        if (norm_weights.weight == nullptr) return finish(sum, embedding_terms(cell_.column));
        std::vector<std::vector<ModelTerm>> terms;
        for (int c = 0; c < config_.width; ++c) terms.push_back(embedding_terms(c));
        norm(rule(norm_weights), has_types ? concat("(", sum, ")") : sum, terms);
    }

    std::vector<ModelTerm> embedding_terms(int column) const {
        const ModelInput& input = run_.input();
        const auto at = static_cast<std::size_t>(cell_.row);
        std::vector<ModelTerm> terms;
        const auto add = [&](const ModelTensor* table, int index) {
            if (table == nullptr) return;
            terms.push_back(term_of(factor_of_tensor(*table, std::int64_t{index} * config_.width + column)));
        };
        add(model_.weights.token_embedding, input.ids[at]);
        if (config_.positions == PositionKind::learned) add(model_.weights.position_embedding, cell_.row);
        add(model_.weights.type_embedding, input.types.empty() ? 0 : input.types[at]);
        return terms;
    }

    void explain_attention_input() {
        const auto is_typed = [&](const LayerEdit& edit) {
            return edit.layer == cell_.layer && edit.tensor == TensorId::embeddings && edit.row == cell_.row &&
                   edit.column == cell_.column;
        };
        if (std::ranges::any_of(run_.input().edits, is_typed))
            return finish("the number set here by hand", {term_of(factor_of(static_cast<double>(to_.shown)), "typed")});
        normed("before", weights().norm_1);
    }

    // What comes out of a stage's norm; where norms come after the sums, what comes out of the stage.
    void normed(std::string_view stage, const NormWeights& norm_weights) {
        if (config_.norms_after || config_.norm == NormKind::none) return copy(stage);
        norm(rule(norm_weights), stage, one_term_each(row(stage)));
    }

    // The stream and what is added to it; BERT norms the sum.
    void sum(std::string_view stream, std::string_view added, const NormWeights& norm_weights) {
        const std::string formula = concat(stream, " + ", added);
        const auto terms_at = [&](int c) {
            return std::vector<ModelTerm>{term_of(number(stream, c)), term_of(number(added, c))};
        };
        if (!config_.norms_after) return finish(formula, terms_at(cell_.column));
        std::vector<std::vector<ModelTerm>> terms;
        for (int c = 0; c < config_.width; ++c) terms.push_back(terms_at(c));
        norm(rule(norm_weights), concat("(", formula, ")"), terms);
    }

    void product(std::string_view stage, const LinearWeights& linear) {
        const LinearWeights& own = model_.weights.layers[static_cast<std::size_t>(cell_.layer)].out;
        const NamedLinear named = {.linear = linear,
                                   .is_edited = &linear == &weights().out && linear.weight != own.weight,
                                   .layer = cell_.layer,
                                   .weight_name = "w_out",
                                   .bias_name = "b_out"};
        finish(product_formula(named, stage), product_terms(named, row(stage), cell_.column));
    }

    // The heads side by side; one that is off hands on 0, or its mean over the tokens.
    void explain_merged() {
        const int head = cell_.column / config_.head_dim, column = cell_.column % config_.head_dim;
        const std::string of_head = concat("context of head ", head + 1, ", channel ", column);
        const auto context = [&](int token) {
            return term_of(
                factor_of(static_cast<double>(trace_.attention.context(head, token, column)),
                          {.name = "context", .layer = cell_.layer, .head = head, .place = {token, column}}));
        };
        if (!run_.input().is_off(cell_.layer, head)) return finish(of_head, {context(cell_.row)});
        if (run_.input().off_by == OffBy::zero)
            return finish(concat("0: head ", head + 1, " is off"), {term_of(factor_of(0), "off")});
        std::vector<ModelTerm> terms;
        for (int i = 0; i < length(trace_.merged, 0); ++i) terms.push_back(context(i));
        to_.formula = concat("mean over the tokens of the ", of_head, ": the head is off");
        const double size = static_cast<double>(terms.size());
        to_.steps.push_back(sum_step("merged", std::move(terms), size));
    }

    void explain_activation() {
        const bool is_gated = config_.activation == Activation::silu_gated;
        const ModelFactor gate = is_gated ? number("mlp_gate", cell_.column) : factor_of(0);
        to_.formula = activation_formula(config_.activation, "mlp_sums", "mlp_gate");
        add_activation_steps(config_.activation, number("mlp_sums", cell_.column), gate, "mlp_hidden", to_.steps);
    }

    const ModelRun& run_;
    const Model& model_;
    const ModelConfig& config_;
    const LayerTrace& trace_;
    const ModelCell& cell_;
    EditedWeights edited_;
    ModelExplanation& to_;
};

// The stages after the last layer, from the row of the stream that comes out of it.
class EndExplainer {
public:
    EndExplainer(const ModelRun& run, ModelExplanation& to)
        : run_(run), model_(run.model()), cell_(to.cell), to_(to), final_(run.final_row(to.cell.row)) {}

    void explain() {
        const std::string_view name = cell_.stage->name;
        if (name == "final_stream") return explain_final_stream();
        ATTN_CHECK(model_.weights.unembedding.is_there(), "this model has no logits");
        if (name == "logit_input") return explain_logit_input();
        if (name == "logits") return explain_logit();
        explain_probability();
    }

private:
    std::vector<ModelFactor> final_factors() const {
        return factors_of_row(row_of(final_, 0), "final_stream", std::nullopt, cell_.row);
    }

    void explain_final_stream() {
        const ModelConfig& config = model_.config;
        to_.shown = final_(0, cell_.column);
        const std::vector<ModelFactor> last = factors_of_row(row_of(run_.stream(config.num_layers), cell_.row), "after",
                                                             config.num_layers - 1, cell_.row);
        if (config.norms_after || config.norm == NormKind::none) {
            to_.formula = concat("after of layer ", config.num_layers, ": taken over");
            to_.steps.push_back(sum_step("final_stream", {term_of(last[static_cast<std::size_t>(cell_.column)])}));
            return;
        }
        const NormRule rule = {.kind = config.norm, .eps = config.norm_eps, .weights = model_.weights.final_norm};
        to_.formula = norm_formula(rule, concat("(after of layer ", config.num_layers, ")"));
        add_norm_steps(rule, one_term_each(last), cell_.column, "final_stream", to_.steps);
    }

    // BERT's head, from its dense layer on. Only the number's own column shows where its terms stand.
    void explain_logit_input() {
        const ModelConfig& config = model_.config;
        to_.shown = logit_input(model_, final_)(0, cell_.column);
        const NamedLinear dense = {.linear = model_.weights.head_dense, .weight_name = "", .bias_name = ""};
        const std::vector<ModelFactor> x = final_factors();
        std::vector<std::vector<ModelTerm>> row;
        for (int c = 0; c < dense.linear.outputs; ++c) {
            std::vector<ModelStep> steps = {sum_step("dense", product_terms(dense, x, c))};
            add_activation_steps(config.activation, result_of(steps[0]), factor_of(0), "activated", steps);
            const bool is_own = c == cell_.column;
            row.push_back({term_of(is_own ? result_of(steps.back()) : factor_of(steps.back().value))});
            if (is_own) to_.steps = std::move(steps);
        }
        const NormRule rule = {.kind = config.norm, .eps = config.norm_eps, .weights = model_.weights.head_norm};
        to_.formula = concat(norm_formula(rule, "activated"),
                             ", activated = ", activation_formula(config.activation, "dense", ""),
                             ", dense = ", product_formula(dense, "final_stream"));
        add_norm_steps(rule, row, cell_.column, "logit_input", to_.steps);
    }

    Matrix logits() const {
        LogitsWork work(model_, final_);
        work.advance(std::numeric_limits<std::int64_t>::max());
        return work.logits();
    }

    void explain_logit() {
        to_.shown = logits()(0, cell_.column);
        const bool has_own_head = model_.weights.head_dense.is_there();
        const std::string_view from = has_own_head ? "logit_input" : "final_stream";
        const NamedLinear named = {.linear = model_.weights.unembedding, .weight_name = "", .bias_name = ""};
        const std::vector<ModelFactor> x =
            has_own_head ? factors_of_row(elements(logit_input(model_, final_)), from, std::nullopt, cell_.row)
                         : final_factors();
        to_.formula = product_formula(named, from);
        to_.steps.push_back(sum_step("logits", product_terms(named, x, cell_.column)));
    }

    void explain_probability() {
        const Matrix row = logits();
        const auto at = static_cast<std::size_t>(cell_.column);
        to_.shown = softmax_of_row(elements(row)).probability(elements(row)[at]);
        to_.formula = "e^(logit − row max) / row sum";
        add_softmax_steps(factors_of_row(elements(row), "logits", std::nullopt, cell_.row), at, "probabilities",
                          to_.steps);
    }

    const ModelRun& run_;
    const Model& model_;
    const ModelCell& cell_;
    ModelExplanation& to_;
    Matrix final_;
};

}  // namespace

ModelExplanation explain_model(const ModelRun& run, const LayerTrace* trace, const ModelCell& cell) {
    ATTN_CHECK(cell.stage != nullptr, "no stage");
    ATTN_CHECK(cell.row >= 0 && cell.row < run.input().num_tokens(), "row ", cell.row);
    ModelExplanation explanation{.cell = cell, .shown = 0, .is_hidden = false, .formula = "", .steps = {}};
    if (!cell.stage->is_of_layer) {
        ATTN_CHECK(run.is_done(), "the run is not done");
        EndExplainer(run, explanation).explain();
        return explanation;
    }
    ATTN_CHECK(trace != nullptr, "the stage is one of a layer");
    if (cell.stage->attention) {
        explain_attention(run, *trace, explanation);
        return explanation;
    }
    const Matrix* matrix = layer_matrix(*trace, *cell.stage);
    ATTN_CHECK(matrix != nullptr && cell.column >= 0 && cell.column < length(*matrix, 1), "column ", cell.column,
               " of ", cell.stage->name);
    explanation.shown = (*matrix)(cell.row, cell.column);
    LayerExplainer(run, *trace, explanation).explain();
    return explanation;
}

}  // namespace attn

// A function for each kind of stage in a layer and around its attention.
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
#include "model/layers/model_stages.h"

namespace attn {
namespace {

// The stages around a layer's attention.
class LayerExplainer {
public:
    LayerExplainer(const ModelRun& run, const ExplainedLayer& layer, Explanation& to)
        : run_(run),
          model_(run.model()),
          config_(model_.config),
          layer_(layer),
          cell_(to.cell),
          edited_(model_, cell_.layer, run.input().edits),
          to_(to) {}

    void explain() {
        using enum TensorId;
        const TensorId stage = cell_.tensor;
        const TensorId projected = layer_.has_output ? output : attention_out;
        const bool norms_outputs = config_.norms_outputs();
        to_.shown = shown();
        if (explain_taken()) return;
        if (stage == before) return explain_before();
        if (stage == embeddings) return explain_attention_input();
        if (stage == merged) return explain_merged();
        if (stage == attention_out) return product(merged, layer_weights().out);
        if (stage == attention_added)
            return norms_outputs ? normed(projected, layer_weights().out_norm_1) : product(merged, layer_weights().out);
        const bool is_output_added = layer_.has_output && !norms_outputs;
        if (stage == middle) return sum(before, is_output_added ? output : attention_added, layer_weights().norm_1);
        if (stage == mlp_input) return input_of_part(config_.is_parallel ? before : middle, layer_weights().norm_2);
        if (stage == mlp_gate) return product(mlp_input, layer_weights().mlp_gate);
        if (stage == mlp_sums) return product(mlp_input, layer_weights().mlp_in);
        if (stage == mlp_hidden) return explain_activation();
        if (stage == mlp_out) return product(mlp_hidden, layer_weights().mlp_out);
        if (stage == mlp_added)
            return norms_outputs ? normed(mlp_out, layer_weights().out_norm_2)
                                 : product(mlp_hidden, layer_weights().mlp_out);
        if (stage == after && config_.mlp_width == 0) return copy(middle);
        if (stage == after) return sum(middle, mlp_added, layer_weights().norm_2);
        fail_check(__FILE__, __LINE__, concat("no way to explain ", tensor_name(stage)));
    }

private:
    const LayerWeights& layer_weights() const { return edited_.weights(); }

    float shown() const {
        const std::vector<Factor> numbers = row(cell_.tensor);
        ATTN_CHECK(cell_.column >= 0 && cell_.column < static_cast<int>(numbers.size()), "column ", cell_.column,
                   " of ", tensor_name(cell_.tensor));
        return static_cast<float>(numbers[static_cast<std::size_t>(cell_.column)].value);
    }

    // The cell's row of a stage of the layer, and one number of it.
    std::vector<Factor> row(TensorId stage) const {
        if (stage == TensorId::before) return row_in(run_.stream(cell_.layer), stage);
        if (stage == TensorId::embeddings) return row_in(layer_.problem.embeddings, stage);
        if (stage == TensorId::output) return row_in(layer_.attention.output, stage);
        if (stage == TensorId::merged) {
            Matrix heads = layer_.attention.merged;
            switch_heads_off(model_, run_.input(), cell_.layer, heads);
            take_heads(model_, run_.taken_rows(cell_.layer), layer_.attention.value, heads);
            return row_in(heads, stage);
        }
        const Matrix* matrix = layer_.block == nullptr ? nullptr : block_matrix(*layer_.block, stage);
        ATTN_CHECK(matrix != nullptr && matrix->size() != 0, "the layer has no ", tensor_name(stage));
        return row_in(*matrix, stage);
    }
    std::vector<Factor> row_in(const Matrix& matrix, TensorId stage) const {
        return factors_of_row(row_of(matrix, cell_.row), stage, cell_.layer, cell_.row);
    }
    Factor number(TensorId stage, int column) const { return row(stage)[static_cast<std::size_t>(column)]; }
    NormRule rule(const NormWeights& norm) const {
        return {.kind = config_.norm, .eps = config_.norm_eps, .weights = norm};
    }
    void finish(std::string formula, std::vector<Term> terms) {
        to_.formula = std::move(formula);
        to_.steps.push_back(sum_step(std::string(tensor_name(cell_.tensor)), std::move(terms)));
    }
    void norm(const NormRule& by, std::string_view x, const std::vector<std::vector<Term>>& terms) {
        to_.formula = norm_formula(by, x);
        add_norm_steps(by, terms, cell_.column, std::string(tensor_name(cell_.tensor)), to_.steps);
    }

    void copy(TensorId stage) {
        finish(concat(tensor_name(stage), ": taken over"), {term_of(number(stage, cell_.column))});
    }

    void explain_before() {
        if (cell_.layer > 0) {
            const auto value = static_cast<double>(run_.stream(cell_.layer)(cell_.row, cell_.column));
            return finish(concat("after of layer ", cell_.layer, ": taken over"),
                          {term_of(factor_of(value, {TensorId::after, 0, cell_.row, cell_.column, cell_.layer - 1}))});
        }
        const NormWeights& norm_weights = model_.weights.embedding_norm;
        const bool has_types = model_.weights.type_embedding != nullptr;
        const std::string sum = concat("the token's embedding", config_.embedding_scale == 1 ? "" : " · scale",
                                       config_.positions == PositionKind::learned ? " + that of its position" : "",
                                       has_types ? " + that of its type" : "");
        if (norm_weights.weight == nullptr) return finish(sum, embedding_terms(cell_.column));
        std::vector<std::vector<Term>> terms;
        for (int c = 0; c < config_.width; ++c) terms.push_back(embedding_terms(c));
        norm(rule(norm_weights), has_types ? concat("(", sum, ")") : sum, terms);
    }

    std::vector<Term> embedding_terms(int column) const {
        const ModelInput& input = run_.input();
        std::vector<Term> terms;
        for (const EmbeddedRow& one : embedded_rows(model_, input, cell_.row, position_rows_of(config_, input))) {
            terms.push_back(term_of(factor_of_tensor(*one.table, std::int64_t{one.row} * config_.width + column)));
            if (one.of == EmbeddedRow::Of::token) terms.back().b = factor_of(static_cast<double>(one.scale));
        }
        return terms;
    }

    void explain_attention_input() {
        const auto is_typed = [&](const LayerEdit& edit) {
            return edit.layer == cell_.layer && edit.tensor == TensorId::embeddings && edit.row == cell_.row &&
                   edit.column == cell_.column;
        };
        if (std::ranges::any_of(run_.input().edits, is_typed))
            return finish("the number set here by hand", {term_of(factor_of(static_cast<double>(to_.shown)), "typed")});
        input_of_part(TensorId::before, layer_weights().norm_1);
    }

    // What attention or MLP work on: the stage's norm, or the stage where inputs are not normed.
    void input_of_part(TensorId stage, const NormWeights& norm_weights) {
        if (!config_.norms_inputs() || config_.norm == NormKind::none) return copy(stage);
        normed(stage, norm_weights);
    }
    void normed(TensorId stage, const NormWeights& norm_weights) {
        norm(rule(norm_weights), tensor_name(stage), one_term_each(row(stage)));
    }

    // The stream and what is added to it; BERT norms the sum.
    void sum(TensorId stream, TensorId added, const NormWeights& norm_weights) {
        const std::string formula = concat(tensor_name(stream), " + ", tensor_name(added));
        const std::vector<Factor> of_stream = row(stream), of_added = row(added);
        const auto terms_at = [&](int c) {
            const auto at = static_cast<std::size_t>(c);
            return std::vector<Term>{term_of(of_stream[at]), term_of(of_added[at])};
        };
        if (!config_.norms_sums()) return finish(formula, terms_at(cell_.column));
        std::vector<std::vector<Term>> terms;
        for (int c = 0; c < config_.width; ++c) terms.push_back(terms_at(c));
        norm(rule(norm_weights), concat("(", formula, ")"), terms);
    }

    void product(TensorId stage, const LinearWeights& linear) {
        const LinearWeights& own = model_.weights.layers[static_cast<std::size_t>(cell_.layer)].out;
        const NamedLinear named = {.linear = linear,
                                   .is_edited = &linear == &layer_weights().out && linear.weight != own.weight,
                                   .layer = cell_.layer,
                                   .weight = TensorId::w_out,
                                   .bias = TensorId::b_out};
        finish(product_formula(named, tensor_name(stage)), product_terms(named, row(stage), cell_.column));
    }

    // The heads side by side; one that is off hands on 0, or its mean over the tokens.
    void explain_merged() {
        const int head = cell_.column / config_.head_dim, column = cell_.column % config_.head_dim;
        const std::string of_head = concat("context of head ", head + 1, ", channel ", column);
        const auto context = [&](int token) {
            return term_of(factor_of(static_cast<double>(layer_.attention.context(head, token, column)),
                                     {TensorId::context, head, token, column, cell_.layer}));
        };
        if (!run_.input().is_off(cell_.layer, head)) return finish(of_head, {context(cell_.row)});
        if (run_.input().off_by == OffBy::zero)
            return finish(concat("0: head ", head + 1, " is off"), {term_of(factor_of(0), "off")});
        std::vector<Term> terms;
        for (int i = 0; i < run_.input().num_tokens(); ++i) terms.push_back(context(i));
        to_.formula = concat("mean over the tokens of the ", of_head, ": the head is off");
        const double size = static_cast<double>(terms.size());
        to_.steps.push_back(sum_step("merged", std::move(terms), size));
    }

    // What a patch brought. Returns whether one did.
    bool explain_taken() {
        const auto head = cell_.tensor == TensorId::merged ? cell_.column / config_.head_dim : 0;
        const auto has = [&](PatchOf of) {
            const Patch patch = {.of = of, .layer = cell_.layer, .head = head, .row = cell_.row};
            return std::ranges::find(run_.input().patches, patch) != run_.input().patches.end();
        };
        const bool is_stream = cell_.tensor == TensorId::before && has(PatchOf::stream);
        const bool is_mlp = cell_.tensor == TensorId::mlp_added && has(PatchOf::mlp);
        const bool is_merged = cell_.tensor == TensorId::merged;
        if (is_merged && has(PatchOf::weights)) {
            explain_taken_weights(head);
        } else if (is_stream || is_mlp || (is_merged && has(PatchOf::head))) {
            finish("the other text's number, put here by a patch",
                   {term_of(factor_of(static_cast<double>(to_.shown)), "taken")});
        } else {
            return false;
        }
        return true;
    }

    // Weights of the other text, times this one's values. A patch of the head itself comes before it and counts less.
    void explain_taken_weights(int head) {
        const int column = cell_.column % config_.head_dim;
        const int kv_head = head / (config_.num_heads / config_.num_kv_heads);
        for (const TakenRow& taken : run_.taken_rows(cell_.layer)) {
            const Patch& patch = taken.patch;
            if (patch.of != PatchOf::weights || patch.head != head || patch.row != cell_.row) continue;
            std::vector<Term> terms;
            for (int key = 0; key < num_taken_keys(taken, run_.input().num_tokens()); ++key) {
                const auto value = static_cast<double>(layer_.attention.value(kv_head, key, column));
                terms.push_back(product_of(factor_of(static_cast<double>(taken.numbers[static_cast<std::size_t>(key)])),
                                           factor_of(value, {TensorId::values, head, key, column, cell_.layer})));
            }
            finish(concat("the other text's weights of head ", head + 1, ", put here by a patch, · values"),
                   std::move(terms));
        }
    }

    void explain_activation() {
        std::optional<Factor> gate;
        if (config_.is_gated) gate = number(TensorId::mlp_gate, cell_.column);
        to_.formula = activation_formula(config_.activation, "mlp_sums", gate ? "mlp_gate" : "");
        add_activation_steps(config_.activation, number(TensorId::mlp_sums, cell_.column), gate, "mlp_hidden",
                             to_.steps);
    }

    const ModelRun& run_;
    const Model& model_;
    const ModelConfig& config_;
    const ExplainedLayer& layer_;
    const CellRef& cell_;
    EditedWeights edited_;
    Explanation& to_;
};

}  // namespace

Explanation explain_layer(const ModelRun& run, const ExplainedLayer& layer, const CellRef& cell) {
    ATTN_CHECK(is_of_layer(cell.tensor), tensor_name(cell.tensor), " is no stage of a layer");
    ATTN_CHECK(cell.row >= 0 && cell.row < run.input().num_tokens(), "row ", cell.row);
    Explanation explanation;
    explanation.cell = cell;
    if (stage_info(cell.tensor).has_heads) {
        explain_attention(run, layer.problem, layer.attention, explanation);
    } else {
        LayerExplainer(run, layer, explanation).explain();
    }
    return explanation;
}

}  // namespace attn

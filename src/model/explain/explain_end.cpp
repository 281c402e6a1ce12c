// The stages after the last layer, and the same of an earlier stream.
#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "model/explain/explain_model.h"
#include "model/explain/explain_steps.h"
#include "model/layers/model_stages.h"

namespace attn {
namespace {

// The stages after the last layer, from the row of the stream that comes out of it, or out of an earlier one.
class EndExplainer {
public:
    EndExplainer(const Model& model, int layer, std::span<const float> after, Explanation& to)
        : model_(model),
          layer_(layer),
          after_(after),
          cell_(to.cell),
          to_(to),
          final_(norm_last(model, as_row(after))) {}

    void explain() {
        if (cell_.tensor == TensorId::final_stream) return explain_final_stream();
        ATTN_CHECK(model_.weights.unembedding.is_there(), "this model has no logits");
        if (cell_.tensor == TensorId::logit_input) return explain_logit_input();
        if (cell_.tensor == TensorId::logits) return explain_logit();
        explain_probability();
    }

private:
    static Matrix as_row(std::span<const float> numbers) {
        Matrix row = zeros<Matrix>(1, static_cast<int>(numbers.size()));
        std::ranges::copy(numbers, row_of(row, 0).begin());
        return row;
    }
    bool is_last() const { return layer_ == model_.config.num_layers; }
    std::string stream() const {
        return layer_ == 0 ? std::string("before of layer 1") : concat("after of layer ", layer_);
    }
    std::string name_of(TensorId stage) const {
        if (is_last()) return std::string(tensor_name(stage));
        return concat(tensor_name(stage), layer_ == 0 ? " of the embeddings" : concat(" after layer ", layer_));
    }
    // A row of a stage of the whole model. That of an earlier stream is no number of it, and goes by its name alone.
    std::vector<Factor> end_factors(std::span<const float> row, TensorId stage) const {
        if (is_last()) return factors_of_row(row, stage, layer_ - 1, cell_.row);
        const std::string name = name_of(stage);
        std::vector<Factor> factors;
        for (const float number : row)
            factors.push_back(factor_of_lens(static_cast<double>(number), name, cell_.row,
                                             static_cast<std::int64_t>(factors.size())));
        return factors;
    }
    std::vector<Factor> final_factors() const { return end_factors(row_of(final_, 0), TensorId::final_stream); }

    void explain_final_stream() {
        const ModelConfig& config = model_.config;
        to_.shown = final_(0, cell_.column);
        const std::vector<Factor> last = factors_of_row(after_, layer_ == 0 ? TensorId::before : TensorId::after,
                                                        std::max(layer_ - 1, 0), cell_.row);
        if (config.norms_sums() || config.norm == NormKind::none) {
            to_.formula = concat(stream(), ": taken over");
            to_.steps.push_back(sum_step("final_stream", {term_of(last[static_cast<std::size_t>(cell_.column)])}));
            return;
        }
        const NormRule rule = {.kind = config.norm, .eps = config.norm_eps, .weights = model_.weights.final_norm};
        to_.formula = norm_formula(rule, concat("(", stream(), ")"));
        add_norm_steps(rule, one_term_each(last), cell_.column, "final_stream", to_.steps);
    }

    // BERT's head, from its dense layer on. Only the number's own column shows where its terms stand.
    void explain_logit_input() {
        const ModelConfig& config = model_.config;
        to_.shown = logit_input(model_, final_)(0, cell_.column);
        const NamedLinear dense = {.linear = model_.weights.head_dense};
        const std::vector<Factor> x = final_factors();
        std::vector<std::vector<Term>> row;
        for (int c = 0; c < dense.linear.outputs; ++c) {
            if (c != cell_.column) {
                std::vector<ExplainedStep> steps;
                const Factor sum = factor_of(product_value(dense, x, c));
                add_activation_steps(config.head_activation, sum, std::nullopt, "activated", steps);
                row.push_back({term_of(factor_of(steps.back().value))});
                continue;
            }
            to_.steps = {sum_step("dense", product_terms(dense, x, c))};
            add_activation_steps(config.head_activation, result_of(to_.steps[0]), std::nullopt, "activated", to_.steps);
            row.push_back({term_of(result_of(to_.steps.back()))});
        }
        const NormRule rule = {.kind = config.norm, .eps = config.norm_eps, .weights = model_.weights.head_norm};
        to_.formula = concat(norm_formula(rule, "activated"),
                             ", activated = ", activation_formula(config.head_activation, "dense", ""),
                             ", dense = ", product_formula(dense, name_of(TensorId::final_stream)));
        add_norm_steps(rule, row, cell_.column, "logit_input", to_.steps);
    }

    Matrix logits() const {
        LogitsWork work(model_, final_);
        work.advance(std::numeric_limits<std::int64_t>::max());
        return work.logits();
    }

    void explain_logit() {
        to_.shown = logit_of(model_, final_, cell_.column);
        const bool has_own_head = model_.weights.head_dense.is_there();
        const TensorId from = has_own_head ? TensorId::logit_input : TensorId::final_stream;
        const NamedLinear named = {.linear = model_.weights.unembedding};
        const std::vector<Factor> x =
            has_own_head ? end_factors(elements(logit_input(model_, final_)), from) : final_factors();
        const ModelConfig& config = model_.config;
        const bool is_scaled = config.logit_scale != 1, is_capped = config.logit_cap > 0;
        to_.formula = concat(is_scaled ? concat(config.logit_scale, " · (") : "", product_formula(named, name_of(from)),
                             is_scaled ? ")" : "", is_capped ? ", then cap · tanh(· / cap)" : "");
        to_.steps.push_back(sum_step(is_scaled || is_capped ? "sum" : "logits", product_terms(named, x, cell_.column)));
        if (is_scaled) {
            Term scaled = product_of(result_of(to_.steps.back()), factor_of(static_cast<double>(config.logit_scale)));
            to_.steps.push_back(sum_step(is_capped ? "scaled" : "logits", {std::move(scaled)}));
        }
        if (is_capped) add_cap_step(config.logit_cap, "logits", to_.steps);
    }

    void explain_probability() {
        const Matrix row = logits();
        const auto at = static_cast<std::size_t>(cell_.column);
        to_.shown = softmax_of_row(elements(row)).probability(elements(row)[at]);
        to_.formula = "e^(logit − row max) / row sum";
        add_softmax_steps(end_factors(elements(row), TensorId::logits), at, "probabilities", to_.steps);
    }

    const Model& model_;
    int layer_;  // the stream after it, 0: before the first one
    std::span<const float> after_;
    const CellRef& cell_;
    Explanation& to_;
    Matrix final_;
};

Explanation explain_stream(const Model& model, int layer, std::span<const float> after, const CellRef& cell) {
    ATTN_CHECK(!is_of_layer(cell.tensor), tensor_name(cell.tensor), " is a stage of a layer");
    ATTN_CHECK(static_cast<int>(after.size()) == model.config.width, after.size(), " numbers of a stream of ",
               model.config.width);
    Explanation explanation;
    explanation.cell = cell;
    EndExplainer(model, layer, after, explanation).explain();
    return explanation;
}

}  // namespace

Explanation explain_end(const Model& model, std::span<const float> after, const CellRef& cell) {
    return explain_stream(model, model.config.num_layers, after, cell);
}

Explanation explain_lens(const ModelRun& run, int layer, const CellRef& cell) {
    ATTN_CHECK(cell.row >= 0 && cell.row < run.input().num_tokens(), "row ", cell.row);
    ATTN_CHECK(layer >= 0 && layer <= run.num_layers_done(), "layer ", layer);
    return explain_stream(run.model(), layer, row_of(run.stream(layer), cell.row), cell);
}

Explanation explain_lens_logit(const ModelRun& run, int layer, int row, int token) {
    return explain_lens(run, layer, {.tensor = TensorId::logits, .row = row, .column = token});
}

Explanation explain_lens_channel(const ModelRun& run, int layer, int row, int channel) {
    const TensorId stage = run.model().weights.head_dense.is_there() ? TensorId::logit_input : TensorId::final_stream;
    return explain_lens(run, layer, {.tensor = stage, .row = row, .column = channel});
}

}  // namespace attn

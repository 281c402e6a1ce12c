// Cells of the core become cells of the model.
#include "model/explain/explain_attention.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/attention/rotary.h"
#include "core/explain/explain.h"
#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "model/explain/explain_steps.h"

namespace attn {
namespace {

class AttentionExplainer {
public:
    AttentionExplainer(const ModelRun& run, const LayerTrace& trace, ModelExplanation& to)
        : run_(run),
          model_(run.model()),
          config_(model_.config),
          trace_(trace),
          problem_(trace.problem),
          edited_(model_, to.cell.layer, run.input().edits),
          to_(to) {}

    void explain() {
        const TensorId stage = *to_.cell.stage->attention;
        const bool is_shared = has_kv_heads(stage);
        const int reader = is_shared ? to_.cell.head * problem_.heads_per_kv_head() : to_.cell.head;
        const Explanation core =
            attn::explain(problem_, trace_.attention, EmbeddingParts(), stage, reader, to_.cell.row, to_.cell.column);
        to_.shown = core.shown;
        to_.is_hidden = core.is_hidden;
        if (is_role(stage)) return explain_role(stage, core);
        to_.formula = formula(stage);
        if (core.is_hidden) {
            to_.formula = stage == TensorId::weights ? "0: the key is hidden" : "−∞: the key is hidden";
            return;
        }
        if (core.is_softmax) return explain_weight(reader);
        to_.steps.push_back(sum_step(std::string(to_.cell.stage->name), terms_of(core.terms), core.divisor));
    }

private:
    std::string formula(TensorId stage) const {
        switch (stage) {
            case TensorId::scores:
                return "query · key";
            case TensorId::scaled_scores:
                return config_.scale == Scale::sqrt ? "score / √head_dim" : "score: this model does not divide";
            case TensorId::masked_scores:
                return "scaled score: the key is visible";
            case TensorId::weights:
                return "e^(score − row max) / row sum";
            default:
                return "weights · values";
        }
    }

    bool is_set_by_hand(TensorId role) const {
        const int column = column_of_head(to_.cell.column);
        return std::ranges::any_of(run_.input().edits, [&](const LayerEdit& edit) {
            return edit.layer == to_.cell.layer && edit.tensor == role && edit.row == to_.cell.row &&
                   edit.column == column;
        });
    }

    ModelFactor number(TensorId stage, int reader, int row, int column) const {
        const bool is_shared = has_kv_heads(stage);
        const int head = is_shared ? problem_.kv_head(reader) : reader;
        const ModelStageInfo& info =
            stage == TensorId::embeddings ? *model_stage_of_name("embeddings") : model_stage_of(stage);
        const std::optional<int> of_head = info.attention ? std::optional(head) : std::nullopt;
        const auto value = static_cast<double>(stage_row(problem_, trace_.attention, stage, reader, row)(column));
        return factor_of(
            value, {.name = std::string(info.name), .layer = to_.cell.layer, .head = of_head, .place = {row, column}});
    }

    ModelFactor factor(const Factor& core) const {
        if (!core.has_source) return factor_of(core.value);
        ModelFactor result = number(core.source.tensor, core.source.head, core.source.row, core.source.column);
        result.value = core.value;  // an exponential stands for its score
        return result;
    }

    std::vector<ModelTerm> terms_of(std::span<const Term> terms) const {
        std::vector<ModelTerm> result;
        for (const Term& term : terms)
            result.push_back({.a = factor(term.a), .b = factor(term.b), .label = term.label});
        return result;
    }

    // What a role is projected from, but for the positions that some models add there.
    std::vector<ModelFactor> input_row() const {
        std::vector<ModelFactor> row;
        for (int k = 0; k < config_.width; ++k) row.push_back(number(TensorId::embeddings, 0, to_.cell.row, k));
        return row;
    }

    NamedLinear linear_of(TensorId role) const {
        const LayerWeights& own = model_.weights.layers[static_cast<std::size_t>(to_.cell.layer)];
        const LayerWeights& used = edited_.weights();
        const auto named = [&](const LinearWeights& linear, const LinearWeights& unedited, std::string letter) {
            return NamedLinear{.linear = linear,
                               .is_edited = linear.weight != unedited.weight,
                               .layer = to_.cell.layer,
                               .weight_name = "w_" + letter,
                               .bias_name = "b_" + letter};
        };
        if (role == TensorId::queries) return named(used.query, own.query, "query");
        if (role == TensorId::keys) return named(used.key, own.key, "key");
        return named(used.value, own.value, "value");
    }

    int column_of_head(int column) const { return to_.cell.head * config_.head_dim + column; }

    // x . w + b, unless it was set by hand. The core takes what the model's rules make of queries and keys as typed.
    void explain_role(TensorId role, const Explanation& core) {
        const bool is_typed_to_core = core.terms.size() == 1 && core.terms[0].label == "typed";
        if (is_typed_to_core && !is_set_by_hand(role)) return explain_made_role(role);
        if (is_typed_to_core) {
            to_.formula = "the number set here by hand";
            to_.steps.push_back(sum_step(std::string(to_.cell.stage->name), terms_of(core.terms)));
            return;
        }
        const NamedLinear linear = linear_of(role);
        to_.formula = product_formula(linear, "embeddings");
        to_.steps.push_back(sum_step(std::string(to_.cell.stage->name),
                                     product_terms(linear, input_row(), column_of_head(to_.cell.column))));
    }

    // The product of one column, with what the positions add to what it is made of (Press et al. 2020).
    std::vector<ModelTerm> projected(const NamedLinear& linear, int column) const {
        std::vector<ModelTerm> terms = product_terms(linear, input_row(), column_of_head(column));
        if (config_.positions != PositionKind::queries_and_keys) return terms;
        for (int k = 0; k < config_.width; ++k) {
            const std::int64_t at = std::int64_t{to_.cell.row} * config_.width + k;
            terms.push_back(product_of(factor_of_tensor(*model_.weights.position_embedding, at),
                                       terms[static_cast<std::size_t>(k)].b));
        }
        return terms;
    }

    // Queries and keys that are normed, turned, or have their positions added alone.
    void explain_made_role(TensorId role) {
        const NamedLinear linear = linear_of(role);
        const std::string name(to_.cell.stage->name);
        const bool turns = config_.turns(to_.cell.layer) && to_.cell.column < config_.rope.dim;
        const std::string of =
            config_.positions == PositionKind::queries_and_keys ? "(embeddings + position)" : "embeddings";
        to_.formula = concat(product_formula(linear, of), config_.has_query_key_norm ? ", normed over the head" : "",
                             turns ? ", turned by the position's angle" : "");
        if (!turns) return add_before_turning(role, linear, to_.cell.column, name);
        const int size = config_.rope.dim, column = to_.cell.column;
        const int partner = partner_of(RotaryPairs::halves, size, column);
        const int pair = pair_of(RotaryPairs::halves, size, column);
        const bool is_first = column == first_of_pair(RotaryPairs::halves, size, pair);
        const Rotation rotation = rope_rotation(config_.rope, to_.cell.row, run_.input().num_tokens());
        add_before_turning(role, linear, column, "before turning");
        const ModelFactor own = result_of(to_.steps.back());
        add_before_turning(role, linear, partner, "partner");
        const ModelFactor other = result_of(to_.steps.back());
        const auto at = static_cast<std::size_t>(pair);
        ModelTerm cosine = product_of(own, factor_of(rotation.cosines[at]));
        cosine.label = "cos";
        ModelTerm sine = product_of(other, factor_of(is_first ? -rotation.sines[at] : rotation.sines[at]));
        sine.label = "sin";
        to_.steps.push_back(sum_step(name, {std::move(cosine), std::move(sine)}));
    }

    void add_before_turning(TensorId role, const NamedLinear& linear, int column, const std::string& name) {
        if (!config_.has_query_key_norm) {
            to_.steps.push_back(sum_step(name, projected(linear, column)));
            return;
        }
        // The norm is over all numbers of the head; only the number's own product shows where its terms stand.
        const NormWeights& weights =
            role == TensorId::queries ? edited_.weights().query_norm : edited_.weights().key_norm;
        to_.steps.push_back(sum_step(concat("projected ", column), projected(linear, column)));
        const ModelFactor own = result_of(to_.steps.back());
        std::vector<std::vector<ModelTerm>> row;
        for (int c = 0; c < config_.head_dim; ++c) {
            const ModelFactor other = c == column ? own : factor_of(sum_step("", projected(linear, c)).value);
            row.push_back({term_of(other)});
        }
        add_norm_steps({.kind = NormKind::rms, .eps = config_.norm_eps, .weights = weights}, row, column, name,
                       to_.steps);
    }

    void explain_weight(int reader) {
        std::vector<ModelFactor> row;
        std::size_t own = 0;
        for (int j = 0; j < problem_.num_tokens(); ++j) {
            if (problem_.hidden(to_.cell.row, j) != 0) continue;
            if (j == to_.cell.column) own = row.size();
            row.push_back(number(softmax_source(layer_parts(problem_)), reader, to_.cell.row, j));
        }
        add_softmax_steps(row, own, "weights", to_.steps);
    }

    const ModelRun& run_;
    const Model& model_;
    const ModelConfig& config_;
    const LayerTrace& trace_;
    const AttentionProblem& problem_;
    EditedWeights edited_;
    ModelExplanation& to_;
};

}  // namespace

void explain_attention(const ModelRun& run, const LayerTrace& trace, ModelExplanation& to) {
    AttentionExplainer(run, trace, to).explain();
}

void add_softmax_steps(std::span<const ModelFactor> row, std::size_t own, std::string name,
                       std::vector<ModelStep>& steps) {
    const auto largest = std::ranges::max_element(row, {}, &ModelFactor::value);
    steps.push_back(sum_step("row max", {term_of(*largest)}));
    const double most = largest->value;
    const auto exponential = [&](const ModelFactor& score) {
        ModelFactor factor = score;
        factor.value = portable::exp(score.value - most);
        return factor;
    };
    std::vector<ModelTerm> terms;
    for (const ModelFactor& score : row) terms.push_back(term_of(exponential(score), "exp"));
    steps.push_back(sum_step("row sum", std::move(terms)));
    const double sum = steps.back().value;
    steps.push_back(sum_step(std::move(name), {term_of(exponential(row[own]), "exp")}, sum));
}

}  // namespace attn

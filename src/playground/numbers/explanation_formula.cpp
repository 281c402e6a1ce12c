// What a number is, in one line: its equation in the words of the field.
#include <algorithm>

#include "core/attention/masking.h"
#include "core/ground/check.h"
#include "core/operations/layer_rows.h"
#include "core/words/code_points.h"
#include "playground/numbers/explanation_lines.h"
#include "playground/text/format.h"

namespace attn {
namespace {

// One number that somebody typed.
bool is_typed(const Explanation& explanation) {
    return explanation.terms.size() == 1 && explanation.terms[0].label == "typed";
}

// "X · w_query + b_query", or X alone where there are no matrices.
std::string projected(const Explanation& explanation, std::string_view x, std::string_view w, std::string_view b) {
    if (is_typed(explanation)) return "the number set here by hand";
    if (explanation.terms.size() == 1 && !explanation.terms[0].b.has_source)
        return concat(x, ": there are no matrices");
    const bool has_bias = !explanation.terms.empty() && explanation.terms.back().label == "bias";
    return concat(x, " · ", w, has_bias ? " + " : "", has_bias ? b : "");
}

std::string embedding_formula(const Evaluation& evaluation, const Explanation& explanation) {
    if (is_typed(explanation)) return "the number set here by hand";
    const EmbeddingParts& parts = evaluation.parts;
    const std::string_view position = parts.has_learned_positions   ? " + learned position"
                                      : parts.positions.size() != 0 ? " + position"
                                                                    : "";
    if (parts.pieces.empty()) return concat("token vector", position);
    const std::vector<std::string>& pieces = parts.pieces[static_cast<std::size_t>(explanation.cell.row)];
    if (pieces.size() == 1) return concat("hashed vector of ", quoted(pieces[0]), position);
    return concat("hashed vectors of ", quoted(pieces[0]), " and its ", pieces.size() - 1, " n-grams", position);
}

// What the scores are divided by, in words.
std::string divisor_words(const AttentionSettings& settings) {
    const bool has_own = rope_dim_of(settings) != 0;
    const std::string_view of_both = settings.scale == Scale::sqrt ? "√(head_dim + rope_dim)" : "(head_dim + rope_dim)";
    const std::string_view scale = has_own ? of_both : settings.scale == Scale::sqrt ? "√head_dim" : "head_dim";
    if (settings.scale == Scale::none) return settings.temperature == 1 ? "1" : "temperature";
    return settings.temperature == 1 ? std::string(scale) : concat("(", scale, " × temperature)");
}

std::string weight_formula(MaskAt mask_at) {
    switch (mask_at) {
        case MaskAt::before:
            return "weight = exp(score − row max) / row sum";
        case MaskAt::after:
            return "weight = softmax / what is left of the row";
        case MaskAt::after_raw:
            return "weight = softmax of the whole row: the key is visible";
    }
    fail_check(__FILE__, __LINE__, "no such place of the mask");
}

bool settings_has_output(const Evaluation& evaluation) {
    return has_stage(*evaluation.problem, TensorId::output);
}

// The label of the one number that stands in for a reason: "hidden", "no target".
std::string reason_of(const Explanation& explanation) {
    const std::vector<Term>& terms = explanation.terms;
    if (terms.size() != 1 || terms[0].a.has_source) return "";
    if (terms[0].label == "hidden") return "0: the key is hidden, so it has no part in the loss";
    if (terms[0].label == "no target") return "0: nothing is asked for here";
    if (terms[0].label == "no word follows") return "0: no word follows the last one";
    if (terms[0].label == "typed") return "0: the number was typed, and the way back stops there";
    return "";
}

std::string softmax_gradient_formula(const Evaluation& evaluation) {
    if (evaluation.problem->goal.kind == GoalKind::next) return "weight · (gradient of the weight − average)";
    const bool is_raw = evaluation.problem->settings.mask_at == MaskAt::after_raw;
    return concat("(", is_raw ? "softmax" : "attention", " − target) / rows with targets");
}

// "normed queries"
std::string spaced_name(TensorId tensor) {
    std::string name(tensor_name(tensor));
    std::ranges::replace(name, '_', ' ');
    return name;
}

// How a pair's angle turns a number of it.
std::string turn_formula(const Evaluation& evaluation, const Explanation& explanation) {
    const AttentionProblem& problem = *evaluation.problem;
    const RotarySettings& rotary = problem.settings.rotary;
    const CellRef& cell = explanation.cell;
    const int own = problem.rope_dim();
    const int size = own == 0 ? problem.head_dim() : own;
    const int first_turned = own != 0 && is_turned_stage(cell.tensor) ? problem.head_dim() : 0;
    const int column = cell.column - first_turned;
    const int pair = pair_of(rotary.pairs, size, column);
    const bool is_back = is_gradient(cell.tensor);
    const bool is_minus = (column == first_of_pair(rotary.pairs, size, pair)) != is_back;
    const bool is_query = dims_of(cell.tensor).matrices == Dim::heads;
    const std::string name = is_back    ? concat("gradient of ", spaced_name(tensor_of_gradient(cell.tensor)))
                             : is_query ? "rotated query"
                                        : "rotated key";
    const std::string before = concat(is_back                 ? "gradient of the rotated "
                                      : own != 0              ? "position "
                                      : problem.has_qk_norm() ? "normed "
                                                              : "",
                                      is_query ? "query" : "key");
    return concat(name, " = ", before, " · cos(angle) ", is_minus ? "−" : "+", " its partner in channel ",
                  partner_of(rotary.pairs, size, column) + (is_back && own != 0 ? problem.head_dim() : 0),
                  " · sin(angle)", cell.tensor == TensorId::grad_position_keys ? ", of every key head" : "");
}

std::string norm_gradient_formula(TensorId stage) {
    return stage == TensorId::grad_queries ? "(gradient of the normed query · q_norm − query · average) / rms"
                                           : "(gradient of the normed key · k_norm − key · average) / rms";
}

std::string gradient_formula(const Evaluation& evaluation, const Explanation& explanation) {
    const bool is_pattern = evaluation.problem->goal.kind == GoalKind::pattern;
    const MaskAt mask_at = evaluation.problem->settings.mask_at;
    const TensorId stage = explanation.cell.tensor;
    const std::string name = concat("gradient of ", tensor_name(tensor_of_gradient(stage)), " = ");
    if (const std::string reason = reason_of(explanation); !reason.empty()) return concat(name, reason);
    const LayerParts parts = layer_parts(*evaluation.problem);
    if (tensor_of_gradient(stage) == softmax_source(parts)) return concat(name, softmax_gradient_formula(evaluation));
    if (tensor_of_gradient(stage) == softmax_source_of_words(parts))
        return concat(name, "(probability − 1 for the word that follows) / positions");
    if (explanation.is_normed) return concat(name, norm_gradient_formula(stage));
    if (explanation.is_turned) return turn_formula(evaluation, explanation);
    if (evaluation.problem->rope_dim() != 0 && is_query_or_key_stage(tensor_of_gradient(stage)) &&
        !is_turned_stage(stage))
        return concat(name, "gradient of the same number behind");
    switch (stage) {
        case TensorId::grad_weights:
            if (is_pattern) return concat(name, "−target / (weight · rows with targets)");
            return evaluation.problem->settings.dropout > 0 ? concat(name, "that after dropout × 1 / (1 − dropout)")
                                                            : concat(name, "gradient of the context · value");
        case TensorId::grad_unmasked_weights:
            return concat(name, mask_at == MaskAt::after ? "(gradient of the weight − average) / what is left"
                                                         : "gradient of the weight");
        case TensorId::grad_scores:
            return concat(name, "gradient of the scaled score / ", divisor_words(evaluation.problem->settings));
        case TensorId::grad_sink_logits:
            return concat(name, is_pattern ? "sink's share / rows with targets, of each such row"
                                           : "sink's share · (0 − average of the row), of each row");
        default:
            return concat(name, formula_of_gradient(*evaluation.problem, stage));
    }
}

// Of the stages that are there only with latents; empty for all others.
std::string_view latent_formula(const Evaluation& evaluation, TensorId stage) {
    switch (stage) {
        case TensorId::query_latents:
            return "query latent = X · w_down_query";
        case TensorId::latents:
            return "latent = X · w_down_kv";
        case TensorId::absorbed_queries:
            return "absorbed query = query · row of w_key";
        case TensorId::position_queries:
            return evaluation.problem->query_latent() == 0 ? "position query = X · w_query_rope"
                                                           : "position query = query latent · w_query_rope";
        case TensorId::position_keys:
            return "position key = X · w_key_rope";
        case TensorId::mixed_latents:
            return evaluation.problem->settings.dropout > 0 ? "mixed latent = dropped weights · latents"
                                                            : "mixed latent = weights · latents";
        default:
            return {};
    }
}

// What a role is projected from.
std::string_view source_name(const Evaluation& evaluation, const Explanation& explanation) {
    const TensorId source = evaluation.problem->source_of(explanation.cell.tensor);
    return !kHasLatents || source == TensorId::embeddings ? "X"
           : source == TensorId::latents                  ? "latent"
                                                          : "query latent";
}

}  // namespace

std::string explanation_formula(const Evaluation& evaluation, const Explanation& explanation) {
    const AttentionSettings& settings = evaluation.problem->settings;
    if (kOpensModels && !explanation.steps.empty())
        return concat(tensor_name(explanation.cell.tensor), " = ", explanation.formula);
    if (kHasLatents && !latent_formula(evaluation, explanation.cell.tensor).empty())
        return std::string(latent_formula(evaluation, explanation.cell.tensor));
    switch (explanation.cell.tensor) {
        case TensorId::embeddings:
            return concat("embedding = ", embedding_formula(evaluation, explanation));
        case TensorId::queries:
            return concat("query = ",
                          projected(explanation, source_name(evaluation, explanation), "w_query", "b_query"));
        case TensorId::keys:
            return concat("key = ", projected(explanation, source_name(evaluation, explanation), "w_key", "b_key"));
        case TensorId::values:
            return concat("value = ",
                          projected(explanation, source_name(evaluation, explanation), "w_value", "b_value"));
        case TensorId::normed_queries:
            return "normed query = query · q_norm / rms";
        case TensorId::normed_keys:
            return "normed key = key · k_norm / rms";
        case TensorId::rotated_queries:
        case TensorId::rotated_keys:
            if (!explanation.is_turned && rope_dim_of(settings) != 0)
                return explanation.cell.tensor == TensorId::rotated_queries ? "the query's number as it is"
                                                                            : "the key's number as it is";
            if (is_rotary(settings)) return turn_formula(evaluation, explanation);
            break;
        case TensorId::scores:
            if (rope_dim_of(settings) != 0)
                return concat("score = query · key, ", evaluation.problem->head_dim(),
                              " products, + turned position query · turned position key, ", rope_dim_of(settings),
                              " more");
            if (is_rotary(settings)) return "score = rotated query · rotated key";
            return evaluation.problem->has_qk_norm() ? "score = normed query · normed key" : "score = query · key";
        case TensorId::scaled_scores:
            return concat("scaled score = score / ", divisor_words(settings));
        case TensorId::capped_scores:
            return "capped score = cap · tanh(scaled score / cap)";
        case TensorId::biased_scores:
            return concat("biased score = ", is_capped(settings) ? "capped" : "scaled", " score − slope of head ",
                          explanation.cell.head + 1, " · distance");
        case TensorId::masked_scores:
            return concat("masked score = ",
                          is_alibi(settings)    ? "biased"
                          : is_capped(settings) ? "capped"
                                                : "scaled",
                          " score: the key is visible");
        case TensorId::unmasked_weights:
            return "softmax = exp(score − row max) / row sum";
        case TensorId::weights:
            return concat(weight_formula(settings.mask_at),
                          evaluation.problem->has_sink() ? ", the sink's exponential in the sum" : "");
        case TensorId::sink_weights:
            return "sink's share = exp(sink logit − row max) / row sum";
        case TensorId::dropped_weights:
            return explanation.shown == 0 && explanation.terms[0].b.has_source
                       ? "dropped weight = 0: dropout drops this weight"
                       : "dropped weight = weight × 1 / (1 − dropout)";
        case TensorId::context:
            return settings.dropout > 0 ? "context = dropped weights · values" : "context = weights · values";
        case TensorId::merged: {
            const CellRef& source = explanation.terms[0].a.source;
            return concat("merged = context of head ", source.head + 1, ", channel ", source.column);
        }
        case TensorId::output:
            return concat("output = ", projected(explanation, "merged", "w_out", "b_out"));
        case TensorId::logits:
            return concat(settings_has_output(evaluation) ? "logit = output" : "logit = merged",
                          " · vector of the word");
        case TensorId::probabilities:
            return concat("probability = exp(", settings.logit_cap > 0 ? "capped " : "", "logit − row max) / row sum");
        case TensorId::capped_logits:
            return "capped logit = cap · tanh(logit / cap)";
        default:
            if (const TensorId of = explanation.cell.tensor; needs_goal(of) && is_gradient(of))
                return gradient_formula(evaluation, explanation);
            break;
    }
    fail_check(__FILE__, __LINE__, concat(tensor_name(explanation.cell.tensor), " is not a stage"));
}

}  // namespace attn

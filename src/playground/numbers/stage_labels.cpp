// The words for rows, columns, titles and legends of a stage.
#include "playground/numbers/stage_labels.h"

#include <cmath>
#include <limits>

#include <algorithm>

#include "core/ground/check.h"
#include "core/operations/stage_words.h"
#include "playground/text/format.h"

namespace attn {

std::string token_text(const Evaluation& evaluation, int token) {
    const auto& tokens = evaluation.tokens.tokens;
    const auto index = static_cast<std::size_t>(token);
    return index < tokens.size() ? tokens[index].text : concat(token);
}

std::string place_if_repeated(const Evaluation& evaluation, int token) {
    const auto& tokens = evaluation.tokens.tokens;
    const std::string text = token_text(evaluation, token);
    const auto count = std::count_if(tokens.begin(), tokens.end(), [&](const Token& one) { return one.text == text; });
    return count > 1 ? concat(" (", token, ")") : "";
}

std::string row_text(const Evaluation& evaluation, TensorId stage, int row) {
    return stage_info(stage).rows == Axis::channel ? concat(row) : token_text(evaluation, row);
}

std::string column_text(const Evaluation& evaluation, TensorId stage, int column) {
    if (kHasSinks && stage_info(stage).columns == Axis::sink) return "sink";
    switch (stage_info(stage).columns) {
        case Axis::channel:
            return concat(column);
        case Axis::word:
            return evaluation.run ? evaluation.run->words().at(static_cast<std::size_t>(column)) : concat(column);
        default:
            return token_text(evaluation, column);
    }
}

std::string divisor_text(const Inputs& inputs) {
    const int head_dim = inputs.d_out / inputs.num_heads + inputs.rope_dim;  // what a score is the products of
    std::string text;
    if (inputs.scale == Scale::sqrt) text = concat("√", head_dim);
    if (inputs.scale == Scale::dim) text = concat(head_dim);
    if (inputs.temperature != 1) text += concat(text.empty() ? "" : " · ", exact_number(inputs.temperature));
    return text.empty() ? "1" : text;
}

std::string stage_title(TensorId stage) {
    return std::string(stage_info(stage).title);
}

std::string head_title(const Sizes& sizes, TensorId stage, int head) {
    const std::string title = concat("Head ", head + 1);
    if (sizes.num_kv_heads == 0 || !has_kv_heads(stage)) return title;
    return concat(title, ": key head ", head / sizes.heads_per_kv_head() + 1);
}

std::string_view axes_in_words(TensorId stage) {
    const StageInfo& info = stage_info(stage);
    if (info.columns == Axis::key_token) return "rows: query · columns: key";
    if (kHasSinks && info.columns == Axis::sink) return "rows: query · one column: the sink";
    if (info.columns == Axis::word) return "rows: token · columns: word of the vocabulary";
    return info.rows == Axis::token ? "rows: token · columns: channel" : "rows and columns as in the matrix";
}

std::string_view hidden_in_words(const StageSummary& summary) {
    return summary.hides_only_future ? "in the future: masked" : "hidden key: masked";
}

std::string hidden_number(TensorId stage) {
    return shown_number(stage == TensorId::masked_scores ? -std::numeric_limits<double>::infinity() : 0);
}

std::string_view hidden_sign(TensorId stage) {
    return stage == TensorId::masked_scores ? "−∞ " : "grey 0 ";
}

namespace {

// Of the stages that a first visit does not show (tools/split.mjs).
[[gnu::noinline]] std::string remark_beside_weights(const Evaluation& evaluation, TensorId stage) {
    const AttentionSettings& settings = evaluation.problem->settings;
    const bool has_sink = evaluation.problem->has_sink();
    if (kHasSinks && stage == TensorId::sink_weights) return "how far each row of weights falls short of 1";
    if (stage == TensorId::unmasked_weights) return "every row sums to 1, hidden keys included";
    if (stage == TensorId::probabilities) return "every row sums to 1";
    // A cap lets less of some gradients through than of others.
    const bool is_uncapped = !is_capped(settings);
    const TensorId of = needs_goal(stage) && is_gradient(stage) ? tensor_of_gradient(stage) : stage;
    const bool is_before_cap = of == TensorId::scores || of == TensorId::scaled_scores;
    const bool sums_to_zero = of != stage && is_score(of) && (is_uncapped || !is_before_cap);
    if (sums_to_zero && !has_sink) return "every row sums to 0: softmax only moves weight from one key to another";
    const LayerParts parts = layer_parts(*evaluation.problem);
    if (column_sums_to_zero(stage, parts))
        return "every column sums to 0: what is added to every key changes no weight";
    const bool changes_keys = parts.has_qk_norm || (parts.is_rotary && !parts.has_own_rotary);
    if (!has_sink && is_uncapped && stage == TensorId::grad_b_key && !changes_keys)
        return "0 but for rounding: a bias of the keys changes no weight";
    if (stage == TensorId::dropped_weights)
        return concat("kept weights × ", range_end_text(static_cast<float>(1 / (1 - settings.dropout))),
                      ", the others 0");
    return "";
}

}  // namespace

std::string stage_remark(const Evaluation& evaluation, TensorId stage, const StageSummary& summary, Combine combine,
                         int num_maps, bool has_colors) {
    if (stage == TensorId::weights && combine == Combine::max) return "largest of all heads: rows need not sum to 1";
    if (stage == TensorId::weights) {
        const bool is_raw = evaluation.problem->settings.mask_at == MaskAt::after_raw && summary.has_hidden;
        if (evaluation.problem->has_sink()) return "every row sums to 1 together with its sink";
        return is_raw ? "rows no longer sum to 1: wrong" : "every row sums to 1";
    }
    std::string remark = remark_beside_weights(evaluation, stage);
    if (!remark.empty()) return remark;
    return stage_info(stage).is_signed && num_maps > 1 && has_colors ? "one scale for all heads" : "";
}

std::string_view row_stat_heading(RowStat stat) {
    ATTN_CHECK(stat != RowStat::none, "no number of the row is chosen");
    if (stat == RowStat::sum) return "Σ";
    return stat == RowStat::entropy ? "bits" : "max";
}

std::string_view row_stat_in_words(RowStat stat) {
    ATTN_CHECK(stat != RowStat::none, "no number of the row is chosen");
    if (stat == RowStat::entropy) return "bits: entropy of the row";
    return stat == RowStat::sum ? "Σ: sum of the row" : "max: largest weight of the row";
}

bool rows_may_miss_one(const Evaluation& evaluation, TensorId stage, Combine combine) {
    return stage == TensorId::dropped_weights || evaluation.problem->settings.mask_at == MaskAt::after_raw ||
           evaluation.problem->has_sink() || combine == Combine::max;
}

int label_step(double line, double cell) {
    if (line <= cell) return 1;
    const int needed = static_cast<int>(std::ceil(line / cell));
    for (const int round : {2, 5, 10, 20, 50, 100, 200, 500}) {
        if (round >= needed) return round;
    }
    return 1000;
}

}  // namespace attn

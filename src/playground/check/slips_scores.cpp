// Slips from the scores to the weights: the wrong divisor, the wrong direction, the wrong place for the mask.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/masking.h"
#include "core/attention/rms_norm.h"
#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "playground/check/slip_list.h"
#include "playground/text/format.h"

namespace attn {
namespace {

struct Divisor {
    double number;
    std::string words;  // "forget to divide by √2"
};

std::string root_of(int number) {
    return concat("√", number);
}

// What the scores may be divided by instead of what these settings ask for.
std::vector<Divisor> wrong_divisors(const SlipPlace& at) {
    const AttentionSettings& settings = at.settings();
    const int own = at.problem().rope_dim();
    const int head_dim = at.head_dim() + own;  // of all that a score is the products of
    const std::string_view name = own == 0 ? "head_dim" : "head_dim + rope_dim";
    const int d_out = at.evaluation.sizes.d_out;
    const auto temperature = static_cast<double>(settings.temperature);
    const double root = std::sqrt(static_cast<double>(head_dim));
    const std::string divided = settings.scale == Scale::dim ? concat(head_dim) : root_of(head_dim);
    std::vector<Divisor> divisors;
    if (settings.scale != Scale::none) divisors.push_back({temperature, concat("forget to divide by ", divided)});
    if (settings.scale != Scale::sqrt)
        divisors.push_back({root * temperature, concat("divide by ", root_of(head_dim))});
    if (settings.scale != Scale::dim) {
        divisors.push_back({head_dim * temperature, concat("divide by ", name, " = ", head_dim, ", not by its root")});
    }
    if (d_out != head_dim && settings.scale != Scale::none) {
        const bool is_root = settings.scale == Scale::sqrt;
        divisors.push_back({(is_root ? std::sqrt(static_cast<double>(d_out)) : d_out) * temperature,
                            concat("take d_out = ", d_out, " for ", name, " = ", head_dim)});
    }
    if (own != 0 && settings.scale == Scale::sqrt)
        divisors.push_back({std::sqrt(static_cast<double>(at.head_dim())) * temperature,
                            concat("divide by ", root_of(at.head_dim()), ": the turned numbers count, too")});
    if (settings.temperature != 1) {
        divisors.push_back({static_cast<double>(score_divisor(settings, at.head_dim())) / temperature,
                            concat("forget the temperature ", exact_number(settings.temperature))});
    }
    return divisors;
}

using Numbers = std::vector<double>;

// What ALiBi takes off the scaled score of a query and a key: 0 or less.
double bias_at(const SlipPlace& at, int query, int key) {
    return -slope_of_head(at.settings(), at.cell.head) * std::abs(query - key);
}

// What a scaled score of a query and a key is at a stage: capped from capped_scores on, biased from biased_scores on.
double changed(const SlipPlace& at, TensorId stage, double scaled, int query, int key) {
    if (stage == TensorId::scores || stage == TensorId::scaled_scores) return scaled;
    const auto cap = static_cast<double>(at.settings().score_cap);
    const double score = is_capped(at.settings()) ? cap * portable::tanh(scaled / cap) : scaled;
    return stage == TensorId::capped_scores ? score : score + bias_at(at, query, key);
}

// The row of scores of one query, divided, capped and biased where the settings say so; -inf where the key is hidden,
// if `masks`. Where heads have sinks, this one's logit stands behind them.
Numbers divided_row(const SlipPlace& at, const Matrix& scores, int query, double divisor, bool masks) {
    Numbers row;
    for (int key = 0; key < at.num_tokens(); ++key) {
        const bool is_left_out = masks && !at.is_visible(query, key);
        row.push_back(is_left_out ? -std::numeric_limits<double>::infinity()
                                  : changed(at, TensorId::weights, static_cast<double>(scores(query, key)) / divisor,
                                            query, key));
    }
    if (at.problem().has_sink())
        row.push_back(static_cast<double>(at.problem().projections->sink_logits(at.cell.head)));
    return row;
}

// Softmax of a list in double; at least one number is finite.
double softmax_at(const Numbers& numbers, int place) {
    const double largest = *std::max_element(numbers.begin(), numbers.end());
    double sum = 0;
    for (const double number : numbers) sum += portable::exp(number - largest);
    return portable::exp(numbers[static_cast<std::size_t>(place)] - largest) / sum;
}

// The weight at the cell if the scores had been divided by `divisor`, the mask being where the settings say.
double weight_with(const SlipPlace& at, const Matrix& scores, double divisor) {
    const auto& [head, row, column] = at.cell;
    const bool masks_before = at.settings().mask_at == MaskAt::before;
    const Numbers numbers = divided_row(at, scores, row, divisor, masks_before);
    if (at.stage != TensorId::weights || at.settings().mask_at != MaskAt::after) return softmax_at(numbers, column);
    return softmax_at(divided_row(at, scores, row, divisor, true), column);
}

// The softmax taken down the column of the cell: over the queries that see its key.
double weight_down_column(const SlipPlace& at, const Matrix& scores, double divisor) {
    const bool masks = at.stage == TensorId::weights;
    Numbers column;
    for (int query = 0; query < at.num_tokens(); ++query) {
        const Numbers row = divided_row(at, scores, query, divisor, masks);
        column.push_back(row[static_cast<std::size_t>(at.cell.column)]);
    }
    return softmax_at(column, at.cell.row);
}

// Steps of the softmax that were left out, or made with rounded numbers.
void add_softmax_slips(const SlipPlace& at, const Numbers& row) {
    const double score = row[static_cast<std::size_t>(at.cell.column)];
    const double largest = *std::max_element(row.begin(), row.end());
    at.add(portable::exp(score), "stop at exp(score) and do not divide by the row sum");
    at.add(portable::exp(score - largest), "stop at exp(score − row max) and do not divide by the row sum");
    double sum = 0;
    Numbers early;
    for (const double number : row) {
        if (std::isfinite(number)) sum += number;
        early.push_back(std::isfinite(number) ? rounded(number, 2) : number);
    }
    at.add(score / sum, "divide the score by the sum of the scores, without exp");
    at.add(softmax_at(early, at.cell.column), "round the scores to two decimals before the softmax");
}

// A capped score: not capped, cut off, or capped in another order.
void add_cap_slips(const SlipPlace& at, double score, double divisor) {
    const auto cap = static_cast<double>(at.settings().score_cap);
    const double scaled = score / divisor;
    const auto& [head, row, column] = at.cell;
    const double bias = at.stage == TensorId::capped_scores ? 0 : bias_at(at, row, column);
    at.add(scaled + bias, "forget the cap");
    at.add(std::clamp(scaled, -cap, cap) + bias, "cut the score off at the cap instead of bending it");
    at.add(portable::tanh(scaled / cap) + bias, "forget to multiply by the cap again");
    at.add(cap * portable::tanh(scaled) + bias, "forget to divide by the cap before tanh");
    at.add(cap * portable::tanh(score / cap) / divisor + bias, "cap the score before you divide it by the scale");
}

// A biased score: without the bias, or with another one. `capped` is the score that it is taken off.
void add_bias_slips(const SlipPlace& at, double capped) {
    const auto& [head, row, column] = at.cell;
    const double bias = bias_at(at, row, column);
    at.add(capped, "forget what the distance takes off");
    at.add(capped - bias, "add the slope times the distance instead of taking it off");
    const int next = head + 1 < at.num_heads() ? head + 1 : head - 1;
    if (next >= 0)
        at.add(capped - slope_of_head(at.settings(), next) * std::abs(row - column),
               concat("take the slope of head ", next + 1));
    at.add(capped + bias - slope_of_head(at.settings(), head), "count a token as 1 away from itself");
}

}  // namespace

void add_score_slips(const SlipPlace& at) {
    const auto& [head, row, column] = at.cell;
    const LayerParts parts = layer_parts(at.problem());
    const Matrix query = at.matrix(scored_queries(parts), head);
    const Matrix key = at.matrix(scored_keys(parts), head);
    const Matrix scores = at.matrix(TensorId::scores, head);
    const auto score = static_cast<double>(scores(row, column));
    const double divisor =
        at.stage == TensorId::scores ? 1 : static_cast<double>(score_divisor(at.settings(), at.head_dim()));
    const bool is_behind_scaling = at.stage != TensorId::scores && at.stage != TensorId::scaled_scores;
    const auto add = [&, row = row, column = column](double scaled, std::string_view words) {
        at.add(changed(at, at.stage, scaled, row, column), std::string(words));
    };
    add(static_cast<double>(scores(column, row)) / divisor,
        "swap query and key: the query of the column's token, the key of the row's");
    if (length(query, 1) == at.num_tokens())
        add(dot(row_of(query, row), column_of(key, column)) / divisor, "multiply by K without transposing it");
    add(dot(row_of(query, row), row_of(key, column), 2) / divisor,
        "round queries and keys to two decimals before you multiply");
    if (at.num_heads() > 1) {
        double all = 0;
        for (int h = 0; h < at.num_heads(); ++h)
            all += static_cast<double>(at.matrix(TensorId::scores, h)(row, column));
        add(all / divisor, "use all d_out channels instead of this head's");
    }
    const auto add_from = [&, head = head, row = row, column = column](TensorId queries, TensorId keys,
                                                                       std::string_view words) {
        add(dot(row_of(at.matrix(queries, head), row), row_of(at.matrix(keys, head), column)) / divisor, words);
    };
    if (parts.has_own_rotary)
        add_from(TensorId::queries, TensorId::keys, "forget the products of the turned numbers");
    else if (parts.has_qk_norm)
        add_from(TensorId::queries, TensorId::keys, "multiply query and key as they are before they are normed");
    else if (parts.is_rotary)
        add_from(TensorId::queries, TensorId::keys, "multiply query and key as they are before they are turned");
    if (parts.is_rotary && parts.has_qk_norm)
        add_from(TensorId::normed_queries, TensorId::normed_keys,
                 "multiply query and key as they are before they are turned");
    if (is_behind_scaling && is_capped(at.settings())) add_cap_slips(at, score, divisor);
    if (is_behind_scaling && is_alibi(at.settings()) && at.stage != TensorId::capped_scores)
        add_bias_slips(at, changed(at, TensorId::capped_scores, score / divisor, row, column));
    if (at.stage == TensorId::scores) {
        const double right = static_cast<double>(score_divisor(at.settings(), at.head_dim()));
        add(score / right, "divide here already: that is the next step");
        return;
    }
    for (const Divisor& wrong : wrong_divisors(at)) add(score / wrong.number, wrong.words);
    add(score * divisor, "multiply where you should divide");
    add(rounded(score, 2) / divisor, "round the score to two decimals before you divide");
}

// A turned number, or a gradient that was turned back: not turned at all, turned the other way, or in the other pairs.
void add_turn_slips(const SlipPlace& at) {
    const auto& [head, row, column] = at.cell;
    const bool is_back = is_gradient(at.stage);
    const int own = at.problem().rope_dim();
    // Where some numbers are turned alone, these slips know the way there, of these numbers.
    if (own != 0 && (is_back || column < at.head_dim())) return;
    // What the turn takes: of a gradient the one at the rotated tensor.
    const bool is_query = is_query_stage(is_back ? tensor_of_gradient(at.stage) : at.stage);
    const std::size_t step = own != 0 ? 1 : at.problem().has_qk_norm() ? 2 : 0;
    const TensorId before = is_back    ? (is_query ? TensorId::grad_rotated_queries : TensorId::grad_rotated_keys)
                            : is_query ? kQueryStages[step]
                                       : kKeyStages[step];
    const Matrix plain = at.matrix(before, head);
    const int size = own == 0 ? at.head_dim() : own;
    const int place = own == 0 ? column : column - at.head_dim();  // among the numbers that are turned
    const RotarySettings& rotary = at.settings().rotary;
    const auto turned = [&, row = row](RotaryPairs pairs, int position, bool back) {
        std::vector<double> numbers;
        for (const float number : row_of(plain, row)) numbers.push_back(static_cast<double>(number));
        const Rotation rotation = rotation_at(position, size, rotary.base);
        back ? rotate_back(pairs, rotation, std::span<double>(numbers))
             : rotate(pairs, rotation, std::span<double>(numbers));
        return numbers[static_cast<std::size_t>(place)];
    };
    const int position = row + rotary.shift;
    const RotaryPairs other = rotary.pairs == RotaryPairs::halves ? RotaryPairs::neighbours : RotaryPairs::halves;
    at.add(static_cast<double>(plain(row, place)), is_back ? "forget to turn it back" : "forget to turn it");
    at.add(turned(rotary.pairs, position, !is_back), "turn it the other way: the sine with the other sign");
    at.add(turned(other, position, is_back), "take the wrong channel for its partner: the other way to make pairs");
    at.add(turned(rotary.pairs, position + 1, is_back), "count positions from 1");
}

// A normed number: not divided, divided by something else, without its weight, or as a LayerNorm makes it.
void add_norm_slips(const SlipPlace& at) {
    const auto& [head, row, column] = at.cell;
    const bool is_query = is_query_stage(at.stage);
    const TensorId before = is_query ? TensorId::queries : TensorId::keys;
    const Vector& weights = is_query ? at.problem().projections->q_norm : at.problem().projections->k_norm;
    const Matrix plain = at.matrix(before, head);
    const std::span<const float> x = row_of(plain, row);
    const auto weight = static_cast<double>(weights(column)),
               number = static_cast<double>(x[static_cast<std::size_t>(column)]);
    const double rms = rms_of(x, kQueryKeyNormEps), size = static_cast<double>(x.size());
    double mean = 0, variance = 0, all = 0;
    for (const float one : x) mean += static_cast<double>(one) / size;
    for (const float one : x) variance += (static_cast<double>(one) - mean) * (static_cast<double>(one) - mean) / size;
    int num_matrices = 0;
    for (int h = 0; h < at.num_heads(); h += is_query ? 1 : at.problem().heads_per_kv_head(), ++num_matrices) {
        const Matrix of_head = at.matrix(before, h);
        for (const float one : row_of(of_head, row)) all += static_cast<double>(one) * static_cast<double>(one) / size;
    }
    at.add(number / rms, "forget to multiply by the learned weight");
    at.add(number * weight, "forget to divide by the root mean square");
    at.add(number * weight / (rms * rms), "forget the root: divide by the mean of the squares");
    at.add(number * weight / (rms * std::sqrt(size)), "divide by the length: the root of the sum, not of the mean");
    if (variance > 0)
        at.add((number - mean) * weight / std::sqrt(variance + kQueryKeyNormEps),
               "take the mean off first, as LayerNorm does");
    if (num_matrices > 1)
        at.add(number * weight / std::sqrt(all / num_matrices + kQueryKeyNormEps),
               "take the mean over all heads, not over this one");
}

void add_weight_slips(const SlipPlace& at) {
    const auto& [head, row, column] = at.cell;
    const Matrix scores = at.matrix(TensorId::scores, head);
    const auto divisor = static_cast<double>(score_divisor(at.settings(), at.head_dim()));
    for (const Divisor& wrong : wrong_divisors(at)) at.add(weight_with(at, scores, wrong.number), wrong.words);
    at.add(weight_down_column(at, scores, divisor), "take the softmax down the columns instead of along the rows");

    const MaskAt mask_at = at.settings().mask_at;
    const Numbers masked = divided_row(at, scores, row, divisor, true);
    const Numbers unmasked = divided_row(at, scores, row, divisor, false);
    if (at.stage == TensorId::weights && mask_at != MaskAt::after_raw) {
        at.add(softmax_at(unmasked, column), "mask after the softmax and do not divide by the row sum again");
    } else {
        at.add(softmax_at(masked, column), "mask before the softmax");
    }
    if (at.problem().has_sink()) {
        Numbers keys = masked;
        keys.pop_back();
        at.add(softmax_at(keys, column), "leave the sink out of the row sum");
    }
    const bool sees_all = at.stage == TensorId::unmasked_weights || mask_at == MaskAt::after_raw;
    add_softmax_slips(at, sees_all ? unmasked : masked);
}

void add_sink_slips(const SlipPlace& at) {
    const auto& [head, row, column] = at.cell;
    const auto divisor = static_cast<double>(score_divisor(at.settings(), at.head_dim()));
    const Numbers numbers = divided_row(at, at.matrix(TensorId::scores, head), row, divisor, true);
    const double largest = *std::max_element(numbers.begin(), numbers.end());
    const double share = softmax_at(numbers, static_cast<int>(numbers.size()) - 1);
    if (share < 1) at.add(share / (1 - share), "leave the sink out of the row sum");
    at.add(portable::exp(numbers.back() - largest),
           "stop at exp(sink logit − row max) and do not divide by the row sum");
    at.add(1 - share, "give what the keys have: the sink has the rest");
}

void add_dropout_slips(const SlipPlace& at) {
    const auto& [head, row, column] = at.cell;
    const Matrix weights = at.matrix(TensorId::weights, head);
    const auto weight = static_cast<double>(weights(row, column));
    const double kept = 1 - at.settings().dropout;
    at.add(weight, "leave the weight as it was before dropout");
    at.add(weight / kept, "keep a weight that dropout drops");
    at.add(weight * kept, "multiply by 1 − p instead of dividing by it");
    at.add(0, "drop a weight that dropout keeps");
    at.add(rounded(weight, 2) / kept, "round the weight to two decimals before you divide");
}

}  // namespace attn

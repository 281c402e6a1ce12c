// Means and entropies over the rows of the selected tokens.
#include "views/lines/selection.h"
#include "playground/numbers/shown_rows.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/ground/check.h"
#include "playground/numbers/heads_together.h"
#include "playground/text/format.h"
#include "playground/text/text_table.h"

namespace attn {
namespace {

const std::string& text_of(const Evaluation& evaluation, int token) {
    return evaluation.tokens.tokens[static_cast<std::size_t>(token)].text;
}

std::vector<std::string> head_columns(const View& view, const ShownWeights& weights, HeadRange heads,
                                      std::string_view first) {
    std::vector<std::string> columns = {std::string(first)};
    for (int h = heads.first; h < heads.end; ++h) {
        columns.push_back(weights.is_combined() ? combined_title(view.combine, weights.evaluation().sizes.num_heads)
                                                : concat("head ", h + 1));
    }
    return columns;
}

// ", the first 64 of 2,048"; empty if all are there.
std::string cut_words(int shown, int total) {
    return shown == total ? "" : concat(", the first ", shown, " of ", with_thousands(total));
}

}  // namespace

void toggle_selected(View& view, int token) {
    if (view.select.erase(token) == 0) view.select.insert(token);
}

Vector mean_of_rows(const ShownWeights& weights, int head, const std::set<int>& select) {
    ATTN_CHECK(!select.empty(), "the mean of no rows");
    VectorD sums = zeros<VectorD>(weights.num_tokens());
    std::vector<bool> is_visible(sums.size(), false);
    for (const int query : select) {
        const Vector row = weights.row(head, query);
        for (std::size_t j = 0; j < sums.size(); ++j) {
            if (row(j) == kHiddenCell) continue;
            sums(j) += static_cast<double>(row(j));
            is_visible[j] = true;
        }
    }
    Vector mean = zeros<Vector>(weights.num_tokens());
    for (std::size_t j = 0; j < sums.size(); ++j) {
        mean(j) = is_visible[j] ? static_cast<float>(sums(j) / static_cast<double>(select.size())) : kHiddenCell;
    }
    return mean;
}

double entropy_of_row(const ShownWeights& weights, int head, int query) {
    const Vector row = weights.row(head, query);
    return row_entropy_bits(elements(row));
}

std::vector<TextTable> tables_of_selection(const View& view, const Evaluation& evaluation) {
    if (view.select.empty() || evaluation.is_empty()) return {};
    const ShownWeights weights(evaluation, lines_stage(evaluation, view.stage), view.combine);
    HeadRange heads = heads_looked_at(weights, view.head);
    heads.end = std::min(heads.end, heads.first + kMirrorHeads);
    const int num_selected = static_cast<int>(view.select.size());
    const int num_keys = std::min(weights.num_tokens(), kMirrorCells);
    const int num_queries = std::min(num_selected, kMirrorCells);

    TextTable means;
    means.title = concat("Selected tokens: mean ", tensor_name(weights.stage()), " of ",
                         num_selected == 1 ? "1 query" : concat(with_thousands(num_selected), " queries"),
                         cut_words(num_keys, weights.num_tokens()));
    means.columns = head_columns(view, weights, heads, "key");
    for (int j = 0; j < num_keys; ++j) means.rows.push_back({text_of(evaluation, j)});
    TextTable entropies;
    entropies.title = concat("Selected tokens: entropy of each row in bits", cut_words(num_queries, num_selected));
    entropies.columns = head_columns(view, weights, heads, "query");
    const std::vector<int> queries(view.select.begin(), std::next(view.select.begin(), num_queries));
    for (const int i : queries) entropies.rows.push_back({text_of(evaluation, i)});

    for (int h = heads.first; h < heads.end; ++h) {
        const Vector mean = mean_of_rows(weights, h, view.select);
        for (int j = 0; j < num_keys; ++j) {
            const float value = mean(static_cast<std::size_t>(j));
            means.rows[static_cast<std::size_t>(j)].push_back(
                value == kHiddenCell ? "masked" : shown_number(static_cast<double>(value)));
        }
        for (std::size_t k = 0; k < queries.size(); ++k) {
            entropies.rows[k].push_back(shown_number(entropy_of_row(weights, h, queries[k])));
        }
    }
    return {std::move(means), std::move(entropies)};
}

}  // namespace attn

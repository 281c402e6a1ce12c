// Walks the weights row by row and keeps the strongest.
#include "views/lines/attention_lines.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/ground/check.h"
#include "playground/numbers/heads_together.h"
#include "playground/numbers/shown_rows.h"

namespace attn {
namespace {

// Orders lines from the strongest down.
bool is_stronger(const AttentionLine& a, const AttentionLine& b) {
    if (a.weight != b.weight) return a.weight > b.weight;
    return std::tie(a.head, a.query, a.key) < std::tie(b.head, b.query, b.key);
}

}  // namespace

TensorId lines_stage(const Evaluation& evaluation, TensorId shown) {
    ATTN_CHECK(!evaluation.is_empty(), "an empty sentence has no weights");
    if (is_stage(shown) && has_row_stats(shown) && has_stage(*evaluation.problem, shown)) return shown;
    return weights_of_values(layer_parts(*evaluation.problem));
}

ShownWeights::ShownWeights(const Evaluation& evaluation, TensorId stage, Combine combine)
    : evaluation_(&evaluation), stage_(stage) {
    ATTN_CHECK(stage == lines_stage(evaluation, stage), tensor_name(stage), " holds no weights");
    if (attn::is_combined(evaluation, stage, combine)) combine_ = combine;
}

Vector ShownWeights::row(int head, int query) const {
    ATTN_CHECK(head >= 0 && head < num_heads() && query >= 0 && query < num_tokens(), "head ", head, ", query ", query,
               " of ", num_heads(), " heads of ", num_tokens(), " tokens");
    if (is_combined()) {
        const Matrix combined = combined_rows(*evaluation_, stage_, combine_, query, query + 1);
        Vector row = zeros<Vector>(num_tokens());
        std::copy(combined.begin(), combined.end(), row.begin());
        return row;
    }
    return shown_row(*evaluation_, stage_, head, query);
}

HeadRange heads_looked_at(const ShownWeights& weights, std::optional<int> enlarged) {
    if (!enlarged || weights.is_combined()) return {.first = 0, .end = weights.num_heads()};
    const int head = std::clamp(*enlarged, 0, weights.num_heads() - 1);
    return {.first = head, .end = head + 1};
}

float line_strength(float weight, float high) {
    ATTN_CHECK(high > 0, "the strongest line has weight ", high);
    if (!(weight > 0)) return 0;  // NaN too
    return std::pow(std::min(weight / high, 1.0F), 0.75F);
}

LineChoice choose_lines(const View& view, const ShownWeights& weights, int first, int end, const LineEnd& pointed_at) {
    LineChoice choice{.queries = {}, .key = std::nullopt, .heads = heads_looked_at(weights, view.head)};
    const int num_tokens = weights.num_tokens();
    if (pointed_at.query && *pointed_at.query < num_tokens) {
        choice.queries = {*pointed_at.query};
        return choice;
    }
    if (pointed_at.key && *pointed_at.key < num_tokens) {
        choice.key = pointed_at.key;
    } else if (view.cell && view.cell->row < num_tokens) {
        choice.queries = {view.cell->row};
        return choice;
    }
    for (int i = std::max(first, 0); i < std::min(end, num_tokens); ++i) {
        if (view.select.empty() || view.select.contains(i)) choice.queries.push_back(i);
    }
    return choice;
}

LineSearch::LineSearch(LineChoice choice, std::size_t most)
    : choice_(std::move(choice)), most_(most), head_(choice_.heads.first) {}

bool LineSearch::advance(const ShownWeights& weights, int num_rows) {
    for (int n = 0; n < num_rows && head_ < choice_.heads.end; ++n) {
        if (query_ < choice_.queries.size()) {
            const int query = choice_.queries[query_];
            const Vector row = weights.row(head_, query);
            const int first = choice_.key.value_or(0);
            const int end = choice_.key ? first + 1 : weights.num_tokens();
            for (int j = first; j < end; ++j) {
                const float weight = row(static_cast<std::size_t>(j));
                if (weight > 0) add({.head = head_, .query = query, .key = j, .weight = weight});
            }
        }
        if (++query_ >= choice_.queries.size()) {
            ++head_;
            query_ = 0;
        }
    }
    return head_ >= choice_.heads.end;
}

void LineSearch::add(const AttentionLine& line) {
    ++num_found_;
    if (kept_.size() < most_) {
        kept_.push_back(line);
        std::push_heap(kept_.begin(), kept_.end(), is_stronger);
    } else if (most_ > 0 && line.weight >= kept_.front().weight && is_stronger(line, kept_.front())) {
        std::pop_heap(kept_.begin(), kept_.end(), is_stronger);
        kept_.back() = line;
        std::push_heap(kept_.begin(), kept_.end(), is_stronger);
    }
}

LineSet LineSearch::take() {
    std::sort(kept_.begin(), kept_.end(), is_stronger);
    std::reverse(kept_.begin(), kept_.end());
    return {.lines = std::move(kept_), .num_found = num_found_};
}

LineSet strongest_lines(const ShownWeights& weights, const LineChoice& choice, std::size_t most) {
    LineSearch search(choice, most);
    while (!search.advance(weights, weights.num_tokens())) continue;
    return search.take();
}

}  // namespace attn

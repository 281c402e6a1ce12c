// Sums of weights over the cells that a role is about, in double.
#include "model/roles/role_scores.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/ground/check.h"

namespace attn {
namespace {

class Mean {
public:
    void add(double value) {
        sum_ += value;
        ++count_;
    }
    std::optional<double> value() const { return count_ == 0 ? std::nullopt : std::optional(sum_ / count_); }

private:
    double sum_ = 0;
    int count_ = 0;
};

// Where a row is largest, tokens of `ignored` left out; the first of equals. -1: all are.
int strongest_key(std::span<const float> row, std::span<const int> ignored) {
    int strongest = -1;
    for (int j = 0; j < static_cast<int>(row.size()); ++j) {
        if (std::find(ignored.begin(), ignored.end(), j) != ignored.end()) continue;
        const bool is_first = strongest < 0;
        if (is_first || row[static_cast<std::size_t>(j)] > row[static_cast<std::size_t>(strongest)]) strongest = j;
    }
    return strongest;
}

double weight_at(const HeadOnText& head, int row, int key) {
    ATTN_CHECK(row >= 0 && row < head.num_tokens() && key >= 0 && key < head.num_tokens(), "cell ", row, ", ", key,
               " of ", head.num_tokens(), " tokens");
    return static_cast<double>(head.row(row)[static_cast<std::size_t>(key)]);
}

// The mean over rows of the weight on all keys `behind` earlier copies of the row's token.
std::optional<double> copy_score(const HeadOnText& head, std::span<const int> ids, int behind) {
    const int T = head.num_tokens();
    ATTN_CHECK(std::cmp_equal(ids.size(), T), ids.size(), " ids of ", T, " tokens");
    Mean mean;
    for (int i = 0; i < T; ++i) {
        double sum = 0;
        bool has_copy = false;
        for (int j = 0; j < i; ++j) {
            if (ids[static_cast<std::size_t>(j)] != ids[static_cast<std::size_t>(i)]) continue;
            has_copy = true;
            sum += weight_at(head, i, j + behind);
        }
        if (has_copy) mean.add(sum);
    }
    return mean.value();
}

}  // namespace

std::optional<double> offset_score(const HeadOnText& head, int offset) {
    Mean mean;
    for (int i = std::max(offset, 0); i < head.num_tokens() && i - offset < head.num_tokens(); ++i)
        mean.add(weight_at(head, i, i - offset));
    return mean.value();
}

std::optional<double> offset_hits(const HeadOnText& head, int offset) {
    Mean mean;
    for (int i = std::max(offset, 0); i < head.num_tokens() && i - offset < head.num_tokens(); ++i)
        mean.add(strongest_key(head.row(i), {}) == i - offset ? 1 : 0);
    return mean.value();
}

std::optional<double> first_token_score(const HeadOnText& head) {
    Mean mean;
    for (int i = 1; i < head.num_tokens(); ++i) mean.add(weight_at(head, i, 0));
    return mean.value();
}

std::optional<double> confidence(const HeadOnText& head) {
    Mean mean;
    for (int i = 0; i + 1 < head.num_tokens(); ++i) {
        const std::span<const float> row = head.row(i);
        mean.add(static_cast<double>(*std::max_element(row.begin(), row.end())));
    }
    return mean.value();
}

std::optional<double> duplicate_score(const HeadOnText& head, std::span<const int> ids) {
    return copy_score(head, ids, 0);
}

std::optional<double> induction_score(const HeadOnText& head, std::span<const int> ids) {
    return copy_score(head, ids, 1);
}

std::optional<double> arc_hits(const HeadOnText& head, std::span<const Arc> arcs, std::span<const int> ignored) {
    Mean mean;
    for (const Arc& arc : arcs) {
        ATTN_CHECK(arc.from >= 0 && arc.from < head.num_tokens(), "an arc from token ", arc.from);
        mean.add(strongest_key(head.row(arc.from), ignored) == arc.to ? 1 : 0);
    }
    return mean.value();
}

std::vector<Arc> reversed(std::span<const Arc> arcs) {
    std::vector<Arc> result;
    for (const Arc& arc : arcs) result.push_back({.from = arc.to, .to = arc.from});
    return result;
}

std::optional<double> best_fixed_offset(std::span<const Arc> arcs) {
    if (arcs.empty()) return std::nullopt;
    std::map<int, int> counts;
    for (const Arc& arc : arcs) ++counts[arc.to - arc.from];
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return static_cast<double>(most->second) / static_cast<double>(arcs.size());
}

std::optional<double> attachment_score(const HeadOnText& head, std::span<const Attachment> attachments) {
    Mean mean;
    for (const Attachment& one : attachments) {
        double right = 0, wrong = 0;
        for (const int key : one.right) right += weight_at(head, one.row, key);
        for (const int key : one.wrong) wrong += weight_at(head, one.row, key);
        mean.add(right > wrong ? 1 : 0);
    }
    return mean.value();
}

}  // namespace attn

// What a head does, as a number: scores of one head's weights on one text, defined before anything was trained. Each is
// from 0 to 1, or nothing where the text has no row that it could be told from.
//
// Sources: Voita et al. 2019 (1905.09418) and Clark et al. 2019 (1906.04341) for positional and syntactic heads, Olsson
// et al. 2022 (2209.11895) for induction, TransformerLens' head_detector for duplicate tokens.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/attention/weight_rows.h"

namespace attn {

// The weights of one head, (T, T), after softmax and mask.
struct HeadOnText {
    const WeightRows& weights;
    int head = 0;

    int num_tokens() const { return weights.num_tokens(); }
    std::span<const float> row(int i) const { return row_of(weights, head, i); }
};

// The mean weight on the token `offset` before the query, over the rows that have one. offset 1: the previous token, 0:
// the token itself.
std::optional<double> offset_score(const HeadOnText& head, int offset);

// The share of rows whose largest weight is on the token `offset` before the query, over the rows that have one.
std::optional<double> offset_hits(const HeadOnText& head, int offset);

// The mean weight on the first token, over all rows but the first: an attention sink.
std::optional<double> first_token_score(const HeadOnText& head);

// The mean of the largest weight of each row, the last row left out: in texts that end with a token of their own it
// says nothing.
std::optional<double> confidence(const HeadOnText& head);

// The mean weight on earlier tokens that are the query's own again, over the rows that have such.
std::optional<double> duplicate_score(const HeadOnText& head, std::span<const int> ids);

// The mean weight on tokens that follow an earlier copy of the query's token, over the rows that have such: what came
// next the last time. In a run of N tokens that is repeated once, that is the token N - 1 before the query. The copy
// right before the query counts too: the token behind it is the query itself.
std::optional<double> induction_score(const HeadOnText& head, std::span<const int> ids);

// A word of a text and another on which it depends, by token.
struct Arc {
    int from = 0, to = 0;
};
// The share of arcs whose row `from` has its largest weight at `to`, tokens of `ignored` left out of the row ([CLS] and
// [SEP]). Under a causal mask arcs forward are never hit: score the reversed arcs too.
std::optional<double> arc_hits(const HeadOnText& head, std::span<const Arc> arcs, std::span<const int> ignored = {});
std::vector<Arc> reversed(std::span<const Arc> arcs);

// What a head that always looks at the same distance would hit: the best share over all distances. A head is syntactic
// when it hits clearly more (Voita: 10 points).
std::optional<double> best_fixed_offset(std::span<const Arc> arcs);

// A word that could belong to either of two places, of which one is right.
struct Attachment {
    int row = 0;
    std::vector<int> right, wrong;  // tokens
};
// The share of them where the right place has more weight than the wrong one. 0.5 is chance.
std::optional<double> attachment_score(const HeadOnText& head, std::span<const Attachment> attachments);

}  // namespace attn

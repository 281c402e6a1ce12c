// Rounds each line once and lets whole numbers add up.
#include "views/model/vote_column.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"

namespace attn {
namespace {

constexpr double kMostPrinted = 1e9;

std::string label_of(const Vote& vote) {
    switch (vote.from) {
        case Vote::From::embeddings:
            return "embedding";
        case Vote::From::head:
            return concat(vote.layer + 1, " · head ", vote.head + 1);
        case Vote::From::attention_bias:
            return concat(vote.layer + 1, " · bias");
        case Vote::From::mlp:
            return concat(vote.layer + 1, " · MLP");
        case Vote::From::final_bias:
            return "last bias";
        case Vote::From::cap:
            return "soft cap";
    }
    return "";
}

bool is_of_layer(const Vote& vote) {
    return vote.from != Vote::From::embeddings && vote.from != Vote::From::final_bias && vote.from != Vote::From::cap;
}

}  // namespace

std::optional<VoteColumn> vote_column(const Votes& votes, const std::vector<HeadOff>& off, int layer,
                                      std::size_t most_lines) {
    const auto is_printable = [](double number) { return std::abs(number) < kMostPrinted; };  // not NaN either
    const bool is_whole = std::ranges::all_of(votes.votes, [&](const Vote& vote) { return is_printable(vote.logit); });
    if (!is_whole || !is_printable(votes.logit)) return std::nullopt;
    const bool joins = votes.votes.size() > most_lines;
    VoteColumn column;
    double sum = 0;  // of the line that is being made
    for (std::size_t k = 0; k < votes.votes.size(); ++k) {
        const Vote& vote = votes.votes[k];
        sum += vote.logit;
        const bool is_joined = joins && is_of_layer(vote) && vote.layer != layer;
        const bool goes_on = is_joined && k + 1 < votes.votes.size() && is_of_layer(votes.votes[k + 1]) &&
                             votes.votes[k + 1].layer == vote.layer;
        if (goes_on) continue;
        VoteLine line = {.label = is_joined ? concat("layer ", vote.layer + 1) : label_of(vote),
                         .thousandths = std::llround(sum * 1000)};
        if (!is_joined && vote.from == Vote::From::head) {
            line.layer = vote.layer;
            line.head = vote.head;
            line.is_off = std::ranges::find(off, HeadOff{vote.layer, vote.head}) != off.end();
        }
        column.rounding -= line.thousandths;
        column.lines.push_back(std::move(line));
        sum = 0;
    }
    column.logit = std::llround(votes.logit * 1000);
    column.rounding += column.logit;
    return column;
}

std::string shown_thousandths(std::int64_t thousandths, bool has_plus) {
    const std::int64_t size = std::abs(thousandths);
    const std::string_view sign = thousandths < 0 ? "−" : has_plus && thousandths > 0 ? "+" : "";
    std::string digits = concat(size % 1000);
    digits.insert(0, 3 - digits.size(), '0');
    return concat(sign, size / 1000, ".", digits);
}

}  // namespace attn

// Who voted for a word, as a column that adds up as it is printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/roles/votes.h"

namespace attn {

// A line of the column, in thousandths: what is printed, so that a reader who adds gets the sum to its last digit.
struct VoteLine {
    std::string label;  // "embedding", "2 · head 4", "2 · MLP", "layer 1", "last norm"
    std::int64_t thousandths = 0;
    std::optional<int> layer = {}, head = {};  // of a head
    bool is_off = false;                       // what it hands on while it is off
};

struct VoteColumn {
    std::vector<VoteLine> lines;
    std::int64_t rounding = 0;  // what the rounded lines lack of the logit: a line of its own where it is not 0
    std::int64_t logit = 0;     // the sum of all of them
};

// More lines than this, or than `most_lines`: of the layers other than `layer` each is one line.
inline constexpr std::size_t kMostVoteLines = 26;

// Nothing where a vote is no number, or is too large to be printed like this.
std::optional<VoteColumn> vote_column(const Votes& votes, const std::vector<HeadOff>& off, int layer,
                                      std::size_t most_lines = kMostVoteLines);

std::string shown_thousandths(std::int64_t thousandths, bool has_plus = false);  // "+0.660", "−1.470", "0.000"

}  // namespace attn

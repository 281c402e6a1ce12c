// Targets in a picture: which query should look at which key, in which heads, and how well each head does it. Knows no
// screen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "playground/state/targets.h"
#include "playground/text/text_table.h"
#include "views/lines/attention_lines.h"

namespace attn {

// A query and a key of the shown sentence that some of the heads are asked to join.
struct TargetPair {
    int query = 0;
    int key = 0;

    auto operator<=>(const TargetPair&) const = default;
};

// The heads whose targets a picture shows, and which painting sets: the enlarged one, else all.
HeadRange painted_heads(const PlaygroundState& state);

// The cell of a pair in a head, in the shown sentence; its share is 1.
TargetCell target_cell(const PlaygroundState& state, int head, const TargetPair& pair);

// The pairs that any of these heads has a target for, in order, each once.
std::vector<TargetPair> target_pairs(const std::vector<TargetCell>& targets, int sentence, const HeadRange& heads);

// A pair as it is drawn between two columns of tokens.
struct DrawnTarget {
    TargetPair pair;
    std::optional<int> head;  // the only one of several that is asked for it: drawn in its colour
};
std::vector<DrawnTarget> drawn_targets(const PlaygroundState& state);

// Why nothing was painted, as a note.
std::string why_not_painted(Painted why, const Evaluation& evaluation, const TargetPair& pair);

// What one head makes of a target.
struct TargetScore {
    float weight = 0;         // 0 for a hidden key
    bool is_hidden = false;   // the mask hides the key from the query
    bool is_largest = false;  // no key has a larger weight in this query's row
};
// `row`: the weights of the pair's query, -inf for hidden keys.
TargetScore score_target(const Vector& row, const TargetPair& pair);

// "woman → brush". The evaluation has both tokens.
std::string target_text(const Evaluation& evaluation, const TargetPair& pair);

// "head 1: brush should look at artist".
std::string target_sentence(const Evaluation& evaluation, int head, const TargetPair& pair);

// A head's targets and how well it meets them: "target: brush → artist .12", or of many "targets in 10 rows: .31 of
// each on average". Empty without targets; the weights come only with `tells_weights`.
std::string target_summary(const PlaygroundState& state, const Evaluation& evaluation, int head, bool tells_weights);

// Each pair with its weight in each head that the view looks at, at most kMirrorHeads of them; none without targets.
std::vector<TextTable> tables_of_targets(const PlaygroundState& state, const Evaluation& evaluation);

}  // namespace attn

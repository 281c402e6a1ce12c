// What view=lines draws: the weights that some queries give to keys, as a list of the strongest lines. Knows no screen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn {

// The stage whose numbers the lines show: the shown one if it holds weights and `evaluation` has it; else the last
// weights before the context, after dropout if there is any.
TensorId lines_stage(const Evaluation& evaluation, TensorId shown);

// The weights of a stage row by row: of each head, or of all of them combined. Keeps a reference to the evaluation.
// Makes a row on demand: all rows of a long text would take longer than a frame.
class ShownWeights {
public:
    // `stage` comes from lines_stage. `combine` has no effect on a single head.
    ShownWeights(const Evaluation& evaluation, TensorId stage, Combine combine);

    const Evaluation& evaluation() const { return *evaluation_; }
    TensorId stage() const { return stage_; }
    bool is_combined() const { return combine_ != Combine::none; }
    // The number of matrices: one if heads are combined.
    int num_heads() const { return is_combined() ? 1 : evaluation_->sizes.num_heads; }
    int num_tokens() const { return evaluation_->num_tokens(); }
    // (T): -inf for hidden keys. `head` is 0 if heads are combined.
    Vector row(int head, int query) const;

private:
    const Evaluation* evaluation_;
    TensorId stage_;
    Combine combine_ = Combine::none;
};

// The shown heads: the enlarged one, or all; if heads are combined, the one there is.
struct HeadRange {
    int first = 0;
    int end = 1;  // one past the last

    int count() const { return end - first; }
};
HeadRange heads_looked_at(const ShownWeights& weights, std::optional<int> enlarged);

// How strong to draw a line, 0 to 1: weight / high to the power of 0.75, which keeps small weights visible; never less
// for a larger weight. Weights of `high` > 0 and above give the strongest lines. 0 for weights up to 0, -inf and NaN.
float line_strength(float weight, float high);

// Which lines to find.
struct LineChoice {
    std::vector<int> queries;
    std::optional<int> key;  // only the lines to this one
    HeadRange heads;

    bool operator==(const LineChoice& other) const {
        return queries == other.queries && key == other.key && heads.first == other.heads.first &&
               heads.end == other.heads.end;
    }
};

// What the pointer is over: one token in one of the two columns, or nothing.
struct LineEnd {
    std::optional<int> query, key;
};

// The lines to draw while the queries [first, end) are in view: those of the token under the pointer; else of the
// pinned row; else of the selected queries in view; else of all in view.
LineChoice choose_lines(const View& view, const ShownWeights& weights, int first, int end, const LineEnd& pointed_at);

struct AttentionLine {
    int head = 0;
    int query = 0;
    int key = 0;
    float weight = 0;  // more than 0
};

inline constexpr std::size_t kMostLines = 2000;  // the most that are drawn

struct LineSet {
    std::vector<AttentionLine> lines;  // from the weakest to the strongest
    std::int64_t num_found = 0;        // more than lines.size() if weak lines were left out

    bool is_cut() const { return num_found > static_cast<std::int64_t>(lines.size()); }
};

// Finds the `most` strongest of these lines, row by row. Hidden keys and weights of 0 have none. Among equal weights
// the first in the order of head, query, key wins.
class LineSearch {
public:
    LineSearch(LineChoice choice, std::size_t most);
    // Continues for this many rows of the same weights. Returns whether it has seen all.
    bool advance(const ShownWeights& weights, int num_rows);
    // The result; take it once.
    LineSet take();

private:
    void add(const AttentionLine& line);

    LineChoice choice_;
    std::size_t most_;
    int head_;
    std::size_t query_ = 0;            // index of the next among the choice's queries
    std::vector<AttentionLine> kept_;  // a heap with the weakest in front
    std::int64_t num_found_ = 0;
};

// The same at once.
LineSet strongest_lines(const ShownWeights& weights, const LineChoice& choice, std::size_t most);

}  // namespace attn

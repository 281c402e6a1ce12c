// Measures how well a head meets its targets, and puts it into words.
#include "views/lines/targets.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/numbers/heads_together.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "playground/text/text_table.h"
#include "scene/kit/figure_text.h"

namespace attn {
namespace {

constexpr std::size_t kMostRows = 256;  // of a table

// The targets of one head in the shown sentence.
std::span<const TargetCell> targets_of(const PlaygroundState& state, int head) {
    const std::vector<TargetCell>& all = state.inputs.targets;
    const std::pair owner(state.view.sentence, head);
    const auto of = [](const TargetCell& target) { return std::pair(target.sentence, target.head); };
    const auto found = std::ranges::equal_range(all, owner, {}, of);
    return {found.begin(), found.end()};
}

std::string score_words(const TargetScore& score, double share, bool is_asked) {
    if (score.is_hidden) return "masked";
    const std::string weight = shown_number(static_cast<double>(score.weight));
    if (!is_asked) return concat(weight, ", not asked");
    return concat(weight, share < 1 ? concat(" of ", shown_number(share)) : std::string(),
                  score.is_largest ? ", largest of its row" : "");
}

const std::string& token_of(const Evaluation& evaluation, int token) {
    return evaluation.tokens.tokens[static_cast<std::size_t>(token)].text;
}

}  // namespace

HeadRange painted_heads(const PlaygroundState& state) {
    const bool is_of_all = !state.view.head || state.view.combine != Combine::none;
    if (is_of_all) return {.first = 0, .end = state.inputs.num_heads};
    return {.first = *state.view.head, .end = *state.view.head + 1};
}

TargetCell target_cell(const PlaygroundState& state, int head, const TargetPair& pair) {
    return {.sentence = state.view.sentence, .head = head, .query = pair.query, .key = pair.key};
}

std::vector<TargetPair> target_pairs(const std::vector<TargetCell>& targets, int sentence, const HeadRange& heads) {
    std::vector<TargetPair> pairs;
    for (const TargetCell& target : targets) {
        const bool is_shown = target.sentence == sentence && target.head >= heads.first && target.head < heads.end;
        if (is_shown) pairs.push_back({target.query, target.key});
    }
    std::ranges::sort(pairs);
    pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
    return pairs;
}

std::vector<DrawnTarget> drawn_targets(const PlaygroundState& state) {
    const HeadRange heads = painted_heads(state);
    const bool has_colors = heads.count() > 1 && state.view.combine == Combine::none;
    std::vector<DrawnTarget> drawn;
    for (const TargetPair& pair : target_pairs(state.inputs.targets, state.view.sentence, heads)) {
        DrawnTarget& target = drawn.emplace_back(DrawnTarget{.pair = pair, .head = std::nullopt});
        int num_asked = 0;
        for (int head = heads.first; has_colors && head < heads.end; ++head) {
            if (find_target(state.inputs.targets, target_cell(state, head, pair)) == nullptr) continue;
            target.head = ++num_asked == 1 ? std::optional(head) : std::nullopt;
        }
    }
    return drawn;
}

std::string why_not_painted(Painted why, const Evaluation& evaluation, const TargetPair& pair) {
    if (why == Painted::full)
        return concat("target: there is room for ", with_thousands(kMaxTargets), ", this one was left out");
    const std::string_view reason = pair.key > pair.query ? ", which comes later: the mask hides it from every head"
                                                          : ": the mask hides it from every head";
    return concat("target: ", quoted(token_of(evaluation, pair.query)), " cannot look at ",
                  quoted(token_of(evaluation, pair.key)), reason);
}

TargetScore score_target(const Vector& row, const TargetPair& pair) {
    ATTN_CHECK(pair.key >= 0 && pair.key < length(row, 0), "a target at key ", pair.key, " of ", length(row, 0));
    const float weight = row(static_cast<std::size_t>(pair.key));
    if (weight == -std::numeric_limits<float>::infinity()) return {.weight = 0, .is_hidden = true};
    return {
        .weight = weight, .is_hidden = false, .is_largest = static_cast<double>(weight) >= row_largest(elements(row))};
}

std::string target_text(const Evaluation& evaluation, const TargetPair& pair) {
    return from_to(token_of(evaluation, pair.query), token_of(evaluation, pair.key));
}

std::string target_sentence(const Evaluation& evaluation, int head, const TargetPair& pair) {
    return concat("head ", head + 1, ": ", token_of(evaluation, pair.query), " should look at ",
                  token_of(evaluation, pair.key));
}

std::string target_summary(const PlaygroundState& state, const Evaluation& evaluation, int head, bool tells_weights) {
    constexpr std::size_t kFew = 2;       // that are named
    constexpr std::size_t kQuickly = 64;  // rows that are made for each frame
    const std::span<const TargetCell> targets = targets_of(state, head);
    if (targets.empty()) return {};
    tells_weights = tells_weights && targets.size() <= kQuickly;
    const ShownWeights weights(evaluation, lines_stage(evaluation, state.view.stage), Combine::none);
    std::string named;
    double sum = 0;  // of the weights at the targets
    int num_rows = 0;
    int query = -1;
    for (const TargetCell& target : targets) {
        num_rows += target.query != query ? 1 : 0;
        query = target.query;
        const TargetPair pair = {target.query, target.key};
        std::string weight;
        if (tells_weights) {
            const TargetScore score = score_target(weights.row(head, target.query), pair);
            sum += static_cast<double>(score.weight);
            weight =
                concat(" ", score.is_hidden ? std::string("masked") : cell_number(static_cast<double>(score.weight)));
        }
        if (targets.size() <= kFew) named += concat(named.empty() ? "" : ", ", target_text(evaluation, pair), weight);
    }
    if (targets.size() <= kFew) return concat(targets.size() == 1 ? "target: " : "targets: ", named);
    const std::string rows = concat("targets in ", counted(num_rows, "row"));
    return tells_weights ? concat(rows, ": ", cell_number(sum / num_rows), " of each on average") : rows;
}

std::vector<TextTable> tables_of_targets(const PlaygroundState& state, const Evaluation& evaluation) {
    if (state.inputs.targets.empty() || evaluation.is_empty()) return {};
    const View& view = state.view;
    const ShownWeights weights(evaluation, lines_stage(evaluation, view.stage), view.combine);
    std::vector<TargetPair> pairs = target_pairs(state.inputs.targets, state.view.sentence, painted_heads(state));
    if (pairs.empty()) return {};
    HeadRange heads = heads_looked_at(weights, view.head);
    heads.end = std::min(heads.end, heads.first + kMirrorHeads);
    TextTable table;
    table.title = concat("Targets: ", tensor_name(weights.stage()));
    if (pairs.size() > kMostRows) {
        table.title += concat(", ", kMostRows, " of ", with_thousands(static_cast<std::int64_t>(pairs.size())));
        pairs.resize(kMostRows);
    }
    table.columns.emplace_back("query → key");
    for (int h = heads.first; h < heads.end; ++h) {
        table.columns.push_back(weights.is_combined() ? combined_title(view.combine, evaluation.sizes.num_heads)
                                                      : concat("head ", h + 1));
    }
    for (const TargetPair& pair : pairs) {
        std::vector<std::string> cells = {target_text(evaluation, pair)};
        for (int h = heads.first; h < heads.end; ++h) {
            const TargetCell cell = target_cell(state, h, pair);
            const bool is_asked = weights.is_combined() || find_target(state.inputs.targets, cell) != nullptr;
            const double share = weights.is_combined() ? 1 : share_of_row(state.inputs.targets, cell);
            cells.push_back(score_words(score_target(weights.row(h, pair.query), pair), share, is_asked));
        }
        table.rows.push_back(std::move(cells));
    }
    return {std::move(table)};
}

}  // namespace attn

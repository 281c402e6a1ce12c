// Measures how much of each wish a head fulfils, and says so.
#include "views/lines/wishes.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/ground/check.h"
#include "playground/numbers/heads_together.h"
#include "playground/text/format.h"
#include "playground/text/text_table.h"
#include "scene/kit/figure_text.h"

namespace attn {
namespace {

std::string score_words(const WishScore& score) {
    if (score.is_hidden) return "masked";
    return concat(shown_number(static_cast<double>(score.weight)), score.is_largest ? ", largest of its row" : "");
}

bool comes_before(const Wish& a, const Wish& b) {
    return std::pair(a.query, a.key) < std::pair(b.query, b.key);
}

}  // namespace

bool toggle_wish(View& view, const Wish& wish) {
    const auto place = std::lower_bound(view.wish.begin(), view.wish.end(), wish, comes_before);
    if (place != view.wish.end() && *place == wish) {
        view.wish.erase(place);
        return true;
    }
    if (view.wish.size() >= kMaxWishes) return false;
    view.wish.insert(place, wish);
    return true;
}

void teach_wishes(PlaygroundState& state) {
    const View& view = state.view;
    const int first = view.head.value_or(0);
    const int end = view.head ? first + 1 : state.inputs.num_heads;
    std::vector<TargetCell>& targets = state.inputs.targets;
    std::erase_if(targets, [&](const TargetCell& target) {
        return target.sentence == view.sentence && target.head >= first && target.head < end;
    });
    for (int h = first; h < end; ++h) {
        for (const Wish& wish : view.wish)
            targets.push_back({.sentence = view.sentence, .head = h, .query = wish.query, .key = wish.key});
    }
    state.inputs.goal = GoalKind::pattern;
}

WishScore score_wish(const Vector& row, const Wish& wish) {
    ATTN_CHECK(wish.key >= 0 && wish.key < length(row, 0), "a wish for key ", wish.key, " of ", length(row, 0));
    const float weight = row(static_cast<std::size_t>(wish.key));
    if (weight == -std::numeric_limits<float>::infinity()) return {.weight = 0, .is_hidden = true};
    return {
        .weight = weight, .is_hidden = false, .is_largest = static_cast<double>(weight) >= row_largest(elements(row))};
}

std::string wish_text(const Evaluation& evaluation, const Wish& wish) {
    const auto text = [&](int token) { return evaluation.tokens.tokens[static_cast<std::size_t>(token)].text; };
    return from_to(text(wish.query), text(wish.key));
}

std::vector<TextTable> tables_of_wishes(const View& view, const Evaluation& evaluation) {
    if (view.wish.empty() || evaluation.is_empty()) return {};
    const ShownWeights weights(evaluation, lines_stage(evaluation, view.stage), view.combine);
    HeadRange heads = heads_looked_at(weights, view.head);
    heads.end = std::min(heads.end, heads.first + kMirrorHeads);
    TextTable table;
    table.title = concat("Wished-for pattern: ", tensor_name(weights.stage()));
    table.columns.emplace_back("query → key");
    for (int h = heads.first; h < heads.end; ++h) {
        table.columns.push_back(weights.is_combined() ? combined_title(view.combine, evaluation.sizes.num_heads)
                                                      : concat("head ", h + 1));
    }
    for (const Wish& wish : view.wish) {
        std::vector<std::string> cells = {wish_text(evaluation, wish)};
        for (int h = heads.first; h < heads.end; ++h) {
            const Vector row = weights.row(h, wish.query);
            cells.push_back(score_words(score_wish(row, wish)));
        }
        table.rows.push_back(std::move(cells));
    }
    return {std::move(table)};
}

}  // namespace attn

#include "playground/view_text.h"

#include "playground/check_me.h"
#include "playground/comparison.h"
#include "playground/cost.h"
#include "playground/edit_text.h"
#include "playground/experiment_text.h"
#include "playground/heads_together.h"
#include "playground/selection.h"
#include "playground/stacked_heads.h"
#include "playground/vector_plane.h"
#include "playground/weight_split.h"
#include "playground/wishes.h"

namespace attn {
namespace {

std::vector<TextTable> own_tables(const PlaygroundState& state, const Evaluator& evaluator) {
    switch (state.view.view) {
        case ViewKind::compare:
            return comparison_tables(state, evaluator);
        case ViewKind::edit:
            return edit_tables(state, evaluator);
        case ViewKind::split:
            return split_tables(state, evaluator.shown());
        case ViewKind::stacked:
            return stacked_tables(evaluator.shown());
        case ViewKind::cost:
            return cost_tables(state.inputs, evaluator.shown().sizes);
        case ViewKind::matrix:
        case ViewKind::numbers:
            return tables_of_heads_together(state.view, evaluator.shown());
        case ViewKind::vectors:
            return tables_of_vectors(state.view, evaluator.shown());
        case ViewKind::dots:
            return dot_tables(state, evaluator.shown());
        case ViewKind::softmax:
            return softmax_tables(state.view);
        default:
            return {};
    }
}

}  // namespace

std::vector<TextTable> tables_of_view(const PlaygroundState& state, const Evaluator& evaluator) {
    const Evaluation& shown = evaluator.shown();
    if (shown.is_empty() || shows_blank(state)) return {};
    std::vector<TextTable> tables = own_tables(state, evaluator);
    if (is_blank(state, lines_stage(shown, state.view.stage))) return tables;
    for (const std::vector<TextTable>& more :
         {tables_of_wishes(state.view, shown), tables_of_selection(state.view, shown)}) {
        tables.insert(tables.end(), more.begin(), more.end());
    }
    return tables;
}

}  // namespace attn

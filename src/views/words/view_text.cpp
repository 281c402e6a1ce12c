// Which tables belong to which view, and the tables that several views share.
#include "views/words/view_text.h"

#include <cstddef>

#include "playground/check/check_me.h"
#include "playground/numbers/heads_together.h"
#include "playground/state/view_list.h"
#include "views/cache/cache_text.h"
#include "views/compare/comparison.h"
#include "views/cost/cost.h"
#include "views/door/shown_door.h"
#include "views/dots/experiment_text.h"
#include "views/edit/edit_text.h"
#include "views/journey/journey_picture.h"
#include "views/learn/learn_text.h"
#include "views/lens/shown_lens.h"
#include "views/lines/selection.h"
#include "views/lines/targets.h"
#include "views/model/shown_model.h"
#include "views/patch/patch_picture.h"
#include "views/split/weight_split.h"
#include "views/stacked/stacked_heads.h"
#include "views/vectors/vector_plane.h"

namespace attn {
namespace {

std::vector<TextTable> tables_of_matrix(const PlaygroundState& state, const Evaluator& evaluator) {
    return tables_of_heads_together(state.view, evaluator.shown());
}

constexpr auto tables_of_numbers = tables_of_matrix;

// The tables of targets and of selected tokens say in numbers what the lines show.
std::vector<TextTable> tables_of_lines(const PlaygroundState&, const Evaluator&) {
    return {};
}

using Tables = std::vector<TextTable> (*)(const PlaygroundState&, const Evaluator&);
constexpr Tables kTables[] = {
#define ATTN_VIEW_TABLES(name, ...) tables_of_##name,
    ATTN_VIEWS(ATTN_VIEW_TABLES)
#undef ATTN_VIEW_TABLES
};

}  // namespace

std::vector<TextTable> tables_of_view(const PlaygroundState& state, const Evaluator& evaluator) {
    const Evaluation& shown = evaluator.shown();
    if (shown.is_empty() || shows_blank(state)) return {};
    std::vector<TextTable> tables = kTables[static_cast<std::size_t>(state.view.view)](state, evaluator);
    if (is_blank(state, lines_stage(shown, state.view.stage))) return tables;
    const auto add = [&](const std::vector<TextTable>& more) { tables.insert(tables.end(), more.begin(), more.end()); };
    if (state.view.view != ViewKind::learn) add(tables_of_targets(state, shown));  // its tables have them step by step
    add(tables_of_selection(state.view, shown));
    return tables;
}

}  // namespace attn

// The table has a column for each head and a row for each pair of query and key.
#include "views/lines/figure_targets.h"

#include <optional>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/blanks.h"
#include "playground/text/notes.h"
#include "views/lines/attention_lines.h"
#include "views/lines/targets.h"

namespace attn {

std::vector<Place> target_places(const FigureTask& task, const ShownStage& stage, int head) {
    if (!stage.has_keys()) return {};
    const HeadRange heads = stage.is_by_head() ? HeadRange{.first = head, .end = head + 1}
                                               : HeadRange{.first = 0, .end = task.state.inputs.num_heads};
    std::vector<Place> places;
    for (const TargetPair& pair : target_pairs(task.state.inputs.targets, task.state.view.sentence, heads))
        places.push_back({pair.query, pair.key});
    return places;
}

FigureBlock target_table(const FigureTask& task) {
    constexpr std::size_t kMost = 24;
    const TensorId stage = lines_stage(task.evaluation, task.view().stage);
    if (task.state.inputs.targets.empty() || !task.has_values() || Blanks(task.state).touches(stage)) return {};
    PlaygroundState state = task.state;
    View& view = state.view;
    if (task.options.head) {
        view.head = task.options.head;
        view.combine = Combine::none;
    }
    std::vector<TextTable> tables = tables_of_targets(state, task.evaluation);
    if (tables.empty()) return {};
    TextTable& table = tables.front();
    if (table.rows.size() > kMost) {
        table.title += concat(", ", kMost, " of ", table.rows.size());
        table.rows.resize(kMost);
    }
    const ShownWeights weights(task.evaluation, stage, view.combine);
    std::vector<std::optional<Rgb>> colors = {std::nullopt};  // of the first column, which names the pairs
    for (int h = heads_looked_at(weights, view.head).first; colors.size() < table.columns.size(); ++h) {
        colors.emplace_back(weights.is_combined() ? task.colors.accent : task.head(h));
    }
    return table_block(task, table, colors);
}

}  // namespace attn

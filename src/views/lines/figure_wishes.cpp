// One column a head, one row a wish.
#include "views/lines/figure_wishes.h"

#include <optional>
#include <vector>

#include "playground/link/blanks.h"
#include "playground/text/notes.h"
#include "views/lines/attention_lines.h"
#include "views/lines/wishes.h"

namespace attn {

FigureBlock wish_table(const FigureTask& task) {
    constexpr std::size_t kMost = 24;
    const TensorId stage = lines_stage(task.evaluation, task.view().stage);
    if (task.view().wish.empty() || !task.has_values() || Blanks(task.state).touches(stage)) return {};
    View view = task.view();
    if (task.options.head) {
        view.head = task.options.head;
        view.combine = Combine::none;
    }
    std::vector<TextTable> tables = tables_of_wishes(view, task.evaluation);
    if (tables.empty()) return {};
    TextTable& table = tables.front();
    if (table.rows.size() > kMost) {
        table.title += concat(", ", kMost, " of ", table.rows.size());
        table.rows.resize(kMost);
    }
    const ShownWeights weights(task.evaluation, stage, view.combine);
    std::vector<std::optional<Rgb>> colors = {std::nullopt};  // of the first column, which names the wishes
    for (int h = heads_looked_at(weights, view.head).first; colors.size() < table.columns.size(); ++h) {
        colors.emplace_back(weights.is_combined() ? task.colors.accent : task.head(h));
    }
    return table_block(task, table, colors);
}

}  // namespace attn

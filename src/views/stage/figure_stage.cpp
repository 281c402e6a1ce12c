// Reads the shown stage, and finds the words that its figures need.
#include "views/stage/figure_stage.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "core/operations/stage_words.h"
#include "playground/numbers/changes.h"
#include "playground/numbers/shown_rows.h"
#include "playground/numbers/stage_labels.h"
#include "playground/state/shapes.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "scene/kit/figure_text.h"
#include "views/stage/place_words.h"

namespace attn {
namespace {

// `more` is of the same shape, or of size 0.
void add_flags(Flags& flags, const Flags& more) {
    if (flags.size() == 0) {
        flags = more;
        return;
    }
    for (std::size_t k = 0; k < more.size(); ++k) elements(flags)[k] |= elements(more)[k];
}

Flags changed_cells_of_head(const FigureTask& task, TensorId stage, int head) {
    const Matrix before = shown_matrix(*task.evaluator.unedited(), stage, head);
    const Matrix now = shown_matrix(task.evaluation, stage, head);
    Flags flags = zeros<Flags>(now.shape(0), now.shape(1));
    for (std::size_t k = 0; k < now.size(); ++k) {
        elements(flags)[k] = is_changed(elements(before)[k], elements(now)[k]) ? 1 : 0;
    }
    return flags;
}

std::string short_label(std::string text) {
    constexpr std::size_t kMost = 400;  // bytes: more than any label has room for, and than any tip
    return text.size() > kMost ? shortened_text(text, 40 * kFigureBody, kFigureBody) : text;
}

// What the typed numbers changed, and whether cells are large enough for marks.
void add_changes(const FigureTask& task, const FigureStage& stage, bool has_marks, std::vector<LegendPiece>& pieces) {
    const Evaluation* before = task.evaluator.unedited();
    if (before == nullptr) {
        const std::int64_t num_tokens = task.evaluation.num_tokens();
        const bool is_too_large = num_tokens * num_tokens * task.evaluation.sizes.num_heads > kMaxScoresTwice;
        if (is_too_large && !task.state.inputs.edits.empty()) {
            pieces.push_back(legend_text(task, "typed numbers are in use; at this size changes are not marked"));
        }
        return;
    }
    const StageChanges changes = count_changes(*before, task.evaluation, stage.info.id);
    if (changes.num_changed == 0) return;
    const std::string text = concat("changed by typed numbers: ", with_thousands(changes.num_changed), " of ",
                                    counted(changes.num_cells, "cell"));
    pieces.push_back(has_marks ? legend_changed(task, text) : legend_text(task, text));
}

// Heads are put together where the view does so and no single head is asked for.
Combine figure_combine(const View& view, const FigureOptions& options) {
    const bool puts_together = view.view == ViewKind::matrix || view.view == ViewKind::numbers;
    return puts_together && !options.head ? view.combine : Combine::none;
}

FigureStage figure_stage(const View& view, const FigureOptions& options, const ShownStage& shown) {
    FigureStage stage(shown);
    const std::optional<int> single = options.head ? options.head : view.head;
    if (single && stage.num_maps > 1) {
        stage.heads = {std::clamp(*single, 0, stage.num_maps - 1)};
    } else {
        for (int h = 0; h < stage.num_maps; ++h) stage.heads.push_back(h);
    }
    const int num_names = std::max(stage.rows, stage.evaluation.num_tokens());
    for (int i = 0; options.has_tips && i < num_names; ++i) {
        stage.tip_names.push_back(isolated(short_label(row_text(stage.evaluation, stage.info.id, i))));
    }
    stage.grid = fit_map(stage.rows, stage.columns, static_cast<int>(stage.heads.size()), stage.has_keys());
    // With numbers switched off, view=numbers draws maps.
    const bool draws_maps =
        view.view == ViewKind::matrix || (view.view == ViewKind::numbers && hides_part(view, "values"));
    if (draws_maps && !stage.grid.has_gaps) stage.reduced.assign(stage.heads.size(), empty_reduction(stage.grid));
    return stage;
}

std::string shape_in_words(const FigureTask& task, const StageInfo& info) {
    std::string text;
    for (const int size : stage_shape(task.evaluation, info.id)) text += concat(text.empty() ? "(" : ", ", size);
    return concat(shape_letters(task.evaluation.sizes, info.id), " = ", text, ")");
}

}  // namespace

StageScan::StageScan(const PlaygroundState& state, const Evaluation& evaluation, const FigureOptions& options,
                     TensorId id)
    : stage_(figure_stage(
          state.view, options,
          shown_stage(evaluation, 0, id, memory_, figure_combine(state.view, options), Blanks(state), false))) {}

bool StageScan::advance() {
    const auto reduce = [&](int map, int first, const StageRows& rows) {
        const auto shown = std::find(stage_.heads.begin(), stage_.heads.end(), map);
        if (shown == stage_.heads.end()) return;
        const auto place = static_cast<std::size_t>(shown - stage_.heads.begin());
        reduce_rows(stage_.grid, rows.values, rows.blank, first, stage_.reduced[place]);
    };
    const ShownStage read = shown_stage(stage_.evaluation, 0, stage_.info.id, memory_, stage_.combine, stage_.blanks,
                                        true, stage_.reduced.empty() ? VisitRows() : reduce);
    stage_.combined = read.combined;
    stage_.summary = read.summary;
    stage_.range = read.range;
    return read.is_summarized;
}

Flags changed_cells(const FigureTask& task, const FigureStage& stage, int head) {
    if (task.evaluator.unedited() == nullptr) return {};
    const int first = stage.is_combined() ? 0 : head;
    const int end = stage.is_combined() ? task.evaluation.sizes.num_heads : head + 1;
    Flags flags;
    for (int h = first; h < end; ++h) add_flags(flags, changed_cells_of_head(task, stage.info.id, h));
    return flags;
}

std::vector<std::string> stage_row_labels(const FigureTask& task, const FigureStage& stage) {
    std::vector<std::string> labels;
    for (int i = 0; i < stage.rows; ++i) labels.push_back(short_label(row_text(task.evaluation, stage.info.id, i)));
    return labels;
}

std::vector<std::string> stage_column_labels(const FigureTask& task, const FigureStage& stage) {
    if (stage.has_keys()) return stage_row_labels(task, stage);
    std::vector<std::string> labels;
    for (int c = 0; c < stage.columns; ++c)
        labels.push_back(short_label(column_text(task.evaluation, stage.info.id, c)));
    return labels;
}

std::string cell_tip(const FigureTask& task, const FigureStage& stage, int head, Place place, float value) {
    std::string whose;
    if (stage.is_combined()) whose = combined_title(stage.combine, task.evaluation.sizes.num_heads);
    if (stage.is_by_head()) whose = concat("head ", head + 1);
    const auto name_of = [&](int token) -> const std::string& {
        return stage.tip_names[static_cast<std::size_t>(token)];
    };
    const std::string cell = stage.has_keys() ? from_to(name_of(place.row), name_of(place.column))
                             : stage.info.rows == Axis::channel
                                 ? concat("row ", place.row, " · column ", place.column)
                                 : concat(name_of(place.row), " · ", kind_of_column(stage.info),
                                          column_text(task.evaluation, stage.info.id, place.column));
    const std::string tip = concat(whose, whose.empty() ? "" : " · ", cell);
    if (!task.has_values()) return tip;
    return tip + ": " + (value == kHiddenCell ? "masked" : shown_number(static_cast<double>(value)));
}

std::optional<Cell> pinned_cell(const FigureTask& task, const FigureStage& stage) {
    std::optional<Cell> cell = task.view().cell;
    if (!cell || cell->row >= stage.rows || cell->column >= stage.columns) return std::nullopt;
    if (!stage.is_by_head()) cell->head = 0;
    return cell;
}

std::optional<RowNumbers> stage_row_numbers(const FigureTask& task, const FigureStage& stage, const StageRows& map,
                                            int digits) {
    const RowStat stat = task.view().row_stat;
    if (stat == RowStat::none || !has_row_stats(stage.info.id) || !task.has_values()) return std::nullopt;
    RowNumbers numbers;
    numbers.heading = std::string(row_stat_heading(stat));
    for (int i = 0; i < length(map.values, 0); ++i) {
        const bool is_blank =
            map.blank.size() > 0 && std::any_of(row_of(map.blank, i).begin(), row_of(map.blank, i).end(),
                                                [](std::uint8_t flag) { return flag != 0; });
        const double number = row_stat(row_of(map.values, i), stat);
        numbers.numbers.push_back(is_blank ? "?" : shown_number(number, digits));
        numbers.is_warned.push_back(!is_blank && stat == RowStat::sum && !(std::abs(number - 1) <= kSumTolerance));
    }
    return numbers;
}

FigureBlock stage_heading(const FigureTask& task, const FigureStage& stage, int head, double width) {
    const std::string_view words = axes_in_words(stage.info.id);
    if (stage.is_combined()) {
        return heading_block(task, task.colors.accent, combined_title(stage.combine, task.evaluation.sizes.num_heads),
                             words, width);
    }
    if (stage.is_by_head())
        return heading_block(task, task.head(head), head_title(task.evaluation.sizes, stage.info.id, head), words,
                             width);
    return heading_block(task, std::nullopt, stage.info.title, words, width);
}

FigureWords figure_words(const FigureTask& task, const FigureStage& stage) {
    const Inputs& inputs = task.state.inputs;
    const StageInfo& info = stage.info;
    const StageWords stage_text = stage_words(info.id, layer_parts(inputs), inputs.goal);
    FigureWords words;
    words.title = quoted_sentence(task);
    words.subtitle = concat(info.title, " ", info.symbol, ", ", shape_in_words(task, info), ": ", stage_text.formula);
    if (task.state.inputs.texts.size() > 1) {
        words.subtitle += concat(" · sentence ", task.view().sentence + 1, " of ", task.state.inputs.texts.size());
    }
    words.description = std::string(stage_text.meaning);
    return words;
}

std::vector<ColumnBand> head_bands(const FigureTask& task, TensorId tensor, int count) {
    std::vector<ColumnBand> bands;
    const Sizes& sizes = task.evaluation.sizes;
    const int head_dim = sizes.head_dim();
    const int readers = is_shared_by_heads(tensor) ? sizes.heads_per_kv_head() : 1;
    for (int first = 0; first < count; first += head_dim) {
        bands.push_back({first, first + head_dim, task.head(first / head_dim * readers)});
    }
    return bands;
}

std::vector<ColumnBand> head_bands(const FigureTask& task, const FigureStage& stage) {
    if (stage.info.id != TensorId::merged) return {};
    return head_bands(task, stage.info.id, task.evaluation.sizes.d_out);
}

std::vector<LegendPiece> stage_legend(const FigureTask& task, const FigureStage& stage, const MapGrid* map,
                                      bool has_row_numbers) {
    std::vector<LegendPiece> pieces;
    if (map != nullptr) {
        const std::string high = concat(range_end_text(stage.range.high), stage.is_cut() ? " and more" : "");
        pieces.push_back(legend_colors(task, stage.map(), range_end_text(stage.range.low), high));
    }
    if (stage.summary.has_hidden) {
        const std::string_view words = hidden_in_words(stage.summary);
        pieces.push_back(map != nullptr ? legend_hidden(task, words)
                                        : legend_text(task, concat(hidden_sign(stage.info.id), words)));
    }
    if (stage.blanks.touches(stage.info.id)) pieces.push_back(legend_blank(task));
    add_changes(task, stage, map == nullptr || map->has_gaps, pieces);
    const RowStat stat = task.view().row_stat;
    if (stat != RowStat::none && has_row_stats(stage.info.id) && task.has_values()) {
        const std::string too_low = concat("rows too low for ", row_stat_heading(stat));
        pieces.push_back(legend_text(task, has_row_numbers ? row_stat_in_words(stat) : too_low));
    }
    const int num_maps = stage.is_by_head() ? task.evaluation.sizes.num_heads : 1;
    const std::string remark =
        stage_remark(task.evaluation, stage.info.id, stage.summary, stage.combine, num_maps, map != nullptr);
    if (!remark.empty()) pieces.push_back(legend_text(task, remark));
    return pieces;
}

}  // namespace attn

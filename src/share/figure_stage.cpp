// See the header.
#include "share/figure_stage.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/check.h"
#include "playground/attention_lines.h"
#include "playground/changes.h"
#include "playground/format.h"
#include "playground/notes.h"
#include "playground/stage_labels.h"
#include "playground/wishes.h"

namespace attn {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

// (rows, columns); size 0 where nothing of the head is blank.
Flags blank_cells(const Blanks& blanks, TensorId stage, int head, const Matrix& shown) {
    if (!blanks.touches(stage)) return {};
    Flags flags = zeros<Flags>(shown.shape(0), shown.shape(1));
    for (int i = 0; i < length(shown, 0); ++i) {
        for (int j = 0; j < length(shown, 1); ++j) {
            flags(i, j) = shown(i, j) != kHidden && blanks.has(stage, head, i, j) ? 1 : 0;
        }
    }
    return flags;
}

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

std::string token_label(const FigureTask& task, int token) {
    constexpr std::size_t kMost = 400;  // bytes: more than any label has room for, and than any tip
    std::string text = token_text(task.evaluation, token);
    return text.size() > kMost ? shortened_text(text, 40 * kFigureBody, kFigureBody) : text;
}

// What the typed numbers changed, and whether cells are large enough to be marked.
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

std::string shape_in_words(const FigureTask& task, const StageInfo& info) {
    std::string text;
    for (const int size : stage_shape(task.evaluation, info.id)) text += concat(text.empty() ? "(" : ", ", size);
    return concat(info.letters, " = ", text, ")");
}

}  // namespace

FigureStage figure_stage(const FigureTask& task) {
    const Evaluation& evaluation = task.evaluation;
    const View& view = task.view();
    const StageInfo& info = stage_info(view.stage);
    FigureStage stage = {.info = info, .heads = {}, .combined = {}, .blanks = Blanks(task.state), .summary = {}};
    const Extent extent = stage_extent(evaluation.sizes, info.id);
    stage.rows = extent.rows;
    stage.columns = extent.columns;
    const int num_heads = info.has_heads ? evaluation.sizes.num_heads : 1;
    const std::optional<int> single = task.options.head ? task.options.head : view.head;
    if (!task.options.head && is_combined(evaluation, info.id, view.combine)) {
        stage.combine = view.combine;
        stage.combined = combined_matrix(evaluation, info.id, view.combine);
        stage.heads = {0};
    } else if (single && num_heads > 1) {
        stage.heads = {std::clamp(*single, 0, num_heads - 1)};
    } else {
        for (int h = 0; h < num_heads; ++h) stage.heads.push_back(h);
    }
    // One scale for all heads, also where one is shown. What is blank does not count: the ends of the scale are told.
    const int num_maps = stage.is_combined() ? 1 : num_heads;
    stage.summary = summarize_stage(evaluation, info.id, num_maps, [&](int head) {
        StageMap map = stage_map(task, stage, head);
        for (std::size_t k = 0; k < map.blank.size(); ++k) {
            if (elements(map.blank)[k] != 0) elements(map.values)[k] = kHidden;
        }
        return std::move(map.values);
    });
    stage.range = stage_range(evaluation, info.id, stage.summary);
    return stage;
}

StageMap stage_map(const FigureTask& task, const FigureStage& stage, int head) {
    StageMap map;
    map.values = stage.is_combined() ? *stage.combined : shown_matrix(task.evaluation, stage.info.id, head);
    const int first = stage.is_combined() ? 0 : head;
    const int end = stage.is_combined() ? task.evaluation.sizes.num_heads : head + 1;
    for (int h = first; h < end && stage.blanks.touches(stage.info.id); ++h) {
        add_flags(map.blank, blank_cells(stage.blanks, stage.info.id, h, map.values));
    }
    return map;
}

Flags changed_cells(const FigureTask& task, const FigureStage& stage, int head) {
    if (task.evaluator.unedited() == nullptr) return {};
    const int first = stage.is_combined() ? 0 : head;
    const int end = stage.is_combined() ? task.evaluation.sizes.num_heads : head + 1;
    Flags flags;
    for (int h = first; h < end; ++h) add_flags(flags, changed_cells_of_head(task, stage.info.id, h));
    return flags;
}

std::vector<std::string> stage_row_labels(const FigureTask& task) {
    std::vector<std::string> labels;
    for (int i = 0; i < task.evaluation.num_tokens(); ++i) labels.push_back(token_label(task, i));
    return labels;
}

std::vector<std::string> stage_column_labels(const FigureTask& task, const FigureStage& stage) {
    if (stage.has_keys()) return stage_row_labels(task);
    std::vector<std::string> labels;
    for (int c = 0; c < stage.columns; ++c) labels.push_back(concat(c));
    return labels;
}

std::string cell_tip(const FigureTask& task, const FigureStage& stage, int head, FigurePlace place, float value) {
    std::string whose;
    if (stage.is_combined()) whose = combined_title(stage.combine, task.evaluation.sizes.num_heads);
    if (stage.is_by_head()) whose = concat("head ", head + 1);
    const std::string row = isolated(token_label(task, place.row));
    const std::string cell = stage.has_keys() ? concat(row, " → ", isolated(token_label(task, place.column)))
                                              : concat(row, " · channel ", place.column);
    const std::string number = value == kHidden ? "masked" : shown_number(static_cast<double>(value));
    return concat(whose, whose.empty() ? "" : " · ", cell, task.has_values() ? concat(": ", number) : "");
}

std::optional<Cell> pinned_cell(const FigureTask& task, const FigureStage& stage) {
    std::optional<Cell> cell = task.view().cell;
    if (!cell || cell->row >= stage.rows || cell->column >= stage.columns) return std::nullopt;
    if (!stage.is_by_head()) cell->head = 0;
    return cell;
}

std::optional<RowNumbers> stage_row_numbers(const FigureTask& task, const FigureStage& stage, const StageMap& map,
                                            int digits) {
    const RowStat stat = task.view().row_stat;
    if (stat == RowStat::none || !has_row_stats(stage.info.id) || !task.has_values()) return std::nullopt;
    RowNumbers numbers;
    numbers.heading = std::string(row_stat_heading(stat));
    for (int i = 0; i < stage.rows; ++i) {
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
    if (stage.is_by_head()) return heading_block(task, task.head(head), concat("Head ", head + 1), words, width);
    return heading_block(task, std::nullopt, stage.info.title, words, width);
}

FigureWords stage_words(const FigureTask& task, const FigureStage& stage) {
    const StageInfo& info = stage.info;
    FigureWords words;
    words.title = quoted_sentence(task);
    words.subtitle = concat(info.title, " ", info.symbol, ", ", shape_in_words(task, info), ": ", info.formula);
    if (task.state.inputs.texts.size() > 1) {
        words.subtitle += concat(" · sentence ", task.view().sentence + 1, " of ", task.state.inputs.texts.size());
    }
    words.description = std::string(info.meaning);
    return words;
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
        const char* sign = stage.info.id == TensorId::masked_scores ? "−∞ " : "grey 0 ";
        pieces.push_back(map != nullptr ? legend_hidden(task, words) : legend_text(task, concat(sign, words)));
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

// view=compare: the shown state A, another state B, and A - B.
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/check.h"
#include "playground/blanks.h"
#include "playground/comparison.h"
#include "playground/format.h"
#include "playground/stage_labels.h"
#include "share/figure_stage.h"
#include "share/figure_views.h"

namespace attn {
namespace {

struct ComparePicture {
    const FigureTask& task;
    const Evaluation& b;
    const StageInfo& info;
    int head_a = 0, head_b = 0;
    Comparison comparison;
    std::vector<const Matrix*> matrices = {};  // A, B and, where there is one, the difference
    std::array<StageRange, 3> ranges = {};

    bool has_keys() const { return info.columns == Axis::key_token; }
    // One scale for A and B; a difference is always signed.
    ColorMap map(std::size_t k) const { return k == 2 || info.is_signed ? ColorMap::diverging : ColorMap::sequential; }
};

StageRange diverging(float largest) {
    const float high = largest > 0 ? largest : 1;
    return {.low = -high, .high = high};
}

void choose_ranges(ComparePicture& picture) {
    const StageRange range =
        picture.info.is_signed ? diverging(picture.comparison.largest_number) : picture.task.stage->range;
    picture.ranges = {range, range, diverging(picture.comparison.largest)};
}

std::string label_of(const ComparePicture& picture, std::size_t k, bool is_column, int index) {
    if (is_column && !picture.has_keys()) return concat(index);
    // A and B may be of different sentences: then their difference belongs to places, not to words.
    if (k == 2 && !picture.comparison.has_same_tokens) return concat(index);
    return token_text(k == 1 ? picture.b : picture.task.evaluation, index);
}

std::vector<std::string> labels_of(const ComparePicture& picture, std::size_t k, bool is_column) {
    std::vector<std::string> labels;
    for (int i = 0; i < length(*picture.matrices[k], is_column ? 1 : 0); ++i) {
        labels.push_back(label_of(picture, k, is_column, i));
    }
    return labels;
}

bool lies_in(const Matrix& matrix, const std::optional<FigurePlace>& place) {
    return place && place->row < length(matrix, 0) && place->column < length(matrix, 1);
}

std::string value_text(const Matrix& matrix, FigurePlace place) {
    if (!lies_in(matrix, place)) return "not there";
    const float value = matrix(place.row, place.column);
    return value == -std::numeric_limits<float>::infinity() ? "masked" : shown_number(static_cast<double>(value));
}

std::string cell_words(const ComparePicture& picture, std::size_t k, FigurePlace place) {
    const auto word = [&](bool is_column, int index) {
        return isolated(shortened_text(one_line(label_of(picture, k, is_column, index)), 400, kFigureBody));
    };
    return concat(word(false, place.row), picture.has_keys() ? " → " : " · channel ", word(true, place.column));
}

std::string_view name_of(std::size_t k) {
    constexpr std::array<std::string_view, 3> kNames = {"A", "B", "A − B"};
    return kNames.at(k);
}

std::optional<FigurePlace> pinned_of(const ComparePicture& picture) {
    const std::optional<Cell>& cell = picture.task.view().cell;
    return cell ? std::optional(FigurePlace{cell->row, cell->column}) : std::nullopt;
}

FigureBlock draw_map(const ComparePicture& picture, const MapGrid& grid, const MapAxes& axes, std::size_t k) {
    const FigureTask& task = picture.task;
    const Matrix& matrix = *picture.matrices[k];
    FigureMap map{.values = matrix, .grid = grid, .axes = axes};
    map.map = picture.map(k);
    map.range = picture.ranges[k];
    map.row_labels = labels_of(picture, k, false);
    map.column_labels = labels_of(picture, k, true);
    map.prints_values = task.has_values();
    map.tip = [&](int row, int column) {
        const FigurePlace place = {row, column};
        const std::string number = task.has_values() ? concat(": ", value_text(matrix, place)) : "";
        return concat(name_of(k), " · ", cell_words(picture, k, place), number);
    };
    if (lies_in(matrix, pinned_of(picture))) map.lit = map.framed = pinned_of(picture);
    map.frame_color = task.colors.ink;
    const int head = k == 0 ? picture.head_a : picture.head_b;
    const bool has_head = picture.info.has_heads && k < 2;
    FigureBlock block = map_block(task, map);
    // A difference of 0 has the colour of the paper.
    if (k == 2) {
        draw_frame(block, {axes.left - 0.5, axes.top - 0.5}, map.grid.width() + 1, map.grid.height() + 1,
                   task.colors.line, 1, 2);
    }
    FigureBlock heading =
        heading_block(task, has_head ? std::optional(task.head(head)) : std::nullopt,
                      has_head ? concat(name_of(k), " · Head ", head + 1) : std::string(name_of(k)), "", block.width);
    return stacked_blocks(std::move(heading), std::move(block), 2);
}

// The cells of the maps: of one size where they can be subtracted, else each as it likes.
std::vector<MapGrid> grids_of(const ComparePicture& picture) {
    std::vector<MapGrid> grids;
    for (const Matrix* matrix : picture.matrices) {
        grids.push_back(fit_map(length(*matrix, 0), length(*matrix, 1), static_cast<int>(picture.matrices.size()),
                                picture.has_keys()));
    }
    return grids;
}

FigureBlock draw_maps(const ComparePicture& picture, const std::vector<MapGrid>& grids) {
    std::vector<std::string> rows;
    std::vector<std::string> columns;
    const auto append = [](std::vector<std::string>& list, std::vector<std::string> more) {
        list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    };
    for (std::size_t k = 0; k < picture.matrices.size(); ++k) {
        append(rows, labels_of(picture, k, false));
        append(columns, labels_of(picture, k, true));
    }
    std::vector<FigureBlock> blocks;
    for (std::size_t k = 0; k < picture.matrices.size(); ++k) {
        // The room for labels is that of the longest of all.
        blocks.push_back(draw_map(picture, grids[k], measure_axes(rows, columns, grids[k], picture.has_keys()), k));
    }
    return grid_of_blocks(std::move(blocks), {24, 20});
}

std::vector<LegendPiece> legend_of(const ComparePicture& picture) {
    const FigureTask& task = picture.task;
    const auto colors = [&](std::size_t k, std::string_view name, std::string_view more) {
        const StageRange& range = picture.ranges[k];
        return legend_colors(task, picture.map(k), concat(name, ": ", range_end_text(range.low)),
                             concat(range_end_text(range.high), more));
    };
    const bool is_cut = picture.comparison.largest_number > picture.ranges[0].high;
    std::vector<LegendPiece> pieces;
    pieces.push_back(colors(0, "A and B", is_cut ? " and more" : ""));
    if (picture.matrices.size() == 3 && picture.comparison.largest > 0) pieces.push_back(colors(2, "A − B", ""));
    const auto is_hidden = [](float value) { return value == -std::numeric_limits<float>::infinity(); };
    const auto has_hidden = [&](const Matrix* matrix) {
        return std::any_of(elements(*matrix).begin(), elements(*matrix).end(), is_hidden);
    };
    if (std::any_of(picture.matrices.begin(), picture.matrices.end(), has_hidden)) {
        pieces.push_back(legend_hidden(task, "hidden key: masked"));
    }
    return pieces;
}

// "woman → artist: A 0.3910, B 0.2000, A − B 0.1910"
std::string pinned_in_words(const ComparePicture& picture) {
    const std::optional<FigurePlace> place = pinned_of(picture);
    if (!lies_in(picture.comparison.a, place) || !picture.task.has_values()) return {};
    std::string text = concat(cell_words(picture, 0, *place), ":");
    for (std::size_t k = 0; k < picture.matrices.size(); ++k) {
        text += concat(k == 0 ? " " : ", ", name_of(k), " ", value_text(*picture.matrices[k], *place));
    }
    return text;
}

}  // namespace

Result<Figure> figure_of_compare(const FigureTask& task) {
    const TensorId stage = task.view().stage;
    if (task.evaluator.other() == nullptr) {
        return Result<Figure>::failure("There is nothing to compare yet: choose a B first.");
    }
    if (Blanks(task.state).touches(stage)) {
        return Result<Figure>::failure(concat("There is no figure of the comparison while ", tensor_name(stage),
                                              " are left blank: it would give them away."));
    }
    const PlaygroundState& other = *task.evaluator.other_state();
    ComparePicture picture{.task = task, .b = *task.evaluator.other(), .info = stage_info(stage), .comparison = {}};
    if (picture.info.has_heads) {
        const int last = task.evaluation.sizes.num_heads - 1;
        picture.head_a = std::clamp(task.options.head.value_or(compared_head(task.state)), 0, last);
        picture.head_b = compared_head(other);
    }
    picture.comparison = compare(task.evaluation, picture.b, stage, picture.head_a, picture.head_b);
    for (const Matrix* matrix : {&picture.comparison.a, &picture.comparison.b, &picture.comparison.difference}) {
        if (matrix->size() > 0) picture.matrices.push_back(matrix);
    }
    choose_ranges(picture);

    FigureWords words;
    words.title = concat("A: ", quoted_sentence(task));
    std::string differences;
    for (const std::string& difference : differences_in_words(task.state, other)) {
        differences += concat(differences.empty() ? "B: " : "; ", difference);
    }
    words.subtitle = concat(differences.empty() ? "B is the same as A" : differences, " · ", picture.info.title, " ",
                            picture.info.symbol, ": ", picture.info.formula);
    const std::vector<MapGrid> grids = grids_of(picture);
    for (const MapGrid& grid : grids) {
        const std::string reduced = reduction_in_words(grid);
        const bool is_new = words.remarks.empty() || words.remarks.back() != reduced;
        if (!reduced.empty() && is_new) words.remarks.push_back(reduced);
    }
    const std::string result = comparison_in_words(picture.comparison);
    words.description = result;

    FigureBlock maps = draw_maps(picture, grids);
    FigureBlock text;
    if (task.has_values()) {
        const double width = std::max(maps.width, 400.0);
        text = text_block(result, width,
                          {.ink = task.colors.ink, .size = kFigureHeading, .font = FigureFont::sans_bold}, 3);
        text = stacked_blocks(std::move(text), text_block(pinned_in_words(picture), width, {.ink = task.colors.ink}, 3),
                              3);
    }
    return finished_figure(task, std::move(words), stacked_blocks(std::move(text), std::move(maps), 12),
                           legend_of(picture));
}

}  // namespace attn

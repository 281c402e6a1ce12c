// The parts of view=model below and beside each other, as on the screen.
#include "views/model/figure_model.h"

#include <utility>

#include "core/ground/check.h"
#include "views/model/model_layout.h"
#include "views/model/model_text.h"

namespace attn {
namespace {

constexpr double kNarrow = 640;  // a narrower sheet has one column
constexpr double kBetween = 28;  // columns
constexpr double kBelow = 18;    // parts

FigureBlock titled(const SceneStyle& style, std::string_view title, FigureBlock block, double width) {
    if (block.height == 0) return block;
    return stacked_blocks(heading_text(style, title, width), std::move(block), 5);
}

FigureBlock votes_part(const SceneStyle& style, const ModelDrawing& drawing, double width) {
    const std::string title = drawing.word
                                  ? concat("Who votes for “", word_of_token(drawing.tokenizer, *drawing.word), "”?")
                                  : std::string("Who votes for the next word?");
    return titled(style, title, model_votes_scene(style, drawing, width), width);
}

FigureBlock map_part(const SceneStyle& style, const ModelDrawing& drawing, double width) {
    return titled(style, map_title(drawing), model_map_scene(style, drawing, width), width);
}

}  // namespace

FigureBlock model_sheet(const SceneStyle& style, const ModelDrawing& drawing, double width) {
    const bool is_narrow = width < kNarrow;
    const double left = is_narrow ? width : (width - kBetween) * 0.42,
                 right = is_narrow ? width : width - left - kBetween;
    FigureBlock heads = titled(style, "Layers × heads", model_heads_scene(style, drawing, width), width);
    FigureBlock first = titled(style, concat("The next word ", place_of_next(drawing.picture)),
                               model_next_scene(style, drawing, left), left);
    if (drawing.other) first = stacked_blocks(std::move(first), soft_text(style, drawing.other->words, left), 4);
    first = stacked_blocks(std::move(first), votes_part(style, drawing, left), kBelow);
    first = stacked_blocks(std::move(first), model_stream_scene(style, drawing, left), kBelow);
    FigureBlock second = map_part(style, drawing, right);
    second = stacked_blocks(std::move(second), model_head_scene(style, drawing, right), kBelow);
    FigureBlock below;
    if (is_narrow) {
        below = stacked_blocks(std::move(first), std::move(second), kBelow);
    } else {
        place_block(below, std::move(first), {0, 0});
        place_block(below, std::move(second), {left + kBetween, 0});
    }
    return stacked_blocks(std::move(heads), std::move(below), kBelow);
}

Figure sheet_of_model(const ModelDrawing& drawing, std::string_view sentence, bool is_dark) {
    constexpr double kWidth = 900, kMargin = 24;
    const SceneStyle style = {.colors = figure_colors(is_dark)};
    const std::string title = concat("“", one_line(sentence), "”");
    FigureBlock block = heading_text(style, title, kWidth);
    block = stacked_blocks(
        std::move(block),
        soft_text(style, model_in_words(drawing.picture.config, drawing.picture.num_parameters), kWidth), 2);
    block = stacked_blocks(std::move(block), model_sheet(style, drawing, kWidth), 16);
    FigureBlock sheet;
    place_block(sheet, std::move(block), {kMargin, kMargin});
    return {.width = kWidth + 2 * kMargin,
            .height = sheet.height + kMargin,
            .ground = style.colors.paper,
            .title = title,
            .description = picture_in_words(drawing),
            .elements = elements_of(std::move(sheet))};
}

}  // namespace attn

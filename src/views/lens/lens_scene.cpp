// Cells with words, and lists of bars.
#include "views/lens/lens_parts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "scene/kit/figure_plot.h"
#include "views/model/model_layout.h"
#include "views/model/model_scene.h"
#include "views/model/model_text.h"

namespace attn {
namespace {

constexpr double kNarrowestCell = 66, kWidestCell = 120;
constexpr double kPadding = 5;

std::string row_label(int layer) {
    return layer == 0 ? std::string("embed.") : concat(layer);
}

double label_width(const SceneStyle& style, int num_layers) {
    return std::ceil(std::max({style.width("embed.", style.small), style.width("layer", style.small),
                               style.width(concat(num_layers), style.small)})) +
           2 * kPadding;
}

double line_height(const SceneStyle& style) {
    return std::ceil(style.body * 1.35);
}
double cell_height(const SceneStyle& style) {
    return 2 * line_height(style) + 4;
}

// The first line is the word, the second its probability and the rank of another word.
void draw_cell(FigureBlock& block, const SceneStyle& style, const LensDrawing& drawing, int layer, int position,
               const FigureBox& box) {
    const LensCell* cell = drawing.work.cell(layer, position);
    const double width = box.right - box.left - 2 * kPadding, left = box.left + kPadding;
    const double first = box.top + 2 + line_height(style) / 2, second = first + line_height(style);
    const TextLook soft = {.ink = style.colors.soft_ink, .size = style.small};
    if (cell == nullptr) return draw_text_at_middle(block, left, first, "…", soft);
    if (!cell->is_number()) return draw_text_at_middle(block, left, first, "NaN", soft);
    const LensWord& most = cell->words.front();
    const double probability = static_cast<double>(most.probability);
    draw_rect(block, {box.left + 1, box.top + 1}, box.right - box.left - 2, box.bottom - box.top - 2,
              mixed(style.colors.paper, style.colors.accent, static_cast<float>(probability) * 0.45F), 3);
    const std::optional<int> asked = drawing.work.word();
    const FigureFont font = asked == most.token ? FigureFont::sans_bold : FigureFont::sans;
    const TextLook look = {.ink = style.colors.ink, .size = style.body, .font = font};
    draw_text_at_middle(
        block, left, first,
        shortened_text(isolated(one_line(drawing.word_of(most.token))), width, look.size, look.font, *style.ruler),
        look);
    if (!drawing.prints_values) return;
    const TextLook number = {.ink = style.colors.ink, .size = style.small};
    const std::string shown = shown_score(probability);
    draw_text_at_middle(block, left, second, shown, number);
    if (!cell->chosen || cell->asked != asked || cell->chosen->rank == 1) return;
    const std::string rank = concat("#", cell->chosen->rank);
    if (style.width(shown, style.small) + style.width(rank, style.small) + kPadding > width) return;
    TextLook at_end = number;
    at_end.anchor = FigureAnchor::end;
    draw_text_at_middle(block, box.right - kPadding, second, rank, at_end);
}

void put_bars(FigureBlock& block, const SceneStyle& style, const std::vector<BarLine>& lines, const BarColumns& columns,
              double& y) {
    for (const BarLine& line : lines) {
        draw_bar_line(block, style, columns, line, y);
        y += columns.line;
    }
}

void draw_sum_line(FigureBlock& block, const SceneStyle& style, double middle, const std::string& name,
                   const std::string& number, bool is_bold) {
    TextLook look = {.ink = is_bold ? style.colors.ink : style.colors.soft_ink,
                     .size = style.body,
                     .font = is_bold ? FigureFont::sans_bold : FigureFont::sans};
    draw_text_at_middle(block, 0, middle, name, look);
    look.anchor = FigureAnchor::end;
    draw_text_at_middle(block, block.width, middle, number, look);
}

FigureBlock titled_part(const SceneStyle& style, std::string_view title, FigureBlock block, double width) {
    if (block.height == 0) return block;
    return stacked_blocks(heading_text(style, title, width), std::move(block), 5);
}

std::vector<double> layer_ticks(int num_layers, double width) {
    constexpr double kRoomOfTick = 28;
    const int step = std::max(1, static_cast<int>(std::ceil((num_layers + 1) * kRoomOfTick / std::max(width, 1.0))));
    std::vector<double> ticks;
    for (int layer = 0; layer <= num_layers; layer += step) ticks.push_back(layer);
    return ticks;
}

}  // namespace

int lens_columns(const SceneStyle& style, double width, int num_layers) {
    return std::max(1, static_cast<int>((width - label_width(style, num_layers)) / kNarrowestCell));
}

FigureBlock lens_cells_scene(const SceneStyle& style, const LensDrawing& drawing, double width) {
    const int num_layers = drawing.num_layers(), num_tokens = static_cast<int>(drawing.words.size());
    const LensWindow& shown = drawing.shown;
    const double label = label_width(style, num_layers);
    const double room = std::max(width - label, kNarrowestCell);
    const double cell_width = std::clamp(std::floor(room / std::max(shown.count, 1)), 40.0, kWidestCell);
    const double header = 2 * line_height(style), height = cell_height(style);
    FigureBlock block;
    const TextLook soft = {.ink = style.colors.soft_ink, .size = style.small};
    draw_text_at_middle(block, 0, header - line_height(style) / 2, "layer", soft);
    for (int k = 0; k < shown.count; ++k) {
        const int position = shown.first + k;
        const bool is_open = position == drawing.row();
        const double left = label + k * cell_width + kPadding;
        const FigureFont font = is_open ? FigureFont::sans_bold : FigureFont::sans;
        draw_text_at_middle(block, left, line_height(style) / 2, concat(position), soft);
        draw_text_at_middle(block, left, header - line_height(style) / 2,
                            shortened_text(isolated(drawing.word_at(position)), cell_width - 2 * kPadding, style.body,
                                           font, *style.ruler),
                            {.ink = style.colors.ink, .size = style.body, .font = font});
    }
    for (int layer = 0; layer <= num_layers; ++layer) {
        const double top = header + 3 + layer * height;
        draw_text_at_middle(block, 0, top + height / 2, row_label(layer),
                            {.ink = layer == drawing.layer ? style.colors.ink : style.colors.soft_ink,
                             .size = style.small,
                             .font = layer == drawing.layer ? FigureFont::sans_bold : FigureFont::sans});
        for (int k = 0; k < shown.count; ++k) {
            const int position = shown.first + k;
            const double left = label + k * cell_width;
            const FigureBox box = {left, top, left + cell_width, top + height};
            draw_cell(block, style, drawing, layer, position, box);
            const bool is_open = layer == drawing.layer && position == drawing.row();
            draw_frame(block, {left + 1, top + 1}, cell_width - 2, height - 2,
                       is_open ? style.colors.ink : style.colors.edge, is_open ? 2 : 0.5, 3);
            block.places.push_back(
                {.name = concat("lens=", layer, ".", position), .box = box, .index = layer * num_tokens + position});
        }
    }
    block.width = label + shown.count * cell_width;
    block.height = header + 3 + (num_layers + 1) * height;
    return block;
}

FigureBlock lens_curve_scene(const SceneStyle& style, const LensDrawing& drawing, double width) {
    constexpr double kHeight = 150, kAxes = 60;
    const std::optional<int> word = drawing.work.word();
    if (!word) return {};
    const int num_layers = drawing.num_layers();
    std::vector<FigurePoint> points;
    std::vector<std::string> tips;
    std::string ranks;
    for (int layer = 0; layer <= num_layers; ++layer) {
        const LensCell* cell = drawing.work.cell(layer, drawing.row());
        const bool is_there = cell != nullptr && cell->chosen && cell->asked == *word;
        ranks += concat(ranks.empty() ? "" : ", ", is_there ? with_thousands(cell->chosen->rank) : "…");
        if (!is_there) continue;
        points.push_back({static_cast<double>(layer), static_cast<double>(cell->chosen->word.probability)});
        tips.push_back(concat("after ", lens_layer_name(layer, num_layers), ": ", lens_rank_in_words(*cell->chosen)));
    }
    FigurePlot plot(style, width, kHeight,
                    {.low = 0,
                     .high = static_cast<double>(num_layers),
                     .ticks = layer_ticks(num_layers, width - kAxes),
                     .title = "layer; 0: the embeddings"},
                    {.low = 0, .high = 1, .ticks = {0, 0.25, 0.5, 0.75, 1}});
    plot.cursor(drawing.layer, style.colors.edge);
    plot.line(points, style.colors.accent, 2);
    for (std::size_t k = 0; k < points.size(); ++k)
        plot.mark(points[k], FigureMark::disc, style.colors.accent, 4, tips[k]);
    return stacked_blocks(std::move(plot).block(),
                          soft_text(style, concat("Its ranks, from the embeddings on: ", ranks, "."), width), 4);
}

std::string lens_title_of_cell(const LensDrawing& drawing) {
    return concat(lens_place(drawing.model(), drawing.word_at(drawing.row())), ", ",
                  lens_layer_name(drawing.layer, drawing.num_layers()));
}

FigureBlock lens_words_scene(const SceneStyle& style, const LensDrawing& drawing, double width) {
    FigureBlock block;
    block.width = width;
    const LensCell* cell = drawing.open_cell();
    if (cell == nullptr) return soft_text(style, "is being computed …", width);
    if (!cell->is_number())
        return soft_text(style, "A logit is no number here (NaN, or infinite), so no word is probable.", width);
    std::vector<LensWord> words = cell->words;
    if (cell->chosen && std::ranges::find(words, cell->chosen->word.token, &LensWord::token) == words.end())
        words.push_back(cell->chosen->word);
    const std::optional<int> asked = drawing.work.word();
    std::vector<BarLine> lines;
    for (const LensWord& word : words) {
        const bool is_last = &word == &words.back() && words.size() > cell->words.size();
        lines.push_back({.name = isolated(one_line(drawing.word_of(word.token))),
                         .value = static_cast<double>(word.probability),
                         .number = concat(probability_in_words(static_cast<double>(word.probability)),
                                          is_last ? concat(", rank ", with_thousands(cell->chosen->rank)) : ""),
                         .color = word.token == asked ? style.colors.accent : style.colors.edge,
                         .is_bold = word.token == asked,
                         .ink = style.colors.ink});
    }
    BarColumns columns = bar_columns(style, lines, width);
    columns.high = std::max(columns.high, 1e-6);
    double y = 0;
    for (std::size_t k = 0; k < words.size(); ++k) {
        // A word with and without the blank before it are two tokens.
        std::string name = concat("word=", drawing.word_of(words[k].token));
        if (std::ranges::find(block.places, name, &ScenePlace::name) != block.places.end())
            name += concat("#", words[k].token);
        block.places.push_back(
            {.name = std::move(name), .box = {0, y, width, y + columns.line}, .index = words[k].token});
        put_bars(block, style, {lines[k]}, columns, y);
    }
    block.height = y;
    return block;
}

FigureBlock lens_sum_scene(const SceneStyle& style, const LensDrawing& drawing, double width) {
    const LensCell* cell = drawing.open_cell();
    if (cell == nullptr || !cell->is_number()) return {};
    if (!drawing.sum)
        return soft_text(style, "The logit is no number that can be printed, so it is not taken apart.", width);
    const LensSum& sum = *drawing.sum;
    std::vector<BarLine> lines;
    for (const LensLine& line : sum.lines) {
        const std::string factors =
            line.channel ? concat(shown_number(line.x), " × ", shown_number(line.weight), " = ") : std::string();
        lines.push_back({.name = line.label,
                         .value = static_cast<double>(line.thousandths),
                         .number = concat(factors, shown_thousandths(line.thousandths, true)),
                         .color = line.channel ? style.colors.accent : style.colors.edge,
                         .is_bold = line.channel == sum.channel,
                         .ink = style.colors.ink});
    }
    if (sum.rounding != 0)
        lines.push_back({.name = "rounding",
                         .number = shown_thousandths(sum.rounding, true),
                         .color = style.colors.paper,
                         .ink = style.colors.soft_ink});
    FigureBlock block;
    block.width = width;
    const BarColumns columns = bar_columns(style, lines, width);
    double y = 0;
    for (const LensLine& line : sum.lines) {
        if (line.channel)
            block.places.push_back({.name = concat("channel=", *line.channel),
                                    .box = {0, y, width, y + columns.line},
                                    .index = *line.channel});
        y += columns.line;
    }
    y = 0;
    put_bars(block, style, lines, columns, y);
    draw_line(block, {0, y + 0.5}, {width, y + 0.5}, style.colors.edge);
    y += 2;
    draw_sum_line(block, style, y + columns.line / 2, concat("logit of “", isolated(drawing.word_of(sum.token)), "”"),
                  shown_thousandths(sum.logit), true);
    y += columns.line;
    draw_sum_line(block, style, y + columns.line / 2, lens_softmax_in_words(*cell),
                  probability_in_words(static_cast<double>(cell->softmax.probability(sum.shown))), false);
    block.height = y + columns.line;
    return block;
}

FigureBlock lens_norm_scene(const SceneStyle& style, const LensDrawing& drawing, double width) {
    if (!drawing.sum) return {};
    FigureBlock block =
        heading_text(style, concat("Where the number of channel ", drawing.sum->channel, " comes from"), width);
    for (const std::string& line : drawing.sum->norm)
        block = stacked_blocks(std::move(block), soft_text(style, line, width), 2);
    return block;
}

FigureBlock lens_sheet(const SceneStyle& style, const LensDrawing& drawing, double width) {
    constexpr double kBelow = 18;
    FigureBlock sheet;
    for (const std::string& sentence : lens_in_words(drawing.model()))
        sheet = stacked_blocks(std::move(sheet), soft_text(style, sentence, width), 3);
    const double wide =
        std::max(width, label_width(style, drawing.num_layers()) + drawing.shown.count * kNarrowestCell);
    sheet = stacked_blocks(std::move(sheet), lens_cells_scene(style, drawing, wide), 10);
    const auto add = [&](const std::string& title, FigureBlock block) {
        sheet = stacked_blocks(std::move(sheet), titled_part(style, title, std::move(block), width), kBelow);
    };
    if (const std::optional<int> word = drawing.work.word())
        add(concat("“", isolated(drawing.word_of(*word)), "” by layer, ",
                   lens_place(drawing.model(), drawing.word_at(drawing.row()))),
            lens_curve_scene(style, drawing, width));
    add(concat("The most probable words ", lens_title_of_cell(drawing)), lens_words_scene(style, drawing, width));
    if (drawing.sum)
        add(concat("The logit of “", isolated(drawing.word_of(drawing.sum->token)), "” ", lens_title_of_cell(drawing)),
            lens_sum_scene(style, drawing, width));
    return stacked_blocks(std::move(sheet), lens_norm_scene(style, drawing, width), 12);
}

}  // namespace attn

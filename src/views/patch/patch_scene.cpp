// Maps of numbers that can be pressed.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/ground/check.h"
#include "playground/text/notes.h"
#include "views/model/model_layout.h"
#include "views/model/model_text.h"
#include "views/model/vote_column.h"
#include "views/patch/patch_picture.h"

namespace attn {
namespace {

constexpr double kNarrowestEffect = 54, kWidestEffect = 86, kEffectHeight = 26, kEffectPadding = 4;

// A map of effects: its columns, and what stands in them.
struct EffectMap {
    int num_columns = 0;
    std::function<std::string(int column)> label;
    std::function<const PatchedChoice*(int layer, int column)> choice;
    std::function<Patch(int layer, int column)> patch;
    std::string_view place;  // "stream"
    int first = 0;           // what the first column counts as in places
    int of_layer = 0;        // places a layer, for their index
};

// From violet, away from B's choice, to orange, towards it or beyond.
Rgb color_of_share(const SceneStyle& style, double share) {
    const auto place = static_cast<float>(0.5 + std::clamp(share, -1.0, 1.0) * 0.35);
    return map_color(ColorMap::diverging, style.colors.is_dark, place);
}

void draw_effect(FigureBlock& block, const SceneStyle& style, const PatchDrawing& drawing, const PatchedChoice* choice,
                 bool is_chosen, const FigureBox& box) {
    const double width = box.right - box.left - 2, height = box.bottom - box.top - 2;
    if (choice != nullptr) {
        if (const std::optional<double> share = drawing.work.share(*choice))
            draw_rect(block, {box.left + 1, box.top + 1}, width, height, color_of_share(style, *share), 3);
    }
    draw_frame(block, {box.left + 1, box.top + 1}, width, height, is_chosen ? style.colors.ink : style.colors.edge,
               is_chosen ? 2 : 0.5, 3);
    if (!drawing.prints_values) return;
    draw_text_at_middle(block, box.right - 1 - kEffectPadding, (box.top + box.bottom) / 2,
                        effect_in_words(drawing, choice),
                        {.ink = style.colors.ink,
                         .size = style.small,
                         .font = is_chosen ? FigureFont::sans_bold : FigureFont::sans,
                         .anchor = FigureAnchor::end});
}

FigureBlock effects_scene(const SceneStyle& style, const PatchDrawing& drawing, const EffectMap& map, double width) {
    FigureBlock block;
    block.width = width;
    const double label = std::ceil(style.width("layer", style.small)) + 2 * kEffectPadding;
    const double header = std::ceil(style.body * 1.6);
    const int most = std::max(1, static_cast<int>((width - label) / kNarrowestEffect));
    const int num_bands = (map.num_columns + most - 1) / most;
    const int in_band = num_bands == 0 ? 0 : (map.num_columns + num_bands - 1) / num_bands;
    double top = 0;
    for (int begin = 0; begin < map.num_columns; begin += in_band) {
        const int count = std::min(in_band, map.num_columns - begin);
        const double cell = std::min(std::floor((width - label) / in_band), kWidestEffect);
        const TextLook soft = {.ink = style.colors.soft_ink, .size = style.small};
        draw_text_at_middle(block, 0, top + header / 2, "layer", soft);
        for (int k = 0; k < count; ++k) {
            TextLook look = {.ink = style.colors.ink, .size = style.body, .anchor = FigureAnchor::end};
            draw_text_at_middle(block, label + (k + 1) * cell - 1 - kEffectPadding, top + header / 2,
                                shortened_text(isolated(one_line(map.label(begin + k))), cell - 2 * kEffectPadding,
                                               look.size, look.font, *style.ruler),
                                look);
        }
        top += header;
        for (int layer = 0; layer < drawing.num_layers(); ++layer, top += kEffectHeight) {
            draw_text_at_middle(block, 0, top + kEffectHeight / 2, concat(layer + 1), soft);
            for (int k = 0; k < count; ++k) {
                const int column = begin + k;
                const FigureBox box = {label + k * cell, top, label + (k + 1) * cell, top + kEffectHeight};
                const Patch patch = map.patch(layer, column);
                const PatchedChoice* choice = map.choice(layer, column);
                draw_effect(block, style, drawing, choice, drawing.has_patch(patch), box);
                if (effect_in_words(drawing, choice).empty()) continue;
                block.places.push_back({.name = concat(map.place, "=", layer + 1, ".", map.first + column + 1),
                                        .box = box,
                                        .index = layer * map.of_layer + map.first + column});
            }
        }
        top += 8;
    }
    block.height = std::max(top - 8, 0.0);
    return block;
}

}  // namespace

FigureBlock patch_choices_scene(const SceneStyle& style, const PatchDrawing& drawing, double width) {
    const std::optional<PatchEffects::Both>& both = drawing.work.both();
    if (!both) return soft_text(style, "Both texts are being computed …", width);
    if (drawing.work.has_no_choice())
        return soft_text(style, "There is no choice to show: a logit is no number, or the two words are one.", width);
    std::vector<BarLine> lines;
    const auto add = [&](std::string name, const PatchedChoice& choice, const LensCell& next, bool is_bold) {
        const std::string most =
            next.is_number() ? concat("   next “", isolated(one_line(drawing.word_of(next.words.front().token))), "” ",
                                      probability_in_words(static_cast<double>(next.words.front().probability)))
                             : std::string();
        lines.push_back({.name = std::move(name),
                         .value = static_cast<double>(thousandths_of(choice)),
                         .number = drawing.prints_values ? concat(shown_thousandths(thousandths_of(choice)), most) : "",
                         .color = is_bold ? style.colors.accent : style.colors.edge,
                         .is_bold = is_bold,
                         .ink = style.colors.ink});
    };
    add("this text", both->here, both->next_here, false);
    if (const auto patched = drawing.patched_choice()) add("patched", *patched, drawing.patched->cell(), true);
    add("B’s text", both->there, both->next_there, false);
    const BarColumns columns = bar_columns(style, lines, width);
    FigureBlock block;
    block.width = width;
    for (const BarLine& line : lines) {
        draw_bar_line(block, style, columns, line, block.height);
        block.height += columns.line;
    }
    return block;
}

FigureBlock patch_streams_scene(const SceneStyle& style, const PatchDrawing& drawing, double width) {
    const PatchEffects& work = drawing.work;
    return effects_scene(style, drawing,
                         {.num_columns = std::max(0, std::min(work.count(), work.num_in_both() - work.first())),
                          .label = [&](int k) { return drawing.words[static_cast<std::size_t>(work.first() + k)]; },
                          .choice = [&](int layer, int k) { return work.of_stream(layer, work.first() + k); },
                          .patch = [&](int layer, int k) { return stream_patch(layer, work.first() + k); },
                          .place = "stream",
                          .first = work.first(),
                          .of_layer = static_cast<int>(drawing.words.size())},
                         width);
}

FigureBlock patch_heads_scene(const SceneStyle& style, const PatchDrawing& drawing, double width) {
    const PatchEffects& work = drawing.work;
    const int num_heads = drawing.model().config.num_heads;
    return effects_scene(style, drawing,
                         {.num_columns = num_heads,
                          .label = [](int head) { return concat("head ", head + 1); },
                          .choice = [&](int layer, int head) { return work.of_head(layer, head); },
                          .patch = [](int layer, int head) { return head_patch(layer, head); },
                          .place = "head",
                          .of_layer = num_heads},
                         width);
}

FigureBlock patch_sheet(const SceneStyle& style, const PatchDrawing& drawing, double width) {
    FigureBlock sheet;
    for (const std::string& sentence : patching_in_words(drawing))
        sheet = stacked_blocks(std::move(sheet), soft_text(style, sentence, width), 3);
    const auto add = [&](const std::string& title, FigureBlock block) {
        sheet = stacked_blocks(std::move(sheet), stacked_blocks(heading_text(style, title, width), std::move(block), 5),
                               16);
    };
    add(choice_in_words(drawing), patch_choices_scene(style, drawing, width));
    if (drawing.work.has_no_choice()) return sheet;
    add("The stream before each layer, patched at one token", patch_streams_scene(style, drawing, width));
    add("Each head, patched at every token", patch_heads_scene(style, drawing, width));
    return sheet;
}

}  // namespace attn

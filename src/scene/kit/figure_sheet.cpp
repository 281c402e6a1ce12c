// The legend under a figure's picture, and the sheet that holds title, picture and legend. See figure_parts.h.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "scene/kit/figure_parts.h"

namespace attn {
namespace {

constexpr double kMargin = 24;
constexpr double kNarrowest = 400;  // of what is drawn, so that a title has room

TextLook soft_look(const FigureTask& task) {
    return {.ink = task.colors.soft_ink, .size = kFigureSmall};
}

// Appends text to a line of the legend.
void append_text(const FigureTask& task, FigureBlock& line, double distance, std::string_view text) {
    const TextLook look = soft_look(task);
    draw_text_at_middle(line, line.width + distance, kLegendLine / 2, text, look);
    line.width += distance + text_width(one_line(text), look.size, look.font);
}

FigureBlock new_line() {
    FigureBlock line;
    line.height = kLegendLine;
    return line;
}

// Title, subtitle and remarks.
FigureBlock title_block(const FigureTask& task, const FigureWords& words, double width) {
    FigureBlock block = text_block(words.title, width,
                                   {.ink = task.colors.ink, .size = kFigureTitle, .font = FigureFont::sans_bold}, 2);
    block = stacked_blocks(std::move(block), text_block(words.subtitle, width, soft_look(task), 4), 3);
    for (const std::string& remark : words.remarks) {
        TextLook look = soft_look(task);
        look.ink = task.colors.warning;
        block = stacked_blocks(std::move(block), text_block(remark, width, look, 4), 3);
    }
    return block;
}

}  // namespace

LegendPiece legend_text(const FigureTask& task, std::string_view text) {
    LegendPiece piece{.block = new_line()};
    append_text(task, piece.block, 0, text);
    return piece;
}

LegendPiece legend_colors(const FigureTask& task, ColorMap map, const std::string& low, const std::string& high) {
    constexpr int kSteps = 60;
    constexpr double kWidth = 180;
    constexpr double kHeight = 10;
    LegendPiece piece{.block = new_line()};
    FigureBlock& line = piece.block;
    append_text(task, line, 0, low);
    const double left = std::ceil(line.width + 8);
    const double top = (kLegendLine - kHeight) / 2;
    for (int k = 0; k < kSteps; ++k) {
        // Up to the end, so that no seam is between one and the next.
        const double at = k * kWidth / kSteps;
        FigureRect step{.at = {left + at, top}, .width = kWidth - at, .height = kHeight};
        step.look.fill = map_color(map, task.colors.is_dark, (static_cast<float>(k) + 0.5F) / kSteps);
        line.elements.emplace_back(std::move(step));
    }
    draw_frame(line, {left - 0.5, top - 0.5}, kWidth + 1, kHeight + 1, task.colors.line, 1);
    line.width = left + kWidth;
    append_text(task, line, 8, high);
    return piece;
}

LegendPiece legend_hidden(const FigureTask& task, std::string_view text) {
    constexpr double kSwatch = 14;
    LegendPiece piece{.block = new_line()};
    const double top = (kLegendLine - kSwatch) / 2;
    draw_rect(piece.block, {0, top}, kSwatch, kSwatch, task.colors.hidden, 2);
    draw_hatching(piece.block, {{0, top, kSwatch, top + kSwatch}}, task.colors.hatch);
    piece.block.width = kSwatch;
    append_text(task, piece.block, 8, text);
    return piece;
}

LegendPiece legend_blank(const FigureTask& task) {
    constexpr double kSwatch = 14;
    LegendPiece piece{.block = new_line()};
    const double top = (kLegendLine - kSwatch) / 2;
    draw_rect(piece.block, {0, top}, kSwatch, kSwatch, task.colors.panel, 2);
    draw_frame(piece.block, {0.5, top + 0.5}, kSwatch - 1, kSwatch - 1, task.colors.line, 1, 2);
    TextLook look = soft_look(task);
    look.anchor = FigureAnchor::middle;
    draw_text_at_middle(piece.block, kSwatch / 2, kLegendLine / 2, "?", look);
    piece.block.width = kSwatch;
    append_text(task, piece.block, 8, "left blank");
    return piece;
}

LegendPiece legend_changed(const FigureTask& task, std::string_view text) {
    constexpr double kSwatch = 14;
    constexpr double kMark = 8;
    LegendPiece piece{.block = new_line()};
    const double top = (kLegendLine - kSwatch) / 2;
    draw_frame(piece.block, {0.5, top + 0.5}, kSwatch - 1, kSwatch - 1, task.colors.line, 1, 2);
    FigurePath mark;
    mark.pieces = {{.step = FigureStep::move, .to = {kSwatch - kMark, top}},
                   {.step = FigureStep::line, .to = {kSwatch, top}},
                   {.step = FigureStep::line, .to = {kSwatch, top + kMark}},
                   {.step = FigureStep::close}};
    mark.look.fill = task.colors.ink;
    piece.block.elements.emplace_back(std::move(mark));
    piece.block.width = kSwatch;
    append_text(task, piece.block, 8, text);
    return piece;
}

FigureBlock legend_block(std::vector<LegendPiece> pieces, double width) {
    FigureBlock block;
    double x = 0;
    double y = 0;
    for (LegendPiece& piece : pieces) {
        const bool is_first = x == 0;
        const double piece_width = piece.block.width;
        double left = is_first ? 0 : x + piece.distance;
        if (!is_first && left + piece_width > width) {
            y += kLegendLine;
            left = 0;
        } else if (piece.is_at_end) {
            left = std::max(left, width - piece_width);
        }
        place_block(block, std::move(piece.block), {left, y});
        x = left + piece_width;
    }
    return block;
}

std::string quoted_sentence(const FigureTask& task) {
    constexpr std::size_t kMost = 2000;  // bytes: far more than two lines
    std::string sentence = one_line(task.evaluation.tokens.sentence.substr(0, kMost));
    const std::size_t first = sentence.find_first_not_of(' ');
    if (first == std::string::npos) return "“”";
    sentence = sentence.substr(first, sentence.find_last_not_of(' ') - first + 1);
    return concat("“", sentence, "”");
}

Figure finished_figure(const FigureTask& task, FigureWords words, FigureBlock picture,
                       std::vector<LegendPiece> legend) {
    const double width = std::max(picture.width, kNarrowest);
    FigureBlock sheet;
    if (task.options.has_title)
        sheet = stacked_blocks(title_block(task, words, width), std::move(picture), 16);
    else
        sheet = std::move(picture);
    if (task.options.has_legend && !hides_part(task.view(), "legend")) {
        sheet = stacked_blocks(std::move(sheet), legend_block(std::move(legend), width), 14);
    }
    FigureBlock whole;
    place_block(whole, std::move(sheet), {kMargin, kMargin});

    Figure figure;
    figure.width = std::ceil(whole.width + kMargin);
    figure.height = std::ceil(whole.height + kMargin);
    if (!task.options.is_transparent) figure.ground = task.colors.paper;
    figure.title = one_line(words.title);
    figure.description = one_line(words.subtitle);
    const auto add = [&](const std::string& sentence) {
        const bool has_stop = figure.description.empty() || figure.description.ends_with('.');
        if (!sentence.empty()) figure.description += concat(has_stop ? " " : ". ", one_line(sentence));
    };
    for (const std::string& remark : words.remarks) add(remark);
    add(words.description);
    figure.elements = elements_of(std::move(whole));
    return figure;
}

}  // namespace attn

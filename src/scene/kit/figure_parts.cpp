// Blocks, text, tables and hatching. The legend and the sheet are in figure_sheet.cpp.
#include "scene/kit/figure_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "playground/link/hiding.h"

namespace attn {
namespace {

constexpr double kMiddle = 0.35;  // em: from the middle of the letters to the baseline

Rgb from_hex(unsigned hex) {
    return {static_cast<float>(hex >> 16U & 0xFFU) / 255, static_cast<float>(hex >> 8U & 0xFFU) / 255,
            static_cast<float>(hex & 0xFFU) / 255};
}

FigurePoint moved(FigurePoint point, FigurePoint by) {
    return {point.x + by.x, point.y + by.y};
}

void move_element(FigureElement& element, FigurePoint by) {
    if (auto* rect = std::get_if<FigureRect>(&element)) {
        rect->at = moved(rect->at, by);
    } else if (auto* text = std::get_if<FigureText>(&element)) {
        text->at = moved(text->at, by);
    } else {
        for (FigurePiece& piece : std::get<FigurePath>(element).pieces) {
            piece.to = moved(piece.to, by);
            piece.a = moved(piece.a, by);
            piece.b = moved(piece.b, by);
        }
    }
}

// Elements that come next lie on top of those that are there.
void end_placed(FigureBlock& block) {
    if (!block.elements.empty()) block.placed.push_back({.at = {}, .elements = std::exchange(block.elements, {})});
}

}  // namespace

Rgb mixed(Rgb a, Rgb b, float share_of_b) {
    const auto mix = [&](float x, float y) { return x + (y - x) * share_of_b; };
    return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b)};
}

FigureColors figure_colors(bool is_dark) {
    FigureColors colors = {palette_as(is_dark ? kDarkColors : kLightColors, from_hex), {}};
    colors.hidden = mixed(colors.paper, colors.chip, 0.75F);
    return colors;
}

bool FigureTask::has_values() const {
    return !hides_part(state.view, "values");
}

void place_block(FigureBlock& on, FigureBlock block, FigurePoint at) {
    on.width = std::max(on.width, at.x + block.width);
    on.height = std::max(on.height, at.y + block.height);
    end_placed(on);
    end_placed(block);
    for (PlacedElements& part : block.placed) {
        part.at = moved(part.at, at);
        on.placed.push_back(std::move(part));
    }
    for (ScenePlace& place : block.places) {
        const FigureBox& box = place.box;
        place.box = {box.left + at.x, box.top + at.y, box.right + at.x, box.bottom + at.y};
        on.places.push_back(std::move(place));
    }
}

std::vector<FigureElement> elements_of(FigureBlock block) {
    end_placed(block);
    std::size_t count = 0;
    for (const PlacedElements& part : block.placed) count += part.elements.size();
    std::vector<FigureElement> elements;
    elements.reserve(count);
    for (PlacedElements& part : block.placed) {
        for (FigureElement& element : part.elements) {
            move_element(element, part.at);
            elements.push_back(std::move(element));
        }
    }
    return elements;
}

FigureBlock stacked_blocks(FigureBlock above, FigureBlock below, double distance) {
    if (above.height == 0) return below;
    if (below.height == 0) return above;
    const double top = above.height + distance;
    place_block(above, std::move(below), {0, top});
    return above;
}

void draw_text(FigureBlock& block, FigurePoint baseline, std::string_view text, const TextLook& look) {
    std::string line = one_line(text);
    if (line.find_first_not_of(' ') == std::string::npos) return;
    block.elements.emplace_back(FigureText{.at = baseline,
                                           .text = std::move(line),
                                           .size = look.size,
                                           .font = look.font,
                                           .anchor = look.anchor,
                                           .ink = look.ink});
}

void draw_text_at_middle(FigureBlock& block, double x, double y, std::string_view text, const TextLook& look) {
    draw_text(block, {x, y + look.size * kMiddle}, text, look);
}

void draw_turned_text(FigureBlock& block, FigurePoint start, double degrees, std::string_view text,
                      const TextLook& look) {
    const std::size_t before = block.elements.size();
    const double angle = degrees * 3.14159265358979 / 180;
    const double down = look.size * kMiddle;
    draw_text(block, {start.x - down * std::sin(angle), start.y + down * std::cos(angle)}, text, look);
    if (block.elements.size() > before) std::get<FigureText>(block.elements.back()).turn = degrees;
}

void draw_rect(FigureBlock& block, FigurePoint at, double width, double height, Rgb fill, double corner) {
    block.elements.emplace_back(FigureRect{.at = at,
                                           .width = width,
                                           .height = height,
                                           .corner = corner,
                                           .look = {.fill = fill, .line = {}, .dashes = {}},
                                           .tip = {}});
}

void draw_frame(FigureBlock& block, FigurePoint at, double width, double height, Rgb line, double line_width,
                double corner, std::vector<double> dashes) {
    block.elements.emplace_back(
        FigureRect{.at = at,
                   .width = width,
                   .height = height,
                   .corner = corner,
                   .look = {.fill = {}, .line = line, .line_width = line_width, .dashes = std::move(dashes)},
                   .tip = {}});
}

void draw_line(FigureBlock& block, FigurePoint from, FigurePoint to, Rgb line, double line_width,
               std::vector<double> dashes) {
    FigurePath path;
    path.pieces = {{.step = FigureStep::move, .to = from, .a = {}, .b = {}},
                   {.step = FigureStep::line, .to = to, .a = {}, .b = {}}};
    path.look = {.fill = {}, .line = line, .line_width = line_width, .dashes = std::move(dashes)};
    block.elements.emplace_back(std::move(path));
}

void draw_circle(FigureBlock& block, FigurePoint center, double radius, const FigureLook& look) {
    block.elements.emplace_back(FigureRect{.at = {center.x - radius, center.y - radius},
                                           .width = 2 * radius,
                                           .height = 2 * radius,
                                           .corner = radius,
                                           .look = look,
                                           .tip = {}});
}

void draw_check_mark(FigureBlock& block, FigurePoint center, double size, Rgb ink) {
    const double half = size / 2;
    FigurePath path;
    path.pieces = {{.step = FigureStep::move, .to = {center.x - half * 0.8, center.y + half * 0.1}, .a = {}, .b = {}},
                   {.step = FigureStep::line, .to = {center.x - half * 0.2, center.y + half * 0.7}, .a = {}, .b = {}},
                   {.step = FigureStep::line, .to = {center.x + half * 0.9, center.y - half * 0.7}, .a = {}, .b = {}}};
    path.look = {.fill = {}, .line = ink, .line_width = 1.6, .dashes = {}};
    block.elements.emplace_back(std::move(path));
}

void draw_target(FigureBlock& block, Rgb paper, Rgb ink, FigurePoint from, FigurePoint to, double radius) {
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (length > 2 * radius) {
        const auto along = [&](double way) {
            return FigurePoint{from.x + (to.x - from.x) * way / length, from.y + (to.y - from.y) * way / length};
        };
        draw_line(block, along(radius), along(length - radius), paper, 4, {9, 3});
        draw_line(block, along(radius + 1), along(length - radius), ink, 1.75, {7, 5});
    }
    for (const FigurePoint place : {from, to}) {
        draw_circle(block, place, radius, {.fill = paper, .line = ink, .line_width = 1.75, .dashes = {}});
    }
}

void draw_hatching(FigureBlock& block, const std::vector<FigureBox>& boxes, Rgb line) {
    constexpr double kDistance = 6;  // between two lines, along a row
    constexpr double kTouching = 0.01;
    struct Part {
        double from, to;  // x
    };
    std::map<int, std::vector<Part>> parts;  // by line: x + y = kDistance * number
    for (const FigureBox& box : boxes) {
        const int first = static_cast<int>(std::floor((box.left + box.top) / kDistance)) + 1;
        const int end = static_cast<int>(std::ceil((box.right + box.bottom) / kDistance));
        for (int number = first; number < end; ++number) {
            const double sum = number * kDistance;
            parts[number].push_back({std::max(box.left, sum - box.bottom), std::min(box.right, sum - box.top)});
        }
    }
    FigurePath path;
    for (auto& [number, list] : parts) {
        const double sum = number * kDistance;
        std::sort(list.begin(), list.end(), [](const Part& a, const Part& b) { return a.from < b.from; });
        for (std::size_t k = 0; k < list.size(); ++k) {
            Part whole = list[k];
            while (k + 1 < list.size() && list[k + 1].from <= whole.to + kTouching) {
                whole.to = std::max(whole.to, list[++k].to);
            }
            path.pieces.push_back({.step = FigureStep::move, .to = {whole.from, sum - whole.from}, .a = {}, .b = {}});
            path.pieces.push_back({.step = FigureStep::line, .to = {whole.to, sum - whole.to}, .a = {}, .b = {}});
        }
    }
    if (path.pieces.empty()) return;
    path.look = {.fill = {}, .line = line, .line_width = 1, .dashes = {}};
    block.elements.emplace_back(std::move(path));
}

FigureBlock text_block(const SceneStyle& style, std::string_view text, double width, const TextLook& look,
                       std::size_t most_lines) {
    const double line_height = look.size * style.line_em;
    FigureBlock block;
    for (const std::string& line :
         wrapped_text(one_line(text), width, look.size, look.font, most_lines, *style.ruler)) {
        const double used = style.width(line, look.size, look.font);
        draw_text_at_middle(block, 0, block.height + line_height / 2, line, look);
        block.width = std::max(block.width, used);
        block.height += line_height;
    }
    block.height = std::ceil(block.height);  // what follows begins on a whole point
    return block;
}

FigureBlock text_block(std::string_view text, double width, const TextLook& look, std::size_t most_lines) {
    return text_block({.colors = {}}, text, width, look, most_lines);
}

FigureBlock heading_block(const SceneStyle& style, std::optional<Rgb> color, std::string_view title,
                          std::string_view words, double width) {
    constexpr double kSquare = 10;
    constexpr double kHeight = 22;
    constexpr double kNarrowest = 180;  // so much of a title is always written
    FigureBlock block;
    block.height = kHeight;
    double x = 0;
    if (color) {
        draw_rect(block, {0, (kHeight - kSquare) / 2}, kSquare, kSquare, *color, 2.5);
        x += kSquare + 7;
    }
    const TextLook bold = {.ink = style.colors.ink, .size = style.heading, .font = FigureFont::sans_bold};
    const std::string shown =
        shortened_text(one_line(title), std::max(width - x, kNarrowest), bold.size, bold.font, *style.ruler);
    draw_text_at_middle(block, x, kHeight / 2, shown, bold);
    x += style.width(shown, bold.size, bold.font);
    const TextLook soft = {.ink = style.colors.soft_ink, .size = style.small};
    const double words_width = style.width(words, soft.size, soft.font);
    if (!words.empty() && x + 10 + words_width <= width) {
        draw_text_at_middle(block, x + 10, kHeight / 2, words, soft);
        x += 10 + words_width;
    }
    block.width = x;
    return block;
}

FigureBlock table_block(const FigureTask& task, const TextTable& table,
                        const std::vector<std::optional<Rgb>>& column_colors) {
    constexpr double kLine = 19;
    constexpr double kGap = 18;
    constexpr double kSquare = 8;
    constexpr double kWidest = 260;
    const TextLook body = {.ink = task.colors.ink};
    const TextLook soft = {.ink = task.colors.soft_ink, .size = kFigureSmall};
    std::vector<double> widths;
    const auto make_room = [&](std::size_t column, const std::string& text, const TextLook& look, double extra) {
        if (widths.size() <= column) widths.resize(column + 1, 0);
        widths[column] =
            std::max(widths[column], std::min(kWidest, text_width(one_line(text), look.size, look.font) + extra));
    };
    const auto color_of = [&](std::size_t k) {
        return k < column_colors.size() ? column_colors[k] : std::optional<Rgb>();
    };
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        make_room(k, table.columns[k], soft, color_of(k) ? kSquare + 5 : 0);
    }
    for (const std::vector<std::string>& row : table.rows) {
        for (std::size_t k = 0; k < row.size(); ++k) make_room(k, row[k], body, 0);
    }
    FigureBlock block;
    if (!table.title.empty()) {
        block = text_block(table.title, 900,
                           {.ink = task.colors.ink, .size = kFigureHeading, .font = FigureFont::sans_bold}, 2);
        block.height += 3;
    }
    // The first column stands at its left edge, numbers at their right one.
    const auto put = [&](std::size_t k, double x, double middle, const std::string& text, TextLook look) {
        if (k > 0) look.anchor = FigureAnchor::end;
        const std::string shown = shortened_text(one_line(text), widths[k], look.size, look.font);
        draw_text_at_middle(block, k > 0 ? x + widths[k] : x, middle, shown, look);
        const std::optional<Rgb> color = color_of(k);
        if (!color || look.size != soft.size) return;
        const double left = x + widths[k] - text_width(shown, look.size, look.font) - kSquare - 5;
        draw_rect(block, {left, middle - kSquare / 2}, kSquare, kSquare, *color, 2);
    };
    double y = block.height;
    const auto put_row = [&](const std::vector<std::string>& cells, const TextLook& look) {
        double x = 0;
        for (std::size_t k = 0; k < cells.size(); ++k) {
            put(k, x, y + kLine / 2, cells[k], look);
            x += widths[k] + kGap;
        }
        y += kLine;
        block.width = std::max(block.width, x - kGap);
    };
    if (!table.columns.empty()) {
        put_row(table.columns, soft);
        draw_line(block, {0, y}, {block.width, y}, task.colors.line);
    }
    for (const std::vector<std::string>& row : table.rows) put_row(row, body);
    block.height = y;
    return block;
}

}  // namespace attn

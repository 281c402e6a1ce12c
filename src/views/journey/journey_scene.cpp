// Lines with a row of cells, numbers at their right end.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "views/journey/journey_picture.h"
#include "views/lens/lens_parts.h"
#include "views/model/model_layout.h"

namespace attn {
namespace {

constexpr double kPad = 6, kNarrowestRowCell = 4;
constexpr double kOneLine = 620;  // narrower, the cells of a line stand below its words
constexpr double kIndent = 14;    // of what a layer is made of
constexpr double kBar = 44;       // what a share has along the sum, to both sides of its middle

// Where the parts of a line stand: left edges, but of numbers right ones.
struct JourneyColumns {
    bool is_stacked = false;
    double words = 0, words_end = 0, cells = 0, cells_end = 0, length = 0, bar = 0, along = 0, next = 0, width = 0;
    double line = 0;  // height of a line of text
};

double widest(const SceneStyle& style, const std::vector<JourneyLine>& lines, std::string JourneyLine::* text) {
    double most = 0;
    for (const JourneyLine& line : lines)
        if (line.kind != JourneyLine::Kind::heading)
            most = std::max(most, style.width(line.*text, style.body, FigureFont::sans_bold));
    return std::ceil(most);
}

JourneyColumns journey_columns(const SceneStyle& style, const std::vector<JourneyLine>& lines, double width) {
    constexpr double kWidestLabel = 150, kWidestNext = 160, kShareOfWords = 0.24;
    const auto room_of = [&](std::string JourneyLine::* text, std::string_view title) {
        return std::max(widest(style, lines, text), std::ceil(style.width(title, style.small)));
    };
    JourneyColumns columns = {.is_stacked = width < kOneLine, .width = width, .line = std::ceil(style.body * 1.5)};
    const double next = columns.is_stacked ? 0 : std::min(widest(style, lines, &JourneyLine::next), kWidestNext);
    const double bar = columns.is_stacked ? 0 : kBar;
    columns.next = width - next;
    columns.along = columns.next - (next > 0 ? 2 * kPad : 0);
    columns.bar = columns.along - room_of(&JourneyLine::along, "along") - kPad - bar;
    columns.length = columns.bar - kPad;
    const double numbers = columns.length - room_of(&JourneyLine::length, "length") - 2 * kPad;
    columns.words = std::min(kIndent + widest(style, lines, &JourneyLine::label), kWidestLabel) + 2 * kPad;
    if (columns.is_stacked) columns.words = numbers;
    columns.words_end = columns.words + std::floor(width * kShareOfWords);
    columns.cells = columns.is_stacked ? kIndent : columns.words_end + kPad;
    columns.cells_end = columns.is_stacked ? width : numbers;
    return columns;
}

void draw_cells_of_row(FigureBlock& block, const SceneStyle& style, const JourneyLine& line, FigureBox box) {
    const double room = box.right - box.left;
    const int most = std::max(1, static_cast<int>(room / kNarrowestRowCell));
    const std::vector<float> cells = joined_row(line.row, most);
    float largest = 0;
    for (const float one : cells)
        if (std::isfinite(one)) largest = std::max(largest, std::abs(one));
    if (largest == 0) largest = 1;
    const ColorMap map = line.is_signed ? ColorMap::diverging : ColorMap::sequential;
    const double cell = std::min(room / static_cast<double>(cells.size()), 16.0), gap = cell >= 6 ? 1 : 0;
    const bool shows_heads = line.num_heads > 1 && cells.size() == line.row.size();
    const std::size_t of_head = line.row.size() / static_cast<std::size_t>(line.num_heads);
    for (std::size_t k = 0; k < cells.size(); ++k) {
        if (std::isinf(cells[k]) && cells[k] < 0) continue;  // hidden
        const float place =
            line.is_signed ? map_position(cells[k], -largest, largest) : map_position(cells[k], 0, largest);
        draw_rect(block, {box.left + static_cast<double>(k) * cell, box.top}, cell - gap, box.bottom - box.top,
                  map_color(map, style.colors.is_dark, place));
    }
    for (std::size_t k = of_head; shows_heads && k < cells.size(); k += of_head) {
        const double x = box.left + static_cast<double>(k) * cell - gap / 2;
        draw_line(block, {x, box.top}, {x, box.bottom}, style.colors.ink, 1);
    }
    draw_frame(block, {box.left, box.top}, cell * static_cast<double>(cells.size()), box.bottom - box.top,
               style.colors.line, 1);
}

class JourneyLines {
public:
    JourneyLines(const SceneStyle& style, const JourneyDrawing& drawing, double width)
        : style_(style),
          lines_(journey_lines(drawing)),
          columns_(journey_columns(style, lines_, width)),
          prints_values_(drawing.prints_values) {}

    FigureBlock scene() {
        block_.width = columns_.width;
        if (lines_.empty()) return soft_text(style_, "is being computed …", columns_.width);
        for (const JourneyLine& line : lines_) put(line);
        block_.height = y_;
        return std::move(block_);
    }

private:
    using Kind = JourneyLine::Kind;

    TextLook look(const JourneyLine& line) const {
        const bool is_bold = line.kind == Kind::total || line.kind == Kind::layer;
        return {.ink = line.kind == Kind::rounding ? style_.colors.soft_ink : style_.colors.ink,
                .size = style_.body,
                .font = is_bold ? FigureFont::sans_bold : FigureFont::sans};
    }

    void put(const JourneyLine& line) {
        if (line.kind == Kind::heading) return put_heading(line);
        if (line.kind == Kind::layer) y_ += kPad;
        const double top = y_, middle = top + columns_.line / 2;
        if (line.kind == Kind::total)
            draw_line(block_, {columns_.length, top}, {columns_.width, top}, style_.colors.edge);
        put_label(line, middle);
        if (!columns_.is_stacked) put_beside(line, middle);
        if (prints_values_) put_numbers(line, middle);
        y_ += columns_.line;
        if (columns_.is_stacked) put_below(line);
        if (!line.row.empty()) put_cells(line, top);
        if (!line.place.empty()) {
            block_.places.push_back({.name = line.place, .box = {0, top, columns_.width, y_}, .index = line.index});
            if (line.is_open) draw_line(block_, {0, y_}, {columns_.width, y_}, style_.colors.accent, 2);
        }
    }

    void put_heading(const JourneyLine& line) {
        y_ += y_ > 0 ? 2 * kPad : 0;
        FigureBlock title = heading_text(style_, line.label, columns_.words - kPad);
        if (!columns_.is_stacked) title = heading_text(style_, line.label, columns_.cells_end);
        const double last = y_ + title.height - style_.heading * 0.7;  // the middle of its last line
        const TextLook soft = {.ink = style_.colors.soft_ink, .size = style_.small, .anchor = FigureAnchor::end};
        if (!has_titles_ && prints_values_) {
            draw_text_at_middle(block_, columns_.length, last, "length", soft);
            draw_text_at_middle(block_, columns_.along, last, "along", soft);
            has_titles_ = true;
        }
        const double height = title.height;
        place_block(block_, std::move(title), {0, y_});
        y_ += height + 2;
    }

    void put_text(double from, double to, double middle, const std::string& text, const TextLook& look) {
        draw_text_at_middle(block_, from, middle, shortened_text(text, to - from, look.size, look.font, *style_.ruler),
                            look);
    }

    void put_label(const JourneyLine& line, double middle) {
        const bool is_layer = line.kind == Kind::layer;
        const std::string label = concat(is_layer ? (line.is_open ? "▾ " : "▸ ") : "", line.label);
        put_text(is_layer ? 0 : kIndent, columns_.words - kPad, middle, label, look(line));
    }

    // Words of layers and parts have numbers in them.
    std::string words_of(const JourneyLine& line) const {
        return prints_values_ || line.kind == Kind::stop ? line.words : std::string();
    }
    TextLook soft_look() const { return {.ink = style_.colors.soft_ink, .size = style_.small}; }

    void put_beside(const JourneyLine& line, double middle) {
        put_text(columns_.words, columns_.words_end, middle, words_of(line), soft_look());
        if (prints_values_) put_text(columns_.next, columns_.width, middle, line.next, look(line));
    }

    // In a narrow picture: what a layer adds, where a head looks, which word would come next.
    void put_below(const JourneyLine& line) {
        std::string words = line.kind == Kind::stop ? std::string() : words_of(line);
        if (prints_values_ && !line.next.empty()) words += concat(words.empty() ? "" : "; ", "next ", line.next);
        if (words.empty()) return;
        const double line_height = std::ceil(style_.small * 1.4);
        put_text(kIndent, columns_.width, y_ + line_height / 2 - 2, words, soft_look());
        y_ += line_height;
    }

    // To the right of its middle what points where the sum points, to the left what points against it.
    void put_bar(const JourneyLine& line, double middle) {
        const double at = columns_.bar + kBar / 2, size = std::abs(line.bar) * kBar / 2, height = columns_.line * 0.5;
        draw_line(block_, {at, middle - height / 2}, {at, middle + height / 2}, style_.colors.edge);
        draw_rect(block_, {line.bar < 0 ? at - size : at, middle - height / 2}, size, height, style_.colors.accent, 1);
    }

    void put_numbers(const JourneyLine& line, double middle) {
        TextLook number = look(line);
        number.anchor = FigureAnchor::end;
        draw_text_at_middle(block_, columns_.length, middle, line.length, number);
        draw_text_at_middle(block_, columns_.along, middle, line.along, number);
        if (line.kind == Kind::share && !columns_.is_stacked) put_bar(line, middle);
    }

    void put_cells(const JourneyLine& line, double top) {
        const double height = std::round(columns_.line * 0.66);
        if (!columns_.is_stacked) {
            const double from = top + (columns_.line - height) / 2;
            return draw_cells_of_row(block_, style_, line, {columns_.cells, from, columns_.cells_end, from + height});
        }
        draw_cells_of_row(block_, style_, line, {kIndent, y_, columns_.cells_end, y_ + height});
        y_ += height + kPad;
    }

    const SceneStyle& style_;
    std::vector<JourneyLine> lines_;
    JourneyColumns columns_;
    bool prints_values_, has_titles_ = false;
    FigureBlock block_;
    double y_ = 0;
};

}  // namespace

FigureBlock journey_scene(const SceneStyle& style, const JourneyDrawing& drawing, double width) {
    return JourneyLines(style, drawing, width).scene();
}

FigureBlock journey_end_scene(const SceneStyle& style, const JourneyDrawing& drawing, double width) {
    const std::optional<LensDrawing> lens = lens_at_end(drawing);
    if (!lens || !drawing.prints_values) return {};
    return stacked_blocks(heading_text(style, concat("The most probable words ", lens_title_of_cell(*lens)), width),
                          lens_words_scene(style, *lens, width), 4);
}

FigureBlock journey_sheet(const SceneStyle& style, const JourneyDrawing& drawing, double width) {
    FigureBlock sheet;
    for (const std::string& sentence : journey_in_words(drawing.model()))
        sheet = stacked_blocks(std::move(sheet), soft_text(style, sentence, width), 3);
    sheet = stacked_blocks(std::move(sheet), journey_scene(style, drawing, width), 10);
    return stacked_blocks(std::move(sheet), journey_end_scene(style, drawing, width), 16);
}

}  // namespace attn

// Numbers on the colours of the heat maps, or in tables.
#include "ui/matrix/heads_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "ui/kit/heads_text.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
float usual_width(const ShownStage& stage) {
    return usual_number_width(stage.info.is_signed, stage.range.high);
}

void draw_on_colors(const HeadsPicture& picture, int head, ImVec2 corner, const CellRange& cells) {
    const ImVec2 cell = picture.grid.cell;
    const ShownStage& stage = picture.stage;
    const float smallest = smallest_printed_cell(stage);
    if (cell.x < smallest || cell.y < lowest_number_cell()) return;
    const float size = cell_number_size(cell, usual_width(stage));
    const bool is_dark = picture.frame.palette.is_dark;
    const InkScale& inks =
        picture.frame.heads.inks.try_emplace({stage.map(), is_dark}, stage.map(), is_dark).first->second;
    for (int row = cells.first_row; row < cells.last_row; ++row) {
        const Vector values = shown_row(stage, head, row);
        for (int column = cells.first_column; column < cells.last_column; ++column) {
            const float value = values(column);
            if (value == -kInfinity) continue;  // the hatching says it
            const bool is_blank = stage.is_blank(head, row, column);
            const bool has_color = !std::isnan(value) && !is_blank;
            const ImVec2 min = picture.cell_min(corner, row, column);
            const ImVec2 max = picture.cell_max(corner, row, column);
            if (is_blank) frame_box(min, max, picture.frame.palette.soft_ink, 1, 2);  // it lies on hatching
            const ImU32 ink = has_color ? to_imgui(inks.at(map_position(value, stage.range.low, stage.range.high)))
                                        : picture.frame.palette.ink;
            draw_in_cell(
                {picture.frame.fonts.sans, size, ink}, min, max, picture.scale,
                is_blank ? "?"
                         : number_in_cell(picture.frame.fonts.sans, value, stage.range.high, cell.x - kBetweenNumbers));
        }
    }
}

void draw_table(const HeadsPicture& picture, int head, ImVec2 corner, const CellRange& cells) {
    const Palette& palette = picture.frame.palette;
    const float right = picture.cell_max(corner, 0, cells.last_column - 1).x;
    const float pixel = 1 / picture.scale;
    for (int row = cells.first_row; row < cells.last_row; ++row) {
        const float top = picture.cell_min(corner, row, 0).y;
        window_list().AddRectFilled({corner.x, top}, {right, top + pixel}, palette.line);
        const Vector values = shown_row(picture.stage, head, row);
        for (int column = cells.first_column; column < cells.last_column; ++column) {
            const bool is_hidden = values(column) == -kInfinity;
            TextStyle style = {picture.frame.fonts.sans, kTextSize, is_hidden ? palette.soft_ink : palette.ink};
            if (picture.is_row_lit(row) && picture.is_column_lit(column)) style.font = picture.frame.fonts.sans_bold;
            const std::string text = is_hidden                                   ? hidden_number(picture.stage.info.id)
                                     : picture.stage.is_blank(head, row, column) ? std::string("?")
                                                                                 : shown_number(values(column));
            const ImVec2 min = picture.cell_min(corner, row, column);
            ImVec2 max = picture.cell_max(corner, row, column);
            max.x -= kCellIndent;
            const float width = text_size(style, text).x;
            if (width > max.x - min.x) style.size = std::floor(style.size * (max.x - min.x) / width);
            draw_level(style, min, max, {1, 0.5F}, picture.scale, text);
        }
    }
}

int count_characters(const std::string& text) {
    return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// The characters of the longest number among at most some thousand of the stage's, evenly spread.
int longest_number(const ShownStage& stage) {
    constexpr int kSample = 4096;
    const int per_row = std::min(stage.columns, 64);
    const int num_rows = std::max(1, std::min(stage.rows * stage.num_maps, kSample / per_row));
    int longest = count_characters(shown_number(-stage.summary.largest));
    for (int k = 0; k < num_rows; ++k) {
        const int place = static_cast<int>(static_cast<std::int64_t>(k) * stage.rows * stage.num_maps / num_rows);
        if (!stage.is_ready(place / stage.rows)) continue;
        const Vector values = shown_row(stage, place / stage.rows, place % stage.rows);
        for (int j = 0; j < per_row; ++j) {
            const float value = values(static_cast<std::size_t>(j) * values.size() / static_cast<std::size_t>(per_row));
            longest = std::max(longest, count_characters(shown_number(value)));
        }
    }
    return longest;
}

}  // namespace

float smallest_printed_cell(const ShownStage& stage) {
    return std::ceil(usual_width(stage) * kSmallestNumber + kBetweenNumbers);
}

void draw_values(const HeadsPicture& picture, int head, ImVec2 corner, const CellRange& cells) {
    if (cells.first_row >= cells.last_row || cells.first_column >= cells.last_column) return;
    if (picture.is_table)
        draw_table(picture, head, corner, cells);
    else
        draw_on_colors(picture, head, corner, cells);
}

ImVec2 table_cell(const Display& display, const ShownStage& stage) {
    HeadsMemory& memory = display.heads;
    if (memory.longest_number_of != stage.content_version) {
        memory.longest_number = longest_number(stage);
        if (stage.evaluation.is_complete()) memory.longest_number_of = stage.content_version;
    }
    const std::string sample(static_cast<std::size_t>(memory.longest_number), '0');
    const float width = text_size(body(display), sample).x + 2 * kCellIndent;
    return {std::ceil(width), std::ceil(kTextSize * 1.5F)};
}

}  // namespace attn

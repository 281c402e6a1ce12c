// Draws the numbers beside the rows, and their heading.
#include "ui/matrix/heads_stats.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "ui/frame/layout.h"
#include "ui/kit/heads_text.h"

namespace attn {
namespace {

constexpr float kStatDistance =
    14;  // from the last cell: the last slanted label hangs over less at the heading's height
constexpr std::string_view kWarning = " ≠ 1";

// `row`: height of a row; lower ones have smaller numbers.
TextStyle style_of(const HeadsPicture& picture, float row) {
    const float size = picture.is_table ? kTextSize : std::min(kSmallSize, std::floor(row));
    return {picture.frame.fonts.sans, size, picture.frame.palette.ink};
}

int digits_of(const HeadsPicture& picture) {
    return picture.is_table ? 4 : 3;
}

}  // namespace

RowStat wished_stat(const Shown& shown, const ShownStage& stage) {
    const bool is_shown = has_row_stats(stage.info.id) && shows_part(shown, "values");
    return is_shown ? shown.state.view.row_stat : RowStat::none;
}

float row_stat_width(const HeadsPicture& picture) {
    if (picture.stat == RowStat::none) return 0;
    const TextStyle style = style_of(picture, kSmallSize);
    const bool has_warning = picture.stat == RowStat::sum &&
                             rows_may_miss_one(picture.stage.evaluation, picture.stage.info.id, picture.stage.combine);
    const float number =
        text_size(style, concat(shown_number(8.8888, digits_of(picture)), has_warning ? kWarning : "")).x;
    return kStatDistance + std::ceil(std::max(number, text_size(style, row_stat_heading(picture.stat)).x));
}

void draw_row_stats(const HeadsPicture& picture, int head, ImVec2 corner, int first, int last) {
    if (picture.stat == RowStat::none) return;
    const TextStyle style = style_of(picture, picture.grid.cell.y);
    const Palette& palette = picture.frame.palette;
    const float left = corner.x + picture.grid.map.x + kStatDistance;
    const float right = corner.x + picture.grid.map.x + picture.stat_width;
    const float warning_width = text_size(style, kWarning).x;
    const bool has_warnings = picture.stat == RowStat::sum &&
                              rows_may_miss_one(picture.stage.evaluation, picture.stage.info.id, picture.stage.combine);
    const float numbers_end = has_warnings ? right - warning_width : right;
    TextStyle heading = style;
    heading.color = palette.soft_ink;
    draw_level(heading, {left, corner.y - style.size - 4}, {numbers_end, corner.y - 3}, {1, 1}, picture.scale,
               row_stat_heading(picture.stat));
    for (int row = first; row < last; ++row) {
        const Vector values = shown_row(picture.stage, head, row);
        const double number = row_stat({values.data(), values.size()}, picture.stat);
        const bool is_blank = picture.stage.is_row_blank(head, row);
        const bool is_warned = !is_blank && picture.stat == RowStat::sum && !(std::abs(number - 1) <= kSumTolerance);
        TextStyle shown = style;
        if (picture.is_row_lit(row)) shown.font = picture.frame.fonts.sans_bold;
        if (is_warned) shown.color = palette.warning;
        const float top = picture.cell_min(corner, row, 0).y;
        const float bottom = picture.cell_max(corner, row, 0).y;
        draw_level(shown, {left, top}, {numbers_end, bottom}, {1, 0.5F}, picture.scale,
                   is_blank ? std::string("?") : shown_number(number, digits_of(picture)));
        if (is_warned) {
            shown.font = picture.frame.fonts.sans_bold;
            draw_level(shown, {numbers_end, top}, {right, bottom}, {0, 0.5F}, picture.scale, kWarning);
        }
    }
}

std::string row_stat_remark(const HeadsPicture& picture) {
    const RowStat wished = wished_stat(picture.frame, picture.stage);
    if (wished == RowStat::none) return "";
    const std::string name(row_stat_heading(wished));
    if (picture.stat == RowStat::none)
        return concat("rows too low for ", name, ": pin a cell for its row's, or see Numbers");
    return std::string(row_stat_in_words(wished));
}

}  // namespace attn

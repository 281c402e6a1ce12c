// The line under the maps: what the colours, the hatching and the rows mean.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "ui/kit/heatmap_callback.h"
#include "ui/kit/widgets.h"
#include "ui/matrix/change_marks.h"
#include "ui/matrix/heads_picture.h"
#include "ui/matrix/heads_stats.h"

namespace attn {
namespace {

constexpr int kSwatchSlot = -1;  // of the renderer; heads have 0 and up
constexpr float kLine = 24;
constexpr float kBarHeight = 10;
constexpr float kSwatch = 14;
constexpr float kDistance = 10;
constexpr float kFarDistance = 32;

// A part of the legend, `width` wide, drawn from the middle of its left edge.
struct Piece {
    float width;
    float distance;          // to the piece before
    bool is_at_end = false;  // at the right end of the line, if there is room
    std::function<void(ImVec2)> draw;
};

Piece text_piece(const Look& look, const std::string& text, float distance) {
    const TextStyle style = {look.fonts.sans, kSmallSize, look.palette.soft_ink};
    const auto draw = [style, text](ImVec2 place) { draw_text({place.x, place.y - style.size / 2}, style, text); };
    return {.width = text_size(style, text).x, .distance = distance, .draw = draw};
}

// The colours of the map from left to right, with a thin line around them.
void draw_bar(const HeadsPicture& picture, ImVec2 min, ImVec2 max) {
    constexpr int kPieces = 96;
    const float pixel = 1 / picture.scale;
    fill_box(min, max, mix(picture.frame.palette.line, picture.frame.palette.soft_ink, 0.2F), kBarHeight / 2);
    min = {min.x + pixel, min.y + pixel};
    max = {max.x - pixel, max.y - pixel};
    const float radius = (max.y - min.y) / 2;
    // The first and the last piece are as long as the curves of the ends.
    const float piece = (max.x - min.x - 2 * radius) / kPieces;
    for (int k = -1; k <= kPieces; ++k) {
        const float left = k < 0 ? min.x : min.x + radius + static_cast<float>(k) * piece;
        const float right = k == kPieces ? max.x : min.x + radius + static_cast<float>(k + 1) * piece;
        const float place = ((left + right) / 2 - min.x) / (max.x - min.x);
        ImDrawFlags corners = ImDrawFlags_RoundCornersNone;
        if (k < 0) corners = ImDrawFlags_RoundCornersLeft;
        if (k == kPieces) corners = ImDrawFlags_RoundCornersRight;
        const Rgb color = map_color(picture.stage.map(), picture.frame.palette.is_dark, place);
        ImGui::GetWindowDrawList()->AddRectFilled({left, min.y}, {right, max.y}, to_imgui(color), radius, corners);
    }
}

void add_range(const HeadsPicture& picture, std::vector<Piece>& pieces) {
    const Look& look = picture.frame;
    const float width = look.is_small() ? 110.0F : 190.0F;
    const auto draw = [&picture, width](ImVec2 place) {
        draw_bar(picture, {place.x, place.y - kBarHeight / 2}, {place.x + width, place.y + kBarHeight / 2});
    };
    const std::string high =
        concat(range_end_text(picture.stage.range.high), picture.stage.is_cut() ? " and more" : "");
    pieces.push_back(text_piece(look, range_end_text(picture.stage.range.low), 0));
    pieces.push_back({.width = width, .distance = kDistance, .draw = draw});
    pieces.push_back(text_piece(look, high, kDistance));
}

// A hidden cell as the maps draw it.
void draw_swatch(const HeadsPicture& picture, ImVec2 place) {
    HeatmapRenderer* heatmaps = picture.frame.heatmaps;
    if (heatmaps == nullptr) return;
    Matrix hidden({1, 1});
    hidden(0, 0) = -std::numeric_limits<float>::infinity();
    heatmaps->set_matrix(kSwatchSlot, 1, hidden);
    const auto on_pixel = [&](float point) { return std::round(point * picture.scale) / picture.scale; };
    const ImVec2 min = {on_pixel(place.x), on_pixel(place.y - kSwatch / 2)};
    put_heatmap(*heatmaps, kSwatchSlot, min, {min.x + kSwatch, min.y + kSwatch}, picture.style());
}

void add_hidden(const HeadsPicture& picture, std::vector<Piece>& pieces) {
    const ShownStage& stage = picture.stage;
    if (!stage.summary.has_hidden) return;
    const std::string text(hidden_in_words(stage.summary));
    if (picture.is_table) {
        pieces.push_back(
            text_piece(picture.frame, concat(hidden_sign(stage.info.id), text), pieces.empty() ? 0 : kFarDistance));
        return;
    }
    const auto draw = [&picture](ImVec2 place) { draw_swatch(picture, place); };
    pieces.push_back({.width = kSwatch, .distance = kFarDistance, .draw = draw});
    pieces.push_back(text_piece(picture.frame, text, kDistance));
}

// What the mark of a changed cell means, and how many there are.
void add_changes(const HeadsPicture& picture, std::vector<Piece>& pieces) {
    const Display& display = picture.frame;
    const std::string text = stage_change_text(display, picture.stage.info.id);
    if (text.empty()) return;
    // One piece, because the mark belongs beside its words. It keeps its width without the mark, because only the
    // legend's height decides whether cells have room for marks.
    const TextStyle style = {display.fonts.sans, kSmallSize, display.palette.soft_ink};
    const std::string shown = shortened(style, text, ImGui::GetContentRegionAvail().x - kSwatch - 8);
    const bool has_changes = stage_changes(display, picture.stage.info.id).num_changed > 0;
    const auto draw = [&picture, style, shown, has_changes](ImVec2 place) {
        const Palette& palette = picture.frame.palette;
        const ImVec2 min = {place.x, place.y - kSwatch / 2};
        const ImVec2 max = {min.x + kSwatch, min.y + kSwatch};
        const bool has_mark = has_changes && has_room_for_marks(picture);
        if (has_mark) frame_box(min, max, mix(palette.line, palette.soft_ink, 0.3F), 1, 2);
        if (has_mark) draw_change_mark(picture.frame, min, max);
        draw_text({has_mark ? max.x + 8 : min.x, place.y - style.size / 2}, style, shown);
    };
    const float width = kSwatch + 8 + text_size(style, shown).x;
    pieces.push_back({.width = width, .distance = pieces.empty() ? 0 : kFarDistance, .draw = draw});
}

void add_remark(const HeadsPicture& picture, std::vector<Piece>& pieces) {
    const ShownStage& stage = picture.stage;
    const std::string text =
        stage_remark(stage.evaluation, stage.info.id, stage.summary, stage.combine, stage.num_maps, !picture.is_table);
    if (text.empty()) return;
    pieces.push_back(text_piece(picture.frame, text, pieces.empty() ? 0 : kFarDistance));
    pieces.back().is_at_end = true;
}

std::vector<Piece> pieces_of(const HeadsPicture& picture) {
    std::vector<Piece> pieces;
    if (!picture.is_table) add_range(picture, pieces);
    add_hidden(picture, pieces);
    add_changes(picture, pieces);
    if (const std::string text = row_stat_remark(picture); !text.empty()) {
        pieces.push_back(text_piece(picture.frame, text, pieces.empty() ? 0 : kFarDistance));
    }
    add_remark(picture, pieces);
    return pieces;
}

// Where each piece stands: from left to right; one that does not fit begins a new line.
std::vector<ImVec2> places_of(const std::vector<Piece>& pieces, float width) {
    std::vector<ImVec2> places;
    ImVec2 at = {0, kLine / 2};
    for (const Piece& piece : pieces) {
        const bool is_first = at.x == 0;
        const float left = is_first ? 0 : at.x + piece.distance;
        if (!is_first && left + piece.width > width)
            at = {0, at.y + kLine};
        else
            at.x = piece.is_at_end ? std::max(left, width - piece.width) : left;
        places.push_back(at);
        at.x += piece.width;
    }
    return places;
}

}  // namespace

float legend_height(const HeadsPicture& picture, float width) {
    const std::vector<ImVec2> places = places_of(pieces_of(picture), width);
    return places.empty() ? 0 : places.back().y + kLine / 2;
}

void draw_legend(const HeadsPicture& picture) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const std::vector<Piece> pieces = pieces_of(picture);
    const std::vector<ImVec2> places = places_of(pieces, ImGui::GetContentRegionAvail().x);
    for (std::size_t k = 0; k < pieces.size(); ++k) pieces[k].draw({corner.x + places[k].x, corner.y + places[k].y});
    ImGui::Dummy({1, places.empty() ? 0 : places.back().y + kLine / 2});
}

}  // namespace attn

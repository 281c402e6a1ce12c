// The line under the maps: what the colours, the hatching and the rows mean.
#include <algorithm>
#include <limits>
#include <string>

#include "core/check.h"
#include "playground/format.h"
#include "ui/heads_picture.h"
#include "ui/heatmap_callback.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr int kSwatchSlot = -1;  // of the renderer; heads have 0 and up
constexpr float kLine = 24;
constexpr float kBarHeight = 10;
constexpr float kDistance = 10;
constexpr float kFarDistance = 32;

TextStyle legend_text(const UiFrame& frame) {
    return {frame.fonts.sans, kSmallSize, frame.palette.soft_ink};
}

// Pieces of the legend are put one after the other from left to right; a piece that does not fit begins a new line.
class Line {
public:
    Line(ImVec2 corner, float width) : corner_(corner), at_(corner), width_(width) {}

    // The left middle of a piece so wide.
    ImVec2 take(float width, float distance) {
        if (at_.x > corner_.x && at_.x + distance + width > corner_.x + width_)
            at_ = {corner_.x, at_.y + kLine};
        else if (at_.x > corner_.x)
            at_.x += distance;
        const ImVec2 place = {at_.x, at_.y + kLine / 2};
        at_.x += width;
        return place;
    }
    // What is left of the line.
    float room() const { return corner_.x + width_ - at_.x; }
    float height() const { return at_.y + kLine - corner_.y; }
    void move_right(float way) { at_.x += way; }

private:
    ImVec2 corner_, at_;
    float width_;
};

void put(Line& line, const TextStyle& style, const std::string& text, float distance) {
    const ImVec2 size = text_size(style, text);
    const ImVec2 place = line.take(size.x, distance);
    draw_text({place.x, place.y - size.y / 2}, style, text);
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

// Without the zeros at the end: "1", "0.05", "−2.1968".
std::string end_number(float value) {
    std::string text = shown_number(value);
    if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

void put_range(const HeadsPicture& picture, Line& line) {
    const TextStyle style = legend_text(picture.frame);
    const std::string low = end_number(picture.stage.low);
    const std::string high = concat(end_number(picture.stage.high), picture.stage.is_cut() ? " and more" : "");
    const float bar = picture.frame.layout == LayoutKind::phone ? 110.0F : 190.0F;
    put(line, style, low, 0);
    const ImVec2 place = line.take(bar, kDistance);
    draw_bar(picture, {place.x, place.y - kBarHeight / 2}, {place.x + bar, place.y + kBarHeight / 2});
    put(line, style, high, kDistance);
}

void put_hidden(const HeadsPicture& picture, Line& line) {
    constexpr float kSwatch = 14;
    if (!picture.stage.summary.has_hidden) return;
    const std::string text = picture.stage.summary.hides_only_future ? "in the future: masked" : "hidden key: masked";
    const TextStyle style = legend_text(picture.frame);
    if (picture.frame.heatmaps != nullptr && !picture.is_table) {
        Matrix hidden({1, 1});
        hidden(0, 0) = -std::numeric_limits<float>::infinity();
        picture.frame.heatmaps->set_matrix(kSwatchSlot, 1, hidden);
        const ImVec2 place = line.take(kSwatch + kDistance + text_size(style, text).x, kFarDistance);
        const auto snap = [&](float point) { return std::round(point * picture.scale) / picture.scale; };
        const ImVec2 min = {snap(place.x), snap(place.y - kSwatch / 2)};
        put_heatmap(*picture.frame.heatmaps, kSwatchSlot, min, {min.x + kSwatch, min.y + kSwatch}, picture.style());
        draw_text({place.x + kSwatch + kDistance, place.y - style.size / 2}, style, text);
    } else {
        const bool is_score = picture.stage.info.id == TensorId::masked_scores;
        put(line, style, concat(is_score ? "−∞ " : "grey 0 ", text), kFarDistance);
    }
}

std::string remark(const ShownStage& stage, bool is_table) {
    if (stage.info.id == TensorId::weights) return "every row sums to 1";
    if (stage.info.id == TensorId::dropped_weights)
        return concat("kept weights × ", shown_number(stage.high), ", the others 0");
    if (stage.info.is_signed && stage.num_maps > 1 && !is_table) return "one scale for all heads";
    return {};
}

// At the right end of the line, or on a line of its own.
void put_remark(const HeadsPicture& picture, Line& line) {
    const std::string text = remark(picture.stage, picture.is_table);
    if (text.empty()) return;
    const TextStyle style = legend_text(picture.frame);
    const float spare = line.room() - text_size(style, text).x - kFarDistance;
    if (spare > 0) line.move_right(spare);
    put(line, style, text, kFarDistance);
}

}  // namespace

float legend_height(const UiFrame& frame) {
    // On narrow canvases the pieces take two lines, on phones up to three.
    if (frame.layout == LayoutKind::phone) return 3 * kLine;
    return frame.layout == LayoutKind::narrow ? 2 * kLine : kLine;
}

void draw_legend(const HeadsPicture& picture) {
    Line line(ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail().x);
    if (!picture.is_table) put_range(picture, line);
    put_hidden(picture, line);
    put_remark(picture, line);
    ImGui::Dummy({1, line.height()});
}

}  // namespace attn

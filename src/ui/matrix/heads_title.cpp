// The titles of the maps, and the line above a single one.
#include <algorithm>
#include <string>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "ui/kit/widgets.h"
#include "ui/matrix/heads_picture.h"
#include "views/lines/targets.h"

namespace attn {

void choose_head(UiFrame& frame, const ShownStage& stage, int head) {
    View& view = frame.next.view;
    view.head = std::clamp(head, 0, stage.num_maps - 1);
    if (view.cell && frame.is_small()) view.cell->head = *view.head;
}

namespace {

// Two arrows that point apart.
void draw_enlarge_icon(ImVec2 center, float size, ImU32 color) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float half = size / 2;
    const float tip = size * 0.4F;
    for (const float side : {-1.0F, 1.0F}) {
        const ImVec2 corner = {center.x + side * half, center.y - side * half};
        list.AddLine({center.x + side * 1.5F, center.y - side * 1.5F}, corner, color, 1.2F);
        list.AddLine(corner, {corner.x - side * tip, corner.y}, color, 1.2F);
        list.AddLine(corner, {corner.x, corner.y + side * tip}, color, 1.2F);
    }
}

// The head's targets and how well it meets them; empty without targets.
std::string asked_words(const HeadsPicture& picture, int head) {
    const Shown& shown = picture.frame;
    const ShownStage& stage = picture.stage;
    if (!stage.has_keys() || !stage.is_by_head() || shown.state.inputs.targets.empty()) return {};
    const bool is_blank = Blanks(shown.state).touches(lines_stage(shown.evaluation, stage.info.id));
    const bool tells = picture.shows_values && shown.evaluator.is_complete() && !is_blank;
    return target_summary(shown.state, shown.evaluation, head, tells);
}

// Draws a coloured square, the name and, if there is room, the head's targets or what rows and columns are, from `min`
// on. Returns the right end.
float draw_title(const HeadsPicture& picture, int head, ImVec2 min, float height, float right) {
    constexpr float kSquare = 11;
    const Look& look = picture.frame;
    const ShownStage& stage = picture.stage;
    const float middle = min.y + height / 2;
    float x = min.x;
    if (stage.is_by_head() || stage.is_combined()) {
        fill_box({x, middle - kSquare / 2}, {x + kSquare, middle + kSquare / 2}, picture.color_of(head), 3);
        x += kSquare + 8;
    }
    std::string name =
        stage.info.has_heads ? head_title(stage.evaluation.sizes, stage.info.id, head) : std::string(stage.info.title);
    if (stage.is_combined()) name = combined_title(stage.combine, stage.evaluation.sizes.num_heads);
    const TextStyle name_style = {look.fonts.sans_bold, kTitleSize, look.palette.ink};
    draw_text({x, middle - name_style.size / 2}, name_style, name);
    x += text_size(name_style, name).x;
    const std::string asked = asked_words(picture, head);
    std::string words = asked.empty() ? std::string(axes_in_words(stage.info.id)) : asked;
    if (x + 10 + text_size(small(look), words).x > right) {
        constexpr float kFewLetters = 60;
        const float room = right - x - 10;
        if (asked.empty() || room < kFewLetters) return x;
        words = shortened(small(look), asked, room);
    }
    const float width = text_size(small(look), words).x;
    draw_text({x + 10, middle - small(look).size / 2 + 0.5F}, small(look), words);
    return x + 10 + width;
}

}  // namespace

void put_title(const HeadsPicture& picture, int index) {
    constexpr float kIcon = 9;
    UiFrame& frame = picture.frame;
    const ImVec2 corner = picture.corner(index);
    const ImVec2 min = {corner.x - picture.axes.left, corner.y - picture.axes.top - picture.title_height};
    const float right = min.x + picture.grid.pitch.x - picture.grid.wish.distance.x;
    const int head = picture.head_at(index);
    if (picture.stage.num_maps == 1) {
        draw_title(picture, head, min, picture.title_height, right);
        return;
    }
    // Drawn first for its width, then the item over it.
    const float end = draw_title(picture, head, min, picture.title_height, right - kIcon - 12) + kIcon + 16;
    ImGui::SetCursorScreenPos(min);
    const ItemState state = item(frame, concat("head=", head + 1), {end - min.x, picture.title_height});
    const ImU32 color = state.is_hovered ? frame.palette.accent : frame.palette.soft_ink;
    draw_enlarge_icon({end - kIcon / 2 - 4, state.center().y}, kIcon, color);
    if (state.is_focused) call_item(frame, state, concat("Enlarge head ", head + 1));
    put_tooltip(frame, "Enlarge this head", {}, {});
    if (state.is_pressed) choose_head(frame, picture.stage, head);
}

void put_single_bar(const HeadsPicture& picture, int head) {
    UiFrame& frame = picture.frame;
    const ShownStage& stage = picture.stage;
    const bool is_small = frame.is_small();
    const float height = control_height(frame) + 4;
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    if (!is_small) {
        if (button(frame, "head=all", "← all heads")) frame.next.view.head.reset();
        call_last_item(frame, "Back to all heads");
        ImGui::SameLine(0, 14);
    }
    const ImVec2 place = ImGui::GetCursorScreenPos();
    const float buttons = 2 * height + 6;
    if (is_small) {
        const TextStyle style = small(frame);
        const float end = draw_title(picture, head, place, height, place.x);  // the name alone
        const std::string words = concat("of ", stage.num_maps, frame.is_touch ? " · swipe" : "");
        if (end + 10 + text_size(style, words).x < right - buttons) {
            draw_text({end + 10, place.y + (height - style.size) / 2 + 0.5F}, style, words);
        }
    } else {
        draw_title(picture, head, place, height, right - buttons - 12);
    }
    ImGui::SetCursorScreenPos({right - buttons, place.y});
    if (icon_button(frame, "head-", Icon::left, "Previous head", head > 0)) choose_head(frame, stage, head - 1);
    ImGui::SameLine(0, 6);
    if (icon_button(frame, "head+", Icon::right, "Next head", head + 1 < stage.num_maps))
        choose_head(frame, stage, head + 1);
}

}  // namespace attn

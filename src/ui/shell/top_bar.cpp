// The bar of the desktop program: what it is, the sentence, light or dark. In the page the bar is the page's own.
#include "core/ground/check.h"
#include "playground/visit/reader.h"
#include "ui/frame/layout.h"
#include "ui/kit/fields.h"
#include "ui/kit/lock.h"
#include "ui/kit/widgets.h"
#include "ui/shell/panels.h"

namespace attn {
namespace {

constexpr float kLogoSize = 22;

// Leads back to the opening scene.
void put_name(UiFrame& frame, float row_height) {
    const Look& look = frame;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const TextStyle style = {look.fonts.sans_bold, kTitleSize, look.palette.ink};
    constexpr std::string_view kName = "Attention Playground";
    const float width = kLogoSize + 10 + text_size(style, kName).x;
    const LockScope lock(frame, "view", look.palette.panel);
    const ItemState state = item(frame, "door=start", {width, row_height});
    if (state.is_focused) call_item(frame, state, "Attention Playground: back to the start");
    if (state.is_pressed) open_door(frame.next);
    const float middle = corner.y + row_height / 2;
    draw_logo({corner.x, middle - kLogoSize / 2}, kLogoSize, look.palette.is_dark, look.palette.line);
    draw_text_in({corner.x + kLogoSize + 10, corner.y}, {corner.x + width, corner.y + row_height}, {0, 0.5F}, style,
                 kName);
}

// Changes to the other theme. The system's own theme becomes "automatic", so the program keeps following it.
void put_theme_button(UiFrame& frame) {
    const LockScope lock(frame, "theme", frame.palette.panel);
    const bool is_dark = frame.palette.is_dark;
    if (!icon_button(frame, "theme", is_dark ? Icon::sun : Icon::moon, is_dark ? "Light theme" : "Dark theme")) return;
    const bool becomes_dark = !is_dark;
    frame.next.view.theme = becomes_dark == frame.surroundings.is_dark ? Theme::automatic
                            : becomes_dark                             ? Theme::dark
                                                                       : Theme::light;
}

void put_sentence(UiFrame& frame, float width) {
    const auto shown = static_cast<std::size_t>(frame.state.view.sentence);
    std::vector<std::string>& texts = frame.next.inputs.texts;
    std::string gone = frame.state.inputs.texts.at(shown);  // another panel may have removed the sentence
    const LockScope lock(frame, "text", frame.palette.panel);
    text_field(frame, "text", shown < texts.size() ? texts[shown] : gone, width, "Type a sentence");
}

}  // namespace

void draw_top_bar(UiFrame& frame) {
    const bool is_phone = frame.layout == LayoutKind::phone;
    const bool has_sentence = shows_part(frame, "sentence");
    const float row = control_height(frame) + 8;  // the sentence field's height
    const float button = control_height(frame) + 4;
    const float padding = frame.is_folded ? 6 : 10;
    const float height = row + 2 * padding;

    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 opposite = {corner.x + width, corner.y + height};
    fill_box(corner, opposite, frame.palette.panel, 0);
    ImGui::GetWindowDrawList()->AddLine({corner.x, opposite.y - 0.5F}, {opposite.x, opposite.y - 0.5F},
                                        frame.palette.line);

    const float margin = is_phone ? 12 : kMargin;
    float left = corner.x + margin;
    if (!is_phone || !has_sentence) {  // a phone's sentence has no room beside the name
        ImGui::SetCursorScreenPos({left, corner.y + padding});
        put_name(frame, row);
        left = ImGui::GetItemRectMax().x + kMargin;
    }
    const float before_button = opposite.x - margin - button;
    if (has_sentence) {
        ImGui::SetCursorScreenPos({left, corner.y + padding});
        put_sentence(frame, before_button - 12 - left);
    }
    ImGui::SetCursorScreenPos({before_button, corner.y + padding + (row - button) / 2});
    if (shows_part(frame, "theme")) put_theme_button(frame);
    ImGui::SetCursorScreenPos({corner.x, opposite.y});
}

}  // namespace attn

// The bar of the desktop program: what it is, the sentence, light or dark. In the page the bar is the page's own.
#include "core/check.h"
#include "ui/fields.h"
#include "ui/layout.h"
#include "ui/lock.h"
#include "ui/ui.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr float kLogoSize = 22;

void put_name(const UiFrame& frame, float row_height) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const TextStyle style = {frame.fonts.sans_bold, kTitleSize, frame.palette.ink};
    constexpr std::string_view kName = "Attention Playground";
    const float width = kLogoSize + 10 + text_size(style, kName).x;
    ImGui::Dummy({width, row_height});
    const float middle = corner.y + row_height / 2;
    draw_logo({corner.x, middle - kLogoSize / 2}, kLogoSize, frame.palette.is_dark, frame.palette.line);
    draw_text_in({corner.x + kLogoSize + 10, corner.y}, {corner.x + width, corner.y + row_height}, {0, 0.5F}, style,
                 kName);
}

// Changes to the other theme. The one that the system has is "automatic", so that the program goes on following it.
void put_theme_button(UiFrame& frame) {
    const LockScope lock(frame, "theme", frame.palette.panel);
    const bool is_dark = frame.palette.is_dark;
    if (!icon_button(frame, "theme", is_dark ? Icon::sun : Icon::moon, is_dark ? "Light theme" : "Dark theme")) return;
    const bool becomes_dark = !is_dark;
    frame.state.view.theme = becomes_dark == frame.surroundings.is_dark ? Theme::automatic
                             : becomes_dark                             ? Theme::dark
                                                                        : Theme::light;
}

void put_sentence(UiFrame& frame, float width) {
    const auto shown = static_cast<std::size_t>(frame.state.view.sentence);
    ATTN_CHECK(shown < frame.state.inputs.texts.size(), "sentence ", shown, " is not there");
    const LockScope lock(frame, "text", frame.palette.panel);
    text_field(frame, "text", frame.state.inputs.texts[shown], width, "Type a sentence");
}

}  // namespace

void draw_top_bar(UiFrame& frame) {
    const bool is_phone = frame.layout == LayoutKind::phone;
    const bool has_sentence = shows_part(frame, "sentence");
    const float row = control_height(frame) + 8;  // the sentence field's height
    const float button = control_height(frame) + 4;
    const float height = 10 + row + 10 + (is_phone && has_sentence ? row + 8 : 0);

    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 opposite = {corner.x + width, corner.y + height};
    fill_box(corner, opposite, frame.palette.panel, 0);
    ImGui::GetWindowDrawList()->AddLine({corner.x, opposite.y - 0.5F}, {opposite.x, opposite.y - 0.5F},
                                        frame.palette.line);

    const float margin = is_phone ? 12 : kMargin;
    ImGui::SetCursorScreenPos({corner.x + margin, corner.y + 10});
    put_name(frame, row);
    const float after_name = ImGui::GetItemRectMax().x + kMargin;
    const float before_button = opposite.x - margin - button;
    if (has_sentence && !is_phone) {
        ImGui::SetCursorScreenPos({after_name, corner.y + 10});
        put_sentence(frame, before_button - 12 - after_name);
    }
    ImGui::SetCursorScreenPos({before_button, corner.y + 10 + (row - button) / 2});
    if (shows_part(frame, "theme")) put_theme_button(frame);
    if (has_sentence && is_phone) {
        ImGui::SetCursorScreenPos({corner.x + margin, corner.y + 10 + row + 8});
        put_sentence(frame, width - 2 * margin);
    }
    ImGui::SetCursorScreenPos({corner.x, opposite.y});
}

}  // namespace attn

// The question about a file that fits several uses, as an ImGui modal window.
#include "ui/share/file_offer.h"
#include "share/opening/open_file.h"

#include <algorithm>

#include "core/ground/check.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr const char* kPopup = "file offer";
constexpr std::size_t kMostNotes = 3;  // of one choice; it shows all of them once it is chosen

// One thing to do with the file, and what to know beforehand. Returns whether the visitor chose it.
bool put_choice(Canvas& canvas, const FileChoice& choice, std::size_t index) {
    const ButtonKind kind = index == 0 ? ButtonKind::primary : ButtonKind::quiet;
    const bool is_chosen = button(canvas, concat("offer=", index), choice.label, kind);
    if (index == 0) ImGui::SetItemDefaultFocus();
    put_tooltip(canvas, choice.label, {}, {});
    for (std::size_t i = 0; i < std::min(choice.notes.size(), kMostNotes); ++i) {
        put_wrapped_text(small(canvas), choice.notes[i]);
    }
    return is_chosen;
}

}  // namespace

void draw_file_offer(UiFrame& frame) {
    if (!frame.memory.offer) return;
    constexpr float kWidest = 460;
    constexpr float kPadding = 18;
    const std::shared_ptr<FileOffer> offer = frame.memory.offer;  // an answer lets go of it
    ATTN_CHECK(!offer->choices.empty(), "an offer without a choice: ", offer->question);
    if (!ImGui::IsPopupOpen(kPopup)) ImGui::OpenPopup(kPopup);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float width = std::min(kWidest, display.x - 24);
    ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, display.y - 24});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(kPadding, kPadding));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 8));
    bool stays = true;
    // Escape closes it, without an answer.
    if (ImGui::BeginPopupModal(
            kPopup, nullptr,
            ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize)) {
        put_wrapped_text(body(frame), offer->question);
        ImGui::Dummy({1, 2});
        for (std::size_t i = 0; i < offer->choices.size(); ++i) {
            if (!put_choice(frame, offer->choices[i], i)) continue;
            frame.session.take_over(offer->choices[i].state, offer->choices[i].notes);
            stays = false;
        }
        if (button(frame, "offer=cancel", "Cancel")) stays = false;
        if (ImGui::Shortcut(ImGuiKey_Escape)) stays = false;
        if (!stays) ImGui::CloseCurrentPopup();
        scroll_by_finger(frame);
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar(2);
    if (!stays) frame.memory.offer.reset();
    frame.widgets.is_moving = frame.widgets.is_moving || !stays;
}

}  // namespace attn

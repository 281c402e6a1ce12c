// Disables ImGui items while a LockScope lives, and draws the veil over them at its end.
#include "ui/kit/lock.h"

#include "playground/link/hiding.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

ImU32 with_alpha(ImU32 color, int alpha) {
    return (color & ~IM_COL32_A_MASK) | static_cast<ImU32>(alpha) << IM_COL32_A_SHIFT;
}

}  // namespace

LockScope::LockScope(const Shown& shown, std::string_view key, ImU32 ground)
    : is_locked_(locks_control(shown.state.view, key)), veil_(with_alpha(ground, 140)) {
    if (!is_locked_) return;
    ImGui::BeginGroup();
    ImGui::BeginDisabled();
}

LockScope::~LockScope() {
    if (!is_locked_) return;
    ImGui::EndDisabled();
    ImGui::EndGroup();
    fill_box(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), veil_, 0);
}

}  // namespace attn

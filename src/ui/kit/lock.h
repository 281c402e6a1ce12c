// Controls that the author of a page fixed (View::lock) or left out (View::hide).
#pragma once

#include <imgui.h>

#include <string_view>

#include "ui/frame/shown.h"

namespace attn {

// Items drawn while it lives belong to one link key's control. If the key is locked, they are visible under a veil of
// the panel's colour but unusable: keyboard and pointer pass over them.
class LockScope {
public:
    LockScope(const Shown& shown, std::string_view key, ImU32 ground);
    ~LockScope();
    LockScope(const LockScope&) = delete;
    LockScope& operator=(const LockScope&) = delete;

private:
    bool is_locked_;
    ImU32 veil_;
};

}  // namespace attn

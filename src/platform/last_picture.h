// Whether a frame looks like the one before it. Then its picture is on the screen already, and nothing need be drawn:
// after each input ImGui is asked a few times more until all has settled, and mostly nothing has changed.
#pragma once

#include <imgui.h>

#include <cstdint>

namespace attn {

class LastPicture {
public:
    // Whether this picture, on a ground of this colour, is the one that was told last. A callback's data
    // (ImDrawList::AddCallback) begin with a std::uint64_t that differs where what the callback draws does.
    bool is(const ImDrawData& picture, const ImVec4& ground);

    // Forgets the last picture: the next one counts as different.
    void forget() { is_known_ = false; }

private:
    bool is_known_ = false;
    std::uint64_t fingerprint_ = 0;
};

}  // namespace attn

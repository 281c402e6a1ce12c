// Mixes all that a frame draws into one number, and compares it with the last frame's.
#include "platform/last_picture.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "core/ground/check.h"
#include "core/ground/fingerprint.h"

namespace attn {
namespace {

template <typename Item>
std::uint64_t fingerprint_of(const ImVector<Item>& items) {
    return fingerprint(std::as_bytes(std::span(items.Data, static_cast<std::size_t>(items.Size))));
}

std::uint64_t bits_of(float first, float second) {
    return std::uint64_t{std::bit_cast<std::uint32_t>(first)} << 32U | std::bit_cast<std::uint32_t>(second);
}

std::uint64_t bits_of(const void* place) {
    return reinterpret_cast<std::uintptr_t>(place);
}

// The number by which a callback says what it draws.
std::uint64_t word_of(const ImDrawCmd& command) {
    std::uint64_t word = 0;
    if (command.UserCallbackDataSize == 0) return word;
    ATTN_CHECK(command.UserCallbackDataSize >= static_cast<int>(sizeof(word)), "a callback's data are ",
               command.UserCallbackDataSize, " bytes without its fingerprint");
    std::memcpy(&word, command.UserCallbackData, sizeof(word));
    return word;
}

void add(std::vector<std::uint64_t>& words, const ImDrawCmd& command) {
    const ImVec4& clip = command.ClipRect;
    words.insert(words.end(),
                 {bits_of(clip.x, clip.y), bits_of(clip.z, clip.w), static_cast<std::uint64_t>(command.TexRef._TexID),
                  bits_of(command.TexRef._TexData), std::uint64_t{command.VtxOffset} << 32U | command.IdxOffset,
                  command.ElemCount, bits_of(reinterpret_cast<const void*>(command.UserCallback)), word_of(command)});
}

// A texture that is to be made or changed: new letters, above all.
bool has_new_texels(const ImDrawData& picture) {
    if (picture.Textures == nullptr) return false;
    return std::any_of(picture.Textures->begin(), picture.Textures->end(),
                       [](const ImTextureData* texture) { return texture->Status != ImTextureStatus_OK; });
}

}  // namespace

bool LastPicture::is(const ImDrawData& picture, const ImVec4& ground) {
    std::vector<std::uint64_t> words = {bits_of(ground.x, ground.y), bits_of(ground.z, ground.w),
                                        bits_of(picture.DisplaySize.x, picture.DisplaySize.y),
                                        bits_of(picture.FramebufferScale.x, picture.FramebufferScale.y)};
    for (const ImDrawList* list : picture.CmdLists) {
        words.push_back(fingerprint_of(list->VtxBuffer));
        words.push_back(fingerprint_of(list->IdxBuffer));
        words.push_back(static_cast<std::uint64_t>(list->CmdBuffer.Size));
        for (const ImDrawCmd& command : list->CmdBuffer) add(words, command);
    }
    const std::uint64_t now = fingerprint(std::as_bytes(std::span(words)));
    const bool is_same = is_known_ && now == fingerprint_ && !has_new_texels(picture);
    is_known_ = true;
    fingerprint_ = now;
    return is_same;
}

}  // namespace attn

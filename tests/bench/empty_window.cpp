// The least the page's platform can draw: one empty ImGui window, with the same canvas, context and typeface as the
// program. page_load.mjs measures the program's first picture against it.
#include <imgui.h>

#include <utility>

#include "embedded/fonts.h"
#include "platform/platform.h"

namespace {

attn::FrameOutput draw(const attn::FrameInput&) {
    ImGui::Begin("Empty");
    ImGui::End();
    return {};
}

}  // namespace

int main(int argument_count, char** arguments) {
    attn::Result<attn::Platform> platform = attn::Platform::open(argument_count, arguments);
    if (!platform) {
        attn::show_failure(platform.error());
        return 1;
    }
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    auto* bytes = const_cast<unsigned char*>(attn::kSansRegular.data);  // ImGui never changes them
    ImGui::GetIO().Fonts->AddFontFromMemoryTTF(bytes, static_cast<int>(attn::kSansRegular.size), 0, &config);
    return platform->run(draw, [] { return attn::WorkOutput(); });
}

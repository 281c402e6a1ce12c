// ImGui without a window and without a renderer: frames are made, textures are only said to be uploaded.
#pragma once

#include <imgui.h>

#include <functional>

namespace attn::testing {

class HeadlessImgui {
public:
    explicit HeadlessImgui(ImVec2 size = {1280, 800}, float scale = 1) {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.LogFilename = nullptr;
        io.DisplaySize = size;
        io.DisplayFramebufferScale = {scale, scale};
        io.DeltaTime = 1.0F / 60;
        io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
        io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    }
    HeadlessImgui(const HeadlessImgui&) = delete;
    HeadlessImgui& operator=(const HeadlessImgui&) = delete;
    ~HeadlessImgui() {
        for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) texture->SetStatus(ImTextureStatus_Destroyed);
        ImGui::DestroyContext();
    }

    // One frame, in which `draw` may call ImGui.
    void frame(const std::function<void()>& draw) {
        ImGui::NewFrame();
        draw();
        ImGui::Render();
        for (ImTextureData* texture : *ImGui::GetDrawData()->Textures) {
            const bool is_wanted = texture->Status != ImTextureStatus_WantDestroy;
            texture->SetTexID(is_wanted ? 1 : ImTextureID_Invalid);
            texture->SetStatus(is_wanted ? ImTextureStatus_OK : ImTextureStatus_Destroyed);
        }
    }
};

}  // namespace attn::testing

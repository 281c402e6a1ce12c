#include "platform/last_picture.h"

#include <catch_amalgamated.hpp>
#include <functional>
#include <string>

#include "platform/platform.h"

using namespace attn;

namespace {

constexpr ImVec4 kPaper = {1, 1, 1, 1};

// ImGui with a renderer that takes every texture and draws nothing.
class Screen {
public:
    Screen() {
        start_imgui_context();
        ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
        draw([] {}, kPaper);  // a first frame makes the texture of the letters
    }
    ~Screen() {
        for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) texture->SetStatus(ImTextureStatus_Destroyed);
        ImGui::DestroyContext();
    }

    // Whether the frame is as the one before.
    bool draw(const std::function<void()>& panels, const ImVec4& ground = kPaper, int width = 300) {
        ImGui::GetIO().DeltaTime = 0.1F;
        fit_imgui(width, 200, 1);
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({10, 10});
        ImGui::SetNextWindowSize({200, 100});
        ImGui::Begin("one", nullptr, ImGuiWindowFlags_NoDecoration);
        panels();
        ImGui::End();
        ImGui::Render();
        const bool is_same = last_.is(*ImGui::GetDrawData(), ground);
        for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
            texture->SetTexID(1);
            texture->SetStatus(ImTextureStatus_OK);
        }
        return is_same;
    }
    // The same frame until ImGui has settled.
    void settle(const std::function<void()>& panels) {
        for (int frames = 0; frames < 4; ++frames) draw(panels);
    }
    void forget() { last_.forget(); }

private:
    LastPicture last_;
};

void draw_nothing(const ImDrawList*, const ImDrawCmd*) {}
void draw_nothing_either(const ImDrawList*, const ImDrawCmd*) {}

struct Data {
    std::uint64_t fingerprint;
    int other;
};

std::function<void()> callback(Data data, ImDrawCallback draw = draw_nothing) {
    return [data, draw]() mutable { ImGui::GetWindowDrawList()->AddCallback(draw, &data, sizeof(data)); };
}

}  // namespace

TEST_CASE("a frame like the one before is the picture on the screen", "[last_picture]") {
    Screen screen;
    const auto panels = [] { ImGui::TextUnformatted("key"); };
    screen.settle(panels);
    CHECK(screen.draw(panels));
    CHECK(screen.draw(panels));
    screen.forget();
    CHECK_FALSE(screen.draw(panels));
    CHECK(screen.draw(panels));
}

TEST_CASE("whatever changes in a frame makes it another picture", "[last_picture]") {
    Screen screen;
    const auto panels = [] { ImGui::TextUnformatted("keys"); };
    screen.settle([] { ImGui::TextUnformatted("abcdefghijklmnopqrstuvwxyz"); });  // no new letters later
    screen.settle(panels);
    const auto is_another = [&](const std::function<void()>& change) {
        const bool was_same = screen.draw(change);
        screen.settle(panels);
        return !was_same && screen.draw(panels);
    };
    CHECK(is_another([] { ImGui::TextUnformatted("kegs"); }));
    CHECK(is_another([] { ImGui::TextUnformatted("key"); }));
    CHECK(is_another([] { ImGui::TextColored({1, 0, 0, 1}, "keys"); }));
    CHECK(is_another([] {
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 1);
        ImGui::TextUnformatted("keys");
    }));
    CHECK_FALSE(screen.draw(panels, {1, 1, 0.9F, 1}));
    CHECK_FALSE(screen.draw(panels));
    CHECK_FALSE(screen.draw(panels, kPaper, 301));
}

TEST_CASE("the same corners in another clip rectangle are another picture", "[last_picture]") {
    Screen screen;
    const auto clipped = [](float right) {
        return [right] {
            ImDrawList& list = *ImGui::GetWindowDrawList();
            list.PushClipRect({0, 0}, {right, 50});
            list.AddRectFilled({20, 20}, {100, 100}, IM_COL32_BLACK);
            list.PopClipRect();
        };
    };
    screen.settle(clipped(50));
    CHECK(screen.draw(clipped(50)));
    CHECK_FALSE(screen.draw(clipped(60)));
}

TEST_CASE("new letters are drawn, though the frame is the same but for them", "[last_picture]") {
    Screen screen;
    screen.settle([] { ImGui::TextUnformatted("aaa"); });
    CHECK_FALSE(screen.draw([] {
        ImGui::TextUnformatted("aaa");
        ImGui::CalcTextSize("\xC3\xA9");  // measured, so it is in the texture now
    }));
}

TEST_CASE("what a callback draws is known by the first eight bytes of its data", "[last_picture]") {
    Screen screen;
    screen.settle(callback({.fingerprint = 7, .other = 1}));
    CHECK(screen.draw(callback({.fingerprint = 7, .other = 1})));
    CHECK(screen.draw(callback({.fingerprint = 7, .other = 2})));
    CHECK_FALSE(screen.draw(callback({.fingerprint = 8, .other = 2})));
    CHECK_FALSE(screen.draw(callback({.fingerprint = 8, .other = 2}, draw_nothing_either)));
}

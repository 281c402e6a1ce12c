// The whole screen without a window: state, evaluation and panels as the program puts them together, driven by pointer
// and keys. Items are found by the name that the panels gave them.
#pragma once

#include <imgui.h>
#include <imgui_internal.h>

#include <array>
#include <catch_amalgamated.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/legal.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/open_models.h"
#include "playground/visit/session.h"
#include "ui/headless_imgui.h"
#include "ui/shell/ui.h"

namespace attn::testing {

class Screen {
public:
    // All numbers before each frame, or only what advance() computes.
    enum class Computes { at_once, by_slices };

    explicit Screen(ImVec2 size = {1280, 800}, std::string_view link = "", Computes computes = Computes::at_once)
        : computes_(computes), imgui_(size) {
        ImGui::GetIO().ConfigDebugHighlightIdConflicts = true;
        session_.open_link(link);
        ImGui::GetIO().AddMousePosEvent(0, 0);  // the visitor is there
        settle();
    }

    // A slice. Returns whether all is computed.
    bool advance(std::int64_t multiply_adds) {
        evaluator_.begin(session_.state());
        return evaluator_.advance(multiply_adds);
    }
    const Evaluation& evaluation_so_far() const { return evaluator_.shown(); }

    PlaygroundState& state() { return session_.state(); }
    Session& session() { return session_; }
    Notes& notes() { return session_.notes(); }
    const Evaluation& evaluation() { return evaluator_.update(session_.state()); }
    const std::vector<UiItem>& items() const { return ui_.items(); }
    const Hover& hover() const { return ui_.hover(); }
    Ui& ui() { return ui_; }
    // What the panels asked for since this was called last.
    std::vector<UiRequest> take_requests() { return std::exchange(requests_, {}); }
    UiSurroundings surroundings;

    // One frame, as main makes it.
    void frame() {
        clamp_to_legal(session_.state());  // a test may have written to it; whoever else does makes it legal
        imgui_.frame([&] {
            evaluator_.begin(session_.state());
            if (computes_ == Computes::at_once) evaluator_.update(session_.state());
            ui_.draw(session_, evaluator_, surroundings);
        });
        for (UiRequest& request : ui_.take_requests()) requests_.push_back(std::move(request));
        has_worked_ = ui_.has_work();
        while (!waits_for_models() && ui_.work(evaluator_, evaluator_.is_complete()).has_worked) continue;
        seconds_ += 1.0 / 60;
        is_out_of_date_ = session_.settle(seconds_);
        // Two items with one id under the pointer.
        CHECK(ImGui::GetCurrentContext()->HoveredIdPreviousFrameItemCount <= 1);
        ++num_frames;
    }

    // Frames until none is wanted; they must come to an end. Training that plays comes to its own.
    void settle() {
        int more = 0;
        do {
            frame();
            more += ui_.is_playing() ? 0 : 1;
            REQUIRE(more < 100);
        } while (is_out_of_date_ || (has_worked_ && !waits_for_models()) || ui_.wants_another_frame());
    }

    // The visitor does nothing for a while: what was changed is a step that can be undone.
    void rest() {
        seconds_ += 1;
        settle();
    }

    // Where the corners of all that is drawn in the child window of this name lie: other digits have other corners.
    std::vector<std::array<float, 2>> corners_in(std::string_view name) const {
        std::vector<std::array<float, 2>> corners;
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
            if (std::string_view(window->Name).find(concat("/", name, "_")) == std::string_view::npos) continue;
            for (const ImDrawVert& corner : window->DrawList->VtxBuffer) {
                corners.push_back({corner.pos.x, corner.pos.y});
            }
        }
        return corners;
    }

    const UiItem* find(std::string_view name) const {
        for (const UiItem& item : ui_.items()) {
            if (item.name == name) return &item;
        }
        return nullptr;
    }
    const UiItem& at(std::string_view name) const {
        const UiItem* item = find(name);
        INFO("looking for the item " << name);
        REQUIRE(item != nullptr);
        return *item;
    }
    bool has(std::string_view name) const { return find(name) != nullptr; }
    ImVec2 middle(std::string_view name) const {
        const UiItem& item = at(name);
        return {(item.min.x + item.max.x) / 2, (item.min.y + item.max.y) / 2};
    }

    void point_at(ImVec2 place) {
        ImGui::GetIO().AddMousePosEvent(place.x, place.y);
        settle();
    }
    void point_at(std::string_view name) { point_at(middle(name)); }
    void hold(bool is_down) {
        ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, is_down);
        frame();
        frame();
    }
    void click(ImVec2 place) {
        point_at(place);
        hold(true);
        hold(false);
        settle();
    }
    void click(std::string_view name) { click(middle(name)); }
    // Does not wait for rest, before or after: what plays does not rest.
    void press_while_moving(std::string_view name) {
        const ImVec2 place = middle(name);
        ImGui::GetIO().AddMousePosEvent(place.x, place.y);
        frame();
        frame();
        hold(true);
        hold(false);
    }
    // Down at `from`, in steps to `to`, and up.
    void drag(ImVec2 from, ImVec2 to) {
        point_at(from);
        hold(true);
        for (int step = 1; step <= 8; ++step) {
            const float way = static_cast<float>(step) / 8;
            ImGui::GetIO().AddMousePosEvent(from.x + (to.x - from.x) * way, from.y + (to.y - from.y) * way);
            frame();
        }
        hold(false);
        settle();
    }
    void press(ImGuiKey key) {
        ImGui::GetIO().AddKeyEvent(key, true);
        frame();
        ImGui::GetIO().AddKeyEvent(key, false);
        settle();
    }
    void press_with_ctrl(ImGuiKey key) {
        ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
        press(key);
        ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
        settle();
    }
    void type(const char* text) {
        ImGui::GetIO().AddInputCharactersUTF8(text);
        settle();
    }
    // Turns the wheel over the pointer until the item is wholly in sight.
    void scroll_to(std::string_view name, float step = -1) {
        for (int turn = 0; turn < 60 && (!has(name) || at(name).is_clipped); ++turn) {
            ImGui::GetIO().AddMouseWheelEvent(0, step);
            settle();
        }
        CHECK_FALSE(at(name).is_clipped);
    }
    void resize(ImVec2 size) {
        ImGui::GetIO().DisplaySize = size;
        settle();
    }
    ImVec2 size() const { return ImGui::GetIO().DisplaySize; }

    int num_frames = 0;

private:
    // Every piece of text is half its size wide a byte.
    static TextBitmap rasterize(std::string_view text, float pixel_size, bool) {
        TextBitmap bitmap;
        bitmap.width =
            std::min(kMaxTextBitmapWidth, 1 + static_cast<int>(pixel_size / 2) * static_cast<int>(text.size()));
        bitmap.height = static_cast<int>(pixel_size);
        bitmap.top = pixel_size * 0.75F;
        bitmap.advance = static_cast<float>(bitmap.width);
        bitmap.rgba.assign(static_cast<std::size_t>(bitmap.width) * bitmap.height * 4, 255);
        return bitmap;
    }

    Computes computes_;
    HeadlessImgui imgui_;
    Session session_;
    Evaluator evaluator_;
    Ui ui_ = Ui::create_without_gl(rasterize);
    std::vector<UiRequest> requests_;
    double seconds_ = 0;
    bool has_worked_ = false;  // since the last frame, on what it left
    bool is_out_of_date_ = false;
};

inline int num_maps(const Screen& screen) {
    int count = 0;
    for (const UiItem& item : screen.items()) count += item.name.starts_with("map=") ? 1 : 0;
    return count;
}

// The cell that is pinned; there must be one.
inline Cell pinned(Screen& screen) {
    REQUIRE(screen.state().view.cell);
    return *screen.state().view.cell;
}

inline void press_with_shift(Screen& screen, ImGuiKey key) {
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, true);
    screen.press(key);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, false);
    screen.settle();
}

}  // namespace attn::testing

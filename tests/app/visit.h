// A visit to the whole program without a window: frames and pieces of work between them, as a platform makes them.
#pragma once

#include <imgui.h>

#include <string>
#include <utility>

#include "app/frame.h"
#include "app/pieces.h"
#include "ui/headless_imgui.h"

namespace attn::testing {

class Visit {
public:
    explicit Visit(ImVec2 size = {1280, 800}) : imgui_(size) {}

    Program& program() { return program_; }
    const PlaygroundState& state() const { return program_.session.state(); }

    // What the next frame is told. Pointer and keys go to ImGui.
    FrameInput next;

    FrameOutput frame() {
        next.seconds = seconds_ += 1.0 / 60;
        FrameInput input = std::exchange(next, FrameInput());
        next.is_touch = input.is_touch;
        FrameOutput output;
        imgui_.frame([&] { output = draw_frame(program_, input); });
        return output;
    }

    // Frames and pieces of work until none is wanted, but no more than `most` of either.
    void go_on(int most) {
        for (int n = 0; n < most; ++n) {
            const FrameOutput output = frame();
            for (int piece = 0; piece < most && output.has_work && work(program_).has_more; ++piece) continue;
            if (!output.wants_another && !output.has_work) return;
        }
    }

    // The visitor does nothing for so long.
    void rest(double seconds) { seconds_ += seconds; }

private:
    // Every letter is as wide as half its height.
    static TextBitmap rasterize(std::string_view text, float pixel_size, bool) {
        TextBitmap bitmap;
        bitmap.width = bitmap.height = 1;
        bitmap.advance = pixel_size / 2 * static_cast<float>(text.size());
        bitmap.rgba.assign(4, 255);
        return bitmap;
    }
    static double clock() {
        static double seconds = 0;
        return seconds += 0.0005;  // goes on whenever somebody looks
    }

    double seconds_ = 0;
    HeadlessImgui imgui_;
    Session session_;
    Program program_{Ui::create_without_gl(rasterize), World{.seconds = clock, .draw_png = {}}, session_};
};

}  // namespace attn::testing

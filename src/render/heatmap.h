// Draws matrices as heat maps: R32F textures, our own shaders. GL only; knows no ImGui and no state.
#pragma once

#include <cstdint>
#include <memory>

#include "core/result.h"
#include "core/tensor.h"
#include "render/colormap.h"

namespace attn {

// Device pixels, origin at the top left of the framebuffer.
struct PixelRect {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

struct HeatmapStyle {
    ColorMap map = ColorMap::sequential;
    bool is_dark = false;
    float low = 0, high = 1;  // values drawn in the first and last colour; low < high; diverging: low = -high
    Rgb paper;                // between the cells
    Rgb hatch;                // lines on hidden cells
    Rgb hidden;               // ground of hidden cells
    float gap = 1;            // device pixels between cells; 0 when cells are too small for it
    float corner = 2;         // radius of a cell's corners, device pixels
};

class HeatmapRenderer {
public:
    // Compiles the shaders in the current GL context. The error is a sentence with the compiler's message.
    static Result<HeatmapRenderer> create();
    ~HeatmapRenderer();
    HeatmapRenderer(HeatmapRenderer&&) noexcept;
    HeatmapRenderer& operator=(HeatmapRenderer&&) noexcept;

    // Gives slot `slot` (0, 1, ... one a head) the values (rows, columns), each at most 2048. -inf marks a hidden cell.
    // `version` names the content: the upload is skipped when the slot already holds that version.
    void set_matrix(int slot, std::uint64_t version, const Matrix& values);
    bool holds(int slot, std::uint64_t version) const;

    // Draws the slot into `rect`, clipped to `clip`, in a framebuffer of that size. Cells share the rectangle equally.
    // A pixel that covers several cells shows the largest of them in absolute value. Leaves no GL state behind that
    // ImGui's backend does not set itself.
    void draw(int slot, const PixelRect& rect, const PixelRect& clip, int framebuffer_width, int framebuffer_height,
              const HeatmapStyle& style);

private:
    HeatmapRenderer();
    struct Gl;
    std::unique_ptr<Gl> gl_;
};

}  // namespace attn

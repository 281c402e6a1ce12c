// Draws matrices as heat maps: R32F textures, our own shaders. GL only; knows no ImGui and no state.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/ground/result.h"
#include "core/ground/tensor.h"
#include "scene/kit/colormap.h"

namespace attn {

// Device pixels, origin at the top left of the framebuffer.
struct PixelRect {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

struct HeatmapStyle {
    ColorMap map = ColorMap::sequential;
    bool is_dark = false;
    float low = 0, high = 1;  // values drawn in the first and last colour; low < high; diverging: low = -high
    Rgb hatch;                // lines on hidden cells
    Rgb hidden;               // ground of hidden cells; a cell that is not a number has the ground without the lines
    float scale = 1;          // device pixels a point: width of the hatch lines, and six of it between them
    float gap = 1;            // whole device pixels between cells, where what lies below shows through
    float corner = 2;         // radius of a cell's corners, device pixels; less in small cells
};

// The cells that are drawn of a matrix.
struct HeatmapPart {
    int first_row = 0, first_column = 0;
    int rows = 0, columns = 0;
};

// What was handed to the graphics card since the renderer was made.
struct RenderCounts {
    std::int64_t draws = 0;           // draw calls
    std::int64_t uploads = 0;         // of rows of matrices
    std::int64_t uploaded_bytes = 0;  // all levels together
};

class HeatmapRenderer {
public:
    // Cells smaller than this (points) are drawn without gaps and corners, which would leave little of their colour.
    static constexpr float kSmallestCellWithGap = 6;
    // Of a matrix. Larger ones would take more of the graphics card than a page may.
    static constexpr int kMaxSide = 8192;

    // Compiles the shaders in the current GL context (GL 3.3, GL ES 3.0 or WebGL2). The error is a sentence with the
    // compiler's message.
    static Result<HeatmapRenderer> create();
    ~HeatmapRenderer();  // the context it was made in must be current, or lost
    HeatmapRenderer(HeatmapRenderer&&) noexcept;
    HeatmapRenderer& operator=(HeatmapRenderer&&) noexcept;

    // Gives slot `slot` (any number, e.g. the head) the values (rows, columns), each 1 to kMaxSide. -inf marks a hidden
    // cell. `version` names the content: nothing happens when the slot already holds that version.
    void set_matrix(int slot, std::uint64_t version, const Matrix& values);
    bool holds(int slot, std::uint64_t version) const;
    // The version in the slot, which must hold something, or a part of it.
    std::uint64_t version_in(int slot) const;

    // The same in bands of rows, so that no frame has to make and upload a large matrix at once. The slot holds the
    // version once all rows are there.
    void begin_matrix(int slot, std::uint64_t version, int rows, int columns);
    // The next rows of the slot: a multiple of kBandRows, or all that are left. Bands that stand in the texture
    // already, of the version before, are not uploaded again.
    void add_rows(int slot, const Matrix& band);
    static constexpr int kBandRows = 16;
    // How many rows of that version are there.
    int num_rows_held(int slot, std::uint64_t version) const;

    // Frees every slot from 0 up that is not in [first, last): heads that are out of sight.
    void keep_slots(int first, int last);

    // Draws the slot (which must hold something) into `rect`, clipped to `clip`, in a framebuffer of that size. Cells
    // share the rectangle equally, edges rounded to whole device pixels. A pixel that covers several cells shows the
    // largest of them in absolute value, or a hidden cell when all are hidden; where it covers more than four by four,
    // cells beside it may count too, up to half a pixel away. `part`: the cells that fill the rectangle; without it all
    // of them. Leaves no GL state behind that ImGui's backend does not set itself.
    void draw(int slot, const PixelRect& rect, const PixelRect& clip, int framebuffer_width, int framebuffer_height,
              const HeatmapStyle& style, const std::optional<HeatmapPart>& part = {});

    const RenderCounts& counts() const;

private:
    HeatmapRenderer();
    struct Gl;
    std::unique_ptr<Gl> gl_;
};

}  // namespace attn

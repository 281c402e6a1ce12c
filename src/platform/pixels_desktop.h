// Converts pixels: Cairo holds premultiplied ARGB in the machine's byte order, while GL, GLFW and ImGui need RGBA
// bytes.
#pragma once

#include <cairo.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace attn {

struct DestroySurface {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using Surface = std::unique_ptr<cairo_surface_t, DestroySurface>;

// The pixel in column x, row y of an ARGB32 surface: 0xAARRGGBB, premultiplied.
std::uint32_t pixel_at(cairo_surface_t* surface, int x, int y);

// An ARGB32 surface as RGBA bytes, row-major from the top, not premultiplied.
std::vector<std::uint8_t> to_rgba(cairo_surface_t* surface);

// Writes opaque RGBA pixels (alpha is ignored), row-major from the bottom as GL reads them, as a PNG file. Returns an
// empty string, or a sentence that says why it could not be written.
std::string write_png(const std::string& file, int width, int height,
                      const std::vector<std::uint8_t>& rgba_from_bottom);

}  // namespace attn

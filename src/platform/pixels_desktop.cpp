// Divides premultiplied colours by their alpha, and writes a surface as a PNG file.
#include "platform/pixels_desktop.h"

#include "core/ground/check.h"
#include "disk/replace_file.h"

namespace attn {

std::uint32_t pixel_at(cairo_surface_t* surface, int x, int y) {
    const unsigned char* row = cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface);
    return reinterpret_cast<const std::uint32_t*>(row)[x];
}

std::vector<std::uint8_t> to_rgba(cairo_surface_t* surface) {
    cairo_surface_flush(surface);
    const int width = cairo_image_surface_get_width(surface), height = cairo_image_surface_get_height(surface);
    std::vector<std::uint8_t> rgba;
    rgba.reserve(static_cast<std::size_t>(width) * height * 4);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const std::uint32_t pixel = pixel_at(surface, x, y);
            const std::uint32_t alpha = pixel >> 24;
            for (const int shift : {16, 8, 0}) {
                const std::uint32_t premultiplied = (pixel >> shift) & 0xff;
                rgba.push_back(static_cast<std::uint8_t>(alpha == 0 ? 0 : (premultiplied * 255 + alpha / 2) / alpha));
            }
            rgba.push_back(static_cast<std::uint8_t>(alpha));
        }
    }
    return rgba;
}

std::string write_png(const std::string& file, int width, int height,
                      const std::vector<std::uint8_t>& rgba_from_bottom) {
    ATTN_CHECK(rgba_from_bottom.size() == static_cast<std::size_t>(width) * height * 4, "a picture of ", width, " x ",
               height, " pixels has ", rgba_from_bottom.size(), " bytes");
    const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
    unsigned char* data = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    for (int y = 0; y < height; ++y) {
        std::uint32_t* row = reinterpret_cast<std::uint32_t*>(data + y * stride);
        const std::uint8_t* from = &rgba_from_bottom[static_cast<std::size_t>(height - 1 - y) * width * 4];
        for (int x = 0; x < width; ++x, from += 4)
            row[x] = static_cast<std::uint32_t>(from[0]) << 16 | static_cast<std::uint32_t>(from[1]) << 8 | from[2];
    }
    cairo_surface_mark_dirty(surface.get());
    std::string bytes;
    const cairo_status_t status = cairo_surface_write_to_png_stream(
        surface.get(),
        [](void* all, const unsigned char* more, unsigned int num_bytes) {
            static_cast<std::string*>(all)->append(reinterpret_cast<const char*>(more), num_bytes);
            return CAIRO_STATUS_SUCCESS;
        },
        &bytes);
    const std::string reason =
        status == CAIRO_STATUS_SUCCESS ? replace_file(file, bytes) : cairo_status_to_string(status);
    return reason.empty() ? reason : "The picture cannot be written to " + file + ": " + reason + ".";
}

}  // namespace attn

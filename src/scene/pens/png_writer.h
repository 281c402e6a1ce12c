// PNG files (ISO/IEC 15948), row by row: 8 bits a channel, no palette, packed by zlib.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace attn {

class PngWriter {
public:
    // Both at least 1. Without alpha the file has three channels: the fourth is not looked at.
    PngWriter(int width, int height, bool has_alpha);
    ~PngWriter();
    PngWriter(PngWriter&&) noexcept;
    PngWriter& operator=(PngWriter&&) noexcept;

    // The next row: red, green, blue and alpha of each pixel, colours not multiplied by alpha.
    void add_row(std::span<const std::uint8_t> rgba);

    // The file, once, after the last row.
    std::string take();

private:
    struct Body;
    std::unique_ptr<Body> body_;
};

}  // namespace attn

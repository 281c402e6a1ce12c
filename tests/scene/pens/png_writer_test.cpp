#include "scene/pens/png_writer.h"

#include <zlib.h>

#include <catch_amalgamated.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn {
namespace {

std::size_t number_at(std::string_view bytes, std::size_t place) {
    std::size_t value = 0;
    for (std::size_t k = 0; k < 4; ++k) value = value << 8 | static_cast<std::uint8_t>(bytes[place + k]);
    return value;
}

struct PngChunk {
    std::string name, data;
};

// Length, name, data and checksum of each, as the standard says.
std::vector<PngChunk> chunks_of(std::string_view file) {
    REQUIRE(file.substr(0, 8) == "\x89PNG\r\n\x1a\n");
    std::vector<PngChunk> chunks;
    for (std::size_t at = 8; at < file.size();) {
        const std::size_t size = number_at(file, at);
        REQUIRE(at + 12 + size <= file.size());
        const std::string_view checked = file.substr(at + 4, 4 + size);
        const auto* first = reinterpret_cast<const Bytef*>(checked.data());
        CHECK(crc32(0, first, static_cast<uInt>(checked.size())) == number_at(file, at + 8 + size));
        chunks.push_back({std::string(checked.substr(0, 4)), std::string(checked.substr(4))});
        at += 12 + size;
    }
    return chunks;
}

// The pixels of a file whose rows are packed as they are.
std::vector<std::uint8_t> pixels_of(std::string_view file, std::size_t row_bytes, std::size_t num_rows) {
    std::string packed = chunks_of(file).at(1).data;
    std::vector<std::uint8_t> rows(num_rows * (1 + row_bytes));
    z_stream stream = {};
    REQUIRE(inflateInit(&stream) == Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = rows.data();
    stream.avail_out = static_cast<uInt>(rows.size());
    REQUIRE(inflate(&stream, Z_FINISH) == Z_STREAM_END);
    REQUIRE(inflateEnd(&stream) == Z_OK);
    REQUIRE(stream.total_out == rows.size());
    std::vector<std::uint8_t> pixels;
    for (std::size_t i = 0; i < num_rows; ++i) {
        const std::uint8_t* row = rows.data() + i * (1 + row_bytes);
        REQUIRE(row[0] == 0);
        pixels.insert(pixels.end(), row + 1, row + 1 + row_bytes);
    }
    return pixels;
}

TEST_CASE("a PNG file holds the pixels that were written, with and without alpha", "[png]") {
    const bool has_alpha = GENERATE(true, false);
    const int width = GENERATE(1, 3, 700);
    const int height = GENERATE(1, 2, 300);
    CAPTURE(has_alpha, width, height);
    PngWriter writer(width, height, has_alpha);
    std::vector<std::uint8_t> written;
    std::uint32_t state = 1;
    for (int i = 0; i < height; ++i) {
        std::vector<std::uint8_t> row;
        for (int x = 0; x < width; ++x) {
            for (int c = 0; c < 4; ++c) {
                state = state * 1664525 + 1013904223;  // noise: it packs to more than the packer's room
                row.push_back(static_cast<std::uint8_t>(state >> 24));
                if (c < 3 || has_alpha) written.push_back(row.back());
            }
        }
        writer.add_row(row);
    }
    const std::string file = writer.take();
    const std::vector<PngChunk> chunks = chunks_of(file);
    REQUIRE(chunks.size() == 3);
    CHECK(chunks[0].name == "IHDR");
    CHECK(number_at(chunks[0].data, 0) == static_cast<std::size_t>(width));
    CHECK(number_at(chunks[0].data, 4) == static_cast<std::size_t>(height));
    CHECK(chunks[0].data.substr(8) == std::string({8, static_cast<char>(has_alpha ? 6 : 2), 0, 0, 0}));
    CHECK(chunks[1].name == "IDAT");
    CHECK(chunks[2].name == "IEND");
    CHECK(chunks[2].data.empty());
    const std::size_t row_bytes = static_cast<std::size_t>(width) * (has_alpha ? 4 : 3);
    CHECK(pixels_of(file, row_bytes, static_cast<std::size_t>(height)) == written);
}

}  // namespace
}  // namespace attn

// Packs rows of pixels into the chunks of a PNG file.
#include "scene/pens/png_writer.h"

#include <zlib.h>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "core/ground/memory_room.h"

namespace attn {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
// Rows are packed as they are (filter 0). The other filters pack differences between neighbours, and take 10 to 50 %
// more for areas, letters and lines.
constexpr std::uint8_t kUnfiltered = 0;

std::string big_endian(std::size_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
    return bytes;
}

// Length, name, data, and a checksum of the last two.
void append_chunk(std::string& file, std::string_view name, std::string_view data) {
    file += big_endian(data.size());
    const std::size_t first = file.size();
    file.append(name).append(data);
    const auto* checked = reinterpret_cast<const Bytef*>(file.data() + first);
    file += big_endian(crc32(0, checked, static_cast<uInt>(file.size() - first)));
}

}  // namespace

struct PngWriter::Body {
    std::size_t width, height, channels;
    std::size_t num_rows = 0;       // that are written
    std::vector<std::uint8_t> row;  // the filter, and what is packed of the pixels
    std::string packed;
    z_stream stream = {};

    Body(int width_of_it, int height_of_it, bool has_alpha)
        : width(static_cast<std::size_t>(width_of_it)),
          height(static_cast<std::size_t>(height_of_it)),
          channels(has_alpha ? 4 : 3),
          row(1 + width * channels, kUnfiltered) {
        require_memory(deflateInit(&stream, Z_DEFAULT_COMPRESSION) != Z_MEM_ERROR);
    }
    ~Body() { deflateEnd(&stream); }
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;

    void pack(int flush);
};

// All of `row`, to the end of `packed`.
void PngWriter::Body::pack(int flush) {
    std::array<Bytef, 1 << 14> room;
    do {
        stream.next_out = room.data();
        stream.avail_out = static_cast<uInt>(room.size());
        ATTN_CHECK(deflate(&stream, flush) != Z_STREAM_ERROR, "a packed row of a picture is spoilt");
        packed.append(reinterpret_cast<const char*>(room.data()), room.size() - stream.avail_out);
    } while (stream.avail_out == 0);
}

PngWriter::PngWriter(int width, int height, bool has_alpha) {
    ATTN_CHECK(width >= 1 && height >= 1, "a picture of ", width, " x ", height, " pixels");
    body_ = std::make_unique<Body>(width, height, has_alpha);
}

PngWriter::~PngWriter() = default;
PngWriter::PngWriter(PngWriter&&) noexcept = default;
PngWriter& PngWriter::operator=(PngWriter&&) noexcept = default;

void PngWriter::add_row(std::span<const std::uint8_t> rgba) {
    Body& body = *body_;
    ATTN_CHECK(rgba.size() == 4 * body.width && body.num_rows < body.height, "row ", body.num_rows, " of ", body.height,
               " has ", rgba.size(), " bytes, want ", 4 * body.width);
    for (std::size_t x = 0; x < body.width; ++x) {
        for (std::size_t c = 0; c < body.channels; ++c) body.row[1 + x * body.channels + c] = rgba[4 * x + c];
    }
    ++body.num_rows;
    body.stream.next_in = body.row.data();
    body.stream.avail_in = static_cast<uInt>(body.row.size());
    body.pack(body.num_rows == body.height ? Z_FINISH : Z_NO_FLUSH);
}

std::string PngWriter::take() {
    Body& body = *body_;
    ATTN_CHECK(body.num_rows == body.height, "a picture of ", body.height, " rows ends after ", body.num_rows);
    const std::string packed = std::exchange(body.packed, {});
    std::string file(kSignature);
    // 8 bits; 6: colours and alpha, 2: colours; the one way to pack, the one set of filters, rows in order.
    const std::string layout = {8, static_cast<char>(body.channels == 4 ? 6 : 2), 0, 0, 0};
    append_chunk(file, "IHDR", big_endian(body.width) + big_endian(body.height) + layout);
    append_chunk(file, "IDAT", packed);
    append_chunk(file, "IEND", "");
    return file;
}

}  // namespace attn

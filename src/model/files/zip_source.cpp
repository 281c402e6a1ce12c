// It reads through functions of ours, which ask the source.
#include "model/files/zip_source.h"

#include <algorithm>

namespace attn {
namespace {

voidpf open_source(voidpf opaque, const void* /*name*/, int /*mode*/) {
    return opaque;
}
uLong read_source(voidpf /*opaque*/, voidpf stream, void* buffer, uLong size) {
    return static_cast<ZipSource*>(stream)->read(static_cast<std::uint8_t*>(buffer), size) ? size : 0;
}
uLong write_nothing(voidpf /*opaque*/, voidpf /*stream*/, const void* /*buffer*/, uLong /*size*/) {
    return 0;
}
ZPOS64_T tell_source(voidpf /*opaque*/, voidpf stream) {
    return static_cast<ZipSource*>(stream)->at;
}
long seek_source(voidpf /*opaque*/, voidpf stream, ZPOS64_T offset, int origin) {
    ZipSource& file = *static_cast<ZipSource*>(stream);
    const std::uint64_t size = file.source.size();
    const std::uint64_t from = origin == ZLIB_FILEFUNC_SEEK_SET ? 0 : origin == ZLIB_FILEFUNC_SEEK_CUR ? file.at : size;
    if (from > size || offset > size - from) return -1;
    file.at = from + offset;
    return 0;
}
int close_source(voidpf /*opaque*/, voidpf /*stream*/) {
    return 0;
}
int error_of_source(voidpf /*opaque*/, voidpf stream) {
    return static_cast<ZipSource*>(stream)->problem.empty() ? 0 : 1;
}

}  // namespace

bool ZipSource::read(std::uint8_t* to, std::size_t size) {
    constexpr std::uint64_t kBlock = 1 << 14;
    while (size > 0) {
        if (at >= source.size()) return false;
        if (block.empty() || at < block_begin || at >= block_begin + block.size()) {
            block_begin = at / kBlock * kBlock;
            block.resize(static_cast<std::size_t>(std::min(kBlock, source.size() - block_begin)));
            problem = source.read(block_begin, block);
            if (!problem.empty()) {
                block.clear();
                return false;
            }
        }
        const auto from = static_cast<std::size_t>(at - block_begin);
        const std::size_t count = std::min(size, block.size() - from);
        std::copy_n(block.begin() + static_cast<std::ptrdiff_t>(from), count, to);
        to += count;
        at += count;
        size -= count;
    }
    return true;
}

unzFile open_zip(ZipSource& file) {
    zlib_filefunc64_def functions = {.zopen64_file = open_source,
                                     .zread_file = read_source,
                                     .zwrite_file = write_nothing,
                                     .ztell64_file = tell_source,
                                     .zseek64_file = seek_source,
                                     .zclose_file = close_source,
                                     .zerror_file = error_of_source,
                                     .opaque = &file};
    return unzOpen2_64("", &functions);
}

}  // namespace attn

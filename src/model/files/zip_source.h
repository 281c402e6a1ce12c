// minizip on a file that is read in slices.
#pragma once

#include <minizip/unzip.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/files/byte_source.h"

namespace attn {

// What minizip works on. It reads a few bytes at a time: here they come in blocks.
struct ZipSource {
    ByteSource& source;
    std::uint64_t at = 0;
    std::string problem = {};
    std::uint64_t block_begin = 0;
    std::vector<std::uint8_t> block = {};

    // False beyond the end, and where the source has a problem.
    bool read(std::uint8_t* to, std::size_t size);
};

// Null where the source has no archive's list of contents. `file` stays where it is until the archive is closed.
unzFile open_zip(ZipSource& file);

}  // namespace attn

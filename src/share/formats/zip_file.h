// ZIP archives in memory: names and bytes in, names and bytes out. minizip does the work. Nothing is written to a disk,
// so names of entries cannot do harm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"

namespace attn {

struct ZipEntry {
    std::string name;
    std::string bytes;
};

// Entries are stored as they are, as numpy.savez does, with the same date in every file.
std::string write_zip(const std::vector<ZipEntry>& entries);

// Whether `bytes` begin as a ZIP archive does.
bool looks_like_zip(std::string_view bytes);

inline constexpr std::size_t kMaxZipEntries = 1000;
inline constexpr std::size_t kMaxZipName = 1000;            // bytes
inline constexpr std::size_t kMaxUnpackedBytes = 64 << 20;  // of all entries that are unpacked

struct ZipContents {
    std::vector<ZipEntry> entries;    // those that were wanted
    std::vector<std::string> others;  // names of the rest, in the order of the archive
};

// Why an entry is not unpacked, a sentence; empty where it is. `begin`: its first kEntryBeginning bytes, or all of
// them.
using WhyNot = std::function<std::string(std::string_view name, std::string_view begin, std::uint64_t num_bytes)>;
inline constexpr std::size_t kEntryBeginning = 1 << 17;

// Unpacks the entries that `is_wanted` names, stored or deflated. No entry grows beyond the size that the archive says
// it has, all of them together not beyond kMaxUnpackedBytes. The error is a sentence: an incomplete archive, an
// entry that is encrypted, packed in another way, damaged (CRC-32), larger than allowed, there twice, or overlapping;
// and what `why_not` says of an entry of which no more than the beginning is unpacked.
Result<ZipContents> read_zip(std::string_view bytes, const std::function<bool(std::string_view name)>& is_wanted,
                             const WhyNot& why_not = {});

}  // namespace attn

// minizip reads and writes through functions of ours: here they work on a string.
#include "share/formats/zip_file.h"

#include <minizip/unzip.h>
#include <minizip/zip.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

// The "file" that minizip works on.
struct MemoryFile {
    std::string_view readable;       // of an archive that is read
    std::string* written = nullptr;  // of one that is written
    std::size_t at = 0;
    bool has_ended = false;  // more was read than there is: minizip itself takes the missing bytes for zeros

    std::size_t size() const { return written != nullptr ? written->size() : readable.size(); }
};

voidpf open_memory(voidpf opaque, const void* /*name*/, int /*mode*/) {
    return opaque;
}

uLong read_memory(voidpf /*opaque*/, voidpf stream, void* buffer, uLong size) {
    MemoryFile& file = *static_cast<MemoryFile*>(stream);
    const std::size_t whole = file.size();
    const std::size_t num_read = std::min<std::size_t>(size, whole - std::min(file.at, whole));
    const char* const from = file.written != nullptr ? file.written->data() : file.readable.data();
    if (num_read > 0) std::memcpy(buffer, from + file.at, num_read);
    file.at += num_read;
    file.has_ended = file.has_ended || num_read < size;
    return static_cast<uLong>(num_read);
}

uLong write_memory(voidpf /*opaque*/, voidpf stream, const void* buffer, uLong size) {
    MemoryFile& file = *static_cast<MemoryFile*>(stream);
    if (file.at + size > file.written->size()) file.written->resize(file.at + size);
    std::memcpy(file.written->data() + file.at, buffer, size);
    file.at += size;
    return size;
}

ZPOS64_T tell_memory(voidpf /*opaque*/, voidpf stream) {
    return static_cast<MemoryFile*>(stream)->at;
}

// 0, or -1 for a place outside the file, as fseek says it.
long seek_memory(voidpf /*opaque*/, voidpf stream, ZPOS64_T offset, int origin) {
    MemoryFile& file = *static_cast<MemoryFile*>(stream);
    const std::size_t from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                             : origin == ZLIB_FILEFUNC_SEEK_CUR ? file.at
                                                                : file.size();
    if (offset > file.size() - std::min(from, file.size())) return -1;
    file.at = from + static_cast<std::size_t>(offset);
    return 0;
}

int close_memory(voidpf /*opaque*/, voidpf /*stream*/) {
    return 0;
}
int error_of_memory(voidpf /*opaque*/, voidpf stream) {
    return static_cast<MemoryFile*>(stream)->has_ended ? 1 : 0;
}

zlib_filefunc64_def functions_on(MemoryFile& file) {
    return {.zopen64_file = open_memory,
            .zread_file = read_memory,
            .zwrite_file = write_memory,
            .ztell64_file = tell_memory,
            .zseek64_file = seek_memory,
            .zclose_file = close_memory,
            .zerror_file = error_of_memory,
            .opaque = &file};
}

// Goes through an open archive, and closes it when destroyed.
class ZipReader {
public:
    explicit ZipReader(std::string_view bytes) {
        file_.readable = bytes;
        zlib_filefunc64_def functions = functions_on(file_);
        zip_ = unzOpen2_64("", &functions);
    }
    ~ZipReader() {
        if (zip_ != nullptr) unzClose(zip_);
    }
    ZipReader(const ZipReader&) = delete;
    ZipReader& operator=(const ZipReader&) = delete;

    Result<ZipContents> read(const std::function<bool(std::string_view)>& is_wanted, const WhyNot& why_not) {
        if (zip_ == nullptr) return refuse("The archive is incomplete: its list of contents, at the end, is missing.");
        unz_global_info64 archive = {};
        unzGetGlobalInfo64(zip_, &archive);
        if (archive.number_entry > kMaxZipEntries) {
            return refuse(concat("The archive says it has ", archive.number_entry, " entries; at most ",
                                 with_thousands(kMaxZipEntries), " are read."));
        }
        for (ZPOS64_T entry = 0; entry < archive.number_entry; ++entry) {
            const int went_on = entry == 0 ? unzGoToFirstFile(zip_) : unzGoToNextFile(zip_);
            if (went_on != UNZ_OK || !read_info()) {
                return refuse(concat("The archive is damaged: its list of contents breaks off before entry ", entry + 1,
                                     " of ", archive.number_entry, "."));
            }
            std::string failure = read_entry(is_wanted, why_not);
            if (!failure.empty()) return refuse(std::move(failure));
        }
        return std::move(contents_);
    }

private:
    static Result<ZipContents> refuse(std::string sentence) {
        return Result<ZipContents>::failure(std::move(sentence));
    }

    bool read_info() {
        std::string name(1 << 16, '\0');  // the longest there can be
        if (unzGetCurrentFileInfo64(zip_, &info_, name.data(), name.size(), nullptr, 0, nullptr, 0) != UNZ_OK)
            return false;
        name_ = name.substr(0, info_.size_filename);
        return true;
    }

    // A sentence when the entry cannot be read.
    std::string read_entry(const std::function<bool(std::string_view)>& is_wanted, const WhyNot& why_not) {
        if (name_.size() > kMaxZipName) {
            return concat("The archive has an entry with a name of ",
                          counted(static_cast<std::int64_t>(name_.size()), "byte"), ", ", quoted(name_), "; at most ",
                          with_thousands(kMaxZipName), " are read.");
        }
        if (!names_.insert(name_).second) return concat("The archive has two entries of the name ", quoted(name_), ".");
        packed_bytes_ += info_.compressed_size;
        if (packed_bytes_ > file_.readable.size()) return "The archive is damaged: its entries overlap.";
        if (!is_wanted(name_)) {
            contents_.others.push_back(name_);
            return "";
        }
        if ((info_.flag & 1U) != 0) return concat(quoted(name_), " is encrypted: save it without a password.");
        if (info_.compression_method != 0 && info_.compression_method != Z_DEFLATED) {
            return concat(quoted(name_), " is packed by method ", info_.compression_method,
                          "; stored and deflated entries can be read, as NumPy writes them.");
        }
        unpacked_bytes_ += info_.uncompressed_size;
        if (info_.uncompressed_size > kMaxUnpackedBytes || unpacked_bytes_ > kMaxUnpackedBytes) {
            return concat("The archive would unpack to more than ", kMaxUnpackedBytes >> 20U, " MiB, up to ",
                          quoted(name_), ".");
        }
        return unpack(why_not);
    }

    // Grows with what really comes out, so that a false size costs nothing, unless why_not() found it right.
    std::string unpack(const WhyNot& why_not) {
        const std::string damaged = concat(quoted(name_), " is damaged: ");
        if (unzOpenCurrentFile(zip_) != UNZ_OK) return damaged + "it does not begin where the list of contents says.";
        ZipEntry entry = {.name = name_, .bytes = {}};
        std::string piece(kEntryBeginning, '\0');
        int num_read = 0;
        bool is_judged = !why_not;
        while ((num_read = unzReadCurrentFile(zip_, piece.data(), static_cast<unsigned>(piece.size()))) > 0) {
            entry.bytes.append(piece, 0, static_cast<std::size_t>(num_read));
            if (entry.bytes.size() > info_.uncompressed_size) break;
            if (is_judged || entry.bytes.size() == info_.uncompressed_size) continue;
            is_judged = true;
            std::string refusal = why_not(name_, entry.bytes, info_.uncompressed_size);
            if (!refusal.empty()) {
                unzCloseCurrentFile(zip_);
                return refusal;
            }
            entry.bytes.reserve(static_cast<std::size_t>(info_.uncompressed_size));
        }
        const int closed = unzCloseCurrentFile(zip_);
        if (num_read < 0) return damaged + "it cannot be unpacked.";
        if (entry.bytes.size() != info_.uncompressed_size) {
            return concat(damaged, "it should have ",
                          counted(static_cast<std::int64_t>(info_.uncompressed_size), "byte"), ", and ",
                          with_thousands(static_cast<std::int64_t>(entry.bytes.size())), " came out.");
        }
        if (closed == UNZ_CRCERROR) return damaged + "its check sum (CRC-32) is wrong.";
        if (!is_judged) {  // a short entry: why_not is asked after the check for damage
            std::string refusal = why_not(name_, entry.bytes, info_.uncompressed_size);
            if (!refusal.empty()) return refusal;
        }
        contents_.entries.push_back(std::move(entry));
        return "";
    }

    MemoryFile file_;
    unzFile zip_ = nullptr;
    unz_file_info64 info_ = {};  // of the entry that is read
    std::string name_;           // its name
    std::set<std::string> names_;
    std::uint64_t packed_bytes_ = 0, unpacked_bytes_ = 0;  // of the entries so far
    ZipContents contents_;
};

}  // namespace

std::string write_zip(const std::vector<ZipEntry>& entries) {
    std::string bytes;
    MemoryFile file;
    file.written = &bytes;
    zlib_filefunc64_def functions = functions_on(file);
    zipFile zip = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
    ATTN_CHECK(zip != nullptr, "no archive can be begun");
    for (const ZipEntry& entry : entries) {
        zip_fileinfo info = {};
        info.dosDate = 1U << 21U | 1U << 16U;  // 1 January 1980, the first day of this calendar
        constexpr int kStored = 0;
        const bool is_large = entry.bytes.size() >= 0xFFFFFFFFU;
        const int opened = zipOpenNewFileInZip64(zip, entry.name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr,
                                                 kStored, 0, is_large ? 1 : 0);
        const int written = zipWriteInFileInZip(zip, entry.bytes.data(), static_cast<unsigned>(entry.bytes.size()));
        const int closed = zipCloseFileInZip(zip);
        ATTN_CHECK(opened == ZIP_OK && written == ZIP_OK && closed == ZIP_OK, "no entry ", entry.name);
    }
    ATTN_CHECK(zipClose(zip, nullptr) == ZIP_OK, "the archive cannot be ended");
    return bytes;
}

bool looks_like_zip(std::string_view bytes) {
    return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");  // an entry, or the end of an empty one
}

Result<ZipContents> read_zip(std::string_view bytes, const std::function<bool(std::string_view)>& is_wanted,
                             const WhyNot& why_not) {
    return ZipReader(bytes).read(is_wanted, why_not);
}

}  // namespace attn

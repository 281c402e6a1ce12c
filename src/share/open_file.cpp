// See open_file.h. What a file is, is told here; each kind is read by a file of its own.
#include "share/open_file.h"

#include "core/check.h"
#include "playground/notes.h"
#include "share/session_file.h"

namespace attn {
namespace {

// The first byte that is no white space; 0 in an empty file.
char first_sign(std::string_view bytes) {
    const std::size_t at = bytes.find_first_not_of(" \t\r\n");
    return at == std::string_view::npos ? '\0' : bytes[at];
}

Result<FileOffer> open_session(const NamedFile& file) {
    Result<ReadLink> read = read_session(file.bytes);
    if (!read) return Result<FileOffer>::failure(read.error());
    FileOffer offer;
    offer.question = concat(quoted(file.name), " is a session.");
    offer.choices.push_back({.label = "open it", .state = std::move(read->state), .notes = std::move(read->notes)});
    offer.is_certain = true;
    return offer;
}

}  // namespace

Result<FileOffer> open_file(const NamedFile& file, const PlaygroundState& /*state*/) {
    if (file.bytes.size() > kMaxFileBytes) {
        return Result<FileOffer>::failure(concat("The file has ",
                                                 with_thousands(static_cast<std::int64_t>(file.bytes.size() >> 20U)),
                                                 " MiB; at most ", kMaxFileBytes >> 20U, " can be opened."));
    }
    if (file.bytes.empty()) return Result<FileOffer>::failure("The file is empty.");
    if (first_sign(file.bytes) == '{') return open_session(file);
    return Result<FileOffer>::failure("This is no file that can be opened here: a session file is one.");
}

}  // namespace attn

// Makes a file of a link: computes the numbers first, then writes the file, in pieces of some milliseconds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/ground/result.h"
#include "playground/numbers/computation.h"
#include "playground/text/notes.h"
#include "share/exports/exports.h"

namespace attn {

class LinkExport {
public:
    // `kind` is a name of the export table, `options` as read_export_options reads them.
    LinkExport(std::string_view link, std::string_view kind, std::string_view options);

    // Whether it was asked for with these.
    bool is_of(std::string_view link, std::string_view kind, std::string_view options) const;
    // Comes first. A sentence when there is no such export, or no memory for its numbers; else empty.
    std::string begin();
    // Goes on for about so long. Returns whether the file is made.
    bool advance(double seconds);
    // The file, to be taken once, with all notes about it.
    Result<ExportedFile> take_file();

private:
    std::string link_, kind_, options_;
    Notes notes_;
    Computation computation_;
    std::optional<ExportWork> work_;
};

}  // namespace attn

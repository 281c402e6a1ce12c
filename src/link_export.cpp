// Computes the numbers first, then makes the file.
#include "link_export.h"

#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "platform/platform.h"
#include "playground/link/state_url.h"
#include "playground/numbers/memory_needs.h"
#include "share/exports/export_options.h"
#include "share/spreadsheet/spreadsheet.h"

namespace attn {

LinkExport::LinkExport(std::string_view link, std::string_view kind, std::string_view options)
    : link_(link), kind_(kind), options_(options) {}

bool LinkExport::is_of(std::string_view link, std::string_view kind, std::string_view options) const {
    return link == link_ && kind == kind_ && options == options_;
}

std::string LinkExport::begin() {
    const std::optional<ExportKind> kind = export_of_name(kind_);
    if (!kind) return concat("There is no export ", quoted(kind_), ".");
    const PlaygroundState state = read_link(link_).state;
    ExportOptions options = read_export_options(options_, state, notes_);
    if (!has_room_for(state)) return concat(no_room_text(state), ".");
    computation_.begin(state);
    work_.emplace(*kind, state, std::move(options), Platform::figure_engine());
    return "";
}

bool LinkExport::advance(double seconds) {
    const double end = Platform::seconds() + seconds;
    do {
        if (!computation_.is_complete()) {
            computation_.work(end - Platform::seconds(), Platform::seconds);
        } else if (work_->advance(computation_.evaluator())) {
            return true;
        }
    } while (Platform::seconds() < end);
    return false;
}

Result<ExportedFile> LinkExport::take_file() {
    Result<ExportedFile> file = work_->take_file();
    if (!file) return file;
    append_notes(notes_, file->notes);
    file->notes = std::move(notes_);
    return file;
}

// In the place of the room share/spreadsheet: the page's program has no spreadsheets in it. web/workbook.js makes one
// of two links, a line each: the state's, and one that says the numbers without a lesson, which the module need not
// know.
std::string write_spreadsheet(std::string_view link, const Inputs& inputs, int sentence,
                              const Evaluation& /*evaluation*/) {
    PlaygroundState numbers;
    numbers.inputs = inputs;
    numbers.view.sentence = sentence;
    return concat(link, "\n", write_link(numbers));
}

}  // namespace attn

// Opens one file after the other, and waits while the panels ask the visitor.
#include "app/files.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "app/model_files.h"
#include "app/news.h"
#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "share/opening/open_file.h"

namespace attn {
namespace {

constexpr std::size_t kLargeFile = 1 << 20;

void take_file(Program& program, const FileData& file) {
    Result<FileOffer> offer = open_file({.name = file.name, .bytes = file.bytes}, program.session.state());
    if (!offer) {
        tell_failure(program, concat(file.name, ": ", offer.error()));
    } else if (offer->is_certain) {
        program.session.take_over(offer->choices[0].state, offer->choices[0].notes);
        tell(program, concat("Opened ", file.name, "."));
    } else {
        program.ui.ask_about(std::move(*offer));
    }
}

// Whether the first file waits a little longer: a large one takes up to a second, so a frame says so first.
bool holds_opening(Program& program) {
    const FileData& file = program.files.front();
    if (file.bytes.size() < kLargeFile) return false;
    if (!program.opening_at) tell(program, concat(file.name, " is being read."));
    if (!program.opening_at) program.opening_at = program.drawn_at;
    return program.drawn_at < *program.opening_at + kSeen;
}

}  // namespace

bool take_files(Program& program, std::vector<FileData>& files) {
    std::vector<FileData>& waiting = program.files;
    for (FileData& file : files) file.name = one_line(file.name);  // as it is told
    take_model_files(program, files);
    std::move(files.begin(), files.end(), std::back_inserter(waiting));
    files.clear();
    while (!waiting.empty() && !program.ui.is_asking()) {
        if (holds_opening(program)) return true;
        program.opening_at.reset();
        take_file(program, waiting.front());
        waiting.erase(waiting.begin());
    }
    return false;
}

}  // namespace attn

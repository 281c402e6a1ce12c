// Makes files and copies one at a time; the others wait.
#include "app/requests.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "app/computing.h"
#include "app/model_files.h"
#include "app/news.h"
#include "core/ground/check.h"

namespace attn {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Hands out the file or the text that is made.
void hand_out(Program& program, const UiRequest& request, FrameOutput& output) {
    Result<ExportedFile> file = program.making->take_file();
    if (file) append_notes(program.session.notes(), file->notes);
    if (!file) {
        tell_failure(program, file.error());
    } else if (request.kind == UiRequest::Kind::copy) {
        output.copy = std::move(file->bytes);
        tell(program, concat("Copied: ", export_info(request.what).label, "."));
    } else {
        tell(program, concat("Made ", file->name, "."));
        output.save = FileData{.name = file->name, .media_type = file->media_type, .bytes = std::move(file->bytes)};
    }
}

// Whether the requests wait a little longer: a file of a long text takes seconds, and some kinds all in one go, so a
// frame says so first. What goes into the clipboard must go there while the event of its key or press runs.
bool holds_files(Program& program, double seconds) {
    const auto is_file = [](const UiRequest& request) { return request.kind == UiRequest::Kind::save; };
    if (program.computation.large_bytes() == 0 ||
        std::none_of(program.requests.begin(), program.requests.end(), is_file))
        return false;
    if (!program.held_at) tell(program, "The file is being made.");
    if (!program.held_at) program.is_word_out = false;
    if (!program.held_at) program.held_at = seconds;
    const bool is_untold = !program.outcome.empty();  // screen readers hear it once the visitor's last change rests
    return is_untold || !program.is_word_out || seconds < *program.held_at + kSeen;
}

// Makes the files and texts that were asked for, of the state as it is now: one after the other, and what takes long in
// pieces between the frames.
void answer_exports(Program& program, FrameOutput& output) {
    const double end = program.world.seconds() + kPiece;
    while (!program.requests.empty() && !output.save && !output.copy) {
        const UiRequest& request = program.requests.front();
        if (!program.making) {
            program.making.emplace(request.what, shown_state(program), request.options, program.world.draw_png);
        }
        const bool is_file = request.kind == UiRequest::Kind::save;
        if (make_file(program, is_file ? end : kNever)) return;
        hand_out(program, request, output);
        program.making.reset();
        program.requests.erase(program.requests.begin());
    }
    output.wants_another = true;  // the panels say what became of it
    if (program.requests.empty()) program.held_at.reset();
}

}  // namespace

bool make_file(Program& program, double end) {
    while (!program.making->advance(program.computation.evaluator())) {
        if (program.world.seconds() >= end) return true;
    }
    return false;
}

void take_requests(Program& program, double seconds, FrameOutput& output) {
    using Kind = UiRequest::Kind;
    for (UiRequest& request : program.ui.take_requests()) {
        output.wants_another = true;  // the panels say what became of it
        switch (request.kind) {
            case Kind::open:
                output.wants_file = true;
                break;
            case Kind::prepare:
                output.opens_author_page = true;
                break;
            case Kind::fetch_model:
                output.opens_fetch_page = true;
                break;
            case Kind::sheet:
                output.opens_sheet = true;
                break;
            case Kind::open_recent:
                output.opens_recent = request.index;
                break;
            case Kind::copy_text:
                output.copy = request.text;
                tell(program, "The link is copied.");
                break;
            case Kind::copy_digest:
                output.copy = request.text;
                tell(program, concat("The digest ", request.text, " is copied."));
                break;
            case Kind::share_link:
                output.share = request.text;
                break;
            case Kind::measure:
                measure(program);
                break;
            case Kind::stop:
                program.computation.stop();
                program.requests.clear();
                program.making.reset();
                program.held_at.reset();
                break;
            case Kind::go_on:
                program.computation.go_on();
                break;
            case Kind::stop_model:
                stop_reading_model(program);
                break;
            case Kind::save:
            case Kind::copy:
                program.requests.push_back(std::move(request));
                break;
        }
    }
    if (program.requests.empty()) return;
    update(program);  // the panels may have changed the state in this very frame
    if (program.making && program.making->state() != shown_state(program)) program.making.reset();
    if (!program.computation.is_complete()) {
        if (program.computation.progress().is_stopped) program.computation.go_on();
        program.ui.tell("This is made as soon as all heads are computed.");
        return;
    }
    if (holds_files(program, seconds)) {
        output.wants_another = true;
    } else {
        answer_exports(program, output);
    }
}

}  // namespace attn

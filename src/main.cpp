// Attention Playground, the whole program: a platform, a session, numbers that follow from its state, panels that show
// and change it. One frame after the other:
//   link or sentence from outside -> state -> evaluation -> panels -> legal state -> link, once the state rests.
// The numbers of a long text and its maps take more than a frame: they are made in pieces between the frames.
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/check.h"
#include "platform/platform.h"
#include "playground/announcement.h"
#include "playground/computation.h"
#include "playground/hiding.h"
#include "playground/memory_needs.h"
#include "playground/performance.h"
#include "playground/session.h"
#include "share/exports.h"
#include "share/open_file.h"
#include "ui/items.h"
#include "ui/ui.h"

namespace {

using namespace attn;

// Seconds of a frame that the numbers may have where they are begun: after a keystroke the picture is waited for. What
// is not done then is done in pieces between frames.
constexpr double kFirstSlice = 0.016;
constexpr double kPiece = 0.01;
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kMostSteps = 8;         // of the maps in one piece: some browsers' clocks stand still for a while
constexpr double kFramesApart = 0.1;  // of those that show how far it is

constexpr double kSeen = 0.1;  // until a frame that was drawn is on the screen

// What lives as long as the window.
struct Program {
    explicit Program(Ui panels) : ui(std::move(panels)) {}

    Session session;
    Computation computation;
    std::int64_t bytes = 0;         // that the numbers take, where that is much
    double drawn_at = 0;            // seconds: the last frame
    PartSeconds part_seconds = {};  // that the numbers took so far
    Ui ui;
    std::vector<UiRequest> requests;   // files and copies to be made once the numbers are there
    std::optional<ExportWork> making;  // of the first of them
    std::optional<double> held_at;     // seconds: since when files of a long text wait for a word about them to be seen
    std::vector<FileData> files;       // that came in, first one first; one at a time waits for an answer
    std::string
        outcome;  // what became of a file or a request: a sentence that screen readers are still to be told, or empty
    std::string announced;       // what screen readers were told last
    std::string announced_step;  // of a lesson
};

// Says what became of something, in the share panel and to screen readers.
void tell(Program& program, const std::string& outcome) {
    program.outcome = outcome;
    program.ui.tell(outcome);
}

// What went wrong is to be read whether the share panel is open or not.
void tell_failure(Program& program, const std::string& sentence) {
    program.session.notes().push_back(sentence);
    tell(program, sentence);
}

// What comes from outside goes into the state.
void take_input(Program& program, const FrameInput& input) {
    Session& session = program.session;
    if (input.link) session.open_link(*input.link);
    if (input.sentence) session.type_sentence(*input.sentence);
    if (!input.note.empty()) tell_failure(program, input.note);
}

// A file is used at once where there is but one thing to do with it, else the panels ask.
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

void take_files(Program& program, const std::vector<FileData>& files) {
    std::vector<FileData>& waiting = program.files;
    waiting.insert(waiting.end(), files.begin(), files.end());
    while (!waiting.empty() && !program.ui.is_asking()) {
        take_file(program, waiting.front());
        waiting.erase(waiting.begin());
    }
}

UiSurroundings surroundings_of(const FrameInput& input, const Progress& progress) {
    return {.is_dark = input.system_is_dark,
            .reduces_motion = input.reduces_motion,
            .is_touch = input.is_touch,
            .page_shows_sentence = input.page_shows_sentence,
            .recent = input.can_open_recent ? input.recent : std::vector<std::string>(),
            .page_address = input.page_address,
            .progress = progress};
}

// Whether the two differ in the view alone, and not in what it needs computed.
bool decides_same_numbers(const PlaygroundState& a, const PlaygroundState& b) {
    return a.inputs == b.inputs && a.view.sentence == b.view.sentence && a.view.view == b.view.view &&
           a.view.compare == b.view.compare;
}

// The numbers of the state are begun, if there is room for them; else the state before comes back.
void begin_computation(Program& program) {
    Session& session = program.session;
    Computation& computation = program.computation;
    const std::optional<PlaygroundState>& begun = computation.evaluator().state();
    if (begun == session.state()) return;
    if (begun && decides_same_numbers(*begun, session.state())) return computation.begin(session.state());
    const bool is_large = bytes_needed_at_most(session.state()) > kLittleMemory;
    const std::int64_t needed = is_large ? bytes_needed(session.state()) : 0;
    const bool is_same_size = needed == std::exchange(program.bytes, needed);
    const auto has_room = [&] { return is_large ? has_room_for(needed) : has_room_for(session.state()); };
    if (is_large && is_same_size ? !has_room_for(bytes_needed_again(session.state())) : !has_room()) {
        const PlaygroundState before = begun.value_or(PlaygroundState());
        computation.give_up_memory();  // the two need not fit together
        if (!has_room()) {
            session.go_back_to(before, no_room_note(session.state()));
            program.bytes = 0;
        }
    }
    computation.begin(session.state());
}

void compute(Program& program, double seconds) {
    PartTimer timer(Platform::seconds);
    program.computation.work(seconds, Platform::seconds);
    add_seconds(program.part_seconds, timer.stop());
}

// The numbers of the state as it is now, as far as they are.
void update(Program& program) {
    const int num_begun = program.computation.evaluator().num_begun();
    begin_computation(program);
    if (program.computation.evaluator().num_begun() == num_begun) return;
    program.part_seconds = {};
    compute(program, kFirstSlice);
}

// Goes on with the file that is being made, until then or until it is made. Returns whether there is more to do.
bool make_file(Program& program, double end) {
    while (!program.making->advance(program.computation.evaluator())) {
        if (Platform::seconds() >= end) return true;
    }
    return false;
}

// A piece of what takes longer than a frame: maps whose numbers are there, then numbers, then what takes all of them,
// then files. The first map is shown at once, and the end; in between, how far it is.
WorkOutput work(Program& program) {
    const double end = Platform::seconds() + kPiece;
    const Computation& computation = program.computation;
    const bool was_running = computation.is_running();
    WorkOutput output = {.has_more = true};
    HeadsStep step = {.has_worked = true};
    for (int n = 0; n < kMostSteps && step.has_worked && !output.wants_frame && Platform::seconds() < end; ++n) {
        step = program.ui.work(computation.evaluator(), !was_running);
        output.wants_frame = step.has_first;
    }
    if (!step.has_worked && was_running) compute(program, end - Platform::seconds());
    if (!step.has_worked && !was_running) output.has_more = program.making && make_file(program, end);
    if (!output.has_more || Platform::seconds() >= program.drawn_at + kFramesApart) output.wants_frame = true;
    return output;
}

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

// How long the numbers take, for the performance card: it asks again when there are others.
void measure(Program& program) {
    const Evaluation& evaluation = program.computation.evaluator().shown();
    if (evaluation.is_empty() || !evaluation.is_complete()) return;
    Performance performance = measure_performance(evaluation, program.part_seconds, Platform::seconds);
    performance.bytes_of_program = Platform::memory_bytes();
    program.outcome = performance_in_words(performance);
    program.ui.show_performance(std::move(performance));
}

// Whether the requests wait a little longer: a file of a long text takes seconds, and some kinds all in one go, so a
// frame says so first. What goes into the clipboard must go there while the event of its key or press runs.
bool holds_files(Program& program, double seconds) {
    const auto is_file = [](const UiRequest& request) { return request.kind == UiRequest::Kind::save; };
    if (program.bytes == 0 || std::none_of(program.requests.begin(), program.requests.end(), is_file)) return false;
    if (!program.held_at) tell(program, "The file is being made.");
    if (!program.held_at) program.held_at = seconds;
    return seconds < *program.held_at + kSeen;
}

// Makes the files and texts that were asked for, of the state as it is now: one after the other, and what takes long in
// pieces between the frames.
void answer_exports(Program& program, FrameOutput& output) {
    const double end = Platform::seconds() + kPiece;
    while (!program.requests.empty() && !output.save && !output.copy) {
        const UiRequest& request = program.requests.front();
        if (!program.making) {
            program.making.emplace(request.what, program.session.state(), request.options, Platform::figure_engine());
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

// Does what the panels asked for. What needs numbers that are still computed waits for them.
void take_requests(Program& program, double seconds, FrameOutput& output) {
    using Kind = UiRequest::Kind;
    for (UiRequest& request : program.ui.take_requests()) {
        output.wants_another = true;  // the panels say what became of it
        switch (request.kind) {
            case Kind::open:
                output.wants_file = true;
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
            case Kind::save:
            case Kind::copy:
                program.requests.push_back(std::move(request));
                break;
        }
    }
    if (program.requests.empty()) return;
    if (program.making && program.making->state() != program.session.state()) program.making.reset();
    update(program);  // the panels may have changed the state in this very frame
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

// What a screen reader should say now; empty when it was said already.
std::string news(Program& program) {
    const Computation& computation = program.computation;
    std::string announcement = computation.is_complete()
                                   ? announcement_of(program.session.state(), computation.evaluator().shown())
                                   : announcement_of(computation.progress());
    std::string step = step_announcement_of(program.session.state().view);
    const bool is_new_step = step != program.announced_step;
    if (announcement == program.announced && !is_new_step) return {};
    program.announced = std::move(announcement);
    program.announced_step = std::move(step);
    if (!is_new_step || program.announced_step.empty()) return program.announced;
    return program.announced_step + " " + program.announced;
}

FrameOutput draw_frame(Program& program, const FrameInput& input) {
    FrameOutput output;
    program.drawn_at = input.seconds;
    Session& session = program.session;
    if (input.gl_was_lost) {
        const Result<bool> restored = program.ui.restore_gl();
        if (!restored) output.failure = restored.error();
        if (!restored) return output;
    }
    take_input(program, input);
    take_files(program, input.files);
    update(program);
    if (input.is_rehearsal && program.bytes > 0) return output;  // a long text: what it takes is better shown
    program.ui.draw(session, program.computation.evaluator(), surroundings_of(input, program.computation.progress()));
    if (input.is_rehearsal) return output;
    const bool is_out_of_date = session.settle(input.seconds);

    if (const std::optional<Step> step = session.take_step(input.seconds, input.is_closing)) {
        output.link = step->link;
        output.is_new_step = step->is_new;
    }
    output.wants_another = is_out_of_date || program.ui.wants_another_frame();
    output.wake_after = session.seconds_until_step(input.seconds);
    take_requests(program, input.seconds, output);
    output.has_work = program.computation.is_running() || program.ui.has_work() || program.making.has_value();
    const View& view = session.state().view;
    output.takes_zoom = program.ui.takes_zoom();
    output.hides_sentence = hides_part(view, "sentence");
    output.locks_sentence = locks_control(view, "text");
    output.sentence = session.state().inputs.texts[session.state().view.sentence];
    output.is_dark = shows_dark(session.state().view.theme, input.system_is_dark);
    const bool is_at_rest =
        !is_out_of_date && !output.wake_after;  // nobody listens to every word while a visitor types
    if (is_at_rest) {
        output.announcement = std::exchange(program.outcome, {});
        const std::string heard = news(program);
        if (!output.announcement.empty() && !heard.empty()) output.announcement += " ";
        output.announcement += heard;
    }
    if (input.wants_items) output.items = items_as_json(program.ui.items());
    return output;
}

}  // namespace

int main(int argument_count, char** arguments) {
    if (const std::optional<int> exit_code = answer_arguments(argument_count, arguments)) return *exit_code;
    Result<Platform> platform = Platform::open(argument_count, arguments);
    if (!platform) {
        show_failure(platform.error());
        return 1;
    }
    Result<Ui> ui = Ui::create(Platform::text_engine());
    if (!ui) {
        show_failure(ui.error());
        return 1;
    }
    // The page goes on after main has returned, so the program belongs to the function that draws it.
    const auto program = std::make_shared<Program>(std::move(*ui));
    return platform->run([program](const FrameInput& input) { return draw_frame(*program, input); },
                         [program] { return work(*program); });
}

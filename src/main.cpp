// Attention Playground, the whole program: a platform, a session, numbers that follow from its state, panels that show
// and change it. One frame after the other:
//   link or sentence from outside -> state -> evaluation -> panels -> legal state -> link, once the state rests.
#include <memory>
#include <utility>
#include <vector>

#include "core/check.h"
#include "platform/platform.h"
#include "playground/announcement.h"
#include "playground/evaluation.h"
#include "playground/hiding.h"
#include "playground/session.h"
#include "share/exports.h"
#include "share/open_file.h"
#include "ui/items.h"
#include "ui/ui.h"

namespace {

using namespace attn;

// What lives as long as the window.
struct Program {
    explicit Program(Ui panels) : ui(std::move(panels)) {}

    Session session;
    Evaluator evaluator;
    Ui ui;
    std::vector<FileData> files;  // that came in, first one first; one at a time waits for an answer
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

UiSurroundings surroundings_of(const FrameInput& input) {
    return {.is_dark = input.system_is_dark,
            .reduces_motion = input.reduces_motion,
            .is_touch = input.is_touch,
            .page_shows_sentence = input.page_shows_sentence,
            .recent = input.can_open_recent ? input.recent : std::vector<std::string>(),
            .page_address = input.page_address};
}

// Does what the panels asked for.
void answer_request(Program& program, const UiRequest& request, FrameOutput& output) {
    using Kind = UiRequest::Kind;
    if (request.kind == Kind::open) output.wants_file = true;
    if (request.kind == Kind::open_recent) output.opens_recent = request.index;
    if (request.kind == Kind::copy_text) {
        output.copy = request.text;
        tell(program, "The link is copied.");
    }
    if (request.kind != Kind::save && request.kind != Kind::copy) return;
    Result<ExportedFile> file = export_file(request.what, program.session.state(), program.evaluator, request.options,
                                            Platform::figure_engine());
    if (file) append_notes(program.session.notes(), file->notes);
    if (!file) {
        tell_failure(program, file.error());
    } else if (request.kind == Kind::copy) {
        output.copy = std::move(file->bytes);
        tell(program, concat("Copied: ", export_info(request.what).label, "."));
    } else {
        tell(program, concat("Made ", file->name, "."));
        output.save = FileData{.name = file->name, .media_type = file->media_type, .bytes = std::move(file->bytes)};
    }
}

// What a screen reader should say now; empty when it was said already.
std::string news(Program& program, const Evaluation& evaluation) {
    std::string announcement = announcement_of(program.session.state(), evaluation);
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
    Session& session = program.session;
    if (input.gl_was_lost) {
        const Result<bool> restored = program.ui.restore_gl();
        if (!restored) output.failure = restored.error();
        if (!restored) return output;
    }
    take_input(program, input);
    take_files(program, input.files);
    const Evaluation& evaluation = program.evaluator.update(session.state());
    program.ui.draw(session, program.evaluator, surroundings_of(input));
    const bool is_out_of_date = session.settle(input.seconds);

    if (const std::optional<Step> step = session.take_step(input.seconds, input.is_closing)) {
        output.link = step->link;
        output.is_new_step = step->is_new;
    }
    output.wants_another = is_out_of_date || program.ui.wants_another_frame();
    output.wake_after = session.seconds_until_step(input.seconds);
    for (const UiRequest& request : program.ui.take_requests()) {
        program.evaluator.update(session.state());  // the panels may have changed it in this very frame
        answer_request(program, request, output);
        output.wants_another = true;  // the panels say what became of it
    }
    const View& view = session.state().view;
    output.hides_sentence = hides_part(view, "sentence");
    output.locks_sentence = locks_control(view, "text");
    output.sentence = session.state().inputs.texts[session.state().view.sentence];
    output.is_dark = shows_dark(session.state().view.theme, input.system_is_dark);
    const bool is_at_rest =
        !is_out_of_date && !output.wake_after;  // nobody listens to every word while a visitor types
    if (is_at_rest) {
        output.announcement = std::exchange(program.outcome, {});
        const std::string heard = news(program, evaluation);
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
    return platform->run([program](const FrameInput& input) { return draw_frame(*program, input); });
}

// One frame's way: link or sentence from outside -> state -> evaluation -> panels -> legal state -> link.
#include "app/frame.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/computing.h"
#include "app/files.h"
#include "app/model_files.h"
#include "app/news.h"
#include "app/requests.h"
#include "core/words/code_points.h"
#include "playground/link/hiding.h"
#include "playground/state/open_models.h"
#include "ui/frame/items.h"

namespace attn {
namespace {

// What comes from outside goes into the state.
void take_input(Program& program, const FrameInput& input) {
    Session& session = program.session;
    for (const std::shared_ptr<const OpenModel>& model : open_models()) {
        if (model->problem().empty()) continue;
        tell_failure(program, concat(model->problem(), " The model is closed: open its files again."));
        close_model(model->name());
    }
    session.look_at_models();
    if (input.link) session.open_link(*input.link);
    if (input.sentence) session.type_sentence(*input.sentence);
    if (!input.note.empty()) tell_failure(program, input.note);
    if (!input.success.empty()) tell_success(program, input.success);
    if (input.has_all) program.ui.has_all();
    if (!input.visited.empty()) program.ui.add_visited_steps(input.visited);
}

UiSurroundings surroundings_of(const FrameInput& input, const Program& program) {
    return {.is_dark = input.system_is_dark,
            .reduces_motion = input.reduces_motion,
            .forced_colors = input.forced_colors,
            .got_keyboard = input.got_keyboard,
            .is_touch = input.is_touch,
            .page_shows_sentence = input.page_shows_sentence,
            .recent = input.can_open_recent ? input.recent : std::vector<std::string>(),
            .page_address = input.page_address,
            .can_share_link = input.can_share_link,
            .has_fetch_page = input.has_fetch_page,
            .progress = program.computation.progress(),
            .read_share = read_share(program)};
}

// A live region that is given the text it has tells nothing: the same words twice differ by a blank that is not heard.
std::string different_each_time(Program& program, std::string news) {
    constexpr std::string_view kUnheard = "\u00a0";
    if (!news.empty() && news == program.last_announcement) news += kUnheard;
    if (!news.empty()) program.last_announcement = news;
    return news;
}

}  // namespace

FrameOutput draw_frame(Program& program, FrameInput& input) {
    FrameOutput output;
    program.drawn_at = input.seconds;
    Session& session = program.session;
    if (input.gl_was_lost) {
        const Result<bool> restored = program.ui.restore_gl();
        if (!restored) output.failure = restored.error();
        if (!restored) return output;
    }
    take_input(program, input);
    const bool has_file_to_open = take_files(program, input.files);
    update(program);
    if (input.is_rehearsal && program.computation.large_bytes() > 0)
        return output;  // a long text: what it takes is better shown
    program.ui.draw(session, program.computation.evaluator(), surroundings_of(input, program));
    if (input.is_rehearsal) return output;
    const bool is_out_of_date = session.settle(input.seconds);

    if (const std::optional<Step> step = session.take_step(input.seconds, input.is_closing)) {
        output.link = step->link;
        output.is_new_step = step->is_new;
        if (!session.state().view.lesson.empty()) output.visited = program.ui.visited_steps();
    }
    output.num_answers = session.answers().log.version();
    output.wants_another = is_out_of_date || has_file_to_open || program.ui.wants_another_frame();
    output.plays = program.ui.is_playing();
    output.wake_after = session.seconds_until_rest(input.seconds);
    take_requests(program, input.seconds, output);
    const bool computes = program.computation.is_running() || program.ui.has_work() || program.making.has_value();
    output.has_work =
        program.opening_model || (computes && !waits_for_models()) || (program.held_at && !program.is_word_out);
    const View& view = session.state().view;
    output.takes_zoom = program.ui.takes_zoom();
    output.follows_up = program.ui.follows_up();
    output.follows_down = program.ui.follows_down();
    output.hides_sentence = hides_part(view, "sentence");
    output.locks_sentence = locks_control(view, "text");
    output.sentence = session.state().inputs.texts[session.state().view.sentence];
    output.is_dark = shows_dark(session.state().view.theme, input.system_is_dark);
    const bool is_at_rest =
        !is_out_of_date && !output.wake_after;  // nobody listens to every word while a visitor types
    if (is_at_rest) output.announcement = different_each_time(program, take_news(program));
    if (input.wants_items) output.items = items_as_json(program.ui.items());
    return output;
}

}  // namespace attn

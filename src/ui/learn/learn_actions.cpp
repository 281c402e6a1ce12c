#include "ui/learn/learn_actions.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/other_link.h"
#include "playground/link/recipe_keys.h"
#include "playground/link/state_url.h"
#include "playground/numbers/keep_training.h"
#include "ui/kit/lock.h"
#include "ui/kit/widgets.h"
#include "ui/learn/playing.h"

namespace attn {
namespace {

constexpr std::array kSpeeds = {Speed::one, Speed::ten, Speed::hundred, Speed::fast};
constexpr std::size_t kLongLink = 1500;  // characters; a longer one is handier as a file

std::vector<Segment> speed_segments() {
    return {{"speed=1", "1"}, {"speed=10", "10"}, {"speed=100", "100"}, {"speed=fast", "fast"}};
}

bool has_trained(const Shown& shown) {
    return is_trained(shown.state.inputs) && shown.evaluator.is_complete() && shown.evaluation.run;
}

void ask_for_session_file(Wishes& wishes) {
    UiRequest request;
    request.kind = UiRequest::Kind::save;
    request.what = ExportKind::session;
    wishes.requests.push_back(std::move(request));
}

void keep(UiFrame& frame) {
    const std::optional<Inputs> kept = keep_training(frame.state.inputs, *frame.evaluation.run);
    if (!kept) {
        ask_for_session_file(frame);
        frame.notes.clear();
        frame.session.note_failure(concat("too many numbers to keep as edits, which are at most ",
                                          with_thousands(kMaxEdits),
                                          ": a session file keeps the recipe, which gives the same numbers"));
        return;
    }
    const std::size_t num_kept = kept->edits.size();
    frame.next.inputs = *kept;
    const std::size_t length = write_link(frame.next).size();
    const std::string longer = length > kLongLink
                                   ? concat("; the link has ", with_thousands(static_cast<std::int64_t>(length)),
                                            " characters, and a session file (Share) is easier to hand on")
                                   : std::string();
    frame.session.note({concat("the trained numbers are kept as ", counted(static_cast<std::int64_t>(num_kept), "edit"),
                               ", and training begins there", longer)});
}

}  // namespace

float speed_width(const Look& look) {
    return segmented_width(look, speed_segments());
}

void put_speed(Display& display) {
    LearnMemory& memory = learn_memory(display);
    const std::vector<Segment> segments = speed_segments();
    const std::optional<int> chosen = segmented(display, segments, static_cast<int>(memory.speed),
                                                segmented_width(display, segments), "steps a frame");
    if (chosen) memory.speed = kSpeeds[static_cast<std::size_t>(*chosen)];
}

void put_keep_button(UiFrame& frame) {
    const LockScope lock(frame, "edit", frame.palette.panel);
    if (button(frame, "keep", "Keep as edits", ButtonKind::quiet, has_trained(frame))) keep(frame);
}

void put_compare_button(UiFrame& frame) {
    const LockScope lock(frame, "compare", frame.palette.panel);
    if (!button(frame, "compare=before", "Compare with step 0", ButtonKind::quiet, is_trained(frame.state.inputs)))
        return;
    frame.next.view.compare = link_before_training(frame.state);
    frame.next.view.view = ViewKind::compare;
}

}  // namespace attn

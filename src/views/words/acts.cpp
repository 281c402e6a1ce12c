// Each act asks what the picture's control asks, and changes the state as that does.
#include "views/words/acts.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/ground/check.h"
#include "playground/cache/next_word.h"
#include "playground/check/check_me.h"
#include "playground/link/hiding.h"
#include "playground/link/legal.h"
#include "playground/link/other_link.h"
#include "playground/link/state_url.h"
#include "playground/state/origin.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "playground/visit/reader.h"
#include "views/cache/cache_text.h"
#include "views/compare/compare_words.h"
#include "views/door/door_text.h"
#include "views/door/doors.h"
#include "views/door/shown_door.h"
#include "views/model/shown_model.h"
#include "views/words/announcement.h"
#include "views/words/check_acts.h"

namespace attn {
namespace {

constexpr std::int64_t kSaySlice = 64'000'000;  // multiply-adds at once: some milliseconds

// What an act reads and writes.
struct Doing {
    Session& session;
    const PlaygroundState& state;
    PlaygroundState& next;
    const Evaluator& evaluator;
    NextWordWork& work;
    std::string_view name, typed;
    ActOutcome& outcome;

    const Evaluation& evaluation() const { return evaluator.shown(); }
};

// What every offer reads.
struct Offering {
    const PlaygroundState& state;
    const Evaluator& evaluator;
    std::vector<ActGroup>& groups;

    bool locks(std::string_view key) const { return locks_control(state.view, key); }
};

void offer_cache_steps(const Offering& offer) {
    const Evaluation& evaluation = offer.evaluator.shown();
    const CacheSplit split = cache_split(offer.state.view, evaluation.sizes.num_tokens);
    const int last = evaluation.sizes.num_tokens - split.prompt;
    const bool is_open = !offer.locks("at");
    offer.groups.push_back({.title = "Token by token",
                            .words = {cache_step_in_words(split, evaluation)},
                            .acts = {{"cache=again", "Back to the prompt", is_open && split.at > 0},
                                     {"cache=back", "One token back", is_open && split.at > 0},
                                     {"cache=step", "One token", is_open && split.at < last},
                                     {"cache=play", "To the end", is_open && split.at < last}}});
}

void step_cache(const Doing& doing) {
    const int num_tokens = doing.evaluation().sizes.num_tokens;
    const CacheSplit split = cache_split(doing.state.view, num_tokens);
    const int last = num_tokens - split.prompt;
    const int at = doing.name == "cache=again"  ? 0
                   : doing.name == "cache=back" ? split.at - 1
                   : doing.name == "cache=step" ? split.at + 1
                                                : last;
    doing.next.view.at = std::clamp(at, 0, last);
}

bool says_words(ViewKind view) {
    return view == ViewKind::cache || view == ViewKind::model;
}

void offer_next_word(const Offering& offer) {
    const PlaygroundState& state = offer.state;
    const bool is_open = !offer.locks("text");
    ActGroup group = {.title = "The next word", .words = {}, .acts = {}};
    const std::optional<SaidWord> word =
        state.view.view == ViewKind::cache
            ? say_next_word(offer.evaluator.inputs(), offer.evaluator.shown(), state.view.sentence)
            : std::nullopt;
    if (word) {
        group.words = {concat("the most probable next word, ", shown_number(word->probability))};
        group.acts = {{"cache=say", concat("Say “", word->word, "”"), is_open}};
    } else if (const std::optional<ModelText> shown = model_text(offer.evaluator)) {
        const int last = shown->input.num_tokens() - 1;
        const int row = state.view.view == ViewKind::model ? next_row(state.view, shown->input.num_tokens()) : last;
        const std::string problem = find_saying_problem(*shown, row);
        if (!problem.empty()) group.words = {problem};
        group.acts = {{"next=say", "Say the next word", is_open && problem.empty()}};
    } else {
        return;
    }
    offer.groups.push_back(std::move(group));
}

// The newest token is the one the cache computes next; a model's view looks after the new end.
void look_at_new_word(View& view, const Evaluation& evaluation) {
    if (view.view == ViewKind::cache) {
        const int num_tokens = evaluation.sizes.num_tokens;
        view.at = num_tokens + 1 - cache_split(view, num_tokens).prompt;
    } else {
        view.cell.reset();
        view.word.clear();
    }
}

void say_goal_word(const Doing& doing) {
    const std::optional<SaidWord> word =
        say_next_word(doing.evaluator.inputs(), doing.evaluation(), doing.state.view.sentence);
    if (!word) return;
    doing.next.inputs = word->inputs;
    look_at_new_word(doing.next.view, doing.evaluation());
    doing.outcome.said = concat("“", word->word, "” is said.");
}

void say_model_word(const Doing& doing) {
    NextWordWork& work = doing.work;
    if (!work.logits || work.of != doing.state) {
        work = {.of = doing.state, .shown = model_text(doing.evaluator), .logits = nullptr};
        if (!work.shown) return;
        const int last = work.shown->input.num_tokens() - 1;
        doing.outcome.said = find_saying_problem(*work.shown, last);
        if (!doing.outcome.said.empty()) return;
        work.logits = std::make_shared<RowLogits>(work.shown->run, last);
    }
    if (!work.logits->advance(kSaySlice)) {
        doing.outcome = {.is_done = false, .said = progress_in_words(work.logits->progress())};
        return;
    }
    const NextWordWork done = std::exchange(work, {});
    const int last = done.shown->input.num_tokens() - 1;
    const std::span<const float> logits = done.logits->logits();
    doing.outcome.said = say_next_token(doing.next, doing.state, *done.shown, last, logits);
    if (!doing.outcome.said.empty()) return;
    doing.outcome.said = concat(drawn_in_words(*done.shown, next_draw(doing.state.view), logits), ".");
    look_at_new_word(doing.next.view, doing.evaluation());
}

void offer_others(const Offering& offer) {
    const PlaygroundState& state = offer.state;
    const bool is_open = !offer.locks("compare");
    const bool has_b = !state.view.compare.empty();
    ActGroup group = {.title = "State B", .words = {}, .acts = {}};
    if (has_b && offer.evaluator.other_state())
        group.words = {other_in_words(state, *offer.evaluator.other_state())};
    else
        group.words = {
            "A is what you see now. Choose a B to compare it with: whatever you change afterwards changes A."};
    group.acts.push_back({"compare=now", has_b ? "B = A as it is now" : "B = A", is_open});
    for (const QuickOther& other : quick_others(state))
        group.acts.push_back({concat("compare=", other.name), concat("B: ", other.label), is_open});
    if (has_b && stage_info(state.view.stage).has_heads && offer.evaluator.other() &&
        !offer.evaluator.other()->is_empty()) {
        const int head = compared_head(*offer.evaluator.other_state());
        const int num_heads = offer.evaluator.other()->sizes.num_heads;
        group.acts.push_back({"head of B-", "B: the head before", is_open && head > 0});
        group.acts.push_back({"head of B+", "B: the next head", is_open && head + 1 < num_heads});
    }
    if (has_b) {
        group.acts.push_back({"compare=swap", "Swap A and B", is_open});
        group.acts.push_back({"compare=none", "Remove B", is_open});
    }
    offer.groups.push_back(std::move(group));
}

void choose_other(const Doing& doing) {
    const std::string_view which = doing.name.substr(std::string_view("compare=").size());
    View& view = doing.next.view;
    if (which == "now") view.compare = link_as_other(doing.state);
    if (which == "none") view.compare.clear();
    if (which == "swap" && !doing.state.view.compare.empty()) swap_with_other(doing.next);
    for (const QuickOther& other : quick_others(doing.state)) {
        if (which == other.name) view.compare = other.link;
    }
}

void turn_to_head_of_b(const Doing& doing) {
    if (!doing.evaluator.other_state() || !doing.evaluator.other()) return;
    PlaygroundState other = *doing.evaluator.other_state();
    const int last = std::max(0, doing.evaluator.other()->sizes.num_heads - 1);
    const int step = doing.name.ends_with("+") ? 1 : -1;
    other.view.head = std::clamp(compared_head(other) + step, 0, last);
    doing.next.view.compare = link_as_other(other);
}

void offer_door(const Offering& offer) {
    const PlaygroundState& state = offer.state;
    const ComputedDoor door = compute_door(state, offer.evaluator.shown());
    if (door.drawing.model && door.drawing.model->word) {
        offer.groups.push_back(
            {.title = "One head",
             .words = {door_effect(door.drawing)},
             .acts = {{"off=in use", std::string(switch_label(door.drawing)), !offer.locks("off")}}});
    } else if (door.drawing.reader == DoorReader::random) {
        ActGroup readers = {.title = "Who reads", .words = {std::string(kDoorRandom)}, .acts = {}};
        for (const DoorReading& reading : door_readings()) {
            readers.words.push_back(concat(own_model_in_words(reading.model), ". ", reading.help));
            readers.acts.push_back({reading.name, reading.label, !offer.locks("model")});
        }
        offer.groups.push_back(std::move(readers));
    } else if (door.drawing.reader == DoorReader::none) {
        offer.groups.push_back({.title = "Who reads",
                                .words = {},
                                .acts = {{"read=random", std::string(kReadRandom), !offer.locks("model")}}});
    }
    ActGroup starts = {.title = "Sentences to start from", .words = {}, .acts = {}};
    for (std::size_t k = 0; k < door_starts().size(); ++k)
        starts.acts.push_back({concat("start=", k + 1), std::string(door_starts()[k].label), !offer.locks("text")});
    starts.acts.push_back({"start=over", "Start over"});
    offer.groups.push_back(std::move(starts));
    ActGroup ways = {.title = "Go on", .words = {}, .acts = {}};
    for (const Door& one : doors())
        if (!hides_part(state.view, one.part))
            ways.acts.push_back({concat("door=", one.name), std::string(one.title),
                                 !offer.locks(one.part == "lessons" ? "lesson" : "view")});
    if (!ways.acts.empty()) offer.groups.push_back(std::move(ways));
}

void act_at_door(const Doing& doing) {
    const std::string_view what = doing.name.substr(doing.name.find('=') + 1);
    if (doing.name == "door=start") return open_door(doing.next);
    if (doing.name == "start=over") return start_over(doing.next);
    if (doing.name == "read=typed") {
        doing.next.inputs.texts[static_cast<std::size_t>(doing.state.view.sentence)] = doing.typed;
        doing.next.view.said = 0;
        return choose_reader(doing.next, doing.state, false);
    }
    if (doing.name == "read=random") return make_random(doing.next.inputs);
    for (const DoorReading& reading : door_readings())
        if (doing.name == reading.name) return make_trained(doing.next.inputs, reading.model);
    for (std::size_t k = 0; k < door_starts().size(); ++k)
        if (doing.name == concat("start=", k + 1)) return start_with(doing.next, door_starts()[k].text);
    const bool is_there = !doing.evaluation().is_empty() && doing.state.view.view == ViewKind::door;
    if (!is_there) return;
    const ComputedDoor door = compute_door(doing.state, doing.evaluation());
    if (doing.name == "off=in use" && door.drawing.model) switch_heads_in_use(doing.next, door.drawing);
    const bool is_door = doing.name.starts_with("door=") &&
                         std::ranges::any_of(doors(), [&](const Door& one) { return one.name == what; });
    if (is_door) go_through(doing.next, what, door.drawing);
}

void undo_or_redo(const Doing& doing) {
    const Inputs before = doing.state.inputs;
    const bool is_undo = doing.name == "undo";
    if (!(is_undo ? doing.session.undo() : doing.session.redo())) return;
    doing.next = doing.session.state();
    const std::string changes = change_announcement_of(before, doing.next.inputs);
    doing.outcome.said = concat(is_undo ? "Undone." : "Done again.", changes.empty() ? "" : " ", changes);
}

void act_in_check(const Doing& doing) {
    doing.outcome.said = do_check_act(doing.session, doing.state, doing.next, doing.evaluator, doing.name, doing.typed);
}

// An act by its name, or by what its name begins with where that ends in '='. Its key, whose lock it obeys.
struct ActRow {
    std::string_view name, key;
    bool needs_tokens;
    void (*act)(const Doing& doing);
};
constexpr ActRow kActs[] = {
    {"undo", "", false, undo_or_redo},
    {"redo", "", false, undo_or_redo},
    {"compare=", "compare", true, choose_other},
    {"head of B-", "compare", true, turn_to_head_of_b},
    {"head of B+", "compare", true, turn_to_head_of_b},
    {"cache=say", "text", true, say_goal_word},
    {"cache=", "at", true, step_cache},
    {"next=say", "text", true, say_model_word},
    {"off=in use", "off", true, act_at_door},
    {"read=typed", "text", false, act_at_door},
    {"read=", "model", false, act_at_door},
    {"start=over", "", false, act_at_door},
    {"start=", "text", false, act_at_door},
    {"door=lesson", "lesson", true, act_at_door},
    {"door=", "view", false, act_at_door},
    {"check", "", true, act_in_check},
    {"answer", "", true, act_in_check},
    {"question=", "", true, act_in_check},
    {"count", "", true, act_in_check},
    {"predict", "", false, act_in_check},
};

const ActRow* find_act(std::string_view name) {
    const auto fits = [&](const ActRow& row) {
        return name == row.name || (row.name.ends_with("=") && name.starts_with(row.name)) ||
               (row.act == act_in_check && name.starts_with(row.name));
    };
    const auto row = std::ranges::find_if(kActs, fits);
    return row == std::end(kActs) ? nullptr : row;
}

}  // namespace

std::vector<Act> undo_acts(const Session& session) {
    if (hides_part(session.state().view, "undo")) return {};
    return {{"undo", "Undo", session.can_undo()}, {"redo", "Redo", session.can_redo()}};
}

std::vector<ActGroup> acts_of_view(const PlaygroundState& state, const Evaluator& evaluator) {
    std::vector<ActGroup> groups;
    const Evaluation& evaluation = evaluator.shown();
    if (evaluation.is_empty() || !evaluation.is_complete() || shows_blank(state)) return groups;
    const Offering offer = {state, evaluator, groups};
    const ViewKind view = state.view.view;
    if (view == ViewKind::cache) offer_cache_steps(offer);
    if (view == ViewKind::door) offer_door(offer);
    if (says_words(view)) offer_next_word(offer);
    if (view == ViewKind::compare || (view == ViewKind::model && !state.inputs.model.empty())) offer_others(offer);
    return groups;
}

std::vector<std::string_view> keys_of_view(ViewKind view) {
    switch (view) {
        case ViewKind::matrix:
        case ViewKind::numbers:
            return {"combine", "row_stat", "select"};
        case ViewKind::lines:
            return {"combine", "select"};
        case ViewKind::vectors:
            return {"plane", "select"};
        case ViewKind::edit:
            return {"tensor"};
        case ViewKind::split:
            return {"phase"};
        case ViewKind::cache:
            return {"prompt", "at", "length", "element", "card"};
        case ViewKind::model:
            return {"map", "word", "next_temperature", "top_k", "top_p", "next_seed"};
        case ViewKind::lens:
            return {"lens", "word"};
        case ViewKind::patch:
            return {"word", "against"};
        case ViewKind::door:
            return {"word"};
        case ViewKind::dots:
            return {"pairs", "pairs_dim", "pairs_seed"};
        case ViewKind::softmax:
            return {"vector", "gain"};
        case ViewKind::compare:
        case ViewKind::journey:
        case ViewKind::learn:
        case ViewKind::stacked:
        case ViewKind::cost:
            return {};
    }
    return {};
}

ActOutcome do_act(Session& session, const Evaluator& evaluator, NextWordWork& work, std::string_view name,
                  std::string_view typed, double now) {
    ActOutcome outcome;
    const ActRow* row = find_act(name);
    const PlaygroundState state = session.state();
    const bool is_locked = row != nullptr && !row->key.empty() && locks_control(state.view, row->key);
    if (row == nullptr || is_locked || (row->needs_tokens && evaluator.shown().is_empty())) return outcome;
    PlaygroundState next = state;
    row->act({.session = session,
              .state = state,
              .next = next,
              .evaluator = evaluator,
              .work = work,
              .name = name,
              .typed = typed,
              .outcome = outcome});
    if (!outcome.is_done) return outcome;
    keep_locked(next, state);
    for (const std::string& note : clamp_to_legal(next))
        outcome.said += concat(outcome.said.empty() ? "" : " ", note, ".");
    session.state() = std::move(next);
    session.settle(now);
    return outcome;
}

}  // namespace attn

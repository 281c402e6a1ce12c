// An evaluation in slices: how much of it a frame does, what the visitor is told, and that slices change no number.
#include "playground/numbers/computation.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <string>

#include "core/ground/check.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/random_states.h"
#include "playground/state/state_edits.h"
#include "views/words/announcement.h"

using namespace attn;
using namespace attn::test;

namespace {

// Goes on by `tick` each time it is looked at, as if each slice took so long.
struct FakeClock {
    double now = 100;
    double tick = 0.002;
    Computation::Clock clock() {
        return [this] { return now += tick; };
    }
};

int whole(Dice& dice, int least, int most) {
    return least + dice.below(most - least + 1);
}

std::string words(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += concat("w", i % 97, " ");
    return text;
}

PlaygroundState long_state(int num_tokens, int num_heads) {
    PlaygroundState state;
    state.inputs.texts[0] = words(num_tokens);
    state.inputs.d_in = state.inputs.d_out = 32;
    state.inputs.num_heads = num_heads;
    return state;
}

bool are_same(const Evaluation& a, const Evaluation& b, const Inputs& inputs) {
    for (const TensorId stage : present_stages(inputs)) {
        const int num_heads = stage_info(stage).has_heads ? inputs.num_heads : 1;
        for (int h = 0; h < num_heads; ++h) {
            const Matrix one = shown_matrix(a, stage, h), other = shown_matrix(b, stage, h);
            const auto is_same = [](float x, float y) { return x == y || (x != x && y != y); };
            if (!std::equal(one.begin(), one.end(), other.begin(), other.end(), is_same)) return false;
        }
    }
    return true;
}

}  // namespace

TEST_CASE("slices of any size give the bits that one go gives", "[computation][property]") {
    Dice dice(4711);
    Evaluator evaluator;
    for (int n = 0; n < 150; ++n) {
        PlaygroundState state = random_state(dice);
        state.inputs.d_in = std::min(state.inputs.d_in, 24);
        state.inputs.d_out = std::min(state.inputs.d_out, 24);
        clamp_to_legal(state);
        CAPTURE(n, write_link(state));
        evaluator.begin(state);
        const std::int64_t slice = whole(dice, 1, 3000);
        int more = 0;
        while (!evaluator.advance(slice)) REQUIRE(++more < 100000);
        CHECK(evaluator.is_complete());
        CHECK(evaluator.multiply_adds_left() == 0);
        const Evaluation whole = evaluate(state.inputs, state.view.sentence);
        REQUIRE(evaluator.shown().is_empty() == whole.is_empty());
        CHECK(evaluator.shown().notes == whole.notes);
        if (!whole.is_empty()) CHECK(are_same(evaluator.shown(), whole, state.inputs));
    }
}

TEST_CASE("a computation that takes longer than its slice goes on in the next one", "[computation]") {
    FakeClock time;
    Computation computation;
    const PlaygroundState state = long_state(600, 4);
    computation.begin(state);
    CHECK(computation.is_running());
    CHECK(computation.evaluator().shown().num_tokens() == 600);  // known from the beginning
    int num_slices = 0;
    int heads = 0;
    while (!computation.is_complete()) {
        computation.begin(state);  // each frame does
        computation.work(0.010, time.clock());
        const Progress progress = computation.progress();
        CHECK(progress.num_heads == 4);
        CHECK(progress.num_heads_done >= heads);
        heads = progress.num_heads_done;
        REQUIRE(++num_slices < 10000);
    }
    CHECK(num_slices > 2);
    CHECK(heads == 4);
    CHECK_FALSE(computation.is_running());
    CHECK(are_same(computation.evaluator().shown(), evaluate(state.inputs, 0), state.inputs));
}

TEST_CASE("many steps of training are taken in pieces, a step more or less at once", "[computation][recipe]") {
    FakeClock time;
    Computation computation;
    const auto pieces_for = [&](int steps, std::string_view more) {
        const PlaygroundState state = read_link(concat("goal=pattern&target=1:10>1&steps=", steps, more)).state;
        int pieces = 0;
        do {
            computation.begin(state);
            computation.work(0.010, time.clock());
            REQUIRE(++pieces < 10000);
        } while (!computation.is_complete());
        CHECK(computation.evaluator().shown().run->num_steps() == steps);
        return pieces;
    };
    CHECK(pieces_for(3000, "") > 3);
    CHECK(pieces_for(3001, "") == 1);
    CHECK(pieces_for(3000, "") <= 2);           // from a checkpoint
    CHECK(pieces_for(3000, "&rate=0.05") > 3);  // another recipe
    CHECK(pieces_for(10, "&rate=0.05") == 1);
}

TEST_CASE("a small state is complete within its first slice", "[computation]") {
    FakeClock time;
    Computation computation;
    computation.begin(PlaygroundState());
    computation.work(0.016, time.clock());
    CHECK(computation.is_complete());
}

TEST_CASE("a small state is whole at once even where something else has the processor", "[computation]") {
    Computation computation;
    FakeClock clock = {.tick = 5};  // each slice seems to take seconds
    for (int n = 0; n < 4; ++n) {
        PlaygroundState state;
        state.inputs.texts[0] = words(10 + n);
        computation.begin(state);
        computation.work(0.016, clock.clock());
        CHECK(computation.is_complete());
    }
}

TEST_CASE("the head that is looked at is computed first", "[computation]") {
    PlaygroundState state = long_state(200, 8);
    state.view.head = 5;
    Evaluator evaluator;
    evaluator.begin(state);
    while (evaluator.shown().work.num_heads_done() == 0) evaluator.advance(10000);
    CHECK(is_ready(evaluator.shown().trace, TensorId::context, 5));
    CHECK_FALSE(is_ready(evaluator.shown().trace, TensorId::context, 0));
}

TEST_CASE("a head that is enlarged while others are computed comes next", "[computation]") {
    PlaygroundState state = long_state(200, 8);
    Computation computation;
    FakeClock time;
    computation.begin(state);
    const auto num_done = [&] { return computation.evaluator().shown().work.num_heads_done(); };
    while (num_done() == 0) computation.work(0.001, time.clock());
    const int before = num_done();
    REQUIRE(before < 6);
    const int begun = computation.evaluator().num_begun();
    state.view.head = 6;
    computation.begin(state);
    CHECK(computation.evaluator().num_begun() == begun);
    while (num_done() < before + 2) computation.work(0.0001, time.clock());  // the one that was begun, and it
    CHECK(is_ready(computation.evaluator().shown().trace, TensorId::context, 6));
    CHECK_FALSE(is_ready(computation.evaluator().shown().trace, TensorId::context, 7));
}

TEST_CASE("what is stopped stands still until it is gone on with, and another state begins anew", "[computation]") {
    FakeClock time;
    Computation computation;
    PlaygroundState state = long_state(600, 8);
    computation.begin(state);
    while (computation.progress().num_heads_done < 2) computation.work(0.004, time.clock());
    computation.stop();
    const std::int64_t left = computation.evaluator().multiply_adds_left();
    computation.begin(state);
    computation.work(1, time.clock());
    CHECK(computation.evaluator().multiply_adds_left() == left);
    CHECK(computation.progress().is_stopped);
    CHECK_FALSE(computation.is_running());
    CHECK(announcement_of(computation.progress()).starts_with("Stopped: "));

    state.view.theme = Theme::dark;  // a view decides no number
    computation.begin(state);
    CHECK(computation.progress().is_stopped);

    SECTION("gone on with") {
        computation.go_on();
        CHECK(announcement_of(computation.progress()) == "Computing 8 heads.");
        computation.work(1e9, time.clock());
        CHECK(computation.is_complete());
        CHECK(computation.evaluator().version() == 1);
    }
    SECTION("another sentence") {
        state.inputs.texts[0] += "more";
        computation.begin(state);
        CHECK(computation.is_running());
        CHECK(computation.evaluator().version() == 2);
    }
    SECTION("nothing to stop") {
        computation.go_on();
        computation.work(1e9, time.clock());
        computation.stop();
        CHECK_FALSE(computation.progress().is_stopped);
    }
}

TEST_CASE("the time that is left shrinks to nothing", "[computation]") {
    FakeClock time;
    Computation computation;
    computation.begin(long_state(800, 8));
    bool was_told = false;
    for (int i = 0; i < 100000 && !computation.is_complete(); ++i) {
        computation.work(0.003, time.clock());
        time.now += 0.012;  // drawing
        was_told = was_told || computation.progress().seconds_left > 0;
        CHECK(computation.progress().seconds_left >= 0);
    }
    CHECK(computation.is_complete());
    CHECK(was_told);
    CHECK(computation.progress().seconds_left == 0);
}

TEST_CASE("a clock that stands still cannot make a slice endless", "[computation][bad-input]") {
    FakeClock time;
    time.tick = 0;
    Computation computation;
    computation.begin(long_state(600, 16));
    computation.work(0.010, time.clock());
    CHECK_FALSE(computation.is_complete());
}

TEST_CASE("the pace follows what slices took", "[computation]") {
    Pace pace;
    const std::int64_t first = pace.amount(0.002);
    CHECK(first > 0);
    for (int i = 0; i < 400; ++i) pace.learn(1000000, 0.001);
    CHECK(pace.amount(0.002) == Catch::Approx(2000000).epsilon(0.01));  // what the guess still weighs
    for (int i = 0; i < 400; ++i) pace.learn(1000000, 0.004);           // now slower
    CHECK(pace.amount(0.002) == Catch::Approx(500000).epsilon(0.01));
    for (int i = 0; i < 9; ++i) pace.learn(1000, 0);  // the clock stands still
    CHECK(pace.amount(0.002) == Catch::Approx(500000).epsilon(0.01));
    for (int i = 0; i < 400; ++i) {
        for (int still = 0; still < 9; ++still) pace.learn(100000, 0);
        pace.learn(100000, 0.001);
    }
    CHECK(pace.amount(0.002) == Catch::Approx(2000000).epsilon(0.01));
    CHECK(pace.amount(0) == 1);
}

TEST_CASE("a view change computes nothing", "[computation]") {
    Evaluator evaluator;
    PlaygroundState state = long_state(60, 4);
    evaluator.update(state);
    const RowsComputed before = evaluator.shown().work.rows_computed();
    const int version = evaluator.version();
    for (const TensorId stage : present_stages(state.inputs)) {
        state.view.stage = stage;
        state.view.head = 2;
        state.view.cell = Cell{1, 2, 0};
        evaluator.begin(state);
        CHECK(evaluator.is_complete());
    }
    CHECK(evaluator.version() == version);
    CHECK(evaluator.shown().work.rows_computed().context == before.context);
}

TEST_CASE("typing on while it is computed keeps nothing of the text before that is wrong", "[computation][property]") {
    Dice dice(31);
    Evaluator evaluator;
    PlaygroundState state = long_state(40, 4);
    for (int n = 0; n < 60; ++n) {
        const int what = whole(dice, 0, 4);
        std::string& text = state.inputs.texts[0];
        if (what == 0) text += concat("word", n, " ");
        if (what == 1) text = text.substr(0, text.size() - std::min<std::size_t>(text.size(), 3));
        if (what == 2) state.inputs.seed = static_cast<std::uint64_t>(whole(dice, 0, 2));
        if (what == 3)
            set_edit(state.inputs.edits, {TensorId::w_value, 0, whole(dice, 0, 5), 1, 0.25F * static_cast<float>(n)});
        if (what == 4) state.inputs.edits.clear();
        clamp_to_legal(state);
        evaluator.begin(state);
        for (int i = whole(dice, 0, 3); i > 0; --i) evaluator.advance(whole(dice, 1, 20000));
        if (whole(dice, 0, 3) != 0) continue;
        evaluator.update(state);
        CAPTURE(n);
        REQUIRE(are_same(evaluator.shown(), evaluate(state.inputs, 0), state.inputs));
    }
}

TEST_CASE("memory that was given up comes back with the next state", "[computation]") {
    FakeClock time;
    Computation computation;
    const PlaygroundState state = long_state(50, 2);
    computation.begin(state);
    computation.work(1e9, time.clock());
    computation.give_up_memory();
    computation.begin(state);
    CHECK_FALSE(computation.is_complete());
    computation.work(1e9, time.clock());
    CHECK(are_same(computation.evaluator().shown(), evaluate(state.inputs, 0), state.inputs));
}

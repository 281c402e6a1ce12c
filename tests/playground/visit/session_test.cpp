// The session: when a link is written, which changes share an entry of the history, and how long notes stay.
#include "playground/visit/session.h"

#include <catch_amalgamated.hpp>

#include "core/ground/check.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/models/small_model.h"
#include "playground/random_states.h"
#include "playground/state/shapes.h"

using namespace attn;

namespace {

// Lets the state rest from `now` on and returns the step that follows, if any.
std::optional<Step> rest(Session& session, double now) {
    session.settle(now);
    return session.take_step(now + kRestSeconds);
}

}  // namespace

TEST_CASE("a fresh session has nothing to remember and nothing to say", "[session]") {
    Session session;
    CHECK_FALSE(session.settle(0));
    CHECK_FALSE(session.seconds_until_step(0).has_value());
    CHECK_FALSE(session.take_step(100).has_value());
    CHECK_FALSE(session.take_step(100, true).has_value());
    CHECK(session.notes().empty());
}

TEST_CASE("a change is written once, after it has rested", "[session]") {
    Session session;
    session.state().inputs.d_in = 16;
    CHECK(session.settle(10));
    REQUIRE(session.seconds_until_step(10.1).has_value());
    // the sum of two doubles near 10: good to 1e-15
    CHECK(*session.seconds_until_step(10.1) == Catch::Approx(0.2).margin(1e-12));
    CHECK_FALSE(session.take_step(10.1).has_value());

    session.state().inputs.d_in = 17;
    CHECK(session.settle(10.2));  // starts the rest anew
    CHECK_FALSE(session.take_step(10.4).has_value());

    const std::optional<Step> step = session.take_step(10.2 + kRestSeconds);
    REQUIRE(step.has_value());
    CHECK(step->is_new);
    CHECK(read_link(step->link).state == session.state());
    CHECK_FALSE(session.take_step(20).has_value());
    CHECK_FALSE(session.seconds_until_step(20).has_value());
}

TEST_CASE("a state that is not touched is not legalized again", "[session]") {
    Session session;
    session.state().inputs.d_in = 16;
    CHECK(session.settle(1));
    CHECK_FALSE(session.settle(2));
}

TEST_CASE("a change that is taken back before it rested is never written", "[session]") {
    Session session;
    session.state().inputs.d_in = 16;
    session.settle(0);
    session.state().inputs.d_in = Inputs{}.d_in;
    session.settle(0.1);
    CHECK_FALSE(session.take_step(1).has_value());
}

TEST_CASE("closing the window right after a change loses nothing", "[session]") {
    Session session;
    session.state().inputs.d_in = 16;
    session.settle(0);
    const std::optional<Step> step = session.take_step(0.01, true);
    REQUIRE(step.has_value());
    CHECK(read_link(step->link).state.inputs.d_in == 16);
}

TEST_CASE("the same single key changed again replaces the step before", "[session]") {
    Session session;
    session.state().inputs.seed = 1;
    CHECK(rest(session, 0)->is_new);
    session.state().inputs.seed = 2;
    CHECK_FALSE(rest(session, 1)->is_new);
    session.state().inputs.seed = 3;
    CHECK_FALSE(rest(session, 2)->is_new);

    session.state().inputs.d_in = 9;  // another key
    CHECK(rest(session, 3)->is_new);
    session.state().inputs.seed = 4;
    CHECK(rest(session, 4)->is_new);
}

TEST_CASE("several keys at once are a new step, and so is what follows", "[session]") {
    Session session;
    session.state().inputs.seed = 1;
    CHECK(rest(session, 0)->is_new);
    session.state().inputs.seed = 2;
    session.state().inputs.d_in = 9;
    CHECK(rest(session, 1)->is_new);
    session.state().inputs.seed = 3;
    CHECK(rest(session, 2)->is_new);
    session.state().inputs.seed = 4;
    CHECK_FALSE(rest(session, 3)->is_new);
}

TEST_CASE("a change that drags another key along is a new step", "[session]") {
    Session session;
    session.state().inputs.d_out = 6;
    CHECK(rest(session, 0)->is_new);
    session.state().inputs.d_out = 7;  // moves heads to 1 as well
    const std::optional<Step> step = rest(session, 1);
    REQUIRE(step.has_value());
    CHECK(session.state().inputs.num_heads != Inputs{}.num_heads);
    CHECK(step->is_new);
}

TEST_CASE("Back restores exactly the former state and writes no link", "[session][property]") {
    Session session;
    session.state().inputs.seed = 1;
    session.state().view.cell = Cell{1, 7, 4};
    const Step first = *rest(session, 0);
    const PlaygroundState former = session.state();

    session.state().inputs.seed = 2;
    session.state().inputs.texts = {"Something else"};
    rest(session, 1);
    session.open_link(first.link);
    CHECK(session.state() == former);
    CHECK_FALSE(session.settle(2));
    CHECK_FALSE(session.take_step(10).has_value());
    CHECK_FALSE(session.take_step(10, true).has_value());
}

TEST_CASE("after Back the next change is a new step even of the key that changed last", "[session]") {
    Session session;
    session.state().inputs.seed = 1;
    const Step first = *rest(session, 0);
    session.state().inputs.seed = 2;
    rest(session, 1);
    session.open_link(first.link);
    session.state().inputs.seed = 3;
    CHECK(rest(session, 2)->is_new);
}

TEST_CASE("a link that arrives while a change waits drops the change", "[session]") {
    Session session;
    session.state().inputs.seed = 1;
    session.settle(0);
    session.open_link("text=One+two");
    CHECK(session.state().inputs.texts.front() == "One two");
    CHECK_FALSE(session.take_step(1, true).has_value());
}

TEST_CASE("notes stay while one looks around, and go with other inputs", "[session]") {
    Session session;
    session.state().inputs.num_heads = 3;  // does not divide 4
    session.settle(0);
    REQUIRE(session.notes().size() == 1);
    const std::string note = session.notes().front();

    session.state().view.stage = TensorId::context;
    session.settle(1);
    CHECK(session.notes() == Notes{note});

    session.state().inputs.d_in = 0;
    session.settle(2);
    REQUIRE(session.notes().size() == 1);
    CHECK(session.notes().front() != note);

    session.state().inputs.seed = 7;
    session.settle(3);
    CHECK(session.notes().empty());
}

TEST_CASE("a note on the view goes when what it speaks of is chosen anew", "[session]") {
    Session session;
    session.settle(0);
    session.state().view.cell = Cell{0, 90, 0};
    session.settle(1);
    REQUIRE(session.notes().size() == 1);
    session.state().view.stage = TensorId::scores;
    session.settle(2);
    CHECK(session.notes().size() == 1);
    session.state().view.cell = Cell{0, 2, 1};
    session.settle(3);
    CHECK(session.notes().empty());
}

TEST_CASE("what a panel refuses in the frame of a change is said", "[session]") {
    Session session;
    session.settle(0);
    session.notes().push_back("old");
    session.settle(1);
    session.notes().push_back("refused");
    session.state().inputs.seed = 7;
    session.settle(2);
    CHECK(session.notes() == Notes{"refused"});
}

TEST_CASE("a pinned cell stays with its words when other matrices come", "[session][model]") {
    const std::shared_ptr<const LoadedModel> small = test::small_model();
    const auto words_of_cell = [](const Session& session) {
        const PlaygroundState& state = session.state();
        const Tokens tokens = tokens_of(state.inputs, 0);
        const auto word = [&](int place) { return tokens.tokens[static_cast<std::size_t>(place)].text; };
        return concat(word(state.view.cell->row), " → ", word(state.view.cell->column));
    };
    const auto choose = [](Session& session, const char* model, double now) {
        session.state().inputs.model = model;
        session.settle(now);
    };
    const char* link = "text=the+paints+portrait&stage=weights&cell=1,2,0";  // the model reads paint ##s
    for (const bool is_open_before : {true, false}) {
        CAPTURE(is_open_before);
        Session session;
        session.open_link(link);
        session.settle(0);
        REQUIRE(words_of_cell(session) == "portrait → the");
        if (!is_open_before) choose(session, "small", 1);
        const test::ModelIsOpen model(small);
        session.look_at_models();
        choose(session, "small", 2);
        CHECK(words_of_cell(session) == "portrait → the");
        choose(session, "", 3);
        CHECK(words_of_cell(session) == "portrait → the");
    }
    // A lesson's step, or whatever else sets the picture too, says its own cell.
    {
        const test::ModelIsOpen model(small);
        Session walked;
        walked.open_link("text=the+paints+portrait&stage=weights&cell=1,2,0");
        walked.settle(0);
        walked.state().inputs.model = "small";
        walked.state().view.view = ViewKind::numbers;
        walked.settle(1);
        CHECK(walked.state().view.cell == Cell{.head = 0, .row = 2, .column = 0});
    }
    // A link counts the tokens of its own model, open or not.
    Session linked;
    linked.open_link("text=the+paints+portrait&model=small&layer=1&stage=weights&cell=1,2,1");
    linked.settle(0);
    const Cell cell = *linked.state().view.cell;
    const test::ModelIsOpen model(small);
    linked.look_at_models();
    linked.settle(1);
    CHECK(linked.state().view.cell == cell);
}

TEST_CASE("a failure is told apart from what was moved or is worth knowing", "[session]") {
    Session session;
    session.open_link("heads=3&d_out=4");
    session.settle(0);
    REQUIRE(session.notes().size() == 1);
    CHECK_FALSE(session.is_failure(session.notes()[0]));
    session.note_failure("the file cannot be read");
    session.note({"kept"});
    session.note_failure("no room");
    CHECK(session.notes() == Notes{"kept", "no room"});
    CHECK(session.is_failure("no room"));
    CHECK_FALSE(session.is_failure("kept"));
    CHECK_FALSE(session.is_failure("the file cannot be read"));
}

TEST_CASE("half a sentence takes nothing away for good, and notes wait for a pause", "[session]") {
    Session session;
    session.open_link("text=free+speech+for+all&target=3>1,1>0&cell=1,3,2&stage=weights");
    session.settle(0);
    const View view = session.state().view;
    const std::vector<TargetCell> targets = session.state().inputs.targets;
    double now = 1;
    for (const char* text : {"a", "a b", "a b c"}) {
        session.type_sentence(text);
        session.settle(now += 0.5);
        CHECK(session.notes().empty());
        CHECK(session.is_typing());
    }
    CHECK(session.state().inputs.targets.size() == 2);  // one a head
    CHECK(session.seconds_until_rest(now).has_value());

    SECTION("a pause says what has no room, and the rest of the sentence takes the words back") {
        CHECK_FALSE(session.settle(now + kTypingPause - 0.01));
        CHECK(session.settle(now + kTypingPause));
        CHECK_FALSE(session.is_typing());
        CHECK(session.notes().size() == 2);
        session.type_sentence("a b c d");
        session.settle(now += 5);
        CHECK(session.notes().empty());
        CHECK(session.state().view == view);
        CHECK(session.state().inputs.targets == targets);
        CHECK(session.settle(now += kTypingPause));
        CHECK(session.notes().empty());
    }
    SECTION("the whole sentence brings all of it back") {
        session.type_sentence("a b c d");
        session.settle(now += 0.1);
        CHECK(session.state().view == view);
        CHECK(session.state().inputs.targets == targets);
    }
    SECTION("undo brings all of it back") {
        while (session.undo()) continue;
        session.settle(now += 0.1);
        CHECK(session.state().view == view);
        CHECK(session.state().inputs.targets == targets);
    }
    SECTION("another change ends the typing, and says what waits") {
        session.state().view.head = 0;
        session.settle(now += 0.1);
        CHECK(session.notes().size() == 2);
        session.type_sentence("a b c d");
        session.settle(now += 0.1);
        CHECK(session.state().inputs.targets.size() == 2);  // one a head
    }
    SECTION("a field that writes into the state is the same road") {
        session.state().inputs.texts[0] = "a b c d e";
        session.settle(now += 0.1);
        CHECK(session.state().view == view);
        CHECK(session.state().inputs.targets == targets);
        session.state().inputs.texts[0] = "a";
        session.settle(now += 0.1);
        CHECK(session.notes().empty());
    }
    SECTION("a note that still holds stays where it is") {
        session.settle(now += kTypingPause);
        const Notes before = session.notes();
        session.type_sentence("a b d");
        session.settle(now += 0.1);
        CHECK(session.notes() == before);
    }
}

TEST_CASE("a link replaces the notes by its own", "[session]") {
    Session session;
    session.open_link("heads=3&d_out=4");
    CHECK_FALSE(session.notes().empty());
    session.open_link("heads=2&d_out=4");
    CHECK(session.notes().empty());
}

TEST_CASE("a change that is moved back to what it was still says why", "[session]") {
    Session session;
    session.state().inputs.d_in = 1;
    rest(session, 0);
    session.state().inputs.d_in = 0;
    CHECK(session.settle(1));  // 0 becomes 1 again, but the note is to be drawn
    CHECK(session.notes().size() == 1);
    CHECK_FALSE(session.take_step(2).has_value());
}

TEST_CASE("a typed sentence replaces the shown sentence of the batch only", "[session]") {
    Session session;
    session.open_link("text=One&text=Two&text=Three&sentence=2");
    session.type_sentence("Zwei");
    CHECK(session.state().inputs.texts == std::vector<std::string>{"One", "Zwei", "Three"});
    CHECK(session.settle(0));
    CHECK(read_link(session.take_step(1)->link).state == session.state());
}

TEST_CASE("typed bytes that are not text become U+FFFD, with a note, and the state stays legal",
          "[session][bad-input]") {
    Session session;
    session.type_sentence("a \xff b");
    CHECK(session.state().inputs.texts.front() == "a \xEF\xBF\xBD b");
    session.settle(0);
    session.settle(kTypingPause);
    CHECK_FALSE(session.notes().empty());
    PlaygroundState copy = session.state();
    CHECK(clamp_to_legal(copy).empty());
}

TEST_CASE("any bytes as a link leave a legal session", "[session][bad-input]") {
    Session session;
    session.open_link(std::string("heads=\0&&=%%%zz\xfe", 17));
    PlaygroundState copy = session.state();
    CHECK(clamp_to_legal(copy).empty());
    CHECK_FALSE(session.settle(0));
}

namespace {

// Changes something, lets it rest, and has the next frame come.
template <class Change>
void change_and_rest(Session& session, double& now, Change change) {
    change(session.state());
    session.settle(now += 1);
    session.settle(now += 1);
}

}  // namespace

TEST_CASE("undo and redo bring back sentence, settings and numbers", "[session][undo]") {
    Session session;
    double now = 0;
    session.settle(now);
    const Inputs start = session.state().inputs;
    CHECK_FALSE(session.can_undo());
    change_and_rest(session, now, [](auto& state) { state.inputs.texts[0] = "free speech"; });
    change_and_rest(session, now, [](auto& state) { state.inputs.num_heads = 4; });
    change_and_rest(session, now, [](auto& state) {
        state.inputs.edits.push_back({.tensor = TensorId::w_key, .sentence = 0, .row = 1, .column = 2, .value = 0.1F});
    });
    const Inputs end = session.state().inputs;

    REQUIRE(session.undo());
    CHECK(session.state().inputs.edits.empty());
    REQUIRE(session.undo());
    CHECK(session.state().inputs.num_heads == start.num_heads);
    session.settle(now += 1);  // a frame in between makes no step of its own
    session.settle(now += 1);
    REQUIRE(session.can_undo());
    REQUIRE(session.undo());
    CHECK(session.state().inputs == start);
    CHECK_FALSE(session.can_undo());
    CHECK_FALSE(session.undo());
    CHECK(session.state().inputs == start);

    session.settle(now += 1);
    int num_redone = 0;
    while (session.redo()) ++num_redone;
    CHECK(num_redone == 3);
    CHECK(session.state().inputs == end);
    CHECK_FALSE(session.can_redo());
}

TEST_CASE("an undo is settled like any change, and remembered by a link", "[session][undo]") {
    Session session;
    double now = 0;
    session.settle(now);
    change_and_rest(session, now, [](auto& state) { state.inputs.seed = 7; });
    session.take_step(now);
    session.undo();
    CHECK(session.settle(now += 1));
    const std::optional<Step> step = session.take_step(now + kRestSeconds);
    REQUIRE(step);
    CHECK(read_link(step->link).state.inputs == Inputs());
}

TEST_CASE("a run of typing that does not rest is one step", "[session][undo]") {
    Session session;
    double now = 0;
    session.settle(now);
    const std::string before = session.state().inputs.texts[0];
    for (const char* text : {"a", "a c", "a ca", "a cat"}) {
        session.type_sentence(text);
        session.settle(now += kRestSeconds / 2);
    }
    REQUIRE(session.undo());
    CHECK(session.state().inputs.texts[0] == before);
    session.redo();
    CHECK(session.state().inputs.texts[0] == "a cat");
}

TEST_CASE("what goes on changing is one step, however far apart its frames are", "[session][undo]") {
    Session session;
    session.settle(0);
    session.state().inputs.goal = GoalKind::pattern;
    session.settle(1);
    session.take_step(2);
    session.settle(2);
    for (int steps = 1; steps <= 5; ++steps) {
        session.state().inputs.steps = steps;
        session.go_on_changing();
        session.settle(10 + steps);  // a second apart, longer than a rest
        CHECK_FALSE(session.take_step(10 + steps));
    }
    session.settle(15.1);  // nobody goes on
    CHECK_FALSE(session.take_step(15.1));
    session.settle(15 + kRestSeconds);
    CHECK(session.take_step(15 + kRestSeconds));
    CHECK(session.undo());
    CHECK(session.state().inputs.steps == 0);
    CHECK(session.state().inputs.goal == GoalKind::pattern);
    CHECK(session.undo());
    CHECK(session.state().inputs.goal == GoalKind::none);
}

TEST_CASE("closing the window while something goes on changing loses nothing", "[session]") {
    Session session;
    session.settle(0);
    session.state().inputs.goal = GoalKind::pattern;
    session.state().inputs.steps = 7;
    session.go_on_changing();
    session.settle(1);
    const std::optional<Step> step = session.take_step(1, true);
    REQUIRE(step);
    CHECK(read_link(step->link).state.inputs.steps == 7);
}

TEST_CASE("a rest without a frame still separates two steps", "[session][undo]") {
    Session session;
    session.settle(0);
    session.state().inputs.seed = 1;
    session.settle(1);
    session.state().inputs.seed = 2;
    session.settle(2);  // the first one rested in between
    session.undo();
    CHECK(session.state().inputs.seed == 1);
}

TEST_CASE("looking around is no step, and stays through an undo", "[session][undo]") {
    Session session;
    double now = 0;
    session.settle(now);
    change_and_rest(session, now, [](auto& state) { state.inputs.seed = 5; });
    change_and_rest(session, now, [](auto& state) { state.view.stage = TensorId::context; });
    change_and_rest(session, now, [](auto& state) { state.view.head = 1; });
    REQUIRE(session.undo());
    CHECK(session.state().inputs.seed == Inputs().seed);
    CHECK(session.state().view.stage == TensorId::context);
    CHECK(session.state().view.head == 1);
    CHECK_FALSE(session.can_undo());
}

TEST_CASE("after an undo the view is legal for the other inputs", "[session][undo]") {
    Session session;
    double now = 0;
    session.settle(now);
    change_and_rest(session, now, [](auto& state) { state.inputs.dropout = 0.5; });
    change_and_rest(session, now, [](auto& state) { state.view.stage = TensorId::dropped_weights; });
    session.undo();
    PlaygroundState legal = session.state();
    CHECK(clamp_to_legal(legal).empty());
    CHECK(legal == session.state());
    CHECK(session.state().view.stage != TensorId::dropped_weights);
}

TEST_CASE("a link that is opened can be undone, except the one the visit begins with", "[session][undo]") {
    Session session;
    double now = 0;
    session.open_link("heads=4&d_out=8");
    session.settle(now);
    CHECK_FALSE(session.can_undo());
    session.state().inputs.seed = 9;
    session.settle(now += 0.01);
    session.open_link("text=free+speech");  // before the seed rested
    session.settle(now += 1);
    CHECK(session.state().inputs.seed == Inputs().seed);
    session.undo();
    CHECK(session.state().inputs.seed == 9);
    CHECK(session.state().inputs.num_heads == 4);
    session.undo();
    CHECK(session.state().inputs.seed == Inputs().seed);
    CHECK_FALSE(session.can_undo());
    session.redo();
    session.redo();
    CHECK(session.state().inputs.texts[0] == "free speech");
}

TEST_CASE("after a random walk of inputs, undoing all leads to the start and redoing all to the end",
          "[session][undo][property]") {
    test::Dice dice(11);
    for (int walk = 0; walk < 8; ++walk) {
        Session session;
        double now = 0;
        session.settle(now);
        std::vector<Inputs> way = {session.state().inputs};
        for (int step = 0; step < 12; ++step) {
            session.state() = test::random_state(dice);
            session.settle(now += 1);
            if (session.state().inputs != way.back()) way.push_back(session.state().inputs);
        }
        for (std::size_t i = way.size(); i-- > 0;) {
            REQUIRE(session.state().inputs == way[i]);
            if (dice.coin()) session.settle(now += 1);
            REQUIRE(session.undo() == (i > 0));
        }
        for (std::size_t i = 0; i < way.size(); ++i) {
            REQUIRE(session.state().inputs == way[i]);
            REQUIRE(session.redo() == (i + 1 < way.size()));
        }
    }
}

TEST_CASE("a million undos are no more than there is to undo", "[session][undo][bad-input]") {
    Session session;
    double now = 0;
    session.settle(now);
    change_and_rest(session, now, [](auto& state) { state.inputs.seed = 5; });
    for (int i = 0; i < 1000000; ++i) session.undo();
    CHECK(session.state().inputs == Inputs());
    for (int i = 0; i < 1000000; ++i) session.redo();
    CHECK(session.state().inputs.seed == 5);
}

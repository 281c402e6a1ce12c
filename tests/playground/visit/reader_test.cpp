// Who reads what is typed into the opening scene.
#include "playground/visit/reader.h"

#include <catch_amalgamated.hpp>

#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/models/small_model.h"
#include "playground/state/origin.h"
#include "playground/visit/session.h"

using namespace attn;

namespace {

using test::OwnModelIsClosed;

Session at_the_door() {
    Session session;
    session.open_link("view=door");
    session.settle(0);
    return session;
}

void type(Session& session, std::string_view text, double now) {
    session.type_sentence(text);
    session.settle(now);
}

}  // namespace

TEST_CASE("the project's own models are open in these tests", "[reader]") {
    for (const OwnModel& own : kOwnModels) REQUIRE(find_open_model(own.name));
}

TEST_CASE("once own-words is open it reads every typed sentence", "[reader]") {
    Session session = at_the_door();
    CHECK(session.state().inputs.model == kFirstWords.name);
    double now = 0;
    for (const char* text : {"my zebra sleeps", "the cat near the dogs", "日本 🙂", "the dogs near the zeb"}) {
        INFO(text);
        type(session, text, ++now);
        CHECK(session.state().inputs.model == kOwnWords.name);
        CHECK(session.state().inputs.layer == kOwnWords.layer);
        CHECK(session.state().inputs.texts[0] == text);
    }
}

TEST_CASE("a sentence that random heads read is read by own-words as soon as it is there", "[reader]") {
    Session session = at_the_door();
    {
        const OwnModelIsClosed closed(kOwnWords);
        type(session, "my zebra sleeps", 1);
        session.settle(3);
        CHECK(session.state().inputs.model.empty());
        CHECK(session.take_step(4));
    }
    session.look_at_models();
    session.settle(5);
    CHECK(session.state().inputs.model == kOwnWords.name);
    CHECK(session.state().inputs.texts[0] == "my zebra sleeps");
    const std::optional<Step> step = session.take_step(7);
    REQUIRE(step);
    CHECK(step->link.find("model=own-words") != std::string::npos);
    CHECK(session.notes() == Notes{});
}

TEST_CASE("random heads that somebody chose stay when own-words comes", "[reader]") {
    Session session;
    const char* link = "view=door&model=&text=my+zebra";
    {
        const OwnModelIsClosed closed(kOwnWords);
        session.open_link(link);
        session.settle(0);
    }
    session.look_at_models();
    session.settle(1);
    CHECK(session.state().inputs.model.empty());
}

TEST_CASE("what was asked of own-words in vain is read by others with the next letter", "[reader]") {
    const OwnModelIsClosed closed(kOwnWords);
    Session session;
    session.open_link("view=door&model=own-words&text=my+zebra");
    session.settle(0);
    type(session, "my zebras", 1);
    session.settle(3);
    CHECK(session.state().inputs.model.empty());
    type(session, "the dogs", 4);
    CHECK(session.state().inputs.model == kFirstWords.name);
}

TEST_CASE("words that the model knows are read by it, others by random heads", "[reader]") {
    const OwnModelIsClosed closed(kOwnWords);
    Session session = at_the_door();
    CHECK(session.state().inputs.model == kFirstWords.name);
    type(session, "the cat near the dogs", 1);
    CHECK(session.state().inputs.model == kFirstWords.name);
    type(session, "the zebra near the dogs", 2);
    CHECK(session.state().inputs.model.empty());
    CHECK(session.state().inputs.texts[0] == "the zebra near the dogs");
    type(session, "the dog near the dogs", 3);
    CHECK(session.state().inputs.model == kFirstWords.name);
}

TEST_CASE("a word that is still being typed changes nothing until the typing pauses", "[reader]") {
    const OwnModelIsClosed closed(kOwnWords);
    Session session = at_the_door();
    type(session, "the dogs near the zeb", 1);
    CHECK(session.state().inputs.model == kFirstWords.name);
    session.settle(1 + 2 * kTypingPause);
    CHECK(session.state().inputs.model.empty());
    type(session, "the dogs near the cat", 5);
    CHECK(session.state().inputs.model == kFirstWords.name);
}

TEST_CASE("who has the model read unknown words keeps it", "[reader]") {
    const OwnModelIsClosed closed(kOwnWords);
    Session session = at_the_door();
    type(session, "the zebra near the dogs", 1);
    session.settle(3);
    make_trained(session.state().inputs);
    session.settle(4);
    CHECK(session.state().inputs.model == kFirstWords.name);
    type(session, "the zebra near the dog", 5);
    CHECK(session.state().inputs.model == kFirstWords.name);
}

TEST_CASE("a typed sentence starts with all heads on and lets the chosen ones go", "[reader]") {
    Session session = at_the_door();
    session.state().inputs.off = {{1, 3}};
    session.state().view.head = 2;
    session.settle(1);
    type(session, "the cat near the dogs", 2);
    CHECK(session.state().inputs.off.empty());
    CHECK_FALSE(session.state().view.head);
}

TEST_CASE("elsewhere nobody chooses who reads", "[reader]") {
    Session session;
    session.open_link("text=the+dogs&model=first-words");
    session.settle(0);
    type(session, "the zebra", 1);
    CHECK(session.state().inputs.model == kFirstWords.name);
}

TEST_CASE("a page that locks the model keeps it", "[reader]") {
    Session session;
    session.open_link("view=door&lock=model");
    session.settle(0);
    type(session, "the zebra near", 1);
    CHECK(session.state().inputs.model == kFirstWords.name);
}

TEST_CASE("the logo leads to the scene, with what was typed", "[reader]") {
    const OwnModelIsClosed closed(kOwnWords);
    PlaygroundState fresh;
    open_door(fresh);
    CHECK(fresh == door_state());
    PlaygroundState typed = read_link("text=the+cat+near+the+dogs&heads=4&d_out=8&theme=dark&hide=share").state;
    open_door(typed);
    CHECK(typed.inputs.texts[0] == "the cat near the dogs");
    CHECK(typed.inputs.model == kFirstWords.name);
    CHECK(typed.view.theme == Theme::dark);
    CHECK(typed.view.hide.contains("share"));
    PlaygroundState own = read_link("text=my+zebra&heads=4&d_out=8").state;
    open_door(own);
    CHECK(own.inputs.texts[0] == "my zebra");
    CHECK(own.inputs.model.empty());
    CHECK(own.inputs.num_heads == 4);
    PlaygroundState lesson = read_link("lesson=causal&step=3").state;
    open_door(lesson);
    CHECK(lesson == door_state());
    PlaygroundState locked = read_link("text=my+zebra&lock=view").state;
    open_door(locked);
    CHECK(locked.view.view == ViewKind::matrix);
}

TEST_CASE("a link says the scene in one key, and any other state of it with what differs", "[reader][link]") {
    PlaygroundState state = door_state();
    clamp_to_legal(state);  // with what the open model decides
    CHECK(read_link("view=door").state == state);
    CHECK(write_link(state) == "v=1&view=door");
    make_random(state.inputs);
    state.inputs.texts = {"my zebra"};
    CHECK(read_link(write_link(state)).state == state);
    state.inputs.off = {};
    state.view.view = ViewKind::matrix;
    CHECK(read_link(write_link(state)).state == state);
}

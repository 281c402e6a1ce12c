// view=door: what its numbers say of the project's own model, how a sentence is shown whole, and what is behind the
// doors.
#include <catch_amalgamated.hpp>

#include "core/ground/check.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/state/origin.h"
#include "views/door/door_scene.h"
#include "views/door/door_text.h"
#include "views/door/doors.h"
#include "views/door/shown_door.h"

using namespace attn;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Scene {
    explicit Scene(PlaygroundState wanted) : state(std::move(wanted)) {
        clamp_to_legal(state);
        evaluator.update(state);
        door = compute_door(state, evaluator.shown());
    }
    explicit Scene(std::string_view link) : Scene(read_link(link).state) {}
    const DoorDrawing& drawing() const { return door.drawing; }
    PlaygroundState state;
    Evaluator evaluator;
    ComputedDoor door;
};

std::string looks_at(const DoorDrawing& drawing) {
    return drawing.tokens[static_cast<std::size_t>(drawing.arcs.at(0).key)];
}

}  // namespace

TEST_CASE("the opening scene: the head that finds the subject decides the verb", "[door][golden]") {
    // The heads and words are those that the authors found with the model's files in PyTorch.
    const Scene scene("view=door");
    REQUIRE(scene.drawing().reader == DoorReader::model);
    CHECK(scene.drawing().layer == 1);
    CHECK(scene.drawing().heads == std::vector{3});
    CHECK(looks_at(scene.drawing()) == "dogs");
    CHECK(scene.drawing().arcs[0].weight > 0.98);
    CHECK(scene.drawing().deciding->decides());
    CHECK_THAT(drawing_in_words(scene.drawing(), scene.state.inputs.model),
               ContainsSubstring("Head 4 of layer 2 looks back from “cat” to “dogs”."));
}

TEST_CASE("every sentence to start from shows an effect by the rule of the scene", "[door]") {
    for (const DoorStart& start : door_starts()) {
        INFO(start.text);
        PlaygroundState state = door_state();
        start_with(state, start.text);
        const Scene scene(state);
        REQUIRE(scene.drawing().deciding);
        CHECK(scene.drawing().deciding->decides());
        CHECK(scene.drawing().heads.size() == 1);
        for (const DoorPiece& piece : scene.drawing().pieces) CHECK(piece.kind != DoorPiece::Kind::unknown);
    }
}

TEST_CASE("the press switches off what is in use, says what was lost, and the next one takes it back", "[door]") {
    Scene scene("view=door");
    PlaygroundState off = scene.state;
    switch_heads_in_use(off, scene.drawing());
    CHECK(off.inputs.off == std::vector{HeadOff{1, 3}});
    const Scene without(off);
    CHECK(without.drawing().heads == std::vector{3});
    CHECK(without.drawing().are_off());
    CHECK(without.drawing().model->word == scene.drawing().model->word);  // still the word that it decided
    const Ablations& ablations = *without.drawing().model->picture.ablations;
    CHECK(ablations.without(1, 3) == without.drawing().model->picture.probabilities);
    CHECK_THAT(door_effect(without.drawing()), ContainsSubstring("falls from"));
    CHECK(switch_label(without.drawing()) == "Switch it on again");
    switch_heads_in_use(off, without.drawing());
    CHECK(off == scene.state);
}

TEST_CASE("each piece of a sentence is there, known or not", "[door]") {
    const std::string text = "the cats, they zoom near the dog!";
    const Scene scene(concat("view=door&text=", "the+cats,+they+zoom+near+the+dog!"));
    std::string shown;
    int num_unknown = 0;
    for (const DoorPiece& piece : scene.drawing().pieces) {
        if (piece.kind == DoorPiece::Kind::added) continue;
        if (piece.has_gap && !shown.empty()) shown += ' ';
        shown += piece.text;
        num_unknown += piece.kind == DoorPiece::Kind::unknown ? 1 : 0;
    }
    CHECK_THAT(shown, ContainsSubstring("zoom"));
    CHECK(num_unknown > 0);
    CHECK(shown.size() >= text.size() - 2);
}

TEST_CASE("random heads are said to be random, and nothing is said of a next word", "[door]") {
    const Scene scene("view=door&model=&text=The+zebra+sleeps");
    CHECK(scene.drawing().reader == DoorReader::random);
    CHECK(door_subtitle(scene.drawing(), "") == "These heads are random: they have learned nothing.");
    CHECK_FALSE(scene.drawing().model);
    CHECK(door_effect(scene.drawing()).empty());
    CHECK(scene.drawing().maps.size() == 8);
    CHECK(tables_of_drawing(scene.drawing()).size() == 1);
}

TEST_CASE("no number stands there while the model is not open", "[door]") {
    const Scene scene("view=door&model=none-such");
    CHECK(scene.drawing().reader == DoorReader::none);
    CHECK(scene.drawing().arcs.empty());
    CHECK(scene.drawing().maps.empty());
    CHECK(scene.drawing().pieces.size() == 5);
    CHECK(tables_of_drawing(scene.drawing()).empty());
}

TEST_CASE("behind each door is what it says", "[door]") {
    const Scene scene("view=door");
    for (const Door& door : doors()) {
        INFO(door.name);
        PlaygroundState state = scene.state;
        state.view.theme = Theme::dark;
        go_through(state, door.name, scene.drawing());
        CHECK(clamp_to_legal(state).empty());
        CHECK(state.view.view != ViewKind::door);
        CHECK(state.view.theme == Theme::dark);
        CHECK(read_link(write_link(state)).state == state);  // each is a link
    }
    PlaygroundState numbers = scene.state;
    go_through(numbers, "numbers", scene.drawing());
    CHECK(numbers.view.cell == Cell{.head = 3, .row = 5, .column = 2});
    CHECK(numbers.view.head == 3);
    PlaygroundState taught = scene.state;
    go_through(taught, "teach", scene.drawing());
    CHECK(taught.inputs.goal == GoalKind::pattern);
    CHECK(taught.inputs.model.empty());
}

TEST_CASE("the scene's picture stands within its width, and a long sentence takes more lines", "[door]") {
    const double width = GENERATE(300.0, 620.0, 860.0);
    const std::string text = GENERATE(as<std::string>(), "the+dogs+near+the+cat",
                                      "k+f+p+q+t+w+k+f+p+q+k+f+p+q+t+w+k+f+p+q+k+f+p+q+t+w+k+f+p+q+t");
    const double height = GENERATE(400.0, 1400.0);
    CAPTURE(width, height, text);
    const Scene scene(concat("view=door&text=", text));
    const FigureBlock block = door_sentence_scene(SceneStyle{}, scene.drawing(), sentence_room(width, height));
    CHECK(block.width <= width);
    CHECK(block.height > 40);
    for (const FigureElement& element : block.elements) {
        const auto* word = std::get_if<FigureText>(&element);
        if (word == nullptr) continue;
        CHECK(word->at.x > 0);
        CHECK(word->at.x < width);
        CHECK(word->at.y > 0);
        CHECK(word->at.y <= block.height);
    }
    const FigureBlock heads = door_heads_scene(SceneStyle{}, scene.drawing(), width / 2);
    CHECK(heads.places.size() == 8);
    for (const ScenePlace& place : heads.places) CHECK(place.box.right <= width / 2);
}

TEST_CASE("the words of the first sentence stand where they will once the model is open", "[door]") {
    const Scene scene("view=door&text=the+dogs+near+the+cat");
    DoorDrawing before = scene.drawing();
    before.reader = DoorReader::none;
    before.pieces.erase(before.pieces.begin());
    before.model = nullptr;
    before.arcs.clear();
    const SceneStyle style;
    for (const double width : {300.0, 620.0, 1000.0}) {
        CAPTURE(width);
        const SetSentence now = set_sentence(*style.ruler, before, sentence_room(width, 800));
        const SetSentence then = set_sentence(*style.ruler, scene.drawing(), sentence_room(width, 800));
        REQUIRE(now.words.size() == then.words.size());
        CHECK(now.words.front().is_room);
        CHECK(now.words.back().is_room);
        CHECK(now.height == then.height);
        for (std::size_t k = 0; k < now.words.size(); ++k) {
            CAPTURE(then.words[k].text);
            CHECK_FALSE(then.words[k].is_room);
            CHECK(now.words[k].text == then.words[k].text);
            CHECK(now.words[k].box.left == then.words[k].box.left);
            CHECK(now.words[k].box.top == then.words[k].box.top);
        }
    }
}

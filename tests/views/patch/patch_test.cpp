// view=patch in numbers and words: effects that subtract as they are printed, tables, files, the figure, what a press
// opens, and two texts that do not go together.
#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "playground/link/legal.h"
#include "playground/link/other_link.h"
#include "playground/link/patch_keys.h"
#include "playground/link/state_url.h"
#include "playground/models/small_model.h"
#include "scene/pens/figure_svg.h"
#include "views/figures.h"
#include "views/model/vote_column.h"
#include "views/patch/patch_picture.h"
#include "views/words/announcement.h"
#include "views/words/view_text.h"

namespace attn::test {
namespace {

constexpr const char* kTwoTexts =
    "text=the+artist+painted+the+portrait&model=small&view=patch&compare=text%3Dthe%2Bwoman%2Bpainted%26model%3Dsmall";

ReadLink read_patching(std::string_view more = "") {
    return read_link(concat(kTwoTexts, more));
}

// The effects of a state's patches, computed to their end.
struct WholePatching {
    explicit WholePatching(const PlaygroundState& shown) : state(shown) {
        std::string problem;
        std::optional<PatchTexts> found = patch_texts(state, problem);
        REQUIRE(found);
        texts.emplace(std::move(*found));
        work = begin_patches(state.view, *texts);
        while (!work->advance(1'000'000'000)) continue;
        if (!texts->patched) return;
        patched.emplace(texts->patched->run, work->row());
        while (!patched->advance(1'000'000'000)) continue;
    }
    PatchDrawing drawing() const {
        PatchDrawing drawing = patch_drawing(*work, *texts, state.inputs);
        if (patched) drawing.patched = &*patched;
        return drawing;
    }
    PlaygroundState state;
    std::optional<PatchTexts> texts;
    std::unique_ptr<PatchEffects> work;
    std::optional<NextOfRow> patched;
};

std::string problem_of_patching(const std::string& link) {
    std::string problem;
    CHECK_FALSE(patch_texts(read_link(link).state, problem));
    return problem;
}

}  // namespace

TEST_CASE("a patch is in the link, and comes back from it", "[patch-view][link]") {
    const ModelIsOpen model(small_model());
    const ReadLink read = read_patching("&patch=weights.1:2@3,stream.2@1,mlp.1@2,2:1@*&word=artist&against=woman");
    CHECK(read.notes.empty());
    CHECK(write_patches(read.state.inputs.patches) == "stream.2@1,mlp.1@2,2:1@*,weights.1:2@3");
    REQUIRE(read.state.inputs.patched_from);
    CHECK(read.state.inputs.patched_from->text == "the woman painted");
    CHECK(read_link(write_link(read.state)).state == read.state);
    // B has none, and keeps none.
    CHECK(link_as_other(read.state).find("patch") == std::string::npos);
    PlaygroundState without = read.state;
    without.view.compare.clear();
    const Notes notes = clamp_to_legal(without);
    REQUIRE(notes.size() == 1);
    CHECK(notes.front().find("which this link does not have") != std::string::npos);
    CHECK(without.inputs.patches.empty());
    CHECK_FALSE(without.inputs.patched_from);
}

TEST_CASE("patches that are not there are left out, with a note that says why", "[patch-view][bad-input]") {
    const ModelIsOpen model(small_model());
    const auto note_of = [](std::string_view more) {
        const ReadLink read = read_patching(more);
        CHECK(read.state.inputs.patches.empty());
        REQUIRE(read.notes.size() == 1);
        return read.notes.front();
    };
    CHECK(note_of("&patch=stream.9@1") ==
          "patch: stream.9@1 left out; the model \"small\" has 2 layers of 3 heads, the two texts have 5 and 3 tokens");
    CHECK(note_of("&patch=1:7@1").starts_with("patch: 1:7@1 left out"));
    CHECK(note_of("&patch=mlp.1@4").starts_with("patch: mlp.1@4 left out"));  // B is shorter
    CHECK(note_of("&patch=stream.0@1,brook.1@1,stream.1,1:0@1,@@").starts_with("patch: \"stream.0@1\""));
    const auto notes_of = [](const std::string& link) { return read_link(link).notes; };
    CHECK(notes_of("text=a+b&patch=stream.1@1").front() == "patch left out: numbers are patched in a model");
    CHECK(notes_of("text=a+b&model=small&patch=stream.1@1&compare=text%3Dthe")
              .front()
              .find("another model, or by none") != std::string::npos);
}

TEST_CASE("texts that do not go together get a sentence", "[patch-view][bad-input]") {
    CHECK(problem_of_patching("text=a+b").find("no model is open") != std::string::npos);
    const ModelIsOpen model(small_model());
    CHECK(problem_of_patching("text=the+artist&model=small") == kNoOtherText);
    CHECK(problem_of_patching("text=the+artist&model=small&compare=text%3D%26model%3Dsmall").find("no tokens") !=
          std::string::npos);
    CHECK(problem_of_patching("text=the+artist&model=small&compare=text%3Dthe").find("no model reads it") !=
          std::string::npos);
    const PlaygroundState state = read_link("text=the+artist&model=small&view=patch").state;
    CHECK(announcement_of_patch(state) == kNoOtherText);
    CHECK(tables_of_patch(state, Evaluator()).front().title == kNoOtherText);
    CHECK(csv_of_patch(state).error() == kNoOtherText);
}

TEST_CASE("the run with a patch is what its cell says, in models of every kind", "[patch-view][property]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const ModelIsOpen model(small_model("small", checkpoint));
        if (!model->model().weights.unembedding.is_there()) continue;
        const WholePatching plain(read_patching().state);
        const auto check = [&](const Patch& patch, const PatchedChoice* choice) {
            PlaygroundState state = plain.state;
            press_patch(state.inputs, patch);
            CHECK(clamp_to_legal(state).empty());
            const WholePatching patched(state);
            REQUIRE(choice != nullptr);
            CHECK(patched.drawing().patched_choice() == *choice);
            CHECK(patched.work->both()->here == plain.work->both()->here);  // the map is of the texts as they are
            // As printed, the effect is the difference of the two choices.
            CHECK(effect_in_words(patched.drawing(), choice) ==
                  shown_thousandths(
                      thousandths_of(*patched.drawing().patched_choice()) - thousandths_of(patched.work->both()->here),
                      true));
            press_patch(state.inputs, patch);
            CHECK(state.inputs.patches.empty());
        };
        for (const int layer : {0, 1}) {
            for (int position = 0; position < plain.work->num_in_both(); ++position)
                check(stream_patch(layer, position), plain.work->of_stream(layer, position));
            check(head_patch(layer, 1), plain.work->of_head(layer, 1));
        }
    }
}

TEST_CASE("a patched number is shown where it stands, and explained", "[patch-view][explain]") {
    const ModelIsOpen model(small_model());
    PlaygroundState state = read_patching("&patch=stream.2@2").state;
    std::string problem;
    open_patched(state, *patch_texts(state, problem));
    CHECK(state.view.view == ViewKind::matrix);
    CHECK(state.view.stage == TensorId::before);
    CHECK(state.inputs.layer == 1);
    CHECK(state.view.cell->row == 1);
    CHECK(clamp_to_legal(state).empty());
    CHECK(write_link(state).find("patch=stream.2@2") != std::string::npos);
    PlaygroundState of_head = read_patching("&patch=1:2@*").state;
    open_patched(of_head, *patch_texts(of_head, problem));
    CHECK(of_head.view.stage == TensorId::attention_added);
    CHECK(clamp_to_legal(of_head).empty());
}

TEST_CASE("tables, files and the figure of the patches hold the same numbers", "[patch-view]") {
    const ModelIsOpen model(small_model());
    const PlaygroundState state = read_patching("&word=artist&against=woman&patch=2:1@*").state;
    const WholePatching whole(state);
    const PatchDrawing drawing = whole.drawing();
    const std::vector<TextTable> tables = tables_of_patch(state, Evaluator());
    const auto table = [&](std::string_view beginning) {
        return *std::ranges::find_if(tables, [&](const TextTable& one) { return one.title.starts_with(beginning); });
    };
    CHECK(table("Patched: ").title == "Patched: head 1 of layer 2 at every token.");
    CHECK(table("The choice: logit of “artist” − logit of “woman”").rows.size() == 3);
    CHECK(table("Positions by layers").rows.size() == 3);
    CHECK(table("Heads by layers").rows.size() == 3);
    CHECK(table("Heads by layers").rows[0][2] == effect_in_words(drawing, whole.work->of_head(1, 0)));

    const std::string csv = *csv_of_patch(state);
    CHECK(std::ranges::count(csv, '\n') == 1 + 2 + 2 * 3 + 2 * 3);
    CHECK(csv.find("\nstream,2,,3,painted,") != std::string::npos);
    const nlohmann::json json = nlohmann::json::parse(patch_json(drawing, {"a note"}));
    CHECK(json["effects"].size() == 12);
    CHECK(json["word"] == "artist");
    CHECK(json["effects"][11]["head"] == 3);
    CHECK(json["effects"][11]["effect"].get<float>() ==
          whole.work->of_head(1, 2)->difference() - whole.work->both()->here.difference());
    CHECK(json["there"]["share"] == 1);

    CHECK(patch_announcement(drawing).find("Of the heads, ") != std::string::npos);
    const FigureBlock sheet = patch_sheet({}, drawing, 860);
    CHECK(std::ranges::count_if(sheet.places,
                                [](const ScenePlace& place) { return place.name.starts_with("stream="); }) == 6);
    // A narrow map goes on below, with all its cells.
    const FigureBlock narrow = patch_heads_scene({}, drawing, 130);
    CHECK(narrow.places.size() == 6);
    for (const ScenePlace& place : narrow.places) CHECK(place.box.right <= 130);
}

TEST_CASE("of a long text the tokens around the one that is looked at have a column, and that is said",
          "[patch-view]") {
    const ModelIsOpen model(small_model());
    const WholePatching whole(read_patching().state);
    const auto says = [](const PatchDrawing& drawing) {
        return std::ranges::any_of(patching_in_words(drawing), [](const std::string& sentence) {
            return sentence.find("have a column") != std::string::npos;
        });
    };
    CHECK_FALSE(says(whole.drawing()));
    const PatchTexts& texts = *whole.texts;
    PatchEffects some(texts.here.run, texts.there.run, 4, {}, {}, 3, 2);
    while (!some.advance(1'000'000'000)) continue;
    CHECK(says(patch_drawing(some, texts, whole.state.inputs)));
    CHECK(
        patch_streams_scene({}, patch_drawing(some, texts, whole.state.inputs), 860).places.empty());  // B has 3 tokens
}

TEST_CASE("a model whose numbers are none has no choice, and says so", "[patch-view][bad-input]") {
    const ModelIsOpen model(small_model());
    const WholePatching same(read_patching("&word=woman&against=woman").state);
    CHECK(same.work->has_no_choice());
    CHECK(patch_announcement(same.drawing()) == "Patching: there is no choice between two words.");
    CHECK(patch_csv(same.drawing()) == "part,layer,head,position,token,word,against,difference,effect,share\n");
    CHECK(nlohmann::json::parse(patch_json(same.drawing(), {}))["word"].is_null());
    CHECK(patch_sheet({}, same.drawing(), 860).places.empty());
}

}  // namespace attn::test

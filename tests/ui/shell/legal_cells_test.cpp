// Cells are drawn, explained, checked and compared only while the numbers have them: whatever changes while the pointer
// rests where a cell was, the next frames draw.
#include <array>
#include <catch_amalgamated.hpp>
#include <string>
#include <utility>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "playground/state/view_table.h"
#include "samples.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

struct SuddenChange {
    std::string_view what;
    void (*make)(PlaygroundState& state);
};

std::string& shown_text(PlaygroundState& state) {
    return state.inputs.texts[static_cast<std::size_t>(state.view.sentence)];
}

// Each takes something away from the state that it is made in.
constexpr SuddenChange kCleared = {"the sentence is cleared",
                                   [](PlaygroundState& state) { shown_text(state).clear(); }};
constexpr auto kChanges = std::to_array<SuddenChange>({
    {"one word is left", [](PlaygroundState& state) { shown_text(state) = "word"; }},
    {"all sentences but an empty one go", [](PlaygroundState& state) { state.inputs.texts = {""}; }},
    {"spaces are left", [](PlaygroundState& state) { shown_text(state) = "  "; }},
    {"one head is left", [](PlaygroundState& state) { state.inputs.num_heads = 1, state.inputs.num_kv_heads = 0; }},
    {"the heads have one channel", [](PlaygroundState& state) { state.inputs.d_out = state.inputs.num_heads; }},
    {"the embeddings have one channel", [](PlaygroundState& state) { state.inputs.d_in = 1; }},
    {"the output goes", [](PlaygroundState& state) { state.inputs.out = false; }},
    {"the positions go", [](PlaygroundState& state) { state.inputs.positions = Positions::none; }},
    {"the latent vectors go",
     [](PlaygroundState& state) { state.inputs.latent = state.inputs.query_latent = state.inputs.rope_dim = 0; }},
    {"the sink goes", [](PlaygroundState& state) { state.inputs.sink_logits = false; }},
    {"the goal goes", [](PlaygroundState& state) { state.inputs.goal = GoalKind::none; }},
    {"the mask moves", [](PlaygroundState& state) { state.inputs.mask_at = MaskAt::after; }},
    {"the model is closed", [](PlaygroundState& state) { state.inputs.model.clear(), state.inputs.layer = 0; }},
    {"the embeddings are shown", [](PlaygroundState& state) { state.view.stage = TensorId::embeddings; }},
    {"the first view is shown", [](PlaygroundState& state) { state.view.view = ViewKind::matrix; }},
    {"another state is compared",
     [](PlaygroundState& state) {
         state.view.view = ViewKind::compare;
         state.view.compare = "text=";
     }},
    {"the stage is asked for", [](PlaygroundState& state) { state.view.check = {state.view.stage}; }},
});

// A visit whose pointer rests while the state changes.
class RestingPointer {
public:
    RestingPointer(ImVec2 size, std::string_view lesson) : screen_(size, concat("lesson=", lesson)), size_(size) {}

    // A frame with the pointer over the picture, the panel beside it or the tokens, each in its turn.
    void show(const PlaygroundState& state) {
        static constexpr auto kPlaces = std::to_array<ImVec2>(
            {{0.45F, 0.4F}, {0.9F, 0.55F}, {0.3F, 0.16F}, {0.35F, 0.5F}, {0.9F, 0.8F}, {0.6F, 0.3F}});
        const ImVec2& place = kPlaces[num_shown_++ % kPlaces.size()];
        screen_.state() = state;
        ImGui::GetIO().AddMousePosEvent(place.x * size_.x, place.y * size_.y);
        screen_.frame();
    }

    // A frame of the changed state: it begins with what was pointed at before.
    void change(const SuddenChange& change) {
        INFO(change.what);
        change.make(screen_.state());
        screen_.frame();
    }

    void change_view(ViewKind view) {
        screen_.state().view.view = view;
        screen_.frame();
    }

private:
    Screen screen_;
    ImVec2 size_;
    std::size_t num_shown_ = 0;
};

// Usually the steps that are tried are others in each next lesson.
const auto kEvery = static_cast<std::size_t>(attn::test::sample_step(3));

PlaygroundState state_in(const Lesson& lesson, std::size_t step) {
    PlaygroundState state;
    go_to_step(state, lesson, static_cast<int>(step));
    return state;
}

}  // namespace

TEST_CASE("in every step of every lesson and every view the sentence can go under a resting pointer",
          "[legal-cells][lessons][bad-input]") {
    std::size_t num_steps = 0;
    for (const Lesson& lesson : lessons()) {
        RestingPointer pointer({1280, 800}, lesson.name);
        for (std::size_t step = num_steps % kEvery; step < lesson.steps.size(); step += kEvery) {
            PlaygroundState state = state_in(lesson, step);
            state.view.view = kViews[num_steps++ % kViews.size()].kind;  // each where the sentence goes in its turn
            CAPTURE(lesson.name, step + 1, view_info(state.view.view).name);
            pointer.show(state);
            pointer.change(kCleared);
            for (const ViewInfo& view : kViews) pointer.change_view(view.kind);
        }
    }
}

TEST_CASE("a model's layer is drawn in every stage and view, with a number typed over",
          "[legal-cells][model][bad-input]") {
    RestingPointer pointer({1280, 800}, "a model");
    PlaygroundState state =
        read_link("model=first-words&text=the+dog+sees&layer=2&edit=2.w_value[0,3]=9&edit=1.x[1,2]=3&cell=1,2,1").state;
    REQUIRE(state.inputs.edits.size() == 2);
    for (const TensorId stage : present_stages(state.inputs)) {
        CAPTURE(tensor_name(stage));
        state.view.stage = stage;
        pointer.show(state);
        for (const ViewInfo& view : kViews) pointer.change_view(view.kind);
        pointer.show(state);
        pointer.change(kCleared);
    }
}

TEST_CASE("in every step of every lesson what a cell lies in can go under a resting pointer",
          "[legal-cells][lessons][bad-input]") {
    std::size_t num_lessons = 0;
    for (const Lesson& lesson : lessons()) {
        RestingPointer pointer(++num_lessons % 2 == 0 ? ImVec2(390, 844) : ImVec2(1280, 800), lesson.name);
        for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
            const PlaygroundState state = state_in(lesson, step);
            CAPTURE(lesson.name, step + 1);
            // All of them in three steps, or usually nine.
            for (std::size_t k = step % (3 * kEvery); k < kChanges.size(); k += 3 * kEvery) {
                pointer.show(state);
                pointer.change(kChanges[k]);
            }
        }
    }
}

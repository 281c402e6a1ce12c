// One road for a change: all panels of a frame show the state whose numbers there are, and write the next one.
#include <algorithm>
#include <catch_amalgamated.hpp>
#include <string>

#include "core/ground/check.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/random_states.h"
#include "playground/state/words.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;
using namespace attn::test;

namespace {

// Panels over a state that is already another one: as if every one of them had written to it in this very frame.
class RestlessScreen {
public:
    explicit RestlessScreen(ImVec2 size) : imgui_(size) {}

    // Numbers and panels of `shown`; the session has `next`, legal or not, before the first panel draws.
    void frame(const PlaygroundState& shown, const PlaygroundState& next, bool is_computed) {
        evaluator_.begin(shown);
        if (is_computed) evaluator_.update(shown);
        session_.state() = next;
        imgui_.frame([&] { ui_.draw(session_, evaluator_, {}); });
        ui_.take_requests();
        while (ui_.work(evaluator_, evaluator_.is_complete()).has_worked) continue;
        session_.settle(seconds_ += 0.1);
    }
    const PlaygroundState& settled() const { return session_.state(); }

private:
    static TextBitmap rasterize(std::string_view, float pixel_size, bool) {
        TextBitmap bitmap;
        bitmap.width = bitmap.height = 1;
        bitmap.advance = pixel_size / 2;
        bitmap.rgba.assign(4, 255);
        return bitmap;
    }

    HeadlessImgui imgui_;
    Session session_;
    Evaluator evaluator_;
    Ui ui_ = Ui::create_without_gl(rasterize);
    double seconds_ = 0;
};

// Legal, in this view, and small: many frames are drawn.
PlaygroundState in_view(PlaygroundState state, ViewKind view) {
    state.view.view = view;
    state.inputs.d_in = std::min(state.inputs.d_in, 12);
    state.inputs.d_out = std::min(state.inputs.d_out, 12);
    state.view.pairs = std::min(state.view.pairs, 100);
    clamp_to_legal(state);
    return state;
}

}  // namespace

TEST_CASE("panels draw while everything changes under them", "[road][property]") {
    const ViewKind view = GENERATE(from_range(kViewWords)).choice;
    CAPTURE(word_of(kViewWords, view));
    RestlessScreen screen({1280, 800});
    Dice dice(7 + static_cast<unsigned>(view));
    PlaygroundState shown = in_view(random_state(dice), view);
    for (int round = 0; round < 6; ++round) {
        const PlaygroundState next = in_view(random_state(dice), round % 3 == 0 ? view : random_state(dice).view.view);
        CAPTURE(write_link(shown), write_link(next));
        screen.frame(shown, next, round % 2 == 0);
        screen.frame(next, shown, true);
        CHECK(ImGui::GetDrawData()->TotalVtxCount > 0);
        shown = in_view(next, view);
    }
}

TEST_CASE("an illegal next state is drawn over, and legal when the frame is settled", "[road][bad-input]") {
    const PlaygroundState shown = read_link("text=one+step&heads=2&d_out=4&cell=2,1,0").state;
    PlaygroundState next = shown;
    next.inputs.num_heads = 3;
    next.inputs.d_in = 0;
    next.view.stage = TensorId::dropped_weights;  // there is no dropout
    next.view.cell = Cell{.head = 9, .row = 90, .column = -1};
    next.view.head = 7;
    next.view.select = {5, 90};
    next.inputs.targets = {{.query = 40, .key = 2}};
    RestlessScreen screen({1280, 800});
    for (const auto& word : kViewWords) {
        CAPTURE(word.word);
        PlaygroundState before = shown;
        before.view.view = word.choice;
        screen.frame(before, next, true);
        PlaygroundState again = screen.settled();
        CHECK(clamp_to_legal(again).empty());
        CHECK(again == screen.settled());
    }
}

TEST_CASE("a note about what was typed stays beside what the next state was moved to", "[road]") {
    Session session;
    session.open_link("text=one+step&d_out=4&heads=2");
    session.settle(0);
    session.note({"typed note"});
    session.state().inputs.num_heads = 3;
    session.settle(1);
    REQUIRE(session.notes().size() == 2);
    CHECK(session.notes()[0] == "typed note");
    session.state().inputs.num_heads = 3;
    session.settle(2);
    CHECK(session.notes().size() == 1);
}

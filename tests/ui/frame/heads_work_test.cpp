// What a frame leaves of the heat maps of a long text, or of a model's layers, is made between the frames, and draws
// none by itself.
#include "ui/frame/heads_work.h"

#include <catch_amalgamated.hpp>
#include <string>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/models/small_model.h"
#include "ui/headless_imgui.h"
#include "ui/shell/ui.h"

using namespace attn;

namespace {

// 700 tokens, 4 heads: two million weights, of which a frame looks at one.
std::string long_link(std::string_view more = "") {
    std::string link = "heads=4&d_in=8&d_out=8&tokens=chars&text=";
    for (int i = 0; i < 700; ++i) link += static_cast<char>('a' + i % 26);
    return link.append(more);
}

// Frames and the work between them, one at a time.
struct Stepper {
    explicit Stepper(std::string_view link) { session.open_link(link); }
    testing::HeadlessImgui imgui = testing::HeadlessImgui({1280, 800});
    Session session;
    Evaluator evaluator;
    Ui ui = Ui::create_without_gl([](std::string_view, float, bool) { return TextBitmap(); });

    void frame() {
        imgui.frame([&] {
            evaluator.update(session.state());
            ui.draw(session, evaluator, {});
        });
    }
    bool work() { return ui.work(evaluator, true).has_worked; }
};

}  // namespace

TEST_CASE("what a frame leaves is read between frames, in steps", "[heads-work]") {
    for (const std::string_view more : {"", "&view=lines", "&combine=mean"}) {
        CAPTURE(more);
        Stepper stepper(long_link(more));
        stepper.frame();
        CHECK(stepper.ui.has_work());
        int num_steps = 0;
        while (stepper.work()) REQUIRE(++num_steps < 10);
        CHECK(num_steps >= 1);
        stepper.frame();
        CHECK_FALSE(stepper.ui.has_work());
        for (int n = 0; n < 10; ++n) stepper.frame();
        CHECK_FALSE(stepper.ui.wants_another_frame());
    }
}

TEST_CASE("frames settle while numbers are computed: they do not drive it", "[heads-work]") {
    Stepper stepper(long_link());
    const auto frame = [&] {
        stepper.imgui.frame([&] {
            stepper.evaluator.begin(stepper.session.state());
            stepper.ui.draw(stepper.session, stepper.evaluator, {});
        });
    };
    frame();
    for (int num_frames = 0; stepper.ui.wants_another_frame(); ++num_frames) {
        REQUIRE(num_frames < 20);
        stepper.evaluator.advance(1000);
        frame();
    }
    CHECK_FALSE(stepper.evaluator.is_complete());
}

TEST_CASE("a small text leaves no work", "[heads-work]") {
    Stepper stepper("");
    stepper.frame();
    CHECK_FALSE(stepper.ui.has_work());
    CHECK_FALSE(stepper.work());
}

TEST_CASE("no work is done on outdated numbers", "[heads-work]") {
    Stepper stepper(long_link());
    stepper.frame();
    REQUIRE(stepper.ui.has_work());
    stepper.session.state().inputs.seed += 1;
    stepper.evaluator.begin(stepper.session.state());
    CHECK_FALSE(stepper.work());
    stepper.frame();
    CHECK(stepper.work());
}

TEST_CASE("a view's long work goes on between frames, once all numbers are there", "[heads-work]") {
    test::Checkpoint checkpoint = test::random_gpt2();
    const auto replace = [&](std::string_view from, std::string_view to) {
        checkpoint.config.replace(checkpoint.config.find(from), from.size(), to);
    };
    replace("\"n_positions\":9", "\"n_positions\":2000");
    checkpoint.shapes["wpe.weight"] = {2000, 12};
    const test::ModelIsOpen model(test::small_model("long", checkpoint));
    std::string words;
    for (int i = 1; i < 1999; ++i) words += "+the";
    for (const std::string_view view : {"model", "cache"}) {
        CAPTURE(view);
        // Another beginning each time: what was computed of a text stays.
        Stepper stepper(concat("model=long&view=", view, "&text=", view == "model" ? "a" : "of", words));
        stepper.frame();
        REQUIRE(stepper.ui.has_work());
        while (stepper.ui.work(stepper.evaluator, false).has_worked) continue;  // maps, but no view's
        CHECK(stepper.ui.has_work());
        HeadsStep step;
        for (int num_steps = 0; !step.wants_frame; ++num_steps) {
            REQUIRE(num_steps < 1000);
            step = stepper.ui.work(stepper.evaluator, true);
            REQUIRE(step.has_worked);
        }
        stepper.frame();
        CHECK_FALSE(stepper.ui.has_work());
    }
}

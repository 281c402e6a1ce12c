// What choosing does to the view.
#include "ui/frame/pins.h"

#include <catch_amalgamated.hpp>

using namespace attn;

TEST_CASE("a token is pinned in its row, with its own key in stages between tokens", "[pins]") {
    View view;
    view.stage = TensorId::weights;
    view.head = 1;
    pin_token(view, 3);
    CHECK(view.cell == Cell{.head = 1, .row = 3, .column = 3});
    pin_token(view, 3);
    CHECK_FALSE(view.cell.has_value());
    view.stage = TensorId::output;
    pin_token(view, 2);
    CHECK(view.cell == Cell{.head = 0, .row = 2, .column = 0});
}

TEST_CASE("another stage keeps the pinned row, and the column where it means the same", "[pins]") {
    View view;
    view.stage = TensorId::weights;
    view.cell = Cell{.head = 1, .row = 5, .column = 2};
    choose_stage(view, TensorId::scores);
    CHECK(view.cell == Cell{.head = 1, .row = 5, .column = 2});
    choose_stage(view, TensorId::context);
    CHECK(view.cell == Cell{.head = 1, .row = 5, .column = 0});
    choose_stage(view, TensorId::embeddings);
    CHECK(view.cell == Cell{.head = 0, .row = 5, .column = 0});
    choose_stage(view, TensorId::weights);
    CHECK(view.cell == Cell{.head = 0, .row = 5, .column = 5});
}

TEST_CASE("going to a cell in another head enlarges that head where one was enlarged", "[pins]") {
    View view;
    view.head = 0;
    go_to(view, {TensorId::scores, 1, 4, 2});
    CHECK(view.stage == TensorId::scores);
    CHECK(view.cell == Cell{.head = 1, .row = 4, .column = 2});
    CHECK(view.head == 1);
}

TEST_CASE("the divisor of the scores is told in symbols", "[pins]") {
    Inputs inputs;
    inputs.d_out = 4;
    inputs.num_heads = 2;
    CHECK(divisor_text(inputs) == "√2");
    inputs.scale = Scale::dim;
    CHECK(divisor_text(inputs) == "2");
    inputs.temperature = 0.5;
    CHECK(divisor_text(inputs) == "2 · 0.5");
    inputs.scale = Scale::none;
    CHECK(divisor_text(inputs) == "0.5");
    inputs.temperature = 1;
    CHECK(divisor_text(inputs) == "1");
}

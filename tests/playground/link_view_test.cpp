// The lists of views and lessons in links: what can be read is read, the rest is named in a note.
#include "playground/link_view.h"

#include <catch_amalgamated.hpp>

#include "playground/state_url.h"

using namespace attn;

namespace {

// One value through the front door.
const View view_of(const std::string& link, std::size_t num_notes = 0) {
    const ReadLink read = read_link("text=one+two+three+four&" + link);
    CAPTURE(link, read.notes);
    CHECK(read.notes.size() == num_notes);
    return read.state.view;
}

}  // namespace

TEST_CASE("links name tokens, wishes, channels, numbers and stages", "[link]") {
    CHECK(view_of("window=1,3,0,2").window ==
          CellWindow{.first_row = 1, .last_row = 3, .first_column = 0, .last_column = 2});
    CHECK_FALSE(view_of("window=").window);
    CHECK(view_of("select=3,1").select == std::set<int>{1, 3});
    CHECK(view_of("wish=3>1,0>2").wish == std::vector<Wish>{{.query = 0, .key = 2}, {.query = 3, .key = 1}});
    CHECK(view_of("plane=1,0").plane == Plane{.is_principal = false, .x = 1, .y = 0});
    CHECK(view_of("plane=principal").plane.is_principal);
    CHECK(view_of("tensor=x").tensor == TensorId::embeddings);
    CHECK(view_of("tensor=mask").tensor == TensorId::mask);
    CHECK(view_of("vector=1,-.5,2e1&gain=8").vector == std::vector<float>{1, -0.5F, 20});
    CHECK(view_of("check=weights,context").check == std::set<TensorId>{TensorId::weights, TensorId::context});
    CHECK(view_of("check=all").check.size() == stage_table().size());
    CHECK(view_of("score=7/9").score == Score{.right = 7, .asked = 9, .hints = 0});
    CHECK(view_of("score=7/9/2").score == Score{.right = 7, .asked = 9, .hints = 2});
}

TEST_CASE("what is no token, wish, channel, number or stage is named in one note", "[link][bad-input]") {
    for (const char* unread :
         {"window=1,3,0", "window=1,3,0,", "window=a,b,c,d", "window=-1,2,0,2", "window=0,1,0,1,2"})
        CHECK_FALSE(view_of(unread, 1).window);
    // Four tokens, d_in 8, d_out 4: rows 0 to 3, and no stage has more than eight columns.
    CHECK(view_of("window=2,99,7,99", 1).window ==
          CellWindow{.first_row = 2, .last_row = 3, .first_column = 7, .last_column = 7});
    CHECK(view_of("window=3,1,2,0", 1).window ==
          CellWindow{.first_row = 1, .last_row = 3, .first_column = 0, .last_column = 2});
    CHECK_FALSE(view_of("text=&sentence=2&window=0,1,0,1", 1).window);
    CHECK(view_of("select=1,x,-2,1.5,9e99", 1).select == std::set<int>{1});
    CHECK(view_of("select=1,77", 1).select == std::set<int>{1});
    CHECK(view_of("wish=0>1,2,a>b,>,1>99", 2).wish == std::vector<Wish>{{.query = 0, .key = 1}});
    CHECK(view_of("plane=some,thing", 1).plane == Plane());
    CHECK(view_of("plane=7,0", 1).plane == Plane{.is_principal = false, .x = 1, .y = 0});
    CHECK(view_of("plane=1,1").plane == Plane{.is_principal = false, .x = 1, .y = 0});
    CHECK(view_of("vector=a,nan,inf,1", 1).vector == std::vector<float>{1});
    CHECK(view_of("vector=", 0).vector == View().vector);
    CHECK(view_of("tensor=weights", 1).tensor == TensorId::w_query);
    CHECK(view_of("check=weights,nothing", 1).check == std::set<TensorId>{TensorId::weights});
    CHECK(view_of("check=dropped_weights", 1).check.empty());
    CHECK_FALSE(view_of("score=all", 1).score.has_value());
    CHECK(view_of("score=9/7/1", 1).score == Score{.right = 7, .asked = 7, .hints = 1});
    CHECK(view_of("gain=1e9&pairs=1&pairs_dim=9999", 3).gain == kMaxGain);
    CHECK(view_of("lesson=cooking", 1).lesson.empty());
}

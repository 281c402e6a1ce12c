// The lists of views and lessons in links: what can be read is read, the rest is named in a note.
#include "playground/link/link_view.h"

#include <catch_amalgamated.hpp>

#include "playground/link/state_url.h"

using namespace attn;

namespace {

// One value through the front door.
const View linked_view(const std::string& link, std::size_t num_notes = 0) {
    const ReadLink read = read_link("text=one+two+three+four&" + link);
    CAPTURE(link, read.notes);
    CHECK(read.notes.size() == num_notes);
    return read.state.view;
}

}  // namespace

TEST_CASE("links name tokens, channels, numbers and stages", "[link]") {
    CHECK(linked_view("window=1,3,0,2").window ==
          CellWindow{.first_row = 1, .last_row = 3, .first_column = 0, .last_column = 2});
    CHECK_FALSE(linked_view("window=").window);
    CHECK(linked_view("select=3,1").select == std::set<int>{1, 3});
    CHECK(linked_view("plane=1,0").plane == Plane{.is_principal = false, .x = 1, .y = 0});
    CHECK(linked_view("plane=principal").plane.is_principal);
    CHECK(linked_view("tensor=x").tensor == TensorId::embeddings);
    CHECK(linked_view("tensor=mask").tensor == TensorId::mask);
    CHECK(linked_view("vector=1,-.5,2e1&gain=8").vector == std::vector<float>{1, -0.5F, 20});
    CHECK(linked_view("check=weights,context").check == std::set<TensorId>{TensorId::weights, TensorId::context});
    CHECK(linked_view("check=all").check.size() == stage_table().size());
    CHECK(linked_view("score=7/9").score == Score{.right = 7, .asked = 9, .hints = 0});
    CHECK(linked_view("score=7/9/2").score == Score{.right = 7, .asked = 9, .hints = 2});
}

TEST_CASE("lists without end are cut, and a note says so", "[link][bad-input]") {
    std::string select = "select=0", vector = "vector=1", hide = "hide=weights[1";
    for (int i = 0; i < 200'000; ++i) {
        select += "," + std::to_string(i);
        vector += ",2";
        hide += ",";
    }
    CHECK(linked_view(select, 1).select.size() == 4);
    CHECK(linked_view(vector, 1).vector.size() == kMaxVector);
    CHECK(linked_view(hide + "]", 1).hide.empty());
}

TEST_CASE("what is no token, channel, number or stage is named in one note", "[link][bad-input]") {
    for (const char* unread :
         {"window=1,3,0", "window=1,3,0,", "window=a,b,c,d", "window=-1,2,0,2", "window=0,1,0,1,2"})
        CHECK_FALSE(linked_view(unread, 1).window);
    // Four tokens, d_in 8, d_out 4: rows 0 to 3, and no stage has more than eight columns.
    CHECK(linked_view("window=2,99,7,99", 1).window ==
          CellWindow{.first_row = 2, .last_row = 3, .first_column = 7, .last_column = 7});
    CHECK(linked_view("window=3,1,2,0", 1).window ==
          CellWindow{.first_row = 1, .last_row = 3, .first_column = 0, .last_column = 2});
    CHECK_FALSE(linked_view("text=&sentence=2&window=0,1,0,1", 1).window);
    CHECK(linked_view("select=1,x,-2,1.5,9e99", 1).select == std::set<int>{1});
    CHECK(linked_view("select=1,77", 1).select == std::set<int>{1});
    CHECK(linked_view("plane=some,thing", 1).plane == Plane());
    CHECK(linked_view("plane=7,0", 1).plane == Plane{.is_principal = false, .x = 1, .y = 0});
    CHECK(linked_view("plane=1,1").plane == Plane{.is_principal = false, .x = 1, .y = 0});
    CHECK(linked_view("vector=a,nan,inf,1", 1).vector == std::vector<float>{1});
    CHECK(linked_view("vector=", 0).vector == View().vector);
    CHECK(linked_view("tensor=weights", 1).tensor == TensorId::w_query);
    CHECK(linked_view("check=weights,nothing", 1).check == std::set<TensorId>{TensorId::weights});
    CHECK(linked_view("check=dropped_weights", 1).check.empty());
    CHECK_FALSE(linked_view("score=all", 1).score.has_value());
    CHECK(linked_view("score=9/7/1", 1).score == Score{.right = 7, .asked = 7, .hints = 1});
    CHECK(linked_view("gain=1e9&pairs=1&pairs_dim=9999", 3).gain == kMaxGain);
    CHECK(linked_view("prompt=0&at=-1&length=0&card=0", 4).prompt == 1);
    CHECK(linked_view("length=2000000&card=1e9", 2).length == kMaxLength);
    CHECK(linked_view("element=f64", 1).element == CacheElement::bf16);
    // One token, none after the prompt, and fewer than the default prompt has.
    CHECK(linked_view("view=cache&prompt=9&at=2", 2).prompt == 4);
    CHECK(read_link("view=cache&text=one").notes.empty());  // fewer tokens than the default prompt
    CHECK(linked_view("view=cache&prompt=2&at=9", 1).at == 2);
    CHECK(linked_view("prompt=2&at=9").at == 9);
    CHECK(linked_view("lesson=cooking", 1).lesson.empty());
}

// Typing over, pasting, copying and reverting the numbers of a tensor: what is written, and that what is refused
// changes nothing.
#include "views/edit/edit_table.h"

#include <catch_amalgamated.hpp>
#include <string>

#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/state/state_edits.h"

using namespace attn;
using Catch::Matchers::ContainsSubstring;

namespace {

// A state with its evaluation, made anew after each change.
struct Desk {
    explicit Desk(std::string_view link) : state(read_link(link).state) {}
    Evaluation now() const { return evaluate(state.inputs, state.view.sentence); }
    Result<Area> type(TensorId tensor, int row, int column, std::string_view text) {
        return type_over(state, now(), tensor, row, column, text);
    }
    Result<Area> paste(TensorId tensor, const Area& selected, std::string_view text) {
        return paste_over(state, now(), tensor, selected, text);
    }
    float at(TensorId tensor, int row, int column) const { return number_at(now(), tensor, row, column); }

    PlaygroundState state;
};

constexpr const char* kSmall = "text=a+b+c&d_in=2&d_out=4&heads=2&bias=1";
constexpr const char* kSmallOfLatents =
    "text=a+b+c&d_in=2&d_out=4&heads=2&bias=1&latent=3&latent_queries=2&pos=rope&rope_dim=2&sink_logits=1";

constexpr const char* kSmallOfNorms = "text=a+b+c&d_in=2&d_out=4&heads=2&qk_norm=1";

// Refused with this sentence, and nothing is changed.
template <class Work>
std::string refused(Desk& desk, Work work) {
    const PlaygroundState before = desk.state;
    const Result<Area> result = work();
    REQUIRE_FALSE(result);
    CHECK(desk.state == before);
    return result.error();
}

}  // namespace

TEST_CASE("a number can be typed over in every tensor, and is read back", "[edit_table]") {
    const bool has_norms = GENERATE(false, true);  // which go with no latents
    Desk desk(has_norms ? kSmallOfNorms : kSmallOfLatents);
    for (const TensorId tensor : editable_tensors()) {
        INFO(editable_name(tensor));
        if ((tensor == TensorId::q_norm || tensor == TensorId::k_norm) != has_norms) continue;
        const Extent extent = table_extent(desk.now(), tensor);
        CHECK(extent == edit_extent(desk.state.inputs, 3, tensor));
        REQUIRE(extent.rows > 0);
        const int row = extent.rows - 1;
        const int column = extent.columns - 1;
        const std::string text = tensor == TensorId::mask ? "1" : "-0.25";
        const bool is_last_of_mask = tensor == TensorId::mask;  // of a row with other visible keys
        REQUIRE(desk.type(tensor, row, is_last_of_mask ? 0 : column, text));
        CHECK(desk.at(tensor, row, is_last_of_mask ? 0 : column) == (is_last_of_mask ? 1.0F : -0.25F));
        CHECK(is_typed_over(desk.state, tensor, row, is_last_of_mask ? 0 : column));
        CHECK(count_typed_over(desk.state, tensor) == 1);
    }
    CHECK(read_link(write_link(desk.state)).state == desk.state);
}

TEST_CASE("every number of the table is the number in use", "[edit_table]") {
    const Desk desk(kSmall);
    const Evaluation evaluation = desk.now();
    CHECK(number_at(evaluation, TensorId::w_key, 1, 3) == evaluation.problem->projections->w_key(1, 3));
    CHECK(number_at(evaluation, TensorId::keys, 2, 3) == evaluation.trace.key(1, 2, 1));  // head 1, channel 1 of it
    CHECK(number_at(evaluation, TensorId::mask, 0, 1) == 1);
    CHECK(number_at(evaluation, TensorId::mask, 1, 0) == 0);
}

TEST_CASE("a block is pasted at the first selected cell, whatever else is selected", "[edit_table]") {
    Desk desk(kSmall);
    const Result<Area> area =
        desk.paste(TensorId::w_query, {.row = 0, .column = 1, .rows = 1, .columns = 1}, "[[ 1.  2.]\n [-3.e-01 4.]]");
    REQUIRE(area);
    CHECK(*area == Area{.row = 0, .column = 1, .rows = 2, .columns = 2});
    CHECK(copy_area(desk.now(), TensorId::w_query, *area) == NumberBlock{{1, 2}, {-0.3F, 4}});
    CHECK(desk.state.inputs.edits.size() == 4);
}

TEST_CASE("a single number fills what is selected", "[edit_table]") {
    Desk desk(kSmall);
    REQUIRE(desk.paste(TensorId::w_out, {.row = 1, .column = 0, .rows = 2, .columns = 4}, "0.5"));
    CHECK(desk.state.inputs.edits.size() == 8);
    CHECK(desk.at(TensorId::w_out, 2, 3) == 0.5F);
}

TEST_CASE("pasting what was copied changes nothing", "[edit_table]") {
    Desk desk(kSmall);
    const PlaygroundState before = desk.state;
    const Area all = {.row = 0, .column = 0, .rows = 2, .columns = 4};
    REQUIRE(desk.paste(TensorId::w_value, all, write_number_block(copy_area(desk.now(), TensorId::w_value, all))));
    CHECK(desk.state == before);
}

TEST_CASE("typing something that is no number changes nothing and gives a sentence", "[edit_table][bad-input]") {
    Desk desk(kSmall);
    REQUIRE(desk.type(TensorId::w_query, 0, 1, "0.5"));
    const auto typed = [&](const char* text) {
        return refused(desk, [&] { return desk.type(TensorId::w_query, 0, 1, text); });
    };
    CHECK(typed("abc") == "w_query[0,1] stays 0.5: \"abc\" is not a number");
    CHECK(typed("") == "w_query[0,1] stays 0.5: no number was typed");
    CHECK(typed("nan") == "w_query[0,1] stays 0.5: \"nan\" is not a number");
    CHECK(typed("1e39") == "w_query[0,1] stays 0.5: \"1e39\" is too large for a float");
    CHECK(typed("1,5,5") == "w_query[0,1] stays 0.5: \"1,5,5\" is not a number");
    CHECK(typed("1.5,5") == "w_query[0,1] stays 0.5: \"1.5,5\" is not a number");
    CHECK(typed("5,") == "w_query[0,1] stays 0.5: \"5,\" is not a number");
}

TEST_CASE("a single number may have a decimal comma", "[edit_table]") {
    Desk desk(kSmall);
    for (const auto& [text, value] : {std::pair("0,5", 0.5F), {"-1,25", -1.25F}, {",5", 0.5F}, {"1,5e-3", 0.0015F}}) {
        CAPTURE(text);
        REQUIRE(desk.type(TensorId::w_query, 0, 1, text));
        CHECK(desk.at(TensorId::w_query, 0, 1) == value);
    }
    CHECK(comma_note("0,5").empty());
    CHECK(comma_note("0,125").empty());
    CHECK(comma_note("1.500").empty());
    CHECK(comma_note("a,500").empty());
    CHECK(comma_note("1,500") == "1,500 was read as 1.500: a comma is a decimal point here");
}

TEST_CASE("a pasted block with commas between digits is pasted in each way that fits", "[edit_table]") {
    Desk desk(kSmall);  // w_query is 2 × 4
    const auto ways = [&](const Area& selected, const char* text) {
        const auto found = pastes(desk.state, desk.now(), TensorId::w_query, selected, text);
        INFO(found.error());
        REQUIRE(found);
        return *found;
    };
    const std::vector<Paste> both = ways({}, "0,5\n1,25");
    REQUIRE(both.size() == 2);
    CHECK(both[0].area == Area{.rows = 2, .columns = 2});
    CHECK(both[1].area == Area{.rows = 2, .columns = 1});
    CHECK(both[1].has_decimal_commas);
    CHECK(find_edit(both[1].state.inputs, TensorId::w_query, 0, 1, 0)->value == 1.25F);
    // In the last column two do not fit.
    const std::vector<Paste> one = ways({.row = 0, .column = 3}, "0,5\n1,25");
    REQUIRE(one.size() == 1);
    CHECK(one[0].has_decimal_commas);
    CHECK(ways({}, "0,5\t1,5").size() == 1);
    CHECK_THAT(refused(desk, [&] { return desk.paste(TensorId::w_query, {}, "0,5\n1,25"); }),
               ContainsSubstring("its commas may part numbers or be decimal points"));
}

TEST_CASE("a block may be typed into one cell, as phones paste", "[edit_table]") {
    Desk desk(kSmall);
    REQUIRE(desk.type(TensorId::w_query, 0, 2, "1\t2\n3\t4"));
    CHECK(desk.at(TensorId::w_query, 1, 3) == 4);
}

TEST_CASE("the mask takes 0 and 1 alone", "[edit_table][bad-input]") {
    Desk desk(kSmall);
    CHECK_THAT(refused(desk, [&] { return desk.type(TensorId::mask, 1, 0, "2"); }), ContainsSubstring("neither 0"));
    CHECK_THAT(refused(desk, [&] { return desk.paste(TensorId::mask, {}, "1 0\n0.5 1"); }),
               ContainsSubstring("row 1, column 0 is 0.5, the mask holds"));
}

TEST_CASE("a block of the wrong shape changes nothing, and both shapes are named", "[edit_table][bad-input]") {
    Desk desk(kSmall);
    CHECK(refused(desk, [&] { return desk.paste(TensorId::w_query, {}, "1 2 3\n4 5 6\n7 8 9"); }) ==
          "nothing was pasted: the block is 3 × 3, w_query is 2 × 4");
    CHECK(refused(desk, [&] { return desk.paste(TensorId::w_query, {.row = 1, .column = 0}, "1 2\n3 4"); }) ==
          "nothing was pasted: the block is 2 × 2, w_query is 2 × 4 and the selection begins at row 1, column 0");
    CHECK_THAT(refused(desk, [&] { return desk.paste(TensorId::w_query, {}, "1 2\n3 4\n5 6\n7 8"); }),
               ContainsSubstring("its transpose would fit"));
    CHECK_THAT(refused(desk, [&] { return desk.paste(TensorId::w_query, {}, ""); }), ContainsSubstring("no text"));
}

TEST_CASE("more numbers than can be kept are refused", "[edit_table][bad-input]") {
    Desk desk("text=a&d_in=200&d_out=200&heads=1");
    std::string text;
    for (int row = 0; row < 200; ++row) {
        for (int column = 0; column < 200; ++column) text += "7 ";
        text += '\n';
    }
    CHECK_THAT(refused(desk, [&] { return desk.paste(TensorId::w_query, {}, text); }),
               ContainsSubstring("40,000 numbers more, and at most 20,000"));
}

TEST_CASE("reverting gives back the numbers of the seed", "[edit_table]") {
    Desk desk(kSmall);
    const Inputs start = desk.state.inputs;
    desk.paste(TensorId::w_key, {}, "1 2 3 4\n5 6 7 8");
    desk.type(TensorId::embeddings, 0, 0, "9");
    CHECK(revert_area(desk.state, TensorId::w_key, {.row = 0, .column = 1, .rows = 2, .columns = 2}) == 4);
    CHECK(count_typed_over(desk.state, TensorId::w_key) == 4);
    CHECK(revert_table(desk.state, TensorId::w_key) == 4);
    CHECK(count_typed_over(desk.state, TensorId::embeddings) == 1);
    CHECK(revert_table(desk.state, TensorId::embeddings) == 1);
    CHECK(desk.state.inputs == start);
}

TEST_CASE("each sentence of a batch has its own numbers", "[edit_table]") {
    Desk desk("text=a+b&text=c+d&d_in=2&d_out=2&heads=1");
    desk.type(TensorId::embeddings, 0, 0, "5");
    desk.state.view.sentence = 1;
    CHECK_FALSE(is_typed_over(desk.state, TensorId::embeddings, 0, 0));
    desk.type(TensorId::embeddings, 1, 1, "6");
    CHECK(desk.at(TensorId::embeddings, 1, 1) == 6);
    CHECK(revert_table(desk.state, TensorId::embeddings) == 1);
    desk.state.view.sentence = 0;
    CHECK(desk.at(TensorId::embeddings, 0, 0) == 5);
}

TEST_CASE("edits of a matrix that changes its shape are kept, named, and come back", "[edit_table][bad-input]") {
    Desk desk(kSmall);
    desk.type(TensorId::w_query, 1, 3, "0.75");
    const Inputs edited = desk.state.inputs;
    desk.state.inputs.d_out = 2;
    clamp_to_legal(desk.state);
    const Evaluation smaller = desk.now();
    REQUIRE_FALSE(smaller.notes.empty());
    CHECK_THAT(smaller.notes.back(), ContainsSubstring("w_query[1,3]"));
    CHECK(count_typed_over(desk.state, TensorId::w_query) == 1);
    desk.state.inputs.d_out = 4;
    CHECK(desk.at(TensorId::w_query, 1, 3) == 0.75F);
    CHECK(desk.state.inputs == edited);
}

// Typed rows and edits as links write them.
#include "playground/link/link_tensors.h"

#include <catch_amalgamated.hpp>
#include <limits>

#include "playground/random_states.h"
#include "playground/state/state_edits.h"

using namespace attn;
using namespace attn::test;

namespace {

struct Read {
    std::vector<Edit> edits;
    Notes notes;
};

Read read(std::string_view value) {
    Read result;
    read_edit(value, result.edits, result.notes);
    return result;
}

Edit edit_at(TensorId tensor, int row, int column, float value, int sentence = 0) {
    return {.tensor = tensor, .sentence = sentence, .row = row, .column = column, .value = value, .layer = kShownLayer};
}

}  // namespace

TEST_CASE("rows of typed numbers", "[link]") {
    Notes notes;
    CHECK(read_rows("0.43,0.15,.89;5e-1", notes) == TypedRows{{0.43f, 0.15f, 0.89f}, {0.5f}});
    CHECK(read_rows("", notes).empty());
    CHECK(read_rows(";1", notes) == TypedRows{{}, {1}});
    CHECK(read_rows("1;", notes) == TypedRows{{1}});
    CHECK(notes.empty());
    CHECK(write_rows({{0.43f, -2}, {}, {1e-30f}}) == "0.43,-2;;1e-30");
}

TEST_CASE("typed numbers that are none count as 0, too large ones are the largest float", "[link][bad-input]") {
    Notes notes;
    const float largest = std::numeric_limits<float>::max();
    CHECK(read_rows("1,two,,4;1e39,-1e400", notes) == TypedRows{{1, 0, 0, 4}, {largest, -largest}});
    CHECK(notes ==
          Notes{"x: \"two\", \"\" counted as 0, not a number", "x: 2 numbers set to the largest float, 3.4e38"});
}

TEST_CASE("the largest float reads back without a note", "[link]") {
    Notes notes;
    const float largest = std::numeric_limits<float>::max();
    CHECK(read_rows(write_rows({{largest, -largest}}), notes) == TypedRows{{largest, -largest}});
    CHECK(notes.empty());
}

TEST_CASE("an edit of a model may name its layer, counted from 1", "[link]") {
    Edit edit = edit_at(TensorId::w_query, 0, 1, 0.5f);
    edit.layer = 1;
    CHECK(read("2.w_query[0,1]=0.5").edits == std::vector{edit});
    Edit below = edit;
    below.layer = 0;
    CHECK(write_edits({below, edit}, true) == std::vector<std::string>{"1.w_query[0,1]=0.5", "2.w_query[0,1]=0.5"});
    for (const char* wrong : {"0.w_query[0,1]=1", ".w_query[0,1]=1", "x.w_query[0,1]=1", "1,2.w_query[0,1]=1",
                              "-1.w_query[0,1]=1", "99999999999.w_query[0,1]=1"}) {
        INFO(wrong);
        const Read refused = read(wrong);
        CHECK(refused.edits.empty());
        CHECK(refused.notes.size() == 1);
    }
}

TEST_CASE("an edit names a cell and the numbers from there on", "[link]") {
    CHECK(read("w_query[0,1]=0.5").edits == std::vector{edit_at(TensorId::w_query, 0, 1, 0.5f)});
    CHECK(read("w_out[2,3]=1,2;3").edits == std::vector{edit_at(TensorId::w_out, 2, 3, 1),
                                                        edit_at(TensorId::w_out, 2, 4, 2),
                                                        edit_at(TensorId::w_out, 3, 3, 3)});
    CHECK(read("b_query[3]=1,2").edits ==
          std::vector{edit_at(TensorId::b_query, 0, 3, 1), edit_at(TensorId::b_query, 0, 4, 2)});
    CHECK(read("b_query[0,3]=1").edits == std::vector{edit_at(TensorId::b_query, 0, 3, 1)});
    CHECK(read("x[1,2]=1").edits == std::vector{edit_at(TensorId::embeddings, 1, 2, 1)});
    CHECK(read("x[4,1,2]=1").edits == std::vector{edit_at(TensorId::embeddings, 1, 2, 1, 4)});
    CHECK(read("mask[1,1,2]=0").edits == std::vector{edit_at(TensorId::mask, 1, 2, 0, 1)});
    CHECK(read("w_key[0,0]= 1 ,\xE2\x88\x92"
               "2")
              .edits == std::vector{edit_at(TensorId::w_key, 0, 0, 1), edit_at(TensorId::w_key, 0, 1, -2)});
}

TEST_CASE("an empty value is no edit, and needs no note", "[link]") {
    CHECK(read("").edits.empty());
    CHECK(read("").notes.empty());
}

TEST_CASE("what is no edit is left out, with a note", "[link][bad-input]") {
    for (const std::string_view text :
         {"=", "w_query", "w_query=1", "w_query[]=1", "w_query[0]=1", "w_query[0,1,2]=1", "w_query[0,-1]=1",
          "w_query[0,1.5]=1", "w_query[0,99999999999]=1", "w_query[0,1]x=1", "scores[0,1]=1", "embeddings[0,1]=1",
          "X[0,1]=1", "mask[1]=1", "x[0,1,2,3]=1"}) {
        CAPTURE(text);
        CHECK(read(text).edits.empty());
        CHECK(read(text).notes.size() == 1);
    }
    const Read some = read("w_query[0,0]=1,two,3;;4");
    CHECK(some.edits == std::vector{edit_at(TensorId::w_query, 0, 0, 1), edit_at(TensorId::w_query, 0, 2, 3),
                                    edit_at(TensorId::w_query, 2, 0, 4)});
    CHECK(some.notes.size() == 1);
    // Nothing overflows at the end of the integers; clamp_edits throws these away.
    CHECK(read("x[2147483647,2147483647]=1,2;3").edits.size() == 3);
}

TEST_CASE("of rows, numbers and edits without end no more are read than tell that there are too many",
          "[link][bad-input]") {
    Notes notes;
    CHECK(read_rows(std::string(3'000'000, ';'), notes).size() == kMaxTokens + 1);
    const TypedRows wide = read_rows(std::string(3'000'000, ','), notes);
    REQUIRE(wide.size() == 1);
    CHECK(wide[0].size() == static_cast<std::size_t>(kMaxWidth) + 1);
    std::string numbers = "w_query[0,0]=1";
    for (int i = 0; i < 100'000; ++i) numbers += i % 2 == 0 ? ",1" : ";1";
    Read several = read(numbers);
    CHECK(several.edits.size() == kMostEditsRead);
    CHECK(several.notes.size() == 1);
    read_edit("w_key[0,0]=1", several.edits, several.notes);
    CHECK(several.edits.size() == kMostEditsRead);
}

TEST_CASE("neighbouring edits are written as one block", "[link]") {
    const auto written = [](std::vector<Edit> edits) {
        clamp_edits(edits, 0);
        return write_edits(edits, false);
    };
    using Texts = std::vector<std::string>;
    const TensorId w = TensorId::w_query;
    CHECK(written({}) == Texts{});
    CHECK(written({edit_at(w, 0, 0, 1), edit_at(w, 0, 1, 2), edit_at(w, 1, 0, 3), edit_at(w, 1, 1, 4)}) ==
          Texts{"w_query[0,0]=1,2;3,4"});
    CHECK(written({edit_at(w, 0, 0, 1), edit_at(w, 0, 2, 2)}) == Texts{"w_query[0,0]=1", "w_query[0,2]=2"});
    CHECK(written({edit_at(w, 0, 0, 1), edit_at(w, 2, 0, 2)}) == Texts{"w_query[0,0]=1", "w_query[2,0]=2"});
    CHECK(written({edit_at(w, 0, 0, 1), edit_at(w, 0, 1, 2), edit_at(w, 1, 0, 3)}) ==
          Texts{"w_query[0,0]=1,2", "w_query[1,0]=3"});
    CHECK(written({edit_at(w, 0, 3, 1), edit_at(TensorId::w_key, 1, 3, 2)}) == Texts{"w_query[0,3]=1", "w_key[1,3]=2"});
    CHECK(written({edit_at(TensorId::b_out, 0, 1, 1), edit_at(TensorId::b_out, 0, 2, 2)}) == Texts{"b_out[1]=1,2"});
    CHECK(written({edit_at(TensorId::keys, 1, 3, 1), edit_at(TensorId::keys, 1, 4, 2),
                   edit_at(TensorId::queries, 0, 0, 3, 1)}) == Texts{"queries[1,0,0]=3", "keys[1,3]=1,2"});
    CHECK(written({edit_at(TensorId::embeddings, 0, 0, 1), edit_at(TensorId::embeddings, 1, 0, 2, 1)}) ==
          Texts{"x[0,0]=1", "x[1,1,0]=2"});
}

TEST_CASE("written edits and rows read back as they were", "[link][property]") {
    Dice dice(7);
    for (int n = 0; n < 500; ++n) {
        std::vector<Edit> edits;
        for (int i = dice.below(40); i > 0; --i) {
            const auto tensors = editable_tensors();
            const TensorId tensor = tensors[static_cast<std::size_t>(dice.below(static_cast<int>(tensors.size())))];
            edits.push_back(edit_at(tensor, is_bias(tensor) ? 0 : dice.below(4), dice.below(4), dice.any_float(),
                                    is_of_sentence(tensor) ? dice.below(2) : 0));
        }
        clamp_edits(edits, 0);
        Read back;
        for (const std::string& value : write_edits(edits, false)) read_edit(value, back.edits, back.notes);
        clamp_edits(back.edits, 0);
        CHECK(back.edits == edits);
        CHECK(back.notes.empty());
    }
}

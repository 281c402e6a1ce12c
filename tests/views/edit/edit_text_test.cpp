// The editor of a matrix as text.
#include "views/edit/edit_text.h"

#include <catch_amalgamated.hpp>

#include "playground/link/state_url.h"
#include "playground/text/format.h"

using namespace attn;

TEST_CASE("the edited tensor is told with what its typed numbers were", "[edit_text]") {
    const PlaygroundState state =
        read_link("view=edit&tensor=w_key&text=a+b&d_in=2&d_out=2&heads=2&edit=w_key[1,0]=0.5").state;
    Evaluator evaluator;
    evaluator.update(state);
    const std::vector<TextTable> tables = tables_of_edit(state, evaluator);
    REQUIRE(tables.size() == 2);
    CHECK(tables[0].title ==
          "w_key (2, 2): one row per channel of X (or of the latent), one column per channel of the key");
    CHECK(tables[0].columns == std::vector<std::string>{"", "0", "1"});
    const std::string was = shown_number(evaluator.unedited()->problem->projections->w_key(1, 0));
    CHECK(tables[0].rows[1][1] == "0.5000 (was " + was + ")");
    CHECK(tables[0].rows[0][1] == shown_number(evaluator.shown().problem->projections->w_key(0, 0)));
    const std::vector<std::string> keys = {"keys", "2", "4"};  // the first head's channel of both tokens
    CHECK(tables[1].rows[2] == keys);
}

TEST_CASE("a tensor that is not there is told with the reason", "[edit_text]") {
    const PlaygroundState state = read_link("view=edit&tensor=b_key&text=a").state;
    Evaluator evaluator;
    evaluator.update(state);
    const std::vector<TextTable> tables = tables_of_edit(state, evaluator);
    REQUIRE(tables.size() == 1);
    CHECK(tables[0].title == "b_key is not there: bias is off");
}

TEST_CASE("rows and columns are labelled with tokens or channels", "[edit_text]") {
    const Evaluation evaluation = evaluate(read_link("text=one+two&heads=2&d_out=4").state.inputs, 0);
    CHECK(table_row_label(evaluation, TensorId::embeddings, 1) == "two");
    CHECK(table_row_label(evaluation, TensorId::values, 1) == "two");
    CHECK(table_column_label(evaluation, TensorId::mask, 0) == "one");
    CHECK(table_row_label(evaluation, TensorId::w_out, 3) == "3");
    CHECK(table_row_label(evaluation, TensorId::b_out, 0) == "bias");
    CHECK(table_column_label(evaluation, TensorId::b_out, 2) == "2");
}

// What is printed gives no blank away.
#include "playground/check/withheld.h"

#include <catch_amalgamated.hpp>

#include "core/ground/check.h"
#include "playground/link/blanks.h"
#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"

namespace attn {
namespace {

// As `hide` would name them, with blanks between.
std::string withheld_by(std::string_view link) {
    std::string names;
    for (const HiddenValue& value : withheld_values(read_link(link).state))
        names += concat(names.empty() ? "" : " ", name_of_value(value));
    return names;
}

TEST_CASE("nothing is withheld where nothing is blank", "[withheld]") {
    CHECK(withheld_by("").empty());
    CHECK(withheld_by("hide=legend,control.seed&goal=next&d_out=8").empty());
    const PlaygroundState state = read_link("text=a+b").state;
    CHECK(with_withheld(state) == state);
}

TEST_CASE("a blank weight gets company in its row, and what follows from the row goes, too", "[withheld]") {
    CHECK(withheld_by("text=a+b+c&heads=2&hide=weights[2,2,1]") ==
          "weights[2,2,1] weights[2,2,0] context[2,2,*] merged[2,*] output[2,*]");
    CHECK(withheld_by("text=a+b+c&heads=2&out=0&hide=weights[2,2,0]") ==
          "weights[2,2,0] weights[2,2,1] context[2,2,*] merged[2,*]");
    // Two cells keep each other company, and a row is never alone.
    CHECK(withheld_by("text=a+b+c&out=0&hide=weights[2,2,0],weights[2,2,2]") ==
          "weights[2,2,0] weights[2,2,2] context[2,2,*] merged[2,*]");
    CHECK(withheld_by("text=a+b+c&out=0&hide=weights[1,2,*]") == "weights[1,2,*] context[1,2,*] merged[2,*]");
    CHECK(withheld_by("text=a+b+c&out=0&hide=weights[*,2,2]") ==
          "weights[*,2,2] weights[*,2,1] context[*,2,*] merged[2,*]");
    // Where people decide which keys are hidden, a neighbour may be.
    CHECK(withheld_by("text=a+b+c&out=0&hide=weights[1,2,2]&edit=mask[2,1]=1") ==
          "weights[1,2,*] context[1,2,*] merged[2,*]");
    CHECK(withheld_by("text=a+b+c&out=0&hide=weights[1,2,1]&mask_window=2") ==
          "weights[1,2,*] context[1,2,*] merged[2,*]");
    // Of two blanks the row may see only one.
    CHECK(withheld_by("text=a+b+c&out=0&hide=weights[1,1,0],weights[1,1,2]") ==
          "weights[1,1,0] weights[1,1,2] weights[1,1,1] context[1,1,*] merged[1,*]");
    CHECK(withheld_by("text=a+b+c&out=0&mask=none&hide=weights[1,1,0],weights[1,1,9]")
              .starts_with("weights[1,1,0] weights[1,1,9] weights[1,1,1]"));
}

TEST_CASE("a blank that no sum gives away stays alone", "[withheld]") {
    CHECK(withheld_by("text=a+b+c&out=0&hide=context[1,2,0]") == "context[1,2,0] merged[2,0]");
    CHECK(withheld_by("text=a+b&out=0&hide=scores[1,1,0]") ==
          "scores[1,1,0] scaled_scores[1,1,*] masked_scores[1,1,*] weights[1,1,*] context[1,1,*] merged[1,*]");
}

TEST_CASE("from a blank query, key or value its rows or the whole stage follow", "[withheld]") {
    CHECK(withheld_by("text=a+b&out=0&check=queries") ==
          "queries[*,*,*] scores[*,*,*] scaled_scores[*,*,*] masked_scores[*,*,*] weights[*,*,*] context[*,*,*] "
          "merged[*,*]");
    CHECK(withheld_by("text=a+b&out=0&hide=queries[2,1,0]") ==
          "queries[2,1,0] scores[2,1,*] scaled_scores[2,1,*] masked_scores[2,1,*] weights[2,1,*] context[2,1,*] "
          "merged[1,*]");
    CHECK(withheld_by("text=a+b&out=0&hide=values[2,1,0]") == "values[2,1,0] context[*,*,*] merged[*,*]");
    CHECK(withheld_by("text=a+b&out=0&hide=keys[2,1,0]").starts_with("keys[2,1,0] scores[*,*,*]"));
}

TEST_CASE("the share of a sink and the weights of its row add up to 1", "[withheld]") {
    CHECK(withheld_by("text=a+b&out=0&sink_logits=1&hide=weights[1,1,1]") ==
          "weights[1,1,1] weights[1,1,0] context[1,1,*] merged[1,*] sink_weights[1,1,*]");
    CHECK(withheld_by("text=a+b&out=0&sink_logits=1&check=sink_weights").find("weights[*,*,*]") != std::string::npos);
}

TEST_CASE("gradients tell of the forward pass, and each tells of those before it", "[withheld]") {
    const std::string forward = withheld_by("text=a+b&goal=pattern&target=1:1>0&check=weights");
    CHECK(forward.find("grad_w_query") != std::string::npos);
    CHECK(forward.find("grad_weights") != std::string::npos);
    const std::string backward = withheld_by("text=a+b&goal=pattern&target=1:1>0&check=grad_scores");
    CHECK(backward.starts_with("grad_scores[*,*,*] grad_queries[*,*,*] grad_keys"));
    CHECK(backward.find("grad_weights") == std::string::npos);
}

TEST_CASE("a stage that is only left out of the picture is no question", "[withheld]") {
    CHECK(withheld_by("text=a+b&hide=stage.scores") == "scores[*,*,*]");
    CHECK(is_up_to_blanks(read_link("text=a+b&hide=stage.scores").state, TensorId::output));
    const PlaygroundState asks = read_link("text=a+b&check=weights").state;
    CHECK(is_up_to_blanks(asks, TensorId::scores));
    CHECK(is_up_to_blanks(asks, TensorId::weights));
    CHECK_FALSE(is_up_to_blanks(asks, TensorId::context));
}

// Of all blanks of one cell: no row of weights that is left tells it, and nothing that is left was computed from it.
TEST_CASE("no single blank follows from what is left of its row", "[withheld][property]") {
    const std::string_view mask =
        GENERATE("", "&mask=none", "&mask_window=2", "&mask_window=2&mask=none", "&mask_window=1&mask_sinks=1",
                 "&mask_at=after", "&mask_at=raw", "&edit=mask[3,2]=1;edit=mask[3,1]=1");
    for (int row = 1; row < 4; ++row) {
        for (int column = 0; column < 4; ++column) {
            const PlaygroundState state =
                read_link(concat("text=a+b+c+d&heads=1", mask, "&hide=weights[1,", row, ",", column, "]")).state;
            const Evaluation evaluation = evaluate(state.inputs, 0);
            if (evaluation.problem->hidden(row, column) != 0) continue;
            const Blanks blanks(with_withheld(state));
            int num_blank = 0, num_seen = 0;
            for (int j = 0; j < 4; ++j) {
                if (evaluation.problem->hidden(row, j) != 0) continue;
                ++num_seen;
                num_blank += blanks.has(TensorId::weights, 0, row, j) ? 1 : 0;
            }
            CAPTURE(mask, row, column);
            CHECK(blanks.has(TensorId::weights, 0, row, column));
            CHECK(num_blank >= std::min(2, num_seen));
            CHECK(blanks.has(TensorId::context, 0, row, 0));
        }
    }
}

}  // namespace
}  // namespace attn

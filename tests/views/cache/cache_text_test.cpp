// The text of view=cache.
#include "views/cache/cache_text.h"

#include <catch_amalgamated.hpp>
#include <vector>

#include "playground/link/state_url.h"

namespace attn::test {

TEST_CASE("the text of the view has the step, the rows, the counts and the meter", "[cache][property]") {
    const PlaygroundState state = read_link("view=cache&prompt=6&at=3").state;
    Evaluator evaluator;
    evaluator.update(state);
    const std::vector<TextTable> tables = tables_of_cache(state, evaluator);
    REQUIRE(tables.size() == 5);
    CHECK(tables[0].title.starts_with("Step 3 of 5: “with” alone, beside 8 kept. Both ways"));
    CHECK(tables[1].rows.size() == 9);
    CHECK(tables[1].rows[7][1] == "kept, computed at step 2");
    CHECK(tables[1].rows[8][2] == "computed now");
    CHECK(tables[2].rows[0][2].ends_with("= 30"));
    CHECK(tables[3].rows[7][4].ends_with("its own"));
    CHECK(tables[3].rows[4][2].find("4.00x, 75.00 % saved, its own") != std::string::npos);
    CHECK(tables[4].title == deepseek_in_words());
}
}  // namespace attn::test

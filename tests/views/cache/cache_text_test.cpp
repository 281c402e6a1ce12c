// The text of view=cache.
#include "views/cache/cache_text.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <string>
#include <vector>

#include "playground/link/state_url.h"
#include "views/cache/cache_meter.h"

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

TEST_CASE("the meter in short is the row of the visitor's own model or layer", "[cache][property]") {
    for (const char* link : {"view=cache", "view=cache&kv=1", "view=cache&pos=none&latent=3",
                             "view=cache&length=131072", "view=cache&model=first-words&d_in=64&d_out=64&heads=8"}) {
        CAPTURE(link);
        const PlaygroundState state = read_link(link).state;
        Evaluator evaluator;
        evaluator.update(state);
        const Sizes& sizes = evaluator.shown().sizes;
        const TextTable meter = table_of_meter(state.inputs, sizes, state.view);
        const std::vector<std::string>& row = meter.rows[state.inputs.model.empty() ? 0 : 1];
        const std::string own = own_cache_in_words(state.inputs, sizes, state.view) + ", ";
        const auto is_own = [&](const std::string& cell) { return cell.starts_with(own) && cell.ends_with("its own"); };
        CHECK(std::ranges::count_if(row, is_own) == 1);
    }
}

TEST_CASE("a text compares both ways where that is done at once", "[cache]") {
    const auto title_of = [](const std::string& split) {
        const std::string words = "text=a b c d e f g h i j k l m n o p q r s t&d_in=512&d_out=512";
        const PlaygroundState state = read_link("view=cache&" + words + split).state;
        Evaluator evaluator;
        evaluator.update(state);
        const std::string said = announcement_of_cache(state, evaluator.shown());  // without the digests
        CHECK(tables_of_cache(state, evaluator)[0].title.starts_with(said.substr(0, said.size() - 1)));
        return tables_of_cache(state, evaluator)[0].title;
    };
    CHECK(title_of("&prompt=3").find("Both ways gave the same bits") != std::string::npos);
    CHECK(title_of("&prompt=3&at=17").ends_with("So many numbers are compared in the picture alone."));
}

}  // namespace attn::test

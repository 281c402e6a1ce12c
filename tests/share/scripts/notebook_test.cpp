// The form of notebooks, and when there is none. That their cells compute the page's numbers is tested by running them:
// tests/torch/notebooks.test.mjs.
#include "share/scripts/notebook.h"

#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "share/scripts/script_pytorch.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;

Result<std::string> try_notebook(const PlaygroundState& state) {
    Evaluator evaluator;
    const Evaluation& shown = evaluator.update(state);
    return write_notebook(state, shown, state.inputs.steps);
}

nlohmann::json notebook_of_link(std::string_view link) {
    const Result<std::string> text = try_notebook(read_link(link).state);
    INFO(text.error());
    REQUIRE(text);
    return nlohmann::json::parse(*text);
}

std::string source_of_cell(const nlohmann::json& notebook, std::string_view id) {
    std::string source;
    for (const nlohmann::json& cell : notebook.at("cells")) {
        if (cell.at("id") != id) continue;
        for (const nlohmann::json& line : cell.at("source")) source += line.get<std::string>();
    }
    return source;
}

// Of the cells with code.
std::vector<std::string> ids_of_code(const nlohmann::json& notebook) {
    std::vector<std::string> ids;
    for (const nlohmann::json& cell : notebook.at("cells"))
        if (cell.at("cell_type") == "code") ids.push_back(cell.at("id"));
    return ids;
}

TEST_CASE("a notebook has a cell a stage, in the order of the script, and then the comparison", "[scripts]") {
    const nlohmann::json notebook = notebook_of_link("text=a+b&dropout=0.25");
    CHECK(ids_of_code(notebook) == std::vector<std::string>{"setup", "tokens", "vectors", "learned", "embeddings",
                                                            "queries", "scores", "scaled_scores", "masked_scores",
                                                            "weights", "dropped_weights", "context", "merged", "output",
                                                            "check"});
    CHECK(source_of_cell(notebook, "weights") ==
          "weights = torch.softmax(masked_scores, dim=-1)\nshow(\"weights\", weights)");
    CHECK_THAT(source_of_cell(notebook, "about_weights"), ContainsSubstring("`softmax of each row of masked scores`"));
    CHECK_THAT(source_of_cell(notebook, "about_notebook"), ContainsSubstring("\n```\n#v=1&text=a+b&dropout=0.25\n```"));
}

TEST_CASE("each line of a notebook's stages is one of the script", "[scripts]") {
    for (const std::string_view link : {"text=a+b&heads=4&d_out=8&kv_heads=2&pos=rope&qk_norm=1&score_cap=3",
                                        "text=a+b&d_out=8&latent=3&mask_at=after&edit=w_query[0,1]=0.5&bias=1",
                                        "text=a+b&embed=torch&init=torch.randn&pos=alibi&sink_logits=1"}) {
        CAPTURE(link);
        const nlohmann::json notebook = notebook_of_link(link);
        const Result<std::string> script = script_pytorch(read_link(link).state, 0);
        REQUIRE(script);
        for (const nlohmann::json& cell : notebook.at("cells")) {
            if (cell.at("cell_type") != "code" || cell.at("id") == "check" || cell.at("id") == "setup") continue;
            for (const nlohmann::json& line : cell.at("source")) {
                std::string text = line.get<std::string>();
                if (text.starts_with("show(")) continue;
                CHECK_THAT(*script, ContainsSubstring(text));
            }
        }
    }
}

TEST_CASE("a notebook takes the sentence on the screen, or the first one with tokens", "[scripts]") {
    CHECK_THAT(source_of_cell(notebook_of_link("text=a+b&text=&text=c&sentence=3"), "embeddings"),
               ContainsSubstring("s = 3 "));
    CHECK_THAT(source_of_cell(notebook_of_link("text=&text=c&text=d+e&sentence=1"), "embeddings"),
               ContainsSubstring("s = 2 "));
}

TEST_CASE("where training ends in rounding, a notebook compares the loss alone", "[scripts]") {
    constexpr std::string_view kGoal = "text=a+b+c&goal=pattern&target=1:2>0&steps=3";
    const std::string all = source_of_cell(notebook_of_link(kGoal), "check_trained");
    CHECK_THAT(all, ContainsSubstring("\"weights\": (") && ContainsSubstring("\"grad_w_query\": ("));
    for (const std::string_view more : {"&optimizer=adam&bias=1&train=b_key", "&optimizer=adamw&train=x"}) {
        CAPTURE(more);
        const std::string loss = source_of_cell(notebook_of_link(concat(kGoal, more)), "check_trained");
        CHECK_THAT(loss, !ContainsSubstring("\"weights\": ("));
    }
    CHECK_THAT(
        source_of_cell(notebook_of_link(
                           "text=a+b+c&goal=pattern&target=1:2>0&steps=3&edit=queries[2,0]=1000&edit=keys[0,0]=-1000"),
                       "check_trained"),
        ContainsSubstring("so nothing is compared"));
}

TEST_CASE("a state without tokens, and one with too many pasted numbers, have no notebook but a sentence",
          "[scripts][bad-input]") {
    CHECK_THAT(try_notebook(read_link("text=").state).error(), ContainsSubstring("The sentence is empty"));
    PlaygroundState state = read_link("text=a&d_in=256&d_out=256&heads=1").state;
    for (int row = 0; row < 256; ++row)
        for (int column = 0; column < 256; ++column)
            state.inputs.edits.push_back({.tensor = TensorId::w_query,
                                          .row = row,
                                          .column = column,
                                          .value = 1.0F / static_cast<float>(3 + row * 256 + column)});
    CHECK_THAT(try_notebook(state).error(), ContainsSubstring("is the limit"));
}

}  // namespace
}  // namespace attn

// That the lines compute the page's numbers is tested where notebooks run: they are the lines of their cells.
#include "share/scripts/stage_code.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/random_states.h"
#include "playground/state/open_models.h"
#include "playground/state/shapes.h"
#include "share/scripts/notebook.h"
#include "share/scripts/script_class.h"
#include "share/scripts/script_model.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;

std::string lines_of_stage(const PlaygroundState& state, TensorId stage) {
    const Result<std::vector<StageCode>> all = code_of_stages(state);
    INFO(all.error());
    REQUIRE(all);
    for (const StageCode& one : *all)
        if (std::ranges::count(one.stages, stage) != 0) return one.code;
    return "";
}

TEST_CASE("each stage has the lines that make it", "[stage-code]") {
    const PlaygroundState state = read_link("text=a+b&heads=2&d_out=4&kv_heads=1").state;
    CHECK(lines_of_stage(state, TensorId::weights) == "weights = torch.softmax(masked_scores, dim=-1)");
    CHECK(lines_of_stage(state, TensorId::masked_scores) ==
          "hidden = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)\n"
          "masked_scores = scaled_scores.masked_fill(hidden, -torch.inf)");
    CHECK(lines_of_stage(state, TensorId::keys) == lines_of_stage(state, TensorId::queries));
    CHECK_THAT(lines_of_stage(state, TensorId::keys), ContainsSubstring("keys = keys.view(T, kv_heads, head_dim)"));
}

TEST_CASE("the lines are those of the notebook's cell, whatever the state", "[stage-code]") {
    for (int n = 0; n < 60; ++n) {
        test::Dice dice(static_cast<std::uint32_t>(n));
        PlaygroundState state = test::random_state(dice);
        clamp_to_legal(state);
        state.view.check.clear();
        CAPTURE(n, write_link(state));
        Evaluator evaluator;
        const Evaluation& shown = evaluator.update(state);
        const Result<std::string> notebook = write_notebook(state, shown, 0);
        const Result<std::vector<StageCode>> all = code_of_stages(state);
        if (!notebook) continue;
        REQUIRE(all);
        for (const TensorId stage : present_stages(state.inputs)) {
            CAPTURE(tensor_name(stage));
            CHECK_FALSE(lines_of_stage(state, stage).empty());
        }
        if (open_model_of(state.inputs)) continue;
        const nlohmann::json cells = nlohmann::json::parse(*notebook).at("cells");
        for (const StageCode& one : *all) {
            if (is_gradient(one.stages.front())) continue;
            const auto cell = std::ranges::find_if(cells, [&](const nlohmann::json& each) {
                return each.at("id") == std::string(tensor_name(one.stages.front()));
            });
            REQUIRE(cell != cells.end());
            std::string source;
            for (const nlohmann::json& line : cell->at("source")) source += line.get<std::string>();
            CHECK_THAT(source, ContainsSubstring(one.code + "\nshow("));
        }
    }
}

TEST_CASE("gradients come behind the loss's way back", "[stage-code]") {
    const PlaygroundState state =
        read_link("text=a+b+c&goal=pattern&target=1:2>0&stage=grad_weights&init=torch.linear").state;
    CHECK_THAT(lines_of_stage(state, TensorId::grad_weights), ContainsSubstring("gradient(stages[\"weights\"])"));
    CHECK_THAT(lines_of_stage(state, TensorId::grad_w_query),
               ContainsSubstring("grad_w_query = gradient(W_query.weight).T"));
    const Result<std::vector<StageCode>> all = code_of_stages(state);
    CHECK(std::ranges::count_if(*all, [](const StageCode& one) { return one.code.starts_with("loss.backward()\n"); }) ==
          1);
}

TEST_CASE("a model's stages have lines of its script, without the loop's depth", "[stage-code][model]") {
    const std::string_view first = "model=first-words&layer=2&text=the+dogs+near";
    for (const std::string_view more :
         {"", "&off=2:4", "&compare=model%3Dfirst-words%26text%3Dthe%2Bcats%2Bnear&patch=mlp.1@2&patch=2:4@*"}) {
        const std::string link = concat(first, more);
        CAPTURE(link);
        const PlaygroundState state = read_link(link).state;
        CHECK(lines_of_stage(state, TensorId::weights) == "weights = masked_scores.softmax(-1)");
        CHECK_THAT(lines_of_stage(state, TensorId::masked_scores), ContainsSubstring("hidden = torch.triu("));
        CHECK_THAT(lines_of_stage(state, TensorId::mlp_hidden), ContainsSubstring("mlp_hidden = "));
        // The stages of heads that are off or patched are those of the heads themselves.
        CHECK(lines_of_stage(state, TensorId::merged).empty() == !more.empty());
        CHECK(lines_of_stage(state, TensorId::output).empty() == !more.empty());
        if (!more.empty())
            CHECK_THAT(lines_of_stage(state, TensorId::attention_added),
                       ContainsSubstring("merged = handed_on.") && ContainsSubstring("output = merged @ "));
        const Result<std::string> script = script_model(state);
        REQUIRE(script);
        const Result<std::vector<StageCode>> all = code_of_stages(state);
        for (const StageCode& one : *all) {
            CHECK_FALSE(one.code.starts_with(' '));
            CHECK_THAT(*script, ContainsSubstring(one.code.substr(0, one.code.find('\n'))));
        }
    }
}

TEST_CASE("the lines as a file say what they make; without tokens there are none", "[stage-code][bad-input]") {
    const Result<std::string> file = code_of_stage(read_link("text=a+b").state, TensorId::weights);
    REQUIRE(file);
    CHECK(*file ==
          "# weights: softmax of each row of masked scores, (num_heads, T, T)\n"
          "weights = torch.softmax(masked_scores, dim=-1)\n");
    CHECK_THAT(code_of_stages(read_link("text=").state).error(), ContainsSubstring("The sentence is empty"));
    CHECK_THAT(code_of_stage(read_link("text=a").state, TensorId::logits).error(), ContainsSubstring("no lines"));
}

TEST_CASE("the lectures' class is that of the state", "[stage-code]") {
    const auto class_of_link = [](std::string_view link) {
        const Result<std::string> script = script_class(read_link(link).state);
        INFO(script.error());
        REQUIRE(script);
        return *script;
    };
    CHECK_THAT(class_of_link("text=a+b&heads=1&mask=none&out=0&init=torch.rand"),
               ContainsSubstring("\n\n\nclass SelfAttention_v1(nn.Module):\n") && !ContainsSubstring("self.mask"));
    CHECK_THAT(class_of_link("text=a+b&heads=1&mask=none&out=0"), ContainsSubstring("class SelfAttention_v2("));
    CHECK_THAT(class_of_link("text=a+b&heads=1&out=0&dropout=0.5"),
               ContainsSubstring("CausalAttention(d_in, d_out, context_length=2, dropout=0.5)"));
    CHECK_THAT(class_of_link("text=a+b&text=c+d+e"),
               ContainsSubstring("MultiHeadAttention(d_in, d_out, num_heads, context_length=3)"));
    CHECK_THAT(class_of_link("text=a+b&check=output"), ContainsSubstring("print(without_blanks(\"output\", output))"));
    CHECK_THAT(script_class(read_link("text=a&pos=alibi").state).error(), ContainsSubstring("ALiBi"));
}

}  // namespace
}  // namespace attn

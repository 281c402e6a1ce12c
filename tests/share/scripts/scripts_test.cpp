// What the scripts are made of, and when there is none. That they print the program's numbers is tested by running
// them: scripts.test.mjs.
#include <catch_amalgamated.hpp>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "share/scripts/script_numpy.h"
#include "share/scripts/script_parts.h"
#include "share/scripts/script_pytorch.h"

namespace attn {
namespace {

using Write = Result<std::string> (*)(const PlaygroundState&, int);

std::string script(Write write, std::string_view link) {
    const PlaygroundState state = read_link(link).state;
    const Result<std::string> text = write(state, state.inputs.steps);
    REQUIRE(text);
    return *text;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

Inputs with_edits(std::string_view link) {
    return read_link(link).state.inputs;
}

TEST_CASE("edits become as few rectangles as runs of columns allow", "[scripts]") {
    const Inputs inputs = with_edits("text=a+b+c&edit=w_query[0,1]=1,2;3,4&edit=w_query[3,0]=5&edit=w_query[0,3]=6");
    const std::vector<EditedBlock> blocks = edited_blocks(inputs, TensorId::w_query, 1, 3);
    REQUIRE(blocks.size() == 3);
    CHECK(blocks[0].rows == std::vector<std::vector<float>>{{1, 2, 6}});  // the run of row 0 is longer than that below
    CHECK(blocks[1].rows == std::vector<std::vector<float>>{{3, 4}});
    CHECK(blocks[2].is_uniform());

    const Inputs block = with_edits("text=a+b+c&edit=w_query[0,1]=1,2;3,4");
    const std::vector<EditedBlock> one = edited_blocks(block, TensorId::w_query, 1, 3);
    REQUIRE(one.size() == 1);
    CHECK(one[0].first_row == 0);
    CHECK(one[0].last_row == 1);
    CHECK(one[0].first_column == 1);
    CHECK(one[0].last_column == 2);
}

TEST_CASE("edits of other sentences, outside of the shapes, or without effect are left out", "[scripts]") {
    const Inputs inputs = with_edits("text=a+b&text=c&edit=x[1,0,0]=7&edit=x[5,0]=1&edit=w_out[9,9]=1");
    CHECK(edited_blocks(inputs, TensorId::embeddings, 1, 2).empty());
    CHECK(edited_blocks(inputs, TensorId::embeddings, 2, 1).size() == 1);
    CHECK(edited_blocks(inputs, TensorId::w_out, 1, 2).empty());
    // A mask that hides what is hidden anyway, and one that would hide all: the token sees itself again.
    CHECK(edited_blocks(with_edits("text=a+b&edit=mask[0,1]=1"), TensorId::mask, 1, 2).empty());
    CHECK(edited_blocks(with_edits("text=a+b&edit=mask[0,0]=1"), TensorId::mask, 1, 2).empty());
    CHECK(edited_blocks(with_edits("text=a+b&edit=mask[1,0]=1"), TensorId::mask, 1, 2).size() == 1);
}

TEST_CASE("the PyTorch script draws with the modules of the lectures", "[scripts]") {
    const std::string linear = script(script_pytorch, "text=a+b&bias=1&seed=789");
    CHECK(has(linear, "torch.manual_seed(789)\nW_query = nn.Linear(d_in, d_out)\n"));
    CHECK(has(linear, "W_out = nn.Linear(d_out, d_out)\n"));
    const std::string rand = script(script_pytorch, "text=a+b&init=torch.rand&out=0&embed=torch");
    CHECK(has(rand, "W_query = nn.Parameter(torch.rand(d_in, d_out))\n"));
    CHECK(has(rand, "embedding = nn.Embedding(len(vocabulary), d_in)\n"));
    CHECK(has(script(script_pytorch, "text=a+b&edit=w_query[0,1]=0.5"), "W_query.weight.T[0, 1] = 0.5"));
    CHECK(has(script(script_pytorch, "text=a+b&edit=b_query[1]=0.5,1&bias=1"),
              "W_query.bias[1:3] = torch.tensor([0.5, 1.0])"));
    CHECK(has(script(script_pytorch, "text=a+b&dropout=0.25&dropout_seed=7"),
              "torch.manual_seed(7)\ndropout = nn.Dropout(0.25)\n"));
}

TEST_CASE("a script says first that it is UTF-8, and its link says nothing to Python", "[scripts][bad-input]") {
    for (const auto& write : {script_numpy, script_pytorch}) {
        const std::string text = script(write, "text=coding:latin-1+caf%C3%A9&compare=text%3Dcoding%3Dx\\x0aimport+os");
        CHECK(text.starts_with("# -*- coding: utf-8 -*-\n# Multi-head attention with "));
        CHECK(has(text,
                  "\n# The state as a link: #v=1&text=coding%3Alatin-1+caf%C3%A9&compare=v=1%26text=coding%3Dx%5C"));
        CHECK(has(text, "\ntokens = [\"coding:latin\", \"-\", \"1\", \"café\"]\n"));
    }
}

TEST_CASE("a script has only the lines that the state needs", "[scripts]") {
    for (const auto& write : {script_numpy, script_pytorch}) {
        const std::string plain =
            script(write, "text=a+b&init=none&d_in=4&d_out=4&out=0&pos=none&mask=none&embed=typed&x=1");
        for (const std::string_view absent : {"drop", "seed", "andom", "hidden", "output", "b_query", "vocabulary",
                                              "hashed", "channel", "for s", "by hand", "pinned"}) {
            CAPTURE(absent);
            CHECK_FALSE(has(plain, absent));
        }
        CHECK(plain.size() < 2500);
        CHECK(has(script(write, "text=a+b&cell=1,1,0&stage=scores"),
                  "print(f\"scores[0, 1, 0] = {stages['scores'][0, 1, 0]:.4f}\")"));
        const std::string batch = script(write, "text=a+b&text=&text=c&sentence=3&edit=x[2,0,0]=5");
        CHECK(has(batch, "sentences = {\n    1: [\"a\", \"b\"],\n    3: [\"c\"],\n}\n"));
        CHECK(has(batch, "    if s == 3:\n        x[0, 0] = 5.0  # changed by hand\n"));
    }
    CHECK_FALSE(has(script(script_numpy, "text=a"), "uniform53"));
    CHECK_FALSE(has(script(script_numpy, "text=a&out=0"), "linear_bias"));
    CHECK(has(script(script_numpy, "text=a&init=torch.randn&d_in=2&d_out=2&heads=1&out=0"), "def normal(self)"));
    CHECK_FALSE(has(script(script_numpy, "text=a&init=torch.randn&d_in=8&d_out=2&heads=1&out=0"), "def normal(self)"));
}

TEST_CASE("a script trains where there is a goal that asks for something", "[scripts]") {
    constexpr std::string_view kGoal = "text=a+b+c&goal=pattern&target=1:2>0";
    for (const auto& write : {script_numpy, script_pytorch}) {
        CHECK_FALSE(has(script(write, "text=a+b+c&goal=pattern&steps=3"), "loss"));  // there is no target
        const std::string before = script(write, kGoal);
        CHECK(has(before, "print(f\"step 0: loss {"));
        CHECK_FALSE(has(before, "for step in range"));
        const std::string link = concat(kGoal, "&steps=3&optimizer=adamw&rate=0.05");
        CHECK(has(script(write, link), "for step in range(4):\n"));
        CHECK_FALSE(has(script(write, link), "not be finite"));
        // Of steps that could not be taken the script says why, and takes those that could.
        const Result<std::string> stopped = write(read_link(link).state, 2);
        REQUIRE(stopped);
        CHECK(has(*stopped, "# One more step, and the loss or a number would not be finite.\nfor step in range(3):\n"));
    }
    CHECK(has(script(script_pytorch, concat(kGoal, "&steps=3&optimizer=adamw&rate=0.05")),
              "optimizer = torch.optim.AdamW(learned, lr=0.05)\n"));
    CHECK(has(script(script_numpy, concat(kGoal, "&steps=3&optimizer=momentum&rate=0.05")),
              "mean[name] = 0.9 * mean[name] + at if step else at\n"));
    CHECK(has(script(script_numpy, concat(kGoal, "&edit=queries[1,0]=2")),
              "at_query[1, 0] = 0  # typed by hand: the way back ends here\n"));
}

TEST_CASE("no sentence, or one that would be a script of numbers, is a sentence about it", "[scripts][bad-input]") {
    std::string rows = "text=a&embed=typed&d_in=1024&x=";
    for (int c = 0; c < 1024; ++c) rows += concat(c > 0 ? "," : "", "0.1234567");
    PlaygroundState long_state = read_link(rows).state;
    CHECK(script_numpy(long_state, 0));
    long_state.inputs.texts[0].clear();
    for (int i = 0; i < 60; ++i) long_state.inputs.texts[0] += "word ";
    long_state.inputs.typed[0].resize(60, long_state.inputs.typed[0][0]);
    for (const auto& write : {script_numpy, script_pytorch}) {
        CHECK(write(read_link("text=").state, 0).error() ==
              "The sentence is empty, so there is nothing that a script could compute.");
        const Result<std::string> refused = write(long_state, 0);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().starts_with("The script would have "));
    }
}

}  // namespace
}  // namespace attn

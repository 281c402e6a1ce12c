// tests/torch/model_scripts.py runs such scripts on the files of every kind of model.
#include "share/scripts/script_model.h"

#include <catch_amalgamated.hpp>
#include <string>

#include "playground/link/state_url.h"
#include "share/scripts/script_numpy.h"
#include "share/scripts/script_parts.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;

std::string script_of(std::string_view link) {
    const Result<std::string> script = script_model(read_link(link).state);
    INFO(script.error());
    REQUIRE(script);
    return *script;
}

TEST_CASE("a model's script names the layer, the tokens, the files' tensors and the pinned number",
          "[scripts][model]") {
    const std::string script = script_of("model=first-words&layer=2&text=the+dogs+near&stage=weights&cell=4,2,1");
    for (const char* line :
         {"# The model first-words, layer 2 of 2, on 4 tokens, with PyTorch alone.\n",
          "words = [\"<s>\", \"the\", \"dogs\", \"near\"]\n", "shown = 1 ",
          "w_key = tensors[f\"h.{n}.attn.c_attn.weight\"][:, 64:128]\n", "\"<- on the screen\" if name == \"weights\"",
          "stages['weights'][3, 2, 1]", "from transformers import AutoModelForCausalLM\n"})
        CHECK_THAT(script, ContainsSubstring(line));
    CHECK_THAT(script,
               !ContainsSubstring("typed_over") && !ContainsSubstring("handed_on") && !ContainsSubstring("turned"));
    CHECK_THAT(script_of("model=own-words&layer=3&text=I+love"), ContainsSubstring("shown = 2 "));
}

TEST_CASE("what was switched and typed is in the script, and then there is no part with transformers",
          "[scripts][model]") {
    const std::string script =
        script_of("model=first-words&layer=1&text=the+dogs+near&off=2:4&off_by=mean&edit=2.w_value[0,1]=0.5");
    for (const char* line : {"(1, \"w_value\", 0, 1, 0.5),\n", "for layer, head in [(1, 3)]:", "context[head].mean(0)",
                             "w_value = typed_over(n, \"w_value\", ", "no head off, no number typed over, no patch"})
        CHECK_THAT(script, ContainsSubstring(line));
    CHECK_THAT(script, !ContainsSubstring("from transformers"));
}

TEST_CASE("too many numbers, and NumPy's script are sentences", "[scripts][model][bad-input]") {
    CHECK_THAT(script_numpy(read_link("model=first-words&text=the+cat").state, 0).error(),
               ContainsSubstring("the PyTorch script reads those"));
    PlaygroundState state = read_link("model=first-words&text=the+cat").state;
    for (int row = 0; row < 64; ++row)
        for (int column = 0; column < 64; ++column)
            for (const TensorId tensor : {TensorId::w_query, TensorId::w_key, TensorId::w_value})
                state.inputs.edits.push_back(
                    {.tensor = tensor, .sentence = 0, .row = row, .column = column, .value = 0.123456789F, .layer = 1});
    CHECK_THAT(script_model(state).error(), ContainsSubstring("is the limit"));
}

}  // namespace
}  // namespace attn

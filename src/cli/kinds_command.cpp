// The rows are the readers' own; the words beside them are told here.
#include "cli/kinds_command.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/ground/check.h"
#include "model/layers/gguf_model.h"
#include "model/layers/model_config.h"
#include "model/layers/rope_scaling.h"

namespace attn {
namespace {

struct Words {
    std::string_view row;  // a kind's or a rope's name in config.json
    std::string_view words;
    std::string_view held = {};
};

constexpr std::string_view kOracle =
    "PyTorch in double: every stage and the logits in F32, F16 and BF16; slopes of nudged numbers in F32";
constexpr std::string_view kMaskedOracle = "PyTorch in double: every stage and the logits in F32, F16 and BF16";
constexpr std::array kWordsOfKinds = {
    Words{
        "gpt2",
        "queries, keys and values in one matrix; GELU by tanh; matrices as they are used, or as nn.Linear keeps them "
        "(nanoGPT, minGPT): the shape of `c_attn` tells; with biases or without; the names of GPTModel (Raschka 2024) "
        "and of minGPT as it was in 2020, too",
        "PyTorch in double: every stage and the logits in F32, F16 and BF16, slopes and gradients in F32; the logits "
        "of nanoGPT, both minGPTs and GPTModel as modules of PyTorch"},
    Words{"gpt_neo", "scores are not divided by √head_dim; every other layer sees a window; TinyStories' kind",
          kOracle},
    Words{"bert",
          "norms after the sums, no mask, token types; logits only where the file has the head for masked words",
          kMaskedOracle},
    Words{"roberta",
          "as BERT, with positions counted after that of padding tokens (`pad_token_id`), and a head for masked words "
          "by other names",
          kMaskedOracle},
    Words{"xlm-roberta", "the same with words of many languages", "as RoBERTa"},
    Words{"camembert", "the same with French words", "as RoBERTa"},
    Words{"distilbert", "as BERT without token types; other names", kMaskedOracle},
    Words{"llama", "RMS norms, rotary positions by halves, fewer key heads than heads, gated MLP", kOracle},
    Words{"mistral", "the same with a window", kOracle},
    Words{"qwen2", "as Llama with biases of queries, keys and values", kOracle},
    Words{"qwen3", "as Llama with norms of queries and keys, and heads that need not fill the width", kOracle},
    Words{"gpt_neox",
          "Pythia's kind: the MLP reads the stream beside the attention, not after it, where `use_parallel_residual` "
          "says so; queries, keys and values of a head lie together; a part of each head is turned",
          kOracle},
    Words{
        "gemma",
        "as Llama with GELU by tanh, 1 added to the weights of norms, and the tokens' vectors times √width, rounded to "
        "the type of the file",
        kOracle},
    Words{"gemma2",
          "the same with norms of what attention and MLP add, soft caps of scores and logits, a window in every other "
          "layer, and scores divided by √`query_pre_attn_scalar`",
          kOracle},
    Words{
        "gemma3_text",
        "the same with norms of queries and keys in the place of the caps; layers with a window have rotary positions "
        "of their own; of `gemma3` the part that reads text",
        kOracle},
    Words{"smollm3", "as Llama; every fourth layer has no positions, or those that `no_rope_layers` names", kOracle},
    Words{"phi3", "as Llama; queries, keys and values in one matrix, gates and sums in another; with a window or none",
          kOracle},
    Words{"olmo2",
          "as Llama with norms of what attention and MLP add, in the place of those of what they read, and of queries "
          "and keys over all heads together",
          kOracle},
    Words{"opt",
          "as GPT-2 with ReLU, matrices of their own, and positions from the third row of their table on; norms before "
          "or after (`do_layer_norm_before`)",
          kOracle},
    Words{
        "phi",
        "attention and MLP read the same norm of the stream and are added together; a part of each head is turned; the "
        "logits have a bias",
        kOracle},
    Words{"stablelm", "as Llama with layer norms; a quarter of each head is turned; `use_parallel_residual` as Phi",
          kOracle},
    Words{"cohere",
          "as Phi without biases, gated, its rotary positions turn neighbours; logits are multiplied by `logit_scale`",
          kOracle},
    Words{"gptj", "as Phi; its rotary positions turn neighbours, the first `rotary_dim` numbers of each head", kOracle},
    Words{"bloom",
          "ALiBi in the place of positions; queries, keys and values of a head lie together; a norm of the tokens' "
          "vectors",
          kOracle},
    Words{"starcoder2", "as Llama with layer norms, biases and GELU without gates; a window", kOracle},
    Words{"",
          "TransformerLens' small models, `\"attn_only\": true`: norms or none, positions as usual or \"shortformer\"",
          "as Llama, of \"shortformer\" without norms"}};
constexpr std::array kWordsOfRopes = {
    Words{"default", "position · base^(−2p / d) for pair p"},
    Words{"linear", "all frequencies divided by `factor` (Chen et al. 2023)"},
    Words{"dynamic", "as `default`: up to `max_position_embeddings` tokens nothing changes, and more are not taken"},
    Words{"llama3", "slow ones divided, fast ones kept, a mixture between (Llama 3.1 and 3.2)"},
    Words{"yarn",
          "the same along a ramp, cosines and sines longer (Peng et al. 2023); `mscale`, `mscale_all_dim`, "
          "`attention_factor`, `truncate`"},
    Words{"longrope", "a factor for each pair, others beyond `original_max_position_embeddings` (Ding et al. 2024)"},
    Words{"su", "an older name of `longrope`"}};

const Words& words_of(std::span<const Words> table, std::string_view row) {
    const auto found = std::ranges::find(table, row, &Words::row);
    ATTN_CHECK(found != table.end(), "no words for ", row);
    return *found;
}

}  // namespace

bool is_about_kinds(std::span<const std::string> arguments) {
    return arguments.size() == 1 && arguments[0] == "kinds";
}

std::string kinds_text() {
    std::string text = "| kind | `model_type` | what is special about it | held against |\n|---|---|---|---|\n";
    for (const ReadKind& kind : kReadKinds) {
        const Words& words = words_of(kWordsOfKinds, kind.type);
        const std::string type = kind.type.empty() ? std::string("none") : concat("`", kind.type, "`");
        text += concat("| ", kind.name, " | ", type, " | ", words.words, " | ", words.held, " |\n");
    }
    text += "\n| `rope_type` | how far queries and keys are turned |\n|---|---|\n";
    for (const RopeTypeName& rope : kRopeTypes)
        text += concat("| `", rope.name, "` | ", words_of(kWordsOfRopes, rope.name).words, " |\n");
    text += "\n| `general.architecture` | read as |\n|---|---|\n";
    for (const GgufKind& kind : gguf_kinds()) text += concat("| `", kind.architecture, "` | `", kind.type, "` |\n");
    return text;
}

std::string kinds_help_text() {
    return "  attn kinds              the kinds of models that are read, and what each was held against\n\n";
}

}  // namespace attn

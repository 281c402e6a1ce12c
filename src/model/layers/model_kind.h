// The kinds of models that this program computes.
#pragma once

namespace attn {

enum class ModelKind {
    gpt2,            // Radford et al. 2019
    gpt_neo,         // scores are not divided; some layers see a window (TinyStories has this architecture)
    bert,            // Devlin et al. 2018: norms after the sum, no mask, token types
    llama,           // Touvron et al. 2023, Mistral alike: RMS norms, rotary positions, gated MLP, shared key heads
    qwen2,           // the same with biases of queries, keys and values
    qwen3,           // the same with norms of queries and keys
    attention_only,  // the small models of TransformerLens: no MLP
};

}  // namespace attn

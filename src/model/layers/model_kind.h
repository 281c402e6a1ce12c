// The kinds of models that this program computes.
#pragma once

namespace attn {

enum class ModelKind {
    gpt2,            // Radford et al. 2019
    gpt_neo,         // scores are not divided; some layers see a window (TinyStories has this architecture)
    bert,            // Devlin et al. 2018: norms after the sum, no mask, token types
    roberta,         // Liu et al. 2019, XLM-R and CamemBERT alike: positions after that of padding, one token type
    distilbert,      // Sanh et al. 2019: no token types, names of its own
    llama,           // Touvron et al. 2023, Mistral alike: RMS norms, rotary positions, gated MLP, shared key heads
    qwen2,           // the same with biases of queries, keys and values
    qwen3,           // the same with norms of queries and keys
    gpt_neox,        // Black et al. 2022, Pythia: the MLP beside the attention, a part of each head is turned
    gemma,           // Gemma Team 2024: norms' weights around 0, vectors of tokens times the root of the width
    gemma2,          // norms of what is added, too, caps of scores and logits, every other layer with a window
    gemma3,          // norms of queries and keys in place of the caps, two bases of rotary positions
    smollm3,         // as Llama, every fourth layer without positions
    phi3,            // as Llama, its matrices stacked: queries on keys on values, gates on sums
    olmo2,           // OLMo 2: norms of what attention and MLP add, of queries and keys over all heads
    opt,             // Zhang et al. 2022: learned positions from the third row on, ReLU
    phi,             // Phi-1 to Phi-2: attention and MLP read one norm, a part of each head is turned
    stablelm,        // as Llama with layer norms, a part of each head is turned
    cohere,          // Command R: attention and MLP read one norm, neighbours are turned, logits are scaled
    gptj,            // Wang and Komatsuzaki 2021: attention and MLP read one norm, neighbours are turned
    bloom,           // BigScience 2022: ALiBi, a norm of the tokens' vectors
    starcoder2,      // Lozhkov et al. 2024: as Llama with layer norms, biases and an MLP without gates
    attention_only,  // the small models of TransformerLens: no MLP
};

}  // namespace attn

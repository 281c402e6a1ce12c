// Small models with random numbers, written as the folders that people download.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { make_dice } from "../share/random_links.mjs";

const kWidth = 16;
const kVocabulary = 24;
const kPositions = 12;

const both = (name, size) => ({ [`${name}.weight`]: [size], [`${name}.bias`]: [size] });
const linear = (name, outputs, inputs) => ({ [`${name}.weight`]: [outputs, inputs], [`${name}.bias`]: [outputs] });
const for_layers = (make) => Object.assign({}, make(0), make(1));

const kModels = {
  gpt2: {
    config: {
      model_type: "gpt2",
      n_embd: kWidth,
      n_layer: 2,
      n_head: 4,
      vocab_size: kVocabulary,
      n_positions: kPositions,
    },
    tensors: {
      "wte.weight": [kVocabulary, kWidth],
      "wpe.weight": [kPositions, kWidth],
      ...for_layers((layer) => ({
        ...both(`h.${layer}.ln_1`, kWidth),
        ...both(`h.${layer}.ln_2`, kWidth),
        [`h.${layer}.attn.c_attn.weight`]: [kWidth, 3 * kWidth],
        [`h.${layer}.attn.c_attn.bias`]: [3 * kWidth],
        [`h.${layer}.attn.c_proj.weight`]: [kWidth, kWidth],
        [`h.${layer}.attn.c_proj.bias`]: [kWidth],
        [`h.${layer}.mlp.c_fc.weight`]: [kWidth, 4 * kWidth],
        [`h.${layer}.mlp.c_fc.bias`]: [4 * kWidth],
        [`h.${layer}.mlp.c_proj.weight`]: [4 * kWidth, kWidth],
        [`h.${layer}.mlp.c_proj.bias`]: [kWidth],
      })),
      ...both("ln_f", kWidth),
    },
  },
  bert: {
    config: {
      model_type: "bert",
      hidden_size: kWidth,
      num_hidden_layers: 2,
      num_attention_heads: 4,
      intermediate_size: 40,
      vocab_size: kVocabulary,
      max_position_embeddings: kPositions,
      type_vocab_size: 2,
      hidden_act: "gelu",
    },
    tensors: {
      "embeddings.word_embeddings.weight": [kVocabulary, kWidth],
      "embeddings.position_embeddings.weight": [kPositions, kWidth],
      "embeddings.token_type_embeddings.weight": [2, kWidth],
      ...both("embeddings.LayerNorm", kWidth),
      ...for_layers((layer) => ({
        ...linear(`encoder.layer.${layer}.attention.self.query`, kWidth, kWidth),
        ...linear(`encoder.layer.${layer}.attention.self.key`, kWidth, kWidth),
        ...linear(`encoder.layer.${layer}.attention.self.value`, kWidth, kWidth),
        ...linear(`encoder.layer.${layer}.attention.output.dense`, kWidth, kWidth),
        ...both(`encoder.layer.${layer}.attention.output.LayerNorm`, kWidth),
        ...linear(`encoder.layer.${layer}.intermediate.dense`, 40, kWidth),
        ...linear(`encoder.layer.${layer}.output.dense`, kWidth, 40),
        ...both(`encoder.layer.${layer}.output.LayerNorm`, kWidth),
      })),
    },
  },
  llama: {
    config: {
      model_type: "llama",
      hidden_size: kWidth,
      num_hidden_layers: 2,
      num_attention_heads: 4,
      num_key_value_heads: 2,
      intermediate_size: 40,
      vocab_size: kVocabulary,
      max_position_embeddings: kPositions,
      hidden_act: "silu",
      tie_word_embeddings: true,
    },
    tensors: {
      "model.embed_tokens.weight": [kVocabulary, kWidth],
      "model.norm.weight": [kWidth],
      ...for_layers((layer) => ({
        [`model.layers.${layer}.input_layernorm.weight`]: [kWidth],
        [`model.layers.${layer}.post_attention_layernorm.weight`]: [kWidth],
        [`model.layers.${layer}.self_attn.q_proj.weight`]: [kWidth, kWidth],
        [`model.layers.${layer}.self_attn.k_proj.weight`]: [kWidth / 2, kWidth],
        [`model.layers.${layer}.self_attn.v_proj.weight`]: [kWidth / 2, kWidth],
        [`model.layers.${layer}.self_attn.o_proj.weight`]: [kWidth, kWidth],
        [`model.layers.${layer}.mlp.gate_proj.weight`]: [40, kWidth],
        [`model.layers.${layer}.mlp.up_proj.weight`]: [40, kWidth],
        [`model.layers.${layer}.mlp.down_proj.weight`]: [kWidth, 40],
      })),
    },
  },
};

export const model_names = Object.keys(kModels);

/** The bytes of a safetensors file with random numbers in F32, those of single rows around 1. @param {Record<string, number[]>} tensors */
export function safetensors(tensors, seed = 1) {
  const dice = make_dice(seed);
  const header = {};
  const numbers = [];
  for (const [name, shape] of Object.entries(tensors)) {
    const size = shape.reduce((product, one) => product * one, 1);
    const around = name.endsWith("weight") && shape.length === 1 ? 1 : 0;
    header[name] = { dtype: "F32", shape, data_offsets: [4 * numbers.length, 4 * (numbers.length + size)] };
    for (let i = 0; i < size; ++i) numbers.push(around + (dice.below(20001) - 10000) / 20000);
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const data = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, i) => data.writeFloatLE(number, 4 * i));
  return Buffer.concat([length, text, data]);
}

/** A tokenizer of bytes a to t, their one merge, and an end. */
export const tokenizer_json = () => {
  const vocab = Object.fromEntries([..."abcdefghijklmnopqrst"].map((letter, i) => [letter, i]));
  Object.assign(vocab, { "\u0120": 20, th: 21, he: 22 });
  const byte_level = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true };
  return {
    added_tokens: [{ id: 23, content: "<|endoftext|>", special: true, normalized: false }],
    normalizer: null,
    pre_tokenizer: byte_level,
    post_processor: null,
    decoder: byte_level,
    model: { type: "BPE", vocab, merges: ["t h", "h e"] },
  };
};

/** Writes one of model_names into a new folder of `parent`; returns its path. */
export function write_model(parent, name) {
  const folder = join(parent, name);
  mkdirSync(folder);
  const { config, tensors } = kModels[name];
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  writeFileSync(join(folder, "model.safetensors"), safetensors(tensors));
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(tokenizer_json()));
  return folder;
}

// Files of the shapes of models that memory has no room for, with random numbers. With ATTN_BENCH_SMALL in the environment all sizes
// are small: a try whether the bench still runs (benches.test.mjs).
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const is_small = process.env.ATTN_BENCH_SMALL !== undefined;

/** As config.json has them; the published ones. */
const kShapes = {
  "qwen3-0.6b": {
    model_type: "qwen3",
    ...{ hidden_size: 1024, num_hidden_layers: 28, intermediate_size: 3072, vocab_size: 151936 },
    ...{ num_attention_heads: 16, num_key_value_heads: 8, head_dim: 128, rope_theta: 1e6, rms_norm_eps: 1e-6 },
    ...{ hidden_act: "silu", max_position_embeddings: 40960, tie_word_embeddings: true },
  },
  "llama-3.2-1b": {
    model_type: "llama",
    ...{ hidden_size: 2048, num_hidden_layers: 16, intermediate_size: 8192, vocab_size: 128256 },
    ...{ num_attention_heads: 32, num_key_value_heads: 8, head_dim: 64, rope_theta: 5e5, rms_norm_eps: 1e-5 },
    ...{ hidden_act: "silu", max_position_embeddings: 131072, tie_word_embeddings: true },
  },
  // Wider than a texture. Asked for by name alone: 6.4 GB.
  "llama-3.2-3b": {
    model_type: "llama",
    ...{ hidden_size: 3072, num_hidden_layers: 28, intermediate_size: 8192, vocab_size: 128256 },
    ...{ num_attention_heads: 24, num_key_value_heads: 8, head_dim: 128, rope_theta: 5e5, rms_norm_eps: 1e-5 },
    ...{ hidden_act: "silu", max_position_embeddings: 131072, tie_word_embeddings: true },
  },
};

export const kLargeShapes = ["qwen3-0.6b", "llama-3.2-1b"];

export function large_config(name) {
  if (!is_small) return kShapes[name];
  const small = { hidden_size: 64, num_hidden_layers: 2, intermediate_size: 96, vocab_size: 320 };
  return { ...kShapes[name], ...small, num_attention_heads: 4, num_key_value_heads: 2, head_dim: 16 };
}

function tensors(config) {
  const { hidden_size: width, intermediate_size: mlp, head_dim } = config;
  const [queries, keys] = [config.num_attention_heads * head_dim, config.num_key_value_heads * head_dim];
  const layer = (n) => {
    const name = `model.layers.${n}`;
    const norms = config.model_type === "qwen3" ? ["q_norm", "k_norm"] : [];
    return [
      [`${name}.input_layernorm.weight`, [width]],
      [`${name}.self_attn.q_proj.weight`, [queries, width]],
      [`${name}.self_attn.k_proj.weight`, [keys, width]],
      [`${name}.self_attn.v_proj.weight`, [keys, width]],
      [`${name}.self_attn.o_proj.weight`, [width, queries]],
      ...norms.map((norm) => [`${name}.self_attn.${norm}.weight`, [head_dim]]),
      [`${name}.post_attention_layernorm.weight`, [width]],
      [`${name}.mlp.gate_proj.weight`, [mlp, width]],
      [`${name}.mlp.up_proj.weight`, [mlp, width]],
      [`${name}.mlp.down_proj.weight`, [width, mlp]],
    ];
  };
  const layers = Array.from({ length: config.num_hidden_layers }, (_, n) => layer(n)).flat();
  return [["model.embed_tokens.weight", [config.vocab_size, width]], ...layers, ["model.norm.weight", [width]]];
}

const product = (shape) => shape.reduce((product, size) => product * size, 1);

/** The model's folder, in BF16. Returns the bytes of its numbers. */
export function write_large(folder, name) {
  const config = large_config(name);
  const list = tensors(config);
  const header = {};
  let end = 0;
  for (const [tensor, shape] of list) {
    const begin = end;
    end += 2 * product(shape);
    header[tensor] = { dtype: "BF16", shape, data_offsets: [begin, end] };
  }
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  const file = openSync(join(folder, "model.safetensors"), "w");
  for (const part of [size, text]) writeSync(file, part);
  // Numbers of 2^-6 to 2^-4 in size with either sign; a prime number of them, so that no two rows are alike.
  const some = Buffer.alloc(2 * 1_048_573);
  let x = 463325253; // xorshift32
  for (let at = 0; at < some.length; at += 2) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    some.writeUInt16LE((x & 0x8000) | ((121 + ((x >>> 16) & 1)) << 7) | (x & 127), at);
  }
  const ones = Buffer.alloc(2 * 2048 * 8, Buffer.from([0x80, 0x3f]));
  let from = 0;
  for (const [, shape] of list) {
    for (let left = 2 * product(shape); left > 0;) {
      const source = shape.length === 1 ? ones : some;
      if (from >= source.length) from = 0;
      const count = Math.min(left, source.length - from);
      writeSync(file, source, from, count);
      left -= count;
      from += count;
    }
    from %= some.length;
  }
  closeSync(file);
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  return end;
}

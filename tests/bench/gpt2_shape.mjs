// A file of GPT-2 small's shape with random numbers, because the real one need not be at hand. With ATTN_BENCH_SMALL in the
// environment a file of a small shape: a try whether the benches still run (benches.test.mjs).
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const is_small = process.env.ATTN_BENCH_SMALL !== undefined;
export const kWidth = is_small ? 96 : 768;
export const kLayers = is_small ? 2 : 12;
export const kHeads = 12;
export const kMlp = 4 * kWidth;
export const kVocabulary = is_small ? 320 : 50257;
export const kPositions = is_small ? 128 : 1024;

/** Names and shapes of the file that Hugging Face has of GPT-2. */
function tensors() {
  const norm = (name) => [[`${name}.weight`, [kWidth]], [`${name}.bias`, [kWidth]]]; // prettier-ignore
  const linear = (name, from, to) => [[`${name}.weight`, [from, to]], [`${name}.bias`, [to]]]; // prettier-ignore
  const layer = (n) => [
    ...norm(`h.${n}.ln_1`),
    ...linear(`h.${n}.attn.c_attn`, kWidth, 3 * kWidth),
    ...linear(`h.${n}.attn.c_proj`, kWidth, kWidth),
    ...norm(`h.${n}.ln_2`),
    ...linear(`h.${n}.mlp.c_fc`, kWidth, kMlp),
    ...linear(`h.${n}.mlp.c_proj`, kMlp, kWidth),
  ];
  const layers = Array.from({ length: kLayers }, (_, n) => layer(n)).flat();
  return [["wte.weight", [kVocabulary, kWidth]], ["wpe.weight", [kPositions, kWidth]], ...layers, ...norm("ln_f")];
}

const is_norm = (name) => /ln_.*weight/.test(name);
const is_letter = (token) => token >= 97 && token <= 122;

/**
 * `count` numbers of about 0.02 in size; norms are 1, and the vectors of letters four times as long: then the most probable next
 * token is a letter, which a text can be written on with. As bytes.
 */
function numbers(name, count, type) {
  const bytes_of_one = type === "F16" ? 2 : 4;
  const bytes = Buffer.alloc(count * bytes_of_one);
  const is_one = is_norm(name);
  const has_tokens = name === "wte.weight";
  let x = 463325253; // xorshift32
  for (let i = 0; i < count; ++i) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    const is_long = has_tokens && is_letter(Math.floor(i / kWidth));
    if (type === "F16") {
      // 1, or a random half between 2^-7 and 2^-5 with a random sign.
      const exponent = 8 + ((x >>> 16) & 1) + (is_long ? 2 : 0);
      bytes.writeUInt16LE(is_one ? 0x3c00 : (x & 0x8000) | (exponent * 1024 + (x & 1023)), 2 * i);
    } else {
      bytes.writeFloatLE(is_one ? 1 : (x / 2 ** 31) * (is_long ? 0.14 : 0.035), 4 * i);
    }
  }
  return bytes;
}

/** The files of such a model. Returns how many bytes its numbers take. @param {"F32" | "F16"} type */
export function write_files(folder, type) {
  const bytes_of_one = type === "F16" ? 2 : 4;
  const header = {};
  let end = 0;
  const list = tensors();
  for (const [name, shape] of list) {
    const begin = end;
    end += bytes_of_one * shape.reduce((product, size) => product * size, 1);
    header[name] = { dtype: type, shape, data_offsets: [begin, end] };
  }
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  const file = openSync(join(folder, "model.safetensors"), "w");
  for (const part of [size, text]) writeSync(file, part);
  for (const [name, shape] of list) {
    const count = shape.reduce((product, one) => product * one, 1);
    writeSync(file, numbers(name, count, type));
  }
  closeSync(file);
  const config = { model_type: "gpt2", n_embd: kWidth, n_layer: kLayers, n_head: kHeads, vocab_size: kVocabulary };
  const rest = { n_positions: kPositions, activation_function: "gelu_new", layer_norm_epsilon: 1e-5 };
  writeFileSync(join(folder, "config.json"), JSON.stringify({ ...config, ...rest }));
  // A vocabulary of letters: a text of as many letters has that many tokens.
  const shown = (byte) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte !== 173);
  let next = 256;
  const letters = Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(shown(byte) ? byte : next++));
  writeFileSync(
    join(folder, "vocab.json"),
    JSON.stringify(Object.fromEntries(letters.map((letter, id) => [letter, id]))),
  );
  writeFileSync(join(folder, "merges.txt"), "#version: 0.2\n");
  return end;
}

/** One tensor of it in single precision, by name. */
export function tensor_of(name) {
  const [, shape] = tensors().find(([one]) => one === name);
  const count = shape.reduce((product, one) => product * one, 1);
  const bytes = numbers(name, count, "F32");
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}

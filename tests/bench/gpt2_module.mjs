// The module of decoder.cpp with a model's files open, for the benches that run it in node, and how they compare two works of it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kVocabulary, write_files } from "./gpt2_shape.mjs";
import { in_turn, median } from "./statistics.mjs";

/** @param {string} folder with config.json and model.safetensors */
export async function open_decoder(folder) {
  const { default: load } = await import(new URL("../../build/web/decoder.mjs", import.meta.url).href);
  const tensors = readFileSync(join(folder, "model.safetensors"));
  const module = await load({ read_tensors: (begin, size) => tensors.subarray(begin, begin + size) });
  const config = module.stringToNewUTF8(readFileSync(join(folder, "config.json"), "utf8"));
  const problem = module._decoder_open(config, tensors.length);
  if (problem !== 0) throw new Error(module.UTF8ToString(problem));
  return module;
}

/**
 * Calls work(module, ids) with files of GPT-2 small's shape open, of random numbers, and as many tokens in the module's memory.
 * @param {number} num_tokens
 */
export async function with_gpt2(num_tokens, work) {
  const folder = mkdtempSync(join(tmpdir(), "gpt2-"));
  try {
    write_files(folder, "F32");
    const module = await open_decoder(folder);
    const ids = module._malloc(4 * num_tokens);
    for (let i = 0; i < num_tokens; ++i) module.HEAP32[ids / 4 + i] = (i * 7919) % kVocabulary;
    work(module, ids);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function ms_of(work) {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

/**
 * Measures both in turns, round after round; a first round only warms up. Both give milliseconds.
 * Returns the median of each, and a line with the ratio of the first to the second.
 */
export function compare(num_rounds, first, second) {
  const rounds = [];
  for (let round = 0; round <= num_rounds; ++round) {
    const ms = new Map();
    for (const measure of in_turn([first, second], round)) ms.set(measure, measure());
    if (round > 0) rounds.push([ms.get(first), ms.get(second)]);
  }
  const ratios = rounds.map(([one, other]) => one / other);
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  return {
    medians: [0, 1].map((k) => median(rounds.map((ms) => ms[k]))),
    ratio: `ratio ${median(ratios).toFixed(2)} (${range}), median of ${ratios.length} rounds`,
  };
}

// What the tests of the engine module share: the module that was built, tensors, seeded numbers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The folder that tools/engine.mjs made. */
export function engine_folder() {
  const folder = process.env.ATTN_ENGINE;
  if (!folder) throw new Error("ATTN_ENGINE must name the folder of the built engine module");
  return folder;
}

export const engine_file = (name) => join(engine_folder(), name);

export const { createEngine } = await import(pathToFileURL(engine_file("engine.js")).href);
export const { createLearningEngine } = await import(pathToFileURL(engine_file("learning.js")).href);

export const golden = (name) => JSON.parse(readFileSync(new URL(`../golden/${name}.json`, import.meta.url), "utf8"));

/** Rows as { data, shape }. */
export const tensor = (rows) => ({ data: Float32Array.from(rows.flat()), shape: [rows.length, rows[0].length] });

/** Numbers as evenly spread as they need be, the same in each run. */
export function make_random(seed) {
  let state = seed >>> 0;
  /** @returns {number} from 0 to below 1 */
  const draw = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  return {
    draw,
    whole: (low, high) => low + Math.floor(draw() * (high - low + 1)),
    one_of: (choices) => choices[Math.floor(draw() * choices.length)],
    numbers: (count, reach = 1) => Float32Array.from({ length: count }, () => (2 * draw() - 1) * reach),
  };
}

export function random_matrix(random, rows, columns) {
  return { data: random.numbers(rows * columns), shape: [rows, columns] };
}

/** Arguments of attention() of some size, all three matrices, nothing that may be left out. */
export function problem_of(random, { num_tokens, d_in, d_out, heads, kv_heads }) {
  const matrix = (columns) => random_matrix(random, d_in, columns);
  const kv_width = (d_out / heads) * (kv_heads ?? heads);
  const x = random_matrix(random, num_tokens, d_in);
  const matrices = { wq: matrix(d_out), wk: matrix(kv_width), wv: matrix(kv_width) };
  return { x, ...matrices, heads, ...(kv_heads && { kv_heads }) };
}

export const kAllStages =
  "embeddings queries keys values scores scaled_scores masked_scores unmasked_weights weights dropped_weights context merged output".split(
    " ",
  );

/** The stages that these arguments have. */
export function stages_of({ wo, mask_at = "before", dropout = 0 }) {
  const missing = [mask_at === "before" ? "unmasked_weights" : "masked_scores"];
  if (!wo) missing.push("output");
  if (dropout === 0) missing.push("dropped_weights");
  return kAllStages.filter((name) => !missing.includes(name));
}

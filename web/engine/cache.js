// A layer that reads token after token, and keeps keys and values: cache() of the module that learns. learning.d.ts says what it
// takes and returns; docs/engine.md has an example.
import { check_members, flag_of, matrix_of, number_of, shown } from "./arguments.js";
import { call_members } from "./attention_engine.js";

/** @import { Tensor } from "./engine" */
/** @import { Cache, CacheArguments, CacheRows } from "./learning" */
/** @import { Inside } from "./attention_engine.js" */
/** @import { RawLearningEngine } from "./running.js" */

/** @typedef {Record<"heads" | "kv_heads" | "head_dim" | "d_in" | "d_out", number>} Sizes */

const kLayer = ["wq", "wk", "wv", "wo", "bq", "bk", "bv", "bo", "heads", "kv_heads", "layer"];
const kCache = new Set([...kLayer, "causal", "scale", "temperature", "mask_at"]);
const kAppend = new Set(["mask", "weights"]);
const kMembers = call_members("cache", []);

// The answer of src/engine_cache_module.cpp, in 32-bit words.
const kRows = 0;
const kMask = 1;
const kNumTokens = 2;
const kFirstStage = 3;

/**
 * @param {RawLearningEngine} raw
 * @param {Inside} inside
 * @param {CacheArguments} args
 * @returns {Cache}
 */
export function make_cache(raw, inside, args) {
  check_members("the argument of cache", args, kCache);
  const given = /** @type {any} */ (args);
  const d_in = given.layer?.d_in ?? matrix_of("wq", given.wq, "d_in", "d_out").shape[0];
  const one_token = { data: new Float32Array(d_in), shape: [1, d_in] };
  const call = inside.read({ ...args, x: one_token }, kMembers);
  const { heads, kv_heads, d_out, wo } = call.weights;
  const sizes = { heads, kv_heads, head_dim: d_out / heads, d_in, d_out };
  inside.write(call);
  const number = raw.engine_cache_begin(call.scale_place, call.temperature, call.mask_place);
  if (number === 0) throw inside.no_room(`a cache for matrices of ${d_in} x ${d_out}`);
  const answer = raw.engine_cache_answer() >>> 2;
  let tokens = 0;
  let is_gone = false;
  const check_there = () => {
    if (is_gone) throw new RangeError("this cache is gone: it was freed, or there was no room for its new tokens");
  };
  return Object.freeze({
    append(/** @type {any} */ x, /** @type {{ mask?: unknown, weights?: boolean }} */ options = {}) {
      check_there();
      check_members("the options of append", options, kAppend);
      const { mask, weights = true } = options;
      flag_of("weights", weights);
      const rows = matrix_of("x", x, "T", d_in);
      const count = rows.shape[0];
      const hidden = mask === undefined ? null : hidden_of(mask, count, tokens, call.causal === 1);
      const what = `a cache of ${tokens + count} tokens and ${heads} heads`;
      // A view of an earlier result may move when the memory grows.
      const data = rows.data.buffer === raw.HEAPF32.buffer ? rows.data.slice() : rows.data;
      if (raw.engine_cache_rows(number, count, hidden ? 1 : 0) === 0) throw inside.no_room(what);
      raw.HEAPF32.set(data, raw.HEAPU32[answer + kRows] >>> 2);
      if (hidden) raw.HEAPU8.set(hidden, raw.HEAPU32[answer + kMask]);
      is_gone = raw.engine_cache_append(number, call.causal, weights ? 1 : 0) === 0;
      if (is_gone) throw inside.no_room(what);
      tokens = raw.HEAPU32[answer + kNumTokens];
      return rows_of(raw, answer, sizes, count, tokens, wo !== null);
    },
    forget_from(/** @type {number} */ token) {
      check_there();
      const fits = (/** @type {number} */ n) => Number.isInteger(n) && n >= 0 && n <= tokens;
      number_of("token", token, fits, `a whole number from 0 to ${tokens}`);
      raw.engine_cache_forget_from(number, token);
      tokens = token;
    },
    free() {
      if (!is_gone) raw.engine_cache_free(number);
      is_gone = true;
    },
    get tokens() {
      return tokens;
    },
    get kept_numbers() {
      return 2 * kv_heads * sizes.head_dim * tokens;
    },
  });
}

/**
 * The mask of the new tokens, (count, tokens + count), with what `causal` hides.
 * @param {unknown} mask
 * @param {number} count
 * @param {number} tokens
 * @param {boolean} is_causal
 * @returns {Uint8Array}
 */
function hidden_of(mask, count, tokens, is_causal) {
  const all = tokens + count;
  const rows = /** @type {any} */ (mask);
  if (!Array.isArray(rows) && !(rows !== null && typeof rows === "object" && "data" in rows))
    throw new TypeError(`mask is ${shown(mask)}: it should be {data: Uint8Array, shape: [${count}, ${all}]} or rows`);
  const flat = Array.isArray(rows) ? rows.flatMap((row) => [...row]) : [...rows.data];
  if (flat.length !== count * all)
    throw new RangeError(
      `mask has ${flat.length} numbers: it should have ${count} rows of ${all}, one a token there is`,
    );
  const hidden = Uint8Array.from(flat, (value) => (value ? 1 : 0));
  for (let i = 0; i < count; ++i) {
    const row = hidden.subarray(i * all, (i + 1) * all);
    if (is_causal) row.fill(1, tokens + i + 1);
    if (!row.includes(0))
      throw new RangeError(`mask hides every key from new token ${i}: each row should show at least one key`);
  }
  return hidden;
}

/**
 * Copies of the new rows.
 * @param {RawLearningEngine} raw
 * @param {number} answer
 * @param {Sizes} sizes
 * @param {number} count
 * @param {number} tokens
 * @param {boolean} has_output
 * @returns {CacheRows}
 */
function rows_of(raw, answer, { heads, kv_heads, head_dim, d_out }, count, tokens, has_output) {
  const numbers = (/** @type {number} */ stage, /** @type {number} */ length) => {
    const place = raw.HEAPU32[answer + kFirstStage + stage] >>> 2;
    return place === 0 ? null : raw.HEAPF32.slice(place, place + length);
  };
  /** Rows with heads side by side, cut into heads as attention() gives them. */
  const in_heads = (/** @type {number} */ stage, /** @type {number} */ num_heads) => {
    const width = num_heads * head_dim;
    const rows = /** @type {Float32Array} */ (numbers(stage, count * width));
    const data = new Float32Array(count * width);
    for (let h = 0; h < num_heads; ++h)
      for (let i = 0; i < count; ++i)
        data.set(rows.subarray(i * width + h * head_dim, i * width + (h + 1) * head_dim), (h * count + i) * head_dim);
    return { data, shape: [num_heads, count, head_dim] };
  };
  const weights = numbers(3, heads * count * tokens);
  return /** @type {any} */ ({
    queries: in_heads(0, heads),
    keys: in_heads(1, kv_heads),
    values: in_heads(2, kv_heads),
    ...(weights && { weights: { data: weights, shape: [heads, count, tokens] } }),
    merged: { data: numbers(4, count * d_out), shape: [count, d_out] },
    ...(has_output && { output: { data: numbers(5, count * d_out), shape: [count, d_out] } }),
  });
}

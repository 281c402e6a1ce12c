// Turns arguments into one call of the WebAssembly module (src/engine_module.cpp) and its memory into results. engine.d.ts says
// what each function takes and returns; docs/engine.md has examples.
import { check_members, choice_of, flag_of, mask_of, matrix_of, number_of, shown, vector_of } from "./arguments.js";
import { kStageNames, wanted_stages } from "./stages.js";

/** @import { Attention, AttentionArguments, Cell, Engine, Explanation, Layer } from "./engine" */
/** @import { LayerArguments, StageInfo, Tensor, Trace } from "./engine" */
/** @import { RawEngine } from "./running.js" */

/**
 * The checked matrices and vectors of a layer; null for those left out.
 * @typedef {Record<"d_in" | "d_out" | "heads" | "kv_heads", number> & Record<"wq" | "wk" | "wv", Float32Array> &
 *   Record<"wo" | "bq" | "bk" | "bv" | "bo", Float32Array | null>} Weights
 */

/**
 * A call's arguments, checked, as the module takes them. `id` is the layer's, 0 without one; `memory` what the module's was.
 * @typedef {Record<"num_tokens" | "id" | "causal" | "scale_place" | "temperature" | "mask_place" | "dropout" | "dropout_seed",
 *   number> & { x: Float32Array, mask: Uint8Array | null, weights: Weights, memory: ArrayBuffer }} Call
 */

const kScales = ["sqrt", "none", "dim"];
const kMaskPlaces = ["before", "after", "after_raw"];
const kMaxMebibytes = 4096; // WebAssembly's addresses have 32 bits

// The answer of src/engine_module.cpp, in 32-bit words: the addresses of x, the layer's tensors, the mask and the stages; then the
// address and size of a text, and how many mebibytes were missing.
const kTensors = /** @type {const} */ (["wq", "wk", "wv", "wo", "bq", "bk", "bv", "bo"]);
const kFirstOptional = 3; // index of the first tensor that may be left out, and so may all after it
const kMaskBit = 32;
const kMask = 9;
const kFirstStage = 10;
const kText = 26;
const kMissing = 28;

/** The stages that heads may share. */
const kShared = new Set(["keys", "values"]);
const kLayerMembers = [...kTensors, "heads", "kv_heads"];
const kCallMembers = "causal mask mask_at scale temperature dropout dropout_seed".split(" ");
const kLayer = new Set(kLayerMembers);
/**
 * The members that a call may have, with a layer and without.
 * @typedef {{ name: string, with_layer: ReadonlySet<string>, without: ReadonlySet<string> }} CallMembers
 */
/**
 * @param {string} name the function's
 * @param {readonly string[]} more what only this function takes
 * @returns {CallMembers}
 */
export const call_members = (name, more) => ({
  name: `the argument of ${name}`,
  with_layer: new Set(["x", "layer", ...kCallMembers, ...more]),
  without: new Set(["x", ...kLayerMembers, ...kCallMembers, ...more, "layer"]),
});
const kAttention = call_members("attention", ["stages", "copy"]);

/**
 * The contents of layers, kept here so that callers cannot change them.
 * @type {WeakMap<object, { weights: Weights, id: number }>}
 */
const kept = new WeakMap();
let num_kept = 0;

const kTraceOptions = new Set(["stage"]);
const kCell = new Set(["stage", "head", "row", "column"]);

/**
 * What an engine with more functions (learning.js) reads of its parts.
 * @typedef {object} Inside
 * @property {RawEngine} raw
 * @property {(args: any, members: CallMembers) => Call} read - the arguments of a call, checked
 * @property {(call: Call) => void} write - into the module's memory
 * @property {(what: string, link: string, stage: string, call: AskedFunction) => any} ask
 * @property {(what: string) => RangeError} no_room
 */
/** @typedef {(link: number, link_size: number, stage: number, stage_size: number) => void} AskedFunction */
/** @type {(engine: AttentionEngine) => Inside} */
export let inside;

/** @implements {Engine} */
export class AttentionEngine {
  static {
    inside = (engine) => ({
      raw: engine.#raw,
      read: (args, members) => engine.#read(args, members),
      write: (call) => engine.#write(call),
      ask: (...question) => engine.#ask(...question),
      no_room: (what) => engine.#no_room(what),
    });
  }

  /** @type {RawEngine} */ #raw;
  /** @type {number} address of the answer, in 32-bit words */ #answer;
  /** @type {{ version: string, stages: StageInfo[] }} */ #about;

  // The sizes that the module has memory for: the same sizes need no second call.
  #num_tokens = 0;
  #d_in = 0;
  #d_out = 0;
  #heads = 0;
  #kv_heads = 0;
  #given = -1;
  #layer = 0; // the layer whose matrices are in the module's memory; 0: none

  // The last result and its place in memory: its frozen tensors are returned again as long as they are valid.
  #layout = 0;
  /** @type {ArrayBuffer | null} */ #buffer = null;
  /** @type {any} */ #result = null;

  /** @param {RawEngine} raw */
  constructor(raw) {
    this.#raw = raw;
    this.#answer = raw.engine_answer() >>> 2;
    raw.engine_describe();
    this.#about = JSON.parse(this.#text());
    for (const info of this.#about.stages) Object.freeze(info);
    Object.freeze(this.#about.stages);
  }

  get version() {
    return this.#about.version;
  }

  get stages() {
    return this.#about.stages;
  }

  /**
   * @param {LayerArguments} args
   * @returns {Layer}
   */
  layer(args) {
    check_members("the argument of layer", args, kLayer);
    const weights = weights_of(args, "d_in", null);
    for (const name of kTensors) weights[name] &&= weights[name].slice();
    const layer = Object.freeze({
      d_in: weights.d_in,
      d_out: weights.d_out,
      heads: weights.heads,
      kv_heads: weights.kv_heads,
    });
    kept.set(layer, { weights, id: ++num_kept });
    return layer;
  }

  /**
   * @param {AttentionArguments} args
   * @returns {Attention}
   */
  attention(args) {
    const call = this.#read(args, kAttention);
    const { num_tokens, weights, mask_place, dropout, memory } = call;
    const { copy = false } = args;
    if (copy !== false) flag_of("copy", copy);
    const stages = wanted_stages(args.stages, {
      has_output: weights.wo !== null,
      masks_before: mask_place === 0,
      drops: dropout > 0,
    });

    this.#write(call);
    const layout = this.#raw.engine_attend(
      call.causal,
      call.scale_place,
      call.temperature,
      mask_place,
      dropout,
      call.dropout_seed,
      stages,
      call.id,
    );
    if (layout === 0) throw this.#no_room(`attention of ${num_tokens} tokens and ${weights.heads} heads`);
    if (layout < 0) throw blind_query(-1 - layout);
    // Frozen tensors can safely be returned twice.
    if (layout !== this.#layout || memory !== this.#buffer || this.#raw.HEAPF32.buffer !== memory) {
      this.#result = this.#views(stages);
      this.#layout = layout;
      this.#buffer = this.#raw.HEAPF32.buffer;
    }
    return copy ? copied(this.#result) : { ...this.#result };
  }

  /**
   * @param {string} link
   * @param {{ stage?: string }} [options]
   * @returns {Trace}
   */
  trace(link, options = {}) {
    check_members("the options of trace", options, kTraceOptions);
    const { stage = "" } = options;
    const call = this.#raw.engine_trace;
    return this.#ask("the trace of this link", link, stage, call);
  }

  /**
   * @param {string} link
   * @returns {string}
   */
  digest(link) {
    return this.#ask("the digest of this link", link, "", this.#raw.engine_digest);
  }

  /**
   * @param {string} link
   * @param {Cell} [cell]
   * @returns {Explanation}
   */
  explain(link, cell = {}) {
    check_members("the cell to explain", cell, kCell);
    const { stage = "", head = 1, row = 0, column = 0 } = cell;
    for (const [name, value] of Object.entries({ head, row, column })) {
      number_of(name, value, (place) => Number.isInteger(place) && Math.abs(place) < 2 ** 31, "a whole number");
    }
    return this.#ask("the explanation of this link", link, stage, (...texts) =>
      this.#raw.engine_explain(...texts, head, row, column),
    );
  }

  /**
   * The arguments that attention() shares with what learns, checked.
   * @param {any} args
   * @param {CallMembers} members
   * @returns {Call}
   */
  #read(args, members) {
    const layer = args?.layer === undefined ? null : kept_of(args.layer);
    check_members(members.name, args, layer ? members.with_layer : members.without);

    // A caller may pass a view of an earlier result; the memory under it may move, so such a view is copied.
    const memory = this.#raw.HEAPF32.buffer;

    // x and wq decide the free lengths; everything else has to fit them.
    const x = matrix_of("x", args.x, "T", layer ? layer.weights.d_in : "d_in");
    const num_tokens = x.shape[0];
    const weights = layer ? layer.weights : weights_of(/** @type {LayerArguments} */ (args), x.shape[1], memory);
    const mask = args.mask === undefined ? null : mask_of("mask", args.mask, num_tokens);

    const { causal = true, scale = "sqrt", mask_at = "before", temperature = 1 } = args;
    const { dropout = 0, dropout_seed = 0 } = args;
    if (causal !== true) flag_of("causal", causal);
    const scale_place = scale === "sqrt" ? 0 : choice_of("scale", scale, kScales);
    const mask_place = mask_at === "before" ? 0 : choice_of("mask_at", mask_at, kMaskPlaces);
    if (temperature !== 1) check_temperature(temperature, scale, weights.d_out / weights.heads);
    if (dropout !== 0) number_of("dropout", dropout, (p) => p >= 0 && p < 1, "a number from 0 to below 1");
    if (dropout_seed !== 0) {
      number_of(
        "dropout_seed",
        dropout_seed,
        (seed) => Number.isSafeInteger(seed) && seed >= 0,
        "a whole number from 0",
      );
    }
    return {
      num_tokens,
      x: apart(x.data, memory),
      mask: mask && mask.data,
      weights,
      id: layer ? layer.id : 0,
      causal: causal ? 1 : 0,
      scale_place,
      temperature,
      mask_place,
      dropout,
      dropout_seed,
      memory,
    };
  }

  /**
   * Makes room for tensors of these sizes, unless the last call had the same, and copies in the tensors that are not there already.
   * @param {Call} call
   */
  #write({ num_tokens, x, mask, weights, id }) {
    const raw = this.#raw;
    const { d_in, d_out, heads, kv_heads } = weights;
    let given = mask ? kMaskBit : 0;
    for (let i = kFirstOptional; i < kTensors.length; ++i)
      given |= weights[kTensors[i]] ? 1 << (i - kFirstOptional) : 0;
    const has_room =
      num_tokens === this.#num_tokens &&
      d_in === this.#d_in &&
      d_out === this.#d_out &&
      heads === this.#heads &&
      kv_heads === this.#kv_heads &&
      given === this.#given;
    if (!has_room) {
      this.#given = -1; // matches no call until there is room
      this.#layer = 0;
      if (raw.engine_prepare(num_tokens, d_in, d_out, heads, kv_heads, given) === 0) {
        throw this.#no_room(`x of ${num_tokens} tokens with matrices of ${d_in} x ${d_out}`);
      }
      this.#num_tokens = num_tokens;
      this.#d_in = d_in;
      this.#d_out = d_out;
      this.#heads = heads;
      this.#kv_heads = kv_heads;
      this.#given = given;
    }
    const words = raw.HEAPU32;
    const floats = raw.HEAPF32;
    const first = this.#answer;
    copy_in(floats, x, words[first] >>> 2);
    if (mask) raw.HEAPU8.set(mask, words[first + kMask]);
    if (id !== 0 && id === this.#layer) return;
    this.#layer = id;
    for (let i = 0; i < kTensors.length; ++i) {
      const data = weights[kTensors[i]];
      if (data) copy_in(floats, data, words[first + 1 + i] >>> 2);
    }
  }

  /**
   * Views of the wanted stages in the module's memory.
   * @param {number} stages bits
   * @returns {any}
   */
  #views(stages) {
    const { HEAPF32, HEAPU32 } = this.#raw;
    const sizes = {
      T: this.#num_tokens,
      d_in: this.#d_in,
      d_out: this.#d_out,
      num_heads: this.#heads,
      head_dim: this.#d_out / this.#heads,
    };
    /** @type {Record<string, Tensor>} */
    const result = {};
    kStageNames.forEach((name, i) => {
      if ((stages & (1 << i)) === 0) return;
      const { letters } = /** @type {StageInfo} */ (this.#about.stages.find((info) => info.name === name));
      const shape = letters
        .slice(1, -1)
        .split(", ")
        .map((letter) => sizes[/** @type {keyof typeof sizes} */ (letter)]);
      if (kShared.has(name)) shape[0] = this.#kv_heads;
      const count = shape.reduce((product, length) => product * length, 1);
      const first = HEAPU32[this.#answer + kFirstStage + i] >>> 2;
      const data = HEAPF32.subarray(first, first + count);
      result[name] = Object.freeze({ data, shape: /** @type {any} */ (Object.freeze(shape)) });
    });
    return result;
  }

  /**
   * Asks the module about a link. Returns the answer, parsed from JSON.
   * @param {string} what names the task if there is no room for it
   * @param {string} link
   * @param {string} stage
   * @param {(link: number, link_size: number, stage: number, stage_size: number) => void} call
   */
  #ask(what, link, stage, call) {
    const raw = this.#raw;
    const texts = [utf8_of("link", link), utf8_of("stage", stage)];
    const size = texts[0].length + texts[1].length;
    const place = raw.malloc(size + 1) >>> 0;
    if (place === 0) throw new RangeError(`link has ${size} bytes: there is no room for it`);
    try {
      raw.HEAPU8.set(texts[0], place);
      raw.HEAPU8.set(texts[1], place + texts[0].length);
      call(place, texts[0].length, place + texts[0].length, texts[1].length);
    } finally {
      raw.free(place);
    }
    const text = this.#text();
    if (text === "") throw this.#no_room(what);
    const answer = JSON.parse(text);
    if (answer.error !== undefined) throw new RangeError(answer.error);
    return answer;
  }

  /** The text of the answer. */
  #text() {
    const { HEAPU8, HEAPU32 } = this.#raw;
    const first = HEAPU32[this.#answer + kText];
    return new TextDecoder().decode(HEAPU8.subarray(first, first + HEAPU32[this.#answer + kText + 1]));
  }

  /** @param {string} what */
  #no_room(what) {
    const wanted = this.#raw.HEAPU32[this.#answer + kMissing].toLocaleString("en-US");
    return new RangeError(
      `${what} needs ${wanted} MiB more memory: there is no room for it, and never more than ${kMaxMebibytes} MiB in all`,
    );
  }
}

/** @param {number} query */
export const blind_query = (query) =>
  new RangeError(`mask hides every key from query ${query}: each row should show at least one key`);

/** @param {any} layer */
function kept_of(layer) {
  const found = kept.get(layer);
  if (!found) throw new TypeError(`layer is ${shown(layer)}: it should be what layer() gave`);
  return found;
}

/**
 * @param {LayerArguments} args
 * @param {number | string} d_in a name: any length
 * @param {ArrayBuffer | null} memory the module's
 * @returns {Weights}
 */
function weights_of(args, d_in, memory) {
  const wq = matrix_of("wq", args.wq, d_in, "d_out");
  const [rows, d_out] = wq.shape;
  const { heads = 1 } = args;
  if (!(Number.isInteger(heads) && heads >= 1 && d_out % heads === 0)) {
    number_of("heads", heads, () => false, `a whole number that divides d_out, which is ${d_out}`);
  }
  const { kv_heads = heads } = args;
  if (!(Number.isInteger(kv_heads) && kv_heads >= 1 && heads % kv_heads === 0)) {
    number_of("kv_heads", kv_heads, () => false, `a whole number that divides heads, which is ${heads}`);
  }
  const kv_width = (d_out / heads) * kv_heads;
  const matrix = (/** @type {"wk" | "wv"} */ name) => apart(matrix_of(name, args[name], rows, kv_width).data, memory);
  const vector = (/** @type {"bq" | "bk" | "bv" | "bo"} */ name) => {
    const length = name === "bk" || name === "bv" ? kv_width : d_out;
    return args[name] === undefined ? null : apart(vector_of(name, args[name], length).data, memory);
  };
  const weights = {
    d_in: rows,
    d_out,
    heads,
    kv_heads,
    wq: apart(wq.data, memory),
    wk: matrix("wk"),
    wv: matrix("wv"),
    wo: args.wo === undefined ? null : apart(matrix_of("wo", args.wo, d_out, d_out).data, memory),
    bq: vector("bq"),
    bk: vector("bk"),
    bv: vector("bv"),
    bo: vector("bo"),
  };
  if (weights.bo && !weights.wo) throw new TypeError("bo is given without wo: it should be left out, or come with wo");
  return weights;
}

/**
 * Copies short runs number by number, because calling set() takes longer than the copy itself.
 * @param {Float32Array} to
 * @param {Float32Array} from
 * @param {number} place
 */
function copy_in(to, from, place) {
  const count = from.length;
  if (count > 64) return to.set(from, place);
  for (let k = 0; k < count; ++k) to[place + k] = from[k];
}

/**
 * `data`, or a copy of it if it lies in `memory`.
 * @template {Float32Array} Data
 * @param {Data} data
 * @param {ArrayBuffer | null} memory the module's; null: never copy
 */
const apart = (data, memory) => (data.buffer === memory ? data.slice() : data);

/**
 * @param {Record<string, Tensor>} result
 * @returns {any}
 */
const copied = (result) =>
  Object.fromEntries(
    Object.entries(result).map(([name, { data, shape }]) => [name, { data: data.slice(), shape: [...shape] }]),
  );

/**
 * @param {string} name
 * @param {unknown} text
 */
function utf8_of(name, text) {
  if (typeof text !== "string") throw new TypeError(`${name} is ${shown(text)}: it should be a string`);
  return new TextEncoder().encode(text);
}

/**
 * Checks that the scores' divisor is a float above 0.
 * @param {unknown} temperature
 * @param {string} scale
 * @param {number} head_dim
 */
function check_temperature(temperature, scale, head_dim) {
  const factor = scale === "sqrt" ? Math.sqrt(head_dim) : scale === "dim" ? head_dim : 1;
  const is_divisor = (/** @type {number} */ value) => {
    const divisor = Math.fround(factor * Math.fround(value));
    return divisor > 0 && divisor < Infinity;
  };
  number_of(
    "temperature",
    temperature,
    is_divisor,
    "a number above 0, and neither too small nor too large for a float",
  );
}

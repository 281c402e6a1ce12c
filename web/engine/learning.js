// The engine with what learns: losses, gradients, steps of training; and caches. All of engine.js is there besides: one module
// computes it all.
// learning.d.ts says what each function takes and returns; docs/engine.md has examples.
import { check_members, choice_of, matrix_of, number_of, shown } from "./arguments.js";
import { AttentionEngine, blind_query, call_members, inside } from "./attention_engine.js";
import { make_cache } from "./cache.js";
import { compiled } from "./compiled.js";
import { running } from "./running.js";

/** @import { EngineOptions, Tensor } from "./engine" */
/** @import { Cache, CacheArguments, CacheOfLink } from "./learning" */
/** @import { Gradients, LearningArguments, LearningEngine, LinkTraining, Training, TrainingArguments } from "./learning" */
/** @import { Call, CallMembers, Inside, Weights } from "./attention_engine.js" */
/** @import { RawLearningEngine } from "./running.js" */

/** @typedef {Record<"T" | "V" | "d_in" | "d_out" | "kv_width" | "heads" | "kv_heads" | "head_dim", number>} Sizes */

const kOptions = new Set(["wasm"]);
const kGoal = ["targets", "next", "vocabulary"];
const kGradients = call_members("gradients", kGoal);
const kTraining = call_members("training", [...kGoal, "optimizer", "rate", "learn"]);
const kTarget = new Set(["head", "query", "key", "share"]);
const kOptimizers = ["sgd", "momentum", "adam", "adamw"];
const kMostNumber = 2 ** 31 - 1;

// The answer of src/engine_learning_module.cpp: two doubles, then 32-bit words.
const kLowestLoss = 8; // in bytes
const kNumSteps = 4;
const kIsStopped = 5;
const kNumbers = 6;
const kGradientsOfNumbers = 15;
const kWayBack = 24;

/** @type {readonly (readonly [string, ...(keyof Sizes)[]])[]} */
const kLearned = [
  ["x", "T", "d_in"],
  ["wq", "d_in", "d_out"],
  ["wk", "d_in", "kv_width"],
  ["wv", "d_in", "kv_width"],
  ["wo", "d_out", "d_out"],
  ["bq", "d_out"],
  ["bk", "kv_width"],
  ["bv", "kv_width"],
  ["bo", "d_out"],
];
const kAllButX = 0x1fe; // bits of kLearned
/** @type {readonly (readonly [string, ...(keyof Sizes)[]])[]} */
const kOnTheWay = [
  ["logits", "T", "V"],
  ["probabilities", "T", "V"],
  ["output", "T", "d_out"],
  ["merged", "T", "d_out"],
  ["scores", "heads", "T", "T"],
  ["queries", "heads", "T", "head_dim"],
  ["keys", "kv_heads", "T", "head_dim"],
  ["values", "kv_heads", "T", "head_dim"],
];

/**
 * @param {EngineOptions} [options]
 * @returns {Promise<LearningEngine>}
 */
export async function createLearningEngine(options = {}) {
  check_members("options", options, kOptions);
  const module = await compiled(options.wasm, () => new URL("learning.wasm", import.meta.url));
  return /** @type {any} */ (new AttentionLearningEngine(await running(module)));
}

class AttentionLearningEngine extends AttentionEngine {
  /** @type {Inside} */ #inside;
  /** @type {RawLearningEngine} */ #raw;
  #answer; // its address
  #num_begun = 0; // trainings and gradients, of which only the last one is there

  /** @param {any} raw */
  constructor(raw) {
    super(raw);
    this.#inside = inside(this);
    this.#raw = raw;
    this.#answer = this.#raw.engine_learning_answer();
  }

  /**
   * @param {LearningArguments} args
   * @returns {Gradients}
   */
  gradients(args) {
    return this.#gradients(this.#begin(args, kGradients, () => ({ kind: 0, rate: 1, learned: 0 })));
  }

  /**
   * @param {TrainingArguments} args
   * @returns {Training}
   */
  training(args) {
    const sizes = this.#begin(args, kTraining, (weights) => {
      const { optimizer = "sgd", rate = 0.1, learn } = args;
      const kind = choice_of("optimizer", optimizer, kOptimizers);
      number_of("rate", rate, (value) => value > 0 && value < Infinity, "a number above 0");
      return { kind, rate, learned: learn === undefined ? kAllButX : learned_bits(learn, weights) };
    });
    const number = this.#num_begun;
    /**
     * @template Answer
     * @param {() => Answer} answer
     */
    const ask = (answer) => {
      if (number === this.#num_begun) return answer();
      throw new RangeError("this training has ended: the engine began another one, or computed gradients");
    };
    const loss = () => this.#double(0);
    const lowest_loss = () => this.#double(kLowestLoss);
    const word = (/** @type {number} */ place) => this.#raw.HEAPU32[(this.#answer >>> 2) + place];
    return Object.freeze({
      step: (count = 1) =>
        ask(() => {
          number_of("count", count, (n) => Number.isInteger(n) && n >= 0 && n <= kMostNumber, "a whole number from 0");
          this.#raw.engine_step(count);
          return loss();
        }),
      get loss() {
        return ask(loss);
      },
      get lowest_loss() {
        return ask(lowest_loss);
      },
      get steps() {
        return ask(() => word(kNumSteps));
      },
      get is_stopped() {
        return ask(() => word(kIsStopped) !== 0);
      },
      numbers: () => ask(() => this.#copies(kNumbers, kLearned, sizes)),
      gradients: () => ask(() => this.#gradients(sizes)),
    });
  }

  /**
   * @param {string} link
   * @returns {LinkTraining}
   */
  train(link) {
    const call = (/** @type {number} */ place, /** @type {number} */ size) => this.#raw.engine_train(place, size);
    return this.#inside.ask("the training of this link", link, "", call);
  }

  /**
   * @param {CacheArguments} args
   * @returns {Cache}
   */
  cache(args) {
    return make_cache(this.#raw, this.#inside, args);
  }

  /**
   * @param {string} link
   * @returns {CacheOfLink}
   */
  token_by_token(link) {
    const call = (/** @type {number} */ place, /** @type {number} */ size) =>
      this.#raw.engine_cache_of_link(place, size);
    return this.#inside.ask("the cache of this link", link, "", call);
  }

  /**
   * Hands over the arguments and the goal, and lets the module compute loss and gradients.
   * @param {any} args
   * @param {CallMembers} members
   * @param {(weights: Weights) => { kind: number, rate: number, learned: number }} settings_of
   * @returns {Sizes}
   */
  #begin(args, members, settings_of) {
    const raw = this.#raw;
    // All is read before anything is written: a refusal leaves the module as it was.
    const call = this.#inside.read(args, members);
    const { num_tokens: T, weights } = call;
    const { d_in, d_out, heads, kv_heads } = weights;
    const { kind, rate, learned } = settings_of(weights);
    const { numbers, num_words: V } = goal_of(args, call);
    const what = `the gradient of ${T} tokens and ${heads} heads`;
    ++this.#num_begun;
    this.#inside.write(call);
    const place = V === 0 ? raw.engine_pattern(numbers.length / 4) : raw.engine_next(T, V, d_out);
    if (place === 0) throw this.#inside.no_room(what);
    raw.HEAPF32.set(numbers, place >>> 2);
    const { causal, scale_place, temperature, mask_place, dropout, dropout_seed } = call;
    const recipe = /** @type {const} */ ([kind, rate, learned]);
    const answer = raw.engine_begin(causal, scale_place, temperature, mask_place, dropout, dropout_seed, ...recipe);
    if (answer === 0) throw this.#inside.no_room(what);
    if (answer < 0) throw blind_query(-1 - answer);
    const head_dim = d_out / heads;
    return { T, V, d_in, d_out, kv_width: kv_heads * head_dim, heads, kv_heads, head_dim };
  }

  /**
   * @param {Sizes} sizes
   * @returns {any}
   */
  #gradients(sizes) {
    return {
      loss: this.#double(0),
      lowest_loss: this.#double(kLowestLoss),
      ...this.#copies(kGradientsOfNumbers, kLearned, sizes),
      ...this.#copies(kWayBack, kOnTheWay, sizes),
    };
  }

  /**
   * Copies of the tensors whose addresses begin at word `first` of the answer, without those that are absent.
   * @param {number} first
   * @param {readonly (readonly [string, ...(keyof Sizes)[]])[]} tensors
   * @param {Sizes} sizes
   * @returns {any}
   */
  #copies(first, tensors, sizes) {
    const { HEAPF32, HEAPU32 } = this.#raw;
    /** @type {Record<string, Tensor>} */
    const copies = {};
    tensors.forEach(([name, ...letters], i) => {
      const place = HEAPU32[(this.#answer >>> 2) + first + i] >>> 2;
      if (place === 0) return;
      const shape = letters.map((letter) => sizes[letter]);
      const count = shape.reduce((product, length) => product * length, 1);
      copies[name] = { data: HEAPF32.slice(place, place + count), shape };
    });
    return copies;
  }

  /** @param {number} place in bytes */
  #double(place) {
    return new DataView(this.#raw.HEAPU8.buffer).getFloat64(this.#answer + place, true);
  }
}

/**
 * The goal as the module takes it: cells of four numbers, or what should follow and the words' vectors.
 * @param {any} args
 * @param {Call} call
 * @returns {{ numbers: Float32Array, num_words: number }}
 */
function goal_of({ targets, next, vocabulary }, call) {
  if ((targets === undefined) === (next === undefined)) {
    const both = targets === undefined ? "left out" : "given";
    throw new TypeError(`targets and next are both ${both}: a goal is one of them`);
  }
  if (next !== undefined) return next_of(next, vocabulary, call);
  if (vocabulary !== undefined) throw new TypeError("vocabulary is given with targets: it comes with next");
  return { numbers: cells_of(targets, call), num_words: 0 };
}

/**
 * @param {any} targets
 * @param {Call} call
 */
function cells_of(targets, { num_tokens, weights, causal, mask }) {
  if (!Array.isArray(targets)) throw new TypeError(`targets is ${shown(targets)}: it should be an array of targets`);
  if (targets.length === 0) throw new RangeError("targets is []: it should have at least one target");
  const numbers = new Float32Array(4 * targets.length);
  targets.forEach((target, n) => {
    const name = `targets[${n}]`;
    check_members(name, target, kTarget);
    const { head = 1, query, key, share = 1 } = target;
    const place = (
      /** @type {string} */ member,
      /** @type {unknown} */ value,
      /** @type {number} */ low,
      /** @type {number} */ high,
    ) =>
      number_of(
        `${name}.${member}`,
        value,
        (it) => Number.isInteger(it) && it >= low && it <= high,
        `a whole number from ${low} to ${high}`,
      );
    const h = place("head", head, 1, weights.heads) - 1;
    const i = place("query", query, 0, num_tokens - 1);
    const j = place("key", key, 0, num_tokens - 1);
    const is_share = (/** @type {number} */ it) => Math.fround(it) > 0 && Math.fround(it) < Infinity;
    number_of(`${name}.share`, share, is_share, "a number above 0");
    if ((causal && j > i) || (mask && mask[i * num_tokens + j] !== 0)) {
      throw new RangeError(`${name} is query ${i} and key ${j}: the mask hides that key, no head can look there`);
    }
    numbers.set([h, i, j, share], 4 * n);
  });
  return numbers;
}

/**
 * @param {any} next
 * @param {any} vocabulary
 * @param {Call} call
 */
function next_of(next, vocabulary, { num_tokens, weights }) {
  const words = matrix_of("vocabulary", vocabulary, "V", weights.d_out);
  const num_words = words.shape[0];
  if (!Array.isArray(next)) throw new TypeError(`next is ${shown(next)}: it should be an array of rows of vocabulary`);
  if (next.length !== num_tokens)
    throw new RangeError(`next has ${next.length} numbers: it should have one for each of the ${num_tokens} tokens`);
  const should = `-1 for none, or a row of vocabulary, from 0 to ${num_words - 1}`;
  const is_row = (/** @type {number} */ row) => Number.isInteger(row) && row >= -1 && row < num_words;
  next.forEach((row, i) => number_of(`next[${i}]`, row, is_row, should));
  if (next.every((row) => row < 0)) throw new RangeError("next names no word: at least one token should have one");
  const numbers = new Float32Array(num_tokens + words.data.length);
  numbers.set(next);
  numbers.set(words.data, num_tokens);
  return { numbers, num_words };
}

/**
 * @param {unknown} learn
 * @param {Weights} weights
 */
function learned_bits(learn, weights) {
  if (!Array.isArray(learn)) throw new TypeError(`learn is ${shown(learn)}: it should be an array of names`);
  const names = kLearned.map(([name]) => name);
  let bits = 0;
  learn.forEach((name, n) => {
    const place = choice_of(`learn[${n}]`, name, names);
    if (name !== "x" && !weights[/** @type {"wo"} */ (name)])
      throw new RangeError(`learn has "${name}", which was not given`);
    bits |= 1 << place;
  });
  return bits;
}

// The engine with what learns. Everything of engine.d.ts is there besides.
import type {
  CallArguments,
  Cell,
  Engine,
  EngineOptions,
  Explanation,
  Layer,
  LayerArguments,
  Matrix,
  StageName,
  Tensor,
  Trace,
} from "./engine.js";

/** Where one head should look: a share of the row of a query. */
export interface Target {
  /** From 1; default 1. */
  head?: number;
  /** From 0: the token that looks, and the token to look at. The mask must not hide it. */
  query: number;
  key: number;
  /** Above 0; default 1. The shares of a row are divided by their sum. Of two targets for one cell the last one counts. */
  share?: number;
}

/** What is aimed at: a pattern of weights, or the next word. */
export type Goal =
  | {
      /**
       * The loss is the mean over the rows that have targets of their cross-entropy, the sum of -share · ln(weight). Values and the
       * output projection have no part in it.
       */
      targets: readonly Target[];
      next?: undefined;
      vocabulary?: undefined;
    }
  | {
      /** For each token the row of `vocabulary` that should follow, -1 for none; at least one other. */
      next: readonly number[];
      /** (V, d_out): logits are the output (without wo: merged) · vocabularyᵀ; the loss is the mean of -ln softmax(logits)[next]. */
      vocabulary: Matrix;
      targets?: undefined;
    };

/** The arguments of attention() that decide numbers. */
type ProblemArguments = Omit<CallArguments, "stages" | "copy"> &
  (
    | (LayerArguments & { layer?: undefined })
    | ({ layer: Layer } & { readonly [Name in keyof LayerArguments]?: undefined })
  );

export type LearningArguments = ProblemArguments & Goal;

/** The numbers that can learn, by the names they have as arguments. */
export type LearnedName = "x" | "wq" | "wk" | "wv" | "wo" | "bq" | "bk" | "bv" | "bo";

export type TrainingArguments = LearningArguments & {
  /** With PyTorch's formulas and defaults; default "sgd". */
  optimizer?: "sgd" | "momentum" | "adam" | "adamw";
  /** How far a step goes (lr). Above 0; default 0.1. */
  rate?: number;
  /** What learns. Default: all matrices and biases that there are. */
  learn?: readonly LearnedName[];
};

/** Copies; those that were not given are left out. */
export interface LearnedNumbers {
  readonly x: Tensor;
  readonly wq: Tensor;
  readonly wk: Tensor;
  readonly wv: Tensor;
  readonly wo?: Tensor;
  readonly bq?: Tensor;
  readonly bk?: Tensor;
  readonly bv?: Tensor;
  readonly bo?: Tensor;
}

/** The loss, and its gradient at every tensor, in that tensor's shape. */
export interface Gradients extends LearnedNumbers {
  readonly loss: number;
  /** What the loss cannot go below, whatever the numbers: the entropy of the shares. 0 for the next word. */
  readonly lowest_loss: number;
  /** (heads, T, head_dim) */
  readonly queries: Tensor;
  readonly keys: Tensor;
  readonly values: Tensor;
  /** (heads, T, T), before scale and temperature; 0 where the key is hidden. */
  readonly scores: Tensor;
  /** (T, d_out) */
  readonly merged: Tensor;
  readonly output?: Tensor;
  /** (T, V), forward: with `next` only. */
  readonly logits?: Tensor;
  readonly probabilities?: Tensor;
}

/**
 * Steps of training. An engine keeps one: it ends, and each of its members throws a RangeError, when the engine begins another one or
 * computes gradients().
 */
export interface Training {
  /**
   * Takes so many steps (default 1), or fewer: it stops before a step after which the loss or a number would not be finite. Returns the
   * loss after them.
   */
  step(count?: number): number;
  readonly loss: number;
  readonly lowest_loss: number;
  /** The steps that were taken. */
  readonly steps: number;
  readonly is_stopped: boolean;
  /** The numbers after these steps, those that do not learn, too. */
  numbers(): LearnedNumbers;
  /** The gradients at these numbers. */
  gradients(): Gradients;
}

/** Rows of a matrix, or the numbers of a bias, by the names they have in files. Absent tensors are left out. */
export type NamedNumbers = Readonly<
  Partial<Record<"w_query" | "w_key" | "w_value" | "w_out", readonly (readonly number[])[]>> &
    Partial<Record<"b_query" | "b_key" | "b_value" | "b_out", readonly number[]>>
>;

/** What the recipe of a link trains. */
export interface LinkTraining {
  readonly link: string;
  readonly notes: readonly string[];
  /** The steps that were taken. */
  readonly steps: number;
  /** Before the first step and after each: steps + 1 numbers. */
  readonly losses: readonly number[];
  readonly lowest_loss: number;
  /** After the last step. */
  readonly numbers: NamedNumbers;
  /** At those numbers, of all sentences together. */
  readonly gradients: NamedNumbers;
}

export type CacheArguments = Pick<CallArguments, "causal" | "scale" | "temperature" | "mask_at"> &
  (
    | (LayerArguments & { layer?: undefined })
    | ({ layer: Layer } & { readonly [Name in keyof LayerArguments]?: undefined })
  );

/** Copies of what append() computed for its `count` new tokens, of `tokens` that are there then. */
export interface CacheRows {
  /** (heads, count, head_dim) */
  readonly queries: Tensor;
  /** (kv_heads, count, head_dim): what was put into the cache. */
  readonly keys: Tensor;
  readonly values: Tensor;
  /** (heads, count, tokens); left out with `weights: false`. */
  readonly weights?: Tensor;
  /** (count, d_out) */
  readonly merged: Tensor;
  /** (count, d_out); only with wo. */
  readonly output?: Tensor;
}

/** A layer that reads token after token. Its keys and values stay, its queries do not. */
export interface Cache {
  /**
   * Reads new tokens, (count, d_in): first the prompt, then mostly one. With `causal`, the default, each sees the earlier ones and
   * itself, and its rows have the bits that attention() of all tokens gives; without it, all that are there.
   */
  append(
    x: Matrix,
    options?: {
      /** (count, tokens + count): 1 or `true` hides that key from that new token, besides what `causal` hides. */
      mask?: { data: Uint8Array; shape: readonly number[] } | readonly (readonly (number | boolean)[])[];
      /** Whether the rows of weights are wanted; default true. */
      weights?: boolean;
    },
  ): CacheRows;
  /** Forgets this token and all after it. */
  forget_from(token: number): void;
  /** Gives the memory back. Any call but free() is a RangeError afterwards. */
  free(): void;
  /** How many tokens it has read. */
  readonly tokens: number;
  /** How many numbers it keeps: 2 · kv_heads · head_dim · tokens. */
  readonly kept_numbers: number;
}

/** A link's shown sentence, from its prompt (the key `prompt`) to its end. */
export interface CacheOfLink {
  readonly link: string;
  readonly notes: readonly string[];
  readonly tokens: readonly string[];
  readonly prompt: number;
  /** First the prompt, then one token each. */
  readonly passes: readonly {
    /** Places of the tokens that were computed. */
    readonly tokens: readonly number[];
    /** Rows of keys and values that were there already. */
    readonly kept_rows: number;
    /** Of each head the newest token's row. */
    readonly weights: readonly (readonly number[])[];
  }[];
  /** What all passes took: rows of keys and values, score cells, multiply-adds, bytes read. */
  readonly counts: readonly {
    readonly name: string;
    readonly cached: { readonly formula: string; readonly count: number };
    readonly without: { readonly formula: string; readonly count: number };
  }[];
  /** Of all rows, computed token by token and at once. */
  readonly digest_cached: string;
  readonly digest_without: string;
  readonly is_same: boolean;
  /** Which, in words; where the two differ, the first cell and why. */
  readonly verdict: string;
}

/** Stages of links with `qk_norm`, `pos=rope`, `score_cap` and `pos=alibi`. */
export type PositionStageName =
  "normed_queries" | "normed_keys" | "rotated_queries" | "rotated_keys" | "capped_scores" | "biased_scores";

/** The stages of a link with a goal: those of attention, then the gradients at them and at matrices and biases. */
export type LearningStageName =
  | StageName
  | PositionStageName
  | "logits"
  | "capped_logits"
  | "probabilities"
  | `grad_${"logits" | "capped_logits" | StageName | PositionStageName | "w_query" | "w_key" | "w_value" | "b_query" | "b_key" | "b_value" | "w_out" | "b_out" | "q_norm" | "k_norm"}`;

/** An engine that knows all keys of links: those of a recipe (goal, target, steps, ...) and of a cache (prompt), too. */
export interface LearningEngine extends Omit<Engine, "trace" | "explain"> {
  /** The loss and all gradients. */
  gradients(args: LearningArguments): Gradients;

  /** Begins a training; nothing is stepped yet. */
  training(args: TrainingArguments): Training;

  /** Takes the steps of a link's recipe. A link without a goal is a RangeError. */
  train(link: string): LinkTraining;

  /** A cache without tokens. An engine can have several. The matrices are copied. */
  cache(args: CacheArguments): Cache;

  /** Computes a link's sentence token by token, with a cache and without, and compares. */
  token_by_token(link: string): CacheOfLink;

  trace(link: string, options?: { stage?: LearningStageName }): Trace;
  explain(link: string, cell?: Omit<Cell, "stage"> & { stage?: LearningStageName }): Explanation;
}

/** Loads the WebAssembly, learning.wasm beside learning.js. Engines share nothing. */
export function createLearningEngine(options?: EngineOptions): Promise<LearningEngine>;

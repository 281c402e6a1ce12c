// Multi-head attention with every stage to look at, in WebAssembly. Works in node, browsers and workers.

/** Numbers in memory order (row-major) with their shape, outermost axis first. */
export interface Tensor<Data = Float32Array> {
  readonly data: Data;
  readonly shape: readonly number[];
}

/** A matrix to compute with: a tensor of two axes, or an array of rows. */
export type Matrix = Tensor | readonly (readonly number[] | Float32Array)[];

/** A vector to compute with. */
export type Vector = Tensor | Float32Array | readonly number[];

/** (T, T): 1 or true hides key j (column) from query i (row). */
export type Mask = Tensor<Uint8Array> | readonly (readonly (number | boolean)[] | Uint8Array)[];

/** The steps of attention in the order they are computed. */
export type StageName =
  | "embeddings"
  | "queries"
  | "keys"
  | "values"
  | "scores"
  | "scaled_scores"
  | "masked_scores"
  | "unmasked_weights"
  | "weights"
  | "dropped_weights"
  | "context"
  | "merged"
  | "output";

/** The matrices of attention. */
export interface LayerArguments {
  /** (d_in, d_out): queries are x · wq + bq, and so on. A PyTorch nn.Linear keeps the transpose. */
  wq: Matrix;
  wk: Matrix;
  wv: Matrix;
  /** (d_out, d_out): the output is the heads side by side · wo + bo. Without it there is no stage "output". */
  wo?: Matrix;
  /** (d_out) */
  bq?: Vector;
  bk?: Vector;
  bv?: Vector;
  bo?: Vector;
  /** How many heads d_out is cut into; it divides d_out. Default 1. */
  heads?: number;
}

/** Matrices that are kept for many calls, from Engine.layer(). They never change. */
export interface Layer {
  readonly d_in: number;
  readonly d_out: number;
  readonly heads: number;
}

export interface CallArguments {
  /** (T, d_in): one vector for each token. */
  x: Matrix;
  /** Whether later tokens are hidden from earlier ones. Default true. */
  causal?: boolean;
  /** Hides more keys. Each query has to see at least one. */
  mask?: Mask;
  /** Where hiding comes in: before the softmax, after it with rows divided by their sums again, or after it and nothing more. */
  mask_at?: "before" | "after" | "after_raw";
  /** What scores are divided by: sqrt(head_dim), 1, or head_dim. Default "sqrt". */
  scale?: "sqrt" | "none" | "dim";
  /** Scores are divided by it, too. Above 0; default 1. */
  temperature?: number;
  /** The share of the weights that is dropped, from 0 to below 1. Default 0. */
  dropout?: number;
  /** Which ones are dropped: torch.manual_seed of PyTorch's CPU generator. Default 0. */
  dropout_seed?: number;
  /** Default: weights, merged, and with wo output. */
  stages?: readonly StageName[];
  /** Copies instead of views of the engine's memory. Default false. */
  copy?: boolean;
}

/** Matrices of their own, or a layer's. */
export type AttentionArguments =
  | (CallArguments & LayerArguments & { layer?: undefined })
  | (CallArguments & { layer: Layer } & { readonly [Name in keyof LayerArguments]?: undefined });

/**
 * The wanted stages. Unless they are copies, they are views of the engine's memory: good until the next call of any of the
 * engine's functions, which writes other numbers there, or moves the memory, after which a view has length 0.
 *
 * - embeddings (T, d_in)
 * - queries, keys, values, context (heads, T, head_dim)
 * - scores, scaled_scores, masked_scores, unmasked_weights, weights, dropped_weights (heads, T, T); hidden keys are
 *   -Infinity in masked_scores and 0 in weights
 * - merged, output (T, d_out)
 */
export type Attention<Name extends StageName = StageName> = { readonly [Stage in Name]: Tensor };

export interface StageInfo {
  readonly name: StageName;
  readonly symbol: string;
  readonly letters: string;
  readonly formula: string;
  readonly meaning: string;
}

/** Numbers nested as the shape says; null stands for minus infinity, a hidden key. */
export type Values = readonly (number | null)[] | readonly Values[];

/** All sentences of a link with the chosen stages. */
export interface Trace {
  readonly link: string;
  readonly notes: readonly string[];
  readonly sentences: readonly {
    readonly text: string;
    readonly tokens: readonly string[];
    readonly notes: readonly string[];
    readonly stages: readonly {
      readonly name: StageName;
      readonly letters: string;
      readonly shape: readonly number[];
      readonly values: Values;
    }[];
  }[];
  /** Of all numbers of the link; only with all stages. */
  readonly digest?: string;
}

/** One number of a link's shown sentence. */
export interface Cell {
  /** Default: the stage the link shows. */
  stage?: StageName;
  /** From 1; default 1. */
  head?: number;
  /** From 0; default 0. */
  row?: number;
  column?: number;
}

/** Where a factor comes from. */
export interface Source {
  readonly tensor: string;
  readonly head: number | null;
  readonly row: number;
  readonly column: number;
}

export interface Term {
  readonly label: string;
  readonly a: number | null;
  readonly a_source: Source | null;
  readonly b: number | null;
  readonly b_source: Source | null;
  readonly product: number | null;
}

/** The terms that make one number: shown = sum / divisor. null for what the stage does not have. */
export interface Explanation {
  readonly notes: readonly string[];
  readonly stage: StageName;
  readonly head: number | null;
  readonly row: number;
  readonly column: number;
  readonly row_token: string;
  readonly column_token: string | null;
  readonly shown: number | null;
  readonly is_hidden: boolean;
  readonly terms: readonly Term[];
  readonly sum: number | null;
  readonly divisor: number | null;
  readonly divisor_terms: readonly Term[];
  readonly row_max: number | null;
  readonly score: number | null;
  readonly lines: readonly string[];
}

/**
 * Every function throws a TypeError or RangeError that names the argument, what it was and what it should be; the engine
 * can be used as before afterwards.
 */
export interface Engine {
  readonly version: string;
  /** The stage table: what each stage is called and means. */
  readonly stages: readonly StageInfo[];

  /**
   * Copies matrices and keeps them: calls of attention() with the same layer one after the other need not copy and arrange
   * them again. Good for every engine, as long as anybody has it.
   */
  layer(args: LayerArguments): Layer;

  /** Causal multi-head self-attention. */
  attention<const Name extends StageName>(args: AttentionArguments & { stages: readonly Name[] }): Attention<Name>;
  attention(args: AttentionArguments & { wo: Matrix; stages?: undefined }): Attention<"weights" | "merged" | "output">;
  attention(
    args: AttentionArguments & { layer: Layer; stages?: undefined },
  ): Attention<"weights" | "merged"> & Partial<Attention<"output">>;
  attention(args: AttentionArguments & { stages?: undefined }): Attention<"weights" | "merged">;

  /** Every stage of a playground's link, or one of them. What is not legal in a link is moved, with a note. */
  trace(link: string, options?: { stage?: StageName }): Trace;

  /** 16 hexadecimal digits for all numbers of a link, the same on every machine: as in the playground and in `attn trace`. */
  digest(link: string): string;

  /** How one number of a link's shown sentence comes about. */
  explain(link: string, cell?: Cell): Explanation;
}

export interface EngineOptions {
  /**
   * Where the WebAssembly is, for places that cannot load engine.wasm from beside engine.js: an address, the bytes, or a
   * compiled module.
   */
  wasm?: string | URL | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WebAssembly.Module;
}

/** Loads the WebAssembly. Engines do not share anything. */
export function createEngine(options?: EngineOptions): Promise<Engine>;

// Multi-head attention with access to every stage, in WebAssembly. Works in node, browsers and workers.

/** Numbers in row-major order with their shape, outermost axis first. */
export interface Tensor<Data = Float32Array> {
  readonly data: Data;
  readonly shape: readonly number[];
}

/** A matrix as an argument: a tensor with two axes, or an array of rows. */
export type Matrix = Tensor | readonly (readonly number[] | Float32Array)[];

/** A vector as an argument. */
export type Vector = Tensor | Float32Array | readonly number[];

/** (T, T): 1 or true hides key j (column) from query i (row). */
export type Mask = Tensor<Uint8Array> | readonly (readonly (number | boolean)[] | Uint8Array)[];

/** The stages of attention, in the order in which they are computed. */
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
  /** (d_in, kv_heads · head_dim), which is (d_in, d_out) unless heads share keys and values. */
  wk: Matrix;
  wv: Matrix;
  /** (d_out, d_out): the output is merged · wo + bo, where merged is the heads side by side. Without wo there is no stage "output". */
  wo?: Matrix;
  /** (d_out); bk and bv as wide as wk and wv */
  bq?: Vector;
  bk?: Vector;
  bv?: Vector;
  bo?: Vector;
  /** The number of heads; it must divide d_out. Default 1. */
  heads?: number;
  /**
   * The number of heads of keys and values; it must divide heads. Fewer than heads are shared by neighbouring heads: head h reads
   * key head h / (heads / kv_heads), rounded down. Default: as many as heads.
   */
  kv_heads?: number;
}

/** Matrices kept for many calls, from Engine.layer(). They never change. */
export interface Layer {
  readonly d_in: number;
  readonly d_out: number;
  readonly heads: number;
  readonly kv_heads: number;
}

export interface CallArguments {
  /** (T, d_in): one vector for each token. */
  x: Matrix;
  /** Whether later tokens are hidden from earlier ones. Default true. */
  causal?: boolean;
  /** Hides more keys. Each query has to see at least one. */
  mask?: Mask;
  /** When keys are hidden: before the softmax; after it, and then rows are divided by their sums again; or after it and nothing more. */
  mask_at?: "before" | "after" | "after_raw";
  /** Divides the scores by sqrt(head_dim), by 1, or by head_dim. Default "sqrt". */
  scale?: "sqrt" | "none" | "dim";
  /** Also divides the scores. Above 0; default 1. */
  temperature?: number;
  /** The probability with which each weight is dropped, from 0 to below 1. Default 0. */
  dropout?: number;
  /** Decides which weights are dropped, as torch.manual_seed does for PyTorch's CPU generator. Default 0. */
  dropout_seed?: number;
  /** Default: weights, merged, and output if there is wo. */
  stages?: readonly StageName[];
  /** Returns copies instead of views of the engine's memory. Default false. */
  copy?: boolean;
}

/** A call with its own matrices, or with a layer's. */
export type AttentionArguments =
  | (CallArguments & LayerArguments & { layer?: undefined })
  | (CallArguments & { layer: Layer } & { readonly [Name in keyof LayerArguments]?: undefined });

/**
 * The wanted stages. Unless they are copies, they are views of the engine's memory, valid until the next call of any of the
 * engine's functions. That call may write other numbers there, or move the memory, and then the view has length 0.
 *
 * - embeddings (T, d_in)
 * - queries, context (heads, T, head_dim)
 * - keys, values (kv_heads, T, head_dim)
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

/** Numbers nested according to the shape; null stands for minus infinity, a hidden key. */
export type Values = readonly (number | null)[] | readonly Values[];

/** All sentences of a link, with the chosen stages. */
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
  /** The digest of all numbers of the link; only with all stages. */
  readonly digest?: string;
}

/** The place of one number, in the sentence that the link shows. */
export interface Cell {
  /** Default: the stage that the link shows. */
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

/** The terms that make one number: shown = sum / divisor. Members that the stage does not have are null. */
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
 * On a bad argument, every function throws a TypeError or RangeError that names the argument, what it was and what it should be;
 * afterwards the engine works as before.
 */
export interface Engine {
  readonly version: string;
  /** The stage table: the name and meaning of each stage. */
  readonly stages: readonly StageInfo[];

  /**
   * Copies matrices and keeps them, so that consecutive calls of attention() with the same layer need not copy and arrange them
   * again. Works with every engine, as long as the caller keeps the layer.
   */
  layer(args: LayerArguments): Layer;

  /** Causal multi-head self-attention. */
  attention<const Name extends StageName>(args: AttentionArguments & { stages: readonly Name[] }): Attention<Name>;
  attention(args: AttentionArguments & { wo: Matrix; stages?: undefined }): Attention<"weights" | "merged" | "output">;
  attention(
    args: AttentionArguments & { layer: Layer; stages?: undefined },
  ): Attention<"weights" | "merged"> & Partial<Attention<"output">>;
  attention(args: AttentionArguments & { stages?: undefined }): Attention<"weights" | "merged">;

  /** Every stage of a playground's link, or one of them. Illegal values in the link move to the nearest legal ones, with a note. */
  trace(link: string, options?: { stage?: StageName }): Trace;

  /** A digest of all numbers of a link: 16 hexadecimal digits, the same on every machine, in the playground and in `attn trace`. */
  digest(link: string): string;

  /** Explains one number of the sentence that the link shows. */
  explain(link: string, cell?: Cell): Explanation;
}

export interface EngineOptions {
  /**
   * The WebAssembly, if engine.wasm cannot be loaded from beside engine.js: an address, the bytes, or a compiled module.
   */
  wasm?: string | URL | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WebAssembly.Module;
}

/** Loads the WebAssembly. Engines share nothing. */
export function createEngine(options?: EngineOptions): Promise<Engine>;

// The module Emscripten makes from src/engine_module.cpp, where its C functions are documented.
export interface RawEngine {
  /** Replaced when the memory grows: never keep one across a call. */
  readonly HEAPU8: Uint8Array<ArrayBuffer>;
  readonly HEAPU32: Uint32Array<ArrayBuffer>;
  readonly HEAPF32: Float32Array<ArrayBuffer>;
  _malloc(size: number): number;
  _free(pointer: number): void;

  _engine_answer(): number;
  _engine_describe(): void;
  _engine_prepare(num_tokens: number, d_in: number, d_out: number, num_heads: number, given: number): number;
  _engine_attend(
    is_causal: number,
    scale: number,
    temperature: number,
    mask_at: number,
    dropout: number,
    dropout_seed: number,
    stages: number,
  ): number;
  _engine_trace(link: number, link_size: number, stage: number, stage_size: number): void;
  _engine_digest(link: number, link_size: number): void;
  _engine_explain(
    link: number,
    link_size: number,
    stage: number,
    stage_size: number,
    head: number,
    row: number,
    column: number,
  ): void;
}

export interface RawEngineOptions {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
}

declare const create_module: (options: RawEngineOptions) => Promise<RawEngine>;
export default create_module;

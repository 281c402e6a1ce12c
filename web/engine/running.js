// Instantiates the engine's WebAssembly: the functions of src/engine_module.cpp, and the memory as arrays. Knows nothing of what
// they mean.

/**
 * The module's exports, which src/engine_module.cpp documents, and its memory.
 * @typedef {object} RawEngine
 * @property {WebAssembly.Memory} memory
 * @property {Uint8Array<ArrayBuffer>} HEAPU8 - all three HEAPs are replaced when the memory grows: never keep one across a call
 * @property {Uint32Array<ArrayBuffer>} HEAPU32
 * @property {Float32Array<ArrayBuffer>} HEAPF32
 * @property {() => void} _initialize
 * @property {(size: number) => number} malloc
 * @property {(pointer: number) => void} free
 * @property {() => number} engine_answer
 * @property {() => void} engine_describe
 * @property {(num_tokens: number, d_in: number, d_out: number, num_heads: number, num_kv_heads: number,
 *   given: number) => number} engine_prepare
 * @property {(is_causal: number, scale: number, temperature: number, mask_at: number, dropout: number, dropout_seed: number,
 *   stages: number, matrices: number) => number} engine_attend
 * @property {(link: number, link_size: number, stage: number, stage_size: number) => void} engine_trace
 * @property {(link: number, link_size: number, stage: number, stage_size: number) => void} engine_digest
 * @property {(link: number, link_size: number, stage: number, stage_size: number, head: number, row: number,
 *   column: number) => void} engine_explain
 */

/**
 * What the module that learns has besides (src/engine_learning_module.cpp, src/engine_cache_module.cpp).
 * @typedef {RawEngine & LearningFunctions} RawLearningEngine
 * @typedef {object} LearningFunctions
 * @property {() => number} engine_learning_answer
 * @property {(count: number) => number} engine_pattern
 * @property {(num_tokens: number, num_words: number, d_out: number) => number} engine_next
 * @property {(is_causal: number, scale: number, temperature: number, mask_at: number, dropout: number, dropout_seed: number,
 *   optimizer: number, rate: number, learned: number) => number} engine_begin
 * @property {(count: number) => number} engine_step
 * @property {(link: number, link_size: number) => void} engine_train
 * @property {() => number} engine_cache_answer
 * @property {(scale: number, temperature: number, mask_at: number) => number} engine_cache_begin
 * @property {(cache: number, count: number, has_mask: number) => number} engine_cache_rows
 * @property {(cache: number, is_causal: number, wants_weights: number) => number} engine_cache_append
 * @property {(cache: number, num_tokens: number) => void} engine_cache_forget_from
 * @property {(cache: number) => void} engine_cache_free
 * @property {(link: number, link_size: number) => void} engine_cache_of_link
 */

/**
 * @param {WebAssembly.Module} module
 * @returns {Promise<RawEngine>}
 */
export async function running(module) {
  const raw = /** @type {RawEngine} */ ({});
  const look = () => {
    const buffer = /** @type {ArrayBuffer} */ (raw.memory.buffer);
    raw.HEAPU8 = new Uint8Array(buffer);
    raw.HEAPU32 = new Uint32Array(buffer);
    raw.HEAPF32 = new Float32Array(buffer);
  };
  // The engine writes only one thing: the sentence with which it stops at an error of its own (ATTN_CHECK).
  const fd_write = (
    /** @type {number} */ _file,
    /** @type {number} */ parts,
    /** @type {number} */ count,
    /** @type {number} */ written,
  ) => {
    let text = "";
    let size = 0;
    for (let i = 0; i < count; ++i) {
      const [start, length] = raw.HEAPU32.subarray((parts >>> 2) + 2 * i);
      text += new TextDecoder().decode(raw.HEAPU8.subarray(start, start + length));
      size += length;
    }
    raw.HEAPU32[written >>> 2] = size;
    if (text !== "") console.error(text);
    return 0;
  };
  const refuse = () => 52; // not supported
  const instance = await WebAssembly.instantiate(module, {
    env: { emscripten_notify_memory_growth: look },
    wasi_snapshot_preview1: { fd_write, fd_seek: refuse, fd_close: refuse },
  });
  Object.assign(raw, instance.exports);
  look();
  raw._initialize();
  return raw;
}

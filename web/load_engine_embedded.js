// The same as load_engine.js with the whole WebAssembly inside the script, for origins that may not fetch it.
import create_module from "./attention_playground.mjs";
import wasm_bytes from "./attention_playground.wasm";

/** @import { ModuleOptions } from "./attention_playground.mjs" */
/** @import { LoadedModule } from "./types" */

/** @param {ModuleOptions} options @returns {Promise<LoadedModule>} */
export async function load_module(options) {
  return { module: await create_module({ ...options, wasmBinary: wasm_bytes }), load_rest: async () => {} };
}

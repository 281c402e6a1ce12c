// Replaces load_engine.js where the page may not fetch the WebAssembly: all of it is inside the script.
import create_module from "./attention_playground.mjs";
import wasm_bytes from "./attention_playground.wasm";

/** @import { ModuleOptions } from "./attention_playground.mjs" */
/** @import { LoadedModule } from "./types" */

/** @param {ModuleOptions} options @returns {Promise<LoadedModule>} */
export async function load_module(options) {
  return {
    module: await create_module({ ...options, wasmBinary: wasm_bytes }),
    load_second: async () => {},
    load_rest: async () => {},
  };
}

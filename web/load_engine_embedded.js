// The same as load_engine.js with the WebAssembly inside the script, for origins that may not fetch it.
import create_module from "./attention_playground.mjs";
import wasm_bytes from "./attention_playground.wasm";

/** @import { ModuleOptions } from "./attention_playground.mjs" */

/** @param {ModuleOptions} options */
export function load_module(options) {
  return create_module({ ...options, wasmBinary: wasm_bytes });
}

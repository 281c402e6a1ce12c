// Fetches the engine's module. The bundle sandbox.js has load_engine_embedded.js in this place.
import create_module from "./attention_playground.mjs";
import { compiled_engine } from "./compiled_engine.js";

/** @import { ModuleOptions, RawModule } from "./attention_playground.mjs" */

/**
 * @param {ModuleOptions} options
 * @returns {Promise<RawModule>}
 */
export async function load_module(options) {
  const compiled = await compiled_engine(new URL("attention_playground.wasm", import.meta.url).href, window);
  return new Promise((resolve, reject) => {
    /** @type {ModuleOptions["instantiateWasm"]} */
    const instantiateWasm = (imports, done) => {
      WebAssembly.instantiate(compiled, imports).then((instance) => done(instance, compiled), reject);
      return {}; // the instance comes later
    };
    create_module({ ...options, instantiateWasm }).then(resolve, reject);
  });
}

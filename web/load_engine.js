// Fetches the engine's module in two parts: the part that the first picture needs, and the rest (second_part.js). The bundle
// sandbox.js uses load_engine_embedded.js instead.
import create_module from "./attention_playground.mjs";
import { compiled_engine } from "./compiled_engine.js";
import { SecondPart } from "./second_part.js";

/** @import { ModuleOptions } from "./attention_playground.mjs" */
/** @import { LoadedModule } from "./types" */

const kFirst = new URL("attention_playground_first.wasm", import.meta.url).href;
const kRest = new URL("attention_playground_rest.wasm", import.meta.url).href;

/**
 * @param {ModuleOptions} options
 * @param {boolean} wants_all whether the rest is needed right away
 * @returns {Promise<LoadedModule>}
 */
export async function load_module(options, wants_all) {
  const rest = new SecondPart(kRest, window);
  if (wants_all) rest.prepare();
  const compiled = await compiled_engine(kFirst, window);
  return new Promise((resolve, reject) => {
    /** @type {ModuleOptions["instantiateWasm"]} */
    const instantiateWasm = (imports, done) => {
      WebAssembly.instantiate(compiled, { ...imports, placeholder: rest.stand_ins }).then((instance) => {
        rest.join(instance);
        done(instance, compiled);
      }, reject);
      return {}; // the instance comes later
    };
    create_module({ ...options, instantiateWasm }).then(
      (module) => resolve({ module, load_rest: () => rest.load() }),
      reject,
    );
  });
}

// Fetches the engine's module in three parts: what the first picture needs, what one needs to look around, and the rest
// (later_part.js). The bundle sandbox.js uses load_engine_embedded.js instead.
import create_module from "./attention_playground.mjs";
import { compiled_engine } from "./compiled_engine.js";
import { LaterPart } from "./later_part.js";

/** @import { ModuleOptions } from "./attention_playground.mjs" */
/** @import { LoadedModule } from "./types" */

const kFirst = new URL("attention_playground_first.wasm", import.meta.url).href;
const kSecond = new URL("attention_playground_second.wasm", import.meta.url).href;
const kRest = new URL("attention_playground_rest.wasm", import.meta.url).href;

/**
 * @param {ModuleOptions} options
 * @param {boolean} wants_all whether all parts are needed right away
 * @returns {Promise<LoadedModule>}
 */
export async function load_module(options, wants_all) {
  const rest = new LaterPart(kRest, window);
  const second = new LaterPart(kSecond, window, rest);
  if (wants_all) for (const part of [second, rest]) part.prepare();
  const compiled = await compiled_engine(kFirst, window);
  return new Promise((resolve, reject) => {
    /** @type {ModuleOptions["instantiateWasm"]} */
    const instantiateWasm = (imports, done) => {
      WebAssembly.instantiate(compiled, { ...imports, placeholder: second.stand_ins }).then((instance) => {
        second.join(instance);
        done(instance, compiled);
      }, reject);
      return {}; // the instance comes later
    };
    create_module({ ...options, instantiateWasm }).then(
      (module) =>
        resolve({
          module,
          load_second: () => second.load(),
          load_rest: () => second.load().then(() => rest.load()),
        }),
      reject,
    );
  });
}

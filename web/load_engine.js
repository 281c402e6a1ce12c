// Fetches the engine's module. The bundle sandbox.js has load_engine_embedded.js in this place.
import create_module from "./attention_playground.mjs";

/** @import { ModuleOptions } from "./attention_playground.mjs" */

/** @param {ModuleOptions} options */
export function load_module(options) {
  return create_module(options);
}

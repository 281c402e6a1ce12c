// Multi-head attention with access to every stage, for other people's programs: node, browsers and workers, no DOM, no eval.
import { check_members } from "./arguments.js";
import { AttentionEngine } from "./attention_engine.js";
import { compiled } from "./compiled.js";
import { running } from "./running.js";

/** @import { Engine, EngineOptions } from "./engine" */

const kOptions = new Set(["wasm"]);

/**
 * @param {EngineOptions} [options]
 * @returns {Promise<Engine>}
 */
export async function createEngine(options = {}) {
  check_members("options", options, kOptions);
  return new AttentionEngine(
    await running(await compiled(options.wasm, () => new URL("engine.wasm", import.meta.url))),
  );
}

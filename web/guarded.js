// The engine's module, with an end to its mistakes: what its functions throw stops it for good, and nobody is shown more of it than a
// sentence.

/** @import { RawModule } from "./attention_playground.mjs" */

export const kBroken = "The playground stopped because of an error in its program.";
export const kNoMemory = "The playground stopped: what it was to do needs more memory than the browser gives it.";

/** Whether a value is a function that runs the program. @param {string | symbol} name @param {unknown} value */
const runs = (name, value) => typeof value === "function" && /^(_|callMain)/.test(String(name));

/**
 * A module whose functions, when the program ends in one of them, call `on_stop` with a sentence and throw it.
 * @param {RawModule} module
 * @param {(sentence: string) => void} on_stop
 * @returns {RawModule}
 */
export function guarded(module, on_stop) {
  /** @type {Map<string | symbol, Function>} */
  const calls = new Map();
  /** @param {Function} call */
  const guard =
    (call) =>
    /** @param {unknown[]} values */
    (...values) => {
      try {
        return call(...values);
      } catch (error) {
        const { message } = /** @type {Error} */ (error);
        const sentence = message === kNoMemory ? kNoMemory : kBroken;
        if (sentence === kBroken) console.error(error);
        on_stop(sentence);
        throw new Error(sentence, { cause: error });
      }
    };
  return new Proxy(module, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (!runs(name, value)) return value;
      const call = calls.get(name) ?? guard(value);
      calls.set(name, call);
      return call;
    },
  });
}

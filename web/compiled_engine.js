// The engine's WebAssembly, compiled once for all frames of a page that may look at each other (the same origin): the first
// keeps it on its window, the others copy it from there. Frames with an origin of their own compile for themselves.

/** @typedef {Map<string, Promise<WebAssembly.Module | null>>} Compiled by the file's address; null: it could not be compiled */
/** @typedef {Window & { attention_playground_compiled?: Compiled }} Sharing */

const kPause = 100; // ms between two looks whether a frame that compiles is still there

/**
 * @param {string} address of the .wasm file
 * @param {Sharing} window
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compiled_engine(address, window) {
  /** @type {Compiled} */
  const own = (window.attention_playground_compiled ??= new Map());
  const compiling = own.get(address) ?? find_compiled(address, window);
  const compiled = compiling ? compiling.then((found) => found ?? compile(address)) : compile(address);
  own.set(address, compiled);
  try {
    return await compiled;
  } catch (error) {
    own.delete(address); // whoever asks next tries again
    throw error;
  }
}

/**
 * What a frame beside this one, or the page around, has compiled or compiles now; null if there is none.
 * @param {string} address
 * @param {Window} window
 */
function find_compiled(address, window) {
  const { parent } = window;
  for (let i = -1; parent !== window && i < parent.length; ++i) {
    const other = /** @type {Sharing} */ (i < 0 ? parent : parent[i]);
    try {
      const compiled = other === window ? null : other.attention_playground_compiled?.get(address);
      if (compiled) return copy_from(other, compiled);
    } catch {
      // Of another origin.
    }
  }
  return null;
}

/**
 * Resolves to null if the other window fails, or goes away before it is done. A copy belongs to this window and keeps nothing
 * of the other alive.
 * @param {Window} other
 * @param {Promise<WebAssembly.Module | null>} compiled
 * @returns {Promise<WebAssembly.Module | null>}
 */
function copy_from(other, compiled) {
  return new Promise((resolve) => {
    const timer = setInterval(() => other.closed && settle(null), kPause);
    /** @param {WebAssembly.Module | null} module */
    const settle = (module) => {
      clearInterval(timer);
      resolve(module && structuredClone(module));
    };
    compiled.then(settle, () => settle(null));
  });
}

/** @param {string} address */
async function compile(address) {
  const response = await fetch(address, { credentials: "same-origin" });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const type = response.headers.get("Content-Type") ?? "";
  // Servers that do not know .wasm say something else, and the browser then refuses to compile while it loads.
  if (type.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

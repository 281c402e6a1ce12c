// Compiles the engine's WebAssembly once for all frames of a page that have the same origin: the first frame keeps it on its
// window, the others copy it from there. Frames of other origins compile it themselves.

/** @typedef {Map<string, Promise<WebAssembly.Module | null>>} Compiled by the file's address; null if compiling failed */
/** @typedef {Window & { attention_playground_compiled?: Compiled }} Sharing */

const kPause = 100; // ms between checks that a compiling frame still exists

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
    own.delete(address); // the next call tries again
    throw error;
  }
}

/**
 * The module that a sibling frame or the page around has compiled or is compiling; null if there is none.
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
 * Resolves to null if the other window fails or closes before it is done. The copy belongs to this window and keeps nothing of
 * the other window alive.
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
  // Servers that do not know .wasm send another type, and browsers then refuse to compile while downloading.
  if (type.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

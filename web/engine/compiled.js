// Loads the engine's WebAssembly: from beside this script, or from the caller where a script may not fetch.

/**
 * Resolves to the compiled module. Rejects with a sentence if it cannot be loaded.
 * @param {string | URL | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WebAssembly.Module | undefined} given
 * @param {() => URL} beside where it is if nothing was given: `new URL("engine.wasm", import.meta.url)`, for bundlers look for
 *   exactly such an expression and then include the file
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compiled(given, beside) {
  if (given instanceof WebAssembly.Module) return given;
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return WebAssembly.compile(given);
  if (given !== undefined && typeof given !== "string" && !(given instanceof URL)) {
    throw new TypeError(
      `wasm is ${given === null ? "null" : typeof given}: it should be an address, the bytes of engine.wasm or a WebAssembly.Module`,
    );
  }
  const address = given === undefined ? beside() : new URL(given, import.meta.url);
  return address.protocol === "file:" ? compile_file(address) : compile_fetched(address);
}

/**
 * For node, whose fetch() cannot read files.
 * @param {URL} address
 */
async function compile_file(address) {
  const fs = "node:fs/promises"; // in a variable, so that bundlers for the browser do not look for it
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ fs);
  return WebAssembly.compile(await readFile(address));
}

/** @param {URL} address */
async function compile_fetched(address) {
  const response = await fetch(address, { credentials: "same-origin" });
  if (!response.ok) throw new Error(`${address} could not be loaded: the server answered ${response.status}`);
  const type = response.headers.get("Content-Type") ?? "";
  // Servers that do not know .wasm send another type, and browsers then refuse to compile while downloading.
  if (type.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

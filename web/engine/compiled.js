// Where the engine's WebAssembly comes from: beside this script, or from the caller, for places where a script may not fetch.

/**
 * Resolves to the compiled module. Rejects with a sentence when there is none.
 * @param {string | URL | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WebAssembly.Module | undefined} given
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compiled(given) {
  if (given instanceof WebAssembly.Module) return given;
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return WebAssembly.compile(given);
  if (given !== undefined && typeof given !== "string" && !(given instanceof URL)) {
    throw new TypeError(
      `wasm is ${given === null ? "null" : typeof given}: it should be an address, the bytes of engine.wasm or a WebAssembly.Module`,
    );
  }
  // An address of its own for each case: bundlers look for exactly this expression, and bring the file along.
  const address = given === undefined ? new URL("engine.wasm", import.meta.url) : new URL(given, import.meta.url);
  return address.protocol === "file:" ? compile_file(address) : compile_fetched(address);
}

/**
 * In node, whose fetch knows no files.
 * @param {URL} address
 */
async function compile_file(address) {
  const fs = "node:fs/promises"; // in a variable: bundlers for the browser must not look for it
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ fs);
  return WebAssembly.compile(await readFile(address));
}

/** @param {URL} address */
async function compile_fetched(address) {
  const response = await fetch(address, { credentials: "same-origin" });
  if (!response.ok) throw new Error(`${address} could not be loaded: the server answered ${response.status}`);
  const type = response.headers.get("Content-Type") ?? "";
  // Servers that do not know .wasm say something else, and the browser then refuses to compile while it loads.
  if (type.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

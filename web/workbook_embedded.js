// Replaces workbook_beside.js in the page as one script, which may not fetch WebAssembly: a classic script beside it, workbook_module.js,
// has the module in base64 (tools/page.mjs). In the page as one file that script stands before this one.

const kScript = "workbook_module.js";
const kNotLoaded =
  "The spreadsheet's program could not be loaded: this copy of the page does not have it, or the connection is gone.";

/** @returns {string | undefined} */
const module_in_base64 = () => /** @type {any} */ (globalThis).attention_workbook_module;

/** Rejects with a sentence. @returns {Promise<WebAssembly.Module>} */
export async function compiled_workbooks() {
  if (module_in_base64() === undefined) await load(new URL(kScript, document.baseURI).href);
  const text = module_in_base64();
  if (text === undefined) throw new Error(kNotLoaded);
  return WebAssembly.compile(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
}

/** @param {string} address @returns {Promise<void>} */
function load(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(kNotLoaded));
    document.head.append(script);
  });
}

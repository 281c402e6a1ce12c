// The module that writes spreadsheets, from the host of the page. The page as one script uses workbook_embedded.js instead.

const kModule = "attention_workbook.wasm";
const kNotLoaded = "The spreadsheet's program could not be loaded. Please check the connection and try again.";

/** Rejects with a sentence. @returns {Promise<WebAssembly.Module>} */
export async function compiled_workbooks() {
  try {
    const response = await fetch(new URL(kModule, import.meta.url), { credentials: "same-origin" });
    if (!response.ok) throw new Error(`${kModule}: ${response.status}`);
    const module = await WebAssembly.compile(await response.arrayBuffer());
    void keep();
    return module;
  } catch (error) {
    console.error(error);
    throw new Error(kNotLoaded);
  }
}

/** The page's worker keeps the module for a visit without a network; without a worker nothing happens. */
async function keep() {
  try {
    (await navigator.serviceWorker.ready).active?.postMessage({ keep: kModule });
  } catch {
    // a page in a sandbox keeps nothing
  }
}

// Replaces models_beside.js in the page as one script, which may not fetch anything. tools/page.mjs puts the models in front of it:
// each has its files inside, in base64, or the address of a classic script that brings them, which loads from anywhere.

/** @import { ListedModel } from "./types" */

const kFiles = ["config.json", "model.safetensors", "tokenizer.json"];
const kNoScript = "The model could not be loaded. Please check the connection and try again.";

/** @returns {Record<string, Record<string, string> | string>} */
const models = () => /** @type {any} */ (globalThis).attention_playground_models ?? {};

/** @type {Map<string, Promise<void>>} */
const coming = new Map();

/** @returns {Promise<unknown>} */
export const fetch_list = async () => Object.keys(models()).map((name) => ({ name, files: kFiles }));

/**
 * A file of a model. Rejects with a sentence.
 * @param {ListedModel} model
 * @param {string} file
 * @param {string} page the page's address
 * @param {AbortSignal} _ whoever stopped it waits no longer; the script comes all the same
 * @returns {Promise<Blob>}
 */
export async function fetch_file({ name }, file, page, _) {
  const address = models()[name];
  if (typeof address === "string") {
    if (!coming.has(name)) coming.set(name, load(new URL(address, page).href));
    await coming.get(name)?.catch((error) => {
      coming.delete(name);
      throw error;
    });
  }
  const text = atob(/** @type {Record<string, string>} */ (models()[name])[file]);
  return new Blob([Uint8Array.from(text, (letter) => letter.charCodeAt(0))]);
}

/** Whether the model is here already. @param {string} name @param {string} _ */
export const is_kept = async (name, _) => typeof models()[name] === "object";

/** Here nothing is kept. @param {string} _ */
export const keep = async (_) => {};

/** @param {string} address @returns {Promise<void>} */
function load(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(kNoScript));
    document.head.append(script);
  });
}

// The models that the host keeps beside the page, in the folder models/: list.json names them and their files. The page as one script
// has the project's own model inside instead (tools/page.mjs).

/** @import { ListedModel } from "./types" */

/** The list; nothing is in it where the host has none. @param {string} page the page's address @returns {Promise<unknown>} */
export async function fetch_list(page) {
  const response = await fetch(new URL("models/list.json", page));
  return response.ok ? response.json() : [];
}

/**
 * A file of a model. Rejects with a sentence.
 * @param {ListedModel} model
 * @param {string} file
 * @param {string} page the page's address
 * @returns {Promise<Blob>}
 */
export async function fetch_file(model, file, page) {
  const folder = encodeURIComponent(model.folder ?? model.name);
  const response = await fetch(new URL(`models/${folder}/${encodeURIComponent(file)}`, page));
  if (!response.ok) throw new Error(`${file} of the model ${model.name} cannot be fetched: ${response.status}.`);
  return response.blob();
}

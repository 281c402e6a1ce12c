// The models that the host keeps beside the page, in the folder models/: list.json names them and their files. The page as one script
// has the project's own model inside instead (tools/page.mjs).

/** @import { ListedModel } from "./types" */

const kNoConnection =
  "The model could not be fetched. Please check the connection and reload the page: the address keeps what you made.";

/**
 * The list; nothing is in it where the host has none. Rejects with a sentence.
 * @param {string} page the page's address
 * @returns {Promise<unknown>}
 */
export async function fetch_list(page) {
  const response = await fetch_beside("list.json", page);
  if (!response.ok) return [];
  return response.json().catch(() => Promise.reject(new Error("models/list.json beside this page is no JSON.")));
}

/**
 * A file of a model. Rejects with a sentence.
 * @param {ListedModel} model
 * @param {string} file
 * @param {string} page the page's address
 * @param {AbortSignal} signal stops it
 * @returns {Promise<Blob>}
 */
export async function fetch_file(model, file, page, signal) {
  const folder = encodeURIComponent(model.folder ?? model.name);
  const response = await fetch_beside(`${folder}/${encodeURIComponent(file)}`, page, signal);
  if (!response.ok) throw new Error(`The model ${model.name} cannot be fetched: ${file}, ${response.status}.`);
  return response.blob().catch(() => Promise.reject(new Error(kNoConnection)));
}

/** Whether this browser has the model's numbers from an earlier visit. @param {string} name @param {string} page */
export async function is_kept(name, page) {
  try {
    return (await caches.match(new URL(`models/${name}/model.safetensors`, page))) !== undefined;
  } catch {
    return false; // a page in a sandbox keeps nothing
  }
}

/** Has the page's worker keep a model that was used; without one nothing happens. @param {string} name */
export async function keep(name) {
  try {
    (await navigator.serviceWorker.ready).active?.postMessage({ keep: `models/${name}/` });
  } catch {
    // a page in a sandbox keeps nothing
  }
}

/** @param {string} name @param {string} page @param {AbortSignal} [signal] */
const fetch_beside = (name, page, signal) =>
  fetch(new URL(`models/${name}`, page), { signal }).catch(() => Promise.reject(new Error(kNoConnection)));

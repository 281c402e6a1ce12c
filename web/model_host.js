// Asks a host for the files of a model: first for sizes, then, by another call, for the files themselves. Sends no cookies, no passwords
// and no address of this page. What a host says is not believed: sizes are counted, and a file that is another one than it was is
// refused in a sentence. Only fetch.html loads this module: the policies of the other pages allow no other host.
import { has_all_inside } from "./model_address.js";

/** @import { ModelPlace } from "./model_address.js" */

/**
 * A file at a host. `from` is the host that sends it in the end, after redirects; `size` is null where nobody says it; `tag` changes with
 * the file's content, or is "".
 * @typedef {{ name: string, address: string, host: string, from: string, size: number | null, tag: string }} HostFile
 */

const kMostUnsaid = 64 * 2 ** 20; // bytes of a text whose size the host does not say
const kMostIndex = 32 * 2 ** 20; // bytes of the list of a model's parts
const kMostParts = 64;
const kPiece = 16 * 2 ** 20; // bytes: so many are handed to the browser at a time, which may keep them on the disk
const kPartName = /^[\w.-]+\.(safetensors|bin)$/;
const kTokenizers = ["vocab.json", "merges.txt", "vocab.txt", "tokenizer.model"]; // where there is no tokenizer.json
const kYourself = "Download the model's files there yourself, and drop them on the playground.";

/** "548 MB": bytes as hosts count them, by thousands. @param {number} bytes */
export function words_of(bytes) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; ++unit) value /= 1000;
  return `${unit > 0 && value < 99.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** Whether a file holds numbers, and no text. @param {HostFile} file */
const is_numbers = ({ name }) => /\.(safetensors|gguf|bin|pth?|zip)$/i.test(name);

/**
 * Asks for the sizes of a model's files, in the order in which they should be fetched: texts first. Where a model is in several parts, the
 * list of them is read. Rejects with a sentence.
 * @param {ModelPlace} place
 * @param {AbortSignal} signal
 * @returns {Promise<HostFile[]>}
 */
export async function look(place, signal) {
  const { host, folders, file, query } = place;
  /** Many hosts let other sites read their files, but not the answer that there is no such file. @type {Error[]} */
  const unread = [];
  const if_there = (/** @type {Error} */ error) => {
    if (!(error instanceof Unreadable)) throw error;
    unread.push(error);
    return null;
  };
  /** @param {string} folder */
  const ask_in =
    (folder, search = "") =>
    (/** @type {string} */ name) =>
      look_at({ name, address: `${folder}${encodeURIComponent(name)}${search}`, host }, signal).catch(if_there);
  if (file !== null) {
    const [folder] = folders;
    const found = await ask_in(folder, query)(file);
    if (found === null) throw unread[0] ?? new Error(`${host} has no file ${file} at this address.`);
    if (has_all_inside(file)) return known_sizes([found]);
    const config = await ask_in(folder)("config.json");
    return known_sizes([...(config ? [config] : []), ...(await look_for_words(ask_in(folder))), found]);
  }
  for (const folder of folders) {
    const ask_for = ask_in(folder);
    const config = await ask_for("config.json");
    if (config === null) continue;
    return known_sizes([
      config,
      ...(await look_for_words(ask_for)),
      ...(await look_for_numbers(ask_for, host, signal)),
    ]);
  }
  const none = `${host} has no config.json at this address, so there is no model that could be opened. Is it the address of the model's own page or folder?`;
  throw unread[0] ?? new Error(none);
}

/** The browser does not let this page read an answer, or there is none. */
class Unreadable extends Error {}

/** @param {HostFile[]} files */
function known_sizes(files) {
  for (const file of files) {
    if (file.size === 0) throw new Error(`${file.name} at ${file.host} is empty.`);
    if (file.size === null && is_numbers(file))
      throw new Error(`${file.from} does not say how large ${file.name} is, so it is not fetched. ${kYourself}`);
  }
  return files;
}

/** @param {(name: string) => Promise<HostFile | null>} ask_for @returns {Promise<HostFile[]>} */
async function look_for_words(ask_for) {
  const tokenizer = await ask_for("tokenizer.json");
  const names = tokenizer ? [] : kTokenizers;
  const found = await Promise.all([tokenizer, ...["tokenizer_config.json", ...names].map(ask_for)]);
  return found.filter((file) => file !== null);
}

/** @param {(name: string) => Promise<HostFile | null>} ask_for @param {string} host @param {AbortSignal} signal */
async function look_for_numbers(ask_for, host, signal) {
  for (const name of ["model.safetensors", "pytorch_model.bin"]) {
    const whole = await ask_for(name);
    if (whole !== null) return [whole];
    const index = await ask_for(`${name}.index.json`);
    if (index === null) continue;
    const parts = await parts_of(index, signal);
    const found = await Promise.all(parts.map(ask_for));
    const lost = parts.find((_, i) => found[i] === null);
    if (lost !== undefined)
      throw new Error(`${host} has no file ${lost} that this page can read, but ${index.name} names it.`);
    return [index, ...found.filter((file) => file !== null)];
  }
  throw new Error(
    `${host} has a config.json at this address, but no model.safetensors and no pytorch_model.bin that this page can read. If the numbers have another name, paste the address of that file.`,
  );
}

/** The names in the list of a model's parts, which is read for them. @param {HostFile} index @param {AbortSignal} signal */
async function parts_of(index, signal) {
  if (index.size === null || index.size > kMostIndex)
    throw new Error(`${index.name} at ${index.from} is larger than a list of a model's parts, or of no known size.`);
  const map = (await read_json(await fetch_file(index, signal, () => {}), index.from)).weight_map;
  const names = [...new Set(Object.values(map ?? {}))].sort();
  if (names.length === 0 || names.length > kMostParts || !names.every((name) => kPartName.test(String(name))))
    throw new Error(`${index.name} from ${index.from} does not list the parts of a model.`);
  return /** @type {string[]} */ (names);
}

/**
 * One byte of a file is asked for, which also tells the size of all; null where there is no such file.
 * @param {{ name: string, address: string, host: string }} file
 * @param {AbortSignal} signal
 * @returns {Promise<HostFile | null>}
 */
async function look_at({ name, address, host }, signal) {
  const response = await ask(address, { method: "GET", headers: { Range: "bytes=0-0" }, signal });
  void response.body?.cancel().catch(() => {}); // a host that ignores the range would send all of it
  if (response.status === 404 || response.status === 410) return null;
  const from = new URL(response.url).host;
  if (response.status === 416) return { name, address, host, from, size: 0, tag: "" };
  refuse_status(response, name);
  const size = response.status === 206 ? whole_size(response) : length_of(response);
  // Hosts that do not let other sites read the range's header say the size to HEAD.
  return {
    name,
    address,
    host,
    from,
    size: size ?? (await size_by_head(address, from, signal)),
    tag: tag_of(response),
  };
}

/** @param {string} address @param {string} from @param {AbortSignal} signal */
async function size_by_head(address, from, signal) {
  const response = await ask(address, { method: "HEAD", headers: { Range: "bytes=0-" }, signal });
  return response.ok && new URL(response.url).host === from ? length_of(response) : null;
}

/**
 * Fetches a file that look() has found. Rejects with a sentence where it is not that file any more, or not as long.
 * @param {HostFile} file
 * @param {AbortSignal} signal
 * @param {(bytes: number) => void} on_bytes how many came since the last call
 * @returns {Promise<File>}
 */
export async function fetch_file(file, signal, on_bytes) {
  const { name, address, host, from, size, tag } = file;
  // The range asks for all of it, and browsers then ask hosts not to pack it: so the bytes can be counted.
  const response = await ask(address, { method: "GET", headers: { Range: "bytes=0-" }, signal });
  refuse_status(response, name);
  const now_from = new URL(response.url).host;
  if (now_from !== from)
    throw new Error(
      `${host} now sends this page to ${now_from} for ${name}, not to ${from} as before. Please look again.`,
    );
  const said = whole_size(response) ?? length_of(response);
  const is_other =
    (tag !== "" && tag_of(response) !== "" && tag_of(response) !== tag) ||
    (said !== null && size !== null && said !== size);
  if (is_other || !response.body) {
    void response.body?.cancel().catch(() => {});
    throw new Error(`${name} at ${from} has changed since this page looked. Please look again.`);
  }
  const most = size ?? kMostUnsaid;
  const bytes = await read_at_most(response.body, most, on_bytes, file, signal);
  if (size !== null && bytes.size < size) throw cut_off(file, bytes.size);
  return new File([bytes], name);
}

/**
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @param {number} most
 * @param {(bytes: number) => void} on_bytes
 * @param {HostFile} file
 * @param {AbortSignal} signal
 * @returns {Promise<Blob>}
 */
async function read_at_most(body, most, on_bytes, file, signal) {
  const reader = body.getReader();
  /** @type {Blob[]} */
  const blobs = [];
  /** @type {Uint8Array<ArrayBuffer>[]} */
  let pieces = [];
  let waiting = 0;
  let count = 0;
  for (;;) {
    const { value, done } = await reader.read().catch(() => {
      signal.throwIfAborted();
      throw cut_off(file, count);
    });
    if (!done) {
      count += value.length;
      if (count > most) {
        void reader.cancel().catch(() => {});
        throw new Error(
          `${file.name} from ${file.from} is longer than the ${words_of(most)} that it may have, so it is not used.`,
        );
      }
      pieces.push(value);
      waiting += value.length;
      on_bytes(value.length);
    }
    if (done || waiting >= kPiece) {
      blobs.push(new Blob(pieces));
      pieces = [];
      waiting = 0;
    }
    if (done) return new Blob(blobs);
  }
}

/** @param {HostFile} file @param {number} count */
const cut_off = ({ name, from, size }, count) =>
  new Error(
    `${name} from ${from} ended after ${count.toLocaleString("en")}${size === null ? "" : ` of ${size.toLocaleString("en")}`} bytes. Please try again.`,
  );

/**
 * Reads a text that should be a JSON object. Rejects with a sentence.
 * @param {File} file
 * @param {string} from the host
 * @returns {Promise<Record<string, any>>}
 */
export async function read_json(file, from) {
  const text = await file.text();
  try {
    const value = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // said below
  }
  const what = /^\s*</.test(text) ? "is a web page, not JSON" : "is not JSON";
  throw new Error(`${file.name} from ${from} ${what}. Is this the address of a model's files?`);
}

/**
 * @param {string} address
 * @param {RequestInit} request
 * @returns {Promise<Response>}
 */
async function ask(address, request) {
  const { host } = new URL(address);
  /** @type {string[]} */
  const forbidden = [];
  const note = (/** @type {SecurityPolicyViolationEvent} */ event) => forbidden.push(event.blockedURI);
  globalThis.addEventListener?.("securitypolicyviolation", note);
  try {
    return await fetch(address, { ...request, credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store" });
  } catch {
    request.signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve)); // the event comes after the refusal
    if (forbidden.length > 0)
      throw new Error(`The policy of this site does not let this page contact ${new URL(forbidden[0], address).host}.`);
    if (globalThis.navigator?.onLine === false)
      throw new Error("There is no network: this page can fetch nothing now.");
    throw new Unreadable(
      `${host} cannot be read by this page: it does not answer, redirects without end, or does not allow pages of other sites to read its files (CORS). ${kYourself}`,
    );
  } finally {
    globalThis.removeEventListener?.("securitypolicyviolation", note);
  }
}

/** @param {Response} response @param {string} name */
function refuse_status({ ok, status, url }, name) {
  if (ok) return;
  const { host } = new URL(url);
  if ([401, 403, 407].includes(status))
    throw new Error(
      `${host} asks for an account or a password for ${name} (${status}). This page never sends any. ${kYourself}`,
    );
  if (status === 404 || status === 410) throw new Error(`${host} has no file ${name} any more. Please look again.`);
  if (status === 429)
    throw new Error(`${host} asks to wait: this network has fetched much from it (429). Please try again later.`);
  throw new Error(`${host} could not send ${name}: it answered ${status}. Please try again later.`);
}

/** The size of a whole file, from the answer to a range. @param {Response} response */
function whole_size({ headers }) {
  const found = headers.get("content-range")?.match(/^bytes 0-\d+\/(\d{1,15})$/);
  return found ? Number(found[1]) : null;
}

/** @param {Response} response */
function length_of({ headers }) {
  const length = headers.get("content-length");
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

/** What names a file's content, as far as the host lets it be read. @param {Response} response */
const tag_of = ({ headers }) => headers.get("etag") ?? headers.get("last-modified") ?? "";

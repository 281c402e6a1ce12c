// What the address of a model means: which host would be contacted, and where its files would be. Contacts nothing.

/**
 * `folders` are tried in this order, each ending in "/". `file` names one file of numbers in the first of them, or is null: the folder's
 * usual ones. `query` belongs to that file.
 * @typedef {{ host: string, folders: string[], file: string | null, query: string }} ModelPlace
 */

const kNumbers = /\.(safetensors|gguf|bin|pth?|zip)$/i;
const kBeside = /\.(json|txt|model)$/i; // a model's other files: their folder is meant
const kWithoutScheme = /^[\w-]+(\.[\w-]+)+(:\d+)?\//;
const kLoopback = ["localhost", "127.0.0.1"]; // as the policy of fetch.html has them
const kRevision = /^(resolve|tree|blob|raw)$/;
const kExample = "https://hub.example/OWNER/NAME";

/** Whether a file has its settings and its tokenizer inside. @param {string} name */
export const has_all_inside = (name) => /\.(gguf|zip)$/i.test(name);

/**
 * Reads an address that a visitor typed or pasted. Throws a sentence.
 * @param {string} text
 * @returns {ModelPlace}
 */
export function read_address(text) {
  const { protocol, username, password, hostname, host, origin, pathname, search } = url_of(text.trim());
  if (username !== "" || password !== "")
    throw new Error(
      "This address has a user's name or a password in it. This page sends neither: please take them out of the address.",
    );
  if (protocol !== "https:" && !(protocol === "http:" && kLoopback.includes(hostname)))
    throw new Error("Only addresses that begin with https:// can be fetched.");
  const parts = pathname.split("/").filter((part) => part !== "");
  if (parts.length === 0)
    throw new Error(
      `This address names a host and no model. It should look like ${kExample}, or name a file of numbers.`,
    );
  const last = parts[parts.length - 1];
  const is_numbers = kNumbers.test(last);
  const has_file = is_numbers || kBeside.test(last);
  const folder = has_file ? parts.slice(0, -1) : parts;
  const address_of = (/** @type {string[]} */ some) => `${origin}/${some.map((part) => `${part}/`).join("")}`;
  const place = { host, file: is_numbers ? decoded(last) : null, query: is_numbers ? search : "" };
  if (parts.length >= 4 && kRevision.test(parts[2])) {
    // A page of a model at a hub, or of one of its files: the files themselves are below "resolve".
    return { ...place, folders: [address_of([...folder.slice(0, 2), "resolve", ...folder.slice(3)])] };
  }
  const folders = [address_of(folder)];
  if (!has_file && folder.length <= 2)
    folders.splice(pathname.endsWith("/") ? 1 : 0, 0, address_of([...folder, "resolve", "main"]));
  return { ...place, folders };
}

/** @param {string} text */
function url_of(text) {
  if (text === "") throw new Error(`Please paste the address of a model. It looks like ${kExample}.`);
  try {
    return new URL(kWithoutScheme.test(text) ? `https://${text}` : text);
  } catch {
    throw new Error(`This is no address. It should look like ${kExample}.`);
  }
}

/** The name of a file, which is shown. @param {string} part of an address */
function decoded(part) {
  let name = "";
  try {
    name = decodeURIComponent(part);
  } catch {
    // said below
  }
  if (name === "" || /[\p{C}/]/u.test(name))
    throw new Error("The name of the file in this address has characters that no file name has.");
  return name;
}

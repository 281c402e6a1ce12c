// Small changes to a link, which is a query string. Only the engine knows what the keys mean.

export const kMostTries = 2; // to start anew with a link with which the program stops

/** Whether the link shows the opening scene. @param {string} link */
export const is_scene = (link) => /(^|&)view=door(&|$)/.test(link);

/**
 * The link with every occurrence of `key` replaced by these decoded values; without values, the key is left out.
 * @param {string} link
 * @param {string} key
 * @param {string[]} values
 */
export function with_values(link, key, values) {
  const others = link.split("&").filter((part) => part !== "" && part.split("=")[0] !== key);
  return [...others, ...values.map((value) => `${key}=${encode(value)}`)].join("&");
}

/**
 * The decoded values of `key`, in order.
 * @param {string} link
 * @param {string} key
 */
export function values_of(link, key) {
  return new URLSearchParams(link).getAll(key);
}

/**
 * The link with the sentence `number` (from 1) of its batch replaced.
 * @param {string} link
 * @param {string[]} batch all sentences of the state, whether or not the link contains them
 * @param {number} number
 * @param {string} text
 */
export function with_sentence(link, batch, number, text) {
  const texts = [...batch];
  texts[Math.min(number - 1, texts.length)] = text;
  return with_values(link, "text", texts);
}

/**
 * The names in the values of `hide` or `lock`. Names with brackets are cut at their commas.
 * @param {string} link
 * @param {"hide" | "lock"} key
 */
export function names_of(link, key) {
  return values_of(link, key).flatMap((value) => value.split(",").map((name) => name.trim()));
}

/**
 * The address for links to a page, without '#'; empty if others could not open it.
 * @param {string} url of the document
 */
export function address_of(url) {
  return /^(https?|file):/.test(url) ? url.replace(/[?#].*/s, "") : "";
}

/**
 * Whether the site of a page also has the author's page; the single-file version has none.
 * @param {string} url of the document
 */
export function has_author_page(url) {
  return /^https?:/.test(url) && !/attention-playground\.html([?#]|$)/.test(url);
}

/** Whether a page offers the one that fetches models: a site may leave it out, and in frames framed.js does. @param {Document} document */
export const has_fetch_page = (document) => document.querySelector("meta[name=attention-fetch]") !== null;

/** @param {string} value */
function encode(value) {
  return encodeURIComponent(value)
    .replace(/%20/g, "+")
    .replace(/%(2C|3A|3B|3D|5B|5D)/g, (code) => decodeURIComponent(code));
}

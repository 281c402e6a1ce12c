// What the author's page reads and changes in a link: what is left out, what is fixed, where it starts, what makes it long. Links
// in, links out; only the engine knows what the names mean.
import { values_of, with_values } from "./links.js";

/** @typedef {"open" | "fixed" | "hidden"} ControlMode */

/** The author's own keys, which are not part of the state that the class works on. */
const kAuthorsKeys = ["hide", "lock"];
/** Keys that a lesson's step leaves as they are. */
const kBesideLessons = [...kAuthorsKeys, "theme", "lang"];

/**
 * The names in a list, split at commas outside brackets: "settings,weights[1,7,4]".
 * @param {string} list
 */
export function read_names(list) {
  const names = list.match(/(?:\[[^\]]*\]?|[^,[])+/g) ?? [];
  return names.map((name) => name.trim()).filter((name) => name !== "");
}

/** @param {string} link @param {"hide" | "lock"} key */
export function names_of(link, key) {
  return read_names(values_of(link, key).join(","));
}

/**
 * The link with a name added to a list, or removed from it.
 * @param {string} link
 * @param {"hide" | "lock"} key
 * @param {string} name
 * @param {boolean} is_in
 */
export function with_name(link, key, name, is_in) {
  const others = names_of(link, key).filter((one) => one !== name);
  const names = is_in ? [...others, name] : others;
  return with_values(link, key, names.length > 0 ? [names.join(",")] : []);
}

/** The blank numbers in `hide`: "weights[1,7,4]". @param {string} link */
export function blanks_of(link) {
  return names_of(link, "hide").filter((name) => name.includes("["));
}

/** @param {string} link @param {string} key @returns {ControlMode} */
export function control_mode(link, key) {
  if (names_of(link, "hide").includes(`control.${key}`)) return "hidden";
  const locked = names_of(link, "lock");
  return locked.includes("all") || locked.includes(key) ? "fixed" : "open";
}

/**
 * @param {string} link
 * @param {string} key
 * @param {ControlMode} mode
 * @param {string[]} all_keys every key with a control: they replace "all" when one of them becomes open
 */
export function with_control_mode(link, key, mode, all_keys) {
  let changed = with_name(link, "hide", `control.${key}`, mode === "hidden");
  if (names_of(changed, "lock").includes("all") && mode === "open")
    changed = with_values(changed, "lock", [all_keys.join(",")]);
  if (mode === "hidden") return changed;
  return with_name(changed, "lock", key, mode === "fixed" && !names_of(changed, "lock").includes("all"));
}

/** The link without `hide` and `lock`. @param {string} link */
export function without_author(link) {
  return kAuthorsKeys.reduce((rest, key) => with_values(rest, key, []), link);
}

/**
 * The visitor's link with the author's `hide` and `lock`.
 * @param {string} link
 * @param {string} authors the link that has `hide` and `lock`
 */
export function with_author(link, authors) {
  return keep(without_author(link), authors, kAuthorsKeys);
}

/**
 * The link that starts a lesson at a step and keeps what a lesson does not decide.
 * @param {string} link
 * @param {string} lesson
 * @param {number} step from 1
 */
export function lesson_link(link, lesson, step) {
  return keep(`lesson=${encodeURIComponent(lesson)}&step=${step}`, link, kBesideLessons);
}

/** @param {string} link @param {string} from @param {string[]} keys */
function keep(link, from, keys) {
  return keys.reduce((all, key) => with_values(all, key, values_of(from, key)), link);
}

/**
 * The link in a pasted text, which may be an address or only the part after its '#'.
 * @param {string} pasted
 */
export function link_in(pasted) {
  const text = pasted.trim();
  const hash = text.indexOf("#");
  if (hash >= 0) return text.slice(hash + 1);
  return /^[a-z]+:\/\//i.test(text) ? "" : text.replace(/^\?/, "");
}

/**
 * The key that takes up most of a link, and how many characters it takes.
 * @param {string} link
 * @returns {{ key: string, length: number } | null} null for an empty link
 */
export function longest_key(link) {
  /** @type {Map<string, number>} */
  const lengths = new Map();
  for (const part of link.split("&").filter((one) => one !== "")) {
    const key = part.split("=")[0];
    lengths.set(key, (lengths.get(key) ?? 0) + part.length + 1);
  }
  const [first] = [...lengths].sort((a, b) => b[1] - a[1]);
  return first ? { key: first[0], length: first[1] } : null;
}

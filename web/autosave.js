// Keeps the last link in the browser's storage and offers it to a visitor who comes without a link. Also keeps which steps of the
// lessons the visitor has seen. What the visitor answered is kept beside them by sheet.js, and ends with them.
// Nothing depends on it: without storage, in private windows and in frames the playground works the same.
import { make } from "./dom.js";
import { kMostTries, values_of } from "./links.js";

/** @import { LinkStore } from "./types" */

const kKey = "attention-playground"; // a link, or kOff
const kStepsKey = "attention-playground-steps"; // "causal=1 causal=2"; the last one is where the visitor left off
const kAnswersKey = "attention-playground-answers"; // sheet.js keeps them
const kOff = "off"; // the visitor wants nothing kept; never a link
const kMostLetters = 40; // of the sentence that the offer quotes

/** The first words of a sentence. @param {string} sentence */
function beginning(sentence) {
  const letters = [...sentence];
  if (letters.length <= kMostLetters) return sentence;
  const cut = letters.slice(0, kMostLetters).join("");
  return `${cut.replace(/\s+\S*$/, "")} …`;
}

/** The storage of this page, or null if there is none or the page may not use it. @param {Window} window */
export function storage_of(window) {
  try {
    return window.localStorage;
  } catch {
    return null; // a sandboxed frame, or the visitor's settings
  }
}

/**
 * A link store that also keeps the last link in the browser's storage.
 * @implements {LinkStore}
 */
export class Autosave {
  /** @type {HTMLElement | null} */
  #bar = null;
  #links;
  #storage;

  /** @param {LinkStore} links @param {Storage} storage */
  constructor(links, storage) {
    this.#links = links;
    this.#storage = storage;
  }

  read() {
    return this.#links.read();
  }

  get storage() {
    return this.#storage;
  }

  /** @param {string} link @param {boolean} is_new_step */
  write(link, is_new_step) {
    this.#close(); // the visitor has started on something else
    if (this.is_on) this.#put(kKey, link);
    this.#visit(link);
    this.#links.write(link, is_new_step);
  }

  /** @param {(link: string) => void} on_link */
  listen(on_link) {
    this.#links.listen((link) => {
      this.#close();
      this.#visit(link);
      on_link(link);
    });
  }

  /** @param {string} link @param {string | null} rested */
  stopped(link, rested) {
    const stops = this.#links.stopped(link, rested);
    // The next visit is not offered what stopped this one again and again.
    if (this.is_on) this.#put(kKey, rested !== null && (stops[rested] ?? 0) < kMostTries ? rested : "");
    return stops;
  }

  /** @param {string} link */
  start_anew(link) {
    this.#links.start_anew(link);
  }

  destroy() {
    this.#close();
    this.#links.destroy();
  }

  /** Whether anything is kept; the visitor can switch this off and on. */
  get is_on() {
    return this.#get(kKey) !== kOff;
  }

  /** @param {boolean} is_on */
  set_on(is_on) {
    this.#put(kKey, is_on ? this.#links.read() : kOff);
    if (is_on) this.#visit(this.#links.read());
    else for (const key of [kStepsKey, kAnswersKey]) this.#put(key, "");
    if (!is_on) this.#close();
  }

  /** The steps of lessons that were seen: "causal=1 causal=2"; the last one is where the visitor left off. */
  get visited() {
    return this.#get(kStepsKey);
  }

  /** @param {string} link */
  #visit(link) {
    const lesson = values_of(link, "lesson")[0];
    if (!/^[a-z-]+$/.test(lesson ?? "") || !this.is_on) return; // none, or a task, which is in no list
    const step = `${lesson}=${values_of(link, "step")[0] ?? 1}`;
    const others = this.visited.split(" ").filter((seen) => seen !== "" && seen !== step);
    this.#put(kStepsKey, [...others, step].join(" "));
  }

  /**
   * Offers the kept link if this visit starts without one.
   * @param {HTMLElement} place
   * @param {(link: string) => void} on_continue
   */
  offer(place, on_continue) {
    this.#visit(this.#links.read());
    const kept = this.#get(kKey);
    const has_link = !["", this.#links.start].includes(this.#links.read());
    if (has_link || kept === "" || kept === kOff) return;
    const sentence = values_of(kept, "text")[0] ?? "";
    const words =
      sentence === "" ? "Continue where you left off?" : `Continue where you left off: “${beginning(sentence)}”?`;
    this.#bar = make(
      "div",
      { class: "last-visit", role: "group", "aria-label": "Last visit" },
      make("p", { role: "status" }, words),
      this.#button("Continue", () => on_continue(kept)),
      this.#button("Forget it", () => this.set_on(false), "Forget it, and keep nothing in this browser from now on"),
      this.#button("Close", () => {}),
    );
    place.append(this.#bar);
  }

  /** @param {string} label @param {() => void} act @param {string} [title] */
  #button(label, act, title = label) {
    const button = make("button", { type: "button", class: "text-button", title }, label);
    button.addEventListener("click", () => {
      this.#close();
      act();
    });
    return button;
  }

  #close() {
    this.#bar?.remove();
    this.#bar = null;
  }

  /** @param {string} key */
  #get(key) {
    try {
      return this.#storage.getItem(key) ?? "";
    } catch {
      return "";
    }
  }

  /** @param {string} key @param {string} value empty: the key is removed */
  #put(key, value) {
    try {
      if (value === "") this.#storage.removeItem(key);
      else this.#storage.setItem(key, value);
    } catch {
      // The storage is full or forbidden: nothing is kept.
    }
  }
}

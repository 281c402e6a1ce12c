// The page's field for the sentence: an ordinary field, so that screen readers, input methods and phone keyboards work as usual.
// It does not know whether its text goes to the picture or to the text version.

import { names_of } from "./links.js";

const kLocked = "The author of this page fixed the sentence.";

export class SentenceField {
  #input;

  /**
   * @param {HTMLInputElement} input
   * @param {(text: string) => void} on_type
   * @param {AbortSignal} stop
   */
  constructor(input, on_type, stop) {
    this.#input = input;
    const options = { signal: stop };
    input.addEventListener("input", () => on_type(input.value), options);
    input.addEventListener("keydown", (event) => event.key === "Enter" && !event.isComposing && input.blur(), options);
  }

  get value() {
    return this.#input.value;
  }

  /** @param {string} text */
  show(text) {
    if (this.#input.value !== text) this.#input.value = text; // writing the same would move the caret
  }

  /** The visitor is typing into it. */
  get has_focus() {
    return this.#input.ownerDocument.activeElement === this.#input;
  }

  /** Hides or locks the field, as the page's author chose. @param {{ hides: boolean, locks: boolean }} wish */
  restrict({ hides, locks }) {
    this.#input.hidden = hides;
    this.#input.readOnly = locks;
    this.#input.title = locks ? kLocked : "";
  }

  /** The same from a link, for the time before the first picture and for the text version. @param {string} link */
  restrict_as(link) {
    const locked = names_of(link, "lock");
    const hides = names_of(link, "hide").includes("sentence");
    this.restrict({ hides, locks: locked.includes("text") || locked.includes("all") });
  }
}

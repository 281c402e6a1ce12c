// About, in the text version: the digest of all numbers, so that two people can compare theirs. Computed on request.
import { make } from "./dom.js";
import { names_of } from "./links.js";

/** @import { Engine } from "./types" */

/** What the engine answers: 16 hexadecimal digits, or why there are none. @param {string} answer */
const digest_words = (answer) => (/^[0-9a-f]{16}$/.test(answer) ? `Digest: ${answer}` : answer);

export class PlainAbout {
  #link = "";
  #digest = make("p", { role: "status", class: "plain-outcome" });

  /** @param {Engine} engine */
  constructor(engine) {
    const compute = make("button", { type: "button", class: "text-button" }, "Digest of all numbers");
    compute.addEventListener("click", () => (this.#digest.textContent = digest_words(engine.digest(this.#link))));
    this.element = make(
      "div",
      { class: "plain-share" },
      make("h3", {}, "About"),
      make(
        "p",
        {},
        "The digest covers every bit of every stage of all sentences. Anyone who opens the same link gets the same digest, on any machine.",
      ),
      make("p", {}, compute),
      this.#digest,
    );
  }

  /** @param {string} link */
  show(link) {
    if (link !== this.#link) this.#digest.textContent = "";
    this.#link = link;
    this.element.hidden = names_of(link, "hide").includes("about");
  }
}

// The lines of PyTorch that make the chosen stage, in the text version: fetched from the engine while they are open.
import { copy_text } from "./clipboard.js";
import { make } from "./dom.js";
import { names_of } from "./links.js";

/** @import { Engine } from "./types" */

export class PlainCode {
  #link = "";
  /** Of the lines that stand there. */
  #shown_link = "";
  #engine;
  #lines = make("pre", {
    class: "plain-code",
    tabindex: 0,
    role: "group",
    "aria-label": "Lines of PyTorch",
    dir: "ltr",
  });
  #copy = make("button", { type: "button", class: "text-button" }, "Copy the lines");
  #outcome = make("p", { role: "status", class: "plain-outcome" });
  element = make("details", {}, make("summary", {}, "In PyTorch"), this.#lines, this.#copy, this.#outcome);

  /** @param {Engine} engine */
  constructor(engine) {
    this.#engine = engine;
    this.element.addEventListener("toggle", () => void this.#fill());
    this.#copy.addEventListener("click", () => void this.#copy_lines());
  }

  /** @param {string} link @param {boolean} has_stage whether a stage's numbers are shown */
  show(link, has_stage) {
    this.#link = link;
    this.element.hidden = !has_stage;
    this.#copy.hidden = names_of(link, "hide").includes("share");
    this.#outcome.textContent = "";
    void this.#fill();
  }

  /** In pieces: the engine may have to compute a long text once more. */
  async #fill() {
    const link = this.#link;
    if (!this.element.open || this.element.hidden || link === this.#shown_link) return;
    let text;
    try {
      text = new TextDecoder().decode((await this.#engine.make_file(link, "code")).bytes);
    } catch (error) {
      text = /** @type {Error} */ (error).message;
    }
    if (link !== this.#link) return; // something else is shown by now
    this.#shown_link = link;
    this.#lines.textContent = text;
  }

  async #copy_lines() {
    const is_copied = await copy_text(this.#lines.textContent ?? "", this.element);
    this.#outcome.textContent = is_copied ? "Copied." : "The browser does not let this page copy.";
  }
}

// Finds things among many weights, in the text version: a token by its letters, and the strongest cells of a head.
import { make } from "./dom.js";
import { with_values } from "./links.js";

/** @import { Mirror } from "./types" */

const kMostFound = 8;

let num_finds = 0;

export class PlainFind {
  #on_change;
  #id = `plain-find-${++num_finds}`;
  #field = make("input", { type: "search", id: this.#id, autocomplete: "off" });
  #found = make("p", { class: "plain-found", role: "status" });
  #summary = make("summary");
  #list = make("ol", { class: "plain-strongest" });
  #strongest = make("details", {}, this.#summary, this.#list);
  /** @type {Mirror | null} */
  #mirror = null;

  /** @param {(link: string) => void} on_change */
  constructor(on_change) {
    this.#on_change = on_change;
    const field = make("div", { class: "plain-field" }, make("label", { for: this.#id }, "Find a token"), this.#field);
    const form = make("form", { class: "plain-form", role: "search", "aria-label": "Tokens" }, field);
    form.addEventListener("submit", (event) => event.preventDefault());
    this.#field.addEventListener("input", () => this.#show_found());
    this.#strongest.addEventListener("toggle", () => this.#show_strongest());
    this.element = make("div", {}, form, this.#found, this.#strongest);
  }

  /** @param {Mirror} mirror */
  show(mirror) {
    this.#mirror = mirror;
    this.element.hidden = mirror.shown === null;
    this.#strongest.hidden = !mirror.shown?.strongest;
    this.#show_found();
    this.#show_strongest();
  }

  #show_found() {
    const text = small_letters(this.#field.value);
    const { tokens = [], shown = null } = this.#mirror ?? {};
    if (text === "" || shown === null) return this.#found.replaceChildren();
    const all = [...tokens.keys()].filter((token) => small_letters(tokens[token]).includes(text));
    const head = shown.strongest?.head ?? shown.pinned?.head ?? 1;
    const buttons = all.slice(0, kMostFound).flatMap((token) => {
      const column = shown.column_kind === "key" ? token : 0;
      return [this.#button(`${token}: ${tokens[token]}`, [head, token, column]), " "];
    });
    const more = all.length - kMostFound;
    const rest = all.length === 0 ? "No token has this in it." : more > 0 ? `${more} more: type more letters.` : "";
    this.#found.replaceChildren(...buttons, rest);
  }

  /** The list is long, so it is made only while it is open. */
  #show_strongest() {
    const { shown = null } = this.#mirror ?? {};
    if (!shown?.strongest) return;
    const { head, cells } = shown.strongest;
    this.#summary.textContent = `The ${cells.length} strongest cells of head ${head}`;
    const lines = this.#strongest.open ? cells : [];
    this.#list.replaceChildren(
      ...lines.map(({ title, row, column, value }) =>
        make("li", {}, this.#button(`${title}: ${value}`, [head, row, column])),
      ),
    );
  }

  /** @param {string} label @param {number[]} cell */
  #button(label, cell) {
    const button = make("button", { type: "button", class: "text-button" }, label);
    button.addEventListener("click", () =>
      this.#on_change(with_values(this.#mirror?.link ?? "", "cell", [cell.join(",")])),
    );
    return button;
  }
}

/** As in the picture: only English letters become small. @param {string} text */
function small_letters(text) {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

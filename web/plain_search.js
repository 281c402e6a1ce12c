// The search of the text version: settings, views and lessons by the field's words. The engine finds them, as for the picture.
import { make } from "./dom.js";

/** @import { Engine, Found } from "./types" */

const kMostFound = 12;

let num_searches = 0;

export class PlainSearch {
  #engine;
  #on_found;
  #id = `plain-search-${++num_searches}`;
  #field = make("input", { type: "search", id: this.#id, autocomplete: "off" });
  #said = make("p", { role: "status" });
  #list = make("ul", { class: "plain-search" });
  #link = "";

  /** @param {Engine} engine @param {(found: Found) => void} on_found the visitor chose this */
  constructor(engine, on_found) {
    this.#engine = engine;
    this.#on_found = on_found;
    const label = make("label", { for: this.#id }, "Find a setting, a view or a lesson");
    const form = make(
      "form",
      { class: "plain-form", role: "search", "aria-label": "Settings, views and lessons" },
      make("div", { class: "plain-field" }, label),
    );
    form.firstElementChild?.append(this.#field);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#list.querySelector("button")?.click();
    });
    this.#field.addEventListener("input", () => this.#show_found());
    this.element = make("div", {}, form, this.#said, this.#list);
  }

  /** Only what this state has is found. @param {string} link */
  show(link) {
    this.#link = link;
    this.#show_found();
  }

  #show_found() {
    const query = this.#field.value;
    const found = query.trim() === "" ? [] : this.#engine.find(this.#link, query);
    const shown = found.slice(0, kMostFound);
    this.#list.replaceChildren(...shown.map((one) => this.#make_line(one)));
    const more = found.length - shown.length;
    const words =
      found.length === 0
        ? `Nothing is called “${query}”.`
        : `${found.length} found${more > 0 ? `, ${more} not shown` : ""}.`;
    this.#said.textContent = query.trim() === "" ? "" : words;
  }

  /** @param {Found} found */
  #make_line(found) {
    const button = make("button", { type: "button", class: "text-button" }, found.title);
    button.addEventListener("click", () => {
      this.#field.value = "";
      this.#show_found();
      this.#on_found(found);
    });
    return make("li", {}, button, ` ${found.where}: ${found.about}`);
  }
}

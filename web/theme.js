// Light or dark: what the system prefers, what the link says, and what the page around the picture shows.
import { values_of, with_values } from "./links.js";

export class Theme {
  #is_dark = false;
  #root;
  #label;
  #dark_query;
  #calm_query;

  /** @param {HTMLElement} root @param {HTMLElement} label of the button that changes it */
  constructor(root, label) {
    const window = /** @type {Window} */ (root.ownerDocument.defaultView);
    this.#root = root;
    this.#label = label;
    this.#dark_query = window.matchMedia("(prefers-color-scheme: dark)");
    this.#calm_query = window.matchMedia("(prefers-reduced-motion: reduce)");
  }

  get system_is_dark() {
    return this.#dark_query.matches;
  }

  get reduces_motion() {
    return this.#calm_query.matches;
  }

  /** Calls back when the system prefers something else. @param {() => void} on_change @param {AbortSignal} stop */
  listen(on_change, stop) {
    for (const query of [this.#dark_query, this.#calm_query]) {
      query.addEventListener("change", on_change, { signal: stop });
    }
  }

  /** @param {boolean} is_dark */
  show(is_dark) {
    this.#is_dark = is_dark;
    this.#root.dataset.theme = is_dark ? "dark" : "light";
    this.#label.textContent = is_dark ? "Light colours" : "Dark colours";
  }

  /** @param {string} link */
  show_of(link) {
    const chosen = values_of(link, "theme")[0];
    this.show(chosen === "dark" || (chosen !== "light" && this.system_is_dark));
  }

  /** The link with the other theme; the one that the system has is left out, so that the page goes on following it. @param {string} link */
  changed_in(link) {
    const is_dark = !this.#is_dark;
    return with_values(link, "theme", is_dark === this.system_is_dark ? [] : [is_dark ? "dark" : "light"]);
  }
}

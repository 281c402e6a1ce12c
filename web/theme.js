// Light or dark: combines what the system prefers with what the link says, and applies it to the page around the picture.
import { values_of, with_values } from "./links.js";

/** @import { ForcedColors } from "./types" */

/** Light and dark for more contrast, as the desktop program has them (system_settings_desktop.cpp). @type {ForcedColors[]} */
const kContrast = [
  [0xffffff, 0x000000, 0x00009f, 0x37006e, 0xffffff],
  [0x000000, 0xffffff, 0xffff00, 0x1aebff, 0x000000],
];
/** What the picture is printed with. @type {Theme["preferences"]} */
export const kPaper = [false, true, kContrast[0]];

export class Theme {
  #is_dark = false;
  #root;
  #label;
  #dark_query;
  #calm_query;
  #forced_query;
  #contrast_query;

  /** @param {HTMLElement} root @param {HTMLElement} label of the button that changes it */
  constructor(root, label) {
    const window = /** @type {Window} */ (root.ownerDocument.defaultView);
    this.#root = root;
    this.#label = label;
    this.#dark_query = window.matchMedia("(prefers-color-scheme: dark)");
    this.#calm_query = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.#forced_query = window.matchMedia("(forced-colors: active)");
    this.#contrast_query = window.matchMedia("(prefers-contrast: more)");
  }

  get system_is_dark() {
    return this.#dark_query.matches;
  }

  /** The system's preferences. @returns {[is_dark: boolean, reduces_motion: boolean, colors: ForcedColors | null]} */
  get preferences() {
    const contrast = this.#contrast_query.matches ? kContrast[this.#is_dark ? 1 : 0] : null;
    const colors = this.#forced_query.matches ? forced_colors(this.#root) : contrast;
    return [this.system_is_dark, this.#calm_query.matches, colors];
  }

  /** Calls back when the system's preferences change. @param {() => void} on_change @param {AbortSignal} stop */
  listen(on_change, stop) {
    for (const query of [this.#dark_query, this.#calm_query, this.#forced_query, this.#contrast_query]) {
      query.addEventListener("change", on_change, { signal: stop });
    }
  }

  /** Returns whether the preferences are others now. @param {boolean} is_dark */
  show(is_dark) {
    const is_other = this.#contrast_query.matches && is_dark !== this.#is_dark;
    this.#is_dark = is_dark;
    this.#root.dataset.theme = is_dark ? "dark" : "light";
    this.#label.textContent = is_dark ? "Light colours" : "Dark colours";
    return is_other;
  }

  /** @param {string} link */
  show_of(link) {
    const chosen = values_of(link, "theme")[0];
    this.show(chosen === "dark" || (chosen !== "light" && this.system_is_dark));
  }

  /** The link with the other theme. The system's own theme is left out, so that the page keeps following the system. @param {string} link */
  changed_in(link) {
    const is_dark = !this.#is_dark;
    return with_values(link, "theme", is_dark === this.system_is_dark ? [] : [is_dark ? "dark" : "light"]);
  }
}

/** As the system has them. @param {HTMLElement} root @returns {ForcedColors} */
function forced_colors(root) {
  const probe = root.ownerDocument.createElement("i");
  root.append(probe);
  const number_of = (/** @type {string} */ name) => {
    probe.style.cssText = `forced-color-adjust: none; color: ${name}`;
    const [red, green, blue] = getComputedStyle(probe)
      .color.match(/[\d.]+/g)
      ?.map(Number) ?? [0, 0, 0];
    return (red << 16) | (green << 8) | blue;
  };
  /** @type {ForcedColors} */
  const colors = [
    number_of("Canvas"),
    number_of("CanvasText"),
    number_of("LinkText"),
    number_of("Highlight"),
    number_of("HighlightText"),
  ];
  probe.remove();
  return colors;
}

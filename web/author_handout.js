// What the author's page hands out: the link, a QR code, a poster, and a snippet to paste for each kind of page.
import { full_address, snippets } from "./snippets.js";
import { longest_key } from "./author_link.js";
import { copy_text } from "./clipboard.js";
import { make } from "./dom.js";
import { values_of } from "./links.js";
import { qr_modules, qr_svg } from "./qr_code.js";

/** @import { AuthorSettings, Engine, Mirror } from "./types" */

const kPosterPause = 500; // ms without a change before the poster is drawn again
const kPosterName = "attention-playground.png";
export const kNotCopied = "The browser does not let this page copy: select the text and copy it yourself.";
const kLong = 1500; // characters; some course systems cut off addresses at 2,000

export class Handout {
  #link = "";
  #poster_link = /** @type {string | null} */ (null);
  #poster = /** @type {Blob | null} */ (null);
  #timer = 0;
  #chosen = snippets[0];
  #settings = /** @type {AuthorSettings | null} */ (null);
  #address = site_address(window.location.href);
  #labels;
  #engine;
  #parts;
  #announce;

  /**
   * @param {HTMLElement} section
   * @param {Engine} engine
   * @param {{ announce: (sentence: string) => void, settings: (settings: Partial<AuthorSettings>) => void }} events
   */
  constructor(section, engine, { announce, settings }) {
    this.#engine = engine;
    this.#announce = announce;
    this.#labels = new Map(engine.keys().map(({ key, label }) => [key, label]));
    this.#parts = make_parts();
    const { address, title, link, copy_link, save_qr, save_poster, tabs, panel, copy_snippet, code } = this.#parts;
    address.value = this.#address;
    address.addEventListener("change", () => {
      this.#address = site_address(address.value) || this.#address;
      address.value = this.#address;
      this.#update();
    });
    title.addEventListener("change", () => settings({ title: title.value.trim() || "Attention Playground" }));
    link.addEventListener("focus", () => link.select());
    copy_link.addEventListener("click", () => this.#copy(link.value, "The link is copied."));
    copy_snippet.addEventListener("click", () =>
      this.#copy(code.textContent ?? "", `What to paste into ${this.#chosen.title} is copied.`),
    );
    save_qr.addEventListener("click", () => {
      const modules = qr_modules(link.value);
      if (modules)
        save("attention-playground-qr.svg", new Blob([qr_svg(modules, link.value)], { type: "image/svg+xml" }));
    });
    save_poster.addEventListener("click", () => this.#poster && save(kPosterName, this.#poster));
    snippets.forEach((snippet, i) => {
      const tab = make(
        "button",
        { type: "button", role: "tab", id: `author-tab-${snippet.name}`, "aria-controls": panel.id },
        snippet.title,
      );
      tab.addEventListener("click", () => this.#choose(i));
      tabs.append(tab);
    });
    tabs.addEventListener("keydown", (event) => this.#walk(event));
    section.append(...this.#parts.all);
    this.#choose(0);
  }

  /** Of the folder in which the playground is. */
  get address() {
    return this.#address;
  }

  /** @param {Mirror} mirror @param {AuthorSettings} settings */
  show(mirror, settings) {
    this.#link = mirror.link;
    this.#settings = settings;
    this.#update();
    if (this.#poster_link === this.#link) return;
    this.#poster_link = this.#link;
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#draw_poster(), kPosterPause);
  }

  #update() {
    if (!this.#settings) return;
    const { link, length, address_note, title } = this.#parts;
    link.value = full_address(this.#address, this.#link);
    length.textContent = this.#length_sentence(link.value.length);
    address_note.textContent = is_local(this.#address)
      ? "This address is on your own machine. Enter the address of the hosted site, or nobody else can open what you hand out."
      : "";
    if (document.activeElement !== title) title.value = this.#settings.title;
    this.#show_qr(link.value);
    this.#show_snippet();
  }

  /** @param {number} length */
  #length_sentence(length) {
    const counted = `${length.toLocaleString("en")} characters; the link leaves out default values.`;
    const longest = longest_key(this.#link);
    if (length <= kLong || !longest) return counted;
    const label = this.#labels.get(longest.key) ?? longest.key;
    return (
      `${counted} ${longest.length.toLocaleString("en")} of them are “${label}”. Some course systems cut off addresses this long: ` +
      "a session file (Share, in the playground) is safer."
    );
  }

  /** @param {string} address */
  #show_qr(address) {
    const { qr, save_qr, qr_note } = this.#parts;
    const modules = qr_modules(address);
    save_qr.disabled = modules === null;
    qr.hidden = modules === null;
    qr_note.textContent =
      modules === null
        ? "The link is too long for a QR code that a phone could read."
        : `${modules.length - 8} × ${modules.length - 8} squares`;
    if (!modules) return;
    const svg = new DOMParser().parseFromString(
      qr_svg(modules, `QR code of ${address}`),
      "image/svg+xml",
    ).documentElement;
    svg.setAttribute("role", "img");
    qr.replaceChildren(document.importNode(svg, true));
  }

  #draw_poster() {
    const { poster, poster_note, save_poster } = this.#parts;
    if (poster.src !== "") URL.revokeObjectURL(poster.src);
    try {
      const options = values_of(this.#link, "theme")[0] === "dark" ? "dark=1" : "";
      const { bytes, media_type } = this.#engine.export_file(this.#link, "png", options);
      this.#poster = new Blob([bytes], { type: media_type });
      poster.src = URL.createObjectURL(this.#poster);
      poster_note.textContent = "";
    } catch (error) {
      this.#poster = null;
      poster.removeAttribute("src");
      poster_note.textContent = /** @type {Error} */ (error).message;
    }
    poster.hidden = this.#poster === null;
    save_poster.disabled = this.#poster === null;
  }

  // --- snippets ---

  /** @param {number} index */
  #choose(index) {
    this.#chosen = snippets[index];
    const { tabs, panel } = this.#parts;
    [...tabs.children].forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === index));
      tab.setAttribute("tabindex", i === index ? "0" : "-1");
    });
    panel.setAttribute("aria-labelledby", tabs.children[index].id);
    this.#show_snippet();
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    const last = snippets.length - 1;
    const now = snippets.indexOf(this.#chosen);
    const next = { ArrowRight: now === last ? 0 : now + 1, ArrowLeft: now === 0 ? last : now - 1, Home: 0, End: last }[
      event.key
    ];
    if (next === undefined) return;
    event.preventDefault();
    this.#choose(next);
    /** @type {HTMLElement} */ (this.#parts.tabs.children[next]).focus();
  }

  #show_snippet() {
    if (!this.#settings) return;
    const { trap, code } = this.#parts;
    trap.textContent = this.#chosen.trap;
    code.textContent = this.#chosen.write({ ...this.#settings, address: this.#address, link: this.#link });
  }

  /** @param {string} text @param {string} outcome the sentence to announce once it is copied */
  async #copy(text, outcome) {
    const sentence = (await copy_text(text, document.body)) ? outcome : kNotCopied;
    this.#announce(""); // so that screen readers say the same sentence again
    this.#parts.copied.textContent = sentence;
    window.setTimeout(() => this.#announce(sentence));
  }
}

function make_parts() {
  const address = make("input", { id: "author-address", type: "url", autocomplete: "off", spellcheck: "false" });
  const address_note = make("p", { class: "author-hint" });
  const title = make("input", { id: "author-title", type: "text", autocomplete: "off" });
  const link = make("textarea", { id: "author-link", readonly: true, rows: 3, spellcheck: "false" });
  const length = make("p", { class: "author-hint" });
  const copy_link = button("Copy the link");
  const qr = make("div", { class: "author-qr" });
  const qr_note = make("p", { class: "author-hint" });
  const save_qr = button("Save the QR code (SVG)");
  const poster = make("img", { class: "author-poster", alt: "The poster: what the playground shows", hidden: true });
  const poster_note = make("p", { class: "author-hint" });
  const save_poster = button("Save the poster (PNG)");
  save_poster.disabled = true;
  const tabs = make("div", { class: "author-tabs", role: "tablist", "aria-label": "Where it goes" });
  const panel = make("div", { class: "author-panel", id: "author-snippet", role: "tabpanel" });
  const trap = make("p", { class: "author-trap" });
  const code = make("code", {});
  const copy_snippet = button("Copy");
  const copied = make("p", { class: "author-hint author-copied" });
  panel.append(
    trap,
    make("pre", { tabindex: "0", role: "group", "aria-label": "What to paste" }, code),
    make("div", { class: "author-row" }, copy_snippet, copied),
  );
  const all = [
    make(
      "div",
      { class: "author-columns" },
      make(
        "div",
        {},
        field("The playground is at", address, address_note),
        field("Title, read out by screen readers", title),
        field("Link", link, length),
        copy_link,
      ),
      make("figure", {}, make("div", { class: "author-picture" }, qr), make("figcaption", {}, qr_note), save_qr),
      make(
        "figure",
        {},
        make("div", { class: "author-picture" }, poster),
        make("figcaption", {}, poster_note),
        save_poster,
      ),
    ),
    make("h3", {}, "Into a page"),
    tabs,
    panel,
  ];
  return {
    address,
    address_note,
    title,
    link,
    length,
    copy_link,
    qr,
    qr_note,
    save_qr,
    poster,
    poster_note,
    save_poster,
    tabs,
    panel,
    trap,
    code,
    copy_snippet,
    copied,
    all,
  };
}

/** @param {string} label @param {HTMLElement} control @param {HTMLElement[]} more */
export function field(label, control, ...more) {
  return make("div", { class: "author-field" }, make("label", { for: control.id }, label), control, ...more);
}

/** @param {string} label */
export function button(label) {
  return make("button", { type: "button", class: "author-button" }, label);
}

/** @param {string} name @param {Blob} blob */
export function save(name, blob) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser may still be reading
}

/**
 * The folder of the playground, ending in "/"; empty if `address` is not an address.
 * @param {string} address of any of its pages
 */
function site_address(address) {
  try {
    const { origin, pathname } = new URL(/^[\w.-]+(:\d+)?(\/|$)/.test(address) ? `https://${address}` : address);
    if (origin === "null") return "";
    const folder = pathname.replace(/\/(index|author)\.html$/, "/");
    return origin + (folder.endsWith("/") ? folder : `${folder}/`);
  } catch {
    return "";
  }
}

/** @param {string} address */
function is_local(address) {
  return /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])[:/]/.test(address);
}

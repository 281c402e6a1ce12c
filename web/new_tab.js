// The way out of a frame: a link that opens the same state in a new tab. In a sandbox that may not open tabs, it shows the address
// for the visitor to copy.
import { make } from "./dom.js";

/** @import { Link } from "./types" */

export class NewTab {
  #abort = new AbortController();
  #anchor;
  #address = make("input", { class: "new-tab-address", readonly: true, "aria-label": "Address of this playground" });

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#anchor = /** @type {HTMLAnchorElement} */ (root.querySelector("[data-part=new-tab]"));
    this.#anchor.hidden = false;
    const stop = { signal: this.#abort.signal };
    this.#anchor.addEventListener("click", (event) => this.#open(event), stop);
    this.#address.addEventListener("blur", () => this.#address.remove(), stop);
    this.#address.addEventListener("keydown", (event) => event.key === "Escape" && this.#anchor.focus(), stop);
  }

  /** @param {Link} link */
  show(link) {
    const page = this.#anchor.ownerDocument.URL.replace(/[?#].*/, ""); // ?host= names the page around, which the new tab lacks
    this.#anchor.href = link === "" ? page : `${page}#${link}`;
  }

  destroy() {
    this.#abort.abort();
    this.#address.remove();
  }

  /** A sandbox does not say what it forbids, so just try. @param {MouseEvent} event */
  #open(event) {
    event.preventDefault();
    const tab = window.open();
    if (tab === null) {
      this.#show_address();
      return;
    }
    tab.opener = null; // before anything loads there, as with rel=noopener
    tab.location.replace(this.#anchor.href);
  }

  #show_address() {
    this.#address.value = this.#anchor.href;
    this.#anchor.after(this.#address);
    this.#address.select();
  }
}

// Keeps the state in the address bar: a link after '#', which browsers send to no server. Back and Forward walk through the steps.
/** @import { LinkStore } from "./types" */

// Safari refuses more than 100 changes in 30 s, other browsers more than 200 in 10 s. After this many, the newest link waits.
const kMaxChanges = 80;
const kWindowSeconds = 30;

/** @implements {LinkStore} */
export class AddressBar {
  /** @type {number[]} when the latest changes were made, in ms */
  #changes = [];
  /** @type {{ link: string, is_new_step: boolean } | null} */
  #waiting = null;
  #timer = 0;
  #abort = new AbortController();
  #window;
  /** The link that an address without one stands for. */
  start;
  /** What a reload keeps: how often the program stopped with which link. @type {{ stops: Record<string, number> } | null} */
  #kept;
  /** The link that was last read or written; events that bring the same link are ignored. */
  #known;

  /** @param {Window} window @param {string} [start] the link that an address without one stands for */
  constructor(window, start = "") {
    this.#window = window;
    this.start = start;
    this.#kept = window.history.state;
    this.#known = this.read();
  }

  read() {
    const { href } = this.#window.location;
    const hash = href.indexOf("#");
    return (hash < 0 ? "" : href.slice(hash + 1)) || this.start;
  }

  /** @param {(link: string) => void} on_link */
  listen(on_link) {
    const look = () => {
      const link = this.read();
      if (link === this.#known) return;
      this.#known = link;
      this.#waiting = null; // the waiting link is older than this one
      on_link(link);
    };
    this.#window.addEventListener("popstate", look, { signal: this.#abort.signal });
    this.#window.addEventListener("hashchange", look, { signal: this.#abort.signal });
  }

  /** @param {string} link @param {boolean} is_new_step */
  write(link, is_new_step) {
    this.#waiting = { link, is_new_step: is_new_step || this.#waiting?.is_new_step === true };
    this.#write_waiting();
  }

  /** @param {string} link */
  stopped(link) {
    const stops = this.#kept?.stops ?? {};
    this.#kept = { stops: { ...stops, [link]: (stops[link] ?? 0) + 1 } };
    this.#window.clearTimeout(this.#timer);
    this.#keep(`#${this.read()}`);
    return this.#kept.stops;
  }

  /** @param {string} link */
  start_anew(link) {
    this.#keep(`#${link}`);
    this.#window.location.hash = link; // where there is no history to write
    this.#window.location.reload();
  }

  destroy() {
    this.#abort.abort();
    this.#window.clearTimeout(this.#timer);
  }

  #write_waiting() {
    if (!this.#waiting) return;
    this.#window.clearTimeout(this.#timer);
    const now = performance.now();
    this.#changes = this.#changes.filter((time) => now - time < kWindowSeconds * 1000);
    if (this.#changes.length >= kMaxChanges) {
      const wait = this.#changes[0] + kWindowSeconds * 1000 - now;
      this.#timer = this.#window.setTimeout(() => this.#write_waiting(), wait);
      return;
    }
    const { link, is_new_step } = this.#waiting;
    this.#waiting = null;
    this.#changes.push(now);
    this.#keep(`#${link}`, is_new_step);
  }

  /** Makes this the address. @param {string} address @param {boolean} [is_new_step] */
  #keep(address, is_new_step = false) {
    try {
      const { history } = this.#window;
      if (is_new_step) history.pushState(this.#kept, "", address);
      else history.replaceState(this.#kept, "", address);
      this.#known = this.read();
    } catch {
      // This frame has no history, or the link is too long for the browser: the picture works without the address bar.
    }
  }
}

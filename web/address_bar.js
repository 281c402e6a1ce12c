// The state in the address bar: a link after '#', which no server ever sees. Back and Forward walk through the steps.
/** @import { LinkStore } from "./types" */

// Safari refuses more than 100 changes in 30 s (others 200 in 10 s): beyond this many the newest waits for its turn.
const kMaxChanges = 80;
const kWindowSeconds = 30;

/** @implements {LinkStore} */
export class AddressBar {
  /** @type {number[]} times of the latest changes, in ms */
  #changes = [];
  /** @type {{ link: string, is_new_step: boolean } | null} */
  #waiting = null;
  #timer = 0;
  #abort = new AbortController();
  #window;
  /** The link as it was read or written last; events that bring nothing new are ignored. */
  #known;

  /** @param {Window} window */
  constructor(window) {
    this.#window = window;
    this.#known = this.read();
  }

  read() {
    const { href } = this.#window.location;
    const hash = href.indexOf("#");
    return hash < 0 ? "" : href.slice(hash + 1);
  }

  /** @param {(link: string) => void} on_link */
  listen(on_link) {
    const look = () => {
      const link = this.read();
      if (link === this.#known) return;
      this.#known = link;
      this.#waiting = null; // what was on its way is older than this
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
    try {
      const { history } = this.#window;
      if (is_new_step) history.pushState(null, "", `#${link}`);
      else history.replaceState(null, "", `#${link}`);
      this.#known = this.read();
    } catch {
      // No history in this frame, or a link longer than the browser takes: the picture goes on without.
    }
  }
}

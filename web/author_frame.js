// Drives the playground in the frame of the author's page, with the messages that any embedding page may use (web/messages.js).
/** @import { Link } from "./types" */

export class EmbeddedPlayground {
  #is_ready = false;
  /** The state that the frame shows, or was last told to show. */
  #link = "";
  #frame;
  #on_change;

  /**
   * @param {HTMLIFrameElement} frame without an address yet
   * @param {(link: Link) => void} on_change the author changed something in the playground itself
   */
  constructor(frame, on_change) {
    this.#frame = frame;
    this.#on_change = on_change;
    window.addEventListener("message", (event) => this.#take(event));
  }

  /** @param {Link} link */
  show(link) {
    if (this.#frame.src === "") this.#frame.src = `./#${link}`;
    else if (link === this.#link) return;
    this.#link = link;
    if (this.#is_ready) this.#say({ type: "set_state", link });
  }

  /** @param {MessageEvent} event */
  #take({ source, origin, data }) {
    if (source !== this.#frame.contentWindow || origin !== window.location.origin || data?.attention !== 1) return;
    if (data.type === "ready") {
      this.#is_ready = true;
      this.#say({ type: "hello" });
      this.#say({ type: "set_state", link: this.#link }); // it may have changed while the playground was loading
    } else if (data.type === "change" && data.link !== this.#link) {
      this.#link = data.link;
      this.#on_change(data.link);
    }
  }

  /** @param {object} message */
  #say(message) {
    this.#frame.contentWindow?.postMessage({ attention: 1, ...message }, window.location.origin);
  }
}

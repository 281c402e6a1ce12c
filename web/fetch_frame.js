// The playground in the frame of the page that fetches models: it is loaded when there are files for it, and gets them by a message
// (web/messages.js), which a frame obeys from its own origin alone.

const kVersion = 1;

export class FetchFrame {
  #frame;
  /** Resolves once the playground listens; null before it is asked for, and where it could not start. @type {Promise<void> | null} */
  #ready = null;
  #on_ready = () => {};
  #on_error = (/** @type {Error} */ _) => {};
  #num_asked = 0;
  #on_answer = (/** @type {{ id: number, value?: any, error?: string }} */ _) => {};

  /** @param {HTMLIFrameElement} frame without an address yet */
  constructor(frame) {
    this.#frame = frame;
    window.addEventListener("message", (event) => this.#take(event));
  }

  /**
   * Opens files as if they were dropped on the playground. Resolves to whether a model was opened; if not, the playground says why.
   * @param {File[]} files
   * @param {string} link the state in which the playground starts, the first time
   * @param {AbortSignal} signal waits no longer: rejects with its reason
   * @returns {Promise<boolean>}
   */
  async open(files, link, signal) {
    await (this.#ready ??= this.#start(link, signal));
    const id = ++this.#num_asked;
    const { value, error } = await new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      this.#on_answer = (answer) => answer.id === id && resolve(answer);
      const message = { attention: kVersion, type: "open_files", id, files };
      this.#frame.contentWindow?.postMessage(message, window.location.origin);
    });
    if (error !== undefined) throw new Error(error);
    return value.opened === true;
  }

  /** @param {string} link @param {AbortSignal} signal @returns {Promise<void>} */
  #start(link, signal) {
    /** @type {Promise<void>} */
    const ready = new Promise((resolve, reject) => {
      this.#on_ready = resolve;
      this.#on_error = reject;
      signal.addEventListener("abort", () => reject(signal.reason));
      this.#frame.src = `./#${link || "v=1"}`;
    });
    ready.catch(() => {
      this.#ready = null; // the next time it is loaded anew
      this.#frame.removeAttribute("src");
    });
    return ready;
  }

  /** @param {MessageEvent} event */
  #take({ source, origin, data }) {
    if (source !== this.#frame.contentWindow || origin !== window.location.origin || data?.attention !== kVersion)
      return;
    if (data.type === "ready") this.#on_ready();
    else if (data.type === "error") this.#on_error(new Error(String(data.message)));
    else if (data.type === "result") this.#on_answer(data);
  }
}

// A picture that has been out of sight for a moment gives its GL context back, because browsers have few of them (Chromium: 16 for
// all pages of a site). When it comes near the visible part again, it asks for the context. Until then, a still picture replaces it.

const kPatience = 3000; // ms out of sight
const kNear = "50%"; // of the window's height; browsers tell frames of another site only once they are visible

export class Rest {
  /** @type {WEBGL_lose_context | null} */
  #context_keeper = null;
  #is_near = true;
  #is_told = false;
  #is_lost = false;
  #timer = 0;
  #still = document.createElement("canvas");
  #canvas;
  #draw;
  #sight;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {() => boolean} draw draws now, although the canvas is out of sight; false: it cannot draw
   */
  constructor(canvas, draw) {
    this.#canvas = canvas;
    this.#draw = draw;
    this.#still.className = "still";
    this.#still.ariaHidden = "true";
    const on_sight = (/** @type {IntersectionObserverEntry[]} */ entries) =>
      this.#is_told || this.#look(entries[entries.length - 1].isIntersecting);
    this.#sight = new IntersectionObserver(on_sight, { rootMargin: kNear });
    this.#sight.observe(canvas);
  }

  /**
   * The page around knows better: Firefox does not tell a frame of another site that it is out of sight.
   * @param {boolean} is_near
   */
  tell(is_near) {
    this.#is_told = true;
    this.#look(is_near);
  }

  /** Whether the context is gone because the picture gave it back. */
  get is_on() {
    return this.#context_keeper !== null;
  }

  /** The context is gone; from now on it can be asked for. */
  lost() {
    this.#is_lost = true;
    // Browsers restore a context only after the event about its loss has ended.
    setTimeout(() => this.#look(this.#is_near), 0);
  }

  /** The context is back. */
  restored() {
    this.#is_lost = false;
    this.#context_keeper = null;
  }

  /** The picture is drawn. Browsers may not show the first frame of a restored context, so the still picture stays a little longer. */
  end() {
    if (!this.#still.isConnected || this.is_on) return;
    const after_a_frame = (/** @type {() => void} */ call) => requestAnimationFrame(() => requestAnimationFrame(call));
    after_a_frame(() => this.is_on || this.#still.remove());
  }

  destroy() {
    clearTimeout(this.#timer);
    this.#sight.disconnect();
    this.#still.remove();
    this.#context_keeper = null;
  }

  /** @param {boolean} is_near */
  #look(is_near) {
    this.#is_near = is_near;
    clearTimeout(this.#timer);
    if (!is_near) this.#timer = setTimeout(() => this.#begin(), kPatience);
    else if (this.#is_lost) this.#context_keeper?.restoreContext();
  }

  #begin() {
    const context = this.#canvas.getContext("webgl2");
    if (this.is_on || context === null || context.isContextLost()) return;
    if (this.#draw()) this.#keep_still();
    this.#context_keeper = context.getExtension("WEBGL_lose_context");
    this.#context_keeper?.loseContext();
  }

  /** At one pixel per CSS pixel, because it shows only for an instant. */
  #keep_still() {
    this.#still.width = this.#canvas.clientWidth;
    this.#still.height = this.#canvas.clientHeight;
    this.#still.getContext("2d")?.drawImage(this.#canvas, 0, 0, this.#still.width, this.#still.height);
    this.#canvas.after(this.#still);
  }
}

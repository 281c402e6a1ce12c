// Decides when to draw: once, at the browser's next frame, after something happened, if the canvas is visible and has its GL
// context. Work that takes longer than a frame runs in tasks between the frames, as long as the canvas is visible. Also keeps the
// canvas as large as its place on the page, in device pixels, so that nothing is blurred.
import { Task } from "./task.js";

/** @import { FrameReport, ViewSize, WorkReport } from "./types" */

const kMaxFramesAtOnce = 4;
const kAlone = 0.1; // seconds without another frame after the first, so that it reaches the screen sooner; the next few look the same

export class FrameLoop {
  /** @type {ViewSize | null} */
  #size = null;
  #is_in_view = false;
  #is_paused = false;
  #is_wanted = false;
  /** How many frames to draw even if they look like the last one, because the canvas is empty or about to be read. */
  #num_due = 0;
  #plays = false;
  #has_work = false;
  #request = 0;
  #timer = 0;
  #num_frames = 0;
  #abort = new AbortController();
  #canvas;
  #draw;
  #work;
  #task = new Task(() => this.#work_if_seen());
  #window;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {(size: ViewSize, is_due: boolean) => FrameReport | null} draw null: stop for good
   * @param {() => WorkReport | null} work does a piece of the work that a frame left; null: stop for good
   */
  constructor(canvas, draw, work) {
    this.#canvas = canvas;
    this.#draw = draw;
    this.#work = work;
    this.#window = /** @type {Window} */ (canvas.ownerDocument.defaultView);
  }

  /** Starts drawing. The first frame comes once the canvas is known to be visible and its size is known: at once if possible. */
  start() {
    this.#is_wanted = true;
    const { left, right, top, bottom, width, height } = this.#canvas.getBoundingClientRect();
    const { innerWidth, innerHeight, parent } = this.#window;
    const is_own_page = parent === this.#window; // a frame may itself be out of sight
    this.#is_in_view = is_own_page && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    this.#fit(width, height);
    const stop = this.#abort.signal;
    this.#canvas.ownerDocument.addEventListener("visibilitychange", () => this.#schedule(), { signal: stop });

    const sight = new IntersectionObserver((entries) => {
      this.#is_in_view = entries[entries.length - 1].isIntersecting;
      this.#schedule();
    });
    sight.observe(this.#canvas);
    stop.addEventListener("abort", () => sight.disconnect());

    const measure = new ResizeObserver((entries) => {
      const { contentRect, devicePixelContentBoxSize } = entries[entries.length - 1];
      this.#fit(contentRect.width, contentRect.height, devicePixelContentBoxSize?.[0]);
    });
    try {
      measure.observe(this.#canvas, { box: "device-pixel-content-box" });
    } catch {
      measure.observe(this.#canvas); // Safari does not report a change of the scale alone: watch it separately
      this.#watch_scale();
    }
    stop.addEventListener("abort", () => measure.disconnect());
  }

  /** Something happened: draws at the browser's next frame, or as soon as the canvas is visible. */
  want_frame() {
    this.#is_wanted = true;
    this.#schedule();
  }

  /**
   * As want_frame(), but if no frame is scheduled, draws before this returns, so that typing shows without waiting for the
   * browser's next frame. Calls that come faster than the browser draws share its frames.
   */
  draw_soon() {
    if (this.#request === 0) this.draw_now();
    else this.want_frame();
  }

  /** Draws before this returns, unless the canvas is out of sight. */
  draw_now() {
    this.#is_wanted = true;
    this.#draw_if_seen();
  }

  /**
   * Draws before this returns even if the canvas is out of sight, so that it can be read. False: the canvas has no context or no
   * size.
   */
  draw_unseen() {
    if (this.#abort.signal.aborted || this.#is_paused || this.#size === null) return false;
    this.#num_due = Math.max(this.#num_due, 1);
    this.#draw_frame(this.#size);
    return true;
  }

  /**
   * Draws until no more frames are wanted, or only for what plays, before this returns, so that the picture responds to a press or
   * a key while the event runs. Only then do phones open their keyboard, and browsers give access to the clipboard and the file dialog.
   */
  draw_through() {
    for (let i = 0; i < kMaxFramesAtOnce && (i === 0 || (this.#is_wanted && !this.#plays)); ++i) this.draw_now();
  }

  /** No frames until resume(): the GL context is gone. */
  pause() {
    this.#is_paused = true;
  }

  resume() {
    this.#is_paused = false;
    this.#num_due = kMaxFramesAtOnce; // browsers may not show the first ones
    this.want_frame();
  }

  /** Frames drawn so far. */
  get num_frames() {
    return this.#num_frames;
  }

  /** No frame and no work is waiting, now or later. */
  get is_idle() {
    return !this.#is_wanted && !this.#has_work && this.#timer === 0;
  }

  /** Stops for good. */
  stop() {
    this.#abort.abort();
    this.#task.stop();
    this.#window.cancelAnimationFrame(this.#request);
    this.#window.clearTimeout(this.#timer);
  }

  get #can_draw() {
    const { aborted } = this.#abort.signal;
    const is_seen = this.#is_in_view && this.#canvas.ownerDocument.visibilityState === "visible";
    return !aborted && !this.#is_paused && is_seen && this.#size !== null;
  }

  #schedule() {
    if (this.#has_work && this.#can_draw) this.#task.want();
    if (!this.#is_wanted || !this.#can_draw || this.#request !== 0) return;
    this.#request = this.#window.requestAnimationFrame(() => this.#draw_if_seen());
  }

  #draw_if_seen() {
    this.#window.cancelAnimationFrame(this.#request);
    this.#request = 0;
    if (this.#can_draw && this.#size !== null) this.#draw_frame(this.#size);
  }

  /** @param {ViewSize} size */
  #draw_frame(size) {
    this.#window.clearTimeout(this.#timer);
    this.#timer = 0;
    this.#is_wanted = false;
    this.#num_frames += 1;
    const report = this.#draw(size, this.#num_due > 0);
    this.#num_due = Math.max(this.#num_due - 1, 0);
    this.#plays = report?.plays ?? false;
    this.#has_work = report?.has_work ?? false;
    if (this.#has_work) this.#schedule();
    if (report === null) this.stop();
    else if (report.wants_another && this.#num_frames > 1) this.want_frame();
    else if (report.wants_another) this.#wake_after(kAlone);
    else if (report.wake_after !== null) this.#wake_after(report.wake_after);
  }

  /** @param {number} seconds */
  #wake_after(seconds) {
    this.#timer = this.#window.setTimeout(
      () => {
        this.#timer = 0;
        this.want_frame();
      },
      Math.ceil(seconds * 1000),
    );
  }

  #work_if_seen() {
    if (!this.#has_work || !this.#can_draw) return;
    const report = this.#work();
    this.#has_work = report?.has_more ?? false;
    if (report === null) this.stop();
    else if (report.wants_frame) this.want_frame();
    else this.#schedule();
  }

  /**
   * Makes the canvas as large as its place: from CSS pixels, or from device pixels if the browser reports them.
   * @param {number} css_width
   * @param {number} css_height
   * @param {ResizeObserverSize} [device]
   */
  #fit(css_width, css_height, device) {
    const scale = this.#window.devicePixelRatio;
    const width = whole_pixels(css_width * scale, device?.inlineSize);
    const height = whole_pixels(css_height * scale, device?.blockSize);
    if (width < 1 || height < 1) {
      this.#size = null; // not displayed
      return;
    }
    if (this.#size?.width === width && this.#size.height === height && this.#size.scale === scale) return;
    this.#size = { width, height, scale };
    resize(this.#canvas, width, height);
    this.#num_due = 1;
    this.draw_now();
  }

  #watch_scale() {
    const query = this.#window.matchMedia(`(resolution: ${this.#window.devicePixelRatio}dppx)`);
    const on_change = () => {
      const { width, height } = this.#canvas.getBoundingClientRect();
      this.#fit(width, height);
      this.#watch_scale();
    };
    query.addEventListener("change", on_change, { once: true, signal: this.#abort.signal });
  }
}

/**
 * Resizes and thereby empties the canvas, so draw it again before the browser shows it. Does nothing if the size is the same.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width device pixels
 * @param {number} height
 */
function resize(canvas, width, height) {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

/**
 * Makes a new canvas about as large as its place, so that its GL context need not grow in the first frame.
 * @param {HTMLCanvasElement} canvas
 */
export function fit_new_canvas(canvas) {
  const { width, height } = canvas.getBoundingClientRect();
  const scale = window.devicePixelRatio;
  if (width > 0 && height > 0) resize(canvas, Math.round(width * scale), Math.round(height * scale));
}

/**
 * How many device pixels the canvas covers. The browser's own number is best, because only it knows how it rounds. But emulated
 * screens report CSS pixels instead, so a number that is far off does not count.
 * @param {number} expected
 * @param {number} [told] the browser's number
 */
function whole_pixels(expected, told) {
  return told !== undefined && Math.abs(told - expected) < 2 ? told : Math.round(expected);
}

// The canvas with all that makes it live: frames, pointer, keyboard, a GL context that may go and come back.
import { FrameLoop } from "./frames.js";
import { KeyboardInput } from "./keyboard.js";
import { PointerInput } from "./pointer.js";

/** @import { FrameReport, Picture } from "./types" */

const kMaxFramesAfterTap = 4;

/**
 * @typedef {object} PictureEvents
 * @property {(report: FrameReport) => void} on_report after each frame
 * @property {(is_lost: boolean) => void} on_lost the GL context went or came back
 * @property {(error: unknown) => void} on_error the program broke; no more frames come
 */

export class PictureView {
  /** @type {FrameReport | null} */
  #report = null;
  #abort = new AbortController();
  #canvas;
  #frames;
  #keyboard;
  #pointer;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLTextAreaElement} typing
   * @param {Picture} picture
   * @param {PictureEvents} events
   */
  constructor(canvas, typing, picture, events) {
    this.#canvas = canvas;
    this.#frames = new FrameLoop(canvas, (size) => {
      try {
        this.#report = picture.frame(performance.now() / 1000, size);
      } catch (error) {
        events.on_error(error);
        return null;
      }
      if (this.#report !== null) {
        canvas.style.cursor = this.#report.cursor;
        this.#keyboard.follow(this.#report);
        events.on_report(this.#report);
      }
      return this.#report;
    });
    this.#keyboard = new KeyboardInput(canvas, typing, picture, this.#frames);
    this.#pointer = new PointerInput(canvas, picture, this.#frames, {
      take_focus: () => this.#keyboard.take_focus(),
      after_tap: () => this.#draw_tap(),
    });
    const stop = { signal: this.#abort.signal };
    canvas.addEventListener(
      "webglcontextlost",
      (event) => {
        event.preventDefault(); // or it never comes back
        this.#frames.pause();
        picture.gl_lost();
        events.on_lost(true);
      },
      stop,
    );
    canvas.addEventListener(
      "webglcontextrestored",
      () => {
        picture.gl_restored();
        events.on_lost(false);
        this.#frames.resume();
      },
      stop,
    );
  }

  start() {
    this.#frames.start();
  }

  want_frame() {
    this.#frames.want_frame();
  }

  draw_now() {
    this.#frames.draw_now();
  }

  get num_frames() {
    return this.#frames.num_frames;
  }

  get is_idle() {
    return this.#frames.is_idle;
  }

  destroy() {
    this.#abort.abort();
    this.#pointer.destroy();
    this.#keyboard.destroy();
    this.#frames.stop();
    this.#canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
  }

  /** Phones open their keyboard only while the tap's own event runs: a field that it opened gets the focus now. */
  #draw_tap() {
    for (let i = 0; i < kMaxFramesAfterTap; ++i) {
      this.#frames.draw_now();
      if (!this.#report?.wants_another) return;
    }
  }
}

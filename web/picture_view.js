// The canvas and everything that brings it to life: frames, pointer, keyboard, and a GL context that may be lost and come back.
import { FrameLoop } from "./frames.js";
import { KeyboardInput } from "./keyboard.js";
import { PointerInput } from "./pointer.js";
import { Rest } from "./rest.js";

/** @import { FrameReport, Picture, ViewSize } from "./types" */

/**
 * @typedef {object} PictureEvents
 * @property {(report: FrameReport) => void} on_report after each frame
 * @property {(is_lost: boolean) => void} on_lost the GL context was lost or came back
 * @property {(error: unknown) => void} on_error the program broke; it draws no more frames
 */

export class PictureView {
  /** @type {FrameReport | null} */
  #report = null;
  #abort = new AbortController();
  #canvas;
  #frames;
  #keyboard;
  #pointer;
  #rest;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLTextAreaElement} typing
   * @param {Picture} picture
   * @param {PictureEvents} events
   */
  constructor(canvas, typing, picture, events) {
    this.#canvas = canvas;
    /** @type {<Report>(call: () => Report) => Report | null} */
    const unless_broken = (call) => {
      try {
        return call();
      } catch (error) {
        events.on_error(error);
        return null;
      }
    };
    const draw = (/** @type {ViewSize} */ size, /** @type {boolean} */ is_due) => {
      this.#report = unless_broken(() => picture.frame(performance.now() / 1000, size, is_due));
      if (this.#report !== null) {
        canvas.style.cursor = this.#report.cursor;
        this.#keyboard.follow(this.#report);
        this.#rest.end();
        events.on_report(this.#report);
      }
      return this.#report;
    };
    this.#frames = new FrameLoop(canvas, draw, () => unless_broken(picture.work));
    this.#keyboard = new KeyboardInput(canvas, typing, picture, this.#frames);
    this.#pointer = new PointerInput(canvas, picture, this.#frames, {
      has_focus: () => this.#keyboard.has_focus,
      take_focus: () => this.#keyboard.take_focus(),
    });
    this.#rest = new Rest(canvas, () => this.#frames.draw_unseen());
    const stop = { signal: this.#abort.signal };
    canvas.addEventListener(
      "webglcontextlost",
      (event) => {
        event.preventDefault(); // otherwise the context never comes back
        this.#frames.pause();
        picture.gl_lost();
        if (!this.#rest.is_on) events.on_lost(true);
        this.#rest.lost();
      },
      stop,
    );
    canvas.addEventListener(
      "webglcontextrestored",
      () => {
        this.#rest.restored();
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

  draw_soon() {
    this.#frames.draw_soon();
  }

  /** The page around says whether the visitor may see the picture soon. @param {boolean} is_near */
  tell_near(is_near) {
    this.#rest.tell(is_near);
  }

  draw_now() {
    this.#frames.draw_now();
  }

  /** A copy of the picture as it is now; null without a GL context. What is drawn into the canvas comes too late to be printed. */
  copy() {
    if (!this.#frames.draw_unseen()) return null;
    const copy = document.createElement("canvas");
    copy.className = "still";
    copy.width = this.#canvas.width;
    copy.height = this.#canvas.height;
    copy.getContext("2d")?.drawImage(this.#canvas, 0, 0);
    return copy;
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
    this.#rest.destroy();
    this.#frames.stop();
    this.#canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

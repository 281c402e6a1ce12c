// Mouse, pen and finger on the canvas, handed to the picture. What the picture has no use for stays with the page: a wheel or
// a finger that nothing under it can follow scrolls the page around; two fingers, or Control and the wheel, zoom it, except
// over large maps, which they zoom themselves. In a frame that was not clicked they scroll the page around in any case; with
// Control the wheel is the picture's.
/** @import { FrameLoop } from "./frames.js" */
/** @import { Picture } from "./types" */

const kSlop = 8; // CSS pixels a finger may wander before its direction counts
const kPixelsPerNotch = 100; // of a wheel
const kPixelsPerLine = 16;
const kZoomStep = 1.25; // what a notch of the wheel with Control enlarges by
const kSmoothWheel = 40; // CSS pixels; less at once is two fingers on a touchpad, whose wheel with Control the browser makes up
const kSmoothPixelsPerNotch = 22; // that two fingers enlarge as fast as they move apart

/**
 * The finger that is down, where it went down, and whose it is: undecided until it has moved a little; "zoom" once a second
 * one zooms the picture with it. `spread`: how far apart the two were.
 * @typedef {{ id: number, x: number, y: number, owner: "undecided" | "picture" | "zoom", spread: number }} Finger
 */

export class PointerInput {
  /** @type {Finger | null} */
  #finger = null;
  #abort = new AbortController();
  #canvas;
  #picture;
  #frames;
  #page;
  #window;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Picture} picture
   * @param {FrameLoop} frames
   * @param {{ has_focus(): boolean, take_focus(): void }} page
   */
  constructor(canvas, picture, frames, page) {
    this.#canvas = canvas;
    this.#picture = picture;
    this.#frames = frames;
    this.#page = page;
    this.#window = /** @type {Window} */ (canvas.ownerDocument.defaultView);
    /** @type {(name: string, handler: (event: any) => void) => void} */
    const on = (name, handler) =>
      canvas.addEventListener(name, handler, { signal: this.#abort.signal, passive: false });
    on("pointerdown", (event) => this.#down(event));
    on("pointermove", (event) => this.#move(event));
    on("pointerup", (event) => this.#up(event));
    on("pointercancel", (event) => this.#cancel(event));
    on("pointerleave", (event) => event.pointerType !== "touch" && this.#leave());
    on("touchmove", (event) => this.#claim_touch(event));
    on("wheel", (event) => this.#wheel(event));
    on("mousedown", (event) => event.preventDefault()); // the focus is given in #down: a field being typed in keeps it
  }

  destroy() {
    this.#abort.abort();
  }

  /** @param {PointerEvent} event */
  #is_ours(event) {
    return event.pointerType === "touch" ? event.pointerId === this.#finger?.id : true;
  }

  /**
   * Tells the picture where the pointer is.
   * @param {Pick<MouseEvent, "clientX" | "clientY" | "ctrlKey" | "shiftKey" | "altKey" | "metaKey"> & { pointerType?: string }} event
   * @param {boolean} [is_control]
   */
  #place(event, is_control = event.ctrlKey) {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    // Not 1 where a CSS transform scales the canvas or what it stands in.
    const scale = { x: width / this.#canvas.offsetWidth, y: height / this.#canvas.offsetHeight };
    const type = event.pointerType;
    const kind = type === "touch" ? 1 : type === "pen" ? 2 : 0;
    this.#picture.modifiers(is_control, event.shiftKey, event.altKey, event.metaKey);
    this.#picture.pointer_at(kind, (event.clientX - left) / scale.x, (event.clientY - top) / scale.y);
    this.#frames.want_frame();
  }

  #leave() {
    this.#picture.pointer_gone();
    this.#frames.want_frame();
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const is_finger = event.pointerType === "touch";
    if (event.button !== 0 || !event.isPrimary) return; // other buttons and second fingers are the browser's
    if (is_finger)
      this.#finger = { id: event.pointerId, x: event.clientX, y: event.clientY, owner: "undecided", spread: 0 };
    else this.#page.take_focus();
    this.#canvas.setPointerCapture(event.pointerId);
    this.#place(event);
    this.#frames.draw_now(); // the picture must know what is under the pointer before it is pressed: fingers do not hover
    this.#picture.pointer_button(true);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (this.#is_ours(event) && this.#finger?.owner !== "zoom") this.#place(event);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (event.button !== 0 || !this.#is_ours(event)) return;
    this.#place(event);
    this.#picture.pointer_button(false);
    if (event.pointerType === "touch") {
      this.#finger = null;
      this.#leave();
      this.#page.take_focus();
    }
    this.#frames.draw_through();
  }

  /** The browser took the gesture. @param {PointerEvent} event */
  #cancel(event) {
    if (!this.#is_ours(event)) return;
    this.#finger = null;
    this.#leave(); // first: a button let go outside is no click
    this.#picture.pointer_button(false);
  }

  /**
   * Keeps the browser from scrolling the page with a finger that the picture can follow. Decided once, when the finger has
   * moved a little; if it is not kept, the browser cancels the pointer.
   * @param {TouchEvent} event
   */
  #claim_touch(event) {
    const finger = this.#finger;
    if (!finger || !event.cancelable) return;
    if (event.touches.length === 2) this.#pinch(event, finger);
    if (finger.owner === "undecided" && event.touches.length === 1) {
      const moved = { x: event.touches[0].clientX - finger.x, y: event.touches[0].clientY - finger.y };
      const is_sideways = Math.abs(moved.x) > Math.abs(moved.y);
      const can_follow = this.#scrolls_picture && this.#picture.can_scroll(moved.x, moved.y);
      const is_for_picture = is_sideways || can_follow || !this.#page_can_scroll();
      if (is_for_picture) event.preventDefault();
      if (is_for_picture && Math.hypot(moved.x, moved.y) >= kSlop) finger.owner = "picture";
    } else if (finger.owner !== "undecided") {
      event.preventDefault();
    }
  }

  /**
   * Two fingers: they zoom what is under the first one, if that can be zoomed, or else the page.
   * @param {TouchEvent} event
   * @param {Finger} finger
   */
  #pinch(event, finger) {
    const [a, b] = event.touches;
    const spread = Math.max(1, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY));
    if (finger.owner !== "zoom") {
      if (!this.#picture.can_zoom()) return;
      finger.owner = "zoom";
      finger.spread = spread;
      this.#leave(); // first: what the one finger pressed is no click
      this.#picture.pointer_button(false);
    }
    const { ctrlKey, shiftKey, altKey, metaKey } = event;
    const middle = { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 };
    this.#place({ ...middle, pointerType: "touch", ctrlKey, shiftKey, altKey, metaKey });
    this.#picture.zoom(Math.log(spread / finger.spread) / Math.log(kZoomStep));
    finger.spread = spread;
  }

  get #is_framed() {
    return this.#window.parent !== this.#window;
  }

  /** Wheel and fingers are meant for the picture: in a frame only after a click or a tap, or nobody could scroll past it. */
  get #scrolls_picture() {
    return !this.#is_framed || this.#page.has_focus();
  }

  #page_can_scroll() {
    if (this.#is_framed) return true; // the page around the frame may
    const page = this.#canvas.ownerDocument.scrollingElement;
    return page !== null && page.scrollHeight > page.clientHeight;
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (event.ctrlKey && this.#picture.can_zoom()) return this.#zoom(event);
    if (this.#is_framed ? !event.ctrlKey && !this.#scrolls_picture : event.ctrlKey) return;
    const unit = event.deltaMode === 1 ? kPixelsPerLine : event.deltaMode === 2 ? this.#canvas.clientHeight : 1;
    // With Shift some browsers already turn the wheel sideways; the picture does that itself.
    const is_turned = event.shiftKey && event.deltaY === 0;
    const right = is_turned ? 0 : event.deltaX * unit;
    const down = (is_turned ? event.deltaX : event.deltaY) * unit;
    const can_scroll = event.shiftKey ? this.#picture.can_scroll(-down, 0) : this.#picture.can_scroll(-right, -down);
    if (!can_scroll) return;
    event.preventDefault();
    this.#place(event, false); // ImGui scrolls nothing while Control is down
    this.#picture.wheel(right / kPixelsPerNotch, down / kPixelsPerNotch);
  }

  /** @param {WheelEvent} event */
  #zoom(event) {
    event.preventDefault();
    const unit = event.deltaMode === 0 ? 1 : kPixelsPerLine;
    const pixels = event.deltaY * unit;
    this.#place(event, false);
    this.#picture.zoom(-pixels / (Math.abs(pixels) < kSmoothWheel ? kSmoothPixelsPerNotch : kPixelsPerNotch));
  }
}

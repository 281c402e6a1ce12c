// Hands mouse, pen and fingers on the canvas to the picture. Gestures that the picture cannot use stay with the page. A wheel or a
// finger scrolls the page if nothing under it can scroll. Two fingers, or Control and the wheel, zoom the page, except over large
// maps, which they zoom instead. In a frame that has not been clicked, wheel and fingers always scroll the page around it, and the
// wheel with Control goes to the picture.
/** @import { FrameLoop } from "./frames.js" */
/** @import { Picture } from "./types" */

const kSlop = 8; // CSS pixels a finger may move before its direction counts
const kPixelsPerNotch = 100; // of a wheel
const kPixelsPerLine = 16;
const kZoomStep = 1.25; // enlargement by one notch of the wheel with Control
const kSmoothWheel = 40; // CSS pixels; smaller steps come from two fingers on a touchpad, which browsers report as Control and wheel
const kSmoothPixelsPerNotch = 22; // so that two fingers enlarge as fast as they move apart

/**
 * The finger that is down, where it went down, and who owns it: "undecided" until it has moved a little, "zoom" once a second
 * finger zooms the picture with it. `spread`: the last distance between the two.
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
    on("mousedown", (event) => event.preventDefault()); // #down moves the focus; the default would take it from a field in use
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
    // Not 1 if a CSS transform scales the canvas or an element around it.
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
    if (event.button !== 0 || !event.isPrimary) return; // other buttons and second fingers belong to the browser
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
    this.#leave(); // before the release: a button released outside is not a click
    this.#picture.pointer_button(false);
  }

  /**
   * Keeps the browser from scrolling the page with a finger that the picture can use. Decides once, when the finger has moved a
   * little. If the browser may scroll, it cancels the pointer.
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
   * Two fingers zoom what is under the first one, or the page if that cannot be zoomed.
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
      this.#leave(); // before the release: the first finger's press is not a click
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

  /** Whether wheel and fingers scroll the picture: in a frame only after a click or a tap, so that readers can scroll past it. */
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
    // With Shift, some browsers turn the wheel sideways themselves; undo that, because the picture does it too.
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

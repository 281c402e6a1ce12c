// The keyboard, while the canvas has the focus. Keys go to the picture. Characters come through a hidden text area, so that input
// methods and phone keyboards work. Tab is never taken: it moves the focus out of the canvas, forwards or backwards.
/** @import { FrameLoop } from "./frames.js" */
/** @import { FrameReport, Picture } from "./types" */

const kEditingKeys = new Set([
  ...["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"],
  ...["Delete", "Backspace", "Enter", "NumpadEnter", "Escape", "F2"],
]);
const kShortcuts = new Set(["a", "c", "o", "s", "x", "y", "z"]); // paste has an event of its own
// These may use the clipboard or a file dialog, which browsers allow only while the event runs.
const kActing = new Set(["Enter", "NumpadEnter", "Space", "c", "o", "s", "x"]);
// Always in the text area, so that the backspace of a phone's keyboard has something to delete.
const kSentinel = "\u200b";

export class KeyboardInput {
  #is_composing = false;
  #wants_text = false;
  #is_pointed_at = false;
  #abort = new AbortController();
  #canvas;
  #typing;
  #picture;
  #frames;
  #is_mac;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLTextAreaElement} typing has the focus while the picture wants text
   * @param {Picture} picture
   * @param {FrameLoop} frames
   */
  constructor(canvas, typing, picture, frames) {
    this.#canvas = canvas;
    this.#typing = typing;
    this.#picture = picture;
    this.#frames = frames;
    this.#is_mac = /Mac|iPhone|iPad/.test(navigator.platform);
    picture.use_mac_keys(this.#is_mac);
    this.#empty_typing();
    for (const element of [canvas, typing]) {
      /** @type {(name: string, handler: (event: any) => void) => void} */
      const on = (name, handler) => element.addEventListener(name, handler, { signal: this.#abort.signal });
      on("keydown", (event) => this.#key_down(event));
      on("keyup", (event) => this.#key_up(event));
      on("paste", (event) => this.#paste(event));
      on("focus", (event) => this.#focus_moved(event, true));
      on("blur", (event) => this.#focus_moved(event, false));
    }
    /** @type {(name: string, handler: () => void) => void} */
    const on_typing = (name, handler) => typing.addEventListener(name, handler, { signal: this.#abort.signal });
    on_typing("compositionstart", () => this.#set_composing(true));
    on_typing("compositionend", () => this.#set_composing(false));
    on_typing("input", () => this.#take_text());
    on_typing("blur", () => (typing.ariaHidden = "true"));
  }

  destroy() {
    this.#abort.abort();
  }

  /** After a press on the canvas: takes the focus, unless the picture has it already. */
  take_focus() {
    this.#show_focus(false);
    if (this.has_focus) return;
    this.#is_pointed_at = true;
    this.#canvas.focus({ preventScroll: true });
    this.#is_pointed_at = false;
  }

  /** Keeps the focus where the picture wants it. @param {FrameReport} report */
  follow(report) {
    const begins = report.wants_text && !this.#wants_text;
    this.#wants_text = report.wants_text;
    if (begins && this.#is_focus_free) this.#canvas.focus({ preventScroll: true }); // a link opened on a question
    const { style } = this.#typing;
    style.left = `${report.caret.x}px`;
    style.top = `${report.caret.y}px`;
    style.height = `${report.caret.height}px`;
    if (!this.has_focus) return; // the window must have the focus too: a frame never takes it from the page around
    if (report.wants_text && this.#focused === this.#canvas) {
      this.#typing.ariaHidden = null; // those who hear the page find it only while something is typed
      this.#typing.focus({ preventScroll: true });
    }
    if (!report.wants_text && this.#focused === this.#typing) this.#canvas.focus({ preventScroll: true });
  }

  /** Whether nothing else has the focus, in a page that is ours alone. */
  get #is_focus_free() {
    const page = this.#canvas.ownerDocument;
    return window.parent === window && page.activeElement === page.body && page.hasFocus();
  }

  get #focused() {
    const root = /** @type {Document | ShadowRoot} */ (this.#canvas.getRootNode());
    return root.activeElement;
  }

  /** Whether typed text goes to the picture. */
  get has_focus() {
    const is_ours = this.#focused === this.#canvas || this.#focused === this.#typing;
    return is_ours && this.#canvas.ownerDocument.hasFocus();
  }

  /** @param {FocusEvent} event @param {boolean} has_focus */
  #focus_moved(event, has_focus) {
    if (event.relatedTarget === this.#canvas || event.relatedTarget === this.#typing) return; // from one to the other
    this.#show_focus(has_focus && !this.#is_pointed_at);
    this.#picture.focus(has_focus, this.#is_pointed_at);
    this.#frames.want_frame();
  }

  /** The ring around the canvas shows keyboard users where the focus is. @param {boolean} is_shown */
  #show_focus(is_shown) {
    this.#canvas.classList.toggle("shows-focus", is_shown);
  }

  /** The picture's name for a key; null if the key is not for the picture. @param {KeyboardEvent} event */
  #name_of(event) {
    if (event.altKey || (this.#is_mac ? event.ctrlKey : event.metaKey)) return null;
    const is_shortcut = this.#is_mac ? event.metaKey : event.ctrlKey;
    const letter = event.key.toLowerCase();
    if (event.shiftKey && (letter === "o" || letter === "s")) return null; // the browser's
    if (is_shortcut && kShortcuts.has(letter)) return letter;
    if (kEditingKeys.has(event.code)) return event.code;
    if (kEditingKeys.has(event.key)) return event.key; // on-screen keyboards send no codes
    if (event.code === "Space" && event.target === this.#canvas && !is_shortcut) return "Space";
    return null;
  }

  /** @param {KeyboardEvent} event */
  #send_modifiers(event) {
    this.#picture.modifiers(event.ctrlKey, event.shiftKey, event.altKey, event.metaKey);
    this.#frames.want_frame();
  }

  /** @param {KeyboardEvent} event */
  #key_down(event) {
    if (event.isComposing || event.keyCode === 229) return; // the input method's, not ours
    this.#send_modifiers(event);
    const name = this.#name_of(event);
    if (name !== null && this.#picture.key(name, true)) event.preventDefault();
    // A Mac sends no keyup for a letter released while Command is held.
    if (name !== null && kShortcuts.has(name)) this.#picture.key(name, false);
    // The last key may have opened a field before the text area got the focus.
    const is_character = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.target === this.#canvas && is_character) this.#picture.text(event.key);
    if (event.target === this.#canvas && event.key === "/") event.preventDefault(); // Firefox would search the page
    if (name !== null && kActing.has(name)) this.#frames.draw_through();
  }

  /** @param {KeyboardEvent} event */
  #key_up(event) {
    this.#send_modifiers(event);
    const name = kEditingKeys.has(event.code) || event.code === "Space" ? event.code : event.key.toLowerCase();
    this.#picture.key(name, false);
  }

  /** @param {ClipboardEvent} event */
  #paste(event) {
    const text = event.clipboardData?.getData("text/plain");
    if (text === undefined) return;
    event.preventDefault();
    this.#picture.paste(text);
    this.#frames.want_frame();
  }

  /** @param {boolean} is_composing */
  #set_composing(is_composing) {
    this.#is_composing = is_composing;
    this.#typing.classList.toggle("is-composing", is_composing); // shows text above the picture that is not in it yet
    if (!is_composing) this.#take_text();
  }

  #take_text() {
    if (this.#is_composing) return;
    const { value } = this.#typing;
    const text = value.replaceAll(kSentinel, "");
    if (!value.includes(kSentinel) && text === "") {
      this.#picture.key("Backspace", true);
      this.#picture.key("Backspace", false);
    }
    if (text !== "") this.#picture.text(text);
    this.#empty_typing();
    this.#frames.want_frame();
  }

  #empty_typing() {
    this.#typing.value = kSentinel;
    this.#typing.setSelectionRange(1, 1);
  }
}

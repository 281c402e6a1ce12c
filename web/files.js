// Files and text that leave or enter the page: downloads, the clipboard, the file dialog, files dropped anywhere on the
// playground. incoming.js reads those that enter.
import { copy_text } from "./clipboard.js";
import { make } from "./dom.js";
import { load_workbooks } from "./page_engine.js";
import { share_link } from "./share_link.js";
import { in_pieces } from "./task.js";

/** @import { FrameRequest, OutgoingFile } from "./types" */

const kNotCopied = "The browser does not let this page copy: save a file instead.";
const kNotShared = "The browser does not let this page share: copy the link instead.";
const kDropHere = "Drop session files, numbers or a model here";
const kKeepDownload = 60_000; // ms after which the browser has certainly started the download

export class Files {
  #abort = new AbortController();
  #input = make("input", { type: "file", multiple: true, hidden: true, tabindex: -1, "aria-hidden": "true" });
  /** Lies over the picture while files are dragged; what is read for long says so here. */
  hint = make("section", { class: "drop-hint", "aria-label": "Opening files", hidden: true }, make("p"));
  #root;
  #window;
  #on_files;
  #on_note;

  /**
   * @param {HTMLElement} root files may be dropped anywhere on it
   * @param {object} page
   * @param {(files: File[], entries: (FileSystemEntry | null)[]) => void} page.on_files the visitor brought files; as entries, those
   *   that were dropped, among them folders
   * @param {(sentence: string) => void} page.on_note the visitor should know something
   */
  constructor(root, { on_files, on_note }) {
    this.#root = root;
    this.#window = /** @type {Window} */ (root.ownerDocument.defaultView);
    this.#on_files = on_files;
    this.#on_note = on_note;
    root.append(this.#input, this.hint);
    this.#input.addEventListener("change", () => {
      this.#on_files([...(this.#input.files ?? [])], []);
      this.#input.value = ""; // so that choosing the same file again counts as a change
    });
    /** @type {(name: "dragover" | "dragleave" | "drop", handler: (event: DragEvent) => void) => void} */
    const on = (name, handler) => root.addEventListener(name, handler, { signal: this.#abort.signal });
    on("dragover", (event) => this.#drag(event));
    on("dragleave", (event) => this.#leave(event));
    on("drop", (event) => this.#drop(event));
  }

  /** Does what the picture cannot do itself. @param {FrameRequest} request */
  async answer({ copy, share, save, wants_file }) {
    if (save !== null) void this.#save_whole(save);
    if (wants_file) this.ask();
    if (copy !== null && !(await copy_text(copy, this.#root))) this.#on_note(kNotCopied);
    if (share !== null && !(await share_link(share))) this.#on_note(kNotShared);
  }

  /** A spreadsheet comes from the picture as links. @param {OutgoingFile} file */
  async #save_whole(file) {
    try {
      const is_whole = !file.name.endsWith(".xlsx");
      await this.save(is_whole ? file : await (await load_workbooks()).with_workbook_as_part(file));
    } catch (error) {
      this.#on_note(error instanceof Error ? error.message : String(error));
    }
  }

  /** Asks the visitor for files. Browsers allow this only during a click or a key press, or shortly after. */
  ask() {
    this.#input.click();
  }

  /** Hands a file to the visitor. The page stays responsive between its parts. @param {OutgoingFile} file */
  async save({ name, media_type, parts }) {
    /** @type {Blob[]} */
    const blobs = [];
    const iterator = parts[Symbol.iterator]();
    await in_pieces(() => {
      const { done, value } = iterator.next();
      if (!done) blobs.push(new Blob([value]));
      return done ? true : null;
    });
    const address = URL.createObjectURL(new Blob(blobs, { type: media_type }));
    const link = make("a", { href: address, download: name, hidden: true });
    this.#root.append(link);
    link.click();
    link.remove();
    this.#window.setTimeout(() => URL.revokeObjectURL(address), kKeepDownload);
    if (!this.#is_sandboxed) return;
    this.#on_note(
      `${name} was handed to the browser. If no download appears, the page around this frame does not allow any: ` +
        "copy what you need instead, or open the playground in a tab of its own.",
    );
  }

  destroy() {
    this.#abort.abort();
    this.#input.remove();
    this.hint.remove();
  }

  /** A sandboxed frame may forbid downloads, and browsers do not report it. */
  get #is_sandboxed() {
    return this.#window.parent !== this.#window && this.#window.origin === "null";
  }

  /** @param {DragEvent} event */
  #drag(event) {
    if (!event.dataTransfer?.types.includes("Files")) return; // for example text for a field
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    this.hint.firstElementChild?.replaceChildren(kDropHere);
    this.hint.hidden = false;
  }

  /** @param {DragEvent} event */
  #leave(event) {
    const to = event.relatedTarget;
    if (!(to instanceof Node) || !this.#root.contains(to)) this.hint.hidden = true;
  }

  /** @param {DragEvent} event */
  #drop(event) {
    this.hint.hidden = true;
    const { dataTransfer } = event;
    if (!dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    // Now: after the event they are gone.
    const entries = [...dataTransfer.items].map((item) => item.webkitGetAsEntry());
    this.#on_files([...dataTransfer.files], entries);
  }
}

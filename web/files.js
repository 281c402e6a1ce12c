// Files and text that leave or enter the page: downloads, the clipboard, the file dialog, files dropped anywhere on the
// playground. Only the engine knows what is in them.
import { copy_text } from "./clipboard.js";
import { make } from "./dom.js";
import { share_link } from "./share_link.js";
import { in_pieces } from "./task.js";

/** @import { FrameRequest, NamedFile, OutgoingFile } from "./types" */

const kMaxFileBytes = 64 * 2 ** 20; // as in src/share/opening/open_file.h; larger files are not even read
const kNotCopied = "The browser does not let this page copy: save a file instead.";
const kNotShared = "The browser does not let this page share: copy the link instead.";
const kKeepDownload = 60_000; // ms after which the browser has certainly started the download

export class Files {
  #abort = new AbortController();
  #input = make("input", { type: "file", multiple: true, hidden: true, tabindex: -1, "aria-hidden": "true" });
  #hint = make("div", { class: "drop-hint", hidden: true }, make("p", {}, "Drop session files or numbers here"));
  #root;
  #window;
  #on_file;
  #on_note;

  /**
   * @param {HTMLElement} root files may be dropped anywhere on it
   * @param {object} page
   * @param {(file: NamedFile) => void} page.on_file the visitor brought a file
   * @param {(sentence: string) => void} page.on_note the visitor should know something
   */
  constructor(root, { on_file, on_note }) {
    this.#root = root;
    this.#window = /** @type {Window} */ (root.ownerDocument.defaultView);
    this.#on_file = on_file;
    this.#on_note = on_note;
    root.append(this.#input, this.#hint);
    this.#input.addEventListener("change", () => {
      void this.#take([...(this.#input.files ?? [])]);
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
    if (save !== null) void this.save(save);
    if (wants_file) this.ask();
    if (copy !== null && !(await copy_text(copy, this.#root))) this.#on_note(kNotCopied);
    if (share !== null && !(await share_link(share))) this.#on_note(kNotShared);
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
    this.#hint.remove();
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
    this.#hint.hidden = false;
  }

  /** @param {DragEvent} event */
  #leave(event) {
    const to = event.relatedTarget;
    if (!(to instanceof Node) || !this.#root.contains(to)) this.#hint.hidden = true;
  }

  /** @param {DragEvent} event */
  #drop(event) {
    this.#hint.hidden = true;
    const { dataTransfer } = event;
    if (!dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    void this.#take([...dataTransfer.files]);
  }

  /** Reads the files one after the other, in order. @param {File[]} files */
  async #take(files) {
    for (const file of files) {
      const read = await read_file(file);
      if (this.#abort.signal.aborted) return;
      if (typeof read === "string") this.#on_note(read);
      else this.#on_file(read);
    }
  }
}

/** The file, or a sentence that says why it cannot be read. @param {File} file @returns {Promise<NamedFile | string>} */
async function read_file(file) {
  const { name, size, type } = file;
  if (size > kMaxFileBytes) {
    const mebibytes = Math.ceil(size / 2 ** 20).toLocaleString("en");
    return `${name}: The file has ${mebibytes} MiB; at most ${kMaxFileBytes / 2 ** 20} can be opened.`;
  }
  try {
    return { name, media_type: type, bytes: new Uint8Array(await file.arrayBuffer()) };
  } catch {
    return `${name}: The browser could not read it. Is it a folder, or was it moved in the meantime?`;
  }
}

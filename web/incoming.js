// What comes into the playground from outside: files that the visitor drops or chooses, and the trained models that links name. The page
// loads this module after its first picture.
import { make } from "./dom.js";
import { values_of, with_values } from "./links.js";
import { Models } from "./models.js";
import { files_in_zip } from "./zip_folder.js";

/** @import { RawModule } from "./attention_playground.mjs" */
/** @import { IncomingPage, NamedFile } from "./types" */

const kSceneModel = "first-words"; // as kFirstWords in src/playground/state/origin.h
const kAnyWords = "own-words"; // as kOwnWords in src/playground/state/origin.h
const kPatience = 1000; // ms; who waits longer for a model hears how far it is
const kHeardShares = 4; // quarters
const kBeingOpened = "The model is being opened.";
const kStopped = "The model was not opened, because you stopped it. What was there stays.";
const kMaxFileBytes = 64 * 2 ** 20; // as in src/share/opening/open_file.h; larger files are not even read
// As is_model_file in src/playground/models/model_opening.h.
const kModelFile =
  /\.(safetensors|bin|pth?|gguf|tiktoken)$|^(config|vocab|encoder|tokenizer(_config)?|(model\.safetensors|pytorch_model\.bin)\.index)\.json$|^(merges|vocab)\.txt$|^vocab\.bpe$|^(tokenizer|spiece|spm|sentencepiece\.bpe)\.model$/;

export class Incoming {
  #page;
  #hint;
  #models;
  /** The part of a model that was told last, counted in kHeardShares; -1 while nobody waits for long. */
  #heard = -1;
  /** Models that links have named so far. */
  #looked_for = new Set();
  /** Whose opening was stopped or failed, while links still name it. */
  #stopped_name = "";
  /** Whether a model that the browser keeps was asked for. */
  #has_asked = false;
  /** Stops all that is being opened. */
  #stopper = new AbortController();
  #num_opening = 0;
  #words = make("span", {});
  #stop = make("button", { class: "text-button", type: "button" }, "Stop");
  /** What had the keyboard's focus before the button. @type {EventTarget | null} */
  #focused_before = null;

  /**
   * @param {RawModule} module
   * @param {IncomingPage} page
   * @param {HTMLElement} hint says over the picture that something is read for long; it has one element inside
   */
  constructor(module, page, hint) {
    this.#page = page;
    this.#hint = hint;
    this.#models = new Models(module, document.baseURI, {
      on_brought: () => page.want_frame(),
      on_lost: (sentence) => page.tell(sentence),
    });
    this.#stop.addEventListener("click", () => this.#stop_opening());
    this.#stop.addEventListener("focus", ({ relatedTarget }) => (this.#focused_before = relatedTarget));
  }

  /**
   * Takes files one after the other, in order; those of a trained model together, first. Resolves to whether a model was opened.
   * @param {File[]} files
   * @param {(FileSystemEntry | null)[]} entries as which they were dropped, if they were
   */
  async take(files, entries) {
    const folders = /** @type {FileSystemDirectoryEntry[]} */ (entries.filter((entry) => entry?.isDirectory));
    const of_model = [];
    for (const folder of folders) {
      const found = await files_in(folder);
      if (found.length === 0) this.#page.tell(`There are no files of a trained model in the folder ${folder.name}.`);
      of_model.push(...found);
    }
    const is_folder = (/** @type {File} */ { name }) => folders.some((folder) => folder.name === name);
    const given = [];
    for (const file of files.filter((file) => !is_folder(file))) {
      const packed = await this.#unpack(file);
      if (packed?.length === 0) given.push(file);
      of_model.push(...(packed ?? []));
    }
    of_model.push(...given.filter(({ name }) => kModelFile.test(name)));
    const is_open = of_model.length > 0 && (await this.#open_model(of_model));
    for (const file of given.filter(({ name }) => !kModelFile.test(name))) {
      await this.#take(file);
    }
    return is_open;
  }

  /** The files of a model in an archive; none for any other file, null for one that was told why not. @param {File} file */
  async #unpack(file) {
    if (!/\.zip$/i.test(file.name)) return [];
    try {
      return await files_in_zip(file, (name) => kModelFile.test(name));
    } catch (error) {
      this.#page.tell(/** @type {Error} */ (error).message);
      return null;
    }
  }

  /** @param {File} file */
  async #take(file) {
    const read = await read_file(file);
    if (typeof read === "string") this.#page.tell(read);
    else this.#page.take_file(read);
  }

  /** Whether an open model's numbers are being read from its files. */
  get is_reading() {
    return this.#models.is_bringing;
  }

  /** Begins to fetch the opening scene's model, before all of the engine is there. @param {string} link of the scene */
  fetch_ahead(link) {
    const name = values_of(link, "model")[0] ?? kSceneModel;
    if (name) this.#models.fetch_ahead(name);
  }

  /** Opens the model that a link names, if the host has it beside the page. Each is looked for once. @param {string} link */
  async find_model(link) {
    const name = this.#models.wanted_by(link);
    if (name !== this.#stopped_name) this.leave_stopped();
    if (name) await this.#look_for(name);
  }

  /**
   * Opens the model that reads any words, if this browser keeps it from an earlier visit: nobody needs to press for it again. Resolves to
   * whether it did so now.
   */
  async open_kept() {
    if (this.#has_asked || this.#looked_for.has(kAnyWords)) return false;
    this.#has_asked = true;
    if (await this.#models.is_kept(kAnyWords)) await this.#look_for(kAnyWords);
    return this.#models.is_open(kAnyWords);
  }

  /** @param {string} name */
  async #look_for(name) {
    if (this.#looked_for.has(name)) return;
    this.#looked_for.add(name);
    await this.#with_progress(async (signal) => {
      if (this.#models.is_open(name)) return;
      const may_be_asked_again = () => (this.#stopped_name = name);
      signal.addEventListener("abort", may_be_asked_again);
      const is_listed = await this.#models.open_listed(name, this.#show_share, signal).catch((error) => {
        may_be_asked_again();
        throw error;
      });
      if (!is_listed) return this.#tell_names(name);
      const now = this.#page.link(); // draws, so that a typed sentence is read anew; the visitor may have gone on
      if (this.#models.wanted_by(now) === name) this.#page.open_link(now); // heads that drawn matrices have not are there now
    });
  }

  /** The link names no model, or another one: one that was stopped is opened anew when a link names it again. */
  leave_stopped() {
    this.#looked_for.delete(this.#stopped_name);
    this.#stopped_name = "";
  }

  /** Resolves to whether it was opened. @param {File[]} files */
  async #open_model(files) {
    let is_open = false;
    await this.#with_progress(async (signal) => {
      const name = await this.#models.open(files, signal, "", this.#show_share);
      if (name === null) return this.#take(files[0]);
      is_open = true;
      this.#looked_for.add(name);
      const link = this.#page.link();
      if (this.#models.wanted_by(link) === name) return this.#page.open_link(link); // it waited for these files
      const keys = Object.entries({ model: [name], layer: [], off: [], edit: [] });
      this.#page.change_link(keys.reduce((link, [key, values]) => with_values(link, key, values), link));
    });
    return is_open;
  }

  /** The host has no model of the link's name. @param {string} name */
  async #tell_names(name) {
    const names = (await this.#models.list()).map(({ name }) => name);
    const others = names.length > 0 ? ` It can open: ${names.join(", ")}.` : "";
    this.#page.tell(`This page has no trained model called ${name}.${others}`);
  }

  /** @param {(signal: AbortSignal) => Promise<void>} open */
  async #with_progress(open) {
    const waits = setTimeout(() => {
      this.#heard = 0;
      this.#page.announce(kBeingOpened);
      if (this.#hint.hidden) this.#show(kBeingOpened);
    }, kPatience);
    if (this.#num_opening++ === 0) this.#stopper = new AbortController();
    const { signal } = this.#stopper;
    const stopped = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    try {
      await Promise.race([open(signal), stopped]); // a file that cannot be read for long does not keep the visitor
    } catch (error) {
      this.#page.tell(/** @type {Error} */ (error).message);
    }
    clearTimeout(waits);
    if (--this.#num_opening > 0) return;
    this.#heard = -1;
    this.#hide();
  }

  #show_share = (/** @type {number} */ share) => {
    if (this.#stopper.signal.aborted) return;
    const words = `The model is being read: ${Math.round(share * 100)} %`;
    const quarter = Math.floor(share * kHeardShares);
    if (this.#heard >= 0 && quarter > this.#heard) {
      this.#heard = quarter;
      this.#page.announce(words);
    }
    if (share < 1) this.#show(words);
    else this.#hide();
  };

  /** @param {string} words */
  #show(words) {
    this.#words.textContent = words;
    const place = this.#hint.firstElementChild;
    // The button stays where it is while the words change, with the keyboard's focus.
    if (this.#words.parentNode !== place) place?.replaceChildren(this.#words, this.#stop);
    this.#hint.hidden = false;
    document.addEventListener("keydown", this.#on_key, true);
  }

  #hide() {
    document.removeEventListener("keydown", this.#on_key, true);
    const had_focus = this.#stop.matches(":focus");
    this.#hint.hidden = true;
    if (had_focus && this.#focused_before instanceof HTMLElement) this.#focused_before.focus();
  }

  #on_key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    this.#stop_opening();
  };

  #stop_opening() {
    this.#stopper.abort(new Error(kStopped));
  }
}

/** The files of a model in a folder; others in it were not meant. @param {FileSystemDirectoryEntry} folder @returns {Promise<File[]>} */
function files_in(folder) {
  const reader = folder.createReader();
  return new Promise((resolve) => {
    /** @type {Promise<File>[]} */
    const files = [];
    // A browser hands out a hundred at a time, and none at the end.
    const read = () =>
      reader.readEntries(
        (entries) => {
          for (const entry of entries)
            if (entry.isFile && kModelFile.test(entry.name))
              files.push(new Promise((done, failed) => /** @type {FileSystemFileEntry} */ (entry).file(done, failed)));
          if (entries.length > 0) read();
          else resolve(Promise.all(files).catch(() => []));
        },
        () => resolve([]),
      );
    read();
  });
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

// What comes into the playground from outside: files that the visitor drops or chooses, and the trained models that links name. The page
// loads this module after its first picture.
import { with_values } from "./links.js";
import { Models } from "./models.js";

/** @import { RawModule } from "./attention_playground.mjs" */
/** @import { IncomingPage, NamedFile } from "./types" */

const kPatience = 1000; // ms; who waits longer for a model hears how far it is
const kHeardShares = 4; // quarters
const kMaxFileBytes = 64 * 2 ** 20; // as in src/share/opening/open_file.h; larger files are not even read
// As is_model_file in src/playground/models/model_opening.h.
const kModelFile =
  /\.safetensors$|^(config|vocab|tokenizer(_config)?|model\.safetensors\.index)\.json$|^(merges|vocab)\.txt$/;

export class Incoming {
  #page;
  #hint;
  #models;
  /** The part of a model that was told last, counted in kHeardShares; -1 while nobody waits for long. */
  #heard = -1;
  /** Models that links have named so far. */
  #looked_for = new Set();

  /**
   * @param {RawModule} module
   * @param {IncomingPage} page
   * @param {HTMLElement} hint covers the picture while something is read for long; it has one element inside
   */
  constructor(module, page, hint) {
    this.#page = page;
    this.#hint = hint;
    this.#models = new Models(module, document.baseURI);
  }

  /**
   * Takes files one after the other, in order; those of a trained model together, first.
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
    const given = files.filter((file) => !is_folder(file));
    of_model.push(...given.filter(({ name }) => kModelFile.test(name)));
    if (of_model.length > 0) await this.#open_model(of_model);
    for (const file of given.filter(({ name }) => !kModelFile.test(name))) {
      const read = await read_file(file);
      if (typeof read === "string") this.#page.tell(read);
      else this.#page.take_file(read);
    }
  }

  /** Opens the model that a link names, if the host has it beside the page. Each is looked for once. @param {string} link */
  async find_model(link) {
    const name = this.#models.wanted_by(link);
    if (!name || this.#looked_for.has(name)) return;
    this.#looked_for.add(name);
    await this.#with_progress(async () => {
      if (this.#models.is_open(name)) return;
      if (!(await this.#models.open_listed(name, this.#show_share))) return this.#tell_names();
      const now = this.#page.link(); // the visitor may have gone on
      if (this.#models.wanted_by(now) === name) this.#page.open_link(now); // heads that drawn matrices have not are there now
    });
  }

  /** @param {File[]} files */
  async #open_model(files) {
    await this.#with_progress(async () => {
      const name = await this.#models.open(files, "", this.#show_share);
      this.#looked_for.add(name);
      const link = this.#page.link();
      if (this.#models.wanted_by(link) === name) return this.#page.open_link(link); // it waited for these files
      const keys = Object.entries({ model: [name], layer: [], off: [] });
      this.#page.change_link(keys.reduce((link, [key, values]) => with_values(link, key, values), link));
    });
  }

  /** The host has no model of the link's name, but others. */
  async #tell_names() {
    const names = (await this.#models.list()).map(({ name }) => name);
    if (names.length > 0) this.#page.tell(`Models that this page can open by name: ${names.join(", ")}.`);
  }

  /** @param {() => Promise<void>} open */
  async #with_progress(open) {
    const waits = setTimeout(() => {
      this.#heard = 0;
      this.#page.announce("The model is being opened.");
    }, kPatience);
    try {
      await open();
    } catch (error) {
      this.#page.tell(/** @type {Error} */ (error).message);
    }
    clearTimeout(waits);
    this.#heard = -1;
    this.#hint.hidden = true;
  }

  #show_share = (/** @type {number} */ share) => {
    const words = `The model is being read: ${Math.round(share * 100)} %`;
    this.#hint.firstElementChild?.replaceChildren(words);
    const quarter = Math.floor(share * kHeardShares);
    if (this.#heard >= 0 && quarter > this.#heard) {
      this.#heard = quarter;
      this.#page.announce(words);
    }
    this.#hint.hidden = share === 1;
  };
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

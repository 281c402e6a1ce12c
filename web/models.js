// Trained models on the page: those that the host keeps beside it, and those whose files the visitor brings. The page reads a file
// slice by slice into the engine's memory, so it is there once. Nothing is fetched before somebody asks for a model, and only from the
// page's own host. The page loads this module when it needs a model.
import { fetch_file, fetch_list, is_kept, keep } from "./models_beside.js";

/** @import { RawModule } from "./attention_playground.mjs" */
/** @import { ListedModel } from "./types" */

const kTensors = /\.(safetensors|bin|pth?|gguf)$/; // as is_tensor_file in src/playground/models/model_opening.h
const kBest = ".safetensors";
const kMaxText = 2 ** 28; // bytes of a small file; the longest tokenizer.json have 33 MiB
const kMostInMemory = 768 * 2 ** 20; // bytes of a model's numbers at a time, as kMostBytes in src/page_models.cpp
const kSlice = 2 ** 20; // bytes; some ms

export class Models {
  #module;
  #page;
  /** The list beside the page, once somebody asked. @type {Promise<ListedModel[]> | null} */
  #list = null;
  /** Models that are being fetched before they are opened. @type {Map<string, Promise<File[] | null>>} */
  #ahead = new Map();
  /** One model at a time. @type {Promise<unknown>} */
  #queue = Promise.resolve();
  /** The files of models whose numbers come in parts. @type {Map<string, File[]>} */
  #in_parts = new Map();
  /** Whether numbers of an open model are being read. */
  is_bringing = false;

  /**
   * @param {RawModule} module
   * @param {string} page the page's address
   * @param {{ on_brought: () => void, on_lost: (sentence: string) => void }} bringing work that stood still may go on; a model is closed
   */
  constructor(module, page, bringing) {
    this.#module = module;
    this.#page = page;
    module.host.model_wants_bytes = () => {
      if (this.is_bringing) return;
      this.is_bringing = true;
      queueMicrotask(() => this.#bring(bringing)); // the engine is in the middle of its work
    };
  }

  /** Reads what open models want of their files. @param {{ on_brought: () => void, on_lost: (sentence: string) => void }} bringing */
  async #bring({ on_brought, on_lost }) {
    const module = this.#module;
    const reader = new SliceReader();
    for (let slice; !(slice = this.#answer(module._models_wanted(kSlice))).done;) {
      try {
        const file = /** @type {File} */ (this.#in_parts.get(slice.model)?.find(({ name }) => name === slice.file));
        const bytes = await reader.read(file, slice.begin, slice.begin + slice.size);
        module.HEAPU8.set(bytes, slice.at); // the memory of now: it may have grown in the meantime
        if (module._models_brought()) on_brought();
      } catch (error) {
        this.#with_string(slice.model, (at) => module._models_close(at));
        this.#in_parts.delete(slice.model);
        on_lost(`${/** @type {Error} */ (error).message} The model is closed: open its files again.`);
      }
    }
    this.is_bringing = false;
  }

  /** @param {string} name */
  is_open(name) {
    return this.#with_string(name, (at) => this.#module._models_is_open(at)) !== 0;
  }

  /** Whether the model is at hand without the network. @param {string} name */
  is_kept(name) {
    return is_kept(name, this.#page);
  }

  /** The name of the model that a link wants, itself or by its lesson; empty without one. @param {string} link @returns {string} */
  wanted_by(link) {
    return this.#with_string(link, (at) => this.#answer(this.#module._models_of_link(at))).name;
  }

  /** The models beside the page; none where the host has no list. Rejects with a sentence. */
  list() {
    const list = (this.#list ??= fetch_list(this.#page).then((list) =>
      Array.isArray(list) ? list.filter(is_listed_model) : [],
    ));
    list.catch(() => (this.#list = null)); // whoever asks next asks the host again
    return list;
  }

  /** Begins to fetch a model that will soon be opened; needs no engine yet. @param {string} name */
  fetch_ahead(name) {
    this.#ahead.set(
      name,
      this.#fetch(name, new AbortController().signal).catch(() => null), // open_listed() tries again, and says what is wrong
    );
  }

  /**
   * Opens a model of the list. Resolves to false if there is none of this name; rejects with a sentence.
   * @param {string} name
   * @param {(share: number) => void} on_progress
   * @param {AbortSignal} signal stops it
   */
  async open_listed(name, on_progress, signal) {
    const ahead = this.#ahead.get(name);
    this.#ahead.delete(name);
    const files = (await ahead) ?? (await this.#fetch(name, signal));
    if (files === null) return false;
    await this.open(files, signal, name, on_progress);
    void keep(name);
    return true;
  }

  /** The files of a model of the list; null if there is none of this name. @param {string} name @param {AbortSignal} signal */
  async #fetch(name, signal) {
    const model = (await this.list()).find((one) => one.name === name);
    if (model === undefined) return null;
    const file_of = async (/** @type {string} */ file) =>
      new File([await fetch_file(model, file, this.#page, signal)], file);
    return Promise.all(model.files.map(file_of));
  }

  /**
   * Opens the model that these files are. Resolves to its name, or to null for a file that holds attention modules alone, whose arrays
   * the engine reads by open_file; rejects with a sentence, and then the models that were open stay so.
   * @param {File[]} files
   * @param {AbortSignal} signal stops it: rejects with its reason
   * @param {string} [name] instead of the one that its numbers give it
   * @param {(share: number) => void} [on_progress]
   */
  open(files, signal, name = "", on_progress = () => {}) {
    const opened = this.#queue.then(() => this.#open(files, signal, name, on_progress));
    this.#queue = opened.catch(() => this.#module._models_begin()); // what came of it is gone
    return opened;
  }

  /**
   * @param {File[]} files
   * @param {AbortSignal} signal
   * @param {string} name
   * @param {(share: number) => void} on_progress
   * @returns {Promise<string | null>}
   */
  async #open(files, signal, name, on_progress) {
    const module = this.#module;
    signal.throwIfAborted();
    module._models_begin();
    const is_tensors = (/** @type {File} */ file) => kTensors.test(file.name);
    // Of several forms of the same numbers the engine takes the safetensors.
    const is_meant = files.some(({ name }) => name.endsWith(kBest))
      ? (/** @type {File} */ { name }) => name.endsWith(kBest)
      : is_tensors;
    const tensors = files.filter(is_meant);
    tensors.sort((a, b) => (a.name < b.name ? -1 : 1));
    this.#look_for_room(tensors.reduce((sum, { size }) => sum + size, 0));
    for (const file of files.filter((one) => !is_tensors(one))) {
      if (file.size > kMaxText) throw new Error(`${file.name} has ${file.size} bytes; at most ${kMaxText} are read.`);
      const bytes = await bytes_of(file);
      this.#with_string(file.name, (name_at) =>
        this.#with_bytes(bytes, (at) => module._models_add_text(name_at, at, bytes.length)),
      );
    }
    for (const file of tensors)
      this.#with_string(file.name, (name_at) => module._models_add_tensors(name_at, file.size));
    const named = (/** @type {string} */ name) => /** @type {File} */ (tensors.find((file) => file.name === name));
    const reader = new SliceReader();
    let opened = this.#answer(module._models_open());
    for (; opened.needs !== undefined; opened = this.#answer(module._models_open())) {
      const { needs, begin, size } = opened;
      const bytes = await reader.read(named(needs), begin, begin + size);
      signal.throwIfAborted();
      this.#with_string(needs, (name_at) =>
        this.#with_bytes(bytes, (at) => module._models_add_part(name_at, begin, at, bytes.length)),
      );
    }
    if (opened.modules) return null;
    const total = opened.bytes;
    for (let done = 0; ;) {
      const slice = this.#answer(module._models_next(kSlice));
      if (slice.done) break;
      const bytes = await reader.read(named(slice.file), slice.begin, slice.begin + slice.size);
      signal.throwIfAborted();
      module.HEAPU8.set(bytes, slice.at);
      module._models_slice_is_there();
      on_progress((done += slice.size) / total);
    }
    const taken = this.#with_string(name, (at) => this.#answer(module._models_take(at)));
    if (taken.in_parts) this.#in_parts.set(taken.name, tensors);
    return taken.name;
  }

  /** The engine's program would stop where its memory does not grow any more. @param {number} bytes */
  #look_for_room(bytes) {
    this.#module._free(granted(this.#module._malloc(Math.min(bytes, kMostInMemory) + 1)));
  }

  /** @param {number} json */
  #answer(json) {
    const answer = JSON.parse(this.#module.UTF8ToString(json));
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }

  /** @template Result @param {string} text @param {(at: number) => Result} call @returns {Result} */
  #with_string(text, call) {
    const at = granted(this.#module.stringToNewUTF8(text));
    try {
      return call(at);
    } finally {
      this.#module._free(at);
    }
  }

  /** @param {Uint8Array} bytes @param {(at: number) => void} call */
  #with_bytes(bytes, call) {
    const at = granted(this.#module._malloc(bytes.length + 1)); // + 1: malloc(0) may return 0
    try {
      this.#module.HEAPU8.set(bytes, at);
      call(at);
    } finally {
      this.#module._free(at);
    }
  }
}

/** @param {number} pointer */
function granted(pointer) {
  if (pointer === 0) throw new Error("There is not enough memory left for this model. What you have stays.");
  return pointer;
}

/**
 * Reads slices of files, where the browser can into one and the same buffer: what arrayBuffer() gives stays in memory until the
 * browser looks for what nobody needs, and of a large model that is more than a hundred megabytes.
 */
export class SliceReader {
  #buffer = new ArrayBuffer(kSlice);

  /** The bytes, until the next call. @param {File} file @param {number} begin @param {number} end */
  async read(file, begin, end) {
    const size = end - begin;
    const reader = size <= kSlice ? reader_into(file.slice(begin, end)) : null;
    if (!reader) return bytes_of(file, begin, end);
    try {
      for (let at = 0; at < size;) {
        const { value, done } = await reader.read(new Uint8Array(this.#buffer, at, size - at));
        if (done) throw new Error("the file is shorter than it was");
        this.#buffer = /** @type {ArrayBuffer} */ (value.buffer); // the one that was handed over, under a new name
        at += value.length;
      }
      return new Uint8Array(this.#buffer, 0, size);
    } catch {
      this.#buffer = new ArrayBuffer(kSlice);
      throw cannot_read(file);
    }
  }
}

/** Null where the browser's streams of files do not read into a given buffer. @param {Blob} part */
function reader_into(part) {
  try {
    return part.stream().getReader({ mode: "byob" });
  } catch {
    return null;
  }
}

/** @param {File} file */
const cannot_read = ({ name }) =>
  new Error(`The browser could not read ${name}: was it moved or changed in the meantime?`);

/** @param {File} file @param {number} [begin] @param {number} [end] */
async function bytes_of(file, begin = 0, end = file.size) {
  try {
    return new Uint8Array(await file.slice(begin, end).arrayBuffer());
  } catch {
    throw cannot_read(file);
  }
}

/** @param {unknown} one @returns {one is ListedModel} */
function is_listed_model(one) {
  const { name, files } = /** @type {Partial<ListedModel>} */ (one ?? {});
  return typeof name === "string" && Array.isArray(files) && files.every((file) => typeof file === "string");
}

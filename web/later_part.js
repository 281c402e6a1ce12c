// Loads a later part of the engine's WebAssembly (tools/split.mjs makes the parts). If the engine calls one of its functions before it
// is there, the page blocks until it is loaded: slow, but rare and correct.
import { compiled_engine } from "./compiled_engine.js";

export class LaterPart {
  #address;
  #window;
  #next;
  /** @type {Promise<void> | null} */
  #loading = null;
  #is_there = false;
  /** What the part before exports. @type {WebAssembly.Exports} */
  #before = {};

  /**
   * @param {string} address
   * @param {Window} window
   * @param {LaterPart | null} next the part behind this one
   */
  constructor(address, window, next = null) {
    this.#address = address;
    this.#window = window;
    this.#next = next;
  }

  /** The part before imports these in place of this one's functions, by their numbers in its table. @type {WebAssembly.ModuleImports} */
  stand_ins = new Proxy(
    {},
    {
      get:
        (_, place) =>
        /** @param {unknown[]} values */
        (...values) =>
          this.#call(Number(place), values),
    },
  );

  /** Takes the part before once it is instantiated. @param {WebAssembly.Instance} instance */
  join(instance) {
    this.#before = instance.exports;
  }

  /** Fetches before load() is called, which then reports errors. */
  prepare() {
    compiled_engine(this.#address, this.#window).catch(() => {});
  }

  /** Once the part before is there. Rejects if this one cannot be fetched. */
  load() {
    this.#loading ??= this.#load().finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #load() {
    if (this.#is_there) return;
    const compiled = await compiled_engine(this.#address, this.#window);
    if (this.#is_there) return; // a call could not wait
    const instance = await WebAssembly.instantiate(compiled, this.#imports());
    if (!this.#is_there) this.#has_come(instance);
  }

  #imports() {
    return { primary: this.#before, ...(this.#next && { placeholder: this.#next.stand_ins }) };
  }

  /** Its functions are in the table of the first part now. @param {WebAssembly.Instance} instance */
  #has_come(instance) {
    this.#next?.join(instance);
    this.#is_there = true;
  }

  /** @param {number} place in the table @param {unknown[]} values */
  #call(place, values) {
    if (!this.#is_there) this.#load_now();
    const table = Object.values(this.#before).find((exported) => exported instanceof WebAssembly.Table);
    return /** @type {WebAssembly.Table} */ (table).get(place)(...values);
  }

  #load_now() {
    const request = new XMLHttpRequest();
    request.open("GET", this.#address, false);
    // A synchronous request returns only text; in this encoding, the low byte of each character is a byte of the file.
    request.overrideMimeType("text/plain; charset=x-user-defined");
    request.send();
    if (request.status !== 200) throw new Error(`${this.#address}: ${request.status}`);
    const bytes = Uint8Array.from(request.responseText, (character) => character.charCodeAt(0) & 255);
    this.#has_come(new WebAssembly.Instance(new WebAssembly.Module(bytes), this.#imports()));
  }
}

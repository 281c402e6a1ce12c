// Loads the second part of the engine's WebAssembly: all functions that the first picture does not need (tools/split.mjs makes both
// parts). It loads after the first picture. If the engine calls one of its functions earlier, the page blocks until it is loaded:
// slow, but rare and correct.
import { compiled_engine } from "./compiled_engine.js";

export class SecondPart {
  #address;
  #window;
  #is_there = false;
  /** The first part's exports. @type {WebAssembly.Exports} */
  #first = {};

  /** @param {string} address @param {Window} window */
  constructor(address, window) {
    this.#address = address;
    this.#window = window;
  }

  /** The first part imports these in place of the missing functions, by their numbers in its table. @type {WebAssembly.ModuleImports} */
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

  /** Takes the first part once it is instantiated. @param {WebAssembly.Instance} instance */
  join(instance) {
    this.#first = instance.exports;
  }

  /** Fetches before load() is called, which then reports errors. */
  prepare() {
    compiled_engine(this.#address, this.#window).catch(() => {});
  }

  /** Rejects if the second part cannot be fetched. */
  async load() {
    const compiled = await compiled_engine(this.#address, this.#window);
    if (this.#is_there) return;
    await WebAssembly.instantiate(compiled, { primary: this.#first }); // puts its functions into the first part's table
    this.#is_there = true;
  }

  /** @param {number} place in the table @param {unknown[]} values */
  #call(place, values) {
    if (!this.#is_there) this.#load_now();
    const table = Object.values(this.#first).find((exported) => exported instanceof WebAssembly.Table);
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
    new WebAssembly.Instance(new WebAssembly.Module(bytes), { primary: this.#first });
    this.#is_there = true;
  }
}

// The second part of the engine's WebAssembly: all functions but those of the first picture (tools/split.mjs makes both parts).
// It comes after that picture. A call that comes before it waits for it, and with it the page: that is rare, and never wrong.
import { compiled_engine } from "./compiled_engine.js";

export class SecondPart {
  #address;
  #window;
  #is_there = false;
  /** What the first part gives. @type {WebAssembly.Exports} */
  #first = {};

  /** @param {string} address @param {Window} window */
  constructor(address, window) {
    this.#address = address;
    this.#window = window;
  }

  /** Imports of the first part: a function for each number in its table. @type {WebAssembly.ModuleImports} */
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

  /** The first part has come to life. @param {WebAssembly.Instance} instance */
  join(instance) {
    this.#first = instance.exports;
  }

  /** Fetches ahead of load(), which tells of mistakes. */
  prepare() {
    compiled_engine(this.#address, this.#window).catch(() => {});
  }

  /** Rejects when it cannot be fetched. */
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
    // A synchronous request gives text only; in this encoding the low byte of each character is a byte of the file.
    request.overrideMimeType("text/plain; charset=x-user-defined");
    request.send();
    if (request.status !== 200) throw new Error(`${this.#address}: ${request.status}`);
    const bytes = Uint8Array.from(request.responseText, (character) => character.charCodeAt(0) & 255);
    new WebAssembly.Instance(new WebAssembly.Module(bytes), { primary: this.#first });
    this.#is_there = true;
  }
}

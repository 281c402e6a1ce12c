// Makes the spreadsheets of the page: the engine says that a state can become one and gives its links, a WebAssembly module of its own
// (src/workbook_module.cpp), which is fetched when the first one is asked for, makes the file of it. No other module knows it.
import { in_pieces } from "./task.js";
import { compiled_workbooks } from "./workbook_beside.js";

/** @import { OutgoingFile } from "./types" */

const kPiece = 10; // ms of work before the page gets to respond
const kStopped = "The spreadsheet could not be made. What you have stays: try again, or save the numbers as NPZ.";

/**
 * The module's exports, which src/workbook_module.cpp documents.
 * @typedef {object} RawWorkbooks
 * @property {WebAssembly.Memory} memory
 * @property {() => void} _initialize
 * @property {(size: number) => number} malloc
 * @property {(pointer: number) => void} free
 * @property {(links: number, size: number) => void} workbook_begin
 * @property {() => number} workbook_write
 * @property {() => number} workbook_pack
 * @property {() => number} workbook_bytes
 */

/**
 * The .xlsx file of a state: the same bytes as `attn export xlsx` writes. Rejects with a sentence.
 * @param {string} links what the engine gives in the place of a file: two lines, see src/workbook_module.cpp
 * @param {WebAssembly.Module} module
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function make_workbook(links, module) {
  /** @type {RawWorkbooks | null} */
  let raw = null;
  const running = () => /** @type {RawWorkbooks} */ (raw);
  try {
    const instance = await WebAssembly.instantiate(module, imports_for(running));
    raw = /** @type {RawWorkbooks} */ (/** @type {unknown} */ (instance.exports));
    raw._initialize();
    begin(raw, new TextEncoder().encode(links));
    await in_pieces(() => {
      const end = performance.now() + kPiece;
      while (running().workbook_write() === 0) if (performance.now() > end) return null;
      return true;
    });
    const size = await in_pieces(() => running().workbook_pack()); // in a task of its own: packing cannot be cut
    return new Uint8Array(raw.memory.buffer, raw.workbook_bytes(), size).slice();
  } catch (error) {
    console.error(error);
    throw new Error(kStopped);
  }
}

/**
 * The same file with the spreadsheet in it: from the engine it has the state's links.
 * @template {{ bytes: Uint8Array<ArrayBuffer> }} File
 * @param {File} file
 * @returns {Promise<File>}
 */
export async function with_workbook(file) {
  const module = await compiled_workbooks();
  return { ...file, bytes: await make_workbook(new TextDecoder().decode(file.bytes), module) };
}

/** The same for a file in parts. @param {OutgoingFile} file @returns {Promise<OutgoingFile>} */
export async function with_workbook_as_part(file) {
  const links = new Uint8Array(await new Blob([...file.parts]).arrayBuffer());
  const { bytes } = await with_workbook({ bytes: links });
  return { ...file, parts: [bytes] };
}

/** @param {RawWorkbooks} raw @param {Uint8Array} links */
function begin(raw, links) {
  const at = raw.malloc(links.length + 1);
  if (at === 0) throw new Error("no memory for the links");
  new Uint8Array(raw.memory.buffer).set(links, at);
  raw.workbook_begin(at, links.length);
  raw.free(at);
}

/**
 * What the module's C library asks of a system: it has no files and no clock, and says on the console with which sentence it stops.
 * @param {() => RawWorkbooks} raw
 * @returns {WebAssembly.Imports}
 */
function imports_for(raw) {
  const words = () => new DataView(raw().memory.buffer);
  const fd_write = (
    /** @type {number} */ _,
    /** @type {number} */ parts,
    /** @type {number} */ count,
    /** @type {number} */ written,
  ) => {
    let text = "";
    let total = 0;
    for (let i = 0; i < count; ++i) {
      const start = words().getUint32(parts + 8 * i, true);
      const size = words().getUint32(parts + 8 * i + 4, true);
      text += new TextDecoder().decode(new Uint8Array(raw().memory.buffer, start, size));
      total += size;
    }
    words().setUint32(written, total, true);
    if (text !== "") console.error(text);
    return 0;
  };
  /** No variables of an environment. @type {(count: number, size: number) => number} */
  const environ_sizes_get = (count, size) => {
    words().setUint32(count, 0, true);
    words().setUint32(size, 0, true);
    return 0;
  };
  const refuse = () => 52; // not supported
  return {
    env: { emscripten_notify_memory_growth: () => {} },
    wasi_snapshot_preview1: {
      fd_write,
      environ_sizes_get,
      environ_get: () => 0,
      fd_read: refuse,
      fd_seek: refuse,
      fd_close: refuse,
      clock_time_get: refuse,
    },
  };
}

// The engine's C functions as JavaScript: strings instead of pointers, booleans instead of 0 and 1. Nothing else.
import { in_pieces } from "./task.js";

/** @import { RawModule } from "./attention_playground.mjs" */
/** @import { Engine, ExportedFile, FontName, FrameReport, Picture } from "./types" */

const kPiece = 0.01; // seconds of work on a file before the page gets to respond
const kPart = 2 ** 22; // bytes of a file copied at once
const kWhole = 3600; // seconds; more than any file takes
const kSpreadsheet = "xlsx";
const kNoMemory = "There is not enough memory left for this. What you have stays.";

/**
 * Calls a C function with the strings as C strings, and frees these afterwards. Throws a sentence if there is no memory for them.
 * @template Result
 * @param {RawModule} module
 * @param {string[]} strings
 * @param {(...pointers: number[]) => Result} call
 */
function with_strings(module, strings, call) {
  const pointers = strings.map((text) => module.stringToNewUTF8(text));
  try {
    return call(...pointers.map(granted));
  } finally {
    for (const pointer of pointers) module._free(pointer);
  }
}

/** Returns memory that was asked for; throws if there was none (0). @param {number} pointer */
function granted(pointer) {
  if (pointer === 0) throw new Error(kNoMemory);
  return pointer;
}

/**
 * An engine function's answer, parsed from JSON. Throws the error in it, a sentence for people.
 * @param {string} json
 */
function answer_of(json) {
  const answer = JSON.parse(json);
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
}

/**
 * The parts of a file in the module's memory, each copied when asked for. After the last part, the module frees that memory.
 * @param {RawModule} module
 * @param {{ begin: number, size: number }} file
 */
export function* parts_of(module, { begin, size }) {
  for (let at = 0; at < size; at += kPart) {
    yield module.HEAPU8.slice(begin + at, begin + Math.min(at + kPart, size));
  }
  module._web_file_taken(begin);
}

/** The script of spreadsheets, which come here as links. It is no part of a first visit. */
export const load_workbooks = () => import("./workbook.js");

/** The engine's fonts; each stands at its number. */
const kFonts = /** @type {readonly FontName[]} */ ([
  ...["sans-regular", "sans-semibold", "mono-regular"],
  ...["sans-regular-more", "sans-semibold-more", "mono-regular-more"],
]);

/**
 * The module's numbers, without a picture.
 * @param {RawModule} module
 * @returns {Engine}
 */
export function make_engine(module) {
  /** @type {(strings: string[], call: (...pointers: number[]) => number) => string} */
  const text_of = (strings, call) => module.UTF8ToString(with_strings(module, strings, call));
  /** Works on a file for a while; null: not finished yet. @type {(seconds: number, ...of: string[]) => ExportedFile | null} */
  const export_for = (seconds, ...of) => {
    const call = (/** @type {number[]} */ ...pointers) => {
      const [link, kind, options] = pointers;
      return module._engine_export(link, kind, options, seconds);
    };
    const { is_ready, size, ...file } = answer_of(text_of(of, call));
    if (is_ready === false) return null;
    const begin = module._engine_export_bytes();
    return { ...file, bytes: module.HEAPU8.slice(begin, begin + size) };
  };
  /** Settles when the file being made in pieces, and all that wait behind it, are made. @type {Promise<unknown>} */
  let making = Promise.resolve();
  return {
    trace: (link, stage = "", format = "json") => text_of([link, stage, format], module._engine_trace),
    digest: (link) => text_of([link], module._engine_digest),
    explain: (link, stage, head, row, column, format = "json") =>
      text_of([link, stage, format], (link_at, stage_at, format_at) =>
        module._engine_explain(link_at, stage_at, head, row, column, format_at),
      ),
    keys: () => JSON.parse(text_of([], module._engine_keys)),
    hideable: () => JSON.parse(text_of([], module._engine_hideable)),
    find: (link, query) => JSON.parse(text_of([link, query], module._engine_find)),
    prepare: (link) => answer_of(text_of([link], module._engine_prepare)).is_ready,
    mirror: (link) => JSON.parse(text_of([link], module._engine_mirror)),
    mirror_head: (link, head) => JSON.parse(text_of([link], (link_at) => module._engine_mirror_head(link_at, head))),
    visit: (link) => JSON.parse(text_of([link], module._engine_visit)),
    act: (link, name, typed = "") => JSON.parse(text_of([link, name, typed], module._engine_act)),
    answers: (kept) => {
      const text = text_of([kept], (kept_at) => module._engine_answers(kept_at, Date.now() / 1000));
      answer_of(text);
      return text;
    },
    clear_answers: (lesson) => with_strings(module, [lesson], module._engine_clear_answers),
    forget: () => module._engine_forget(),
    legal_link: (link) => text_of([link], module._engine_legal_link),
    map_color: (map, is_dark, t) => {
      const rgb = module._engine_map_color(map === "diverging" ? 1 : 0, is_dark ? 1 : 0, t);
      return [rgb >> 16, (rgb >> 8) & 255, rgb & 255];
    },
    font: (name) => {
      const font = kFonts.indexOf(name);
      const begin = module._engine_font_data(font);
      return module.HEAPU8.slice(begin, begin + module._engine_font_size(font));
    },
    exports: () => JSON.parse(text_of([], module._engine_exports)),
    export_file: (link, kind, options = "") => {
      if (kind === kSpreadsheet) throw new Error("A spreadsheet is made in pieces: call make_file.");
      return /** @type {ExportedFile} */ (export_for(kWhole, link, kind, options));
    },
    make_file: (link, kind, options = "") => {
      const made = making
        .then(() => in_pieces(() => export_for(kPiece, link, kind, options)))
        .then((file) => (kind === kSpreadsheet ? load_workbooks().then((module) => module.with_workbook(file)) : file));
      making = made.catch(() => {}); // the caller gets the error
      return made;
    },
    task: (text) => answer_of(text_of([text], module._engine_task)),
    variants: (...of) =>
      in_pieces(() => {
        const call = (/** @type {number[]} */ ...at) =>
          module._engine_variants(at[0], at[1], at[2], at[3], at[4], kPiece);
        const { is_ready, size } = answer_of(text_of(of, call));
        if (is_ready === false) return null;
        const begin = module._engine_variants_bytes();
        return module.HEAPU8.slice(begin, begin + size);
      }),
    open_file: (link, name, bytes) => {
      const begin = granted(module._malloc(bytes.length + 1)); // + 1: malloc(0) may return 0
      try {
        module.HEAPU8.set(bytes, begin);
        return answer_of(
          text_of([link, name], (link_at, name_at) => module._engine_open(link_at, name_at, begin, bytes.length)),
        );
      } finally {
        module._free(begin);
      }
    },
  };
}

/**
 * The module's picture. `take_report` returns the report of the frame just drawn; null if none was drawn.
 * @param {RawModule} module
 * @param {() => FrameReport | null} take_report
 * @returns {Picture}
 */
export function make_picture(module, take_report) {
  return {
    frame: (seconds, size, is_due) => {
      module._web_frame(seconds, size.width, size.height, size.scale, +is_due);
      return take_report();
    },
    work: () => {
      const answer = module._web_work();
      return { has_more: (answer & 1) !== 0, wants_frame: (answer & 2) !== 0 };
    },
    open_link: (link) => with_strings(module, [link], module._web_open_link),
    type_sentence: (text) => with_strings(module, [text], module._web_type_sentence),
    add_file: ({ name, bytes }) => {
      const add = (/** @type {number} */ name_at) => granted(module._web_add_file(name_at, bytes.length));
      const begin = with_strings(module, [name], add);
      module.HEAPU8.set(bytes, begin);
    },
    note: (sentence) => with_strings(module, [sentence], module._web_note),
    has_all: (visited) => with_strings(module, [visited], module._web_has_all),
    set_address: (address, can_share, has_fetch_page) =>
      with_strings(module, [address], (pointer) => module._web_set_address(pointer, +can_share, +has_fetch_page)),
    hurry: () => module._web_hurry(),
    set_preferences: (is_dark, reduces_motion, colors) =>
      module._web_set_preferences(+is_dark, +reduces_motion, +(colors !== null), ...(colors ?? [0, 0, 0, 0, 0])),
    expect_fingers: () => module._web_expect_fingers(),
    gl_lost: () => module._web_gl_lost(),
    gl_restored: () => module._web_gl_restored(),
    pointer_at: (kind, x, y) => module._web_pointer_at(kind, x, y),
    pointer_gone: () => module._web_pointer_gone(),
    pointer_button: (is_down) => module._web_pointer_button(+is_down),
    wheel: (right, down) => module._web_wheel(right, down),
    can_zoom: () => module._web_can_zoom() !== 0,
    zoom: (notches) => module._web_zoom(notches),
    can_scroll: (x, y) => module._web_can_scroll(x, y) !== 0,
    key: (name, is_down) => with_strings(module, [name], (name_at) => module._web_key(name_at, +is_down)) !== 0,
    modifiers: (control, shift, alt, meta) => module._web_modifiers(+control, +shift, +alt, +meta),
    use_mac_keys: (is_mac) => module._web_use_mac_keys(+is_mac),
    text: (text) => with_strings(module, [text], module._web_text),
    paste: (text) => with_strings(module, [text], module._web_paste),
    focus: (has_focus, by_pointer) => module._web_focus(+has_focus, +by_pointer),
    want_items: () => module._web_want_items(),
    items: () => JSON.parse(module.UTF8ToString(module._web_items())),
  };
}

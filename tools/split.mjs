// Divides the page's WebAssembly in three: what the first picture needs; what one needs to look around, with the opening scene, its
// model and all views; and the rest: lessons, files, exports. Each part is fetched after the one before it. What belongs to which is
// found by visits (tools/lib/visits.mjs): a part has the functions that run in its visits. Binaryen's wasm-split does the dividing.
//   node tools/split.mjs MODULE_FOLDER WASM_SPLIT
// Constants go with the first part whose code can reach them. Reads attention_playground.mjs, .wasm and .map (the linker's), and
// writes attention_playground_first.wasm, attention_playground_second.wasm and attention_playground_rest.wasm.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { move_cold_data } from "./lib/cold_data.mjs";
import { pay_visits } from "./lib/visits.mjs";
import {
  function_numbers,
  imported_functions,
  table_of,
  with_function_names,
  with_table,
  with_table_of,
  without_notes,
} from "./lib/wasm_parts.mjs";

// Before a later part is there, a call into it calls the page's import for that function's number in this namespace. From the
// other namespace a later part takes what it needs of the one before.
const kNames = ["--placeholder-namespace=placeholder", "--import-namespace=primary", "--export-prefix=%"];
// Bytes. Before the first picture a browser compiles longer functions that run often, such as the drawing of glyphs, again. On their
// own they take less processor time than as part of a larger function (tools/cmake/dependencies.cmake).
const kLongestInlined = 400;
// What Emscripten's modules use. Without reference types there is one table, which Emscripten knows.
const kFeatures = [
  ...["--mvp-features", "--enable-simd", "--enable-bulk-memory", "--enable-sign-ext", "--enable-mutable-globals"],
  ...["--enable-nontrapping-float-to-int", "--enable-multivalue"],
];
const kVector = 0x7b;
const kParts = ["first", "second", "rest"];

/** The functions of a later part that this one calls and that take or give vectors, by their numbers in the table. */
const vectors_of = (part) =>
  imported_functions(part, "placeholder")
    .filter(({ values }) => values.includes(kVector))
    .map(({ name }) => name);

/** Until a later part is there a call of it goes through the page, and JavaScript has no vectors. */
function refuse_vectors(part) {
  const found = vectors_of(part);
  if (found.length > 0)
    throw new Error(
      `${found.length} functions that take or give vectors are called by the first part and are not in it: let them be inlined, or have them called while its visits are paid`,
    );
}

/** The standard library's tables for printing doubles are a hundred kilobytes, which every visitor would fetch. */
function refuse_tables(map) {
  if (map.includes("POW10_SPLIT"))
    throw new Error("std::to_chars of a double is called somewhere: core/ground/decimal.h writes the same digits");
}

/** `run(tool, options)` calls a tool of Binaryen, and returns what it prints. */
export async function split(folder, run) {
  const file = (name) => join(folder, `attention_playground${name}`);
  const notes = mkdtempSync(join(tmpdir(), "attn-split-"));
  const note = (name) => join(notes, name);
  try {
    const map = readFileSync(file(".map"), "utf8");
    refuse_tables(map);
    const whole = note("whole.wasm");
    writeFileSync(whole, with_function_names(readFileSync(file(".wasm"))));
    run("wasm-split", ["--instrument", ...kFeatures, whole, "-o", note("counting.wasm")]);
    const visits = await pay_visits(file(".mjs"), readFileSync(note("counting.wasm")));
    const called = (kind) => {
      const files = visits[kind].map((_, i) => note(`${kind}_${i}`));
      visits[kind].forEach((profile, i) => writeFileSync(files[i], profile));
      run("wasm-split", ["--merge-profiles", ...files, "-o", note(kind)]);
      const printed = run("wasm-split", [...kFeatures, `--print-profile=${note(kind)}`, whole]);
      return new Set([...printed.matchAll(/^\+ (.+)$/gm)].map(([, name]) => name));
    };
    const divide = (whole, kept, outputs, ...options) => {
      writeFileSync(note("kept"), [...kept].join("\n"));
      const which = [`--keep-funcs=@${note("kept")}`, "-o1", outputs[0], "-o2", outputs[1]];
      run("wasm-split", ["--split", ...kFeatures, ...kNames, whole, ...which, ...options]);
    };
    const [first, second, rest] = kParts.map((part) => file(`_${part}.wasm`));
    const later = note("later.wasm");
    divide(whole, called("first"), [first, later], "-g");
    const { wasm: with_one_piece, filler } = with_closed_table(readFileSync(later));
    writeFileSync(later, with_one_piece);
    const of_later = function_numbers(with_one_piece);
    const kept = new Set([filler, ...called("second")].filter((name) => of_later.has(name)));
    for (let before = -1; kept.size > before;) {
      before = kept.size;
      divide(later, kept, [second, rest], "-g", "--placeholdermap");
      const placed = readFileSync(`${second}.placeholders`, "utf8");
      for (const place of vectors_of(readFileSync(second))) kept.add(name_at(place, placed));
    }
    rmSync(`${second}.placeholders`);
    writeFileSync(second, with_open_table(readFileSync(second), filler));
    // Inlines short functions with one caller only now: a browser compiles each function at its first call, and each time has a
    // cost of its own. Before the split, inlining would have taken along what that caller seldom calls.
    const inlining = `--one-caller-inline-max-function-size=${kLongestInlined}`;
    run("wasm-opt", ["-Oz", "--converge", inlining, ...kFeatures, first, "-o", first]);
    const text_of = (part) => {
      run("wasm-dis", [part, "-o", note("text.wat")]);
      return readFileSync(note("text.wat"), "utf8");
    };
    const texts = [first, second].map(text_of);
    const [one, ...others] = [first, second, rest].map((part) => readFileSync(part));
    const { parts } = move_cold_data({ parts: [with_table_of(others, one), ...others], texts, map });
    [first, second, rest].forEach((name, i) => writeFileSync(name, without_notes(parts[i])));
    refuse_vectors(parts[0]);
  } finally {
    rmSync(notes, { recursive: true, force: true });
  }
}

/**
 * The file with all its functions of the table in one piece, as wasm-split wants them: places that belong to the part before are
 * filled with a function that is in no table.
 */
function with_closed_table(wasm) {
  const table = table_of(wasm);
  const in_table = new Set(table.values());
  const [filler, number] = [...function_numbers(wasm)].find(([, number]) => !in_table.has(number)) ?? ["", 0];
  const places = [...table.keys()];
  for (let place = Math.min(...places); place < Math.max(...places); ++place)
    if (!table.has(place)) table.set(place, number);
  return { wasm: with_table(wasm, table), filler };
}

/** The file without what with_closed_table() put into its table. */
function with_open_table(wasm, filler) {
  const number = function_numbers(wasm).get(filler);
  return with_table(wasm, new Map([...table_of(wasm)].filter(([, one]) => one !== number)));
}

/** The function that a call of this place in the table means, from lines of "place:name". */
function name_at(place, placeholders) {
  const line = placeholders.split("\n").find((one) => one.startsWith(`${place}:`));
  if (line === undefined) throw new Error(`nothing is known of place ${place} of the table`);
  return line.slice(place.length + 1);
}

async function main([folder, wasm_split]) {
  if (!wasm_split) throw new Error("usage: split.mjs MODULE_FOLDER WASM_SPLIT");
  await split(resolve(folder), (tool, options) =>
    execFileSync(join(dirname(wasm_split), tool), options, {
      stdio: ["ignore", "pipe", "inherit"],
      maxBuffer: 2 ** 28,
      encoding: "utf8",
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));

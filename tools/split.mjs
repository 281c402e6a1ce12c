// Divides the page's WebAssembly in two: what the first picture needs (the functions that run while this program draws such pictures,
// without a browser), and the rest, which the page fetches after that picture. Binaryen's wasm-split does the dividing.
//   node tools/split.mjs MODULE_FOLDER WASM_SPLIT
// Constants that only the rest reads are a part of it, too. Reads attention_playground.mjs, .wasm and .map (the linker's), and
// writes attention_playground_first.wasm and attention_playground_rest.wasm.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { kFirstKeys, kFirstValues } from "../web/first_picture.js";
import { make_engine, make_picture } from "../web/page_engine.js";
import { blind_canvas } from "./lib/blind_canvas.mjs";
import { move_cold_data } from "./lib/cold_data.mjs";
import { imported_functions } from "./lib/wasm_parts.mjs";

// Before the second part is there, a call into it calls the page's import for that function's number in this namespace. From the
// other namespace the second part takes what it needs of the first.
const kNames = ["--placeholder-namespace=placeholder", "--import-namespace=primary", "--export-prefix=%"];
// Bytes. Before the first picture a browser compiles longer functions that run often, such as the drawing of glyphs, again. On their
// own they take less processor time than as part of a larger function (tools/cmake/dependencies.cmake).
const kLongestInlined = 400;
// Milliseconds from one look at the clock to the next. By the machine's own clock a busy machine would do in pieces what fits into one
// frame, and each build would have another first part.
const kLook = 1;
// What Emscripten's modules use. Without reference types there is one table, which Emscripten knows.
const kFeatures = [
  ...["--mvp-features", "--enable-simd", "--enable-bulk-memory", "--enable-sign-ext", "--enable-mutable-globals"],
  ...["--enable-nontrapping-float-to-int", "--enable-multivalue"],
];

// Windows of a desktop, of half a desktop and of phones, in device pixels.
const kDesktops = [
  { width: 1280, height: 740, scale: 1 },
  { width: 2880, height: 1680, scale: 2 },
  { width: 700, height: 740, scale: 1 },
];
const kPhones = [
  { width: 780, height: 1560, scale: 2 },
  { width: 1170, height: 2300, scale: 3 },
];

/** First visits, each as { size, is_touch, is_dark, link }: the default state in every window, every link on a desktop and a phone. */
function visits() {
  const links = (values) => Object.entries(values).flatMap(([key, each]) => each.map((value) => `${key}=${value}`));
  const together = (index) => Object.entries(kFirstKeys).map(([key, values]) => `${key}=${values.at(index)}`);
  const windows = [
    ...kDesktops.map((size) => ({ size, is_touch: false })),
    ...kPhones.map((size) => ({ size, is_touch: true })),
  ];
  const all_links = [
    ...links(kFirstKeys),
    ...links(kFirstValues),
    ...[0, -1].map((index) => `v=1&${together(index).join("&")}`),
  ];
  return [
    ...windows.flatMap((window) => [false, true].map((is_dark) => ({ ...window, is_dark, link: "" }))),
    ...[windows[0], windows.at(-1)].flatMap((window) => all_links.map((link) => ({ ...window, is_dark: false, link }))),
  ];
}

/** Starts the program with other WebAssembly than its own; also resolves to the instance's exports. */
async function start_module(script, wasm, host) {
  globalThis.document ??= {}; // Emscripten keeps it as the target of events nobody listens to
  globalThis.window ??= globalThis;
  let exports;
  const create_module = (await import(pathToFileURL(script).href)).default;
  const module = await create_module({
    canvas: blind_canvas(),
    host,
    noInitialRun: true,
    instantiateWasm: (imports, done) => {
      const compiled = new WebAssembly.Module(wasm);
      const instance = new WebAssembly.Instance(compiled, imports);
      exports = instance.exports;
      done(instance, compiled);
      return exports;
    },
  });
  return { module, exports };
}

/** Pays one visit with a module that counts its functions, and returns its notes for wasm-split. */
async function profile_of(script, wasm, { size, is_touch, is_dark, link }) {
  let report = null;
  const host = {
    requested() {},
    frame_done: (done) => (report = done),
    failed(sentence) {
      throw new Error(`the program cannot draw a picture: ${sentence}`);
    },
    copy() {},
    rasterize: () => ({ width: 1, height: 1, left: 0, top: 0, advance: 8, is_colored: false, rgba: new Uint8Array(4) }),
    png_of_figure: () => "",
  };
  const { module, exports } = await start_module(script, wasm, host);
  let now = 0;
  globalThis.performance.now = () => (now += kLook);
  make_engine(module).font("sans-regular");
  if (module.callMain() !== 0) throw new Error("the program does not start");
  const picture = make_picture(module, () => report);
  picture.use_mac_keys(false);
  picture.set_preferences(is_dark, is_dark, null);
  picture.set_address("https://example.org/playground/", true);
  if (is_touch) picture.expect_fingers();
  if (link !== "") picture.open_link(link);
  let seconds = 1;
  const draw = (size) => {
    for (let frames = 0; frames < 8 || report.has_work; ++frames) {
      picture.frame((seconds += 0.1), size, false); // until the state has rested
      if (report.has_work) picture.work();
    }
  };
  draw(size);
  // What may happen while the second part is on its way.
  picture.focus(true, true);
  picture.focus(false, false);
  picture.hurry();
  draw({ ...size, width: size.width - 10 });
  picture.type_sentence("typed early");
  draw(size);

  const length = exports.__write_profile(0, 0);
  const at = module._malloc(length);
  exports.__write_profile(at, length);
  return module.HEAPU8.slice(at, at + length);
}

/** Until the second part is there a call of it goes through the page, and JavaScript has no vectors. */
function refuse_vectors(first) {
  const kVector = 0x7b;
  const found = imported_functions(first, "placeholder").filter(({ values }) => values.includes(kVector));
  if (found.length > 0)
    throw new Error(
      `${found.length} functions that take or give vectors are called by the first part and are not in it: let them be inlined, or have them called while the pictures above are drawn`,
    );
}

/** The standard library's tables for printing doubles are a hundred kilobytes, which every visitor would fetch. */
function refuse_tables(map) {
  if (map.includes("POW10_SPLIT"))
    throw new Error("std::to_chars of a double is called somewhere: core/ground/decimal.h writes the same digits");
}

/** `run(tool, options)` calls a tool of Binaryen. */
export async function split(folder, run) {
  const file = (name) => join(folder, name);
  const whole = file("attention_playground.wasm");
  const notes = mkdtempSync(join(tmpdir(), "attn-split-"));
  try {
    const counting = join(notes, "counting.wasm");
    const profile = join(notes, "profile");
    run("wasm-split", ["--instrument", ...kFeatures, whole, "-o", counting]);
    const wasm = readFileSync(counting);
    const profiles = [];
    for (const visit of visits()) {
      profiles.push(join(notes, `profile${profiles.length}`));
      writeFileSync(profiles.at(-1), await profile_of(file("attention_playground.mjs"), wasm, visit));
    }
    run("wasm-split", ["--merge-profiles", ...profiles, "-o", profile]);
    const outputs = ["-o1", file("attention_playground_first.wasm"), "-o2", file("attention_playground_rest.wasm")];
    run("wasm-split", ["--split", ...kFeatures, ...kNames, whole, `--profile=${profile}`, ...outputs]);
    // Inlines short functions with one caller only now: a browser compiles each function at its first call, and each time has a
    // cost of its own. Before the split, inlining would have taken along what that caller seldom calls.
    const inlining = `--one-caller-inline-max-function-size=${kLongestInlined}`;
    run("wasm-opt", ["-Oz", "--converge", inlining, ...kFeatures, outputs[1], "-o", outputs[1]]);
    const text = join(notes, "first.wat");
    run("wasm-dis", [outputs[1], "-o", text]);
    const [first, rest] = [outputs[1], outputs[3]].map((name) => readFileSync(name));
    const map = readFileSync(file("attention_playground.map"), "utf8");
    refuse_tables(map);
    const moved = move_cold_data({ first, rest, first_text: readFileSync(text, "utf8"), map });
    writeFileSync(outputs[1], moved.first);
    writeFileSync(outputs[3], moved.rest);
    refuse_vectors(moved.first);
  } finally {
    rmSync(notes, { recursive: true, force: true });
  }
}

async function main([folder, wasm_split]) {
  if (!wasm_split) throw new Error("usage: split.mjs MODULE_FOLDER WASM_SPLIT");
  await split(resolve(folder), (tool, options) =>
    execFileSync(join(dirname(wasm_split), tool), options, { stdio: ["ignore", "ignore", "inherit"] }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));

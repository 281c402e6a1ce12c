// Assembles the folder that is served: web/, the module, the fonts' licence, and sandbox.js, the whole program in one classic script.
// An iframe with sandbox="allow-scripts" and a page opened from disk have an opaque origin, from which browsers load neither
// ES modules nor WebAssembly unless the server sends CORS headers; one classic script loads from anywhere.
//   node tools/page.mjs WEB_FOLDER MODULE_FOLDER FONT_FOLDER OUT_FOLDER
import { build } from "esbuild";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { kModels, kOfModel, kSceneModel, trained_models } from "./lib/trained_models.mjs";

const kProject = fileURLToPath(new URL("..", import.meta.url));
const kModule = [
  "attention_playground.mjs",
  ...["first", "second", "rest"].map((part) => `attention_playground_${part}.wasm`),
];
const kWorkbooks = "attention_workbook.wasm"; // writes spreadsheets, once somebody asks for one
const kWhole = "attention_playground.wasm"; // for the bundle alone, which also has the model of the scene inside
const kNotServed = ["package.json", "tsconfig.json", "engine", "course"]; // for node, the type checker, npm, add_course()

/** Copies everything the page needs into a fresh folder. */
export function assemble({ web, module, fonts, out }) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, "fonts"), { recursive: true });
  cpSync(web, out, { recursive: true, filter: (file) => !kNotServed.includes(basename(file)) });
  for (const name of [...kModule, kWorkbooks]) cpSync(join(module, name), join(out, name));
  cpSync(join(fonts, "LICENSE.txt"), join(out, "fonts", "LICENSE.txt")); // the fonts themselves are in the module
}

/** Puts the project's trained models beside the page, with the list that names them. A large one also as a classic script. */
export function add_models(out) {
  const list = trained_models().map((name) => ({ name, files: kOfModel }));
  for (const { name, files } of list) {
    for (const file of files) cpSync(join(kModels, name, file), join(out, "models", name, file));
    if (name !== kSceneModel) writeFileSync(join(out, script_of(name)), model_script(name));
  }
  writeFileSync(join(out, "models", "list.json"), `${JSON.stringify(list, null, 2)}\n`);
}

const script_of = (name) => `models/${name}/model.js`;
const in_base64 = (name) =>
  Object.fromEntries(kOfModel.map((file) => [file, readFileSync(join(kModels, name, file)).toString("base64")]));
/** A script that brings a model to web/models_embedded.js. */
const model_script = (name) =>
  `(globalThis.attention_playground_models ??= {})[${JSON.stringify(name)}] = ${JSON.stringify(in_base64(name))};\n`;

/** The module of spreadsheets as a classic script, for web/workbook_embedded.js. */
export function add_workbook_script(out) {
  const text = readFileSync(join(out, kWorkbooks)).toString("base64");
  writeFileSync(join(out, "workbook_module.js"), `globalThis.attention_workbook_module = "${text}";\n`);
}

/** Bundles main.js of an assembled page and the whole WebAssembly, from the module's folder, into sandbox.js. */
export async function bundle(page, module) {
  await build({
    entryPoints: [join(page, "main.js")],
    outfile: join(page, "sandbox.js"),
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    loader: { ".wasm": "binary" },
    // A classic script has no address of its own; nothing is loaded relative to it.
    define: { "import.meta.url": "document.baseURI" },
    // The module's branches for node are never taken in a browser.
    external: ["module", "node:*"],
    plugins: [
      { name: "embedded engine", setup: (build) => use_embedded_engine(build, resolve(module, kWhole)) },
      { name: "embedded models", setup: use_embedded_models },
      { name: "embedded spreadsheets", setup: use_embedded_workbooks },
    ],
    banner: { js: models_in_front() },
    logLevel: "warning",
  });
}

/** The embed element goes into other people's pages, whose visitors have not come for it: it is made small. */
export async function shrink_element(page) {
  const file = join(page, "attention-playground.js");
  await build({
    entryPoints: [file],
    outfile: file,
    allowOverwrite: true,
    minify: true,
    format: "esm",
    target: "es2022",
  });
}

/** The bundle carries the engine in itself instead of fetching it. */
function use_embedded_engine(build, wasm) {
  build.onResolve({ filter: /\/load_engine\.js$/ }, ({ resolveDir }) => ({
    path: join(resolveDir, "load_engine_embedded.js"),
  }));
  build.onResolve({ filter: /\/attention_playground\.wasm$/ }, () => ({ path: wasm }));
}

/** And the opening scene's model, which it may not fetch either, with the addresses of the others. */
function models_in_front() {
  const names = trained_models();
  const models = Object.fromEntries(
    names.map((name) => [name, name === kSceneModel ? in_base64(name) : script_of(name)]),
  );
  return `globalThis.attention_playground_models = Object.assign(${JSON.stringify(models)}, globalThis.attention_playground_models);`;
}

function use_embedded_models(build) {
  build.onResolve({ filter: /\/models_beside\.js$/ }, ({ resolveDir }) => ({
    path: join(resolveDir, "models_embedded.js"),
  }));
}

/** Spreadsheets come with a script that loads from anywhere. */
function use_embedded_workbooks(build) {
  build.onResolve({ filter: /\/workbook_beside\.js$/ }, ({ resolveDir }) => ({
    path: join(resolveDir, "workbook_embedded.js"),
  }));
}

/** Puts npm's uqr, which the author's page draws QR codes with, into the page as a module of its own. */
export async function add_libraries(page) {
  await build({
    stdin: { contents: 'export { encode } from "uqr";', resolveDir: kProject },
    outfile: join(page, "qr_library.js"),
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    banner: { js: "/* the npm package uqr; its licence is in qr_library.LICENSE.txt */" },
    logLevel: "warning",
  });
  cpSync(join(kProject, "node_modules/uqr/LICENSE"), join(page, "qr_library.LICENSE.txt"));
}

/** The outer page of packages for course systems. Its script is a classic one, which also runs when the page is opened from disk. */
export async function add_course(page, web) {
  for (const name of ["course.html", "course.css"]) cpSync(join(web, "course", name), join(page, name));
  await build({
    entryPoints: [join(web, "course/main.js")],
    outfile: join(page, "course.js"),
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    define: { "import.meta.url": "document.baseURI" },
    logLevel: "warning",
  });
}

async function main([web, module, fonts, out]) {
  if (!out) throw new Error("usage: page.mjs WEB_FOLDER MODULE_FOLDER FONT_FOLDER OUT_FOLDER");
  assemble({ web, module, fonts, out });
  add_models(out);
  add_workbook_script(out);
  await bundle(out, module);
  await shrink_element(out);
  await add_libraries(out);
  await add_course(out, web);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));

// The folder that is served: complete, without what only developers need, and with the one-script bundle.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import * as uqr from "uqr";
import {
  add_course,
  add_libraries,
  add_models,
  add_workbook_script,
  assemble,
  bundle,
  shrink_element,
} from "../../tools/page.mjs";

const kFiles = {
  "web/index.html": "<p>page</p>",
  "web/main.js":
    'import { load_engine } from "./load_engine.js";\nload_engine().then((engine) => (globalThis.loaded = engine));',
  "web/load_engine.js": 'export const load_engine = async () => "fetched";',
  "web/load_engine_embedded.js":
    'import make from "./attention_playground.mjs";\nimport bytes from "./attention_playground.wasm";\n' +
    "export const load_engine = async () => make(bytes);",
  "web/sub/part.js": "export {};",
  "web/attention-playground.js":
    "// What it is for.\nexport const place = new URL('index.html', import.meta.url).href;\n",
  "web/package.json": "{}",
  "module/attention_playground.mjs":
    'const address = new URL("a.wasm", import.meta.url).href;\nexport default (bytes) => ({ address, sum: bytes.reduce((a, b) => a + b) });',
  "module/attention_playground.wasm": Uint8Array.from([1, 2, 253]),
  "module/attention_playground_first.wasm": Uint8Array.from([1, 2]),
  "module/attention_playground_second.wasm": Uint8Array.from([2]),
  "module/attention_playground_rest.wasm": Uint8Array.from([253]),
  "module/attention_workbook.wasm": Uint8Array.from(Buffer.from("0061736d01000000", "hex")), // the smallest module
  "fonts/sans.ttf": "font",
  "fonts/LICENSE.txt": "licence",
};

/** Assembles a small page; `changes` replaces or adds files. Returns its folder. */
async function make_page(t, changes = {}) {
  const folder = mkdtempSync(join(tmpdir(), "attn-page-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries({ ...kFiles, ...changes })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const out = join(folder, "out");
  mkdirSync(out);
  writeFileSync(join(out, "stale.js"), "");
  assemble({ web: join(folder, "web"), module: join(folder, "module"), fonts: join(folder, "fonts"), out });
  await bundle(out, join(folder, "module"));
  await shrink_element(out);
  return out;
}

test("the page has its files, the module and the fonts' licence, and nothing else", async (t) => {
  const page = await make_page(t);
  const parts = [
    ...["first", "second", "rest"].map((part) => `attention_playground_${part}.wasm`),
    "attention_workbook.wasm",
  ];
  for (const name of ["index.html", "sub/part.js", ...parts, "fonts/LICENSE.txt"])
    assert.ok(existsSync(join(page, name)), name);
  for (const name of ["package.json", "stale.js", "fonts/sans.ttf", "attention_playground.wasm"])
    assert.ok(!existsSync(join(page, name)), name);
});

test("the bundle is one classic script with the engine in it", async (t) => {
  const page = await make_page(t);
  const world = vm.createContext({ document: { baseURI: "https://course.example/page/" }, URL, atob, Uint8Array });
  vm.runInContext(readFileSync(join(page, "sandbox.js"), "utf8"), world);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(world.loaded.sum, 256);
  assert.equal(world.loaded.address, "https://course.example/page/a.wasm");
});

test("the embed element is small, and still a module that knows where it is", async (t) => {
  const page = await make_page(t);
  const file = join(page, "attention-playground.js");
  assert.ok(readFileSync(file, "utf8").length < kFiles["web/attention-playground.js"].length);
  const module = join(page, "element.mjs"); // as node tells modules from scripts
  writeFileSync(module, readFileSync(file));
  const { place } = await import(pathToFileURL(module).href);
  assert.equal(place, pathToFileURL(join(page, "index.html")).href);
});

test("a page that does not bundle is not silently served", async (t) => {
  await assert.rejects(make_page(t, { "web/main.js": 'import "./missing.js";' }), /missing\.js/);
});

test("the page has its QR library as a module of its own, with the licence", async (t) => {
  const page = await make_page(t);
  await add_libraries(page);
  const { encode } = await import(pathToFileURL(join(page, "qr_library.js")).href);
  assert.deepEqual(encode("a", { ecc: "L", border: 4 }), uqr.encode("a", { ecc: "L", border: 4 }));
  assert.match(readFileSync(join(page, "qr_library.LICENSE.txt"), "utf8"), /^MIT License/);
});

test("the outer page of packages has one classic script, and what it is made of is not served", async (t) => {
  const page = await make_page(t, { "web/course/main.js": "export {};" });
  assert.ok(!existsSync(join(page, "course")));
  await add_course(page, new URL("../../web", import.meta.url).pathname);
  for (const name of ["course.html", "course.css"]) assert.ok(existsSync(join(page, name)), name);
  const script = readFileSync(join(page, "course.js"), "utf8");
  assert.doesNotThrow(() => new vm.Script(script), "no module");
  assert.match(script, /attention-playground/);
  assert.doesNotMatch(script, /import\.meta/);
});

test("the module of spreadsheets comes to the bundle with a classic script, once somebody asks for it", async (t) => {
  const page = await make_page(t, {
    "web/main.js":
      'import { compiled_workbooks } from "./workbook_beside.js";\nglobalThis.compiled_workbooks = compiled_workbooks;',
    "web/workbook_beside.js": "export const compiled_workbooks = () => fetch('attention_workbook.wasm');",
    "web/workbook_embedded.js": readFileSync(new URL("../../web/workbook_embedded.js", import.meta.url), "utf8"),
  });
  add_workbook_script(page);
  const asked = [];
  let is_there = false;
  const append = (script) => {
    asked.push(script.src);
    if (!is_there) return setImmediate(script.onerror);
    vm.runInContext(readFileSync(join(page, "workbook_module.js"), "utf8"), world);
    setImmediate(script.onload);
  };
  const document = { baseURI: "file:///page.html", createElement: () => ({}), head: { append } };
  const world = vm.createContext({ document, URL, atob, Uint8Array, WebAssembly });
  vm.runInContext(readFileSync(join(page, "sandbox.js"), "utf8"), world);
  await assert.rejects(world.compiled_workbooks(), /this copy of the page does not have it/);
  is_there = true;
  for (let n = 0; n < 2; ++n) assert.deepEqual(WebAssembly.Module.exports(await world.compiled_workbooks()), []);
  assert.deepEqual(asked, Array(2).fill("file:///workbook_module.js"), "what is there is not asked for again");
});

test("the page has the project's models beside it, and a list that names their files", async (t) => {
  const page = await make_page(t);
  add_models(page);
  const list = JSON.parse(readFileSync(join(page, "models/list.json"), "utf8"));
  assert.ok(list.some(({ name }) => name === "first-words"));
  for (const { name, files } of list)
    for (const file of files) assert.ok(existsSync(join(page, "models", name, file)), `${name}/${file}`);
});

test("the bundle has the scene's model in it, and others come as a classic script", async (t) => {
  const page = await make_page(t, {
    "web/main.js":
      'import { fetch_file, fetch_list, is_kept } from "./models_beside.js";\n' +
      "const config = (list) => fetch_file(list[0], 'config.json');\n" +
      "fetch_list().then(async (list) => (globalThis.loaded = { list, config: await config(list), fetch_file, is_kept }));",
    "web/models_beside.js":
      "export const fetch_list = () => fetch('list.json');\nexport const fetch_file = fetch_list;",
    "web/models_embedded.js": readFileSync(new URL("../../web/models_embedded.js", import.meta.url), "utf8"),
  });
  add_models(page);
  const asked = [];
  // A browser loads a script that is put into the page.
  const append = (script) => {
    asked.push(script.src);
    vm.runInContext(readFileSync(join(page, script.src.slice("file:///".length)), "utf8"), world);
    setImmediate(script.onload);
  };
  const document = { baseURI: "file:///page.html", createElement: () => ({}), head: { append } };
  const world = vm.createContext({ document, URL, atob, Uint8Array, Blob });
  vm.runInContext(readFileSync(join(page, "sandbox.js"), "utf8"), world);
  const until = async (is_so) => {
    while (!is_so()) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  await until(() => world.loaded);
  const { list, config, fetch_file, is_kept } = world.loaded;
  assert.equal(list[0].name, "first-words");
  assert.equal(JSON.parse(await config.text()).model_type, "gpt2");
  assert.deepEqual(asked, []);
  const large = list[1];
  assert.equal(await is_kept(large.name), false);
  const files = await Promise.all(large.files.map((file) => fetch_file(large, file, "file:///page.html")));
  assert.deepEqual(asked, [`file:///models/${large.name}/model.js`]);
  for (const [k, file] of large.files.entries())
    assert.deepEqual(
      Buffer.from(await files[k].arrayBuffer()),
      readFileSync(join(page, "models", large.name, file)),
      file,
    );
  assert.equal(await is_kept(large.name), true);
});

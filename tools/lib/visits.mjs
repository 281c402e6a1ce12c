// Visits to the page without a browser, paid with a module that counts its functions. What runs in first visits, until the first
// picture stands, is the first part of the page's WebAssembly; what runs in second visits, while one looks around, is the second
// (tools/split.mjs). Each visit is paid by a program that has just started.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { kFirstKeys, kFirstValues } from "../../web/first_picture.js";
import { Models } from "../../web/models.js";
import { make_engine, make_picture } from "../../web/page_engine.js";
import { blind_canvas } from "./blind_canvas.mjs";
import { kModels, kOfModel, kSceneModel, trained_models } from "./trained_models.mjs";

// Milliseconds from one look at the clock to the next. By the machine's own clock a busy machine would do in pieces what fits into one
// frame, and each build would have other parts.
const kLook = 1;
const kPage = "https://example.org/playground/";

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
const kDesktop = { size: kDesktops[0], is_touch: false };
const kPhone = { size: kPhones[0], is_touch: true };

/** First visits, each as { size, is_touch, is_dark, link }: the default state in every window, every link on a desktop and a phone. */
function first_visits() {
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

/**
 * Second visits, each as { size, is_touch, model }: the opening scene and all views, on a desktop with each of the project's models
 * and on a phone with that of the scene.
 */
const second_visits = () => [
  ...trained_models().map((model) => ({ ...kDesktop, model })),
  { ...kPhone, model: kSceneModel },
];

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

/** Begins a visit. Resolves to { module, engine, picture, draw, link, profile }: draw(size) draws until the state has rested. */
async function begin_visit(script, wasm, { is_touch, is_dark = false }) {
  let report = null;
  let link = "";
  const host = {
    requested() {},
    frame_done: (done) => {
      report = done;
      link = done.link ?? link;
    },
    failed(sentence) {
      throw new Error(`the program cannot draw a picture: ${sentence}`);
    },
    no_memory() {
      throw new Error("the program has no memory");
    },
    copy() {},
    figure_drawing: () => null,
    rasterize: () => ({ width: 1, height: 1, left: 0, top: 0, advance: 8, is_colored: false, rgba: new Uint8Array(4) }),
    png_of_figure: () => "",
  };
  const { module, exports } = await start_module(script, wasm, host);
  let now = 0;
  globalThis.performance.now = () => (now += kLook);
  const engine = make_engine(module);
  engine.font("sans-regular");
  if (module.callMain() !== 0) throw new Error("the program does not start");
  const picture = make_picture(module, () => report);
  picture.use_mac_keys(false);
  picture.set_preferences(is_dark, is_dark, null);
  picture.set_address(kPage, true);
  if (is_touch) picture.expect_fingers();
  let seconds = 1;
  const draw = (size) => {
    for (let frames = 0; frames < 8 || report.has_work; ++frames) {
      picture.frame((seconds += 0.1), size, false);
      if (report.has_work) picture.work();
    }
  };
  /** What the program has counted, as wasm-split takes it. */
  const profile = () => {
    const length = exports.__write_profile(0, 0);
    const at = module._malloc(length);
    exports.__write_profile(at, length);
    return module.HEAPU8.slice(at, at + length);
  };
  return { module, engine, picture, draw, link: () => link, profile };
}

async function pay_first_visit(script, wasm, visit) {
  const { picture, draw, profile } = await begin_visit(script, wasm, visit);
  const { size, link } = visit;
  if (link !== "") picture.open_link(link);
  draw(size);
  // What may happen while the second part is on its way.
  picture.focus(true, true);
  picture.focus(false, false);
  picture.hurry();
  draw({ ...size, width: size.width - 10 });
  picture.type_sentence("typed early");
  draw(size);
  return profile();
}

async function pay_second_visit(script, wasm, visit) {
  const { module, engine, picture, draw: just_draw, link, profile } = await begin_visit(script, wasm, visit);
  const models = new Models(module, kPage, { on_brought() {}, on_lost() {} });
  const { size, model, is_touch } = visit;
  /** Whatever is drawn, the page looks for the model that its link names. */
  const draw = (size) => {
    just_draw(size);
    models.wanted_by(link());
  };
  const kind = is_touch ? 1 : 0;
  const press_at = (x, y) => {
    picture.modifiers(false, false, false, false);
    picture.pointer_at(kind, x, y);
    draw(size);
    for (const is_down of [true, false]) {
      picture.pointer_button(is_down);
      draw(size);
    }
  };
  const press_key = (name) => {
    for (const is_down of [true, false]) picture.key(name, is_down);
    draw(size);
  };
  /** What stands where, as the tests ask for it. */
  const items = () => {
    picture.want_items();
    draw(size);
    return picture.items().filter(({ is_clipped }) => !is_clipped);
  };
  const open = (link) => {
    picture.open_link(link);
    draw(size);
  };

  draw(size);
  const keys = engine.keys();
  models.wanted_by(keys.map((one) => `${one.key}=${encodeURIComponent(one.default)}`).join("&"));
  const { choices: views } = keys.find(({ key }) => key === "view");
  const links = views.flatMap((view) => [`v=1&view=${view}`, `v=1&view=${view}&model=${model}`]);
  for (const link of links) open(link); // before the model is there
  const files = kOfModel.map((file) => new File([readFileSync(join(kModels, model, file))], file));
  if (models.is_open(model)) throw new Error(`nobody has opened ${model} yet`);
  await models.open(files, new AbortController().signal, model);
  for (const link of links) {
    open(link);
    press_at(size.width / size.scale / 2, size.height / size.scale / 2);
    picture.wheel(0, 1);
    for (const key of ["Tab", "ArrowDown", "ArrowRight", "Escape"]) press_key(key);
  }
  open("v=1&view=door");
  const names = items().map(({ name }) => name);
  for (const name of names.filter((name) => !name.startsWith("door="))) {
    const item = items().find((one) => one.name === name);
    if (item) press_at((item.x0 + item.x1) / 2, (item.y0 + item.y1) / 2);
  }
  picture.pointer_gone();
  picture.focus(true, false);
  for (const key of ["Tab", "Enter", "ArrowRight", " "]) press_key(key);
  picture.focus(false, false);
  picture.type_sentence("My own words, typed");
  draw(size);
  return profile();
}

/**
 * Pays the visits with the program `script` whose WebAssembly counts (`wasm`). Resolves to the profiles for wasm-split.
 * @returns {Promise<{ first: Uint8Array[], second: Uint8Array[] }>}
 */
export async function pay_visits(script, wasm) {
  const all = async (visits, pay) => {
    const profiles = [];
    for (const visit of visits) profiles.push(await pay(script, wasm, visit));
    return profiles;
  };
  return { first: await all(first_visits(), pay_first_visit), second: await all(second_visits(), pay_second_visit) };
}

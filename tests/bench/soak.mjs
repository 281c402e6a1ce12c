// A living picture for a long time: random things that visitors do, and what grows meanwhile. Prints a line every so many actions:
// JavaScript's heap after a collection, the module's memory, elements, documents and listeners, textures and buffers of the picture,
// and the renderer's memory as the system counts it. At the end, how much each grew in the second half; everything that goes on
// growing there is kept by somebody who does not let go.
//   ATTN_PAGE=<folder of the built page> node tests/bench/soak.mjs [minutes] [seed]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { next_frames, start, troubles_of } from "../browser/browser.mjs";

const is_small = process.env.ATTN_BENCH_SMALL !== undefined;
const kMinutes = is_small ? 0.05 : Number(process.argv[2] ?? 60);
const kSeed = Number(process.argv[3] ?? 1);
const kEvery = is_small ? 10 : 250; // actions
const kMost = 40; // tokens of a typed sentence, as visitors type
const kLinks = readFileSync(join(import.meta.dirname, "../golden/links.txt"), "utf8")
  .split("\n")
  .filter((link) => link !== "");

/** Runs before the page does: counts what its picture keeps, and finds the module's memory. */
function watch() {
  const kept = (globalThis.kept = { textures: 0, buffers: 0, memory: null });
  const { prototype } = WebGL2RenderingContext;
  for (const [name, made, freed] of [
    ["textures", "createTexture", "deleteTexture"],
    ["buffers", "createBuffer", "deleteBuffer"],
  ]) {
    const { [made]: make, [freed]: free } = prototype;
    prototype[made] = function () {
      ++kept[name];
      return make.call(this);
    };
    prototype[freed] = function (one) {
      if (one) --kept[name];
      return free.call(this, one);
    };
  }
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...of) => {
    const made = await instantiate(...of);
    const { exports } = made.instance ?? made;
    kept.memory ??= Object.values(exports).find((one) => one instanceof WebAssembly.Memory) ?? null;
    return made;
  };
  addEventListener("webglcontextlost", () => (kept.textures = kept.buffers = 0), true);
}

/** A generator of whole numbers below n: the same for the same seed. @param {number} seed */
function dice_of(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const kWords =
  "the artist painted a portrait of woman with brush , and cat sat on mat 注意 naïve 😀 don't 3.14 שלום".split(" ");

const kActions = {
  type: async (page, dice) => {
    const words = Array.from({ length: 1 + dice(kMost) }, () => kWords[dice(kWords.length)]);
    await page.locator("[data-part=sentence]").fill(words.join(" "));
  },
  clear: (page) => page.locator("[data-part=sentence]").fill(""),
  press: async (page, dice) => {
    const { width, height } = page.viewportSize();
    await page.mouse.click(dice(width), 60 + dice(height - 60));
  },
  point: async (page, dice) => {
    const { width, height } = page.viewportSize();
    await page.mouse.move(dice(width), dice(height), { steps: 4 });
  },
  drag: async (page, dice) => {
    const { width, height } = page.viewportSize();
    await page.mouse.move(dice(width), 60 + dice(height - 60));
    await page.mouse.down();
    await page.mouse.move(dice(width), 60 + dice(height - 60), { steps: 5 });
    await page.mouse.up();
  },
  wheel: (page, dice) => page.mouse.wheel(0, dice(800) - 400),
  key: async (page, dice) => {
    const keys = [
      "ArrowDown",
      "ArrowRight",
      "ArrowUp",
      "ArrowLeft",
      "Enter",
      "Escape",
      "Tab",
      "Control+z",
      "Control+y",
    ];
    await page.keyboard.press(keys[dice(keys.length)]);
  },
  link: (page, dice) => page.evaluate((link) => void (location.hash = link), kLinks[dice(kLinks.length)]),
  back: (page) => page.evaluate(() => history.back()),
  resize: (page, dice) => page.setViewportSize({ width: 360 + dice(1000), height: 480 + dice(500) }),
  text: async (page) => {
    for (let i = 0; i < 2; ++i) {
      await page.locator("[data-part=show-text]").click();
      await next_frames(page);
    }
  },
  lose: (page) =>
    page.evaluate(async () => {
      const gl = document.querySelector("[data-part=canvas]").getContext("webgl2");
      const extension = gl?.getExtension("WEBGL_lose_context");
      if (!extension || gl.isContextLost()) return;
      const canvas = gl.canvas;
      const lost = new Promise((done) => canvas.addEventListener("webglcontextlost", done, { once: true }));
      extension.loseContext();
      await lost;
      await new Promise((done) => setTimeout(done));
      extension.restoreContext();
    }),
};
// How often each is done, of all.
const kShares = {
  type: 20,
  clear: 3,
  press: 30,
  point: 12,
  drag: 8,
  wheel: 6,
  key: 20,
  link: 10,
  back: 3,
  resize: 3,
  text: 2,
  lose: 1,
};
const kBag = Object.entries(kShares).flatMap(([name, times]) => Array(times).fill(name));

const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

async function measure(page, client, browser_client) {
  await client.send("HeapProfiler.collectGarbage");
  const { usedSize } = await client.send("Runtime.getHeapUsage");
  const counters = await client.send("Memory.getDOMCounters");
  const { processInfo } = await browser_client.send("SystemInfo.getProcessInfo");
  const kept = await page.evaluate(() => ({ ...globalThis.kept, memory: globalThis.kept.memory.buffer.byteLength }));
  const renderers = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => resident(id));
  const MB = 2 ** 20;
  return {
    "heap MB": usedSize / MB,
    "module MB": kept.memory / MB,
    elements: counters.nodes,
    documents: counters.documents,
    listeners: counters.jsEventListeners,
    textures: kept.textures,
    buffers: kept.buffers,
    "renderer MB": Math.max(...renderers),
  };
}

const shown = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(1));

async function soak() {
  process.env.ATTN_CHROMIUM = ""; // a browser of its own, whose processes are counted
  const browser = await start();
  const page = await browser.open("", { prepare: (page) => page.addInitScript(watch) });
  const client = await page.context().newCDPSession(page);
  const browser_client = await browser.browser.newBrowserCDPSession();
  const dice = dice_of(kSeed);
  const rows = [];
  const end = Date.now() + kMinutes * 60_000;
  let count = 0;
  const note = async () => {
    const row = { actions: count, ...(await measure(page, client, browser_client)) };
    if (rows.length === 0)
      console.log(
        Object.keys(row)
          .map((name) => name.padStart(12))
          .join(""),
      );
    rows.push(row);
    console.log(
      Object.values(row)
        .map((value) => shown(value).padStart(12))
        .join(""),
    );
  };
  await note();
  while (Date.now() < end) {
    await kActions[kBag[dice(kBag.length)]](page, dice);
    await next_frames(page);
    if (++count % kEvery === 0) await note();
  }
  await note();
  const stopped = await page.locator("[data-part=message]").evaluate((one) => (one.hidden ? "" : one.textContent));
  const troubles = [stopped, troubles_of(page)].filter((one) => one !== "").join("; ");
  console.log(troubles === "" ? "no trouble" : `TROUBLE: ${troubles}`);
  const half = rows[Math.floor((rows.length - 1) / 2)];
  const last = rows.at(-1);
  console.log(`grown from action ${half.actions} to ${last.actions}:`);
  for (const name of Object.keys(half).filter((name) => name !== "actions"))
    console.log(`${name.padEnd(12)} ${shown(half[name])} -> ${shown(last[name])}`);
  await browser.close();
  return troubles === "" ? 0 : 1;
}

process.exit(await soak());

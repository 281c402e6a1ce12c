// Models that memory has no room for, in the page: files of the shapes of Qwen3 0.6B and Llama 3.2 1B with random numbers. How long it
// takes from the files to the first layer's attention, to the last layer's, and to the next word after eight tokens; the most memory
// that the page's process takes, and its longest task, in processor time.
//   ATTN_PAGE=<folder of the built page> node tests/bench/large_models.mjs [shape ...]
import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at_rest, eventually, in_playground, mirror_of, start } from "../browser/browser.mjs";
import { record } from "../browser/tracing.mjs";
import { kLargeShapes, large_config, write_large } from "./large_shapes.mjs";
import { megabytes_of, page_process } from "./page_memory.mjs";

const kEightTokens = "11 7 42 3 19 250 8 77";
const kPatience = 300_000; // ms

/** Prints what `work()` takes of a page. */
async function measure(what, { browser, page, pid }, work) {
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, megabytes_of(pid))), 20);
  const begin = performance.now();
  let ms = 0;
  const { tasks } = await record(browser.browser, page, async () => {
    await work();
    ms = performance.now() - begin;
  });
  clearInterval(watch);
  const longest = Math.max(...tasks.map(({ processor_ms }) => processor_ms));
  console.log(
    `  ${what.padEnd(34)} ${(ms / 1000).toFixed(1).padStart(6)} s   at most ${most.toFixed(0).padStart(5)} MB   longest task ${longest.toFixed(1)} ms`,
  );
}

/** The page's own link with these keys in the place of its own, and waits until all of it is there. */
async function open_with(page, keys) {
  await in_playground(
    page,
    (playground, keys) => {
      const others = playground.link().split("&").filter((part) => !(part.split("=")[0] in keys)); // prettier-ignore
      playground.open_link([...others, ...Object.entries(keys).map((pair) => pair.join("="))].join("&"));
    },
    keys,
  );
  await at_rest(page);
}

async function try_shape(name) {
  const folder = mkdtempSync(join(tmpdir(), "large-"));
  const browser = await start();
  try {
    const bytes = write_large(folder, name);
    console.log(`${name}, BF16, ${(bytes / 1e6).toFixed(0)} MB of numbers (asked: 1,200 MB, no task over 50 ms, 20 s)`);
    const page = await browser.open(`text=${encodeURIComponent(kEightTokens)}`);
    page.setDefaultTimeout(kPatience);
    await at_rest(page);
    const on = { browser, page, pid: await page_process(browser) };
    await measure("files to the first layer", on, async () => {
      const files = ["config.json", "model.safetensors"].map((file) => join(folder, file));
      await page.locator("[data-part=root] > input[type=file]").setInputFiles(files);
      await eventually("the model is open", async () =>
        (await in_playground(page, (playground) => playground.link())).includes("model="),
      );
      await at_rest(page);
    });
    const say = { view: "cache", next_temperature: 0 };
    await measure("the next word after eight tokens", on, () => open_with(page, say));
    const layer = large_config(name).num_hidden_layers;
    await measure("the last layer's attention", on, () => open_with(page, { view: "matrix", layer }));
    await measure("another sentence's next word", on, () => open_with(page, { ...say, text: "5+9+1+300+2+8" }));
    const { notes } = await mirror_of(page); // the text version's way to the numbers: all at once
    assert.ok(!notes.some((note) => note.includes("is not open here")), "the model was closed on the way");
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : kLargeShapes) await try_shape(name);

// GPT-2 small in the page: a file of its shape with random numbers, because the real one need not be at hand. How much memory it
// takes, how long 64 tokens take to the last layer and the logit lens of 32, and the longest tasks on the way.
//   ATTN_PAGE=<folder of the built page> node tests/bench/gpt2_page.mjs [F32|F16]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at_rest, eventually, in_playground, items, start } from "../browser/browser.mjs";
import { record } from "../browser/tracing.mjs";
import { kTokens, open_model, processor_ms } from "./gpt2_pages.mjs";
import { kLayers, kMlp, kWidth, write_files } from "./gpt2_shape.mjs";
import { megabytes_of, page_process } from "./page_memory.mjs";

const kType = process.argv[2] ?? "F32";
const kRestOfLens = process.env.ATTN_BENCH_SMALL === undefined ? 8000 : 500; // ms
/** Multiply-adds of a layer for kTokens tokens. */
const kOfLayer = kTokens * (4 * kWidth * kWidth + 2 * kWidth * kMlp) + 2 * kTokens * kTokens * kWidth;

const longest = (tasks) => Math.max(...tasks.map(({ processor_ms }) => processor_ms));

const folder = mkdtempSync(join(tmpdir(), "gpt2-"));
const bytes = write_files(folder, kType);
const browser = await start();
console.log(`GPT-2 small's shape, ${kType}, ${(bytes / 1e6).toFixed(0)} MB of numbers`);
try {
  const text = "the artist painted the portrait of a woman with a brush and a hat.".slice(0, kTokens);
  const page = await browser.open(`text=${encodeURIComponent(text)}`);
  await at_rest(page);
  const before = megabytes_of(await page_process(browser));
  const opening = await record(browser.browser, page, () => open_model(page, folder));
  const pid = await page_process(browser);
  console.log(`  open: the page's process ${before.toFixed(0)} -> ${megabytes_of(pid).toFixed(0)} MB (asked: 700)`);
  console.log(`  longest task while it opens ${longest(opening.tasks).toFixed(1)} ms (asked: 50)`);

  const link = await in_playground(page, (playground) => playground.link());
  const layers = await record(browser.browser, page, async () => {
    const last = link.replace(/&layer=\d+/, "").concat(`&layer=${kLayers}`);
    await in_playground(page, (playground, last) => playground.open_link(last), last);
    await at_rest(page);
  });
  const multiply_adds = (kLayers - 1) * kOfLayer + kTokens * 4 * kWidth * kWidth + 2 * kTokens * kTokens * kWidth;
  console.log(
    `  ${kTokens} tokens to layer ${kLayers}: ${processor_ms(layers.tasks).toFixed(0)} ms of the page's thread`,
  );
  console.log(
    `    ${(multiply_adds / processor_ms(layers.tasks) / 1e6).toFixed(1)} GMAC/s, all else that the page does counted in`,
  );
  console.log(`    longest task ${longest(layers.tasks).toFixed(1)} ms (asked: 50)`);
  const lens = await record(browser.browser, page, async () => {
    const keys = new URLSearchParams(link);
    keys.set("text", text.slice(0, 32));
    keys.set("view", "lens");
    await in_playground(page, (playground, link) => playground.open_link(link), String(keys));
    await eventually("the open cell's sum", async () => (await items(page)).some(({ name }) => /^channel=/.test(name)));
    await new Promise((resolve) => setTimeout(resolve, kRestOfLens)); // no sign on the screen says that the last cell is there
  });
  console.log(`  the lens of 32 tokens: ${processor_ms(lens.tasks).toFixed(0)} ms of the page's thread`);
  console.log(`    longest task ${longest(lens.tasks).toFixed(1)} ms (asked: 50)`);
  console.log(`  memory afterwards ${megabytes_of(await page_process(browser)).toFixed(0)} MB`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

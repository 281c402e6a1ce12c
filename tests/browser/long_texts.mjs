// What the tests and the bench of long texts share: 2,048 words in wide heads, files and tables made of them, and how long the
// page's tasks are meanwhile.
import assert from "node:assert/strict";
import { at_rest, eventually, in_playground, items } from "./browser.mjs";
import { record } from "./tracing.mjs";

export const kLong = "d_in=768&d_out=768&heads=16"; // with 2,048 tokens some ten thousand million multiply-adds

/** What is made of a long text between the frames, by view, and how many bytes each file has at least: all that belongs into it. */
export const kFilesOfLongTexts = [
  { view: "stage=queries", sizes: { csv: 1_572_864 * 20, svg: 1_000_000, png: 1_000_000 } },
  { view: "view=numbers", sizes: { svg: 1_000_000, png: 1_000_000 } },
  { view: "view=stacked", sizes: { svg: 1_000_000, png: 100_000 } },
];

/** A window in which the share card, which opens under its button, needs no scrolling. */
export const kHighWindow = { viewport: { width: 1280, height: 1200 } };

export const words = (count, begin = 0) =>
  Array.from({ length: count }, (_, i) => `word${(begin + i) % 613}`).join(" ");
export const link_words = (count) => words(count).replaceAll(" ", "+");
export const field = (page) => page.locator("[data-part=sentence]");

export const is_computed = (page) => eventually("all heads", () => in_playground(page, (one) => one.is_idle()));

/** Presses what has this name, if it is on the screen. Returns whether it is. */
export async function press(page, name) {
  const found = (await items(page)).find((one) => one.name === name);
  if (found) await page.mouse.click((found.x0 + found.x1) / 2, (found.y0 + found.y1) / 2);
  return found !== undefined;
}

/** A long text with the share card open. What is saved goes into the page's globalThis.files, as blobs, and nowhere else. */
export async function open_where_files_are_made(browser, view = "stage=queries", prepare = undefined) {
  const page = await browser.open(`${kLong}&${view}&text=${link_words(2048)}`, { ...kHighWindow, prepare });
  await is_computed(page);
  await press(page, "share");
  await at_rest(page);
  await page.evaluate(() => {
    globalThis.files = [];
    URL.createObjectURL = (blob) => `about:blank#${globalThis.files.push(blob)}`;
    HTMLAnchorElement.prototype.click = () => {};
  });
  return page;
}

/** Pastes a long text, until all heads are there. Each of these resolves to the page's tasks (tracing.mjs). */
export const paste = (browser, page) =>
  tasks_of(browser, page, async () => {
    await field(page).fill(words(2048));
    await is_computed(page);
  });

/** Makes the file number `at`, from 0, of a page that open_where_files_are_made has opened. */
export const make_file = (browser, page, kind, at) =>
  tasks_of(browser, page, async () => {
    await press(page, `save=${kind}`);
    await eventually(`the ${kind}`, () => page.evaluate((at) => globalThis.files.length > at, at));
  });

export const put_heads_together = (browser, page) =>
  tasks_of(browser, page, async () => {
    await press(page, "combine=mean");
    await is_computed(page);
  });

export const show_text_version = (browser, page) =>
  tasks_of(browser, page, async () => {
    await page.locator("[data-part=show-text]").click();
    await page.waitForFunction(() => document.querySelector("[data-part=plain]").ariaBusy === "false");
  });

async function tasks_of(browser, page, work) {
  return (await record(browser.browser, page, work)).tasks;
}

/** How long the page does not answer at most: ms of the processor, and as a part of what all tasks together take. */
export function longest_of(tasks) {
  const times = tasks.map((task) => task.processor_ms);
  const longest = Math.max(...times);
  return { longest, share: longest / times.reduce((sum, time) => sum + time, 0) };
}

/**
 * The work was done in pieces, between which the page answers: none is more than a part of the whole. How many milliseconds that is,
 * tests/bench/long_tasks.mjs and playing.mjs measure: it depends on the machine and on what else it does.
 */
export function assert_in_pieces(tasks, most, what = "the work") {
  const { share } = longest_of(tasks);
  assert.ok(tasks.length > 8 && share < most, `${what}: ${tasks.length} tasks, the longest ${share.toFixed(3)} of all`);
}

// Training that plays, with the maps moving: frames a second, and the longest piece of work between two of them, in processor time,
// which other programs on the machine lengthen only by what they take of the processor's caches. 100 steps, one a frame.
//   ATTN_PAGE=<folder of the built page> node tests/bench/playing.mjs
import { at_rest, item, start } from "../browser/browser.mjs";
import { link_words, longest_of } from "../browser/long_texts.mjs";
import { record } from "../browser/tracing.mjs";
import { median } from "./statistics.mjs";

const kRecipe = "optimizer=adam&rate=0.05&goal=pattern&target=1:10>1&target=2:10>7";
const kLinks = { "11 tokens": kRecipe, "128 tokens": `${kRecipe}&text=${link_words(128)}` };

const browser = await start();
for (const [name, link] of Object.entries(kLinks)) {
  const page = await browser.open(link);
  const { x, y } = await item(page, "play");
  await page.evaluate(() => {
    globalThis.frames = [];
    const note = (time) => requestAnimationFrame(note, globalThis.frames.push(time));
    requestAnimationFrame(note);
  });
  const { tasks } = await record(browser.browser, page, async () => {
    await page.mouse.click(x, y);
    await at_rest(page);
  });
  const times = await page.evaluate(() => globalThis.frames);
  const gaps = times.slice(1).map((time, n) => time - times[n]);
  const in_order = tasks.map((task) => task.processor_ms).sort((a, b) => b - a);
  const long = in_order.filter((ms) => ms > 16).length;
  console.log(
    `${name}: a frame every ${median(gaps).toFixed(1)} ms (median), the longest task ${longest_of(tasks).longest.toFixed(1)} ms of ` +
      `processor time, the tenth ${in_order[9].toFixed(1)} ms, ${long} over 16 ms`,
  );
  await page.context().close();
}
await browser.close();

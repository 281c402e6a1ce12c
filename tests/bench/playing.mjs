// Training that plays, with the maps moving: the work of the page's own thread in processor time, which other programs on the machine
// lengthen only by what they take of the processor's caches. 100 steps at each speed, in a new page for each round, and once more from
// step 0 in the same page: what the browser compiles when it is first called is compiled by then. A frame must be done in 16.7 ms to be one
// of 60 a second; how many come is told too, but without a graphics card the picture is drawn by the processor in another process,
// and frames come as slowly as that is.
//   ATTN_PAGE=<folder of the built page> node tests/bench/playing.mjs [ROUNDS]
import { at_rest, click_item, item, start } from "../browser/browser.mjs";
import { link_words, longest_of } from "../browser/long_texts.mjs";
import { record } from "../browser/tracing.mjs";
import { median } from "./statistics.mjs";

const kRecipe = "optimizer=adam&rate=0.05&goal=pattern&target=1:10>1&target=2:10>7";
const kSpeeds = ["speed=1", "speed=100", "speed=fast"];
const kLinks = { "11 tokens": kRecipe, "128 tokens": `${kRecipe}&text=${link_words(128)}` };
const kPress = "the press";
const kHeld = 80; // ms that a hand takes from pointing to the press, and from the press to the release: three tasks, not one
const kWork = 1; // ms of a task that does something

const rounds = Number(process.argv[2] ?? 5);
const browser = await start();

/** Plays once: { gap, frame, longest, which, tenth, long }, in ms; `which` counts the tasks that work, from the press on. */
async function play(page) {
  const { x, y } = await item(page, "play");
  await page.evaluate(() => {
    const frames = [];
    globalThis.frames = frames;
    const note = (time) => {
      frames.push(time);
      if (globalThis.frames === frames) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  const { tasks, marks } = await record(browser.browser, page, async () => {
    await page.evaluate((name) => performance.mark(name), kPress);
    await page.mouse.move(x, y);
    await page.waitForTimeout(kHeld);
    await page.mouse.click(x, y, { delay: kHeld });
    await at_rest(page);
  });
  const times = await page.evaluate(() => {
    const { frames } = globalThis;
    globalThis.frames = null;
    return frames;
  });
  const pressed = marks.find((mark) => mark.name === kPress).at;
  const works = tasks.filter((task) => task.at >= pressed && task.processor_ms > kWork);
  const { longest } = longest_of(works);
  const in_order = works.map((task) => task.processor_ms).sort((a, b) => b - a);
  return {
    gap: median(times.slice(1).map((time, n) => time - times[n])),
    frame: median(in_order),
    longest,
    which: 1 + works.findIndex((task) => task.processor_ms === longest),
    tenth: in_order[9],
    long: in_order.filter((ms) => ms > 16).length,
  };
}

const kinds = Object.entries(kLinks).flatMap(([name, link]) => kSpeeds.map((speed) => [name, link, speed]));
for (const [name, link, speed] of kinds) {
  const plays = { "first play": [], "played again": [] };
  for (let k = 0; k < rounds; ++k) {
    const page = await browser.open(link);
    await click_item(page, speed);
    for (const all of Object.values(plays)) {
      if (all === plays["played again"]) await click_item(page, "play=again");
      all.push(await play(page));
    }
    await page.context().close();
  }
  for (const [which, all] of Object.entries(plays)) {
    const middle = (key) => median(all.map((one) => one[key])).toFixed(1);
    console.log(
      `${name}, ${speed}, ${which}, medians of ${rounds}: a frame takes ${middle("frame")} ms of processor time, the longest task ` +
        `${middle("longest")} ms (${Math.max(...all.map((one) => one.longest)).toFixed(1)} at most; tasks number ` +
        `${all.map((one) => one.which).join(" ")}; over 16 ms ${all.map((one) => one.long).join(" ")}), the tenth ${middle("tenth")} ms; ` +
        `a frame came every ${middle("gap")} ms`,
    );
  }
}
await browser.close();

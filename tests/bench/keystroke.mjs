// From a keystroke to the new picture, in the page: until the frame with it is drawn, and until the browser's next frame. By the
// clock, and in processor time of the page's thread, which other programs on the machine do not lengthen and which leaves out the
// work of a software renderer. Then a long text: how long until the head that is shown is there, until all are, and the longest
// task on the way.
//   ATTN_PAGE=<folder of the built page> node tests/bench/keystroke.mjs [keystrokes a length]
import { in_playground, start } from "../browser/browser.mjs";
import { record } from "../browser/tracing.mjs";

const kStates = [
  { tokens: 128, link: "d_in=64&d_out=64&heads=8", goal: 16 },
  { tokens: 512, link: "d_in=64&d_out=64&heads=8", goal: 50 },
  { tokens: 2048, link: "d_in=64&d_out=64&heads=8", goal: null },
];
const kLong = { tokens: 2048, link: "d_in=768&d_out=768&heads=16", goal: 1000 };

const words = (count) => Array.from({ length: count }, (_, i) => `word${i % 613}`).join(" ");
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const text_of = (ms) => `${ms.toFixed(1).padStart(7)} ms`;
const ascending = (numbers) => [...numbers].sort((a, b) => a - b);
const pair = (numbers) => `${text_of(at(ascending(numbers), 0.5))} ${text_of(at(ascending(numbers), 0.95))}`;

/** One keystroke after the other, each after the picture rests, somewhere between two frames. In the page. */
async function type(playground, { text, count }) {
  const input = document.querySelector("[data-part=sentence]");
  const next_frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const rest = async () => {
    while (!playground.is_idle()) await next_frame();
  };
  const put = (value) => {
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  put(text);
  await next_frame();
  await rest();
  for (let n = 0; n < count; ++n) {
    await pause((n * 7) % 17);
    const frames = playground.frames();
    performance.mark("key");
    put(`${text}${"abcdefghij".slice(0, 1 + (n % 10))}`);
    while (playground.frames() === frames) await next_frame();
    performance.mark("drawn");
    await next_frame();
    performance.mark("shown");
    await rest();
    performance.mark("rest");
  }
}

/**
 * Pastes a long text. drawArrays draws maps and the legend; which of them, the numbers of columns and rows say that the shader was
 * told just before. A map is drawn once it is whole. In the page.
 */
async function paste(playground, { text, tokens }) {
  const input = document.querySelector("[data-part=sentence]");
  const { drawArrays, uniform2i } = WebGL2RenderingContext.prototype;
  let is_first = true;
  let is_map = false;
  WebGL2RenderingContext.prototype.uniform2i = function (place, columns, rows) {
    is_map = columns === tokens && rows === tokens;
    uniform2i.call(this, place, columns, rows);
  };
  WebGL2RenderingContext.prototype.drawArrays = function (...values) {
    if (is_map && is_first) performance.mark("first");
    is_first &&= !is_map;
    drawArrays.apply(this, values);
  };
  performance.mark("key");
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  while (!playground.is_idle()) await new Promise((resolve) => requestAnimationFrame(resolve));
  performance.mark("rest");
  Object.assign(WebGL2RenderingContext.prototype, { drawArrays, uniform2i });
}

/** For each mark called `name` the time since the key before it: on the clock and of the processor. */
function times_until(name, marks) {
  const clock = [];
  const processor = [];
  let key;
  for (const mark of marks) {
    if (mark.name === "key") key = mark;
    if (mark.name !== name) continue;
    clock.push(mark.at - key.at);
    processor.push(mark.processor_at - key.processor_at);
  }
  return { clock, processor };
}

async function measure(browser, link, work, argument) {
  const page = await browser.open(link);
  const thread = await record(browser.browser, page, () => in_playground(page, work, argument));
  await page.context().close();
  return thread;
}

const count = Number(process.argv[2] ?? 60);
const browser = await start();
console.log(
  "Typing: median and 95 %, by the clock; then the processor time of the page's thread up to the same moment",
);
for (const { tokens, link, goal } of kStates) {
  const { marks } = await measure(browser, link, type, { text: words(tokens), count });
  console.log(`${tokens} tokens${goal === null ? "" : ` (95 % of the frames should be drawn within ${goal} ms)`}`);
  for (const name of ["drawn", "shown", "rest"]) {
    const { clock, processor } = times_until(name, marks);
    console.log(`  ${name.padEnd(6)} ${pair(clock)}     ${pair(processor)}`);
  }
}
console.log(`Pasting ${kLong.tokens} tokens, ${kLong.link}: by the clock, and the processor time of the page's thread`);
for (const [what, key] of [
  ["all heads", ""],
  ["one head", "&head=3"],
]) {
  const text = words(kLong.tokens);
  const { marks, tasks } = await measure(browser, `${kLong.link}${key}`, paste, { text, tokens: kLong.tokens });
  const longest = tasks.reduce((most, task) => (task.processor_ms > most.processor_ms ? task : most));
  for (const [name, label] of [
    ["first", `${what}: the first map (should be within ${kLong.goal} ms)`],
    ["rest", `${what}: all done`],
  ]) {
    const { clock, processor } = times_until(name, marks);
    console.log(`  ${label.padEnd(52)} ${text_of(clock[0])} ${text_of(processor[0])}`);
  }
  console.log(`  ${`${what}: the longest task`.padEnd(52)} ${text_of(longest.ms)} ${text_of(longest.processor_ms)}`);
}
await browser.close();

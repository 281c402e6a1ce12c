// From a keystroke to the new picture, in the page: how long the input event and its frame keep the page busy, and when the
// browser comes to its next frame. Prints the median and the 95th percentile for several lengths of text.
//   ATTN_PAGE=<folder of the built page> node tests/bench/keystroke.mjs [keystrokes a length]
import { in_playground, start } from "../browser/browser.mjs";

const kStates = [
  { tokens: 128, link: "d_in=64&d_out=64&heads=8", goal: 16 },
  { tokens: 512, link: "d_in=64&d_out=64&heads=8", goal: 50 },
  { tokens: 2048, link: "d_in=64&d_out=64&heads=8", goal: null },
];

const words = (count) => Array.from({ length: count }, (_, i) => `word${i % 613}`).join(" ");
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const text_of = (ms) => `${ms.toFixed(1).padStart(7)} ms`;

/** One keystroke after the other, each after the picture rests. In the page. */
async function type(playground, { text, count }) {
  const input = document.querySelector("[data-part=sentence]");
  const next_frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
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
  const busy = [];
  const shown = [];
  const computed = [];
  for (let n = 0; n < count; ++n) {
    await next_frame();
    const begin = performance.now();
    const frames = playground.frames();
    put(`${text}${"abcdefghij".slice(0, 1 + (n % 10))}`);
    while (playground.frames() === frames) await next_frame();
    busy.push(performance.now() - begin);
    await next_frame();
    shown.push(performance.now() - begin);
    await rest();
    computed.push(performance.now() - begin);
  }
  return { busy, shown, computed };
}

const count = Number(process.argv[2] ?? 60);
const browser = await start();
console.log("tokens   to the frame's end: median, 95 %     to the next frame: median, 95 %     to rest: median, 95 %");
for (const { tokens, link, goal } of kStates) {
  const page = await browser.open(link);
  const times = await in_playground(page, type, { text: words(tokens), count });
  const [busy, shown, computed] = [times.busy, times.shown, times.computed].map((all) => all.sort((a, b) => a - b));
  const pair = (all) => `${text_of(at(all, 0.5))} ${text_of(at(all, 0.95))}`;
  const wish = goal === null ? "" : `   (95 % should be within ${goal} ms)`;
  console.log(`${String(tokens).padStart(6)}   ${pair(busy)}     ${pair(shown)}     ${pair(computed)}${wish}`);
  await page.context().close();
}
await browser.close();

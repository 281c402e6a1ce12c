// Steps of training a second, of the lessons' own links: in the page, by the engine that draws it, and natively by the command attn.
// Each trains a few and many steps; what the many take longer is the steps' alone. In processor time of the one thread that works,
// as other programs may be at work, and medians over the rounds.
//   ATTN_PAGE=<folder of the built page> node tests/bench/training_steps.mjs [--rounds N] [--attn PROGRAM]
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { in_playground, next_frames, start } from "../browser/browser.mjs";
import { record } from "../browser/tracing.mjs";
import { median } from "./statistics.mjs";

const kFew = 100;
const kMany = 40_100;
const kLessons = ["one-step", "way-back", "readings"];

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    attn: { type: "string", default: fileURLToPath(new URL("../../build/release/attn", import.meta.url)) },
  },
});

/** The processor time of the commands that it ran and waited for, in ms: user and system. */
function native_ms(link) {
  const timed = `import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print((used.ru_utime + used.ru_stime) * 1000)`;
  return Number(execFileSync("python3", ["-c", timed, values.attn, "explain", link], { encoding: "utf8" }));
}

/** The processor time of the page's thread while its engine trains as the link says, in ms. */
async function page_ms(browser, page, link) {
  const train = ({ engine }, link) => {
    engine.forget();
    performance.mark("begin");
    while (!engine.prepare(link)) continue;
    performance.mark("end");
  };
  const { marks } = await record(browser.browser, page, async () => {
    await in_playground(page, train, link);
    await next_frames(page);
  });
  const at = (name) => marks.find((mark) => mark.name === name).processor_at;
  return at("end") - at("begin");
}

const link_of = (lesson, steps) => `lesson=${lesson}&step=1&goal=pattern&steps=${steps}`;
const browser = await start();
const page = await browser.open();
for (const lesson of kLessons) {
  const rates = { page: [], native: [] };
  for (let k = 0; k < Number(values.rounds); ++k) {
    const rate = (few, many) => (1000 * (kMany - kFew)) / (many - few);
    const in_page = (steps) => page_ms(browser, page, link_of(lesson, steps));
    rates.page.push(rate(await in_page(kFew), await in_page(kMany)));
    rates.native.push(rate(native_ms(link_of(lesson, kFew)), native_ms(link_of(lesson, kMany))));
  }
  const told = ([name, all]) => `${name} ${Math.round(median(all))} (${Math.round(Math.min(...all))} at least)`;
  console.log(`lesson=${lesson}, steps a second: ${Object.entries(rates).map(told).join(", ")}`);
}
await browser.close();

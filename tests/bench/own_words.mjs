// own-words in the page, by the clock: from the press that brings it (files from this machine) until its next words stand there; a
// sentence of 64 tokens that somebody pastes, until the next words and what each head changes are there; and the next token after it,
// with the keys and values of those before kept. Medians, each visit in a page of its own.
//   ATTN_PAGE=<folder of the built page> node tests/bench/own_words.mjs [visits]
import { at_rest, eventually, in_playground, item, items, start } from "../browser/browser.mjs";
import { median } from "./statistics.mjs";

const kVisits = Number(process.argv[2] ?? 5);
const kTokens = 64;
const kWord = " house"; // one token; the model puts another one before the text

/** Milliseconds from `act`, in the page, until nothing waits to be drawn and `link` is in the address. */
async function timed(page, act, link) {
  const begin = performance.now();
  await act();
  await eventually(link, () => in_playground(page, (playground, link) => playground.link().includes(link), link));
  await in_playground(page, async (playground) => {
    const next_frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let idle = 0; idle < 2;) {
      await next_frame();
      idle = playground.is_idle() ? idle + 1 : 0;
    }
  });
  return performance.now() - begin;
}

async function press(page, name) {
  const { x, y } = await item(page, name);
  return () => page.mouse.click(x, y);
}

async function visit(browser) {
  const page = await browser.open("", { is_bare: true });
  const has = (name) => eventually(name, async () => (await items(page)).some((one) => one.name === name));
  const field = page.locator("[data-part=sentence]");
  await has("off=in use");
  await field.fill("my zebra sleeps");
  await has("read=own-words");
  const opened = await timed(page, await press(page, "read=own-words"), "model=own-words");
  await has("off=in use");
  const text = `The${kWord.repeat(kTokens - 2)}`;
  const passed = await timed(page, () => field.fill(text), "house");
  const { tokens } = await in_playground(page, (playground) => playground.engine.mirror(playground.link()));
  if (tokens.length !== kTokens) throw new Error(`${tokens.length} tokens`);
  await in_playground(page, (playground) =>
    playground.open_link(`${playground.link().replace("view=door", "view=cache")}`),
  );
  await at_rest(page);
  await has("next=say");
  const said = await timed(page, await press(page, "next=say"), "said=1");
  await page.context().close();
  return { opened, passed, said };
}

const browser = await start();
try {
  const visits = [];
  for (let k = 0; k < kVisits; ++k) visits.push(await visit(browser));
  const row = (words, what) =>
    console.log(
      `${words.padEnd(58)}${median(visits.map((one) => one[what]))
        .toFixed(0)
        .padStart(6)} ms`,
    );
  row("from the press to the first next words", "opened");
  row(`a pasted sentence of ${kTokens} tokens, with each head's part`, "passed");
  row("the next token, kept keys and values, in view=cache", "said");
} finally {
  await browser.close();
}

// How long the page does not answer while something is made of a long text: the longest task, in processor time, which other
// programs on the machine lengthen only by what they take of the processor's caches.
//   ATTN_PAGE=<folder of the built page> node tests/bench/long_tasks.mjs
import { start } from "../browser/browser.mjs";
import {
  kFilesOfLongTexts,
  kLong,
  is_computed,
  link_words,
  longest_of,
  make_file,
  open_where_files_are_made,
  paste,
  put_heads_together,
  show_text_version,
} from "../browser/long_texts.mjs";

function print(what, tasks, goal) {
  const { longest, share } = longest_of(tasks);
  const part = `${(share * 100).toFixed(0)} % of all`;
  console.log(`  ${what.padEnd(34)} ${longest.toFixed(1).padStart(7)} ms  ${part.padStart(12)}   (goal: ${goal} ms)`);
}

const browser = await start();
console.log("2,048 tokens: the longest task, in processor time");
let page = await browser.open(`${kLong}&head=3`);
print("pasted, until all heads are there", await paste(browser, page), 75);
await page.context().close();

page = await browser.open(`d_in=64&d_out=64&heads=16&text=${link_words(2048)}`);
await is_computed(page);
print("16 heads put together", await put_heads_together(browser, page), 75);
await page.context().close();

for (const { view, sizes } of kFilesOfLongTexts) {
  page = await open_where_files_are_made(browser, view);
  for (const [at, kind] of Object.keys(sizes).entries())
    print(`${kind} of ${view}`, await make_file(browser, page, kind, at), 120);
  await page.context().close();
}

page = await browser.open(`text=${link_words(2048)}&${kLong}`);
await is_computed(page);
print("the text version", await show_text_version(browser, page), 140);
await page.context().close();
await browser.close();

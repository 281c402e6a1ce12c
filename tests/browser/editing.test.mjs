// Typing over numbers in the page: keys, undo, and a block pasted from a notebook.
import assert from "node:assert/strict";
import { test } from "node:test";
import { at_rest, browser_of_file, click_item, in_playground, item, link_of, troubles_of } from "./browser.mjs";

const browser = browser_of_file();

const kEditor = "d_in=4&d_out=4&view=edit";

/** The numbers of the edited matrix as the text version tells them, without the column of labels. */
const edited_table = (page) =>
  in_playground(page, (playground) => playground.engine.mirror(playground.link()).view.tables[0].rows).then((rows) =>
    rows.map((row) => row.slice(1)),
  );

test("a number is typed over, and undo and redo go back and forth", async () => {
  const page = await browser.open(kEditor);
  const before_typing = await edited_table(page);
  await click_item(page, "w_query[0,1]");
  await page.keyboard.type("0.5");
  await page.keyboard.press("Enter");
  await at_rest(page);
  assert.equal(link_of(page), "v=1&d_in=4&edit=w_query[0,1]=0.5&view=edit");
  assert.equal((await edited_table(page))[0][1], `0.5000 (was ${before_typing[0][1]})`);

  await page.keyboard.press("Control+Z");
  await at_rest(page);
  assert.deepEqual(await edited_table(page), before_typing);
  assert.equal(link_of(page), "v=1&d_in=4&view=edit");
  await page.keyboard.press("Control+Shift+Z");
  await at_rest(page);
  assert.equal(link_of(page), "v=1&d_in=4&edit=w_query[0,1]=0.5&view=edit");
  await click_item(page, "undo");
  assert.equal(link_of(page), "v=1&d_in=4&view=edit");
  await click_item(page, "redo");
  assert.equal(link_of(page), "v=1&d_in=4&edit=w_query[0,1]=0.5&view=edit");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a matrix is copied out, and a print-out of NumPy pasted in", async () => {
  const page = await browser.open(kEditor, { permissions: ["clipboard-read", "clipboard-write"] });
  await click_item(page, "w_query[1,2]");
  await page.evaluate(() => navigator.clipboard.writeText("[[ 1.  2.]\n [-3.e-01 4.]]"));
  await page.keyboard.press("Control+V");
  await at_rest(page);
  const edits = "edit=w_query[1,2]=1,2;-0.3,4";
  assert.equal(link_of(page), `v=1&d_in=4&${edits}&view=edit`);
  await page.keyboard.press("Control+C");
  await at_rest(page);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "1\t2\n-0.3\t4\n");

  // What is no block of this shape is refused.
  await page.evaluate(() => navigator.clipboard.writeText("1 2 3 4 5"));
  await page.keyboard.press("Control+V");
  await at_rest(page);
  assert.equal(link_of(page), `v=1&d_in=4&${edits}&view=edit`);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the sentence's field keeps its own undo, and Tab leads out of the editor", async () => {
  const page = await browser.open(kEditor);
  await click_item(page, "w_query[0,0]");
  await page.keyboard.type("7");
  await page.keyboard.press("Enter");
  await at_rest(page);
  const sentence = page.getByRole("textbox", { name: "Sentence" });
  await sentence.focus();
  await page.keyboard.press("End");
  await page.keyboard.type("s");
  await at_rest(page);
  assert.match(await sentence.inputValue(), /brushs$/);
  await page.keyboard.press("Control+Z");
  await at_rest(page);
  assert.match(await sentence.inputValue(), /brush$/);
  assert.match(link_of(page), /edit=w_query\[0,0\]=7/);

  await click_item(page, "w_query[2,2]");
  await page.keyboard.press("Tab");
  assert.notEqual(await page.evaluate(() => document.activeElement.dataset.part), "canvas");
  assert.ok(await item(page, "w_query[2,2]"));
  await page.context().close();
});

// An empty sentence in a lesson: the page lives on, wherever the pointer goes, and after a reload, whose address is the
// same.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  at_rest,
  browser_of_file,
  first_picture,
  items,
  link_of,
  mirror_of,
  next_frames,
  troubles_of,
} from "./browser.mjs";

const browser = browser_of_file();

/** Over the picture, over the lesson below it, and over the panel beside it. */
async function move_over_canvas(page) {
  const { x, y, width, height } = await page.locator("[data-part=canvas]").first().boundingBox();
  for (const [across, down] of [
    [0.45, 0.4],
    [0.6, 0.85],
    [0.9, 0.5],
  ]) {
    await page.mouse.move(x + across * width, y + down * height);
    await next_frames(page);
  }
}

/** Draws, and answers: after a stop neither does. */
async function assert_lives(page, where) {
  assert.ok(
    (await items(page)).some(({ name }) => name === "step+"),
    `${where}: the lesson is there`,
  );
  assert.equal(troubles_of(page), "", where);
}

test("one step of each lesson lives with an empty sentence under a moving pointer", async () => {
  const page = await browser.open();
  const { lessons } = await mirror_of(page);
  assert.ok(lessons.length > 1);
  for (const [place, { name }] of lessons.entries()) {
    const link = `text=&lesson=${name}&step=${1 + (place % 3)}`;
    await page.evaluate((hash) => (location.hash = hash), link);
    await at_rest(page);
    await move_over_canvas(page);
    await assert_lives(page, link);
    const { lesson, shown } = await mirror_of(page);
    assert.equal(lesson?.name, name);
    // A trained model puts its first token before every sentence, also before none: it has a row, and a column where columns are keys.
    const columns = shown?.column_kind === "key" ? shown.columns.labels : [];
    const labels = [...(shown?.rows.labels ?? []), ...columns];
    assert.ok(labels.every((label) => ["<s>", "<|endoftext|>"].includes(label)), `${link}: there are no numbers of words, but of ${labels}`); // prettier-ignore
  }
  await page.context().close();
});

test("a sentence that is cleared in a lesson leaves a page that survives its reload", async () => {
  const page = await browser.open("lesson=causal&step=1");
  await move_over_canvas(page);
  await page.locator("[data-part=sentence]").fill("");
  await at_rest(page);
  await move_over_canvas(page);
  await assert_lives(page, "cleared");
  assert.match(link_of(page), /(^|&)text=(&|$)/);
  await page.reload();
  await first_picture(page);
  await move_over_canvas(page);
  await assert_lives(page, "reloaded");
  await page.locator("[data-part=sentence]").fill("one step");
  await at_rest(page);
  assert.notEqual((await mirror_of(page)).shown, null);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

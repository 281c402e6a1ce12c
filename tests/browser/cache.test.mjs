// view=cache in a real browser: it plays, is scrubbed, loaded anew in the middle, and says so when a cache breaks. What each
// button does is tested without a browser: tests/ui/views/cache_test.cpp.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  at_rest,
  browser_of_file,
  click_item,
  eventually,
  first_picture,
  in_playground,
  item,
  link_of,
  press_item,
  shown_number,
  troubles_of,
} from "./browser.mjs";

const browser = browser_of_file();

const shown_step = (page) => shown_number(page, "at");
/** What the text version says of the step, in its first table's title. */
const verdict_of = (page) =>
  in_playground(page, (playground) => JSON.stringify(playground.engine.mirror(playground.link())));

test("token after token: play, pause, back, scrub", async () => {
  const page = await browser.open("view=cache&prompt=4");
  await press_item(page, "cache=play");
  await eventually("a token has come", async () => (await shown_step(page)) >= 1);
  await press_item(page, "cache=play");
  await at_rest(page);
  const paused = await shown_step(page);
  assert.ok(paused >= 1 && paused < 7, `${paused}`);
  await click_item(page, "cache=step");
  assert.equal(await shown_step(page), paused + 1);
  await click_item(page, "cache=back");
  assert.equal(await shown_step(page), paused);
  const { x1, y } = await item(page, "slider=at");
  await page.mouse.click(x1 - 1, y);
  await at_rest(page);
  assert.equal(await shown_step(page), 7);
  assert.match(await verdict_of(page), /Both ways gave the same bits: digest ([0-9a-f]{16}) with the cache, digest \1/);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("loaded anew in the middle it stands where it stood, at rest", async () => {
  const page = await browser.open("view=cache&prompt=2");
  await press_item(page, "cache=play");
  await eventually("the address has a step", () => /at=\d/.test(link_of(page)));
  await page.reload();
  await first_picture(page);
  const step = await shown_step(page);
  assert.ok(step >= 1);
  await at_rest(page);
  assert.equal(await shown_step(page), step);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("without the causal mask the two ways differ, and the view says where and why", async () => {
  const page = await browser.open("view=cache&prompt=4&at=2&mask=none");
  assert.match(await verdict_of(page), /The ways differ[^"]*First cell: weights, head 1, row 0/);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a beginning that changes throws the cache away, and nothing is lost", async () => {
  const page = await browser.open("view=cache&prompt=4&at=3");
  const sentence = page.getByRole("textbox", { name: "Sentence" });
  await sentence.focus();
  await page.keyboard.press("Home");
  await page.keyboard.type("Today ");
  await at_rest(page);
  assert.equal(await shown_step(page), 3);
  assert.match(await sentence.inputValue(), /^Today The artist/);
  assert.match(await verdict_of(page), /Both ways gave the same bits/);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("one token, and as many as there can be", async () => {
  const page = await browser.open("view=cache&text=one");
  assert.equal(await shown_step(page), 0);
  assert.match(await verdict_of(page), /the prompt's one token/);
  const words = "word ".repeat(2048).trim().replaceAll(" ", "+");
  await page.goto(`${browser.url}#view=cache&prompt=2000&at=48&heads=1&text=${words}`);
  await at_rest(page);
  assert.equal(await shown_step(page), 48);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("under reduced motion play goes to the end at once", async () => {
  const page = await browser.open("view=cache&prompt=4", { reducedMotion: "reduce" });
  await click_item(page, "cache=play");
  assert.equal(await shown_step(page), 7);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the next word is said, comes as one new token, and can be undone", async () => {
  const recipe = "goal=next&optimizer=adam&rate=0.05&steps=300&pos=none&d_in=8&d_out=8&heads=2";
  const page = await browser.open(`view=cache&text=the+cat+sat+the+cat&${recipe}&prompt=3&at=2`);
  await click_item(page, "cache=say");
  const sentence = page.getByRole("textbox", { name: "Sentence" });
  await eventually("the word is said", async () => (await sentence.inputValue()) === "the cat sat the cat sat");
  assert.equal(await shown_step(page), 3);
  await at_rest(page);
  await page.keyboard.press("Control+Z");
  await eventually("the word is gone", async () => (await sentence.inputValue()) === "the cat sat the cat");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

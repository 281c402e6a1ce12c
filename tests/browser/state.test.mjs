// The state in the address bar: settings write it, Back and Forward walk it, a pasted link reopens it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { at_rest, browser_of_file, click_item, go_to, in_playground, item, link_of, troubles_of } from "./browser.mjs";

const browser = browser_of_file();

/** The matrices as they are on the screen now. (The settings also say which control was used last.) */
async function pixels_of(page) {
  const base64 = await in_playground(page, (playground) => {
    const { x0, y0, x1, y1 } = playground.draw().find(({ name }) => name === "cells");
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [x1 - x0, y1 - y0];
    const context = copy.getContext("2d");
    context.drawImage(document.querySelector("[data-part=canvas]"), -x0, -y0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    let binary = ""; // a list of as many numbers would be on its way for half a minute
    for (const part of data) binary += String.fromCharCode(part);
    return btoa(binary);
  });
  return Buffer.from(base64, "base64");
}

/** The largest difference of any colour of any pixel, 0 to 255; infinite between pictures of different sizes. */
const difference_of = (a, b) =>
  a.length === b.length ? a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0) : Infinity;

const kRounding = 2; // of 255: the last bit of a letter's edge

/** Away from everything that lights up. */
async function move_away(page) {
  await page.mouse.move(5, 5);
  await at_rest(page);
}

test("a setting is a step: the address names it, and Back and Forward walk over it", async () => {
  const page = await browser.open("", { viewport: { width: 1280, height: 1200 } }); // all of these settings are in sight
  await click_item(page, "mask=none");
  assert.equal(link_of(page), "v=1&mask=none");
  await click_item(page, "group=positions");
  await click_item(page, "pos=none");
  assert.equal(link_of(page), "v=1&pos=none&mask=none");
  await page.goBack();
  await at_rest(page);
  assert.equal(await in_playground(page, (playground) => playground.link()), "v=1&mask=none");
  assert.equal(link_of(page), "v=1&mask=none", "going back makes no step of its own");
  await page.goBack();
  await at_rest(page);
  assert.equal(link_of(page), "v=1");
  await page.goForward();
  await at_rest(page);
  assert.equal(await in_playground(page, (playground) => playground.link()), "v=1&mask=none");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("typing a sentence is one step, however many letters it has", async () => {
  const page = await browser.open();
  const field = page.getByRole("textbox", { name: "Sentence" });
  const before = await page.evaluate(() => history.length);
  await field.fill("");
  await field.pressSequentially("one two");
  await at_rest(page);
  await field.pressSequentially(" three");
  await at_rest(page);
  assert.equal(link_of(page), "v=1&text=one+two+three");
  assert.equal(await page.evaluate(() => history.length), before + 1);
  await page.goBack();
  await at_rest(page);
  assert.equal(await field.inputValue(), "The artist painted the portrait of a woman with a brush");
  await page.context().close();
});

test("a link reopens exactly the same picture", async () => {
  const page = await browser.open("text=a+small+step&heads=4&stage=context");
  await click_item(page, "mask=none");
  await move_away(page);
  const link = link_of(page);
  const pixels = await pixels_of(page);
  const other = await browser.open(link);
  await move_away(other);
  assert.equal(link_of(other), link);
  const in_other = await pixels_of(other);
  assert.equal(in_other.length, pixels.length);
  // Letters stand elsewhere in the other page's font texture. A software sampler weighs neighbours in steps of 1/16: at the edge of
  // a letter a pixel may differ by one step, 16 of 255. Of the matrices' colours and of all other pixels nothing may.
  const kStep = 16;
  const num_edges = in_other.filter((value, i) => Math.abs(value - pixels[i]) > kRounding).length;
  assert.ok(num_edges <= 3 * 4, `${num_edges} values at the edges of letters`);
  assert.ok(difference_of(in_other, pixels) <= kStep);
  await go_to(page, "text=another+one");
  await go_to(page, link);
  await move_away(page);
  assert.ok(difference_of(await pixels_of(page), pixels) <= kRounding, "with the same texture");
  await click_item(page, "stage=weights");
  assert.ok(difference_of(await pixels_of(page), pixels) > kStep, "another picture is told apart");
  await other.context().close();
  await page.context().close();
});

test("a link pasted into the address bar of the same page is opened", async () => {
  const page = await browser.open();
  await page.evaluate(() => (location.hash = "text=pasted&heads=1"));
  await at_rest(page);
  assert.equal(await page.getByRole("textbox", { name: "Sentence" }).inputValue(), "pasted");
  assert.equal(await in_playground(page, (playground) => playground.link()), "text=pasted&heads=1");
  await page.context().close();
});

test("a bad link gives the nearest legal picture and a note", async () => {
  const page = await browser.open("heads=5&d_out=16&nonsense=1&text=%00%FF+ok");
  const mirror = await in_playground(page, (playground) => playground.engine.mirror(playground.link()));
  assert.ok(mirror.notes.some((note) => /heads/.test(note)));
  assert.equal(mirror.shown.num_heads, 4);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a link of 100 kB of noise gives a picture", async () => {
  const noise = Array.from({ length: 100_000 }, (_, i) => "abc&=%;[]#+/?"[(i * i * 7 + i * 3) % 13]).join("");
  const page = await browser.open(noise);
  assert.ok(await item(page, "map=1"));
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a setting that is turned and a theme that is turned at once are both kept", async () => {
  const page = await browser.open();
  const { x, y } = await item(page, "mask=none");
  await page.mouse.click(x, y);
  await page.locator("[data-part=theme]").click(); // before the mask has rested
  await at_rest(page);
  assert.equal(link_of(page), "v=1&mask=none&theme=dark");
  await page.context().close();
});

// The program ends in the middle of a visit: a sentence, ways to start anew with as much of the work as is safe, and the text version.
import assert from "node:assert/strict";
import { test } from "node:test";
import { at_rest, browser_of_file, first_picture, link_of } from "./browser.mjs";

const browser = browser_of_file();

/** From the next picture on each ends the program, as an error in it does. */
const break_it = (page) =>
  page.evaluate(() => {
    WebGL2RenderingContext.prototype.drawElements = () => {
      throw new WebAssembly.RuntimeError("unreachable");
    };
  });
const field = (page) => page.locator("[data-part=sentence]");
const message = (page) => page.locator("[data-part=message]");
const ways = (page) => message(page).getByRole("button").allTextContents();

async function stop(page) {
  await break_it(page);
  await field(page).fill("something else");
  await message(page).getByRole("button").first().waitFor();
  assert.match(await message(page).textContent(), /^The playground stopped because of an error in its program\./);
  assert.doesNotMatch(await page.locator("body").innerText(), /unreachable|Aborted|ASSERTIONS/);
}

test("once the program has stopped the page starts anew with what was there, and not for ever with the same", async () => {
  const page = await browser.open("text=a+small+step&heads=4&seed=7");
  const before = link_of(page);
  await stop(page);
  assert.deepEqual(await ways(page), ["Try it again", "Take the sentence alone", "Start from the beginning"]);
  assert.equal(link_of(page), before);
  await page.getByRole("button", { name: "Try it again" }).click();
  await page.waitForFunction(() => document.querySelector("[data-part=message]")?.hidden);
  await first_picture(page);
  assert.equal(link_of(page), before);

  await stop(page); // the second time
  assert.deepEqual(await ways(page), ["Take the sentence alone", "Start from the beginning"]);
  await page.getByRole("button", { name: "Take the sentence alone" }).click();
  await page.waitForFunction(() => document.querySelector("[data-part=message]")?.hidden);
  await first_picture(page);
  assert.equal(await field(page).inputValue(), "a small step");
  assert.doesNotMatch(link_of(page), /seed=7/);
  await page.context().close();
});

test("what stopped a visit is not offered to the next one", async () => {
  const page = await browser.open("text=a+small+step&heads=4");
  await field(page).fill("kept words");
  await at_rest(page);
  await stop(page);
  const kept = await page.evaluate(() => localStorage.getItem("attention-playground"));
  assert.match(kept, /kept\+words/);
  await page.getByRole("button", { name: "Try it again" }).click();
  await page.waitForFunction(() => document.querySelector("[data-part=message]")?.hidden);
  await first_picture(page);
  await stop(page); // the second time with the same
  assert.equal(await page.evaluate(() => localStorage.getItem("attention-playground")), null);
  await page.context().close();
});

test("the text version goes on", async () => {
  const page = await browser.open("text=a+small+step&heads=2");
  await stop(page);
  await page.locator("[data-part=show-text]").click();
  await page.getByRole("table", { name: /^weights, head 1\./ }).waitFor();
  await page.locator("[data-part=show-text]").click();
  assert.equal(await message(page).isVisible(), true);
  await page.context().close();
});

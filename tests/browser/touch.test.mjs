// Fingers: a phone of 360 CSS pixels, its keyboard, and a page around the canvas that still scrolls.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  at_rest,
  browser_of_file,
  drag,
  eventually,
  first_picture,
  item,
  items,
  link_of,
  next_frames,
  troubles_of,
} from "./browser.mjs";

const kPhone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

const browser = browser_of_file();

async function tap(page, { x, y }) {
  await page.touchscreen.tap(x, y);
  await at_rest(page);
}

test("on a phone everything fits the width, and nothing is cut off", async () => {
  const page = await browser.open("cell=2,7,4", { ...kPhone, deviceScaleFactor: 3 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  const outside = (await items(page)).filter(({ x0, x1, is_clipped }) => !is_clipped && (x0 < 0 || x1 > 360));
  assert.deepEqual(outside, []);
  for (const part of ["sentence", "show-text", "theme"]) {
    const { x, width, height } = await page.locator(`[data-part=${part}]`).boundingBox();
    assert.ok(x >= 0 && x + width <= 360, part);
    assert.ok(height >= 40, `${part} is large enough for a finger`);
  }
  await page.getByRole("button", { name: "Show as text" }).tap();
  await page.getByRole("heading", { name: "The picture as text" }).waitFor();
  assert.equal(await page.locator("section.plain").evaluate((section) => section.scrollWidth), 360);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a tap pins a cell, and leaves nothing lit behind", async () => {
  const page = await browser.open("", kPhone);
  const map = await item(page, "map=1");
  await tap(page, { x: map.x0 + ((map.x1 - map.x0) * 2.5) / 11, y: map.y0 + ((map.y1 - map.y0) * 5.5) / 11 });
  assert.equal(link_of(page), "v=1&cell=1,5,2");
  await page.context().close();
});

test("a swipe turns to the next head", async () => {
  const page = await browser.open("", kPhone);
  const { x0, x1, y } = await item(page, "map=1");
  await drag(page, { x: x1 - 20, y }, { x: x0 + 20, y });
  await at_rest(page);
  assert.ok(await item(page, "map=2"));
  assert.equal(link_of(page), "v=1&head=2", "and nothing was pinned");
  await page.context().close();
});

test("the settings open, and a finger scrolls them without pressing what it touches", async () => {
  const page = await browser.open("", kPhone);
  await tap(page, await item(page, "settings"));
  const before = await item(page, "heads+");
  await drag(page, before, { x: before.x, y: before.y - 150 });
  await at_rest(page);
  const after = await item(page, "heads+");
  assert.ok(after.y < before.y - 60, `from ${before.y} to ${after.y}`);
  assert.equal(link_of(page), "v=1");
  await page.context().close();
});

test("a tap on a number brings up the keyboard at once", async () => {
  const page = await browser.open("", kPhone);
  await tap(page, await item(page, "settings"));
  const { x, y } = await item(page, "d_in");
  await page.evaluate(() => {
    const canvas = document.querySelector("[data-part=canvas]");
    // when the browser is done with the tap, it is too late to ask for the keyboard
    canvas.addEventListener("pointerup", () => (globalThis.focused = document.activeElement.dataset.part));
  });
  await tap(page, { x, y });
  assert.equal(await page.evaluate(() => globalThis.focused), "typing");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await at_rest(page);
  assert.equal(link_of(page), "v=1&d_in=5");
  await page.context().close();
});

test("the sentence is typed on a phone as anywhere", async () => {
  const page = await browser.open("", kPhone);
  await page.getByRole("textbox", { name: "Sentence" }).tap();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("on a phone");
  await page.keyboard.press("Enter"); // which closes the keyboard
  await at_rest(page);
  assert.equal(link_of(page), "v=1&text=on+a+phone");
  assert.notEqual(await page.evaluate(() => document.activeElement.dataset.part), "sentence");
  await page.context().close();
});

/** Lets the page think that the system shares links; `outcome` is a name of an error, or empty. */
const with_sharing = (outcome) => (page) =>
  page.addInitScript((outcome) => {
    navigator.canShare = () => true;
    navigator.share = (data) => {
      globalThis.shared = { ...data, is_allowed: navigator.userActivation.isActive };
      return outcome === "" ? Promise.resolve() : Promise.reject(new DOMException("no", outcome));
    };
  }, outcome);

for (const { outcome, says } of [
  { outcome: "", says: false },
  { outcome: "AbortError", says: false },
  { outcome: "NotAllowedError", says: true },
]) {
  test(`Share hands the link to the system's own sheet: ${outcome || "shared"}`, async () => {
    const page = await browser.open("heads=1", { ...kPhone, prepare: with_sharing(outcome) });
    await tap(page, await item(page, "share"));
    await tap(page, await item(page, "share=link"));
    const shared = await page.evaluate(() => globalThis.shared);
    assert.equal(shared.title, "Attention Playground");
    assert.match(shared.url, /^http.*#v=1&heads=1$/);
    assert.equal(shared.is_allowed, true, "while the tap is being handled");
    const has_note = (await items(page)).some(({ name }) => name === "notes=read");
    assert.equal(has_note, says);
    await page.getByRole("button", { name: "Show as text" }).tap();
    await page.evaluate(() => (globalThis.shared = null));
    await page.getByRole("button", { name: "Send the link to this state" }).tap();
    await page.waitForFunction(() => globalThis.shared !== null);
    assert.equal(troubles_of(page), "");
    await page.context().close();
  });
}

test("without a sheet of the system Share is as it was", async () => {
  const page = await browser.open("", {
    ...kPhone,
    prepare: (page) => page.addInitScript(() => (navigator.canShare = undefined)),
  });
  await tap(page, await item(page, "share"));
  assert.ok(await item(page, "copy=link"));
  await assert.rejects(item(page, "share=link"));
  await page.context().close();
});

test("the sheet follows the finger, and settles where it is let go", async () => {
  const page = await browser.open("cell=1,7,4", { ...kPhone, reducedMotion: "reduce" });
  const grip = async () => (await item(page, "inspector")).y0;
  const closed = await grip();
  const from = { x: 150, y: closed + 60 };
  await drag(page, from, { x: 150, y: from.y - 200 });
  await at_rest(page);
  const half = await grip();
  assert.ok(half < closed - 100, `from ${closed} to ${half}`);
  assert.equal(link_of(page), "cell=1,7,4", "nothing was pressed");
  await drag(page, { x: 150, y: half + 60 }, { x: 150, y: half + 360 });
  await at_rest(page);
  assert.equal(await grip(), closed);
  await page.context().close();
});

test("in a page that scrolls, fingers scroll what they are on: the picture where it can, else the page", async () => {
  const page = await browser.open("", {
    ...kPhone,
    wait: false,
    path: "host.html",
    prepare: (page) =>
      page.route("**/host.html*", (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<!doctype html><meta name=viewport content="width=device-width"><body style="margin:0;height:3000px">
                 <iframe src="index.html" style="border:0;width:100%;height:700px"></iframe>`,
        }),
      ),
  });
  const frame = page.frames()[1];
  await first_picture(frame);
  const place = (name) =>
    frame.evaluate(
      `import("./main.js").then((main) => main.playground).then((one) => {
        const item = one.draw().find(({ name }) => name === ${JSON.stringify(name)});
        const { top } = document.querySelector("[data-part=canvas]").getBoundingClientRect();
        return { x: (item.x0 + item.x1) / 2, y: top + (item.y0 + item.y1) / 2 };
      })`,
    );
  const scrolled = () => page.evaluate(() => scrollY);

  const token = await place("tokens");
  await drag(page, { x: token.x, y: token.y + 250 }, { x: token.x, y: token.y + 50 });
  await eventually("nothing under the finger could scroll, so the page did", async () => (await scrolled()) > 50);

  await page.evaluate(() => scrollTo(0, 0));
  await next_frames(page);
  const settings = await place("settings");
  await page.touchscreen.tap(settings.x, settings.y);
  await at_rest(frame);
  const heads = await place("heads+");
  await drag(page, heads, { x: heads.x, y: heads.y - 150 });
  await at_rest(frame);
  assert.equal(await scrolled(), 0, "the settings scrolled, so the page stayed");
  assert.ok((await place("heads+")).y < heads.y - 50);

  const close = await place("settings=close");
  await page.touchscreen.tap(close.x, close.y);
  await at_rest(frame);
  const grip = await place("inspector");
  await drag(page, grip, { x: grip.x, y: grip.y - 150 });
  await at_rest(frame);
  assert.equal(await scrolled(), 0, "the sheet followed, so the page stayed");
  assert.ok((await place("inspector")).y < grip.y - 50);
  await page.context().close();
});

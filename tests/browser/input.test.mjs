// Mouse, keyboard, clipboard and input methods on the canvas, and the keyboard's way through the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  at_rest,
  browser_of_file,
  click_item,
  eventually,
  in_playground,
  item,
  items,
  link_of,
  next_frames,
  troubles_of,
} from "./browser.mjs";

const browser = browser_of_file({ whole: true });

/** A place in a cell of a head's map: its middle, or another part of it, from 0 to 1 to the right and down. */
async function cell(page, head, row, column, part = 0.5, tokens = 11) {
  const map = await item(page, `map=${head}`);
  return {
    x: map.x0 + ((map.x1 - map.x0) * (column + part)) / tokens,
    y: map.y0 + ((map.y1 - map.y0) * (row + part)) / tokens,
  };
}

const focused = (page) => page.evaluate(() => document.activeElement.dataset.part ?? document.activeElement.tagName);

test("a click pins a cell, another click lets it go, and the pin is told to screen readers", async () => {
  const page = await browser.open();
  const [first, second] = [await cell(page, 2, 7, 4, 0.15), await cell(page, 2, 7, 4, 0.85)];
  assert.ok(second.x - first.x > 6, "so far apart that it is no double click");
  await page.mouse.click(first.x, first.y);
  await at_rest(page);
  assert.equal(link_of(page), "v=1&cell=2,7,4");
  assert.match(
    await page.locator("[data-part=announcement]").textContent(),
    /^weights, head 2, woman to portrait: 0\.\d+/,
  );
  await page.mouse.click(second.x, second.y);
  await at_rest(page);
  assert.equal(link_of(page), "v=1");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a head is enlarged by a double click, and Escape brings all heads back", async () => {
  const page = await browser.open();
  const { x, y } = await cell(page, 2, 3, 1);
  await page.mouse.dblclick(x, y);
  await at_rest(page);
  assert.match(link_of(page), /head=2/);
  await assert.rejects(item(page, "map=1"));
  await page.keyboard.press("Escape");
  await at_rest(page);
  assert.doesNotMatch(link_of(page), /head=2/);
  assert.ok(await item(page, "map=1"));
  await page.context().close();
});

test("the pointer's shape follows what is under it", async () => {
  const page = await browser.open();
  const { x, y } = await item(page, "heads+");
  await page.mouse.move(x, y);
  await at_rest(page);
  const cursor = () => page.locator("[data-part=canvas]").evaluate((canvas) => canvas.style.cursor);
  const over_button = await cursor();
  await page.mouse.move(640, 780);
  await at_rest(page);
  assert.equal(await cursor(), "default");
  assert.ok(["pointer", "default"].includes(over_button));
  await page.context().close();
});

test("a drag that leaves the canvas ends where it ends", async () => {
  const page = await browser.open();
  const { x, y } = await item(page, "heads+");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, 10);
  await page.mouse.up();
  await page.mouse.move(x, y);
  await at_rest(page);
  const frames = await in_playground(page, (playground) => playground.frames());
  await next_frames(page);
  assert.equal(
    await in_playground(page, (playground) => playground.frames()),
    frames,
    "no button is thought to be held",
  );
  await page.context().close();
});

test("the wheel scrolls what is under it, and leaves the page what it cannot use", async () => {
  const page = await browser.open("", { viewport: { width: 1280, height: 500 } });
  const settings = await item(page, "mask=none");
  const wheel_over = async (x, y, down) => {
    await page.mouse.move(x, y);
    await page.evaluate(() => {
      globalThis.was_kept = null;
      addEventListener("wheel", (event) => (globalThis.was_kept = event.defaultPrevented), { once: true });
    });
    await page.mouse.wheel(0, down);
    await at_rest(page);
    return page.evaluate(() => globalThis.was_kept);
  };
  assert.equal(await wheel_over(60, 400, 300), true);
  assert.ok((await item(page, "mask=none")).y < settings.y - 50, "the settings moved up");
  assert.equal(await wheel_over(60, 400, -3000), true);
  assert.equal(await wheel_over(60, 400, -300), false, "at the top nothing can move further");
  assert.equal(await wheel_over(600, 80, 300), false, "the token chips all fit");
  await page.context().close();
});

test("Tab goes through the page and never stays in the canvas", async () => {
  const page = await browser.open();
  const seen = [];
  for (let i = 0; i < 5; ++i) {
    await page.keyboard.press("Tab");
    seen.push(await focused(page));
  }
  assert.deepEqual(seen, ["start", "sentence", "show-text", "theme", "canvas"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  assert.notEqual(await focused(page), "canvas");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(page), "canvas");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(page), "theme");
  await page.context().close();
});

const announced = (page) => page.locator("[data-part=announcement]").textContent();

test("who comes by Tab is told where the focus is, and what has it next, with its value", async () => {
  const page = await browser.open();
  for (let i = 0; i < 5; ++i) await page.keyboard.press("Tab");
  assert.equal(await focused(page), "canvas");
  await at_rest(page);
  assert.match(await announced(page), /^token 0, The\./);
  await page.keyboard.press("ArrowRight");
  await at_rest(page);
  assert.match(await announced(page), /^token 1, artist\./);
  await page.keyboard.press("ArrowDown");
  await at_rest(page);
  assert.match(await announced(page), /^stage, \w+/);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("what was set anew is told, the embedding too", async () => {
  const page = await browser.open("", { viewport: { width: 1280, height: 1000 } });
  await click_item(page, "mask=none");
  assert.match(await announced(page), /mask: none\./);
  await in_playground(page, (playground) => playground.open_link("embed=typed"));
  await at_rest(page);
  assert.match(await announced(page), /embed\w*: typed\./);
  await page.context().close();
});

for (const [colorScheme, level] of [
  ["light", 255],
  ["dark", 0],
]) {
  test(`forced colours reach the canvas, ${colorScheme}`, async () => {
    const page = await browser.open("", { colorScheme });
    const corner = () =>
      in_playground(page, (playground) => {
        playground.draw();
        const gl = document.querySelector("[data-part=canvas]").getContext("webgl2");
        const pixel = new Uint8Array(4);
        gl.readPixels(2, gl.drawingBufferHeight - 3, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        return [...pixel].slice(0, 3);
      });
    assert.notDeepEqual(await corner(), [level, level, level]);
    await page.emulateMedia({ forcedColors: "active", colorScheme });
    await at_rest(page);
    assert.deepEqual(await corner(), [level, level, level]);
    await page.emulateMedia({ forcedColors: "none", colorScheme });
    await at_rest(page);
    assert.notDeepEqual(await corner(), [level, level, level]);
    assert.equal(troubles_of(page), "");
    await page.context().close();
  });
}

test("with the keyboard alone a stage is chosen and a cell is pinned", async () => {
  const page = await browser.open();
  await page.locator("[data-part=canvas]").focus();
  const before = await in_playground(page, (playground) => playground.link());
  const walk = ["ArrowDown", "ArrowRight", "ArrowRight", "Enter"];
  for (let tries = 0; tries < 12; ++tries) {
    for (const key of walk) {
      await page.keyboard.press(key);
      await at_rest(page);
    }
    if ((await in_playground(page, (playground) => playground.link())) !== before) break;
  }
  assert.notEqual(link_of(page), before, "Enter chose something");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

/** Opens the number field of a stepper and waits for the text area to have the keyboard. */
async function edit_number(page, name) {
  const { x, y } = await item(page, name);
  await page.mouse.dblclick(x, y);
  await at_rest(page);
  assert.equal(await focused(page), "typing");
}

test("a number is typed into the canvas, character by character", async () => {
  const page = await browser.open();
  const heard = page.getByRole("textbox", { name: "Typing into the picture" });
  assert.equal(await heard.count(), 0, "nobody hears of the text area until something is typed");
  await edit_number(page, "d_in");
  assert.equal(await heard.count(), 1);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("123");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await at_rest(page);
  assert.equal(link_of(page), "v=1&d_in=12");
  assert.equal(await focused(page), "canvas", "the canvas has the keyboard again");
  assert.equal(await heard.count(), 0);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("text composed by an input method arrives once and whole, in the canvas and in the field", async () => {
  const page = await browser.open();
  const client = await page.context().newCDPSession(page);
  await edit_number(page, "d_in");
  await page.keyboard.press("Control+A");
  await client.send("Input.imeSetComposition", { text: "1", selectionStart: 1, selectionEnd: 1 });
  await client.send("Input.imeSetComposition", { text: "16", selectionStart: 2, selectionEnd: 2 });
  await client.send("Input.insertText", { text: "16" });
  await page.keyboard.press("Enter");
  await at_rest(page);
  assert.equal(link_of(page), "v=1&d_in=16");

  await page.getByRole("textbox", { name: "Sentence" }).fill("");
  await page.getByRole("textbox", { name: "Sentence" }).focus();
  await client.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
  await client.send("Input.insertText", { text: "日本語" });
  await at_rest(page);
  const tokens = await in_playground(page, (playground) => playground.engine.mirror(playground.link()).tokens);
  assert.equal(tokens.join(""), "日本語");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the backspace of a phone's keyboard, which has no key, deletes", async () => {
  const page = await browser.open();
  await edit_number(page, "d_in");
  await page.keyboard.press("End");
  await page.evaluate(() => document.execCommand("delete")); // as the keyboard of a phone does it
  await at_rest(page);
  await page.keyboard.type("9");
  await page.keyboard.press("Enter");
  await at_rest(page);
  assert.equal(link_of(page), "v=1&d_in=9");
  await page.context().close();
});

test("numbers are copied from and pasted into the canvas", async () => {
  const page = await browser.open("d_in=13", { permissions: ["clipboard-read", "clipboard-write"] });
  await edit_number(page, "d_in");
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Control+C");
  await at_rest(page);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "13");
  await page.evaluate(() => navigator.clipboard.writeText("24"));
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Control+V");
  await page.keyboard.press("Enter");
  await at_rest(page);
  assert.equal(link_of(page), "v=1&d_in=24");
  await page.context().close();
});

test("keys that belong to the browser stay with it", async () => {
  const page = await browser.open();
  await page.locator("[data-part=canvas]").focus();
  await page.evaluate(() => {
    globalThis.kept = [];
    addEventListener("keydown", (event) => event.defaultPrevented && globalThis.kept.push(event.key));
  });
  for (const key of ["F6", "Control+F", "Control+P", "Alt+ArrowLeft", "Tab"]) {
    await page.locator("[data-part=canvas]").focus();
    await page.keyboard.press(key);
  }
  await page.locator("[data-part=canvas]").focus();
  await page.keyboard.press("ArrowDown");
  assert.deepEqual(await page.evaluate(() => globalThis.kept), ["ArrowDown"]);
  await page.context().close();
});

test("settings are turned by their buttons", async () => {
  const page = await browser.open("d_out=12&heads=3&bias=1", { viewport: { width: 1280, height: 1000 } });
  await click_item(page, "heads+");
  assert.equal(link_of(page), "v=1&d_out=12&heads=4&bias=1", "the next number of heads that divides 12");
  await click_item(page, "scale=dim");
  assert.equal(link_of(page), "v=1&d_out=12&heads=4&scale=dim&bias=1");
  await page.context().close();
});

test("a sentence that is typed anew keeps a lesson's targets, and half of it leaves no note", async () => {
  const page = await browser.open("#text=free+speech+for+all&view=lines&target=3>1,2>0&cell=1,3,2");
  const field = page.locator("[data-part=sentence]");
  await field.fill("");
  await field.pressSequentially("on");
  await assert.rejects(item(page, "notes=read"), "while somebody types");
  await field.pressSequentially("e two three four");
  await at_rest(page);
  assert.match(link_of(page), /target=1:2(>|%3E)0,3(>|%3E)1/);
  assert.match(link_of(page), /cell=1,3,2/);
  await assert.rejects(item(page, "notes=read"), "nothing was taken away");
  await field.fill("one two");
  await eventually("a note", async () => (await items(page)).some(({ name }) => name === "notes=read"));
  await page.context().close();
});

test("the slash key searches the settings, and Enter goes to what was found", async () => {
  const page = await browser.open();
  await click_item(page, "mask=none"); // the picture has the focus
  await page.keyboard.press("/");
  await page.keyboard.type("gqa");
  await at_rest(page);
  assert.ok(await item(page, "result=kv_heads"));
  await page.keyboard.press("Enter");
  await at_rest(page);
  assert.ok(await item(page, "kv_heads+"), "its group is open");
  assert.equal(link_of(page), "v=1&mask=none");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

// Every example of docs/embedding.md, in a page of its own, as a reader would try it; and its tables against the program.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { in_playground, next_frames } from "./browser.mjs";
import { frame_of, start_with_host } from "./hosts.mjs";

const kText = readFileSync(new URL("../../docs/embedding.md", import.meta.url), "utf8");
const kExamples = [...kText.matchAll(/```html\n(.*?)```/gs)].map(([, code]) => code);

let world;
before(async () => {
  world = await start_with_host();
  world.copy_playground();
});
after(() => world?.close());

/** Opens an example as a page. The element's module may come from another origin only where that says so: here it is the own. */
async function open_example(code) {
  const url = code.includes("<attention-playground") ? `${world.host}playground/` : world.url;
  const origin = new URL(url).origin;
  return world.open(
    `<!doctype html><body>${world.example(code, url).replaceAll('"https://example.org"', `"${origin}"`)}`,
  );
}

/** What the frame's address says. */
async function state_of(frame) {
  await next_frames(frame); // a change of it would have been written by then
  return decodeURIComponent(new URL(frame.url()).hash);
}

test("there are the examples that this file knows", () => assert.equal(kExamples.length, 5));

test("the plain frame", async () => {
  const page = await open_example(kExamples[0]);
  const frame = await frame_of(page);
  assert.equal(await frame.evaluate(() => self.origin), "null");
  assert.match(await state_of(frame), /text=the\+cat\+sat\+on\+the\+mat&heads=2/);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("numbers left out, a control locked", async () => {
  const page = await open_example(kExamples[1]);
  const frame = await frame_of(page);
  const mirror = await in_playground(frame, (one) => one.engine.mirror(one.link()));
  assert.match(mirror.link, /hide=settings,weights\[1,2,\*\]&lock=heads/);
  assert.deepEqual(mirror.notes, []);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("the element", async () => {
  const page = await open_example(kExamples[2]);
  const frame = await frame_of(page, "attention-playground");
  const state = await in_playground(frame, (one) => one.engine.mirror(one.link()));
  assert.equal(state.link, "v=1&text=the+cat+sat+on+the+mat&hide=settings");
  assert.deepEqual(state.notes, []);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("the element's attributes, methods and events", async () => {
  const page = await open_example(kExamples[3]);
  await page.getByText("v=1&text=free+speech+matters: matters gives away 1.00, image/png").waitFor();
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("messages", async () => {
  const page = await open_example(kExamples[4]);
  await page.getByText("v=1&heads=4").waitFor();
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("the names to hide are the program's", async () => {
  const page = await open_example(kExamples[1]);
  const frame = await frame_of(page);
  const { parts } = await in_playground(frame, (one) => one.engine.hideable());
  const row = kText.split("\n").find((line) => line.includes("| a part of the screen |"));
  assert.deepEqual([...row.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort(), [...parts].sort());
  await page.context().close();
});

test("the tables of messages and attributes are those of the code", () => {
  const messages = readFileSync(new URL("../../web/messages.js", import.meta.url), "utf8");
  const element = readFileSync(new URL("../../web/attention-playground.js", import.meta.url), "utf8");
  const named = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();
  const part = (from, to) => kText.slice(kText.indexOf(from), kText.indexOf(to));
  const first = /^\| `(\w+)` \|/gm;
  assert.deepEqual(named(part("To the frame;", '<iframe id="frame"'), first), named(messages, /case "(\w+)":/g));
  assert.deepEqual(named(part("From the frame:", "To the frame;"), first), named(messages, /#say\("(\w+)"/g));
  const attributes = named(element, /(?:getAttribute|hasAttribute|#length)\("(\w+)"\)/g);
  const told = part("| attribute | meaning |", "`class`, `id`");
  for (const name of attributes) assert.match(told, new RegExp("`" + name + "`"), name);
});

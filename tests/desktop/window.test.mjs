// The desktop program as a person uses it: typing, resting, closing, coming back. Needs a screen (tools/test brings one).
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { Program, eventually, saved_link, screenshot, temporary_folder, visit_file } from "./program.mjs";

const kSize = "1000x700";
const kWindow = ["--size", kSize, "--scale", "1"];

/** Where things are in a window that shows `link`. */
const items_of = (home, link) => screenshot(home, link, { size: kSize }).items;

function write_visit(home, text) {
  mkdirSync(dirname(visit_file(home)), { recursive: true });
  writeFileSync(visit_file(home), text);
}

test("nothing moves, nothing is drawn", async (t) => {
  const program = await Program.start(t, temporary_folder(t), kWindow);
  const before = program.num_frames;
  assert.ok(await program.waits(), "no time is set for another frame");
  assert.equal(program.num_frames, before);
});

test("an iconified window is not drawn, whatever happens to it", async (t) => {
  const program = await Program.start(t, temporary_folder(t), kWindow);
  program.set_iconified(true);
  await eventually("a program that knows", () => program.is_iconified);
  const before = program.num_frames;
  program.key("Tab", "Tab", "a");
  await eventually("the keys have reached it", () => program.waits());
  assert.equal(program.num_frames, before);

  program.set_iconified(false);
  await eventually("a frame of the window that is back", () => program.num_frames > before);
});

test("a typed sentence is remembered, and shown in the title", async (t) => {
  const home = temporary_folder(t);
  const field = items_of(home, "").get("text");
  const program = await Program.start(t, home, kWindow);
  await program.click(field);
  await program.chord("ctrl", "a");
  program.type("A dog barks");
  await eventually("the new link", () => saved_link(home)?.get("text") === "A dog barks");
  assert.match(program.title, /^A dog barks/);

  await program.rest(); // with the cursor in the field: it must not blink
  assert.ok(await program.waits(), "no time is set for another frame");
});

test("what was typed just before closing is not lost", async (t) => {
  const home = temporary_folder(t);
  const field = items_of(home, "").get("text");
  const program = await Program.start(t, home, kWindow);
  await program.click(field);
  program.type("!");
  assert.equal(await program.quit(), 0);
  assert.match(saved_link(home).get("text"), /!/);
});

test("a choice made with the mouse is remembered", async (t) => {
  const home = temporary_folder(t);
  const choice = items_of(home, "").get("embed=ngrams");
  const program = await Program.start(t, home, kWindow);
  await program.click(choice);
  await eventually("the new link", () => saved_link(home)?.get("embed") === "ngrams");
});

test("the mouse hits what it points at, at every scale", async (t) => {
  for (const scale of [1.25, 1.5]) {
    const home = temporary_folder(t);
    const choice = items_of(home, "").get("embed=ngrams");
    const program = await Program.start(t, home, ["--size", kSize, "--scale", String(scale)]);
    await program.click(choice, scale);
    await eventually("the new link", () => saved_link(home)?.get("embed") === "ngrams");
    assert.equal(await program.quit(), 0);
  }
});

test("a sentence of any length and kind has a title", async (t) => {
  const home = temporary_folder(t);
  const texts = { "": /^Attention Playground$/, "a%09b%0Ac": /^a b c \u2013/, [`${"€".repeat(5000)}`]: /^€+… \u2013/ };
  for (const [text, title] of Object.entries(texts)) {
    const program = await Program.start(t, home, [...kWindow, `text=${text}`]);
    assert.match(program.title, title);
    assert.equal(await program.quit(), 0);
  }
});

test("the next visit goes on where the last one ended", async (t) => {
  const home = temporary_folder(t);
  const first = await Program.start(t, home, ["--size", "900x650", "--scale", "1", "text=Once+more&heads=4"]);
  assert.equal(await first.quit(), 0);
  assert.match(readFileSync(visit_file(home), "utf8"), /^size 900 650$/m);

  const second = await Program.start(t, home, ["--scale", "1"]);
  assert.match(second.title, /^Once more/);
  assert.equal(await second.quit(), 0);
  assert.match(readFileSync(visit_file(home), "utf8"), /^size 900 650$/m);
  assert.equal(saved_link(home).get("heads"), "4");
});

test("a link on the command line wins over the last visit", async (t) => {
  const home = temporary_folder(t);
  write_visit(home, "attention-playground 1\nsize 1000 700\nlink v=1&text=Old\n");
  const program = await Program.start(t, home, [...kWindow, "https://example.org/page#v=1&text=New"]);
  assert.match(program.title, /^New/);
  assert.equal(await program.quit(), 0);
  assert.equal(saved_link(home).get("text"), "New");
});

test("a damaged file of the last visit is ignored, with a note, and replaced", async (t) => {
  const home = temporary_folder(t);
  for (const text of ["", "\0\u0001 noise", "attention-playground 1\nsize x y\n"]) {
    write_visit(home, text);
    const program = await Program.start(t, home, kWindow);
    assert.match(program.title, /^The artist painted the portrait/);
    assert.equal(await program.quit(), 0);
    assert.ok(program.items.has("notes=read"), "there is a note to be read");
    assert.match(readFileSync(visit_file(home), "utf8"), /^attention-playground 1\n/);
  }
});

test("a home that cannot be written is told once and harms nothing", async (t) => {
  const home = temporary_folder(t);
  writeFileSync(`${home}/.local`, "a file, where a folder should be");
  const program = await Program.start(t, home, kWindow);
  assert.equal(await program.quit(), 0);
  assert.equal(program.stderr.match(/cannot be remembered/g)?.length, 1);
});

// Files in the desktop program: named, dropped, chosen, saved, remembered; and the window that fills the screen.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  Program,
  eventually,
  file_dialogs,
  run_to_end,
  saved_link,
  screenshot,
  temporary_folder,
  visit_file,
} from "./program.mjs";

const kWindow = ["--size", "1000x700", "--scale", "1"];

/** Writes a session file that shows `text`. Returns its path. */
function session(folder, name, text) {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ format: "attention-playground session", version: 1, state: { text: [text] } }));
  return file;
}

/** The recent files in the last visit, newest first. */
const recent_files = (home) =>
  existsSync(visit_file(home))
    ? [...readFileSync(visit_file(home), "utf8").matchAll(/^recent (.*)$/gm)].map(([, file]) => file)
    : [];

test("a session named on the command line is opened, as a path and as an address", async (t) => {
  const home = temporary_folder(t);
  const file = session(home, "a lesson.attention", "A dog barks");
  for (const name of [file, pathToFileURL(file).href]) {
    const program = await Program.start(t, home, [...kWindow, name]);
    assert.match(program.title, /^A dog barks/);
    assert.equal(await program.quit(), 0);
    assert.equal(saved_link(home).get("text"), "A dog barks");
    assert.deepEqual(recent_files(home), [file]);
  }
});

test("a file that cannot be opened is told in a note, and nothing is lost", async (t) => {
  const home = temporary_folder(t);
  const broken = join(home, "broken.attention");
  writeFileSync(broken, '{"format": ');
  for (const name of [join(home, "missing.attention"), broken, home]) {
    const program = await Program.start(t, home, [...kWindow, "text=Mine", name]);
    assert.match(program.title, /^Mine/);
    assert.equal(await program.quit(), 0);
    assert.ok(program.items.has("notes=read"), `${name} brings no note`);
    assert.equal(saved_link(home).get("text"), "Mine");
  }
});

test("a picture of a file that cannot be read ends with 1 and a sentence", (t) => {
  const home = temporary_folder(t);
  const file = join(home, "missing.attention");
  const result = run_to_end(home, ["--screenshot", join(home, "a.png"), file]);
  assert.equal(result.status, 1);
  assert.match(result.stderr, /^attention-playground: missing\.attention cannot be opened: [^\n]+\.\n$/);
});

test("a picture of a session shows the maps of its link", (t) => {
  const home = temporary_folder(t);
  const maps = [session(home, "lesson.attention", "A dog barks"), "text=A+dog+barks", "text=A+cat+barks"].map(
    (shown) => {
      const { png, items } = screenshot(home, shown);
      const { x0, y0, x1, y1 } = items.get("map=1");
      const row = (y) => png.data.subarray((y * png.width + Math.ceil(x0)) * 4, (y * png.width + Math.floor(x1)) * 4);
      return Array.from({ length: Math.floor(y1 - y0) }, (_, i) => row(Math.ceil(y0) + i).toString("latin1")).join(
        "\n",
      );
    },
  );
  assert.equal(maps[0] === maps[1], true, "the session's map is that of its link");
  assert.equal(maps[0] === maps[2], false, "another sentence has another map");
});

test("a session that is dropped on the window is opened", async (t) => {
  const home = temporary_folder(t);
  const file = session(home, "ein Stück.attention", "It rains again");
  const program = await Program.start(t, home, [...kWindow, "text=Before"]);
  program.drop(file);
  await eventually("the dropped session", () => /^It rains again/.test(program.title));
  await eventually("the list of recent files", () => recent_files(home)[0] === file);
  unlinkSync(file);
  program.drop(file);
  await eventually("the list without the file that is gone", () => recent_files(home).length === 0);
  assert.match(program.title, /^It rains again/);
  assert.equal(await program.quit(), 0);
  assert.ok(program.items.has("notes=read"), "there is a note about the missing file");
});

test("Ctrl+O asks for a file and opens it, Ctrl+S asks for a place and writes there", async (t) => {
  const home = temporary_folder(t);
  const open = session(home, "open.attention", "From a dialog");
  const save = join(home, "saved.attention");
  const dialogs = await file_dialogs(t, { save, open: [open] });
  const program = await Program.start(t, home, [...kWindow, "text=Before"], { env: dialogs.env });
  await program.chord("ctrl", "o");
  await eventually("the chosen session", () => /^From a dialog/.test(program.title));
  await program.chord("ctrl", "s");
  await eventually("the saved session", () => existsSync(save));
  assert.deepEqual(JSON.parse(readFileSync(save, "utf8")).state.text, ["From a dialog"]);
  assert.deepEqual(dialogs.questions(), ["OpenFile", "SaveFile"]);
  await eventually("the list of recent files", () => recent_files(home).length === 2);
  assert.deepEqual(recent_files(home), [save, open]);
  assert.equal(await program.quit(), 0);
});

test("without dialogs Ctrl+S saves into the folder for downloads, under a name of its own each time", async (t) => {
  const home = temporary_folder(t);
  const downloads = join(home, "Transferts");
  mkdirSync(downloads);
  mkdirSync(join(home, ".config"));
  writeFileSync(join(home, ".config/user-dirs.dirs"), 'XDG_DOWNLOAD_DIR="$HOME/Transferts"\n');
  const program = await Program.start(t, home, [...kWindow, "text=A+dog"], { env: { XDG_CONFIG_HOME: "" } });
  for (const num_files of [1, 2]) {
    await program.chord("ctrl", "s");
    await eventually("a saved session, and that the program knows", () => recent_files(home).length === num_files);
    assert.equal(readdirSync(downloads).length, num_files);
  }
  assert.equal(await program.quit(), 0);
  for (const name of readdirSync(downloads)) {
    assert.match(name, /^attention-a-dog(-2)?\.attention$/);
    assert.deepEqual(JSON.parse(readFileSync(join(downloads, name), "utf8")).state.text, ["A dog"]);
  }
  assert.ok(program.items.has("notes=read"), "a note says where the file is");
});

test("recent files that are gone are forgotten", async (t) => {
  const home = temporary_folder(t);
  const files = ["one.attention", "two.attention"].map((name) => session(home, name, name));
  mkdirSync(dirname(visit_file(home)), { recursive: true });
  const lines = files.map((file) => `recent ${file}\n`).join("");
  writeFileSync(visit_file(home), `attention-playground 1\nsize 1000 700\nlink text=Old\n${lines}`);
  unlinkSync(files[0]);
  const program = await Program.start(t, home, kWindow);
  assert.equal(await program.quit(), 0);
  assert.deepEqual(recent_files(home), [files[1]]);
});

test("F11 and Alt+Enter fill the screen and give the window back as it was", async (t) => {
  const home = temporary_folder(t);
  const program = await Program.start(t, home, kWindow);
  const before = program.place;
  const fills_screen = () => program.place[2] === 1600 && program.place[3] === 1200;
  program.key("F11");
  await eventually("a window as large as the screen", fills_screen);
  await program.rest();
  program.key("F11");
  await eventually("the window as it was", () => program.place.join() === before.join());
  await program.rest();
  await program.chord("alt", "Return");
  await eventually("a window as large as the screen", fills_screen);
  assert.equal(await program.quit(), 0);
  assert.match(readFileSync(visit_file(home), "utf8"), /^size 1000 700$/m); // the next visit opens a window
});

test("--fullscreen fills the screen from the start", async (t) => {
  const program = await Program.start(t, temporary_folder(t), [...kWindow, "--fullscreen"]);
  assert.deepEqual(program.place.slice(2), [1600, 1200]);
  program.key("F11");
  await eventually("a window of its own size", () => program.place[2] === 1000 && program.place[3] === 700);
  assert.equal(await program.quit(), 0);
});

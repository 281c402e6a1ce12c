// What the programs write and how: on the disk before it takes the old file's place, for the right eyes, and with two windows open.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { Program, eventually, file_dialogs, run_to_end, temporary_folder, visit_file } from "./program.mjs";

const kWindow = ["--size", "1000x700", "--scale", "1"];
const has_strace = spawnSync("strace", ["-e", "trace=none", "true"]).status === 0;
const skip = !has_strace && "strace is missing or may not trace here";
const kStrace = ["strace", "-f", "-qq", "-y", "-s", "4096", "-e", "trace=/^(fsync|fdatasync|rename.*)$"];

const rights = (file) => (statSync(file).mode & 0o7777).toString(8);

/** How `file` was put in its place, each time: was the new file on the disk before, and the folder's new list of names after it? */
function replacements(file, trace) {
  const synced = new Set();
  const found = [];
  for (const line of readFileSync(trace, "utf8").split("\n")) {
    const [, name] = line.match(/f(?:data)?sync\(\d+<([^>]*)>/) ?? [];
    const [, from, to] = line.match(/rename\w*\(.*?"([^"]*)",.*?"([^"]*)"/) ?? [];
    if (name) synced.add(name);
    if (name === dirname(file)) found.filter((one) => one.folder === "later").forEach((one) => (one.folder = "synced"));
    if (to === file) found.push({ file: synced.has(from) ? "synced" : "lost", folder: "later" });
  }
  return found;
}

const kSafe = { file: "synced", folder: "synced" };

test("attn has a file on the disk before it takes the old one's place", { skip }, (t) => {
  const folder = realpathSync(temporary_folder(t));
  const [file, trace] = [join(folder, "a.attention"), join(folder, "trace")];
  writeFileSync(file, "old");
  const command = [join(process.env.ATTN_NATIVE, "attn"), "export", "session", "text=a+dog", "--out", file];
  const { status, stderr } = spawnSync(kStrace[0], [...kStrace.slice(1), "-o", trace, ...command], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  assert.deepEqual(replacements(file, trace), [kSafe]);
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")).state.text, ["a dog"]);
  assert.deepEqual(readdirSync(folder).sort(), ["a.attention", "trace"]);
});

test("so does the window, with what it saves and with what it remembers", { skip }, async (t) => {
  const home = realpathSync(temporary_folder(t));
  const [save, trace] = [join(home, "saved.attention"), join(home, "trace")];
  const dialogs = await file_dialogs(t, { save });
  const program = await Program.start(t, home, [...kWindow, "text=a+dog"], {
    env: dialogs.env,
    under: [...kStrace, "-o", trace],
  });
  await program.chord("ctrl", "s");
  await eventually("the saved session", () => existsSync(save));
  assert.equal(await program.quit(), 0);
  assert.deepEqual(replacements(save, trace), [kSafe]);
  const visits = replacements(visit_file(home), trace);
  assert.ok(visits.length > 0);
  for (const one of visits) assert.deepEqual(one, kSafe);
});

test("what was typed is for its owner's eyes, what is saved for those whom the umask lets", async (t) => {
  const home = temporary_folder(t);
  const save = join(home, "saved.attention");
  mkdirSync(dirname(visit_file(home)), { recursive: true });
  writeFileSync(visit_file(home), "attention-playground 1\nsize 1000 700\nlink text=Old\n");
  chmodSync(visit_file(home), 0o644);
  chmodSync(dirname(visit_file(home)), 0o755);
  const dialogs = await file_dialogs(t, { save });
  const under = ["sh", "-c", 'umask 022; exec "$0" "$@"'];
  const program = await Program.start(t, home, kWindow, { env: dialogs.env, under });
  assert.equal(rights(visit_file(home)), "600", "from the start");
  await program.chord("ctrl", "s");
  await eventually("the saved session", () => existsSync(save));
  assert.equal(await program.quit(), 0);
  assert.equal(rights(visit_file(home)), "600");
  assert.equal(rights(dirname(visit_file(home))), "700");
  assert.equal(rights(save), "644");
});

test("a link that leads to no file yet stays a link, and the file is made where it leads", async (t) => {
  const home = temporary_folder(t);
  mkdirSync(join(home, "far"));
  for (const name of ["saved.attention", "picture.png", "exported.attention"])
    symlinkSync(join("far", name), join(home, name));
  const assert_written = (name) => {
    assert.ok(lstatSync(join(home, name)).isSymbolicLink(), `${name} is a link`);
    assert.ok(lstatSync(join(home, "far", name)).isFile(), `${name} is where it leads`);
  };
  const dialogs = await file_dialogs(t, { save: join(home, "saved.attention") });
  const program = await Program.start(t, home, [...kWindow, "text=a+dog"], { env: dialogs.env });
  await program.chord("ctrl", "s");
  await eventually("the saved session", () => existsSync(join(home, "far", "saved.attention")));
  assert.equal(await program.quit(), 0);
  assert_written("saved.attention");

  assert.equal(run_to_end(home, ["--screenshot", join(home, "picture.png")]).status, 0);
  assert_written("picture.png");
  const attn = join(process.env.ATTN_NATIVE, "attn");
  const out = join(home, "exported.attention");
  assert.equal(spawnSync(attn, ["export", "session", "text=a", "--out", out]).status, 0);
  assert_written("exported.attention");
});

test("two windows at once forget none of each other's recent files", async (t) => {
  const home = temporary_folder(t);
  const files = ["one.attention", "two.attention"].map((name) => join(home, name));
  for (const file of files) {
    const state = { text: [basename(file)] };
    writeFileSync(file, JSON.stringify({ format: "attention-playground session", version: 1, state }));
  }
  const first = await Program.start(t, home, [...kWindow, files[0]]);
  const second = await Program.start(t, home, [...kWindow, files[1]]);
  assert.equal(await second.quit(), 0);
  first.focus();
  await first.rest();
  assert.equal(await first.quit(), 0);
  const recent = [...readFileSync(visit_file(home), "utf8").matchAll(/^recent (.*)$/gm)].map(([, file]) => file);
  assert.deepEqual(recent.sort(), files);
});

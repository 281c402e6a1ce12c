// The desktop program's arguments and the ways it can fail: a sentence and an exit code, never a picture without words.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run_to_end, temporary_folder, visit_file } from "./program.mjs";

/** Exactly one sentence, on standard error alone. */
function assert_one_sentence({ stdout, stderr }, ...words) {
  assert.equal(stdout, "");
  assert.match(stderr, /^attention-playground: [^\n]+[.?]\n$/);
  for (const word of words) assert.ok(stderr.includes(word), `${JSON.stringify(stderr)} does not name ${word}`);
}

test("--help and --version answer without a display", (t) => {
  const home = temporary_folder(t);
  const help = run_to_end(home, ["--help"], { DISPLAY: "" });
  assert.equal(help.status, 0);
  assert.match(help.stdout, /usage: attention-playground/);
  const version = run_to_end(home, ["--version"], { DISPLAY: "" });
  assert.equal(version.status, 0);
  assert.match(version.stdout, /^attention-playground \d+\.\d+\.\d+\n$/);
});

test("an unknown option ends with 2 and a sentence", (t) => {
  const result = run_to_end(temporary_folder(t), ["--frobnicate"]);
  assert.equal(result.status, 2);
  assert_one_sentence(result, "--frobnicate", "--help");
});

test("a value that cannot be ends with 2 and a sentence", (t) => {
  const home = temporary_folder(t);
  for (const args of [["--size", "3x4"], ["--scale", "100"], ["--theme", "blue"], ["--screenshot"]]) {
    const result = run_to_end(home, args);
    assert.equal(result.status, 2);
    assert_one_sentence(result, ...args);
  }
});

test("without a display it ends with 1 and a sentence, and remembers nothing", (t) => {
  const home = temporary_folder(t);
  for (const DISPLAY of ["", ":9876"]) {
    const result = run_to_end(home, [], { DISPLAY });
    assert.equal(result.status, 1);
    assert_one_sentence(result, "display");
  }
  assert.ok(!existsSync(visit_file(home)));
});

test("without OpenGL 3.3 it ends with 1 and a sentence that says so", (t) => {
  const result = run_to_end(temporary_folder(t), [], { MESA_GL_VERSION_OVERRIDE: "2.1", LIBGL_ALWAYS_SOFTWARE: "1" });
  assert.equal(result.status, 1);
  assert_one_sentence(result, "OpenGL 3.3");
});

test("a screenshot that cannot be written ends with 1 and a sentence", (t) => {
  const home = temporary_folder(t);
  const file = join(home, "no such folder", "picture.png");
  const result = run_to_end(home, ["--screenshot", file]);
  assert.equal(result.status, 1);
  assert_one_sentence(result, file);
});

test("a screenshot larger than the driver can draw ends with 1 and a sentence", (t) => {
  const home = temporary_folder(t);
  const result = run_to_end(home, ["--screenshot", join(home, "picture.png"), "--size", "16384x16384", "--scale", "4"]);
  assert.equal(result.status, 1);
  assert_one_sentence(result, "too large");
});

test("a screenshot neither reads nor writes the last visit", (t) => {
  const home = temporary_folder(t);
  assert.equal(run_to_end(home, ["--screenshot", join(home, "a.png"), "text=One"]).status, 0);
  assert.ok(!existsSync(visit_file(home)));
  const before = readFileSync(join(home, "a.png"));
  writeFileSync(join(home, "b.png"), "");
  assert.equal(run_to_end(home, ["--screenshot", join(home, "b.png"), "text=One"]).status, 0);
  assert.deepEqual(readFileSync(join(home, "b.png")), before, "the same link gives the same bytes");
});

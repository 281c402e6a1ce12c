// Configuring the native programs by hand on a machine that lacks something: one sentence says what, and which command brings it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";
import { test } from "node:test";
import { ProjectCopy } from "./project_copy.mjs";

const kStamp = ".toolchain/libraries.stamp"; // the set-up has brought the libraries' sources, for whatever purpose

/** A fresh clone, as far as CMake reads it before it has all libraries. */
function clone(test) {
  const copy = new ProjectCopy(test);
  for (const file of ["CMakeLists.txt", "CMakePresets.json"]) copy.copy(file);
  return copy;
}

/** Configures a preset with all programs of this machine; the copy's own come first. */
function configure(copy, preset, options = [], env = {}) {
  const { status, stdout, stderr } = spawnSync("cmake", ["--preset", preset, ...options], {
    cwd: copy.folder,
    encoding: "utf8",
    env: { ...process.env, PATH: `${copy.bin}${delimiter}${process.env.PATH}`, LC_ALL: "C", ...env },
  });
  return { status, output: stdout + stderr };
}

function assert_refused(result, sentence) {
  assert.notEqual(result.status, 0);
  assert.equal(result.output.match(/CMake Error/g)?.length, 1, result.output);
  const words = result.output.replace(/\s+/g, " ");
  assert.ok(words.includes(sentence), words);
  assert.doesNotMatch(words, /Build step|glfw-populate/);
}

const kNoGlfw = "-DCMAKE_DISABLE_FIND_PACKAGE_glfw3=ON";
const kNoOpenGl = "-DCMAKE_DISABLE_FIND_PACKAGE_OpenGL=ON";
const kNoPkgConfig = "-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON";
const kNoPango = { PKG_CONFIG_LIBDIR: "/nowhere", PKG_CONFIG_PATH: "" };
const needs = (what) =>
  `The native programs need what is not on this machine (${what}): run 'tools/setup native' first.`;

for (const preset of ["release", "dev"]) {
  test(`${preset}, where only the page was set up: all that is missing is named at once, with the command`, (t) => {
    const copy = clone(t);
    copy.write(kStamp, "");
    const result = configure(copy, preset, [kNoGlfw, kNoOpenGl], kNoPango);
    assert_refused(result, needs("OpenGL, GLFW, Pango"));
    assert.ok(!copy.exists(`build/${preset}/_deps`), "nothing is fetched");
  });
}

test("without pkg-config nobody can say whether Pango is there", (t) => {
  const copy = clone(t);
  copy.write(kStamp, "");
  const result = configure(copy, "release", [kNoGlfw, kNoOpenGl, kNoPkgConfig]);
  assert_refused(result, needs("OpenGL, GLFW, pkg-config, Pango"));
});

test("without a compiler the same command is named", (t) => {
  const copy = clone(t);
  copy.write(kStamp, "");
  for (const compiler of ["c++", "cc"]) copy.unlink(compiler);
  const result = configure(copy, "release", [], { PATH: copy.bin, CXX: undefined, CC: undefined });
  assert_refused(result, "The native programs need a C++20 compiler: run 'tools/setup native' first.");
});

test("what cannot be fetched is named, with where it was looked for", (t) => {
  const copy = clone(t);
  copy.fake("git", "echo 'fatal: no network' >&2; exit 128");
  const sentence =
    "xtl cannot be fetched from https://github.com/xtensor-stack/xtl.git: look at the network and try again, " +
    "or run 'tools/setup' first if this system has apt.";
  assert_refused(configure(copy, "dev"), sentence);
});

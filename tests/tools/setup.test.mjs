// The set-up on machines without apt: what it accepts, what it refuses, and the one sentence it says.
import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { test } from "node:test";
import { ProjectCopy } from "./project_copy.mjs";

const kNoApt = { ATTN_NO_APT: "1" };

/** The lines that start with "error:" — a failing set-up prints exactly one. */
const errors = (output) => output.split("\n").filter((line) => line.startsWith("error:"));

function assert_refused(result, ...patterns) {
  assert.equal(result.status, 1, result.output);
  assert.equal(errors(result.output).length, 1, result.output);
  for (const pattern of patterns) assert.match(errors(result.output)[0], pattern);
}

test("without apt, an Emscripten that emsdk installed is used", (t) => {
  const copy = new ProjectCopy(t);
  copy.emscripten("emsdk/upstream/emscripten", "3.1.60");
  const result = copy.run("tools/setup", ["web"], { ...kNoApt, EMSDK: copy.path("emsdk") });
  assert.equal(result.status, 0, result.output);
  assert.ok(!copy.exists(".toolchain/emscripten"));
});

test("without apt and without Emscripten, one sentence says how to get emsdk", (t) => {
  const copy = new ProjectCopy(t);
  assert_refused(copy.run("tools/setup", ["web"], kNoApt), /3\.1\.60 or newer/, /emsdk install/);
});

test("an old em++ on PATH is named and not used", (t) => {
  const copy = new ProjectCopy(t);
  copy.emscripten("old", "3.1.6");
  symlinkSync(copy.path("old/em++"), copy.path("bin/em++"));
  const result = copy.run("tools/setup", ["web"], kNoApt);
  assert_refused(result, /emsdk install/);
  assert.match(result.output, /warning: Emscripten 3\.1\.6 .* too old/);
});

test("an old Emscripten that was asked for by name is refused", (t) => {
  const copy = new ProjectCopy(t);
  const folder = copy.emscripten("old", "3.1.59");
  assert_refused(
    copy.run("tools/setup", ["web"], { ...kNoApt, EMSCRIPTEN_ROOT: folder }),
    /3\.1\.59/,
    /EMSCRIPTEN_ROOT/,
  );
});

test("version numbers are compared as numbers, not as text", (t) => {
  const copy = new ProjectCopy(t);
  const folder = copy.emscripten("new", "3.1.100");
  const result = copy.run("tools/setup", ["web"], { ...kNoApt, EMSCRIPTEN_ROOT: folder });
  assert.equal(result.status, 0, result.output);
});

test("a newer Emscripten elsewhere is taken when the one on PATH is too old", (t) => {
  const copy = new ProjectCopy(t);
  copy.emscripten("old", "3.1.6");
  symlinkSync(copy.path("old/em++"), copy.path("bin/em++"));
  const result = copy.run("tools/setup", ["web"], { ...kNoApt, EMSCRIPTEN_ROOT: copy.emscripten("new", "4.0.1") });
  assert.equal(result.status, 0, result.output);
});

test("a half-unpacked copy of Emscripten is not taken for a whole one", (t) => {
  const copy = new ProjectCopy(t);
  copy.emscripten(".toolchain/emscripten", "3.1.69");
  assert_refused(copy.run("tools/setup", ["web"], kNoApt), /emsdk/);
});

for (const [program, purpose, sentence] of [
  ["cmake", "packages", /CMake 3\.25 or newer is missing/],
  ["ninja", "packages", /Ninja .* is missing/],
  ["node", "packages", /Node\.js 18 or newer/],
  ["python3", "web", /Python 3/],
  ["c++", "native", /C\+\+20 compiler/],
  ["pkg-config", "native", /pkg-config is missing/],
]) {
  test(`a missing ${program} is named in one sentence`, (t) => {
    const copy = new ProjectCopy(t);
    copy.unlink(program);
    assert_refused(copy.run("tools/setup", [purpose], kNoApt), sentence);
  });
}

test("an old Node.js is refused with the version that was found", (t) => {
  const copy = new ProjectCopy(t);
  copy.fake("node", "echo v16.20.2");
  assert_refused(copy.run("tools/setup", ["packages"], kNoApt), /found 16\.20\.2/);
});

test("a failing npm is reported, and the next run tries again", (t) => {
  const copy = new ProjectCopy(t);
  copy.write("node_modules/.set-up", "another lock");
  copy.fake("npm", 'echo "npm error network"; exit 1');
  assert_refused(copy.run("tools/setup", ["packages"], kNoApt), /npm packages did not arrive/);
  copy.fake("npm", "exit 0");
  assert.equal(copy.run("tools/setup", ["packages"], kNoApt).status, 0);
  copy.fake("npm", "echo called; exit 1");
  const third = copy.run("tools/setup", ["packages"], kNoApt);
  assert.equal(third.status, 0, "a set-up that is complete calls no npm");
});

test("unknown purposes, parts and options are refused", (t) => {
  const copy = new ProjectCopy(t);
  assert_refused(copy.run("tools/setup", ["wbe"]), /'wbe'/);
  assert_refused(copy.run("tools/test", ["cores"]), /'cores'/);
  assert_refused(copy.run("tools/play", ["--desk"]), /'--desk'/);
  assert_refused(copy.run("tools/package", ["--desk"]), /'--desk'/);
  assert_refused(copy.run("tools/pack", ["--desk"]), /'--desk'/);
  assert_refused(copy.run("tools/play", ["--port", "http"]), /--port/);
  assert_refused(copy.run("tools/bench", ["--size", "S0"]), /'--size'/);
  assert_refused(copy.run("tools/bench", ["--rounds"]), /--rounds wants/);
});

test("help is printed without setting anything up", (t) => {
  const copy = new ProjectCopy(t);
  for (const tool of ["setup", "play", "test", "package", "pack", "bench"]) {
    const result = copy.run(`tools/${tool}`, ["--help"], kNoApt);
    assert.equal(result.status, 0, result.output);
    assert.match(result.output, new RegExp(`tools/${tool} `));
    assert.doesNotMatch(result.output, /set -/);
  }
  assert.ok(!copy.exists(".toolchain"));
});

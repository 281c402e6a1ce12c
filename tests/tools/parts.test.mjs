// The parts of the test suite: what is listed in one place and forgotten in another would never run, and nobody would hear of it.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");
const text_of = (path) => readFileSync(join(root, path), "utf8");
const words = (text) => text.match(/[a-z]+/g).sort();

const runner = text_of("tools/lib/run_tests.mjs");
const command = text_of("tools/test");
const parts = [...runner.match(/\nconst kParts = \{\n(.*?)\n\};/s)[1].matchAll(/^ {2}([a-z]+):/gm)]
  .map(([, part]) => part)
  .sort();

test("every part is run where no part is named, has its set-up, its turn, and a place in the help", () => {
  assert.ok(parts.length > 10, parts.join(" "));
  assert.deepEqual(words(command.match(/set -- --sanitize ([a-z ]+);/)[1]), parts);
  const purposes = [...command.matchAll(/^ {4}([a-z |]+)\) (?:purposes|;;)/gm)].map(([, names]) => names);
  assert.deepEqual(words(purposes.join(" ")), parts);
  assert.deepEqual(words(command.match(/quick to build: (.*?)tools\/test --sanitize/s)[1]), parts);
  assert.deepEqual(words(runner.match(/\nconst kOrder = \[(.*?)\n\];/s)[1]), parts);
});

test("every test program and every folder with tests belongs to a part", () => {
  const programs = [...text_of("CMakeLists.txt").matchAll(/attn_add_catch2_test\((\w+)/g)].map(([, name]) => name);
  assert.ok(programs.length > 10, programs.join(" "));
  for (const name of programs) assert.ok(runner.includes(`"${name}"`), `no part runs ${name}`);
  for (const { name } of readdirSync(join(root, "tests"), { withFileTypes: true }).filter((one) => one.isDirectory())) {
    const has_tests = readdirSync(join(root, "tests", name)).some((file) => file.endsWith(".test.mjs"));
    if (has_tests) assert.ok(runner.includes(`"tests/${name}"`), `no part runs tests/${name}`);
  }
});

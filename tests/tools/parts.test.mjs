// The parts of the test suite: what is listed in one place and forgotten in another would never run, and nobody would hear of it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parts_reached } from "../../tools/lib/reached.mjs";

const root = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");
const text_of = (path) => readFileSync(join(root, path), "utf8");
const words = (text) => text.match(/[a-z_]+/g).sort();

const runner = text_of("tools/lib/run_tests.mjs");
const command = text_of("tools/test");
const block = (name) => runner.match(new RegExp(`\\nconst ${name} = [[{]\\n(.*?)\\n[\\]}];`, "s"))[1];
const names_in = (name) => [...block(name).matchAll(/^ {2}([a-z_]+):/gm)].map(([, part]) => part).sort();
const usual = names_in("kParts");
const night = names_in("kNightParts");
const listed_in_help = words(command.match(/these parts, quick to build: (.*?)tools\/test --sanitize/s)[1]);

test("every part is run where no part is named, has its turn, and a place in the help", () => {
  assert.ok(usual.length > 10, usual.join(" "));
  assert.deepEqual(words(command.match(/kUsual="([^"]*)"/)[1]), usual);
  assert.deepEqual(words(command.match(/kNight="([^"]*)"/)[1]), night);
  assert.deepEqual(listed_in_help, usual);
  assert.deepEqual(words(block("kOrder").replaceAll("...", "")), [...usual, ...night].sort());
});

test("each part of the night belongs to one of the seven shares", () => {
  assert.deepEqual(words(block("kNightShares")), night);
  assert.equal(block("kNightShares").match(/^ {2}\[/gm).length, 7);
});

test("every test program and every folder with tests belongs to a part", () => {
  const programs = [...text_of("CMakeLists.txt").matchAll(/attn_add_catch2_test\((\w+)/g)].map(([, name]) => name);
  assert.ok(programs.length > 10, programs.join(" "));
  for (const name of programs) assert.ok(block("kParts").includes(`"${name}"`), `no part runs ${name}`);
  for (const { name } of readdirSync(join(root, "tests"), { withFileTypes: true }).filter((one) => one.isDirectory())) {
    const has_tests = readdirSync(join(root, "tests", name)).some((file) => file.endsWith(".test.mjs"));
    if (has_tests) assert.ok(runner.includes(`"tests/${name}"`), `no part runs tests/${name}`);
  }
});

test("a wrong option is a sentence, before anything is set up", () => {
  for (const [args, sentence] of [
    [["--fast"], /does not know '--fast'/],
    [["cores"], /knows no part 'cores'/],
    [["--share", "8"], /--share wants a number from 1 to 7/],
    [["--since"], /--since wants a commit/],
    [["--since", "no-such-commit"], /what changed since 'no-such-commit' cannot be found/],
  ]) {
    const { status, stderr } = spawnSync(join(root, "tools/test"), args, { encoding: "utf8" });
    assert.equal(status, 1, args.join(" "));
    assert.match(stderr, sentence);
  }
});

// Four rooms, and who includes whom.
const files = {
  "src/core/ground/check.h": "",
  "src/playground/link/key.cpp": '#include "core/ground/check.h"\n',
  "src/playground/link/key.h": "",
  "src/ui/kit/field.cpp": '#include "playground/link/key.h"\n',
  "src/cli/command.cpp": '#include "playground/link/key.h"\n',
  "src/disk/folders.cpp": "",
};
const reached = (...changed) => parts_reached(changed, Object.keys(files), (file) => files[file]);

test("a change reaches the parts of the halls that include it, and what is made of them", () => {
  assert.deepEqual(reached("src/disk/folders.cpp").sort(), ["cli", "style"]);
  const of_key = reached("src/playground/link/key.cpp");
  for (const part of ["style", "playground", "ui", "cli", "engine", "desktop", "torch"])
    assert.ok(of_key.includes(part), `${part} of ${of_key}`);
  for (const part of ["core", "model", "scene"]) assert.ok(!of_key.includes(part), `${part} of ${of_key}`);
  assert.ok(reached("src/core/ground/check.h").includes("ui"), "by way of another hall");
});

test("a change outside the halls reaches its tests, and one that nobody knows reaches everything", () => {
  assert.deepEqual(reached("README.md"), ["style"]);
  assert.deepEqual(reached("tests/ui/kit/lock_test.cpp"), ["style", "ui"]);
  assert.deepEqual(reached("tests/web/links.test.mjs"), ["style", "web"]);
  assert.equal(reached("CMakeLists.txt"), "all");
  assert.equal(reached("src/new_hall/a.cpp"), "all");
});

test("each part that a path reaches is one that there is", () => {
  const tables = text_of("tools/lib/reached.mjs").match(/const kPartsOfHall.*?\n\];/s)[0];
  const known = new Set([...usual, ...night]);
  for (const [, list] of tables.matchAll(/(?:, |: )\[((?:"[a-z_]+"(?:, )?)+)\]/g))
    for (const part of words(list)) assert.ok(known.has(part) || ["top", "platform"].includes(part), part); // these are halls
});

// Each fuzz target for a short while, on the same inputs each time; and that their driver finds what is there to be found.
// ATTN_FUZZ_TARGETS: these targets alone, with commas between them. ATTN_FUZZ_TIMES: so many times as many inputs.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { command_of, kTargets } from "../../tools/lib/fuzz_targets.mjs";

const programs = process.env.ATTN_NATIVE_TESTS;
if (!programs) throw new Error("ATTN_NATIVE_TESTS must name the folder of the built test programs");
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "attn-fuzz-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function run([program, args]) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: "utf8" });
  if (error) throw error;
  return { status, stdout, stderr };
}

const chosen = process.env.ATTN_FUZZ_TARGETS?.split(",");
const times = Number(process.env.ATTN_FUZZ_TIMES ?? 1);

for (const [name, target] of Object.entries(kTargets)) {
  if (chosen && !chosen.includes(name)) continue;
  const runs = target.runs * times;
  test(`${name}: no input does any harm`, { timeout: times * 900_000 }, () => {
    const { status, stdout, stderr } = run(command_of(target, programs, ["--runs", String(runs), "--keep", folder]));
    assert.equal(status, 0, stderr);
    assert.match(stdout, new RegExp(`${runs} (changed inputs|messages), nothing found`));
  });
}

// The driver's own tests, which need its planted mistake.
const test_driver = (name, work) => chosen || test(name, work);
const planted = (...args) => run([join(programs, "planted_fuzz"), ["--keep", folder, ...args]]);

test_driver("an input that stops a target is found, kept, and stops it again", () => {
  const seed = join(folder, "seed");
  writeFileSync(seed, "a seed");
  const { status, stdout, stderr } = planted("--runs", "100000", seed);
  assert.equal(status, 1, stdout);
  assert.match(stderr, /the mistake that was planted/);
  const found = join(folder, "found-by-planted_fuzz");
  assert.ok(stderr.includes(`is in ${found}`), stderr);
  assert.match(readFileSync(found, "latin1"), /seedseed/);
  const again = planted(found);
  assert.equal(again.status, 1);
  assert.match(again.stderr, /the mistake that was planted/);
});

test_driver("the same seed makes the same inputs, and another one others", () => {
  const seed = join(folder, "long");
  writeFileSync(seed, "a seed ".repeat(20));
  const found_with = (number) => {
    planted("--runs", "100000", "--seed", number, seed);
    const found = join(folder, "found-by-planted_fuzz");
    const bytes = existsSync(found) ? readFileSync(found, "latin1") : "";
    rmSync(found, { force: true });
    return bytes;
  };
  const first = found_with("1");
  assert.notEqual(first, "");
  assert.equal(found_with("1"), first);
  assert.notEqual(found_with("2"), first);
});

test_driver("a target that is called wrongly says so", () => {
  assert.match(planted("--runs").stderr, /--runs takes a value/);
  assert.match(planted("--speed", "1").stderr, /no option --speed/);
  const { status, stderr } = planted(join(folder, "nothing here"));
  assert.equal(status, 2);
  assert.match(stderr, /cannot be read/);
});

// The golden files hold what their scripts compute: check_golden.py, a second implementation in plain Python, and
// check_portable_math.py, exact arithmetic.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));

function run(script) {
  return spawnSync("python3", ["-B", script], { encoding: "utf8" });
}

function check(golden_folder) {
  return run(join(golden_folder, "check_golden.py"));
}

test("every number in the golden files is recomputed", () => {
  const result = check(folder);
  assert.equal(result.error, undefined);
  assert.equal(result.status, 0, result.stderr);
});

test("a changed number is found and named", () => {
  const copy = mkdtempSync(join(tmpdir(), "golden-"));
  try {
    cpSync(folder, copy, { recursive: true });
    const changes = [
      ["journey-6x3.json", "0.230914", "0.230915"],
      ["weight-split-3x6.json", "79.302021", "79.302031"],
      ["notebook-ch03.json", "0.6206", "0.6207"],
      ["notebook-ch03.json", "1.8524,", "1.8534,"],
      ["draws.json", "2991312382", "2991312383"],
      ["hashed.json", "bf894df9", "bf894df8"],
    ];
    for (const [name, number, wrong] of changes) {
      const text = readFileSync(join(folder, name), "utf8");
      assert.ok(text.includes(number), `${name} holds ${number}`);
      writeFileSync(join(copy, name), text.replace(number, wrong));
      const result = check(copy);
      assert.equal(result.status, 1, `${name} with ${wrong} was taken for right`);
      writeFileSync(join(copy, name), text);
    }
    assert.equal(check(copy).status, 0);
  } finally {
    rmSync(copy, { recursive: true });
  }
});

test("the constants and series of the program's own functions are right", () => {
  const result = run(join(folder, "check_portable_math.py"));
  assert.equal(result.status, 0, result.stderr);
  assert.match(result.stdout, /1737 values are right/);
});

test("the links of the digests are those of their script", () => {
  const result = run(join(folder, "make_digest_links.py"));
  assert.equal(result.status, 0, result.stderr);
  assert.equal(result.stdout, readFileSync(join(folder, "digest_links.txt"), "utf8"));
});

test("a wrong constant, a short series and a changed value are found and named", () => {
  const copy = mkdtempSync(join(tmpdir(), "golden-"));
  try {
    const golden_copy = join(copy, "tests/golden");
    const source_copy = join(copy, "src/core/ground/portable_math.cpp");
    const exponential_copy = join(copy, "src/core/ground/portable_exp.h");
    const kernels_copy = join(copy, "src/core/kernels/simd_exp.h");
    const values_copy = join(golden_copy, "portable_math.txt");
    cpSync(folder, golden_copy, { recursive: true });
    cpSync(join(folder, "../../src/core/ground/portable_math.cpp"), source_copy);
    cpSync(join(folder, "../../src/core/ground/portable_exp.h"), exponential_copy);
    cpSync(join(folder, "../../src/core/kernels/simd_exp.h"), kernels_copy);
    const changes = [
      [source_copy, "0x1.0b4611a6p-34", "0x1.0b4611a7p-34", /kHalfPi4 is/],
      [exponential_copy, "array<double, 13>", "array<double, 11>", /kExp leaves out/],
      [kernels_copy, "8.36872430e-3f", "8.38872430e-3f", /the kernels' exp is wrong by/],
      [values_copy, "0x1.e30ac156c28f3p-5", "0x1.e30ac156c28f4p-5", /portable_math.txt:1 is/],
    ];
    for (const [path, right, wrong, sentence] of changes) {
      const text = readFileSync(path, "utf8");
      assert.ok(text.includes(right), `${path} holds ${right}`);
      writeFileSync(path, text.replace(right, wrong));
      const result = run(join(golden_copy, "check_portable_math.py"));
      assert.equal(result.status, 1);
      assert.match(result.stderr, sentence);
      writeFileSync(path, text);
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
});

// The golden files hold what their script computes: see check_golden.py, a second implementation in plain Python.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));

function check(golden_folder) {
  return spawnSync("python3", ["-B", join(golden_folder, "check_golden.py")], { encoding: "utf8" });
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

// How often the project says the same thing: counts that only fall. Who brings one down writes the new number here.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const src = fileURLToPath(new URL("../../src", import.meta.url));
const files = readdirSync(src, { recursive: true })
  .filter((file) => /\.(cpp|h)$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(src, file), "utf8") }));

const count = (pattern) => files.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0);
const num_files = (is_one) => files.filter(({ text }) => is_one(text)).length;

for (const [what, most, now] of [
  ["cases of a tensor", 163, count(/\bcase TensorId::/g)],
  ["files that name a tensor", 134, num_files((text) => /TensorId::|using enum TensorId/.test(text))],
  ["conditions on how it is built", 39, count(/^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*ATTN_/gm)],
  ["files of fewer than 40 lines", 327, num_files((text) => text.split("\n").length - 1 < 40)],
]) {
  test(`${what}: at most ${most}`, () => {
    assert.equal(now, most, now > most ? "there are more now" : "there are fewer now: let this test say so");
  });
}

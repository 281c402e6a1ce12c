// What STYLE.md shows as an example of numbers is a function of the core.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const text = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("STYLE's example is in the source", () => {
  const [, example] = /## Numbers[^]*?```cpp\n([^]*?)```/.exec(text("STYLE.md"));
  assert.ok(text("src/core/operations/softmax.cpp").includes(example));
});

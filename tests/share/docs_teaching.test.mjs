// docs/teaching.md names the steps that there are, and each of them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { lesson_steps } from "./lesson_steps.mjs";

const text = readFileSync(new URL("../../docs/teaching.md", import.meta.url), "utf8");
const lessons = lesson_steps();

/** "1, 3 to 6" as numbers. */
function numbers_in(list) {
  return [...list.matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => Number(first) + i),
  );
}

test("every step of every lesson belongs to a part of the lectures, and no other is named", () => {
  const named = new Map([...lessons.keys()].map((name) => [name, new Set()]));
  for (const [, name, list] of text.matchAll(/`([a-z]+(?:-[a-z]+)*)` (\d+(?:(?:, | to )\d+)*)/g)) {
    assert.ok(named.has(name), `there is no lesson ${name}`);
    for (const step of numbers_in(list)) named.get(name).add(step);
  }
  for (const [name, count] of lessons) {
    const all = Array.from({ length: count }, (_, i) => i + 1);
    assert.deepEqual(
      [...named.get(name)].sort((a, b) => a - b),
      all,
      name,
    );
  }
});

test("the links of the hour of class lead to steps that there are", () => {
  const links = [...text.matchAll(/#lesson=([a-z-]+)&step=(\d+)/g)];
  assert.ok(links.length >= 5);
  for (const [link, name, step] of links) assert.ok(Number(step) <= (lessons.get(name) ?? 0), link);
});

// docs/course.md: its links lead to steps that there are, and each answer that it expects is what the program holds to be right.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lesson_steps } from "./lesson_steps.mjs";

const text = readFileSync(new URL("../../docs/course.md", import.meta.url), "utf8");
const attn = join(process.env.ATTN_NATIVE, "attn");
const lessons = lesson_steps();

/** What `attn lessons` says to be right at each step of a lesson: the numbers asked for and the choices with a star. */
function answers_of(name) {
  const steps = execFileSync(attn, ["lessons", name], { encoding: "utf8" }).split(/^\d+\. /m);
  return steps.map((step) => [
    ...[...step.matchAll(/^ +Asks for: .*: (\S+)$/gm)].map(([, number]) => number),
    ...[...step.matchAll(/^ +\* (.*)$/gm)].map(([, choice]) => choice),
  ]);
}

test("the links of the six hours lead to steps that there are", () => {
  const links = [...text.matchAll(/#lesson=([a-z-]+)&step=(\d+)`(?: to step (\d+))?/g)];
  assert.ok(links.length >= 15);
  for (const [link, name, first, last = first] of links)
    assert.ok(Number(first) <= Number(last) && Number(last) <= (lessons.get(name) ?? 0), link);
});

test("every answer that is expected is right", () => {
  const rows = [...text.matchAll(/^\| `([a-z-]+)` (\d+) \|[^|]*\| (.*) \|$/gm)];
  assert.ok(rows.length >= 40, `${rows.length} rows`);
  for (const [row, name, step, expected] of rows) {
    const right = answers_of(name)[Number(step)].map((answer) => answer.replace(/^by the.*?, (?=\d)/, ""));
    assert.ok(right.length > 0, `${row}: nothing is asked there`);
    const said = /\d\.\d{3}/.test(expected) ? expected.split(/, | and /) : [expected];
    for (const one of said)
      assert.ok(
        right.some((answer) => answer === one || answer.endsWith(one)),
        `${row}: ${one} is not among ${right.join(" | ")}`,
      );
  }
});

test("every hour has its goal, what is often believed, and sixty minutes", () => {
  const hours = text.split(/^## \d\. /m).slice(1);
  assert.equal(hours.length, 6);
  for (const hour of hours) {
    assert.match(hour, /\*\*Goal\.\*\* \S/);
    assert.match(hour, /\*\*Often believed\.\*\* \*/);
    const minutes = [...hour.matchAll(/^\| (\d+) \|/gm)].reduce((sum, [, number]) => sum + Number(number), 0);
    assert.equal(minutes, 60, hour.split("\n")[0]);
  }
});

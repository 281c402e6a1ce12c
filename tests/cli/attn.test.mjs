// The attn program itself: arguments, standard input and exit code as a shell hands them over. What it prints is tested through
// run_command in command_test.cpp.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

function attn(args, input = "") {
  return spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { input, encoding: "utf8", maxBuffer: 1 << 28 });
}

test("trace prints JSON and exits with 0", () => {
  const result = attn(["trace", "https://host.example/page?x=1#text=The+cat+sat&heads=4"]);
  assert.equal(result.status, 0);
  assert.equal(result.stderr, "");
  const [sentence] = JSON.parse(result.stdout).sentences;
  assert.deepEqual(sentence.tokens, ["The", "cat", "sat"]);
  assert.deepEqual(sentence.stages.find((stage) => stage.name === "weights").shape, [4, 3, 3]);
});

test("a sentence comes from standard input", () => {
  const result = attn(["trace", "--text", "-", "--stage", "weights"], "naïve 注意\n");
  assert.equal(result.status, 0);
  assert.deepEqual(JSON.parse(result.stdout).sentences[0].tokens, ["naïve", "注", "意"]);
});

test("a mistake is one sentence on standard error and exit code 2", () => {
  for (const args of [[], ["trace"], ["trace", "text=a", "--stage", "nothing"], ["explain", "text=a", "--row", "9"]]) {
    const result = attn(args);
    assert.equal(result.status, 2);
    assert.equal(result.stdout, "");
    assert.match(result.stderr, /^[A-Z][^\n]*\.\n$/);
  }
});

test("a stage that is not there says which setting leaves it out", () => {
  const missing = (...args) => attn(["explain", ...args, "--head", "1", "--row", "0", "--column", "0"]).stderr;
  assert.equal(
    missing("text=a+b&d_out=8", "--stage", "grad_w_query"),
    "This link has no stage grad_w_query: goal is none.\n",
  );
  assert.equal(
    missing("text=a+b", "--stage", "dropped_weights"),
    "This link has no stage dropped_weights: dropout is 0.\n",
  );
});

test("an export is the same bytes on standard output and in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "attn-cli-"));
  const link = "text=The+cat+sat&heads=4";
  try {
    const printed = spawnSync(join(process.env.ATTN_NATIVE, "attn"), ["export", "npz", link]);
    assert.equal(printed.status, 0);
    assert.equal(attn(["export", "npz", link, "--out", folder]).status, 0);
    assert.deepEqual(readdirSync(folder), ["attention-the-cat-sat.npz"]);
    assert.ok(readFileSync(join(folder, "attention-the-cat-sat.npz")).equals(printed.stdout));
    assert.equal(printed.stdout.subarray(0, 2).toString(), "PK");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("lessons lists them, and prints each step of one with what it asks and what is right", () => {
  const list = attn(["lessons"]);
  assert.equal(list.status, 0);
  assert.match(list.stdout, /^off +Ablation.*\(7 steps, 3 predictions, 10 minutes\)$/m);
  assert.equal(list.stdout.trimEnd().split("\n").length, 43);
  const { stdout } = attn(["lessons", "off"]);
  assert.match(stdout, /^1\. What would happen\? {3}#lesson=off&step=1$/m);
  assert.match(stdout, / {3}Predict: Which word is the most probable without head 7\?\n/);
  assert.match(stdout, / {5}- “woman”: Her vote went with its head: 0\.0515 is left\.\n {5}\* “artist”\n/);
  assert.match(stdout, / {5}1\. without head 7\n {5}2\. without head 2\n {5}3\. without head 1\n/);
  assert.match(attn(["lessons", "causal"]).stdout, / {3}Asks for: weights, head 1, journey → Your: 0\.4833\n/);
  const unknown = attn(["lessons", "of"]);
  assert.equal(unknown.status, 2);
  assert.equal(unknown.stderr, 'No lesson is called "of"; attn lessons lists them.\n');
});

test("lessons --task prints a teacher's task, its link and what is wrong with it", () => {
  const folder = mkdtempSync(join(tmpdir(), "attn-task-"));
  const path = join(folder, "task.json");
  const step = {
    title: "Type it",
    link: "text=the+cat+sat&check=weights&hide=weights[1,2,1]",
    text: "One is {weights 9,0,0}.",
  };
  const task = {
    format: "attention-playground task",
    version: 1,
    title: "By hand",
    steps: [{ ...step, hint: "Add." }],
  };
  try {
    writeFileSync(path, JSON.stringify(task));
    const { status, stdout } = attn(["lessons", "--task", path]);
    assert.equal(status, 0);
    assert.match(stdout, /^By hand\n\n#lesson=task1%0ABy\+hand.*&step=1\n\n1\. Type it\n/);
    assert.match(stdout, / {3}Asks for: weights, head 1, sat → cat: 0\.\d{4}\n {3}Hint: Add\.\n/);
    assert.match(stdout, /\nNote: step 1: \{weights 9,0,0\} is no number of this step’s state\n$/);
    const [, link] = /#(.*)/.exec(stdout);
    assert.match(
      attn(["explain", link, "--stage", "weights", "--head", "1", "--row", "2", "--column", "1"]).stdout,
      /0\.\d{4}/,
    );
    writeFileSync(path, JSON.stringify({ ...task, version: 2 }));
    const refused = attn(["lessons", "--task", path]);
    assert.equal(refused.status, 2);
    assert.equal(refused.stderr, "The task’s file is of version 2; this program reads version 1.\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// Files that people's own training programs save, without a config.json: the logits that PyTorch computes of the same models.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { python_with, run_python } from "../share/python.mjs";

const parent = mkdtempSync(join(tmpdir(), "attn-student-models-"));
after(() => rmSync(parent, { recursive: true, force: true }));
const { ids, heads, logits } = JSON.parse(
  run_python(fileURLToPath(new URL("student_models.py", import.meta.url)), [parent], { name: python_with("torch") }),
);

/** The file in a folder of its own, through attn. */
function trace(name, ...more) {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  if (!opened.has(name)) renameSync(join(parent, `${name}.pt`), join(folder, `${name}.pt`));
  opened.add(name);
  const args = ["trace", "--model", folder, "--tokens", ids.join(), "--stage", "logits", ...more];
  return spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { encoding: "utf8" });
}
const opened = new Set();

for (const [name, wanted] of Object.entries(logits)) {
  test(`${name}: the logits are PyTorch's`, () => {
    // The file itself says how many heads there are, or the person does.
    const { status, stdout, stderr } = trace(name, ...(name === "nanogpt" ? [] : ["--heads", `${heads}`]));
    assert.equal(status, 0, stderr);
    assert.match(stderr, /its tensors are those of (GPT-2|GPTModel|minGPT of 2020)/);
    const numbers = JSON.parse(stdout).stages[0].values.flat(Infinity);
    assert.equal(numbers.length, wanted.flat().length);
    wanted.flat().forEach((one, i) => assert.ok(Math.abs(one - numbers[i]) < 2e-5 * (1 + Math.abs(one)), `${i}`)); // floats
  });
}

test("where no file says how many heads there are, or what a module is, the sentence says what to do", () => {
  assert.match(
    trace("gpt_model").stderr,
    /^The tensors are those of GPTModel and do not tell how many heads there are/,
  );
  assert.match(trace("nanogpt_tensors").stderr, /^The tensors are those of GPT-2 and do not tell how many heads/);
  assert.match(
    trace("module").stderr,
    /^The file holds attention modules \("in_proj_weight"\) and nothing says of what model/,
  );
});

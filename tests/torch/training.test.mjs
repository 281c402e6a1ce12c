// PyTorch takes the first steps of our own model's training: training_oracle.py makes the sentences and the first numbers a second time,
// and says how near and why.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { python_with, run_python } from "../share/python.mjs";

const torch = python_with("numpy,torch");
if (!torch) throw new Error("no Python with PyTorch was found: run tools/setup torch, or set PYTHON");
const path_of = (name) => fileURLToPath(new URL(name, import.meta.url));

test("PyTorch's gradients and five steps of its AdamW are those of attn train", () => {
  const answer = run_python(
    path_of("training_oracle.py"),
    [join(process.env.ATTN_NATIVE, "attn"), path_of("../../models/first-words/recipe.json")],
    { name: torch },
  );
  const { numbers, gradients, steps, losses, weak } = JSON.parse(answer);
  console.log(`${numbers} numbers: gradients used ${(100 * gradients).toFixed(1)} % of their tolerance,`);
  console.log(`numbers after the steps ${(100 * steps).toFixed(1)} %, losses ${(100 * losses).toFixed(1)} %`);
  assert.equal(numbers, 110_336);
  assert.ok(gradients <= 1, "the gradients");
  assert.ok(steps <= 1, "the numbers after the steps");
  assert.ok(losses <= 1, "the losses");
  assert.ok(weak < numbers / 50, `${weak} gradients are next to nothing`);
});

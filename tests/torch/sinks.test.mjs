// PyTorch computes the golden numbers of a learned sink once more, with a cap of the scores too: weights, missing mass, gradients.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { python_with, run_python } from "../share/python.mjs";

const torch = python_with("torch");
if (!torch) throw new Error("no Python with PyTorch was found: run tools/setup torch, or set PYTHON");

test("the golden numbers of a learned sink and of a cap are what PyTorch computes", () => {
  const answer = run_python(fileURLToPath(new URL("sink_oracle.py", import.meta.url)), [], { name: torch });
  assert.match(answer, /24 tensors are PyTorch's/);
});

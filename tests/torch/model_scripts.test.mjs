// The PyTorch script of a model, run on the model's files: all stages of a layer and the logits are those of attn, for every kind, type
// of numbers and rotary position, with heads that are off and numbers that were typed over. model_scripts.py says how near.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { python_with, run_python } from "../share/python.mjs";

const torch = python_with("numpy,torch");
if (!torch) throw new Error("no Python with PyTorch was found: run tools/setup torch, or set PYTHON");
const program = (name) => fileURLToPath(new URL(name, import.meta.url));
const students = mkdtempSync(join(tmpdir(), "attn-model-scripts-"));
after(() => rmSync(students, { recursive: true, force: true }));

// Of transformers' documentation: the auto classes, PreTrainedModel.from_pretrained, forward() of the models and the members of
// CausalLMOutput, MaskedLMOutput and BaseModelOutput.
const kDocumented = [
  ...["AutoModel", "AutoModelForCausalLM", "AutoModelForMaskedLM", "attn_implementation"],
  ...["output_attentions", "attentions", "logits"],
];

test("a model's script computes what attn computes, from the same files", () => {
  run_python(program("student_models.py"), [students], { name: torch });
  const answer = run_python(program("model_scripts.py"), [join(process.env.ATTN_NATIVE, "attn"), students], {
    name: torch,
  });
  const scripts = answer
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const { name, numbers, stages, worst, where, transformers } of scripts) {
    assert.ok(worst <= 1, `${name}: ${where} used ${(100 * worst).toFixed(1)} % of its tolerance`);
    assert.ok(numbers > 500 && stages >= 14, name);
    for (const one of transformers) assert.ok(kDocumented.includes(one), `${name}: ${one}`);
    const has_part = !/attention only|off=|patch=|nanogpt|mingpt|gpt_model/.test(name);
    assert.equal(transformers.includes("output_attentions"), has_part, name);
  }
  const kKinds = 8 + 22; // of model_oracle.py, and its FAMILIES
  const kPatched = 2 * (kKinds + 8); // in all positions but those that a longer text turns otherwise
  assert.equal(scripts.length, (kKinds * 2 + 11) * 3 + 10 + kPatched + 6); // two types and rotary positions, layer by layer; edited; students'
});

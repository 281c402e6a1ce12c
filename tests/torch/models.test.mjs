// PyTorch computes random models of every kind, in every type of numbers: all stages are those of attn.
// model_oracle.py has the models and says how near and why.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { python_with, run_python } from "../share/python.mjs";

const torch = python_with("numpy,torch");
if (!torch) throw new Error("no Python with PyTorch was found: run tools/setup torch, or set PYTHON");
const oracle = fileURLToPath(new URL("model_oracle.py", import.meta.url));

test("PyTorch computes every stage, every cell of the lens, a token's journey and every patch of every kind of model to the program's numbers", () => {
  const answer = run_python(oracle, [join(process.env.ATTN_NATIVE, "attn")], { name: torch });
  const models = answer
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const { name, numbers, worst, where, slopes, gradients, worst_slope, cells, worst_lens, ...journey } of models) {
    console.log(
      `${name}: ${numbers} numbers, the worst (${where}) used ${(100 * worst).toFixed(1)} % of its tolerance`,
    );
    assert.ok(worst <= 1, `${name}: ${where}`);
    assert.ok(numbers > 30_000, name);
    console.log(
      `${name}: ${cells} cells of the lens, the worst used ${(100 * worst_lens).toFixed(1)} % of its tolerance`,
    );
    assert.equal(cells, 4 * 19, name); // embeddings and three layers, by tokens
    assert.ok(worst_lens <= 1, `${name}: the lens`);
    const { lengths, worst_journey, where_journey } = journey;
    console.log(
      `${name}: ${lengths} lengths of a journey, the worst (${where_journey}) used ${(100 * worst_journey).toFixed(1)} %`,
    );
    assert.ok(lengths > 60, name);
    assert.ok(worst_journey <= 1, `${name}: ${where_journey}`);
    const { effects, worst_effect, where_effect } = journey;
    if (name.endsWith("F32")) {
      console.log(
        `${name}: ${effects} effects of patches, the worst (${where_effect}) used ${(100 * worst_effect).toFixed(1)} %`,
      );
      assert.equal(effects, 2 + 3 * (19 + 4), name); // both texts; three layers, by tokens and heads
      assert.ok(worst_effect <= 1, `${name}: ${where_effect}`);
    }
    if (!name.endsWith("F32") || /bert/.test(name)) continue;
    console.log(`${name}: ${slopes} slopes and ${gradients} gradients, the worst ${(100 * worst_slope).toFixed(1)} %`);
    assert.ok(worst_slope <= 1, `${name}: a slope`);
    assert.ok(slopes > 50, name);
    assert.equal(gradients, name.startsWith("gpt2") ? slopes : 0);
  }
  const kKinds = 8 + 22; // of model_oracle.py, and its FAMILIES
  assert.equal(models.length, kKinds * 3 + 11); // three types each, and rotary positions
});

// GGUF files of every type that is read: the numbers that NumPy unpacks, to the last digit; what is refused on the command line.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { write_model } from "../model/checkpoints.mjs";
import { llama_gguf } from "../model/gguf.mjs";
import { python_with, run_python } from "../share/python.mjs";

const parent = mkdtempSync(join(tmpdir(), "attn-gguf-"));
after(() => rmSync(parent, { recursive: true, force: true }));

const attn = (...args) =>
  spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { encoding: "utf8", maxBuffer: 1 << 28 });
const without_notes = (json) => JSON.stringify({ ...JSON.parse(json), notes: undefined });
const python = python_with("numpy");
const oracle = fileURLToPath(new URL("gguf_files.py", import.meta.url));

for (const type of ["F32", "F16", "BF16", "Q8_0", "Q4_0", "Q5_0", "Q4_K", "Q6_K", "Q4_K_M"]) {
  test(`${type}: a GGUF file has the numbers that NumPy unpacks, each of them`, () => {
    const folder = join(parent, type);
    run_python(oracle, [type, folder], { name: python });
    for (const stage of ["before", "queries", "keys", "weights", "mlp_hidden", "logits"]) {
      const trace = (model) =>
        attn("trace", "--model", model, "--tokens", "3,16,0,3,7", "--stage", stage, "--format", "json");
      const wanted = trace(join(folder, "twin"));
      assert.equal(wanted.status, 0, wanted.stderr);
      const { stdout, stderr, status } = trace(join(folder, "model.gguf"));
      assert.equal(status, 0, stderr);
      assert.equal(stdout.includes("nan") || stdout.includes("inf"), false, stage);
      assert.equal(without_notes(stdout), without_notes(wanted.stdout), stage);
      const packed = { Q4_K_M: "Q4_K, Q6_K", F32: "", F16: "", BF16: "" }[type] ?? type;
      assert.equal(stderr.includes(`the file's numbers are packed (${packed})`), packed !== "", stderr);
    }
  });
}

test("a GGUF file alone is a model with its tokenizer: the tokens and numbers of its folder", () => {
  const folder = write_model(parent, "llama");
  const file = join(parent, "stories.gguf");
  const bytes = llama_gguf(folder);
  writeFileSync(file, bytes);
  const trace = (model, ...more) => attn("trace", "--model", model, "text=the hat that", ...more);
  const wanted = trace(folder);
  assert.equal(wanted.status, 0);
  assert.equal(trace(file).stdout, wanted.stdout);
  assert.equal(trace(file).stderr, "");

  // A folder of one such file is the same; with safetensors beside it these count; two are refused.
  const alone = join(parent, "alone");
  mkdirSync(alone);
  copyFileSync(file, join(alone, "stories.gguf"));
  assert.equal(trace(alone).stdout, wanted.stdout);
  copyFileSync(file, join(alone, "stories-Q8_0.gguf"));
  assert.equal(
    trace(alone).stderr,
    'There are several GGUF files, "stories-Q8_0.gguf" and "stories.gguf": open one of them.\n',
  );
  copyFileSync(file, join(folder, "stories.gguf"));
  assert.equal(trace(folder).stdout, wanted.stdout);

  const refusal = (changed) => {
    writeFileSync(file, changed);
    const { status, stdout, stderr } = trace(file);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    return stderr.trimEnd();
  };
  const replaced = (from, to) => {
    const copy = Buffer.from(bytes);
    copy.write(to, copy.indexOf(from));
    return copy;
  };
  assert.equal(
    refusal(bytes.subarray(0, bytes.length - 64)).replace(/"blk[^"]*"|"out[^"]*"/, "THE TENSOR"),
    'The file "stories.gguf" is cut short: it ends before the tensor THE TENSOR does.',
  );
  assert.match(refusal(bytes.subarray(0, 999)), /^The file "stories\.gguf" is cut short, or a length in it lies: /);
  assert.match(
    refusal(replaced("blk.1.attn_v.weight", "blk.1.attn_w.weight")),
    /^The file "stories\.gguf" has the tensor "blk\.1\.attn_w\.weight", which llama does not have in this program\.$/,
  );
  assert.match(
    refusal(replaced("llama.block_count", "llama.clock_count")),
    /^The file "stories\.gguf" has no setting "llama\.block_count" that is a whole number\.$/,
  );
  writeFileSync(file, bytes);
  assert.match(
    attn("trace", "--model", file, "--heads", "4", "--tokens", "3,4").stderr,
    /^--heads is for folders without config\.json: a GGUF file says how many heads there are\.$/m,
  );
  assert.match(attn("trace", "--model", join(parent, "none.gguf"), "--tokens", "3").stderr, /nor a \.gguf file\.$/m);
});

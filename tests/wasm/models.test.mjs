// The native program and the WebAssembly one compute a model to the same bits: every stage of every layer, logits and
// probabilities, and the tokens that are drawn from them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { model_names, write_model } from "../model/checkpoints.mjs";

const parent = mkdtempSync(join(tmpdir(), "attn-models-"));
after(() => rmSync(parent, { recursive: true, force: true }));

function run(command, args) {
  const result = spawnSync(command[0], [...command.slice(1), ...args], { maxBuffer: 1 << 28 });
  assert.equal(result.status, 0, result.stderr.toString());
  return result.stdout;
}
const native = (...args) => run([join(process.env.ATTN_NATIVE, "attn")], args);
const wasm = (...args) => run([process.execPath, join(process.env.ATTN_WASM, "attn.js")], args);

for (const name of model_names) {
  test(`native and WebAssembly compute the same bits: ${name}`, () => {
    const folder = write_model(parent, name);
    const args = ["export", "npz", "--model", folder, "text=the+fat+head&off=2:1"];
    const bytes = native(...args);
    assert.ok(bytes.length > 10_000);
    assert.ok(bytes.equals(wasm(...args)));
    if (name === "bert") return;
    const more = ["generate", "--model", folder, "--text", "the", "--count", "8", "--top-p", "0.9"];
    assert.equal(native(...more).toString(), wasm(...more).toString());
  });
}

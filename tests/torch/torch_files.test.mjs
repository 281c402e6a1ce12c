// Files that PyTorch itself has saved: the same numbers as the safetensors file that their tensors come from; and what is refused.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { model_names, write_model } from "../model/checkpoints.mjs";
import { python_with, run_python } from "../share/python.mjs";

const parent = mkdtempSync(join(tmpdir(), "attn-torch-files-"));
after(() => rmSync(parent, { recursive: true, force: true }));

const attn = (...args) =>
  spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { encoding: "utf8", maxBuffer: 1 << 28 });
const trace = (folder) => attn("trace", "--model", folder, "text=the+hat+that");

/** The model with another file in the place of its safetensors. */
function with_file(folder, saved, name = "pytorch_model.bin") {
  const other = `${saved}-${name}-model`;
  mkdirSync(other);
  for (const file of ["config.json", "tokenizer.json"]) cpSync(join(folder, file), join(other, file));
  cpSync(saved, join(other, name));
  return other;
}

const saved_of = (name) => {
  const folder = write_model(parent, name);
  const files = join(parent, `${name}-saved`);
  mkdirSync(files);
  run_python(fileURLToPath(new URL("torch_files.py", import.meta.url)), [join(folder, "model.safetensors"), files], {
    name: python_with("numpy,torch"),
  });
  return { folder, saved: (one) => join(files, `${one}.bin`) };
};

const models = model_names.map((name) => ({ name, ...saved_of(name) }));

for (const { name, folder, saved } of models) {
  test(`${name}: whatever way its tensors were saved, each number is the same`, () => {
    const { stdout: wanted, status } = trace(folder);
    assert.equal(status, 0);
    const ways = ["ordered", "dict", "parameters", "turned", "together", "sparse", "training", "nanogpt"];
    for (const way of [...ways, "old", "old_together", "old_training"]) {
      const { stdout, stderr } = trace(with_file(folder, saved(way)));
      assert.equal(stderr, "", way);
      assert.equal(stdout, wanted, way);
    }
    assert.equal(trace(with_file(folder, saved("dict"), "checkpoint.pt")).status ?? 0, 0);
  });
}

test("what is more than tensors, or damaged, is refused in a sentence, and nothing of it is run", () => {
  const { folder, saved } = models[0];
  for (const [way, sentence] of Object.entries({
    evil: /names "__builtin__\.print|names "builtins\.print", which is more than tensors; this program runs nothing of a file\./,
    whole: /names "__main__\.Whole", which is more than tensors/,
    old_cut: /is cut: the numbers of its tensors reach beyond its end\.$/,
    old_begun: /is cut or damaged: its list of tensors cannot be read\.$/,
    old_big: /has its numbers' bytes in the order of other machines \(big-endian\)\.$/,
    old_evil: /names "__builtin__\.print|names "builtins\.print", which is more than tensors/,
    numbers: /has no tensors with names: save the model's state_dict\(\)\.$/,
    two: /has several dictionaries of tensors: save the model's state_dict\(\) alone\.$/,
    cut: /is an incomplete archive: its list of contents, at the end, is missing\.$/,
    packed: /is an archive that packs its entry ".*data\.pkl": torch\.save stores numbers as they are\./,
    short: /has the tensor ".*" that reaches beyond its numbers\.$/,
    other: /is a ZIP archive without tensors: unpack it, and open the files in it\.$/,
  })) {
    const { status, stdout, stderr } = trace(with_file(folder, saved(way)));
    assert.equal(stdout, "", way);
    assert.equal(status, 2, way);
    assert.match(stderr.trimEnd(), /^The file "pytorch_model\.bin" /, way);
    assert.match(stderr.trimEnd(), sentence, way);
  }
});

test("what people download in the place of a model is told by what it is", () => {
  const { folder } = models[0];
  const refusal = (bytes, name = "model.safetensors") => {
    const path = join(parent, `other-${Math.random()}`);
    writeFileSync(path, bytes);
    return trace(with_file(folder, path, name)).stderr.trimEnd();
  };
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n";
  assert.match(
    refusal(pointer),
    /^The file "model\.safetensors" is a pointer of Git LFS, not the file itself: run "git lfs pull"/,
  );
  assert.match(refusal("\n<!DOCTYPE html><html>"), /is a web page, not the file that it shows/);
  assert.match(refusal("<HTML>"), /is a web page/);
  assert.match(refusal('{"error":"Repository not found"}'), /is the answer of a server that did not hand out the file/);
  assert.match(refusal(Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5])), /is packed by gzip/);
  assert.match(refusal("GGUF\x03\0\0\0abcd"), /is cut short, or a length in it lies/);
  assert.match(refusal("\x93NUMPY\x01\0"), /./);
  assert.match(
    refusal(Buffer.from([0x80, 4, 0x95, 1, 2, 3]), "pytorch_model.bin"),
    /is a pickle of Python without an archive/,
  );
});

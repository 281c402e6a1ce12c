// The program's .npy and .npz files as NumPy reads them, and NumPy's as they are kept for the readers' tests.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { run_python } from "./python.mjs";

const folder = dirname(fileURLToPath(import.meta.url));

const kLinks = [
  "text=The+artist+painted+the+portrait",
  "text=a+b+c&text=d+e&heads=4&dropout=0.4&bias=1",
  "text=a+b+c&text=d+e&sentence=2&mask=none&out=0&embed=torch",
  "text=a+b+c+d&init=none&mask_at=after&tokens=chars",
  "text=a+b+c&text=d+e&bias=1&d_in=4&d_out=4&goal=next&steps=3&optimizer=adam&train=w_query,w_out,b_value,x",
  "text=a+b+c&goal=pattern&target=1:2>0",
  "text=a+b+c&d_in=5&d_out=6&heads=3&edit=w_query[0,0]=-0,1e-40;3,2&edit=mask[0,2]=0&hide=stage.scores",
];

/** Runs the program; returns what it printed. */
function attn(...args) {
  const result = spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(result.status, 0, result.stderr);
  return result.stdout;
}

test("NumPy reads every array of an export, and its numbers are the trace's, bit by bit", () => {
  const temp = mkdtempSync(join(tmpdir(), "attn-numpy-"));
  try {
    const states = kLinks.map((link, index) => {
      attn("export", "npz", link, "--out", join(temp, `${index}.npz`));
      const stages = { weights: join(temp, `${index}-weights.npy`), embeddings: join(temp, `${index}-embeddings.npy`) };
      for (const [stage, file] of Object.entries(stages)) attn("export", "npy", link, "--stage", stage, "--out", file);
      return { trace: JSON.parse(attn("trace", link)), npz: join(temp, `${index}.npz`), stages, link };
    });
    const printed = run_python(join(folder, "check_numpy.py"), [], { input: JSON.stringify(states) });
    const { arrays, numbers } = JSON.parse(printed);
    assert.ok(arrays > 60 && numbers > 1500, printed);
  } finally {
    rmSync(temp, { recursive: true });
  }
});

test("the files that NumPy wrote are what their script makes", () => {
  run_python(join(folder, "../golden/make_numpy_files.py"));
});

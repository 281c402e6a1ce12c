// LibreOffice opens the exported workbooks, computes every formula anew, and gets the playground's numbers.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { run_python } from "../share/python.mjs";
import { attn, make_dice, random_link, random_recipe } from "../share/random_links.mjs";

const kText = "text=Your+journey+starts+with+one+step";
let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), "attn-office-"))));
after(() => rmSync(folder, { recursive: true }));

let num_files = 0;

/** The workbook of a link in a file; null where there is none, with `why` the sentence. */
function workbook_of(link) {
  const file = join(folder, `${num_files++}.xlsx`);
  const { status, stderr } = spawnSync(join(process.env.ATTN_NATIVE, "attn"), ["export", "xlsx", link, "--out", file], {
    encoding: "utf8",
  });
  return status === 0 ? { file } : { file: null, why: stderr };
}

/** The stages of the shown sentence, as recompute.py takes them: the way back is in no workbook. */
function stages_of(link) {
  const { sentences, link: whole } = JSON.parse(attn("trace", link));
  const shown = Number(/(?:^|&)sentence=(\d+)/.exec(whole)?.[1] ?? 1) - 1;
  const forward = sentences[shown].stages.filter(({ name }) => !name.startsWith("grad_"));
  return Object.fromEntries(forward.map(({ name, values }) => [name === "embeddings" ? "X" : name, values]));
}

/** A case of recompute.py; `inputs` are changed in the workbook, which then has the numbers of `wanted`. */
function case_of(link, inputs = {}, wanted = link) {
  return { link, file: workbook_of(link).file, inputs, stages: stages_of(wanted) };
}

function recompute(cases) {
  const program = join(import.meta.dirname, "recompute.py");
  const result = JSON.parse(run_python(program, [], { input: JSON.stringify(cases) }));
  assert.deepEqual(result.failures.slice(0, 8), []);
  console.log(
    `${cases.length} workbooks, ${result.numbers} numbers, the worst off by ${result.worst.toExponential(1)}`,
  );
  return result;
}

// Each variant that has formulas of its own.
const kVariants = [
  "heads=2&bias=1",
  "heads=1&out=0&mask=none&scale=none",
  "init=none&out=0&d_in=4",
  "pos=sin&temperature=2",
  "pos=learned&scale=dim&edit=x[1,0]=0.5",
  "pos=rope&heads=2&d_out=8",
  "pos=rope&rope_pairs=neighbours&pos_shift=7&rope_base=100&heads=1",
  "pos=alibi&heads=3&d_out=6",
  "mask_window=3&mask_sinks=1",
  "mask_at=after&dropout=0.5",
  "mask_at=raw",
  "sink_logits=1&edit=sink_logits[0]=1.5",
  "sink_logits=1&mask=none&dropout=0.25",
  "score_cap=0.5&pos=alibi",
  "qk_norm=1&pos=rope&heads=2&d_out=8&edit=q_norm[0]=0.5",
  "heads=4&d_out=8&kv_heads=2&bias=1",
  "heads=4&d_out=8&kv_heads=1",
  "heads=2&d_out=8&latent=3&latent_queries=2",
  "heads=2&d_out=8&latent=3&pos=rope&rope_dim=2&kv_heads=1",
  "goal=next&d_in=6&d_out=6&heads=2&logit_cap=2",
  "goal=next&d_in=6&d_out=6&out=0",
  "edit=queries[0,0]=1,2;3,4&edit=values[2,1]=-1&edit=mask[3,1]=1&edit=mask[0,2]=0",
];

test("LibreOffice computes what the playground computes, in each variant", () => {
  recompute(kVariants.map((keys) => case_of(`${kText}&${keys}`)));
});

test("LibreOffice computes what the playground computes, in random states", () => {
  const dice = make_dice(47);
  const cases = [];
  let num_refused = 0;
  for (let n = 0; n < 60; ++n) {
    const plain = random_link(dice);
    const link = n % 2 ? plain : `${plain}&${random_recipe(dice, plain)}&steps=0`;
    const { file, why } = workbook_of(link);
    if (file !== null) cases.push({ link, file, stages: stages_of(link) });
    else assert.match(why, /The sentence is empty/);
    if (file === null) ++num_refused;
  }
  assert.ok(cases.length > 40, `${num_refused} of 60 refused`);
  recompute(cases);
});

test("after a change of an input the workbook has the numbers of the link with that edit", () => {
  const link = `${kText}&heads=2&d_out=4&bias=1&pos=none&dropout=0.5`;
  const { numbers } = recompute([
    case_of(link, { X: { C7: 0.75 } }, `${link}&edit=x[1,1]=0.75`),
    case_of(link, { w_query: { B6: -2 } }, `${link}&edit=w_query[0,0]=-2`),
    case_of(link, { b_out: { D6: 1.5 } }, `${link}&edit=b_out[2]=1.5`),
    case_of(link, { mask: { C9: 1 } }, `${link}&edit=mask[3,1]=1`),
    case_of(link, { settings: { B5: 0.5 } }, `${link}&temperature=0.5`),
    case_of(`${link}&pos=rope`, { settings: { B5: 3 } }, `${link}&pos=rope&pos_shift=3`),
  ]);
  assert.ok(numbers > 1000, `${numbers} numbers`);
});

test("what has no formulas is refused in a sentence", () => {
  for (const [link, words] of [
    [`${kText}&goal=next&d_in=4&d_out=4&steps=2`, "set the steps to 0"],
    [`${kText}&check=weights`, "left blank"],
    [`${kText}&hide=weights[1,2,1]`, "left blank"],
    ["model=first-words&text=the+dog", "A trained model is too large"],
    ["text=", "The sentence is empty"],
    [`${kText}&d_in=65`, "at most 64 tokens, 64 channels"],
    [`text=${Array(65).fill("a").join("+")}`, "at most 64 tokens, 64 channels"],
    [`${kText}&heads=9&d_out=9`, "8 heads"],
  ]) {
    const { file, why } = workbook_of(link);
    assert.equal(file, null, link);
    assert.ok(why.includes(words), `${link}: ${why}`);
  }
});

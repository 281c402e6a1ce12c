// The exported notebooks are Jupyter's, and PyTorch computes in their cells the numbers of the page. run_notebooks.py runs them: some in
// a kernel each, by nbconvert, as a student does; the others in one process.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { python_with, run_python } from "../share/python.mjs";
import { attn, make_dice, random_link, random_recipe } from "../share/random_links.mjs";
import { step_links } from "../share/script_cases.mjs";

const jupyter = python_with("torch,nbconvert,ipykernel");
if (!jupyter) throw new Error("no Python with PyTorch and Jupyter was found: run tools/setup torch, or set PYTHON");

const models = fileURLToPath(new URL("../../models/", import.meta.url));

const cells_of = (notebook) => JSON.parse(notebook).cells.map(({ id, source }) => [id, source.join("")]);
const cell_of = (notebook, name) => new Map(cells_of(notebook)).get(name);

/** A link with its notebook and the folder where that runs: of the model, if it has one. None where the sentence has no tokens. */
function case_of(link) {
  const { sentences } = JSON.parse(attn("trace", link, "--stage", "embeddings"));
  if (sentences.every(({ tokens }) => tokens.length === 0)) return [];
  const notebook = attn("export", "notebook", link);
  const model = /^# The model ([a-z-]+), layer/.exec(cell_of(notebook, "setup"))?.[1];
  return [{ link, notebook, folder: join(models, model ?? "") }];
}

function run(cases, ...args) {
  const program = fileURLToPath(new URL("run_notebooks.py", import.meta.url));
  const result = JSON.parse(run_python(program, args, { input: JSON.stringify(cases), name: jupyter }));
  console.log(
    `${result.ran} notebooks, ${result.cells} cells with code, ${result.compared} numbers of the page compared`,
  );
  return result;
}

function check_run(cases, ...args) {
  const result = run(cases, ...args);
  assert.deepEqual(result.failures.slice(0, 5), [], `${result.failures.length} of ${cases.length}`);
  assert.equal(result.ran, cases.length);
  return result;
}

const kTyped = "text=Your+journey+starts&embed=typed&x=.43,.15,.89;.55,.87,.66;.57,.85,.64&pos=none";
const kBatch = "text=The+cat+sat+down&text=&text=a+dog&sentence=3";

// Of every kind: what X is made of, who draws the matrices, positions, variants of the softmax, dropout in a batch, training, models, blanks.
const kLinks = [
  "",
  `${kTyped}&d_in=3&d_out=2&heads=1&mask=none&out=0&init=torch.rand&cell=1,1,1`,
  "text=one+two+three&init=none&d_in=6&d_out=6&heads=3&out=0&edit=queries[0,1]=0.5,1",
  `${kBatch}&embed=torch&init=torch.randn&d_in=4&d_out=4&dropout=0.25&bias=1`,
  "text=a+b+c+d&embed=ngrams&pos=rope&heads=4&kv_heads=2&d_out=16&qk_norm=1&edit=q_norm[0]=2",
  "text=a+b+c+d&latent=3&latent_queries=4&pos=rope&rope_dim=2&heads=2&d_out=8",
  "text=a+b+c+d&pos=alibi&score_cap=3&mask_window=2&mask_sinks=1&sink_logits=1&edit=sink_logits[1]=1.5",
  "text=a+b+c+d&pos=learned&mask_at=after&edit=mask[2,0]=1&edit=w_query[0,1]=0.5,1;2,3",
  `${kBatch}&goal=next&d_in=8&d_out=8&logit_cap=5&steps=3&dropout=0.1`,
  "goal=pattern&target=1:10>1,10>7&optimizer=adam&rate=0.05&steps=20",
  "text=a+b+c&goal=pattern&target=1:2>0&bias=1&optimizer=adamw&steps=4&stage=grad_w_query&cell=1,0,1",
  "text=The+cat+sat+down&check=weights&hide=keys[1,2,1]&goal=next&d_in=8&d_out=8&steps=2",
  "model=first-words&layer=2&off=2:7&cell=3,1,1",
  "model=first-words&layer=2&text=the+dog+sees+the+cat&compare=text%3Dthe%2Bcat%2Bsees%26model%3Dfirst-words&patch=stream.2@3,weights.2:4@2,1:5@*,mlp.1@2",
  "lesson=byte-pairs&step=6",
  "lesson=causal&step=3",
];

test("nbconvert runs notebooks of every kind in a kernel, and their comparisons pass", () => {
  const { texts } = check_run(kLinks.flatMap(case_of), "--kernel");
  for (const text of texts) assert.match(text, /^weights: \d+ of \d+ numbers are the page's$|^keys .*nan/ms);
});

test("the notebook of every step of the lessons computes the page's numbers", () => {
  const cases = step_links().flatMap(case_of);
  assert.ok(cases.length > 250, `${cases.length} steps`);
  const { compared } = check_run(cases);
  assert.ok(compared > 50_000, `${compared} numbers`);
});

test("the notebooks of random states compute and train to the page's numbers", () => {
  const dice = make_dice(7);
  const links = Array.from({ length: 300 }, () => random_link(dice)).map(
    (link) => `${link}&${random_recipe(dice, link)}`,
  );
  const cases = links.flatMap(case_of);
  assert.ok(cases.length > 250, `${cases.length} states`);
  check_run(cases);
  const trained = cases.map(({ notebook }) => cell_of(notebook, "check_trained")).filter(Boolean);
  const whole = trained.filter((check) => check.includes('"weights"'));
  assert.ok(trained.length > 120 && whole.length > 0.6 * trained.length, `${whole.length} of ${trained.length}`);
});

test("each stage has its cell, which shows it once, with its formula before it", () => {
  for (const link of kLinks.filter((one) => !/model=|lesson=byte/.test(one))) {
    const notebook = attn("export", "notebook", link);
    const { sentences } = JSON.parse(attn("trace", link));
    const names = sentences[0].stages.map(({ name }) => name).filter((name) => !name.startsWith("grad_"));
    const shown = cells_of(notebook).flatMap(([, source]) => [...source.matchAll(/^show\("(\w+)", \w+\)$/gm)].map(([, name]) => name)); // prettier-ignore
    assert.deepEqual(shown.sort(), names.sort(), link);
    const words = cells_of(notebook).filter(([id]) => id.startsWith("about_")).map(([, source]) => source).join("\n"); // prettier-ignore
    for (const name of names)
      assert.match(words, new RegExp(`\`${name}\`: \`[^\`]+\`, shape \`\\(.*\\)\`\\. .+\\.`), name);
  }
});

test("a cell that computes something else is found", () => {
  const changes = [
    [
      "",
      "scores / head_dim**0.5",
      "scores / head_dim",
      /other numbers than the page has: scaled_scores, masked_scores/,
    ],
    ["", "manual_seed(123)", "manual_seed(124)", /other numbers than the page has: queries, keys/],
    ["goal=pattern&target=1:2>0&steps=3", "lr=0.1", "lr=0.2", /other numbers than the page has: loss/],
    ["model=first-words&layer=2", " / math.sqrt(head_dim)", "", /other numbers than the page has: .*weights/],
  ];
  const cases = changes.map(([link, from, to]) => {
    const [one] = case_of(link);
    const notebook = one.notebook.replace(from, to);
    assert.notEqual(notebook, one.notebook, from);
    return { ...one, notebook };
  });
  const { failures } = run(cases);
  assert.equal(failures.length, changes.length);
  changes.forEach(([, , , said], n) => assert.match(failures[n], said));
});

test("what is left blank is in no comparison and is printed as nan", () => {
  const link = "text=The+cat+sat+down&heads=2";
  const cases = [
    ["check=weights&cell=1,3,2", ["weights", "context", "merged", "output"], ["embeddings", "masked_scores"]],
    ["check=queries,scores", ["queries", "scores", "masked_scores", "weights"], ["keys", "values"]],
    ["hide=weights[2,3,1]&cell=2,3,1&stage=weights", ["weights", "context"], ["masked_scores", "values"]],
    ["check=weights&goal=pattern&target=1:2>0&steps=2", ["weights", "grad_w_query", "grad_w_key"], ["scores", "loss"]],
  ];
  const notebooks = cases.flatMap(([blanks]) => case_of(`${link}&${blanks}`));
  const { texts } = check_run(notebooks);
  cases.forEach(([blanks, none, all], n) => {
    const compared = [...texts[n].matchAll(/^(\w+): \d+ of \d+ numbers/gm)].map(([, name]) => name);
    for (const name of none) assert.ok(!compared.includes(name), `${blanks}: ${name}`);
    for (const name of all) assert.ok(compared.includes(name), `${blanks}: ${name}`);
    assert.match(texts[n], new RegExp(`^${none[0]} \\(.*\\).*\\n(tensor\\()?[^a-z]*nan`, "m"), blanks);
    assert.doesNotMatch(texts[n], /^\w+\[[\d, ]+\] = /m, "no pinned number that is blank");
    assert.match(cell_of(notebooks[n].notebook, "about_notebook"), /the cells print nan in their place/);
  });
});

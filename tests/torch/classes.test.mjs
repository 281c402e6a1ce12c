// PyTorch runs the exported classes of the lectures: their outputs are the numbers of `attn trace`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { python_with, run_python } from "../share/python.mjs";
import { attn, make_dice } from "../share/random_links.mjs";
import { step_links } from "../share/script_cases.mjs";

const torch = python_with("numpy,torch");
if (!torch) throw new Error("no Python with PyTorch was found: run tools/setup torch, or set PYTHON");

/** The class of a link, or the sentence that says why there is none. */
function class_of(link) {
  const { status, stdout, stderr } = spawnSync(join(process.env.ATTN_NATIVE, "attn"), ["export", "class", link], {
    encoding: "utf8",
  });
  return status === 0 ? { script: stdout } : { refusal: stderr };
}

/**
 * The last stage of each sentence that has tokens, against what the class prints. Both add float32 in another order: some thirty
 * roundings (6e-8 each) of the largest number, and scores of up to some hundreds make a weight that much less exact.
 */
function compare(links) {
  const cases = links.map((link) => ({ link, ...class_of(link) })).filter(({ script }) => script !== undefined);
  const input = JSON.stringify(cases.map(({ script }) => script));
  const outputs = JSON.parse(run_python(join(import.meta.dirname, "run_classes.py"), [], { input, name: torch }));
  let worst = 0;
  for (const [n, { link, script }] of cases.entries()) {
    const stage = /^print\((?:f"sentence \{s\}:", )?"(output|merged)"|^ {4}print\(f"sentence \{s\}:", "(output|merged)"/m.exec(script); // prettier-ignore
    const { sentences } = JSON.parse(attn("trace", link, "--stage", stage[1] ?? stage[2]));
    const wanted = sentences.filter(({ tokens }) => tokens.length > 0).map(({ stages }) => stages[0].values);
    assert.equal(outputs[n].length, wanted.length, link);
    for (const [s, rows] of wanted.entries()) {
      const numbers = rows.flat();
      const largest = numbers.reduce((most, one) => Math.max(most, Math.abs(one)), 1);
      assert.equal(outputs[n][s].flat().length, numbers.length, link);
      outputs[n][s].flat().forEach((one, place) => {
        const error = Math.abs(one - numbers[place]) / largest;
        worst = Math.max(worst, error);
        assert.ok(error < 2e-5, `${link}\nsentence ${s + 1}, number ${place}: ${one}, want ${numbers[place]}`);
      });
    }
  }
  console.log(`${cases.length} classes of ${links.length} links, the worst number off by ${worst.toExponential(1)}`);
  return cases;
}

/** A state of what the lectures' classes have. */
function random_class_link(dice) {
  const heads = dice.one_of([1, 1, 2, 3]);
  const keys = {
    text: dice.one_of(["a+b+c", "Your+journey+starts+with+one+step", "one&text=two+words&text=and+three+words"]),
    heads,
    d_out: heads * dice.one_of([1, 2, 5]),
    d_in: dice.one_of([2, 3, 8]),
    init: dice.one_of(["torch.rand", "torch.randn", "torch.linear", "identity"]),
    seed: dice.below(1000),
    embed: dice.one_of(["hash", "ngrams", "torch"]),
    pos: dice.one_of(["none", "sin", "learned"]),
    mask: dice.one_of(["none", "causal"]),
    scale: dice.one_of(["sqrt", "dim", "none"]),
    temperature: dice.one_of([1, 2]),
    dropout: dice.one_of([0, 0, 0.3]),
    bias: dice.below(2),
    out: dice.below(2),
  };
  const link = Object.entries(keys).map(([key, value]) => `${key}=${value}`);
  return [...link, ...(dice.chance(50) ? ["edit=w_value[0,0]=0.5", "edit=x[0,0]=1.5"] : [])].join("&");
}

const names_of = (cases) => new Set(cases.map(({ script }) => /^class (\w+)/m.exec(script)[1]));

test("each class of the lectures has the playground's numbers", () => {
  const kText = "text=Your+journey+starts+with+one+step";
  const links = ["init=torch.rand", "init=torch.randn", "init=torch.linear", "init=identity"].flatMap((init) => [
    `${kText}&${init}&heads=1&mask=none&out=0&seed=789`,
    `${kText}&${init}&heads=1&out=0&bias=1&dropout=0.5`,
    `${kText}&${init}&heads=2&dropout=0.1&edit=w_query[0,1]=0.5&edit=b_out[1]=2`,
    `${kText}&text=a+b&${init}&heads=4&d_out=8&embed=torch&pos=learned&scale=dim&bias=1&edit=w_out[0,0]=1,2`,
  ]);
  const cases = compare(links);
  assert.equal(cases.length, links.length);
  assert.deepEqual(
    names_of(cases),
    new Set(["SelfAttention_v1", "SelfAttention_v2", "CausalAttention", "MultiHeadAttention"]),
  );
});

test("the classes of random states and of the lessons' steps have the playground's numbers", () => {
  const dice = make_dice(11);
  const random = compare(Array.from({ length: 300 }, () => random_class_link(dice)));
  assert.ok(random.length >= 250, `${random.length} random states have a class`);
  assert.equal(names_of(random).size, 4);
  const steps = compare(step_links().map((link) => `${link}&check=&hide=`));
  assert.ok(steps.length >= 60, `${steps.length} steps have a class`);
});

test("what the lectures' classes do not have is said in a sentence", () => {
  for (const [link, words] of [
    ["text=a&pos=rope", "no rotary positions"],
    ["text=a&latent=2", "no latents"],
    ["text=a+b&kv_heads=1", "no key heads that query heads share"],
    ["text=a+b&edit=queries[0,0]=1", "typed over in queries"],
    ["text=a+b+c&goal=next&steps=3", "set the steps to 0"],
    ["text=a&init=none", "Without learned matrices"],
    ["model=first-words&text=the+dog", "A trained model has a script of its own"],
    ["text=", "The sentence is empty"],
  ])
    assert.match(class_of(link).refusal ?? "", new RegExp(words), link);
});

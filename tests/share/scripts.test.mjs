// The exported Python scripts are run and print the program's numbers: NumPy's for real, PyTorch's with torch_stand_in.py, which
// says what that shows and what it does not. Where PyTorch is, it runs them itself in tests/torch, and the stand-in only with
// ATTN_STAND_IN in the environment.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { attn, attn_bytes, make_dice, random_link, random_pin, random_recipe } from "./random_links.mjs";
import { python, python_with } from "./python.mjs";
import { compare as compare_scripts, lesson_links, shows_model, step_links } from "./script_cases.mjs";

const plays_torch = process.env.ATTN_STAND_IN !== undefined || !python_with("numpy,torch");
const compare = (links) => compare_scripts(links, plays_torch ? [] : ["--numpy"]);

const kStates = 300;

test("the scripts of random states print the program's numbers", () => {
  const dice = make_dice(1);
  const { numbers, worst, cases } = compare(Array.from({ length: kStates }, () => random_link(dice)));
  console.log(
    `${cases.length} states, ${numbers} numbers, the worst used ${(100 * worst).toFixed(1)} % of its tolerance`,
  );
  assert.ok(cases.length > 0.8 * kStates);
});

test("the scripts of the lectures' states print the program's numbers", () => {
  const journey = "text=Your+journey+starts+with+one+step&embed=typed&pos=none";
  const x = "x=.43,.15,.89;.55,.87,.66;.57,.85,.64;.22,.58,.33;.77,.25,.1;.05,.8,.55";
  compare([
    "",
    "text=The+artist+painted&d_in=64&d_out=48&heads=6&bias=1&dropout=0.1",
    `${journey}&d_in=3&d_out=2&heads=1&mask=none&out=0&init=torch.rand&seed=123&${x}&cell=1,1,1`,
    `${journey}&d_in=3&d_out=2&heads=2&init=torch.linear&seed=789&dropout=0.5&${x}`,
    "text=one+two+three&init=none&d_in=6&d_out=6&heads=3&out=0",
    "text=one+two+three&text=four+five&text=six&embed=torch&d_in=9&d_out=9&heads=3&init=torch.randn&dropout=.3",
    "lesson=causal&step=3",
  ]);
});

test("the scripts of the links in the golden list print the program's numbers", () => {
  const links = readFileSync(join(import.meta.dirname, "../golden/links.txt"), "utf8").split("\n");
  const small = links.filter(
    (link) => link && !link.startsWith("wide") && !/d_in=(1024|768)|large\+numbers/.test(link),
  );
  compare(small);
});

test("the scripts of every step of the lessons print the program's numbers", () => {
  compare(lesson_links());
});

test("a step that shows a trained model has a script for its files, and NumPy's says where its numbers are", () => {
  const links = step_links().filter(shows_model);
  assert.ok(links.length > 30, `${links.length} steps`);
  for (const link of links) {
    const [numpy, pytorch] = ["numpy", "pytorch"].map((kind) =>
      spawnSync(join(process.env.ATTN_NATIVE, "attn"), ["export", kind, link], { encoding: "utf8" }),
    );
    assert.equal(numpy.status, 2, link);
    assert.match(numpy.stderr, /this model's come from its files: the PyTorch script reads those, and the NPZ file/);
    assert.equal(pytorch.status, 0, pytorch.stderr);
    assert.match(pytorch.stdout, /^tensors = read_tensors\(folder\)$/m);
  }
  const archive = attn_bytes("export", "npz", links[0]);
  assert.ok(archive.includes("w_query.npy") && archive.includes("weights.npy"));
});

test("NumPy's scripts of trained states print the program's numbers", () => {
  const dice = make_dice(3);
  const pin_dice = make_dice(4);
  const links = Array.from({ length: 60 }, () => random_link(dice))
    .map((link) => `${link}&${random_recipe(dice, link)}`)
    .map((link) => (pin_dice.chance(50) ? `${link}&${random_pin(pin_dice, link)}` : link));
  const { numbers, gradients, cases } = compare(links);
  console.log(`${cases.length} states, ${numbers} numbers, ${gradients} gradients`);
});

/** What a script prints with NumPy, or with the stand-in for PyTorch: the numbers of each stage by its name. */
function printed_by(kind, link) {
  const code =
    "import sys; sys.path.insert(0, sys.argv[1]); import torch_stand_in; sys.modules['torch'] = torch_stand_in; exec(sys.stdin.read())";
  const script = attn("export", kind, link);
  const run = spawnSync(python, ["-c", code, import.meta.dirname], { input: script, encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
  const [, ...stages] = run.stdout.split(/^(?=[a-z_]+ \([\d, ]+\))/m);
  const first = run.stdout.split(/^(?=[a-z_]+ \([\d, ]+\))/m)[0];
  const numbers_of = (text) =>
    text
      .replace(/^.*\n/, "")
      .match(/-?inf|nan|-?\d+\.\d*(?:e[+-]?\d+)?/g)
      .map((word) => Number(word.replace("inf", "Infinity")));
  const blocks = [first, ...stages].filter((text) => /^[a-z_]+ \(/.test(text));
  return {
    script,
    text: run.stdout,
    stages: new Map(blocks.map((text) => [/^[a-z_]+/.exec(text)[0], numbers_of(text)])),
  };
}

test("a script of a state with blanks prints the others, and neither the blanks nor what gives them away", () => {
  const link = "text=The+cat+sat+down&heads=2";
  const { sentences } = JSON.parse(attn("trace", link));
  const cases = [
    ["check=weights&cell=1,3,2", ["weights", "context", "merged", "output"], []],
    ["check=queries,scores", [], ["embeddings", "keys", "values"]],
    ["hide=weights[2,3,1]&cell=2,3,1&stage=weights", [], ["masked_scores", "values"]],
  ];
  for (const kind of ["numpy", "pytorch"]) {
    for (const [blanks, none, all] of cases) {
      const { script, text, stages } = printed_by(kind, `${link}&${blanks}`);
      assert.match(script, /^# Some numbers are for you to work out\./m);
      assert.doesNotMatch(text, /^\w+\[[\d, ]+\] = /m, "no pinned number that is blank");
      let num_blank = 0;
      for (const { name, values } of sentences[0].stages) {
        const want = values.flat(Infinity);
        const found = stages.get(name);
        assert.equal(found.length, want.length, `${kind} ${blanks}: ${name}`);
        found.forEach((number, i) => {
          if (Number.isNaN(number)) num_blank += 1;
          else if (want[i] !== null) assert.ok(Math.abs(number - want[i]) < 1e-4, `${kind} ${blanks}: ${name}`);
        });
        if (none.includes(name)) assert.ok(found.every(Number.isNaN), name);
        if (all.includes(name)) assert.ok(!found.some(Number.isNaN), name);
      }
      assert.ok(num_blank > 0);
      if (blanks.startsWith("hide"))
        assert.deepEqual(stages.get("weights").map((number, i) => Number.isNaN(number) ? i : -1).filter((i) => i >= 0), [28, 29]); // prettier-ignore
    }
    assert.doesNotMatch(attn("export", kind, link), /blank/);
  }
});

test("a script of a trained state with blanks prints losses, and no gradient", () => {
  const link = "text=a+b+c&goal=pattern&target=1:2>0&steps=2&check=weights";
  const { text, stages } = printed_by("numpy", link);
  assert.match(text, /^step 2: loss \d/m);
  for (const [name, numbers] of stages)
    if (/^(grad_(w_query|weights|scores|embeddings)|weights)$/.test(name)) assert.ok(numbers.every(Number.isNaN), name);
});

// PyTorch itself runs the exported scripts: what they print are the program's numbers. run_scripts.py says how near and why.
import assert from "node:assert/strict";
import { test } from "node:test";
import { python_with } from "../share/python.mjs";
import { make_dice, random_link, random_pin, random_recipe } from "../share/random_links.mjs";
import { compare, lesson_links } from "../share/script_cases.mjs";

const kStates = 360;

const torch = python_with("numpy,torch");
if (!torch) throw new Error("no Python with PyTorch was found: run tools/setup torch, or set PYTHON");

function compare_with_torch(links) {
  const result = compare(links, ["--torch"], torch);
  const share = (part) => `${(100 * part).toFixed(1)} %`;
  console.log(
    `${result.cases.length} states, ${result.numbers} numbers, the worst used ${share(result.worst)} of its tolerance`,
  );
  console.log(`${result.gradients} gradients, the worst used ${share(result.worst_gradient)} of its tolerance`);
  return result;
}

test("PyTorch draws, computes and trains random states to the program's losses and numbers", () => {
  const dice = make_dice(2);
  const pin_dice = make_dice(4);
  const links = Array.from({ length: kStates }, () => random_link(dice))
    .map((link) => `${link}&${random_recipe(dice, link)}`)
    .map((link) => (pin_dice.chance(50) ? `${link}&${random_pin(pin_dice, link)}` : link));
  const { cases, beyond } = compare_with_torch(links);
  assert.ok(beyond < 0.04 * kStates, `${beyond} scripts have gradients that no float holds`);
  assert.ok(cases.length >= 300, `${cases.length} states`);
  const num_trained = cases.filter(({ pytorch }) => pytorch.includes("optimizer.step()")).length;
  assert.ok(num_trained > 0.5 * cases.length, `${num_trained} trained`);
});

test("PyTorch draws and computes the numbers of every step of the lessons", () => {
  compare_with_torch(lesson_links());
});

test("PyTorch trains the four runs that “readings” compares to the same losses", () => {
  const both = (head) => `target=${head}:10>1,10>7`;
  const targets = [
    "heads=1&target=1:10>1",
    `heads=1&${both(1)}`,
    "heads=2&target=1:10>1&target=2:10>7",
    `heads=2&${both(1)}&${both(2)}`,
  ];
  compare_with_torch(targets.map((one) => `${one}&goal=pattern&optimizer=adam&rate=0.05&steps=150`));
});

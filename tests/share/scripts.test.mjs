// The exported Python scripts are run and print the program's numbers: NumPy's for real, PyTorch's with torch_stand_in.py, which
// says what that shows and what it does not, and the lessons' with PyTorch itself where it is installed (python3-torch of Debian).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lesson_steps } from "./lesson_steps.mjs";
import { python_with, run_python } from "./python.mjs";
import { attn, make_dice, random_link, random_recipe } from "./random_links.mjs";

const kStates = 300;

function case_of(link) {
  const trace = JSON.parse(attn("trace", link));
  if (trace.sentences.every((sentence) => sentence.tokens.length === 0)) return [];
  const sentence = /(?:^|&)sentence=(\d+)/.exec(trace.link);
  const shown = !sentence && trace.link.includes("lesson=") ? undefined : Number(sentence?.[1] ?? 1); // a step may have its own
  return [{ link, shown, trace, numpy: attn("export", "numpy", link), pytorch: attn("export", "pytorch", link) }];
}

function compare(links, args = [], name = undefined) {
  const cases = links.flatMap(case_of);
  const result = JSON.parse(
    run_python(join(import.meta.dirname, "run_scripts.py"), args, { input: JSON.stringify(cases), name }),
  );
  assert.deepEqual(result.failures.slice(0, 5), []);
  return { ...result, cases };
}

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

/** The links of all steps of all lessons. */
function lesson_links() {
  return [...lesson_steps()].flatMap(([lesson, count]) =>
    Array.from({ length: count }, (_, i) => `lesson=${lesson}&step=${i + 1}`),
  );
}

test("the scripts of every step of the lessons print the program's numbers", () => {
  const links = lesson_links();
  assert.ok(links.length > 100, `${links.length} steps`);
  compare(links);
});

test("NumPy's scripts of trained states print the program's numbers", () => {
  const dice = make_dice(3);
  const links = Array.from({ length: 60 }, () => random_link(dice)).map(
    (link) => `${link}&${random_recipe(dice, link)}`,
  );
  compare(links, ["--no-pytorch"]);
});

const torch = python_with("torch");
test("PyTorch itself trains random states to the program's losses and numbers", { skip: !torch }, () => {
  const dice = make_dice(2);
  const links = Array.from({ length: kStates }, () => random_link(dice)).map(
    (link) => `${link}&${random_recipe(dice, link)}`,
  );
  const { numbers, worst, cases } = compare(links, ["--torch"], torch);
  const num_trained = cases.filter(({ pytorch }) => pytorch.includes("optimizer.step()")).length;
  console.log(
    `${num_trained} of ${cases.length} states trained, ${numbers} numbers, the worst used ${(100 * worst).toFixed(1)} % of its tolerance`,
  );
  assert.ok(num_trained > 0.5 * kStates, `${num_trained} trained`);
});

test("PyTorch itself draws and computes the numbers of every step of the lessons", { skip: !torch }, () => {
  const { numbers, worst, cases } = compare(lesson_links(), ["--torch"], torch);
  console.log(
    `${cases.length} steps, ${numbers} numbers, the worst used ${(100 * worst).toFixed(1)} % of its tolerance`,
  );
});

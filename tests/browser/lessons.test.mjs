// The lessons as a visitor walks them: from the menu through every step by Next, with the numbers on the screen held
// against those that came from outside (tests/golden), and back to where the visitor was.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import {
  at_rest,
  browser_of_file,
  click_item,
  eventually,
  first_picture,
  in_playground,
  items,
  link_of,
  mirror_of,
  troubles_of,
} from "./browser.mjs";

const browser = browser_of_file();

const golden = async (name) => JSON.parse(await readFile(new URL(`../golden/${name}`, import.meta.url), "utf8"));
const journey = await golden("journey-6x3.json");
const split = await golden("weight-split-3x6.json");
const notebook = await golden("notebook-ch03.json");

/** The same, once the model that a step shows is there. */
async function mirror_with_model(page) {
  let mirror;
  await eventually("the step's model is open", async () => {
    mirror = await mirror_of(page);
    return !mirror.notes.some((note) => note.includes("these numbers are random"));
  });
  return mirror;
}

/** As the picture prints them; a hidden key is 0 in the notebook's weights and -inf in its scores. */
const number_of = (text) => (text === null ? null : Number(text.replace("\u2212", "-").replace("e\u2212", "e-")));

/** Half a unit of the fourth decimal on the screen, as much again in the golden file, and float rounding on top. */
const tolerance_of = (golden_digits) => 0.5e-4 + 0.5 * 10 ** -golden_digits + 2e-5;

function assert_close(shown, wanted, digits, what) {
  for (const [i, row] of wanted.entries()) {
    for (const [c, number] of row.entries()) {
      const value = number_of(shown[i][c]);
      if (value === null) {
        assert.ok(
          number === null || number === 0 || number === -Infinity,
          `${what}: ${i},${c} is hidden, not ${number}`,
        );
      } else {
        assert.ok(
          Math.abs(value - number) <= tolerance_of(digits) * Math.max(1, Math.abs(number)),
          `${what}: ${i},${c} is ${value}, not ${number}`,
        );
      }
    }
  }
}

/** What the worked notes on the weight split really give, in the shape of each stage: one matrix a head. */
const split_stages = (facts) => {
  const cut = (rows) => [rows.map((row) => row.slice(0, 3)), rows.map((row) => row.slice(3))];
  return {
    queries: cut(facts.queries),
    keys: cut(facts.keys),
    values: cut(facts.values),
    scores: facts.scores_per_head,
    weights: facts.weights_per_head,
    context: facts.context_per_head,
    merged: [facts.context],
  };
};

/** The golden matrices of what is shown, one a head, or nothing where no source outside our own code has them. */
function golden_of({ lesson, shown, values }) {
  const one = (key) => values[key]?.[0];
  const is = (settings) => Object.entries(settings).every(([key, value]) => one(key) === value);
  if (shown === null) return undefined;
  if (shown.heads.some(({ values }) => values?.flat().includes("?"))) return undefined; // the visitor is asked for them
  if (lesson.name === "split" || lesson.name === "batch") {
    // Steps that type over X, or enter the printed Q, K and V, have other numbers; tests of their own hold them.
    if ((values.edit ?? []).some((edit) => /^(x|queries|keys|values)\[/.test(edit))) return undefined;
    if (!is({ mask: "causal", dropout: "0", scale: "sqrt" })) return undefined;
    const stages = split_stages(split.recomputed)[shown.name];
    return stages && { digits: 4, matrices: stages, source: "weight split" };
  }
  const is_journey = one("text") === "Your journey starts with one step" && one("embed") === "typed";
  if (!is_journey || shown.heads.length > 1) return undefined;
  if (is({ init: "torch.rand", seed: "123", mask: "none", d_out: "2", scale: "sqrt" })) {
    const stage = journey.recomputed[shown.name];
    return stage && { digits: 6, matrices: [stage], source: "journey" };
  }
  const found = notebook.cases.find(
    (c) =>
      c.stage === shown.name &&
      !c.dropout &&
      one("dropout") === "0" &&
      one("heads") === String(c.num_heads) &&
      is({ init: c.init, d_out: String(c.d_out), mask: c.mask, scale: c.scale }) &&
      (c.init === "none" || one("seed") === String(c.seed)) &&
      c.mask_at === undefined &&
      one("mask_at") === "before",
  );
  return found && { digits: 4, matrices: [found.printed], source: found.name };
}

// What the step is about: training, or a character that no token has.
const kLegal = /^trained for \d+ steps?: |as single bytes: no token of it has this character$/;

test("every step of every lesson shows its numbers, and those known from outside are right", async () => {
  // The whole list in sight, with a quarter of the pixels and the end of every motion: what is looked at is numbers.
  const page = await browser.open("", {
    viewport: { width: 1280, height: 2000 },
    deviceScaleFactor: 0.5,
    reducedMotion: "reduce",
  });
  const { lessons } = await mirror_of(page);
  assert.equal(lessons.length, 43);
  let num_compared = 0;
  for (const { name } of lessons) {
    await click_item(page, "lessons");
    await click_item(page, `lesson=${name}`);
    for (let step = 1; ; ++step) {
      const mirror = await mirror_with_model(page);
      const where = `${name}, step ${step}`;
      assert.equal(mirror.lesson?.name, name, where);
      assert.equal(mirror.lesson.step, step, where);
      const notes = mirror.notes.filter((note) => !kLegal.test(note));
      assert.deepEqual(notes, [], where);
      assert.match(link_of(page), new RegExp(`lesson=${name}`), where);
      const wanted = golden_of(mirror);
      if (wanted) {
        ++num_compared;
        for (const [h, head] of mirror.shown.heads.entries()) {
          const matrix = wanted.matrices[mirror.shown.heads.length === 1 ? head.head - 1 : h];
          assert_close(head.values, matrix, wanted.digits, `${where} (${mirror.shown.name}, ${wanted.source})`);
        }
      }
      if (step === mirror.lesson.count) break;
      await click_item(page, "step+");
    }
  }
  assert.ok(num_compared >= 20, `only ${num_compared} steps have numbers from outside`);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a link opens a step, Back returns to the one before, and leaving keeps the numbers", async () => {
  const page = await browser.open("lesson=causal&step=2");
  const second = await mirror_of(page);
  assert.equal(second.lesson.step, 2);
  await click_item(page, "step+");
  const third = await mirror_of(page);
  assert.equal(third.lesson.step, 3);
  await page.goBack();
  await at_rest(page);
  assert.equal((await mirror_of(page)).lesson.step, 2);
  assert.deepEqual((await mirror_of(page)).shown, second.shown);

  await click_item(page, "lesson=leave");
  const left = await mirror_of(page);
  assert.equal(left.lesson, null);
  assert.deepEqual(left.shown, second.shown);
  assert.ok(!(await items(page)).some(({ name }) => name === "step+"));
  await page.reload();
  await first_picture(page);
  assert.deepEqual((await mirror_of(page)).shown, second.shown, "the link alone keeps them");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a lesson that does not exist is named, and the playground opens without one", async () => {
  const page = await browser.open("lesson=cooking&step=3");
  const notes = await in_playground(page, (playground) => playground.engine.mirror("lesson=cooking&step=3").notes);
  assert.ok(notes.some((note) => /cooking/.test(note)));
  assert.equal((await mirror_of(page)).lesson, null);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("on a phone the lesson leaves room for the picture, folded and unfolded", async () => {
  const page = await browser.open("lesson=trainable&step=3", {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const map = (await items(page)).find(({ name }) => name === "map=1");
  assert.ok(map && map.y1 - map.y0 > 60, "the map is there");
  await click_item(page, "lesson=fold");
  const larger = (await items(page)).find(({ name }) => name === "map=1");
  assert.ok(larger && larger.y1 - larger.y0 >= map.y1 - map.y0);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

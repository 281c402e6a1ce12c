// The lessons in the text version: walked step by step, held against the golden numbers, and accessible as far as a machine can
// tell.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { browser_of_file, eventually, go_to, in_playground, link_of, troubles_of } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const golden = (name) => JSON.parse(readFileSync(new URL(`../golden/${name}`, import.meta.url), "utf8"));

const browser = browser_of_file();

const show_text = async (page) => {
  await page.getByRole("button", { name: "Show as text" }).click();
  await page.getByRole("heading", { name: "The picture as text" }).waitFor();
};

const as_number = (text) => Number(text.replace("−", "-"));

/** The numbers of the table of a stage ("weights, head 1"), as the page shows them; hidden keys are left out. */
async function numbers_in(page, name) {
  const table = page.getByRole("table", { name: new RegExp(`^${name}\\. Rows`) });
  const rows = await table.evaluate((element) =>
    [...element.tBodies[0].rows].map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)),
  );
  return rows.map((row) => row.filter((text) => text !== "–").map(as_number));
}

function assert_close(shown, wanted, where) {
  assert.ok(shown.length > 0, where);
  shown.forEach((row, i) =>
    row.forEach((number, c) => {
      // Half a unit of the last shown digit, and the rounding of float sums behind numbers up to 81.
      const tolerance = 0.5e-4 + 1e-6 * Math.abs(wanted[i][c]);
      assert.ok(Math.abs(number - wanted[i][c]) <= tolerance, `${where} [${i},${c}]: ${number}, want ${wanted[i][c]}`);
    }),
  );
}

// What the step is about: training, or a character that no token has.
const kLegal = /^trained for \d+ steps?: |as single bytes: no token of it has this character$/;

test("every step of every lesson can be walked in the text version", async () => {
  const page = await browser.open();
  await show_text(page);
  const { lessons } = await in_playground(page, ({ engine }) => engine.mirror(""));
  assert.equal(lessons.length, 43);
  await page.getByRole("combobox", { name: "Lesson" }).selectOption(lessons[0].name);
  const next = page.locator(".plain-lesson").getByRole("button", { name: /^Next/ });
  let num_steps = 0;
  for (const { name } of lessons) {
    const { count } = await in_playground(page, ({ engine }, link) => engine.mirror(link).lesson, `lesson=${name}`);
    for (let step = 1; step <= count; ++step, ++num_steps) {
      const link = `lesson=${name}&step=${step}`;
      let mirror;
      await eventually("the step's model is open", async () => {
        mirror = await in_playground(page, ({ engine }, one) => engine.mirror(one), link);
        return !mirror.notes.some((note) => note.includes("these numbers are random"));
      });
      const { lesson, view, notes } = mirror;
      await page.waitForURL(({ hash }) => hash === `#v=1&${link}`); // the browser tells it after the click
      const title = `${lesson.title}, step ${step} of ${count}: ${lesson.step_title}`;
      await page
        .locator(".plain-lesson h4")
        .and(page.getByText(title, { exact: true }))
        .waitFor();
      assert.ok(await page.getByText(lesson.text).isVisible());
      if (lesson.answer !== "") assert.ok(await page.getByText(lesson.answer, { exact: true }).isVisible());
      const others = notes.filter((note) => !kLegal.test(note));
      assert.deepEqual(others, []);
      assert.equal(await page.locator(".plain-lesson table").count(), lesson.printed.length);
      const tables = view.tables.filter(({ columns, rows }) => columns.length + rows.length > 0); // else it is a sentence
      assert.equal(await page.locator(".plain-tables").first().locator("table").count(), tables.length);
      if (name !== "split")
        assert.doesNotMatch(lesson.printed_sentence, /\d of \d/, "what the notebook prints follows");
      if (name !== lessons.at(-1).name || step < count) await next.click();
    }
  }
  assert.ok(await next.isDisabled(), "after the last step of the last lesson");
  assert.ok(num_steps > 50);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the list of lessons says how long each is, and which steps were visited", async () => {
  const page = await browser.open("lesson=causal&step=2");
  await show_text(page);
  const option = () => page.getByRole("combobox", { name: "Lesson" }).locator("option[value=causal]").textContent();
  assert.match(await option(), /^7\. Causal attention: .*\(9 steps, 1 visited, 12 minutes\)$/);
  await page.locator(".plain-lesson").getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: /step 3 of 9/ }).waitFor();
  assert.match(await option(), /\(9 steps, 2 visited, 12 minutes\)$/);
  await page.locator(".plain-lesson").getByRole("button", { name: "Back" }).click();
  await page.getByRole("heading", { name: /step 2 of 9/ }).waitFor();
  assert.match(await option(), /2 visited/);
  assert.deepEqual(
    await page.locator("select[name=lesson] optgroup").evaluateAll((groups) => groups.map((group) => group.label)),
    ["The lectures", "Cache and variants", "Training", "Trained models"],
  );
  await page.getByRole("combobox", { name: "Lesson" }).selectOption("");
  await page.getByRole("button", { name: "Go on where you left off: Causal attention, step 2" }).click();
  await page.getByRole("heading", { name: /^Causal attention, step 2 of 9/ }).waitFor();
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the text version of a lesson shows the golden numbers", async () => {
  const page = await browser.open("lesson=trainable&step=5");
  await show_text(page);
  const journey = golden("journey-6x3.json");
  const worked = golden("weight-split-3x6.json");
  assert_close([(await numbers_in(page, "weights"))[1]], [journey.printed_in_lecture.weights_of_journey], "journey");
  assert_close(await numbers_in(page, "weights"), journey.recomputed.weights, "journey's weights");
  for (const [step, stage] of [
    [8, "scores"],
    [9, "weights"],
    [10, "context"],
  ]) {
    for (const [link, numbers] of [
      [`lesson=split&step=${step}`, worked.recomputed],
      [`lesson=split&step=${step + 5}`, worked.recomputed_from_printed_step6],
    ]) {
      await in_playground(page, (playground, one) => playground.open_link(one), link);
      for (const head of [1, 2]) {
        const shown = await numbers_in(page, `${stage}, head ${head}`);
        assert_close(shown, numbers[`${stage}_per_head`][head - 1], `${link}, head ${head}`);
      }
    }
  }
  await page.context().close();
});

test("axe finds nothing wrong with a lesson in the text version", async () => {
  const page = await browser.open();
  await show_text(page);
  await page.evaluate(axe);
  for (const link of ["lesson=split&step=6", "lesson=causal&step=6", "lesson=cost&step=2"]) {
    await go_to(page, link);
    await page.waitForFunction(() => document.querySelector("[data-part=plain]").ariaBusy === "false");
    const violations = await page.evaluate(async () =>
      (await globalThis.axe.run()).violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
    );
    assert.deepEqual(violations, [], link);
  }
  await page.context().close();
});

test("what was changed inside a lesson is in the link, and leaving it keeps the numbers", async () => {
  const page = await browser.open("lesson=causal&step=3");
  await show_text(page);
  await page.getByRole("combobox", { name: "Pinned query" }).selectOption("");
  assert.equal(link_of(page), "v=1&cell=&lesson=causal&step=3");
  const seed = page.getByRole("textbox", { name: "seed", exact: true });
  assert.equal(await seed.inputValue(), "789", "what the link leaves out");
  await seed.fill("5");
  await seed.blur();
  assert.equal(link_of(page), "v=1&seed=5&cell=&lesson=causal&step=3");
  await page.getByText(/ of 36 numbers printed in .* still come out\./).waitFor();
  await page.getByRole("combobox", { name: "View" }).selectOption("cost");
  await page.getByRole("combobox", { name: "Lesson" }).selectOption("");
  assert.doesNotMatch(link_of(page), /lesson|cell/);
  assert.match(link_of(page), /seed=5.*view=cost/, "the numbers stay");
  await page.context().close();
});

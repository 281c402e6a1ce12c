// What a student answered stays: over steps, lessons and reloads, in the page's own storage alone; the sheet that shows it, prints it
// and clears it, in the picture and in the text version. What the log counts is tested in tests/playground/check/answer_log_test.cpp.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import {
  at_rest,
  browser_of_file,
  eventually,
  go_to,
  in_playground,
  items,
  next_frames,
  open_in_sandbox,
  troubles_of,
} from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = browser_of_file();

const kKey = "attention-playground-answers";
const kStep = "lesson=causal&step=8"; // asks for two weights: 0.4833 and 0.5167

async function type(page, ...answers) {
  for (const answer of answers) {
    await page.keyboard.type(answer);
    await page.keyboard.press("Enter");
    await at_rest(page);
  }
}

async function press(page, name) {
  const item = (await items(page)).find((one) => one.name === name);
  assert.ok(item, `${name} is on the screen`);
  await page.mouse.click((item.x0 + item.x1) / 2, (item.y0 + item.y1) / 2);
  await at_rest(page);
}

const kept = (page) => page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? "null"), kKey);
const answers_of = (page) => in_playground(page, (one) => JSON.parse(one.engine.answers("")).answers);
const dialog = (page) => page.getByRole("dialog", { name: "Your answers" });
/** The cells of the sheet's first table, row by row, but for the times. */
const cells = async (page) => {
  const rows = await dialog(page).locator("tbody tr").all();
  return Promise.all(rows.map(async (row) => (await row.locator("th, td").allTextContents()).slice(0, 5)));
};

const kRows = [
  ["8. One row by hand", "weights, head 1, journey → Your", "right at try 3, 1 hint", "0.4833", ""],
  ["8. One row by hand", "weights, head 1, journey → journey", "told at once", "", ""],
];

/** Two wrong tries, a hint, the right one; then the next number is told. */
async function answer_all(page) {
  await type(page, "0.11", "0.22");
  await page.keyboard.press("Shift+Enter");
  await type(page, "0.4833");
  await page.keyboard.press("Control+Enter");
  await at_rest(page);
  await eventually("both are kept", async () => (await kept(page))?.answers.length === 2);
}

test("answers stay over steps, lessons and a reload, and come back into their step", async () => {
  const page = await browser.open(kStep);
  assert.equal(await kept(page), null, "nothing is kept before an answer");
  const begin = Math.floor(Date.now() / 1000);
  await answer_all(page);
  const [first, second] = (await kept(page)).answers;
  assert.deepEqual([first.tries, first.right_at, first.hints, first.told], [3, 3, 1, false]);
  assert.deepEqual([second.tries, second.right_at, second.told], [0, 0, true]);
  assert.ok(first.first >= begin && first.last >= first.first && first.last <= Date.now() / 1000, "with their times");
  await press(page, "step+");
  await go_to(page, "lesson=heads&step=1");
  await page.reload();
  await page.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
  await at_rest(page);
  await eventually("they are back", async () => (await answers_of(page)).length === 2);
  await go_to(page, kStep);
  await press(page, "sheet");
  assert.deepEqual(await cells(page), kRows);
  await page.keyboard.press("Escape");
  assert.equal(await dialog(page).count(), 0);
  await page.getByRole("button", { name: "Show as text" }).click();
  const states = page.getByRole("combobox", { name: "Question" }).locator("option");
  await states.nth(1).waitFor({ state: "attached" });
  assert.deepEqual(
    (await states.allTextContents()).map((words) => words.replace(/.*: /, "")),
    ["right", "told"],
  );
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the sheet in the text version is the same, by keyboard alone, and accessible", async () => {
  const page = await browser.open(kStep);
  await answer_all(page);
  await page.getByRole("button", { name: "Show as text" }).click();
  const open = page.getByRole("button", { name: "Your answers: look, print, hand in" });
  await open.focus();
  await page.keyboard.press("Enter");
  await dialog(page).waitFor();
  assert.deepEqual(await cells(page), kRows);
  await page.evaluate(axe);
  for (const theme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: theme });
    const { violations } = await page.evaluate(() => window.axe.run("dialog"));
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
      [],
      theme,
    );
  }
  // The focus does not leave the sheet.
  for (let i = 0; i < 20; ++i) {
    await page.keyboard.press("Tab");
    const is_inside = await page.evaluate(() => document.activeElement.closest("dialog") !== null);
    assert.ok(is_inside || (await page.evaluate(() => document.activeElement === document.body)));
  }
  await page.keyboard.press("Escape");
  assert.ok(await open.evaluate((button) => button === document.activeElement), "the focus is where it was");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("answers given in the text version are kept as well", async () => {
  const page = await browser.open(kStep);
  await page.getByRole("button", { name: "Show as text" }).click();
  await page.getByRole("textbox", { name: /^Your answer: / }).fill("0.4833");
  await page.keyboard.press("Enter");
  await eventually("it is kept", async () => (await kept(page))?.answers[0]?.right_at === 1);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a prediction is kept with its tries, in the picture and in the text version, and stands in the sheet", async () => {
  const page = await browser.open("lesson=no-weights&step=2");
  await press(page, "predict=1");
  await eventually("it is kept", async () => (await kept(page))?.answers[0]?.tries === 1);
  await page.getByRole("button", { name: "Show as text" }).click();
  const choices = page.getByRole("group", { name: "Which scores higher with “journey”?" });
  await choices.getByText("You said: “with”; it is: “Your”.").waitFor();
  await choices.getByRole("button", { name: "“Your”" }).focus();
  await page.keyboard.press("Enter");
  await choices.getByText("That is right.").waitFor();
  assert.ok(
    await choices.getByRole("button", { name: "“Your”, your answer, right" }).evaluate((one) => one.matches(":focus")),
    "the focus stays",
  );
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(".plain-lesson"));
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
    [],
  );
  const [answer] = (await kept(page)).answers;
  assert.deepEqual([answer.question, answer.tries, answer.right_at], ["prediction", 2, 2]);
  await page.getByRole("button", { name: "Your answers: look, print, hand in" }).click();
  await dialog(page).waitFor();
  assert.deepEqual(await cells(page), [
    [
      "2. The rows as arrows",
      "Which scores higher with “journey”?",
      "right at try 2",
      "“Your”",
      "The direction of “with” is better, but a dot product also grows with the length.",
    ],
  ]);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("Clear asks first, forgets, and the step asks again", async () => {
  const page = await browser.open(kStep);
  await answer_all(page);
  await press(page, "sheet");
  await page.getByRole("button", { name: "Clear …" }).click();
  await page.getByRole("button", { name: "Keep them" }).click();
  assert.equal((await kept(page)).answers.length, 2);
  await page.getByRole("button", { name: "Clear …" }).click();
  await page.getByRole("button", { name: "Clear them" }).click();
  await page.getByText("Nothing is answered yet.").waitFor();
  assert.equal(await kept(page), null);
  await page.keyboard.press("Escape");
  await at_rest(page);
  assert.ok(
    (await items(page)).some(({ name }) => name === "answer"),
    "the field is open again",
  );
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("on paper the sheet stands alone, with a line for the name", async () => {
  const page = await browser.open(kStep);
  await answer_all(page);
  await press(page, "sheet");
  await page.emulateMedia({ media: "print" });
  const is_seen = (selector) => page.locator(selector).first().isVisible();
  assert.ok(await is_seen(".sheet table"));
  assert.ok(await is_seen(".sheet-name"));
  for (const gone of [".sheet-hand-in", ".sheet-acts", ".sheet-head button", "canvas", ".bar"])
    assert.ok(!(await is_seen(gone)), gone);
  await page.context().close();
});

test("two windows that know the same question otherwise do not write in turn for ever", async () => {
  const prepare = (page) =>
    page.context().addInitScript(() => {
      window.told = 0;
      window.addEventListener("storage", () => (window.told += 1));
    });
  const one = await browser.open(kStep, { prepare });
  const two = await one.context().newPage();
  await two.goto(one.url());
  await two.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
  await at_rest(two);
  // The text version answers without being in front. A clock that stands still: neither tells of more than the other.
  for (const page of [one, two]) await page.evaluate(() => (Date.now = () => 1796000000000));
  await in_playground(one, (playground) => playground.engine.act(playground.link(), "answer", "0.11"));
  await in_playground(two, (playground) => playground.engine.act(playground.link(), "answer", "0.12"));
  for (const page of [one, two]) await in_playground(page, (playground) => playground.keep_answers());
  const told = () => Promise.all([one, two].map((page) => page.evaluate(() => window.told)));
  await eventually("both are told", async () => (await told()).every((times) => times > 0) || (await told())[1] > 0);
  for (let i = 0; i < 20; ++i) await next_frames(one);
  assert.ok(
    (await told()).every((times) => times < 5),
    `told ${await told()} times`,
  );
  await one.context().close();
});

test("two windows share what is answered, and a cleared one is cleared in both", async () => {
  const one = await browser.open(kStep);
  const two = await one.context().newPage();
  two.troubles = [];
  await two.goto(one.url());
  await two.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
  await at_rest(two);
  await answer_all(one);
  await eventually("the other window has them", async () => (await answers_of(two)).length === 2);
  await one.bringToFront();
  await press(one, "sheet");
  await one.getByRole("combobox", { name: "Lesson" }).selectOption("*");
  await one.getByRole("button", { name: "Clear …" }).click();
  await one.getByRole("button", { name: "Clear them" }).click();
  await eventually("cleared there, too", async () => (await answers_of(two)).length === 0);
  assert.equal(await kept(one), null);
  assert.equal(troubles_of(one), "");
  await one.context().close();
});

const kTrouble = {
  denied: () => {
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
  },
  full: () => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  },
};
for (const [name, spoil] of Object.entries(kTrouble)) {
  test(`storage that is ${name}: the answers last for the visit, and the sheet says so`, async () => {
    const page = await browser.open(kStep, { prepare: (page) => page.addInitScript(spoil) });
    await type(page, "0.4833");
    await press(page, "sheet");
    await page.getByText("The browser refuses to keep them, or its storage is full").waitFor();
    assert.equal((await cells(page)).length, 1);
    assert.equal(troubles_of(page), "");
    await page.context().close();
  });
}

test("what is kept by another version, or broken, harms nothing", async () => {
  const page = await browser.open(kStep, {
    prepare: (page) =>
      page.addInitScript((key) => {
        if (sessionStorage.getItem("once")) return;
        sessionStorage.setItem("once", "1");
        localStorage.setItem(key, '{"format": "attention-playground-answers", "version": 99, "answers": [{}]}');
      }, kKey),
  });
  assert.equal((await kept(page)).version, 99, "it stays until something is answered");
  await type(page, "0.4833");
  await eventually("ours replaces it", async () => (await kept(page)).version === 1);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("who wants nothing kept has nothing kept", async () => {
  const page = await browser.open(kStep);
  await answer_all(page);
  await in_playground(page, (one) => one.autosave.set_on(false));
  assert.equal(await kept(page), null);
  await go_to(page, "text=a+small+step&check=weights");
  await page.reload();
  await page.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
  await at_rest(page);
  await type(page, "0.77");
  await press(page, "lessons");
  await press(page, "sheet=all");
  await page.getByText("This browser keeps nothing of your visits").waitFor();
  assert.equal(await kept(page), null);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a frame keeps nothing, and its sheet says so", async () => {
  const page = await open_in_sandbox(browser, kStep, { viewport: { width: 860, height: 800 } });
  const frame = page.frames()[1] ?? (await page.waitForEvent("frameattached"));
  const inside = page.frameLocator("iframe");
  await inside.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
  await inside.getByRole("button", { name: "Show as text" }).click();
  await inside.getByRole("textbox", { name: /^Your answer: / }).fill("0.4833");
  await inside.getByRole("button", { name: "Check the answer" }).click();
  await inside.getByText("Score: 1 of 1 right").first().waitFor();
  await inside.getByRole("button", { name: "Your answers: look, print, hand in" }).click();
  await inside.getByText("This page stands in another one and keeps nothing").waitFor();
  await inside.getByText("right at try 1").waitFor();
  assert.ok(frame);
  assert.equal(await page.evaluate(() => localStorage.length), 0);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

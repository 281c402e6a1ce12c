// What can be done in the text version beside choosing values: Check me, the steps of the cache, the next word, state B, undo. What
// each act does is tested without a browser: tests/views/words/acts_test.cpp.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { at_rest, browser_of_file, eventually, go_to, in_playground, item, link_of, troubles_of } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const browser = browser_of_file();

const show_text = async (page) => {
  await page.getByRole("button", { name: "Show as text" }).click();
  await page.getByRole("heading", { name: "The picture as text" }).waitFor();
  await is_made(page);
};
const is_made = (page) => page.waitForFunction(() => document.querySelector("[data-part=plain]").ariaBusy === "false");

/** Waits until a live region says this. */
const is_told = (page, words) => page.getByRole("status").filter({ hasText: words }).first().waitFor();

const field = (page) => page.getByRole("textbox", { name: /^Your answer: / });
const press = (page, name) => page.getByRole("button", { name, exact: true }).click();

test("Check me in the text version: field, verdict, hint, score, and the same answers in the picture", async () => {
  const page = await browser.open("text=a+small+step&heads=2");
  await show_text(page);
  await press(page, "Check me");
  await is_told(page, "The numbers are blank now.");
  await page.getByRole("textbox", { name: "Your answer: Head 1 · a → a" }).fill("0.70");
  await page.keyboard.press("Enter");
  await is_told(page, "Not yet, because the number is above 0.70.");
  await page.getByText("Score: 0 of 1 right").waitFor();
  await field(page).fill("1.00");
  await page.keyboard.press("Enter");
  await is_told(page, "Right. Next: Head 1 · small → a.");
  assert.equal(await field(page).inputValue(), "");
  assert.ok(await field(page).evaluate((input) => input === document.activeElement), "the next answer can be typed");
  await press(page, "Hint");
  await page.getByRole("button", { name: "Hint 2 of 3" }).waitFor();
  await page.locator(".plain-score", { hasText: "Score: 1 of 1 right, 1 hint" }).waitFor();
  await is_made(page);
  const cells = page.getByRole("table", { name: /^weights, head 1\./ }).getByRole("cell");
  assert.deepEqual((await cells.allTextContents()).slice(1, 6), ["1.0000, right", "–", "–", "?", "?"]);
  assert.match(link_of(page), /check=weights/);
  assert.match(link_of(page), /score=1\/1\/1/);
  await press(page, "Show as text");
  await at_rest(page);
  await press(page, "Show as text");
  await page.getByRole("button", { name: "Hint 2 of 3" }).waitFor();
  await page.getByRole("combobox", { name: "Question" }).selectOption("question=0");
  await page.getByRole("heading", { name: "Head 1 · a → a", exact: true }).waitFor();
  assert.equal(await field(page).count(), 0, "it is solved");
  await press(page, "Stop check");
  await is_told(page, "The numbers are shown again.");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("what was answered in the picture is answered in the text version", async () => {
  const page = await browser.open("text=a+small+step&heads=2&check=weights");
  const { x, y } = await item(page, "answer");
  await page.mouse.click(x, y);
  await page.keyboard.type("1.00");
  await page.keyboard.press("Enter");
  await at_rest(page);
  await show_text(page);
  const option = page.getByRole("combobox", { name: "Question" }).locator("option").first();
  assert.equal(await option.textContent(), "Head 1 · a → a: right");
  await page.locator(".plain-score", { hasText: "Score: 1 of 1 right" }).waitFor();
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a lesson's exercise can be done in the text version", async () => {
  const page = await browser.open("lesson=linear&step=2");
  await show_text(page);
  await field(page).waitFor();
  const { check } = await in_playground(page, (one) => one.engine.visit(one.link()));
  assert.ok(check.questions.length > 0);
  await press(page, "Show answer");
  await is_told(page, /^It is /);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the KV cache is walked in the text version, and its counts are asked for", async () => {
  const page = await browser.open("view=cache&prompt=4");
  await show_text(page);
  await press(page, "One token");
  await page
    .getByText(/^Step 1 of 7: /)
    .first()
    .waitFor();
  await press(page, "One token");
  await page
    .getByText(/^Step 2 of 7: /)
    .first()
    .waitFor();
  assert.match(link_of(page), /at=2/);
  const one_token = page.getByRole("button", { name: "One token", exact: true });
  assert.ok(await one_token.evaluate((button) => button === document.activeElement), "the focus stays");
  await press(page, "To the end");
  await page
    .getByText(/^Step 7 of 7: /)
    .first()
    .waitFor();
  assert.equal(await one_token.getAttribute("aria-disabled"), "true");
  const prompt = page.getByRole("textbox", { name: "prompt", exact: true });
  await prompt.fill("5");
  await prompt.blur();
  await eventually("another prompt", () => /prompt=5/.test(link_of(page)));
  await press(page, "Check me");
  await page.getByRole("heading", { name: /^Question 1 of / }).waitFor();
  await field(page).fill("1");
  await page.keyboard.press("Enter");
  await is_told(page, /^Not yet/);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a trained model says the next word in the text version; undo takes it back, by button and key", async () => {
  const page = await browser.open("view=cache&model=first-words&layer=2");
  await show_text(page);
  await page.getByRole("heading", { name: "The next word" }).waitFor();
  const sentence = page.getByRole("textbox", { name: "Sentence", exact: true });
  const before = await sentence.inputValue();
  await press(page, "Say the next word");
  await eventually("a word is said", async () => (await sentence.inputValue()).startsWith(`${before} `));
  await is_told(page, /its probability is/);
  const longer = await sentence.inputValue();
  await page.getByRole("button", { name: "Say the next word" }).focus();
  await page.keyboard.press("Control+Z");
  await eventually("the word is gone", async () => (await sentence.inputValue()) === before);
  await is_told(page, /^Undone\./);
  await press(page, "Redo");
  await eventually("the word is back", async () => (await sentence.inputValue()) === longer);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a B is chosen and removed in the text version; heads are put together, with sums beside the rows", async () => {
  const page = await browser.open("view=compare&heads=2");
  await show_text(page);
  await press(page, "B: seed 124");
  await page
    .getByText(/^B: seed 124/)
    .filter({ hasNotText: "instead" })
    .first()
    .waitFor();
  await eventually("the link has a B", () => /compare=/.test(link_of(page)));
  await press(page, "Remove B");
  await eventually("the link has no B", () => !/compare=[^&]/.test(link_of(page)));
  await page.getByRole("combobox", { name: "View" }).selectOption("matrix");
  await page.getByRole("combobox", { name: "beside each row" }).selectOption("sum");
  await page.getByRole("table", { name: /^Beside each row: / }).waitFor();
  await page.getByRole("combobox", { name: "heads together" }).selectOption("mean");
  await page.getByRole("table", { name: /Mean of 2 heads/ }).waitFor();
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("without WebGL2 checks and undo work too", async () => {
  const page = await browser.open("text=a+small+step&heads=2", {
    wait: false,
    prepare: (page) =>
      page.addInitScript(() => {
        const { getContext } = HTMLCanvasElement.prototype;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
          return kind === "webgl2" ? null : getContext.call(this, kind, ...rest);
        };
      }),
  });
  await page.getByText("This browser has no WebGL2").waitFor();
  assert.equal(await page.getByRole("button", { name: "Undo" }).getAttribute("aria-disabled"), "true");
  await page.getByRole("combobox", { name: "mask", exact: true }).selectOption("none");
  await press(page, "Undo");
  await is_told(page, /^Undone\. mask/);
  await press(page, "Check me");
  await field(page).fill("1.00");
  await page.keyboard.press("Enter");
  await is_told(page, /^Right\./);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the text version goes on after the picture's program has stopped", async () => {
  const page = await browser.open("text=a+small+step&heads=2&check=weights");
  await in_playground(page, (playground) => {
    playground.picture.frame = () => {
      throw new Error("broken");
    };
  });
  await page.mouse.move(300, 300);
  await page.getByText("The playground stopped because of an error").waitFor();
  await show_text(page);
  await field(page).fill("1.00");
  await page.keyboard.press("Enter");
  await is_told(page, /^Right\./);
  await page.getByRole("combobox", { name: "mask", exact: true }).selectOption("none");
  await press(page, "Undo");
  await is_told(page, /^Undone\. mask/);
  assert.equal(link_of(page).includes("mask=none"), false);
  await page.context().close();
});

/** What axe says of the page as it is now. */
async function finds_nothing_wrong(page, of_what) {
  const violations = await page.evaluate(async () =>
    (await globalThis.axe.run()).violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
  );
  assert.deepEqual(violations, [], of_what);
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing wrong with any view, a check and a long text in the text version, ${colorScheme}`, async () => {
    const long = Array.from({ length: 300 }, (_, i) => `w${i}`).join("+");
    const page = await browser.open("", { colorScheme });
    const views = (await in_playground(page, (one) => one.engine.keys())).find(({ key }) => key === "view").choices;
    await show_text(page);
    await page.evaluate(axe);
    for (const link of [
      ...views.map((view) => `view=${view}&text=a+cat+saw+a+dog`),
      "view=model&model=first-words",
      "view=compare&compare=seed%3D124",
      "check=weights&text=a+small+step",
      "view=cache&check=counts",
      `text=${long}`,
    ]) {
      await go_to(page, link);
      await is_made(page);
      await finds_nothing_wrong(page, link.slice(0, 60));
    }
    assert.equal(troubles_of(page), "");
    await page.context().close();
  });
}

test("axe finds nothing wrong while a model is waited for, either", async () => {
  let let_go;
  const held = new Promise((resolve) => (let_go = resolve));
  const page = await browser.open("", {
    prepare: (page) => page.route("**/model.safetensors", (route) => held.then(() => route.continue())),
  });
  await show_text(page);
  await page.evaluate(axe);
  await page.evaluate(() => (location.hash = "view=door"));
  await page.getByRole("region", { name: "Opening files" }).getByText("The model is being opened.").waitFor();
  await is_made(page);
  await finds_nothing_wrong(page);
  let_go();
  await page.getByRole("region", { name: "Opening files" }).waitFor({ state: "hidden" });
  await at_rest(page);
  await is_made(page);
  await finds_nothing_wrong(page);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

// A teacher's own task, from the author's page to the answers of a class: written by keyboard, opened by its link and by its file, in the
// picture's page and in the text version. What the formats do with bad input is tested in tests/playground/link/own_task_test.cpp.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { browser_of_file, eventually, in_playground, link_of, troubles_of } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = browser_of_file({ whole: true });

const kTask = {
  format: "attention-playground task",
  version: 1,
  title: "By <b>hand</b>",
  steps: [
    {
      title: "Look",
      link: "text=the+cat+sat&seed=7&cell=1,2,1",
      text: "It is {weights 1,2,1}.",
      question: "What is the sum of the row?",
      reason: "It is {sum weights 1,2}.",
      choices: [
        { says: "one", right: true },
        { says: "two", right: false, why: "Each is a share." },
      ],
    },
    {
      title: "Type it",
      link: "text=the+cat+sat&seed=7&check=weights&hide=weights[1,2,1]",
      text: "The others are {weights 1,2,0} and {weights 1,2,2}.",
      hint: "All three sum to 1.",
    },
  ],
};

async function open_author(link, options = {}) {
  const page = await browser.open(link, { path: "author.html", wait: false, ...options });
  await page.locator("[data-part=message]").waitFor({ state: "hidden" });
  return page;
}

const tasks = (page) => page.locator("[data-part=tasks]");
const status_of = (page) => tasks(page).locator(".author-task").getByRole("status");
const notes_of = (page) => tasks(page).locator(".author-notes li").allTextContents();
const handed_out = (page) => page.locator("#author-link").inputValue();
const steps_of = (page) => tasks(page).getByLabel("Steps", { exact: true }).locator("option").allTextContents();

/** Types into the field of this label, with the keyboard. */
async function type(page, label, text) {
  await tasks(page).getByLabel(label, { exact: true }).focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
  await page.keyboard.press("Tab");
}

/** Presses the button of this name, with the keyboard. */
async function press(page, name) {
  await tasks(page).getByRole("button", { name, exact: true }).focus();
  await page.keyboard.press("Enter");
}

async function choose_file(page, name, text) {
  await page
    .getByLabel("Open a task’s file")
    .setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
}

async function drop(page, name, text) {
  await page.locator("[data-part=root]").evaluate(
    (root, [name, text]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], name));
      for (const kind of ["dragover", "drop"])
        root.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );
}

const text_version = (page) => page.getByRole("button", { name: "Show as text" }).click();
const answers_of = (page) => in_playground(page, (one) => JSON.parse(one.engine.answers("")).answers);

/** A task of two steps, in the text version: a choice, a hint, a number. */
async function answer_all(page) {
  await text_version(page);
  await page.getByRole("heading", { name: /step 1 of 2: Look$/ }).waitFor();
  await page.getByText("It is 0.3213.").first().waitFor();
  await page.getByRole("button", { name: "two", exact: true }).click();
  await page.getByText("You said: two; it is: one. Each is a share. It is 1.0000.").first().waitFor();
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await page.getByRole("heading", { name: /step 2 of 2: Type it$/ }).waitFor();
  await page.getByText("The others are 0.2677 and 0.4110.").first().waitFor();
  assert.ok(await page.getByRole("button", { name: "Next", exact: true }).isDisabled(), "no lesson comes after a task");
  await page.getByRole("button", { name: "Hint", exact: true }).click();
  await page.getByText("All three sum to 1.").first().waitFor();
  await page.getByRole("textbox", { name: /^Your answer: / }).fill("0.3213");
  await page.keyboard.press("Enter");
  await eventually("both are kept", async () => (await answers_of(page)).filter(({ tries }) => tries > 0).length === 2);
}

test("a task is written by keyboard, and a class opens its link, answers and has a sheet", async () => {
  const page = await open_author("text=the+cat+sat&seed=7&cell=1,2,1");
  await press(page, "Begin a task");
  assert.ok(
    await tasks(page)
      .getByLabel("Title of the task")
      .evaluate((one) => one === document.activeElement),
  );
  await page.keyboard.type("By <b>hand</b>");
  assert.match(await status_of(page).textContent(), /step 1: it has no text/);
  await type(page, "Title of the step", "Look");
  await type(page, "Text", "It is {weights 1,2,1}.");
  await tasks(page).getByText("Ask a question with choices").focus();
  await page.keyboard.press("Enter");
  await type(page, "Question", "What is the sum of the row?");
  await type(page, "Choice 1", "one");
  await tasks(page).getByLabel("Choice 1 is right").focus();
  await page.keyboard.press("Space");
  await type(page, "Choice 2", "two");
  await type(page, "What is wrong with choice 2", "Each is a share.");
  await type(page, "Reason, told after any choice", "It is {sum weights 1,2}.");
  await press(page, "Add a step");
  assert.ok(
    await tasks(page)
      .getByLabel("Title of the step")
      .evaluate((one) => one === document.activeElement),
  );
  await type(page, "Title of the step", "Type it");
  await type(page, "Text", "The others are {weights 1,2,0} and {weights 1,2,2}.");
  await tasks(page).getByLabel("Ask for this stage (Check me)").selectOption("weights");
  await page.locator("summary", { hasText: "Numbers to fill in" }).click();
  await page.getByLabel("Blank", { exact: true }).fill("weights[1,2,1]");
  await page.getByLabel("Blank", { exact: true }).press("Enter");
  await press(page, "Take what the playground shows");
  await type(page, "Hint, told first when somebody asks for one", "All three sum to 1.");
  assert.deepEqual(await steps_of(page), ["1. Look", "2. Type it"]);
  assert.deepEqual(await notes_of(page), []);
  assert.match(await status_of(page).textContent(), /^The link has [4-7]\d\d characters\.$/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await press(page, "Copy the task’s link");
  await tasks(page).getByText("The task’s link is copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const [, link] = copied.split("#");
  assert.match(link, /^lesson=task1%0A.*&step=1$/);
  assert.equal(troubles_of(page), "");
  await page.context().close();

  const pupil = await browser.open(link);
  await answer_all(pupil);
  const [choice, number] = await answers_of(pupil);
  assert.deepEqual([choice.title, choice.step, choice.right_at], ["By <b>hand</b>", 1, 0]);
  assert.deepEqual([number.title, number.step, number.right_at, number.hints], ["By <b>hand</b>", 2, 1, 1]);
  assert.match(number.lesson, /^task [0-9a-f]{8} By <b>hand<\/b>$/);
  await pupil.getByRole("button", { name: "Your answers: look, print, hand in" }).click();
  const sheet = pupil.getByRole("dialog", { name: "Your answers" });
  await sheet.waitFor();
  assert.equal(await sheet.locator("tbody tr").count(), 2);
  assert.equal(await sheet.locator("b").count(), 0, "a title is text");
  assert.equal(troubles_of(pupil), "");
  await pupil.context().close();
});

test("a task's file that is dropped is the task, and a broken one leaves all as it was", async () => {
  const page = await browser.open("text=as+it+was&heads=1");
  const before = link_of(page);
  const bad = [
    [JSON.stringify({ ...kTask, version: 7 }), /is of version 7; this program reads version 1/],
    [JSON.stringify({ ...kTask, title: "n".repeat(300) }), /the task’s title has 300 bytes; at most 120 fit/],
    [JSON.stringify(kTask).slice(0, -30), /is not valid JSON/],
    [JSON.stringify({ ...kTask, steps: [{ ...kTask.steps[0], link: "lesson=task1" }] }), /its link names a lesson/],
  ];
  for (const [text, sentence] of bad) {
    await drop(page, "bad.json", text);
    await eventually(`${sentence}`, async () =>
      sentence.test((await page.locator("[data-part=announcement]").textContent()) ?? ""),
    );
    assert.equal(link_of(page), before);
  }
  await drop(page, "task.json", JSON.stringify(kTask));
  await eventually("it is open", () => link_of(page).startsWith("v=1&lesson=task1%0A"));
  await answer_all(page);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("what is typed on the author's page stays when a file is bad, and comes back when a file replaced it", async () => {
  const page = await open_author("text=the+cat+sat");
  await press(page, "Begin a task");
  await type(page, "Title of the task", "Mine");
  await type(page, "Text", "A text of mine.");
  for (const text of ["{", "\u0000\u0001", JSON.stringify({ ...kTask, version: 2 }), "x".repeat(300_000)]) {
    const told = tasks(page).getByText("What you have written here stays.");
    await told.evaluateAll(([one]) => one && (one.textContent = ""));
    await choose_file(page, "bad.json", text);
    await told.waitFor();
    assert.equal(await tasks(page).getByLabel("Title of the task").inputValue(), "Mine");
    assert.equal(await tasks(page).getByLabel("Text", { exact: true }).inputValue(), "A text of mine.");
  }
  await choose_file(page, "task.json", JSON.stringify(kTask));
  await eventually("the file is shown", async () => (await steps_of(page)).join() === "1. Look,2. Type it");
  await press(page, "Bring back what was here before");
  assert.equal(await tasks(page).getByLabel("Title of the task").inputValue(), "Mine");
  await eventually("its link is handed out", async () => (await handed_out(page)).includes("task1%0AMine"));
  await page.reload();
  await page.locator("[data-part=message]").waitFor({ state: "hidden" });
  assert.equal(await tasks(page).getByLabel("Title of the task").inputValue(), "Mine", "the address keeps it");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("steps are moved, duplicated and removed, and a number that is not there is told", async () => {
  const page = await open_author("text=the+cat+sat");
  await choose_file(page, "task.json", JSON.stringify(kTask));
  await eventually("the file is shown", async () => (await steps_of(page)).length === 2);
  await press(page, "Down");
  assert.deepEqual(await steps_of(page), ["1. Type it", "2. Look"]);
  await press(page, "Duplicate");
  assert.deepEqual(await steps_of(page), ["1. Type it", "2. Look", "3. Look"]);
  await press(page, "Up");
  await press(page, "Remove");
  assert.deepEqual(await steps_of(page), ["1. Type it", "2. Look"]);
  await type(page, "Text", "See {weights 9,0,0}.");
  assert.deepEqual(await notes_of(page), ["step 2: {weights 9,0,0} is no number of this step’s state"]);
  await type(page, "Text", "a".repeat(2100));
  assert.match(await status_of(page).textContent(), /step 2: its text has 2,100 bytes; at most 2,000 fit/);
  assert.ok(await tasks(page).getByRole("button", { name: "Copy the task’s link" }).isDisabled());
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a package of a task counts its questions under the name that the answers have", async () => {
  const page = await open_author("text=the+cat+sat");
  await choose_file(page, "task.json", JSON.stringify(kTask));
  await eventually("the file is shown", async () => (await steps_of(page)).length === 2);
  const part = page.getByRole("region", { name: "As a package for a course system" });
  const saved = page.waitForEvent("download");
  await part.getByRole("button", { name: "Save the package" }).press("Enter");
  const download = await saved;
  assert.equal(download.suggestedFilename(), "attention-task-scorm12.zip");
  const script = "import zipfile, sys; print(zipfile.ZipFile(sys.argv[1]).read('course.html').decode())";
  const html = execFileSync("python3", ["-c", script, await download.path()], { encoding: "utf8" });
  const given = html.match(/<meta name="attention-course" content="([^"]*)"/)[1];
  const course = JSON.parse(given.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)));
  const lesson = course.asked[0].lesson;
  assert.match(lesson, /^task [0-9a-f]{8} By <b>hand<\/b>$/);
  assert.deepEqual(course.asked, [
    { lesson, step: 1, count: 1 },
    { lesson, step: 2, count: 1 },
  ]);
  assert.equal(course.title, "By <b>hand</b>");
  await part.getByText("2 questions count for the score.").waitFor();
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a plain link asks for a stage by a switch of the author's page", async () => {
  const page = await open_author("text=the+cat+sat");
  await page.locator("summary", { hasText: "Numbers to fill in" }).click();
  await page.locator("[data-part=switches]").getByLabel("Ask for this stage (Check me)").selectOption("scores");
  assert.match(await handed_out(page), /#v=1&text=the\+cat\+sat&check=scores$/);
  await page.locator("[data-part=switches]").getByLabel("Ask for this stage (Check me)").selectOption("");
  assert.match(await handed_out(page), /#v=1&text=the\+cat\+sat$/);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the author's task fits a width of 360 pixels and is accessible, light and dark", async () => {
  const page = await open_author("text=the+cat+sat", { viewport: { width: 360, height: 740 } });
  await choose_file(page, "task.json", JSON.stringify(kTask));
  await eventually("the file is shown", async () => (await steps_of(page)).length === 2);
  await tasks(page).locator("summary").click();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 360), "nothing sticks out");
  await page.evaluate(axe);
  for (const theme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: theme });
    const { violations } = await page.evaluate(() => window.axe.run("[data-part=tasks]"));
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
      [],
      theme,
    );
  }
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

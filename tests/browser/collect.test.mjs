// Handing in and collecting, in a browser: a student's page makes the file, the table and the code; a teacher's page reads those of a
// class of thirty, dropped, chosen and pasted, and its table is right to the cell. What the formats do with bad input is tested in
// tests/web/hand_in.test.mjs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { clean_name, code_of, file_of, read_hand_ins, table_of } from "../../web/hand_in.js";
import { cell_of, mistakes_of, questions_of, students_of } from "../../web/collection.js";
import { class_of_thirty } from "../web/class_of_thirty.mjs";
import { at_rest, browser_of_file, eventually, items, troubles_of } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = browser_of_file({ whole: true });

const thirty = class_of_thirty().map((one) => ({ ...one, who: clean_name(one.who) }));
const files = thirty.map((one, i) => ({
  name: i % 3 === 0 ? `${i}.csv` : `${i}.json`,
  mimeType: "text/plain",
  text: i % 3 === 0 ? table_of(one) : file_of(one),
}));

const open_collect = async (options = {}) => {
  const page = await browser.open("", { path: "collect.html", wait: false, ...options });
  await page.getByRole("heading", { name: "What was handed in" }).waitFor();
  return page;
};

/** The class's table as the page shows it: a row of texts a student. */
const rows_of_page = (page) =>
  page
    .locator("[data-part=table] tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));

function expected_rows(hand_ins) {
  const students = students_of(hand_ins);
  const questions = questions_of(students);
  return students.map((student) => {
    const right = [...student.answers.values()].filter(({ right_at }) => right_at > 0).length;
    return [
      student.who,
      `${right} of ${student.answers.size}`,
      ...questions.map(({ key }) => cell_of(student, key)),
      "fits",
    ];
  });
}

test("thirty files that are dropped become a table that is right to the cell", async () => {
  const page = await open_collect();
  await page.evaluate((files) => {
    const data = new DataTransfer();
    for (const { name, text } of files) data.items.add(new File([text], name));
    for (const kind of ["dragover", "drop"])
      document
        .querySelector("main")
        .dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, files);
  await page.getByText("30 hand-ins read from 30 files.").waitFor();
  const read = files.flatMap(({ name, text }) => read_hand_ins(name, text).hand_ins);
  assert.deepEqual(await rows_of_page(page), expected_rows(read));
  const mistakes = await page
    .locator("[data-part=mistakes] tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].slice(0, 3).map((cell) => cell.textContent)));
  assert.deepEqual(
    mistakes,
    mistakes_of(students_of(read)).map(({ mistake, students, times }) => [mistake, `${students}`, `${times}`]),
  );
  assert.equal(await page.locator("main img, main script").count(), 0, "markup in names stays text");
  // What it saves has all of it in it, and no formula.
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save as a table (CSV)" }).click(),
  ]);
  const saved = readFileSync(await download.path(), "utf8");
  for (const [cell] of saved.matchAll(/"(?:[^"]|"")*"|[^,\r\n]+/g)) assert.doesNotMatch(cell, /^"?\s*[=+@-]/);
  assert.deepEqual(expected_rows(read_hand_ins("class.csv", saved).hand_ins), expected_rows(read));
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("thirty pasted codes become the same table, by keyboard alone, and it is accessible", async () => {
  const page = await open_collect();
  const text = thirty.map((one, i) => `${i}. ${code_of(one)}`).join("\n\n");
  await page.keyboard.press("Tab"); // the link to the playground
  await page.keyboard.press("Tab"); // the files
  await page.keyboard.press("Tab"); // the codes
  assert.equal(await page.evaluate(() => document.activeElement.id), "collect-codes");
  await page.keyboard.insertText(text);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("30 hand-ins read from the text.").waitFor();
  const shown = await rows_of_page(page);
  const words = (rows) => rows.map(([who, right, ...cells]) => [who, right, ...cells]);
  assert.deepEqual(
    words(shown),
    expected_rows(
      thirty.map((one) => ({
        ...one,
        answers: one.answers.map((a) => ({ ...a, hints: Math.min(a.hints, 3) })),
        is_intact: true,
      })),
    ),
  );
  await page.evaluate(axe);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate(() => window.axe.run());
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
      [],
      colorScheme,
    );
  }
  await page.getByRole("combobox", { name: "Lesson" }).selectOption("dropout");
  const heads = await page.locator("[data-part=table] thead th").allTextContents();
  assert.deepEqual(heads, ["Who", "Right", "dropout, step 6dropped_weights[1,2,1]", "Checksum"]);
  await page.getByRole("button", { name: "Start anew" }).click();
  await page.getByText("All is forgotten.").waitFor();
  assert.equal(await page.locator("[data-part=class]").isVisible(), false);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("what cannot be read is named, and the rest is read", async () => {
  const page = await open_collect();
  const [first, second] = thirty;
  const bad = [
    { name: "cut.json", text: file_of(first).slice(0, 100) },
    { name: "new.json", text: file_of(first).replace('"version": 1', '"version": 2') },
    { name: "photo<b>.png", text: "\u0089PNG" },
    { name: "good.json", text: file_of(second) },
    { name: "changed.json", text: file_of(first).replace('"step": 8', '"step": 9') },
  ];
  await page
    .getByLabel("Files: JSON")
    .setInputFiles(bad.map(({ name, text }) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) })));
  await page.getByText("2 hand-ins read from 5 files. 3 problems: see below.").waitFor();
  const problems = await page.locator("[data-part=problems] li").allTextContents();
  assert.match(problems[0], /^cut\.json is not read: it is no whole JSON file/);
  assert.match(problems[1], /^new\.json is not read: it is of version 2/);
  assert.match(problems[2], /^photo<b>\.png is not read: /);
  assert.equal((await rows_of_page(page)).filter((row) => row.at(-1) === "changed after it was made").length, 1);
  await page.getByLabel("Codes, with").fill(code_of(first).slice(0, 50));
  await page.getByRole("button", { name: "Read the codes" }).click();
  await page.getByText("it is cut off after").waitFor();
  await page.getByLabel("Codes, with").fill("nothing of ours");
  await page.getByRole("button", { name: "Read the codes" }).click();
  await page.getByText("There is no code in this text").waitFor();
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the page can ask for nothing: its policy stops a request to its own site", async () => {
  const page = await open_collect();
  const is_stopped = await page.evaluate(() =>
    fetch("icon.svg").then(
      () => false,
      () => true,
    ),
  );
  assert.ok(is_stopped);
  assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
  await page.context().close();
});

test("what a student's page hands in is what the teacher's page shows", async () => {
  const page = await browser.open("lesson=causal&step=8", { permissions: ["clipboard-read", "clipboard-write"] });
  for (const answer of ["0.11", "0.4833"]) {
    await page.keyboard.type(answer);
    await page.keyboard.press("Enter");
    await at_rest(page);
  }
  const icon = (await items(page)).find(({ name }) => name === "sheet");
  await page.mouse.click((icon.x0 + icon.x1) / 2, (icon.y0 + icon.y1) / 2);
  await page.getByRole("textbox", { name: "Your name" }).fill(`=Zoë "${"x".repeat(300)}`);
  await page.getByText("The name is cut to").waitFor();
  await page.getByRole("textbox", { name: "Your name" }).fill("=Zoë");
  await page.getByRole("button", { name: "Copy the code" }).click();
  await page.getByText("The code is copied.").waitFor();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(code, await page.getByRole("textbox", { name: "The code" }).inputValue());
  const save = async (name) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name, exact: true }).click(),
    ]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
  };
  const file = await save("Save as a file");
  const table = await save("Save as a table (CSV)");
  assert.equal(file.name, "answers-causal-zoë.json");
  assert.equal(table.name, "answers-causal-zoë.csv");
  assert.match(table.text, /\r\n'=Zoë,causal,8,/);
  assert.equal(troubles_of(page), "");
  const teacher = await open_collect();
  await teacher
    .getByLabel("Files: JSON")
    .setInputFiles(
      [file, table].map(({ name, text }) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) })),
    );
  await teacher.getByLabel("Codes, with").fill(`Here it is: ${code} Thanks`);
  await teacher.getByRole("button", { name: "Read the codes" }).click();
  await teacher.getByText("1 hand-in read from the text.").waitFor();
  await eventually("one row", async () => (await rows_of_page(teacher)).length === 1);
  assert.deepEqual(await rows_of_page(teacher), [["=Zoë", "1 of 1", "right at try 2", "fits"]]);
  assert.equal(troubles_of(teacher), "");
  await teacher.context().close();
  await page.context().close();
});

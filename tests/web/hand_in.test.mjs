// What is handed in: a file, a table and a code each give back what the student's page wrote, to the cell; what strangers, spreadsheets
// and mail programs do to them is refused in a sentence or does no harm.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cell_of, mistakes_of, questions_of, students_of, sum_of } from "../../web/collection.js";
import {
  checksum_of,
  clean_name,
  code_of,
  crc32,
  csv_cell,
  file_of,
  is_cut,
  read_codes,
  read_hand_ins,
  rows_of,
  table_of,
} from "../../web/hand_in.js";
import { class_of_thirty } from "./class_of_thirty.mjs";

// The name as the student's page hands it in.
const thirty = class_of_thirty().map((one) => ({ ...one, who: clean_name(one.who) }));

/** What every format carries: codes know no words, no seconds and no last try. */
const counted = (answers) =>
  answers.map(({ lesson, step, question, numbers, tries, right_at, hints, told, mistakes }) => ({
    ...{ lesson, step, question, numbers, tries, right_at, told, mistakes },
    hints: Math.min(hints, 3),
  }));
const by_lesson = (answers) =>
  [...new Set(answers.map(({ lesson }) => lesson))].flatMap((name) => answers.filter(({ lesson }) => lesson === name));

test("a file gives back each of thirty hand-ins whole", () => {
  for (const one of thirty) {
    const { hand_ins, problems } = read_hand_ins("a.json", file_of(one));
    assert.deepEqual(problems, []);
    assert.deepEqual(hand_ins, [{ ...one, is_intact: true }]);
  }
});

test("a table gives them back, one by one and all in one", () => {
  for (const one of thirty) {
    const { hand_ins, problems } = read_hand_ins("a.csv", table_of(one));
    assert.deepEqual(problems, []);
    assert.equal(hand_ins[0].is_intact, true, one.who);
    assert.equal(hand_ins[0].who, one.who);
    assert.deepEqual(counted(hand_ins[0].answers), counted(one.answers));
    assert.deepEqual(
      hand_ins[0].answers.map(({ first, last, asked, typed }) => [first, last, asked, typed]),
      one.answers.map(({ first, last, asked, typed }) => [first, last, asked, typed]),
    );
  }
  const all = thirty.map(table_of).join("");
  const { hand_ins } = read_hand_ins("all.csv", all.replaceAll("\ufeff", ""));
  assert.equal(hand_ins.length, thirty.length);
  assert.ok(hand_ins.every(({ is_intact }) => is_intact));
});

test("a code gives them back, through mail programs and small letters", () => {
  for (const one of thirty) {
    const code = code_of(one);
    assert.match(code, /^ATTN1(-[0-9A-HJKMNP-TV-Z]{1,5})+$/);
    const broken = code
      .toLowerCase()
      .replaceAll("-", " - ")
      .replace(/(.{60})/g, "$1\n> ");
    for (const text of [code, `Dear teacher,\n${code}\n\nBest regards, Ada`, broken.replace("attn1 - ", "attn1-")]) {
      const { hand_ins, problems } = read_codes(text);
      assert.deepEqual(problems, []);
      assert.equal(hand_ins.length, 1);
      assert.equal(hand_ins[0].who, one.who);
      assert.deepEqual(counted(hand_ins[0].answers), counted(by_lesson(one.answers)));
    }
  }
  const { hand_ins, problems } = read_codes(thirty.map(code_of).join("\n"));
  assert.deepEqual(problems, []);
  assert.deepEqual(
    hand_ins.map(({ who }) => who),
    thirty.map(({ who }) => who),
  );
});

test("a code is short", () => {
  const sizes = thirty.map((one) => code_of(one).length / Math.max(1, one.answers.length));
  const average = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  assert.ok(average < 120, `${average} letters an answer`);
});

test("a code that is cut off at any letter is refused, and the next one is read", () => {
  const [first, second] = thirty;
  const code = code_of(first);
  for (let length = 6; length < code.length; ++length) {
    const { hand_ins, problems } = read_codes(`${code.slice(0, length)}\n${code_of(second)}`);
    const is_dash_alone = code.slice(length) === "";
    assert.ok(is_dash_alone || problems.length === 1, `cut after ${length}`);
    assert.deepEqual(
      hand_ins.map(({ who }) => who),
      [second.who],
      `cut after ${length}`,
    );
    assert.match(problems[0], /^Code 1 \(ATTN1-.*is not read: .*copy/);
  }
  assert.match(read_codes(code.slice(0, 60)).problems[0], /cut off after \d+ of \d+ letters/);
});

test("a code with another letter is refused", () => {
  const code = code_of(thirty[0]);
  for (let at = 6; at < code.length; ++at) {
    if (code[at] === "-") continue;
    const changed = code.slice(0, at) + (code[at] === "7" ? "8" : "7") + code.slice(at + 1);
    const { hand_ins, problems } = read_codes(changed);
    // The last letter may have bits that stand for nothing.
    if (at < code.length - 1) assert.ok(hand_ins.length === 0 && problems.length === 1, `letter ${at}`);
  }
});

test("what is of another version says so", () => {
  const code = code_of(thirty[0]).replace("ATTN1", "ATTN2");
  assert.match(read_codes(code).problems[0], /of version 2, this page reads version 1/);
  const file = file_of(thirty[0]).replace('"version": 1', '"version": 7');
  assert.match(read_hand_ins("old.json", file).problems[0], /^old\.json is not read: it is of version 7/);
});

test("what is none of ours is refused in a sentence with its name", () => {
  const refused = (text, words) => assert.match(read_hand_ins("x.y", text).problems[0], words, text.slice(0, 30));
  refused("", /^x\.y is not read: /);
  refused("{", /no whole JSON file/);
  refused("[]", /no file of answers/);
  refused('{"format": "attention-playground", "version": 1}', /no file of answers/);
  refused('{"format": "attention-playground-answers", "version": 1}', /has no answers/);
  refused(file_of(thirty[0]).slice(0, -20), /its end is missing/);
  refused("a,b\n1,2\n", /no column “who”/);
  refused('who,"lesson\n', /a quote in it has no end/);
  refused("%PDF-1.4 \u0000\u0001", /no column/);
});

test("a file that was changed is read, and says that it was", () => {
  const changed = file_of(thirty[0]).replace('"step": 8', '"step": 9');
  const { hand_ins } = read_hand_ins("a.json", changed);
  assert.equal(hand_ins[0].is_intact, false);
  assert.equal(read_hand_ins("a.csv", table_of(thirty[0]).replace("causal", "dropout")).hand_ins[0].is_intact, false);
});

test("members of another kind become possible ones", () => {
  const answers = [null, 7, { tries: -1, right_at: 99, mistakes: "x", lesson: { a: 1 }, step: 1e300, told: "yes" }];
  const text = JSON.stringify({ format: "attention-playground-answers", version: 1, who: ["a"], answers });
  const { hand_ins } = read_hand_ins("a.json", text);
  assert.equal(hand_ins[0].answers.length, 3);
  for (const one of hand_ins[0].answers)
    assert.deepEqual([one.lesson, one.tries, one.right_at, one.told, one.mistakes], ["", 0, 0, false, []]);
});

test("a name is one line of at most 80 letters", () => {
  assert.equal(clean_name("x".repeat(300)).length, 80);
  assert.ok(is_cut("x".repeat(300)) && is_cut("ä".repeat(81)) && !is_cut("ä".repeat(80)));
  assert.equal(clean_name("  a \n\t b  "), "a b");
  assert.equal(clean_name("\u202eabc\u2066"), "abc");
  assert.equal([...clean_name("👩‍🎓".repeat(60))].length, 80);
  assert.equal(clean_name("\ud800x"), "x", "half a letter is none");
});

test("no cell of a table is a formula, and a table opens as it was", () => {
  for (const text of ["=1", "+1", "-1", "@x", "\t=1", "\r=1", " =1", "\n=1", "＝1", "'=1"])
    assert.match(csv_cell(text), /^"?'/, JSON.stringify(text));
  assert.equal(csv_cell("a,b"), '"a,b"');
  assert.equal(csv_cell('a"b'), '"a""b"');
  assert.equal(csv_cell(3), "3");
  for (const row of rows_of(thirty).slice(1))
    for (const cell of row) assert.doesNotMatch(csv_cell(cell), /^"?\s*[=+\-@]/);
});

test("the checksum is CRC-32, and covers the name", () => {
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
  const one = thirty[0];
  assert.notEqual(checksum_of(one), checksum_of({ ...one, who: "Eve" }));
});

// --- the class ---

/** The table as it should be, counted from what was made up. */
function expected_cell(one, key) {
  const [lesson, step, question] = JSON.parse(key);
  const answer = one.answers.find(
    (other) => other.lesson === lesson && other.step === step && other.question === question,
  );
  if (!answer) return "";
  const { tries, right_at, told, hints, mistakes } = answer;
  const tried = `${tries} ${tries === 1 ? "try" : "tries"}`;
  let words = tries === 0 ? "not tried" : `not yet, ${tried}`;
  if (told) words = tries === 0 ? "told at once" : `told after ${tried}`;
  if (right_at) words = `right at try ${right_at}`;
  if (hints) words += `, ${Math.min(hints, 3)} hint${hints === 1 ? "" : "s"}`;
  return mistakes.length > 0 ? `${words}: ${[...new Set(mistakes)].join("; ")}` : words;
}

test("the table of a class of thirty is right to the cell, from files, tables and codes", () => {
  const ways = {
    files: thirty.flatMap((one) => read_hand_ins("a.json", file_of(one)).hand_ins),
    tables: thirty.flatMap((one) => read_hand_ins("a.csv", table_of(one)).hand_ins),
    codes: read_codes(thirty.map(code_of).join("\n")).hand_ins,
  };
  for (const [way, hand_ins] of Object.entries(ways)) {
    const students = students_of(hand_ins);
    assert.equal(students.length, 30, way);
    const questions = questions_of(students);
    assert.equal(questions.length, 5, way);
    for (const one of thirty) {
      // Émile and émile are two students of one name, as their answers were begun at other times.
      const found = students.filter(({ who }) => who === one.who || who === `${one.who} (2)`);
      for (const { key } of questions)
        assert.ok(
          found.some((student) => cell_of(student, key) === expected_cell(one, key)),
          `${way}: ${one.who} ${key}`,
        );
    }
    const made = thirty.flatMap(({ answers }) => answers.flatMap(({ mistakes }) => mistakes));
    assert.equal(
      mistakes_of(students).reduce((sum, { times }) => sum + times, 0),
      made.length,
      way,
    );
    for (const { mistake, students: by, question } of mistakes_of(students)) {
      const those = thirty.filter(({ answers }) =>
        answers.some((one) => one.question === question && one.mistakes.includes(mistake)),
      );
      assert.equal(by, those.length, `${way}: ${mistake}`);
    }
    for (const { key } of questions) {
      const [lesson, step, question] = JSON.parse(key);
      const own = thirty.flatMap(({ answers }) =>
        answers.filter((one) => one.lesson === lesson && one.step === step && one.question === question),
      );
      const right = own.filter(({ right_at }) => right_at > 0).length;
      const at_once = own.filter(({ right_at }) => right_at === 1).length;
      assert.equal(sum_of(students, key), `${right} of ${own.length} right, ${at_once} at once`, way);
    }
  }
});

test("what one student hands in twice, early and late, as code and as file, is one row", () => {
  const one = thirty.find(({ answers }) => answers.every(({ tries, hints }) => tries > 1 && hints < 4));
  assert.ok(one, "somebody tried all");
  const early = {
    who: one.who,
    answers: [{ ...one.answers[0], tries: 0, right_at: 0, hints: 0, told: false, mistakes: [] }],
  };
  const hand_ins = [
    ...read_codes(code_of(early)).hand_ins,
    ...read_hand_ins("a.json", file_of(one)).hand_ins,
    ...read_codes(code_of(one)).hand_ins,
  ];
  const students = students_of(hand_ins);
  assert.equal(students.length, 1);
  assert.equal(students[0].hand_ins, 3);
  assert.equal(students[0].answers.size, one.answers.length);
  for (const { key } of questions_of(students)) assert.equal(cell_of(students[0], key), expected_cell(one, key));
  const words = [...students[0].answers.values()].map(({ asked }) => asked);
  assert.deepEqual(words.sort(), one.answers.map(({ asked }) => asked).sort(), "in the words of the file");
});

test("hand-ins without a name are a row each", () => {
  const nobody = thirty.slice(0, 3).map((one) => ({ ...one, who: "" }));
  assert.deepEqual(
    students_of(nobody).map(({ who }) => who),
    ["(no name)", "(no name) (2)", "(no name) (3)"],
  );
});

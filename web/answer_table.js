// The tables of the sheet of answers: which question it was, how it went and when.
import { make } from "./dom.js";

/** @import { AnswerRecord } from "./types" */

/** The choice of all lessons. */
export const kAll = "*";

/** A question that a step asks before it goes on. */
const kPrediction = "prediction";

/**
 * "right at try 2, 1 hint". A prediction that was wrong is told at once: "not right, 1 try".
 * @param {Pick<AnswerRecord, "question" | "right_at" | "tries" | "told" | "hints">} one
 */
export function result_of({ question, right_at, tries, told, hints }) {
  const tried = tries === 1 ? "1 try" : `${tries} tries`;
  const result =
    right_at > 0
      ? `right at try ${right_at}`
      : told
        ? tries > 0
          ? `told after ${tried}`
          : "told at once"
        : tries > 0
          ? `not ${question === kPrediction ? "right" : "yet"}, ${tried}`
          : "not tried";
  return hints > 0 ? `${result}, ${hints} hint${hints === 1 ? "" : "s"}` : result;
}

/** The lesson's title. @param {AnswerRecord} answer */
const title_of = ({ lesson, title }) => title || lesson || "Check me, outside lessons";

/** In the visitor's own time. @param {AnswerRecord} one */
function when({ first, last }) {
  if (first === 0) return "";
  const time = (/** @type {number} */ seconds) =>
    new Date(seconds * 1000).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
  return last - first < 60 ? time(last) : `${time(first)} to ${time(last)}`;
}

/** @param {AnswerRecord[]} answers */
export function lesson_options(answers) {
  const options = [...by_lesson(answers)].map(([lesson, own]) =>
    make("option", { value: lesson }, `${title_of(own[0])} (${own.length})`),
  );
  return [make("option", { value: kAll }, `All (${answers.length})`), ...options];
}

/** @param {AnswerRecord[]} answers @returns {Map<string, AnswerRecord[]>} */
function by_lesson(answers) {
  const groups = new Map();
  for (const one of answers) groups.set(one.lesson, [...(groups.get(one.lesson) ?? []), one]);
  return groups;
}

/** A table for each lesson. @param {AnswerRecord[]} answers */
export function tables_of(answers) {
  return [...by_lesson(answers).values()].map((own) =>
    make(
      "div",
      { class: "sheet-table", tabindex: 0, role: "group", "aria-label": title_of(own[0]) },
      make(
        "table",
        {},
        make("caption", {}, title_of(own[0])),
        make(
          "thead",
          {},
          make("tr", {}, ...["Step", "Question", "Result", "Last typed", "Mistakes", "When"].map(head)),
        ),
        make("tbody", {}, ...own.map(row_of)),
      ),
    ),
  );
}

/** @param {string} text */
const head = (text) => make("th", { scope: "col" }, text);

/** @param {AnswerRecord} one */
function row_of(one) {
  const step = one.step > 0 ? `${one.step}. ${one.step_title}` : "";
  const cells = [one.asked || one.question, result_of(one), one.typed, one.mistakes.join("; "), when(one)];
  return make("tr", {}, make("th", { scope: "row" }, step), ...cells.map((text) => make("td", { dir: "auto" }, text)));
}

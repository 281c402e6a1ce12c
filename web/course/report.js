// What a package tells a course system: which of the questions it asks are answered, and how each answer looks. Answers in, numbers
// and rows out; knows no run-time and no document.

/** @import { AnswerRecord, Course, CourseItem, CourseReport } from "../types" */

const kPrediction = "prediction"; // as kPredictionInLog in src/playground/lessons/prediction.h
const kMostId = 250; // letters: SCORM 1.2 has 255

/**
 * How far the visitor is. Of the questions of a step as many count as the package asks for there, so that another seed's numbers do
 * not count twice.
 * @param {Course} course
 * @param {AnswerRecord[]} answers all of the visit
 * @returns {CourseReport}
 */
export function report_of({ asked }, answers) {
  const items = [];
  let right = 0;
  let settled = 0;
  for (const { lesson, step, count } of asked) {
    const here = items_of(answers.filter((one) => one.lesson === lesson && one.step === step));
    right += Math.min(count, here.filter((one) => one.is_right).length);
    settled += Math.min(count, here.filter((one) => one.is_settled).length);
    items.push(...here);
  }
  const total = asked.reduce((sum, { count }) => sum + count, 0);
  return { right, settled, asked: total, is_done: settled === total, items };
}

/** One row a question: of several, asked with other numbers, the one that went best. @param {AnswerRecord[]} answers */
function items_of(answers) {
  /** @type {Map<string, CourseItem>} */
  const items = new Map();
  for (const one of answers.filter(({ tries, told }) => tries > 0 || told)) {
    const item = item_of(one);
    const other = items.get(item.id);
    if (!other || worth(item) >= worth(other)) items.set(item.id, item);
  }
  return [...items.values()];
}

/** @param {CourseItem} item */
const worth = ({ is_right, is_settled }) => Number(is_right) + Number(is_settled);

/** @param {AnswerRecord} answer @returns {CourseItem} */
function item_of({ lesson, step, question, asked, typed, tries, right_at, told, last }) {
  const is_right = right_at > 0;
  return {
    id:
      `${lesson || "task"}-${step}-${question}`
        .match(/[A-Za-z0-9]+/g)
        ?.join("-")
        .slice(0, kMostId) ?? "",
    asked,
    typed,
    is_right,
    // The first choice of a prediction tells how it is.
    is_settled: is_right || told || (question === kPrediction && tries > 0),
    tries,
    last,
  };
}

/** "2 of 5 right, 3 answered." @param {CourseReport} report */
export function progress_of({ right, settled, asked }) {
  if (asked === 0) return "Nothing is asked here: having opened it is enough.";
  return settled === asked
    ? `All answered: ${right} of ${asked} right.`
    : `${settled} of ${asked} answered, ${right} right.`;
}

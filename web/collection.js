// Puts the hand-ins of a class together: who answered what, and which mistakes were made. Knows no page.
import { result_of } from "./answer_table.js";

/** @import { AnswerRecord, HandIn } from "./types" */

/**
 * @typedef {object} Student
 * @property {string} who
 * @property {Map<string, AnswerRecord>} answers by question_key
 * @property {boolean} is_intact all that came under this name
 * @property {number} hand_ins how many those are
 */
/** @typedef {{ key: string, lesson: string, step: number, question: string, asked: string }} ClassQuestion */
/** @typedef {{ mistake: string, lesson: string, step: number, question: string, students: number, times: number }} ClassMistake */

const kNoName = "(no name)";

/** Two students answered the same question if it stands at the same place; other numbers of it count as the same. @param {AnswerRecord} one */
export const question_key = ({ lesson, step, question }) => JSON.stringify([lesson, step, question]);

/** @param {AnswerRecord} one */
const told_by = ({ tries, hints, told }) => tries + hints + Number(told);
/** The minute, as codes know no seconds. @param {AnswerRecord} one */
const begun = ({ first }) => Math.floor(first / 60);

/** Whether what came later may be of the same browser: the questions that both have were begun in the same minute. @param {Student} student @param {HandIn} hand_in */
function may_be_same({ answers }, hand_in) {
  const shared = hand_in.answers.filter((one) => answers.has(question_key(one)));
  return shared.every((one) => begun(one) === begun(/** @type {AnswerRecord} */ (answers.get(question_key(one)))));
}

/** The answer that tells of more; numbers of one question that were drawn anew are one question. @param {AnswerRecord | undefined} before @param {AnswerRecord} one */
function fuller(before, one) {
  if (before === undefined || told_by(one) > told_by(before)) return one;
  const has_words = told_by(one) === told_by(before) && before.asked === before.question && one.asked !== one.question;
  return has_words ? one : before; // a code has no words
}

/**
 * Students by name. What comes twice from one browser, as a code and as a file, or early and late, is put together; two students of
 * one name stay two.
 * @param {HandIn[]} hand_ins
 * @returns {Student[]}
 */
export function students_of(hand_ins) {
  /** @type {Map<string, Student[]>} */
  const by_name = new Map();
  for (const hand_in of hand_ins) {
    const who = hand_in.who || kNoName;
    const name = who.toLocaleLowerCase("en");
    const others = by_name.get(name) ?? [];
    by_name.set(name, others);
    let student = hand_in.who === "" ? undefined : others.find((one) => may_be_same(one, hand_in));
    if (student === undefined) {
      student = {
        who: others.length === 0 ? who : `${who} (${others.length + 1})`,
        answers: new Map(),
        is_intact: true,
        hand_ins: 0,
      };
      others.push(student);
    }
    student.hand_ins += 1;
    student.is_intact &&= hand_in.is_intact === true;
    for (const one of hand_in.answers) {
      const key = question_key(one);
      student.answers.set(key, fuller(student.answers.get(key), one));
    }
  }
  const students = [...by_name.values()].flat();
  return students.sort((a, b) => a.who.localeCompare(b.who, "en", { numeric: true }));
}

/** The questions that anybody answered, by lesson, step and place. @param {Student[]} students @returns {ClassQuestion[]} */
export function questions_of(students) {
  /** @type {Map<string, ClassQuestion>} */
  const questions = new Map();
  for (const { answers } of students) {
    for (const [key, { lesson, step, question, asked }] of answers) {
      const known = questions.get(key);
      if (known === undefined || known.asked === known.question)
        questions.set(key, { key, lesson, step, question, asked });
    }
  }
  const compare = (/** @type {ClassQuestion} */ a, /** @type {ClassQuestion} */ b) =>
    a.lesson.localeCompare(b.lesson, "en") ||
    a.step - b.step ||
    a.question.localeCompare(b.question, "en", { numeric: true });
  return [...questions.values()].sort(compare);
}

/** "right at try 2, 1 hint: forget to divide by √2"; "" for what was not answered. @param {Student} student @param {string} key */
export function cell_of(student, key) {
  const answer = student.answers.get(key);
  if (answer === undefined) return "";
  const mistakes = [...new Set(answer.mistakes)].join("; ");
  return mistakes === "" ? result_of(answer) : `${result_of(answer)}: ${mistakes}`;
}

/** The named mistakes of the class, the most frequent first. @param {Student[]} students @returns {ClassMistake[]} */
export function mistakes_of(students) {
  /** @type {Map<string, ClassMistake & { by: Set<Student> }>} */
  const mistakes = new Map();
  for (const student of students) {
    for (const [key, { lesson, step, question, mistakes: made }] of student.answers) {
      for (const mistake of made) {
        const name = `${key}\n${mistake}`;
        const one = mistakes.get(name) ?? { mistake, lesson, step, question, students: 0, times: 0, by: new Set() };
        mistakes.set(name, one);
        one.times += 1;
        one.by.add(student);
        one.students = one.by.size;
      }
    }
  }
  return [...mistakes.values()]
    .map(({ by: _, ...one }) => one)
    .sort((a, b) => b.students - a.students || b.times - a.times || a.mistake.localeCompare(b.mistake, "en"));
}

/** How the class did with a question. @param {Student[]} students @param {string} key */
export function sum_of(students, key) {
  const answers = students.flatMap(({ answers }) => answers.get(key) ?? []);
  const right = answers.filter(({ right_at }) => right_at > 0);
  const at_once = right.filter(({ right_at }) => right_at === 1).length;
  return `${right.length} of ${answers.length} right, ${at_once} at once`;
}

/** What the page saves as CSV: a row a student and question. @param {Student[]} students @returns {HandIn[]} */
export const hand_ins_of = (students) => students.map(({ who, answers }) => ({ who, answers: [...answers.values()] }));

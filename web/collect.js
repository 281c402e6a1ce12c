// The page that collects answers: reads the files and codes that students hand in, and shows a table of the class. It asks for
// nothing and keeps nothing. hand_in.js reads, collection.js counts.
import { cell_of, hand_ins_of, mistakes_of, questions_of, students_of, sum_of } from "./collection.js";
import { make } from "./dom.js";
import { csv_of, read_codes, read_hand_ins, rows_of } from "./hand_in.js";

/** @import { ClassMistake, ClassQuestion, Student } from "./collection.js" */
/** @import { HandIn, ReadHandIns } from "./types" */

const kMostFiles = 500;
const kMostBytes = 4 * 1024 * 1024; // of a file: far more than a thousand answers
const kMostHandIns = 2000;
const kAll = "*";

/** @template {HTMLElement} [Kind=HTMLElement] @param {string} name @returns {Kind} */
function part(name) {
  const found = document.querySelector(`[data-part="${name}"]`);
  if (!found) throw new Error(`collect.html has no part "${name}"`);
  return /** @type {Kind} */ (found);
}

/** @param {number} number @param {string} thing */
const counted = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;
/** @param {string} lesson */
const lesson_title = (lesson) => lesson || "outside lessons";

class CollectPage {
  /** @type {HandIn[]} */
  #hand_ins = [];
  /** @type {string[]} */
  #problems = [];
  #lesson = kAll;
  #files = /** @type {HTMLInputElement} */ (part("files"));
  #codes = /** @type {HTMLTextAreaElement} */ (part("codes"));
  #chooser = /** @type {HTMLSelectElement} */ (part("lesson"));

  constructor() {
    this.#files.addEventListener("change", async () => {
      await this.#read_files([...(this.#files.files ?? [])]);
      this.#files.value = ""; // so that choosing the same file again counts as a change
    });
    part("codes-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#read_text();
    });
    this.#chooser.addEventListener("change", () => {
      this.#lesson = this.#chooser.value;
      this.#show();
    });
    part("save").addEventListener("click", () => this.#save());
    part("forget").addEventListener("click", () => {
      this.#hand_ins = [];
      this.#problems = [];
      this.#lesson = kAll;
      this.#show();
      part("status").textContent = "All is forgotten.";
      this.#files.focus();
    });
    const root = part("root");
    root.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      root.dataset.dragging = "";
    });
    root.addEventListener("dragleave", (event) => {
      if (!(event.relatedTarget instanceof Node) || !root.contains(event.relatedTarget)) delete root.dataset.dragging;
    });
    root.addEventListener("drop", (event) => {
      delete root.dataset.dragging;
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      void this.#read_files([...event.dataTransfer.files]);
    });
    part("message").hidden = true;
    part("main").hidden = false;
  }

  /** @param {File[]} files */
  async #read_files(files) {
    /** @type {ReadHandIns} */
    const read = { hand_ins: [], problems: [] };
    if (files.length > kMostFiles) read.problems.push(`Only the first ${kMostFiles} files are read.`);
    for (const file of files.slice(0, kMostFiles)) {
      try {
        if (file.size > kMostBytes) throw new Error("it is larger than files of answers are");
        const one = read_hand_ins(file.name, await file.text());
        read.hand_ins.push(...one.hand_ins);
        read.problems.push(...one.problems);
      } catch (error) {
        read.problems.push(`${file.name} is not read: ${/** @type {Error} */ (error).message}.`);
      }
    }
    this.#take(read, counted(files.length, "file"));
  }

  #read_text() {
    const text = this.#codes.value;
    if (text.trim() === "") return;
    const read = read_codes(text);
    if (read.hand_ins.length === 0 && read.problems.length === 0)
      read.problems.push("There is no code in this text: a code begins with “ATTN1-”.");
    if (read.problems.length === 0) this.#codes.value = "";
    this.#take(read, "the text");
  }

  /** @param {ReadHandIns} read @param {string} from */
  #take({ hand_ins, problems }, from) {
    const room = Math.max(0, kMostHandIns - this.#hand_ins.length);
    if (hand_ins.length > room) problems.push(`Only ${kMostHandIns} hand-ins are read.`);
    this.#hand_ins.push(...hand_ins.slice(0, room));
    this.#problems = problems;
    this.#show();
    const not_read = problems.length > 0 ? ` ${counted(problems.length, "problem")}: see below.` : "";
    part("status").textContent = `${counted(hand_ins.length, "hand-in")} read from ${from}.${not_read}`;
  }

  #show() {
    const problems = part("problems");
    problems.hidden = this.#problems.length === 0;
    problems.replaceChildren(...this.#problems.map((sentence) => make("li", { dir: "auto" }, sentence)));
    const students = students_of(this.#hand_ins);
    part("class").hidden = students.length === 0;
    const questions = questions_of(students);
    this.#show_lessons(questions);
    const shown = questions.filter(({ lesson }) => this.#lesson === kAll || lesson === this.#lesson);
    part("table").replaceChildren(class_table(students, shown));
    const mistakes = mistakes_of(students).filter(({ lesson }) => this.#lesson === kAll || lesson === this.#lesson);
    part("mistakes").replaceChildren(
      mistakes.length > 0 ? mistakes_table(mistakes) : make("p", { class: "author-message" }, "None was named."),
    );
  }

  /** @param {ClassQuestion[]} questions */
  #show_lessons(questions) {
    const lessons = [...new Set(questions.map(({ lesson }) => lesson))];
    if (!lessons.includes(this.#lesson)) this.#lesson = kAll;
    this.#chooser.replaceChildren(
      make("option", { value: kAll }, "all"),
      ...lessons.map((lesson) => make("option", { value: lesson }, lesson_title(lesson))),
    );
    this.#chooser.value = this.#lesson;
  }

  #save() {
    const text = csv_of(rows_of(hand_ins_of(students_of(this.#hand_ins))));
    const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    make("a", { href: address, download: "class.csv" }).click();
    window.setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser may still be reading
    part("announcement").textContent = "class.csv is made.";
  }
}

/** @param {Student[]} students @param {ClassQuestion[]} questions */
function class_table(students, questions) {
  const head = questions.map(({ lesson, step, question, asked }) =>
    make("th", { scope: "col" }, ...step_words(lesson, step), make("span", { dir: "auto" }, asked || question)),
  );
  const rows = students.map((student) => {
    const cells = questions.map(({ key }) => {
      const answer = student.answers.get(key);
      const kind = answer === undefined ? "" : answer.right_at > 0 ? "collect-right" : "collect-wrong";
      return make("td", { class: kind, dir: "auto" }, cell_of(student, key));
    });
    const answers = questions.flatMap(({ key }) => student.answers.get(key) ?? []);
    const right = answers.filter(({ right_at }) => right_at > 0).length;
    const state = student.is_intact ? "fits" : "changed after it was made";
    return make(
      "tr",
      {},
      make("th", { scope: "row", dir: "auto" }, student.who),
      make("td", {}, `${right} of ${answers.length}`),
      ...cells,
      make("td", {}, state),
    );
  });
  const sums = questions.map(({ key }) => make("td", {}, sum_of(students, key)));
  return make(
    "table",
    {},
    make("caption", {}, `${counted(students.length, "student")}, ${counted(questions.length, "question")}`),
    make("thead", {}, make("tr", {}, column("Who"), column("Right"), ...head, column("Checksum"))),
    make("tbody", {}, ...rows),
    make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, "The class"), make("td"), ...sums, make("td"))),
  );
}

/** @param {ClassMistake[]} mistakes */
function mistakes_table(mistakes) {
  const rows = mistakes.map(({ mistake, lesson, step, question, students, times }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row", dir: "auto" }, mistake),
      make("td", {}, String(students)),
      make("td", {}, String(times)),
      make("td", {}, ...step_words(lesson, step)),
      make("td", { dir: "auto" }, question),
    ),
  );
  const head = ["Mistake", "Students", "Times", "Step", "Question"].map(column);
  return make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
}

/** @param {string} text */
const column = (text) => make("th", { scope: "col" }, text);

/** "causal, step 8" as a link to it, where it can be one. @param {string} lesson @param {number} step */
function step_words(lesson, step) {
  if (lesson === "") return ["outside lessons"];
  const words = `${lesson}, step ${step}`;
  if (!/^[a-z0-9-]{1,40}$/.test(lesson) || step < 1) return [words];
  return [make("a", { href: `./#lesson=${lesson}&step=${step}` }, words)];
}

new CollectPage();

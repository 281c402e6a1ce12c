// What the author's page makes of a list of names: a link with numbers of their own for each student, worksheets for print, a key, and
// questions for a course system.
// The names stay in this page: nothing keeps or sends them.
import { button, field, kNotCopied, save } from "./author_handout.js";
import { copy_text } from "./clipboard.js";
import { make } from "./dom.js";

/** @import { Engine, Paper, QuestionKind, Variants as Made, VariantsKind } from "./types" */

/** What can be saved of a class. @type {{ kind: VariantsKind, label: string, name: string, media_type: string, is_of_answers: boolean }[]} */
const kFiles = [
  { kind: "links", label: "Save the links (CSV)", name: "links.csv", media_type: "text/csv", is_of_answers: false },
  {
    kind: "worksheets",
    label: "Save all worksheets",
    name: "worksheets.html",
    media_type: "text/html",
    is_of_answers: true,
  },
  { kind: "key", label: "Save the key", name: "key.html", media_type: "text/html", is_of_answers: true },
  { kind: "answers", label: "Save the key (CSV)", name: "key.csv", media_type: "text/csv", is_of_answers: true },
];
/** Files of questions, by what is chosen. @type {Record<QuestionKind, { label: string, name: string, media_type: string }>} */
const kQuestions = {
  moodle: { label: "Moodle XML", name: "questions.xml", media_type: "application/xml" },
  gift: { label: "GIFT", name: "questions.txt", media_type: "text/plain" },
  qti: { label: "QTI 2.1", name: "questions.zip", media_type: "application/zip" },
};
const kTaken = "the page is making them …";

export class Variants {
  #engine;
  #announce;
  #address;
  #link = "";
  /** Of what the table was made; empty: there is none. */
  #made = { link: "", names: "" };
  #names = make("textarea", { id: "author-names", rows: 5, spellcheck: "false", autocomplete: "off", dir: "auto" });
  #paper = make(
    "select",
    { id: "author-paper" },
    make("option", { value: "a4" }, "A4"),
    make("option", { value: "letter" }, "Letter"),
  );
  #format = make(
    "select",
    { id: "author-questions" },
    ...Object.entries(kQuestions).map(([kind, { label }]) => make("option", { value: kind }, label)),
  );
  #make = button("Make one per student");
  #status = make("p", { class: "author-hint", role: "status" });
  #notes = make("ul", { class: "author-notes", hidden: true });
  #files = make("div", { class: "author-row", hidden: true });
  #table = make("div", {
    class: "author-variants",
    tabindex: 0,
    role: "group",
    "aria-label": "One per student",
    hidden: true,
  });

  /**
   * @param {HTMLElement} section
   * @param {Engine} engine
   * @param {{ announce: (sentence: string) => void, address: () => string }} page its address is that of the playground
   */
  constructor(section, engine, { announce, address }) {
    this.#engine = engine;
    this.#announce = announce;
    this.#address = address;
    const sheet = button("Save a worksheet");
    const key = button("Save its key");
    const questions = button("Save its questions");
    sheet.addEventListener("click", () => this.#save_export("worksheet", "worksheet.html", this.#sheet_options()));
    key.addEventListener("click", () => this.#save_export("worksheet", "key.html", `${this.#sheet_options()}&key=1`));
    questions.addEventListener("click", () => {
      const { name } = kQuestions[this.#question_kind()];
      this.#save_export(this.#question_kind(), name, "");
    });
    this.#make.addEventListener("click", () => void this.#make_table());
    for (const { kind, label, name, media_type, is_of_answers } of kFiles) {
      const one = button(label);
      one.dataset.answers = String(is_of_answers);
      one.addEventListener("click", () => void this.#save(kind, name, media_type));
      this.#files.append(one);
    }
    const all_questions = button("Save all questions");
    all_questions.dataset.answers = "false"; // a step may ask for no number, and yet ask
    all_questions.addEventListener("click", () => {
      const kind = this.#question_kind();
      void this.#save(kind, kQuestions[kind].name, kQuestions[kind].media_type);
    });
    this.#files.append(all_questions);
    section.append(
      make(
        "p",
        { class: "author-hint" },
        "What the class is asked for, as a page for print: the numbers that are given, boxes to fill in, room for arithmetic. Open " +
          "it, and print it. Ask for a stage with Check me in the playground above, or leave numbers blank.",
      ),
      field("Paper", this.#paper),
      make("div", { class: "author-row" }, sheet, key),
      field(
        "Questions for a course system",
        this.#format,
        make(
          "p",
          { class: "author-hint" },
          "The same as questions that Moodle and others judge, with the known mistakes as feedback. GIFT has no pictures.",
        ),
      ),
      make("div", { class: "author-row" }, questions),
      make("h3", {}, "One per student"),
      field(
        "Names: one on each line, or a table from a spreadsheet or a course system",
        this.#names,
        make(
          "p",
          { class: "author-hint" },
          "Each name gives a seed, and the seed the numbers: the same list makes the same links again. The names stay in this page.",
        ),
      ),
      make("div", { class: "author-row" }, this.#make, this.#status),
      this.#notes,
      this.#files,
      this.#table,
    );
  }

  /** @param {string} link what the page prepares now */
  show(link) {
    this.#link = link;
    if (this.#made.link === "" || this.#made.link === link) return;
    this.#clear();
    this.#say("You have changed the playground: make them again.");
  }

  #clear() {
    this.#made = { link: "", names: "" };
    for (const part of [this.#notes, this.#files, this.#table]) part.hidden = true;
    this.#table.replaceChildren();
  }

  /** @param {string} sentence */
  #say(sentence) {
    this.#status.textContent = sentence;
  }

  /** @param {VariantsKind} kind */
  #variants(kind) {
    const paper = /** @type {Paper} */ (this.#paper.value);
    return this.#engine.variants(this.#made.link, this.#made.names, kind, paper, this.#address());
  }

  async #make_table() {
    this.#clear();
    this.#say(kTaken);
    this.#made = { link: this.#link, names: this.#names.value };
    try {
      /** @type {Made} */
      const made = JSON.parse(new TextDecoder().decode(await this.#variants("json")));
      if (this.#made.link === "") return; // the playground was changed meanwhile
      this.#show_table(made);
    } catch (error) {
      this.#clear();
      this.#say(/** @type {Error} */ (error).message);
    }
  }

  /** @param {Made} made */
  #show_table({ notes, asked, variants }) {
    this.#notes.replaceChildren(...notes.map((note) => make("li", {}, note)));
    this.#notes.hidden = notes.length === 0;
    const heads = ["Name", "Seed", "Link"].map((title) => make("th", { scope: "col" }, title));
    const rows = variants.map(({ name, seed, link }) => {
      const copy = button("Copy");
      copy.setAttribute("aria-label", `Copy the link of ${name}`);
      copy.addEventListener("click", () => void this.#copy(link, name));
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, make("bdi", {}, name)),
        make("td", {}, String(seed)),
        make("td", {}, copy, " ", make("a", { href: link, target: "_blank", rel: "noopener" }, "Open")),
      );
    });
    this.#table.replaceChildren(
      make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)),
    );
    for (const one of /** @type {Iterable<HTMLElement>} */ (this.#files.children))
      one.hidden = one.dataset.answers === "true" && asked.length === 0;
    this.#table.hidden = false;
    this.#files.hidden = false;
    const numbers = asked.length === 0 ? "nothing" : asked.length === 1 ? "1 number" : `${asked.length} numbers`;
    this.#say(`${variants.length === 1 ? "1 link" : `${variants.length} links`}; each asks for ${numbers}.`);
  }

  /** @param {VariantsKind} kind @param {string} name @param {string} media_type */
  async #save(kind, name, media_type) {
    try {
      save(name, new Blob([await this.#variants(kind)], { type: media_type }));
      this.#say(`${name} is made.`);
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message);
    }
  }

  #sheet_options() {
    return `paper=${this.#paper.value}`;
  }

  #question_kind() {
    return /** @type {QuestionKind} */ (this.#format.value);
  }

  /** @param {string} kind of the link's own file @param {string} name @param {string} options */
  #save_export(kind, name, options) {
    try {
      const { bytes, media_type } = this.#engine.export_file(this.#link, kind, options);
      save(name, new Blob([bytes], { type: media_type }));
      this.#say(`${name} is made.`);
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} link @param {string} name */
  async #copy(link, name) {
    const sentence = (await copy_text(link, document.body)) ? `The link of ${name} is copied.` : kNotCopied;
    this.#say(sentence);
    this.#announce(sentence);
  }
}

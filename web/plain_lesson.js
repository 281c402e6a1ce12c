// The lessons in the text version: which one is open, what its step says, and the buttons through the steps.
import { make } from "./dom.js";
import { values_of, with_values } from "./links.js";
import { show_acts, tell } from "./plain_acts.js";
import { make_text_table } from "./plain_tables.js";

/** @import { AskedText, LessonName, LessonStep, Mirror, PlaygroundOptions } from "./types" */
/** @import { OnAct } from "./plain_acts.js" */

let num_lessons = 0;

export class PlainLesson {
  #on_change;
  #autosave;
  #id = `plain-lesson-${++num_lessons}`;
  #chooser = make("select", { name: "lesson", id: this.#id });
  #title = make("h4", { tabindex: -1 });
  #goal = make("p");
  #answer = make("p");
  #text = make("p");
  #keep = make("ul");
  #kept = make("div", { hidden: true }, make("h5", {}, "To keep"), this.#keep);
  #question = make("h5", { id: `${this.#id}-question`, tabindex: -1 });
  #order = make("ol");
  #choices = make("p");
  #verdict = make("p", { role: "status", class: "plain-outcome" });
  #asked = make(
    "div",
    { role: "group", "aria-labelledby": this.#question.id, hidden: true },
    this.#question,
    this.#order,
    this.#choices,
    this.#verdict,
  );
  #count = make("p");
  #printed = make("div");
  #resume = make("button", { type: "button", class: "text-button" });
  #resume_line = make("p", { hidden: true }, this.#resume);
  #back = make("button", { type: "button", class: "text-button" }, "Back");
  #next = make("button", { type: "button", class: "text-button" }, "Next");
  #step = make(
    "div",
    { class: "plain-lesson", role: "group", "aria-label": "Lesson", hidden: true },
    this.#title,
    this.#goal,
    this.#answer,
    this.#text,
    this.#asked,
    this.#kept,
    this.#count,
    this.#printed,
    make("p", {}, this.#back, " ", this.#next),
  );
  #link = "";
  /** @type {Mirror["lesson"]} */
  #shown = null;
  /** @type {LessonName[]} */
  #all = [];
  /** The steps seen in this and earlier visits: "causal=1"; the last one is where the visitor left off. @type {Set<string>} */
  #visited = new Set();

  #on_act;

  /**
   * @param {(link: string) => void} on_change
   * @param {PlaygroundOptions["autosave"]} autosave
   * @param {() => void} on_sheet
   * @param {OnAct} on_act
   */
  constructor(on_change, autosave, on_sheet, on_act) {
    this.#on_change = on_change;
    this.#on_act = on_act;
    this.#autosave = autosave;
    const field = make("div", { class: "plain-field" }, make("label", { for: this.#id }, "Lesson"), this.#chooser);
    this.form = make("form", { class: "plain-form", "aria-label": "Lessons" }, field);
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.#chooser.addEventListener("change", () => this.#choose(this.#chooser.value));
    this.#back.addEventListener("click", () => this.#go(-1));
    this.#next.addEventListener("click", () => this.#go(1));
    this.#resume.addEventListener("click", () => this.#go_to_left());
    const sheet = make("button", { type: "button", class: "text-button" }, "Your answers: look, print, hand in");
    sheet.addEventListener("click", on_sheet);
    this.element = make("div", {}, this.form, this.#resume_line, this.#step, make("p", {}, sheet));
  }

  /** @param {Mirror} mirror @param {string | null} said what became of a choice; null: there was none */
  show({ link, lesson, lessons }, said) {
    this.#link = link;
    this.#shown = lesson;
    this.#all = lessons;
    for (const step of (this.#autosave?.visited ?? "").split(" ")) if (step !== "") this.#visit(step);
    if (lesson && !lesson.is_task) this.#visit(`${lesson.name}=${lesson.step}`);
    this.#chooser.replaceChildren(make("option", { value: "" }, "none"), ...this.#make_groups());
    if (lesson?.is_task) this.#chooser.append(make("option", { value: lesson.name }, `Task: ${lesson.title}`));
    this.#show_left();
    this.#chooser.value = lesson?.name ?? "";
    this.#step.hidden = lesson === null;
    if (lesson === null) return;
    this.#title.textContent = `${lesson.title}, step ${lesson.step} of ${lesson.count}: ${lesson.step_title}`;
    this.#goal.textContent = lesson.goal;
    this.#goal.hidden = lesson.goal === "";
    this.#keep.replaceChildren(...lesson.keep.map((sentence) => make("li", {}, sentence)));
    this.#kept.hidden = lesson.keep.length === 0;
    this.#answer.textContent = lesson.answer;
    this.#answer.hidden = lesson.answer === "";
    this.#text.textContent = lesson.text;
    this.#show_asked(lesson.asks, said);
    this.#count.textContent = lesson.printed_sentence === "" ? "" : `${lesson.printed_sentence}.`;
    this.#count.hidden = lesson.printed_sentence === "";
    this.#printed.replaceChildren(...lesson.printed.map(make_text_table));
    this.#back.disabled = lesson.step === 1;
    this.#next.textContent = lesson.step < lesson.count || lesson.is_task ? "Next" : "Next lesson";
    this.#next.disabled = lesson.step === lesson.count && this.#following(lesson) === undefined;
  }

  /** @param {AskedText | null} asks @param {string | null} said */
  #show_asked(asks, said) {
    this.#asked.hidden = !asks?.question;
    if (!asks?.question) return;
    this.#question.textContent = asks.question;
    this.#order.hidden = asks.order.length === 0;
    this.#order.replaceChildren(...asks.order.map((line) => make("li", {}, line)));
    if (!show_acts(this.#choices, asks.choices, this.#on_act)) this.#question.focus(); // screen readers go on from here
    tell(this.#verdict, said ?? asks.said);
  }

  /** Now the last one. @param {string} step */
  #visit(step) {
    this.#visited.delete(step);
    this.#visited.add(step);
  }

  /** The lessons as options, under the titles of their groups. */
  #make_groups() {
    const groups = new Map(this.#all.map(({ group }) => [group, make("optgroup", { label: group })]));
    this.#all.forEach((one, i) => {
      groups.get(one.group)?.append(make("option", { value: one.name }, `${i + 1}. ${this.#said_of(one)}`));
    });
    return groups.values();
  }

  /** Where the visitor left off: the lesson and its step, from 1. Undefined while a lesson is open. */
  #left() {
    const [name, step] = ([...this.#visited].at(-1) ?? "").split("=");
    const lesson = this.#shown === null ? this.#all.find((one) => one.name === name) : undefined;
    return lesson && { lesson, step: Number(step) };
  }

  #show_left() {
    const left = this.#left();
    this.#resume_line.hidden = left === undefined;
    if (left) this.#resume.textContent = `Go on where you left off: ${left.lesson.title}, step ${left.step}`;
  }

  #go_to_left() {
    const left = this.#left();
    if (left === undefined) return;
    this.#on_change(this.#link_of(left.lesson.name, left.step));
    this.#title.focus(); // screen readers continue from here
  }

  /** "Causal attention: A word must not … (9 steps, 2 visited, 11 minutes)". @param {LessonName} lesson */
  #said_of({ name, title, about, steps, minutes }) {
    const visited = [...this.#visited].filter((step) => step.startsWith(`${name}=`)).length;
    return `${title}: ${about} (${steps} steps, ${visited > 0 ? `${visited} visited, ` : ""}${minutes} minutes)`;
  }

  /** Opens the first step, where screen readers continue. @param {string} name */
  open(name) {
    this.#choose(name);
    this.#title.focus();
  }

  /** @param {string} name empty: leaves the lesson and keeps its numbers */
  #choose(name) {
    this.#on_change(name === "" ? (this.#shown?.leave ?? this.#link) : this.#link_of(name, 1));
  }

  /** Exactly this step; the visitor's link adds only how the page looks. @param {string} lesson @param {number} step */
  #link_of(lesson, step) {
    return ["hide", "lock", "theme", "lang"].reduce(
      (link, key) => with_values(link, key, values_of(this.#link, key)),
      `lesson=${encodeURIComponent(lesson)}&step=${step}`,
    );
  }

  /** @param {LessonStep} lesson */
  #following({ name, is_task }) {
    if (is_task) return undefined;
    return this.#all[this.#all.findIndex((other) => other.name === name) + 1];
  }

  /** @param {number} way -1: back; 1: on */
  #go(way) {
    const lesson = this.#shown;
    if (lesson === null) return;
    const step = lesson.step + way;
    const next = step > lesson.count ? this.#following(lesson)?.name : lesson.name;
    if (next === undefined) return;
    this.#on_change(this.#link_of(next, step > lesson.count ? 1 : step));
    this.#title.focus(); // screen readers continue from here
  }
}

// The author's page writes a teacher's own task here: its steps, each with a text, a state taken from the playground above, and what is
// asked. The task is a lesson, so the page's link, snippets, worksheets and packages are of it like of any other.
import { button, field, kNotCopied, save } from "./author_handout.js";
import { copy_text } from "./clipboard.js";
import { make } from "./dom.js";
import { values_of, with_values } from "./links.js";

/** @import { Engine, Mirror } from "./types" */
/** @typedef {{ says: string, right: boolean, why?: string }} TaskChoice */
/**
 * @typedef {{ title: string, link: string, text: string, answer?: string, hint?: string, question?: string, reason?: string,
 *   choices?: TaskChoice[] }} TaskStep
 */
/** @typedef {{ title: string, about?: string, keep?: string, steps: TaskStep[] }} Task */
/** @typedef {"title" | "text" | "answer" | "hint" | "question" | "reason"} TextOfStep */

const kFormat = { format: "attention-playground task", version: 1 };
const kLong = 1500; // characters, as in author_handout.js
const kMostFile = 262_144; // bytes; the engine refuses more
const kChoices = 4; // that the page offers; files may have more
const kPending = "…"; // for the class's view of a text that is not written yet

export class Tasks {
  #engine;
  #events;
  /** @type {Task | null} */
  #task = null;
  /** What an opened file replaced. @type {Task | null} */
  #before = null;
  #current = 0;
  /** What the page prepares now. @type {Mirror | null} */
  #mirror = null;
  /** The value of `lesson` that shows the task. */
  #lesson = "";
  #saved = { link: "", file: "" };
  #begin = button("Begin a task");
  #file = make("input", { id: "author-task-file", type: "file", accept: ".json,application/json" });
  #back = button("Bring back what was here before");
  #title = make("input", { id: "author-task-title", type: "text", autocomplete: "off", dir: "auto" });
  #about = make("input", { id: "author-task-about", type: "text", autocomplete: "off", dir: "auto" });
  #keep = make("input", { id: "author-task-keep", type: "text", autocomplete: "off", dir: "auto" });
  #steps = make("select", { id: "author-task-steps", size: 4 });
  #state = make("p", { class: "author-hint" });
  #ask = make("select", { id: "author-task-ask" });
  /** @type {Record<TextOfStep, HTMLInputElement | HTMLTextAreaElement>} */
  #texts;
  /** @type {{ says: HTMLInputElement, right: HTMLInputElement, why: HTMLInputElement }[]} */
  #choices = [];
  #editor;
  #step_title = make("legend");
  #status = make("p", { class: "author-hint", role: "status" });
  /** What became of a file. */
  #told = make("p", { class: "author-hint", role: "status" });
  #problems = make("ul", { class: "author-notes", hidden: true });
  #copy = button("Copy the task’s link");
  #save = button("Save the task’s file");
  #moves = {
    add: button("Add a step"),
    copy: button("Duplicate"),
    up: button("Up"),
    down: button("Down"),
    remove: button("Remove"),
  };

  /**
   * @param {HTMLElement} section
   * @param {Engine} engine
   * @param {{ link: (link: string) => void, announce: (sentence: string) => void, address: () => string }} events
   */
  constructor(section, engine, events) {
    this.#engine = engine;
    this.#events = events;
    const text = (/** @type {string} */ id, /** @type {number} */ rows) =>
      make("textarea", { id: `author-task-${id}`, rows, autocomplete: "off", dir: "auto" });
    const line = (/** @type {string} */ id) =>
      make("input", { id: `author-task-${id}`, type: "text", autocomplete: "off", dir: "auto" });
    this.#texts = {
      ...{ title: line("step-title"), text: text("text", 5), answer: line("answer"), hint: line("hint") },
      ...{ question: line("question"), reason: text("reason", 2) },
    };
    fill_stages(this.#ask, engine);
    this.#editor = this.#make_editor();
    this.#back.hidden = true;
    section.append(
      make(
        "p",
        { class: "author-hint" },
        "Write a lesson of your own: a few steps, each with a text and a state of the playground. The class goes through it as through " +
          "the built-in lessons, with Check me, the sheet of answers and handing in.",
      ),
      make("div", { class: "author-row" }, this.#begin, this.#back),
      field("Open a task’s file", this.#file),
      this.#told,
      this.#editor,
    );
    this.#listen();
  }

  /** @param {Mirror} mirror what the page prepares now */
  show(mirror) {
    const is_first = this.#mirror === null;
    this.#mirror = mirror;
    const { lesson } = mirror;
    const is_task = lesson !== null && lesson.is_task;
    if (is_first && is_task) this.#take_link(mirror.link);
    if (is_task && lesson.name === this.#lesson && lesson.step - 1 !== this.#current) {
      this.#current = lesson.step - 1; // the class's own Next and Back
      this.#show_all();
    }
    this.#show_state();
  }

  // --- the parts of the page ---

  #make_editor() {
    const take = button("Take what the playground shows");
    take.addEventListener("click", () => this.#take_state());
    const see = button("Show this step above");
    see.addEventListener("click", () => this.#update());
    const { title, text, answer, hint, question, reason } = this.#texts;
    const choices = Array.from({ length: kChoices }, (_, i) => this.#make_choice(i + 1));
    return make(
      "div",
      { class: "author-task", hidden: true },
      field("Title of the task", this.#title),
      field("What it is about, in a sentence", this.#about),
      field("What to keep of it, told in the last step", this.#keep),
      field("Steps", this.#steps),
      make("div", { class: "author-row", role: "group", "aria-label": "Steps" }, ...Object.values(this.#moves)),
      make(
        "fieldset",
        { class: "author-task-step" },
        this.#step_title,
        field("Title of the step", title),
        field(
          "Text",
          text,
          make(
            "p",
            { class: "author-hint" },
            "{weights 1,2,1} becomes the number at head 1, row 2, column 1 of the stage, {weights 1,2,*} the whole row.",
          ),
        ),
        make("div", { class: "author-row" }, take, see),
        this.#state,
        field("Ask for this stage (Check me)", this.#ask),
        field("Hint, told first when somebody asks for one", hint),
        field("Answer, told in the next step", answer),
        make(
          "details",
          {},
          make("summary", {}, "Ask a question with choices"),
          field("Question", question),
          ...choices,
          field("Reason, told after any choice", reason),
        ),
      ),
      this.#problems,
      make("div", { class: "author-row" }, this.#copy, this.#save, this.#status),
    );
  }

  /** @param {number} number */
  #make_choice(number) {
    const line = (/** @type {string} */ part) =>
      make("input", { id: `author-task-${part}-${number}`, type: "text", autocomplete: "off", dir: "auto" });
    const one = {
      says: line("choice"),
      right: make("input", { type: "checkbox", "aria-label": `Choice ${number} is right` }),
      why: line("why"),
    };
    this.#choices.push(one);
    return make(
      "div",
      { class: "author-task-choice" },
      field(`Choice ${number}`, one.says),
      make("label", { class: "author-tick" }, one.right, "right"),
      field(`What is wrong with choice ${number}`, one.why),
    );
  }

  #listen() {
    this.#begin.addEventListener("click", () => this.#start());
    this.#back.addEventListener("click", () => this.#bring_back());
    this.#file.addEventListener("change", () => void this.#open());
    this.#editor.addEventListener("change", (event) => {
      if (event.target === this.#steps) this.#current = this.#steps.selectedIndex;
      else this.#read_fields();
      this.#show_all();
      this.#update();
    });
    this.#moves.add.addEventListener("click", () =>
      this.#insert(new_step(this.#current + 2, this.#playground_state())),
    );
    this.#moves.copy.addEventListener("click", () => this.#insert(structuredClone(this.#step)));
    this.#moves.up.addEventListener("click", () => this.#move(-1));
    this.#moves.down.addEventListener("click", () => this.#move(1));
    this.#moves.remove.addEventListener("click", () => this.#remove());
    this.#copy.addEventListener("click", () => void this.#copy_link());
    this.#save.addEventListener("click", () => this.#save_file());
  }

  // --- the task ---

  get #step() {
    return /** @type {Task} */ (this.#task).steps[this.#current];
  }

  #start() {
    this.#task = { title: "A task of my own", steps: [new_step(1, this.#playground_state())] };
    this.#current = 0;
    this.#show_all();
    this.#update();
    this.#title.focus();
    this.#title.select();
  }

  /** The state above as a link without a lesson. */
  #playground_state() {
    const { lesson, link } = /** @type {Mirror} */ (this.#mirror);
    return with_values(lesson ? lesson.leave : link, "v", []);
  }

  #take_state() {
    this.#step.link = this.#playground_state();
    this.#show_all();
    this.#update();
    this.#events.announce(`Step ${this.#current + 1} has what the playground shows.`);
  }

  /** @param {TaskStep} step */
  #insert(step) {
    this.#current += 1;
    this.#task?.steps.splice(this.#current, 0, step);
    this.#show_all();
    this.#update();
    this.#texts.title.focus();
  }

  /** @param {number} way -1: up; 1: down */
  #move(way) {
    const { steps } = /** @type {Task} */ (this.#task);
    const to = this.#current + way;
    [steps[this.#current], steps[to]] = [steps[to], steps[this.#current]];
    this.#current = to;
    this.#show_all();
    this.#update();
    this.#steps.focus(); // the button may be disabled at the end of the list
  }

  #remove() {
    const { steps } = /** @type {Task} */ (this.#task);
    steps.splice(this.#current, 1);
    this.#current = Math.min(this.#current, steps.length - 1);
    this.#show_all();
    this.#update();
    this.#steps.focus();
  }

  /** Takes what is typed. */
  #read_fields() {
    const task = /** @type {Task} */ (this.#task);
    Object.assign(task, { title: this.#title.value, about: this.#about.value, keep: this.#keep.value });
    for (const [name, control] of Object.entries(this.#texts))
      this.#step[/** @type {TextOfStep} */ (name)] = control.value;
    const typed = this.#choices.map(({ says, right, why }) => ({
      ...{ says: says.value, right: right.checked, why: why.value },
    }));
    const more = (this.#step.choices ?? []).slice(kChoices); // of a file
    this.#step.choices = [...typed.filter(({ says, why }) => says !== "" || why !== ""), ...more];
    this.#step.link = with_values(this.#step.link, "check", this.#ask.value === "" ? [] : [this.#ask.value]);
  }

  // --- what the page shows ---

  #show_all() {
    const task = this.#task;
    this.#editor.hidden = task === null;
    this.#begin.hidden = task !== null;
    if (task === null) return;
    this.#title.value = task.title;
    this.#about.value = task.about ?? "";
    this.#keep.value = task.keep ?? "";
    const options = task.steps.map(({ title }, i) => make("option", { dir: "auto" }, `${i + 1}. ${title}`));
    this.#steps.replaceChildren(...options);
    this.#steps.selectedIndex = this.#current;
    this.#step_title.textContent = `Step ${this.#current + 1} of ${task.steps.length}`;
    for (const [name, control] of Object.entries(this.#texts))
      control.value = this.#step[/** @type {TextOfStep} */ (name)] ?? "";
    show_asked(this.#ask, this.#step.link);
    this.#choices.forEach(({ says, right, why }, i) => {
      const choice = this.#step.choices?.[i];
      says.value = choice?.says ?? "";
      right.checked = choice?.right ?? false;
      why.value = choice?.why ?? "";
    });
    this.#moves.up.disabled = this.#current === 0;
    this.#moves.down.disabled = this.#current === task.steps.length - 1;
    this.#moves.remove.disabled = task.steps.length === 1;
    this.#show_state();
  }

  #show_state() {
    if (this.#task === null) return;
    const { link } = this.#step;
    const is_same = this.#engine.legal_link(link) === this.#engine.legal_link(this.#playground_state());
    this.#state.textContent = is_same
      ? "The playground above shows this step’s state."
      : "The playground above shows another state than this step has.";
  }

  /** Shows the class's view of the step above, and says what is wrong with the task. */
  #update() {
    const { error, link, file, notes } = this.#read(/** @type {Task} */ (this.#task));
    this.#saved = { link, file };
    for (const one of [this.#copy, this.#save]) one.disabled = error !== "";
    this.#problems.replaceChildren(...notes.map((note) => make("li", {}, note)));
    this.#problems.hidden = notes.length === 0;
    const length = this.#events.address().length + link.length + 1;
    const size = `The link has ${length.toLocaleString("en")} characters`;
    if (error !== "") this.#say(error);
    else if (length <= kLong) this.#say(`${size}.`);
    else this.#say(`${size}. Chats and course systems cut off long links: hand out the file, a snippet or a package.`);
    const shown = error === "" ? link : this.#read(as_far_as_written(/** @type {Task} */ (this.#task))).link;
    if (shown === "") return;
    this.#lesson = values_of(shown, "lesson")[0];
    this.#events.link(with_values(shown, "step", [String(this.#current + 1)]));
  }

  /** @param {Task} task @returns {{ error: string, link: string, file: string, notes: string[] }} */
  #read(task) {
    try {
      return { error: "", ...this.#engine.task(JSON.stringify({ ...kFormat, ...task })) };
    } catch (error) {
      return { error: /** @type {Error} */ (error).message, link: "", file: "", notes: [] };
    }
  }

  /** @param {string} sentence */
  #say(sentence) {
    this.#status.textContent = sentence;
  }

  // --- in and out ---

  /** @param {string} file the text of it, one that the engine has read */
  #take(file) {
    this.#before = this.#task;
    this.#back.hidden = this.#before === null;
    this.#task = /** @type {Task} */ (JSON.parse(file));
    this.#current = 0;
  }

  /** The task of the page's own address. @param {string} link */
  #take_link(link) {
    this.#take(this.#engine.task(link).file);
    this.#current = (this.#mirror?.lesson?.step ?? 1) - 1;
    this.#lesson = this.#mirror?.lesson?.name ?? "";
    this.#saved = this.#engine.task(link);
    this.#show_all();
  }

  async #open() {
    const file = this.#file.files?.[0];
    if (!file) return;
    try {
      if (file.size > kMostFile)
        throw new Error(`The file has ${file.size.toLocaleString("en")} bytes: no task has so many.`);
      this.#take(this.#engine.task(await text_of(file)).file);
      this.#told.textContent = "";
      this.#show_all();
      this.#update();
    } catch (error) {
      this.#told.textContent = `${/** @type {Error} */ (error).message} What you have written here stays.`;
    }
    this.#file.value = ""; // so that the same file can be chosen again
  }

  #bring_back() {
    [this.#task, this.#before] = [this.#before, this.#task];
    this.#current = 0;
    this.#show_all();
    this.#update();
  }

  async #copy_link() {
    const link = `${this.#events.address()}#${this.#saved.link}`;
    const sentence = (await copy_text(link, document.body))
      ? `The task’s link is copied: ${link.length.toLocaleString("en")} characters.`
      : kNotCopied;
    this.#say(sentence);
    this.#events.announce(sentence);
  }

  #save_file() {
    save("task.json", new Blob([this.#saved.file], { type: "application/json" }));
    this.#say("task.json is made: drop it on the playground, or put it on your course page.");
  }
}

/** Shows which stages a link asks for; several of them become a choice of their own. @param {HTMLSelectElement} select @param {string} link */
export function show_asked(select, link) {
  const asked = values_of(link, "check")[0] ?? "";
  if (![...select.options].some(({ value }) => value === asked))
    select.append(make("option", { value: asked }, asked.replaceAll("_", " ").replaceAll(",", ", ")));
  select.value = asked;
}

/** The stages as choices of what to ask for. @param {HTMLSelectElement} select @param {Engine} engine */
export function fill_stages(select, engine) {
  const { stages } = engine.hideable();
  select.append(
    make("option", { value: "" }, "nothing"),
    ...stages.map(({ name }) => make("option", { value: name }, name.replaceAll("_", " "))),
  );
}

/** @param {number} number @param {string} link @returns {TaskStep} */
function new_step(number, link) {
  return { title: `Step ${number}`, link, text: "" };
}

/** The task with a mark where a text is still missing, and without a question that is not finished. @param {Task} task @returns {Task} */
function as_far_as_written(task) {
  const steps = task.steps.map(({ title, link, text, hint }) => ({
    ...{ title: title.trim() || kPending, link, text: text.trim() || kPending, hint },
  }));
  return { ...task, title: task.title.trim() || kPending, steps };
}

/** @param {File} file */
async function text_of(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error("The file is no text.");
  }
}

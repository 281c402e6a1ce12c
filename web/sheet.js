// What the visitor answered: kept in the page's own storage, shown as a sheet over the picture or the text version, printed, cleared,
// handed in. The engine counts (Engine.answers); nothing leaves the page but what the visitor saves or copies. In a frame it lasts
// as long as the visit.
import { kAll, lesson_options, tables_of } from "./answer_table.js";
import { copy_text } from "./clipboard.js";
import { make } from "./dom.js";
import { clean_name, code_of, file_of, is_cut, table_of } from "./hand_in.js";
import { values_of } from "./links.js";
import { adopt_style } from "./sheet_style.js";

/** @import { AnswerRecord, Engine, NamedFile, PlaygroundOptions } from "./types" */

export const kAnswersKey = "attention-playground-answers";
const kLongCode = 1500; // letters
const kEmpty = "Nothing is answered yet. Lessons ask for numbers, and so does “Check me”.";
const kNotCopied = "The browser does not let this page copy: select the code and copy it yourself.";
const kKept = "They stay in this browser until you clear them.";
const kOff = "This browser keeps nothing of your visits, as you chose: hand in before you close the page.";
const kFramed = "This page stands in another one and keeps nothing: hand in before you close it.";
const kDenied = "The browser refuses to keep them, or its storage is full: hand in before you close the page.";
const kProof =
  "What you hand in is what this browser counted. Its checksum shows a slip in copying; it is no signature and proves nothing.";

export class Sheet {
  #dialog = make("dialog", { class: "sheet", "aria-labelledby": "sheet-title" });
  #abort = new AbortController();
  #window;
  /** The storage took what was put into it last. */
  #is_kept = true;
  #engine;
  #page;
  #name = "";

  /**
   * @param {HTMLElement} root
   * @param {Engine} engine
   * @param {object} page
   * @param {PlaygroundOptions["autosave"]} page.autosave
   * @param {() => string} page.link
   * @param {() => void} page.answers_replaced answers came from elsewhere, or were cleared: what is shown is out of date
   * @param {(file: NamedFile) => void} page.save hands it to the visitor
   */
  constructor(root, engine, page) {
    this.#engine = engine;
    this.#page = page;
    this.#window = /** @type {Window} */ (root.ownerDocument.defaultView);
    root.append(this.#dialog);
    adopt_style(root.ownerDocument);
    if (page.autosave)
      this.#window.addEventListener("storage", (event) => this.#other_window(event), { signal: this.#abort.signal });
  }

  destroy() {
    this.#abort.abort();
    this.#dialog.remove();
  }

  /** Merges the answers of this visit with those that are kept, and keeps them. */
  keep() {
    const before = this.#engine.answers("");
    const all = this.#merge(this.#kept());
    if (JSON.parse(all).answers.length > 0) this.#put(all);
    if (all !== before) this.#page.answers_replaced();
  }

  /** All answers, with those of a kept text. What is of another version, or broken, adds none. @param {string} kept */
  #merge(kept) {
    try {
      return this.#engine.answers(kept);
    } catch {
      return this.#engine.answers("");
    }
  }

  open() {
    this.keep();
    const { answers } = this;
    const here = values_of(this.#page.link(), "lesson")[0] ?? "";
    this.#show(answers.some(({ lesson }) => lesson === here) ? here : kAll);
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  /** @returns {AnswerRecord[]} */
  get answers() {
    return JSON.parse(this.#engine.answers("")).answers;
  }

  // --- what is kept ---

  #kept() {
    const { autosave } = this.#page;
    try {
      return (autosave?.is_on && autosave.storage.getItem(kAnswersKey)) || "";
    } catch {
      return "";
    }
  }

  /** @param {string} text */
  #put(text) {
    const { autosave } = this.#page;
    if (!autosave?.is_on) return;
    try {
      autosave.storage.setItem(kAnswersKey, text);
      this.#is_kept = true;
    } catch {
      this.#is_kept = false;
    }
  }

  /** Another window of this page answered or cleared something. @param {StorageEvent} event */
  #other_window({ key, oldValue, newValue }) {
    if (key !== kAnswersKey && key !== null) return; // null: everything was removed
    const lessons = (/** @type {string | null} */ text) => {
      try {
        return new Set(/** @type {AnswerRecord[]} */ (JSON.parse(text ?? "").answers).map(({ lesson }) => lesson));
      } catch {
        return new Set();
      }
    };
    const left = lessons(newValue);
    if (newValue === null) this.#engine.clear_answers(kAll);
    else for (const lesson of lessons(oldValue)) if (!left.has(lesson)) this.#engine.clear_answers(lesson);
    // Only read: what this window has more was kept when it was answered, and two windows that both write would never end.
    if (newValue !== null) this.#merge(newValue);
    this.#page.answers_replaced();
    if (this.#dialog.open) this.#show(kAll);
  }

  /** @param {string} which a lesson, or kAll */
  #clear(which) {
    this.#engine.clear_answers(which);
    const { autosave } = this.#page;
    try {
      if (this.answers.length > 0) this.#put(this.#engine.answers(""));
      else autosave?.storage.removeItem(kAnswersKey);
    } catch {
      // Nothing was kept.
    }
    this.#page.answers_replaced();
    this.#show(kAll, "They are cleared.");
  }

  get #how_long() {
    const { autosave } = this.#page;
    if (!autosave) return this.#window.parent === this.#window ? kDenied : kFramed;
    return !autosave.is_on ? kOff : this.#is_kept ? kKept : kDenied;
  }

  // --- what is shown ---

  /** @param {string} which a lesson, or kAll @param {string} [said] */
  #show(which, said = "") {
    const { answers } = this;
    const shown = answers.filter(({ lesson }) => which === kAll || lesson === which);
    const close = button("Close", () => this.#dialog.close());
    const title = make("h2", { id: "sheet-title" }, "Your answers");
    const status = make("p", { role: "status", class: "sheet-status" }, said);
    this.#dialog.replaceChildren(make("div", { class: "sheet-head" }, title, close));
    if (answers.length === 0) {
      this.#dialog.append(status, make("p", {}, kEmpty));
      return close.focus();
    }
    const chooser = make("select", { id: "sheet-lesson" }, ...lesson_options(answers));
    chooser.value = which;
    chooser.addEventListener("change", () => {
      this.#show(chooser.value);
      this.#dialog.querySelector("select")?.focus();
    });
    const right = shown.filter(({ right_at }) => right_at > 0).length;
    this.#dialog.append(
      make("p", { class: "sheet-choice" }, make("label", { for: chooser.id }, "Lesson"), " ", chooser),
      make("p", { class: "sheet-name" }),
      make("p", {}, `${right} of ${shown.length} right. `, make("span", { class: "sheet-kept" }, this.#how_long)),
      status,
      ...tables_of(shown),
      this.#make_hand_in(shown, which),
      this.#make_acts(which, shown.length),
    );
    this.#show_name();
    if (said !== "") close.focus();
  }

  /** On paper, the name stands above the answers. */
  #show_name() {
    const line = this.#dialog.querySelector(".sheet-name");
    if (line) line.textContent = this.#name === "" ? "Name:" : `Name: ${this.#name}`;
  }

  /** @param {AnswerRecord[]} answers @param {string} which */
  #make_hand_in(answers, which) {
    const name = make("input", {
      id: "sheet-who",
      type: "text",
      autocomplete: "name",
      dir: "auto",
      spellcheck: "false",
    });
    const note = make("p", { class: "sheet-note", role: "status" });
    const code = make("textarea", {
      class: "sheet-code",
      readonly: true,
      rows: 4,
      spellcheck: "false",
      "aria-label": "The code",
    });
    const hand_in = () => ({ who: clean_name(name.value), answers });
    const show = () => {
      this.#name = clean_name(name.value);
      code.value = code_of(hand_in());
      note.textContent = is_cut(name.value)
        ? `The name is cut to “${this.#name}”.`
        : code.value.length > kLongCode
          ? `The code has ${code.value.length.toLocaleString("en")} letters: a file is handier, or one lesson at a time.`
          : "";
      this.#show_name();
    };
    const save = (/** @type {string} */ extension, /** @type {string} */ media_type, /** @type {string} */ text) => {
      const of_lesson = which === kAll ? "" : file_part(which || "check-me");
      const file = `answers${of_lesson}${file_part(this.#name)}.${extension}`;
      this.#page.save({ name: file, media_type, bytes: new TextEncoder().encode(text) });
      note.textContent = `${file} is made: give it to your teacher.`;
    };
    name.value = this.#name;
    name.addEventListener("input", show);
    code.addEventListener("focus", () => code.select());
    show();
    return make(
      "section",
      { class: "sheet-hand-in", "aria-labelledby": "sheet-hand-in" },
      make("h3", { id: "sheet-hand-in" }, "Hand in"),
      make("p", { class: "sheet-field" }, make("label", { for: name.id }, "Your name"), " ", name),
      make(
        "p",
        { class: "sheet-buttons" },
        button("Copy the code", async () => {
          note.textContent = (await copy_text(code.value, this.#dialog)) ? "The code is copied." : kNotCopied;
        }),
        " ",
        button("Save as a file", () => save("json", "application/json", file_of(hand_in()))),
        " ",
        button("Save as a table (CSV)", () => save("csv", "text/csv", table_of(hand_in()))),
      ),
      code,
      note,
      make("p", { class: "sheet-proof" }, kProof),
    );
  }

  /** @param {string} which @param {number} count */
  #make_acts(which, count) {
    const place = make("p", { class: "sheet-buttons sheet-acts" });
    const show = (/** @type {(Node | string)[]} */ ...parts) => {
      place.replaceChildren(...parts);
      place.querySelector("button")?.focus();
    };
    const clear = button("Clear …", () =>
      show(
        button("Keep them", () => show(print, " ", clear)),
        ` ${count === 1 ? "This answer is" : `These ${count} answers are`} gone for good: `,
        button("Clear them", () => this.#clear(which)),
      ),
    );
    const print = button("Print", () => this.#window.print());
    place.append(print, " ", clear);
    return place;
  }
}

/** @param {string} label @param {() => void} act */
function button(label, act) {
  const one = make("button", { type: "button", class: "text-button" }, label);
  one.addEventListener("click", act);
  return one;
}

/** "-ada-lovelace" for a file's name. @param {string} name */
function file_part(name) {
  const letters = name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  return letters === "" ? "" : `-${letters.toLowerCase()}`;
}

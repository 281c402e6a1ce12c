// The text version of the picture: lessons, settings, tokens, and the chosen stage's matrices as tables. For screen readers, for
// keyboard users, and for browsers that cannot draw the picture. Made only when it is shown.
import { make } from "./dom.js";
import { is_scene, with_sentence, with_values } from "./links.js";
import { PlainAbout } from "./plain_about.js";
import { PlainActs } from "./plain_acts.js";
import { PlainCheck } from "./plain_check.js";
import { PlainChoice } from "./plain_choice.js";
import { PlainCode } from "./plain_code.js";
import { PlainFind } from "./plain_find.js";
import { PlainLesson } from "./plain_lesson.js";
import { PlainSearch } from "./plain_search.js";
import { PlainSettings } from "./plain_settings.js";
import { PlainShare } from "./plain_share.js";
import { add_tables, describe_shown, make_text_table } from "./plain_tables.js";
import { in_pieces, Task } from "./task.js";

/** @import { Files } from "./files.js" */
/** @import { Engine, Found, Mirror, NamedFile, PlaygroundOptions } from "./types" */

const kElementsAtOnce = 500; // tokens and cells made in one task
const kTypingPause = 500; // ms without typing before everything is made again

export class PlainView {
  /** The state that is shown. @type {Mirror | null} */
  #mirror = null;
  #typing_timer = 0;
  /** The state before the first typed letter: half a sentence may drop settings, which must come back. @type {Mirror | null} */
  #typed_from = null;
  #typed_link = "";
  #on_change;
  #on_answers;
  #section;
  #engine;
  #choice;
  #find;
  #search;
  #lesson;
  #settings;
  #view_settings;
  #acts = new PlainActs((name, typed) => void this.#act(name, typed));
  #check = new PlainCheck((name, typed) => void this.#act(name, typed));
  /** What became of the last act, until it is shown. @type {{ name: string, said: string } | null} */
  #done = null;
  #is_acting = false;
  #abort = new AbortController();
  #share;
  #about;
  #absence = make("p", { class: "plain-absence", role: "status", hidden: true });
  #notes = make("div", { class: "plain-notes", role: "status" });
  // It scrolls, so the keyboard must reach it.
  #tokens = make("ol", { class: "plain-tokens", start: 0, dir: "auto", "aria-label": "Tokens", tabindex: 0 });
  #summary = make("p", { class: "plain-summary", "aria-live": "polite" });
  #explanation = make("div", { class: "plain-explanation" });
  #code;
  #tables = make("div", { class: "plain-tables" });
  /** Makes the long parts step by step; null: all are made. @type {Generator<number, void> | null} */
  #steps = null;
  /** Waiting for the next state's numbers; meanwhile it makes no more parts of the last state. */
  #is_waiting = false;
  #task = new Task(() => this.#go_on());
  #view = make("div", { class: "plain-tables" });

  /**
   * @param {HTMLElement} section
   * @param {Engine} engine
   * @param {object} page
   * @param {(link: string) => void} page.on_change the visitor changed the state; the page then calls show()
   * @param {Files} page.files
   * @param {PlaygroundOptions["autosave"]} page.autosave
   * @param {() => void} page.on_answers the visitor answered something
   * @param {() => void} page.on_sheet wants to see what was answered
   */
  constructor(section, engine, { on_change, files, autosave, on_answers, on_sheet }) {
    this.#section = section;
    this.#engine = engine;
    this.#on_change = on_change;
    this.#on_answers = on_answers;
    const keys = engine.keys();
    this.#choice = new PlainChoice(keys, on_change);
    this.#find = new PlainFind(on_change);
    this.#search = new PlainSearch(engine, (found) => this.#go_to(found));
    this.#lesson = new PlainLesson(on_change, autosave, on_sheet, (name) => void this.#act(name));
    const of_numbers = keys.filter((info) => info.decides_numbers);
    this.#settings = new PlainSettings("Settings", of_numbers, on_change);
    const of_view = keys.filter((info) => !info.decides_numbers);
    this.#view_settings = new PlainSettings("How it is shown", of_view, on_change);
    this.#share = new PlainShare(engine, { on_change, files, autosave });
    this.#about = new PlainAbout(engine);
    this.#code = new PlainCode(engine);
    section.addEventListener("keydown", (event) => this.#take_key(event), { signal: this.#abort.signal });
    section.replaceChildren(
      make("h2", {}, "The picture as text"),
      this.#absence,
      this.#notes,
      this.#acts.undo,
      this.#search.element,
      make("h3", {}, "Lessons"),
      this.#lesson.element,
      this.#check.heading,
      this.#check.element,
      make("h3", {}, "Tokens"),
      this.#tokens,
      make("h3", {}, "Numbers"),
      this.#choice.form,
      this.#view_settings.form,
      this.#acts.element,
      this.#find.element,
      this.#summary,
      this.#explanation,
      this.#code.element,
      this.#view,
      this.#tables,
      make("h3", {}, "Settings"),
      this.#settings.form,
      this.#share.heading,
      this.#share.element,
      this.#about.element,
    );
  }

  /** The engine still computes the numbers of a long text: the last state stays on the page. */
  wait() {
    this.#is_waiting = true;
    this.#section.ariaBusy = "true";
    this.#summary.textContent = "Computing …";
  }

  /**
   * There is no memory for the requested state: keeps showing the last state, or the default state. Returns its link.
   * @param {string} sentence the reason
   */
  refuse(sentence) {
    const mirror = this.#mirror ?? this.show("");
    this.#is_waiting = false;
    this.#summarize(mirror);
    this.#go_on();
    this.#notes.hidden = false;
    this.#notes.replaceChildren(make("ul", {}, make("li", {}, sentence)));
    return mirror.link;
  }

  /**
   * Shows this state. Returns its mirror, whose link is the legal form of `link`.
   * @param {string} link
   * @returns {Mirror}
   */
  show(link) {
    const mirror = this.#engine.visit(link);
    if (link !== this.#typed_link) this.#typed_from = null;
    this.#mirror = mirror;
    this.#is_waiting = false;
    this.#notes.hidden = mirror.notes.length === 0;
    this.#notes.replaceChildren(make("ul", {}, ...mirror.notes.map((note) => make("li", {}, note))));
    const { offer } = mirror;
    if (offer) {
      const button = make("button", { class: "text-button", type: "button" }, offer.label);
      button.addEventListener("click", () => this.#on_change(offer.link));
      this.#notes.append(button);
    }
    this.#choice.show(mirror);
    this.#find.show(mirror);
    this.#search.show(mirror.link);
    this.#settings.show(mirror, mirror.values, "settings");
    this.#view_settings.show(mirror, mirror.view.values);
    const done = this.#done;
    this.#done = null;
    const is_of_lesson = done !== null && done.name.startsWith("predict");
    const is_of_check = done !== null && /^(check|count|answer|question)/.test(done.name);
    this.#lesson.show(mirror, is_of_lesson ? done.said : null);
    this.#acts.show(mirror, is_of_check || is_of_lesson ? null : (done?.said ?? null));
    this.#check.show(mirror, is_of_check ? done.said : null);
    if (is_of_check || is_of_lesson) this.#on_answers();
    this.#share.show(mirror.link);
    this.#about.show(mirror.link);
    this.#code.show(mirror.link, mirror.shown !== null);
    this.#view.replaceChildren(...mirror.view.tables.map(make_text_table));
    this.#show_numbers(mirror);
    return mirror;
  }

  /**
   * Does what the mirror offers, once the numbers are ready; one act at a time.
   * @param {string} name
   * @param {string} [typed]
   */
  async #act(name, typed) {
    const link = this.#mirror?.link;
    if (link === undefined || this.#is_acting || this.#is_waiting) return;
    this.#is_acting = true;
    try {
      await in_pieces(() => this.#engine.prepare(link) || null);
      const done = await in_pieces(() => {
        const answer = this.#engine.act(link, name, typed);
        if (answer.is_done) return answer;
        const is_stopped = this.#acts.show_progress(answer.said);
        return is_stopped ? { link, said: `Stopped: ${answer.said}.` } : null;
      });
      if (this.#mirror?.link !== link) return; // something else came first
      this.#done = { name, said: done.said };
      this.#on_change(done.link);
    } catch (refusal) {
      this.tell(/** @type {Error} */ (refusal).message);
    } finally {
      this.#acts.end_progress();
      this.#is_acting = false;
    }
  }

  /** @param {Found} found */
  #go_to({ kind, name }) {
    if (kind === "setting") this.#settings.reveal(name);
    else if (kind === "lesson") this.#lesson.open(name);
    else this.#on_change(with_values(this.#mirror?.link ?? "", "view", [name]));
  }

  /** Undo and redo by the keys of the picture; fields keep theirs. @param {KeyboardEvent} event */
  #take_key(event) {
    const { target, key, ctrlKey, metaKey, shiftKey, altKey } = event;
    const is_in_field = /** @type {HTMLElement} */ (target).matches("textarea, input:not([type=checkbox])");
    if (is_in_field || altKey || !(ctrlKey || metaKey)) return;
    const letter = key.toLowerCase();
    if (letter !== "z" && letter !== "y") return;
    event.preventDefault();
    void this.#act(letter === "y" || shiftKey ? "redo" : "undo");
  }

  /** The visitor typed this into the page's sentence field. @param {string} text */
  type_sentence(text) {
    window.clearTimeout(this.#typing_timer);
    this.#typing_timer = window.setTimeout(() => {
      if (this.#mirror === null) return;
      this.#typed_from ??= this.#mirror;
      const { link, values, sentence } = this.#typed_from;
      // At the door who reads it is chosen anew, too.
      this.#typed_link = is_scene(link)
        ? this.#engine.act(link, "read=typed", text).link
        : with_sentence(link, values.text, sentence.number, text);
      this.#on_change(this.#typed_link);
    }, kTypingPause);
  }

  /** Says why there is no picture. @param {string} sentence */
  explain_absence(sentence) {
    this.#absence.textContent = sentence;
    this.#absence.hidden = false;
  }

  /** The visitor brought a file. @param {NamedFile} file */
  open_file(file) {
    this.#share.open(file);
  }

  /** Shows a sentence that the visitor should know. @param {string} sentence */
  tell(sentence) {
    this.#share.tell(sentence);
  }

  destroy() {
    this.#abort.abort();
    window.clearTimeout(this.#typing_timer);
    this.#task.stop();
    this.#section.replaceChildren();
  }

  /** @param {Mirror} mirror */
  #show_numbers(mirror) {
    this.#summarize(mirror);
    this.#explanation.replaceChildren(...(mirror.shown?.pinned?.lines ?? []).map((line) => make("p", {}, line)));
    this.#tokens.replaceChildren();
    this.#tables.replaceChildren();
    this.#steps = this.#make_long_parts(mirror);
    this.#go_on();
  }

  /** @param {Mirror} mirror */
  #summarize(mirror) {
    const { shown } = mirror;
    this.#summary.textContent = shown ? describe_shown(mirror, shown) : "There are no tokens yet: type a sentence.";
  }

  /** Yields how many elements each step made. @param {Mirror} mirror @returns {Generator<number, void>} */
  *#make_long_parts({ link, tokens, shown }) {
    for (const token of tokens) {
      this.#tokens.append(make("li", {}, token));
      yield 1;
    }
    if (shown === null) return;
    const values_of = (/** @type {number} */ head) => this.#engine.mirror_head(link, head);
    yield* add_tables(this.#tables, shown, values_of, (cell) =>
      this.#choice.change(with_values(link, "cell", [cell.join(",")])),
    );
  }

  /** Makes some steps now and the others in later frames, each of which lays out its part. Afterwards nothing needs the numbers. */
  #go_on() {
    if (this.#is_waiting) return;
    for (let made = 0; made < kElementsAtOnce && this.#steps !== null;) {
      const { done, value } = this.#steps.next();
      if (done) this.#steps = null;
      else made += value;
    }
    this.#section.ariaBusy = String(this.#steps !== null);
    if (this.#steps !== null) window.requestAnimationFrame(() => this.#task.want());
    else this.#engine.forget();
  }
}

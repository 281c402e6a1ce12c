// The picture as text: lessons, settings, tokens, and the chosen stage's matrices as tables. For screen readers and keyboards, and for
// browsers that cannot draw the picture. Made only when it is shown.
import { make } from "./dom.js";
import { with_values } from "./links.js";
import { PlainChoice } from "./plain_choice.js";
import { PlainLesson } from "./plain_lesson.js";
import { PlainSettings } from "./plain_settings.js";
import { describe_shown, make_tables, make_text_table } from "./plain_tables.js";

/** @import { Engine, Mirror } from "./types" */

export class PlainView {
  #section;
  #engine;
  #choice;
  #lesson;
  #settings;
  #absence = make("p", { class: "plain-absence", role: "status", hidden: true });
  #notes = make("div", { class: "plain-notes", role: "status" });
  #tokens = make("ol", { class: "plain-tokens", start: 0, "aria-label": "Tokens" });
  #summary = make("p", { class: "plain-summary", "aria-live": "polite" });
  #explanation = make("div", { class: "plain-explanation" });
  #tables = make("div", { class: "plain-tables" });
  #view = make("div", { class: "plain-tables" });

  /**
   * @param {HTMLElement} section
   * @param {Engine} engine
   * @param {(link: string) => void} on_change the visitor changed the state; show() is expected to follow
   */
  constructor(section, engine, on_change) {
    this.#section = section;
    this.#engine = engine;
    const keys = engine.keys();
    this.#choice = new PlainChoice(keys, on_change);
    this.#lesson = new PlainLesson(on_change);
    this.#settings = new PlainSettings(keys, on_change);
    section.replaceChildren(
      make("h2", {}, "The picture as text"),
      this.#absence,
      this.#notes,
      make("h3", {}, "Lessons"),
      this.#lesson.element,
      make("h3", {}, "Tokens"),
      this.#tokens,
      make("h3", {}, "Numbers"),
      this.#choice.form,
      this.#summary,
      this.#explanation,
      this.#view,
      this.#tables,
      make("h3", {}, "Settings"),
      this.#settings.form,
    );
  }

  /**
   * Shows this state. Returns what was shown; its link is the legal form of `link`.
   * @param {string} link
   * @returns {Mirror}
   */
  show(link) {
    const mirror = this.#engine.mirror(link);
    this.#notes.hidden = mirror.notes.length === 0;
    this.#notes.replaceChildren(make("ul", {}, ...mirror.notes.map((note) => make("li", {}, note))));
    this.#tokens.replaceChildren(...mirror.tokens.map((token) => make("li", {}, token)));
    this.#lesson.show(mirror);
    this.#choice.show(mirror);
    this.#settings.show(mirror);
    this.#view.replaceChildren(...mirror.view.tables.map(make_text_table));
    this.#show_numbers(mirror);
    return mirror;
  }

  /** Says why there is no picture. @param {string} sentence */
  explain_absence(sentence) {
    this.#absence.textContent = sentence;
    this.#absence.hidden = false;
  }

  destroy() {
    this.#section.replaceChildren();
  }

  /** @param {Mirror} mirror */
  #show_numbers(mirror) {
    const { shown } = mirror;
    if (shown === null) {
      this.#summary.textContent = "There are no tokens yet: type a sentence.";
      this.#explanation.replaceChildren();
      this.#tables.replaceChildren();
      return;
    }
    this.#summary.textContent = describe_shown(mirror, shown);
    this.#explanation.replaceChildren(...(shown.pinned?.lines ?? []).map((line) => make("p", {}, line)));
    this.#tables.replaceChildren(
      ...make_tables(shown, (cell) => this.#choice.change(with_values(mirror.link, "cell", [cell.join(",")]))),
    );
  }
}

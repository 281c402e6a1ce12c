// Check me in the text version: the question, a field for its answer, hints and the score. The engine asks, judges and counts
// (Mirror.check), as it does for the picture.
import { make } from "./dom.js";
import { show_acts, tell } from "./plain_acts.js";

/** @import { CheckText, Mirror } from "./types" */
/** @import { OnAct } from "./plain_acts.js" */

let num_checks = 0;

export class PlainCheck {
  #on_act;
  #id = `plain-check-${++num_checks}`;
  #toggle = make("p");
  #help = make("p", { class: "plain-help" });
  #scopes = make("p", { role: "group", "aria-label": "What is asked" });
  #chooser = make("select", { id: `${this.#id}-question`, name: "question" });
  #choice = field(this.#chooser, "Question");
  #title = make("h4", { tabindex: -1 });
  #lines = make("div", { class: "plain-explanation" });
  #answer = make("input", {
    id: this.#id,
    name: "answer",
    type: "text",
    inputmode: "text",
    autocomplete: "off",
    spellcheck: "false",
  });
  #answer_label = make("span");
  #answer_field = field(this.#answer, this.#answer_label);
  #enter = make("button", { type: "button", class: "text-button" }, "Check the answer");
  // No <form>: in a sandboxed frame browsers submit none.
  #form = make(
    "div",
    { class: "plain-form", role: "form", "aria-label": "Answer" },
    this.#answer_field,
    make("p", { class: "plain-enter" }, this.#enter),
  );
  #said = make("p", { role: "status", class: "plain-outcome" });
  #acts = make("p", { role: "group", "aria-label": "Help with the question" });
  #score = make("p", { class: "plain-score" });
  #name = "";
  #asked = "";
  heading = make("h3", {}, "Check me");
  element = make(
    "div",
    { class: "plain-check" },
    this.#toggle,
    this.#help,
    this.#scopes,
    this.#choice,
    this.#title,
    this.#lines,
    this.#form,
    this.#said,
    this.#acts,
    this.#score,
  );

  /** @param {OnAct} on_act */
  constructor(on_act) {
    this.#on_act = on_act;
    this.#chooser.addEventListener("change", () => on_act(this.#chooser.value));
    const check = () => this.#answer.value.trim() !== "" && on_act(this.#name, this.#answer.value);
    this.#enter.addEventListener("click", check);
    this.#answer.addEventListener("keydown", ({ key, isComposing }) => key === "Enter" && !isComposing && check());
  }

  /** @param {Mirror} mirror @param {string | null} said what became of an act; null: there was none */
  show({ check }, said) {
    const is_there = check !== null && (check.toggle.length > 0 || check.title !== "");
    this.heading.hidden = this.element.hidden = !is_there;
    if (is_there) this.#show(check, said);
  }

  /** @param {CheckText} check @param {string | null} said */
  #show(check, said) {
    show_acts(this.#toggle, check.toggle, this.#on_act);
    this.#help.textContent = check.help;
    this.#help.hidden = check.help === "";
    show_acts(this.#scopes, check.scopes, this.#on_act);
    this.#choice.hidden = check.questions.length === 0;
    this.#chooser.replaceChildren(...check.questions.map(({ name, label }) => make("option", { value: name }, label)));
    this.#chooser.selectedIndex = check.current;
    this.#title.textContent = check.title;
    this.#title.hidden = check.title === "";
    this.#lines.replaceChildren(...check.lines.map((line) => make("p", {}, line)));
    const had_focus = this.#form.contains(
      /** @type {Document | ShadowRoot} */ (this.#form.getRootNode()).activeElement,
    );
    this.#form.hidden = check.field === "";
    if (this.#asked !== check.title || check.field === "") this.#answer.value = check.typed;
    this.#asked = check.title;
    this.#name = check.field;
    this.#answer_label.textContent = `Your answer: ${check.title}`;
    const is_kept = show_acts(this.#acts, check.acts, this.#on_act);
    // Screen readers go on from here.
    if ((had_focus && this.#form.hidden) || !is_kept) (this.#form.hidden ? this.#title : this.#answer).focus();
    this.#score.textContent = check.score;
    this.#score.hidden = check.score === "";
    tell(this.#said, said ?? check.remark);
  }
}

/** @param {HTMLSelectElement | HTMLInputElement} control @param {string | HTMLElement} label */
function field(control, label) {
  return make("div", { class: "plain-field" }, make("label", { for: control.id }, label), control);
}

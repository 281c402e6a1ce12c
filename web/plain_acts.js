// Buttons of the text version for what is more than another value of a setting: undo, steps of the cache, the next word, state B.
// The engine says which there are (Mirror.undo, Mirror.acts), and does them.
import { make } from "./dom.js";

/** @import { Act, Mirror } from "./types" */

/** @typedef {(name: string, typed?: string) => void} OnAct the visitor wants this done */

/**
 * Puts a button for each act into `place`, which may have had others. The focus stays with the act that has it. Returns false if
 * that act is gone.
 * @param {HTMLElement} place
 * @param {Act[]} acts
 * @param {OnAct} on_act
 */
export function show_acts(place, acts, on_act) {
  const focused = focused_act(place);
  place.hidden = acts.length === 0;
  place.replaceChildren(...acts.flatMap((act) => [make_button(act, on_act), " "]));
  return focus_act(place, focused);
}

/** The name of the act in `place` that has the focus. @param {HTMLElement} place */
function focused_act(place) {
  const { activeElement } = /** @type {Document | ShadowRoot} */ (place.getRootNode());
  return activeElement && place.contains(activeElement) ? activeElement.getAttribute("data-act") : null;
}

/** Returns false if there is no such act. @param {HTMLElement} place @param {string | null} name null: none had the focus */
function focus_act(place, name) {
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-act]"));
  if (name === null) return true;
  const button = [...buttons].find((button) => button.dataset.act === name);
  button?.focus();
  return button !== undefined;
}

/** One that is not possible now keeps its place and the focus. @param {Act} act @param {OnAct} on_act */
function make_button({ name, label, is_possible }, on_act) {
  const attributes = {
    type: "button",
    class: "text-button",
    "data-act": name,
    "aria-disabled": !is_possible && "true",
  };
  const button = make("button", attributes, label);
  if (is_possible) button.addEventListener("click", () => on_act(name));
  return button;
}

/** Tells a live region a sentence, also one that it has told before. @param {HTMLElement} region @param {string} sentence */
export function tell(region, sentence) {
  const is_again = sentence !== "" && region.textContent === sentence;
  region.textContent = is_again ? "" : sentence;
  if (is_again) setTimeout(() => (region.textContent ||= sentence));
}

const kMoment = 1000; // ms: what takes longer can be stopped
const kPause = 10_000; // ms between two sentences on how far it is

export class PlainActs {
  #on_act;
  #said = make("p", { role: "status", class: "plain-outcome" });
  #groups = make("div");
  undo = make("p", { class: "plain-undo" });
  #stop = make("button", { type: "button", class: "text-button", hidden: true }, "Stop");
  element = make("div", {}, this.#groups, this.#said, this.#stop);
  /** When the act under way began, and when somebody was told how far it is; null: none is. @type {number | null} */
  #began = null;
  #told = 0;
  #is_stopped = false;

  /** @param {OnAct} on_act */
  constructor(on_act) {
    this.#on_act = on_act;
    this.#stop.addEventListener("click", () => (this.#is_stopped = true));
  }

  /** Of an act that takes long. Returns whether the visitor has stopped it. @param {string} said how far it is */
  show_progress(said) {
    const now = performance.now();
    this.#began ??= now;
    if (now - this.#began < kMoment) return false;
    if (this.#stop.hidden || now - this.#told >= kPause) {
      tell(this.#said, `${said} …`);
      this.#told = now;
    }
    this.#stop.hidden = false;
    return this.#is_stopped;
  }

  end_progress() {
    this.#began = null;
    this.#is_stopped = false;
    this.#stop.hidden = true;
  }

  /** @param {Mirror} mirror @param {string | null} said what became of an act; null: there was none */
  show({ undo, acts }, said) {
    show_acts(this.undo, undo, this.#on_act);
    const focused = focused_act(this.#groups);
    this.#groups.replaceChildren(
      ...acts.flatMap(({ title, words, acts }) => {
        const buttons = make("p", { role: "group", "aria-label": title });
        show_acts(buttons, acts, this.#on_act);
        return [make("h4", { tabindex: -1 }, title), ...words.map((line) => make("p", {}, line)), buttons];
      }),
    );
    if (!focus_act(this.#groups, focused)) this.#groups.querySelector("h4")?.focus();
    tell(this.#said, said ?? "");
  }
}

// Keys of the link as a form, made from the engine's key table: one control for each, in groups that can be folded.
import { make } from "./dom.js";
import { names_of, with_values } from "./links.js";

/** @import { KeyInfo, Mirror } from "./types" */

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

let num_forms = 0;

export class PlainSettings {
  #on_change;
  #link = "";
  #prefix = `plain-settings-${++num_forms}`;
  /** @type {{ info: KeyInfo, control: Control, field: HTMLElement }[]} */
  #rows;
  /** By their titles; the fields stand in the last child. @type {Map<string, HTMLDetailsElement>} */
  #groups = new Map();
  /** Those that the state opened. @type {string[]} */
  #opened = [];
  #was_all = false;
  /** The model of the state that was shown; null: none was yet. @type {string | null} */
  #model = null;

  /**
   * @param {string} label of the form
   * @param {KeyInfo[]} keys
   * @param {(link: string) => void} on_change
   */
  constructor(label, keys, on_change) {
    this.#on_change = on_change;
    this.#rows = keys.map((info) => {
      const control = make_control(info, `${this.#prefix}-${info.key}`);
      return { info, control, field: make_field({ info, control }) };
    });
    this.form = make("form", { class: "plain-form", "aria-label": label });
    for (const { info, field } of this.#rows) this.#place_of(info.group).append(field);
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("change", (event) => {
      const row = this.#rows.find(({ control }) => control === event.target);
      if (row) this.#on_change(with_values(this.#link, row.info.key, values_in(row.control)));
    });
  }

  /** Where the fields of a group stand. @param {string} title empty: of no group @returns {Element} */
  #place_of(title) {
    if (title === "") return this.form;
    const known = this.#groups.get(title)?.lastElementChild;
    if (known) return known;
    const fields = make("div", { class: "plain-fields" });
    const group = make("details", { class: "plain-group" }, make("summary", {}, title), fields);
    this.#groups.set(title, group);
    this.form.append(group);
    return fields;
  }

  /** The groups that the state opens now and did not open before; all others stay as they are, unless the model changed. @param {Mirror} mirror */
  #open_groups({ open_groups, values }) {
    const model = values.model?.[0] ?? "";
    const is_all = [...this.#groups.keys()].every((title) => open_groups.includes(title)); // as in every lesson
    for (const [title, group] of this.#groups) {
      const opens = open_groups.includes(title);
      if (model !== this.#model) group.open = opens;
      else if (opens && (!this.#opened.includes(title) || (is_all && !this.#was_all))) group.open = true;
      group.hidden = this.#rows.every(({ info, field }) => info.group !== title || field.hidden);
    }
    this.#opened = open_groups;
    this.#was_all = is_all;
    this.#model = model;
  }

  /** Opens the group of a key, and gives its control the focus. @param {string} key */
  reveal(key) {
    const row = this.#rows.find(({ info }) => info.key === key);
    if (row === undefined) return;
    const group = this.#groups.get(row.info.group);
    if (group) group.open = true;
    row.control.focus();
    row.field.scrollIntoView({ block: "nearest" });
  }

  /** Shows those keys that have values. @param {Mirror} mirror @param {Record<string, string[]>} values @param {string} [part] of the screen */
  show(mirror, values, part = "") {
    const { link, fixed } = mirror;
    this.#link = link;
    const hidden = names_of(link, "hide");
    const locked = names_of(link, "lock");
    this.form.hidden = (part !== "" && hidden.includes(part)) || !this.#rows.some(({ info }) => info.key in values);
    for (const { info, control, field } of this.#rows) {
      show_values(control, values[info.key] ?? []);
      field.hidden = !(info.key in values) || fixed.includes(info.key) || hidden.includes(`control.${info.key}`);
      control.disabled = locked.includes(info.key) || locked.includes("all");
    }
    this.#open_groups(mirror);
  }
}

/** @param {KeyInfo} info @param {string} id @returns {Control} */
function make_control(info, id) {
  const attributes = { id, name: info.key, "aria-describedby": `${id}-help`, spellcheck: "false", autocomplete: "off" };
  switch (info.kind) {
    case "choice":
      return make("select", attributes, ...info.choices.map((value, i) => make("option", { value }, info.labels[i])));
    case "flag":
      return make("input", { ...attributes, type: "checkbox" });
    case "whole_number":
      return make("input", { ...attributes, type: "text", inputmode: "numeric" });
    case "number":
      return make("input", { ...attributes, type: "text", inputmode: "decimal" });
    case "text":
    case "list":
      return make("textarea", { ...attributes, rows: 2 });
  }
}

/** @param {{ info: KeyInfo, control: Control }} row */
function make_field({ info, control }) {
  const several = info.repeats ? "; one per line" : "";
  return make(
    "div",
    { class: "plain-field" },
    make("label", { for: control.id }, info.label),
    control,
    make("p", { id: `${control.id}-help`, class: "plain-help" }, `${info.help} (${info.legal}${several})`),
  );
}

/** At least one: an empty value empties a list. @param {Control} control @returns {string[]} */
function values_in(control) {
  if (control instanceof HTMLTextAreaElement) {
    const lines = control.value.split("\n").filter((line) => line.trim() !== "");
    return lines.length > 0 ? lines : [""];
  }
  if (control instanceof HTMLInputElement && control.type === "checkbox") return [control.checked ? "1" : "0"];
  return [control.value];
}

/** @param {Control} control @param {string[]} values */
function show_values(control, values) {
  const text = values.join("\n");
  if (control instanceof HTMLInputElement && control.type === "checkbox") control.checked = text === "1";
  else if (control.value !== text) control.value = text;
}

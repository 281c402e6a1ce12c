// Chooses what the text version shows: view, sentence, stage, head, and the cell to explain.
import { make } from "./dom.js";
import { with_values } from "./links.js";

/** @import { KeyInfo, Mirror, Span } from "./types" */

let num_choices = 0;

export class PlainChoice {
  #on_change;
  #link = "";
  #prefix = `plain-choice-${++num_choices}`;
  #view = make("select", { name: "view" });
  #sentence = make("select", { name: "sentence" });
  #stage = make("select", { name: "stage" });
  #head = make("select", { name: "head" });
  #cell_head = make("select", { name: "cell-head" });
  #row = make("select", { name: "row" });
  #column = make("select", { name: "column" });
  #row_label = make("span");
  #column_label = make("span");
  #sentence_field = this.#field(this.#sentence, "Sentence");

  /** @type {[string, string][]} */
  #views;

  /** @param {KeyInfo[]} keys @param {(link: string) => void} on_change */
  constructor(keys, on_change) {
    this.#on_change = on_change;
    const { choices = [], labels = [] } = keys.find(({ key }) => key === "view") ?? {};
    this.#views = choices.map((view, i) => [view, labels[i]]);
    this.form = make(
      "form",
      { class: "plain-form", "aria-label": "What is shown" },
      this.#field(this.#view, "View"),
      this.#sentence_field,
      this.#field(this.#stage, "Stage"),
      this.#field(this.#head, "Heads"),
      this.#field(this.#cell_head, "Pinned head"),
      this.#field(this.#row, this.#row_label),
      this.#field(this.#column, this.#column_label),
    );
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("change", (event) => this.#changed(/** @type {HTMLSelectElement} */ (event.target)));
  }

  /** @param {string} link */
  change(link) {
    this.#on_change(link);
  }

  /** @param {Mirror} mirror */
  show({ link, sentence, stages, shown, view }) {
    this.#link = link;
    this.form.hidden = shown === null;
    if (shown === null) return;
    this.#sentence_field.hidden = sentence.count < 2;
    const heads = Array.from({ length: shown.num_heads }, (_, head) => `${head + 1}`);
    const { pinned, rows, columns } = shown;
    const is_enlarged = shown.heads.length === 1 && shown.num_heads > 1;
    fill(this.#view, this.#views, view.kind);
    fill(this.#sentence, numbered(sentence.count), `${sentence.number}`);
    fill(
      this.#stage,
      stages.map(({ name, letters }) => [name, `${name} ${letters}`]),
      shown.name,
    );
    fill(
      this.#head,
      [["", "all heads"], ...heads.map((head) => /** @type {[string, string]} */ ([head, `head ${head}`]))],
      is_enlarged ? `${shown.heads[0].head}` : "",
    );
    fill(
      this.#cell_head,
      heads.map((head) => [head, head]),
      `${pinned?.head ?? 1}`,
    );
    this.#row_label.textContent = `Pinned ${shown.row_kind}`;
    this.#column_label.textContent = `Pinned ${shown.column_kind}`;
    fill(this.#row, [["", "none"], ...places(rows)], pinned ? `${pinned.row}` : "");
    fill(this.#column, [["", "none"], ...places(columns)], pinned ? `${pinned.column}` : "");
  }

  /** @param {HTMLSelectElement} select */
  #changed(select) {
    if ([this.#view, this.#sentence, this.#stage, this.#head].includes(select)) {
      this.#on_change(with_values(this.#link, select.name, [select.value])); // an empty value overrides the lesson's
      return;
    }
    const is_row_or_column = select === this.#row || select === this.#column;
    const is_none = is_row_or_column && select.value === "";
    const cell = [this.#cell_head.value, this.#row.value || "0", this.#column.value || "0"].join(",");
    this.#on_change(with_values(this.#link, "cell", [is_none ? "" : cell]));
  }

  /** @param {HTMLSelectElement} select @param {string | HTMLElement} label */
  #field(select, label) {
    select.id = `${this.#prefix}-${select.name}`;
    return make("div", { class: "plain-field" }, make("label", { for: select.id }, label), select);
  }
}

/** @param {number} count @returns {[string, string][]} */
function numbered(count) {
  return Array.from({ length: count }, (_, i) => [`${i + 1}`, `${i + 1} of ${count}`]);
}

/** @param {Span} span @returns {[string, string][]} */
function places({ first, labels }) {
  return labels.map((label, i) => [`${first + i}`, label === `${first + i}` ? label : `${first + i}: ${label}`]);
}

/** @param {HTMLSelectElement} select @param {[string, string][]} options value and text @param {string} value */
function fill(select, options, value) {
  select.replaceChildren(...options.map(([option, text]) => make("option", { value: option }, text)));
  select.value = value;
}

// The matrices of a stage as tables with named rows and columns.
import { make } from "./dom.js";

/** @import { Mirror, ShownStage, TextTable } from "./types" */

/**
 * Two sentences on what is shown, for reading before the tables.
 * @param {Mirror} mirror
 * @param {ShownStage} shown
 */
export function describe_shown({ stages }, shown) {
  const stage = stages.find(({ name }) => name === shown.name);
  if (!stage) return "";
  const parts = [`${stage.name} ${stage.letters} = (${stage.shape.join(", ")}): ${stage.meaning}`];
  if (!/[.!?]$/.test(stage.meaning)) parts.push(".");
  if (stage.has_heads && shown.heads.length < shown.num_heads) {
    parts.push(` Of ${shown.num_heads} heads, ${heads_shown(shown)}.`);
  }
  for (const [kind, span] of /** @type {const} */ ([
    ["rows", shown.rows],
    ["columns", shown.columns],
  ])) {
    const last = span.first + span.labels.length - 1;
    if (span.labels.length < span.total) {
      parts.push(` Of ${span.total} ${kind}, ${span.first} to ${last} are shown; pin a cell to see those around it.`);
    }
  }
  return parts.join("");
}

/** @param {ShownStage} shown */
function heads_shown({ heads }) {
  return heads.length === 1 ? `head ${heads[0].head} is shown` : `the first ${heads.length} are shown`;
}

/**
 * The tables of the heads, each made when it is asked for: those of a long text have thousands of cells.
 * @param {ShownStage} shown
 * @param {(cell: [number, number, number]) => void} on_pin a cell was clicked: head (from 1), row, column
 */
export function tables_of(shown, on_pin) {
  return shown.heads.map(({ head, values }) => () => {
    const name = shown.num_heads > 1 ? `${shown.name}, head ${head}` : shown.name;
    const table = make_table(shown, head, values, name);
    table.addEventListener("click", (event) => {
      const cell = /** @type {HTMLElement} */ (event.target).closest("td");
      if (cell) on_pin([head, Number(cell.dataset.row), Number(cell.dataset.column)]);
    });
    // It scrolls sideways, so the keyboard must reach it.
    return make("div", { class: "plain-table", tabindex: 0, role: "region", "aria-label": name }, table);
  });
}

/**
 * @param {ShownStage} shown
 * @param {number} head
 * @param {(string | null)[][]} values
 * @param {string} name
 */
function make_table(shown, head, values, name) {
  const { rows, columns, pinned, row_kind, column_kind } = shown;
  const has_hidden = values.some((row) => row.includes(null));
  const caption = `${name}. Rows: ${row_kind}, columns: ${column_kind}.${has_hidden ? " – marks a hidden key." : ""}`;
  const head_row = make("tr", {}, make("td"), ...columns.labels.map((label) => make("th", { scope: "col" }, label)));
  const body = values.map((row, i) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, rows.labels[i]),
      ...row.map((value, c) => {
        const place = { row: rows.first + i, column: columns.first + c };
        const is_pinned = pinned?.head === head && pinned.row === place.row && pinned.column === place.column;
        const attributes = { "data-row": place.row, "data-column": place.column, "aria-current": is_pinned && "true" };
        return make("td", attributes, value ?? "–");
      }),
    ),
  );
  return make("table", {}, make("caption", {}, caption), make("thead", {}, head_row), make("tbody", {}, ...body));
}

/** A table of words and numbers whose first column names the rows. @param {TextTable} table */
export function make_text_table({ title, columns, rows }) {
  const head_row = make(
    "tr",
    {},
    ...columns.map((column) => (column === "" ? make("td") : make("th", { scope: "col" }, column))),
  );
  const body = rows.map(([name, ...cells]) =>
    make(
      "tr",
      {},
      name ? make("th", { scope: "row" }, name) : make("td"),
      ...cells.map((cell) => make("td", {}, cell)),
    ),
  );
  const table = make("table", {}, make("caption", {}, title), make("thead", {}, head_row), make("tbody", {}, ...body));
  return make("div", { class: "plain-table", tabindex: 0, role: "region", "aria-label": title }, table);
}

// The matrices of a stage as tables with named rows and columns.
import { make } from "./dom.js";

/** @import { Mirror, ShownStage, TextTable } from "./types" */

/**
 * Sentences about the stage that is shown, to read before the tables.
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
 * Adds the heads' tables to `place` row by row, because those of a long text have thousands of cells. Yields how many elements
 * each step made.
 * @param {HTMLElement} place
 * @param {ShownStage} shown
 * @param {(head: number) => (string | null)[][]} values_of gives the values that the mirror left out
 * @param {(cell: [number, number, number]) => void} on_pin the visitor clicked a cell: head (from 1), row, column
 * @returns {Generator<number, void>}
 */
export function* add_tables(place, shown, values_of, on_pin) {
  for (const { head, values } of shown.heads) {
    const name = shown.num_heads > 1 ? `${shown.name}, head ${head}` : shown.name;
    const rows = values ?? values_of(head);
    const { table, body } = make_table(shown, name, rows);
    table.addEventListener("click", (event) => {
      const cell = /** @type {HTMLElement} */ (event.target).closest("td");
      if (cell) on_pin([head, Number(cell.dataset.row), Number(cell.dataset.column)]);
    });
    // The table scrolls sideways, so the keyboard must reach it.
    place.append(make("div", { class: "plain-table", tabindex: 0, role: "group", "aria-label": name }, table));
    yield shown.columns.labels.length;
    for (const [i, row] of rows.entries()) {
      body.append(make_row(shown, head, row, i));
      yield row.length;
    }
  }
}

/**
 * A table with its caption and column names, but no rows yet.
 * @param {ShownStage} shown
 * @param {string} name
 * @param {(string | null)[][]} values
 */
function make_table({ columns, row_kind, column_kind }, name, values) {
  const has_hidden = values.some((row) => row.includes(null));
  const marks = [
    has_hidden ? " – marks a hidden key." : "",
    values.some((row) => row.includes("?")) ? " ? marks a number that is blank." : "",
  ];
  const caption = `${name}. Rows: ${row_kind}, columns: ${column_kind}.${marks.join("")}`;
  const head_row = make("tr", {}, make("td"), ...columns.labels.map((label) => make("th", { scope: "col" }, label)));
  const body = make("tbody");
  return { table: make("table", {}, make("caption", {}, caption), make("thead", {}, head_row), body), body };
}

/**
 * @param {ShownStage} shown
 * @param {number} head
 * @param {(string | null)[]} values
 * @param {number} i index among the shown rows
 */
function make_row({ rows, columns, pinned }, head, values, i) {
  const cells = values.map((value, c) => {
    const place = { row: rows.first + i, column: columns.first + c };
    const is_pinned = pinned?.head === head && pinned.row === place.row && pinned.column === place.column;
    const attributes = { "data-row": place.row, "data-column": place.column, "aria-current": is_pinned && "true" };
    return make("td", attributes, value ?? "–");
  });
  return make("tr", {}, make("th", { scope: "row" }, rows.labels[i]), ...cells);
}

/** A table of words and numbers whose first column names the rows; one without rows is a sentence. @param {TextTable} table */
export function make_text_table({ title, columns, rows }) {
  if (columns.length === 0 && rows.length === 0) return make("p", {}, title);
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
  return make("div", { class: "plain-table", tabindex: 0, role: "group", "aria-label": title }, table);
}

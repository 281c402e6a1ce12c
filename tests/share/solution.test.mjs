// The worked solution: every formula is one that KaTeX reads, every printed number is the program's, every line adds up as printed,
// and no token can break the Markdown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check_formulas, parts_of } from "./markdown.mjs";
import { attn, make_dice, random_link, random_recipe } from "./random_links.mjs";

const kStates = 80;
const kHalfUnit = 0.5e-4; // of four decimals, absolute below 1e6 and of the first digit in scientific numbers
const kRounding = 1e-6; // both sides are floats that were added in another order

/** A printed number; null for blanks, dots and infinities. */
function number_of(latex) {
  const match = /^(-?[\d.]+)(?:\\times 10\^\{(-?\d+)\})?$/.exec(latex.trim());
  return match ? Number(`${match[1]}e${match[2] ?? 0}`) : null;
}

/** What a printed number may be off. */
function slack(printed) {
  const is_scientific = Math.abs(printed) >= 1e6 || Math.abs(printed) < 1e-4;
  const unit = is_scientific && printed !== 0 ? 10 ** Math.floor(Math.log10(Math.abs(printed))) : 1;
  return kHalfUnit * unit * 1.0001 + kRounding * Math.abs(printed);
}

function assert_close(latex, wanted, what) {
  const printed = number_of(latex);
  if (wanted === null) {
    assert.ok(printed === null, `${what} is ${latex}, want infinity`);
  } else {
    assert.ok(printed !== null && Math.abs(printed - wanted) <= slack(printed), `${what} is ${latex}, want ${wanted}`);
  }
}

/** The summands of a step, or null when one of them cannot be read (blanks, dots without a sum, infinities). */
function summands_of(step) {
  const text = step
    .replaceAll(/\\\\\n&\\quad/g, " ")
    .replaceAll(/\\underbrace\{\\dots\}_\{([^{}]*(?:\{[^{}]*\}[^{}]*)?)\}/g, "$1")
    .trim();
  const summands = [];
  for (const piece of ` ${text.startsWith("-") ? "" : "+ "}${text.replace(/^-/, "- ")}`.split(/ (?=[+-] )/).slice(1)) {
    const factors = piece
      .slice(2)
      .split(" \\cdot ")
      .map((factor) => number_of(factor.replace(/^\((.*)\)$/, "$1")));
    if (factors.includes(null)) return null;
    summands.push({ factors, value: (piece[0] === "-" ? -1 : 1) * factors.reduce((a, b) => a * b, 1) });
  }
  return summands;
}

/** Every sum of the text: {symbol, index, steps}. */
function sums_of(markdown) {
  const sums = [];
  for (const { kind, text } of parts_of(markdown)) {
    const body = /\\begin\{aligned\}\n([\s\S]*)\n\\end\{aligned\}/.exec(text)?.[1];
    if (kind !== "display" || !body || body.includes("pmatrix")) continue;
    for (const sum of body.split(" \\\\[1ex]\n")) {
      const [left, ...steps] = sum.replace(/ \\quad \\text\{.*\}$/, "").split(/(?: \\\\\n)?&= /);
      if (!left.includes("\\vdots")) sums.push({ symbol: left.trim(), steps });
    }
  }
  return sums;
}

const kSymbols = {
  q: "queries",
  "q'": "rotated_queries",
  s: "scores",
  c: "context",
  "q^R": "position_queries",
  "c^Q": "query_latents",
  "c^{KV}": "latents",
  y: "output",
};
const kColumns = {
  $s_j$: "scores",
  "$\\hat s_j$": "scaled_scores",
  $p_j$: "unmasked_weights",
  $a_j$: "weights",
  $d_j$: "dropped_weights",
};
const kMatrices = {
  X: "embeddings",
  Q: "queries",
  K: "keys",
  V: "values",
  "\\tilde Q": "normed_queries",
  "\\tilde K": "normed_keys",
  S: "scores",
  "\\hat S": "scaled_scores",
  M: "masked_scores",
  P: "unmasked_weights",
  A: "weights",
  D: "dropped_weights",
  C: "context",
};

function tables_of(markdown) {
  const cells = (line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
  return [...markdown.matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) => {
    const [titles, , ...rows] = table.trimEnd().split("\n").map(cells);
    for (const row of rows) assert.equal(row.length, titles.length, `a row of ${row.length} cells: ${row}`);
    return { titles, rows };
  });
}

/** The text of a token as Markdown shows it. */
function unescaped(markdown) {
  return markdown
    .replaceAll(/&#x([0-9a-f]+);/g, (_, digits) => String.fromCodePoint(parseInt(digits, 16)))
    .replaceAll("&#36;", "$")
    .replaceAll(/U\+(20[0-9a-f]{2}|061c)/g, (_, digits) => String.fromCodePoint(parseInt(digits, 16)))
    .replaceAll(/\\(.)/g, "$1");
}

/** Holds a solution against the numbers; returns how many were compared. */
function check_solution(markdown, sentence) {
  const has_blanks = markdown.includes("\\square");
  const head = Number(/^# Attention by hand:.* head (\d+) of \d+$/m.exec(markdown)[1]) - 1;
  const row = Number(
    /^# Attention by hand: token (\d+)/m.exec(markdown)?.[1] ??
      /^The steps for one query, token (\d+)/m.exec(markdown)[1],
  );
  const stages = Object.fromEntries(sentence.stages.map((stage) => [stage.name, stage]));
  const numbers = (name) => {
    const { shape, values } = stages[name];
    if (shape.length !== 3) return values;
    return values[Math.floor((head * shape[0]) / stages.weights.shape[0])]; // several heads may share keys and values
  };
  let compared = 0;
  const compare = (latex, wanted, what) => {
    if (has_blanks && latex.trim() === "\\square") return;
    assert_close(latex, wanted, what);
    compared++;
  };
  for (const { symbol, steps } of sums_of(markdown)) {
    const [, letter, index] = /^(\w(?:'|\^Q|\^\{KV\})?)(?:_\{(\d+)\})?$/.exec(symbol) ?? []; // gradients have a bar
    const result = steps.at(-1);
    const wanted = kSymbols[letter] ? numbers(kSymbols[letter])[row][Number(index)] : null;
    if (kSymbols[letter]) compare(result, wanted, symbol);
    const total = number_of(result);
    // A float between two printed numbers may print as the one, and what it is made of, added in double, as the other.
    const steps_off = Math.abs(wanted) < 1e6 ? Math.abs(wanted) / (2 * kHalfUnit) : 0;
    const between = Math.abs((steps_off % 1) - 0.5) * 2 * kHalfUnit < kRounding * Math.abs(wanted) ? 2 * kHalfUnit : 0;
    for (const step of steps.slice(0, -1)) {
      const summands = summands_of(step);
      if (summands === null || total === null) continue;
      const sum = summands.reduce((a, b) => a + b.value, 0);
      // Printed products add up as printed; a printed factor may be off by half a unit of its last decimal.
      const factor_slack = ({ factors }) =>
        factors.length === 2 ? kHalfUnit * (Math.abs(factors[0]) + Math.abs(factors[1]) + 1) : 0;
      const allowed =
        between + slack(total) + summands.reduce((a, b) => a + factor_slack(b) + kRounding * Math.abs(b.value), 0);
      assert.ok(Math.abs(sum - total) <= allowed, `${symbol}: ${step} is ${sum}, printed is ${total}`);
      compared++;
    }
  }
  for (const { titles, rows } of tables_of(markdown).filter(({ titles }) => titles[0] === "key")) {
    for (const cells of rows.filter((cells) => cells[0] !== "…")) {
      const j = Number(cells[0]);
      const token = [...sentence.tokens[j]];
      assert.equal(unescaped(cells[1]).replace(/…$/, ""), token.slice(0, 40).join("").replace(/…$/, ""));
      titles.forEach((title, column) => {
        const of_channel = /^\$([kv])_\{(\d+)\}\$$/.exec(title);
        const latex = cells[column].replaceAll("$", "");
        if (of_channel)
          compare(latex, numbers(of_channel[1] === "k" ? "keys" : "values")[j][Number(of_channel[2])], title);
        if (kColumns[title]) compare(latex, numbers(kColumns[title])[row][j], `${title} of key ${j}`);
      });
    }
  }
  for (const { kind, text } of parts_of(markdown)) {
    const match = /^\n(\S+|\\hat S)(?: = [^\n&]*)? = \\begin\{pmatrix\}([\s\S]*)\\end\{pmatrix\}\n$/.exec(text);
    if (kind !== "display" || !match || !kMatrices[match[1]] || /dots/.test(match[2])) continue;
    const rows = match[2].trim().split(" \\\\\n");
    const wanted = numbers(kMatrices[match[1]]);
    assert.equal(rows.length, wanted.length);
    rows.forEach((cells, i) => {
      cells.split(" & ").forEach((latex, c) => compare(latex, wanted[i][c], `${match[1]}[${i}, ${c}]`));
    });
  }
  return compared;
}

function check_link(link) {
  const trace = JSON.parse(attn("trace", link));
  const sentence = trace.sentences[Number(/(?:^|&)sentence=(\d+)/.exec(trace.link)?.[1] ?? 1) - 1];
  if (sentence.tokens.length === 0) return 0;
  const markdown = attn("export", "solution", link);
  try {
    check_formulas(markdown);
    return check_solution(markdown, sentence);
  } catch (error) {
    error.message = `${link}: ${error.message}`;
    throw error;
  }
}

test("the solutions of random states hold the program's numbers and add up as printed", () => {
  const dice = make_dice(2);
  let compared = 0;
  for (let n = 0; n < kStates; n++) compared += check_link(random_link(dice));
  console.log(`${compared} numbers compared`);
  assert.ok(compared > 50 * kStates);
});

test("the way back of random states with a goal adds up as printed, and its rows sum to 0", () => {
  const dice = make_dice(4);
  let num_ways = 0;
  for (let n = 0; n < kStates; n++) {
    const state = random_link(dice);
    const link = `${state}&${random_recipe(dice, state)}`;
    if (check_link(link) === 0) continue;
    const sums = sums_of(attn("export", "solution", link));
    const zero = sums.find(({ symbol }) => /^\\sum_j \\bar(\{\\hat s\}_j| c_j)$/.test(symbol));
    if (!zero) continue;
    num_ways++;
    const [step, result] = zero.steps;
    if (result === undefined) continue; // a single key: what is printed is the sum
    const summands = summands_of(step);
    if (summands === null) continue; // infinite
    const total = summands.reduce((a, b) => a + b.value, 0);
    if (/(^|&)mask_at=before/.test(link) && /(^|&)sink_logits=1/.test(link)) {
      assert.ok(Math.abs(total - Number(result)) <= kHalfUnit, `${link}: ${step} is ${total}, printed is ${result}`);
      continue; // the rest of the row's gradient is the sink's
    }
    assert.ok(Math.abs(total) <= kHalfUnit, `${link}: ${step} is ${total}`);
    assert.equal(result.trim(), "0");
  }
  console.log(`${num_ways} ways back`);
  assert.ok(num_ways >= 10);
});

test("long sentences, wide vectors and other kinds of numbers fit", () => {
  const long = Array.from({ length: 60 }, (_, i) => `word${i}`).join("+");
  for (const link of [
    "",
    `text=${long}&d_in=40&d_out=30&heads=1`,
    `text=${long}&d_in=40&d_out=60&heads=2&cell=2,50,3&mask_at=after&dropout=.2`,
    "text=large+numbers&edit=x[0,0]=1e6,-1e7&scale=none&out=0&edit=w_value[0,0]=1e-7",
    "text=a+b+c&init=none&d_in=4&d_out=4&out=0&bias=0&stage=merged&cell=1,2,3",
    "text=a+b+c&stage=output&cell=1,2,3&head=2",
    `text=${long}&d_in=30&d_out=30&heads=1&cell=1,50,3&goal=next`,
    `text=${long}&goal=pattern&target=1:50>3,50>7&cell=1,50,3&steps=2`,
  ]) {
    assert.ok(check_link(link) > 0);
  }
});

test("no token breaks the Markdown or the formulas", () => {
  for (const text of [
    "$ $$ \\ \\$ | || ` `` * _ # ~ [x](y) <b> &amp; ^ { } \\frac",
    "1. - + > ![i](j) https://a.b/c?d=$e$ a_b_c **d**",
    "\u202eturned \u2066isolated e\u0301 👩‍👩‍👧 \ufffd",
    "x".repeat(500),
  ]) {
    for (const kind of ["words", "chars"]) check_link(`tokens=${kind}&text=${encodeURIComponent(text)}`);
  }
});

test("a word of the vocabulary breaks nothing either, and a worksheet has no way back", () => {
  const link = `d_in=4&d_out=4&goal=next&cell=1,1,0&text=${encodeURIComponent("$ a$b | ` <b> $ x|y")}`;
  assert.ok(check_link(link) > 0);
  assert.ok(attn("export", "solution", link).includes("The next word is"));
  assert.ok(!attn("export", "solution", `${link}&check=weights`).includes("way back"));
});

test("blank numbers are squares, and nothing tells what stands there", () => {
  const link = "text=The+cat+sat&cell=2,2,1";
  const plain = attn("export", "solution", link);
  const weights = JSON.parse(attn("trace", link)).sentences[0].stages.find((stage) => stage.name === "weights").values;
  const blank = attn("export", "solution", `${link}&check=weights`);
  check_formulas(blank);
  assert.ok(!plain.includes("\\square"));
  assert.ok(blank.includes("Fill in each $\\square$."));
  for (const weight of weights[1][2]) {
    assert.ok(plain.includes(`$${weight.toFixed(4)}$`));
    assert.ok(!new RegExp(`${weight.toFixed(4)}(?!\\d)`).test(blank)); // not as the beginning of another number
  }
  const one = attn("export", "solution", `${link}&hide=weights[2,2,1]`);
  assert.ok(!one.includes(weights[1][2][1].toFixed(4)));
  assert.ok(one.includes(weights[1][2][2].toFixed(4)));
  // 1 minus the rest of the row, an exponential over the sum of all, and a context over its value would give it away.
  assert.doesNotMatch(one, new RegExp(`${weights[1][2][0].toFixed(4)}(?!\\d)`), "a neighbour is blank, too");
  for (const text of [one, blank]) {
    assert.match(text, /Z &= \\square \+ \\square \+ \\square \\\\\n&= \\square/);
    assert.doesNotMatch(text, /^## \d+\. (Context|Heads side by side|Output)/m);
    const softmax = text.split(/^## \d+\. Softmax/m)[1];
    for (const row of softmax.match(/^\| \d .*$/gm)) assert.equal(row.split("|")[4].trim(), "$\\square$", row);
  }
  const late = attn("export", "solution", `${link}&mask_at=after&hide=weights[2,2,1]`);
  assert.match(late, /^R &= .*\n&= \\square$/m);
  // A blank result leaves the products to the reader, and the factors stay.
  const queries = attn("export", "solution", `${link}&check=queries`);
  const sum = sums_of(queries).find(({ symbol }) => symbol === "q_{0}");
  assert.equal(sum.steps.length, 2);
  assert.ok(sum.steps[0].includes("\\cdot"));
  assert.equal(sum.steps[1].trim(), "\\square");
});

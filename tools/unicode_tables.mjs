// Writes src/model/words/unicode_data.cpp and unicode_parts.cpp: which code points are letters, digits, marks ..., and what they become in lower case and
// taken apart, as this Node.js knows them (its process.versions.unicode). The files are in the repository, so nobody's build
// depends on a version of Node.js.
//   node tools/unicode_tables.mjs          writes the files
// Numbers are written 5 bits a character, the lowest first, with 32 added while more follow; the characters are those of base64.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path_of = (name) => fileURLToPath(new URL(`../src/model/words/${name}.cpp`, import.meta.url));
const kFiles = ["unicode_data", "unicode_parts"];
const kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const kHangul = { first: 0xac00, last: 0xd7a3 }; // taken apart by a formula

function* code_points() {
  for (let code = 0; code < 0x110000; ++code) if (code < 0xd800 || code > 0xdfff) yield code;
}

function written(number) {
  let text = "";
  do {
    const rest = Math.floor(number / 32);
    text += kDigits[(number % 32) + (rest > 0 ? 32 : 0)];
    number = rest;
  } while (number > 0);
  return text;
}

/** A whole number of either sign as one that is not negative: 0, -1, 1, -2 ... */
const folded = (number) => (number < 0 ? -2 * number - 1 : 2 * number);

/** The lengths of the runs outside and inside of the set, in turns. */
function runs_of(pattern) {
  let text = "";
  let inside = false;
  let since = 0;
  for (const code of code_points()) {
    if (pattern.test(String.fromCodePoint(code)) === inside) continue;
    text += written(code - since);
    since = code;
    inside = !inside;
  }
  return text + (inside ? written(0x110000 - since) : "");
}

/** The general categories, in the order of Category in src/model/words/unicode.h. */
const kCategories = "Cn Cc Cf Co Cs Ll Lm Lo Lt Lu Mc Me Mn Nd Nl No Pc Pd Pe Pf Pi Po Ps Sc Sk Sm So Zl Zp Zs".split(
  " ",
);

/** The categories of all code points: for each run of one its length and its place in the list. */
function categories() {
  const patterns = kCategories.map((name) => new RegExp(`^\\p{${name}}$`, "u"));
  const category_of = (code) => {
    const one = code >= 0xd800 && code <= 0xdfff ? "\ud800" : String.fromCodePoint(code);
    return patterns.findIndex((pattern) => pattern.test(one));
  };
  let text = "";
  let since = 0;
  let category = category_of(0);
  for (let code = 1; code <= 0x110000; ++code) {
    const next = code === 0x110000 ? -1 : category_of(code);
    if (next === category) continue;
    text += written(code - since) + written(category);
    since = code;
    category = next;
  }
  return text;
}

/** For each code point that becomes another text: how far it is from the one before, how many it becomes, and each of them as a distance. */
function map_of(becomes) {
  let text = "";
  let before = 0;
  for (const code of code_points()) {
    const from = String.fromCodePoint(code);
    const to = becomes(from, code);
    if (to === from) continue;
    const codes = [...to].map((one) => one.codePointAt(0));
    text += written(code - before) + written(codes.length) + codes.map((one) => written(folded(one - code))).join("");
    before = code;
  }
  return text;
}

const is_syllable = (code) => code >= kHangul.first && code <= kHangul.last;
const parts_of = (from, code) => (is_syllable(code) ? from : from.normalize("NFD"));
/** Where that is more than its canonical parts. */
const wide_parts_of = (from) => (from.normalize("NFKD") === from.normalize("NFD") ? from : from.normalize("NFKD"));

/**
 * The order in which marks stand behind a letter: for each code point of a class above 0 how far it is from the one before, and the
 * rank of its class among all. JavaScript does not tell the classes, but sorts by them.
 */
function mark_order() {
  const sorts = (x, y) => `a${x}${y}`.normalize("NFD") !== `a${x}${y}`;
  const [lowest, highest] = ["\u0334", "\u0345"]; // of the classes 1 and 240
  const marks = [...code_points()].map((code) => String.fromCodePoint(code));
  const ordered = marks.filter((one) => one.normalize("NFD") === one && (sorts(one, lowest) || sorts(highest, one)));
  const sorted = [...ordered].sort((x, y) => (sorts(x, y) ? 1 : sorts(y, x) ? -1 : 0));
  const ranks = new Map();
  let rank = 0;
  sorted.forEach((one, k) => ranks.set(one, k > 0 && sorts(one, sorted[k - 1]) ? ++rank : (rank ||= 1)));
  let text = "";
  let before = 0;
  for (const one of ordered) {
    const code = one.codePointAt(0);
    text += written(code - before) + written(ranks.get(one));
    before = code;
  }
  return text;
}

/**
 * Code points of several parts that are never put together again, each as its distance from the one before. All others are made of
 * their last part and of what those before it become.
 */
function never_composed() {
  let text = "";
  let before = 0;
  for (const code of code_points()) {
    const one = String.fromCodePoint(code);
    const parts = [...one.normalize("NFD")];
    if (is_syllable(code) || parts.length < 2) continue;
    if (one.normalize("NFC") !== one) {
      text += written(code - before);
      before = code;
      continue;
    }
    const second = parts.pop();
    const first = parts.join("").normalize("NFC");
    if ([...first].length !== 1 || (first + second).normalize("NFC") !== one)
      throw new Error(`U+${code.toString(16)} is not made of two`);
  }
  return text;
}

/** A source file with these tables. @param {Record<string, string>} tables @param {string[]} more lines before them */
function source_of(tables, more = []) {
  const lines = [
    "// Made by tools/unicode_tables.mjs: not to be edited.",
    '#include "model/words/unicode_data.h"',
    "",
    "namespace attn::unicode {",
    "",
    "// clang-format off",
    ...more,
  ];
  for (const [name, text] of Object.entries(tables)) {
    lines.push(`const std::string_view ${name} =`);
    for (let at = 0; at < text.length; at += 116) lines.push(`    "${text.slice(at, at + 116)}"`);
    lines[lines.length - 1] += ";";
  }
  return [...lines, "// clang-format on", "", "}  // namespace attn::unicode", ""].join("\n");
}

/** The texts of both files. */
export function unicode_data() {
  const sets = {
    categories: categories(),
    white_space: runs_of(/\p{White_Space}/u),
    lower_case: map_of((from) => from.toLowerCase()),
    mark_order: mark_order(),
    never_composed: never_composed(),
  };
  const parts = { parts: map_of(parts_of), compatible_parts: map_of(wide_parts_of) };
  return [source_of(sets, [`const std::string_view version = "${process.versions.unicode}";`]), source_of(parts)];
}

export const kept_unicode_data = () => kFiles.map((name) => readFileSync(path_of(name), "utf8"));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  unicode_data().forEach((text, i) => writeFileSync(path_of(kFiles[i]), text));
}

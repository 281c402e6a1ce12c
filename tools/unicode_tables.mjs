// Writes src/model/words/unicode_data.cpp: which code points are letters, digits, marks ..., and what they become in lower case and
// without accents, as this Node.js knows them (its process.versions.unicode). The file is in the repository, so nobody's build
// depends on a version of Node.js.
//   node tools/unicode_tables.mjs          writes the file
// Numbers are written 5 bits a character, the lowest first, with 32 added while more follow; the characters are those of base64.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const kFile = fileURLToPath(new URL("../src/model/words/unicode_data.cpp", import.meta.url));
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

const without_accents = (from, code) =>
  (code >= kHangul.first && code <= kHangul.last) || /\p{Mn}/u.test(from)
    ? from
    : from.normalize("NFD").replace(/\p{Mn}/gu, "");

export function unicode_data() {
  const tables = {
    letters: runs_of(/\p{L}/u),
    numbers: runs_of(/\p{N}/u),
    punctuation: runs_of(/\p{P}/u),
    marks: runs_of(/\p{Mn}/u),
    others: runs_of(/[\p{Cc}\p{Cf}\p{Co}]/u),
    white_space: runs_of(/\p{White_Space}/u),
    lower_case: map_of((from) => from.toLowerCase()),
    without_accents: map_of(without_accents),
  };
  const lines = [
    "// Made by tools/unicode_tables.mjs: not to be edited.",
    '#include "model/words/unicode_data.h"',
    "",
    "namespace attn::unicode {",
    "",
    "// clang-format off",
    `const std::string_view version = "${process.versions.unicode}";`,
  ];
  for (const [name, text] of Object.entries(tables)) {
    lines.push(`const std::string_view ${name} =`);
    for (let at = 0; at < text.length; at += 116) lines.push(`    "${text.slice(at, at + 116)}"`);
    lines[lines.length - 1] += ";";
  }
  return [...lines, "// clang-format on", "", "}  // namespace attn::unicode", ""].join("\n");
}

export const kept_unicode_data = () => readFileSync(kFile, "utf8");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(kFile, unicode_data());
}

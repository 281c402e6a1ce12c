// The card of our own model stands twice: in its folder, and as words of the program. Both say the same.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** Every string literal of the text in its order, neighbours joined as C++ joins them. */
function literals_of(source) {
  const pieces = [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"(\s*(?="))?/g)];
  const strings = [];
  let joined = "";
  for (const [, text, goes_on] of pieces) {
    joined += text;
    if (goes_on !== undefined) continue;
    strings.push(joined);
    joined = "";
  }
  return strings;
}

test("the program's card of first-words is that of its folder", () => {
  const source = read("src/views/model/model_words.cpp");
  const said = literals_of(source.slice(source.indexOf("kCard ="), source.indexOf("}  // namespace")));
  const card = JSON.parse(read("models/first-words/card.json"));
  assert.deepEqual(said, [...card.about, ...card.prompts.flatMap(({ text, about }) => [text, about])]);
});

// The cards of our own models stand twice: in their folders, and as words of the program. Both say the same.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** Every string literal of the text in its order, neighbours joined as C++ joins them. */
function literals_of(source) {
  const strings = [];
  let joined = "";
  for (const [, text, goes_on] of source.matchAll(/"((?:[^"\\\n]|\\.)*)"(\s*(?="))?/g)) {
    joined += JSON.parse(`"${text}"`);
    if (goes_on !== undefined) continue;
    strings.push(joined);
    joined = "";
  }
  return strings;
}

for (const [model, constant] of [
  ["first-words", "FirstWords"],
  ["own-words", "OwnWords"],
]) {
  test(`the program's card of ${model} is that of its folder`, () => {
    const source = read("src/views/model/model_words.cpp");
    const said = ["kAbout", "kStartsOf"].flatMap((begin) => {
      const at = source.indexOf(`${begin}${constant} =`);
      return literals_of(source.slice(at, source.indexOf(";\n\n", at)));
    });
    const { about, prompts } = JSON.parse(read(`models/${model}/card.json`));
    const lines = prompts.map(({ text, about, likeliest, drawn }) => [text, about, likeliest, drawn]);
    assert.deepEqual(said, [...about, ...lines.flat().filter((line) => line !== undefined)]);
  });
}

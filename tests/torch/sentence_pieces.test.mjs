// Files of SentencePiece, and what they become as tokenizer.json, against SentencePiece itself.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gguf } from "../model/gguf.mjs";
import { ids_of, ours, texts } from "../model/script_texts.mjs";
import { python_with, run_python } from "../share/python.mjs";

const kTexts = 10_000;
const folder = mkdtempSync(join(tmpdir(), "attn-pieces-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const path_of = (path) => fileURLToPath(new URL(path, import.meta.url));
const words = "the artist painted portrait of woman with brush <x> ZZ quick brown fox jumps over lazy dog head".split(
  " ",
);
const all = [...texts(31, kTexts, words)].map((text) => text.toWellFormed());
const learned_from = ["models.md", "engine.md", "embedding.md"].map((name) => path_of(`../../docs/${name}`));
const theirs = run_python(path_of("sentence_pieces.py"), [folder, ...learned_from], {
  input: all.map((text) => `${JSON.stringify(text)}\n`).join(""),
  name: python_with("sentencepiece"),
})
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

const plain = JSON.stringify({ add_bos_token: false, add_eos_token: false });
const differing = (got, wanted) => all.filter((_, i) => JSON.stringify(ids_of(got[i])) !== JSON.stringify(wanted[i]));

for (const { name, ids, pieces } of theirs) {
  const bytes = readFileSync(join(folder, `${name}.model`));
  test(`${name}: ${kTexts} texts give the numbers of SentencePiece, and their bytes`, () => {
    const got = ours({ "tokenizer.model": bytes.toString("base64"), "tokenizer_config.json": plain }, all);
    assert.deepEqual(differing(got, ids), []);
    all.forEach((text, i) => {
      let end = 0;
      for (const [, first, last] of got[i]) {
        assert.ok(first <= last && last >= end, JSON.stringify(text));
        end = last;
      }
      assert.ok(end <= Buffer.byteLength(text));
    });
    if (name.includes("bytes")) assert.ok(got.flat().some(([id]) => pieces[id][0] === "<0xE2>"));
  });

  // As a GGUF file has them, which has no table of characters.
  if (name.startsWith("bpe") && name.endsWith("identity"))
    test(`${name} of a GGUF file gives the same`, () => {
      const types = pieces.map(([text], id) => {
        if (/^<0x..>$/.test(text)) return 6;
        return id === 0 ? 2 : id < 3 ? 3 : name.includes("bytes") && id < 5 ? 4 : 1;
      });
      const settings = {
        "tokenizer.ggml.model": ["text", "llama"],
        "tokenizer.ggml.tokens": ["text", pieces.map(([text]) => text)],
        "tokenizer.ggml.scores": ["f32", pieces.map(([, score]) => score)],
        "tokenizer.ggml.token_type": ["i32", types],
        "tokenizer.ggml.remove_extra_whitespaces": ["flag", true],
        "tokenizer.ggml.add_bos_token": ["flag", false],
        "tokenizer.ggml.bos_token_id": ["u32", 1],
      };
      const file = (more) => ({ "model.gguf": gguf({ ...settings, ...more }).toString("base64") });
      assert.deepEqual(differing(ours(file({}), all), ids), []);
      const begun = ours(file({ "tokenizer.ggml.add_bos_token": ["flag", true] }), all.slice(0, 10));
      begun.forEach((tokens, i) => assert.deepEqual(ids_of(tokens), [1, ...ids[i]]));
      const [typed] = ours(file({}), ["a </s>"]);
      assert.equal(typed.at(-1)[0], 2, "a special token that is typed is itself");
      const refused = () => ours(file({ "tokenizer.ggml.scores": ["f32", [1]] }), ["a"]);
      assert.throws(refused, /has a tokenizer of SentencePiece without a score and a type for each token\./);
    });

  if (!name.startsWith("unigram") || name.includes("bytes")) continue;
  // Blanks at the ends go, others are joined; the table is the message's own. Here sums are double: where two ways are worth nearly
  // the same, single precision may choose the other one, once or twice in ten thousand texts.
  test(`${name} as tokenizer.json gives the same`, () => {
    const table = charsmap_of(bytes);
    const normalizers = [
      ...(table.length > 0 ? [{ type: "Precompiled", precompiled_charsmap: table.toString("base64") }] : []),
      { type: "Replace", pattern: { Regex: "^ +| +$" }, content: "" },
      { type: "Replace", pattern: { Regex: " {2,}" }, content: " " },
    ];
    const file = {
      normalizer: { type: "Sequence", normalizers },
      pre_tokenizer: { type: "Metaspace", replacement: "\u2581", prepend_scheme: "always", split: false },
      // Control tokens stand in no text.
      model: {
        type: "Unigram",
        unk_id: 0,
        vocab: pieces.map(([text, score], i) => [i < 3 ? `<${text}>` : text, score]),
      },
    };
    const got = ours({ "tokenizer.json": JSON.stringify(file) }, all);
    // A character with its marks is changed as one in that file, as the Rust library does.
    const others = differing(got, ids).filter((text) => !/\p{M}|\u200d|\r\n/u.test(text));
    assert.ok(others.length <= 5, JSON.stringify(others.slice(0, 5)));
  });
}

/** The table of characters: field 2 of the message in field 3. @param {Buffer} bytes */
function charsmap_of(bytes) {
  const fields = function* (message) {
    for (let at = 0; at < message.length;) {
      const take = () => {
        let number = 0;
        for (let shift = 1; ; shift *= 128) {
          const byte = message[at++];
          number += (byte & 127) * shift;
          if (byte < 128) return number;
        }
      };
      const key = take();
      const [number, kind] = [key >> 3, key & 7];
      const size = kind === 2 ? take() : kind === 5 ? 4 : kind === 1 ? 8 : 0;
      if (kind === 0) take();
      yield [number, message.subarray(at, at + size)];
      at += size;
    }
  };
  for (const [number, part] of fields(bytes))
    if (number === 3) for (const [inner, table] of fields(part)) if (inner === 2) return table;
  return Buffer.alloc(0);
}

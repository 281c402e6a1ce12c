// Traces, explanations and digests of links: those of the attn command.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { createEngine, kAllStages } from "./engine.mjs";

const engine = await createEngine();

const kLinks = [
  "",
  "text=The+artist+painted+the+portrait+of+a+woman+with+a+brush",
  "text=one+two&text=three&heads=2&d_out=4&dropout=0.5&dropout_seed=3",
  "text=the+cat+sat&mask_at=after&bias=1&init=torch.randn&edit=w_query[0,1]=0.5",
  "lesson=causal&step=2",
  "text=%E4%BD%A0%E5%A5%BD+%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7&tokens=chars",
  "text=a&heads=5&d_out=16&nonsense=1&temperature=nan",
  "text=\ud800&lang=%ff",
];

function attn(...args) {
  const program = join(process.env.ATTN_NATIVE, "attn");
  const answer = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(answer.status, 0, answer.stderr);
  return JSON.parse(answer.stdout);
}

for (const link of kLinks) {
  test(`the trace and every explanation of ${JSON.stringify(link)}`, () => {
    const trace = engine.trace(link);
    assert.deepEqual(trace, attn("trace", link));
    const stages = trace.sentences[0].stages;
    for (const { name, shape } of stages) {
      const head = shape.length === 3 ? shape[0] : 1;
      const [rows, columns] = shape.slice(-2);
      const cell = { stage: name, head, row: rows - 1, column: columns - 1 };
      const place = ["--stage", name, "--head", `${head}`, "--row", `${rows - 1}`, "--column", `${columns - 1}`];
      assert.deepEqual(engine.explain(link, cell), attn("explain", link, ...place, "--format", "json"));
      const [alone] = engine.trace(link, { stage: name }).sentences[0].stages;
      assert.deepEqual(
        alone,
        stages.find((stage) => stage.name === name),
      );
    }
    assert.equal(engine.digest(link), trace.digest);
  });
}

test("a trace and attention() of the same numbers agree to the last bit", () => {
  const link = "text=the+cat+sat+on+the+mat&heads=2&d_out=6&bias=0&out=0&edit=w_query[0,0]=1";
  const { stages } = engine.trace(link).sentences[0];
  const rows = (name) => stages.find((stage) => stage.name === name).values;
  const embeddings = rows("embeddings");
  const unit = embeddings[0].map((_, i) => embeddings[0].map((_, j) => (i === j ? 1 : 0)));
  const flat = (values) => Float32Array.from(values.flat(2), (number) => number ?? -Infinity);
  // With matrices of ones on the diagonal the queries, keys and values of attention() are x itself.
  const [query, key, value] = ["queries", "keys", "values"].map((name) => rows(name)[0]);
  const width = query[0].length;
  const x = query.map((row, i) => [...row, ...key[i], ...value[i]]);
  const pick = (first) =>
    Array.from({ length: 3 * width }, (_, i) => Array.from({ length: width }, (_, j) => (i === first + j ? 1 : 0)));
  const names = ["scores", "scaled_scores", "masked_scores", "weights", "context"];
  const result = engine.attention({ x, wq: pick(0), wk: pick(width), wv: pick(2 * width), stages: names });
  for (const name of names) assert.deepEqual(result[name].data, flat(rows(name)[0]), name);
  assert.equal(unit.length, embeddings[0].length);
});

const kRefused = {
  "a link that is no text": [() => engine.trace(7), TypeError, /^link is 7: it should be a string$/],
  "a link that is left out": [() => engine.explain(), TypeError, /^link is undefined: it should be a string$/],
  "a digest of nothing": [() => engine.digest(null), TypeError, /^link is null: it should be a string$/],
  "options that are no object": [
    () => engine.trace("", "json"),
    TypeError,
    /^the options of trace is "json": it should be an object with stage$/,
  ],
  "an unknown option": [
    () => engine.trace("", { format: "csv" }),
    TypeError,
    /^the options of trace has a member "format"/,
  ],
  "a stage that there is not": [
    () => engine.trace("", { stage: "scroes" }),
    RangeError,
    /^stage is "scroes": it should be one of this link's stages, embeddings, queries/,
  ],
  "a stage that this link has not": [
    () => engine.trace("out=0", { stage: "output" }),
    RangeError,
    /^stage is "output": it should be one of this link's stages/,
  ],
  "a stage that is no text": [() => engine.trace("", { stage: 3 }), TypeError, /^stage is 3: it should be a string$/],
  "head 0": [
    () => engine.explain("text=a+b&heads=2&d_out=4", { stage: "weights", head: 0 }),
    RangeError,
    /^head is 0: it should be 1 to 2$/,
  ],
  "a head too many": [
    () => engine.explain("text=a+b&heads=2&d_out=4", { stage: "weights", head: 3 }),
    RangeError,
    /^head is 3: it should be 1 to 2$/,
  ],
  "a row too many": [
    () => engine.explain("text=a+b", { stage: "weights", row: 2 }),
    RangeError,
    /^row is 2: it should be 0 to 1$/,
  ],
  "a column below 0": [
    () => engine.explain("text=a+b", { stage: "weights", column: -1 }),
    RangeError,
    /^column is -1: it should be 0 to 1$/,
  ],
  "half a row": [
    () => engine.explain("text=a+b", { row: 0.5 }),
    RangeError,
    /^row is 0\.5: it should be a whole number$/,
  ],
  "a row as a text": [
    () => engine.explain("text=a+b", { row: "1" }),
    TypeError,
    /^row is "1": it should be a whole number$/,
  ],
  "nothing to explain": [() => engine.explain("text="), RangeError, /there is nothing to explain$/],
  "more numbers than a trace holds": [
    () => engine.trace(`text=${"a+".repeat(1500)}&heads=4&d_out=64&d_in=64`),
    RangeError,
    /^the trace of this link has \d+ numbers, at most 8388608 are written/,
  ],
};

for (const [name, [call, kind, message]] of Object.entries(kRefused)) {
  test(`refused: ${name}`, () => {
    assert.throws(call, (error) => {
      assert.ok(error instanceof kind, `${error.name}: ${error.message}`);
      assert.match(error.message, message);
      return true;
    });
    assert.equal(engine.trace("text=a+b").sentences[0].tokens.length, 2, "the engine goes on");
  });
}

test("the stages of traces are those of the table", () => {
  const seen = new Set(
    kLinks.flatMap((link) => engine.trace(link).sentences.flatMap(({ stages }) => stages.map(({ name }) => name))),
  );
  for (const name of seen) assert.ok(kAllStages.includes(name), name);
  assert.equal(seen.size, kAllStages.length, "and each occurs");
});

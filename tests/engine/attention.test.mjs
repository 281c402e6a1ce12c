// The numbers of engine.attention(): against a double reference, against numbers that lectures printed, and in every form that
// arguments and results may have.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createEngine,
  golden,
  kAllStages,
  make_random,
  problem_of,
  random_matrix,
  stages_of,
  tensor,
} from "./engine.mjs";
import { reference } from "./reference.mjs";

const engine = await createEngine();
const other_engine = await createEngine();

// Float32 keeps 24 bits. Sums of up to 100 products of numbers below 1, then a softmax, of scores up to about 40: the largest
// difference seen in a few thousand problems is 3e-6 of the number, or of 1.
const kTolerance = 2e-5;

function assert_close(actual, expected, where) {
  assert.deepEqual([...actual.shape], [...expected.shape], `${where}: shape`);
  assert.equal(actual.data.length, expected.data.length, `${where}: count`);
  for (let i = 0; i < expected.data.length; ++i) {
    const [a, b] = [actual.data[i], expected.data[i]];
    if (Object.is(a, b)) continue; // -Infinity too
    assert.ok(Math.abs(a - b) <= kTolerance * Math.max(1, Math.abs(b)), `${where}[${i}] is ${a}, want ${b}`);
  }
}

/** A problem with a random choice of everything that may be chosen. */
function random_problem(random) {
  const heads = random.one_of([1, 1, 2, 3, 4]);
  const d_out = heads * random.one_of([1, 2, 3, 4, 5, 8, 16, 17]);
  const num_tokens = random.one_of([1, 2, 3, 4, 5, 7, 8, 11, 16, 17, 33]);
  const kv_heads = random.draw() < 0.4 ? random.one_of([1, 2, 3, 4].filter((count) => heads % count === 0)) : undefined;
  const args = problem_of(random, { num_tokens, d_in: random.whole(1, 19), d_out, heads, kv_heads });
  if (random.draw() < 0.5) args.wo = random_matrix(random, d_out, d_out);
  for (const [name, { shape }] of Object.entries({ bq: args.wq, bk: args.wk, bv: args.wv }))
    if (random.draw() < 0.5) args[name] = random.numbers(shape[1]);
  if (args.wo && random.draw() < 0.5) args.bo = random.numbers(d_out);
  args.causal = random.draw() < 0.6;
  args.scale = random.one_of(["sqrt", "none", "dim"]);
  args.temperature = random.one_of([1, 0.5, 2.5]);
  args.mask_at = random.one_of(["before", "before", "after", "after_raw"]);
  if (random.draw() < 0.4) {
    const data = Uint8Array.from({ length: num_tokens ** 2 }, (_, place) => {
      const on_diagonal = place % (num_tokens + 1) === 0; // each token sees itself
      return !on_diagonal && random.draw() < 0.3 ? 1 : 0;
    });
    args.mask = { data, shape: [num_tokens, num_tokens] };
  }
  return args;
}

test("every stage of a thousand random problems is the reference's", () => {
  const random = make_random(1);
  for (let n = 0; n < 1000; ++n) {
    const args = random_problem(random);
    const stages = stages_of(args);
    const expected = reference(args);
    const result = engine.attention({ ...args, stages });
    assert.deepEqual(Object.keys(result).sort(), [...stages].sort());
    for (const name of stages) assert_close(result[name], expected[name], `problem ${n}, ${name}`);
  }
});

test("a layer gives the bits of its matrices, whatever was called before", () => {
  const random = make_random(7);
  const again = ({ data, shape }) => ({ data: random.numbers(data.length), shape });
  const layers = Array.from({ length: 4 }, () => {
    const { x, wq, wk, wv, wo, bq, heads, kv_heads = heads } = random_problem(random);
    const given = { wq, wk, wv, heads, kv_heads, ...(wo && { wo }), ...(bq && { bq }) };
    const twin = { ...given, wq: again(wq), wv: again(wv), ...(wo && { wo: again(wo) }) }; // of the same sizes
    assert.deepEqual(engine.layer(given), { d_in: x.shape[1], d_out: wq.shape[1], heads, kv_heads });
    return [given, twin].map((matrices) => ({ matrices, layer: engine.layer(matrices) }));
  }).flat();
  let one = layers[0];
  for (let n = 0; n < 800; ++n) {
    const choice = random.draw(); // often the layer of the call before, or its twin
    if (choice < 0.2) one = random.one_of(layers);
    else if (choice < 0.5) one = layers[layers.indexOf(one) ^ 1];
    const x = random_matrix(random, random.one_of([5, 5, 5, 1, 17, 40]), one.layer.d_in);
    const call = { x, dropout: random.one_of([0, 0, 0, 0.3]), copy: true };
    if (random.draw() < 0.2) call.stages = stages_of({ ...one.matrices, ...call });
    if (random.draw() < 0.1) engine.attention({ ...one.matrices, x: again(x) });
    const expected = other_engine.attention({ ...one.matrices, ...call });
    assert.deepEqual(engine.attention({ layer: one.layer, ...call }), expected, `call ${n}`);
  }
});

test("a layer keeps the numbers it was made of", () => {
  const random = make_random(8);
  const args = problem_of(random, { num_tokens: 9, d_in: 10, d_out: 12, heads: 3 });
  const { x, ...given } = args;
  const expected = engine.attention({ ...args, copy: true });
  const layer = engine.layer(given);
  given.wq.data.fill(0);
  given.wv.data.fill(0);
  assert.deepEqual(engine.attention({ x, layer, copy: true }), expected);
  assert.deepEqual(engine.attention({ x, layer, copy: true }), expected);
});

test("a stage has the same bits, alone or beside any others", () => {
  const random = make_random(2);
  for (let n = 0; n < 300; ++n) {
    const args = random_problem(random);
    if (random.draw() < 0.3) Object.assign(args, { dropout: 0.4, dropout_seed: n });
    const all = engine.attention({ ...args, stages: stages_of(args), copy: true });
    for (const name of stages_of(args)) {
      const alone = engine.attention({ ...args, stages: [name] });
      assert.deepEqual(Object.keys(alone), [name]);
      assert.deepEqual(alone[name].data, all[name].data, `problem ${n}, ${name}`);
    }
  }
});

test("the lecture's sentence gives the numbers that were printed", () => {
  const journey = golden("journey-6x3");
  const { W_query, W_key, W_value, scores, weights, context } = journey.recomputed;
  const args = { x: journey.inputs, wq: W_query, wk: W_key, wv: W_value, causal: false };
  const result = engine.attention({ ...args, stages: ["scores", "weights", "context"] });
  const printed = journey.printed_in_lecture;
  const near = (actual, expected, tolerance) =>
    expected
      .flat()
      .forEach((number, i) => assert.ok(Math.abs(actual[i] - number) <= tolerance, `${actual[i]}, want ${number}`));
  near(result.weights.data.slice(6, 12), printed.weights_of_journey, printed.tolerance);
  near(result.context.data.slice(2, 4), printed.context_of_journey, printed.tolerance);
  // Matrices and results were written down with six decimals.
  near(result.scores.data, scores, 1e-5);
  near(result.weights.data, weights, 1e-5);
  near(result.context.data, context, 1e-5);
});

test("two heads give the numbers of the worked notes", () => {
  const split = golden("weight-split-3x6");
  const args = { x: split.inputs, wq: split.W_query, wk: split.W_key, wv: split.W_value, heads: split.num_heads };
  const { weights, context } = engine.attention({ ...args, stages: ["weights", "context"] });
  const expected = split.recomputed;
  const numbers = { weights: expected.weights_per_head, context: expected.context_per_head };
  for (const [name, actual] of Object.entries({ weights, context })) {
    numbers[name].flat(2).forEach((number, i) => {
      assert.ok(Math.abs(actual.data[i] - number) <= 1e-5 * Math.max(1, Math.abs(number)), `${name}[${i}]`);
    });
  }
});

test("dropout drops what PyTorch drops and scales the rest", () => {
  const { dropout, seed, printed } = golden("notebook-ch03").dropout_of_ones;
  const ones = tensor(Array.from({ length: 6 }, () => [1]));
  const zero = tensor([[0]]); // equal scores: all weights are 1/6
  const args = { x: ones, wq: zero, wk: zero, wv: tensor([[1]]), causal: false, dropout, dropout_seed: seed };
  const { dropped_weights, weights, context } = engine.attention({
    ...args,
    stages: ["weights", "dropped_weights", "context"],
  });
  const scaled = [...dropped_weights.data].map((weight) => Math.round(weight * 6 * 1e6) / 1e6);
  assert.deepEqual(scaled, printed.flat());
  assert.ok(
    weights.data.every((weight) => Math.abs(weight - 1 / 6) < 1e-6),
    "the weights are those before dropout",
  );
  printed.forEach((row, i) => {
    const sum = row.reduce((total, number) => total + number, 0) / 6;
    assert.ok(Math.abs(context.data[i] - sum) < 1e-6);
  });
});

test("hidden keys are -Infinity in masked scores, 0 in weights, and are not felt", () => {
  const random = make_random(3);
  const args = problem_of(random, { num_tokens: 5, d_in: 4, d_out: 4, heads: 2 });
  const before = engine.attention({ ...args, stages: ["masked_scores", "weights", "merged"], copy: true });
  for (let place = 0; place < 50; ++place) {
    const [i, j] = [Math.floor(place / 5) % 5, place % 5];
    assert.equal(before.masked_scores.data[place] === -Infinity, j > i);
    assert.equal(before.weights.data[place] === 0, j > i);
  }
  args.x.data.fill(Infinity, 16); // the last token, which only the last token sees
  const { merged } = engine.attention({ ...args, stages: ["merged"] });
  assert.deepEqual(merged.data.slice(0, 16), before.merged.data.slice(0, 16));
  assert.ok(merged.data.slice(16).every(Number.isNaN));
});

test("nested arrays, rows of typed arrays and tensors mean the same", () => {
  const random = make_random(4);
  const args = { ...problem_of(random, { num_tokens: 3, d_in: 4, d_out: 2, heads: 1 }), bq: random.numbers(2) };
  args.mask = { data: Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0), shape: [3, 3] };
  const rows_of = ({ data, shape: [rows, columns] }) =>
    Array.from({ length: rows }, (_, i) => data.slice(i * columns, (i + 1) * columns));
  const expected = engine.attention({ ...args, copy: true });
  const forms = [
    { ...args, x: rows_of(args.x), wq: rows_of(args.wq), mask: rows_of(args.mask) },
    { ...args, x: rows_of(args.x).map((row) => [...row]), wv: rows_of(args.wv).map((row) => [...row]) },
    { ...args, bq: [...args.bq] },
    { ...args, bq: { data: args.bq, shape: [2] } },
    { ...args, mask: rows_of(args.mask).map((row) => [...row].map(Boolean)) },
  ];
  for (const form of forms) assert.deepEqual(engine.attention({ ...form, copy: true }), expected);
});

test("what is left out has its default", () => {
  const random = make_random(5);
  const args = problem_of(random, { num_tokens: 4, d_in: 3, d_out: 4, heads: 1 });
  delete args.heads;
  const spelled_out = {
    heads: 1,
    causal: true,
    scale: "sqrt",
    temperature: 1,
    mask_at: "before",
    dropout: 0,
    dropout_seed: 0,
  };
  const expected = engine.attention({ ...args, ...spelled_out, stages: ["weights", "merged"], copy: true });
  assert.deepEqual(engine.attention({ ...args, copy: true }), expected);
  const wo = random_matrix(random, 4, 4);
  assert.deepEqual(Object.keys(engine.attention({ ...args, wo })), ["weights", "merged", "output"]);
});

test("the stage table says the names, in the order of the computation, and the shapes", () => {
  assert.deepEqual(
    engine.stages.map(({ name }) => name),
    kAllStages,
  );
  assert.ok(engine.stages.every((stage) => stage.formula && stage.meaning && Object.isFrozen(stage)));
  assert.match(engine.version, /^\d+\.\d+\.\d+$/);
});

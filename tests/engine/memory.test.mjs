// The engine's memory: how long views are good, what happens when it grows or may not grow, and that nothing leaks.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createEngine, engine_file, make_random, problem_of, stages_of } from "./engine.mjs";

const random = make_random(1);
const kSmall = problem_of(random, { num_tokens: 6, d_in: 3, d_out: 2, heads: 1 });
const kLarge = problem_of(random, { num_tokens: 1200, d_in: 8, d_out: 8, heads: 2 }); // 11.5 MB of weights
const size_of = (result) => Object.values(result)[0].data.buffer.byteLength;

test("a result is a view until the next call, and frozen", async () => {
  const engine = await createEngine();
  const first = engine.attention(kSmall);
  const kept = Float32Array.from(first.weights.data);
  assert.equal(first.weights.data.buffer, first.merged.data.buffer, "both lie in the engine's memory");
  assert.throws(() => (first.weights.shape[0] = 7), TypeError);
  assert.throws(() => (first.weights.data = kept), TypeError);
  const second = engine.attention({ ...kSmall, causal: false });
  assert.notDeepEqual(first.weights.data, kept, "the next call has written other numbers there");
  assert.deepEqual(first.weights.data, second.weights.data);
  delete second.weights; // a caller may do with the object itself what it likes
  assert.ok(engine.attention(kSmall).weights);
});

test("copies stay as they are", async () => {
  const engine = await createEngine();
  const first = engine.attention({ ...kSmall, copy: true });
  const kept = structuredClone(first);
  engine.attention({ ...kLarge });
  engine.attention({ ...kSmall, causal: false });
  assert.deepEqual(first, kept);
  first.weights.shape[0] = 7; // its own
  assert.deepEqual([...engine.attention(kSmall).weights.shape], [1, 6, 6]);
});

test("memory grows with the sizes, and views that were moved have length 0", async () => {
  const engine = await createEngine();
  const small = engine.attention(kSmall);
  const expected = engine.attention({ ...kSmall, copy: true });
  const before = size_of(small);
  assert.ok(before <= 4 << 20, `an engine starts with ${before} bytes`);
  const large = engine.attention(kLarge);
  assert.ok(size_of(large) >= 4 * 2 * 1200 * 1200);
  assert.equal(small.weights.data.length, 0);
  assert.equal(large.weights.data.length, 2 * 1200 * 1200);
  assert.deepEqual(engine.attention({ ...kSmall, copy: true }), expected);
});

test("a view of a result may be an argument, also when the memory grows meanwhile", async () => {
  const engine = await createEngine();
  const { queries } = engine.attention({ ...kSmall, stages: ["queries"] });
  const x = { data: queries.data, shape: [6, 2] };
  const w = (seed) => ({ data: make_random(seed).numbers(4), shape: [2, 2] });
  const args = { wq: w(1), wk: w(2), wv: w(3) };
  const copied = { data: queries.data.slice(), shape: [6, 2] };
  const result = engine.attention({ ...args, x, copy: true });
  assert.deepEqual(engine.attention({ ...args, x: copied, copy: true }), result);

  // 6 numbers of a result as embeddings, and as many columns as make the memory grow.
  const { merged } = engine.attention({ ...kSmall, stages: ["merged"] });
  const wide = () => ({ data: make_random(9).numbers(12 * 10_000), shape: [12, 10_000] });
  const row = (data) => ({ data, shape: [1, 12] });
  const kept = merged.data.slice();
  const matrices = { wq: wide(), wk: wide(), wv: wide(), stages: ["merged"] };
  const grown = engine.attention({ ...matrices, x: row(merged.data), copy: true });
  assert.deepEqual(engine.attention({ ...matrices, x: row(kept), copy: true }), grown);

  // The embeddings' own place, handed in as something else.
  const square = { ...args, x: copied, stages: ["embeddings"] };
  const { embeddings } = engine.attention(square);
  const as_weights = { data: embeddings.data.subarray(0, 4), shape: [2, 2] };
  const plain = { data: as_weights.data.slice(), shape: [2, 2] };
  const other = { data: make_random(5).numbers(12), shape: [6, 2] };
  const mixed = engine.attention({ ...args, x: other, wv: as_weights, copy: true });
  assert.deepEqual(engine.attention({ ...args, x: other, wv: plain, copy: true }), mixed);
});

test("sizes that can never fit are refused with size and limit", async () => {
  const engine = await createEngine();
  const expected = engine.attention({ ...kSmall, copy: true });
  const num_tokens = 40_000;
  const args = { ...kSmall, x: { data: new Float32Array(num_tokens * 3), shape: [num_tokens, 3] } };
  for (const stages of [["weights"], ["scores"], ["weights", "dropped_weights"]]) {
    assert.throws(() => engine.attention({ ...args, stages, dropout: stages.includes("dropped_weights") ? 0.5 : 0 }), {
      name: "RangeError",
      message: /^attention of 40000 tokens and 1 heads needs [\d,]+ MiB more memory: .* 4096 MiB in all$/,
    });
    assert.deepEqual(engine.attention({ ...kSmall, copy: true }), expected);
  }
});

test("context alone takes no memory of the size of the weights", async () => {
  const engine = await createEngine();
  const args = problem_of(random, { num_tokens: 4000, d_in: 4, d_out: 4, heads: 2 });
  const { merged } = engine.attention({ ...args, stages: ["merged"] });
  const weights_bytes = 4 * 2 * 4000 * 4000;
  assert.ok(merged.data.buffer.byteLength < weights_bytes / 4, `${merged.data.buffer.byteLength} bytes`);
});

/** The module's bytes with another upper limit of its memory, in pages of 64 KiB: more is refused, as by a full machine. */
function with_memory_limit(bytes, pages) {
  const limited = Uint8Array.from(bytes);
  let place = 8; // after "\0asm" and the version
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = limited[place++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const kMemorySection = 5;
  while (limited[place++] !== kMemorySection) {
    const length = number();
    place += length;
  }
  number(); // its length
  assert.equal(number(), 1, "one memory");
  assert.equal(number(), 1, "with a limit");
  number(); // pages at first
  const limit = place;
  assert.equal(number(), 65536);
  for (let i = limit; i < place; ++i, pages >>>= 7) limited[i] = (pages & 127) | (i + 1 < place ? 128 : 0);
  return limited;
}

test("memory that is refused does not end the engine", async () => {
  const engine = await createEngine({ wasm: with_memory_limit(readFileSync(engine_file("engine.wasm")), 64) });
  const expected = engine.attention({ ...kSmall, copy: true });
  const calls = {
    "the stages": () => engine.attention(kLarge),
    "the derived stages": () => engine.attention({ ...kLarge, stages: ["scores"] }),
    "the arguments": () => {
      const w = { data: new Float32Array(1000 * 1000), shape: [1000, 1000] };
      engine.attention({ x: { data: new Float32Array(1000), shape: [1, 1000] }, wq: w, wk: w, wv: w });
    },
    "a trace": () => engine.trace(`text=${"a+b+".repeat(300)}&heads=4`),
    "an explanation": () => engine.explain(`text=${"a+b+".repeat(500)}&heads=4&d_out=64`),
    "a long link": () => engine.trace(`text=${"a".repeat(5_000_000)}`),
  };
  for (const [name, call] of Object.entries(calls)) {
    assert.throws(call, (error) => error instanceof RangeError && /there is no room/.test(error.message), name);
    assert.deepEqual(engine.attention({ ...kSmall, copy: true }), expected, name);
  }
  const free = await createEngine();
  assert.equal(free.attention(kLarge).weights.data.length, 2 * 1200 * 1200, "where it may grow, all of it is there");
});

test("100,000 small calls of changing sizes leave the memory as it was", async () => {
  const engine = await createEngine();
  const problems = Array.from({ length: 40 }, () => {
    const heads = random.whole(1, 3);
    const num_tokens = random.whole(1, 12);
    const args = problem_of(random, { num_tokens, d_in: random.whole(1, 8), d_out: heads * random.whole(1, 4), heads });
    if (random.draw() < 0.3) Object.assign(args, { dropout: 0.5, stages: ["dropped_weights", "context"] });
    else if (random.draw() < 0.3) args.stages = stages_of(args);
    else if (random.draw() < 0.3)
      args.mask = { data: new Uint8Array(num_tokens ** 2), shape: [num_tokens, num_tokens] };
    return args;
  });
  const expected = problems.map((args) => engine.attention({ ...args, copy: true }));
  let size = 0;
  for (let n = 0; n < 100_000; ++n) {
    const which = random.whole(0, problems.length - 1);
    const result = engine.attention(problems[which]);
    if (n % 997 === 0) {
      for (const [name, { data }] of Object.entries(result)) assert.deepEqual(data, expected[which][name].data);
    }
    if (n === 2000) size = size_of(result);
    if (n > 2000) assert.equal(size_of(result), size);
  }
});

test("engines share nothing", async () => {
  const [one, other] = await Promise.all([createEngine(), createEngine()]);
  const result = one.attention(kSmall);
  const kept = result.weights.data.slice();
  other.attention({ ...kSmall, causal: false });
  assert.deepEqual(result.weights.data, kept);
});

// What the bench concludes from its samples, and what it holds the contenders against: the reference, the statistics, the
// graphs for onnxruntime. The contenders themselves need not be there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { attention_graph, plain_graph } from "../bench/onnx.mjs";
import { create } from "../bench/contenders/loops.mjs";
import {
  checked_rows,
  error_of,
  kShapes,
  kTolerance,
  make_problem,
  reference_of,
  work_of,
} from "../bench/problems.mjs";
import { report_text } from "../bench/report.mjs";
import {
  best_peer,
  gflops,
  in_turn,
  median,
  median_of_rounds,
  summarize,
  table,
  three_digits,
} from "../bench/statistics.mjs";

const shape = (num_tokens, d_in, d_out, num_heads) => ({ num_tokens, d_in, d_out, num_heads });

test("the reference of a problem small enough for paper", () => {
  // Two tokens, one channel: q = k = v = x, so token 1 weighs the scores 2 * 1 and 2 * 2.
  const one = Float32Array.of(1);
  const problem = { ...shape(2, 1, 1, 1), x: Float32Array.of(1, 2), w_query: one, w_key: one, w_value: one };
  const second = Math.exp(4) / (Math.exp(2) + Math.exp(4));
  const wanted = [1, 1 - second + 2 * second, 1, 0, 1 - second, second]; // context, then weights
  const reference = reference_of(problem);
  assert.equal(reference.length, wanted.length);
  wanted.forEach((number, k) => assert.ok(Math.abs(reference[k] - number) < 1e-15, `${k}: ${reference[k]}, ${number}`));
});

test("heads and the scale follow the reference: loops in single precision agree, other heads do not", () => {
  const problem = make_problem(kShapes.T100);
  const reference = reference_of(problem);
  const attend = create().prepare(problem, true);
  const answer = attend();
  assert.ok(error_of(problem, answer, reference) < kTolerance);
  const other_heads = create().prepare({ ...problem, num_heads: 1 }, false)();
  assert.ok(error_of(problem, other_heads, reference) > 100 * kTolerance);
});

test("an error is found wherever it is, and a wrong length or a missing number is infinite", () => {
  const problem = make_problem(shape(7, 4, 6, 3));
  const reference = reference_of(problem);
  const answer = create().prepare(problem, true)();
  const worst_after = (change) => {
    const copy = { context: answer.context.slice(), weights: answer.weights.slice() };
    change(copy);
    return error_of(problem, copy, reference);
  };
  assert.ok(worst_after(() => {}) < kTolerance);
  for (const part of ["context", "weights"]) {
    for (const place of [0, 17, answer[part].length - 1]) {
      const worst = worst_after((copy) => (copy[part][place] += 0.5));
      assert.ok(Math.abs(worst - 0.5) < kTolerance, `${part}[${place}]: ${worst}`);
    }
    assert.equal(
      worst_after((copy) => (copy[part][5] = NaN)),
      Infinity,
    );
    assert.equal(
      worst_after((copy) => (copy[part] = copy[part].slice(1))),
      Infinity,
    );
  }
});

test("problems are the same in every run, with numbers of the variance they should have", () => {
  const { x, w_query, w_key } = make_problem(kShapes.S2);
  assert.deepEqual(x, make_problem(kShapes.S2).x);
  assert.notDeepEqual(w_query, w_key);
  const variance = x.reduce((sum, number) => sum + number * number, 0) / x.length;
  assert.ok(Math.abs(variance - 1) < 0.05, `${variance}`); // 4,096 numbers: three standard errors are 0.04
});

test("every row of a small problem is checked; of a large one the first, the last and others between", () => {
  assert.deepEqual(checked_rows(3), [0, 1, 2]);
  assert.deepEqual(checked_rows(1), [0]);
  const rows = checked_rows(2048);
  assert.equal(new Set(rows).size, 40);
  assert.equal(rows[0], 0);
  assert.equal(rows.at(-1), 2047);
});

test("work is counted for visible pairs only", () => {
  const { flops, dense_flops, exps, weight_bytes } = work_of(shape(3, 5, 4, 2));
  const projections = 3 * (3 * 4) * (2 * 5); // so many sums of 5 products and additions
  assert.equal(flops, projections + 2 * 6 * 2 * 4); // 6 pairs, two products of 4 channels
  assert.equal(dense_flops, projections + 2 * 9 * 2 * 4);
  assert.equal(exps, 2 * 6);
  assert.equal(weight_bytes, 2 * 9 * 4);
});

test("medians", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([10, 1, 3, 2]), 2.5);
  assert.equal(median([10, 9, 100]), 10); // as numbers, not as text
  assert.ok(Number.isNaN(median([])));
});

test("the order turns round every round", () => {
  const order = ["a", "b", "c"];
  assert.deepEqual(in_turn(order, 0), ["a", "b", "c"]);
  assert.deepEqual(in_turn(order, 1), ["c", "b", "a"]);
  assert.deepEqual(order, ["a", "b", "c"]);
});

test("calm samples decide where there are three of them, else all do and the figure is noisy", () => {
  const samples = (calm, noisy) => [
    ...calm.map((ms, round) => ({ ms, is_calm: true, round })),
    ...noisy.map((ms, round) => ({ ms, is_calm: false, round })),
  ];
  const good = summarize(samples([2, 1, 3], [50, 60, 70]));
  assert.deepEqual([good.ms, good.fastest_ms, good.slowest_ms, good.is_noisy], [2, 1, 3, false]);
  assert.deepEqual([good.samples, good.calm_samples], [6, 3]);
  const bad = summarize(samples([1, 2], [50]));
  assert.deepEqual([bad.ms, bad.fastest_ms, bad.slowest_ms, bad.is_noisy], [2, 1, 50, true]);
});

test("rounds are compared with each other: the last sample of each counts, and rounds that one of both missed do not", () => {
  const samples = [
    { ms: 9, round: 0, is_calm: false },
    { ms: 4, round: 0, is_calm: true },
    { ms: 6, round: 2, is_calm: true },
  ];
  assert.deepEqual(summarize(samples).rounds, [4, null, 6]);
  assert.deepEqual(summarize([]).rounds, []);
  const divide = (a, b) => a / b;
  assert.equal(median_of_rounds([4, null, 6, 8], [8, 1, 2], divide), 1.75); // of 4 / 8 and 6 / 2
  assert.ok(Number.isNaN(median_of_rounds([null, 1], [1], divide)));
});

test("the best peer is the fastest one that is right; ours is none", () => {
  const rows = [
    { name: "ours", kind: "ours", ms: 1, error: 0 },
    { name: "wrong", kind: "peer", ms: 2, error: 1 },
    { name: "failed", kind: "peer", failure: "no" },
    { name: "slow", kind: "peer", ms: 9, error: 0 },
    { name: "fast", kind: "peer", ms: 3, error: kTolerance },
  ];
  assert.equal(best_peer(rows, kTolerance).name, "fast");
  assert.equal(best_peer(rows.slice(0, 3), kTolerance), null);
});

test("figures and tables are readable", () => {
  assert.equal(gflops(3e9, 1000), 3);
  assert.deepEqual([0.0012345, 1.2345, 12.345, 1234.5, NaN].map(three_digits), [
    "0.00123",
    "1.23",
    "12.3",
    "1235",
    "-",
  ]);
  assert.equal(
    table([
      ["size", "ms"],
      ["S0", "1.5"],
    ]),
    "| size |  ms |\n|------|----:|\n| S0   | 1.5 |",
  );
});

/** A report of one size with these rows, context and weights, in node. */
function report_of(...rows) {
  const shapes = { S2: { flops: 6e6, exps: 8000, weight_bytes: 65536 } };
  const common = { environment: "node", shape: "S2", with_weights: true };
  return {
    ...{ processor: "abacus", cores: 1, clock: "wall", environments: { node: "v20" }, shapes },
    canary: { usual_ms: 1, median_ms: 1.5 },
    rows: rows.map((row) => ({ ...common, ...row })),
  };
}

test("the ratio is ours to the best right peer, the share is that of the peak measured in the same run", () => {
  const { text, is_right } = report_text(
    report_of(
      {
        name: "limits",
        kind: "limit",
        kernels: [30, 60],
        multiply_add: 60,
        exp: 1,
        softmax: 0.5,
        write: 10,
        rounds: [60, 30, 30],
      },
      { name: "limits", kind: "limit", kernels: [20], multiply_add: 20, exp: 1, softmax: 0.1, write: 1 }, // disturbed
      { name: "ours", kind: "ours", ms: 0.25, fastest_ms: 0.2, error: 1e-6, rounds: [0.2, 0.25, 0.4] },
      { name: "quick", kind: "peer", ms: 1, fastest_ms: 0.5, error: 1e-6, is_noisy: true, rounds: [0.5, 1, 2] },
      { name: "slow", kind: "peer", ms: 3, fastest_ms: 2, error: 1e-6, rounds: [] },
    ),
  );
  assert.ok(is_right, text);
  const cells = (line) => line.split("|").map((cell) => cell.trim());
  const lines = text.split("\n").map(cells);
  // 0.25 / 1, the middle of 0.2 / 0.5, 0.25 / 1 and 0.4 / 2, then 0.2 / 0.5, the goal, 6e6 operations in 0.25 ms, of 60 GFLOP/s,
  // and the middle of 30 of 60, 24 of 30 and 15 of 30
  const ratio = ["", "S2", "quick", "0.25", "0.25", "0.4", "0.35", "24", "40 %", "50 %", ""];
  assert.ok(
    lines.some((line) => line.join() === ratio.join()),
    text,
  );
  // 6e6 operations at 60 a ns, 8,000 exps at half a one a ns, 65,536 bytes at 10 a ns; all of it of 0.25 ms
  const parts = ["", "S2", "0.1", "0.016", "0.00655", "0.123", "0.25", "49 %", ""];
  assert.ok(
    lines.some((line) => line.join() === parts.join()),
    text,
  );
  assert.ok(
    lines.some((line) => line.join() === ["", "quick", "1*", ""].join()),
    text,
  );
});

test("what failed or is wrong is said, has no ratio, and makes the run fail", () => {
  const wrong = report_text(report_of({ name: "ours", kind: "ours", ms: 1, fastest_ms: 1, error: 0.5, rounds: [1] }));
  assert.equal(wrong.is_right, false);
  assert.match(wrong.text, /\| ours +\| wrong \|/);
  assert.match(wrong.text, /node S2 ours: off by 0\.5/);
  assert.doesNotMatch(wrong.text, /\| S2 /);
  const failed = report_text(report_of({ name: "mathjs", kind: "peer", failure: "no such package\n  at line 1" }));
  assert.equal(failed.is_right, false);
  assert.match(failed.text, /node S2 mathjs: no such package$/m);
});

/** A message of protocol buffers as { field: [values] }: bytes, whole numbers, or the four bytes of a float. */
function decoded(bytes) {
  const fields = {};
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (count) => bytes.subarray(at, (at += count));
  while (at < bytes.length) {
    const key = Number(varint());
    const wire = key & 7;
    assert.ok([0, 2, 5].includes(wire), `wire type ${wire}`);
    const value = wire === 0 ? BigInt.asIntN(64, varint()) : take(wire === 5 ? 4 : Number(varint()));
    (fields[key >> 3] ??= []).push(value);
  }
  assert.equal(at, bytes.length);
  return fields;
}

const text = (bytes) => new TextDecoder().decode(bytes);
const floats = (bytes) => new Float32Array(bytes.slice().buffer);

/** The graph of a model with the parts that count, by name. */
function read_model(bytes) {
  const { 1: version, 7: graphs, 8: operator_sets } = decoded(bytes);
  const { 1: nodes, 5: constants, 11: inputs, 12: outputs } = decoded(graphs[0]);
  const shape_of = (info) => {
    const { 1: type } = decoded(decoded(info)[2][0]);
    const dims = decoded(decoded(type[0])[2][0])[1];
    return dims.map((dim) => Number(decoded(dim)[1][0]));
  };
  const infos = (list) => list.map((info) => [text(decoded(info)[1][0]), shape_of(info)]);
  return {
    version: Number(version[0]),
    opset: Number(decoded(operator_sets[0])[2][0]),
    nodes: nodes.map((node) => {
      const { 1: from, 2: to, 4: operator, 5: attributes = [] } = decoded(node);
      return {
        operator: text(operator[0]),
        from: from.map(text),
        to: to.map(text),
        attributes: Object.fromEntries(
          attributes.map((attribute) => {
            const { 1: name, 2: float, 3: whole, 8: list } = decoded(attribute);
            return [text(name[0]), float ? floats(float[0])[0] : whole ? Number(whole[0]) : list.map(Number)];
          }),
        ),
      };
    }),
    constants: Object.fromEntries(
      constants.map((constant) => {
        const { 1: dims = [], 2: type, 8: name, 9: data } = decoded(constant);
        const numbers = Number(type[0]) === 1 ? floats(data[0]) : new BigInt64Array(data[0].slice().buffer);
        return [text(name[0]), { dims: dims.map(Number), numbers: Array.from(numbers, Number) }];
      }),
    ),
    inputs: infos(inputs),
    outputs: infos(outputs),
  };
}

/** Every name a node takes is made before: by an input, a constant or an earlier node. */
function assert_connected({ nodes, constants, inputs, outputs }) {
  const made = new Set([...inputs.map(([name]) => name), ...Object.keys(constants)]);
  for (const { operator, from, to } of nodes) {
    for (const name of from) assert.ok(made.has(name), `${operator} takes ${name}, which nothing makes`);
    to.forEach((name) => made.add(name));
  }
  for (const [name] of outputs) assert.ok(made.has(name), `nothing makes ${name}`);
}

test("the graph of plain operators has the problem's shapes, mask, scale and matrices", () => {
  const problem = make_problem(shape(3, 5, 4, 2));
  const model = read_model(plain_graph(problem, true));
  assert_connected(model);
  assert.deepEqual([model.version, model.opset], [8, 17]);
  assert.deepEqual(model.inputs, [["x", [3, 5]]]);
  assert.deepEqual(model.outputs, [
    ["context", [3, 4]],
    ["weights", [2, 3, 3]],
  ]);
  assert.deepEqual(model.constants.w_key, { dims: [5, 4], numbers: Array.from(problem.w_key) });
  assert.deepEqual(model.constants.split_shape, { dims: [3], numbers: [3, 2, 2] });
  assert.deepEqual(model.constants.scale, { dims: [], numbers: [Math.fround(1 / Math.sqrt(2))] });
  const hidden = -Infinity;
  assert.deepEqual(model.constants.mask.numbers, [0, hidden, hidden, 0, 0, hidden, 0, 0, 0]);
  const softmax = model.nodes.find(({ operator }) => operator === "Softmax");
  assert.deepEqual(softmax.attributes, { axis: -1 });
  const transposed = model.nodes.filter(({ operator }) => operator === "Transpose");
  const orders = transposed.map(({ to, attributes }) => [to[0], attributes.perm]);
  assert.deepEqual(orders, [
    ["query_heads", [1, 0, 2]],
    ["key_heads", [1, 2, 0]], // (num_heads, head_dim, T)
    ["value_heads", [1, 0, 2]],
    ["context_split", [1, 0, 2]],
  ]);
  assert.deepEqual(read_model(plain_graph(problem, false)).outputs, [["context", [3, 4]]]);
});

test("the operator Attention is told the heads, the mask, the scale and which output is wanted", () => {
  const problem = make_problem(shape(3, 5, 8, 2));
  const model = read_model(attention_graph(problem, true));
  assert_connected(model);
  assert.equal(model.opset, 23);
  assert.deepEqual(model.inputs, [["x", [1, 3, 5]]]);
  assert.deepEqual(model.outputs, [
    ["context", [1, 3, 8]],
    ["weights", [1, 2, 3, 3]],
  ]);
  const attention = model.nodes.find(({ operator }) => operator === "Attention");
  assert.deepEqual(attention.to, ["context", "", "", "weights"]);
  const heads = { q_num_heads: 2, kv_num_heads: 2 };
  assert.deepEqual(attention.attributes, { is_causal: 1, ...heads, scale: 0.5, qk_matmul_output_mode: 3 });
  const without = read_model(attention_graph(problem, false)).nodes.at(-1);
  assert.deepEqual(without.to, ["context"]);
  assert.equal(without.attributes.qk_matmul_output_mode, undefined);
});

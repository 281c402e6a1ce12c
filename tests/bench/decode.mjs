// One more token through 12 layers after a cache of 1,024: d 768, 12 heads, an output projection, GPT-2 small's attention. With 12 layers
// nothing is left in the processor's caches from one token to the next, as when a model talks. Ours, its own whole sentence, onnxruntime-web
// with past state, and plain loops take turns in one process; so does a loop that only reads as many bytes as a step must: the limit that
// memory sets. Prints medians over the rounds, of ratios within one round. All numbers are compared first.
//   node tests/bench/decode.mjs [--rounds N] [--tokens N] [--layers N] [--engine FOLDER]
import { strict as assert } from "node:assert";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import * as ort from "onnxruntime-web/wasm";
import { attention_decode_graph, plain_decode_graph } from "./onnx.mjs";
import { reader } from "./read_memory.mjs";
import { in_turn, median } from "./statistics.mjs";

const kBatchMs = 8;
const kD = 768;
const kHeads = 12;
const kHeadDim = kD / kHeads;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "51" },
    tokens: { type: "string", default: "1024" },
    layers: { type: "string", default: "12" },
    engine: { type: "string", default: fileURLToPath(new URL("../../build/web/engine", import.meta.url)) },
  },
});
const kPast = Number(values.tokens);
const kLayers = Number(values.layers);

let seed = 1;
/** Numbers of about the size that trained ones have. */
const numbers = (count, reach) =>
  Float32Array.from({ length: count }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return (seed / 2 ** 31 - 1) * reach;
  });
const matrix = () => numbers(kD * kD, 1 / Math.sqrt(kD));
const make_problem = () => {
  const projections = { w_query: matrix(), w_key: matrix(), w_value: matrix() };
  return { d_in: kD, d_out: kD, num_heads: kHeads, ...projections, w_out: matrix() };
};
const tokens = numbers((kPast + 1) * kD, 1);
const x = tokens.slice(kPast * kD);

const { createLearningEngine } = await import(pathToFileURL(`${values.engine}/learning.js`).href);
const engine = await createLearningEngine();

/** Ours: the token is read and forgotten again. Returns the step, the whole sentence, and the kept keys and values by head. */
function ours(problem) {
  const tensor = (data) => ({ data, shape: [data.length / kD, kD] });
  const weights = { wq: tensor(problem.w_query), wk: tensor(problem.w_key), wv: tensor(problem.w_value) };
  const layer = engine.layer({ ...weights, wo: tensor(problem.w_out), heads: kHeads });
  const cache = engine.cache({ layer });
  const prompt = cache.append(tensor(tokens.subarray(0, kPast * kD)), { weights: false });
  const step = () => {
    const { output } = cache.append(tensor(x), { weights: false });
    cache.forget_from(kPast);
    return output.data;
  };
  const whole = () => {
    const { output } = engine.attention({ x: tensor(tokens), layer, stages: ["output"] });
    return output.data.slice(kPast * kD);
  };
  return { step, whole, keys: prompt.keys.data, values: prompt.values.data };
}

async function onnxruntime(graph, batch, kept) {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "error";
  const options = { executionProviders: ["wasm"], graphOptimizationLevel: "all" };
  const session = await ort.InferenceSession.create(graph, options);
  const past = (data) => new ort.Tensor("float32", data, [...batch, kHeads, kPast, kHeadDim]);
  const inputs = { past_key: past(kept.keys), past_value: past(kept.values) };
  return async () => {
    const outputs = await session.run({ x: new ort.Tensor("float32", x, [...batch, 1, kD]), ...inputs });
    return outputs.context.data;
  };
}

/** Loops as one writes them, over arrays that have room for the new token. */
function loops(problem, kept) {
  const grown = (data) => {
    const all = new Float32Array(kHeads * (kPast + 1) * kHeadDim);
    for (let h = 0; h < kHeads; ++h) {
      const head = data.subarray(h * kPast * kHeadDim, (h + 1) * kPast * kHeadDim);
      all.set(head, h * (kPast + 1) * kHeadDim);
    }
    return all;
  };
  const keys = grown(kept.keys);
  const kept_values = grown(kept.values);
  const row_of = (row, w) => {
    const result = new Float32Array(kD);
    for (let c = 0; c < kD; ++c) for (let j = 0; j < kD; ++j) result[j] += row[c] * w[c * kD + j];
    return result;
  };
  const weights = new Float32Array(kPast + 1);
  return () => {
    const query = row_of(x, problem.w_query);
    const key = row_of(x, problem.w_key);
    const value = row_of(x, problem.w_value);
    const merged = new Float32Array(kD);
    for (let h = 0; h < kHeads; ++h) {
      const first = h * kHeadDim;
      const place = h * (kPast + 1) * kHeadDim;
      keys.set(key.subarray(first, first + kHeadDim), place + kPast * kHeadDim);
      kept_values.set(value.subarray(first, first + kHeadDim), place + kPast * kHeadDim);
      let row_max = -Infinity;
      for (let j = 0; j <= kPast; ++j) {
        let score = 0;
        for (let c = 0; c < kHeadDim; ++c) score += query[first + c] * keys[place + j * kHeadDim + c];
        weights[j] = score / Math.sqrt(kHeadDim);
        if (weights[j] > row_max) row_max = weights[j];
      }
      let sum = 0;
      for (let j = 0; j <= kPast; ++j) sum += weights[j] = Math.exp(weights[j] - row_max);
      for (let j = 0; j <= kPast; ++j)
        for (let c = 0; c < kHeadDim; ++c)
          merged[first + c] += (weights[j] / sum) * kept_values[place + j * kHeadDim + c];
    }
    return row_of(merged, problem.w_out);
  };
}

const kBytes = 4 * kLayers * (4 * kD * kD + 2 * kPast * kD);
/** The functions of all layers by the contender's name. Layers read the same token: what they compute changes no time. */
const layers = {};
for (let l = 0; l < kLayers; ++l) {
  const problem = make_problem();
  const { step, whole, ...kept } = ours(problem);
  const all = {
    step,
    "whole sentence": whole,
    "onnxruntime plain": await onnxruntime(plain_decode_graph(problem, kPast), [], kept),
    "onnxruntime Attention": await onnxruntime(attention_decode_graph(problem, kPast), [1], kept),
    "JavaScript loops": loops(problem, kept),
  };
  const right = step();
  for (const [name, run] of Object.entries(all)) {
    const row = await run();
    // Sums of 768 and 1,025 floats in other orders; outputs are about .03.
    row.forEach((number, c) => assert.ok(Math.abs(number - right[c]) < 1e-5, `${name}: ${number}, not ${right[c]}`));
    (layers[name] ??= []).push(run);
  }
}
const contenders = Object.entries(layers).map(([name, runs]) => ({
  name,
  run: async () => {
    for (const run of runs) await run();
  },
}));
contenders.push({ name: "reading alone", run: await reader(kBytes) });

async function batch(contender, calls) {
  const start = performance.now();
  for (let k = 0; k < calls; ++k) await contender.run();
  return (performance.now() - start) / calls;
}

for (const contender of contenders) {
  const end = performance.now() + 1000; // compilers settle
  while (performance.now() < end) await contender.run();
  contender.calls = Math.max(1, Math.ceil(kBatchMs / (await batch(contender, 1))));
}
const rounds = [];
while (rounds.length < Number(values.rounds)) {
  const times = {};
  for (const contender of in_turn(contenders, rounds.length))
    times[contender.name] = await batch(contender, contender.calls);
  rounds.push(times);
}

console.log(
  `one token after ${kPast} through ${kLayers} layers: d = ${kD}, ${kHeads} heads, ${(kBytes / 1e6).toFixed(1)} MB to read`,
);
for (const { name } of contenders)
  console.log(`  ${name.padEnd(24)} ${median(rounds.map((times) => times[name])).toFixed(3)} ms`);
const print_ratio = (name, ratio) => console.log(`  ${name}: ${median(rounds.map(ratio)).toFixed(3)}`);
print_ratio("step / whole sentence", (t) => t.step / t["whole sentence"]);
print_ratio(
  "step / best of onnxruntime-web",
  (t) => t.step / Math.min(t["onnxruntime plain"], t["onnxruntime Attention"]),
);
print_ratio("step / JavaScript loops", (t) => t.step / t["JavaScript loops"]);
print_ratio("share of the limit that reading sets (at least 0.60)", (t) => t["reading alone"] / t.step);

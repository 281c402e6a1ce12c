// What learning costs, in turns with its peers: a gradient in times of the forward pass, TensorFlow.js's grads and PyTorch on one
// thread, and the steps a second of the lessons' problem. Prints medians over the rounds, of ratios within one round: what else the
// machine does weighs on both sides alike.
//   node tests/bench/learning.mjs [--rounds N] [--shapes S2,S3,S4] [--native PROGRAM] [--engine FOLDER]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { kShapes } from "./problems.mjs";
import { median } from "./statistics.mjs";

const kRoot = fileURLToPath(new URL("../..", import.meta.url));
const kBatchMs = 60;
const kWorker = `${kRoot}tests/bench/contenders/learning_worker.mjs`;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    shapes: { type: "string", default: "S2,S3,S4" },
    native: { type: "string", default: `${kRoot}build/release/bench_learning` },
    engine: { type: "string", default: `${kRoot}build/web/engine` },
  },
});

const kPython = "/usr/bin/python3"; // the one of Debian, which has its PyTorch

class Contender {
  constructor(program, ...args) {
    this.child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    this.calls = new Map();
  }
  async ask(shape, kind, calls) {
    const { num_tokens, d_in, d_out, num_heads } = kShapes[shape];
    this.child.stdin.write(`${num_tokens} ${d_in} ${d_out} ${num_heads} ${kind} ${calls}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`${this.child.spawnargs.join(" ")} ended`);
    return Number(value);
  }
  /** Milliseconds a call, of a batch that takes about kBatchMs. */
  async measure(shape, kind) {
    const key = `${shape} ${kind}`;
    if (!this.calls.has(key)) this.calls.set(key, Math.max(1, Math.ceil(kBatchMs / (await this.ask(shape, kind, 1)))));
    return this.ask(shape, kind, this.calls.get(key));
  }
  async close() {
    this.child.stdin.end();
    await once(this.child, "exit");
  }
}

const contenders = {
  native: new Contender(values.native),
  torch: new Contender(kPython, `${kRoot}tests/bench/contenders/torch_learning.py`),
  wasm: new Contender(process.execPath, kWorker, "ours", values.engine),
  batched: new Contender(process.execPath, kWorker, "tfjs", "batched"),
  per_head: new Contender(process.execPath, kWorker, "tfjs", "per_head"),
};
const { native, torch, wasm, batched, per_head } = contenders;

async function round(shape) {
  const times = {};
  const take = async (name, contender, kind) => (times[`${name} ${kind}`] = await contender.measure(shape, kind));
  await take("native", native, "forward");
  await take("native", native, "backward");
  await take("native", native, "gradient");
  await take("torch", torch, "forward");
  await take("torch", torch, "gradient");
  await take("wasm", wasm, "forward");
  await take("wasm", wasm, "gradient");
  await take("tfjs batched", batched, "gradient");
  await take("tfjs per_head", per_head, "gradient");
  return times;
}

const kRatios = {
  "backward / forward, native (at most 2.5)": (t) => t["native backward"] / t["native forward"],
  "gradient / forward, wasm (forward and backward together)": (t) => t["wasm gradient"] / t["wasm forward"],
  "forward / PyTorch's, native (at most 1.0)": (t) => t["native forward"] / t["torch forward"],
  "gradient / PyTorch's, native (at most 1.0)": (t) => t["native gradient"] / t["torch gradient"],
  "gradient / best of tfjs, wasm (at most 0.4)": (t) =>
    t["wasm gradient"] / Math.min(t["tfjs batched gradient"], t["tfjs per_head gradient"]),
};

for (const shape of values.shapes.split(",")) {
  await round(shape); // compilers settle, and batches find their size
  const rounds = [];
  while (rounds.length < Number(values.rounds)) rounds.push(await round(shape));
  const { num_tokens, d_in, num_heads } = kShapes[shape];
  console.log(`${shape}: ${num_tokens} tokens, d = ${d_in}, ${num_heads} heads`);
  for (const name of Object.keys(rounds[0]))
    console.log(`  ${name.padEnd(24)} ${median(rounds.map((times) => times[name])).toFixed(3)} ms`);
  for (const [name, ratio] of Object.entries(kRatios))
    console.log(`  ${name}: ${median(rounds.map(ratio)).toFixed(2)}`);
}

const steps = { native: [], wasm: [], torch: [] };
for (let k = 0; k <= Number(values.rounds); ++k) {
  for (const [name, all] of Object.entries(steps)) all.push(1000 / (await contenders[name].measure("S0", "step")));
}
console.log("S0, the lessons' problem: 11 tokens, steps a second (at least 50,000 natively, 20,000 as WebAssembly)");
for (const [name, all] of Object.entries(steps)) console.log(`  ${name}: ${Math.round(median(all.slice(1)))}`);
await Promise.all(Object.values(contenders).map((contender) => contender.close()));

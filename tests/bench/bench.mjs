// Runs the engine and its peers on the same problems, in turns, and prints how they compare. tools/bench calls it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { make_site } from "./bundles.mjs";
import { kContenders } from "./contenders.mjs";
import { open_environment, processor_ms } from "./hosts.mjs";
import { kShapes, make_problem, reference_of, work_of } from "./problems.mjs";
import { report_text } from "./report.mjs";
import { by_round, in_turn, median, summarize } from "./statistics.mjs";

const kBatchMs = 30; // a batch is so many calls
const kWarmUpMs = { node: 500, chromium: 500, native: 50 }; // compilers of JavaScript and WebAssembly settle meanwhile
const kPatienceMs = 15_000; // for one contender at one size: a slow one gets fewer rounds
const kTriesForCalm = 3;
const kSlowCanary = 1.25; // times its usual speed: somebody else is at work
const kQuickShapes = ["S0", "S2", "S3"];

/** The command line as settings, or an Error that says what is wrong. */
function read_settings(args) {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: "string" },
      rounds: { type: "string" },
      only: { type: "string", default: "" },
      envs: { type: "string", default: "node,chromium,native" },
      clock: { type: "string", default: "wall" },
      quick: { type: "boolean", default: false },
      out: { type: "string" },
    },
  });
  const shapes = values.sizes?.split(",") ?? (values.quick ? kQuickShapes : Object.keys(kShapes));
  const unknown = shapes.find((shape) => !kShapes[shape]);
  if (unknown) throw new Error(`--sizes knows ${Object.keys(kShapes).join(" ")}, not '${unknown}'`);
  const environments = values.envs.split(",");
  const stray = environments.find((name) => !kContenders[name]);
  if (stray) throw new Error(`--envs knows ${Object.keys(kContenders).join(" ")}, not '${stray}'`);
  const rounds = Number(values.rounds ?? (values.quick ? 5 : 11));
  if (!(Number.isInteger(rounds) && rounds >= 1)) throw new Error("--rounds wants a whole number from 1");
  if (!["wall", "processor"].includes(values.clock)) throw new Error("--clock knows wall and processor");
  return { shapes, environments, rounds, only: new RegExp(values.only), clock: values.clock, out: values.out };
}

/** A fixed piece of arithmetic, half a millisecond. */
function arithmetic() {
  let number = 2;
  for (let k = 0; k < 300_000; ++k) number = number * 0.999 + 0.001;
  return number;
}

/** How long it takes: as long as the machine is disturbed. */
function canary_ms(clock) {
  for (let k = 0; k < 3; ++k) arithmetic(); // what was not called for a while may have to be compiled again
  const before = process.cpuUsage();
  const start = performance.now();
  arithmetic();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return clock === "wall" ? wall : (user + system) / 1000;
}

class Canary {
  readings = [];

  constructor(clock) {
    this.clock = clock;
    this.usual = Math.min(...Array.from({ length: 100 }, () => canary_ms(clock)));
  }
  is_calm() {
    const ms = canary_ms(this.clock);
    this.readings.push(ms);
    this.usual = Math.min(this.usual, ms);
    return ms <= kSlowCanary * this.usual;
  }
}

/** Milliseconds a call of a batch, on the clock of the settings. */
async function timed_batch(entry, clock) {
  if (clock === "wall") return entry.host.batch(entry.calls);
  const before = processor_ms(entry.pids);
  await entry.host.batch(entry.calls);
  return (processor_ms(entry.pids) - before) / (entry.calls + 1); // the first call, which is not timed, counts here
}

/** Finds how many calls make a batch, while the contender warms up. */
async function calibrate(entry, clock, warm_up_ms) {
  entry.calls = 1;
  let spent = 0;
  for (;;) {
    const ms = await timed_batch(entry, clock);
    spent += ms * entry.calls;
    const wanted = Math.max(1, Math.ceil(kBatchMs / ms));
    if (spent >= warm_up_ms) {
      entry.calls = wanted;
      entry.expected_ms = ms * wanted;
      return;
    }
    entry.calls = Math.min(wanted, entry.calls * 4);
  }
}

/** Takes the samples of one round of one contender; a disturbed batch is tried again. */
async function take_samples(entry, { round, canary, clock }) {
  if (entry.kind === "limit") {
    entry.limits.push({ round, ...(await entry.host.measure()) });
    return;
  }
  const tries = entry.expected_ms > 500 ? 1 : kTriesForCalm;
  for (let tried = 0; tried < tries; ++tried) {
    const was_calm = canary.is_calm();
    const ms = await timed_batch(entry, clock);
    const is_calm = canary.is_calm() && was_calm;
    entry.samples.push({ ms, is_calm, round });
    if (is_calm) return;
  }
}

/** One problem, one variant: every contender's first call is checked, then they take turns. Adds rows to the report. */
async function run_variant(entries, { shape, with_weights, settings, canary, warm_up_ms, add_row }) {
  const ready = [];
  for (const entry of entries) {
    Object.assign(entry, { samples: [], limits: [], error: null, expected_ms: 0, failure: null });
    try {
      if (entry.kind !== "limit") {
        const { error, version } = await entry.host.start(shape, with_weights);
        Object.assign(entry, { error, version });
        entry.pids = await entry.host.pids();
        await calibrate(entry, settings.clock, warm_up_ms);
      }
      ready.push(entry);
    } catch (failure) {
      entry.failure = failure.message;
    }
  }
  for (let round = 0; round < settings.rounds; ++round) {
    for (const entry of in_turn(ready, round)) {
      if (entry.failure || round * entry.expected_ms > kPatienceMs) continue;
      try {
        await take_samples(entry, { round, canary, clock: settings.clock });
      } catch (failure) {
        entry.failure = failure.message;
      }
    }
  }
  for (const entry of entries) {
    const { name, kind, set, version, calls } = entry;
    add_row({ name, kind, set, version, calls, ...figures_of(entry) });
  }
}

function figures_of({ kind, failure, error, samples, limits }) {
  if (failure) return { failure };
  return kind === "limit" ? limits_of(limits) : { error, ...summarize(samples) };
}

/** The best of the rounds, as a limit is a maximum; kernels: of each shape; rounds: the peak of each. */
function limits_of(readings) {
  const best = (of) => Math.max(...readings.map(of));
  const kernels = readings[0].multiply_add.map((_, k) => best(({ multiply_add }) => multiply_add[k]));
  const [exp, softmax, write] = ["exp", "softmax", "write"].map((name) => best((reading) => reading[name]));
  const rounds = by_round(readings, ({ multiply_add }) => Math.max(...multiply_add));
  return { kernels, multiply_add: Math.max(...kernels), exp, softmax, write, rounds };
}

/** Whether the processor has what a contender needs, as Linux names it; elsewhere only what every processor has. */
function has_instructions(flag) {
  if (!flag) return true;
  return existsSync("/proc/cpuinfo") && new RegExp(`\\b${flag}\\b`).test(readFileSync("/proc/cpuinfo", "utf8"));
}

const is_wanted = ({ name, most_flops, flag }, shape, { only }) =>
  only.test(name) && work_of(kShapes[shape]).dense_flops <= most_flops && has_instructions(flag);

/** Opens the contenders of one environment for one problem. Those that do not open get a row that says why. */
async function open_all(environment, contenders, add_row) {
  const entries = [];
  for (const contender of contenders) {
    try {
      entries.push({ ...contender, host: await environment.open(contender) });
    } catch (failure) {
      add_row({ name: contender.name, kind: contender.kind, failure: failure.message });
    }
  }
  return entries;
}

async function main() {
  const settings = read_settings(process.argv.slice(2));
  const folder = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
  const root = join(folder, "../..");
  const out = join(root, "build/bench");
  const site = join(out, "site");
  const files = {
    reference: (shape) => join(site, `reference-${shape}.bin`),
    problem: (shape) => join(out, `problem-${shape}.bin`),
    answer: (name) => join(out, `answer-${name.replaceAll(" ", "-")}.bin`),
  };
  const modules = [...new Set(kContenders.chromium.map(({ module }) => module))];
  await make_site({ folder, web: join(root, "build/web"), site, modules });
  const canary = new Canary(settings.clock);
  const report = {
    when: new Date().toISOString(),
    processor: cpus()[0].model,
    cores: cpus().length,
    clock: settings.clock,
    environments: {},
    shapes: Object.fromEntries(
      settings.shapes.map((shape) => [shape, { ...kShapes[shape], ...work_of(kShapes[shape]) }]),
    ),
    rows: [],
  };
  for (const shape of settings.shapes) {
    const problem = make_problem(kShapes[shape]);
    const { x, w_query, w_key, w_value } = problem;
    writeFileSync(files.reference(shape), new Uint8Array(reference_of(problem).buffer));
    writeFileSync(
      files.problem(shape),
      Buffer.concat([x, w_query, w_key, w_value].map((one) => Buffer.from(one.buffer))),
    );
  }
  for (const name of settings.environments) {
    const environment = await open_environment(name, { folder, site, files, programs: join(root, "build/release") });
    report.environments[name] = environment.version;
    for (const shape of settings.shapes) {
      const wanted = kContenders[name].filter((one) => is_wanted(one, shape, settings));
      const add = (row) => report.rows.push({ environment: name, shape, ...row });
      const entries = await open_all(environment, wanted, add);
      for (const with_weights of [true, false]) {
        await run_variant(entries, {
          shape,
          with_weights,
          settings,
          canary,
          warm_up_ms: kWarmUpMs[name],
          add_row: (row) => add({ with_weights, ...row }),
        });
        process.stderr.write(
          `${name} ${shape} ${with_weights ? "context and weights" : "context only"}: done, load ${loadavg()[0].toFixed(1)}\n`,
        );
      }
      for (const { host } of entries) await host.close();
    }
    await environment.close();
  }
  report.canary = { usual_ms: canary.usual, median_ms: median(canary.readings) };
  const file = settings.out ?? join(out, "bench.json");
  mkdirSync(out, { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`);
  const { text, is_right } = report_text(report);
  console.log(`${text}\n\nAll figures: ${file}`);
  process.exit(is_right ? 0 : 1);
}

main().catch((error) => {
  console.error(`error: ${error.message}`);
  process.exit(1);
});

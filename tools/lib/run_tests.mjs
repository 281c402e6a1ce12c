// Runs the parts of the test suite named on the command line and ends with "N passed, N failed". tools/test calls it, after the
// set-up. With --sanitize, native tests are built with the sanitizers, and the programs as they are handed out. With --share N also
// the Nth of the seven shares of what the usual run leaves out, with --share commit the one that the commit's name picks. What a
// part needs is built first; a part whose build fails, whose program dies, or that has no test counts as failed.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { check_rooms } from "../check_rooms.mjs";
import { with_chromium } from "./chromium.mjs";
import { Costs } from "./costs.mjs";
import { Results, read_catch2, read_tap } from "./results.mjs";
import { check_style } from "./style.mjs";
import { with_screen } from "./screen.mjs";
import { kTargets } from "./fuzz_targets.mjs";

const root = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");
const reports = join(root, "build/reports");
const kMinute = 60_000;
// Ends tests that hang, by name. Node knows the option from 18.18 on.
const kLimit = process.allowedNodeEnvironmentFlags.has("--import") ? ["--import", join(root, "tests/limit.mjs")] : [];

const costs = new Costs(); // of each part, and of the builds in each preset's folder, which several parts share

/** Runs a program in the project's folder with its output shown. Resolves to its exit code; past the limit it is killed. */
function run(program, args, { env = {}, limit = 30 * kMinute } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, ...env },
    });
    const timer = setTimeout(() => {
      console.error(`error: ${program} took more than ${limit / kMinute} minutes and was stopped`);
      child.kill("SIGKILL");
    }, limit);
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      costs.count();
      resolve(code ?? signal);
    });
  });
}

const built = new Map();

/** Configures and builds a preset's targets, each once in a run. Resolves to true when that went well. */
async function build(preset, ...targets) {
  const key = [preset, ...targets].join(" ");
  if (!built.has(key)) {
    built.set(
      key,
      alone(preset, () => costs.of(`building ${preset}`, () => build_now(preset, targets))),
    );
  }
  return built.get(key);
}

const busy = new Map(); // the folder of each preset: what was last begun in it

/** Two builds in one folder would disturb each other: the second waits. */
function alone(preset, work) {
  const begun = (busy.get(preset) ?? Promise.resolve()).then(work);
  busy.set(preset, begun);
  return begun;
}

async function build_now(preset, targets) {
  console.log(`-- building ${preset}: ${targets.join(" ")}`);
  const log = join(root, `build/${preset}`);
  const configured = await run("cmake", [
    ...["--preset", preset, "--log-level=NOTICE"],
    "-DATTN_WARNINGS_AS_ERRORS=ON", // here, and not where a visitor's newer compiler only builds the page
  ]);
  if (configured !== 0) return false;
  return (await run("cmake", ["--build", log, "--target", ...targets], { limit: 60 * kMinute })) === 0;
}

/**
 * Runs one Catch2 program, natively or (ending in .js) in node. A test that checks nothing fails.
 * @param {string} name of its report
 */
async function catch2(name, program, env = {}) {
  const report = join(reports, `${name}.xml`);
  rmSync(report, { force: true });
  const reporters = ["--reporter", "console", "--reporter", `xml::out=${report}`];
  const options = [...reporters, "--colour-mode", "none", "--rng-seed", "1", "--warn", "NoAssertions"];
  const command = program.endsWith(".js") ? [process.execPath, program] : [program];
  console.log(`-- ${name}`);
  const code = await run(command[0], [...command.slice(1), ...options], { env, limit: 60 * kMinute });
  return read_catch2(name, existsSync(report) ? readFileSync(report, "utf8") : "", code);
}

// Short traces of who asked for memory: to note long ones takes a fifth of the time of a test that asks often. To see the use of a
// stack that a function has left takes as long again as the test itself: that is for the night.
const kSanitizers = { ASAN_OPTIONS: "malloc_context_size=6", UBSAN_OPTIONS: "print_stacktrace=1" };
const kByNight = { ASAN_OPTIONS: "detect_stack_use_after_return=1:malloc_context_size=6", ATTN_ALL_SAMPLES: "1" };

/** Builds and runs the test programs of a preset. */
async function catch2_parts(preset, names, { suffix = "", env = {}, label = preset } = {}) {
  const results = new Results();
  if (!(await build(preset, ...names))) {
    results.fail(`${preset}: the build of ${names.join(", ")} failed`);
    return results;
  }
  for (const name of names) {
    const program = join(root, `build/${preset}/${name}${suffix}`);
    results.add(await catch2(`${name}-${label}`, program, { ...kSanitizers, ...env }));
  }
  return results;
}

function test_files(folder) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => name.endsWith(".test.mjs"));
  return names.sort().map((name) => join(folder, name));
}

/** Runs a folder's node tests, one file after the other: several browsers at once on two cores only make each other slow. */
async function node_tests(folder, env = {}, { files = test_files(folder), label = folder } = {}) {
  if (files.length === 0) return new Results();
  const report = join(reports, `${label.replace("/", "-")}.tap`);
  rmSync(report, { force: true });
  const reporters = ["spec", "stdout", "tap", report];
  const options = reporters.map((value, i) => `--test-reporter${i % 2 ? "-destination" : ""}=${value}`);
  console.log(`-- ${label}`);
  const args = [...kLimit, "--test", "--test-concurrency=1", ...options, ...files];
  const code = await run(process.execPath, args, { env, limit: 180 * kMinute });
  return read_tap(label, existsSync(report) ? readFileSync(report, "utf8") : "", code);
}

/** Builds, then runs a folder's node tests, if the build went well. */
async function built_node_tests(folder, builds, env = {}, options = {}) {
  const results = new Results();
  if (test_files(folder).length === 0) return results;
  for (const [preset, ...targets] of builds) {
    if (!(await build(preset, ...targets)))
      results.fail(`${folder}: the build of ${targets.join(", ")} (${preset}) failed`);
  }
  if (results.total === 0) results.add(await node_tests(folder, env, options));
  return results;
}

async function sum(...steps) {
  const results = new Results();
  for (const step of steps) results.add(await step());
  return results;
}

const { values: kOptions, positionals: kNamed } = parseArgs({
  allowPositionals: true,
  options: { sanitize: { type: "boolean", default: false }, share: { type: "string" } },
});
const is_sanitized = kOptions.sanitize;
const kTests = is_sanitized ? "sanitize" : "dev"; // the preset of the native tests
const kPrograms = is_sanitized ? "release" : "dev"; // and of the programs that other tests run

const native = { ATTN_NATIVE: join(root, `build/${kPrograms}`), ATTN_NATIVE_TESTS: join(root, `build/${kTests}`) };
const wasm = { ...native, ATTN_WASM: join(root, "build/web") };
const engine = { ...native, ATTN_ENGINE: join(root, "build/web/engine") };
const page = { ATTN_PAGE: join(root, "build/web/page"), ATTN_DIST: join(root, "build/web/dist") };

let site; // two parts want it

/** Builds the page and makes what tools/dist hands out of it, once in a run. Resolves to a sentence if that went wrong. */
function make_site() {
  site ??= (async () => {
    if (!(await build("web", "page", "attn"))) return "the build of the page (web) failed";
    const code = await run(process.execPath, [
      "tools/dist.mjs",
      page.ATTN_PAGE,
      page.ATTN_DIST,
      join(root, "build/web/attn.js"),
    ]);
    return code === 0 ? "" : "the site could not be made of the page";
  })();
  return site;
}

/** The tests of a folder that open the site. */
async function site_tests(folder, builds, env) {
  const problem = await make_site();
  if (problem === "") return built_node_tests(folder, builds, { ...env, ...page });
  const results = new Results();
  results.fail(`${folder}: ${problem}`);
  return results;
}

// GLib and the graphics drivers keep things until the end on purpose.
const kNoLeaks = is_sanitized ? { ASAN_OPTIONS: "detect_leaks=0" } : {};

/** The benches: each is compiled, and runs once at its smallest size; what it measures then says nothing. */
const bench_tests = () =>
  site_tests(
    "tests/bench",
    [
      ["web", "engine", "empty_window", "bench_programs"],
      ["release", "attn", "bench_programs"],
    ],
    { ATTN_NATIVE: join(root, "build/release"), ATTN_WASM: join(root, "build/web") },
  );

const kFuzzPrograms = Object.values(kTargets).flatMap(({ program }) => program ?? []);

// tests/model/script_texts.mjs asks the second program for the tokens of each line.
const kWithTokenizers = [
  [kPrograms, "attn"],
  [kTests, "tokenize_lines"],
];

const kParts = {
  tools: () => node_tests("tests/tools"),
  style: () =>
    sum(
      () => check_style(root),
      () => check_rooms(root),
    ),
  core: () =>
    sum(
      () => catch2_parts(kTests, ["core_test"]),
      () => node_tests("tests/golden"),
    ),
  model: () =>
    sum(
      () => catch2_parts(kTests, ["model_test"]),
      () => built_node_tests("tests/model", kWithTokenizers, native),
    ),
  playground: () => catch2_parts(kTests, ["playground_test"]),
  scene: () => catch2_parts(kTests, ["scene_test"]),
  views: () => catch2_parts(kTests, ["views_test"]),
  share: () =>
    sum(
      () => catch2_parts(kTests, ["share_test", "file_memory_test"]),
      () => built_node_tests("tests/share", [[kPrograms, "attn"]], native),
    ),
  torch: () => built_node_tests("tests/torch", kWithTokenizers, native),
  office: () => built_node_tests("tests/office", [[kPrograms, "attn"]], native),
  cli: () =>
    sum(
      () => catch2_parts(kTests, ["cli_test", "disk_test"]),
      () => built_node_tests("tests/cli", [[kPrograms, "attn", "attention-playground"]], native),
    ),
  ui: () => catch2_parts(kTests, ["render_test", "ui_test"]),
  app: () => catch2_parts(kTests, ["app_test"]),
  fuzz: () => built_node_tests("tests/fuzz", [[kTests, "planted_fuzz", ...kFuzzPrograms]], native),
  // The numbers themselves, the models and the recorded digests; the other halls use the same bits (kNightParts).
  wasm: () =>
    sum(
      () => catch2_parts("web", ["core_test", "model_test"], { suffix: ".js" }),
      () =>
        built_node_tests(
          "tests/wasm",
          [
            [kPrograms, "attn"],
            ["web", "attn", "attention-workbook"],
          ],
          wasm,
        ),
    ),
  web: () => node_tests("tests/web"),
  browser: () =>
    with_chromium((chromium) => site_tests("tests/browser", [[kPrograms, "attn"]], { ...native, ...chromium })),
  engine: () =>
    built_node_tests(
      "tests/engine",
      [
        ["web", "engine"],
        [kPrograms, "attn"],
      ],
      engine,
    ),
  desktop: () =>
    with_screen((screen) =>
      sum(
        () => catch2_parts(kTests, ["platform_test"], { env: { ...screen, ...kNoLeaks } }),
        () =>
          built_node_tests(
            "tests/desktop",
            [
              [kPrograms, "attention-playground", "attn"],
              [kTests, "fake_portal"],
            ],
            { ...native, ...screen, ...kNoLeaks },
          ),
      ),
    ),
  bench: bench_tests,
};

/** The tests of a program with every sample, watched as closely as the sanitizers can. */
const by_night = (...names) => catch2_parts(kTests, names, { env: kByNight, label: "night" });

/** The fuzz targets with so many times as many inputs as by day. */
const fuzz_longer = (label, ...targets) =>
  built_node_tests(
    "tests/fuzz",
    [[kTests, ...targets.flatMap((name) => kTargets[name].program ?? [])]],
    { ...native, ATTN_FUZZ_TARGETS: targets.join(","), ATTN_FUZZ_TIMES: "10" },
    { label },
  );

// What the usual run leaves out, as it takes long and finds little that the rest does not.
const kNightParts = {
  packages: () =>
    with_screen(async (screen) => {
      const packages = join(root, "build/packages");
      const results = new Results();
      rmSync(packages, { recursive: true, force: true });
      if ((await alone("release", () => run(join(root, "tools/package"), [packages]))) !== 0)
        results.fail("packages: tools/package failed");
      else results.add(await node_tests("tests/packages", { ATTN_PACKAGES: packages, ...screen }));
      return results;
    }),
  night_core: () => by_night("core_test"),
  night_model: () => by_night("model_test"),
  night_playground: () => by_night("playground_test"),
  night_ui: () => by_night("ui_test", "render_test"),
  night_rest: () =>
    by_night("scene_test", "views_test", "share_test", "file_memory_test", "cli_test", "disk_test", "app_test"),
  wasm_playground: () => catch2_parts("web", ["playground_test"], { suffix: ".js" }),
  wasm_rest: () => catch2_parts("web", ["scene_test", "views_test", "share_test", "cli_test"], { suffix: ".js" }),
  fuzz_links: () => fuzz_longer("fuzz_links", "links", "sessions", "commands", "messages", "element"),
  fuzz_visits: () => fuzz_longer("fuzz_visits", "visits"),
  fuzz_models: () => fuzz_longer("fuzz_models", "models", "safetensors", "gguf", "tokenizers", "torch"),
  fuzz_files: () => fuzz_longer("fuzz_files", "npy", "npz", "tables"),
  real_tokenizers: async () => {
    const results = new Results();
    if ((await run(join(root, "tools/setup"), ["tokenizers"])) !== 0)
      results.fail("real_tokenizers: tools/setup tokenizers failed");
    else results.add(await built_node_tests("tests/real_tokenizers", [[kTests, "tokenize_lines"]], native));
    return results;
  },
  own_words: () => built_node_tests("tests/own_words", [[kPrograms, "attn"]], native),
  // By day PyTorch itself runs what it runs.
  stand_in: () =>
    built_node_tests(
      "tests/share",
      [[kPrograms, "attn"]],
      { ...native, ATTN_STAND_IN: "1" },
      { files: ["tests/share/scripts.test.mjs"], label: "stand_in" },
    ),
};

// Seven shares of about the same length: one for each night of a week, or one for each commit.
const kNightShares = [
  ["packages"],
  ["night_core", "fuzz_files"],
  ["night_playground", "own_words"],
  ["night_ui", "fuzz_visits"],
  ["night_rest", "stand_in"],
  ["wasm_playground", "night_model", "real_tokenizers"],
  ["wasm_rest", "fuzz_links", "fuzz_models"],
];

/** The parts of `--share N`, N from 1, or of the share that the commit's name picks. */
function parts_of_share(share) {
  if (share === undefined) return [];
  if (share !== "commit") return kNightShares[Number(share) - 1] ?? [];
  const { stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
  const picked = parseInt(stdout.slice(0, 8), 16) % kNightShares.length;
  console.log(`-- the commit picks share ${picked + 1} of ${kNightShares.length}: ${kNightShares[picked].join(", ")}`);
  return kNightShares[picked];
}

const kAllParts = { ...kParts, ...kNightParts };

// Two parts run side by side: while one builds, which takes all the cores there are, the other tests, which rarely does. The
// long ones come first, so that neither is left alone for long at the end.
const kOrder = [
  ...[
    "browser",
    "ui",
    "night_ui",
    "playground",
    "night_playground",
    "packages",
    "core",
    "night_core",
    "desktop",
    "bench",
  ],
  ...[
    "share",
    "night_rest",
    "torch",
    "office",
    "views",
    "model",
    "night_model",
    "real_tokenizers",
    "own_words",
    "wasm",
    "wasm_playground",
    "wasm_rest",
    "stand_in",
  ],
  ...["tools", "fuzz", "fuzz_links", "fuzz_visits", "fuzz_models", "fuzz_files", "engine"],
  ...["style", "scene", "cli", "app", "web"],
];
const kSideBySide = 3;

async function main(parts) {
  mkdirSync(reports, { recursive: true });
  const everything = new Results();
  const lines = [];
  const waiting = kOrder.filter((part) => parts.includes(part));
  const unfinished = new Set(waiting);
  const count = waiting.length;
  let num_begun = 0;
  const run_part = async (part) => {
    const start = Date.now();
    console.log(`\n==== ${part} (${++num_begun} of ${count})`);
    const results = await costs.of(part, kAllParts[part]);
    if (results.total === 0) results.fail(`${part}: there are no tests`);
    everything.add(results);
    const processor = costs.seconds(part).toFixed(1);
    const clock = ((Date.now() - start) / 1000).toFixed(1);
    lines.push(
      `${part.padEnd(16)} ${results}   (${processor} s of processor time, ${clock} s with what it waited for)`,
    );
    unfinished.delete(part);
    console.log(`\n==== ${part} is done: ${results}; ${unfinished.size} parts left: ${[...unfinished].join(" ")}`);
  };
  const run_parts = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) await run_part(part);
  };
  await Promise.all(Array.from({ length: kSideBySide }, run_parts));
  console.log(`\n==== summary\n${lines.join("\n")}`);
  for (const payer of costs.payers.filter((name) => !(name in kAllParts)))
    console.log(`${payer}: ${costs.seconds(payer).toFixed(1)} s of processor time`);
  for (const line of everything.skips) console.log(`skipped  ${line}`);
  for (const line of everything.failures) console.log(`FAILED   ${line}`);
  console.log(String(everything));
  process.exitCode = everything.failures.length > 0 || everything.passed === 0 ? 1 : 0;
}

await main([...kNamed, ...parts_of_share(kOptions.share)]);

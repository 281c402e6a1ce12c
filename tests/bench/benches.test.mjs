// Each bench runs once at its smallest size: it builds, starts, finds what it measures, and its numbers pass its own comparisons. How
// fast anything is says nothing here, as other programs are at work; the figures of docs/performance.md come from the same commands
// without the small sizes.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");
const kMost = 1 << 26;

/** Runs a bench of this folder; returns what it printed. */
function run(file, ...args) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [join(root, "tests/bench", file), ...args], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: kMost,
    env: { ...process.env, ATTN_BENCH_SMALL: "1" },
  });
  if (error) throw error;
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  return stdout;
}

const tried = new Map(); // the file of each bench: what it printed, by name of a test

function bench(name, file, args, wanted) {
  tried.set(file, name);
  test(name, () => {
    const printed = run(file, ...args);
    for (const pattern of wanted) assert.match(printed, pattern);
  });
}

const kOut = ["--out", join(root, "build/bench/smallest.json")];
for (const environment of ["native", "node", "chromium"]) {
  bench(
    `the engine beside its peers: ${environment}`,
    "bench.mjs",
    ["--sizes", "S0", "--rounds", "1", "--envs", environment, ...kOut],
    [/S0/, /ours/],
  );
}

test("every contender of the smallest size ran and has the right numbers", () => {
  const { rows } = JSON.parse(readFileSync(kOut[1], "utf8"));
  assert.ok(rows.length > 5, `${rows.length} rows`);
  assert.deepEqual(rows.filter(({ failure }) => failure !== undefined).map(({ name, failure }) => `${name}: ${failure}`), []); // prettier-ignore
});

test("the kernels alone", () => {
  const kernels = (program, ...args) =>
    spawnSync(program, args, { input: "kernels\n", encoding: "utf8", cwd: root }).stdout;
  for (const printed of [
    kernels(process.execPath, join(process.env.ATTN_WASM, "bench_limits_baseline.js")),
    kernels(join(process.env.ATTN_NATIVE, "bench_limits_baseline"), "baseline"),
  ])
    assert.match(printed, /\d/);
});

bench("a token after a cache", "decode.mjs", ["--rounds", "1", "--tokens", "16", "--layers", "1"], [/onnx/i]);
bench("learning", "learning.mjs", ["--rounds", "1", "--shapes", "S2"], [/S2/, /PyTorch/]);
bench("a keystroke", "keystroke.mjs", ["1"], [/ms/]);
bench("a page load", "page_load.mjs", [join(process.env.ATTN_DIST, "site"), process.env.ATTN_WASM, "--visits", "1"], [/ms/]); // prettier-ignore
bench("the opening scene", "opening.mjs", [join(process.env.ATTN_DIST, "site"), "--visits", "1"], [/arc and bars/]);
bench("own-words in the page", "own_words.mjs", ["1"], [/first next words/, /next token/]);
bench("a long visit", "soak.mjs", [], [/no trouble/, /renderer MB/]);
bench("long tasks", "long_tasks.mjs", [], [/pasted/]);
bench("training that plays", "playing.mjs", ["1"], [/11 tokens/]);
bench("steps of training", "training_steps.mjs", ["--rounds", "1"], [/way-back/]);
bench("GPT-2's layers", "gpt2_layers.mjs", ["1"], [/ratio/]);
bench("GPT-2's logit lens", "gpt2_lens.mjs", ["1"], [/cells over/, /ratio/]);
bench("GPT-2's patches", "gpt2_patches.mjs", ["1"], [/26 patches/, /ratio/]);
bench("GPT-2's shape in the page", "gpt2_page.mjs", ["F16"], [/longest task/, /the lens of 32 tokens/]);
bench("models that memory has no room for", "large_models.mjs", ["qwen3-0.6b"], [/the next word/, /longest task/]);
bench("GPT-2's shape beside its peers", "gpt2_peer.mjs", ["1"], [/onnxruntime/]);
bench("GPT-2's next token", "gpt2_next.mjs", ["1"], [/onnxruntime/]);

test("every bench of the folder is tried, and every command of docs/performance.md names one", () => {
  const commands = readFileSync(join(root, "docs/performance.md"), "utf8").matchAll(/node (tests\/bench\/(\w+\.mjs))/g);
  for (const [, path, file] of commands) {
    assert.ok(existsSync(join(root, path)), `${path} is not there`);
    assert.ok(tried.has(file), `${path} is not tried here`);
  }
  for (const file of readdirSync(join(root, "tests/bench")).filter((one) => /^[a-z0-9_]+\.mjs$/.test(one))) {
    const says_how = readFileSync(join(root, "tests/bench", file), "utf8").includes(`node tests/bench/${file}`);
    if (says_how) assert.ok(tried.has(file), `tests/bench/${file} is not tried here`);
  }
});

// What the benches of GPT-2's shape beside its peers share: our page with the model's file open, pages of the same browser that run
// the same numbers on another library, and the turns they take. Knows nothing about what a turn asks for.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { serve } from "../../tools/serve.mjs";
import { at_rest, eventually, in_playground, start } from "../browser/browser.mjs";
import { record } from "../browser/tracing.mjs";
import { kHeads, kLayers, kMlp, kPositions, kVocabulary, kWidth, tensor_of, write_files } from "./gpt2_shape.mjs";
import { gpt2_decoder_graph } from "./onnx.mjs";
import { in_turn, median } from "./statistics.mjs";

export const kTokens = 64;
export const kShape = { width: kWidth, num_layers: kLayers, num_heads: kHeads, mlp: kMlp };

/** Letters, each a token of its own; another text each round. */
export const text_of = (round) =>
  Array.from({ length: kTokens }, (_, i) => String.fromCharCode(97 + ((i * 7 + (i >> 3) + 5 * round) % 26))).join("");

/** The numbers of a text's tokens. */
export const tokens_of = (text) => Array.from(text, (letter) => letter.charCodeAt(0));

/** The decoder, where the peers' pages find it. */
export const kDecoder = { name: "gpt2", folder: "/models/gpt2", address: "/models/gpt2/onnx/model.onnx" };

const kFolder = fileURLToPath(new URL(".", import.meta.url));
const kRuntimes = [
  { from: "onnxruntime-web/dist/ort-wasm-simd-threaded", to: "" },
  // The build that transformers.js takes by itself, of the version that it names.
  {
    from: "@huggingface/transformers/node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.asyncify",
    to: "transformers",
  },
];

async function make_site(folder) {
  mkdirSync(join(folder, "transformers"), { recursive: true });
  mkdirSync(join(folder, "models/gpt2/onnx"), { recursive: true });
  await build({
    entryPoints: ["gpt2_ours", "gpt2_onnxruntime", "gpt2_transformers"].map((name) =>
      join(kFolder, `contenders/${name}.mjs`),
    ),
    outdir: folder,
    ...{ bundle: true, format: "esm", platform: "browser", logLevel: "error", external: ["worker_threads", "node:*"] },
  });
  for (const { from, to } of kRuntimes)
    for (const ending of [".mjs", ".wasm"])
      copyFileSync(
        join(kFolder, "node_modules", from + ending),
        join(folder, to, from.slice(from.lastIndexOf("/") + 1) + ending),
      );
  write_files(join(folder, "models/gpt2"), "F32");
  writeFileSync(join(folder, "models/gpt2/generation_config.json"), "{}");
  const whole = { ...kShape, num_positions: kPositions, vocabulary: kVocabulary };
  writeFileSync(join(folder, kDecoder.address), gpt2_decoder_graph(whole, tensor_of));
  writeFileSync(join(folder, "bench.html"), '<!doctype html><title>Bench</title><link rel="icon" href="data:,">');
}

/** Drops the model's files on our page and waits until it is open and the page rests. */
export async function open_model(page, folder) {
  const files = ["config.json", "vocab.json", "merges.txt", "model.safetensors"].map((name) => join(folder, name));
  await page.locator("[data-part=root] > input[type=file]").setInputFiles(files);
  await eventually("the model is open", async () => {
    const { fixed } = await in_playground(page, (playground) => playground.engine.mirror(playground.link()));
    return fixed.includes("heads");
  });
  await at_rest(page);
}

/** Our page with the model open, and its link. */
async function open_ours(browser, folder) {
  const page = await browser.open(`text=${text_of(0)}`);
  await open_model(page, folder);
  const link = await in_playground(page, (playground) => playground.link());
  return { page, link: link.replace(/&layer=\d+/, "") };
}

/** A page that has called `create(...of)` of a module of contenders/. */
async function open_peer(browser, server, module, create, ...of) {
  const page = await (await browser.browser.newContext()).newPage();
  await page.goto(`${server.url}bench.html`);
  const make = async ([module, create, of]) => {
    const made = await import(`/${module}.js`);
    globalThis.contender = await made[create](...of);
  };
  await page.evaluate(make, [module, create, of]);
  return {
    page,
    /** Hands over what the next call is to take: that is no work of the library's. */
    give: (input) => page.evaluate((input) => void (globalThis.input = input), input),
    async call(method) {
      await page.evaluate(async (method) => {
        globalThis.output = await globalThis.contender[method](globalThis.input);
      }, method);
      // Only a task that has ended is in the record.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    },
    /** What the last call gave. */
    output: () => page.evaluate(() => [...globalThis.output]),
  };
}

/** Calls `work({ browser, ours, peer, site })`: our page, how to open another, and the folder that the others are served from. */
export async function with_pages(work) {
  const temporary = mkdtempSync(join(tmpdir(), "gpt2-"));
  const site = join(temporary, "site");
  let server;
  let browser;
  try {
    await make_site(site);
    server = await serve(site);
    browser = await start();
    const ours = await open_ours(browser, join(site, "models/gpt2"));
    await work({ browser, ours, site, peer: (...of) => open_peer(browser, server, ...of) });
  } finally {
    await browser?.close();
    await server?.close();
    rmSync(temporary, { recursive: true });
  }
}

/** Of all tasks of a record. */
export const processor_ms = (tasks) => tasks.reduce((total, task) => total + task.processor_ms, 0);

/**
 * contenders: [{ name, page, prepare(round), run(round) }], ours first; what they do in run counts. After each round, the first of
 * which only warms them up, `check(round)` is called. Resolves to the rounds' processor times of the pages' own threads by name, in ms.
 */
export async function take_turns(browser, contenders, num_rounds, check) {
  const rounds = [];
  for (let round = 0; round <= num_rounds; ++round) {
    const times = Object.fromEntries(contenders.map(({ name }) => [name, NaN])); // in their order
    for (const { name, page, prepare, run } of in_turn(contenders, round)) {
      await page.bringToFront();
      await prepare(round);
      const { tasks } = await record(browser.browser, page, () => run(round));
      times[name] = processor_ms(tasks);
    }
    await check(round);
    if (round > 0) rounds.push(times);
  }
  return rounds;
}

/** The largest difference, as a share of the largest number. */
export function difference(numbers, others) {
  const largest = (some) => some.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  return largest(numbers.map((number, i) => number - others[i])) / largest(numbers);
}

/** Prints medians, and those of ours, whose names begin with "ours", beside each of the others. */
export function report(title, rounds) {
  console.log(`${title}, ${rounds.length} rounds:`);
  const names = Object.keys(rounds[0]);
  for (const name of names) {
    const times = rounds.map((round) => round[name]);
    console.log(`  ${name.padEnd(22)} ${median(times).toFixed(1)} ms (${times.map((ms) => ms.toFixed(0)).join(" ")})`);
  }
  const is_ours = (name) => name.startsWith("ours");
  for (const own of names.filter(is_ours))
    for (const name of names.filter((name) => !is_ours(name))) {
      const ratios = rounds.map((round) => round[own] / round[name]);
      const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
      console.log(
        `  ${own} / ${name} ${median(ratios).toFixed(3)} (asked: 1.0), ${least.toFixed(3)} to ${most.toFixed(3)}`,
      );
    }
}

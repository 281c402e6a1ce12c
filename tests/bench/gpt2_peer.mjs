// 64 tokens through GPT-2 small's shape up to the last layer's attention: in our page, and in a page of the same browser that runs the
// same graph on onnxruntime-web, one thread each. They take turns, each turn with another text; counted is the processor time of the
// page's own thread, ours with all that the page does besides: reading the link, drawing, telling what changed. The first text's
// numbers are compared. After tools/setup bench, which brings the library:
//   ATTN_PAGE=<folder of the built page> node tests/bench/gpt2_peer.mjs [rounds]
import { strict as assert } from "node:assert";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { serve } from "../../tools/serve.mjs";
import { at_rest, eventually, in_playground, start } from "../browser/browser.mjs";
import { record } from "../browser/tracing.mjs";
import { kHeads, kLayers, kMlp, kWidth, tensor_of, write_files } from "./gpt2_shape.mjs";
import { gpt2_graph } from "./onnx.mjs";
import { in_turn, median } from "./statistics.mjs";

const kTokens = 64;
const kRounds = Number(process.argv[2] ?? 9);
const kFolder = fileURLToPath(new URL(".", import.meta.url));

/** Letters, each a token of its own; another text each round. */
const text_of = (round) =>
  Array.from({ length: kTokens }, (_, i) => String.fromCharCode(97 + ((i * 7 + (i >> 3) + 5 * round) % 26))).join("");

const vectors = tensor_of("wte.weight");
const positions = tensor_of("wpe.weight");
/** What the first layer reads: the vector of each byte and of its place. */
function x_of(text) {
  return Array.from({ length: kTokens * kWidth }, (_, i) => {
    const [token, channel] = [Math.floor(i / kWidth), i % kWidth];
    return Math.fround(vectors[text.charCodeAt(token) * kWidth + channel] + positions[i]);
  });
}

async function make_site(folder) {
  mkdirSync(folder);
  await build({
    entryPoints: [join(kFolder, "contenders/gpt2_onnxruntime.mjs")],
    outfile: join(folder, "contender.js"),
    ...{ bundle: true, format: "esm", platform: "browser", logLevel: "error", external: ["worker_threads", "node:*"] },
  });
  for (const file of ["ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"])
    copyFileSync(join(kFolder, "node_modules/onnxruntime-web/dist", file), join(folder, file));
  const shape = { num_tokens: kTokens, width: kWidth, num_layers: kLayers, num_heads: kHeads, mlp: kMlp };
  writeFileSync(join(folder, "gpt2.onnx"), gpt2_graph(shape, tensor_of));
  writeFileSync(join(folder, "bench.html"), '<!doctype html><title>Bench</title><link rel="icon" href="data:,">');
}

const sum = (tasks) => tasks.reduce((total, { processor_ms }) => total + processor_ms, 0);

const temporary = mkdtempSync(join(tmpdir(), "gpt2-"));
write_files(temporary, "F32");
await make_site(join(temporary, "site"));
const site = await serve(join(temporary, "site"));
const browser = await start();
try {
  const ours = await browser.open(`text=${text_of(0)}`);
  const files = ["config.json", "vocab.json", "merges.txt", "model.safetensors"].map((name) => join(temporary, name));
  await ours.locator("[data-part=root] > input[type=file]").setInputFiles(files);
  await eventually("the model is open", async () => {
    const { fixed } = await in_playground(ours, (playground) => playground.engine.mirror(playground.link()));
    return fixed.includes("heads");
  });
  await at_rest(ours);
  const link = (await in_playground(ours, (playground) => playground.link())).replace(/&layer=\d+/, "");

  const theirs = await (await browser.browser.newContext()).newPage();
  await theirs.goto(`${site.url}bench.html`);
  await theirs.evaluate(
    async (dims) => {
      const { create } = await import("./contender.js");
      globalThis.contender = await create("./gpt2.onnx", dims);
    },
    [kTokens, kWidth],
  );

  const contenders = [
    {
      name: "ours",
      page: ours,
      run: async (text) => {
        const next = link.replace(/text=[^&]*/, `text=${text}`).concat(`&layer=${kLayers}`);
        await in_playground(ours, (playground, next) => playground.open_link(next), next);
        await at_rest(ours);
      },
    },
    {
      name: "onnxruntime-web",
      page: theirs,
      run: async (text) => {
        await theirs.evaluate(async (x) => {
          globalThis.output = await globalThis.contender.run(x);
        }, x_of(text));
        // Only a task that has ended is in the record.
        await theirs.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
      },
    },
  ];
  const rounds = [];
  for (let round = 0; round <= kRounds; ++round) {
    const times = {};
    for (const { name, page, run } of in_turn(contenders, round)) {
      await page.bringToFront();
      const { tasks } = await record(browser.browser, page, () => run(text_of(round)));
      times[name] = sum(tasks);
    }
    if (round > 0) {
      rounds.push(times);
      continue;
    }
    // The first round only warms both up, and is compared.
    const trace = await in_playground(ours, (playground) => playground.engine.trace(playground.link(), "output"));
    const right = JSON.parse(trace).sentences[0].stages[0].values.flat();
    const output = await theirs.evaluate(() => globalThis.output);
    assert.equal(output.length, right.length);
    const most = Math.max(...right.map(Math.abs));
    const far = Math.max(...right.map((number, i) => Math.abs(number - output[i])));
    console.log(`largest difference of the outputs: ${(far / most).toExponential(1)} of the largest number`);
    assert.ok(far < 1e-3 * most, "the same numbers"); // 12 layers of sums of up to 3,072 floats in another order
  }
  console.log(`${kTokens} tokens to the attention of layer ${kLayers} of GPT-2 small's shape, ${kRounds} rounds:`);
  for (const { name } of contenders)
    console.log(`  ${name.padEnd(16)} ${median(rounds.map((times) => times[name])).toFixed(0)} ms`);
  const ratios = rounds.map((times) => times.ours / times["onnxruntime-web"]);
  console.log(`  ours by round: ${rounds.map(({ ours }) => ours.toFixed(0)).join(" ")}`);
  console.log(`  ours / onnxruntime-web ${median(ratios).toFixed(3)} (asked: 1.0), ${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}`); // prettier-ignore
} finally {
  await browser.close();
  await site.close();
  rmSync(temporary, { recursive: true });
}

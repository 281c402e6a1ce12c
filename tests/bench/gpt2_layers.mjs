// How long GPT-2 small's layers take for 64 tokens, in times of their multiply-adds at the speed of the largest product alone, both
// of our own WebAssembly, in turns:
//   cmake --preset web && cmake --build build/web --target bench_programs && node tests/bench/gpt2_layers.mjs [ROUNDS]
// Asked: at most 1.5. A product alone finds its matrix in a cache; the layers read each of theirs from memory once.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kHeads, kLayers, kMlp, kVocabulary, kWidth, write_files } from "./gpt2_shape.mjs";
import { median } from "./statistics.mjs";

const kTokens = 64;
const num_rounds = Number(process.argv[2] ?? 15);

async function open_decoder(folder) {
  const { default: load } = await import(new URL("../../build/web/decoder.mjs", import.meta.url).href);
  const tensors = readFileSync(join(folder, "model.safetensors"));
  const module = await load({ read_tensors: (begin, size) => tensors.subarray(begin, begin + size) });
  const config = module.stringToNewUTF8(readFileSync(join(folder, "config.json"), "utf8"));
  const problem = module._decoder_open(config, tensors.length);
  if (problem !== 0) throw new Error(module.UTF8ToString(problem));
  return module;
}

const ms_of = (work) => {
  const begin = performance.now();
  work();
  return performance.now() - begin;
};

const folder = mkdtempSync(join(tmpdir(), "gpt2-"));
try {
  write_files(folder, "F32");
  const module = await open_decoder(folder);
  const ids = module._malloc(4 * kTokens);
  for (let i = 0; i < kTokens; ++i) module.HEAP32[ids / 4 + i] = (i * 7919) % kVocabulary;
  const products = 4 * kWidth * kWidth + 2 * kWidth * kMlp;
  const pairs = (kTokens * (kTokens + 1)) / 2; // queries and the keys that they see
  const multiply_adds = kLayers * (kTokens * products + 2 * pairs * kWidth);
  const ratios = [];
  const times = { layers: [], products: [] };
  for (let round = 0; round <= num_rounds; ++round) {
    const layers = () => times.layers.push(ms_of(() => module._decoder_layers(ids, kTokens)));
    const alone = () => {
      const one = module._decoder_products(kTokens, 0);
      const count = Math.round(multiply_adds / one);
      const ms = ms_of(() => module._decoder_products(kTokens, count));
      times.products.push((ms * multiply_adds) / (count * one));
    };
    for (const run of round % 2 === 0 ? [layers, alone] : [alone, layers]) run();
    if (round === 1) for (const of of Object.values(times)) of.shift(); // the first only warms up
    if (round > 0) ratios.push(times.layers.at(-1) / times.products.at(-1));
  }
  const speed = multiply_adds / 1e6 / median(times.products);
  console.log(
    `${kTokens} tokens, ${kLayers} layers of ${kHeads} heads: ${(multiply_adds / 1e9).toFixed(2)} G multiply-adds`,
  );
  console.log(
    `layers ${median(times.layers).toFixed(0)} ms; at the products' ${speed.toFixed(1)} G a second ${median(times.products).toFixed(0)} ms`,
  );
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  console.log(`ratio ${median(ratios).toFixed(2)} (${range}), median of ${ratios.length} rounds; asked: at most 1.5`);
} finally {
  rmSync(folder, { recursive: true });
}

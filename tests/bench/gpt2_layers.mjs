// How long GPT-2 small's layers take for 64 tokens, in times of their multiply-adds at the speed of the largest product alone, both
// of our own WebAssembly, in turns:
//   cmake --preset web && cmake --build build/web --target bench_programs && node tests/bench/gpt2_layers.mjs [ROUNDS]
// Asked: at most 1.5. A product alone finds its matrix in a cache; the layers read each of theirs from memory once.
import { compare, ms_of, with_gpt2 } from "./gpt2_module.mjs";
import { kHeads, kLayers, kMlp, kWidth } from "./gpt2_shape.mjs";

const kTokens = 64;
const num_rounds = Number(process.argv[2] ?? 15);

await with_gpt2(kTokens, (module, ids) => {
  const products = 4 * kWidth * kWidth + 2 * kWidth * kMlp;
  const pairs = (kTokens * (kTokens + 1)) / 2; // queries and the keys that they see
  const multiply_adds = kLayers * (kTokens * products + 2 * pairs * kWidth);
  const layers = () => ms_of(() => module._decoder_layers(ids, kTokens));
  const alone = () => {
    const one = module._decoder_products(kTokens, 0);
    const count = Math.round(multiply_adds / one);
    return (ms_of(() => module._decoder_products(kTokens, count)) * multiply_adds) / (count * one);
  };
  const { medians, ratio } = compare(num_rounds, layers, alone);
  const speed = multiply_adds / 1e6 / medians[1];
  console.log(
    `${kTokens} tokens, ${kLayers} layers of ${kHeads} heads: ${(multiply_adds / 1e9).toFixed(2)} G multiply-adds`,
  );
  console.log(
    `layers ${medians[0].toFixed(0)} ms; at the products' ${speed.toFixed(1)} G a second ${medians[1].toFixed(0)} ms`,
  );
  console.log(`${ratio}; asked: at most 1.5`);
});

// How long the map of patches of GPT-2 small's shape takes, 144 heads and the stream of 12 layers at one token, in passes of all layers
// over the same 12 tokens, both of our own WebAssembly, in turns:
//   cmake --preset web && cmake --build build/web --target bench_programs && node tests/bench/gpt2_patches.mjs [ROUNDS]
// Asked: at most 0.7 a patch. The layers below a patch are those of the run without it; each run of the two texts, their logits and the
// second text's heads count.
import { compare, ms_of, with_gpt2 } from "./gpt2_module.mjs";
import { kLayers } from "./gpt2_shape.mjs";

const kTokens = 12;
const kHeads = 12;
const num_rounds = Number(process.argv[2] ?? 5);
const patches = kLayers * (kHeads + 1);

await with_gpt2(kTokens, (module, ids) => {
  const map = () =>
    ms_of(() => {
      const computed = module._decoder_patches(ids, kTokens);
      if (computed !== patches) throw new Error(`the map has ${computed} patches, want ${patches}`);
    });
  const passes = () =>
    ms_of(() => {
      for (let n = 0; n < patches; ++n) module._decoder_layers(ids, kTokens);
    });
  const { medians, ratio } = compare(num_rounds, map, passes);
  console.log(
    `${patches} patches ${medians[0].toFixed(0)} ms, as many passes of all layers ${medians[1].toFixed(0)} ms`,
  );
  console.log(`${ratio}; asked: at most 0.7`);
});

// How long the logit lens of GPT-2 small's shape takes, 12 layers and the embeddings by 32 positions over 50,257 words, in times of its
// own products, the same rows by the unembedding, both of our own WebAssembly, in turns:
//   cmake --preset web && cmake --build build/web --target bench_programs && node tests/bench/gpt2_lens.mjs [ROUNDS]
// Asked: at most 1.2. The layers are computed before; what counts beside the products are norms, exponentials, orders and ranks.
import { compare, ms_of, with_gpt2 } from "./gpt2_module.mjs";
import { kLayers, kVocabulary } from "./gpt2_shape.mjs";

const kTokens = 32;
const num_rounds = Number(process.argv[2] ?? 9);
const cells = (kLayers + 1) * kTokens;

await with_gpt2(kTokens, (module, ids) => {
  if (module._decoder_read(ids, kTokens) === 0) throw new Error("the tokens cannot be read");
  let multiply_adds = 0;
  const lens = () =>
    ms_of(() => {
      const computed = module._decoder_lens(ids, kTokens);
      if (computed !== cells) throw new Error(`the lens has ${computed} cells, want ${cells}`);
    });
  const products = () => ms_of(() => (multiply_adds = module._decoder_unembed(cells)));
  const { medians, ratio } = compare(num_rounds, lens, products);
  console.log(`${cells} cells over ${kVocabulary} words: ${(multiply_adds / 1e9).toFixed(2)} G multiply-adds`);
  console.log(`lens ${medians[0].toFixed(0)} ms, its products ${medians[1].toFixed(0)} ms`);
  console.log(`${ratio}; asked: at most 1.2`);
});

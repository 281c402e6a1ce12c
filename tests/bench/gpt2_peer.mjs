// 64 tokens through GPT-2 small's shape up to the last layer's attention: in our page, and in a page of the same browser that runs the
// same graph on onnxruntime-web, one thread each. They take turns, each turn with another text; counted is the processor time of the
// page's own thread, ours with all that the page does besides: reading the link, drawing, telling what changed. The first text's
// numbers are compared. A third page runs the text through transformers.js, which knows whole models alone: it has the last layer's
// MLP and the last token's logits to do besides, 7 % more multiplications. After tools/setup bench, which brings the libraries:
//   ATTN_PAGE=<folder of the built page> node tests/bench/gpt2_peer.mjs [rounds]
import { strict as assert } from "node:assert";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { at_rest, in_playground } from "../browser/browser.mjs";
import { difference, kDecoder, kShape, kTokens, report, take_turns, text_of, tokens_of, with_pages } from "./gpt2_pages.mjs"; // prettier-ignore
import { kLayers, kWidth, tensor_of } from "./gpt2_shape.mjs";
import { gpt2_graph } from "./onnx.mjs";

const kRounds = Number(process.argv[2] ?? 9);

const vectors = tensor_of("wte.weight");
const positions = tensor_of("wpe.weight");
/** What the first layer reads: the vector of each byte and of its place. */
function x_of(text) {
  return Array.from({ length: kTokens * kWidth }, (_, i) => {
    const [token, channel] = [Math.floor(i / kWidth), i % kWidth];
    return Math.fround(vectors[text.charCodeAt(token) * kWidth + channel] + positions[i]);
  });
}

await with_pages(async ({ browser, ours, site, peer }) => {
  writeFileSync(join(site, "layers.onnx"), gpt2_graph({ ...kShape, num_tokens: kTokens }, tensor_of));
  const layers = await peer("gpt2_onnxruntime", "create_layers", "/layers.onnx", [kTokens, kWidth]);
  const whole = await peer("gpt2_transformers", "create_decoder", kDecoder.name);
  const contenders = [
    {
      name: "ours",
      page: ours.page,
      prepare: () => {},
      run: async (round) => {
        const next = ours.link.replace(/text=[^&]*/, `text=${text_of(round)}`).concat(`&layer=${kLayers}`);
        await in_playground(ours.page, (playground, next) => playground.open_link(next), next);
        await at_rest(ours.page);
      },
    },
    {
      name: "onnxruntime-web",
      page: layers.page,
      prepare: (round) => layers.give(x_of(text_of(round))),
      run: () => layers.call("run"),
    },
    {
      name: "transformers.js",
      page: whole.page,
      prepare: (round) => whole.give(tokens_of(text_of(round))),
      run: () => whole.call("read_new"),
    },
  ];
  const rounds = await take_turns(browser, contenders, kRounds, async (round) => {
    if (round > 0) return;
    const trace = await in_playground(ours.page, (playground) => playground.engine.trace(playground.link(), "output"));
    const right = JSON.parse(trace).sentences[0].stages[0].values.flat();
    const output = await layers.output();
    assert.equal(output.length, right.length);
    const far = difference(right, output);
    console.log(`largest difference of the outputs: ${far.toExponential(1)} of the largest number`);
    assert.ok(far < 1e-3, "the same numbers"); // 12 layers of sums of up to 3,072 floats in another order
  });
  report(`${kTokens} tokens to the attention of layer ${kLayers} of GPT-2 small's shape`, rounds);
});

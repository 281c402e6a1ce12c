// One token more after 64 through GPT-2 small's shape, with the keys and values of those before kept, up to the logits over the
// vocabulary: our model code alone, onnxruntime-web with past state, and transformers.js with its cache, in pages of one browser, one
// thread each; and "Say the next word" in our page's view of the KV cache, which computes the same and besides draws the view, computes
// the layer that is shown as it does any other, shows that both ways give the same bits, and tells what changed. They take turns, and
// each goes on from its own cache: the contexts of 64, 65, 66 ... tokens are the same for all, and so must be the words that they find
// most probable. Counted is the processor time of the page's own thread.
// After tools/setup bench, which brings the libraries, and
//   cmake --preset web && cmake --build build/web --target bench_decoder_module
//   ATTN_PAGE=<folder of the built page> node tests/bench/gpt2_next.mjs [rounds]
import { strict as assert } from "node:assert";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { at_rest, in_playground, item } from "../browser/browser.mjs";
import { difference, kDecoder, kTokens, report, take_turns, text_of, tokens_of, with_pages } from "./gpt2_pages.mjs"; // prettier-ignore

const kModules = process.env.ATTN_BENCH_MODULES ?? fileURLToPath(new URL("../../build/web", import.meta.url));
const kRounds = Number(process.argv[2] ?? 9);

const most_probable = (logits) => logits.indexOf(logits.reduce((most, logit) => Math.max(most, logit), -Infinity));

/** The probabilities that our page's text version has, of the most probable next tokens: [[token, probability]]. */
async function our_probabilities(page) {
  const csv = await in_playground(page, (playground) => {
    const link = playground.link().replace("view=cache", "view=model");
    return new TextDecoder().decode(playground.engine.export_file(link, "votes").bytes);
  });
  // A letter, or the number of a token that the vocabulary has no text for; other characters may stand for more than one byte.
  const lines = csv.matchAll(/^next,,,(?:([a-z])|token (\d+)),probability,(.*)$/gm);
  return [...lines].map(([, letter, number, probability]) => [
    letter ? letter.charCodeAt(0) : Number(number),
    Number(probability),
  ]);
}

function probabilities_of(logits) {
  const most = logits[most_probable(logits)];
  const exps = logits.map((logit) => Math.exp(logit - most));
  const sum = exps.reduce((sum, one) => sum + one, 0);
  return exps.map((one) => one / sum);
}

await with_pages(async ({ browser, ours, peer, site }) => {
  for (const file of ["decoder.mjs", "decoder.wasm"]) copyFileSync(join(kModules, file), join(site, file));
  const alone = await peer("gpt2_ours", "create_decoder", kDecoder.folder);
  const runtime = await peer("gpt2_onnxruntime", "create_decoder", kDecoder.address);
  const library = await peer("gpt2_transformers", "create_decoder", kDecoder.name);
  const first = `${ours.link}&view=cache&next_temperature=0`;
  await in_playground(ours.page, (playground, first) => playground.open_link(first), first);
  await at_rest(ours.page);
  for (const one of [alone, runtime, library]) {
    await one.give(tokens_of(text_of(0)));
    await one.call("read_new");
  }
  let token = most_probable(await runtime.output());
  let said = text_of(0);

  let button;
  const read = (name, { page, give, call }) => ({
    name,
    page,
    prepare: () => give([token]),
    run: () => call("read"),
  });
  const contenders = [
    read("ours, the model alone", alone),
    {
      name: "ours, the whole page",
      page: ours.page,
      prepare: async () => {
        button = await item(ours.page, "next=say");
        assert.ok(!button.is_clipped, "the button is in sight");
      },
      run: async () => {
        await ours.page.mouse.click(button.x, button.y);
        await at_rest(ours.page);
      },
    },
    read("onnxruntime-web", runtime),
    read("transformers.js", library),
  ];
  const rounds = await take_turns(browser, contenders, kRounds, async (round) => {
    const link = await in_playground(ours.page, (playground) => playground.link());
    said += String.fromCharCode(token);
    assert.equal(new URLSearchParams(link).get("text"), said, "our page said the word that the others read");
    const logits = await runtime.output();
    token = most_probable(logits);
    for (const [name, one] of Object.entries({ ours: alone, "transformers.js": library })) {
      const others = await one.output();
      assert.equal(most_probable(others), token, "the same next word");
      if (round > 0) continue;
      const far = difference(logits, others);
      console.log(`largest difference of the logits, ${name}: ${far.toExponential(1)} of the largest number`);
      assert.ok(far < 1e-3, "the same numbers"); // 12 layers of sums of up to 3,072 floats in another order
    }
  });
  // At the end, because whatever it computes must help or hinder no turn.
  const ours_next = await our_probabilities(ours.page);
  assert.ok(ours_next.length > 10, "our probabilities are there");
  const theirs = probabilities_of(await runtime.output());
  const numbers = ours_next.map(([, probability]) => probability);
  const others = ours_next.map(([token]) => theirs[token]);
  const far = difference(numbers, others);
  console.log(
    `largest difference of our ${numbers.length} probabilities: ${far.toExponential(1)} of the largest number`,
  );
  assert.ok(far < 1e-3, "the same numbers");
  report(`one token after ${kTokens} and more, to the logits, of GPT-2 small's shape`, rounds);
});

// A model that is larger than what the page keeps of one in memory: its numbers are read from the file when they are looked at. The file
// is mostly a hole: the vectors of tokens that nobody types.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { make_dice } from "../share/random_links.mjs";
import { at_rest, browser_of_file, close_untroubled, eventually, in_playground, mirror_of } from "./browser.mjs";

const kWidth = 2560; // a map of so many columns is two tiles of a texture
const kVocabulary = 168_000; // 860 MB of vectors; 805 stay in memory at most
const kMlp = 64;
const kLayers = 2;
const kTokens = [11, 7, 42, 3, 167_999];

const kConfig = {
  model_type: "llama",
  ...{ hidden_size: kWidth, num_hidden_layers: kLayers, intermediate_size: kMlp, vocab_size: kVocabulary },
  ...{ num_attention_heads: 20, num_key_value_heads: 2, head_dim: 128, rms_norm_eps: 1e-5, hidden_act: "silu" },
  ...{ max_position_embeddings: 2048, tie_word_embeddings: true },
};

function tensors() {
  const layer = (n) => {
    const name = `model.layers.${n}`;
    return [
      [`${name}.input_layernorm.weight`, [kWidth]],
      [`${name}.self_attn.q_proj.weight`, [kWidth, kWidth]],
      [`${name}.self_attn.k_proj.weight`, [256, kWidth]],
      [`${name}.self_attn.v_proj.weight`, [256, kWidth]],
      [`${name}.self_attn.o_proj.weight`, [kWidth, kWidth]],
      [`${name}.post_attention_layernorm.weight`, [kWidth]],
      [`${name}.mlp.gate_proj.weight`, [kMlp, kWidth]],
      [`${name}.mlp.up_proj.weight`, [kMlp, kWidth]],
      [`${name}.mlp.down_proj.weight`, [kWidth, kMlp]],
    ];
  };
  const layers = Array.from({ length: kLayers }, (_, n) => layer(n)).flat();
  return [["model.embed_tokens.weight", [kVocabulary, kWidth]], ...layers, ["model.norm.weight", [kWidth]]];
}

/** `count` numbers of BF16 below 1/8, or around 1. */
function numbers(dice, count, is_norm) {
  const bytes = Buffer.alloc(2 * count);
  for (let i = 0; i < count; ++i)
    bytes.writeUInt16LE((is_norm ? 0x3f80 : 0x3d00 | (dice.below(2) << 15)) | dice.below(128), 2 * i);
  return bytes;
}

function write_model(folder) {
  const header = {};
  let end = 0;
  for (const [name, shape] of tensors()) {
    const begin = end;
    end += 2 * shape.reduce((product, size) => product * size, 1);
    header[name] = { dtype: "BF16", shape, data_offsets: [begin, end] };
  }
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  const file = openSync(join(folder, "model.safetensors"), "w");
  writeSync(file, Buffer.concat([size, text]), 0, 8 + text.length, 0);
  ftruncateSync(file, 8 + text.length + end);
  const dice = make_dice(5);
  const write = (bytes, at) => writeSync(file, bytes, 0, bytes.length, 8 + text.length + at);
  for (const token of kTokens) write(numbers(dice, kWidth, false), 2 * kWidth * token);
  for (const [name, shape] of tensors().slice(1)) {
    const count = shape.reduce((product, one) => product * one, 1);
    write(numbers(dice, count, shape.length === 1), header[name].data_offsets[0]);
  }
  closeSync(file);
  writeFileSync(join(folder, "config.json"), JSON.stringify(kConfig));
}

const browser = browser_of_file({ whole: true });
let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "large-"));
  write_model(folder);
});
after(() => rmSync(folder, { recursive: true, force: true }));

async function open_model(text) {
  const page = await browser.open(`text=${text}`);
  const files = ["config.json", "model.safetensors"].map((name) => join(folder, name));
  await page.locator("[data-part=root] > input[type=file]").setInputFiles(files);
  await eventually("the model is open", async () => (await mirror_of(page)).values.model[0]?.startsWith("llama-"));
  await at_rest(page);
  return page;
}

test("a model that memory has no room for is read when a layer is looked at, with attn's numbers", async () => {
  const page = await open_model(kTokens.join("+"));
  const { notes, values } = await mirror_of(page);
  assert.match(notes.join("\n"), /at most 768 MiB of them stay in memory, the others are read from the file when they/);
  assert.deepEqual([values.d_in, values.d_out, values.heads], [[`${kWidth}`], [`${kWidth}`], ["20"]]);
  for (const layer of [1, 2]) {
    await in_playground(
      page,
      (playground, layer) => playground.open_link(`${playground.link()}&layer=${layer}`),
      layer,
    );
    await at_rest(page);
    const attn = ["trace", "--model", folder, "--tokens", kTokens.join(","), "--stage", "weights", `layer=${layer}`];
    const native = JSON.parse(execFileSync(join(process.env.ATTN_NATIVE, "attn"), attn, { encoding: "utf8" }));
    const there = native.stages.find(({ name }) => name === "weights").values;
    const here = (
      await in_playground(page, (playground) => JSON.parse(playground.engine.trace(playground.link(), "weights")))
    ).sentences[0].stages[0].values;
    assert.deepEqual(here, there, `layer ${layer}`);
  }
  await close_untroubled(page);
});

test("the text version waits for the bytes of such a model, too", async () => {
  const page = await open_model("11+7");
  await page.getByRole("button", { name: "Show as text" }).click();
  await in_playground(page, (playground) => playground.open_link(`${playground.link()}&layer=2&text=42+3+11`));
  const layer = page.getByRole("textbox", { name: "layer", exact: true });
  await eventually("the second layer", async () => (await layer.inputValue()) === "2");
  await page.getByText("20 heads").first().waitFor({ state: "attached" });
  await close_untroubled(page);
});

test("in the text version a next word that takes long says how far it is, and is stopped", async () => {
  const page = await open_model("11+7+42+3&view=cache");
  await page.getByRole("button", { name: "Show as text" }).click();
  // As slow as a disk: what is read waits for this test.
  await page.evaluate(() => {
    const held = new Promise((go_on) => (window.go_on = go_on));
    const { read } = ReadableStreamBYOBReader.prototype;
    ReadableStreamBYOBReader.prototype.read = async function (view) {
      await held;
      return read.call(this, view);
    };
  });
  await page.getByRole("button", { name: "Say the next word" }).click();
  const stop = page.getByRole("button", { name: "Stop", exact: true });
  await stop.waitFor();
  const told = (words) => page.locator(".plain-outcome").filter({ hasText: words }).waitFor();
  await told(/^([012] of 2 layers|[\d,]+ of 168,000 logits) are computed …$/);
  await stop.click();
  await page
    .locator(".plain-outcome")
    .filter({ hasText: /^Stopped: .* are computed\.$/ })
    .waitFor();
  await stop.waitFor({ state: "hidden" });
  await page.evaluate(() => window.go_on());
  assert.deepEqual((await mirror_of(page)).values.text, ["11 7 42 3"]); // nothing was said
  await close_untroubled(page);
});

test("a file that changes while its model is open closes it with a sentence, and what was typed stays", async () => {
  const page = await open_model("11+7+42");
  await page.evaluate(() => {
    const region = document.querySelector("[data-part=announcement]");
    window.heard = []; // what comes next there may follow at once
    new MutationObserver(() => window.heard.push(region.textContent)).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  truncateSync(join(folder, "model.safetensors"), 880_000_000); // within the first layer
  await in_playground(page, (playground) => playground.open_link(`${playground.link()}&layer=2`));
  await eventually("the sentence", async () =>
    (await page.evaluate(() => window.heard)).some((words) =>
      words.includes("The model is closed: open its files again."),
    ),
  );
  await eventually("other numbers", async () => (await mirror_of(page)).notes.join().includes("is not open here"));
  const { values, notes } = await mirror_of(page);
  assert.deepEqual(values.text, ["11 7 42"]);
  assert.match(notes.join("\n"), /is not open here/);
  await page.context().close();
});

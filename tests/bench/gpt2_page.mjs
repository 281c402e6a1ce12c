// GPT-2 small in the page: a file of its shape with random numbers, because the real one need not be at hand. How much memory it
// takes, how long 64 tokens take to the last layer, and the longest task on the way.
//   ATTN_PAGE=<folder of the built page> node tests/bench/gpt2_page.mjs [F32|F16]
import { mkdtempSync, openSync, closeSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at_rest, eventually, in_playground, start } from "../browser/browser.mjs";
import { record } from "../browser/tracing.mjs";

const kType = process.argv[2] ?? "F32";
const kWidth = 768, kLayers = 12, kHeads = 12, kVocabulary = 50257, kPositions = 1024, kTokens = 64; // prettier-ignore
const kMlp = 4 * kWidth;

/** Names and shapes of the file that Hugging Face has of GPT-2. */
function tensors() {
  const norm = (name) => [[`${name}.weight`, [kWidth]], [`${name}.bias`, [kWidth]]]; // prettier-ignore
  const linear = (name, from, to) => [[`${name}.weight`, [from, to]], [`${name}.bias`, [to]]]; // prettier-ignore
  const layer = (n) => [
    ...norm(`h.${n}.ln_1`),
    ...linear(`h.${n}.attn.c_attn`, kWidth, 3 * kWidth),
    ...linear(`h.${n}.attn.c_proj`, kWidth, kWidth),
    ...norm(`h.${n}.ln_2`),
    ...linear(`h.${n}.mlp.c_fc`, kWidth, kMlp),
    ...linear(`h.${n}.mlp.c_proj`, kMlp, kWidth),
  ];
  const layers = Array.from({ length: kLayers }, (_, n) => layer(n)).flat();
  return [["wte.weight", [kVocabulary, kWidth]], ["wpe.weight", [kPositions, kWidth]], ...layers, ...norm("ln_f")];
}

/** `count` numbers of about 0.02 in size; norms are 1. As bytes. */
function numbers(count, is_norm) {
  const bytes_of_one = kType === "F16" ? 2 : 4;
  const bytes = Buffer.alloc(count * bytes_of_one);
  let x = 463325253; // xorshift32
  for (let i = 0; i < count; ++i) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    if (kType === "F16") {
      // 1, or a random half between 2^-7 and 2^-5 with a random sign.
      bytes.writeUInt16LE(is_norm ? 0x3c00 : (x & 0x8000) | ((8 + ((x >>> 16) & 1)) * 1024 + (x & 1023)), 2 * i);
    } else {
      bytes.writeFloatLE(is_norm ? 1 : (x / 2 ** 31) * 0.035, 4 * i);
    }
  }
  return bytes;
}

function write_files(folder) {
  const bytes_of_one = kType === "F16" ? 2 : 4;
  const header = {};
  let end = 0;
  const list = tensors();
  for (const [name, shape] of list) {
    const begin = end;
    end += bytes_of_one * shape.reduce((product, size) => product * size, 1);
    header[name] = { dtype: kType, shape, data_offsets: [begin, end] };
  }
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  const file = openSync(join(folder, "model.safetensors"), "w");
  for (const part of [size, text]) writeSync(file, part);
  for (const [name, shape] of list) {
    const count = shape.reduce((product, one) => product * one, 1);
    writeSync(file, numbers(count, /ln_.*weight/.test(name)));
  }
  closeSync(file);
  const config = { model_type: "gpt2", n_embd: kWidth, n_layer: kLayers, n_head: kHeads, vocab_size: kVocabulary };
  const rest = { n_positions: kPositions, activation_function: "gelu_new", layer_norm_epsilon: 1e-5 };
  writeFileSync(join(folder, "config.json"), JSON.stringify({ ...config, ...rest }));
  // A vocabulary of letters: a text of as many letters has that many tokens.
  const shown = (byte) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte !== 173);
  let next = 256;
  const letters = Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(shown(byte) ? byte : next++));
  writeFileSync(
    join(folder, "vocab.json"),
    JSON.stringify(Object.fromEntries(letters.map((letter, id) => [letter, id]))),
  );
  writeFileSync(join(folder, "merges.txt"), "#version: 0.2\n");
  return end;
}

/** Multiply-adds of a layer for kTokens tokens. */
const kOfLayer = kTokens * (4 * kWidth * kWidth + 2 * kWidth * kMlp) + 2 * kTokens * kTokens * kWidth;

/** The memory of the browser's process that draws the page, in MB, without the program's own pages, which all processes share. */
function megabytes_of(pid) {
  const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
  return ((Number(resident) - Number(shared)) * 4096) / 1e6;
}

async function page_process(browser) {
  const session = await browser.browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const pages = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  return pages.reduce((most, pid) => (megabytes_of(pid) > megabytes_of(most) ? pid : most));
}

const sum = (tasks) => tasks.reduce((total, { processor_ms }) => total + processor_ms, 0);
const longest = (tasks) => Math.max(...tasks.map(({ processor_ms }) => processor_ms));

const folder = mkdtempSync(join(tmpdir(), "gpt2-"));
const bytes = write_files(folder);
const browser = await start();
console.log(`GPT-2 small's shape, ${kType}, ${(bytes / 1e6).toFixed(0)} MB of numbers`);
try {
  const text = "the artist painted the portrait of a woman with a brush and a hat.".slice(0, kTokens);
  const page = await browser.open(`text=${encodeURIComponent(text)}`);
  await at_rest(page);
  const before = megabytes_of(await page_process(browser));
  const files = ["config.json", "vocab.json", "merges.txt", "model.safetensors"].map((name) => join(folder, name));
  const is_open = () =>
    eventually("the model is open", async () => {
      const { fixed } = await in_playground(page, (playground) => playground.engine.mirror(playground.link()));
      return fixed.includes("heads");
    });
  const opening = await record(browser.browser, page, async () => {
    await page.locator("[data-part=root] > input[type=file]").setInputFiles(files);
    await is_open();
    await at_rest(page);
  });
  const pid = await page_process(browser);
  console.log(`  open: the page's process ${before.toFixed(0)} -> ${megabytes_of(pid).toFixed(0)} MB (asked: 700)`);
  console.log(`  longest task while it opens ${longest(opening.tasks).toFixed(1)} ms (asked: 50)`);

  const link = await in_playground(page, (playground) => playground.link());
  const layers = await record(browser.browser, page, async () => {
    const last = link.replace(/&layer=\d+/, "").concat(`&layer=${kLayers}`);
    await in_playground(page, (playground, last) => playground.open_link(last), last);
    await at_rest(page);
  });
  const multiply_adds = (kLayers - 1) * kOfLayer + kTokens * 4 * kWidth * kWidth + 2 * kTokens * kTokens * kWidth;
  console.log(`  ${kTokens} tokens to layer ${kLayers}: ${sum(layers.tasks).toFixed(0)} ms of the page's thread`);
  console.log(
    `    ${(multiply_adds / sum(layers.tasks) / 1e6).toFixed(1)} GMAC/s, all else that the page does counted in`,
  );
  console.log(`    longest task ${longest(layers.tasks).toFixed(1)} ms (asked: 50)`);
  console.log(`  memory afterwards ${megabytes_of(await page_process(browser)).toFixed(0)} MB`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

// The page's module writes the spreadsheets that attn writes, byte for byte: both compile the same library, and compute the same numbers.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { make_dice, random_link } from "../share/random_links.mjs";
import { make_workbook } from "../../web/workbook.js";

const kBrush = "text=The+artist+painted+the+portrait+of+a+woman+with+a+brush";
const kLinks = [
  kBrush,
  `${kBrush}&pos=rope&qk_norm=1&score_cap=3&sink_logits=1&heads=2&d_out=8`,
  `${kBrush}&pos=alibi&mask_at=after&dropout=0.3&heads=3&d_out=6&kv_heads=1&bias=1`,
  `${kBrush}&goal=next&d_in=6&d_out=6&heads=2&logit_cap=2&pos=learned`,
  `${kBrush}&latent=3&latent_queries=2&pos=rope&rope_dim=2&edit=w_query[0,0]=0.43&stage=scores&cell=1,1,1`,
  "text=%E6%B3%A8+%3D1%2B1+%01&tokens=chars",
  `text=${Array.from({ length: 64 }, (_, n) => `w${n}`).join("+")}&d_in=64&d_out=64&heads=8`,
];

let module;
before(async () => {
  module = await WebAssembly.compile(readFileSync(join(process.env.ATTN_WASM, "attention_workbook.wasm")));
});

const attn = (...args) => spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { maxBuffer: 1 << 28 });

/** The link as the page's engine hands it to the module, and attn's file; null where there is none. */
function native(link) {
  const { status, stdout } = attn("export", "xlsx", link);
  return status === 0
    ? { link: JSON.parse(attn("trace", link, "--stage", "embeddings").stdout).link, file: stdout }
    : null;
}

test("the module writes what attn writes", async () => {
  const dice = make_dice(64);
  const random = Array.from({ length: 40 }, () => random_link(dice));
  let num_same = 0;
  for (const one of [...kLinks, ...random]) {
    const wanted = native(one);
    if (wanted === null) {
      assert.ok(!kLinks.includes(one), one);
      continue;
    }
    const made = await make_workbook(`${wanted.link}\n${wanted.link}`, module);
    assert.ok(wanted.file.equals(made), `${one}: ${made.length} bytes, want ${wanted.file.length}`);
    ++num_same;
  }
  assert.ok(num_same > 40, `${num_same} spreadsheets`);
});

test("numbers that the module does not know are not made up", async (t) => {
  t.mock.method(console, "error", () => {});
  for (const numbers of ["v=1&lesson=byte-pairs&step=2", "v=1&model=first-words", "v=1&heads=no"])
    await assert.rejects(make_workbook(`${kBrush}\n${numbers}`, module), /The spreadsheet could not be made/, numbers);
});

test("where the module stops, a sentence says so", async (t) => {
  t.mock.method(console, "error", () => {});
  const empty = await WebAssembly.compile(Buffer.from("0061736d01000000", "hex")); // a module without functions
  await assert.rejects(make_workbook(kBrush, empty), /The spreadsheet could not be made/);
});

// The native program and the WebAssembly one give the same answer to the same link: the same tokens and notes, and the same
// numbers to the last bit, printed so that a float can be read back from them. (golden/digests.txt holds both to recorded bits.)
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

let num_numbers = 0;
const kBrush = "text=The+artist+painted+the+portrait+of+a+woman+with+a+brush";

const kLinks = {
  "the default sentence": kBrush,
  "many heads and wide vectors": `${kBrush}&d_in=96&d_out=64&heads=16`,
  "odd sizes": `${kBrush}&d_in=13&d_out=21&heads=3&pos=none`,
  "torch.randn, biases, temperature": `${kBrush}&init=torch.randn&seed=7&bias=1&temperature=0.3&scale=none`,
  "torch.rand, nn.Embedding, no mask": `${kBrush}&init=torch.rand&embed=torch&embed_seed=42&mask=none&d_in=24`,
  dropout: `${kBrush}&dropout=0.5&dropout_seed=3`,
  "simplified attention": `${kBrush}&init=none&out=0&heads=4&scale=dim`,
  "pieces of words, characters": "text=painted+painter&tokens=chars&embed=ngrams",
  "any script":
    "text=%E4%BD%A0%E5%A5%BD+%D8%B3%D9%84%D8%A7%D9%85+%F0%9F%91%A9%E2%80%8D%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7+e%CC%81",
  "a batch, edits": `${kBrush}&text=Hello+world&edit=w_query[0,1]=0.5&edit=mask[2,0]=1`,
  "a long sentence": `text=${"so+it+goes,+".repeat(60)}&d_in=32&d_out=32&heads=4`,
  "what is not legal": "text=a&heads=5&d_out=16&d_in=1e9&temperature=nan&nonsense=1&x=%00%ff",
  nothing: "",
};

function trace(command, link) {
  const result = spawnSync(command[0], [...command.slice(1), "trace", link], { encoding: "utf8", maxBuffer: 1 << 30 });
  assert.equal(result.status, 0, result.stderr);
  return JSON.parse(result.stdout);
}

/** Walks two JSON values side by side, so that a difference is named by its place; counts the numbers. */
function assert_same(a, b, where) {
  if (a !== null && typeof a === "object" && b !== null && typeof b === "object") {
    assert.deepEqual(Object.keys(a), Object.keys(b), where);
    for (const key of Object.keys(a)) assert_same(a[key], b[key], `${where}/${key}`);
  } else {
    if (typeof a === "number") ++num_numbers;
    assert.ok(Object.is(a, b), `${where}: native ${a}, WebAssembly ${b}`);
  }
}

for (const [name, link] of Object.entries(kLinks)) {
  test(`native and WebAssembly agree: ${name}`, () => {
    const native = trace([join(process.env.ATTN_NATIVE, "attn")], link);
    const wasm = trace([process.execPath, join(process.env.ATTN_WASM, "attn.js")], link);
    assert.match(native.digest, /^[0-9a-f]{16}$/);
    assert_same(native, wasm, "");
  });
}

test("there was something to compare", () => {
  assert.ok(num_numbers > 10_000);
});

// Caches of the engine module: any way to cut a sentence into pieces gives the bits of the whole; refusals; links.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { createLearningEngine, make_random, problem_of, random_matrix } from "./engine.mjs";

const engine = await createLearningEngine();
const random = make_random(11);

const rows_of = ({ data, shape }, first, end) => ({
  data: data.slice(first * shape[1], end * shape[1]),
  shape: [end - first, shape[1]],
});

/** Cuts of T tokens into pieces, a few of the 2^(T - 1). */
function splits(T) {
  const ones = Array.from({ length: T }, () => 1);
  return [[T], ones, [3, ...ones.slice(3)], [1, T - 1], [2, 3, T - 5]];
}

for (const [name, change] of [
  ["plain", {}],
  ["shared keys", { kv_heads: 2 }],
  ["one key head", { kv_heads: 1 }],
  ["all that may be left out", { everything: true }],
  ["mask after the softmax", { mask_at: "after", temperature: 0.7, scale: "dim" }],
]) {
  test(`${name}: each piece has the rows of the whole sentence, bit for bit`, () => {
    const T = 9;
    const { everything, kv_heads, ...settings } = change;
    const sizes = { num_tokens: T, d_in: 5, d_out: 12, heads: 4, kv_heads };
    const { x, ...layer } = problem_of(random, sizes);
    if (everything) {
      layer.wo = random_matrix(random, 12, 12);
      for (const bias of ["bq", "bk", "bv", "bo"]) layer[bias] = random.numbers(12);
    }
    // A mask after the softmax weighs later tokens first: a row with its own past alone is its last row.
    const whole = engine.attention({
      x,
      ...layer,
      ...settings,
      stages: ["queries", "keys", "values", "weights", "merged", ...(everything ? ["output"] : [])],
      copy: true,
    });
    for (const split of settings.mask_at ? [[T]] : splits(T)) {
      const cache = engine.cache({ ...layer, ...settings });
      let first = 0;
      for (const count of split) {
        const end = first + count;
        const rows = cache.append(rows_of(x, first, end));
        assert.deepEqual(Object.keys(rows).sort(), Object.keys(whole).sort());
        for (const [stage, { data, shape }] of Object.entries(rows)) {
          const heads = shape.length === 3 ? shape[0] : 1;
          const width = shape.at(-1);
          const all = whole[stage].shape.at(-1);
          for (let h = 0; h < heads; ++h) {
            for (let i = 0; i < count; ++i) {
              const got = data.subarray((h * count + i) * width, (h * count + i + 1) * width);
              const place = (h * T + first + i) * all;
              assert.deepEqual(got, whole[stage].data.subarray(place, place + width), `${stage} ${h} ${first + i}`);
            }
          }
        }
        first = end;
        assert.equal(cache.tokens, first);
        assert.equal(cache.kept_numbers, 2 * (kv_heads ?? 4) * 3 * first);
      }
      cache.free();
    }
  });
}

test("caches of several layers stand side by side, and forget", () => {
  const { x, ...layer } = problem_of(random, { num_tokens: 6, d_in: 3, d_out: 4, heads: 2 });
  const { x: other_x, ...other } = problem_of(random, { num_tokens: 6, d_in: 4, d_out: 6, heads: 3 });
  const one = engine.cache({ layer: engine.layer(layer) });
  const two = engine.cache(other);
  const merged = [];
  for (let i = 0; i < 6; ++i) {
    merged.push(one.append(rows_of(x, i, i + 1)).merged.data);
    two.append(rows_of(other_x, i, i + 1), { weights: false });
  }
  engine.attention({ x, ...layer });
  one.forget_from(4);
  assert.equal(one.tokens, 4);
  const again = one.append(rows_of(x, 4, 6));
  assert.deepEqual(again.merged.data, Float32Array.from([...merged[4], ...merged[5]]));
  assert.equal(two.append(rows_of(other_x, 0, 1), { weights: false }).weights, undefined);
  one.free();
  one.free();
  assert.throws(() => one.append(rows_of(x, 0, 1)), /this cache is gone/);
  // The freed place is given out again; the other cache is untouched.
  const three = engine.cache(layer);
  assert.equal(three.append(rows_of(x, 0, 1)).weights.data[0], 1);
  assert.equal(two.tokens, 7);
});

test("a mask hides keys from new tokens, as it does from all at once", () => {
  const { x, ...layer } = problem_of(random, { num_tokens: 5, d_in: 3, d_out: 4, heads: 2 });
  // A window of two: itself and the token before.
  const window = Array.from({ length: 5 }, (_, i) => Array.from({ length: 5 }, (__, j) => j < i - 1));
  const whole = engine.attention({ x, ...layer, mask: window, copy: true });
  const cache = engine.cache(layer);
  cache.append(rows_of(x, 0, 2), { mask: window.slice(0, 2).map((row) => row.slice(0, 2)) });
  for (let i = 2; i < 5; ++i) {
    const { merged } = cache.append(rows_of(x, i, i + 1), { mask: [window[i].slice(0, i + 1)] });
    assert.deepEqual(merged.data, whole.merged.data.slice(i * 4, i * 4 + 4));
  }
});

test("wrong arguments are refused by name, and leave the cache as it was", () => {
  const { x, ...layer } = problem_of(random, { num_tokens: 3, d_in: 3, d_out: 4, heads: 2 });
  assert.throws(() => engine.cache({ ...layer, x }), /has a member "x"/);
  assert.throws(() => engine.cache({}), /wq is undefined/);
  assert.throws(() => engine.cache({ ...layer, heads: 3 }), /heads is 3/);
  assert.throws(() => engine.cache({ ...layer, dropout: 0.1 }), /has a member "dropout"/);
  const cache = engine.cache(layer);
  cache.append(x);
  assert.throws(() => cache.append(random_matrix(random, 1, 4)), /x.shape is \[1, 4\]/);
  assert.throws(() => cache.append(x, { mask: [[0, 0]] }), /mask has 2 numbers: it should have 3 rows of 6/);
  assert.throws(() => cache.append(rows_of(x, 0, 1), { mask: [[1, 1, 1, 1]] }), /hides every key from new token 0/);
  assert.throws(() => cache.append(x, { weights: 1 }), /weights is 1: it should be true or false/);
  assert.throws(() => cache.forget_from(4), /token is 4: it should be a whole number from 0 to 3/);
  assert.equal(cache.tokens, 3);
});

test("a link token by token is what the attn command prints", () => {
  for (const link of [
    "text=a+b+c+d+e&prompt=2&heads=2&kv_heads=1",
    "prompt=4&mask=none",
    "text=a&out=0",
    "prompt=3&heads=4&d_out=8&latent=3&pos=rope&rope_dim=2",
    "prompt=3&qk_norm=1&pos=rope&heads=2&edit=k_norm[0]=0.5",
    "prompt=3&sink_logits=1&edit=sink_logits[0]=1.5,-2",
  ]) {
    const answer = engine.token_by_token(link);
    const printed = spawnSync(join(process.env.ATTN_NATIVE, "attn"), ["cache", link, "--format", "json"], {
      encoding: "utf8",
    });
    assert.deepEqual(answer, JSON.parse(printed.stdout));
  }
  assert.equal(engine.token_by_token("prompt=3").is_same, true);
  assert.throws(() => engine.token_by_token("text="), /has no tokens/);
});

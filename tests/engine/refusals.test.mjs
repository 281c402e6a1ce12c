// Wrong arguments: an error that names the argument, what it was and what it should be, and an engine that goes on.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createEngine, make_random, problem_of, random_matrix } from "./engine.mjs";

const engine = await createEngine();
const random = make_random(1);
const kGood = problem_of(random, { num_tokens: 3, d_in: 4, d_out: 6, heads: 2 });
const kExpected = engine.attention({ ...kGood, copy: true });
const matrix = (rows, columns) => random_matrix(random, rows, columns);
const { x: kTokens, ...kMatrices } = kGood;
const kLayer = engine.layer(kMatrices);

// [what is different from good arguments, the kind of error, its message]
const kRefused = {
  "no x": [
    { x: undefined },
    TypeError,
    /^x is undefined: it should be \{data: Float32Array, shape: \[T, d_in\]\} or an array of rows/,
  ],
  "x is null": [{ x: null }, TypeError, /^x is null: it should be \{data/],
  "x is a number": [{ x: 3 }, TypeError, /^x is 3: it should be/],
  "x is a text": [{ x: "rows" }, TypeError, /^x is "rows": it should be/],
  "x without a shape": [{ x: { data: new Float32Array(4) } }, TypeError, /^x is an object: it should be \{data/],
  "x as a flat array": [{ x: [1, 2, 3] }, TypeError, /^x\[0\] is 1: it should be an array of numbers$/],
  "x as a bare typed array": [{ x: new Float32Array(12) }, TypeError, /^x is a Float32Array: it should be \{data/],
  "x with another kind of numbers": [
    { x: { data: new Float64Array(12), shape: [3, 4] } },
    TypeError,
    /^x\.data is a Float64Array: it should be a Float32Array$/,
  ],
  "x.data is an array": [
    { x: { data: Array(12).fill(0), shape: [3, 4] } },
    TypeError,
    /^x\.data is an array of 12: it should be/,
  ],
  "x.shape is a number": [
    { x: { data: new Float32Array(12), shape: 12 } },
    TypeError,
    /^x\.shape is 12: it should be \[T, d_in\]$/,
  ],
  "x.shape holds a text": [
    { x: { data: new Float32Array(12), shape: ["3", 4] } },
    TypeError,
    /^x\.shape is \["3", 4\]: it should be \[T, d_in\]$/,
  ],
  "x of one axis": [
    { x: { data: new Float32Array(12), shape: [12] } },
    RangeError,
    /^x\.shape is \[12\]: it should be \[T, d_in\]$/,
  ],
  "x of three axes": [
    { x: { data: new Float32Array(12), shape: [1, 3, 4] } },
    RangeError,
    /^x\.shape is \[1, 3, 4\]: it should be/,
  ],
  "x without rows": [
    { x: { data: new Float32Array(0), shape: [0, 4] } },
    RangeError,
    /^x\.shape is \[0, 4\]: its lengths should be whole numbers of at least 1$/,
  ],
  "x as an empty array": [{ x: [] }, RangeError, /^x\.shape is \[0, 0\]: its lengths/],
  "x with half a row": [
    { x: { data: new Float32Array(10), shape: [2.5, 4] } },
    RangeError,
    /^x\.shape is \[2\.5, 4\]: its lengths/,
  ],
  "x with a negative length": [
    { x: { data: new Float32Array(12), shape: [-3, -4] } },
    RangeError,
    /^x\.shape is \[-3, -4\]: its lengths/,
  ],
  "x with NaN rows": [
    { x: { data: new Float32Array(12), shape: [NaN, 4] } },
    RangeError,
    /^x\.shape is \[NaN, 4\]: its lengths/,
  ],
  "x with too few numbers": [
    { x: { data: new Float32Array(11), shape: [3, 4] } },
    RangeError,
    /^x\.data has 11 numbers: its shape \[3, 4\] needs 12$/,
  ],
  "x with too many numbers": [
    { x: { data: new Float32Array(13), shape: [3, 4] } },
    RangeError,
    /^x\.data has 13 numbers: its shape \[3, 4\] needs 12$/,
  ],
  "x with a ragged row": [
    {
      x: [
        [1, 2, 3, 4],
        [1, 2],
      ],
    },
    RangeError,
    /^x\[1\] has 2 numbers: it should have 4, as x\[0\] has$/,
  ],
  "x with a text among the numbers": [
    { x: [[1, 2, "3", 4]] },
    TypeError,
    /^x\[0\]\[2\] is "3": it should be a number$/,
  ],
  "x with a hole": [{ x: [[1, , 3, 4]] }, TypeError, /^x\[0\]\[1\] is undefined: it should be a number$/], // eslint-disable-line
  "x with a bigint": [{ x: [[1n, 2, 3, 4]] }, TypeError, /^x\[0\]\[0\] is 1n: it should be a number$/],
  "no wq": [{ wq: undefined }, TypeError, /^wq is undefined: it should be \{data: Float32Array, shape: \[4, d_out\]\}/],
  "wq with other rows": [{ wq: matrix(5, 6) }, RangeError, /^wq\.shape is \[5, 6\]: it should be \[4, d_out\]$/],
  "wk with other columns": [{ wk: matrix(4, 7) }, RangeError, /^wk\.shape is \[4, 7\]: it should be \[4, 6\]$/],
  "wv transposed": [{ wv: matrix(6, 4) }, RangeError, /^wv\.shape is \[6, 4\]: it should be \[4, 6\]$/],
  "wo of another width": [{ wo: matrix(4, 6) }, RangeError, /^wo\.shape is \[4, 6\]: it should be \[6, 6\]$/],
  "wo is null": [{ wo: null }, TypeError, /^wo is null: it should be/],
  "bq too short": [{ bq: [1, 2] }, RangeError, /^bq\.shape is \[2\]: it should be \[6\]$/],
  "bk of another kind": [{ bk: new Float64Array(6) }, TypeError, /^bk is a Float64Array: it should be/],
  "bv a matrix": [{ bv: matrix(1, 6) }, RangeError, /^bv\.shape is \[1, 6\]: it should be \[6\]$/],
  "bo without wo": [
    { bo: new Float32Array(6) },
    TypeError,
    /^bo is given without wo: it should be left out, or come with wo$/,
  ],
  "no heads": [{ heads: 0 }, RangeError, /^heads is 0: it should be a whole number that divides d_out, which is 6$/],
  "heads that do not divide": [{ heads: 4 }, RangeError, /^heads is 4: it should be/],
  "half a head": [{ heads: 1.5 }, RangeError, /^heads is 1\.5: it should be/],
  "heads as a text": [{ heads: "2" }, TypeError, /^heads is "2": it should be/],
  "causal is a number": [{ causal: 1 }, TypeError, /^causal is 1: it should be true or false$/],
  "causal is null": [{ causal: null }, TypeError, /^causal is null: it should be true or false$/],
  "copy is a text": [{ copy: "yes" }, TypeError, /^copy is "yes": it should be true or false$/],
  "an unknown scale": [
    { scale: "square" },
    RangeError,
    /^scale is "square": it should be one of "sqrt", "none", "dim"$/,
  ],
  "scale is a number": [{ scale: 2 }, TypeError, /^scale is 2: it should be one of/],
  "an unknown place of the mask": [
    { mask_at: "later" },
    RangeError,
    /^mask_at is "later": it should be one of "before", "after", "after_raw"$/,
  ],
  "temperature 0": [{ temperature: 0 }, RangeError, /^temperature is 0: it should be a number above 0/],
  "temperature below 0": [{ temperature: -1 }, RangeError, /^temperature is -1: it should be/],
  "temperature NaN": [{ temperature: NaN }, RangeError, /^temperature is NaN: it should be/],
  "temperature without end": [{ temperature: Infinity }, RangeError, /^temperature is Infinity: it should be/],
  "a temperature no float can hold": [
    { temperature: 1e-50 },
    RangeError,
    /^temperature is 1e-50: it should be .* float$/,
  ],
  "a temperature that is too much with the scale": [
    { temperature: 3e38, scale: "dim" },
    RangeError,
    /^temperature is 3e\+38: it should be/,
  ],
  "temperature as a text": [{ temperature: "1" }, TypeError, /^temperature is "1": it should be/],
  "dropout 1": [{ dropout: 1 }, RangeError, /^dropout is 1: it should be a number from 0 to below 1$/],
  "dropout below 0": [{ dropout: -0.1 }, RangeError, /^dropout is -0\.1: it should be/],
  "dropout NaN": [{ dropout: NaN }, RangeError, /^dropout is NaN: it should be/],
  "a seed below 0": [{ dropout_seed: -1 }, RangeError, /^dropout_seed is -1: it should be a whole number from 0/],
  "half a seed": [{ dropout_seed: 0.5 }, RangeError, /^dropout_seed is 0\.5: it should be/],
  "a mask of another size": [
    { mask: { data: new Uint8Array(4), shape: [2, 2] } },
    RangeError,
    /^mask\.shape is \[2, 2\]: it should be \[3, 3\]$/,
  ],
  "a mask of floats": [{ mask: matrix(3, 3) }, TypeError, /^mask\.data is a Float32Array: it should be a Uint8Array$/],
  "a mask with a text": [
    {
      mask: [
        ["x", 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
    },
    TypeError,
    /^mask\[0\]\[0\] is "x": it should be a number or a boolean$/,
  ],
  "a mask that hides all": [
    {
      mask: [
        [0, 0, 0],
        [1, 1, 0],
        [0, 0, 0],
      ],
    },
    RangeError,
    /^mask hides every key from query 1: each row should show at least one key$/,
  ],
  "stages as a text": [
    { stages: "weights" },
    TypeError,
    /^stages is "weights": it should be an array of names of stages$/,
  ],
  "no stage": [{ stages: [] }, RangeError, /^stages is \[\]: it should name at least one stage$/],
  "a misspelt stage": [
    { stages: ["weights", "contexts"] },
    RangeError,
    /^stages\[1\] is "contexts": it should be one of "embeddings", "queries"/,
  ],
  "a stage that is a number": [{ stages: [3] }, TypeError, /^stages\[0\] is 3: it should be one of/],
  "output without wo": [{ stages: ["output"] }, RangeError, /^stages has "output", which comes with wo only$/],
  "masked scores with the mask after the softmax": [
    { stages: ["masked_scores"], mask_at: "after" },
    RangeError,
    /^stages has "masked_scores", which comes with mask_at "before" only$/,
  ],
  "unmasked weights with the mask before it": [
    { stages: ["unmasked_weights"] },
    RangeError,
    /^stages has "unmasked_weights", which comes with/,
  ],
  "dropped weights without dropout": [
    { stages: ["dropped_weights"] },
    RangeError,
    /^stages has "dropped_weights", which comes with/,
  ],
  "a layer of somebody else's": [{ layer: {} }, TypeError, /^layer is an object: it should be what layer\(\) gave$/],
  "a layer that is a number": [{ layer: 3 }, TypeError, /^layer is 3: it should be what layer\(\) gave$/],
  "a layer and a matrix": [
    { layer: kLayer },
    TypeError,
    /^the argument of attention has a member "wq": it should have only x, layer, causal/,
  ],
  "a misspelt argument": [
    { casual: true },
    TypeError,
    /^the argument of attention has a member "casual": it should have only x, wq, wk/,
  ],
};

for (const [name, [changes, kind, message]] of Object.entries(kRefused)) {
  test(`refused: ${name}`, () => {
    assert.throws(
      () => engine.attention({ ...kGood, ...changes }),
      (error) => {
        assert.ok(error instanceof kind, `${error.name}: ${error.message}`);
        assert.match(error.message, message);
        return true;
      },
    );
    assert.deepEqual(engine.attention({ ...kGood, copy: true }), kExpected, "the engine goes on as before");
  });
}

for (const value of [undefined, null, 3, "x", [], () => 0]) {
  test(`refused: attention(${typeof value === "function" ? "a function" : JSON.stringify(value)})`, () => {
    assert.throws(() => engine.attention(value), {
      name: "TypeError",
      message: /^the argument of attention is .*: it should be an object with x, wq/,
    });
  });
}

test("refused: tokens that do not fit the layer", () => {
  assert.throws(() => engine.attention({ x: matrix(3, 5), layer: kLayer }), {
    name: "RangeError",
    message: "x.shape is [3, 5]: it should be [T, 4]",
  });
  assert.deepEqual(engine.attention({ x: kTokens, layer: kLayer, copy: true }), kExpected);
});

for (const [change, name, message] of [
  [{ wk: matrix(4, 5) }, "RangeError", "wk.shape is [4, 5]: it should be [4, 6]"],
  [{ wq: undefined }, "TypeError", /^wq is undefined: it should be \{data: Float32Array, shape: \[d_in, d_out\]\}/],
  [{ heads: 4 }, "RangeError", "heads is 4: it should be a whole number that divides d_out, which is 6"],
  [{ bo: new Float32Array(6) }, "TypeError", /^bo is given without wo/],
  [{ x: kTokens }, "TypeError", /^the argument of layer has a member "x": it should have only wq, wk/],
]) {
  test(`refused: a layer with another ${Object.keys(change)[0]}`, () => {
    assert.throws(() => engine.layer({ ...kMatrices, ...change }), { name, message });
  });
}

test("refused: a layer of nothing", () => {
  assert.throws(() => engine.layer(undefined), { name: "TypeError", message: /^the argument of layer is undefined/ });
});

test("refused: options of createEngine", async () => {
  await assert.rejects(createEngine({ wsam: 1 }), { name: "TypeError", message: /^options has a member "wsam"/ });
  await assert.rejects(createEngine({ wasm: 7 }), {
    name: "TypeError",
    message: /^wasm is number: it should be an address/,
  });
  await assert.rejects(createEngine({ wasm: null }), { name: "TypeError", message: /^wasm is null: it should be/ });
  await assert.rejects(createEngine({ wasm: new Uint8Array(8) }), { name: "CompileError" });
  await assert.rejects(createEngine({ wasm: "missing.wasm" }), /missing\.wasm/);
});

after(() => assert.deepEqual(engine.attention({ ...kGood, copy: true }), kExpected));

// One compile for all frames of an origin, whatever happens to the frame that began it.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { compiled_engine } from "../../web/compiled_engine.js";

const kEmpty = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0]); // the smallest module: "\0asm", version 1
const kAddress = "https://course.example/engine.wasm";

let num_fetches;
let answer;
beforeEach(() => {
  num_fetches = 0;
  answer = async () => new Response(kEmpty, { headers: { "Content-Type": "application/octet-stream" } });
  mock.method(globalThis, "fetch", () => {
    num_fetches += 1;
    return answer();
  });
});
afterEach(() => mock.restoreAll());

/** A page with so many frames: [page, frame, ...], as far as the code looks at them. */
function windows(num_frames) {
  const page = { closed: false, length: num_frames };
  page.parent = page;
  for (let i = 0; i < num_frames; ++i) page[i] = { closed: false, parent: page, length: 0 };
  return [page, ...Array.from({ length: num_frames }, (_, i) => page[i])];
}

test("the first compiles, the others copy, before and after it is done", async () => {
  const [, one, two, three] = windows(3);
  const [first, second] = await Promise.all([compiled_engine(kAddress, one), compiled_engine(kAddress, two)]);
  const third = await compiled_engine(kAddress, three);
  assert.equal(num_fetches, 1);
  for (const module of [first, second, third]) assert.ok(module instanceof WebAssembly.Module);
  assert.notEqual(second, first, "a copy, which keeps nothing of the other window alive");
  assert.equal(await compiled_engine(kAddress, one), first);
});

test("another engine's address is another engine", async () => {
  const [, one, two] = windows(2);
  await Promise.all([compiled_engine(kAddress, one), compiled_engine(`${kAddress}?2`, two)]);
  assert.equal(num_fetches, 2);
});

test("a frame that goes away before it is done leaves the work to the next", async () => {
  const [, one, two] = windows(2);
  answer = () => new Promise(() => {});
  compiled_engine(kAddress, one);
  const waiting = compiled_engine(kAddress, two);
  answer = async () => new Response(kEmpty);
  one.closed = true;
  assert.ok((await waiting) instanceof WebAssembly.Module);
  assert.equal(num_fetches, 2);
});

test("a frame of another origin is passed over", async () => {
  const [page, one, two] = windows(2);
  Object.defineProperty(one, "attention_playground_compiled", {
    get: () => {
      throw new Error("SecurityError");
    },
  });
  Object.defineProperty(page, "attention_playground_compiled", { get: () => undefined });
  assert.ok((await compiled_engine(kAddress, two)) instanceof WebAssembly.Module);
});

test("what failed is tried again, by whoever asks next", async () => {
  const [, one, two] = windows(2);
  const works = answer;
  answer = async () => new Response("", { status: 404 });
  await assert.rejects(compiled_engine(kAddress, one), /404/);
  await assert.rejects(Promise.all([compiled_engine(kAddress, one), compiled_engine(kAddress, two)]), /404/);
  answer = works;
  assert.ok((await compiled_engine(kAddress, one)) instanceof WebAssembly.Module);
});

// How the page's WebAssembly is divided: first visits are paid with a program that counts, and Binaryen is told what ran in any of
// them. The program here is a few lines that note what was asked of it; tests/browser/first_load.test.mjs opens the real one.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { split } from "../../tools/split.mjs";
import { kFirstKeys, kFirstValues } from "../../web/first_picture.js";

// (module (func (export "__write_profile") (param i32 i32) (result i32) i32.const 4))
const kCounting = Uint8Array.from([
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 7, 1, 0x60, 2, 0x7f, 0x7f, 1, 0x7f], // types: (i32, i32) -> i32
  ...[3, 2, 1, 0], // functions: one of that type
  ...[7, 19, 1, 15, ...Buffer.from("__write_profile"), 0, 0],
  ...[10, 6, 1, 4, 0, 65, 4, 11], // code: i32.const 4
]);
// (module (import "placeholder" "0" (func (param v128))))
const kVector = Uint8Array.from([
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 5, 1, 0x60, 1, 0x7b, 0],
  ...[2, 17, 1, 11, ...Buffer.from("placeholder"), 1, 48, 0, 0],
]);
const kEmpty = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0]);

const kProgram = `
globalThis.visits ??= [];
export default async function create_module({ canvas, host, instantiateWasm }) {
  const visit = { frames: [], texts: [], num_worked: 0 };
  globalThis.visits.push(visit);
  instantiateWasm({}, () => {});
  const known = {
    HEAPU8: Uint8Array.from({ length: 64 }, (_, i) => i),
    _malloc: () => 8,
    callMain: () => globalThis.status ?? (canvas.getContext("webgl2").getShaderParameter() ? 0 : 1),
    stringToNewUTF8: (text) => visit.texts.push(text),
    _web_frame: (seconds, width, height, scale) => {
      visit.frames.push({ width, height, scale });
      host.frame_done({ has_work: visit.num_worked < 20 });
    },
    _web_work: () => ++visit.num_worked,
    _web_expect_fingers: () => (visit.is_touch = true),
    _web_set_preferences: (is_dark) => (visit.is_dark = is_dark === 1),
  };
  return new Proxy({}, { get: (_, name) => (name === "then" ? undefined : (known[name] ?? (() => 0))) });
}
`;

/** Divides that program. `first` is what wasm-split writes as the first part. Returns the calls of Binaryen's tools and the visits. */
async function divide(t, { first = kEmpty, map = "", status = 0 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "attn-split-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "attention_playground.mjs"), kProgram);
  writeFileSync(join(folder, "attention_playground.wasm"), kEmpty);
  writeFileSync(join(folder, "attention_playground.map"), map);
  Object.assign(globalThis, { visits: [], status });
  const calls = [];
  await split(folder, (tool, options) => {
    const after = (option) => options[options.indexOf(option) + 1];
    if (options[0] === "--instrument") writeFileSync(after("-o"), kCounting);
    if (options[0] === "--merge-profiles")
      calls.push({ profiles: options.slice(1, -2).map((file) => [...readFileSync(file)]) });
    if (options[0] === "--split") writeFileSync(after("-o1"), first);
    if (options[0] === "--split") writeFileSync(after("-o2"), kEmpty);
    if (tool === "wasm-dis") writeFileSync(after("-o"), "(module)");
    calls.push({ tool, options });
  });
  return { calls, visits: globalThis.visits };
}

test("every window and every value of a key is visited, each by a program that has just started", async (t) => {
  const { calls, visits } = await divide(t);
  const links = visits.flatMap(({ texts }) => texts.filter((text) => /=/.test(text)));
  for (const [key, values] of Object.entries({ ...kFirstKeys, ...kFirstValues }))
    for (const value of values) assert.ok(links.includes(`${key}=${value}`), `${key}=${value}`);
  assert.ok(visits.some(({ is_touch, frames }) => is_touch && frames[0].width < 1200));
  assert.ok(visits.some(({ is_dark }) => is_dark));
  assert.ok(visits.some(({ is_dark }) => !is_dark));
  for (const { frames, num_worked } of visits) {
    assert.ok(frames.length >= 8, "until the picture rests");
    assert.equal(num_worked, 20, "until all is computed");
  }
  const { profiles } = calls.find((call) => call.profiles);
  assert.equal(profiles.length, visits.length);
  for (const profile of profiles) assert.deepEqual(profile, [8, 9, 10, 11], "what the program wrote into its memory");
  assert.deepEqual(
    calls.filter(({ options }) => options).map(({ tool, options }) => `${tool} ${options[0]}`),
    [
      "wasm-split --instrument",
      "wasm-split --merge-profiles",
      "wasm-split --split",
      "wasm-opt -Oz",
      `wasm-dis ${calls.at(-1).options[0]}`,
    ],
  );
  const [optimized, , written] = calls.at(-2).options.slice(-3);
  assert.match(optimized, /attention_playground_first\.wasm$/);
  assert.equal(optimized, written);
});

test("a program that does not start is not divided", async (t) => {
  await assert.rejects(divide(t, { status: 1 }), /does not start/);
});

test("vectors that would have to go through JavaScript are refused", async (t) => {
  await assert.rejects(divide(t, { first: kVector }), /1 functions that take or give vectors/);
});

test("the standard library's tables for printing doubles are refused", async (t) => {
  const map = "  100  24db0  libc++.a(d2fixed.o):(.rodata._ZNSt3__213__POW10_SPLITE)\n";
  await assert.rejects(divide(t, { map }), /to_chars of a double/);
});

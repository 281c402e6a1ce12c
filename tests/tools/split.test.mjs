// How the page's WebAssembly is divided: visits are paid with a program that counts, and Binaryen is told what ran in any of them. The program here is a few lines that note what was asked of it; tests/browser/first_load.test.mjs opens the real one.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { kSceneModel, trained_models } from "../../tools/lib/trained_models.mjs";
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
const kAnswers = {
  _engine_keys: [{ key: "view", choices: ["matrix", "door"] }],
  _models_of_link: { name: "" },
  _models_open: { bytes: 1 },
  _models_next: { done: true },
  _models_take: { name: "one" },
  _web_items: [],
};
export default async function create_module({ canvas, host, instantiateWasm }) {
  const visit = { frames: [], texts: [], num_worked: 0 };
  globalThis.visits.push(visit);
  instantiateWasm({}, () => {});
  const known = {
    HEAPU8: Uint8Array.from({ length: 2 ** 19 }, (_, i) => i % 64),
    _malloc: (size) => (size === 4 ? 8 : 64),
    UTF8ToString: (answer) => JSON.stringify(answer),
    callMain: () => globalThis.status ?? (canvas.getContext("webgl2").getShaderParameter() ? 0 : 1),
    stringToNewUTF8: (text) => visit.texts.push(text),
    _web_frame: (seconds, width, height, scale) => {
      visit.frames.push({ width, height, scale });
      host.frame_done({ has_work: visit.num_worked < 20 });
    },
    _web_work: () => ++visit.num_worked,
    _web_expect_fingers: () => (visit.is_touch = true),
    _web_set_preferences: (is_dark) => (visit.is_dark = is_dark === 1),
    _models_take: () => ((visit.has_model = true), kAnswers._models_take),
    then: undefined,
    host,
  };
  return new Proxy(known, { get: (_, name) => (name in known ? known[name] : () => kAnswers[name] ?? 0) });
}
`;

/**
 * Divides that program. `first` is what wasm-split writes as the first part, `seconds` the second part, try by try. Returns the calls
 * of Binaryen's tools, with the functions that wasm-split was told to keep, and the visits.
 */
async function divide(t, { first = kEmpty, seconds = [kEmpty], map = "", status = 0 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "attn-split-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "attention_playground.mjs"), kProgram);
  writeFileSync(join(folder, "attention_playground.wasm"), kEmpty);
  writeFileSync(join(folder, "attention_playground.map"), map);
  Object.assign(globalThis, { visits: [], status });
  const calls = [];
  let num_seconds = 0;
  await split(folder, (tool, options) => {
    const after = (option) => options[options.indexOf(option) + 1];
    const call = { tool, options };
    calls.push(call);
    if (options[0] === "--instrument") writeFileSync(after("-o"), kCounting);
    if (options[0] === "--merge-profiles") call.profiles = options.slice(1, -2).map((file) => [...readFileSync(file)]);
    if (options[0] === "--split") {
      const is_first = after("-o1").endsWith("_first.wasm");
      writeFileSync(after("-o1"), is_first ? first : (seconds[num_seconds++] ?? kEmpty));
      writeFileSync(after("-o2"), kEmpty);
      if (!is_first) writeFileSync(`${after("-o1")}.placeholders`, "0:f7\n1:f8\n");
      const kept = options.find((option) => option.startsWith("--keep-funcs=@"));
      call.kept = readFileSync(kept.slice("--keep-funcs=@".length), "utf8").split("\n").filter(Boolean);
    }
    if (tool === "wasm-dis") writeFileSync(after("-o"), "(module)");
    return options.some((option) => option.startsWith("--print-profile")) ? "+ f1\n+ f2\n- f3\n" : "";
  });
  return { calls, visits: globalThis.visits };
}

test("every window and every value of a key is visited, each by a program that has just started", async (t) => {
  const { calls, visits } = await divide(t);
  const first = visits.filter(({ has_model }) => !has_model);
  const links = first.flatMap(({ texts }) => texts.filter((text) => /=/.test(text)));
  for (const [key, values] of Object.entries({ ...kFirstKeys, ...kFirstValues }))
    for (const value of values) assert.ok(links.includes(`${key}=${value}`), `${key}=${value}`);
  assert.ok(first.some(({ is_touch, frames }) => is_touch && frames[0].width < 1200));
  assert.ok(first.some(({ is_dark }) => is_dark));
  assert.ok(first.some(({ is_dark }) => !is_dark));
  for (const { frames, num_worked } of visits) {
    assert.ok(frames.length >= 8, "until the picture rests");
    assert.equal(num_worked, 20, "until all is computed");
  }
  const merged = calls.filter((call) => call.profiles).map(({ profiles }) => profiles);
  assert.deepEqual(
    merged.map(({ length }) => length),
    [first.length, visits.length - first.length],
  );
  for (const profile of merged.flat())
    assert.deepEqual(profile, [8, 9, 10, 11], "what the program wrote into its memory");
});

test("a second visit opens each trained model, on a phone that of the scene, and goes through all views", async (t) => {
  const { visits } = await divide(t);
  const second = visits.filter(({ has_model }) => has_model);
  const opened = second.map(({ texts }) => trained_models().find((name) => texts.includes(name)));
  assert.deepEqual(opened, [...trained_models(), kSceneModel]);
  for (const [i, { texts }] of second.entries())
    for (const view of ["matrix", "door"])
      for (const link of [`v=1&view=${view}`, `v=1&view=${view}&model=${opened[i]}`])
        assert.ok(texts.includes(link), link);
  assert.ok(second.at(-1).is_touch);
});

test("the first part has what ran in first visits, the second what ran in second ones", async (t) => {
  const { calls } = await divide(t);
  const done = calls.map(({ tool, options }) => `${tool} ${options.find((option) => /^--[a-z]+/.test(option)) ?? ""}`);
  const print = "wasm-split --mvp-features";
  assert.deepEqual(done, [
    "wasm-split --instrument",
    ...["wasm-split --merge-profiles", print, "wasm-split --split"],
    ...["wasm-split --merge-profiles", print, "wasm-split --split"],
    "wasm-opt --converge",
    ...["wasm-dis ", "wasm-dis "],
  ]);
  assert.deepEqual(calls.find(({ kept }) => kept).kept, ["f1", "f2"]);
  const [optimized, , written] = calls.at(-3).options.slice(-3);
  assert.match(optimized, /attention_playground_first\.wasm$/);
  assert.equal(optimized, written);
});

test("a function of the rest that takes vectors and that the second part calls becomes a part of that", async (t) => {
  const { calls } = await divide(t, { seconds: [kVector, kEmpty] });
  assert.deepEqual(
    calls.filter(({ kept }) => kept).map(({ kept }) => kept.includes("f7")),
    [false, false, true],
  );
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

// Constants that go from the first part of the page's WebAssembly to later ones: those alone that the parts before cannot reach.
import assert from "node:assert/strict";
import { test } from "node:test";
import { move_cold_data, placed_constants } from "../../tools/lib/cold_data.mjs";

// A header, one function without code, and 1 KiB of data from address 1024 on; the rest has no data.
const kCode = [10, 4, 1, 2, 0, 11];
const header = [0, 97, 115, 109, 1, 0, 0, 0];
function module_of(data) {
  const size = data.length;
  const leb = (value) => [(value & 127) | 128, value >> 7];
  const section = [1, 0, 0x41, 0x80, 0x08, 0x0b, ...leb(size), ...data];
  return Buffer.from([...header, ...kCode, 11, ...leb(section.length), ...section]);
}
const kRest = Buffer.from([...header, ...kCode]);
const kMap = `    Addr      Off     Size Out     In      Symbol
     400      100      300 .rodata
     400      100      100         lib.a(words.cpp.o):(.rodata..L.str)
     400      100      100                 words
     500      200      100         lib.a(table.cpp.o):(.rodata.table)
     600      300      100         lib.a(lessons.cpp.o):(.rodata..L.str.1)
     700      400      100 .data
     700      400        4         lib.a(state.cpp.o):(.data.state)
`;

/** 1 KiB of data: constants of 256 bytes of 1, 2 and 3, and variables of 0. `words`: { address: number } in them. */
function data_of(words = {}) {
  const data = Buffer.alloc(1024);
  [1, 2, 3].forEach((byte, i) => data.fill(byte, i * 256, i * 256 + 256));
  for (const [address, number] of Object.entries(words)) data.writeUInt32LE(number, Number(address) - 1024);
  return data;
}

/** The names of the constants that moved, for a first part with this code and data. */
function moved(first_text, words) {
  const { moved } = move_cold_data({ parts: [module_of(data_of(words)), kRest], texts: [first_text], map: kMap });
  return moved[1].map(({ name }) => name.match(/\((\w+)\.cpp/)[1]);
}

test("the linker's map names constants and where they are", () => {
  assert.deepEqual(
    placed_constants(kMap).map(({ begin, end }) => [begin, end]),
    [
      [0x400, 0x500],
      [0x500, 0x600],
      [0x600, 0x700],
    ],
  );
});

test("what the code points at stays, in whatever form the number is written", () => {
  assert.deepEqual(moved(""), ["words", "table", "lessons"]);
  assert.deepEqual(moved("(i32.const 1424)"), ["words", "lessons"]);
  assert.deepEqual(moved("(i32.load8_u offset=1424"), ["words", "lessons"]);
  assert.deepEqual(moved(`(i64.const ${(5n << 32n) + 1424n})`), ["words", "lessons"], "an address and a length");
  assert.deepEqual(moved("(i64.const -4294965872)"), ["words", "lessons"], "an address below -1");
  assert.deepEqual(moved("(v128.const i32x4 0x00000000 0x00000590 0x00000001 0x00000000)"), ["words", "lessons"]);
});

test("where the linker begins a piece of data says nothing of what the code reads", () => {
  assert.deepEqual(moved('  (data $7 (i32.const 1424) "\\02\\02")\n'), ["words", "table", "lessons"]);
  assert.deepEqual(moved('  (data $7 (i32.const 1424) "\\02")\n  (i32.const 1424)\n'), ["words", "lessons"]);
});

test("texts of lessons and a table of checksums stay if their own address is in the code, not one near it", () => {
  for (const name of ["_ZN4attn10WordPackerIL_ZNS_6kStepsEEE6kWordsE", "crc_braid_table", "crc_table"]) {
    const map = kMap.replace(".rodata..L.str.1", `.rodata.${name}`);
    const moved_by = (address) => {
      const first_text = `(i32.const ${address})`;
      const { moved } = move_cold_data({ parts: [module_of(data_of()), kRest], texts: [first_text], map });
      return moved[1].map(({ name }) => name.match(/\((\w+)\.cpp/)[1]);
    };
    assert.deepEqual(moved_by(0x600), ["words"], "the lessons' own address; the table lies near it");
    assert.deepEqual(moved_by(0x5f0), ["words", "lessons"], "an address in the table");
    assert.deepEqual(moved_by(0x610), ["words", "lessons"]);
  }
});

test("a power of ten may look like an address, and is none", () => {
  const first = module_of(data_of({ 0x500: 0x600 })); // in the table
  const moved_with = (map) =>
    move_cold_data({ parts: [first, kRest], texts: ["(i32.const 1424)"], map }).moved[1].map(({ name }) => name);
  const table = "(.rodata.table)";
  assert.deepEqual(moved_with(kMap), ["lib.a(words.cpp.o):(.rodata..L.str)"], "else it keeps what it points at");
  const powers = kMap.replace(table, "(.rodata._ZNSt3__26__itoa10__pow10_64E)");
  assert.deepEqual(moved_with(powers), [
    "lib.a(words.cpp.o):(.rodata..L.str)",
    "lib.a(lessons.cpp.o):(.rodata..L.str.1)",
  ]);
});

test("what lies near stays, too: loops count from before or behind", () => {
  assert.deepEqual(moved("(i32.const 1270)"), ["words", "lessons"]);
  assert.deepEqual(moved("(i32.const 1544)"), ["words"]);
});

test("a text stays for a number at its beginning, which is copied in parts, not for one far behind it", () => {
  assert.deepEqual(moved(`(i32.const ${0x400 + 60})`), ["table", "lessons"]);
  assert.deepEqual(moved(`(i32.const ${0x400 + 70})`), ["words", "table", "lessons"]);
  assert.deepEqual(moved("", { 0x700: 0x400 + 70 }), ["words", "table", "lessons"]);
});

test("what variables and the constants that stay point at stays", () => {
  assert.deepEqual(moved("", { 0x700: 0x640 }), ["words", "table"]);
  assert.deepEqual(moved("(i32.const 1424)", { 0x540: 0x640 }), ["words"]);
  assert.deepEqual(moved("", { 0x540: 0x640 }), ["words", "table", "lessons"], "one that moves holds nothing");
});

test("moved bytes are zero in the first part, and at the same place in the rest", () => {
  const {
    parts: [first, rest],
  } = move_cold_data({ parts: [module_of(data_of()), kRest], texts: ["(i32.const 1424)"], map: kMap });
  assert.ok(!first.includes(Buffer.alloc(256, 1)) && !first.includes(Buffer.alloc(256, 3)));
  assert.ok(first.includes(Buffer.alloc(256, 2)));
  const at = rest.indexOf(Buffer.from([0, 0x41, 0x80, 0x08, 0x0b, 0x80, 2]));
  assert.ok(at > 0, "address 1024, 256 bytes");
  assert.ok(rest.subarray(at + 7, at + 7 + 256).equals(Buffer.alloc(256, 1)));
  assert.ok(rest.includes(Buffer.alloc(256, 3)));
});

test("a first part without data is left as it is", () => {
  const { parts } = move_cold_data({ parts: [kRest, kRest], texts: [""], map: kMap });
  assert.equal(parts[0], kRest);
});

test("a constant goes with the first part that can reach it, and the last takes what none reaches", () => {
  const { parts, moved } = move_cold_data({
    parts: [module_of(data_of()), kRest, kRest],
    texts: ["(i32.const 1424)", "(i32.const 1600)"],
    map: kMap,
  });
  const names = moved.map((some) => some.map(({ name }) => name.match(/\((\w+)\.cpp/)[1]));
  assert.deepEqual(names, [[], ["lessons"], ["words"]]);
  assert.deepEqual(
    parts.map((part) => [1, 2, 3].filter((byte) => part.includes(Buffer.alloc(256, byte)))),
    [[2], [3], [1]],
  );
});

test("a part that reaches nothing of its own may reach what the part before keeps", () => {
  const words = { 0x540: 0x640 }; // the table points at the lessons
  const { moved } = move_cold_data({
    parts: [module_of(data_of(words)), kRest, kRest],
    texts: ["", "(i32.const 1424)"],
    map: kMap,
  });
  assert.deepEqual(
    moved.map(({ length }) => length),
    [0, 2, 1],
  );
});

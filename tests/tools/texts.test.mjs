// The texts of a model of our own: how they are read out of packages, made plain and divided. Fetches nothing.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { read_r_texts } from "../../tools/lib/r_data.mjs";
import { chapters_of, divide, plain_text } from "../../tools/texts.mjs";

// --- R's serialization, written by hand ("R Internals", Serialization Formats) ---------------------------------------

const integer = (value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const chars = (text) =>
  text === null
    ? Buffer.concat([integer(9), integer(-1)])
    : Buffer.concat([integer(0x40009), integer(Buffer.byteLength(text)), Buffer.from(text)]);
const strings = (texts) => Buffer.concat([integer(16), integer(texts.length), ...texts.map(chars)]);
const integers = (values) => Buffer.concat([integer(13), integer(values.length), ...values.map(integer)]);
const symbol = (name) => Buffer.concat([integer(1), chars(name)]);
const list = (values, names) =>
  Buffer.concat([
    integer(19 | (1 << 9)),
    integer(values.length),
    ...values,
    ...[integer(2 | (1 << 10)), symbol("names"), strings(names), integer(254)],
  ]);
const serialized = (item, version = 2) =>
  Buffer.concat([
    Buffer.from("X\n"),
    ...[version, 0x40000, 0x20300].map(integer),
    ...(version === 3 ? [integer(5), Buffer.from("UTF-8")] : []),
    item,
  ]);

function with_package(objects, work, version = 2) {
  const folder = mkdtempSync(join(tmpdir(), "attn-r-"));
  const parts = Object.values(objects).map((item) => {
    const plain = serialized(item, version);
    return Buffer.concat([integer(plain.length), deflateSync(plain)]);
  });
  let begin = 0;
  const places = parts.map((part) => integers([(begin += part.length) - part.length, part.length]));
  const index = list([list(places, Object.keys(objects)), list([], [])], ["variables", "references"]);
  writeFileSync(join(folder, "data.rdb"), Buffer.concat(parts));
  writeFileSync(join(folder, "data.rdx"), deflateSync(serialized(index, version)));
  try {
    return work(join(folder, "data"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("character vectors come out of an R package's data, by name", () => {
  for (const version of [2, 3]) {
    const objects = { emma: strings(["EMMA", "", "Zoë — “dear”", null]), numbers: integers([1, 2]) };
    const texts = with_package(objects, read_r_texts, version);
    assert.deepEqual([...texts], [["emma", ["EMMA", "", "Zoë — “dear”", null]]]);
  }
});

test("what R wrote otherwise is refused with a sentence", () => {
  assert.throws(() => with_package({ one: integer(25) }, read_r_texts), /one has an item of R's kind 25/);
  assert.throws(() => with_package({ one: strings([]) }, read_r_texts, 4), /version 4 of R's serialization/);
});

test("a text becomes what visitors type", () => {
  assert.equal(
    plain_text("“Wait,” said\r\nshe—“it’s _mine_.”\r\n\r\n \r\n  Two\n   spaces\u00a0here.  \n"),
    '"Wait," said she--"it\'s mine."\nTwo spaces here.',
  );
  assert.equal(plain_text(" \n\n "), "");
});

test("chapters stand without headings and what precedes the first", () => {
  assert.deepEqual(chapters_of("TITLE\nby her\nCHAPTER I\none\ntwo\nChapter 2. The end\nthree"), ["one\ntwo", "three"]);
  assert.deepEqual(chapters_of("no chapter"), []);
});

test("every so manieth document of each source is held out, and the others stand as often as wanted", () => {
  const numbers = (count, from) => Array.from({ length: count }, (_, k) => `${from}${k}`);
  const sources = [{ documents: numbers(7, "a") }, { documents: numbers(4, "b"), times: 2 }];
  const { read, held_out } = divide(sources, { every: 3, from: 1 });
  assert.deepEqual(held_out, ["a1", "a4", "b1"]);
  assert.deepEqual(read, ["a0", "a2", "a3", "a5", "a6", "b0", "b2", "b3", "b0", "b2", "b3"]);
});

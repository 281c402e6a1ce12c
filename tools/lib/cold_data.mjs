// Moves constants that only later parts of the page's WebAssembly read (texts of lessons, scripts, notes) out of the first part's
// data into theirs: a first visit need not fetch them. The linker's map and the code say which these are.
import { kCode, leb, pieces_of, sections, signed_leb, written } from "./wasm_parts.mjs";

const kData = 11;
const kDataCount = 12;
// Bytes. A loop may count from an address a little before or behind what it reads.
const kNear = 64;
// Bytes. Code reads a text from its first byte, and copies it in parts where it is short: a number further off is a neighbour's
// address, or none.
const kNearText = { before: 4, behind: 64 };
const kText = /\.L\.str|_ZTAX/; // of literals, and of template arguments
// The texts and the list of lessons, the words of the search, the kinds of models, the settings that leave a tensor out, zlib's tables
// for checksums, the characters of Unicode that join, the digits of π, the sentences of the models' cards, and the fonts of visitors'
// characters: code that reads them names their first byte, so an address near it or behind it is a chance or a neighbour.
const kFromFirstByte =
  /(Link|Word)Packer.*kWords|8kLessonsE|FieldWordsE|k(Layer|Backward)Rows|12kTensorKindsE|13kPartSettingsE|kRareWordsE|5kTermsE|7kValuesE|crc_(braid_)?table|gb_prop_default|ipio2|kStartsOf|MoreBytesE/;

// Bytes of fonts, and powers of ten: none of their numbers is an address, whatever it looks like.
const kNoAddresses = /fonts?\.cpp|__itoa\d+__pow10_/;

/** The constants that the linker placed, as [{ begin, end, name }], from its map (-Wl,-Map). @param {string} map */
export function placed_constants(map) {
  const found = [];
  for (const line of map.split("\n")) {
    const [, address, size, name] = /^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +(\S.*:\(\.rodata.*\))$/.exec(line) ?? [];
    if (name && Number.parseInt(size, 16) > 0)
      found.push({
        begin: Number.parseInt(address, 16),
        end: Number.parseInt(address, 16) + Number.parseInt(size, 16),
        name,
      });
  }
  return found.sort((a, b) => a.begin - b.begin);
}

/** All numbers in code that may be addresses or parts of such. @param {string} module of wasm-dis */
function numbers_in(module) {
  const found = new Set();
  const text = module.replaceAll(/^ *\(data .*/gm, ""); // where a piece of data begins, nobody has asked for it
  for (const [, number] of text.matchAll(/(?:i32\.const |offset=)(\d+)/g)) found.add(Number(number));
  for (const [, number] of text.matchAll(/i64\.const (-?\d+)/g)) {
    const both = BigInt.asUintN(64, BigInt(number)); // an address and a length may be stored at once
    found.add(Number(both & 0xffffffffn)).add(Number(both >> 32n));
  }
  for (const [, lanes] of text.matchAll(/v128\.const i32x4 ([^)]*)/g)) {
    for (const lane of lanes.trim().split(/\s+/)) found.add(Number(lane));
  }
  return found;
}

const data_section = (pieces) =>
  Buffer.concat([
    leb(pieces.length),
    ...pieces.flatMap(({ place, bytes }) => [
      Buffer.from([0, 0x41]),
      signed_leb(place),
      Buffer.from([0x0b]),
      leb(bytes.length),
      bytes,
    ]),
  ]);

/** The file with other data: its section replaced, or put behind the code. */
function with_data(wasm, pieces) {
  const section = { id: kData, bytes: data_section(pieces) };
  const all = sections(wasm).map((one) =>
    one.id === kDataCount ? { id: kDataCount, bytes: leb(pieces.length) } : one,
  );
  const at = all.findIndex(({ id }) => id === kData);
  if (at >= 0) all[at] = section;
  else all.splice(all.findIndex(({ id }) => id === kCode) + 1, 0, section);
  return written(wasm, all);
}

/** Follows the numbers to the constants at or near them, and from there on. Returns the set of all constants reached. */
function reached_from(numbers, constants, memory) {
  const reached = new Set();
  const waiting = [];
  const mark = (at, near) => {
    const [begin, end] = [at - near, at + Math.max(near, 1)];
    let low = 0; // the first constant that ends behind `begin`
    for (let high = constants.length; low < high;) {
      const middle = (low + high) >> 1;
      if (constants[middle].end > begin) high = middle;
      else low = middle + 1;
    }
    for (; low < constants.length && constants[low].begin < end; ++low) {
      const one = constants[low];
      const is_far = kText.test(one.name) && (at < one.begin - kNearText.before || at > one.begin + kNearText.behind);
      if (reached.has(one) || is_far || (kFromFirstByte.test(one.name) && at !== one.begin)) continue;
      reached.add(one);
      waiting.push(one);
    }
  };
  for (const number of numbers) mark(number, kNear);
  while (waiting.length > 0) {
    const { begin, end, name } = waiting.pop();
    if (kNoAddresses.test(name)) continue;
    for (let at = Math.ceil(begin / 4) * 4; at + 4 <= end; at += 4) mark(memory(at), 0);
  }
  return reached;
}

/**
 * { parts, moved }: the files after the move, and the constants that went to each, none to the first. A constant goes with the first
 * part that can reach it; the last takes the others. A part reaches what a number in its code points at or near, and what the parts
 * before it reach; all reach what a variable points at, and what these point at.
 * @param {{ parts: Buffer[], texts: string[], map: string }} all the texts are those of wasm-dis, of all parts but the last
 */
export function move_cold_data({ parts, texts, map }) {
  const [first] = parts;
  const constants = placed_constants(map);
  const data = sections(first).find(({ id }) => id === kData);
  if (!data) return { parts, moved: parts.map(() => []) };
  const pieces = pieces_of(data.bytes);
  const end = Math.max(...pieces.map(({ place, bytes }) => place + bytes.length));
  const image = Buffer.alloc(end + 4);
  for (const { place, bytes } of pieces) bytes.copy(image, place);
  const memory = (at) => (at + 4 <= image.length ? image.readUInt32LE(at) : 0);

  const numbers = new Set();
  const last_constant = Math.max(...constants.map((one) => one.end));
  for (let at = Math.ceil(last_constant / 4) * 4; at < end; at += 4) numbers.add(memory(at)); // variables
  const homes = new Map(); // constant → index of its part
  texts.forEach((text, part) => {
    for (const number of numbers_in(text)) numbers.add(number);
    for (const one of reached_from(numbers, constants, memory)) if (!homes.has(one)) homes.set(one, part);
  });
  const home_of = (one) => homes.get(one) ?? texts.length;
  const moved = parts.map((_, part) => (part === 0 ? [] : constants.filter((one) => home_of(one) === part)));

  const pieces_for = moved.map((cold) =>
    cold
      .map(({ begin, end }) => ({ place: begin, bytes: Buffer.from(image.subarray(begin, end)) }))
      .filter(({ bytes }) => bytes.some((byte) => byte !== 0)),
  );
  for (const { begin, end } of moved.flat()) image.fill(0, begin, end);
  const left = pieces.map(({ place, bytes }) => ({ place, bytes: image.subarray(place, place + bytes.length) }));
  return {
    parts: parts.map((part, i) => with_data(part, i === 0 ? without_zeros(left) : joined(pieces_for[i]))),
    moved,
  };
}

/** Neighbours as one. */
function joined(pieces) {
  const all = [];
  for (const { place, bytes } of pieces) {
    const last = all.at(-1);
    const gap = last ? place - last.place - last.bytes.length : Infinity;
    if (gap === 0) last.bytes = Buffer.concat([last.bytes, bytes]);
    else all.push({ place, bytes });
  }
  return all;
}

/** Pieces cut at long runs of zeros, because untouched memory is zero. */
function without_zeros(pieces) {
  const kLong = 16; // bytes: what another piece costs
  const all = [];
  for (const { place, bytes } of pieces) {
    let begin = 0;
    for (let at = 0; at <= bytes.length;) {
      let zeros = at;
      while (zeros < bytes.length && bytes[zeros] === 0) ++zeros;
      if (zeros - at >= kLong || zeros === bytes.length || at === bytes.length) {
        if (at > begin) all.push({ place: place + begin, bytes: bytes.subarray(begin, at) });
        begin = zeros;
      }
      at = Math.max(zeros, at) + 1;
    }
  }
  return all;
}

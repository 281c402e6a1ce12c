// Reads the character vectors of an R package's data: NAME.rdx names the objects of NAME.rdb and says where each lies. Both are
// R's own serialization (R Internals, "Serialization Formats": XDR, versions 2 and 3), packed by zlib. What holds no text is
// read over; what is not described there is refused with a sentence.
import { readFileSync } from "node:fs";
import { gunzipSync, inflateSync } from "node:zlib";

// Kinds of items, the low byte of an item's flags.
const kSymbol = 1;
const kPairs = 2;
const kChars = 9;
const kLogical = 10;
const kIntegers = 13;
const kReals = 14;
const kStrings = 16;
const kList = 19;
const kReference = 255;
const kNil = 254;
const kHasAttributes = 1 << 9;
const kHasTag = 1 << 10;

/**
 * The character vectors of the package's data, by name; each as a list of texts, null where R has NA.
 * @param {string} path of the two files, without their ends
 * @returns {Map<string, (string | null)[]>}
 */
export function read_r_texts(path) {
  const index = read_item(unpacked(readFileSync(`${path}.rdx`)), `${path}.rdx`);
  const rows = named(named(index).get("variables"));
  const file = readFileSync(`${path}.rdb`);
  const texts = new Map();
  for (const [name, place] of rows) {
    const [begin, length] = place.values;
    const value = read_item(unpacked(file.subarray(begin + 4, begin + length)), name); // the first four are its length unpacked
    if (value.kind === kStrings) texts.set(name, value.values);
  }
  return texts;
}

/** @param {Buffer} bytes of a file that gzip has packed, or of a part that zlib has */
function unpacked(bytes) {
  return bytes[0] === 0x1f ? gunzipSync(bytes) : inflateSync(bytes);
}

/** The members of a list, by name. */
function named(list) {
  const names = list?.attributes?.get("names")?.values;
  if (!names) throw new Error("This is no index of R data: it has a list without names.");
  return new Map(names.map((name, k) => [name, list.values[k]]));
}

/** The first item of serialized data, as { kind, values, attributes }. */
function read_item(bytes, what) {
  if (bytes.toString("latin1", 0, 2) !== "X\n") throw new Error(`${what} is no R data in XDR.`);
  const version = bytes.readInt32BE(2);
  let at = 14;
  if (version === 3)
    at += 4 + bytes.readInt32BE(at); // the name of an encoding
  else if (version !== 2) throw new Error(`${what} has version ${version} of R's serialization; 2 and 3 can be read.`);
  const references = [];
  const integer = () => bytes.readInt32BE((at += 4) - 4);
  const many = (read) => Array.from({ length: integer() }, read);

  /** Pairs of a tag and a value, up to the end. */
  function read_pairs(flags) {
    const pairs = new Map();
    for (; (flags & 0xff) === kPairs; flags = integer()) {
      if (flags & kHasAttributes) read();
      const tag = flags & kHasTag ? read().values : "";
      pairs.set(tag, read());
    }
    return pairs;
  }

  function read() {
    const flags = integer();
    const kind = flags & 0xff;
    if (kind === kNil) return { kind };
    if (kind === kReference) return references[(flags >> 8 || integer()) - 1];
    if (kind === kSymbol) {
      const symbol = { kind, values: read().values };
      references.push(symbol);
      return symbol;
    }
    if (kind === kPairs) return { kind, values: read_pairs(flags) };
    if (kind === kChars) {
      const length = integer();
      if (length < 0) return { kind, values: null };
      return { kind, values: bytes.toString("utf8", at, (at += length)) };
    }
    const item = { kind, values: [], attributes: new Map() };
    if (kind === kStrings) item.values = many(() => read().values);
    else if (kind === kList) item.values = many(read);
    else if (kind === kIntegers || kind === kLogical) item.values = many(integer);
    else if (kind === kReals) item.values = many(() => bytes.readDoubleBE((at += 8) - 8));
    else throw new Error(`${what} has an item of R's kind ${kind}, which this project does not read.`);
    if (flags & kHasAttributes) item.attributes = read_pairs(integer());
    return item;
  }
  return read();
}

// Gives a TrueType file a new table of names. Browsers refuse a font without one, and a changed font must not keep a reserved
// name. Tables and numbers as in the OpenType specification ("Font file" and "name").

const kWindows = [3, 1, 0x409]; // platform, encoding UTF-16, language US English
const kNameIds = { family: 1, style: 2, unique: 3, full: 4, postscript: 6 };

/** The sum of a table's 32-bit words, modulo 2^32; zeros fill up the last word. */
function checksum(bytes) {
  const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}

function name_table(family, style) {
  const postscript = `${family}-${style}`.replaceAll(" ", "");
  const names = { family, style, unique: postscript, full: `${family} ${style}`, postscript };
  const texts = Object.values(names).map((text) => Buffer.from(text, "utf16le").swap16());
  const records = Buffer.alloc(6 + 12 * texts.length);
  records.writeUInt16BE(texts.length, 2);
  records.writeUInt16BE(records.length, 4);
  let offset = 0;
  Object.keys(names).forEach((key, i) => {
    const fields = [...kWindows, kNameIds[key], texts[i].length, offset];
    fields.forEach((field, j) => records.writeUInt16BE(field, 6 + 12 * i + 2 * j));
    offset += texts[i].length;
  });
  return Buffer.concat([records, ...texts]);
}

/** The same font, called `family` in the style `style`. Its former names are gone. */
export function with_name(font, family, style) {
  const tables = new Map([["name", name_table(family, style)]]);
  for (let i = 0; i < font.readUInt16BE(4); ++i) {
    const record = 12 + 16 * i;
    const tag = font.toString("latin1", record, record + 4);
    const begin = font.readUInt32BE(record + 8);
    const table = Buffer.from(font.subarray(begin, begin + font.readUInt32BE(record + 12)));
    if (tag === "head") table.writeUInt32BE(0, 8); // the checksum of the whole, written last
    if (tag !== "name") tables.set(tag, table);
  }
  const log2 = Math.floor(Math.log2(tables.size));
  const directory = Buffer.alloc(12 + 16 * tables.size);
  directory.writeUInt32BE(font.readUInt32BE(0), 0);
  const search = [tables.size, 16 * 2 ** log2, log2, 16 * (tables.size - 2 ** log2)];
  search.forEach((field, i) => directory.writeUInt16BE(field, 4 + 2 * i));
  const pieces = [directory];
  let offset = directory.length;
  let head = 0;
  [...tables.keys()].sort().forEach((tag, i) => {
    const table = tables.get(tag);
    directory.write(tag, 12 + 16 * i, "latin1");
    [checksum(table), offset, table.length].forEach((field, j) => directory.writeUInt32BE(field, 16 + 16 * i + 4 * j));
    if (tag === "head") head = offset;
    pieces.push(table, Buffer.alloc(-table.length & 3));
    offset += table.length + (-table.length & 3);
  });
  const named = Buffer.concat(pieces);
  named.writeUInt32BE((0xb1b0afba - checksum(named)) >>> 0, head + 8);
  return named;
}

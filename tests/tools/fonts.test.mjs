// The fonts that go into the program: the signs it prints are there, in the file that a first visit fetches, and digits stand in
// columns.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { kOwnText } from "../../tools/fonts.mjs";

const kNames = ["sans-regular", "sans-semibold", "mono-regular"];
const kTool = fileURLToPath(new URL("../../tools/fonts.mjs", import.meta.url));
let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "attn-fonts-"));
  execFileSync(process.execPath, [kTool, folder]);
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** A TrueType file's tables, its character map (format 4) and its advance widths. */
class Font {
  constructor(name) {
    this.bytes = readFileSync(join(folder, `${name}.ttf`));
    this.tables = new Map();
    for (let i = 0; i < this.bytes.readUInt16BE(4); ++i) {
      const record = 12 + 16 * i;
      this.tables.set(this.bytes.toString("latin1", record, record + 4), this.bytes.readUInt32BE(record + 8));
    }
  }

  /** The glyph of a code point below 0x10000; 0 if the font has none. */
  glyph(code_point) {
    const cmap = this.tables.get("cmap");
    for (let i = 0; i < this.bytes.readUInt16BE(cmap + 2); ++i) {
      const table = cmap + this.bytes.readUInt32BE(cmap + 8 + 8 * i);
      if (this.bytes.readUInt16BE(table) !== 4) continue;
      const doubled = this.bytes.readUInt16BE(table + 6);
      for (let at = table + 14; at < table + 14 + doubled; at += 2) {
        // Four lists of equal length one after the other (last, first, delta, offset), two spare bytes after the first list.
        const [start, delta, offset] = [1, 2, 3].map((list) => this.bytes.readUInt16BE(at + 2 + list * doubled));
        if (code_point > this.bytes.readUInt16BE(at)) continue;
        if (code_point < start) break;
        if (offset === 0) return (code_point + delta) & 0xffff;
        const found = this.bytes.readUInt16BE(at + 2 + 3 * doubled + offset + 2 * (code_point - start));
        return found === 0 ? 0 : (found + delta) & 0xffff;
      }
    }
    return 0;
  }

  advance(glyph) {
    const count = this.bytes.readUInt16BE(this.tables.get("hhea") + 34);
    return this.bytes.readUInt16BE(this.tables.get("hmtx") + 4 * Math.min(glyph, count - 1));
  }
}

const code_points = (text) => [...text].map((sign) => sign.codePointAt(0));

// Signs that labels, formulas and sentences in Latin, Vietnamese and Cyrillic need.
const kNeeded = "AZaz09 .,;:!?()[]{}'\"“”’–—…•·×÷±−√∑∞≈≤≥≠∂→←↑↓⁰²³₀₁₂éßøŁőŞțếữЖяїҐ€�";
const missing = (text, ...fonts) =>
  [...text].filter((sign) => fonts.every((font) => font.glyph(sign.codePointAt(0)) === 0)).join("");

/** The characters of the program's own texts; tokenizers read those of others. */
function own_characters() {
  const source = fileURLToPath(new URL("../../src", import.meta.url));
  const found = new Set();
  for (const name of readdirSync(source, { recursive: true })) {
    if (!/\.(cpp|h)$/.test(name) || /^(core\/words\/tokens|model\/learn\/training_texts|model\/words\/)/.test(name))
      continue;
    for (const [, text] of readFileSync(join(source, name), "utf8").matchAll(/"((?:[^"\\\n]|\\.)*)"/g)) {
      for (const sign of text.replaceAll(/\\u([0-9A-Fa-f]{4})/g, (_, hex) => String.fromCharCode(`0x${hex}`)))
        found.add(sign);
    }
  }
  return [...found].join("");
}

for (const name of kNames) {
  test(`${name} has every sign that the program prints`, () => {
    assert.equal(missing(kNeeded, new Font(name), new Font(`${name}-more`)), "");
  });

  test(`${name} has each character once: the program's own ones in its first file`, () => {
    const [first, more] = [new Font(name), new Font(`${name}-more`)];
    for (const sign of kOwnText) assert.equal(more.glyph(sign.codePointAt(0)), 0, sign);
    for (const sign of missing(own_characters(), first))
      assert.equal(missing(sign, more), sign, `${sign} is a sign of its own`);
  });

  test(`${name} has digits and signs of one width, so that columns of numbers line up`, () => {
    const font = new Font(name);
    const widths = new Set(code_points("0123456789").map((code_point) => font.advance(font.glyph(code_point))));
    assert.equal(widths.size, 1);
    assert.equal(font.advance(font.glyph(0x2212)), font.advance(font.glyph("+".codePointAt(0))), "minus and plus");
  });

  test(`${name} is small and has a name of its own, not the reserved one`, () => {
    const font = new Font(name);
    const names = font.bytes.subarray(font.tables.get("name")).swap16().toString("utf16le");
    assert.match(names, /Attention (Sans|Mono)/);
    assert.doesNotMatch(names, /plex/i);
    assert.ok(statSync(join(folder, `${name}.ttf`)).size < 20_000);
    assert.ok(statSync(join(folder, `${name}-more.ttf`)).size < 100_000);
  });
}

for (const name of kNames.flatMap((one) => [one, `${one}-more`])) {
  test(`${name} adds up to its checksum`, () => {
    const { bytes } = new Font(name);
    assert.equal(bytes.length % 4, 0);
    let sum = 0;
    for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
    assert.equal(sum, 0xb1b0afba); // what the specification makes the whole file add up to
  });
}

test("both sans fonts have Greek, and the same characters of the program's own", () => {
  const [regular, semibold] = ["sans-regular", "sans-semibold"].map((name) => new Font(name));
  for (const name of ["sans-regular", "sans-semibold"])
    assert.equal(missing("ΑΩαωΣσ√", new Font(name), new Font(`${name}-more`)), "", name);
  assert.equal(missing(kOwnText, regular), missing(kOwnText, semibold));
});

test("the licence goes with the fonts", () => {
  assert.match(readFileSync(join(folder, "LICENSE.txt"), "utf8"), /SIL Open Font License, Version 1\.1/);
});

// Texts of many scripts for the tests of tokenizers, and what our tokenizers make of them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { make_dice } from "../share/random_links.mjs";

const programs = process.env.ATTN_NATIVE_TESTS;
if (!programs) throw new Error("ATTN_NATIVE_TESTS must name the folder of the built test programs");

// Characters of blocks that have not changed for years, words, and what tokenizers stumble over.

const kBlocks = [
  ...[
    [0x20, 0x7e],
    [0x20, 0x7e],
    [0xa0, 0x17f],
    [0x180, 0x24f],
    [0x250, 0x2af],
    [0x300, 0x36f],
    [0x391, 0x3a1],
    [0x3b1, 0x3c9],
  ],
  ...[
    [0x400, 0x45f],
    [0x531, 0x556],
    [0x5d0, 0x5ea],
    [0x5b0, 0x5bd],
    [0x620, 0x64a],
    [0x64b, 0x652],
    [0x660, 0x669],
  ],
  ...[
    [0x905, 0x939],
    [0x93e, 0x94d],
    [0x966, 0x96f],
    [0xe01, 0xe30],
    [0xe31, 0xe3a],
    [0x10d0, 0x10f0],
    [0x1100, 0x1112],
  ],
  ...[
    [0x1e00, 0x1ef9],
    [0x1f00, 0x1f15],
    [0x2000, 0x200f],
    [0x2010, 0x2027],
    [0x2030, 0x205e],
    [0x2070, 0x2071],
    [0x20a0, 0x20b0],
  ],
  ...[
    [0x2100, 0x214f],
    [0x2150, 0x218b],
    [0x2190, 0x21ff],
    [0x2200, 0x22ff],
    [0x2460, 0x24ff],
    [0x3000, 0x303f],
    [0x3041, 0x3096],
  ],
  ...[
    [0x30a1, 0x30fa],
    [0x4e00, 0x9fa5],
    [0x4e00, 0x4f00],
    [0xac00, 0xd7a3],
    [0xe000, 0xe010],
    [0xf900, 0xfa0d],
    [0xfb2a, 0xfb4e],
  ],
  ...[
    [0xff01, 0xff5e],
    [0x1d400, 0x1d454],
    [0x1d165, 0x1d169],
    [0x1f600, 0x1f64f],
    [0x1f1e6, 0x1f1ff],
    [0x10400, 0x1044f],
  ],
  ...[
    [0x00, 0x1f],
    [0x7f, 0x84],
    [0x86, 0x9f],
    [0x0c, 0x0d],
  ],
];
const kPieces = [
  ..."the The THE artist painted it's IT'S we'll don't 'S 'll 'Re x's I'm 3.14 1234567 $5 a_b #tag don\u2019t caf\u00e9 na\u00efve".split(
    " ",
  ),
  ...[
    "  ",
    "   ",
    "\n",
    "\n\n",
    " \n ",
    "\t",
    "\r\n",
    "\u00a0",
    "\u3000",
    "...",
    "!!!",
    "--",
    "://",
    "\ufffd",
    "\u200d",
    "\u0301",
    "\u1e9e",
    "\u0130",
  ],
  ...[
    "<|endoftext|>",
    "[MASK]",
    "[SEP]",
    "\u4f60\u597d",
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
    "\ud83d\udc69\u200d\ud83d\udc67",
    "supercalifragilistic",
    "antidisestablishmentarianism",
  ],
];
// Here the two differ on purpose: JavaScript's white space lacks U+0085 and has U+FEFF, its final sigma is another letter, and that
// library takes ideographs beyond U+FFFF for others. The Rust library, which models are trained with, does as ours.
export const kOddities = /[\u0085\ufeff\u03a3\u{20000}-\u{3ffff}]/gu;

/**
 * @param {number} seed
 * @param {number} count
 * @param {string[]} words ordinary ones
 */
export function* texts(seed, count, words) {
  const dice = make_dice(seed);
  const character = () => {
    const [first, last] = dice.one_of(kBlocks);
    return String.fromCodePoint(first + dice.below(last - first + 1));
  };
  for (let i = 0; i < count; ++i) {
    let text = "";
    for (let n = 1 + dice.below(8); n > 0; --n) {
      if (dice.chance(25)) text += dice.one_of(kPieces);
      else if (dice.chance(40)) text += dice.chance(30) ? dice.one_of(words).toUpperCase() : dice.one_of(words);
      else for (let k = 1 + dice.below(5); k > 0; --k) text += character();
      if (dice.chance(40)) text += " ";
    }
    yield text.replace(kOddities, "");
  }
}

/**
 * For each text the numbers and bytes of its tokens. A tokenizer.model is given in base64.
 * @param {Record<string, string>} files
 * @param {string[]} all
 */
export function ours(files, all) {
  const input = [files, ...all].map((one) => JSON.stringify(one)).join("\n") + "\n";
  const { error, status, stdout, stderr } = spawnSync(join(programs, "tokenize_lines"), [], {
    input,
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  assert.equal(error, undefined, "tokenize_lines, of the tests' preset, must be built");
  assert.equal(status, 0, stderr);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
export const ids_of = (tokens) => tokens.map(([id]) => id);

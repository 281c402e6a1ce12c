// Cuts IBM Plex (SIL Open Font License 1.1; the licence goes with the files) down to the scripts that the program draws itself,
// as TrueType, in two files each: the characters that the program writes itself, which a first visit fetches, and more, for what
// visitors write. The page takes them out of the program. The browser's or the system's fonts draw what they lack.
//   node tools/fonts.mjs OUT_FOLDER
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { with_name } from "./font_name.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

const kFonts = [
  {
    name: "sans-regular",
    family: "Attention Sans",
    style: "Regular",
    source: "plex-sans/fonts/complete/woff2/IBMPlexSans-Regular.woff2",
  },
  {
    name: "sans-semibold",
    family: "Attention Sans",
    style: "SemiBold",
    source: "plex-sans/fonts/complete/woff2/IBMPlexSans-SemiBold.woff2",
  },
  {
    name: "mono-regular",
    family: "Attention Mono",
    style: "Regular",
    source: "plex-mono/fonts/complete/woff2/IBMPlexMono-Regular.woff2",
  },
];

// First and last code point of each range kept. A font keeps what it has of them.
const kRanges = [
  [0x0020, 0x007e], // Latin
  [0x00a0, 0x00ff], // Latin-1
  [0x0100, 0x024f], // Latin Extended-A and -B
  [0x02b0, 0x02ff], // spacing modifiers
  [0x0300, 0x036f], // combining marks
  [0x0370, 0x03ff], // Greek
  [0x0400, 0x04ff], // Cyrillic
  [0x1e00, 0x1eff], // Latin Extended Additional, Vietnamese among it
  [0x2000, 0x206f], // punctuation
  [0x2070, 0x209f], // superscripts and subscripts
  [0x20a0, 0x20bf], // currencies
  [0x2100, 0x214f], // letterlike symbols
  [0x2190, 0x21ff], // arrows
  [0x2200, 0x22ff], // mathematical operators
  [0x25a0, 0x25ff], // geometric shapes
  [0xfffd, 0xfffd], // the sign for text that is not valid UTF-8
];

const text_of = (ranges) =>
  ranges
    .map(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).join(""),
    )
    .join("");

const kText = text_of(kRanges);

// What the program writes itself; a test looks for others in its texts.
export const kOwnText = `${text_of([kRanges[0]])}\u00a0°±²³·×÷θπΣ–—‘’“”•…′‹›₀₁₂←↑→↓∂−√∞≈≠≤≥■▭▴▾○●\ufffd`;
const kParts = [
  { suffix: "", text: kOwnText },
  { suffix: "-more", text: [...kText].filter((character) => !kOwnText.includes(character)).join("") },
];

async function main([out]) {
  if (!out) throw new Error("usage: fonts.mjs OUT_FOLDER");
  const subset_font = createRequire(import.meta.url)("subset-font");
  mkdirSync(out, { recursive: true });
  for (const { name, family, style, source } of kFonts) {
    const bytes = readFileSync(join(root, "node_modules/@ibm", source));
    // Nothing shapes the text, so keep only glyphs that characters map to directly, and no kerning.
    const bare = { noLayoutClosure: true, keepFeatures: [], noHinting: true };
    for (const { suffix, text } of kParts) {
      const font = await subset_font(bytes, text, { ...bare, targetFormat: "truetype" });
      // "Plex" is a reserved name: a changed font must not carry it.
      writeFileSync(join(out, `${name}${suffix}.ttf`), with_name(font, family, style));
    }
  }
  copyFileSync(join(root, "node_modules/@ibm/plex-sans/LICENSE.txt"), join(out, "LICENSE.txt"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));

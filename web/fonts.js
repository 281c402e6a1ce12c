// Gives the page's text the picture's typefaces. Their bytes are in the engine, so nothing more is fetched.
/** @import { Engine, FontName } from "./types" */

// A browser takes the height of a line and the sign of a cut text from the face that has the space, so that one stays the first.
const kNoSpace = { unicodeRange: "U+80-10FFFF" };

/** @type {readonly { name: FontName, family: string, weight: string, unicodeRange?: string }[]} */
const kFaces = [
  { name: "sans-regular", family: "Attention Sans", weight: "400" },
  { name: "sans-semibold", family: "Attention Sans", weight: "600" },
  { name: "mono-regular", family: "Attention Mono", weight: "400" },
  { name: "sans-regular-more", family: "Attention Sans", weight: "400", ...kNoSpace },
  { name: "sans-semibold-more", family: "Attention Sans", weight: "600", ...kNoSpace },
  { name: "mono-regular-more", family: "Attention Mono", weight: "400", ...kNoSpace },
];

/** The fonts of the page around the picture; exported files and the author's page use the third one too. */
export const kPageFonts = /** @type {const} */ (["sans-regular", "sans-semibold"]);
/** What the first part of the engine has: the characters that the program writes itself. */
export const kFirstFonts = /** @type {const} */ ([...kPageFonts, "mono-regular"]);

/** The fonts that each document already has. @type {WeakMap<Document, Set<FontName>>} */
const served = new WeakMap();

/**
 * Adds the fonts to the document, each one once, however many playgrounds it has.
 * @param {Document} document
 * @param {Engine} engine
 * @param {readonly FontName[]} [names] default: all
 */
export function use_fonts(document, engine, names = kFaces.map(({ name }) => name)) {
  const has = served.get(document) ?? new Set();
  served.set(document, has);
  for (const { name, family, ...descriptors } of kFaces) {
    if (!names.includes(name) || has.has(name)) continue;
    has.add(name);
    document.fonts.add(new FontFace(family, engine.font(name), descriptors));
  }
}

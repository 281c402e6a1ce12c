// The page's text in the picture's typefaces, whose bytes are in the engine: nothing more is fetched.
/** @import { Engine, FontName } from "./types" */

/** @type {readonly { name: FontName, family: string, weight: string }[]} */
const kFaces = [
  { name: "sans-regular", family: "Attention Sans", weight: "400" },
  { name: "sans-semibold", family: "Attention Sans", weight: "600" },
  { name: "mono-regular", family: "Attention Mono", weight: "400" },
];

/** Those of the page around the picture; the other one is for files and for the author's page. */
export const kPageFonts = /** @type {const} */ (["sans-regular", "sans-semibold"]);

/** What each document has. @type {WeakMap<Document, Set<FontName>>} */
const served = new WeakMap();

/**
 * Adds the faces to the document, each once, however many playgrounds it has.
 * @param {Document} document
 * @param {Engine} engine
 * @param {readonly FontName[]} [names] all of them unless given
 */
export function use_fonts(document, engine, names = kFaces.map(({ name }) => name)) {
  const has = served.get(document) ?? new Set();
  served.set(document, has);
  for (const { name, family, weight } of kFaces) {
    if (!names.includes(name) || has.has(name)) continue;
    has.add(name);
    document.fonts.add(new FontFace(family, engine.font(name), { weight }));
  }
}

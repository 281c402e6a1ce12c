// The page's text in the picture's typeface, whose bytes are in the engine: nothing more is fetched.
/** @import { Engine } from "./types" */

const kFaces = /** @type {const} */ ([
  ["sans-regular", "Attention Sans", "400"],
  ["sans-semibold", "Attention Sans", "600"],
  ["mono-regular", "Attention Mono", "400"],
]);

/** @type {WeakSet<Document>} */
const served = new WeakSet();

/**
 * Adds the faces to the document, once, however many playgrounds it has.
 * @param {Document} document
 * @param {Engine} engine
 */
export function use_fonts(document, engine) {
  if (served.has(document)) return;
  served.add(document);
  for (const [name, family, weight] of kFaces) {
    document.fonts.add(new FontFace(family, engine.font(name), { weight }));
  }
}

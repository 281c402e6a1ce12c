// Draws a link as a QR code in SVG. qr_library.js is the npm package uqr (tools/page.mjs puts it beside this file).
import { encode } from "./qr_library.js";

const kQuietZone = 4; // modules of white around, as ISO/IEC 18004 asks
// The largest code holds 2,953 bytes, but phones cannot read codes much larger than version 25 (117 modules) from a slide.
const kMaxVersion = 25;

/**
 * The modules of the code with their quiet zone, row by row, true for dark; null if the text is too long for a readable code.
 * @param {string} text
 * @returns {boolean[][] | null}
 */
export function qr_modules(text) {
  try {
    return encode(text, { ecc: "L", border: kQuietZone, maxVersion: kMaxVersion }).data;
  } catch {
    return null; // more than the largest version holds
  }
}

/**
 * The code as an SVG file: black on white, whatever the theme.
 * @param {boolean[][]} modules
 * @param {string} title
 */
export function qr_svg(modules, title) {
  const size = modules.length;
  const runs = modules.flatMap((row, y) => dark_runs(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`));
  const words = title.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<title>${words}</title><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${runs.join("")}"/></svg>\n`
  );
}

/** [start, length] of each run of dark modules. @param {boolean[]} row @returns {[number, number][]} */
function dark_runs(row) {
  /** @type {[number, number][]} */
  const runs = [];
  row.forEach((is_dark, x) => {
    if (!is_dark) return;
    if (row[x - 1]) ++runs[runs.length - 1][1];
    else runs.push([x, 1]);
  });
  return runs;
}

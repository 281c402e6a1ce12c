// Draws the page's icon in the sizes that desktops look for: OUT_FOLDER/64x64/apps/attention-playground.png and so on, as in
// the folder hicolor of the icon theme specification. The desktop packages take them from there.
//   node tools/icons.mjs web/icon.svg OUT_FOLDER WIDTH...
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { icon_png } from "./lib/icons.mjs";

async function main([svg_file, out, ...widths]) {
  if (widths.length === 0) throw new Error("usage: icons.mjs ICON.svg OUT_FOLDER WIDTH...");
  const svg = readFileSync(svg_file, "utf8");
  for (const width of widths) {
    const folder = join(out, `${width}x${width}`, "apps");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "attention-playground.png"), await icon_png(svg, Number(width)));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));

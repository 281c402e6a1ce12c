// Icons as pixels, from the one icon of the page (web/icon.svg).
import { Resvg, initWasm } from "@resvg/resvg-wasm";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const kMaskableScale = 0.78; // phones cut a maskable icon to a circle of 80 % of its width; the corners of ours reach 98 %

let is_ready;

async function start() {
  is_ready ??= initWasm(readFileSync(createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm")));
  await is_ready;
}

/** The icon as the bytes of a PNG file, `width` pixels wide. */
export async function icon_png(svg, width) {
  await start();
  return render(svg, width);
}

/** A figure with texts as { width, height, pixels }, four bytes a pixel; `faces` are the bytes of the fonts that draw them. */
export async function svg_pixels(svg, width, faces) {
  await start();
  const font = {
    fontBuffers: faces,
    loadSystemFonts: false,
    defaultFontFamily: "IBM Plex Sans",
  };
  return new Resvg(svg, { fitTo: { mode: "width", value: width }, font }).render();
}

/** Returns [{ name, bytes }] for the manifest: 192 and 512 pixels wide, and one that may be cut to any shape. */
export async function make_icons(svg) {
  await start();
  return [
    { name: "icon-192.png", bytes: render(svg, 192) },
    { name: "icon-512.png", bytes: render(svg, 512) },
    { name: "icon-maskable-512.png", bytes: render(maskable(svg), 512) },
  ];
}

function render(svg, width) {
  return Buffer.from(new Resvg(svg, { fitTo: { mode: "width", value: width } }).render().asPng());
}

/** The icon made smaller on a ground that fills the square. */
function maskable(svg) {
  const [, open, width, height, inside] =
    svg.match(/^\s*(<svg [^>]*viewBox="0 0 (\d+) (\d+)"[^>]*>)([\s\S]*)<\/svg>\s*$/) ?? [];
  if (!open || width !== height) throw new Error("icon.svg is no square <svg> with a viewBox from 0 0");
  const ground = inside.match(/<rect [^>]*fill="(#[0-9a-f]+)"/)[1];
  const margin = (Number(width) * (1 - kMaskableScale)) / 2;
  return `${open}<rect width="${width}" height="${height}" fill="${ground}"/>
    <g transform="translate(${margin} ${margin}) scale(${kMaskableScale})">${inside}</g></svg>`;
}

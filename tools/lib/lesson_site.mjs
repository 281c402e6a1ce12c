// The lessons as pages of a site, which attn writes, and the pictures of them that link previews show: the figure of the first step.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { svg_pixels } from "./icons.mjs";
import { palette_png } from "./palette_png.mjs";

export const kMostPreviewBytes = 60_000; // readers on phones load them without asking
const kWidth = 1200; // what chats and course systems show of a preview, in this shape
const kHeight = 630;
const kFaces = [
  "plex-sans/fonts/complete/woff2/IBMPlexSans-Regular.woff2",
  "plex-sans/fonts/complete/woff2/IBMPlexSans-SemiBold.woff2",
  "plex-mono/fonts/complete/woff2/IBMPlexMono-Regular.woff2",
];
const kWidths = [1200, 1000, 800, 600]; // in pixels, the largest that is small enough as a file

/**
 * Writes lesson/NAME.html of every lesson into the folder of a site. `attn` is the command with its first arguments. With `base`, the https address
 * of the site, the pages say where they are, and have pictures.
 * @param {{ attn: string[], out: string, base?: string }} site
 */
export async function add_lessons({ attn, out, base }) {
  const run = (...args) => {
    const [program, ...first] = attn;
    const { status, stdout, stderr, error } = spawnSync(program, [...first, ...args], {
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
    if (status !== 0) throw new Error(`attn ${args.join(" ")} failed: ${error?.message ?? stderr.trim()}`);
    return stdout;
  };
  const options = base ? ["--base", base] : [];
  run("lessons", "--site", out, ...options); // refuses a bad address before the pictures are drawn
  if (!base) return;
  mkdirSync(join(out, "lesson"), { recursive: true });
  for (const [name] of run("lessons").matchAll(/^\S+/gm)) {
    const picture = await preview_png(run("export", "svg", `lesson=${name}&step=1`));
    writeFileSync(join(out, "lesson", `${name}.png`), picture);
  }
  run("lessons", "--site", out, ...options); // now the pages name them
}

/** A figure as the bytes of a PNG file in the shape of link previews. */
export async function preview_png(svg) {
  const sheet = on_sheet(svg);
  const faces = await Promise.all(kFaces.map((name) => face_for(svg, name)));
  for (const width of kWidths) {
    const bytes = palette_png(await svg_pixels(sheet, width, faces));
    if (bytes.length <= kMostPreviewBytes) return bytes;
  }
  throw new Error(`a preview of ${kWidths.at(-1)} pixels has more than ${kMostPreviewBytes} bytes: draw less in it`);
}

/** The characters of the figure as a font that it can be drawn with: TrueType, in one file. */
function face_for(svg, name) {
  const require = createRequire(import.meta.url);
  return require("subset-font")(readFileSync(require.resolve(`@ibm/${name}`)), svg, { targetFormat: "truetype" });
}

/** The figure in the middle of a sheet, as large as fits; of one that is too high the upper part. */
function on_sheet(svg) {
  const [, width, height] = svg.match(/ viewBox="0 0 ([\d.]+) ([\d.]+)"/)?.map(Number) ?? [];
  const ground = svg.match(/<rect [^>]*fill="(#[0-9a-f]{6})"/)?.[1];
  if (!height || !ground) throw new Error("the figure has no size or no ground");
  const scale = Math.min(kWidth / width, 2, Math.max(1, kHeight / height));
  const left = (kWidth - width * scale) / 2;
  const top = Math.max(0, (kHeight - height * scale) / 2);
  const inside = svg.replace(/^<\?xml[^>]*>\s*/, "").replace(/<svg ([^>]*?) width="[^"]*" height="[^"]*"/, `<svg $1 x="${left}" y="${top}" width="${width * scale}" height="${height * scale}"`); // prettier-ignore
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${kWidth} ${kHeight}"><rect width="${kWidth}" height="${kHeight}" fill="${ground}"/>${inside}</svg>`;
}

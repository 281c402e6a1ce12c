// Makes the releases of an assembled page: OUT/site, for any static host, and OUT/attention-playground.html, the page
// as one file. Ends with the sizes. tools/dist calls it after the build.
//   node tools/dist.mjs PAGE_FOLDER OUT_FOLDER [ATTN [BASE]] [--without-fetch]     ATTN writes a page for each lesson, with the site's address BASE
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { single_file } from "./lib/single_file.mjs";
import { packed_size } from "./lib/finish.mjs";
import { make_site, sizes_of } from "./lib/site.mjs";
import { wasm_parts } from "./lib/wasm_parts.mjs";

const hosting = fileURLToPath(new URL("../hosting", import.meta.url));

const kWithoutFetch = "--without-fetch";

/** A first visit fetches at most this much before its first picture, in bytes packed by brotli. */
export const kFirstVisitBudget = 350_000;

/**
 * Makes both; other files in `out` stay. `has_fetch`: the site has the page that fetches models from other hosts. `lessons`: see
 * add_lessons. Resolves to the lines that say how large they are, and to the names and packed bytes of what a first visit fetches.
 */
export async function make_dist({ page, out, lessons, has_fetch = true }) {
  mkdirSync(out, { recursive: true });
  const site = join(out, "site");
  const first = await make_site({ page, hosting, out: site, lessons, has_fetch });
  const html = single_file(page);
  writeFileSync(join(out, "attention-playground.html"), html);
  const sizes = sizes_of(site);
  const first_visit = sizes.filter(({ name }) => first.includes(name));
  writeFileSync(join(out, "first-visit.json"), JSON.stringify(first_visit, null, 2) + "\n");
  return size_lines({ site, html, sizes, first_visit });
}

const row = (name, ...sizes) => `${name.padEnd(46)}${sizes.map((size) => String(size).padStart(10)).join("")}`;
const sum = (rows) => ["size", "gz", "br"].map((kind) => rows.reduce((total, one) => total + one[kind], 0));

function size_lines({ site, html, sizes, first_visit }) {
  return [
    row("bytes", "plain", "gzip", "brotli"),
    ...sizes.map(({ name, size, gz, br }) => row(name, size, gz, br)),
    row("site/", ...sum(sizes)),
    row("attention-playground.html", Buffer.byteLength(html)),
    "",
    row("a first visit until its first picture", "plain", "gzip", "brotli"),
    ...first_visit.flatMap(({ name, size, gz, br }) => [row(name, size, gz, br), ...part_lines(join(site, name))]),
    row("first visit", ...sum(first_visit)),
    row("at most", "", "", kFirstVisitBudget),
  ];
}

/** The parts of the engine, each packed by itself, so they do not add up exactly. */
function part_lines(file) {
  if (!file.endsWith(".wasm")) return [];
  const parts = Object.entries(wasm_parts(readFileSync(file)));
  return parts.map(([name, bytes]) => row(`  of it ${name}`, bytes.length, "", packed_size(bytes)));
}

async function main(args) {
  const has_fetch = !args.includes(kWithoutFetch);
  const [page, out, attn, base, ...more] = args.filter((one) => one !== kWithoutFetch);
  if (!out || more.length > 0)
    throw new Error(`usage: dist.mjs PAGE_FOLDER OUT_FOLDER [ATTN [BASE]] [${kWithoutFetch}]`);
  // A program of this machine, or one for node.
  const command = attn && [...(attn.endsWith(".js") ? [process.execPath] : []), resolve(attn)];
  const lessons = command && { attn: command, base };
  for (const line of await make_dist({ page: resolve(page), out: resolve(out), lessons, has_fetch })) console.log(line);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));

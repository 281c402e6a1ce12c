// Makes what can be handed on from an assembled page: OUT/site, for any static host, and OUT/attention-playground.html, the page
// as one file. Ends with the sizes. tools/dist calls it after the build.
//   node tools/dist.mjs PAGE_FOLDER OUT_FOLDER
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { single_file } from "./lib/single_file.mjs";
import { first_load, make_site, sizes_of } from "./lib/site.mjs";

const hosting = fileURLToPath(new URL("../hosting", import.meta.url));

/** Makes both; other files in `out` stay. Resolves to the lines that say how large they are. */
export async function make_dist({ page, out }) {
  mkdirSync(out, { recursive: true });
  const site = join(out, "site");
  await make_site({ page, hosting, out: site });
  const html = single_file(page);
  writeFileSync(join(out, "attention-playground.html"), html);
  return await size_lines(site, html);
}

async function size_lines(site, html) {
  const row = (name, ...sizes) => `${name.padEnd(34)}${sizes.map((size) => String(size).padStart(10)).join("")}`;
  const sizes = sizes_of(site);
  const sum = (rows) => ["size", "gz", "br"].map((kind) => rows.reduce((total, one) => total + one[kind], 0));
  const first = await first_load(site);
  return [
    row("bytes", "plain", "gzip", "brotli"),
    ...sizes.map(({ name, size, gz, br }) => row(name, size, gz, br)),
    row("site/", ...sum(sizes)),
    row("first visit", ...sum(sizes.filter(({ name }) => first.includes(name)))),
    row("attention-playground.html", Buffer.byteLength(html)),
  ];
}

async function main([page, out]) {
  if (!out) throw new Error("usage: dist.mjs PAGE_FOLDER OUT_FOLDER");
  for (const line of await make_dist({ page, out })) console.log(line);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2).map((path) => resolve(path)));

// The static site: an assembled page with what a host needs around it. Every address in it is relative, so it works below any
// folder of any host.
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finish_site, site_files } from "./finish.mjs";
import { pack } from "./hashed.mjs";
import { make_icons } from "./icons.mjs";
import { add_lessons } from "./lesson_site.mjs";
import { hash_source, with_policy } from "./policy.mjs";

const kScripts = ["main.js", "author.js"]; // of the pages
const kRobots = "User-agent: *\nAllow: /\n";

/**
 * Makes the folder `out` from the folder of an assembled page. `hosting` is the project's folder of that name. With `lessons`
 * (see add_lessons) each lesson has a page of its own. `has_fetch`: with the page that fetches models from other hosts, and the
 * way to it. Resolves to what a browser fetches for a first visit of index.html until the first picture, as file names.
 */
export async function make_site({ page, hosting, out, lessons, has_fetch = true }) {
  rmSync(out, { recursive: true, force: true });
  cpSync(page, out, { recursive: true });
  const write = (name, content) => writeFileSync(join(out, name), content);
  const read = (name) => readFileSync(join(out, name), "utf8");
  for (const name of kScripts) write(name, `import "./offline.js";\n${read(name)}`);
  write("404.html", with_style_hash(readFileSync(join(hosting, "404.html"), "utf8")));
  write("robots.txt", kRobots);
  write(".nojekyll", ""); // GitHub Pages serves the files as they are
  const first_load = await pack(out);
  if (!has_fetch) leave_out_fetch(out);
  for (const { name, bytes } of await make_icons(read("icon.svg"))) write(name, bytes);
  if (lessons) await add_lessons({ ...lessons, out });
  await finish_site(out);
  return first_load;
}

/** The site without fetch.html, and without the line of index.html that makes the playground offer it. */
function leave_out_fetch(out) {
  for (const name of readdirSync(out)) if (/^fetch(-[0-9A-Z]{8})?\.(html|js|css)$/.test(name)) rmSync(join(out, name));
  const index = join(out, "index.html");
  const html = readFileSync(index, "utf8");
  const without = html.replace(/^ *<meta name="attention-fetch"[^>]*>\n/m, "");
  if (without === html) throw new Error("index.html should have a line that names fetch.html");
  writeFileSync(index, without);
}

function with_style_hash(html) {
  const [, style] = html.match(/<style>([\s\S]*?)<\/style>/);
  return with_policy(html, { "style-src": [hash_source(style)] });
}

/** [{ name, size, br, gz }] in bytes; a file without a packed twin counts with its own size. */
export function sizes_of(out) {
  const names = site_files(out);
  const size = (name) => readFileSync(join(out, name)).length;
  const packed = (name, ending) => (names.includes(`${name}.${ending}`) ? size(`${name}.${ending}`) : size(name));
  return names
    .filter((name) => !/\.(br|gz)$/.test(name))
    .map((name) => ({ name, size: size(name), br: packed(name, "br"), gz: packed(name, "gz") }));
}

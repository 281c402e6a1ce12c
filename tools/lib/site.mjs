// The static site: an assembled page with what a host needs around it. Every address in it is relative, so it works below any
// folder of any host.
import { createHash } from "node:crypto";
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip } from "node:zlib";
import { pack } from "./hashed.mjs";
import { make_icons } from "./icons.mjs";
import { hash_source, with_policy } from "./policy.mjs";

const kScripts = ["main.js", "author.js"]; // of the pages
const kCompressible = /\.(html|js|mjs|css|svg|wasm|json|webmanifest|txt|ts|mts)$/;
// What a page that was visited does not need later: the one-script program is for frames, which have no service worker.
const kNotOffline =
  /^(sandbox\.js|sw\.js|404\.html|robots\.txt|picture\.png|\.nojekyll|fonts\/.*|.*\.d\.m?ts|.*\.(br|gz))$/;
const kRobots = "User-agent: *\nAllow: /\n";

/**
 * Makes the folder `out` from the folder of an assembled page. `hosting` is the project's folder of that name. Resolves to what a
 * browser fetches for a first visit of index.html until the first picture, as file names.
 */
export async function make_site({ page, hosting, out }) {
  rmSync(out, { recursive: true, force: true });
  cpSync(page, out, { recursive: true });
  const write = (name, content) => writeFileSync(join(out, name), content);
  const read = (name) => readFileSync(join(out, name), "utf8");
  for (const name of kScripts) write(name, `import "./offline.js";\n${read(name)}`);
  write("404.html", with_style_hash(readFileSync(join(hosting, "404.html"), "utf8")));
  write("robots.txt", kRobots);
  write(".nojekyll", ""); // GitHub Pages serves the files as they are
  const first_load = await pack(out);
  for (const { name, bytes } of await make_icons(read("icon.svg"))) write(name, bytes);
  const files = site_files(out).filter((name) => !kNotOffline.test(name));
  write("sw.js", `self.site = ${JSON.stringify({ version: version_of(out, files), files })};\n${read("sw.js")}`);
  await compress(out);
  return first_load;
}

/** The names of a site's files, sorted, with "/" between folders. */
export function site_files(out) {
  return readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      relative(out, join(entry.parentPath ?? entry.path, entry.name))
        .split(sep)
        .join("/"),
    )
    .sort();
}

/** Names a set of files with their contents: another byte, another name. */
function version_of(out, files) {
  const hash = createHash("sha256");
  for (const name of files)
    hash.update(`${name}\0`).update(
      createHash("sha256")
        .update(readFileSync(join(out, name)))
        .digest(),
    );
  return hash.digest("hex").slice(0, 16);
}

function with_style_hash(html) {
  const [, style] = html.match(/<style>([\s\S]*?)<\/style>/);
  return with_policy(html, { "style-src": [hash_source(style)] });
}

const brotli_options = (bytes) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  },
});

/** How many bytes brotli makes of them. */
export function packed_size(bytes) {
  return brotliCompressSync(bytes, brotli_options(bytes)).length;
}

/** Puts name.br and name.gz beside each file that gets smaller by them. */
async function compress(out) {
  const brotli = promisify(brotliCompress);
  for (const name of site_files(out).filter((name) => kCompressible.test(name))) {
    const file = join(out, name);
    const bytes = readFileSync(file);
    const packed = {
      br: await brotli(bytes, brotli_options(bytes)),
      gz: await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
    };
    for (const [ending, result] of Object.entries(packed)) {
      if (result.length < bytes.length) writeFileSync(`${file}.${ending}`, result);
    }
  }
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

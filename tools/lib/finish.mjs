// What depends on every byte of a site: the list of its service worker and the packed twins. Made last, and again by tools/relist.mjs
// after somebody has changed a file.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip } from "node:zlib";

// A model's halves get an eighth smaller, too.
const kCompressible = /\.(html|js|mjs|css|svg|wasm|safetensors|json|webmanifest|txt|ts|mts)$/;
const kTwin = /\.(br|gz)$/;
// What a visited page does not need later: the one-script program is for frames, which have no service worker, and for packages.
const kNotOffline =
  /^(sandbox\.js|workbook_module\.js|course\.(html|css|js)|models\/[^/]+\/model\.js|sw\.js|404\.html|lesson\/.*|robots\.txt|picture\.png|\.nojekyll|fonts\/.*|.*\.d\.m?ts|.*\.(br|gz))$/;
// What is fetched once somebody asks for it: a model that the opening scene does not need, the module that writes spreadsheets.
const kLater = /^(models\/(?!first-words\/)[^/]+\/|attention_workbook\.wasm$)/;
const kList = /^self\.site = (.*);\n/;

/** Lists the files that sw.js keeps and packs what gets smaller by it, in the folder of a site. */
export async function finish_site(out) {
  write_list(out);
  const twins = site_files(out).filter((name) => kTwin.test(name));
  for (const name of twins) if (kCompressible.test(name.replace(kTwin, ""))) rmSync(join(out, name));
  await compress(out);
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

/**
 * Puts { version, files: { name: SHA-256 }, later: [name] } in front of sw.js. Another byte in any of the files makes another version. A
 * list that is there keeps its names: what a host has added may be for its server, which hands it out to nobody.
 */
export function write_list(out) {
  const hash = (text) => createHash("sha256").update(text);
  const before = readFileSync(join(out, "sw.js"), "utf8").match(kList);
  const listed = before ? new Set(Object.keys(JSON.parse(before[1]).files)) : null;
  const kept = site_files(out).filter((name) => listed?.has(name) ?? !kNotOffline.test(name));
  const files = Object.fromEntries(kept.map((name) => [name, hash(readFileSync(join(out, name))).digest("base64")]));
  const later = kept.filter((name) => kLater.test(name));
  const version = hash(JSON.stringify(files)).digest("hex").slice(0, 16);
  const worker = readFileSync(join(out, "sw.js"), "utf8").replace(kList, "");
  writeFileSync(join(out, "sw.js"), `self.site = ${JSON.stringify({ version, files, later })};\n${worker}`);
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

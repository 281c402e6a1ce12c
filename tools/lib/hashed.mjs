// Gives the files of a site that change together names with a hash of their content, which lets browsers keep them for ever, and
// bundles the modules of each page into one script. Files that others link to keep their names: the pages, the embed
// element, sandbox.js, sw.js, main.js, everything that is not part of a page's program.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { hash_source, policy_of, with_policy } from "./policy.mjs";
import { inside_script } from "./single_file.mjs";

const kEngine = ["first", "second", "rest"].map((part) => `attention_playground_${part}.wasm`);
const kEntries = [
  "main.js",
  "author.js",
  "collect.js",
  "fetch.js",
  "styles.css",
  "author.css",
  "collect.css",
  "fetch.css",
];
// Modules that are loaded after the first picture, and what main.js loads in a frame alone.
const kLater = ["plain.js", "incoming.js", "figure.js", "framed.js", "sheet.js", "workbook.js"];
const kPages = ["index.html", "author.html", "collect.html", "fetch.html"];
// Modules that nothing imports once the others are bundled.
const kBundledAlone = ["load_engine_embedded.js", "workbook_embedded.js"];

/**
 * Packs the site in the folder `out`. Resolves to what index.html fetches at the first visit until its first picture, as file names.
 * @param {string} out
 * @returns {Promise<string[]>}
 */
export async function pack(out) {
  const names = new Map(kEngine.map((name) => [name, rename_hashed(out, name)]));
  const inputs = new Set();
  for (const entries of [kLater, kEntries]) {
    const { metafile } = await bundle(out, entries, names);
    for (const name of Object.keys(metafile.inputs)) inputs.add(name);
    for (const [name, { entryPoint }] of Object.entries(metafile.outputs)) if (entryPoint) names.set(entryPoint, name);
  }
  for (const name of inputs) rmSync(join(out, name));
  for (const name of kBundledAlone) rmSync(join(out, name), { force: true });
  // Whoever asks for the running playground, as the tests do, needs to know no hash.
  writeFileSync(join(out, "main.js"), `export * from "./${names.get("main.js")}";\n`);

  const boot = readFileSync(join(out, "boot.js"), "utf8");
  rmSync(join(out, "boot.js"));
  edit(join(out, "index.html"), (html) => with_boot(html, boot, names));
  for (const page of kPages) edit(join(out, page), (html) => with_names(html, names));
  return ["index.html", "icon.svg", ...["styles.css", "main.js", kEngine[0]].map((name) => names.get(name))];
}

/** "boot.js" → "boot-1A2B3C4D.js": eight characters of the same kind as esbuild's. */
function rename_hashed(out, name) {
  const hash = createHash("sha256")
    .update(readFileSync(join(out, name)))
    .digest("hex")
    .slice(0, 8)
    .toUpperCase();
  const hashed = `${basename(name, extname(name))}-${hash}${extname(name)}`;
  renameSync(join(out, name), join(out, hashed));
  return hashed;
}

/** Scripts and styles, each with all it needs, because each further request takes time. */
function bundle(out, entries, names) {
  return build({
    absWorkingDir: resolve(out), // where the site is made has no say in the hashes
    entryPoints: entries,
    outdir: ".",
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    entryNames: "[name]-[hash]",
    external: ["module", "node:*"], // the engine's branches for node are never taken in a browser
    metafile: true,
    plugins: [
      { name: "hashed engine", setup: (build) => use_hashed_engine(build, names) },
      { name: "later", setup: (build) => leave_for_later(build, names) },
    ],
    logLevel: "warning",
  });
}

/** load_engine.js names the engine's files. */
function use_hashed_engine(build, names) {
  build.onLoad({ filter: /\/load_engine\.js$/ }, ({ path }) => ({
    contents: replace_names(readFileSync(path, "utf8"), names, kEngine),
  }));
}

/** What is loaded later is a file of its own. */
function leave_for_later(build, names) {
  for (const name of kLater) {
    build.onResolve({ filter: new RegExp(`/${name.replace(".", "\\.")}$`) }, ({ kind }) =>
      kind === "dynamic-import" ? { path: `./${names.get(name)}`, external: true } : null,
    );
  }
}

/** Replaces the names, in quotes, each of which must be there. */
function replace_names(text, names, wanted) {
  for (const name of wanted) {
    if (!text.includes(`"${name}"`)) throw new Error(`there should be "${name}" in ${text.slice(0, 80)}…`);
    text = text.replaceAll(`"${name}"`, `"${names.get(name)}"`);
  }
  return text;
}

/**
 * The page with boot.js inside it, before anything that makes a browser wait: the engine is fetched as soon as the page has come.
 * Its text, which the policy names by a hash, is always the same; what changes stands in attributes.
 */
function with_boot(html, boot, names) {
  const attributes = `data-main="${names.get("main.js")}" data-engine="${names.get(kEngine[0])}" data-framed="${names.get("framed.js")}"`;
  const without = html.replace('    <script src="boot.js" defer></script>\n', "");
  const begin = /^ *<link /m;
  if (without === html || !begin.test(without)) throw new Error("index.html should have boot.js and links");
  const script = inside_script(boot);
  const policy = policy_of(html).match(/script-src ([^;]*)/)[1];
  return with_policy(
    without.replace(begin, (link) => `    <script ${attributes}>${script}</script>\n${link}`),
    { "script-src": [...policy.trim().split(/\s+/), hash_source(script)] },
  );
}

/** A page whose scripts and styles have their new names. */
function with_names(html, names) {
  return html.replace(/((?:src|href)=")([^"]+)(")/g, (all, before, name, after) =>
    names.has(name) ? before + names.get(name) + after : all,
  );
}

function edit(file, change) {
  writeFileSync(file, change(readFileSync(file, "utf8")));
}

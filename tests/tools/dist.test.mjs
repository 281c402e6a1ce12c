// What tools/dist makes of a page: a site for any folder of any host, and one file that asks for nothing. On a page of a few
// lines; tests/browser opens the real ones.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import vm from "node:vm";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import pngjs from "pngjs";
import { make_dist } from "../../tools/dist.mjs";
import { make_icons } from "../../tools/lib/icons.mjs";
import { kMostPreviewBytes } from "../../tools/lib/lesson_site.mjs";
import { palette_png } from "../../tools/lib/palette_png.mjs";
import { policy_of, with_policy } from "../../tools/lib/policy.mjs";
import { inside_script } from "../../tools/lib/single_file.mjs";
import {
  function_numbers,
  imported_functions,
  table_of,
  wasm_parts,
  with_function_names,
  with_table,
  with_table_of,
  without_notes,
} from "../../tools/lib/wasm_parts.mjs";
import { ProjectCopy } from "./project_copy.mjs";

const project = new URL("../../", import.meta.url).pathname;
const web = (name) => readFileSync(join(project, "web", name), "utf8");
// Code and data, as far as the table of sizes looks: 3,000 bytes of code, 2 zeros at address 16, and again.
const kWasm = Buffer.from([
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[10, 0xb8, 0x17, ...Array(3000).fill(7)],
  ...[11, 8, 1, 0, 65, 16, 11, 2, 0, 0],
]);
const kFiles = {
  "index.html": web("index.html"),
  "author.html": web("author.html"),
  "collect.html": web("collect.html"),
  "styles.css": web("styles.css"),
  "author.css": web("author.css"),
  "collect.css": web("collect.css"),
  "collect.js": "export const collected = [];\n",
  "course.html": web("course/course.html"),
  "course.css": web("course/course.css"),
  "course.js": "(()=>{})();\n",
  "fetch.html": web("fetch.html"),
  "fetch.css": web("fetch.css"),
  "fetch.js": "export const fetched = [];\n",
  "icon.svg": web("icon.svg"),
  "boot.js": web("boot.js"),
  "offline.js": web("offline.js"),
  "sw.js": web("sw.js"),
  "manifest.webmanifest": web("manifest.webmanifest"),
  "main.js":
    'export { words } from "./part.js";\nexport { load } from "./load_engine.js";\n' +
    'export const show_text = () => import("./plain.js");\n',
  "incoming.js": "export const models = [];\n",
  "figure.js": "export const figures = [];\n",
  "framed.js": "export const frame = [];\n",
  "sheet.js": "export const sheets = [];\n",
  "workbook.js": "export const workbooks = [];\n",
  "workbook_embedded.js": "export const none = [];\n",
  "workbook_module.js": "globalThis.workbooks = 1;\n",
  "plain.js": 'import { words } from "./part.js";\nexport const text = () => words;\n',
  "author.js": 'import { words } from "./part.js";\nimport { load } from "./load_engine.js";\nload(words);\n',
  "part.js": `export const words = ["${"attention ".repeat(500)}"];\n`,
  "load_engine.js":
    'const kFirst = new URL("attention_playground_first.wasm", import.meta.url).href;\n' +
    'const kSecond = new URL("attention_playground_second.wasm", import.meta.url).href;\n' +
    'const kRest = new URL("attention_playground_rest.wasm", import.meta.url).href;\n' +
    "export const load = (words) => [kFirst, kSecond, kRest, words];\n",
  "load_engine_embedded.js": "export const load = () => {};\n",
  "types.d.ts": "export {};\n",
  "sandbox.js": "(()=>{var a='<!-- </script> <\\/script>'})();\n",
  "attention_playground_first.wasm": kWasm,
  "attention_playground_second.wasm": Buffer.concat([kWasm, kWasm.subarray(8)]),
  "attention_playground_rest.wasm": Buffer.concat([kWasm, kWasm.subarray(8), kWasm.subarray(8)]),
  "tiny.txt": "x",
  "fonts/LICENSE.txt": "licence",
};

let folder;
let out;
let lines;

function write_page(name, changes = {}) {
  const page = join(folder, name);
  for (const [file, content] of Object.entries({ ...kFiles, ...changes })) {
    mkdirSync(dirname(join(page, file)), { recursive: true });
    writeFileSync(join(page, file), content);
  }
  return page;
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "attn-dist-"));
  out = join(folder, "dist");
  mkdirSync(join(out, "site"), { recursive: true });
  writeFileSync(join(out, "site/stale.js"), "");
  writeFileSync(join(out, "attention-playground.deb"), "somebody else's");
  lines = await make_dist({ page: write_page("page"), out });
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** The name that a file got from its content: the only one beginning so, or its own. */
const hashed = (name, site = join(out, "site")) => {
  const [, stem, ending] = name.match(/^(.*)(\.[a-z]+)$/);
  const named = new RegExp(`^${stem}-[0-9A-Z]{8}\\${ending}$`);
  const found = readdirSync(site).filter((file) => named.test(file));
  assert.equal(found.length, 1, `${name}: ${found}`);
  return found[0];
};
const bytes = (name) => readFileSync(join(out, "site", name));
const text = (name) => bytes(name).toString("utf8");
/** What the service worker is told about a site. */
function told(site) {
  const world = vm.createContext({
    self: { registration: { scope: "https://a.example/b/" }, addEventListener() {} },
    URL,
    Set,
  });
  vm.runInContext(readFileSync(join(site, "sw.js"), "utf8"), world);
  return world.self.site;
}

test("the site has the page and what a host needs, and nothing that is old", () => {
  for (const name of [
    "index.html",
    "author.html",
    "collect.html",
    "fetch.html",
    "404.html",
    "robots.txt",
    ".nojekyll",
    "sw.js",
    "icon-192.png",
    "fonts/LICENSE.txt",
  ])
    assert.ok(existsSync(join(out, "site", name)), name);
  assert.ok(!existsSync(join(out, "site/stale.js")));
  assert.ok(existsSync(join(out, "attention-playground.deb")), "other files in dist/ stay");
});

test("the picture that link previews show lies beside the page", () => {
  const [, picture] = web("index.html").match(/<meta property="og:image" content="([^"]+)" \/>/);
  assert.deepEqual([...readFileSync(join(project, "web", picture)).subarray(1, 4)], [...Buffer.from("PNG")]);
});

// In the place of attn: two lessons, pages of a line, and figures, one of them with too many colours for its size.
const kAttn = `
import { mkdirSync, existsSync, writeFileSync } from "node:fs";
const [command, option, site, , base] = process.argv.slice(2);
if (command === "lessons" && !option) console.log("causal  Causal attention\\nnoise   Noise");
if (command === "export") {
  const cells = site.includes("noise") ? 4000 : 4;
  const colour = (n) => "#" + ((n * 2654435761) % 0xffffff).toString(16).padStart(6, "0");
  const rects = Array.from({ length: cells }, (_, n) => \`<rect x="\${(n % 80) * 10}" y="\${Math.floor(n / 80) * 10}" width="9" height="9" fill="\${colour(n)}"/>\`);
  console.log(\`<?xml version="1.0" encoding="UTF-8"?>\\n<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="800" height="500" viewBox="0 0 800 500" font-family="'IBM Plex Sans'"><rect width="800" height="500" fill="#faf9f6"/>\${rects.join("")}<text x="9" y="400" fill="#000000">weights</text></svg>\`);
}
if (option === "--site") {
  if (base && !base.startsWith("https://")) throw new Error("--base wants the https address");
  mkdirSync(site + "/lesson", { recursive: true });
  for (const name of ["causal", "noise"])
    writeFileSync(\`\${site}/lesson/\${name}.html\`, \`<p>\${base ?? "nowhere"} \${existsSync(\`\${site}/lesson/\${name}.png\`)}</p>\`.repeat(20));
}
`;

test("each lesson has a page, with the site's address a picture, and nothing of it is kept for offline use", async () => {
  const program = join(folder, "attn.mjs");
  writeFileSync(program, kAttn);
  const attn = [process.execPath, program];
  const made = async (name, base) => {
    await make_dist({ page: write_page(`${name}-page`), out: join(folder, name), lessons: { attn, base } });
    return join(folder, name, "site");
  };
  const plain = await made("plain");
  assert.match(readFileSync(join(plain, "lesson/causal.html"), "utf8"), /^<p>nowhere false<\/p>/);
  assert.deepEqual(readdirSync(join(plain, "lesson")).filter((name) => name.endsWith(".png")), []); // prettier-ignore
  const known = await made("known", "https://example.org/");
  for (const name of ["causal", "noise"]) {
    assert.match(readFileSync(join(known, `lesson/${name}.html`), "utf8"), /^<p>https:\/\/example\.org\/ true<\/p>/);
    assert.ok(existsSync(join(known, `lesson/${name}.html.br`)));
    const png = readFileSync(join(known, `lesson/${name}.png`));
    assert.ok(png.length <= kMostPreviewBytes, `${name}: ${png.length} bytes`);
    const { width, height, data } = pngjs.PNG.sync.read(png);
    assert.ok(Math.abs(width / height - 1200 / 630) < 0.01, `${width} × ${height}`);
    assert.deepEqual([...data.subarray(0, 4)], [0xfa, 0xf9, 0xf6, 255], "the figure's ground goes to the edge");
  }
  for (const site of [plain, known]) {
    const { files, later } = told(site);
    assert.deepEqual(
      [...Object.keys(files), ...later].filter((name) => name.startsWith("lesson")),
      [],
    );
  }
  await assert.rejects(
    made("bad", "http://example.org/"),
    /attn lessons --site .* failed: .*--base wants the https address/s,
  );
});

test("a picture of few colours is read back as it was, and one of many with colours near to its own", () => {
  const width = 40;
  const height = 20;
  const exact = Buffer.alloc(4 * width * height, 255);
  for (let pixel = 0; pixel < width * height; pixel++) exact.set([pixel % 200, 7, 250], 4 * pixel);
  const read = pngjs.PNG.sync.read(palette_png({ width, height, pixels: exact }));
  assert.deepEqual([read.width, read.height], [width, height]);
  assert.deepEqual(read.data, exact);
  for (let pixel = 0; pixel < width * height; pixel++) exact.set([pixel % 256, Math.floor(pixel / 256), 0], 4 * pixel);
  const near = pngjs.PNG.sync.read(palette_png({ width, height, pixels: exact })).data;
  exact.forEach((value, i) => assert.ok(Math.abs(value - near[i]) <= 7, `${i}: ${near[i]}, not ${value}`));
});

test("packed twins give back the same bytes, and are there only where they are smaller", () => {
  const packed = ["main.js", "attention_playground_first.wasm"].map((name) => hashed(name));
  for (const name of [...packed, "index.html", "sw.js", "manifest.webmanifest"]) {
    assert.deepEqual(brotliDecompressSync(bytes(`${name}.br`)), bytes(name), name);
    assert.deepEqual(gunzipSync(bytes(`${name}.gz`)), bytes(name), name);
    assert.ok(bytes(`${name}.br`).length < bytes(name).length);
  }
  for (const name of ["tiny.txt.br", "icon-192.png.br", `${hashed("main.js")}.br.gz`])
    assert.ok(!existsSync(join(out, "site", name)), name);
});

test("no address in the site is absolute", () => {
  for (const name of ["index.html", "author.html", "collect.html", "fetch.html", "404.html"]) {
    for (const [, address] of text(name).matchAll(/\b(?:href|src)="([^"]*)"/g))
      assert.match(address, /^(?!\/|[a-z]+:)/, name);
  }
  const manifest = JSON.parse(text("manifest.webmanifest"));
  const named = [...manifest.icons, ...manifest.screenshots].map(({ src }) => src);
  for (const address of [...named, manifest.start_url, manifest.scope, manifest.id])
    assert.match(address, /^(?!\/|[a-z]+:)/);
});

test("every page has a strict policy, and one may contact other hosts", () => {
  assert.match(policy_of(text("fetch.html")), /connect-src https: /);
  for (const name of ["index.html", "author.html", "collect.html", "404.html"]) {
    const policy = policy_of(text(name));
    assert.match(policy, /^default-src 'none'; /);
    assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|\*|https?:/);
  }
  const style = text("404.html").match(/<style>([^]*?)<\/style>/)[1];
  const hash = createHash("sha256").update(style).digest("base64");
  assert.ok(policy_of(text("404.html")).includes(`style-src 'sha256-${hash}'`));
});

test("one switch leaves out the page that contacts other hosts, and the way to it", async () => {
  assert.match(text("index.html"), /<meta name="attention-fetch" content="fetch.html" \/>/);
  const left_out = join(folder, "left out");
  await make_dist({ page: join(folder, "page"), out: left_out, has_fetch: false });
  const site = join(left_out, "site");
  const names = readdirSync(site);
  assert.deepEqual(
    names.filter((name) => /fetch/.test(name)),
    [],
  );
  assert.doesNotMatch(readFileSync(join(site, "index.html"), "utf8"), /fetch\.html|attention-fetch/);
  for (const name of names.filter((name) => name.endsWith(".html")))
    assert.doesNotMatch(policy_of(readFileSync(join(site, name), "utf8")), /https?:/, name);
  assert.ok(!Object.keys(told(site).files).some((name) => /fetch/.test(name)));
  const single = readFileSync(join(left_out, "attention-playground.html"), "utf8");
  assert.deepEqual(single, readFileSync(join(out, "attention-playground.html"), "utf8"), "it never has the page");
  assert.doesNotMatch(single, /attention-fetch/);
});

test("the built pages ask for the service worker, pages for development do not", () => {
  for (const name of ["main.js", "author.js"]) {
    assert.equal(text(hashed(name)).split("serviceWorker.register(").length, 2, name);
    assert.doesNotMatch(kFiles[name], /offline/);
  }
});

test("what is kept for offline use is there, and leaves out what only frames and servers need", () => {
  const files = Object.keys(told(join(out, "site")).files);
  for (const name of files) assert.ok(existsSync(join(out, "site", name)), name);
  const parts = ["first", "second", "rest"].map((part) => `attention_playground_${part}.wasm`);
  const named = [
    ...parts,
    "figure.js",
    "framed.js",
    "incoming.js",
    "main.js",
    "plain.js",
    "sheet.js",
    "workbook.js",
    "author.js",
    "collect.js",
    "fetch.js",
    "styles.css",
  ].map((name) => hashed(name));
  for (const name of ["index.html", "author.html", "collect.html", "fetch.html", "main.js", ...named, "icon-192.png"])
    assert.ok(files.includes(name), name);
  for (const name of [
    "sandbox.js",
    "workbook_module.js",
    "course.html",
    "course.js",
    "course.css",
    "sw.js",
    "404.html",
    "types.d.ts",
    "index.html.br",
    ".nojekyll",
  ])
    assert.ok(!files.includes(name), name);
});

const sha256 = (content) => createHash("sha256").update(content).digest("base64");

test("the list says of each file which bytes it has", () => {
  const { files } = told(join(out, "site"));
  assert.ok(Object.keys(files).length > 10);
  for (const [name, hash] of Object.entries(files)) assert.equal(hash, sha256(bytes(name)), name);
});

test("after a file was changed by hand, one command makes the list and the packed twins anew", async () => {
  const site = join(folder, "by-hand");
  cpSync(join(out, "site"), site, { recursive: true });
  const before = told(site);
  const html = `${text("index.html")}<!-- ${"by hand ".repeat(50)} -->\n`;
  writeFileSync(join(site, "index.html"), html);
  writeFileSync(join(site, ".htaccess"), "Deny from all\n"); // a server's own, which nobody can fetch
  const relist = (...args) =>
    spawnSync(process.execPath, [join(project, "tools/relist.mjs"), ...args], { encoding: "utf8" });
  const { status, stderr } = relist(site);
  assert.equal(status, 0, stderr);
  const after = told(site);
  assert.notEqual(after.version, before.version);
  assert.deepEqual({ ...after.files }, { ...before.files, "index.html": sha256(html) });
  assert.equal(brotliDecompressSync(readFileSync(join(site, "index.html.br"))).toString(), html);
  assert.equal(gunzipSync(readFileSync(join(site, "index.html.gz"))).toString(), html);
  assert.deepEqual(gunzipSync(readFileSync(join(site, "sw.js.gz"))), readFileSync(join(site, "sw.js")));
  const worker = readFileSync(join(site, "sw.js"));
  assert.equal(relist(site).status, 0);
  assert.deepEqual(readFileSync(join(site, "sw.js")), worker, "once more changes nothing");
  for (const args of [[], [join(folder, "page", "fonts")]]) {
    const { status, stderr } = relist(...args);
    assert.equal(status, 1);
    assert.match(stderr, /^(usage: |error: .* is no folder of a site)/);
  }
});

test("the version changes with any file that is kept, and with nothing else", async () => {
  const version = async (name, changes) => {
    await make_dist({ page: write_page(name, changes), out: join(folder, `${name}-out`) });
    return told(join(folder, `${name}-out/site`)).version;
  };
  const first = told(join(out, "site")).version;
  assert.match(first, /^[0-9a-f]{16}$/);
  assert.equal(await version("same", {}), first);
  assert.equal(await version("frames", { "sandbox.js": "1;\n" }), first);
  assert.notEqual(await version("other", { "part.js": "export const words = [1];\n" }), first);
  assert.notEqual(await version("renamed", { "main.js": kFiles["main.js"], "another.js": "" }), first);
});

test("icons have the sizes that the manifest says, and the one that may be cut is filled to the corners", async () => {
  const sizes = { "icon-192.png": 192, "icon-512.png": 512, "icon-maskable-512.png": 512 };
  const manifest = JSON.parse(text("manifest.webmanifest"));
  for (const { src, sizes: said } of manifest.icons.filter(({ type }) => type === "image/png")) {
    const { width, height, data } = pngjs.PNG.sync.read(bytes(src));
    assert.deepEqual([width, height, said], [sizes[src], sizes[src], `${width}x${height}`]);
    assert.equal(data[3], src.includes("maskable") ? 255 : 0, "the corner");
    // The blue square of the icon, at 10/32 of it; of the maskable one 22 % smaller around the middle.
    const place = src.includes("maskable") ? 0.5 + (10 / 32 - 0.5) * 0.78 : 10 / 32;
    const at = 4 * (Math.round(place * height) * width + Math.round(place * width));
    assert.deepEqual([...data.subarray(at, at + 4)], [0, 0x72, 0xb2, 255]);
  }
  await assert.rejects(make_icons(kFiles["icon.svg"].replace("0 0 32 32", "0 0 32 16")), /square/);
});

test("the single file has everything in it, and its policy allows exactly that", () => {
  const html = readFileSync(join(out, "attention-playground.html"), "utf8");
  assert.doesNotMatch(html, /\b(?:href|src)="(?!data:)(?!#)[^"]/);
  const policy = policy_of(html);
  const directive = (name) => policy.match(new RegExp(`${name} ([^;]*)`))?.[1];
  const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, inside]) => inside);
  assert.deepEqual(scripts[0], kFiles["workbook_module.js"].trim(), "before the program, which looks for it");
  const [style] = [...html.matchAll(/<style>([^]*?)<\/style>/g)].map(([, inside]) => inside);
  const hash = (inside) => `'sha256-${createHash("sha256").update(inside).digest("base64")}'`;
  assert.equal(directive("script-src"), `${scripts.map(hash).join(" ")} 'wasm-unsafe-eval'`);
  assert.equal(directive("style-src"), hash(style));
  assert.equal(directive("connect-src"), undefined, "default-src 'none' holds: no request at all");
  assert.equal(directive("default-src"), "'none'");
});

test("a script inside a page means what it meant and does not end early", () => {
  const script = "var a = '</script>', b = '</SCRIPT', c = '<!--' + `</script>`, d = /<\\/script/.test(a);";
  const safe = inside_script(script);
  assert.doesNotMatch(safe, /<\/script|<!--/i);
  const run = (program) => vm.runInNewContext(`${program} [a, b, c, d]`);
  assert.deepEqual([...run(safe)], [...run(script)]);
});

test("a policy is changed by directives", () => {
  const html = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src 'self'\" />";
  assert.equal(
    policy_of(with_policy(html, { "img-src": ["data:", "blob:"], "frame-src": ["'self'"] })),
    "default-src 'none'; img-src data: blob:; frame-src 'self'",
  );
  assert.equal(policy_of(with_policy(html, { "img-src": [] })), "default-src 'none'");
  assert.throws(() => policy_of("<p>none</p>"), /no content security policy/);
});

test("the sizes of every file and of a first visit are listed", () => {
  const row = (name) =>
    lines
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length)
      .match(/\d+/g)
      .map(Number);
  assert.equal(row(hashed("main.js"))[0], bytes(hashed("main.js")).length);
  const named = ["styles.css", "attention_playground_first.wasm", "main.js"];
  const first = ["index.html", "icon.svg", ...named.map((name) => hashed(name))];
  const packed = (name) =>
    existsSync(join(out, "site", `${name}.br`)) ? bytes(`${name}.br`).length : bytes(name).length;
  assert.equal(
    row("first visit").at(-1),
    first.reduce((sum, name) => sum + packed(name), 0),
  );
  assert.ok(row("attention-playground.html")[0] > 0);
  assert.deepEqual(row("  of it code")[0], 3000);
  assert.deepEqual(row("  of it data")[0], 2);
});

test("a name changes with the content, and everything that names it", async () => {
  const site = join(folder, "changed-out/site");
  const rest = Buffer.concat([kWasm, Buffer.from([0, 1, 0])]);
  await make_dist({
    page: write_page("changed", { "attention_playground_rest.wasm": rest }),
    out: join(folder, "changed-out"),
  });
  const name_there = (name) => hashed(name, site);
  for (const name of ["attention_playground_first.wasm", "styles.css"])
    assert.equal(name_there(name), hashed(name), `${name} is the same`);
  // Who names a file that has another name now has another name, too, up to the page.
  for (const name of ["attention_playground_rest.wasm", "main.js", "author.js"])
    assert.notEqual(name_there(name), hashed(name), `${name} is another`);
  const there = (name) => readFileSync(join(site, name), "utf8");
  for (const name of ["main.js", "author.js"])
    assert.ok(there(name_there(name)).includes(`"${name_there("attention_playground_rest.wasm")}"`), name);
  assert.ok(there("author.html").includes(`src="${name_there("author.js")}"`));
  for (const name of ["main.js", "attention_playground_first.wasm"])
    assert.match(there("index.html"), new RegExp(`<script data-[^>]*"${name_there(name)}"`), name);
  assert.equal(there("main.js"), `export * from "./${name_there("main.js")}";\n`);
});

test("the text version's script is a file of its own, which the page's script names and does not hold", () => {
  const main = text(hashed("main.js"));
  assert.ok(main.includes(`import("./${hashed("plain.js")}")`), main);
  assert.ok(text(hashed("plain.js")).includes("attention attention"));
});

test("the script that starts the page stands in it, ahead of all that is fetched, and the policy names it", () => {
  const html = text("index.html");
  const [all, script] = html.match(/<script data-main[^>]*>([^]*?)<\/script>/);
  assert.equal(script, kFiles["boot.js"]);
  const hash = createHash("sha256").update(script).digest("base64");
  assert.match(policy_of(html), new RegExp(`script-src [^;]*'sha256-${hash.replace(/[+/]/g, "\\$&")}'`));
  assert.ok(html.indexOf(all) < html.indexOf("<link"), "no style sheet holds it up");
  assert.ok(!existsSync(join(out, "site/boot.js")));
});

test("only what others look for keeps its name", () => {
  const plain = readdirSync(join(out, "site")).filter((name) => /\.(js|css|wasm)$/.test(name));
  const named = plain.filter((name) => !/-[0-9A-Z]{8}\.[a-z]+$/.test(name));
  assert.deepEqual(named.sort(), ["course.css", "course.js", "main.js", "sandbox.js", "sw.js", "workbook_module.js"]);
});

test("the fonts in an engine's data are found", () => {
  const font = Buffer.alloc(12 + 6 * 16 + 40, 1);
  font.writeUInt32BE(0x00010000, 0);
  font.writeUInt16BE(6, 4);
  ["OS/2", "cmap", "glyf", "head", "hhea", "loca"].forEach((tag, i) => {
    font.write(tag, 12 + 16 * i, "latin1");
    font.writeUInt32BE(12 + 6 * 16 + (i < 5 ? 0 : 30), 12 + 16 * i + 8);
    font.writeUInt32BE(10, 12 + 16 * i + 12);
  });
  const segment = (place, bytes) => [0, 65, place, 11, (bytes.length & 127) | 128, bytes.length >> 7, ...bytes];
  const data = [
    2,
    ...segment(8, Buffer.from("words before")),
    ...segment(24, Buffer.concat([font, Buffer.from("after")])),
  ];
  const wasm = Buffer.from([...kWasm.subarray(0, 8), 11, (data.length & 127) | 128, data.length >> 7, ...data]);
  const parts = wasm_parts(wasm);
  assert.deepEqual(parts.fonts, font);
  assert.equal(parts.data.toString("latin1"), "words before\0\0\0\0after");
  assert.equal(parts.code.length, 0);
});

test("the functions that a module imports are told with their types", () => {
  // (func (param v128) (result i32)) from "a"; a table, a memory with a limit and a global from "b"; (func) from "b".
  const types = [1, 9, 2, 0x60, 1, 0x7b, 1, 0x7f, 0x60, 0, 0];
  const text = (name) => [name.length, ...Buffer.from(name)];
  const imports = [
    ...[5, ...text("a"), ...text("x"), 0, 0],
    ...[...text("b"), ...text("t"), 1, 0x70, 0, 1],
    ...[...text("b"), ...text("m"), 2, 1, 1, 2],
    ...[...text("b"), ...text("g"), 3, 0x7f, 1],
    ...[...text("b"), ...text("y"), 0, 1],
  ];
  const wasm = Buffer.from([...kWasm.subarray(0, 8), ...types, 2, imports.length, ...imports]);
  assert.ok(WebAssembly.validate(wasm));
  assert.deepEqual(imported_functions(wasm, "a"), [{ name: "x", values: [0x7b, 0x7f] }]);
  assert.deepEqual(imported_functions(wasm, "b"), [{ name: "y", values: [] }]);
  assert.deepEqual(imported_functions(kWasm, "a"), []);
});

test("a part's table grows to what later parts put into it", () => {
  // (module (table 2 2 funcref) (func) (elem (i32.const 1) 0)), and one that imports a table of 300.
  const own = Buffer.from([
    ...kWasm.subarray(0, 8),
    ...[1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 4, 5, 1, 0x70, 1, 2, 2, 9, 7, 1, 0, 0x41, 1, 0x0b, 1, 0, 10, 4, 1, 2, 0, 11],
  ]);
  const other = Buffer.from([...kWasm.subarray(0, 8), 2, 12, 1, 1, 97, 1, 116, 1, 0x70, 1, 0xac, 2, 0xac, 2]);
  assert.ok(WebAssembly.validate(own) && WebAssembly.validate(other));
  const grown = with_table_of([other], own);
  assert.ok(WebAssembly.validate(grown));
  assert.ok(grown.includes(Buffer.from([4, 7, 1, 0x70, 1, 0xac, 2, 0xac, 2])), "300 as least and as most");
  assert.deepEqual([...table_of(grown)], [[1, 0]]);
  assert.equal(with_table_of([own], own), own, "nothing imports a table");
});

test("places of a table are written in pieces, and read back", () => {
  const wasm = Buffer.from([...kWasm.subarray(0, 8), 9, 1, 0]);
  const table = new Map([...[70, 71, 72].map((place) => [place, 200 + place]), [3, 1], [5, 1]]);
  const written = with_table(wasm, table);
  assert.deepEqual(
    [...table_of(written)],
    [...table].sort(([a], [b]) => a - b),
  );
  assert.ok(written.includes(Buffer.from([0, 0x41, 0xc6, 0, 0x0b, 3])), "from place 70 on three neighbours");
});

test("functions get short names, and parts without notes have none", () => {
  const wasm = Buffer.from([...kWasm.subarray(0, 8), 1, 4, 1, 0x60, 0, 0, 3, 3, 2, 0, 0, 10, 7, 2, 2, 0, 11, 2, 0, 11]);
  const named = with_function_names(wasm);
  assert.ok(WebAssembly.validate(named));
  assert.deepEqual(
    [...function_numbers(named)],
    [
      ["f0", 0],
      ["f1", 1],
    ],
  );
  assert.deepEqual(without_notes(named), wasm);
});

/** A copy of the project in which the build is done at once: its page is the small one. */
function quick_project(t) {
  const copy = new ProjectCopy(t);
  const page = write_page("built");
  writeFileSync(join(folder, "attn.js"), kAttn);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  copy.link("cp");
  copy.emscripten("emsdk/upstream/emscripten", "3.1.60");
  copy.fake(
    "cmake",
    `case "$*" in --version) echo "cmake version 3.30.0" ;; --build*) mkdir -p build/web && cp -r "${page}" build/web/page && cp "${folder}/attn.js" "${folder}/package.json" build/web ;; esac`,
  );
  for (const name of ["esbuild", "@resvg"])
    symlinkSync(join(project, "node_modules", name), copy.path("node_modules", name));
  copy.copy("hosting");
  const env = { ATTN_NO_APT: "1", EMSDK: copy.path("emsdk") };
  return { copy, dist: (...args) => copy.run("tools/dist", args, env) };
}

test("tools/dist sets up, builds and packs; packages for desktops only if they are asked for", (t) => {
  const { copy, dist } = quick_project(t);
  copy.write("tools/package", "#!/bin/sh\nmkdir -p dist && echo deb >dist/attention-playground.deb\n");
  const first = dist();
  assert.equal(first.status, 0, first.output);
  assert.match(first.output, /^first visit +\d+ +\d+ +\d+$/m);
  for (const name of ["site/index.html", "site/sw.js", "attention-playground.html"])
    assert.ok(copy.exists(`dist/${name}`), name);
  assert.ok(!copy.exists("dist/attention-playground.deb"));
  assert.match(copy.read("dist/site/lesson/causal.html"), /^<p>nowhere false/);
  const second = dist("desktop");
  assert.equal(second.status, 0, second.output);
  assert.ok(copy.exists("dist/attention-playground.deb"));
  assert.ok(copy.exists("dist/site/index.html"));
});

test("tools/dist refuses what it does not know, and a build that fails ends it with a sentence", (t) => {
  const { copy, dist } = quick_project(t);
  assert.match(dist("windows").output, /^error: tools\/dist does not know 'windows'/m);
  assert.match(dist("--base").output, /^error: --base wants the https address of the site after it/m);
  copy.fake("cmake", 'case "$*" in --version) echo "cmake version 3.30.0" ;; *) exit 1 ;; esac');
  const failed = dist();
  assert.equal(failed.status, 1);
  assert.match(failed.output, /^error: the build could not be configured/m);
  assert.ok(!copy.exists("dist"));
});

// What tools/dist makes of a page: a site for any folder of any host, and one file that asks for nothing. On a page of a few
// lines; tests/browser opens the real ones.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import vm from "node:vm";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import pngjs from "pngjs";
import { make_dist } from "../../tools/dist.mjs";
import { make_icons } from "../../tools/lib/icons.mjs";
import { policy_of, with_policy } from "../../tools/lib/policy.mjs";
import { inside_script } from "../../tools/lib/single_file.mjs";
import { ProjectCopy } from "./project_copy.mjs";

const project = new URL("../../", import.meta.url).pathname;
const web = (name) => readFileSync(join(project, "web", name), "utf8");
const kFiles = {
  "index.html": web("index.html"),
  "author.html": web("author.html"),
  "styles.css": web("styles.css"),
  "icon.svg": web("icon.svg"),
  "boot.js": web("boot.js"),
  "offline.js": web("offline.js"),
  "sw.js": web("sw.js"),
  "manifest.webmanifest": web("manifest.webmanifest"),
  "main.js": 'import "./part.js";\nexport {};\n',
  "part.js": `export const words = "${"attention ".repeat(500)}";\n`,
  "types.d.ts": "export {};\n",
  "sandbox.js": "(()=>{var a='<!-- </script> <\\/script>'})();\n",
  "attention_playground.wasm": Buffer.alloc(5000, 7),
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

test("packed twins give back the same bytes, and are there only where they are smaller", () => {
  for (const name of ["index.html", "part.js", "attention_playground.wasm", "sw.js", "manifest.webmanifest"]) {
    assert.deepEqual(brotliDecompressSync(bytes(`${name}.br`)), bytes(name), name);
    assert.deepEqual(gunzipSync(bytes(`${name}.gz`)), bytes(name), name);
    assert.ok(bytes(`${name}.br`).length < bytes(name).length);
  }
  for (const name of ["tiny.txt.br", "icon-192.png.br", "part.js.br.gz"])
    assert.ok(!existsSync(join(out, "site", name)), name);
});

test("no address in the site is absolute", () => {
  for (const name of ["index.html", "author.html", "404.html"]) {
    for (const [, address] of text(name).matchAll(/\b(?:href|src)="([^"]*)"/g))
      assert.match(address, /^(?!\/|[a-z]+:)/, name);
  }
  const manifest = JSON.parse(text("manifest.webmanifest"));
  const named = [...manifest.icons, ...manifest.screenshots].map(({ src }) => src);
  for (const address of [...named, manifest.start_url, manifest.scope, manifest.id])
    assert.match(address, /^(?!\/|[a-z]+:)/);
});

test("every page has a strict policy", () => {
  for (const name of ["index.html", "author.html", "404.html"]) {
    const policy = policy_of(text(name));
    assert.match(policy, /^default-src 'none'; /);
    assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|\*|https?:/);
  }
  const style = text("404.html").match(/<style>([^]*?)<\/style>/)[1];
  const hash = createHash("sha256").update(style).digest("base64");
  assert.ok(policy_of(text("404.html")).includes(`style-src 'sha256-${hash}'`));
});

test("the built pages ask for the service worker, pages for development do not", () => {
  for (const name of ["index.html", "author.html"]) {
    assert.equal(text(name).split('<script src="offline.js" defer></script>').length, 2);
    assert.doesNotMatch(kFiles[name], /offline\.js/);
  }
});

test("what is kept for offline use is there, and leaves out what only frames and servers need", () => {
  const { files } = told(join(out, "site"));
  for (const name of files) assert.ok(existsSync(join(out, "site", name)), name);
  for (const name of ["index.html", "author.html", "main.js", "part.js", "attention_playground.wasm", "icon-192.png"])
    assert.ok(files.includes(name), name);
  for (const name of ["sandbox.js", "sw.js", "404.html", "types.d.ts", "index.html.br", ".nojekyll"])
    assert.ok(!files.includes(name), name);
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
  assert.notEqual(await version("other", { "part.js": "export const words = 1;\n" }), first);
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
  const [script] = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, inside]) => inside);
  const [style] = [...html.matchAll(/<style>([^]*?)<\/style>/g)].map(([, inside]) => inside);
  const hash = (inside) => `'sha256-${createHash("sha256").update(inside).digest("base64")}'`;
  assert.equal(directive("script-src"), `${hash(script)} 'wasm-unsafe-eval'`);
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
      ?.match(/\d+/g)
      .map(Number);
  assert.equal(row("part.js")[0], bytes("part.js").length);
  const first = [
    "index.html",
    "styles.css",
    "boot.js",
    "offline.js",
    "icon.svg",
    "attention_playground.wasm",
    "main.js",
    "part.js",
  ];
  const packed = (name) =>
    existsSync(join(out, "site", `${name}.br`)) ? bytes(`${name}.br`).length : bytes(name).length;
  assert.equal(
    row("first visit").at(-1),
    first.reduce((sum, name) => sum + packed(name), 0),
  );
  assert.ok(row("attention-playground.html")[0] > 0);
});

/** A copy of the project in which the build is done at once: its page is the small one. */
function quick_project(t) {
  const copy = new ProjectCopy(t);
  const page = write_page("built");
  copy.link("cp");
  copy.emscripten("emsdk/upstream/emscripten", "3.1.60");
  copy.fake(
    "cmake",
    `case "$*" in --version) echo "cmake version 3.30.0" ;; --build*) mkdir -p build/web && cp -r "${page}" build/web/page ;; esac`,
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
  const second = dist("desktop");
  assert.equal(second.status, 0, second.output);
  assert.ok(copy.exists("dist/attention-playground.deb"));
  assert.ok(copy.exists("dist/site/index.html"));
});

test("tools/dist refuses what it does not know, and a build that fails ends it with a sentence", (t) => {
  const { copy, dist } = quick_project(t);
  assert.match(dist("windows").output, /^error: tools\/dist does not know 'windows'/m);
  copy.fake("cmake", 'case "$*" in --version) echo "cmake version 3.30.0" ;; *) exit 1 ;; esac');
  const failed = dist();
  assert.equal(failed.status, 1);
  assert.match(failed.output, /^error: the build could not be configured/m);
  assert.ok(!copy.exists("dist"));
});

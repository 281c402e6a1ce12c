// How long it takes from navigation to the first picture: the built site, against a page that only opens an empty ImGui window of
// the same build. In turns, each visit in a browser profile of its own (cold cache), from a server that has everything in memory.
//   cmake --build build/web --target empty_window
//   node tests/bench/page_load.mjs build/web/dist/site build/web [--visits 20] [--link 'heads=4'] [--json FILE]
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { chromium } from "playwright-core";

const kArguments = [
  ...["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  ...["--disable-background-networking", "--disable-component-update", "--no-first-run"],
];
const kTypes = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};
const kSettlingMs = 1000; // a window that was just opened loads the browser's own pages for a while
const kLimitMs = 1000;
const kLimitRatio = 1.3;

const kEmptyPage = `<!doctype html><html lang="en"><head><title>Empty</title><style>body{margin:0}canvas{width:100vw;height:100vh}</style>
<link rel="preload" as="fetch" crossorigin="anonymous" href="empty_window.wasm">
<script type="module" src="empty.js"></script></head><body><canvas></canvas></body></html>`;
const kEmptyScript = `import create_module from "./empty_window.mjs";
const canvas = document.querySelector("canvas");
const host = { frame_done() {}, requested() {}, failed(sentence) { throw new Error(sentence); } };
const module = await create_module({ canvas, host, noInitialRun: true });
module.callMain();
canvas.width = innerWidth * devicePixelRatio;
canvas.height = innerHeight * devicePixelRatio;
module._web_frame(performance.now() / 1000, canvas.width, canvas.height, devicePixelRatio);
document.documentElement.dataset.drawn = "";
`;

/** All files of a folder that a browser may ask for: name → { type, bytes, packed }. */
function files_of(folder) {
  const names = readdirSync(folder).filter((name) => kTypes[extname(name)]);
  return new Map(names.map((name) => [name, file(extname(name), read(folder, name), read(folder, `${name}.br`))]));
}
const read = (folder, name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : null);
const file = (ending, bytes, packed = null) => ({ type: kTypes[ending], bytes, packed });

/** Serves files from memory, packed where there is a packed twin. Resolves to { url, close }. */
async function serve(files) {
  const server = createServer((request, response) => {
    const name = new URL(request.url, "http://localhost").pathname.slice(1) || "index.html";
    const found = files.get(name);
    if (!found) return response.writeHead(404).end();
    const is_packed = found.packed !== null && /\bbr\b/.test(request.headers["accept-encoding"] ?? "");
    const body = is_packed ? found.packed : found.bytes;
    response.writeHead(200, {
      "Content-Type": found.type,
      "Content-Length": body.length,
      ...(is_packed && { "Content-Encoding": "br" }),
    });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://localhost:${server.address().port}/`, close: () => server.close() };
}

/** Tells when the first picture has been handed to the screen, in ms since the navigation. Runs in the page, before its scripts. */
function watch_first_picture() {
  const is_drawn = () =>
    document.documentElement?.dataset.drawn !== undefined ||
    document.querySelector("[data-part=skeleton]")?.hidden === true;
  globalThis.first_picture = new Promise((resolve) => {
    const look = () => {
      if (!is_drawn()) return;
      observer.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { subtree: true, childList: true, attributes: true });
  });
}

/** One visit with an empty cache; ms. */
async function visit(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(watch_first_picture);
  await new Promise((resolve) => setTimeout(resolve, kSettlingMs));
  await page.goto(address, { waitUntil: "commit" });
  const ms = await page.evaluate(() => globalThis.first_picture);
  await context.close();
  return ms;
}

const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

async function main(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      visits: { type: "string", default: "20" },
      link: { type: "string", default: "" },
      json: { type: "string" },
    },
  });
  const [site, build] = positionals;
  if (!build) throw new Error("usage: page_load.mjs SITE_FOLDER BUILD_FOLDER [--visits N] [--link LINK] [--json FILE]");
  const pages = {
    playground: { server: await serve(files_of(site)), hash: values.link === "" ? "" : `#${values.link}`, times: [] },
    empty: { server: await serve(empty_files(build)), hash: "", times: [] },
  };
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: kArguments,
  });
  for (let round = -1; round < Number(values.visits); ++round) {
    for (const { server, hash, times } of Object.values(pages)) {
      const ms = await visit(browser, server.url + hash);
      if (round >= 0) times.push(ms); // the first visit starts the browser's own processes
    }
  }
  await browser.close();
  for (const { server } of Object.values(pages)) server.close();

  const result = Object.fromEntries(Object.entries(pages).map(([name, { times }]) => [name, median(times)]));
  result.ratio = result.playground / result.empty;
  for (const [name, { times }] of Object.entries(pages))
    console.log(`${name.padEnd(12)} median ${result[name].toFixed(0)} ms, fastest ${Math.min(...times).toFixed(0)} ms`);
  console.log(`ratio ${result.ratio.toFixed(2)}; wanted: under ${kLimitMs} ms and under ${kLimitRatio}`);
  if (values.json) writeFileSync(values.json, JSON.stringify(result, null, 2) + "\n");
}

/** The empty page with its module, packed as the site is: both pages come the same way. */
function empty_files(build) {
  const packed = (ending, bytes) => file(ending, bytes, brotliCompressSync(bytes)); // as tools/dist does: best quality
  return new Map([
    ["index.html", packed(".html", Buffer.from(kEmptyPage))],
    ["empty.js", packed(".js", Buffer.from(kEmptyScript))],
    ["empty_window.mjs", packed(".mjs", readFileSync(join(build, "empty_window.mjs")))],
    ["empty_window.wasm", packed(".wasm", readFileSync(join(build, "empty_window.wasm")))],
  ]);
}

await main(process.argv.slice(2));

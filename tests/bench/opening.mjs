// How long a newcomer waits at the page's own address until the arc and the bars are the model's, on a slow line: 1.6 Mbit/s, 100 ms
// latency, a processor that is slowed four times; and the bytes that have come by then. Each visit in a browser profile of its own.
//   node tests/bench/opening.mjs build/web/dist/site [--visits 5] [--film FILE.png]
// With --film, one more visit as a strip: a picture a second for ten seconds, then a press on the one large button. Pictures take
// time of their own, so its seconds are not those that are measured.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { parseArgs } from "node:util";
import { click_item } from "../browser/browser.mjs";
import { find_chromium } from "../browser/chromium.mjs";
import { median } from "./statistics.mjs";

const kLine = { offline: false, latency: 100, downloadThroughput: 200_000, uploadThroughput: 90_000 }; // ms; bytes a second
const kSlower = 4;
const kLimitSeconds = 8;
const kFilmSeconds = 10;
const kTypes = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** The site as a good host serves it: packed where there is a packed twin. `sent.bytes` counts. */
async function serve_packed(folder, sent) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname.slice(1) || "index.html";
    const file = join(folder, path);
    if (path.includes("..") || !existsSync(file)) return response.writeHead(404).end();
    const is_packed = existsSync(`${file}.br`);
    const body = readFileSync(is_packed ? `${file}.br` : file);
    sent.bytes += body.length;
    response.writeHead(200, {
      "Content-Type": kTypes[extname(path)] ?? "application/octet-stream",
      "Content-Length": body.length,
      ...(is_packed && { "Content-Encoding": "br" }),
    });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://localhost:${server.address().port}/`, close: () => server.close() };
}

/** In the page, before its scripts: notes when the canvas is first drawn and when the scene's button stands on it. */
function watch_scene() {
  globalThis.seconds = {};
  const look_for_picture = () => {
    if (document.querySelector("[data-part=skeleton]")?.hidden) globalThis.seconds.picture = performance.now() / 1000;
    else setTimeout(look_for_picture, 50);
  };
  const look = async () => {
    const script = document.querySelector("script[type=module][src*=main]");
    const playground = script && (await import(script.src).then(({ playground }) => playground).catch(() => null));
    if (playground?.draw().some(({ name }) => name === "off=in use"))
      return (globalThis.seconds.scene = performance.now() / 1000);
    setTimeout(look, 50);
  };
  for (const begin of [look_for_picture, look])
    document.addEventListener("DOMContentLoaded", () => setTimeout(begin, 50));
}

/** Resolves to a page that has just begun to load, on the slow line, with `sent.bytes` and `leave()`. */
async function arrive(browser, folder) {
  const sent = { bytes: 0 };
  const site = await serve_packed(folder, sent);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", kLine);
  await client.send("Emulation.setCPUThrottlingRate", { rate: kSlower });
  await page.addInitScript(watch_scene);
  await page.goto(site.url, { waitUntil: "commit" });
  const leave = async () => {
    await context.close();
    site.close();
  };
  return { page, sent, leave };
}

const scene_is_there = (page) =>
  page.waitForFunction(() => globalThis.seconds?.scene !== undefined, null, { timeout: 120_000 });

async function visit(browser, folder) {
  const { page, sent, leave } = await arrive(browser, folder);
  await scene_is_there(page);
  const seconds = await page.evaluate(() => globalThis.seconds);
  const { bytes } = sent;
  await leave();
  return { ...seconds, bytes };
}

/** Pictures of the first ten seconds and of the first press, below each other in one file. */
async function film(browser, folder, file) {
  const { page, leave } = await arrive(browser, folder);
  const begin = Date.now();
  const pictures = [];
  const take = async (title) => pictures.push({ title, png: (await page.screenshot()).toString("base64") });
  for (let second = 1; second <= kFilmSeconds; ++second) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, begin + 1000 * second - Date.now())));
    await take(`${((Date.now() - begin) / 1000).toFixed(1)} s`);
  }
  await scene_is_there(page);
  await page.screenshot(); // a frame with the scene in it
  await click_item(page, "off=in use");
  await take("after a press on the button");
  await leave();
  const strip = await browser.newPage({ viewport: { width: 1340, height: 400 } });
  const figures = pictures.map(
    ({ title, png }) =>
      `<figure><img width=420 src="data:image/png;base64,${png}"><figcaption>${title}</figcaption></figure>`,
  );
  await strip.setContent(
    `<style>body{display:flex;flex-wrap:wrap;gap:12px;margin:12px;font:13px sans-serif}figure{margin:0}</style>${figures.join("")}`,
  );
  writeFileSync(file, await strip.screenshot({ fullPage: true }));
  await strip.close();
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { visits: { type: "string", default: "5" }, film: { type: "string" } },
});
const browser = await find_chromium({ args: [], whole: false });
try {
  const visits = [];
  for (let k = 0; k < Number(values.visits); ++k) visits.push(await visit(browser, positionals[0]));
  const of = (what) => median(visits.map((one) => one[what]));
  console.log(`first picture           ${of("picture").toFixed(1)} s`);
  console.log(`arc and bars            ${of("scene").toFixed(1)} s (asked: at most ${kLimitSeconds})`);
  console.log(`slowest of ${visits.length} visits     ${Math.max(...visits.map(({ scene }) => scene)).toFixed(1)} s`);
  console.log(`bytes by then           ${of("bytes").toLocaleString("en")}`);
  if (values.film) await film(browser, positionals[0], values.film);
} finally {
  await browser.close();
}

// How long a newcomer waits at the page's own address until the arc and the bars are the model's, on a slow line: 1.6 Mbit/s, 100 ms
// latency, a processor that is slowed four times; and the bytes that have come by then. Each visit in a browser profile of its own.
//   node tests/bench/opening.mjs build/web/dist/site [--visits 5]
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { parseArgs } from "node:util";
import { find_chromium } from "../browser/chromium.mjs";
import { median } from "./statistics.mjs";

const kLine = { offline: false, latency: 100, downloadThroughput: 200_000, uploadThroughput: 90_000 }; // ms; bytes a second
const kSlower = 4;
const kLimitSeconds = 8;
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
  const look = async () => {
    const script = document.querySelector("script[type=module][src*=main]");
    const playground = script && (await import(script.src).then(({ playground }) => playground).catch(() => null));
    if (playground?.draw) {
      globalThis.seconds.picture ??= performance.now() / 1000;
      if (playground.draw().some(({ name }) => name === "off=in use"))
        return (globalThis.seconds.scene = performance.now() / 1000);
    }
    setTimeout(look, 50);
  };
  document.addEventListener("DOMContentLoaded", () => setTimeout(look, 50));
}

async function visit(browser, folder) {
  const sent = { bytes: 0 };
  const site = await serve_packed(folder, sent);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", kLine);
  await client.send("Emulation.setCPUThrottlingRate", { rate: kSlower });
  await page.addInitScript(watch_scene);
  await page.goto(site.url);
  await page.waitForFunction(() => globalThis.seconds.scene !== undefined, null, { timeout: 120_000 });
  const seconds = await page.evaluate(() => globalThis.seconds);
  await context.close();
  site.close();
  return { ...seconds, bytes: sent.bytes };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { visits: { type: "string", default: "5" } },
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
} finally {
  await browser.close();
}

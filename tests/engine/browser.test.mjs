// The module in a browser: in a page and in a worker under a strict content security policy, in a frame of an origin of its own,
// and handed over as bytes where nothing may be fetched.
import assert from "node:assert/strict";
import { createReadStream, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { eventually, kPatience } from "../patience.mjs";
import { createEngine, engine_file, make_random, problem_of } from "./engine.mjs";

const kTypes = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
const kStrict =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; frame-src 'self'";
// Of an origin of its own nothing is 'self'.
const kSandboxed = "sandbox allow-scripts; default-src 'none'; script-src * 'wasm-unsafe-eval'; connect-src *";
const kNoFetch = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";

// The same in each place: some numbers of a problem, a trace, a refusal.
const kWork = `
export async function work(engine) {
  const args = await (await fetch("problem.json")).json();
  return answer(engine, args);
}
export function answer(engine, args) {
  const tensor = ([numbers, shape]) => ({ data: Float32Array.from(numbers), shape });
  const tensors = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, tensor(value)]));
  let refusal = "";
  try { engine.attention({ ...tensors, heads: 3 }); } catch (error) { refusal = error.name + ": " + error.message; }
  const { weights, merged } = engine.attention({ ...tensors, heads: 2 });
  return { weights: [...weights.data], merged: [...merged.data], refusal, digest: engine.digest("text=a+b") };
}
`;
const kPage = `
import { createEngine } from "./engine.js";
import { work } from "./work.js";
work(await createEngine()).then((result) => (document.title = JSON.stringify(result)));
`;

const kFiles = {
  "/page.html": ["<!doctype html><script type=module src=page.js></script>", kStrict],
  "/page.js": [kPage],
  "/work.js": [kWork],
  "/worker.html": ["<!doctype html><script type=module src=start_worker.js></script>", kStrict],
  "/start_worker.js": [
    'new Worker("worker.js", { type: "module" }).onmessage = ({ data }) => (document.title = JSON.stringify(data));',
  ],
  "/worker.js": [
    'import { createEngine } from "./engine.js"; import { work } from "./work.js"; work(await createEngine()).then(postMessage);',
    kStrict,
  ],
  "/frame.html": [
    '<!doctype html><iframe sandbox="allow-scripts" src=inner.html></iframe><script src=listen.js></script>',
    kStrict,
  ],
  "/listen.js": ["onmessage = ({ data }) => (document.title = JSON.stringify(data));"],
  "/inner.html": ["<!doctype html><script type=module src=inner.js></script>", kSandboxed],
  "/inner.js": [
    'import { createEngine } from "./engine.js"; import { work } from "./work.js";' +
      'work(await createEngine()).then((result) => parent.postMessage(result, "*"));',
  ],
  "/bytes.html": ["<!doctype html><script type=module src=bytes.js></script>", kNoFetch],
  "/bytes.js": [
    'import { createEngine } from "./engine.js"; import { answer } from "./work.js"; import { args, wasm } from "./embedded.js";' +
      "const engine = await createEngine({ wasm: Uint8Array.from(atob(wasm), (byte) => byte.charCodeAt(0)) });" +
      "document.title = JSON.stringify(answer(engine, args));",
  ],
  "/octets.html": ["<!doctype html><script type=module src=octets.js></script>", kStrict],
  "/octets.js": [
    'import { createEngine } from "./engine.js"; import { work } from "./work.js";' +
      'work(await createEngine({ wasm: "octets" })).then((result) => (document.title = JSON.stringify(result)));',
  ],
};

const random = make_random(1);
const problem = problem_of(random, { num_tokens: 5, d_in: 3, d_out: 4, heads: 2 });
const { heads: _, ...tensors } = problem;
const kProblem = Object.fromEntries(
  Object.entries(tensors).map(([name, { data, shape }]) => [name, [[...data], shape]]),
);

let server, browser, url;
before(async () => {
  const wasm = readFileSync(engine_file("engine.wasm")).toString("base64");
  server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const headers = { "Access-Control-Allow-Origin": "*", "Content-Type": kTypes[extname(path)] ?? "application/json" };
    const send = (text) => response.writeHead(200, headers).end(text);
    if (path === "/engine.js" || path === "/engine.wasm" || path === "/octets") {
      if (path === "/octets") headers["Content-Type"] = "application/octet-stream"; // a server that does not know .wasm
      response.writeHead(200, headers);
      createReadStream(engine_file(path === "/engine.js" ? "engine.js" : "engine.wasm")).pipe(response);
    } else if (path === "/problem.json") send(JSON.stringify(kProblem));
    else if (path === "/embedded.js")
      send(`export const args = ${JSON.stringify(kProblem)}; export const wasm = "${wasm}";`);
    else if (kFiles[path]) {
      const [text, policy] = kFiles[path];
      if (policy) headers["Content-Security-Policy"] = policy;
      send(text);
    } else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${server.address().port}`;
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-quic", "--no-first-run"],
    timeout: kPatience,
  });
});
after(async () => {
  await browser?.close();
  server?.close();
});

async function result_of(path) {
  const page = await browser.newPage();
  const troubles = [];
  page.on("console", (message) => {
    if (!/favicon/.test(message.location().url)) troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(error.message));
  await page.goto(`${url}/${path}`);
  const has_result = async () => (await page.title()).startsWith("{"); // asked from outside: the page evaluates no text
  await eventually("a result, or a reason why there is none", async () => troubles.length > 0 || (await has_result()));
  assert.deepEqual(troubles, []);
  const result = JSON.parse(await page.title());
  await page.close();
  return result;
}

const kPlaces = {
  "a page under a strict content security policy": "page.html",
  "a worker under a strict content security policy": "worker.html",
  "a frame with sandbox=allow-scripts": "frame.html",
  "a page that may fetch nothing, with the bytes handed over": "bytes.html",
  "a page whose server does not know .wasm": "octets.html",
};

const engine = await createEngine();
for (const [name, path] of Object.entries(kPlaces)) {
  test(`${name}: the same numbers as in node`, async () => {
    const result = await result_of(path);
    const { weights, merged } = engine.attention({ ...problem, heads: 2 });
    assert.deepEqual(result.weights, [...weights.data]);
    assert.deepEqual(result.merged, [...merged.data]);
    assert.match(
      result.refusal,
      /^RangeError: heads is 3: it should be a whole number that divides d_out, which is 4$/,
    );
    assert.equal(result.digest, engine.digest("text=a+b"));
  });
}

// The page's server: right types, nothing outside its folder, this machine only.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { serve } from "../../tools/serve.mjs";

/** A server for a small page, next to a file that must stay secret. */
async function start(t) {
  const folder = mkdtempSync(join(tmpdir(), "attn-serve-"));
  const page = join(folder, "page");
  mkdirSync(join(page, "sub"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "secret");
  mkdirSync(join(folder, "page-twin"));
  writeFileSync(join(folder, "page-twin/secret.txt"), "secret");
  writeFileSync(join(page, "index.html"), "<p>start</p>");
  writeFileSync(join(page, "sub/index.html"), "<p>sub</p>");
  writeFileSync(join(page, "a b.js"), "1");
  writeFileSync(join(page, "module.mjs"), "1");
  writeFileSync(join(page, "engine.wasm"), Buffer.from([0, 97, 115, 109]));
  writeFileSync(join(page, "style.css"), "");
  symlinkSync(join(folder, "secret.txt"), join(page, "link.txt"));
  const server = await serve(page);
  t.after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return server;
}

/** A request whose path is sent as it is: fetch() would tidy up "..". */
function get(server, path, { method = "GET", headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port: server.port, path, method, headers }, (response) => {
      let body = "";
      response.on("data", (part) => (body += part));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body }));
    })
      .on("error", reject)
      .end();
  });
}

test("files come with the type that browsers insist on", async (t) => {
  const server = await start(t);
  for (const [path, type] of [
    ["/", "text/html; charset=utf-8"],
    ["/index.html?x=1", "text/html; charset=utf-8"],
    ["/sub/", "text/html; charset=utf-8"],
    ["/a%20b.js", "text/javascript; charset=utf-8"],
    ["/module.mjs", "text/javascript; charset=utf-8"],
    ["/engine.wasm", "application/wasm"],
    ["/style.css", "text/css; charset=utf-8"],
  ]) {
    const answer = await get(server, path);
    assert.equal(answer.status, 200, path);
    assert.equal(answer.headers["content-type"], type, path);
    assert.equal(answer.headers["access-control-allow-origin"], "*", "a page of another port may load it");
  }
});

test("nothing outside the folder is served", async (t) => {
  const server = await start(t);
  for (const path of [
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/sub/../../secret.txt",
    "/../page-twin/secret.txt",
    "/link.txt",
    "//etc/passwd",
    "/%00",
    "/%zz",
    "/missing.html",
    "/sub",
    "/index.html/",
    `/${"a".repeat(5000)}`,
  ]) {
    const answer = await get(server, path);
    assert.equal(answer.status, 404, path);
    assert.doesNotMatch(answer.body, /secret/);
  }
});

test("only GET and HEAD are answered", async (t) => {
  const server = await start(t);
  assert.equal((await get(server, "/", { method: "POST" })).status, 405);
  const head = await get(server, "/", { method: "HEAD" });
  assert.deepEqual([head.status, head.headers["content-length"], head.body], [200, "12", ""]);
});

test("an unchanged file is not sent twice", async (t) => {
  const server = await start(t);
  const { etag } = (await get(server, "/")).headers;
  assert.equal((await get(server, "/", { headers: { "If-None-Match": etag } })).status, 304);
  assert.equal((await get(server, "/", { headers: { "If-None-Match": '"other"' } })).status, 200);
});

test("a port that is taken is passed over", async (t) => {
  const taken = createServer();
  await new Promise((resolve) => taken.listen(0, "127.0.0.1", resolve));
  t.after(() => taken.close());
  const { port } = taken.address();
  const server = await serve(tmpdir(), { port });
  t.after(() => server.close());
  assert.ok(server.port > port);
});

test("other machines cannot connect", async (t) => {
  const addresses = Object.values(networkInterfaces()).flat();
  const outside = addresses.find((address) => address.family === "IPv4" && !address.internal);
  if (!outside) return t.skip("this machine has no network address but its own");
  const server = await start(t);
  await assert.rejects(fetch(`http://${outside.address}:${server.port}/`));
});

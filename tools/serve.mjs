// Serves one folder on this machine only (127.0.0.1), for tools/play and the browser tests.
//   node tools/serve.mjs FOLDER [--port N] [--open]
// Knows nothing about the page.
import { spawn } from "node:child_process";
import { createReadStream, realpathSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const kHost = "127.0.0.1";
const kPortsTried = 50;

const kTypes = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/**
 * The file inside root (a real path) that a request's path means, or null: an address that does not decode, leaves the folder
 * (by "..", or by a link inside it) or means nothing there.
 */
async function find_file(root, request_path) {
  let path;
  try {
    path = decodeURIComponent(request_path.split(/[?#]/, 1)[0]);
  } catch {
    return null;
  }
  if (path.includes("\0")) return null;
  try {
    const file = realpathSync(join(root, path.endsWith("/") ? join(path, "index.html") : path));
    if (!file.startsWith(root + sep)) return null;
    const info = await stat(file);
    return info.isFile() ? { file, info } : null;
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EACCES"].includes(error.code)) return null;
    throw error;
  }
}

async function answer(root, request, response) {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { Allow: "GET, HEAD" }).end();
    return;
  }
  const found = await find_file(root, request.url);
  if (!found) {
    response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("There is nothing at this address.\n");
    return;
  }
  const { file, info } = found;
  const tag = `"${info.size.toString(36)}-${Math.floor(info.mtimeMs).toString(36)}"`;
  const headers = {
    "Content-Type": kTypes[extname(file)] ?? "application/octet-stream",
    "Cache-Control": "no-cache", // asks each time, so a rebuilt page is seen at the next load
    ETag: tag,
    "X-Content-Type-Options": "nosniff",
    "Access-Control-Allow-Origin": "*", // a page of another port may load the element, as the snippets do
  };
  if (request.headers["if-none-match"] === tag) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, { ...headers, "Content-Length": info.size });
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  createReadStream(file)
    .on("error", () => response.destroy())
    .pipe(response);
}

/** Listens on port, or rejects with the reason. Port 0: any free one. */
function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, kHost, () => {
      server.off("error", reject);
      resolve(server.address().port);
    });
  });
}

/**
 * Serves folder from the first free port at or after `port` (0: any free one).
 * Resolves to { port, url, close() }.
 */
export async function serve(folder, { port = 0 } = {}) {
  const root = realpathSync(folder);
  const server = createServer((request, response) => {
    answer(root, request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  let got;
  for (let tried = 0; got === undefined; ++tried) {
    try {
      got = await listen(server, port === 0 ? 0 : port + tried);
    } catch (error) {
      if (!["EADDRINUSE", "EACCES"].includes(error.code) || tried + 1 >= kPortsTried || port + tried >= 65535)
        throw error;
    }
  }
  return {
    port: got,
    url: `http://localhost:${got}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** Asks the desktop for a browser. Quietly does nothing where there is no desktop (CI, a remote shell). */
function open_browser(url) {
  const has_screen = process.platform === "darwin" || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (process.env.CI || !has_screen) return;
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  spawn(opener, [url], { stdio: "ignore", detached: true })
    .on("error", () => {}) // no such program: the address is on the screen anyway
    .unref();
}

async function main(args) {
  const usage = "usage: serve.mjs FOLDER [--port N] [--open]";
  let folder;
  let port = 8000;
  let open = false;
  while (args.length > 0) {
    const arg = args.shift();
    if (arg === "--open") open = true;
    else if (arg === "--port") port = /^\d{1,5}$/.test(args[0] ?? "") ? Number(args.shift()) : NaN;
    else if (folder === undefined && !arg.startsWith("-")) folder = arg;
    else throw new Error(usage);
  }
  if (folder === undefined) throw new Error(usage);
  if (!(port <= 65535)) throw new Error("--port wants a whole number from 0 to 65535");
  const { url } = await serve(folder, { port });
  console.log(`Attention Playground is at ${url}   (Ctrl-C stops it)`);
  if (open) open_browser(url);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main(process.argv.slice(2)).catch((error) => {
    console.error(`error: ${error.message}`);
    process.exit(1);
  });
}

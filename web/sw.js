// Service worker of a built site: a page that was visited once works without a network. It answers for the files of this site
// below its own folder and for nothing else, whatever else lives on the same host.
//
// tools/dist puts the site's { version, files } in front of this text; `files` has the SHA-256 of each. Every version has a cache of
// its own, filled before the version is used, with all of its files or with none, and used as a whole: files of two versions never
// meet. While a host is being updated, what comes does not fit: then this worker is not installed, the one before it stays, and
// the browser tries again at the next visit. A new version takes over when the last page of the old one is closed, or at once
// where the old one was kept by a worker that did not compare and has pages whose scripts it has not.
//
// Served as it is, from a page built for development, it takes itself and its caches away: whoever had a built site at this
// address gets to see what was just built.

const worker = /** @type {any} */ (self); // (the type checker knows pages, and no workers)
/** @type {{ version: string, files: Record<string, string> } | undefined} */
const site = worker.site;
/** @type {string} */
const scope = worker.registration.scope; // "https://example.org/playground/"
const my_caches = `attention-playground ${scope} `; // caches belong to a whole host
const cache_name = my_caches + site?.version;
const files = new Map(Object.entries(site?.files ?? {}));
const kNamedByHash = /-[0-9A-Z]{8}\.(js|css|wasm)$/;
const kText = /^text\/|javascript|json|xml/; // media types
const kReturn = 13; // what a host may put before each line's end, or take away

worker.addEventListener("install", (/** @type {any} */ event) => {
  if (site) event.waitUntil(fill_cache().then(replace_broken));
  else worker.skipWaiting();
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(Promise.all([delete_old_caches(), site || worker.registration.unregister()]));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const file = file_of(event.request);
  if (file !== null) event.respondWith(answer(event.request, file));
});

async function fill_cache() {
  const names = [...files.keys()];
  /** @type {[string, Response][]} */
  const answers = [];
  // The files that name others come first: where they do not fit, nothing large was fetched in vain.
  for (const by_hash of [false, true]) {
    const some = names.filter((name) => kNamedByHash.test(name) === by_hash);
    answers.push(...(await Promise.all(some.map(fetch_file))));
  }
  const cache = await caches.open(cache_name);
  await Promise.all(answers.map(([address, response]) => cache.put(address, response)));
}

/**
 * A file of this version; throws where the host has another one.
 * @param {string} name
 * @returns {Promise<[string, Response]>}
 */
async function fetch_file(name) {
  const address = address_of(name);
  // "Not modified" is a host's opinion, and wrong where two versions have the same size and date: then without the browser's copy.
  for (const cache of /** @type {const} */ (["no-cache", "reload"])) {
    const response = await fetch(address, { cache });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const is_text = kText.test(response.headers.get("content-type") ?? "");
    const is_right = async (/** @type {Uint8Array<ArrayBuffer>} */ some) => (await hash_of(some)) === files.get(name);
    if (response.ok && ((await is_right(bytes)) || (is_text && (await is_right(bytes.filter((b) => b !== kReturn))))))
      // A copy: some hosts answer "index.html" by a redirect, and browsers take no redirected answer for a page.
      return [address, new Response(bytes, { headers: response.headers })];
  }
  throw new Error(`${address} is not that of version ${site?.version}`);
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function hash_of(bytes) {
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))));
}

async function replace_broken() {
  const old = await old_caches();
  const are_whole = await Promise.all(old.map(is_whole));
  if (old.length > 0 && !are_whole.includes(true)) await worker.skipWaiting();
}

/** Whether a cache has every script, style and module that its pages name. @param {string} name */
async function is_whole(name) {
  const cache = await caches.open(name);
  for (const { url } of await cache.keys()) {
    if (!url.endsWith(".html")) continue;
    const html = (await (await cache.match(url))?.text()) ?? "";
    for (const [file] of html.matchAll(/\w+-[0-9A-Z]{8}\.(js|css|wasm)/g))
      if (!(await cache.match(address_of(file)))) return false;
  }
  return true;
}

async function old_caches() {
  return (await caches.keys()).filter((name) => name.startsWith(my_caches) && name !== cache_name);
}

async function delete_old_caches() {
  await Promise.all((await old_caches()).map((name) => caches.delete(name)));
}

/**
 * The file of this site that a request is for, or null: it is nobody's business here.
 * @param {Request} request
 */
function file_of(request) {
  const address = request.url.split(/[?#]/, 1)[0];
  if (request.method !== "GET" || !address.startsWith(scope)) return null;
  const file = address.slice(scope.length) || "index.html";
  return files.has(file) ? file : null;
}

/** @param {Request} request @param {string} file */
async function answer(request, file) {
  const cache = await caches.open(cache_name);
  return (await cache.match(address_of(file))) ?? fetch(request); // the browser may have thrown the cache away
}

/** @param {string} file */
function address_of(file) {
  return new URL(file, scope).href;
}

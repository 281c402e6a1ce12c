// The service worker of a built site: after one visit, a page works without a network. It answers only for the files of this site
// in its own folder, never for anything else on the same host.
//
// tools/dist puts the site's { version, files, later } in front of this text; `files` has the SHA-256 of each file. Every version has
// its own cache. The worker fills it before the version is used, with all files or with none, so files of two versions never mix. While
// a host is being updated, its files do not match: then the browser does not install this worker, keeps the previous one and tries
// again at the next visit. A new version takes over when the last page of the old version is closed. It takes over at once if the
// old cache is broken: earlier workers did not compare files, so their caches may have pages without the scripts they name.
//
// `later` names files that are large and that not everybody needs. The worker keeps them once a page asks for it; newer versions keep
// what an older one has.
//
// Served without that text, from a page built for development, the worker removes itself and its caches. A browser that had a built
// site at this address then shows the page that was just built.

const worker = /** @type {any} */ (self); // the type checker knows pages only, not workers
/** @type {{ version: string, files: Record<string, string>, later: string[] } | undefined} */
const site = worker.site;
/** @type {string} */
const scope = worker.registration.scope; // "https://example.org/playground/"
const my_caches = `attention-playground ${scope} `; // all sites of a host share one list of caches
const cache_name = my_caches + site?.version;
const files = new Map(Object.entries(site?.files ?? {}));
const later = new Set(site?.later);
const kNamedByHash = /-[0-9A-Z]{8}\.(js|css|wasm)$/;
const kText = /^text\/|javascript|json|xml/; // media types
const kReturn = 13; // carriage return: a host may add one before each line's end, or remove it

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

// A page keeps a folder of the files for later: "models/own-words/".
worker.addEventListener("message", (/** @type {any} */ event) => {
  const folder = event.data?.keep;
  if (typeof folder === "string") event.waitUntil(keep([...later].filter((name) => name.startsWith(folder))));
});

async function fill_cache() {
  const names = [...files.keys()].filter((name) => !later.has(name));
  /** @type {[string, Response][]} */
  const answers = [];
  // Files that name others come first: if they do not match, nothing large was fetched in vain.
  for (const by_hash of [false, true]) {
    const some = names.filter((name) => kNamedByHash.test(name) === by_hash);
    answers.push(...(await Promise.all(some.map(fetch_file))));
  }
  const cache = await caches.open(cache_name);
  await Promise.all(answers.map(([address, response]) => cache.put(address, response)));
  const are_used = await Promise.all([...later].map(async (name) => (await caches.match(address_of(name))) && name));
  await keep(are_used.filter((name) => name !== undefined));
}

/** Keeps files for later, as many as there is room for: without them the page works as before. @param {string[]} names */
async function keep(names) {
  const cache = await caches.open(cache_name);
  for (const name of names) {
    try {
      if (!(await cache.match(address_of(name))))
        await cache.put(...((await of_older(name)) ?? (await fetch_file(name))));
    } catch {
      // no room, no network, or another version's: it is fetched when it is asked for
    }
  }
}

/** The same file, where an older version has it. @param {string} name @returns {Promise<[string, Response] | undefined>} */
async function of_older(name) {
  const kept = await caches.match(address_of(name));
  const bytes = kept && new Uint8Array(await kept.arrayBuffer());
  if (bytes && (await hash_of(bytes)) === files.get(name))
    return [address_of(name), new Response(bytes, { headers: kept.headers })];
}

/**
 * A file of this version; throws if the host has a different one.
 * @param {string} name
 * @returns {Promise<[string, Response]>}
 */
async function fetch_file(name) {
  const address = address_of(name);
  // A host may wrongly answer "not modified" if two versions have the same size and date: the second try skips the browser's cache.
  for (const cache of /** @type {const} */ (["no-cache", "reload"])) {
    const response = await fetch(address, { cache });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const is_text = kText.test(response.headers.get("content-type") ?? "");
    const is_right = async (/** @type {Uint8Array<ArrayBuffer>} */ some) => (await hash_of(some)) === files.get(name);
    if (response.ok && ((await is_right(bytes)) || (is_text && (await is_right(bytes.filter((b) => b !== kReturn))))))
      // A copy, because some hosts redirect "index.html", and browsers do not accept a redirected response for a page.
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

/** Whether a cache has every script, style sheet and module that its pages name. @param {string} name */
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
 * The file of this site that a request asks for; null: this worker does not answer the request.
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
  return (await cache.match(address_of(file))) ?? fetch(request); // the browser may have deleted the cache
}

/** @param {string} file */
function address_of(file) {
  return new URL(file, scope).href;
}

// Service worker of a built site: a page that was visited once works without a network. It answers for the files of this site
// below its own folder and for nothing else, whatever else lives on the same host.
//
// tools/dist puts the site's { version, files } in front of this text. Every version has a cache of its own, filled as a whole
// before the version is used and used as a whole: files of two versions never meet. A new version takes over when the last
// page of the old one is closed.
//
// Served as it is, from a page built for development, it takes itself and its caches away: whoever had a built site at this
// address gets to see what was just built.

const worker = /** @type {any} */ (self); // (the type checker knows pages, and no workers)
/** @type {{ version: string, files: string[] } | undefined} */
const site = worker.site;
/** @type {string} */
const scope = worker.registration.scope; // "https://example.org/playground/"
const my_caches = `attention-playground ${scope} `; // caches belong to a whole host
const cache_name = my_caches + site?.version;
const files = new Set(site?.files);

worker.addEventListener("install", (/** @type {any} */ event) => {
  if (site) event.waitUntil(fill_cache(site.files));
  else worker.skipWaiting();
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(Promise.all([delete_old_caches(), site || worker.registration.unregister()]));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const file = file_of(event.request);
  if (file !== null) event.respondWith(answer(event.request, file));
});

/** @param {string[]} names */
async function fill_cache(names) {
  const cache = await caches.open(cache_name);
  await Promise.all(
    names.map(async (name) => {
      const address = address_of(name);
      const response = await fetch(address, { cache: "no-cache" });
      if (!response.ok) throw new Error(`${address}: ${response.status}`);
      // A copy: some hosts answer "index.html" by a redirect, and browsers take no redirected answer for a page.
      await cache.put(address, new Response(response.body, { headers: response.headers }));
    }),
  );
}

async function delete_old_caches() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(my_caches) && name !== cache_name);
  await Promise.all(old.map((name) => caches.delete(name)));
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

// The built site: once visited it needs no network, below any folder, and it leaves everything else on its host alone.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { write_list } from "../../tools/lib/finish.mjs";
import {
  at_rest,
  dist_file,
  eventually,
  first_picture,
  in_playground,
  link_of,
  next_frames,
  start,
  troubles_of,
  worker_is_there,
} from "./browser.mjs";

const kPath = "courses/llm/playground/";
const kOn = `${kPath}?offline`; // at an address of this machine it has to be asked for

let browser;
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "attn-offline-"));
  browser = await start({ folder, whole: true });
});
beforeEach(() => {
  rmSync(join(folder, kPath), { recursive: true, force: true });
  cpSync(dist_file("site"), join(folder, kPath), { recursive: true });
  mkdirSync(join(folder, "courses/other"), { recursive: true });
  writeFileSync(join(folder, "courses/other/index.html"), "<!doctype html><title>another site</title>");
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const site_file = (name) => join(folder, kPath, name);
const registrations = (page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope));
const cache_names = (page) => page.evaluate(() => caches.keys());

/** For open(): notes in the page and its frames what is asked to be a worker. */
const note_workers = (page) =>
  page.addInitScript(() => {
    globalThis.workers_asked_for = [];
    if (!globalThis.ServiceWorkerContainer) return; // in a sandbox
    const { register } = ServiceWorkerContainer.prototype;
    ServiceWorkerContainer.prototype.register = function (...values) {
      globalThis.workers_asked_for.push(String(values[0]));
      return register.apply(this, values);
    };
  });
/** Waits until web/offline.js has started, and has asked for a worker if the picture is there and it wants one. */
async function offline_has_started(page) {
  await page.locator("link[rel=manifest]").waitFor({ state: "attached" });
  await next_frames(page);
}
const workers_asked_for = (frame) => frame.evaluate(() => globalThis.workers_asked_for);

/** Waits until a condition in the page, which may be a promise, is true. */
const until = (page, condition) => eventually(`${condition}`, () => page.evaluate(condition));

const change = (file, from, to) => {
  const text = readFileSync(file, "utf8");
  assert.ok(typeof from === "string" ? text.includes(from) : from.test(text), `${file} has no ${from}`);
  writeFileSync(file, text.replaceAll(from, to));
};

/** Publishes another version of the site: the title says which. */
function publish(version) {
  change(site_file("index.html"), /<title>[^<]*/g, `<title>Version ${version}`);
  list_anew(join(folder, kPath), version);
}

/** Makes the list anew, without the packed twins, which this server does not use. */
function list_anew(site, version) {
  for (const name of readdirSync(site)) if (/\.(br|gz)$/.test(name)) rmSync(join(site, name));
  write_list(site);
  change(join(site, "sw.js"), /"version":"[^"]*"/g, `"version":"${version}"`);
}

/** Another version of the site in a folder of its own: the title says which, and the program has another name. */
function make_version(version) {
  const site = join(folder, `version-${version}`);
  rmSync(site, { recursive: true, force: true });
  cpSync(dist_file("site"), site, { recursive: true });
  const program = readdirSync(site).find((name) => /^main-[0-9A-Z]{8}\.js$/.test(name));
  const renamed = `main-${version.toUpperCase().padEnd(8, "0")}.js`;
  renameSync(join(site, program), join(site, renamed));
  for (const name of ["index.html", "main.js"]) change(join(site, name), program, renamed);
  change(join(site, "index.html"), /<title>[^<]*/g, `<title>Version ${version}`);
  change(join(site, "author.html"), /<title>[^<]*/g, `<title>Author ${version}`);
  change(join(site, "sw.js"), program, renamed);
  list_anew(site, version);
  return { site, program: renamed };
}

/** Puts files of a version onto the host. */
function upload({ site }, ...names) {
  for (const name of names) cpSync(join(site, name), site_file(name), { recursive: true });
}

/** What becomes of the new worker that the browser finds: "installed", "redundant"; "none" where there is no new one. */
const update = (page) =>
  page.evaluate(async () => {
    const [registration] = await navigator.serviceWorker.getRegistrations();
    await registration.update();
    const found = registration.installing ?? registration.waiting;
    while (found?.state === "installing") await new Promise((resolve) => setTimeout(resolve, 20));
    return found?.state ?? "none";
  });

test("a page that was visited reloads without a network, with its state", async () => {
  const page = await browser.open("heads=4", { path: kOn });
  await worker_is_there(page);
  assert.deepEqual(await registrations(page), [`${browser.url}${kPath}`]);
  await page.context().setOffline(true);
  await page.reload();
  await first_picture(page);
  assert.equal(await in_playground(page, (playground) => playground.link()), "heads=4");
  await page.getByRole("textbox", { name: "Sentence", exact: true }).fill("no network here");
  await at_rest(page);
  assert.equal(link_of(page), "v=1&text=no+network+here&heads=4");
  await page.goto(`${browser.url}${kPath}#heads=1`);
  await page.waitForLoadState("networkidle"); // or the next line breaks off what is still fetched
  await page.goto(`${browser.url}${kPath}author.html`);
  await page.locator("[data-part=message]").waitFor({ state: "hidden" });
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("nothing is kept before the picture is there", async () => {
  let let_go;
  const held = new Promise((resolve) => (let_go = resolve));
  const page = await browser.open("", {
    path: kOn,
    wait: false,
    prepare: async (page) => {
      await note_workers(page);
      await page.route("**/*_first-*.wasm", (route) => held.then(() => route.continue()));
    },
  });
  await offline_has_started(page);
  assert.deepEqual(await workers_asked_for(page), []);
  assert.deepEqual(await registrations(page), []);
  let_go();
  await worker_is_there(page);
  assert.deepEqual(await registrations(page), [`${browser.url}${kPath}`]);
  await page.context().close();
});

test("the rest of the host is left alone", async () => {
  const page = await browser.open("", { path: kOn });
  await worker_is_there(page);
  await page.reload(); // from here on the worker answers
  await first_picture(page);
  assert.equal((await page.goto(`${browser.url}courses/other/`)).fromServiceWorker(), false);
  assert.equal(await page.title(), "another site");
  assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null);
  await page.goto(`${browser.url}${kPath}`);
  const unknown = await page.evaluate(() => fetch("nothing.json").then(({ status }) => status));
  assert.equal(unknown, 404, "what is no file of the site goes to the server");
  await page.context().close();
});

test("while a host is being updated each visitor keeps one version, and has the new one once all of it is there", async () => {
  const [one, two] = ["one", "two"].map(make_version);
  const everything = ({ site }) => readdirSync(site).filter((name) => name !== "fonts");
  rmSync(join(folder, kPath), { recursive: true });
  mkdirSync(join(folder, kPath));
  upload(one, ...everything(one));
  const cache = (version) => `attention-playground ${browser.url}${kPath} ${version}`;
  const page = await browser.open("", { path: kOn });
  await worker_is_there(page);
  await page.reload(); // from here on the worker answers
  const is_still_one = async (where) => {
    assert.deepEqual(await cache_names(page), [cache("one")], where);
    for (const is_offline of [false, true]) {
      await page.context().setOffline(is_offline);
      await page.reload();
      await first_picture(page);
      assert.equal(await page.title(), "Version one", where);
    }
    await page.context().setOffline(false);
  };

  upload(two, "sw.js");
  assert.equal(await update(page), "redundant");
  await is_still_one("the new worker beside the old page");
  const newcomer = await browser.open("", { path: kOn });
  await until(newcomer, async () => (await navigator.serviceWorker.getRegistrations()).length === 0);
  assert.deepEqual(await cache_names(newcomer), [], "who comes now works, and keeps nothing");

  upload(two, "author.html", "main.js", two.program);
  assert.equal(await update(page), "redundant");
  await is_still_one("some of the new files are there");

  rmSync(site_file(one.program));
  assert.equal(await update(page), "redundant");
  await is_still_one("and of the old ones some are gone");

  upload(two, ...everything(two));
  assert.equal(await update(page), "installed");
  await page.reload();
  assert.equal(await page.title(), "Version one", "the page that is open keeps its version");
  const next = await page.context().newPage();
  await page.close();
  await next.goto(`${browser.url}courses/other/`);
  await until(next, async () => (await caches.keys()).every((name) => name.endsWith(" two")));
  for (const visitor of [next, newcomer]) {
    await visitor.goto(`${browser.url}${kOn}`);
    await first_picture(visitor);
    await worker_is_there(visitor);
    assert.equal(await visitor.title(), "Version two");
    assert.deepEqual(await cache_names(visitor), [cache("two")]);
    await visitor.context().close();
  }
});

/** The worker of before lists were compared with what came: it keeps what it gets. */
const kEarlier = (files) => `
  const files = new Set(${JSON.stringify(files)}), scope = self.registration.scope;
  const name = "attention-playground " + scope + " earlier", address = (file) => new URL(file, scope).href;
  self.addEventListener("install", (event) => event.waitUntil((async () => {
    const cache = await caches.open(name);
    await Promise.all([...files].map(async (file) => cache.put(address(file), await fetch(address(file), { cache: "no-cache" }))));
  })()));
  self.addEventListener("fetch", (event) => {
    const file = event.request.url.split(/[?#]/, 1)[0].slice(scope.length) || "index.html";
    if (files.has(file)) event.respondWith((async () =>
      (await (await caches.open(name)).match(address(file))) ?? fetch(event.request))());
  });`;

test("whoever has a mixed version from before has a whole one after a reload, without closing the page", async () => {
  const [one, two] = ["one", "two"].map(make_version);
  upload(one, "index.html", one.program);
  upload(two, "author.html", two.program);
  writeFileSync(site_file("sw.js"), kEarlier(["index.html", "author.html", two.program]));
  const page = await browser.open("", { path: kOn });
  await worker_is_there(page);
  await page.reload();
  assert.equal(await page.title(), "Version one"); // for good, and its program is not among what is kept

  rmSync(site_file(one.program));
  upload(two, ...readdirSync(two.site).filter((name) => name !== "fonts"));
  await page.reload();
  await page.getByText("could not be loaded").waitFor();
  // Nobody asks for the update: the browser does, when a page is opened.
  await until(page, async () => (await caches.keys()).every((name) => name.endsWith(" two")));
  await page.reload();
  await first_picture(page);
  assert.equal(await page.title(), "Version two");
  await page.context().setOffline(true);
  await page.reload();
  await first_picture(page);
  await page.context().close();
});

/** Serves the site's folder; `answer(name, bytes, request)` makes { status, headers, body } of a file. Returns its address. */
async function serve_as(t, answer) {
  const types = {
    html: "text/html",
    js: "text/javascript",
    css: "text/css",
    svg: "image/svg+xml",
    wasm: "application/wasm",
  };
  const server = createServer((request, response) => {
    const name = new URL(request.url, "http://a").pathname.slice(1) || "index.html";
    try {
      const { status = 200, headers, body } = answer(name, readFileSync(site_file(name)), request);
      response
        .writeHead(status, { "content-type": types[name.split(".").at(-1)] ?? "text/plain", ...headers })
        .end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${server.address().port}/`;
}

/** Opens the site at an address of its own. */
async function open_at(address) {
  const context = await browser.browser.newContext();
  const page = await context.newPage();
  await page.goto(`${address}?offline`);
  await first_picture(page);
  return page;
}

test("a host that packs what it sends, or ends lines in another way, is kept from nothing", async (t) => {
  const lines = (bytes) => Buffer.from(bytes.toString("latin1").replaceAll("\n", "\r\n"), "latin1");
  const address = await serve_as(t, (name, bytes) => {
    const body = /\.(html|js|css|svg|webmanifest)$/.test(name) ? lines(bytes) : bytes;
    return { headers: { "content-encoding": "gzip" }, body: gzipSync(body) };
  });
  const page = await open_at(address);
  await worker_is_there(page);
  await page.context().setOffline(true);
  await page.reload();
  await first_picture(page);
  await page.context().close();
});

test("a host that takes two versions of a file for one does not mix them", async (t) => {
  publish("one");
  const address = await serve_as(t, (name, bytes, { headers }) =>
    headers["if-none-match"]
      ? { status: 304 }
      : { headers: { etag: '"the same"', "cache-control": "no-cache" }, body: bytes },
  );
  const page = await open_at(address);
  await worker_is_there(page);
  publish("two");
  // Of sw.js, too, the host would say that it is the same: its address is another one.
  const state = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.register("sw.js?two", { updateViaCache: "none" });
    const found = registration.installing;
    while (found.state === "installing") await new Promise((resolve) => setTimeout(resolve, 20));
    return found.state;
  });
  assert.notEqual(state, "redundant");
  const html = await page.evaluate(async () => {
    const cache = await caches.open((await caches.keys()).find((name) => name.endsWith(" two")));
    return (await cache.match("index.html")).text();
  });
  assert.match(html, /<title>Version two/);
  await page.context().close();
});

test("a host that hands out something else for a file, as the page of a hotel's network, is not believed", async (t) => {
  let is_captive = true;
  const address = await serve_as(t, (name, bytes) => ({
    body: is_captive && name === "author.html" ? "<!doctype html><p>Please pay for the network" : bytes,
  }));
  const page = await open_at(address);
  await until(page, async () => (await navigator.serviceWorker.getRegistrations()).length === 0);
  assert.deepEqual(await cache_names(page), []);
  is_captive = false;
  await page.reload();
  await worker_is_there(page);
  assert.equal((await cache_names(page)).length, 1);
  await page.context().close();
});

const kElsewhere = "attention-playground http://localhost/elsewhere/ 1"; // the same program in another folder of the host

test("a new version is used at the next visit, as a whole, and the old one is thrown away", async () => {
  publish("one");
  const page = await browser.open("", { path: kOn });
  await worker_is_there(page);
  await page.reload(); // from here on the worker answers
  assert.equal(await page.title(), "Version one");
  await page.evaluate((name) => caches.open(name), kElsewhere);
  publish("two");
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await until(page, async () => (await navigator.serviceWorker.ready).waiting !== null);
  await page.reload();
  assert.equal(await page.title(), "Version one", "the page that is open keeps its version");
  const next = await page.context().newPage();
  await page.close();
  await next.goto(`${browser.url}courses/other/`);
  await until(next, async () => {
    const [registration] = await navigator.serviceWorker.getRegistrations();
    return registration.waiting === null && (await caches.keys()).every((name) => !name.endsWith(" one"));
  });
  await next.goto(`${browser.url}${kOn}`);
  assert.equal(await next.title(), "Version two");
  assert.deepEqual(
    (await cache_names(next)).sort(),
    [kElsewhere, `attention-playground ${browser.url}${kPath} two`].sort(),
  );
  await next.context().close();
});

test("a page built for development at the same address gets rid of it", async () => {
  const page = await browser.open("", { path: kOn });
  await worker_is_there(page);
  cpSync(join(process.env.ATTN_PAGE, "sw.js"), site_file("sw.js"));
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await until(page, async () => (await navigator.serviceWorker.getRegistrations()).length === 0);
  await until(page, async () => (await caches.keys()).length === 0);
  await page.context().close();
});

test("without being asked it does nothing on this machine, where pages are built", async () => {
  const page = await browser.open("", { path: kPath, prepare: note_workers });
  await offline_has_started(page);
  assert.deepEqual(await workers_asked_for(page), []);
  assert.deepEqual(await registrations(page), []);
  assert.deepEqual(await cache_names(page), []);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("frames have no worker, sandboxed or not, and nobody complains", async () => {
  const path = `${kPath}host.html`;
  const frame = (attributes) => `<iframe ${attributes} src="./?offline#text=framed" width="900" height="600"></iframe>`;
  const page = await browser.open("", {
    path,
    wait: false,
    prepare: async (page) => {
      await note_workers(page);
      await page.route("**/host.html", (route) =>
        route.fulfill({ contentType: "text/html", body: frame('sandbox="allow-scripts"') + frame("") }),
      );
    },
  });
  for (const one of page.frames().slice(1)) {
    await one.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
    await one.waitForLoadState("load");
    await next_frames(one);
    assert.equal(await one.locator("link[rel=manifest]").count(), 0);
    assert.deepEqual(await workers_asked_for(one), []);
  }
  assert.deepEqual(await registrations(page), []);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a browser that refuses service workers, as private windows do, hears no complaint", async () => {
  for (const refuse of [
    () => (ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException("no", "SecurityError"))),
    () => Object.defineProperty(Navigator.prototype, "serviceWorker", { get: () => undefined }),
    () =>
      Object.defineProperty(Navigator.prototype, "serviceWorker", {
        get: () => {
          throw new DOMException("no", "SecurityError");
        },
      }),
  ]) {
    const page = await browser.open("", { path: kOn, prepare: (page) => page.addInitScript(refuse) });
    await offline_has_started(page);
    assert.equal(troubles_of(page), "");
    await page.context().close();
  }
});

test("opened from disk the site is silent too", async () => {
  const page = await browser.open("", { path: kPath, wait: false });
  page.troubles.length = 0;
  await page.goto(`${pathToFileURL(site_file("index.html"))}#text=from+disk`);
  await page.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
  assert.deepEqual(
    page.troubles.filter((trouble) => !trouble.startsWith("request: file://")),
    [],
  );
  await page.context().close();
});

test("the manifest makes the site installable: everything it names is there", async () => {
  const page = await browser.open("", { path: kPath });
  const session = await page.context().newCDPSession(page);
  const { url, errors } = await session.send("Page.getAppManifest");
  assert.equal(url, `${browser.url}${kPath}manifest.webmanifest`);
  assert.deepEqual(errors, []);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  assert.deepEqual(
    installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"),
    [],
  );
  await page.context().close();
});

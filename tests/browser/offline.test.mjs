// The built site: once visited it needs no network, below any folder, and it leaves everything else on its host alone.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { pathToFileURL } from "node:url";
import { at_rest, dist_file, first_picture, in_playground, link_of, start, troubles_of } from "./browser.mjs";

const kPath = "courses/llm/playground/";
const kOn = `${kPath}?offline`; // at an address of this machine it has to be asked for

let browser;
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "attn-offline-"));
  browser = await start({ folder });
});
beforeEach(() => {
  cpSync(dist_file("site"), join(folder, kPath), { recursive: true });
  mkdirSync(join(folder, "courses/other"), { recursive: true });
  writeFileSync(join(folder, "courses/other/index.html"), "<!doctype html><title>another site</title>");
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const site_file = (name) => join(folder, kPath, name);
/** Waits until everything is kept. */
const kept = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
const registrations = (page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope));
const cache_names = (page) => page.evaluate(() => caches.keys());

/** Waits until a condition in the page, which may be a promise, is true. */
async function until(page, condition) {
  for (let tries = 0; tries < 300; ++tries) {
    if (await page.evaluate(condition)) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`this has not come true: ${condition}`);
}

/** Publishes another version of the site: the title says which. */
function publish(version) {
  const html = readFileSync(site_file("index.html"), "utf8").replace(/<title>[^<]*/, `<title>Version ${version}`);
  writeFileSync(site_file("index.html"), html);
  writeFileSync(
    site_file("sw.js"),
    readFileSync(site_file("sw.js"), "utf8").replace(/"version":"[^"]*"/, `"version":"${version}"`),
  );
}

test("a page that was visited reloads without a network, with its state", async () => {
  const page = await browser.open("heads=4", { path: kOn });
  await kept(page);
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
    prepare: (page) => page.route("**/*_first-*.wasm", (route) => held.then(() => route.continue())),
  });
  await page.waitForLoadState("load");
  await page.waitForTimeout(200); // a worker would have been registered by now
  assert.deepEqual(await registrations(page), []);
  let_go();
  await kept(page);
  assert.deepEqual(await registrations(page), [`${browser.url}${kPath}`]);
  await page.context().close();
});

test("the rest of the host is left alone", async () => {
  const page = await browser.open("", { path: kOn });
  await kept(page);
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

const kElsewhere = "attention-playground http://localhost/elsewhere/ 1"; // the same program in another folder of the host

test("a new version is used at the next visit, as a whole, and the old one is thrown away", async () => {
  publish("one");
  const page = await browser.open("", { path: kOn });
  await kept(page);
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
  await kept(page);
  cpSync(join(process.env.ATTN_PAGE, "sw.js"), site_file("sw.js"));
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await until(page, async () => (await navigator.serviceWorker.getRegistrations()).length === 0);
  await until(page, async () => (await caches.keys()).length === 0);
  await page.context().close();
});

test("without being asked it does nothing on this machine, where pages are built", async () => {
  const page = await browser.open("", { path: kPath });
  await page.waitForTimeout(500);
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
    prepare: (page) =>
      page.route("**/host.html", (route) =>
        route.fulfill({ contentType: "text/html", body: frame('sandbox="allow-scripts"') + frame("") }),
      ),
  });
  for (const one of page.frames().slice(1)) {
    await one.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
    assert.equal(await one.locator("link[rel=manifest]").count(), 0);
  }
  await page.waitForTimeout(300);
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
    await page.waitForTimeout(200);
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

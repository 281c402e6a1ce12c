// What the browser tests share: the built page on a local server, a Chromium, and pages that hold against us every console
// error, every violation of the content security policy and every request that leaves the origin.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before } from "node:test";
import { serve } from "../../tools/serve.mjs";
import { eventually, kPatience } from "../patience.mjs";
import { find_chromium } from "./chromium.mjs";

export { eventually } from "../patience.mjs";

/**
 * Serves the page, or another folder, and gets a browser: the run's, if that will do (chromium.mjs).
 * @param args further command line arguments of Chromium
 * @param whole true: the whole browser. The shell fetches no icon, installs no site, and has no clipboard, downloads or
 *   file dialogs.
 */
export async function start({ args = [], folder = process.env.ATTN_PAGE, whole = false } = {}) {
  if (!folder) throw new Error("ATTN_PAGE must name the folder of the built page");
  const server = await serve(folder);
  const browser = await find_chromium({ args, whole });
  return {
    url: server.url,
    browser,
    /** Opens the page at a link and waits for its first picture. Options are Playwright's, plus these. */
    open: (link = "", options = {}) => open(browser, server.url, link, options),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** A browser for all tests of a file: it starts before the first and is closed after the last. Options are start()'s. */
export function browser_of_file(options) {
  const browser = {};
  before(async () => Object.assign(browser, await start(options)));
  after(() => browser.close?.());
  return browser;
}

/**
 * Without a link that is the matrix view, as in a frame; with `is_bare` the page's own address, which is the opening scene.
 * @param path of the page below the served folder
 * @param prepare called with the new page before it loads anything
 * @param wait false: do not wait for the first picture
 */
async function open(
  browser,
  url,
  link,
  { path = "", is_bare = path !== "", prepare, wait = true, ...context_options },
) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...context_options });
  context.setDefaultTimeout(kPatience);
  const page = await context.newPage();
  page.troubles = [];
  const origin = new URL(url).origin;
  page.on("console", (message) => {
    page.troubles.push(`console: ${message.text()}`); // nobody has anything to say there
  });
  page.on("pageerror", (error) => page.troubles.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(`${origin}/`) && !/^(data|blob):/.test(address)) page.troubles.push(`request: ${address}`);
  });
  if (prepare) await prepare(page, context);
  const shown = link === "" && !is_bare ? "v=1" : link;
  await page.goto(`${url}${path}${shown === "" ? "" : `#${shown}`}`);
  if (wait) await first_picture(page);
  return page;
}

/** A page of a course with the playground in a sandboxed frame, from a server that knows nothing of it. */
export const open_in_sandbox = (browser, link, options = {}) =>
  browser.open("", {
    ...options,
    wait: false,
    path: "course.html",
    prepare: (page) =>
      page.route("**/course.html", (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<!doctype html><body style="margin:0"><iframe sandbox="allow-scripts" src="index.html#${link.replace(/&/g, "&amp;")}"
                 style="border:0;width:100%;height:780px"></iframe>`,
        }),
      ),
  });

/** Waits until the playground can be used and its picture rests. */
export async function first_picture(page) {
  // Its attribute counts: before the page has its styles nothing in it has a size, and all would be taken for hidden.
  await page.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
  await at_rest(page);
}

/** Opens another link in a page that is there, as somebody does who edits its address: in a tenth of the time of a new page. */
export async function go_to(page, link) {
  await page.evaluate((link) => (location.hash = link), link || "v=1");
  await at_rest(page);
}

/** Waits until nothing waits to be drawn and the link is written. */
export async function at_rest(page) {
  const look = async (playground, patience) => {
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    let idle = 0; // times in a row; the first may be too early, an event may still be on its way into the page
    for (const end = Date.now() + patience; Date.now() < end && idle < 2;) {
      await pause(50);
      idle = playground.is_idle() ? idle + 1 : 0;
    }
    if (idle < 2) throw new Error("the picture goes on moving");
  };
  await in_playground(page, look, kPatience);
}

/** Waits until the page has drawn what it knows so far: a frame, and the one that follows. */
export const next_frames = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Calls `work(playground, argument)` in the page. */
export function in_playground(page, work, argument) {
  // As one expression: the page's security policy lets nothing be compiled from text inside it.
  const value = JSON.stringify(argument) ?? "undefined";
  return page.evaluate(`import("./main.js").then((main) => main.playground).then((one) => (${work})(one, ${value}))`);
}

/** What the text version has of the present state. */
export const mirror_of = (page) => in_playground(page, (playground) => playground.engine.mirror(playground.link()));

/** What stands where on the canvas, in CSS pixels of the page. */
export async function items(page) {
  const canvas = await page.locator("[data-part=canvas]").first().boundingBox();
  const found = await in_playground(page, (playground) => playground.draw());
  return found.map((item) => ({
    ...item,
    x0: item.x0 + canvas.x,
    x1: item.x1 + canvas.x,
    y0: item.y0 + canvas.y,
    y1: item.y1 + canvas.y,
  }));
}

/** The item of this name, which must be on the screen, with its middle. */
export async function item(page, name) {
  const all = await items(page);
  const found = all.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`there is no "${name}" on the screen, only ${all.map((one) => one.name).join(" ")}`);
  return { ...found, x: (found.x0 + found.x1) / 2, y: (found.y0 + found.y1) / 2 };
}

/** Clicks the middle of an item, which must be in sight, while the picture moves. */
export async function press_item(page, name) {
  const { x, y, is_clipped } = await item(page, name);
  if (is_clipped) throw new Error(`"${name}" is scrolled out of sight`);
  await page.mouse.click(x, y);
}

/** The same, and waits for the picture to rest. */
export async function click_item(page, name) {
  await press_item(page, name);
  await at_rest(page);
}

/** A finger that goes from one place to another in small steps. */
export async function drag(page, from, to) {
  const client = await page.context().newCDPSession(page);
  const touch = (type, points) => client.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  const kSteps = 8;
  await touch("touchStart", [from]);
  for (let i = 1; i <= kSteps; ++i) {
    const share = i / kSteps;
    await touch("touchMove", [{ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }]);
    await next_frames(page);
  }
  await touch("touchEnd", []);
}

/** A whole number of the state that is shown; 0 if its link does not say it. */
export const shown_number = (page, key) =>
  in_playground(page, (playground, key) => Number(new URLSearchParams(playground.link()).get(key) ?? 0), key);

/** The link in the address bar. */
export const link_of = (page) => new URL(page.url()).hash.slice(1);

/** The sum of what a page did wrong; empty in a good test. */
export const troubles_of = (page) => page.troubles.join("\n");

/** Closes a page that nothing has gone wrong in. */
export async function close_untroubled(page) {
  assert.equal(troubles_of(page), "");
  await page.context().close();
}

/** Waits until the service worker of a page has all of its files. */
export const worker_is_there = (page) =>
  eventually("the worker", () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations())[0]?.active?.state === "activated"),
  );

/** A file or folder of what tools/dist.mjs made of the page. */
export function dist_file(name) {
  const folder = process.env.ATTN_DIST;
  if (!folder) throw new Error("ATTN_DIST must name the folder that tools/dist.mjs has filled");
  return join(folder, name);
}

// Pages of other people around the playground: two local servers, two sites (localhost has the playground, 127.0.0.1 the host page).
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "../../tools/serve.mjs";
import { kPatience } from "../patience.mjs";
import { at_rest, eventually, start } from "./browser.mjs";

const kExample = "https://example.org/playground/";
// What Chromium says by itself about contexts that are given back on purpose.
const kNoTrouble = /CONTEXT_LOST_WEBGL|favicon/;

/** Serves the playground and an empty folder of another origin, and starts a browser. */
export async function start_with_host(options) {
  const playground = await start(options);
  const folder = mkdtempSync(join(tmpdir(), "attn-host-"));
  const server = await serve(folder);
  const host = `http://127.0.0.1:${server.port}/`;
  return {
    /** The playground's page. */
    url: playground.url,
    /** The host's. */
    host,
    host_origin: new URL(host).origin,
    browser: playground.browser,
    /** The same playground from the host's own origin. */
    copy_playground: () => cpSync(process.env.ATTN_PAGE, join(folder, "playground"), { recursive: true }),
    copy: (from, to) => cpSync(from, join(folder, to), { recursive: true }),
    /** Opens a host page with this HTML. Options are Playwright's, plus prepare(page). */
    open: (html, options = {}) => open(playground.browser, folder, host, playground.url, html, options),
    /** An example or a piece of the documentation, with the playground where it really is. */
    example: (html, url = playground.url) => html.replaceAll(kExample, url),
    async close() {
      await playground.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The text of a file in examples/. */
export function example_file(name) {
  return readFileSync(new URL(`../../examples/${name}`, import.meta.url), "utf8");
}

async function open(browser, folder, host, playground_url, html, { prepare, ...context_options }) {
  writeFileSync(join(folder, "host.html"), html);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...context_options });
  context.setDefaultTimeout(kPatience);
  const page = await context.newPage();
  page.troubles = [];
  const trouble = (text) => kNoTrouble.test(text) || page.troubles.push(text);
  page.on("console", (message) => trouble(`console: ${message.text()} ${message.location().url}`));
  page.on("pageerror", (error) => trouble(`error: ${error.message}`));
  page.on("request", (request) => {
    const address = request.url();
    const is_known = address.startsWith(host) || address.startsWith(playground_url);
    if (!is_known && !/^(data|blob|about):/.test(address)) trouble(`request: ${address}`);
  });
  if (prepare) await prepare(page, context);
  await page.goto(`${host}host.html`, { waitUntil: "domcontentloaded" });
  return page;
}

/** The frame inside the element or iframe that `selector` finds, when its picture rests. It may be in a sandbox. */
export async function frame_of(page, selector = "iframe") {
  const handle = await page.locator(selector).first().elementHandle();
  const tag = await handle.evaluate((element) => element.localName);
  const iframe = tag === "iframe" ? handle : await handle.waitForSelector("iframe", { state: "attached" });
  const frame = await iframe.contentFrame();
  await frame.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
  if (!(await is_sandboxed(frame))) await at_rest(frame);
  return frame;
}

/** The visitor types into the frame's field; waits until the state has rested, is written down, and the page around was told. */
export async function type_in(frame, text) {
  await frame.getByRole("textbox", { name: "Sentence", exact: true }).fill(text);
  const written = () => new URLSearchParams(new URL(frame.url()).hash.slice(1)).get("text") === text;
  await eventually(`"${text}" in the address, not ${frame.url()}`, written);
  await page_has_heard(frame);
}

/** Waits until all messages that the frame has sent so far have reached the page around: a last one has. */
export const page_has_heard = (frame) =>
  has_heard(frame.page(), (last) => frame.evaluate((last) => parent.postMessage(last, "*"), last));

/** The same the other way: those of the page around, in the frame. */
export async function frame_has_heard(frame) {
  const iframe = await frame.frameElement();
  await has_heard(frame, (last) => iframe.evaluate((one, last) => one.contentWindow.postMessage(last, "*"), last));
}

/** Lets `send` send a message, and waits until it is in `place`, a page or a frame: what was sent before it is there, too. */
export async function has_heard(place, send) {
  const last = { only_for_tests: `last ${Math.random()}` };
  await place.evaluate(({ only_for_tests }) => {
    globalThis.last_is_here = new Promise((resolve) =>
      addEventListener("message", ({ data }) => data?.only_for_tests === only_for_tests && resolve()),
    );
  }, last);
  await send(last);
  await place.evaluate(() => globalThis.last_is_here);
}

/** Scripts of the tests cannot load modules in there. */
export const is_sandboxed = (frame) => frame.evaluate(() => self.origin === "null");

/** A script for host pages: what frames say is collected in `heard`. */
export const kListen = `<script>
  globalThis.heard = [];
  addEventListener("message", ({ data, origin, source }) => {
    if (data?.only_for_tests) return;
    const place = [...document.querySelectorAll("iframe")].findIndex((one) => one.contentWindow === source);
    globalThis.heard.push({ place, origin, data });
  });
  globalThis.ask = (frame, message) => new Promise((resolve, reject) => {
    const id = Math.random();
    addEventListener("message", function take({ data }) {
      if (data.id !== id) return;
      removeEventListener("message", take);
      if ("error" in data) reject(new Error(data.error)); else resolve(data.value);
    });
    frame.contentWindow.postMessage({ attention: 1, id, ...message }, "*");
  });
</script>`;

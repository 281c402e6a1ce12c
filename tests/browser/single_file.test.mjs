// dist/attention-playground.html: the whole program in one file, from disk, from a stick, from a course system, without a request.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import pngjs from "pngjs";
import { kPatience } from "../patience.mjs";
import { dist_file, eventually, start } from "./browser.mjs";

const kFolder = "pluginfile.php/12/mod_resource/content/1"; // where Moodle serves a file resource from

let browser;
let folder;
let file;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "attn single file ")); // a path with spaces, as on people's disks
  mkdirSync(join(folder, kFolder), { recursive: true });
  file = join(folder, kFolder, "Attention (week 3).html");
  cpSync(dist_file("attention-playground.html"), file);
  browser = await start({ folder });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens an address without a network; page.asked has every request but the file's own. */
async function open(address, { is_offline = true, html, ...options } = {}) {
  const context = await browser.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(kPatience);
  await context.setOffline(is_offline);
  const page = await context.newPage();
  page.asked = [];
  page.troubles = [];
  page.on("request", (request) => {
    if (!request.isNavigationRequest() && !/^(data|blob):/.test(request.url())) page.asked.push(request.url());
  });
  page.on("console", (message) => page.troubles.push(message.text()));
  page.on("pageerror", (error) => page.troubles.push(error.message));
  if (html) await page.route("**/host.html", (route) => route.fulfill({ contentType: "text/html", body: html }));
  await page.goto(address);
  return page;
}

const ready = (frame) => frame.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
const sentence = (frame) => frame.getByRole("textbox", { name: "Sentence", exact: true });
const from_disk = (link) => `${pathToFileURL(file)}#${link}`;

/** How many colours a screenshot has: an empty canvas has a few. */
async function num_colors(page) {
  const { data } = pngjs.PNG.sync.read(await page.screenshot());
  return new Set(new Uint32Array(data.buffer, data.byteOffset, data.length / 4)).size;
}

test("opened from disk without a network the picture is drawn, and nothing is asked for", async () => {
  const page = await open(from_disk("text=from+a+stick&heads=4&cell=2,2,1"));
  await ready(page);
  assert.equal(await sentence(page).inputValue(), "from a stick");
  await eventually("a picture", async () => (await num_colors(page)) > 200);
  assert.deepEqual(page.asked, []);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("the link in the address is read, written and followed", async () => {
  const page = await open(from_disk("text=one+two"));
  await ready(page);
  await sentence(page).fill("one two three");
  await page.waitForFunction(() => location.hash === "#v=1&text=one+two+three");
  await page.evaluate(() => (location.hash = "#text=another"));
  await page.waitForFunction(() => document.querySelector("[data-part=sentence]").value === "another");
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("a session is saved and opened again", async () => {
  const page = await open(from_disk("text=keep+me&heads=4"));
  await ready(page);
  await page.getByRole("button", { name: "Show as text" }).click();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: /^Save: .*session/i }).click();
  const session = join(folder, "mine.attention");
  await (await saved).saveAs(session); // the run's browser may have its own files elsewhere
  assert.match(readFileSync(session, "utf8"), /"keep me"/);
  await sentence(page).fill("something else");
  await page
    .getByRole("table", { name: /^weights, head 1\./ })
    .getByText("something")
    .first()
    .waitFor();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: /^Open a session file/ }).click();
  await (await chooser).setFiles({ name: "mine.attention", mimeType: "", buffer: readFileSync(session) });
  await page
    .getByRole("table", { name: /^weights, head 4\./ })
    .getByText("keep")
    .first()
    .waitFor();
  assert.deepEqual(page.asked, []);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("a spreadsheet is saved, by the module that is in the file", async () => {
  const page = await open(from_disk("text=keep+me&heads=2"));
  await ready(page);
  await page.getByRole("button", { name: "Show as text" }).click();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save: Spreadsheet" }).click();
  const workbook = join(folder, "mine.xlsx");
  await (await saved).saveAs(workbook);
  const attn = join(process.env.ATTN_NATIVE, "attn");
  const { stdout } = spawnSync(attn, ["export", "xlsx", "text=keep+me&heads=2"], { maxBuffer: 1 << 28 });
  assert.ok(readFileSync(workbook).equals(stdout));
  assert.deepEqual(page.asked, []);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

for (const [where, attributes] of [
  ["in a frame", ""],
  ["in a sandboxed frame", 'sandbox="allow-scripts"'],
]) {
  test(`as a course system serves it, ${where}`, async () => {
    const src = `${kFolder}/Attention%20(week%203).html#text=week+three`;
    const page = await open(`${browser.url}host.html`, {
      is_offline: false,
      html: `<!doctype html><iframe ${attributes} src="${src}" width="1000" height="700"></iframe>`,
    });
    const frame = page.frames()[1];
    await ready(frame);
    assert.equal(await sentence(frame).inputValue(), "week three");
    await sentence(frame).fill("and four");
    await frame.waitForFunction(() => location.hash === "#v=1&text=and+four", null, { polling: 100 });
    assert.deepEqual(
      page.asked.filter((address) => !address.endsWith("/favicon.ico")),
      [],
    );
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
}

test("its policy stops whatever is not inside it", async () => {
  const page = await open(from_disk(""));
  await ready(page);
  const refused = await page.evaluate(async (address) => {
    const blocked = [];
    const all_blocked = new Promise((done) =>
      document.addEventListener("securitypolicyviolation", (event) => {
        if (blocked.push(event.effectiveDirective) === 3) done();
      }),
    );
    await fetch(address).catch(() => {});
    const script = document.createElement("script");
    script.textContent = "globalThis.intruder = true";
    document.head.append(script);
    const image = new Image();
    image.src = address;
    await all_blocked;
    return { blocked, intruder: globalThis.intruder };
  }, `${browser.url}x`);
  assert.deepEqual(refused.blocked.sort(), ["connect-src", "img-src", "script-src-elem"]);
  assert.equal(refused.intruder, undefined);
  await page.context().close();
});

// The main path in Firefox: the page, a link, typing, clicking, the text version, frames and elements in another page. The
// system's own Firefox, on a screen made for it: without one it has no WebGL.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { firefox } from "playwright-core";
import { with_screen } from "../../tools/lib/screen.mjs";
import { serve } from "../../tools/serve.mjs";
import { kPatience } from "../patience.mjs";
import { at_rest, click_item, eventually, first_picture, in_playground, item, items, link_of } from "./browser.mjs";
import { frame_of, kListen } from "./hosts.mjs";
import { LyingHost } from "./lying_host.mjs";

/** The path of a program, or nothing. */
const path_of = (name) => spawnSync("sh", ["-c", 'command -v "$0"', name], { encoding: "utf8" }).stdout.trim();
const program = process.env.FIREFOX ?? (path_of("firefox-esr") || path_of("firefox"));
const skip = !program ? "no Firefox is installed" : !path_of("Xvfb") ? "no Xvfb is installed" : false;

let browser, playground, host, folder;
let screen_is_done = () => {};
let screen_ended = Promise.resolve();

before(async () => {
  if (skip) return;
  const screen = await new Promise((resolve, reject) => {
    screen_ended = with_screen((environment) => {
      resolve(environment);
      return new Promise((done) => (screen_is_done = done));
    });
    screen_ended.catch(reject);
  });
  playground = await serve(process.env.ATTN_PAGE);
  folder = mkdtempSync(join(tmpdir(), "attn-firefox-"));
  cpSync(join(process.env.ATTN_PAGE, "attention-playground.js"), join(folder, "attention-playground.js"));
  host = await serve(folder);
  browser = await firefox.launch({
    channel: "moz-firefox", // an ordinary Firefox, through WebDriver BiDi
    executablePath: program,
    firefoxUserPrefs: { "webgl.force-enabled": true }, // in software
    env: { ...process.env, ...screen },
    timeout: kPatience,
  });
});
after(async () => {
  await browser?.close();
  await playground?.close();
  await host?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
  screen_is_done();
  await screen_ended;
});

/** A new page, which collects what goes wrong. */
async function new_page() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(kPatience);
  const page = await context.newPage();
  page.troubles = [];
  page.on("console", (message) => page.troubles.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => page.troubles.push(`error: ${error.message}`));
  return page;
}

async function open(link) {
  const page = await new_page();
  await page.goto(`${playground.url}#${link || "v=1"}`);
  await first_picture(page);
  return page;
}

async function open_host(body) {
  writeFileSync(join(folder, "host.html"), `<!doctype html><body style="margin:0">${kListen}${body}</body>`);
  const page = await new_page();
  await page.goto(`http://127.0.0.1:${host.port}/host.html`);
  return page;
}

/** How many colours the canvas shows. */
const num_colors = (page) =>
  in_playground(page, (one) => {
    one.draw();
    const canvas = document.querySelector("[data-part=canvas]");
    const copy = document.createElement("canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    return new Set(new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer)).size;
  });

test(
  "a link is drawn, the sentence typed, a setting and a cell clicked, and the address follows",
  { skip },
  async () => {
    const page = await open("text=the+cat+sat&heads=1");
    assert.ok((await num_colors(page)) > 50);
    const field = page.getByRole("textbox", { name: "Sentence" });
    assert.equal(await field.inputValue(), "the cat sat");
    await field.fill("a dog ran home");
    await page.waitForFunction(() => location.hash.includes("text=a+dog+ran+home"));
    await at_rest(page);
    assert.equal(link_of(page), "v=1&text=a+dog+ran+home&heads=1");
    await click_item(page, "mask=none");
    assert.equal(link_of(page), "v=1&text=a+dog+ran+home&heads=1&mask=none");
    const map = await item(page, "map=1");
    await page.mouse.click(map.x0 + ((map.x1 - map.x0) * 1.5) / 4, map.y0 + ((map.y1 - map.y0) * 2.5) / 4);
    await at_rest(page);
    assert.match(link_of(page), /cell=1,2,1/);
    assert.match(await page.locator("[data-part=announcement]").textContent(), /^weights, head 1, ran to dog: 0\.\d+/);
    await page.goBack();
    await at_rest(page);
    assert.doesNotMatch(link_of(page), /cell/);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  },
);

test("a number is typed into the picture, and Tab leads out of it", { skip }, async () => {
  const page = await open("");
  const { x, y } = await item(page, "d_in");
  await page.mouse.dblclick(x, y);
  await at_rest(page);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("6");
  await page.keyboard.press("Enter");
  await at_rest(page);
  assert.equal(link_of(page), "v=1&d_in=6");
  await page.locator("[data-part=canvas]").focus();
  await page.keyboard.press("Shift+Tab");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.part), "theme");
  await page.context().close();
});

test("the text version has the same numbers", { skip }, async () => {
  const page = await open("text=one+two&heads=1");
  const trace = JSON.parse(await in_playground(page, (one) => one.engine.trace(one.link(), "weights")));
  await page.getByRole("button", { name: "Show as text" }).click();
  await page.getByRole("heading", { name: "The picture as text" }).waitFor();
  const last = trace.sentences[0].stages[0].values[0][1][1];
  await page
    .getByRole("cell", { name: last.toFixed(4) })
    .first()
    .waitFor();
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("a sandboxed frame of another site shows its state and tells nothing", { skip }, async () => {
  const page = await open_host(
    `<iframe src="${playground.url}index.html#text=in+a+sandbox" sandbox="allow-scripts" width="1000" height="640"></iframe>` +
      '<div style="height:3000px"></div>',
  );
  const frame = await frame_of(page);
  // The keys of WebDriver do not reach frames of another process.
  await frame.getByRole("textbox", { name: "Sentence" }).evaluate((field) => {
    field.value = "private words";
    field.dispatchEvent(new Event("input"));
  });
  await frame.waitForFunction(() => location.hash.includes("text=private+words"), null, { polling: 100 });
  const heard = await page.evaluate(() => globalThis.heard.map(({ data }) => data));
  assert.ok(heard.some(({ type }) => type === "ready"));
  assert.doesNotMatch(JSON.stringify(heard), /private/);
  await page.mouse.move(500, 400);
  await page.evaluate(() => document.activeElement.blur());
  await page.mouse.wheel(0, 200);
  await eventually("the wheel scrolls the page around", () => page.evaluate(() => scrollY > 100));
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("elements share one compile, answer, rest out of sight and come back", { skip }, async () => {
  const element = (text) =>
    `<attention-playground src="${playground.url}index.html" text="${text}"></attention-playground>`;
  const page = await open_host(
    `<script type="module" src="attention-playground.js"></script>${element("one two")}` +
      `<div style="height:3000px"></div>${element("three four")}`,
  );
  const first = await frame_of(page, "attention-playground >> nth=0");
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const second = await frame_of(page, "attention-playground >> nth=1");
  const compiled = await second.evaluate(() => {
    const [mine, others] = [window, parent[0]].map((one) => [...one.attention_playground_compiled.values()][0]);
    return Promise.all([mine, others]).then(([mine]) => mine instanceof WebAssembly.Module);
  });
  assert.equal(compiled, true);
  assert.equal(
    await page.evaluate(() => document.querySelectorAll("attention-playground")[1].getState()),
    "v=1&text=three+four",
  );
  const has_context = (frame) =>
    frame.evaluate(() => !document.querySelector("[data-part=canvas]").getContext("webgl2").isContextLost());
  await first.waitForFunction(() => document.querySelector(".still"), null, { polling: 200 }); // after 3 s out of sight
  assert.equal(await has_context(first), false);
  await page.evaluate(() => scrollTo(0, 0));
  await first.waitForFunction(() => !document.querySelector(".still"), null, { polling: 200 });
  await at_rest(first);
  assert.equal(await has_context(first), true);
  assert.ok((await num_colors(first)) > 50);
  assert.ok((await items(first)).some(({ name }) => name === "token=1"));
  const size = await page.evaluate(async () => (await document.querySelector("attention-playground").exportPNG()).size);
  assert.ok(size > 1000);
  await page.evaluate(() => document.querySelectorAll("attention-playground").forEach((one) => one.remove()));
  assert.equal(page.frames().length, 1);
  assert.deepEqual(
    page.troubles.filter((one) => !/WebGL context was lost/.test(one)),
    [],
  );
  await page.context().close();
});

test("a model is fetched from a host whose files every site may read", { skip }, async () => {
  const files = ["config.json", "tokenizer.json", "model.safetensors"].map((name) => [
    `/m/${name}`,
    readFileSync(new URL(`../../models/first-words/${name}`, import.meta.url)),
  ]);
  const models = await new LyingHost(Object.fromEntries(files)).start();
  const page = await new_page();
  await page.goto(`${playground.url}fetch.html`);
  await page.getByRole("textbox", { name: "Address of the model" }).fill(`${models.url}m/`);
  await page.getByRole("button", { name: `Look at ${models.host}` }).click();
  await page.getByRole("button", { name: /^Fetch / }).click();
  await page.getByText("The model is open in the playground below.").waitFor();
  const methods = new Set(models.asked.map(({ method }) => method));
  assert.deepEqual([...methods], ["GET"], "no host has to be asked first whether a range may be asked for");
  await page.context().close();
  await models.close();
});

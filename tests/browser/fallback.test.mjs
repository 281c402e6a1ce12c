// Browsers that lack something, and frames that may do little: a sentence, the numbers as tables, or the whole program anyway.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { browser_of_file, eventually, open_in_sandbox, troubles_of } from "./browser.mjs";

const browser = browser_of_file();

/** Opens the page after taking something away from the browser. */
const open_without = (take_away, link) =>
  browser.open(link, { wait: false, prepare: (page) => page.addInitScript(take_away) });

function take_webgl2_away() {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind === "webgl2" ? null : getContext.call(this, kind, ...rest);
  };
}

test("without WebGL2 a sentence says so, and the numbers are there as tables", async () => {
  const page = await open_without(take_webgl2_away, "text=a+small+step&cell=2,2,1");
  await page.getByText("This browser has no WebGL2").waitFor();
  const table = page.getByRole("table", { name: /^weights, head 2\./ });
  assert.deepEqual(await table.getByRole("columnheader").allTextContents(), ["a", "small", "step"]);
  const expected = await page.evaluate(
    `import("./main.js").then((main) => main.playground).then((one) => {
       const [stage] = JSON.parse(one.engine.trace("text=a+small+step", "weights")).sentences[0].stages;
       return stage.values[1][2].map((value) => value.toFixed(4));
     })`,
  );
  const row = table.getByRole("row").last();
  assert.deepEqual(await row.getByRole("cell").allTextContents(), expected);
  assert.equal(await page.getByRole("button", { name: "Show as text" }).isVisible(), false);

  await page.getByRole("textbox", { name: "Sentence", exact: true }).fill("other words");
  await page
    .getByRole("table", { name: /^weights, head 1\./ })
    .getByText("words")
    .first()
    .waitFor();
  await page.getByRole("combobox", { name: "mask", exact: true }).selectOption("none");
  assert.equal(new URL(page.url()).hash, "#v=1&text=other+words&mask=none&cell=2,1,1");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a browser without WebAssembly gets a sentence", async () => {
  const page = await open_without(() => delete globalThis.WebAssembly);
  await page.getByText("This browser does not run WebAssembly").waitFor();
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a browser whose WebAssembly has no SIMD gets a sentence", async () => {
  const page = await open_without(() => (WebAssembly.validate = () => false));
  await page.getByText("This browser's WebAssembly has no SIMD").waitFor();
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("shaders that do not compile leave the sentence and the tables", async () => {
  const page = await open_without(() => {
    const { shaderSource } = WebGL2RenderingContext.prototype;
    WebGL2RenderingContext.prototype.shaderSource = function (shader, text) {
      shaderSource.call(this, shader, `${text}\nnonsense`);
    };
  });
  await page.getByRole("table", { name: /^weights, head 1\./ }).waitFor();
  assert.match(await page.locator(".plain-absence").textContent(), /A shader does not compile here: .*nonsense/s);
  await page.context().close();
});

const in_sandbox = (options) => open_in_sandbox(browser, "text=in+a+sandbox&heads=4", options);

test("in a sandboxed frame the whole program runs", async () => {
  const page = await in_sandbox({ colorScheme: "light" });
  const frame = page.frames()[1];
  await frame.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
  assert.equal(await frame.evaluate(() => self.origin), "null");
  const field = frame.getByRole("textbox", { name: "Sentence", exact: true });
  assert.equal(await field.inputValue(), "in a sandbox");
  const first = await page.screenshot();
  await field.fill("and typed");
  await eventually("another picture", async () => !(await page.screenshot()).equals(first));
  await page.emulateMedia({ colorScheme: "dark" });
  await frame.locator("[data-theme=dark]").waitFor();
  await frame.getByRole("button", { name: "Show as text" }).click();
  await frame.getByRole("table", { name: /^weights, head 4\./ }).waitFor();
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the page opened from disk runs too", async () => {
  const page = await browser.open("", { wait: false });
  page.troubles.length = 0;
  await page.goto(`${pathToFileURL(join(process.env.ATTN_PAGE, "index.html"))}#text=from+disk`);
  await page.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
  assert.equal(await page.getByRole("textbox", { name: "Sentence", exact: true }).inputValue(), "from disk");
  const own = page.troubles.filter((trouble) => !trouble.startsWith("request: file://"));
  assert.deepEqual(own, []);
  await page.context().close();
});

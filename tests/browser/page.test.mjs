// The page itself: what it loads, what it says before and after, and that it keeps to itself.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { at_rest, browser_of_file, eventually, first_picture, link_of, troubles_of } from "./browser.mjs";

const browser = browser_of_file({ whole: true });

test("it loads without errors, without foreign requests, and within its content security policy", async () => {
  const page = await browser.open();
  assert.equal(await page.title(), "Attention Playground");
  assert.equal(
    await page.getByRole("textbox", { name: "Sentence" }).inputValue(),
    "The artist painted the portrait of a woman with a brush",
  );
  assert.equal(await page.locator("[data-part=message]").isVisible(), false);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the page's text has the picture's typeface, without fetching it", async () => {
  const page = await browser.open();
  // Mono is for figures, which are drawn on a canvas of the page. Each has two files: the second has visitors' characters.
  const wanted = ["Attention Mono 400 loaded", "Attention Sans 400 loaded", "Attention Sans 600 loaded"];
  await eventually("all fonts", () => page.evaluate(() => document.fonts.size === 6));
  const faces = await page.evaluate(() =>
    [...document.fonts].map((face) => `${face.family} ${face.weight} ${face.status}`),
  );
  assert.deepEqual(faces.sort(), [...wanted, ...wanted].sort());
  // A letter of either file is as wide as in the typeface, beside the other one as alone.
  const width = (text, family) =>
    page.evaluate(
      ([text, family]) => {
        const canvas = document.createElement("canvas").getContext("2d");
        canvas.font = `400 100px ${family}`;
        return canvas.measureText(text).width;
      },
      [text, family],
    );
  assert.ok(Math.abs((await width("aЖéa", `"Attention Mono", serif`)) - 4 * 60) < 0.01);
  assert.notEqual(await width("aЖéa", '"Attention Sans", serif'), await width("aЖéa", "serif"));
  const [both, letters] = [await width("iЖé", '"Attention Sans"'), []];
  for (const letter of "iЖé") letters.push(await width(letter, '"Attention Sans"'));
  assert.ok(Math.abs(both - letters.reduce((sum, one) => sum + one)) < 0.01);
  await page.context().close();
});

test("until the program has come it says in one line what it is, and nothing moves when it comes", async () => {
  let let_go;
  const held = new Promise((resolve) => (let_go = resolve));
  const page = await browser.open("", {
    wait: false,
    prepare: async (page) => {
      await page.addInitScript(() => {
        globalThis.shifts = 0;
        new PerformanceObserver((list) =>
          list.getEntries().forEach((entry) => (globalThis.shifts += entry.value)),
        ).observe({
          type: "layout-shift",
          buffered: true,
        });
      });
      await page.route("**/*.wasm", async (route) => {
        await held;
        await route.continue();
      });
    },
  });
  await page.getByText("Type a sentence and see, number by number").waitFor();
  await page.locator("[data-part=skeleton]").waitFor({ state: "visible" });
  let_go();
  await first_picture(page);
  // the sum of shifted shares of the screen; 0.01 would be a line of text that moved by its own height
  assert.ok((await page.evaluate(() => globalThis.shifts)) < 0.01);
  await page.context().close();
});

test("what was typed while the program was loading is not lost", async () => {
  let let_go;
  const held = new Promise((resolve) => (let_go = resolve));
  const page = await browser.open("heads=4", {
    wait: false,
    prepare: (page) =>
      page.route("**/*.wasm", async (route) => {
        await held;
        await route.continue();
      }),
  });
  await page.getByRole("textbox", { name: "Sentence" }).fill("early words");
  let_go();
  await first_picture(page);
  assert.equal(link_of(page), "v=1&text=early+words&heads=4");
  await page.context().close();
});

test("a program that does not arrive leaves a sentence", async () => {
  for (const file of ["**/*.wasm", "**/playground.js"]) {
    const page = await browser.open("", { wait: false, prepare: (page) => page.route(file, (route) => route.abort()) });
    await page.getByText("The playground's program could not be loaded").waitFor();
    await page.context().close();
  }
});

test("without JavaScript the page says what it would be", async () => {
  const page = await browser.open("", { wait: false, javaScriptEnabled: false });
  assert.equal(await page.locator("noscript p").isVisible(), true); // (text searches leave noscript out)
  await page.context().close();
});

test("the policy forbids whatever the page does not need", () => {
  const html = readFileSync(join(process.env.ATTN_PAGE, "index.html"), "utf8");
  const policy = html.match(/http-equiv="Content-Security-Policy"\s+content="([^"]+)"/)[1];
  assert.match(policy, /^default-src 'none'; /);
  assert.doesNotMatch(policy, /unsafe-(inline|eval)'(?<!'wasm-unsafe-eval')|\*|https?:/);
});

test("colours follow the system, and the button turns them", async () => {
  const page = await browser.open("", { colorScheme: "dark" });
  const theme = () => page.locator("[data-part=root]").getAttribute("data-theme");
  assert.equal(await theme(), "dark");
  await page.emulateMedia({ colorScheme: "light" });
  await at_rest(page);
  assert.equal(await theme(), "light");
  await page.getByRole("button", { name: "Dark colours" }).click();
  await at_rest(page);
  assert.equal(await theme(), "dark");
  assert.equal(link_of(page), "v=1&theme=dark");
  await page.getByRole("button", { name: "Light colours" }).click();
  await at_rest(page);
  assert.equal(await theme(), "light");
  assert.equal(link_of(page), "v=1", "light is what the system has, so nothing needs to be remembered");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the title is not cut where a visitor sets letters farther apart", async () => {
  const page = await browser.open("", { bypassCSP: true });
  await page.addStyleTag({
    content: "* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important; }",
  });
  const title = await page.getByRole("heading", { level: 1 }).evaluate((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return { text: range.getBoundingClientRect(), box: one.getBoundingClientRect() };
  });
  assert.ok(title.text.right <= title.box.right + 1 && title.text.bottom <= title.box.bottom + 1);
  await page.context().close();
});

// The picture against the numbers: pixels are read back from the canvas and compared with what the engine says they show.
import assert from "node:assert/strict";
import { test } from "node:test";
import { at_rest, browser_of_file, in_playground, item, troubles_of } from "./browser.mjs";

const browser = browser_of_file();

/**
 * Draws, reads back the middle of every cell of every head on the screen, and returns those that do not show the colour of
 * their number, with how many were looked at. Runs in the page.
 */
async function wrong_cells(page, link_stage) {
  return in_playground(
    page,
    (playground, stage) => {
      const items = playground.draw();
      const canvas = document.querySelector("[data-part=canvas]");
      const gl = canvas.getContext("webgl2");
      const pixels = new Uint8Array(4 * canvas.width * canvas.height);
      gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      const is_dark = document.querySelector("[data-part=root]").dataset.theme === "dark";
      const [{ name, values }] = JSON.parse(playground.engine.trace(playground.link(), stage)).sentences[0].stages;
      const is_signed = !["weights", "dropped_weights"].includes(name);
      const heads = Array.isArray(values[0][0]) ? values : [values];
      const most = Math.max(...heads.flat(2).map((value) => Math.abs(value ?? 0)));
      const scale = devicePixelRatio;
      const wrong = [];
      let num_looked_at = 0;
      heads.forEach((rows, head) => {
        const map = items.find((item) => item.name === `map=${head + 1}`);
        rows.forEach((row, i) =>
          row.forEach((value, j) => {
            const x = Math.floor(scale * (map.x0 + ((map.x1 - map.x0) * (j + 0.5)) / row.length));
            const y = Math.floor(scale * (map.y0 + ((map.y1 - map.y0) * (i + 0.5)) / rows.length));
            const at = 4 * (x + canvas.width * (canvas.height - 1 - y));
            const shown = [...pixels.slice(at, at + 3)];
            const is_hidden = (stage === "weights" && j > i) || value === null;
            const t = is_signed ? 0.5 + value / most / 2 : value;
            const wanted = playground.engine.map_color(is_signed ? "diverging" : "sequential", is_dark, t);
            const distance = Math.max(...shown.map((part, k) => Math.abs(part - wanted[k])));
            num_looked_at += 1;
            // 3 of 255: the map is a texture of few hundred colours, the engine's is exact, and both round
            if (!is_hidden && distance > 3) wrong.push({ head, i, j, value, shown, wanted });
          }),
        );
      });
      return { wrong, num_looked_at };
    },
    link_stage,
  );
}

for (const [name, options] of [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["at device scale 2", { deviceScaleFactor: 2 }],
  ["at device scale 1.25", { deviceScaleFactor: 1.25 }],
]) {
  test(`every cell has the colour of its number, ${name}`, async () => {
    const page = await browser.open("hide=values", options);
    const weights = await wrong_cells(page, "weights");
    assert.deepEqual(weights.wrong, []);
    assert.equal(weights.num_looked_at, 2 * 11 * 11);
    assert.equal(troubles_of(page), "");
    await page.context().close();
  });
}

test("signed numbers have the colours of the diverging map", async () => {
  const page = await browser.open("hide=values&stage=scores&heads=4&mask=none", {
    viewport: { width: 1280, height: 1400 }, // all four are in sight
  });
  const { wrong, num_looked_at } = await wrong_cells(page, "scores");
  assert.deepEqual(wrong, []);
  assert.equal(num_looked_at, 4 * 11 * 11);
  await page.context().close();
});

test("a typed sentence changes the picture and the numbers", async () => {
  const page = await browser.open("hide=values");
  const field = page.getByRole("textbox", { name: "Sentence" });
  await field.fill("Your journey starts with one step");
  await at_rest(page);
  const { wrong, num_looked_at } = await wrong_cells(page, "weights");
  assert.deepEqual(wrong, []);
  assert.equal(num_looked_at, 2 * 6 * 6);
  await field.fill("");
  await at_rest(page);
  assert.equal(await in_playground(page, (playground) => playground.link()), "v=1&text=&hide=values");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the canvas has one pixel for each device pixel of its place", async () => {
  for (const deviceScaleFactor of [1, 1.25, 1.5, 3]) {
    const page = await browser.open("", { deviceScaleFactor, viewport: { width: 701, height: 507 } });
    const size = await page.locator("[data-part=canvas]").evaluate((canvas) => {
      const { width, height } = canvas.getBoundingClientRect();
      return { device: [canvas.width, canvas.height], css: [width, height] };
    });
    size.css.forEach((css, i) => {
      assert.ok(Math.abs(size.device[i] - css * deviceScaleFactor) <= 0.5, `${size.device[i]} for ${css}`);
    });
    await page.context().close();
  }
});

test("the picture follows the size of the window", async () => {
  const page = await browser.open("hide=values", { viewport: { width: 1100, height: 700 } });
  const small = await item(page, "map=1");
  await page.setViewportSize({ width: 1500, height: 1000 });
  await at_rest(page);
  assert.deepEqual((await wrong_cells(page, "weights")).wrong, []);
  const large = await item(page, "map=1");
  assert.ok(large.x1 - large.x0 > small.x1 - small.x0);
  await page.context().close();
});

test("what the built-in font lacks is drawn by the browser, emoji in their colours", async () => {
  const page = await browser.open(`text=${encodeURIComponent("word 😀 مرحبا 語")}`);
  const inks = await in_playground(page, (playground) => {
    const items = playground.draw();
    const copy = document.createElement("canvas");
    const canvas = document.querySelector("[data-part=canvas]");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    return [0, 1, 2, 3].map((token) => {
      const { x0, y0, x1, y1 } = items.find(({ name }) => name === `token=${token}`);
      const { data } = context.getImageData(x0, y0, x1 - x0, y1 - y0);
      const ink = { dark: 0, colored: 0 };
      for (let i = 0; i < data.length; i += 4) {
        const [r, g, b] = data.slice(i, i + 3);
        if (Math.max(r, g, b) < 90) ink.dark += 1;
        if (Math.max(r, g, b) - Math.min(r, g, b) > 90) ink.colored += 1;
      }
      return ink;
    });
  });
  const [word, emoji, arabic, chinese] = inks;
  for (const ink of [word, arabic, chinese]) {
    assert.ok(ink.dark > 15, JSON.stringify(inks));
    assert.equal(ink.colored, 0);
  }
  assert.ok(emoji.colored > 50, JSON.stringify(inks));
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

// Figures in a browser: an SVG file that is opened by itself has the numbers of the state, stays within its sheet with the fonts
// of this machine, and asks for nothing.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { PNG } from "pngjs";
import { in_playground, start } from "./browser.mjs";

let browser;
let folder;
let page;
before(async () => {
  browser = await start();
  page = await browser.browser.newPage();
  folder = mkdtempSync(join(tmpdir(), "attn-figures-"));
});
after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

function attn(...args) {
  const result = spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(result.status, 0, result.stderr);
  return result.stdout;
}

/** Opens the figure of a link as a file of its own and looks at it with `work`, a function that runs in the page. */
async function look_at(link, options, work) {
  const file = join(folder, "figure.svg");
  writeFileSync(file, attn("export", "svg", link, "--options", options));
  const requests = [];
  const note = (request) => requests.push(request.url());
  page.on("request", note);
  await page.goto(pathToFileURL(file).href);
  const seen = await page.evaluate(work);
  page.off("request", note);
  assert.deepEqual(requests, [pathToFileURL(file).href]);
  return seen;
}

/** What the file holds. Runs in the page. */
function contents() {
  const box = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height };
  };
  const root = document.documentElement;
  return {
    name: root.localName,
    has_error: document.querySelector("parsererror") !== null,
    title: root.querySelector(":scope > title")?.textContent,
    width: Number(root.getAttribute("width")),
    height: Number(root.getAttribute("height")),
    texts: [...document.querySelectorAll("text")].map((text) => ({
      text: text.textContent,
      anchor: getComputedStyle(text).textAnchor,
      ...box(text),
    })),
    cells: [...document.querySelectorAll("rect > title")].map((title) => ({
      tip: title.textContent,
      fill: title.parentElement.getAttribute("fill"),
      ...box(title.parentElement),
    })),
    scripts: document.querySelectorAll("script, [href], image, foreignObject, style").length,
  };
}

/** As the screen prints them: four decimals, a real minus. */
function shown(value) {
  if (value === 0) return "0";
  return value.toFixed(4).replace("-", "−");
}

test("every cell of the file has the number of the state in its tip, and every printed number lies in its cell", async () => {
  const link = "text=The+artist+painted+the+portrait&heads=3&d_out=6&mask=none&stage=scaled_scores&cell=2,1,3";
  const { sentences } = JSON.parse(attn("trace", link, "--stage", "scaled_scores"));
  const [{ tokens, stages }] = sentences;
  const seen = await look_at(link, "", contents);
  assert.equal(seen.name, "svg");
  assert.equal(seen.has_error, false);
  assert.equal(seen.scripts, 0);
  assert.equal(seen.title, "“The artist painted the portrait”");
  const tips = seen.cells.map((cell) => cell.tip);
  const wanted = stages[0].values.flatMap((head, h) =>
    head.flatMap((row, i) =>
      row.map((value, j) => `head ${h + 1} · ${tokens[i]} → ${tokens[j]}: ${shown(Math.fround(value))}`),
    ),
  );
  assert.deepEqual(tips, wanted);
  for (const cell of seen.cells) {
    const inside = seen.texts.filter(
      (text) =>
        text.x >= cell.x - 0.5 &&
        text.y >= cell.y - 0.5 &&
        text.x + text.width <= cell.x + cell.width + 0.5 &&
        text.y + text.height <= cell.y + cell.height + 0.5,
    );
    assert.equal(inside.length, 1, cell.tip);
    // About two significant digits of the number in the tip.
    const full = Number(cell.tip.replace("−", "-").split(": ")[1]);
    const printed = Number(inside[0].text.replace("−", "-"));
    assert.ok(Math.abs(printed - full) <= Math.max(0.051 * Math.abs(full), 0.0051), `${inside[0].text} in ${cell.tip}`);
  }
});

test("nothing leaves the sheet, in any view, script and size", async () => {
  const rtl = encodeURIComponent("العربية تكتب من اليمين إلى اليسار");
  const long = "text=supercalifragilisticexpialidocious+a+Donaudampfschifffahrtsgesellschaft+注意力+👩‍👩‍👧‍👦";
  const many = `text=${Array.from({ length: 40 }, (_, i) => `word${i}`).join("+")}`;
  for (const sentence of ["text=Hi", `text=${rtl}`, long, many]) {
    for (const view of [
      "view=matrix&heads=4&row_stat=sum&cell=2,0,0",
      "view=numbers&heads=2&row_stat=entropy",
      "view=lines&heads=4&cell=1,0,0",
      "view=edit&tensor=x",
      "view=learn&goal=pattern&target=1:0>0&steps=4",
      "view=learn&d_out=8&goal=next&steps=4",
      "view=compare&compare=text%3DAnother%2Bone",
      "view=vectors&cell=1,0,0",
      "view=split",
      "view=stacked",
      "view=dots&pairs=100",
      "view=softmax&gain=8",
      "view=cost",
    ]) {
      if (view.includes("goal=next") && sentence === "text=Hi") continue; // no word follows the only one
      const seen = await look_at(`${sentence}&${view}`, "dark=1", contents);
      assert.equal(seen.name, "svg", view);
      for (const text of seen.texts) {
        const place = `${sentence} ${view}: “${text.text}” at ${text.x}, ${text.y}, ${text.width} wide`;
        assert.ok(text.x >= 0 && text.x + text.width <= seen.width, place);
        assert.ok(text.y >= 0 && text.y + text.height <= seen.height, place);
      }
    }
  }
});

test("a transparent file shows the page below it", async () => {
  const has_ground = () => {
    const [first] = document.querySelectorAll("svg > rect");
    return first?.getAttribute("width") === document.documentElement.getAttribute("width");
  };
  assert.equal(await look_at("text=a+b", "", has_ground), true);
  assert.equal(await look_at("text=a+b", "transparent=1", has_ground), false);
});

/** A page whose engine makes pictures. */
let playground;

/** The picture that the page makes of a link. */
async function picture_of(link, options) {
  playground ??= await browser.open();
  const base64 = await in_playground(
    playground,
    ({ engine }, [link, options]) => {
      let binary = "";
      for (const byte of engine.export_file(link, "png", options).bytes) binary += String.fromCharCode(byte);
      return btoa(binary);
    },
    [link, options],
  );
  assert.deepEqual(playground.troubles, []);
  return PNG.sync.read(Buffer.from(base64, "base64"));
}

/** The pixel at a point: [r, g, b, alpha]. */
const pixel_at = (png, x, y, scale) => {
  const place = (Math.floor(y * scale) * png.width + Math.floor(x * scale)) * 4;
  return [...png.data.subarray(place, place + 4)];
};

const color_of = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

test("a PNG has the pixels of the SVG: each cell its colour, letters where texts stand", async () => {
  const link = "text=The+artist+painted+the+portrait&heads=3&d_out=6&mask=none&stage=scaled_scores";
  for (const [options, scale] of [
    ["", 2],
    ["dark=1&scale=3", 3],
    ["scale=1", 1],
  ]) {
    const seen = await look_at(link, options, contents);
    const png = await picture_of(link, options);
    assert.deepEqual([png.width, png.height], [seen.width * scale, seen.height * scale]);
    assert.equal(seen.cells.length, 75);
    for (const cell of seen.cells) {
      // Beside the number, inside the round corner.
      const pixel = pixel_at(png, cell.x + cell.width / 2, cell.y + 2.5, scale);
      assert.deepEqual(pixel, [...color_of(cell.fill), 255], `${cell.tip}, ${options}`);
    }
    for (const text of seen.texts.filter(({ width, text }) => width > 12 && /[a-z]/.test(text))) {
      const colors = new Set();
      for (let y = text.y; y < text.y + text.height; y += 1 / scale) {
        for (let x = text.x; x < text.x + text.width; x += 1 / scale) colors.add(`${pixel_at(png, x, y, scale)}`);
      }
      assert.ok(colors.size > 3, `nothing is written at “${text.text}”`); // smoothed letters have many greys
    }
  }
});

test("a transparent PNG is so where nothing is drawn, in every view", async () => {
  const own = ["split", "stacked", "dots", "softmax", "cost", "cache", "learn"];
  for (const view of ["matrix", "lines", "vectors", "numbers", ...own]) {
    const link = `text=one+two+three&view=${view}&pairs=50&goal=pattern&target=1:2>0&steps=9`;
    const clear = await picture_of(link, "transparent=1&scale=1");
    assert.deepEqual(pixel_at(clear, 1, 1, 1), [0, 0, 0, 0], view);
    const opaque = await picture_of(link, "scale=1");
    assert.deepEqual([opaque.width, opaque.height], [clear.width, clear.height], view);
    for (let at = 3; at < opaque.data.length; at += 4) assert.equal(opaque.data[at], 255, view);
    let num_drawn = 0;
    for (let at = 3; at < clear.data.length; at += 4) num_drawn += clear.data[at] > 0;
    assert.ok(num_drawn > 1000 && num_drawn < clear.data.length / 4, view);
  }
});

test("drawn a few rows at a time a picture has the pixels of one that is drawn at once", async () => {
  playground ??= await browser.open();
  const differences = await playground.evaluate(async () => {
    const { figure_drawing } = await import("./figure.js");
    const [width, height, scale] = [605, 403, 2.01];
    const makers = {
      crisp: (x, y, fill) => ({ kind: "rect", x, y, width: 9.3, height: 6.7, fill, is_crisp: true }),
      smooth: (x, y, fill) => ({ kind: "rect", x, y, width: 9.3, height: 6.7, fill, line: "#123456", line_width: 3 }),
      boxes: (x, y, fill) => ({ kind: "path", d: `M${x} ${y}H${x + 8}V${y + 9}H${x}Z`, fill, is_crisp: true }),
      text: (x, y, ink) => ({ kind: "text", x, y, text: "Åg(0.5ไทย", size: 7, ink }),
      turned: (x, y, ink) => ({ kind: "text", x, y, text: "Åg(0.5ไทย", size: 7, ink, turn: -55 }),
      curves: (x, y, line) => ({
        kind: "path",
        d: `M${x} ${y}C${x + 30} ${y} ${x} ${y + 40} ${x + 30} ${y + 40}`,
        line,
      }),
    };
    const drawn = (elements, rows) => {
      const drawing = figure_drawing(width, rows, scale);
      for (let k = 0; k < elements.length; k += 64) drawing.add(JSON.stringify(elements.slice(k, k + 64)));
      const pixels = new Uint8ClampedArray(4 * width * height);
      for (let first = 0; first < height; first += rows) {
        let band = null;
        while (!band) band = drawing.draw(first, Math.min(first + rows, height));
        pixels.set(band, 4 * width * first);
      }
      return pixels;
    };
    return Object.entries(makers).map(([kind, make]) => {
      const ground = { kind: "rect", x: 0, y: 0, width, height, fill: "#ffeedd" };
      const elements = Array.from({ length: 200 }, (_, k) =>
        make((k * 37) % 290, (k * 53) % 190, `hsl(${(k * 47) % 360} 60% 50%)`),
      );
      elements.unshift(ground);
      const whole = drawn(elements, height);
      const sums = [1, 7, 200].map((rows) =>
        drawn(elements, rows).reduce((sum, value, k) => sum + Math.abs(value - whole[k]), 0),
      );
      return { kind, means: sums.map((sum) => sum / whole.length), colors: new Set(whole).size };
    });
  });
  for (const { kind, means, colors } of differences) {
    assert.ok(colors > 30, `${kind}: nothing is drawn`);
    // A curve is cut where the rows end, and its pieces are smoothed a little differently: by 0.8 of 255 levels in the mean
    // where each row is drawn alone, by 0.04 where 200 are drawn together.
    for (const mean of means) assert.ok(mean <= (kind === "curves" ? 1 : 0), `${kind}: ${means}`);
  }
});

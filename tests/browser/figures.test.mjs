// Figures in a browser: an SVG file that is opened by itself has the numbers of the state, stays within its sheet with the fonts
// of this machine, and asks for nothing.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { start } from "./browser.mjs";

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
      "view=compare&compare=text%3DAnother%2Bone",
    ]) {
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

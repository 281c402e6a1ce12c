// Paper: the picture in its proportions and on one page, the whole text version, light whatever the screen is. And more contrast on
// the screen for those who ask for it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inflateSync } from "node:zlib";
import { PNG } from "pngjs";
import { at_rest, browser_of_file, go_to, troubles_of } from "./browser.mjs";

const browser = browser_of_file();

const kPaper = { width: 718, height: 1046 }; // CSS pixels of A4 within margins of 1 cm

/** The share of a screenshot's pixels that are nearly white. */
function white_share(shot) {
  const { data } = PNG.sync.read(shot);
  let white = 0;
  for (let i = 0; i < data.length; i += 4) if (Math.min(data[i], data[i + 1], data[i + 2]) > 235) white += 1;
  return white / (data.length / 4);
}

/** The page as it is printed, on the screen. */
async function as_paper(page) {
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
}

/** How many pages a PDF has. */
const num_pages = (pdf) => pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g).length;

const show_text = async (page) => {
  await page.getByRole("button", { name: "Show as text" }).click();
  await page.waitForFunction(() => document.querySelector("[data-part=plain]").ariaBusy === "false");
};

/** The pictures in a PDF of Chromium's: how many pixels they have, the size on paper, and the share that is nearly white. */
function pictures_in(pdf) {
  const streams = [...pdf.toString("latin1").matchAll(/<<((?:(?!>>\s*stream)[^])*)>>\s*stream\r?\n/g)].map((match) => {
    const length = Number(match[1].match(/\/Length (\d+)/)?.[1] ?? 0);
    const begin = match.index + match[0].length;
    return { head: match[1], bytes: pdf.subarray(begin, begin + length) };
  });
  const drawn = streams.flatMap(({ head, bytes }) =>
    /Subtype \/Image/.test(head)
      ? []
      : [...text_of(bytes).matchAll(/([\d.]+) 0 0 -([\d.]+) [-\d.]+ [-\d.]+ cm\b[^]{0,60}?Do\b/g)],
  );
  return streams
    .filter(({ head }) => /Subtype \/Image/.test(head) && /DeviceRGB|ICCBased/.test(head))
    .map(({ head, bytes }) => {
      const [width, height] = ["Width", "Height"].map((key) => Number(head.match(new RegExp(`/${key} (\\d+)`))[1]));
      const data = inflateSync(bytes);
      const num_white = data.filter((byte) => byte > 235).length;
      return {
        width,
        height,
        white: num_white / data.length,
        on_paper: drawn.map(([, x, y]) => Number(x) / Number(y)),
      };
    });
}

function text_of(bytes) {
  try {
    return inflateSync(bytes).toString("latin1");
  } catch {
    return ""; // a font, or nothing that is packed
  }
}

for (const colorScheme of ["light", "dark"]) {
  for (const theme of ["", "&theme=dark"]) {
    test(`the picture is printed light and in its proportions: ${colorScheme} screen${theme}`, async () => {
      const page = await browser.open(`heads=4${theme}`, { colorScheme });
      const pdf = await page.pdf({ format: "A4" });
      assert.equal(num_pages(pdf), 1, "one page");
      const pictures = pictures_in(pdf);
      assert.equal(pictures.length, 1);
      const [{ width, height, white, on_paper }] = pictures;
      assert.ok(width >= 1280 && height > 700, `${width} x ${height}: all of it`);
      assert.ok(white > 0.5, `the paper is light: ${white}`);
      assert.ok(
        on_paper.some((ratio) => Math.abs(ratio - width / height) < 0.01),
        `${on_paper}, ${width / height}`,
      );
      await at_rest(page);
      const is_dark = colorScheme === "dark" || theme !== "";
      assert.equal(await page.locator(".playground").getAttribute("data-theme"), is_dark ? "dark" : "light");
      assert.equal(white_share(await page.screenshot()) < 0.3, is_dark, "the screen is as it was");
      assert.equal(await page.locator(".still").count(), 0);
      assert.equal(troubles_of(page), "");
      await page.context().close();
    });
  }

  test(`the whole text version is printed, light: ${colorScheme} screen`, async () => {
    const page = await browser.open("heads=4&cell=2,7,4&lesson=causal&step=3", { colorScheme });
    await show_text(page);
    assert.ok(num_pages(await page.pdf({ format: "A4" })) > 2, "it does not end at the fold");
    await page.setViewportSize(kPaper);
    await as_paper(page);
    const { cut, wide, dark } = await page.evaluate((paper) => {
      const all = [...document.querySelectorAll("[data-part=plain], [data-part=plain] *")].filter((one) =>
        one.checkVisibility(),
      );
      const name = (one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 40)}`;
      const sum = (color) =>
        color
          .match(/[\d.]+/g)
          .slice(0, 3)
          .reduce((all, part) => all + Number(part), 0);
      const style = getComputedStyle(document.querySelector(".playground"));
      return {
        cut: all
          .filter(
            (one) => !/^(SELECT|OPTION|INPUT)$/.test(one.tagName) && getComputedStyle(one).overflowY !== "visible",
          )
          .filter((one) => one.scrollHeight > one.clientHeight + 1)
          .map(name),
        wide: all.filter((one) => one.getBoundingClientRect().right > paper.width + 1).map(name),
        dark: sum(style.backgroundColor) < 700 || sum(style.color) > 200,
      };
    }, kPaper);
    assert.deepEqual(cut, []);
    assert.deepEqual(wide, []);
    assert.equal(dark, false);
    assert.equal(await page.locator(".plain button:visible").count(), 0, "nobody presses paper");
    assert.equal(troubles_of(page), "");
    await page.context().close();
  });
}

test("a table that is wider than paper goes on in the next line", async () => {
  const words = Array.from({ length: 70 }, (_, i) => `word${i}`).join("+");
  const page = await browser.open(`text=${words}&heads=1`);
  await show_text(page);
  await page.setViewportSize(kPaper);
  await as_paper(page);
  const right = await page
    .locator(".plain-table :is(th, td)")
    .evaluateAll((cells) => Math.max(...cells.map((cell) => cell.getBoundingClientRect().right)));
  assert.ok(right <= kPaper.width + 1, `${right}`);
  await page.context().close();
});

test("those who ask for more contrast get it, on the page, in the picture and in the text version", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.open("", { colorScheme, contrast: "more" });
    const colors = () =>
      page.evaluate(() => {
        const { backgroundColor, color } = getComputedStyle(document.querySelector(".playground"));
        return { backgroundColor, color };
      });
    const black = "rgb(0, 0, 0)";
    const white = "rgb(255, 255, 255)";
    const is_dark = colorScheme === "dark";
    const wanted = is_dark ? { backgroundColor: black, color: white } : { backgroundColor: white, color: black };
    assert.deepEqual(await colors(), wanted);
    const shot = PNG.sync.read(await page.locator("[data-part=canvas]").screenshot());
    assert.deepEqual([...shot.data.subarray(0, 3)], is_dark ? [0, 0, 0] : [255, 255, 255], "the picture's ground");
    await page.getByRole("button", { name: is_dark ? "Light colours" : "Dark colours" }).click();
    await at_rest(page);
    const other = PNG.sync.read(await page.locator("[data-part=canvas]").screenshot());
    assert.deepEqual([...other.data.subarray(0, 3)], is_dark ? [255, 255, 255] : [0, 0, 0], "the other theme, too");
    await go_to(page, "");
    await show_text(page);
    const soft = await page
      .locator(".plain-help")
      .first()
      .evaluate((one) => getComputedStyle(one).color);
    assert.equal(soft, is_dark ? white : black, "no soft ink");
    await page.emulateMedia({ contrast: "no-preference" });
    assert.notDeepEqual(await colors(), wanted);
    assert.equal(troubles_of(page), "");
    await page.context().close();
  }
});

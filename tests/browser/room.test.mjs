// The picture has the room it needs in every window that people use: rows in sight, numbers in the cells, Next in its place.
import assert from "node:assert/strict";
import { test } from "node:test";
import { browser_of_file, click_item, go_to, item, items, troubles_of } from "./browser.mjs";

const kFinger = { hasTouch: true, isMobile: true };
const kSmall = {
  "320 x 480": { viewport: { width: 320, height: 480 }, ...kFinger },
  "360 x 640": { viewport: { width: 360, height: 640 }, ...kFinger },
  "844 x 390": { viewport: { width: 844, height: 390 }, ...kFinger },
  "1280 x 800 at 200 %": { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
};
const kRows = 11; // of the lecture's sentence

const browser = browser_of_file();

/** How many rows of the first map can be seen. */
async function rows_in_sight(page) {
  const all = await items(page);
  const map = all.find(({ name }) => name.startsWith("map="));
  assert.ok(map, "there is a map");
  const seen = all.find(({ name }) => name === map.name.replace("map", "seen"));
  return seen ? (seen.y1 - seen.y0) / ((map.y1 - map.y0) / kRows) : 0;
}

for (const [name, window] of Object.entries(kSmall)) {
  test(`${name}: eight rows are in sight, alone, with a number pinned and in a lesson`, async () => {
    for (const link of ["", "cell=1,10,1", "lesson=causal&step=2", "lesson=causal&step=4"]) {
      const page = await browser.open(link, window);
      const seen = await rows_in_sight(page);
      assert.ok(seen > 7.9, `"${link}": ${seen.toFixed(2)} rows`);
      assert.equal(troubles_of(page), "");
      await page.context().close();
    }
  });
}

test("on a laptop two and four heads print their numbers, in lessons too, and an enlarged one fills the room", async () => {
  const page = await browser.open();
  const width_of_cell = async (link) => {
    await go_to(page, link);
    const { x0, x1, y0, y1 } = await item(page, "map=1");
    return { cell: (x1 - x0) / kRows, height: y1 - y0 };
  };
  const kPrinted = 14; // CSS pixels: ".60" at 8 pixels an em
  assert.ok((await width_of_cell("")).cell >= 20);
  assert.ok((await width_of_cell("d_out=8&heads=4")).cell >= kPrinted);
  assert.ok((await width_of_cell("lesson=causal&step=2")).cell >= kPrinted);
  assert.ok((await width_of_cell("head=1&d_in=6")).height >= 380);
  await page.context().close();
});

test("three tokens use the room of a large screen", async () => {
  const page = await browser.open("text=The+cat+sat&heads=1", { viewport: { width: 1920, height: 1080 } });
  const { y0, y1 } = await item(page, "map=1");
  assert.ok(y1 - y0 >= 500, `${y1 - y0} pixels`);
  await page.context().close();
});

test("Next stands in one place in all steps, and there is one", async () => {
  for (const window of [kSmall["360 x 640"], { viewport: { width: 1280, height: 800 } }]) {
    const page = await browser.open("lesson=causal", window);
    const first = await item(page, "step+");
    for (let step = 1; step < 5; ++step) {
      await click_item(page, "step+");
      const next = await item(page, "step+");
      assert.deepEqual([next.x1, next.y1], [first.x1, first.y1]);
    }
    await page.context().close();
  }
});

// Long maps in the page: Control and the wheel, two fingers, dragging. What goes to the graphics card is counted, by standing
// between the page and WebGL.
import assert from "node:assert/strict";
import { test } from "node:test";
import { at_rest, browser_of_file, item, items, link_of, next_frames, troubles_of } from "./browser.mjs";

const kTokens = 700;
const kHeads = 16;
const kText = Array.from({ length: kTokens }, (_, k) => `w${k % 90}`).join("+");
const kLong = `text=${kText}&d_in=16&d_out=16&heads=${kHeads}`;
const kPhone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

const browser = browser_of_file();

/** Counts uploads of textures and draw calls of the page's WebGL from the first on. */
const count_gl = (page) =>
  page.addInitScript(() => {
    const counts = { textures: 0, bytes: 0, draws: 0, frames: 0 };
    globalThis.gl_counts = counts;
    const { prototype } = globalThis.WebGL2RenderingContext;
    const watch = (name, note) => {
      const original = prototype[name];
      prototype[name] = function (...values) {
        note(values);
        return original.apply(this, values);
      };
    };
    for (const name of ["texImage2D", "texSubImage2D"]) {
      watch(name, (values) => {
        const [width, height] = name === "texImage2D" ? values.slice(3, 5) : values.slice(4, 6);
        if (values[8] === null) return; // room, without content
        counts.textures += 1;
        counts.bytes += width * height * 4; // all textures have four bytes a texel
      });
    }
    for (const name of ["drawArrays", "drawElements"]) watch(name, () => (counts.draws += 1));
    watch("clear", () => (counts.frames += 1)); // once a frame
  });
const counts_of = (page) => page.evaluate(() => ({ ...globalThis.gl_counts }));

const window_of = (page) => {
  const value = new URLSearchParams(link_of(page)).get("window");
  return value === null ? null : value.split(",").map(Number);
};
const size_of = ([first, last]) => last - first + 1;

async function turn_wheel(page, { x, y }, notches) {
  await page.mouse.move(x, y);
  await page.keyboard.down("Control");
  for (let notch = 0; notch < Math.abs(notches); ++notch) {
    await page.mouse.wheel(0, notches > 0 ? -100 : 100);
    await next_frames(page);
  }
  await page.keyboard.up("Control");
  await at_rest(page);
}

test("panning 16 heads uploads nothing, and draws each map in sight once a frame", async () => {
  const page = await browser.open(kLong, { prepare: count_gl });
  const map = await item(page, "map=1");
  const zoom_at = { x: (map.x0 + map.x1) / 2, y: (map.y0 + map.y1) / 2 };
  await turn_wheel(page, zoom_at, 6);
  const zoomed = window_of(page);
  assert.ok(size_of(zoomed) < kTokens / 3, `${zoomed}`);
  // Words whose letters were never drawn are uploaded once: pan there and back before counting.
  const pan = async (way) => {
    await page.mouse.move(zoom_at.x, zoom_at.y);
    await page.mouse.down();
    for (let step = 1; step <= 12; ++step) {
      await page.mouse.move(zoom_at.x - (way * step) / 12, zoom_at.y - (way * step) / 12);
      await next_frames(page);
    }
    await page.mouse.up();
    await at_rest(page);
  };
  await pan(60);
  await pan(-60);
  const before = await counts_of(page);
  const from = window_of(page);
  await pan(60);
  const moved = await counts_of(page);
  assert.notDeepEqual(window_of(page), from);
  assert.equal(moved.textures - before.textures, 0, "textures");
  assert.equal(moved.bytes - before.bytes, 0, "bytes");
  const frames = moved.frames - before.frames;
  assert.ok(frames >= 6, `${frames} frames`);
  // One for each map, the overview and the swatch of the legend, and one of ImGui's between two of them.
  const most = 2 * (kHeads + 2) + 8;
  assert.ok(moved.draws - before.draws <= most * frames, `${moved.draws - before.draws} draws in ${frames} frames`);
  await next_frames(page);
  assert.deepEqual(await counts_of(page), moved, "nothing is drawn while nothing changes");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("Control and the wheel zoom the maps to the pointer and back; elsewhere they stay with the page", async () => {
  const page = await browser.open(`${kLong}&head=1`);
  const map = await item(page, "map=1");
  const place = { x: map.x0 + (map.x1 - map.x0) * 0.25, y: map.y0 + (map.y1 - map.y0) * 0.75 };
  await turn_wheel(page, place, 8);
  const [first_row, last_row, first_column, last_column] = window_of(page);
  assert.ok(first_row < 0.75 * kTokens && last_row > 0.75 * kTokens);
  assert.ok(first_column < 0.25 * kTokens && last_column > 0.25 * kTokens);
  await turn_wheel(page, place, -20);
  assert.equal(window_of(page), null);

  const is_taken = (x, y) =>
    page.evaluate(
      ([left, top]) => {
        const canvas = document.querySelector("[data-part=canvas]");
        const event = new WheelEvent("wheel", {
          ...{ clientX: left, clientY: top, deltaY: -100, ctrlKey: true, cancelable: true, bubbles: true },
        });
        return !canvas.dispatchEvent(event);
      },
      [x, y],
    );
  await page.mouse.move(place.x, place.y);
  await at_rest(page);
  assert.equal(await is_taken(place.x, place.y), true);
  await at_rest(page);
  const stage = await item(page, "stage=weights");
  await page.mouse.move(stage.x, stage.y);
  await at_rest(page);
  assert.equal(await is_taken(stage.x, stage.y), false);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("two fingers enlarge a part, one moves it, and no cell is pinned", async () => {
  const page = await browser.open(kLong, kPhone);
  const map = await item(page, "map=1");
  const middle = { x: (map.x0 + map.x1) / 2, y: (map.y0 + map.y1) / 2 };
  const client = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) => client.send("Input.dispatchTouchEvent", { type, touchPoints });
  const apart = (way) => [
    { x: middle.x - way, y: middle.y, id: 0 },
    { x: middle.x + way, y: middle.y, id: 1 },
  ];
  await touch("touchStart", apart(20).slice(0, 1));
  await touch("touchStart", apart(20));
  for (let way = 25; way <= 80; way += 5) {
    await touch("touchMove", apart(way));
    await next_frames(page);
  }
  await touch("touchEnd", []);
  await at_rest(page);
  const zoomed = window_of(page);
  assert.ok(size_of(zoomed) < kTokens / 2 && size_of(zoomed) > kTokens / 8, `${zoomed}`); // four times as far apart
  assert.ok(!link_of(page).includes("cell="), "no tap");
  assert.equal(await page.evaluate(() => visualViewport.scale), 1, "the page was not zoomed");

  await touch("touchStart", [middle]);
  for (let way = 10; way <= 100; way += 10) {
    await touch("touchMove", [{ x: middle.x - way, y: middle.y }]);
    await next_frames(page);
  }
  await touch("touchEnd", []);
  await at_rest(page);
  assert.ok(window_of(page)[2] > zoomed[2], `${window_of(page)} to the right of ${zoomed}`);
  assert.ok(!link_of(page).includes("head="), "no swipe");
  assert.ok((await items(page)).some(({ name }) => name === "overview"));
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

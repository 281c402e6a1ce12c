// What the page costs while nothing happens, and how it survives losing its graphics, its size or its place.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  at_rest,
  browser_of_file,
  click_item,
  eventually,
  first_picture,
  in_playground,
  item,
  items,
  link_of,
  next_frames,
  troubles_of,
} from "./browser.mjs";

const browser = browser_of_file();

const frames = (page) => in_playground(page, (playground) => playground.frames());

/** Waits until the page has been told that its canvas is out of sight: who asks later is told later. */
const is_out_of_sight = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const sight = new IntersectionObserver((entries) => {
          if (!entries.at(-1).isIntersecting) resolve(sight.disconnect());
        });
        sight.observe(document.querySelector("[data-part=canvas]"));
      }),
  );

test("nothing is drawn while nothing happens", async () => {
  const page = await browser.open("cell=1,3,2", { prepare: (page) => page.clock.install() });
  const before = await frames(page);
  await page.clock.runFor(10_000); // with all timers and frames of ten seconds
  assert.equal(await frames(page), before);
  await page.context().close();
});

test("nothing is drawn while the canvas is out of sight, and the newest state when it is back", async () => {
  const page = await browser.open();
  const hide = (is_hidden) =>
    page.evaluate(
      (hidden) => (document.querySelector(".playground").style.marginTop = hidden ? "200vh" : ""),
      is_hidden,
    );
  await hide(true);
  await is_out_of_sight(page);
  const before = await frames(page);
  await in_playground(page, (playground) => playground.open_link("heads=4"));
  await next_frames(page);
  assert.equal(await frames(page), before);
  await hide(false);
  await at_rest(page);
  assert.ok((await frames(page)) > before);
  assert.ok(await item(page, "map=4"));
  await page.context().close();
});

test("a canvas that was made smaller and larger again out of sight is not left empty", async () => {
  const page = await browser.open("", { viewport: { width: 1280, height: 800 } });
  await page.mouse.move(5, 5);
  await at_rest(page);
  const before = await page.screenshot();
  const move = (top) => page.evaluate((top) => (document.querySelector(".playground").style.top = top), top);
  await move("200vh");
  for (const size of [900, 1280]) {
    await page.setViewportSize({ width: size, height: 800 });
    await page.waitForFunction((size) => document.querySelector("[data-part=canvas]").width === size, size); // which empties it
  }
  await move("");
  await next_frames(page);
  await at_rest(page);
  await eventually("the same picture", async () => (await page.screenshot()).equals(before));
  await page.context().close();
});

test("nothing is drawn while the tab is hidden", async () => {
  const page = await browser.open();
  const hide = (state) =>
    page.evaluate((now) => {
      Object.defineProperty(document, "visibilityState", { value: now, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await hide("hidden");
  const before = await frames(page);
  await in_playground(page, (playground) => playground.open_link("heads=4"));
  await next_frames(page);
  assert.equal(await frames(page), before);
  await hide("visible");
  await at_rest(page);
  assert.ok((await frames(page)) > before);
  await page.context().close();
});

for (const [what, link, there] of [
  ["the matrix view", "text=lost+and+found+😀&heads=4&cell=2,1,0", "stage=weights"],
  ["the opening scene", "view=door&off=2:4", "off=in use"],
])
  test(`a lost GL context comes back with the state and the same picture: ${what}`, async () => {
    const page = await browser.open(link);
    await eventually(there, async () => (await items(page)).some(({ name }) => name === there));
    const picture = () =>
      in_playground(page, (playground) => {
        playground.draw();
        return document.querySelector("[data-part=canvas]").toDataURL();
      });
    await page.mouse.move(5, 5);
    await at_rest(page);
    const before = await picture();
    for (let times = 0; times < 2; ++times) {
      await page.evaluate(() => {
        const gl = document.querySelector("[data-part=canvas]").getContext("webgl2");
        globalThis.context_keeper = gl.getExtension("WEBGL_lose_context");
        globalThis.context_keeper.loseContext();
      });
      await page.getByText("The picture comes back by itself").waitFor();
      const lost_at = await frames(page);
      await next_frames(page);
      assert.equal(await frames(page), lost_at, "nothing is drawn without a context");
      await page.evaluate(() => globalThis.context_keeper.restoreContext());
      await page.getByText("The picture comes back by itself").waitFor({ state: "hidden" });
      await at_rest(page);
      assert.equal(await picture(), before);
    }
    // Chromium itself reports each loss and that it would not have liked more of them
    const own = page.troubles.filter((trouble) => !/CONTEXT_LOST_WEBGL|Too many active/.test(trouble));
    assert.deepEqual(own, []);
    await page.context().close();
  });

/** A second playground beside the page's own, without an address. Resolves when it has a picture. */
async function add_second(page) {
  await page.evaluate(async () => {
    const { create_playground } = await import("./playground.js");
    const first = document.querySelector("[data-part=root]");
    const html = await (await fetch("index.html")).text();
    const second = new DOMParser().parseFromString(html, "text/html").querySelector("[data-part=root]");
    second.id = "second";
    document.body.style.cssText = "display:grid;grid-template-rows:1fr 1fr;height:100vh";
    first.after(document.importNode(second, true));
    globalThis.second = await create_playground(document.getElementById("second"));
  });
  await page.locator("#second [data-part=skeleton][hidden]").waitFor({ state: "attached" });
}

test("two playgrounds on one page do not disturb each other", async () => {
  const page = await browser.open("heads=1", { viewport: { width: 1280, height: 1600 } });
  await add_second(page);
  const second = page.locator("#second");
  await second.getByRole("textbox", { name: "Sentence" }).fill("the second one");
  await page.waitForFunction(() => globalThis.second.link() === "v=1&text=the+second+one");
  await at_rest(page);
  assert.equal(link_of(page), "heads=1", "the address belongs to the first");
  assert.equal(await in_playground(page, (playground) => playground.link()), "heads=1");
  await click_item(page, "mask=none");
  assert.equal(link_of(page), "v=1&heads=1&mask=none");
  assert.equal(await page.evaluate(() => globalThis.second.link()), "v=1&text=the+second+one");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("destroy leaves nothing behind: no listener, no frame, no GL context", async () => {
  const page = await browser.open("", {
    prepare: async (page) => {
      await page.clock.install();
      await page.addInitScript(() => {
        globalThis.listening = new Set();
        const { addEventListener } = EventTarget.prototype;
        EventTarget.prototype.addEventListener = function (name, handler, options) {
          const entry = { name: `${this.constructor.name} ${name}` };
          const { signal } = options ?? {};
          if (signal || this === globalThis || this === document) globalThis.listening.add(entry);
          if (signal) addEventListener.call(signal, "abort", () => globalThis.listening.delete(entry));
          return addEventListener.call(this, name, handler, options);
        };
      });
    },
  });
  const listeners_of_window = () =>
    page.evaluate(() => [...globalThis.listening].map(({ name }) => name).filter((name) => /^Window/.test(name)));
  await eventually("the last of them", async () => (await listeners_of_window()).includes("Window storage"));
  const listened = await listeners_of_window();
  const wanted = [
    ...["Window popstate", "Window hashchange", "Window beforeprint", "Window afterprint"],
    "Window storage", // what other windows of the page answer
  ];
  assert.deepEqual(listened, wanted, "the window is left to the page");
  await in_playground(page, (playground) => playground.destroy());
  const before = await frames(page);
  await page.setViewportSize({ width: 900, height: 600 });
  await page.mouse.move(300, 300);
  await page.getByRole("textbox", { name: "Sentence" }).fill("gone");
  await page.clock.runFor(10_000); // with all timers and frames of ten seconds
  assert.equal(await frames(page), before);
  assert.deepEqual(await page.evaluate(() => [...globalThis.listening].map(({ name }) => name)), []);
  const is_lost = await page.evaluate(() =>
    document.querySelector("[data-part=canvas]").getContext("webgl2").isContextLost(),
  );
  assert.equal(is_lost, true);
  await page.context().close();
});

test("a playground that is reloaded is as it was", async () => {
  const page = await browser.open();
  await click_item(page, "mask=none");
  await page.reload();
  await first_picture(page);
  assert.equal(await in_playground(page, (playground) => playground.link()), "v=1&mask=none");
  await page.context().close();
});

// The built site at a first visit: what is fetched until the first picture, how much it is, and that the rest comes after it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { kFirstVisitBudget } from "../../tools/dist.mjs";
import { at_rest, items, dist_file, eventually, in_playground, press_item, start } from "./browser.mjs";

let browser;
before(async () => {
  browser = await start({ folder: dist_file("site"), whole: true });
});
after(() => browser?.close());

const kPhone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

const first_visit = () => JSON.parse(readFileSync(dist_file("first-visit.json"), "utf8"));
const kLater = /_(second|rest)-[^/]*\.wasm$/;
const kRest = /_rest-[^/]*\.wasm$/;
const name_of = (address) => new URL(address).pathname.slice(1) || "index.html";

/**
 * Opens the site and lets the later parts of the engine wait until let_go() is called, or the rest alone (`held_back`). Returns the
 * page, the names of all that was asked for, which go on growing, and let_go(). A call of such a part that does not wait until it is
 * there is a trouble of the page. `slower`: how many times slower than it is the page takes its machine to be. It draws as often as if it were.
 */
async function visit(link, { slower = 1, is_patient = false, held_back = kLater, ...options } = {}) {
  let let_go;
  const held = new Promise((resolve) => (let_go = resolve));
  const asked = [];
  const page = await browser.open(link, {
    wait: false,
    prepare: async (page) => {
      page.on("request", (request) => asked.push(name_of(request.url())));
      await page.addInitScript((slower) => {
        const now = performance.now.bind(performance);
        performance.now = () => slower * now();
      }, slower);
      // The time that boot.js gives the picture before anything is painted ends when the test says so, if `is_patient`.
      if (is_patient)
        await page.addInitScript(() => {
          const later = window.setTimeout;
          window.setTimeout = (call, ms) => {
            if (ms !== 500 || globalThis.end_patience) return later(call, ms);
            globalThis.end_patience = call;
          };
        });
      await page.route(held_back, async (route) => {
        if (route.request().resourceType() === "xhr") return await route.abort(); // web/later_part.js at its last resort
        await held;
        await route.continue();
      });
    },
    ...options,
  });
  return { page, asked, let_go };
}

const picture = (page) => page.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });

// What comes once the picture is there: the later parts with the script that draws figures, and beside them the opening scene's model
// with its script.
for (const [what, options, is_next] of [
  ["the opening scene", { is_bare: true }, (name) => /_(second|rest)-|^figure-|^incoming-|^models\//.test(name)],
  ["a plain link", {}, (name) => /_(second|rest)-|^figure-/.test(name)],
])
  test(`until the first picture of ${what} a browser fetches what tools/dist lists, within the budget`, async () => {
    const { page, asked, let_go } = await visit("", options);
    await picture(page);
    const before_rest = asked.filter((name) => !is_next(name) && name !== "manifest.webmanifest");
    const listed = first_visit();
    assert.deepEqual([...new Set(before_rest)].sort(), listed.map(({ name }) => name).sort());
    const next = asked.findIndex(is_next);
    const first = next < 0 ? asked : asked.slice(0, next);
    for (const { name } of listed.filter(({ name }) => name !== "icon.svg"))
      assert.ok(first.includes(name), `${name} came after what follows the picture: ${asked}`);
    const bytes = listed.reduce((sum, { br }) => sum + br, 0);
    assert.ok(bytes <= kFirstVisitBudget, `${bytes} bytes, packed by brotli`);
    let_go();
    await at_rest(page);
    assert.ok(
      asked.some((name) => /_rest-/.test(name)),
      "the rest comes after the picture",
    );
    assert.equal(page.troubles.join("\n"), "");
    await page.context().close();
  });

// Windows and links whose picture the first part draws alone, while it says how far it is, too.
for (const [what, link, options] of [
  ["the opening scene", "", { is_bare: true }],
  ["the opening scene on a phone", "", { is_bare: true, ...kPhone }],
  ["a dark window", "", { colorScheme: "dark" }],
  ["a narrow window", "", { viewport: { width: 700, height: 800 } }],
  ["a phone", "", kPhone],
  ["a sentence of one's own", "v=1&text=The+lazy+dog+sleeps&heads=4&seed=9", {}],
  ["a long text in many wide heads", `text=${"two+words+".repeat(512)}&d_in=1024&d_out=1024&heads=8`, {}],
  ["a long text where all takes long", `text=${"two+words+".repeat(512)}&d_in=1024&d_out=1024&heads=8`, { slower: 20 }],
  ["lines", "view=lines", {}],
  ["lines on a phone", "view=lines", kPhone],
  ["what teachers' links often say", "mask=none&pos=none&stage=scores&hide=settings", { colorScheme: "dark" }],
]) {
  test(`the first part alone draws ${what}`, async () => {
    const { page, asked, let_go } = await visit(link, options);
    await picture(page);
    const shown = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    assert.ok(!shown.some((name) => kLater.test(name)), `a later part had come: ${asked}`);
    if (options.slower)
      await page.locator("[data-part=announcement]").filter({ hasText: "1024 tokens" }).waitFor({ state: "attached" });
    let_go();
    await at_rest(page);
    assert.equal(page.troubles.join("\n"), "");
    await page.context().close();
  });
}

// The rest is held back, and a call of it is a trouble.
for (const [what, options] of [
  ["a desktop", {}],
  ["a phone", kPhone],
])
  test(`the second part alone has the opening scene on ${what}: its head, and the next word without it`, async () => {
    const { page, asked, let_go } = await visit("", { is_bare: true, held_back: kRest, ...options });
    await picture(page);
    await eventually("the model's head", async () => (await items(page)).some(({ name }) => name === "off=in use"));
    await press_item(page, "off=in use");
    const is_off = () => in_playground(page, (playground) => /off=2(:|%3A)4/.test(playground.link()));
    await eventually("the head is off", is_off);
    await eventually("the rest is asked for", () => asked.some((name) => kRest.test(name)));
    assert.equal(page.troubles.join("\n"), "");
    let_go();
    await at_rest(page);
    assert.equal(page.troubles.join("\n"), "");
    await page.context().close();
  });

test("the second part alone draws every view", async () => {
  const { page, let_go } = await visit("heads=4", { held_back: kRest });
  await picture(page);
  const views = await in_playground(page, ({ engine }) => engine.keys().find(({ key }) => key === "view").choices);
  assert.ok(views.length > 10);
  for (const view of views) {
    await in_playground(page, (playground, link) => playground.open_link(link), `v=1&view=${view}`);
    await eventually(`${view} is drawn`, () => in_playground(page, (playground) => playground.draw().length > 0));
    assert.equal(page.troubles.join("\n"), "", view);
  }
  let_go();
  await at_rest(page);
  assert.equal(page.troubles.join("\n"), "");
  await page.context().close();
});

const kExplained = 980; // CSS pixels from the left, in a window that is 1280 wide: from here on the explanation stands

for (const [what, link, options] of [
  ["a desktop", "", {}],
  ["a dark desktop with lines", "view=lines", { colorScheme: "dark" }],
  ["a phone, whose stages have to be moved into sight", "", kPhone],
]) {
  test(`the first picture is right at once, and the frames that follow are not drawn again: ${what}`, async () => {
    const page = await browser.open(link, {
      wait: false,
      prepare: (page) =>
        page.addInitScript(() => {
          const draw = WebGL2RenderingContext.prototype.clear; // once a picture
          globalThis.num_drawn = 0;
          WebGL2RenderingContext.prototype.clear = function (...values) {
            ++globalThis.num_drawn;
            draw.apply(this, values);
          };
          const later = window.setTimeout;
          globalThis.next_frames = [];
          window.setTimeout = (call, ms) => (ms === 100 ? globalThis.next_frames.push(call) : later(call, ms));
        }),
      ...options,
    });
    await picture(page);
    await page.evaluate(() => document.fonts.ready);
    // Beside the picture an example comes with the second part, in a column that a phone has not.
    const column = options === kPhone ? null : kExplained;
    const clip = { x: 0, y: 0, ...page.viewportSize(), ...(column && { width: column }) };
    const first = await page.screenshot({ clip });
    assert.equal(await page.evaluate(() => globalThis.next_frames.length), 1, "frames that settle wait a moment");
    await page.evaluate(() => globalThis.next_frames.shift()());
    await at_rest(page);
    assert.ok((await in_playground(page, (playground) => playground.frames())) > 1);
    assert.equal(await page.evaluate(() => globalThis.num_drawn), column === null ? 1 : 2);
    const has_example = (await items(page)).some(({ name }) => name === "example"); // this draws
    assert.equal(has_example, column !== null);
    assert.ok(first.equals(await page.screenshot({ clip })), "nothing moves");
    await page.context().close();
  });
}

test("nothing is painted before the picture, unless that lets people wait", async () => {
  const opacity = (page) => page.locator("[data-part=root]").evaluate((root) => Number(getComputedStyle(root).opacity));
  const as_fresh = (page, is_fresh) =>
    page.evaluate((is_fresh) => document.documentElement.toggleAttribute("data-fresh", is_fresh), is_fresh);
  const { page, let_go } = await visit("lesson=causal&step=3", { is_patient: true }); // whose picture takes the second part
  assert.equal(await opacity(page), 0, "at first nothing");
  await page.evaluate(() => globalThis.end_patience());
  assert.equal(await opacity(page), 1, "then what is to come is shown");
  await as_fresh(page, true);
  assert.equal(await opacity(page), 0);
  let_go();
  await picture(page);
  assert.equal(await opacity(page), 1, "the picture waits for nothing");
  await page.context().close();
});

for (const [what, options, is_framed] of [
  ["a desktop", {}, false],
  ["a phone", kPhone, false],
  ["a frame", {}, true],
  ["a frame on a phone", { viewport: { width: 390, height: 500 }, hasTouch: true, isMobile: true }, true],
]) {
  test(`before the picture no text is laid out, and the canvas has its place: ${what}`, async () => {
    const layout = (page) =>
      page.evaluate(() => {
        const texts = [...document.querySelectorAll("h1, input, button, p, textarea, .visually-hidden")];
        const { y, width, height } = document.querySelector("[data-part=canvas]").getBoundingClientRect();
        return {
          num_texts: texts.filter((text) => text.getClientRects().length > 0).length,
          canvas: { y, width, height },
        };
      });
    const { page, let_go } = await visit("lesson=causal&step=3", options); // whose picture takes the second part
    await page.waitForFunction(() => !document.documentElement.hasAttribute("data-fresh")); // it has waited long enough
    await page.evaluate((is_framed) => {
      document.documentElement.toggleAttribute("data-framed", is_framed);
      document.documentElement.toggleAttribute("data-fresh", true);
    }, is_framed);
    const before = await layout(page);
    let_go();
    await picture(page);
    const after = await layout(page);
    assert.equal(before.num_texts, 0);
    assert.ok(after.num_texts > 3);
    assert.deepEqual(before.canvas, after.canvas);
    await page.context().close();
  });
}

test("a link to a lesson fetches all parts side by side", async () => {
  const { page, asked, let_go } = await visit("lesson=causal&step=3");
  await eventually("both later parts are asked for", () => asked.filter((name) => kLater.test(name)).length === 2);
  assert.equal(await page.locator("[data-part=skeleton]").isVisible(), true, "no picture before all are there");
  let_go();
  await picture(page);
  await at_rest(page);
  assert.equal(page.troubles.join("\n"), "");
  await page.context().close();
});

test("what is clicked before the rest is there waits for it and is not lost", async () => {
  const page = await browser.open("", {
    wait: false,
    prepare: async (page) => {
      // The page's own fetch of later parts never answers; the one that a too early call makes does.
      await page.addInitScript(() => {
        const { fetch } = window;
        window.fetch = (address, ...more) =>
          /_(second|rest)-/.test(String(address)) ? new Promise(() => {}) : fetch(address, ...more);
      });
    },
  });
  await picture(page);
  await page.getByRole("button", { name: "Show as text" }).click();
  await page.locator("[data-part=plain] table").first().waitFor();
  assert.equal(page.troubles.join("\n"), "");
  await page.context().close();
});

test("names with a hash are the only ones that change: the running playground is found by its old name", async () => {
  const page = await browser.open("heads=4");
  assert.match(await in_playground(page, (playground) => playground.link()), /heads=4/);
  await page.context().close();
});

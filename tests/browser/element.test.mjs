// <attention-playground>: attributes are the link's keys, it loads when it comes near, grows with its content, does what it is
// asked, and leaves nothing behind.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { PNG } from "pngjs";
import { at_rest, in_playground } from "./browser.mjs";
import { frame_of, start_with_host, type_in } from "./hosts.mjs";

const kModule = join(process.env.ATTN_PAGE ?? "", "attention-playground.js");

let world;
before(async () => {
  world = await start_with_host();
  world.copy(kModule, "attention-playground.js"); // as a course does that has its own copy; `src` says where the playground is
});
after(() => world?.close());

const element = (attributes = "", inside = "") =>
  `<attention-playground src="${world.url}index.html" ${attributes}>${inside}</attention-playground>`;
const page_with = (body, head = "") =>
  `<!doctype html><html><head>${head}<script type="module" src="attention-playground.js"></script></head>` +
  `<body>${body}</body></html>`;

/** The state of the frame inside, as its own engine writes it. */
const state_of = (frame) => in_playground(frame, (one) => one.engine.mirror(one.link()).link);

/** Collects the element's events in `told`. */
const listen = (page) =>
  page.evaluate(() => {
    globalThis.told = [];
    for (const name of ["ready", "change", "answer", "error"]) {
      document
        .querySelector("attention-playground")
        .addEventListener(name, ({ type, detail }) => globalThis.told.push({ type, detail }));
    }
  });
const told = (page, type) => page.evaluate((type) => globalThis.told.filter((one) => one.type === type), type);
const call = (page, method, ...args) =>
  page.evaluate(([method, args]) => document.querySelector("attention-playground")[method](...args), [method, args]);
const set = (page, name, value) =>
  page.evaluate(
    ([name, value]) => {
      const one = document.querySelector("attention-playground");
      if (value === null) one.removeAttribute(name);
      else one.setAttribute(name, value);
    },
    [name, value],
  );

test("it is one module of at most 5 KB, without dependencies", () => {
  assert.ok(statSync(kModule).size <= 5 * 1024, `${statSync(kModule).size} bytes`);
  assert.doesNotMatch(readFileSync(kModule, "utf8"), /\bimport\s*[{"'(*]|\bfrom\s*["']/);
});

test("attributes are the link's keys, and the host page has no way to see into the frame", async () => {
  const page = await world.open(
    page_with(element('text="free speech" heads="2" d_out="6" hide="settings" lock="heads"')),
  );
  const frame = await frame_of(page, "attention-playground");
  assert.equal(await state_of(frame), "v=1&text=free+speech&d_out=6&hide=settings&lock=heads");
  assert.equal(await page.evaluate(() => document.querySelector("iframe").contentDocument), null);
  assert.equal(await page.locator("iframe").getAttribute("title"), "Attention Playground");
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("every link goes through attributes and back", async () => {
  const links = readFileSync(new URL("../golden/links.txt", import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean);
  const page = await world.open(page_with(element('height="300"')));
  const frame = await frame_of(page, "attention-playground");
  await listen(page);
  for (const [i, link] of links.entries()) {
    // Odd ones key by key, where no key is repeated; the others whole.
    const values = [...new URLSearchParams(link)];
    const is_single = new Set(values.map(([key]) => key)).size === values.length;
    await page.evaluate(
      ([attributes]) => {
        const one = document.querySelector("attention-playground");
        for (const name of one.getAttributeNames()) if (!["src", "height"].includes(name)) one.removeAttribute(name);
        for (const [name, value] of attributes) one.setAttribute(name, value);
        if (!one.hasAttribute("link")) one.setAttribute("link", ""); // all anew
      },
      [is_single && i % 2 === 1 ? values : [["link", link]]],
    );
    await page.waitForTimeout(30);
    const state = await call(page, "getState");
    const expected = await in_playground(frame, (one, link) => one.engine.mirror(link).link, link);
    assert.equal(state, expected, link);
    assert.equal(await in_playground(frame, (one, link) => one.engine.mirror(link).link, state), state);
  }
  assert.equal(await page.evaluate(() => history.length), 2, "no attribute is a step for Back"); // about:blank, the page
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("a changed attribute changes its key, and what the visitor did stays", async () => {
  const page = await world.open(
    page_with(element('text="by the author" heads="4" class="wide" data-x="1" aria-label="a"')),
  );
  const frame = await frame_of(page, "attention-playground");
  await listen(page);
  await type_in(frame, "by the visitor");
  assert.equal((await told(page, "change")).at(-1).detail.link, "v=1&text=by+the+visitor&heads=4");
  await set(page, "heads", "1");
  await at_rest(frame);
  assert.equal(await state_of(frame), "v=1&text=by+the+visitor&heads=1");
  await set(page, "heads", null);
  await set(page, "id", "other"); // no key
  await at_rest(frame);
  assert.equal(await state_of(frame), "v=1&text=by+the+visitor");
  await set(page, "link", "text=all+anew");
  await at_rest(frame);
  assert.equal(await state_of(frame), "v=1&text=by+the+author", "the single attributes are laid over the link");
  await set(page, "title", "A picture");
  await page.waitForTimeout(50);
  assert.equal(await page.locator("iframe").getAttribute("title"), "A picture");
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("it loads when it comes near; until then a still picture keeps its place, and nothing shifts", async () => {
  const page = await world.open(
    page_with(
      `<p id="top">above</p>${element('id="near"')}<div style="height:4000px"></div>` +
        `${element('id="far" poster="poster.svg"', "<p>needs JavaScript</p>")}<p>below</p>`,
    ),
    {
      prepare: async (page) => {
        await page.route("**/poster.svg", (route) =>
          route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
        );
        await page.addInitScript(() => {
          globalThis.shifts = 0;
          new PerformanceObserver((list) =>
            list.getEntries().forEach((entry) => (globalThis.shifts += entry.value)),
          ).observe({ type: "layout-shift", buffered: true });
        });
      },
    },
  );
  await frame_of(page, "#near");
  assert.equal(await page.locator("#far iframe").count(), 0);
  const place = await page.locator("#far").boundingBox();
  assert.equal(place.height, 640);
  assert.match(await page.locator("#far").evaluate((one) => getComputedStyle(one).backgroundImage), /poster\.svg/);
  assert.match(await page.locator("#near").evaluate((one) => getComputedStyle(one).backgroundImage), /linear-gradient/);
  await page.locator("#far").scrollIntoViewIfNeeded();
  await frame_of(page, "#far");
  assert.equal((await page.locator("#far").boundingBox()).height, 640);
  assert.equal(await page.locator("#far p").isVisible(), false);
  assert.equal(await page.evaluate(() => globalThis.shifts), 0);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("on a phone it keeps as much room as the frame then asks for", async () => {
  const page = await world.open(
    page_with(element(), '<meta name="viewport" content="width=device-width"><style>body{margin:0}</style>'),
    { viewport: { width: 390, height: 800 } },
  );
  const height = () => page.locator("attention-playground").evaluate((one) => one.offsetHeight);
  await page.locator("attention-playground").waitFor();
  const before = await height();
  await frame_of(page, "attention-playground");
  await page.waitForTimeout(300);
  assert.equal(await height(), before);
  await page.context().close();
});

test("it grows with the text version, and shrinks again; a height of the page's own stays", async () => {
  const page = await world.open(page_with(`${element('id="free"')}${element('id="fixed" height="500"')}`));
  const heights = {};
  for (const id of ["free", "fixed"]) {
    await page.locator(`#${id}`).scrollIntoViewIfNeeded();
    const frame = await frame_of(page, `#${id}`);
    const height = () => page.locator(`#${id}`).evaluate((one) => one.offsetHeight);
    const before = await height();
    await frame.getByRole("button", { name: "Show as text" }).click();
    await page.waitForTimeout(600);
    const scrolls = await frame.evaluate(() => {
      const plain = document.querySelector("[data-part=plain]");
      return plain.scrollHeight > plain.clientHeight;
    });
    heights[id] = [before, await height(), scrolls];
    await frame.getByRole("button", { name: "Show as text" }).click();
    await page.waitForTimeout(600);
    assert.equal(await height(), before, id);
  }
  assert.equal(heights.free[0], 640);
  assert.ok(heights.free[1] > 1000, `${heights.free}`);
  assert.equal(heights.free[2], false, "all of the text is there, without a scroll bar");
  assert.deepEqual(heights.fixed, [500, 500, true]);
  await page.context().close();
});

test("the host's style sheet may size and hide it, and rules for frames do it no harm", async () => {
  const style =
    "<style>iframe{width:10px;max-width:10px;border:9px solid red;position:static}#sized{height:333px;width:50%}</style>";
  const page = await world.open(page_with(`${element('id="sized"')}${element("hidden")}`, style));
  await frame_of(page, "#sized");
  assert.equal((await page.locator("#sized").boundingBox()).height, 333);
  const [outer, inner] = await page.evaluate(() =>
    ["#sized", "#sized iframe"].map((one) => document.querySelector(one).clientWidth),
  );
  assert.equal(inner, outer);
  assert.equal(await page.locator("[hidden]").isVisible(), false);
  assert.equal(await page.locator("[hidden] iframe").count(), 0);
  await page.context().close();
});

test("methods: state, numbers, picture", async () => {
  const page = await world.open(page_with(element('text="one two" heads="2"')));
  const states = await page.evaluate(async () => {
    const one = document.querySelector("attention-playground");
    const before = one.getState(); // asked long before it is ready
    return [await before, await one.setState("text=three+words+now&heads=9"), await one.getState()];
  });
  assert.equal(states[0], "v=1&text=one+two");
  assert.match(states[1], /^v=1&text=three\+words\+now/);
  assert.equal(states[2], states[1]);
  const [stage] = await call(page, "getStage", "weights");
  assert.deepEqual(stage.tokens, ["three", "words", "now"]);
  assert.equal(stage.shape.length, 3);
  const frame = await frame_of(page, "attention-playground");
  const trace = JSON.parse(await in_playground(frame, (one) => one.engine.trace(one.link(), "weights")));
  const numbers = await page.evaluate(async () => {
    const [{ values }] = await document.querySelector("attention-playground").getStage("weights");
    return { kind: values.constructor.name, values: [...values] };
  });
  assert.equal(numbers.kind, "Float32Array");
  assert.deepEqual(numbers.values, trace.sentences[0].stages[0].values.flat(2).map(Math.fround));
  const sizes = [];
  for (const scale of [1, 2]) {
    const bytes = await page.evaluate(async (scale) => {
      const blob = await document.querySelector("attention-playground").exportPNG({ scale, dark: 1 });
      if (blob.type !== "image/png") throw new Error(blob.type);
      return [...new Uint8Array(await blob.arrayBuffer())];
    }, scale);
    sizes.push(PNG.sync.read(Buffer.from(bytes)).width);
  }
  assert.ok(Math.abs(sizes[1] - 2 * sizes[0]) <= 1, `${sizes}`);
  await assert.rejects(
    page.evaluate(() =>
      document
        .querySelector("attention-playground")
        .exportPNG({ scale: 1, head: "x" })
        .then(() => {
          throw new Error("made");
        }),
    ),
    /made|[a-z ]{8}/,
  );
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("a playground that cannot start says so in an event, and whoever waits is told", async () => {
  const page = await world.open(page_with(element('loading="lazy"')), {
    prepare: (page) =>
      Promise.all([
        page.route("**/*.wasm", (route) => route.abort()),
        page.addInitScript(() => {
          globalThis.told = [];
          addEventListener("DOMContentLoaded", () => {
            document
              .querySelector("attention-playground")
              ?.addEventListener("error", ({ detail }) => globalThis.told.push(detail.message));
          });
        }),
      ]),
  });
  await assert.rejects(call(page, "getState"), /could not be loaded/);
  assert.deepEqual(await page.evaluate(() => globalThis.told.length), 1);
  await page.context().close();
});

test("removed before it answered, it says so", async () => {
  const page = await world.open(page_with(element()));
  const why = await page.evaluate(async () => {
    await customElements.whenDefined("attention-playground");
    const one = document.querySelector("attention-playground");
    const waiting = one.getState();
    one.remove();
    return waiting.then(String, (error) => error.message);
  });
  assert.match(why, /removed/);
  await page.context().close();
});

test("moved to another place, it has one frame and begins anew", async () => {
  const page = await world.open(page_with(`${element('heads="4" loading="eager"')}<section></section>`));
  await frame_of(page, "attention-playground");
  await page.evaluate(() => document.querySelector("section").append(document.querySelector("attention-playground")));
  assert.equal(await page.locator("iframe").count(), 1);
  assert.equal(await call(page, "getState"), "v=1&heads=4");
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("a host with a strict policy needs to allow the frame and the module, no style", async () => {
  const policy = `default-src 'none'; script-src 'self'; frame-src ${new URL(world.url).origin}`;
  const page = await world.open(
    page_with(element('heads="1"'), `<meta http-equiv="Content-Security-Policy" content="${policy}">`),
  );
  await frame_of(page, "attention-playground");
  assert.equal((await page.locator("attention-playground").boundingBox()).height, 640);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("in a sandbox that its author asks for, it does the same", async () => {
  const page = await world.open(page_with(element('sandbox="allow-scripts" text="in a sandbox"')));
  await frame_of(page, "attention-playground");
  assert.equal(await call(page, "getState"), "v=1&text=in+a+sandbox");
  await set(page, "text", "still in it");
  await page.waitForTimeout(200);
  assert.equal(await call(page, "getState"), "v=1&text=still+in+it");
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("added and removed 200 times, it leaves nothing behind", async () => {
  const page = await world.open(page_with('<div id="place"></div>'), { viewport: { width: 700, height: 500 } });
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  await client.send("HeapProfiler.enable");
  /** Adds and removes it; with `is_started` once its picture is there, else at once. */
  const round = (times, is_started) =>
    page.evaluate(
      async ([src, times, is_started]) => {
        await customElements.whenDefined("attention-playground");
        for (let i = 0; i < times; ++i) {
          const one = document.createElement("attention-playground");
          one.setAttribute("src", src);
          one.setAttribute("height", "300");
          one.setAttribute("loading", "eager");
          const ready = new Promise((resolve) => one.addEventListener("ready", resolve));
          document.querySelector("#place").append(one);
          if (is_started) await ready;
          else await new Promise((resolve) => setTimeout(resolve, 10));
          one.remove();
        }
      },
      [`${world.url}index.html`, times, is_started],
    );
  const measure = async () => {
    await page.waitForTimeout(500);
    for (let i = 0; i < 3; ++i) await client.send("HeapProfiler.collectGarbage");
    const { metrics } = await client.send("Performance.getMetrics");
    const named = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    return [named.Frames, named.JSEventListeners, named.Documents, named.JSHeapUsedSize];
  };
  await round(5, true);
  await round(20, false);
  const [frames, listeners, documents, heap] = await measure();
  await round(10, true);
  await round(190, false);
  const now = await measure();
  assert.equal(page.frames().length, 1);
  // Chromium frees removed frames when it likes: a few may still be counted, 200 may not
  assert.ok(now[0] <= frames + 5, `frames: ${frames} to ${now[0]}`);
  assert.ok(now[1] <= listeners + 20, `listeners: ${listeners} to ${now[1]}`);
  assert.ok(now[2] <= documents + 5, `documents: ${documents} to ${now[2]}`);
  assert.ok(now[3] <= heap + 300_000, `heap: ${heap} to ${now[3]} bytes; one element kept costs over 2 kB`);
  await page.context().close();
});

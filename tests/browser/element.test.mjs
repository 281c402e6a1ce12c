// <attention-playground>: attributes are the link's keys, it loads when it comes near, grows with its content, does what it is
// asked, and leaves nothing behind.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { PNG } from "pngjs";
import { eventually, in_playground } from "./browser.mjs";
import { kPatience } from "../patience.mjs";
import { snippets } from "../../web/snippets.js";
import { frame_has_heard, frame_of, kListen, page_has_heard, start_with_host, type_in } from "./hosts.mjs";

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
/** Attributes reach the frame as an address does, on another way than messages: waits until the state is what it should be. */
const state_becomes = (frame, state) => eventually(`the state ${state}`, async () => (await state_of(frame)) === state);

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
/** Calls a method; fails where it never settles. */
const call = (page, method, ...args) =>
  page.evaluate(
    ([method, args, patience]) => {
      const late = (_, reject) => setTimeout(() => reject(new Error(`${method} has not settled`)), patience);
      return Promise.race([document.querySelector("attention-playground")[method](...args), new Promise(late)]);
    },
    [method, args, kPatience],
  );
const set = (page, name, value) =>
  page.evaluate(
    ([name, value]) => {
      const one = document.querySelector("attention-playground");
      if (value === null) one.removeAttribute(name);
      else one.setAttribute(name, value);
    },
    [name, value],
  );

const kSettles = { timeout: 3 * kPatience }; // for tests of promises that could be forgotten

const kStandIn = `<!doctype html><p>a stand-in</p><script>
  globalThis.heard = [];
  addEventListener("message", ({ data }) => data?.only_for_tests || globalThis.heard.push(data));
</script>`;

/** A host page whose element has a page in its frame that says nothing by itself. */
function open_stand_in(attributes = "", prepare = async () => {}) {
  const html = `<attention-playground src="${world.url}stand_in.html" loading="eager" ${attributes}></attention-playground>`;
  return world.open(page_with(html), {
    prepare: async (page) => {
      await page.route("**/stand_in.html*", (route) => route.fulfill({ contentType: "text/html", body: kStandIn }));
      await prepare(page);
    },
  });
}

async function stand_in(page) {
  const handle = await page.locator("attention-playground iframe").elementHandle();
  const frame = await handle.contentFrame();
  await frame.locator("p").waitFor();
  return frame;
}

/** The frame tells the page around it something, which has been heard when this resolves. */
async function say(frame, message) {
  await frame.evaluate((message) => parent.postMessage({ attention: 1, ...message }, "*"), message);
  await page_has_heard(frame);
}

test("it is one module of less than 6 KB, 2.5 KB on its way, without dependencies", () => {
  assert.ok(statSync(kModule).size <= 5.75 * 1024, `${statSync(kModule).size} bytes`);
  const packed = gzipSync(readFileSync(kModule)).length;
  assert.ok(packed <= 2.5 * 1024, `${packed} bytes packed`);
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
    const expected = await in_playground(frame, (one, link) => one.engine.mirror(link).link, link);
    await eventually(`${link} gives ${expected}`, async () => (await call(page, "getState")) === expected);
    assert.equal(await in_playground(frame, (one, link) => one.engine.mirror(link).link, expected), expected);
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
  await state_becomes(frame, "v=1&text=by+the+visitor&heads=1");
  await set(page, "heads", null);
  await set(page, "id", "other"); // no key
  await state_becomes(frame, "v=1&text=by+the+visitor");
  await set(page, "link", "text=all+anew");
  await state_becomes(frame, "v=1&text=by+the+author"); // the single attributes are laid over the link
  await set(page, "title", "A picture");
  await page.locator('iframe[title="A picture"]').waitFor({ state: "attached" });
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
    page_with(kListen + element(), '<meta name="viewport" content="width=device-width"><style>body{margin:0}</style>'),
    { viewport: { width: 390, height: 800 } },
  );
  const height = () => page.locator("attention-playground").evaluate((one) => one.offsetHeight);
  await page.locator("attention-playground").waitFor();
  const before = await height();
  const frame = await frame_of(page, "attention-playground");
  await page.waitForFunction(() => globalThis.heard.some(({ data }) => data.type === "size"));
  await page_has_heard(frame);
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
    const text_is_whole = () => document.querySelector("[data-part=plain]").ariaBusy === "false";
    await frame.waitForFunction(text_is_whole, null, { polling: 100 });
    const scrolls = () =>
      frame.evaluate(() => {
        const plain = document.querySelector("[data-part=plain]");
        return plain.scrollHeight > plain.clientHeight;
      });
    await eventually("room for the text, or a scroll bar", async () => (await scrolls()) === (id === "fixed"));
    heights[id] = [before, await height(), await scrolls()];
    await frame.getByRole("button", { name: "Show as text" }).click();
    await eventually(`the height before, of ${id}`, async () => (await height()) === before);
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

test("removed before it answered, it says so, and to whoever asks later; put back, it answers", kSettles, async () => {
  const page = await world.open(page_with(element()));
  const [before, after, later] = await page.evaluate(async () => {
    await customElements.whenDefined("attention-playground");
    const one = document.querySelector("attention-playground");
    const why = (promise) => promise.then(String, (error) => error.message);
    const waiting = why(one.getState());
    one.remove();
    const asked = why(one.getState());
    const answers = await Promise.all([waiting, asked]);
    document.body.append(one);
    return [...answers, await why(one.getState())];
  });
  assert.match(before, /removed/);
  assert.match(after, /removed/);
  assert.match(later, /^v=1/);
  await page.context().close();
});

test(
  "after an error every call is refused with its sentence, whoever waits and whoever comes later",
  kSettles,
  async () => {
    const page = await open_stand_in();
    await listen(page);
    const waiting = page.evaluate(() =>
      Promise.all(
        [["getState"], ["setState", "heads=1"], ["getStage", "weights"], ["exportPNG"]].map(([method, ...args]) =>
          document
            .querySelector("attention-playground")
            [method](...args)
            .then(String, (error) => error.message),
        ),
      ),
    );
    const frame = await stand_in(page);
    await say(frame, { type: "error", message: "It broke." });
    assert.deepEqual(await waiting, Array(4).fill("It broke."));
    for (const method of ["getState", "setState", "getStage", "exportPNG"])
      await assert.rejects(call(page, method), /It broke\./, method);
    assert.deepEqual(await told(page, "error"), [{ type: "error", detail: { message: "It broke." } }]);
    await page.context().close();
  },
);

test("a program of which only the half arrives is never ready", async () => {
  const page = await world.open(page_with(element('loading="lazy"')), {
    prepare: (page) => page.route("**/*_second*.wasm", (route) => route.abort()),
  });
  await listen(page);
  await page.waitForFunction(() => globalThis.told.some(({ type }) => type === "error"));
  await assert.rejects(call(page, "getState"), /could not be loaded/);
  const frame = page.frames()[1];
  await in_playground(frame, () => null); // it has started, as far as it can
  await page_has_heard(frame);
  assert.deepEqual(await told(page, "ready"), []);
  await page.context().close();
});

test("a height that is asked for is a number within limits, and nothing else gets into the page's style", async () => {
  const page = await open_stand_in();
  const frame = await stand_in(page);
  const box = () =>
    page.locator("attention-playground").evaluate((one) => {
      const { position, height, color } = getComputedStyle(one);
      return { position, height, color };
    });
  const { color } = await box();
  const asked = async (height) => {
    await say(frame, { type: "size", height });
    return box();
  };
  assert.deepEqual(await asked(900), { position: "relative", height: "900px", color });
  for (const height of [
    "100vh; position: fixed; inset: 0",
    "1px } :host { position: fixed !important",
    "5px",
    "500",
    ["500"],
    null,
    {},
    NaN,
    Infinity,
  ])
    assert.deepEqual(await asked(height), { position: "relative", height: "900px", color }, String(height));
  assert.equal((await asked(1e9)).height, "100000px");
  assert.equal((await asked(-7)).height, "1px");
  await page.context().close();
});

test("only the page that it loaded is heard, not one that came into the frame after it", async () => {
  const elsewhere = "https://elsewhere.example/";
  const page = await open_stand_in("", (page) =>
    page.route(`${elsewhere}**`, (route) => route.fulfill({ contentType: "text/html", body: kStandIn })),
  );
  await listen(page);
  const waiting = call(page, "getState").then(String, (error) => error.message);
  for (const address of [elsewhere, `data:text/html,${encodeURIComponent(kStandIn)}`]) {
    const frame = await stand_in(page);
    await frame.evaluate((address) => location.replace(address), address).catch(() => {}); // it goes away as it answers
    await frame.waitForURL(address);
    await frame.locator("p").waitFor();
    await say(frame, { type: "size", height: 1234 });
    await say(frame, { type: "ready" });
    await say(frame, { type: "change", link: "heads=1" });
    await say(frame, { type: "result", id: 1, value: { link: "stolen" } });
    await say(frame, { type: "error", message: "It broke." });
    await frame_has_heard(frame);
    assert.deepEqual(await frame.evaluate(() => globalThis.heard), [], "it is told nothing");
  }
  assert.deepEqual(await page.evaluate(() => globalThis.told), []);
  assert.equal(await page.locator("attention-playground").evaluate((one) => one.offsetHeight), 640);
  await page.evaluate(() => document.querySelector("attention-playground").remove());
  assert.match(await waiting, /removed/);
  await page.context().close();
});

test("an src that is no page's address is refused: nothing runs, and whoever asks is told", async () => {
  const page = await open_stand_in();
  await listen(page);
  const addresses = [
    "javascript:void(parent.ran = 1)",
    " JavaScript:parent.ran = 1",
    "java\tscript:parent.ran = 1",
    "data:text/html,<script>parent.ran = 1</script>",
    "vbscript:ran",
    "about:blank",
    "http://",
    await page.evaluate(() =>
      URL.createObjectURL(new Blob(["<script>parent.ran = 1</script>"], { type: "text/html" })),
    ),
  ];
  for (const [i, address] of addresses.entries()) {
    await set(page, "src", address);
    await page.waitForFunction((count) => globalThis.told.length === count, i + 1);
    await assert.rejects(call(page, "getState"), /src is not the address of a page/, address);
    assert.equal(await page.locator("iframe").count(), 0, address);
  }
  assert.ok((await told(page, "error")).every(({ detail }) => /src is not the address of a page/.test(detail.message)));
  assert.equal(await page.evaluate(() => globalThis.ran), undefined);
  await set(page, "src", `${world.url}index.html`);
  assert.match(await call(page, "getState"), /^v=1/);
  await page.context().close();
});

test("where no playground answers, whoever asks is told, and a link stands in place of the gap", kSettles, async () => {
  const page = await world.open(page_with("<main></main>"));
  await page.evaluate((address) => {
    globalThis.told = [];
    const one = document.createElement("attention-playground");
    one.setAttribute("src", `${address}?from=course`);
    one.setAttribute("loading", "eager");
    one.setAttribute("title", "Two heads");
    one.addEventListener("error", ({ detail }) => globalThis.told.push(detail.message));
    document.querySelector("main").append(one);
  }, `${world.url}nothing_here.html`);
  const sentence = `No playground answers at ${world.url}nothing_here.html.`;
  for (const method of ["getState", "getStage"])
    await assert.rejects(call(page, method, "weights"), (error) => error.message.includes(sentence));
  assert.deepEqual(await page.evaluate(() => globalThis.told), [sentence]);
  const link = page.getByRole("link", { name: "Two heads" });
  assert.equal(new URL(await link.getAttribute("href")).pathname, "/nothing_here.html");
  assert.equal(await page.locator("attention-playground iframe").isVisible(), false);
  await set(page, "src", `${world.url}index.html`); // mended
  assert.match(await call(page, "getState"), /^v=1/);
  await link.waitFor({ state: "detached" });
  await page.context().close();
});

test("a playground that answers late is shown and obeys", kSettles, async () => {
  const page = await open_stand_in('title="Two heads"');
  await listen(page);
  const frame = await stand_in(page);
  const link = page.getByRole("link", { name: "Two heads" });
  await link.waitFor();
  await assert.rejects(call(page, "getState"), /No playground answers/);
  await say(frame, { type: "ready" });
  await link.waitFor({ state: "detached" });
  assert.equal(await page.locator("attention-playground iframe").isVisible(), true);
  const asked = call(page, "getState");
  await frame.waitForFunction(() => globalThis.heard.some(({ type }) => type === "get_state"));
  const { id } = await frame.evaluate(() => globalThis.heard.find(({ type }) => type === "get_state"));
  await say(frame, { type: "result", id, value: { link: "heads=1" } });
  assert.equal(await asked, "heads=1");
  await page.context().close();
});

test("without the element's module, what stands between the tags of its snippet leads to the playground", async () => {
  const embed = { address: world.url, link: "heads=4", title: "Two heads", width: "100%", height: 640 };
  const snippet = snippets.find(({ name }) => name === "element").write(embed);
  const page = await world.open(`<!doctype html>${snippet}`, {
    prepare: (page) => page.route("**/attention-playground.js", (route) => route.fulfill({ status: 404 })),
  });
  const link = page.getByRole("link", { name: "Two heads" });
  assert.equal(await link.getAttribute("href"), `${world.url}#heads=4`);
  assert.equal(await link.isVisible(), true);
  await page.context().close();
  const whole = await world.open(page_with(snippet.replace(/<script.*?<\/script>/, "")));
  await frame_of(whole, "attention-playground");
  assert.equal(await whole.getByRole("link", { name: "Two heads" }).count(), 0, "it is not seen beside the frame");
  await whole.context().close();
});

test("width and height are lengths, and no other style comes in with them", async () => {
  const page = await open_stand_in('height="1px; position: fixed; inset: 0"');
  const box = () =>
    page.locator("attention-playground").evaluate((one) => {
      const { position, display, overflow } = getComputedStyle(one);
      return [position, display, overflow, one.offsetWidth, one.offsetHeight];
    });
  const usual = ["relative", "block", "hidden", 1264, 640];
  assert.deepEqual(await box(), usual);
  for (const name of ["height", "width"]) {
    for (const value of [
      "1px; position: fixed",
      "1px } :host { position: fixed !important } x {",
      "1px\\",
      "calc(1px } :host { position: fixed",
      "1px !important",
      "-5",
      "wide",
      "",
    ]) {
      await set(page, name, value);
      assert.deepEqual(await box(), usual, `${name}="${value}"`);
    }
    await set(page, name, "1px /*"); // one length, and a comment that must not take the next rules with it
    assert.deepEqual((await box()).slice(0, 3), usual.slice(0, 3));
    assert.equal(await page.locator("iframe").evaluate((one) => getComputedStyle(one).position), "absolute");
    await set(page, name, null);
  }
  await set(page, "height", "300");
  await set(page, "width", "50%");
  assert.deepEqual(await box(), ["relative", "block", "hidden", 632, 300]);
  await set(page, "height", "20em");
  assert.equal((await box())[4], 320);
  await page.context().close();
});

test("a host from disk, or in a sandbox, has an element that works as elsewhere", async () => {
  // Browsers let such pages load no module from elsewhere without CORS headers: it stands in the page.
  const html =
    `<!doctype html><script type="module">${readFileSync(kModule, "utf8")}</script>` +
    element('text="from afar" heads="4"');
  const folder = mkdtempSync(join(tmpdir(), "attn-element-"));
  const file = join(folder, "inside.html");
  writeFileSync(file, html);
  world.copy(file, "inside.html");
  const page = await world.open('<!doctype html><iframe sandbox="allow-scripts" src="inside.html"></iframe>');
  const in_sandbox = await (await page.locator("iframe").elementHandle()).contentFrame();
  const from_disk = await page.context().newPage();
  await from_disk.goto(pathToFileURL(file).href);
  for (const host of [in_sandbox, from_disk]) {
    await host.locator("attention-playground").waitFor();
    assert.equal(await host.evaluate(() => self.origin), "null");
    assert.equal(await call(host, "getState"), "v=1&text=from+afar&heads=4", host.url());
    assert.equal(await call(host, "setState", "text=and+back&heads=1"), "v=1&text=and+back&heads=1");
  }
  rmSync(folder, { recursive: true });
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
  await eventually("the new text", async () => (await call(page, "getState")) === "v=1&text=still+in+it");
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("added and removed 200 times, it leaves nothing behind", async () => {
  const page = await world.open(page_with('<div id="place"></div>'), { viewport: { width: 700, height: 500 } });
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  await client.send("HeapProfiler.enable");
  /** Adds and removes it; with `is_started` once its picture is there, else at the next frame. */
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
          else await new Promise(requestAnimationFrame);
          one.remove();
        }
      },
      [`${world.url}index.html`, times, is_started],
    );
  const measure = async () => {
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
  await eventually("no frame but the page", () => page.frames().length === 1);
  // Chromium frees removed frames when it likes: a few may still be counted, 200 may not. Of the heap, one element that is
  // kept costs over 2 kB.
  const before = [frames, listeners, documents, heap];
  const most = [frames + 5, listeners + 20, documents + 5, heap + 300_000];
  let now = [];
  await eventually("all given back", async () => (now = await measure()).every((count, i) => count <= most[i])).catch(
    () => assert.fail(`frames, listeners, documents, bytes: ${before} before, ${now} now`),
  );
  await page.context().close();
});

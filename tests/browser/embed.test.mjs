// The playground in other people's pages: a plain frame, many of them, scaled slides, strict policies. The page around keeps its
// keys, its wheel, its focus and its Back.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PNG } from "pngjs";
import { at_rest, eventually, first_picture, in_playground, item, items } from "./browser.mjs";
import { example_file, frame_of, start_with_host, type_in } from "./hosts.mjs";

let world;
before(async () => {
  world = await start_with_host();
  world.copy_playground();
});
after(() => world?.close());

const kStyle = "border:0;width:1000px;height:640px;display:block";
const frame_at = (link, attributes = "", query = "") =>
  `<iframe src="${world.url}index.html${query}#${link}" style="${kStyle}" ${attributes}></iframe>`;
const page_with = (body, head = "") =>
  `<!doctype html><html><head>${head}</head><body style="margin:0">${body}</body></html>`;
const tall = '<div style="height:3000px">below</div>';

/** How many colours a part of the page's picture has; an empty one has one or two. */
async function colors_in(page, selector) {
  const { data } = PNG.sync.read(await page.locator(selector).first().screenshot());
  const colors = new Set();
  for (let i = 0; i < data.length; i += 4) colors.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
  return colors.size;
}
const scrolled = (page) => page.evaluate(() => scrollY);
const focused = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.localName);

test("a sandbox that allows scripts and nothing else, from another site, is enough", async () => {
  const sandbox = 'sandbox="allow-scripts" id="frame"';
  const page = await world.open(
    page_with(`<input id="before">${frame_at("text=in+a+sandbox&heads=1", sandbox)}${tall}`),
  );
  const frame = await frame_of(page);
  assert.equal(await frame.evaluate(() => self.origin), "null");
  await assert.rejects(
    frame.evaluate(() => localStorage.length),
    /SecurityError|sandbox/,
  );
  assert.equal(await frame.getByRole("textbox", { name: "Sentence" }).inputValue(), "in a sandbox");
  await eventually("a picture", async () => (await colors_in(page, "iframe")) > 50);
  await type_in(frame, "typed in a sandbox");
  assert.match(frame.url(), /#v=1&text=typed\+in\+a\+sandbox&heads=1$/);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("the page around keeps the focus, Tab walks in and out, and its keys are its own", async () => {
  const page = await world.open(
    page_with(`<input id="before" autofocus>${frame_at("heads=1")}<input id="after">${tall}`),
  );
  const frame = await frame_of(page);
  assert.equal(await focused(page), "before", "nothing took the focus");
  await page.keyboard.type("abc");
  await page.keyboard.press("Backspace");
  assert.equal(await page.locator("#before").inputValue(), "ab");
  const place_of_focus = async () =>
    (await frame.evaluate(() => document.hasFocus() && document.activeElement.dataset.part)) || focused(page);
  /** Where a key has moved the focus; it goes from process to process, and on the way it is in neither, or in the frame itself. */
  const after_key = async (key) => {
    const before = await place_of_focus();
    await page.keyboard.press(key);
    let num_looks = 0;
    return eventually(`${key} moves the focus away from ${before}`, async () => {
      const place = await place_of_focus();
      if (place === before && ++num_looks % 60 === 0) await page.keyboard.press(key); // the first was lost on its way
      return ![before, "iframe", "body"].includes(place) && place;
    });
  };
  const forth = [];
  for (let i = 0; i < 5; ++i) forth.push(await after_key("Tab"));
  assert.deepEqual(forth, ["sentence", "show-text", "new-tab", "canvas", "after"]);
  const back = [];
  for (let i = 0; i < 5; ++i) back.push(await after_key("Shift+Tab"));
  assert.deepEqual(back, ["canvas", "new-tab", "show-text", "sentence", "before"]);

  await page.evaluate(() => document.activeElement.blur());
  // A browser may drop a key that comes while the page still glides, or before it knows who has the focus now.
  const scrolls = (key, is_there) =>
    eventually(`${key} scrolls the page`, async () => {
      await page.keyboard.press(key);
      return is_there(await scrolled(page));
    });
  await scrolls("Space", (top) => top > 100);
  await scrolls("Home", (top) => top === 0);
  await scrolls("ArrowDown", (top) => top > 50);
  assert.match(await in_playground(frame, (one) => one.link()), /^heads=1$/);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("focus that left for the page around stays there, and takes the wheel along", async () => {
  // Of the host's own origin: browsers let others not even try.
  const own = `<iframe src="${world.host}playground/index.html#heads=1" style="${kStyle}"></iframe>`;
  const page = await world.open(page_with(`${own}<input id="after">${tall}`));
  const frame = await frame_of(page);
  const field = await item(frame, "d_in");
  await page.mouse.dblclick(field.x, field.y); // a number is being edited: the hidden text area has the focus
  await at_rest(frame);
  await page.locator("#after").focus();
  await in_playground(frame, (one) => one.open_link("heads=4"));
  await at_rest(frame);
  await page.keyboard.type("mine");
  assert.equal(await focused(page), "after");
  assert.equal(await page.locator("#after").inputValue(), "mine");
  await page.mouse.move(100, 500); // over the settings, which could scroll
  await page.mouse.wheel(0, 200);
  await eventually("the wheel scrolls the page", async () => (await scrolled(page)) === 200);
  await page.context().close();
});

test("the wheel scrolls the page around, unless Control is down or the picture was clicked", async () => {
  const page = await world.open(page_with(`${frame_at("heads=1")}${tall}`), { viewport: { width: 1280, height: 600 } });
  const frame = await frame_of(page);
  const top = async () => (await items(frame)).find(({ name }) => name === "heads+").y0 + (await scrolled(page));
  const wheel = async (down) => {
    await page.mouse.move(100, 500);
    await page.mouse.wheel(0, down);
  };
  const page_is_at = (place) => eventually(`the page at ${place}`, async () => (await scrolled(page)) === place);
  /** The settings have moved up from where they were, and the page has not. */
  const settings_move_from = async (before) => {
    await eventually(`the settings move up from ${before}`, async () => (await top()) < before - 20);
    await at_rest(frame);
    assert.equal(await scrolled(page), 0);
  };
  const settings = await top();
  await wheel(200);
  await page_is_at(200);
  await at_rest(frame);
  assert.equal(await top(), settings);
  await wheel(-200);
  await page_is_at(0);

  await page.keyboard.down("Control");
  await wheel(100);
  await settings_move_from(settings);
  await page.keyboard.up("Control");
  const moved = await top();

  const { x, y } = await item(frame, "token=1");
  await page.mouse.click(x, y);
  await at_rest(frame);
  await wheel(100);
  await settings_move_from(moved);
  await wheel(5000); // to the end of the settings
  await at_rest(frame);
  await eventually("at the end the page around goes on", async () => {
    await wheel(200);
    return (await scrolled(page)) > 0;
  });
  await page.context().close();
});

test("Back belongs to the page around", async () => {
  const page = await world.open(page_with(frame_at("heads=1")));
  const frame = await frame_of(page);
  const { x, y } = await item(frame, "embed=ngrams");
  await page.mouse.click(x, y);
  await at_rest(frame);
  await type_in(frame, "another");
  assert.match(frame.url(), /text=another&embed=ngrams&heads=1/, "the address goes with the state");
  await page.goBack();
  assert.equal(page.url(), "about:blank", "where it came from");
  await page.context().close();
});

test("a link opens the present state in a tab of its own, without the frame's permissions", async () => {
  const page = await world.open(page_with(frame_at("heads=1", "", `?host=${world.host_origin}`)));
  const frame = await frame_of(page);
  await type_in(frame, "taken along");
  const link = frame.getByRole("link", { name: "Open in a new tab" });
  assert.equal(await link.getAttribute("href"), `${world.url}index.html#v=1&text=taken+along&heads=1`);
  assert.match(await link.getAttribute("rel"), /noopener/);
  const opened = page.context().waitForEvent("page");
  await link.click();
  const tab = await opened;
  await first_picture(tab);
  assert.equal(tab.url(), `${world.url}index.html#v=1&text=taken+along&heads=1`);
  assert.equal(await tab.evaluate(() => opener), null);
  assert.equal(await tab.getByRole("link", { name: "Open in a new tab" }).isVisible(), false, "it is in no frame");
  await page.context().close();
});

test("a sandbox without tabs shows the address instead, to be copied", async () => {
  const page = await world.open(page_with(frame_at("heads=1", 'sandbox="allow-scripts"')));
  const frame = await frame_of(page);
  await frame.getByRole("link", { name: "Open in a new tab" }).click();
  const address = frame.getByRole("textbox", { name: "Address" });
  assert.equal(await address.inputValue(), `${world.url}index.html#heads=1`);
  assert.equal(await frame.evaluate(() => getSelection().toString()), `${world.url}index.html#heads=1`);
  await page.keyboard.press("Escape");
  assert.equal(await address.count(), 0);
  assert.equal(page.context().pages().length, 1);
  await page.context().close();
});

test("a hidden sentence leaves the bar to the title and the way out", async () => {
  const page = await world.open(page_with(frame_at("hide=sentence")));
  const frame = await frame_of(page);
  assert.equal(await frame.getByRole("textbox", { name: "Sentence" }).count(), 0);
  assert.equal(await frame.getByRole("link", { name: "Open in a new tab" }).isVisible(), true);
  assert.ok((await frame.locator("header").boundingBox()).height <= 48);
  await page.context().close();
});

/** Clicks the cell of row 5, column 2 of the first head, at its place on the scaled page. Returns the link. */
async function click_cell(page, frame, scale, tokens) {
  const map = (await in_playground(frame, (one) => one.draw())).find(({ name }) => name === "map=1");
  const canvas = await frame.evaluate(() => {
    const { left, top } = document.querySelector("[data-part=canvas]").getBoundingClientRect();
    return { left, top };
  });
  const iframe = await page.locator("iframe >> visible=true").first().boundingBox();
  const x = canvas.left + map.x0 + ((map.x1 - map.x0) * 2.5) / tokens;
  const y = canvas.top + map.y0 + ((map.y1 - map.y0) * 5.5) / tokens;
  await page.mouse.click(iframe.x + x * scale, iframe.y + y * scale);
  await at_rest(frame);
  return in_playground(frame, (one) => one.link());
}

test("in a scaled frame the pointer is where it seems to be", async () => {
  for (const scale of [0.5, 0.8, 1.3]) {
    const style = `transform:scale(${scale});transform-origin:0 0`;
    const page = await world.open(page_with(`<div style="${style}">${frame_at("heads=1")}</div>`));
    const frame = await frame_of(page);
    assert.match(await click_cell(page, frame, scale, 11), /cell=1,5,2/, `scale ${scale}`);
    await page.context().close();
  }
});

test("a playground that its own document scales, too", async () => {
  const page = await world.open(page_with(""));
  await page.goto(`${world.url}index.html#heads=1`);
  await first_picture(page);
  await page.evaluate(() => {
    const { style } = document.querySelector(".playground");
    style.transform = "scale(0.6)";
    style.transformOrigin = "0 0";
  });
  await at_rest(page);
  const canvas = await page.locator("[data-part=canvas]").boundingBox();
  const map = (await in_playground(page, (one) => one.draw())).find(({ name }) => name === "map=1");
  const x = canvas.x + (map.x0 + ((map.x1 - map.x0) * 2.5) / 11) * 0.6;
  const y = canvas.y + (map.y0 + ((map.y1 - map.y0) * 5.5) / 11) * 0.6;
  await page.mouse.click(x, y);
  await at_rest(page);
  assert.match(await in_playground(page, (one) => one.link()), /cell=1,5,2/);
  await page.context().close();
});

test("a host that allows its frame and nothing else is enough", async () => {
  const policy = `default-src 'none'; frame-src ${new URL(world.url).origin}`;
  const page = await world.open(
    `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">` +
      `<iframe src="${world.url}index.html#heads=1" width="1000" height="640"></iframe>`,
  );
  const frame = await frame_of(page);
  assert.ok((await items(frame)).some(({ name }) => name === "map=1"));
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

/** Counts how often WebAssembly is compiled, and how many contexts are there, in every frame. */
const kCount = () => {
  globalThis.compiled = 0;
  for (const name of ["compile", "compileStreaming", "instantiateStreaming"]) {
    const original = WebAssembly[name];
    WebAssembly[name] = (...parts) => {
      globalThis.compiled += 1;
      return original.apply(WebAssembly, parts);
    };
  }
};
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const in_frames = (frames, work) => Promise.all(frames.map((frame) => frame.evaluate(work)));
const has_context = () => !document.querySelector("[data-part=canvas]").getContext("webgl2").isContextLost();

test("twelve on one page: each its own state, one compile, contexts that go and come back", async () => {
  const states = Array.from({ length: 12 }, (_, i) => `text=number+${i + 1}&heads=${(i % 2) + 1}`);
  const page = await world.open(page_with(states.map((link) => frame_at(link)).join("")), {
    viewport: { width: 1000, height: 700 },
    prepare: (page) => page.addInitScript(kCount),
  });
  const frames = [];
  const pictures = [];
  for (let i = 0; i < states.length; ++i) {
    await page.evaluate((i) => document.querySelectorAll("iframe")[i].scrollIntoView(), i);
    frames.push(await frame_of(page, `iframe >> nth=${i}`));
    await page.mouse.move(5, 5);
    pictures.push(await page.screenshot());
  }
  for (const [i, link] of states.entries()) {
    const wanted = await in_playground(frames[i], (one, link) => one.engine.mirror(link).link, link);
    assert.equal(await in_playground(frames[i], (one) => one.engine.mirror(one.link()).link), wanted);
  }
  assert.equal(
    sum(await in_frames(frames, () => globalThis.compiled)),
    3,
    "each of the three parts is compiled once for all",
  );

  const contexts = await eventually("few contexts, after 3 s out of sight", async () => {
    const all = await in_frames(frames, has_context);
    return sum(all.map(Number)) <= 3 && all;
  });
  assert.equal(contexts[11], true);

  await page.evaluate(() => document.querySelectorAll("iframe")[0].scrollIntoView());
  // Of a frame that was far away the browser itself shows nothing at first, not even the bar, which is HTML.
  await frames[0].evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const still = await page.screenshot();
  await eventually("a context again", () => frames[0].evaluate(has_context));
  await frames[0].locator(".still").waitFor({ state: "detached" });
  await at_rest(frames[0]);
  assert.equal(await frames[0].locator("[data-part=message]").isVisible(), false, "nobody is told");
  await eventually("the same picture, to the pixel", async () => (await page.screenshot()).equals(pictures[0]));
  assert.ok(still.length > pictures[0].length / 3, "and something was there at once");
  const troubles = page.troubles.filter((one) => !/Too many active/.test(one));
  assert.deepEqual(troubles, []);
  await page.context().close();
});

test("a state that arrives while the picture rests is drawn when it is seen again", async () => {
  const page = await world.open(page_with(`${frame_at("heads=1")}${tall}`));
  const frame = await frame_of(page);
  await page.evaluate(() => scrollTo(0, 3000));
  await frame.waitForFunction(() => document.querySelector(".still"), null, { polling: 100 });
  await in_playground(frame, (one) => one.open_link("text=meanwhile&heads=1"));
  assert.equal(await frame.evaluate(has_context), false);
  await page.evaluate(() => scrollTo(0, 0));
  await frame.waitForFunction(() => !document.querySelector(".still"), null, { polling: 100 });
  await at_rest(frame);
  const tokens = (await items(frame)).filter(({ name }) => /^token=/.test(name));
  assert.deepEqual(
    tokens.map(({ name }) => name),
    ["token=0"],
  );
  await page.context().close();
});

test("frames with an origin of their own compile for themselves, and all come up", async () => {
  const states = Array.from({ length: 3 }, (_, i) => `text=number+${i + 1}`);
  const page = await world.open(page_with(states.map((link) => frame_at(link, 'sandbox="allow-scripts"')).join("")), {
    viewport: { width: 1000, height: 2000 },
  });
  for (const [i] of states.entries()) {
    const frame = await frame_of(page, `iframe >> nth=${i}`);
    assert.equal(await frame.getByRole("textbox", { name: "Sentence" }).inputValue(), `number ${i + 1}`);
  }
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

// --- the examples ---

test("examples/plain.html", async () => {
  const page = await world.open(world.example(example_file("plain.html")));
  const frame = await frame_of(page);
  assert.equal(await frame.getByRole("textbox", { name: "Sentence" }).inputValue(), "the cat sat on the mat");
  await eventually("a picture", async () => (await colors_in(page, "iframe")) > 50);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("examples/reveal.html: a scaled slide, in a frame and in an element", async () => {
  world.copy(new URL("../../node_modules/reveal.js/dist", import.meta.url), "reveal.js/dist");
  const page = await world.open(world.example(example_file("reveal.html"), `${world.host}playground/`), {
    viewport: { width: 800, height: 560 },
  });
  await page.waitForFunction(() => globalThis.Reveal?.isReady());
  const scale = await page.evaluate(() => Reveal.getScale());
  assert.ok(scale < 0.9, `slides are scaled: ${scale}`);
  await page.keyboard.press("ArrowRight");
  const frame = await frame_of(page, "section.present iframe");
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished))); // the slide slides
  const real = await page.evaluate(() => {
    const one = document.querySelector("section.present iframe");
    return one.getBoundingClientRect().width / one.offsetWidth;
  });
  assert.match(await click_cell(page, frame, real, 6), /cell=1,5,2/);
  await page.evaluate(() => document.activeElement.blur());
  await page.evaluate(() => Reveal.next());
  const element = await frame_of(page, "section.present attention-playground");
  assert.match(await in_playground(element, (one) => one.link()), /text=a\+dog\+ran/);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("examples/course.html: six embeds, and the check's result on the page", async () => {
  const page = await world.open(world.example(example_file("course.html"), `${world.host}playground/`));
  const wanted = {
    vectors: /stage=embeddings/,
    scores: /stage=scores/,
    mask: /lock=mask/,
    blanks: /hide=settings,weights\[1,3,\*\]/,
    lesson: /lesson=causal&step=2/,
    check: /check=weights/,
  };
  const frames = {};
  for (const [id, link] of Object.entries(wanted)) {
    await page.locator(`#${id}`).scrollIntoViewIfNeeded();
    frames[id] = await frame_of(page, `#${id}`);
    assert.match(await in_playground(frames[id], (one) => one.engine.mirror(one.link()).link), link);
  }
  await page
    .locator("#check")
    .evaluate((one) =>
      one.setState(`${one.getAttribute("link") ?? ""}text=the+cat+sat&heads=1&check=weights&cell=1,0,0`),
    );
  await page.locator("#check").scrollIntoViewIfNeeded();
  await at_rest(frames.check);
  const { x, y } = await item(frames.check, "answer");
  await page.mouse.click(x, y);
  await at_rest(frames.check);
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  await page.getByText("1 of 1 right, 0 hints").waitFor();
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

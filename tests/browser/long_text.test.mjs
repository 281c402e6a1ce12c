// Long texts and what should not be pasted: the page goes on answering, says how far it is, can be stopped, and never loses the
// last good state.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  at_rest,
  browser_of_file,
  eventually,
  in_playground,
  items,
  link_of,
  next_frames,
  troubles_of,
} from "./browser.mjs";
import {
  kFilesOfLongTexts,
  kHighWindow,
  kLong,
  assert_in_pieces,
  field,
  is_computed,
  link_words,
  make_file,
  open_where_files_are_made,
  paste,
  press,
  put_heads_together,
  show_text_version,
  words,
} from "./long_texts.mjs";

const browser = browser_of_file();

const frames = (page) => in_playground(page, (playground) => playground.frames());
const names = async (page) => (await items(page)).map((one) => one.name);
const announcement = (page) => page.locator("[data-part=announcement]").textContent();

/**
 * For open(): counts the pieces of work that the page does in tasks of their own (web/task.js), and holds them after `most`, until
 * let_go().
 */
const hold_pieces = (page) =>
  page.addInitScript(() => {
    const pieces = (globalThis.pieces = { count: 0, most: Infinity, held: [] });
    pieces.let_go = () => {
      pieces.most = Infinity;
      for (const piece of pieces.held.splice(0)) piece();
    };
    const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
    Object.defineProperty(MessagePort.prototype, "onmessage", {
      set(work) {
        set.call(this, function take(event) {
          if (pieces.count >= pieces.most) return void pieces.held.push(() => take(event));
          ++pieces.count;
          work(event);
        });
      },
    });
  });
/** From now on only so many pieces, until let_go(). */
const hold_after = (page, count) =>
  page.evaluate((count) => (globalThis.pieces.most = globalThis.pieces.count + count), count);
const are_held = (page) => page.waitForFunction(() => globalThis.pieces.held.length > 0);
const let_go = (page) => page.evaluate(() => globalThis.pieces.let_go());

/**
 * Types a text that takes long, and another one for each `begin`, in a page with hold_pieces(), and stops it on the way: as soon as
 * it has taken so long that the page offers to, and then held, so that it cannot be done before.
 */
async function begin_and_stop(page, begin) {
  await hold_after(page, 3);
  await field(page).fill(words(2048, begin));
  for (;;) {
    await are_held(page);
    if (await press(page, "cancel")) break;
    await page.evaluate(() => {
      globalThis.pieces.let_go();
      globalThis.pieces.most = globalThis.pieces.count + 1;
    });
  }
  await let_go(page);
  await at_rest(page);
  assert.ok((await names(page)).includes("go_on"));
}

test("a long text is computed between the frames, its end is told, and then the page rests", async () => {
  const page = await browser.open(`${kLong}&head=3`);
  const before = await frames(page);
  const tasks = await paste(browser, page);
  const drawn = (await frames(page)) - before;
  assert.ok(drawn >= 8, `${drawn} frames for all heads`);
  assert.ok(tasks.length > 20, `${tasks.length} tasks`);
  assert_in_pieces(tasks, 0.1);
  assert.match(await announcement(page), /^weights, head 3: 2048 tokens/);
  assert.ok(!(await names(page)).includes("cancel"));

  const at_end = await frames(page);
  await next_frames(page);
  assert.equal(await frames(page), at_end, "frames while nothing happens");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("what takes long does not wait for frames, however slow they come", async () => {
  const page = await browser.open(`${kLong}&head=3`, { prepare: hold_pieces });
  // A frame comes only once there is nothing else to do: two messages of our own arrive without a piece of work between them.
  const drawn = await in_playground(
    page,
    async (playground, text) => {
      const frames = [];
      window.requestAnimationFrame = (draw) => frames.push(draw);
      window.cancelAnimationFrame = (number) => delete frames[number - 1];
      const { port1, port2 } = new MessageChannel();
      port1.start();
      const message = () =>
        new Promise((resolve) => {
          port1.addEventListener("message", resolve, { once: true });
          port2.postMessage(null);
        });
      const before = playground.frames();
      const input = document.querySelector("[data-part=sentence]");
      input.value = text;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      for (let done = 0; !playground.is_idle(); done = globalThis.pieces.count) {
        await message();
        await message();
        if (globalThis.pieces.count === done) for (const number of frames.keys()) frames[number]?.(performance.now());
      }
      return playground.frames() - before;
    },
    words(2048),
  );
  assert.ok(drawn < 10, `${drawn} frames: in slices of frames it would be some fifty`);
  assert.match(await announcement(page), /^weights, head 3: 2048 tokens/);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("nothing is computed while the tab is hidden, and it goes on when it is back", async () => {
  const page = await browser.open(`${kLong}&head=3`, { prepare: hold_pieces });
  const hide = (state) =>
    page.evaluate((now) => {
      Object.defineProperty(document, "visibilityState", { value: now, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  const count = await page.evaluate(async (text) => {
    const input = document.querySelector("[data-part=sentence]");
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true })); // its frame and a first slice run in this event
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    const { pieces } = globalThis;
    const before = pieces.count;
    const { port1, port2 } = new MessageChannel();
    port1.start();
    // As many messages, each after the one before it, as pieces of work could come between.
    for (let i = 0; i < 20; ++i) {
      await new Promise((resolve) => {
        port1.addEventListener("message", resolve, { once: true });
        port2.postMessage(null);
      });
    }
    return pieces.count - before;
  }, words(2048));
  assert.ok(count <= 1, `${count} pieces, and not only the one that was on its way, which finds the tab hidden`);
  await next_frames(page);
  assert.equal(await in_playground(page, (one) => one.is_idle()), false);
  await hide("visible");
  await is_computed(page);
  assert.match(await announcement(page), /^weights, head 3: 2048 tokens/);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a file of a long text is made once a frame has said that it is being made", async () => {
  const page = await browser.open(`d_in=64&d_out=64&heads=16&text=${link_words(2048)}`, kHighWindow);
  await is_computed(page);
  await press(page, "share");
  await at_rest(page);
  await page.evaluate(() => {
    const told = document.querySelector("[data-part=announcement]");
    globalThis.told = [];
    new MutationObserver(() => globalThis.told.push(told.textContent)).observe(told, { childList: true });
    HTMLAnchorElement.prototype.click = () => globalThis.told.push("the file");
  });
  await press(page, "save=session");
  // Other words may come between and after: where the focus is, what the text is now.
  const told = await eventually("the file and the word that it is made", async () => {
    const all = await page.evaluate(() => globalThis.told);
    return all.includes("the file") && all.some((one) => /^Made attention-.*\.attention\./.test(one)) && all;
  });
  const [word, file] = ["The file is being made.", "the file"].map((one) => told.indexOf(one));
  assert.ok(word >= 0 && word < file, told.join("; "));
  await page.context().close();
});

for (const { view, sizes } of kFilesOfLongTexts) {
  test(`files of a long text are made between the frames: ${view}`, () => make_files(view, sizes));
}

/** Each file is larger than its size: with all that belongs into it. */
async function make_files(view, sizes) {
  const page = await open_where_files_are_made(browser, view);
  await page.evaluate(() => {
    const announced = document.querySelector("[data-part=announcement]");
    globalThis.told = [];
    new MutationObserver(() => globalThis.told.push(announced.textContent)).observe(announced, { childList: true });
  });
  for (const [at, kind] of Object.keys(sizes).entries())
    assert_in_pieces(await make_file(browser, page, kind, at), 0.5, kind);
  const bytes = await page.evaluate(() => globalThis.files.map((one) => one.size));
  for (const [at, [kind, least]] of Object.entries(sizes).entries())
    assert.ok(bytes[at] > least, `${kind}: ${bytes[at]} bytes`);
  // A note on the picture's size may follow.
  await eventually("the word", () =>
    page.evaluate(() => globalThis.told.some((one) => /^Made attention-.*\.png\./.test(one))),
  );
  assert.equal(troubles_of(page), "");
  await page.context().close();
}

test("what changes while a file is made begins it anew, and the file is of the last state", async () => {
  const page = await open_where_files_are_made(browser, "stage=queries", hold_pieces);
  await hold_after(page, 8); // a quarter of the file at most, with what frames make of it between the pieces
  await press(page, "save=json");
  await are_held(page);
  assert.equal(await page.evaluate(() => globalThis.files.length), 0);
  assert.match(await announcement(page), /being made/);
  await field(page).fill("two words");
  await let_go(page);
  await eventually("the file", () => page.evaluate(() => globalThis.files.length > 0));
  const texts = await page.evaluate(async () =>
    JSON.parse(await globalThis.files[0].text()).sentences.map((one) => one.text),
  );
  assert.deepEqual(texts, ["two words"]);
  await at_rest(page);
  assert.equal(await page.evaluate(() => globalThis.files.length), 1);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("typing draws at once, and no more often than the browser does", async () => {
  const page = await browser.open("d_in=64&d_out=64&heads=8");
  const [first, others] = await in_playground(page, async (playground) => {
    const input = document.querySelector("[data-part=sentence]");
    const frames_of = (texts) => {
      const before = playground.frames();
      for (const text of texts) {
        input.value = text;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }
      return playground.frames() - before;
    };
    return [frames_of(["typed"]), frames_of(["typed q", "typed qu", "typed qui", "typed quick"])];
  });
  assert.equal(first, 1, "frames before the event of a keystroke is over");
  assert.equal(others, 0, "frames although one is on its way");
  await at_rest(page);
  assert.match(link_of(page), /text=typed\+quick(&|$)/);
  assert.match(await announcement(page), /2 tokens/);
  await page.context().close();
});

test("heads are put together between the frames, too", async () => {
  const page = await browser.open(`d_in=64&d_out=64&heads=16&text=${link_words(2048)}`);
  await is_computed(page);
  assert_in_pieces(await put_heads_together(browser, page), 0.5);
  assert.match(await announcement(page), /[Mm]ean of 16 heads/);
  await page.context().close();
});

test("a computation is stopped and gone on with, and typing begins anew", async () => {
  const page = await browser.open(kLong, { prepare: hold_pieces });
  await begin_and_stop(page, 0);
  assert.match(await announcement(page), /^Stopped: \d+ of 16 heads are computed\.$/);
  const stopped = await frames(page);
  await next_frames(page);
  assert.equal(await frames(page), stopped, "frames although it is stopped");
  assert.ok(await press(page, "go_on"));
  await is_computed(page);
  assert.match(await announcement(page), /^weights: 16 heads, 2048 tokens$/);

  await begin_and_stop(page, 1);
  await field(page).fill("only a few words");
  await at_rest(page);
  const all = await names(page);
  assert.ok(!all.includes("go_on") && all.includes("map=1"), all.join(" "));
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a megabyte is cut to what is used, with a note", async () => {
  const page = await browser.open("heads=1&d_in=8&d_out=8");
  await page.evaluate(() => {
    const input = document.querySelector("[data-part=sentence]");
    input.value = "many words ".repeat(100_000);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await is_computed(page);
  const all = await names(page);
  assert.ok(all.includes("notes=read") && all.includes("map=1"), all.join(" "));
  assert.ok((await field(page).inputValue()).length <= 131072);
  assert.match(await announcement(page), /2048 tokens/);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("heads that would need eight gigabytes become as many as there is room for", async () => {
  const page = await browser.open("d_in=64&d_out=512&heads=512");
  await field(page).fill(words(2048));
  await is_computed(page);
  assert.match(link_of(page), /(^|&)heads=16(&|$)/);
  assert.ok((await names(page)).includes("notes=read"));
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the maps of earlier steps are left out where there is no memory for them", async () => {
  const text = Array(2048).fill("x").join("+");
  const link = `text=${text}&heads=64&d_out=64&d_in=64&goal=next&steps=1&stage=grad_weights&view=learn`;
  const page = await browser.open(link);
  await is_computed(page);
  await at_rest(page);
  assert.equal(await page.locator("[data-part=message]").isVisible(), false);
  assert.match(await announcement(page), /^Step 1: the loss is/);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

/** From `globalThis.refuses_memory = true` on, the page's browser gives no more memory. */
const let_memory_be_refused = (page) =>
  page.addInitScript(() => {
    const grow = WebAssembly.Memory.prototype.grow;
    WebAssembly.Memory.prototype.grow = function (pages) {
      if (globalThis.refuses_memory) throw new RangeError("no memory");
      return grow.call(this, pages);
    };
  });

test("where the browser refuses the memory, the state before stays and the reason is said", async () => {
  const page = await browser.open("text=still+here&d_in=64&d_out=64&heads=16", { prepare: let_memory_be_refused });
  await page.evaluate(() => (globalThis.refuses_memory = true));
  await field(page).fill(words(2048));
  await at_rest(page);
  assert.equal(await field(page).inputValue(), "still here");
  const all = await names(page);
  assert.ok(all.includes("notes=read") && all.includes("map=1") && !all.includes("cancel"), all.join(" "));
  assert.match(await announcement(page), /need 2\d\d MB of memory.*: the state before is shown\.$/);
  assert.equal(await page.locator("[data-part=message]").isVisible(), false);

  await field(page).fill("still here and well");
  await at_rest(page);
  assert.match(await announcement(page), /16 heads, 4 tokens/);
  await page.evaluate(() => (globalThis.refuses_memory = false));
  await field(page).fill(words(2048));
  await is_computed(page);
  assert.match(await announcement(page), /16 heads, 2048 tokens/);
  assert.deepEqual(
    page.troubles.filter((trouble) => !trouble.includes("memory")), // Emscripten may say that it was refused
    [],
  );
  await page.context().close();
});

test("the same where not even wide matrices fit", async () => {
  const page = await browser.open("text=still+here&d_in=8&d_out=8&heads=2", { prepare: let_memory_be_refused });
  await page.evaluate(() => (globalThis.refuses_memory = true));
  const wide = "text=still+here&d_in=768&d_out=768&heads=2"; // 12 MB
  await page.evaluate((link) => (location.hash = link), wide);
  await at_rest(page);
  assert.match(await announcement(page), /2 heads of 2 tokens need \d+ MB of memory.*: the state before is shown\.$/);
  assert.ok((await names(page)).includes("notes=read"));
  assert.equal(await page.locator("[data-part=message]").isVisible(), false);

  await page.evaluate(() => (globalThis.refuses_memory = false));
  await page.evaluate((link) => (location.hash = `${link}&seed=2`), wide);
  await at_rest(page);
  assert.match(new URL(page.url()).hash, /d_in=768/);
  await page.context().close();
});

test("a sentence that changes again and again leaves the page alive, and the last one is shown", async () => {
  const page = await browser.open("d_in=64&d_out=64&heads=8");
  await page.evaluate(async (text) => {
    const input = document.querySelector("[data-part=sentence]");
    const { playground } = await import("./main.js");
    const one = await playground;
    const frames = one.frames();
    for (let n = 0; n < 500 || one.frames() < frames + 5; ++n) {
      input.value = `${text} ${n}`;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve)); // what happens in the page comes between
    }
    input.value = `${text} end`;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, words(500));
  await is_computed(page);
  assert.match(link_of(page), /end(&|$)/);
  assert.match(await announcement(page), /501 tokens/);
  assert.ok((await names(page)).includes("map=1"));
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the text version of a long text is made between other work, too", async () => {
  const page = await browser.open(`${kLong}&head=2`);
  await page.locator("[data-part=show-text]").click();
  const plain = page.locator("[data-part=plain]");
  await field(page).fill(words(2048));
  // of the new text: the text before it may still be in the making, or be whole already
  await plain.locator(".plain-tokens li").nth(2047).waitFor({ state: "attached" });
  await page.waitForFunction(() => document.querySelector("[data-part=plain]").ariaBusy === "false");
  assert.equal(await plain.locator(".plain-tokens li").count(), 2048);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the text version makes what is long in small pieces, in its order", async () => {
  const page = await browser.open(`text=${link_words(100)}&d_in=8&d_out=8&heads=8`);
  await page.evaluate(() => {
    globalThis.added = []; // tokens and cells, task by task
    const count = (node) => (node.matches?.("td, li") ? 1 : (node.querySelectorAll?.("td, li").length ?? 0));
    new MutationObserver((changes) => {
      const nodes = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      globalThis.added.push(nodes.reduce((sum, node) => sum + count(node), 0));
    }).observe(document.querySelector("[data-part=plain]"), {
      childList: true,
      subtree: true,
    });
  });
  await page.locator("[data-part=show-text]").click();
  await page.waitForFunction(() => document.querySelector("[data-part=plain]").ariaBusy === "false");
  const added = await page.evaluate(() => globalThis.added); // first all that is not long, with its own lists
  assert.ok(added.length > 30 && Math.max(...added.slice(1)) < 1000, added.join(" "));
  assert.equal(await page.locator(".plain-tokens li").count(), 100);
  const tables = await page.locator(".plain-table:has(td[data-row])").evaluateAll((all) =>
    all.map((one) => ({
      caption: one.querySelector("caption").textContent,
      first: one.querySelector("td[data-row]").dataset,
      cells: one.querySelectorAll("td[data-row]").length,
      last: one.querySelector("tr:last-child td:last-child").textContent,
    })),
  );
  assert.deepEqual(
    tables.map(({ caption }) => caption.match(/head (\d)/)[1]),
    ["1", "2", "3", "4", "5", "6", "7", "8"],
  );
  for (const { cells } of tables) assert.equal(cells, 64 * 64);
  assert.equal(new Set(tables.map(({ last }) => last)).size, 8, "each head has its own numbers");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the text version of a long text does not keep the page from answering", async () => {
  const page = await browser.open(`text=${link_words(2048)}&${kLong}`);
  await is_computed(page);
  assert_in_pieces(await show_text_version(browser, page), 0.25);
  assert.equal(await page.locator(".plain-table td[data-row]").count(), 16 * 64 * 64);
  await page.context().close();
});

test("where the browser refuses the memory, the text version stays and says why", async () => {
  const page = await browser.open("text=still+here&d_in=64&d_out=64&heads=16", { prepare: let_memory_be_refused });
  await page.locator("[data-part=show-text]").click();
  const plain = page.locator("[data-part=plain]");
  await plain.locator(".plain-tokens li").first().waitFor();
  await page.evaluate(() => (globalThis.refuses_memory = true));
  await field(page).fill(words(2048));
  await plain.locator(".plain-notes li").waitFor();
  assert.match(await plain.locator(".plain-notes").textContent(), /16 heads of 2,048 tokens need \d+ MB of memory/);
  assert.equal(await plain.locator(".plain-tokens li").count(), 2);

  await field(page).fill("still here and well");
  await page.waitForFunction(() => document.querySelectorAll(".plain-tokens li").length === 4);
  assert.equal(await plain.locator(".plain-notes").isVisible(), false);
  assert.equal(await page.locator("[data-part=message]").isVisible(), false);
  await page.context().close();
});

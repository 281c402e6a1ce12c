// The model that reads any words: a press that says its size brings it, then it reads every sentence that is typed into the
// opening scene, on later visits too; stopped, damaged, without room, in a frame, from disk, and in the text version.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { write_list } from "../../tools/lib/finish.mjs";
import {
  at_rest,
  browser_of_file,
  click_item,
  close_untroubled,
  dist_file,
  eventually,
  first_picture,
  items,
  link_of,
  mirror_of,
  open_in_sandbox,
  start,
  troubles_of,
  worker_is_there,
} from "./browser.mjs";

const kFiles = ["config.json", "model.safetensors", "tokenizer.json"];
const kNumbers = "**/models/own-words/model.safetensors";
const kSentence = "My zebra sleeps near the river tonight and";
const kReads = /Heads? \d.* of layer 4/; // the text version, of what own-words reads
const kPhone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

const browser = browser_of_file({ whole: true });

const names_of = async (page) => (await items(page)).map(({ name }) => name);
const has = (page, name) => eventually(name, async () => (await names_of(page)).includes(name));
const model_of = async (page) => (await mirror_of(page)).values.model[0] ?? "";
const is_read_by = (page, name) => eventually(`${name} reads`, async () => (await model_of(page)) === name);
/** The numbers of own-words are there, not only its name. */
const is_open = (page) =>
  eventually("own-words is open", async () => {
    const { fixed, values } = await mirror_of(page);
    return fixed.includes("heads") && values.model[0] === "own-words" && values.d_in[0] === "128";
  });
const said = (page, words) =>
  page.locator("[data-part=announcement]").filter({ hasText: words }).waitFor({ state: "attached" });
const type = async (page, text) => {
  await page.locator("[data-part=sentence]").fill(text);
  await at_rest(page);
};
const note_requests = (asked) => (page) =>
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.includes("/own-words/")) asked.push(pathname.split("/").at(-1));
  });
const open_scene = async (options = {}) => {
  const page = await browser.open("", { is_bare: true, ...options });
  await has(page, "off=in use");
  return page;
};

for (const [where, options] of [
  ["a screen", {}],
  ["a phone", kPhone],
]) {
  test(`on ${where} one press reads a sentence of one's own, and after it every other one`, async () => {
    const asked = [];
    const page = await open_scene({ ...options, prepare: note_requests(asked) });
    await type(page, kSentence);
    await has(page, "read=own-words");
    assert.deepEqual(asked, []);
    const button = (await items(page)).find(({ name }) => name === "read=own-words");
    assert.ok(!button.is_clipped && button.x1 <= page.viewportSize().width, JSON.stringify(button));
    await click_item(page, "read=own-words");
    await is_open(page);
    await has(page, "off=in use");
    assert.deepEqual(asked.sort(), kFiles);
    assert.equal((await mirror_of(page)).sentence.text, kSentence);
    assert.match(link_of(page), /model=own-words/);

    for (const text of ["I love my friends very", "the cat near the dogs", "Ich mag 🙂 日本"]) {
      await type(page, text);
      assert.equal(await model_of(page), "own-words");
      assert.equal((await mirror_of(page)).sentence.text, text);
      await has(page, "off=in use");
    }
    assert.deepEqual(
      (await mirror_of(page)).notes.filter((note) => note.includes("decides")),
      [],
    );
    assert.equal(asked.length, 3);
    if (options === kPhone) return close_untroubled(page); // there the sentences are below what is in sight
    await click_item(page, "start=1"); // its sentences are those of the other model
    assert.equal(await model_of(page), "first-words");
    assert.equal(asked.length, 3);
    await close_untroubled(page);
  });
}

test("a long text is cut where the model's positions end, and says so", async () => {
  const page = await browser.open("view=door&model=own-words&text=one");
  await is_open(page);
  await type(page, "word ".repeat(2000).trim());
  await has(page, "off=in use");
  const { notes, tokens } = await mirror_of(page);
  assert.ok(tokens.length <= 128);
  assert.ok(
    notes.some((note) => /^the first 128 of 2,001 tokens are used/.test(note)),
    notes.join("\n"),
  );
  await close_untroubled(page);
});

test("what is fetched can be stopped: random heads are a press away, and so is another try", async () => {
  let is_held = true;
  const page = await open_scene({
    prepare: (page) => page.route(kNumbers, (route) => (is_held ? undefined : route.continue())),
  });
  await type(page, kSentence);
  await click_item(page, "read=own-words");
  await page.locator(".drop-hint").filter({ hasText: "The model is being opened." }).waitFor();
  await page.keyboard.press("Escape");
  await said(page, "because you stopped it");
  await has(page, "read=random");
  await click_item(page, "read=random");
  await has(page, "read=own-words");
  assert.equal((await mirror_of(page)).sentence.text, kSentence);
  is_held = false;
  await click_item(page, "read=own-words");
  await is_open(page);
  await close_untroubled(page);
});

test("damaged files and a host that breaks off are sentences, and the next press tries again", async () => {
  const numbers = readFileSync(new URL("../../models/own-words/model.safetensors", import.meta.url));
  const answers = [
    (route) => route.fulfill({ body: numbers.subarray(0, 100_000) }),
    (route) => route.abort(),
    (route) => route.continue(),
  ];
  const page = await open_scene({ prepare: (page) => page.route(kNumbers, (route) => answers.shift()(route)) });
  await type(page, kSentence);
  for (const sentence of [/model\.safetensors/, /could not be fetched/]) {
    await click_item(page, "read=own-words");
    await said(page, sentence);
    await has(page, "read=random");
    assert.equal((await mirror_of(page)).sentence.text, kSentence);
    await click_item(page, "read=random");
    await has(page, "read=own-words");
  }
  await click_item(page, "read=own-words");
  await is_open(page);
  await page.context().close();
});

test("the text version offers it with its size, and reads what is typed there", async () => {
  const page = await open_scene();
  await page.locator("[data-part=show-text]").click();
  await page.locator("[data-part=sentence]").fill(kSentence);
  const press = page.getByRole("button", { name: "Read it with own-words (2.6 MB)" });
  await press.click();
  await is_read_by(page, "own-words");
  await page.getByText(kReads).first().waitFor();
  await page.locator("[data-part=sentence]").fill("the cat near the dogs");
  await eventually("it is read", async () => (await mirror_of(page)).sentence.text === "the cat near the dogs");
  assert.equal(await model_of(page), "own-words");
  await close_untroubled(page);
});

test("in a sandboxed frame the same press brings it, as a script", async () => {
  const page = await open_in_sandbox(browser, "view=door&model=&text=my+zebra+sleeps");
  const frame = page.frameLocator("iframe");
  await frame.locator("[data-part=skeleton]").waitFor({ state: "hidden" });
  await frame.locator("[data-part=show-text]").click();
  await frame.getByRole("button", { name: "Read it with own-words (2.6 MB)" }).click();
  await frame.getByText(kReads).first().waitFor();
  await page.context().close();
});

test("the page as one file has it inside: whoever types needs no press", async () => {
  const page = await browser.browser.newPage();
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${pathToFileURL(dist_file("attention-playground.html"))}#view=door`);
  await page.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
  await page.locator("[data-part=show-text]").click();
  await page.locator("[data-part=sentence]").fill(kSentence);
  await page.getByText(kReads).first().waitFor();
  assert.deepEqual(
    asked.filter((url) => !/^(file|data|blob):/.test(url)),
    [],
  );
  await page.close();
});

// --- later visits ---

const kPath = "course/";
const kOn = `${kPath}?offline`; // at an address of this machine it has to be asked for
let site;
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "attn-own-words-"));
  cpSync(dist_file("site"), join(folder, kPath), { recursive: true });
  site = await start({ folder, whole: true });
});
after(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});
const kept_files = (page) =>
  page.evaluate(async () => {
    const kept = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys())
        if (url.includes("/own-words/")) kept.push(url.split("/").at(-1));
    return kept.sort();
  });
const press_for_it = async (page) => {
  await type(page, kSentence);
  await click_item(page, "read=own-words");
  await is_open(page);
};

test("a press is remembered: the worker keeps the model, and later visits read with it, without a network and in a newer version", async () => {
  const page = await site.open("", { path: kOn });
  await worker_is_there(page);
  await has(page, "off=in use");
  assert.deepEqual(await kept_files(page), [], "nobody has asked for it");
  await press_for_it(page);
  await eventually("it is kept", async () => (await kept_files(page)).length === kFiles.length);
  assert.deepEqual(await kept_files(page), kFiles);

  await page.context().setOffline(true);
  await page.goto("about:blank");
  await page.goto(`${site.url}${kOn}`);
  await first_picture(page);
  await has(page, "off=in use");
  assert.equal(await model_of(page), "first-words");
  await type(page, kSentence);
  await is_open(page);
  await page.context().setOffline(false);

  const html = join(folder, kPath, "index.html");
  writeFileSync(html, readFileSync(html, "utf8").replace(/<title>[^<]*/, "<title>Newer"));
  write_list(join(folder, kPath));
  const asked = [];
  page.context().on("request", (request) => asked.push(request.url()));
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await eventually("the newer one waits", () =>
    page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null),
  );
  assert.deepEqual(await kept_files(page), [...kFiles, ...kFiles].sort());
  assert.deepEqual(
    asked.filter((url) => url.includes("/own-words/")),
    [],
    "the same numbers come from the older cache",
  );
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("where the browser has no room left, the model reads all the same and is not kept", async () => {
  const page = await site.open("", { path: kOn });
  await worker_is_there(page);
  await has(page, "off=in use");
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.overrideQuotaForOrigin", { origin: new URL(site.url).origin, quotaSize: 1000 });
  await press_for_it(page);
  await at_rest(page);
  assert.deepEqual(await kept_files(page), []);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

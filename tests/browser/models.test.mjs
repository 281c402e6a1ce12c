// Trained models on the page: beside it, fetched only when somebody asks for one; and files that a visitor drops.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { write_model } from "../model/checkpoints.mjs";
import { llama_gguf } from "../model/gguf.mjs";
import { torch_file } from "../model/torch_file.mjs";
import {
  at_rest,
  browser_of_file,
  click_item,
  close_untroubled,
  dist_file,
  eventually,
  first_picture,
  in_playground,
  items,
  link_of,
  mirror_of,
  open_in_sandbox,
} from "./browser.mjs";

const kFiles = ["config.json", "model.safetensors", "tokenizer.json"];
const kText = "the+woman+painted+the+artist+with+the+brush";
const kLink = `text=${kText}&model=first-words&layer=2&head=7&stage=weights`;

const browser = browser_of_file({ whole: true });
const parent = mkdtempSync(join(tmpdir(), "attn-models-"));
after(() => rmSync(parent, { recursive: true, force: true }));

const bytes_of = (file) => readFileSync(new URL(`../../models/first-words/${file}`, import.meta.url));
const model_is_open = (page, name) =>
  eventually(`the model ${name} is open`, async () => {
    const { fixed, values } = await mirror_of(page);
    return fixed.includes("heads") && values.model[0].startsWith(name);
  });
const said = (page, words) =>
  page.locator("[data-part=announcement]").filter({ hasText: words }).waitFor({ state: "attached" });

/** Notes in a list what a page asks for of models. */
const note_requests = (asked) => (page) =>
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.includes("/models/")) asked.push(pathname);
  });
const kAsked = [...kFiles.map((file) => `/models/first-words/${file}`), "/models/list.json"];

/** Drops files on the playground: [[name, bytes]]. */
const drop = (page, files) =>
  page.locator("[data-part=root]").evaluate(
    (root, files) => {
      const dataTransfer = new DataTransfer();
      for (const [name, base64] of files) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], name));
      }
      root.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    files.map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]),
  );
const all_files = () => kFiles.map((file) => [file, bytes_of(file)]);

test("a model beside the page is fetched when a link names it, and not before", async () => {
  const asked = [];
  const page = await browser.open("text=a+b", { prepare: note_requests(asked) });
  await page.waitForLoadState("networkidle");
  assert.deepEqual(asked, []);
  await in_playground(page, (playground, link) => playground.open_link(link), kLink);
  await model_is_open(page, "first-words");
  assert.deepEqual(asked.sort(), kAsked);
  const { values, notes, link } = await mirror_of(page);
  assert.deepEqual([values.heads, values.d_in, values.layer], [["8"], ["64"], ["2"]]);
  assert.deepEqual(notes, []);
  assert.match(link, /head=7/, "what the link says of the model's heads is kept");
  await close_untroubled(page);
});

test("the first picture of a link is the model's, a reload keeps it, and there is nothing to undo", async () => {
  const asked = [];
  const page = await browser.open(kLink, { prepare: note_requests(asked) });
  for (const when of ["opened", "reloaded"]) {
    const { values, notes } = await mirror_of(page);
    assert.deepEqual([values.heads, notes], [["8"], []], when);
    assert.deepEqual([...new Set(asked)].sort(), kAsked, when);
    await page.keyboard.press("Control+z");
    await at_rest(page);
    assert.equal(link_of(page), kLink, when);
    if (when === "opened") {
      await page.reload();
      await first_picture(page);
    }
  }
  await close_untroubled(page);
});

test("a switch on the first screen fetches the trained matrices for the same sentence, and goes back", async () => {
  const asked = [];
  const page = await browser.open("", { prepare: note_requests(asked) });
  await page.waitForLoadState("networkidle");
  assert.deepEqual(asked, []);
  const weights_of = () =>
    in_playground(page, (playground) => {
      const { sentences } = JSON.parse(playground.engine.trace(playground.link(), "weights"));
      return sentences[0].stages[0].values;
    });
  const random = await weights_of();
  const { sentence } = await mirror_of(page);

  await click_item(page, "matrices=first-words");
  await model_is_open(page, "first-words");
  await at_rest(page);
  assert.deepEqual(asked.sort(), kAsked);
  assert.equal(link_of(page), "v=1&d_in=64&d_out=64&heads=8&model=first-words&layer=2&view=model");
  const trained = await weights_of();
  assert.deepEqual([random.length, trained.length], [2, 8]);
  assert.equal((await mirror_of(page)).sentence.text, sentence.text);

  await click_item(page, "matrices=random");
  assert.equal(link_of(page), "v=1&pos=none&d_in=64&d_out=64&heads=8&bias=1");
  const again = await weights_of();
  assert.equal(again.length, 8, "as many heads as the trained ones");
  assert.notDeepEqual(again[0], trained[0]);

  await page.goBack();
  await at_rest(page);
  assert.deepEqual(await weights_of(), trained);
  await page.goBack();
  await at_rest(page);
  assert.equal(link_of(page), "v=1");
  assert.deepEqual(await weights_of(), random);
  assert.ok((await items(page)).some(({ name, is_clipped }) => name === "matrices=random" && !is_clipped));
  await close_untroubled(page);
});

test("a lesson's step opens the model that it shows, and has what the step says of its heads", async () => {
  const asked = [];
  const page = await browser.open("lesson=causal&step=3", { prepare: note_requests(asked) });
  await page.waitForLoadState("networkidle");
  assert.deepEqual(asked, []);
  await in_playground(page, (playground) => playground.open_link("lesson=votes&step=4"));
  await model_is_open(page, "first-words");
  assert.deepEqual(asked.sort(), kAsked);
  const { link, notes, shown, lesson } = await mirror_of(page);
  assert.deepEqual([link, notes], ["v=1&lesson=votes&step=4", []]);
  assert.deepEqual([lesson.step_title, shown.heads.length], ["Where head 7 looks", 1]);
  assert.equal(shown.heads[0].head, 7);
  await close_untroubled(page);
});

test("the page and the attn command compute the same bits of a model", async () => {
  const page = await browser.open(kLink);
  for (const link of [
    kLink,
    `text=${kText}&model=first-words&off=1:2,1:5`,
    "text=the+dogs+near+the+cat&model=first-words&layer=2",
  ]) {
    const attn = execFileSync(join(process.env.ATTN_NATIVE, "attn"), ["trace", link], { encoding: "utf8" });
    const here = await in_playground(
      page,
      ({ engine }, link) => ({ digest: engine.digest(link), trace: JSON.parse(engine.trace(link, "weights")) }),
      link,
    );
    const native = JSON.parse(attn);
    assert.equal(here.digest, native.digest, link);
    const weights = native.sentences[0].stages.find(({ name }) => name === "weights");
    assert.deepEqual(here.trace.sentences[0].stages[0].values, weights.values);
    for (const row of weights.values.flat())
      assert.ok(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-6); // printed with seven digits
  }
  await close_untroubled(page);
});

test("dropped files are the same model under the name of their digest, and what is bad about files is said", async () => {
  const page = await browser.open(`text=${kText}`);
  await drop(page, all_files());
  await model_is_open(page, "gpt2-");
  assert.match(link_of(page), /model=gpt2-[0-9a-f]{16}/);
  const state = (await mirror_of(page)).link;

  await drop(page, [["model.safetensors", bytes_of("model.safetensors")]]);
  await said(page, "do not tell how many heads there are");
  const cut = bytes_of("model.safetensors").subarray(0, 100_000);
  await drop(page, [...all_files().filter(([name]) => name.endsWith("json")), ["model.safetensors", cut]]);
  await said(page, "model.safetensors");
  assert.equal((await mirror_of(page)).link, state, "what was there stays");
  await close_untroubled(page);
});

// The digest is of the numbers, so the name tells that they are the same. A tokenizer that is not there is a note.
test("a file of torch.save opens as the safetensors do, and tokens are written by number where there is no tokenizer", async () => {
  const page = await browser.open(`text=${kText}`);
  await drop(page, all_files());
  await model_is_open(page, "gpt2-");
  const [model] = (await mirror_of(page)).values.model;
  const others = all_files().filter(([name]) => !name.endsWith(".safetensors"));
  const saved = ["pytorch_model.bin", torch_file(bytes_of("model.safetensors"))];
  const second = await browser.open(`text=${kText}`);
  await drop(second, [...others, saved]);
  await model_is_open(second, "gpt2-");
  assert.deepEqual((await mirror_of(second)).values.model, [model]);
  await close_untroubled(page);

  const third = await browser.open("text=3+5,16");
  await drop(third, [...others.filter(([name]) => name !== "tokenizer.json"), saved]);
  await model_is_open(third, "gpt2-");
  assert.deepEqual((await mirror_of(third)).tokens, ["3", "5", "16"]);
  await said(third, "write tokens by their numbers, such as 15 3 8");
  const cut = saved[1].subarray(0, 100_000);
  await drop(third, [...others, ["pytorch_model.bin", cut]]);
  await said(third, "is an incomplete archive");
  await close_untroubled(second);
  await close_untroubled(third);
});

test("a GGUF file opens alone, with its own tokens, and what is wrong with one is said", async () => {
  const folder = write_model(parent, "llama");
  const bytes = llama_gguf(folder);
  const page = await browser.open("text=the+hat+that&layer=2");
  await drop(page, [["stories.gguf", bytes]]);
  await model_is_open(page, "llama-");
  const { values, tokens } = await mirror_of(page);
  assert.deepEqual([values.heads, values.d_in], [["4"], ["16"]]);
  assert.equal(tokens.join(""), "the\u0120hat\u0120that");
  const second = await browser.open("text=the+hat+that&layer=2");
  const files = ["config.json", "model.safetensors", "tokenizer.json"];
  await drop(
    second,
    files.map((name) => [name, readFileSync(join(folder, name))]),
  );
  await model_is_open(second, "llama-");
  assert.deepEqual((await mirror_of(second)).tokens, tokens);
  await drop(page, [["cut.gguf", bytes.subarray(0, bytes.length - 64)]]);
  await said(page, "is cut short: it ends before the tensor");
  await model_is_open(page, "llama-");
  await close_untroubled(page);
  await close_untroubled(second);
});

test("a link that waits for a visitor's files gets its layer and head once they are chosen", async () => {
  const first = await browser.open(`text=${kText}`);
  await drop(first, all_files());
  await model_is_open(first, "gpt2-");
  const [name] = (await mirror_of(first)).values.model;
  await first.context().close();

  const page = await browser.open(`text=${kText}&model=${name}&layer=2&head=7`);
  assert.ok((await mirror_of(page)).notes.some((note) => note.includes(name)));
  await page
    .locator("[data-part=root] > input[type=file]")
    .setInputFiles(kFiles.map((file) => ({ name: file, mimeType: "", buffer: bytes_of(file) })));
  await model_is_open(page, name);
  const { link, values } = await mirror_of(page);
  assert.deepEqual(values.layer, ["2"]);
  assert.match(link, /head=7/);
  await close_untroubled(page);
});

test("a link whose model nobody has says so, names those there are, and keeps what it says", async () => {
  const link = "text=a+b&model=none-such&layer=3&off=1:2";
  const page = await browser.open(link);
  await eventually("the note", async () => (await mirror_of(page)).notes.some((note) => note.includes("none-such")));
  await said(page, "This page has no trained model called none-such. It can open: first-words, own-words.");
  assert.equal((await mirror_of(page)).link, `v=1&${link}`);
  await close_untroubled(page);
});

test("a model that cannot be fetched is a sentence, and the picture is there", async () => {
  const page = await browser.open(kLink, {
    prepare: (page) => page.route("**/model.safetensors", (route) => route.fulfill({ status: 404 })),
  });
  await said(page, "The model first-words cannot be fetched: model.safetensors, 404.");
  assert.deepEqual((await mirror_of(page)).values.heads, ["2"]);
  assert.equal(link_of(page), kLink);
  await page.context().close();
});

test("who waits long for a model hears that it is being opened, and then what there is to see", async () => {
  let go_on = () => {};
  const asked = new Promise((resolve) => (go_on = resolve));
  const page = await browser.open("text=a+b", {
    prepare: (page) =>
      page.route("**/model.safetensors", async (route) => {
        await asked;
        await route.continue();
      }),
  });
  await in_playground(page, (playground, link) => playground.open_link(link), `${kLink}&view=model`);
  await said(page, "The model is being opened.");
  go_on();
  await said(page, /^After “brush”: .*Layer 2 · Head 7/);
  await close_untroubled(page);
});

/** The page's reading of files waits after some parts of them until window.go_on() is called, however it reads them. */
const read_slowly = (page) =>
  page.addInitScript(() => {
    const may_go_on = new Promise((resolve) => (window.go_on = resolve));
    let num_read = 0;
    const wait_in = (prototype, name) => {
      const read = prototype[name];
      prototype[name] = async function (...given) {
        if (++num_read > 8) await may_go_on;
        return read.apply(this, given);
      };
    };
    wait_in(Blob.prototype, "arrayBuffer");
    wait_in(ReadableStreamBYOBReader.prototype, "read");
  });
const hint_of = (page) => page.locator(".drop-hint");
const kWasStopped = "The model was not opened, because you stopped it. What was there stays.";

test("the reading of dropped files can be stopped: what was there stays, and the same files open later", async () => {
  const page = await browser.open(`text=${kText}&heads=2`, { prepare: read_slowly });
  await page.setViewportSize({ width: 360, height: 640 });
  await at_rest(page);
  const before = (await mirror_of(page)).link;
  await drop(page, all_files());
  await hint_of(page)
    .filter({ hasText: /The model is being read: [1-9]\d? %/ })
    .waitFor();
  const stop = hint_of(page).getByRole("button", { name: "Stop" });
  const box = await stop.boundingBox();
  assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 360 && box.y + box.height <= 640, JSON.stringify(box));
  await stop.click();
  await said(page, kWasStopped);
  await hint_of(page).waitFor({ state: "hidden" });
  assert.equal((await mirror_of(page)).link, before);

  await page.evaluate(() => window.go_on());
  assert.equal((await mirror_of(page)).link, before, "what is read after all is not opened");
  await drop(page, all_files());
  await model_is_open(page, "gpt2-");
  await close_untroubled(page);
});

test("Escape stops the opening of a link's model; a link that names it later opens it", async () => {
  let go_on = () => {};
  const asked = new Promise((resolve) => (go_on = resolve));
  const page = await browser.open("text=a+b", {
    prepare: (page) =>
      page.route("**/model.safetensors", async (route) => {
        await asked;
        await route.continue().catch(() => {}); // the page does not wait for it any more
      }),
  });
  await in_playground(page, (playground, link) => playground.open_link(link), kLink);
  await hint_of(page).filter({ hasText: "The model is being opened." }).waitFor();
  await page.keyboard.press("Escape");
  await said(page, kWasStopped);
  await hint_of(page).waitFor({ state: "hidden" });
  assert.deepEqual((await mirror_of(page)).fixed, []);
  go_on();
  await in_playground(page, (playground) => playground.open_link("text=a+b"));
  await in_playground(page, (playground, link) => playground.open_link(link), kLink);
  await model_is_open(page, "first-words");
  await close_untroubled(page);
});

test("the text version shows the layer, and no field for what the model decides", async () => {
  const page = await browser.open(kLink);
  await model_is_open(page, "first-words");
  await page.getByRole("button", { name: "Show as text" }).click();
  const layer = page.getByRole("textbox", { name: "layer", exact: true });
  await layer.fill("1");
  await layer.blur();
  await eventually("the first layer", async () => !/layer=2/.test((await mirror_of(page)).link));
  assert.equal(await page.getByRole("textbox", { name: "heads", exact: true }).count(), 0);
  await close_untroubled(page);
});

test("in the text version a visitor asks for a model by its name", async () => {
  const page = await browser.open(`text=${kText}`);
  await page.getByRole("button", { name: "Show as text" }).click();
  const model = page.getByRole("textbox", { name: "model", exact: true });
  await model.fill("first-words");
  await model.blur();
  await model_is_open(page, "first-words");
  await page.getByRole("textbox", { name: "layer", exact: true }).waitFor();
  await close_untroubled(page);
});

/** Waits until the text version has the layer's field, which needs an open model. */
async function has_model(page) {
  await page.getByRole("button", { name: "Show as text" }).click();
  await page.getByRole("textbox", { name: "layer", exact: true }).waitFor();
}

test("the page as one file, and a frame that may fetch nothing, have the model inside", async () => {
  const frame_page = await open_in_sandbox(browser, kLink);
  await has_model(frame_page.frameLocator("iframe"));
  await close_untroubled(frame_page);

  const context = await browser.browser.newContext();
  const page = await context.newPage();
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${pathToFileURL(dist_file("attention-playground.html"))}#${kLink}`);
  await has_model(page);
  assert.deepEqual(
    asked.filter((address) => !/^(file|data|blob):/.test(address)),
    [],
  );
  await context.close();
});

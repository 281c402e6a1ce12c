// Trained models on the page: beside it, fetched only when somebody asks for one; and files that a visitor drops.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { eventually, in_playground, link_of, start, troubles_of } from "./browser.mjs";

const kFiles = ["config.json", "model.safetensors", "tokenizer.json"];
const kText = "the+artist+painted+the+portrait+of+a+woman+with+a+brush";
const kLink = `text=${kText}&model=first-words&layer=2&head=7&stage=weights`;

let browser;
before(async () => (browser = await start({ whole: true })));
after(() => browser?.close());

const mirror_of = (page) => in_playground(page, (playground) => playground.engine.mirror(playground.link()));
const bytes_of = (file) => readFileSync(new URL(`../../models/first-words/${file}`, import.meta.url));
const model_is_open = (page, name) =>
  eventually(`the model ${name} is open`, async () => {
    const { fixed, values } = await mirror_of(page);
    return fixed.includes("heads") && values.model[0].startsWith(name);
  });

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

test("a model beside the page is fetched when a link names it, and not before", async () => {
  const asked = [];
  const page = await browser.open("text=a+b", {
    prepare: (page) => page.on("request", (request) => asked.push(new URL(request.url()).pathname)),
  });
  assert.deepEqual(
    asked.filter((name) => name.includes("models")),
    [],
  );
  await in_playground(page, (playground, link) => playground.open_link(link), kLink);
  await model_is_open(page, "first-words");
  assert.deepEqual(
    asked.filter((name) => name.includes("/models/")).sort(),
    [...kFiles, "list.json"].map((file) => `/models/${file === "list.json" ? "" : "first-words/"}${file}`).sort(),
  );
  const { values, notes, link } = await mirror_of(page);
  assert.deepEqual([values.heads, values.d_in, values.layer], [["8"], ["64"], ["2"]]);
  assert.deepEqual(notes, []);
  assert.match(link, /head=7/, "what the link says of the model's heads is kept");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a layer of a model is exported and explained like any other attention", async () => {
  const page = await browser.open(kLink);
  await model_is_open(page, "first-words");
  const { rows, why } = await in_playground(
    page,
    ({ engine }, link) => ({
      rows: JSON.parse(engine.trace(link, "weights")).stages[0].values[6],
      why: JSON.parse(engine.explain(link, "output", 1, 3, 5)),
    }),
    kLink,
  );
  for (const row of rows) assert.ok(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-6);
  assert.ok(why.terms.length > 64);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("dropped files are the same model under the name of their digest, and what is bad about files is said", async () => {
  const page = await browser.open(`text=${kText}`);
  await drop(
    page,
    kFiles.map((file) => [file, bytes_of(file)]),
  );
  await model_is_open(page, "gpt2-");
  assert.match(link_of(page), /model=gpt2-[0-9a-f]{16}/);
  const state = (await mirror_of(page)).link;

  const said = (words) =>
    eventually(`"${words}" is said`, async () =>
      (await page.locator("[data-part=announcement]").textContent()).includes(words),
    );
  await drop(page, [["model.safetensors", bytes_of("model.safetensors")]]);
  await said("config.json is missing");
  const cut = bytes_of("model.safetensors").subarray(0, 100_000);
  await drop(page, [
    ...kFiles.filter((file) => file.endsWith("json")).map((file) => [file, bytes_of(file)]),
    ["model.safetensors", cut],
  ]);
  await said("model.safetensors");
  assert.equal((await mirror_of(page)).link, state, "what was there stays");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a link whose model nobody has says so and keeps what it says", async () => {
  const link = `text=a+b&model=none-such&layer=3&off=1%3A2`;
  const page = await browser.open(link);
  await eventually("the note", async () => (await mirror_of(page)).notes.some((note) => note.includes("none-such")));
  assert.equal((await mirror_of(page)).link, `v=1&${link}`);
  await page.context().close();
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
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

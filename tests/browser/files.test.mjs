// Files and links on their way out of the page and back in: downloads, the clipboard, dropped and chosen files, the last visit.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
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
  open_in_sandbox,
  troubles_of,
} from "./browser.mjs";

const kLink = "text=The+cat+sat+on+the+mat&d_in=4&d_out=6&heads=3&seed=7&edit=w_query[0,1]=0.5&stage=context";
const kGoldenLinks = readFileSync(new URL("../golden/links.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");

const browser = browser_of_file({ whole: true });

/** The state in its one legal form, however it came into the address. */
const state_of = (page) => in_playground(page, (playground) => playground.engine.mirror(playground.link()).link);
const announcement_of = (page) => page.locator("[data-part=announcement]").textContent();

/** Presses something in the share panel, which it opens if need be, and scrolls to it. */
async function press(page, name) {
  if (!(await items(page)).some((one) => one.name === "share=close")) await click_item(page, "share");
  const middle = await item(page, "copy=link");
  await page.mouse.move(middle.x, middle.y);
  for (let turns = 0; turns < 40 && (await item(page, name)).is_clipped; ++turns) {
    await page.mouse.wheel(0, 60);
    await at_rest(page);
  }
  await click_item(page, name);
}

/** Presses what saves, and gives the file. */
async function download(page, action) {
  const [one] = await Promise.all([page.waitForEvent("download"), action()]);
  const chunks = [];
  for await (const chunk of await one.createReadStream()) chunks.push(chunk);
  return { name: one.suggestedFilename(), bytes: Buffer.concat(chunks) };
}

/** Drops files on the playground, as a visitor would with the pointer. `files`: [name, text, an array of bytes or { length }]. */
async function drop(page, files, type = "drop") {
  await page.locator("[data-part=root]").evaluate(
    (root, [files, type]) => {
      const dataTransfer = new DataTransfer();
      for (const [name, content] of files) {
        const bytes =
          typeof content === "string" ? content : new Uint8Array(Array.isArray(content) ? content : content.length);
        dataTransfer.items.add(new File([bytes], name));
      }
      const fire = (name) => root.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
      fire("dragover");
      if (type !== "dragover") fire(type);
    },
    [files, type],
  );
}

/** Waits until something is on the canvas. */
async function appears(page, name) {
  await eventually(`"${name}" on the canvas`, async () => (await items(page)).some((one) => one.name === name));
}

async function said(page, words) {
  await page.locator("[data-part=announcement]").filter({ hasText: words }).waitFor({ state: "attached" });
}

test("a session that was saved is the same state again, dropped or chosen", async () => {
  const page = await browser.open(kLink);
  const state = await state_of(page);
  const file = await download(page, () => press(page, "save=session"));
  assert.match(file.name, /^attention-the-cat-sat.*\.attention$/);
  await said(page, `Made ${file.name}`);
  await page.keyboard.press("Escape");

  const dropped = await browser.open("heads=1");
  await drop(dropped, [[file.name, file.bytes.toString()]]);
  await said(dropped, `Opened ${file.name}`);
  assert.equal(await state_of(dropped), state);
  await dropped.goBack();
  await at_rest(dropped);
  assert.equal(link_of(dropped), "heads=1", "Back leads to the state before the file");

  const chosen = await browser.open("heads=1");
  const [dialog] = await Promise.all([chosen.waitForEvent("filechooser"), press(chosen, "open")]);
  assert.equal(dialog.isMultiple(), true);
  await dialog.setFiles({ name: file.name, mimeType: "application/json", buffer: file.bytes });
  await said(chosen, `Opened ${file.name}`);
  assert.equal(await state_of(chosen), state);
  for (const one of [page, dropped, chosen]) {
    assert.equal(troubles_of(one), "");
    await one.context().close();
  }
});

test("a spreadsheet from the picture and one from the text version are the command line's", async () => {
  const { stdout } = spawnSync(join(process.env.ATTN_NATIVE, "attn"), ["export", "xlsx", kLink], {
    maxBuffer: 1 << 28,
  });
  const page = await browser.open(kLink);
  const drawn = await download(page, () => press(page, "save=xlsx"));
  assert.match(drawn.name, /^attention-the-cat-sat.*\.xlsx$/);
  assert.ok(drawn.bytes.equals(stdout), "the picture's");
  await page.getByRole("button", { name: "Show as text" }).click();
  const told = await download(page, () => page.getByRole("button", { name: "Save: Spreadsheet" }).click());
  assert.ok(told.bytes.equals(stdout), "the text version's");
  await page.getByRole("status").getByText(`Made ${drawn.name}.`).waitFor();
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("in a sandboxed frame, which may fetch no module, a script brings the one that writes spreadsheets", async () => {
  const page = await open_in_sandbox(browser, "text=The+cat");
  const frame = page.frameLocator("iframe");
  await frame.getByRole("button", { name: "Show as text" }).click();
  await frame.getByRole("button", { name: "Save: Spreadsheet" }).click();
  await frame
    .getByText(/^attention-the-cat\.xlsx was handed to the browser/)
    .first()
    .waitFor();
  await page.context().close();
});

test("Ctrl+S and Ctrl+O are the playground's while the canvas has the focus", async () => {
  const page = await browser.open(kLink);
  page.on("filechooser", () => {}); // from now on: a key may be faster than the test tool gets ready for the dialog
  await page.locator("[data-part=canvas]").focus();
  const file = await download(page, () => page.keyboard.press("Control+s"));
  assert.match(file.name, /\.attention$/);
  const [dialog] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Control+o")]);
  await dialog.setFiles({ name: "a.attention", mimeType: "", buffer: file.bytes });
  await said(page, "Opened a.attention");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("every golden state survives link, session file and engine", async () => {
  const page = await browser.open();
  const differing = await in_playground(
    page,
    ({ engine }, links) =>
      links
        .map((link) => engine.mirror(link).link)
        .filter((link) => {
          const { name, bytes } = engine.export_file(link, "session");
          const { is_certain, choices } = engine.open_file("heads=1", name, bytes);
          return !is_certain || choices.length !== 1 || choices[0].link !== link || choices[0].notes.length !== 0;
        }),
    kGoldenLinks,
  );
  assert.deepEqual(differing, []);
  await page.context().close();
});

test("what is copied reaches the clipboard: the link with the page's address, and a script", async () => {
  const page = await browser.open(kLink, { permissions: ["clipboard-read", "clipboard-write"] });
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await press(page, "copy=link");
  await said(page, "The link is copied");
  assert.equal(await clipboard(), `${browser.url}#${await state_of(page)}`);
  await press(page, "copy=pytorch");
  await said(page, "Copied: PyTorch");
  const script = await in_playground(page, (playground) =>
    new TextDecoder().decode(playground.engine.export_file(playground.link(), "pytorch").bytes),
  );
  assert.ok(script.length > 100);
  assert.equal(await clipboard(), script);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("numbers are saved as the engine writes them", async () => {
  const page = await browser.open(kLink);
  for (const kind of ["csv", "npz"]) {
    const file = await download(page, () => press(page, `save=${kind}`));
    const wanted = await in_playground(
      page,
      (playground, name) => {
        const { name: file_name, bytes } = playground.engine.export_file(playground.link(), name);
        return { name: file_name, bytes: [...bytes] };
      },
      kind,
    );
    assert.equal(file.name, wanted.name);
    assert.deepEqual([...file.bytes], wanted.bytes);
  }
  await page.context().close();
});

const kNewer = JSON.stringify({
  format: "attention-playground session",
  version: 99,
  state: { text: ["from the future"], layers: 3 },
});

test("a newer session is opened as far as it is understood, and what was ignored is named", async () => {
  const page = await browser.open();
  await drop(page, [["newer.attention", kNewer]]);
  await said(page, "Opened newer.attention");
  assert.equal(await page.getByRole("textbox", { name: "Sentence", exact: true }).inputValue(), "from the future");
  assert.ok(
    (await items(page)).some(({ name }) => name === "notes=read"),
    "the notes are on the screen",
  );

  await page.getByRole("button", { name: "Show as text" }).click();
  await drop(page, [["newer.attention", kNewer]]);
  await page.getByRole("status").filter({ hasText: "its version is 99" }).waitFor();
  await page.getByRole("status").filter({ hasText: '"layers"' }).waitFor();
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a broken file changes nothing and is answered with a sentence", async () => {
  const page = await browser.open(kLink);
  const state = await state_of(page);
  const broken = '{"format": "attention-playground session",\n "version": 1, "state": {"heads" 4}}';
  await drop(page, [["broken.attention", broken]]);
  await said(page, "broken.attention: The file is not valid JSON");
  assert.match(await announcement_of(page), /line 2, column \d+/);
  assert.equal(await state_of(page), state);
  await drop(page, [["empty.npy", ""]]);
  await said(page, "empty.npy: The file is empty.");
  await drop(page, [["large.npy", { length: 64 * 2 ** 20 + 1 }]]);
  await said(page, "large.npy: The file has 65 MiB; at most 64 can be opened.");
  assert.equal(await state_of(page), state);

  await page.getByRole("button", { name: "Show as text" }).click();
  await drop(page, [["broken.attention", broken]]);
  await page.getByRole("status").filter({ hasText: "line 2, column" }).waitFor();
  assert.equal(await state_of(page), state);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

/** From now on the module gets no more memory than it has; asked again, it does. */
const refuse_memory = (page, is_refused) =>
  page.evaluate((is_refused) => {
    const { prototype } = WebAssembly.Memory;
    const grow = (window.real_grow ??= prototype.grow);
    window.num_refused = 0;
    prototype.grow = function (pages) {
      if (!is_refused) return grow.call(this, pages);
      ++window.num_refused;
      throw new RangeError("WebAssembly.Memory.grow(): Maximum memory size exceeded");
    };
  }, is_refused);

test("a file for which there is no memory is answered with a sentence, and opened when there is some again", async () => {
  const large = "0.5,0.5,0.5\n".repeat(400_000); // 4.8 MB: no table has so many rows
  const small = '{"format":"attention-playground session","version":1,"state":{"heads":2}}';
  for (const is_text of [false, true]) {
    const page = await browser.open(kLink); // a new one: what it once got a module keeps
    const state = await state_of(page);
    if (is_text) await page.getByRole("button", { name: "Show as text" }).click();
    const told = (words) =>
      is_text ? page.getByRole("status").filter({ hasText: words }).waitFor() : said(page, words);
    const go_back = () => in_playground(page, (playground, link) => playground.open_link(link), state);

    await refuse_memory(page, true);
    await drop(page, [["too-large.npy", { length: 60 * 2 ** 20 }]]);
    await told(/too-large\.npy: There is not enough memory left for this\. What you have stays\./);
    await drop(page, [["large.csv", large]]);
    await told(/large\.csv: This file needs \d+ MB of memory, and there is not that much left\. What you have stays\./);
    assert.ok((await page.evaluate(() => window.num_refused)) >= 2);
    assert.equal(await state_of(page), state);
    await drop(page, [["small.attention", small]]); // which needs none
    await told("Opened small.attention");
    assert.notEqual(await state_of(page), state);
    await go_back();

    await refuse_memory(page, false);
    await drop(page, [["too-large.npy", { length: 60 * 2 ** 20 }]]);
    await told(/too-large\.npy: This file cannot be opened here/);
    await drop(page, [["large.csv", large]]);
    await told(/large\.csv: (?!This file needs)/);
    assert.equal(await state_of(page), state);
    await drop(page, [["small.attention", small]]);
    await told("Opened small.attention");
    assert.equal(troubles_of(page), "");
    await page.context().close();
  }
});

test("numbers that could be several things are asked about, in the picture and in the text version", async () => {
  const page = await browser.open("text=one+two+three&d_in=3&d_out=3&heads=1");
  const table = "1,2,3\n4,5,6\n7,8,9\n";
  await drop(page, [["numbers.csv", table]]);
  const before = await state_of(page);
  await appears(page, "offer=0");
  await click_item(page, "offer=0");
  assert.notEqual(await state_of(page), before);
  await page.getByRole("button", { name: "Show as text" }).click();
  await in_playground(page, (playground, link) => playground.open_link(link), before);
  await drop(page, [["numbers.csv", table]]);
  const question = page.getByRole("group", { name: "numbers.csv" });
  assert.match(await question.textContent(), /\(3, 3\)/);
  await question.getByRole("button").first().click();
  await question.waitFor({ state: "hidden" });
  assert.notEqual(await state_of(page), before);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a hint shows where files can be dropped, and goes", async () => {
  const page = await browser.open();
  const hint = page.getByText("Drop session files, numbers or a model here");
  await drop(page, [["a.attention", "{}"]], "dragover");
  await hint.waitFor();
  await drop(page, [["a.attention", "{}"]], "dragleave");
  await hint.waitFor({ state: "hidden" });
  await page.context().close();
});

test("the text version saves, copies and opens what the picture does", async () => {
  const page = await browser.open(kLink, { permissions: ["clipboard-read", "clipboard-write"] });
  const state = await state_of(page);
  await page.getByRole("button", { name: "Show as text" }).click();
  const kinds = await in_playground(page, ({ engine }) => engine.exports());
  for (const { label, is_text } of kinds) {
    assert.equal(await page.getByRole("button", { name: `Save: ${label}`, exact: true }).count(), 1, label);
    assert.equal(
      await page.getByRole("button", { name: `Copy: ${label}`, exact: true }).count(),
      is_text ? 1 : 0,
      label,
    );
  }
  const file = await download(page, () => page.getByRole("button", { name: "Save: Session file" }).click());
  await page.getByRole("button", { name: "Copy the link" }).click();
  await page.getByRole("status").filter({ hasText: "The link is copied." }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${browser.url}#${state}`);
  await in_playground(page, (playground) => playground.open_link("heads=1"));
  const [dialog] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Open a session file" }).click(),
  ]);
  await dialog.setFiles({ name: file.name, mimeType: "", buffer: file.bytes });
  await page.getByRole("status").filter({ hasText: "Opened" }).waitFor();
  assert.equal(await state_of(page), state);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the author of a page leaves the sentence out, or fixes it, and hides the way out", async () => {
  const page = await browser.open("text=fixed+words&lock=text&hide=share");
  const field = page.getByRole("textbox", { name: "Sentence", exact: true });
  assert.equal(await field.getAttribute("title"), "The author of this page fixed the sentence.");
  assert.equal(await field.isEditable(), false);
  assert.equal(await page.locator(".lock").isVisible(), true);
  assert.ok(!(await items(page)).some(({ name }) => name === "share"));
  await page.getByRole("button", { name: "Show as text" }).click();
  assert.equal(await field.isEditable(), false);
  assert.equal(await page.getByRole("button", { name: /^Save:/ }).count(), 0);
  await page.goto(`${browser.url}#hide=sentence`);
  await page.reload();
  await first_picture(page);
  assert.equal(await field.count(), 0);
  assert.equal(await page.locator(".lock").isVisible(), false);
  await page.goto(`${browser.url}#text=free`);
  await at_rest(page);
  assert.equal(await field.isEditable(), true);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

/** The playground in a sandboxed frame, once it has its picture. */
async function in_sandbox() {
  const page = await open_in_sandbox(browser, "text=in+a+sandbox");
  const frame = page.frames()[1];
  await frame.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
  return { page, frame };
}

test("in a sandboxed frame without storage and downloads nothing breaks, and saving says what to do", async () => {
  const { page, frame } = await in_sandbox();
  await frame.getByRole("textbox", { name: "Sentence", exact: true }).fill("typed in a sandbox");
  await eventually("the sentence in the address", () => frame.url().includes("text=typed+in+a+sandbox"));
  await next_frames(frame);
  assert.equal(troubles_of(page), "");
  await frame.getByRole("button", { name: "Show as text" }).click();
  await frame.getByRole("button", { name: "Save: Session file" }).click();
  await frame.getByRole("status").filter({ hasText: "the page around this frame does not allow any" }).waitFor();
  // The browser itself says that it forbids the download.
  assert.deepEqual(
    page.troubles.filter((trouble) => !/[Dd]ownload is disallowed/.test(trouble)),
    [],
  );
  page.troubles.length = 0;
  await frame.getByRole("button", { name: "Copy: Session file" }).click();
  await frame.getByRole("status").filter({ hasText: "Copied: Session file." }).waitFor();
  assert.equal(await frame.getByRole("checkbox", { name: "Keep my last state" }).count(), 0, "there is no storage");
  await page.context().close();
});

/** Another visit with the same browser. */
async function come_again(page, link = "") {
  const again = await page.context().newPage();
  await again.goto(`${browser.url}${link === "" ? "" : `#${link}`}`);
  await first_picture(again);
  return again;
}

test("the last state is offered to a visitor who comes without a link, and never forced on anybody", async () => {
  const page = await browser.open();
  const bar = (visit) => visit.getByRole("group", { name: "Last visit" });
  assert.equal(await bar(page).count(), 0, "there was no visit");
  await click_item(page, "heads+");
  await page.getByRole("textbox", { name: "Sentence", exact: true }).fill("my own words");
  await at_rest(page);
  const state = link_of(page);

  let again = await come_again(page);
  assert.match(await bar(again).textContent(), /Continue where you left off: “my own words”/);
  assert.equal(await state_of(again), "v=1&view=door", "nothing is replaced silently");
  await again.getByRole("button", { name: "Continue" }).click();
  await at_rest(again);
  assert.equal(await state_of(again), state);
  assert.equal(link_of(again), state);
  assert.equal(await bar(again).count(), 0);
  assert.deepEqual(await again.evaluate(() => Object.keys(localStorage)), ["attention-playground"], "one key");
  await again.close();

  again = await come_again(page, "heads=1");
  assert.equal(await bar(again).count(), 0, "who comes with a link wants that");
  await again.close();

  again = await come_again(page);
  await bar(again).waitFor();
  await click_item(again, "start=3");
  assert.equal(await bar(again).count(), 0, "it is gone after the first change");
  await again.close();

  again = await come_again(page);
  await again.getByRole("button", { name: "Forget it" }).click();
  await click_item(again, "start=3");
  assert.equal(await again.evaluate(() => localStorage["attention-playground"]), "off");
  await again.getByRole("button", { name: "Show as text" }).click();
  const choice = again.getByRole("checkbox", { name: "Keep my last state" });
  assert.equal(await choice.isChecked(), false);
  await choice.check();
  assert.equal(await again.evaluate(() => localStorage["attention-playground"]), link_of(again));
  await again.close();
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the steps of lessons that were seen are kept for the next visit, until nothing is to be kept", async () => {
  const page = await browser.open("lesson=causal&step=2");
  await click_item(page, "step+");
  const again = await come_again(page, "heads=1");
  const kept = () => again.evaluate(() => localStorage["attention-playground-steps"]);
  assert.equal(await kept(), "causal=2 causal=3");
  await again.getByRole("button", { name: "Show as text" }).click();
  await again.getByRole("button", { name: "Go on where you left off: Causal attention, step 3" }).waitFor();
  await again.getByRole("button", { name: "Show as text" }).click();
  await again.getByRole("button", { name: "Show as text" }).click();
  const option = again.locator("select[name=lesson] option[value=causal]");
  assert.match(await option.textContent(), / 2 visited,/);
  await again.getByRole("combobox", { name: "Lesson" }).selectOption("causal");
  assert.match(await option.textContent(), / 3 visited,/);
  assert.equal(await kept(), "causal=2 causal=3 causal=1");
  await again.getByRole("checkbox", { name: "Keep my last state" }).uncheck();
  assert.equal(await kept(), undefined);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a browser that forbids the storage works as well", async () => {
  for (const lack of ["getter", "full"]) {
    const page = await browser.open("", {
      prepare: (page) =>
        page.addInitScript((lack) => {
          const refuse = () => {
            throw new DOMException("no", "SecurityError");
          };
          if (lack === "getter") Object.defineProperty(window, "localStorage", { get: refuse });
          else Storage.prototype.setItem = refuse;
        }, lack),
    });
    await click_item(page, "mask=none");
    assert.equal(link_of(page), "v=1&mask=none");
    assert.equal(troubles_of(page), "");
    await page.context().close();
  }
});

/** A file that PyTorch saved (tests/torch/student_modules.py). */
const module_file = (name) => [name, [...readFileSync(new URL(`../golden/modules/${name}`, import.meta.url))]];

test("a module's .pt opens as numbers of the heads here; of a layer its attention is offered", async () => {
  const page = await browser.open("text=a+b+c+d&d_in=6&d_out=6&heads=3&bias=1");
  await drop(page, [module_file("module.pt")]);
  await said(page, "Opened module.pt");
  assert.match(link_of(page), /edit=w_query/);
  await page.context().close();

  const door = await browser.open("", { is_bare: true });
  await eventually("the model reads", async () => (await items(door)).some(({ name }) => name === "off=in use"));
  await drop(door, [module_file("encoder_layer.pt")]);
  await appears(door, "offer=0");
  await click_item(door, "offer=0");
  await at_rest(door);
  const { link } = await in_playground(door, (playground) => playground.engine.mirror(playground.link()));
  assert.match(link, /d_in=6&d_out=6/);
  assert.doesNotMatch(link, /model=|view=door/);
  assert.equal(troubles_of(door), "");
  await door.context().close();
});

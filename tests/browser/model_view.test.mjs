// The view of a whole model as people use it: heads, next words, votes, a head switched off, words said; by mouse, finger, keyboard.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  at_rest,
  browser_of_file,
  click_item,
  drag,
  eventually,
  item,
  items,
  link_of,
  mirror_of,
  troubles_of,
} from "./browser.mjs";

const kText = "the artist painted the portrait of a woman with a brush . who has the brush ? the";
const kSentence = `text=${encodeURIComponent(kText).replaceAll("%20", "+")}`;
const kLink = `${kSentence}&model=first-words&layer=2&view=model&head=7`;
const kFolder = fileURLToPath(new URL("../../models/first-words", import.meta.url));
const kPhone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

const browser = browser_of_file();

const attn = (...words) => execFileSync(join(process.env.ATTN_NATIVE, "attn"), words, { encoding: "utf8" });
const heads_off = async (page) => new URLSearchParams((await mirror_of(page)).link).get("off");
const announced = (page) => page.locator("[data-part=announcement]").textContent();

const number_of = (text) => Number(text.replace("−", "-"));

/** The page at a link, once the model's picture is there. */
async function open(link = kLink, options) {
  const page = await browser.open(link, options);
  await has_picture(page);
  return page;
}

async function has_picture(page) {
  await eventually("the heads", async () => (await items(page)).some(({ name }) => name === "next=say"));
  await at_rest(page);
}

async function close(page) {
  assert.equal(troubles_of(page), "");
  await page.context().close();
}

/** A table of the view by the beginning of its title: {title, columns, rows}. */
async function table(page, beginning) {
  const { view } = await mirror_of(page);
  const found = view.tables.find(({ title }) => title.startsWith(beginning));
  assert.ok(found, view.tables.map(({ title }) => title).join(" | "));
  return found;
}

/** The probability of a next word, as the view prints it. */
async function probability(page, word) {
  const { rows } = await table(page, "The next word");
  return Number(rows.find(([name]) => name === word)[1]);
}

test("the first screen leads to a sentence with two readings, the head that decides it, and back", async () => {
  const page = await browser.open();
  await click_item(page, "try=model");
  await has_picture(page);
  assert.match(link_of(page), /model=first-words&layer=2&view=model$/);
  assert.ok(await item(page, "off=2:7"), "the head that decides it is looked at");
  assert.equal((await mirror_of(page)).sentence.text, kText);
  assert.ok((await probability(page, "woman")) > 0.5);
  assert.ok((await probability(page, "artist")) > 0.3);
  const { rows } = await table(page, "Who voted for “woman”");
  const heads = rows.filter(([part]) => part.includes("head")).map(([part, adds]) => [part, number_of(adds)]);
  const [most] = heads.sort(([, a], [, b]) => b - a);
  assert.equal(most[0], "2 · head 7");
  await page.goBack();
  await at_rest(page);
  assert.equal((await mirror_of(page)).link, "v=1");
  assert.ok(await item(page, "map=2"));
  await close(page);
});

test("the text version has every number that attn votes prints, in its order", async () => {
  const page = await open(`${kLink}&off=1:3`);
  await page.getByRole("button", { name: "Show as text" }).click();
  await page.getByRole("table", { name: /^Who voted for/ }).waitFor();
  const shown = await page.locator(".plain-tables > *").evaluateAll((parts) =>
    parts.map((part) => ({
      title: (part.querySelector("caption") ?? part).textContent,
      rows: [...part.querySelectorAll("tr")].map((row) =>
        [...row.cells].map((cell) => cell.textContent).filter((text) => text !== ""),
      ),
    })),
  );
  await page.getByText("GPT-2, 2 layers, 8 heads each, 110,336 numbers").and(page.locator("p")).waitFor();
  const printed = [];
  for (const line of attn("votes", "--model", kFolder, `${kSentence}&layer=2&head=7&off=1:3`).trimEnd().split("\n")) {
    if (!line.startsWith("  ")) printed.push({ title: line, rows: [] });
    else printed.at(-1).rows.push(line.trim().split(/ {2,}/));
  }
  assert.equal(printed.length, 7);
  const of_view = shown.filter(({ title }) => printed.some((one) => one.title === title));
  assert.deepEqual(
    of_view.map(({ title, rows }) => ({ title, rows: rows.filter((row) => row.length > 0) })),
    printed,
  );
  await close(page);
});

test("a number typed over in one layer moves the next words, and the link names its layer", async () => {
  const page = await open(`${kLink}&edit=1.w_value[0,3]=9`);
  const { columns, rows } = await table(page, "The next word");
  assert.equal(columns[2], "untouched");
  const [, now, before] = rows.find(([word]) => word === "woman");
  assert.notEqual(now, before);
  assert.match(decodeURIComponent(new URL(page.url()).hash), /edit=1\.w_value\[0,3\]=9/);
  await close(page);
});

test("a state is kept as B: next words and votes of both stand side by side, also as text and as a table", async () => {
  const page = await open(kLink, { viewport: { width: 1280, height: 1600 } });
  const before = await probability(page, "artist");
  await click_item(page, "compare=now");
  await click_item(page, "off=2:7");
  const after = await probability(page, "artist");
  assert.notEqual(after, before);
  const { columns, rows } = await table(page, "The next word");
  const artist = rows.find(([word]) => word === "artist");
  assert.equal(Number(artist[columns.indexOf("in B")]), before);
  assert.ok(Math.abs(number_of(artist[columns.indexOf("A minus B")]) - (after - before)) < 1.5e-4);
  const votes = await table(page, "Who voted for “artist”");
  assert.deepEqual(votes.columns, ["part", "adds", "in B", "A minus B"]);
  assert.equal(votes.rows.find(([part]) => part.startsWith("2 · head 7"))[1], "0.000");
  await page.getByRole("button", { name: "Show as text" }).click();
  await page.getByRole("columnheader", { name: "in B" }).first().waitFor();
  await page.getByRole("button", { name: "Show as text" }).click();

  const lines = attn("export", "votes", link_of(page)).split("\n");
  assert.ok(lines.some((line) => line.startsWith("other next,,,artist,probability,0.39")));
  assert.ok(lines.some((line) => line.startsWith("other vote,2,7,artist,head,")));
  await page.goBack();
  await at_rest(page);
  assert.equal(await probability(page, "artist"), before);
  await click_item(page, "compare=none");
  assert.ok(!(await table(page, "The next word")).columns.includes("in B"));
  await close(page);
});

test("a head is chosen, switched off and on again by the mouse: the link and the next word follow, and so does undo", async () => {
  const page = await open();
  const before = await probability(page, "artist");
  await click_item(page, "off=2:7");
  assert.equal(await heads_off(page), "2:7");
  const without = await probability(page, "artist");
  assert.ok(before < 0.5 && without > 0.8, `${before}, ${without}`);
  const { columns, rows } = await table(page, "The next word");
  assert.equal(columns[2], "with all heads");
  assert.equal(Number(rows.find(([word]) => word === "artist")[2]), before);
  await click_item(page, "off=2:7");
  assert.equal(await heads_off(page), null);
  assert.equal(await probability(page, "artist"), before);
  await page.keyboard.press("Control+z");
  await at_rest(page);
  assert.equal(await heads_off(page), "2:7");
  await click_item(page, "layer=1&head=3");
  assert.match(link_of(page), /model=first-words&off=2:7&view=model&head=3/, "layer 1 is the link's own");
  await click_item(page, "off=1:3");
  assert.equal(await heads_off(page), "1:3,2:7");
  await click_item(page, "layer+");
  assert.match(await announced(page), /Layer 2 · Head 3/);
  await close(page);
});

test("a word that is pressed is voted for, and mean and rollout are maps", async () => {
  const page = await open();
  await click_item(page, "word=woman");
  assert.match(link_of(page), /word=woman/);
  const { rows } = await table(page, "Who voted for “woman”");
  const sum = rows.slice(0, -2).reduce((all, [, adds]) => all + number_of(adds), 0);
  const [[logit_of, logit], [rule, probability]] = rows.slice(-2);
  assert.match(logit_of, /^logit of/);
  assert.equal(sum.toFixed(3), logit, "the votes add up as printed");
  const [, most, row_sum] = /^probability: e\^\(logit − (\S+)\) \/ (\S+)$/.exec(rule);
  // The logit is printed to three decimals: half a thousandth of a probability below 1.
  assert.ok(
    Math.abs(Math.exp(number_of(logit) - number_of(most)) / number_of(row_sum) - number_of(probability)) < 6e-4,
  );
  await click_item(page, "layer=1&map=rollout");
  assert.ok(await table(page, "Layers 1 to 1 · rollout"));
  await click_item(page, "layer=2&map=mean");
  assert.ok(await table(page, "Layer 2 · mean of the heads"));
  await close(page);
});

test("a head that is pressed twice opens in the laboratory, with the same numbers", async () => {
  const page = await open();
  const { rows } = await table(page, "Layer 2 · Head 7: weights");
  await click_item(page, "layer=2&head=7");
  const { shown, link } = await mirror_of(page);
  assert.match(link, /&layer=2&head=7$/);
  assert.equal(shown.name, "weights");
  assert.ok(await item(page, "map=7"));
  const [{ head, values }] = shown.heads;
  assert.equal(head, 7);
  assert.deepEqual(
    values.map((row) => row.map((value) => value ?? "masked")),
    rows.map((row) => row.slice(1)),
  );
  await page.goBack();
  await has_picture(page);
  await click_item(page, "model=laboratory");
  assert.equal((await mirror_of(page)).link, link);
  await close(page);
});

test("the cache takes the model's words one by one, the same ones as attn generate draws, with the same bits both ways", async () => {
  const start = "the dogs near the cat";
  const link = `text=${start.replaceAll(" ", "+")}&model=first-words&layer=2&view=cache&next_seed=5&prompt=4`;
  const page = await browser.open(link);
  const can_say = async () => (await items(page)).some(({ name }) => name === "next=say");
  await eventually("a word to say", can_say);
  await at_rest(page);
  const words = attn("generate", "--model", kFolder, "--text", start, "--seed", "5", "--count", "3").trim().split(" ");
  for (let said = 1; said <= 3; ++said) {
    await click_item(page, "next=say");
    const { sentence, view } = await mirror_of(page);
    assert.equal(sentence.text, words.slice(0, start.split(" ").length + said).join(" "));
    const [step] = view.tables;
    assert.match(step.title, new RegExp(`“${words.at(4 + said)}” alone, beside ${5 + said} kept`)); // <s> is a token, too
    assert.match(step.title, /Both ways gave the same bits/);
  }
  const { view } = await mirror_of(page);
  assert.ok(view.tables.some(({ title }) => title.includes("This is layer 2. Each of the 2 layers of “first-words”")));
  assert.ok(view.tables.some(({ rows }) => rows.some(([name]) => name === "first-words")));
  await page.goBack();
  await at_rest(page);
  assert.equal((await mirror_of(page)).sentence.text, words.slice(0, 7).join(" "), "Back takes one word back");
  await close(page);
});

test("words are said, the same ones as attn generate draws, and taken back", async () => {
  const start = "the dogs near the cat";
  const page = await open(`text=${start.replaceAll(" ", "+")}&model=first-words&view=model&next_seed=5`);
  const seed = ["--seed", "5", "--count", "3"];
  const written = attn("generate", "--model", kFolder, "--text", start, ...seed).trim();
  const words = written.split(" ");
  for (let said = 1; said <= 3; ++said) {
    await click_item(page, "next=say");
    const { sentence, link } = await mirror_of(page);
    assert.equal(sentence.text, words.slice(0, start.split(" ").length + said).join(" "));
    assert.match(link, new RegExp(`said=${said}`));
  }
  for (let i = 0; i < 3; ++i) await page.keyboard.press("Control+z");
  await at_rest(page);
  assert.equal((await mirror_of(page)).sentence.text, start);
  await close(page);
});

test("with the keyboard alone a head is switched off and on, and what has the focus is told in words", async () => {
  const page = await open();
  for (let i = 0; i < 5; ++i) await page.keyboard.press("Tab");
  const walk_to = async (key, words) => {
    for (let tries = 0; tries < 20; ++tries) {
      const before = await announced(page);
      await page.keyboard.press(key);
      // A busy machine may take two presses at once, and the words between would never be told.
      await eventually("something else has the focus", async () => (await announced(page)) !== before);
      await at_rest(page);
      if (words.test(await announced(page))) return;
    }
    assert.fail(`${words} is not on the way: ${await announced(page)}`);
  };
  await walk_to("ArrowRight", /^token 13/); // straight down from there is the chosen head
  await walk_to("ArrowDown", /^(Switch this head off|See every number)\./);
  if (!/^Switch/.test(await announced(page))) await walk_to("ArrowLeft", /^Switch this head off\./);
  await page.keyboard.press("Space");
  await at_rest(page);
  assert.equal(await heads_off(page), "2:7");
  assert.match(await announced(page), /“artist” 0\.8\d+.*1 head is off/);
  await page.keyboard.press("Enter");
  await at_rest(page);
  assert.equal(await heads_off(page), null);
  await close(page);
});

test("on a phone all heads are in sight, and a finger chooses one, switches it off and says a word", async () => {
  const page = await open(kLink, kPhone);
  const tap = async (name) => {
    for (let tries = 0; tries < 10 && (await item(page, name)).is_clipped; ++tries) {
      await drag(page, { x: 180, y: 560 }, { x: 180, y: 440 }); // above the strip of undo
      await at_rest(page);
    }
    const { x, y } = await item(page, name);
    await page.touchscreen.tap(x, y);
    await at_rest(page);
  };
  const all = await items(page);
  const cards = all.filter(({ name }) => /^layer=\d&/.test(name));
  assert.equal(cards.length, 20);
  for (const { name, x0, x1, y0, y1, is_clipped } of cards) {
    assert.ok(!is_clipped && x0 >= 0 && x1 <= 360 && x1 - x0 >= 44 && y1 - y0 >= 44, name);
  }
  await tap("layer=2&head=8");
  await tap("off=2:8");
  assert.equal(await heads_off(page), "2:8");
  assert.match(link_of(page), /head=8/);
  await tap("next=say");
  assert.match((await mirror_of(page)).sentence.text, /\? the \w+$/);
  await close(page);
});

for (const [name, viewport] of [
  ["on a laptop", { width: 1280, height: 800 }],
  ["in a small window", { width: 860, height: 600 }],
]) {
  test(`${name} all heads, the switch and the next words are in sight`, async () => {
    const page = await open(kLink, { viewport });
    const in_sight = (await items(page)).filter(({ is_clipped }) => !is_clipped).map(({ name }) => name);
    assert.equal(in_sight.filter((name) => /^layer=\d&/.test(name)).length, 20);
    const wanted = ["off=2:7", "model=laboratory", "word=artist", "word=woman", "model=card"];
    if (viewport.height >= 800) wanted.push("next=say", "draws");
    assert.deepEqual(
      wanted.filter((one) => !in_sight.includes(one)),
      [],
    );
    await close(page);
  });
}

test("the logit lens: a cell is pressed, walked to with arrows, and its sum is that of the command", async () => {
  const page = await browser.open(`${kSentence}&model=first-words&view=lens&word=brush`);
  const cell_of = async (name) => eventually(name, async () => (await items(page)).some((one) => one.name === name));
  await cell_of("lens=1.16");
  await at_rest(page);
  await click_item(page, "lens=1.16");
  await eventually("the open cell", async () => /lens=1/.test(link_of(page)));
  await at_rest(page);
  assert.match(link_of(page), /cell=\d+,16,/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await eventually("the cell below", async () => /lens=2/.test(link_of(page)));
  const sum = await table(page, "The logit of “brush”");
  const thousandths = (text) => Math.round(number_of(text) * 1000);
  const logit = sum.rows.findIndex(([name]) => name === "logit");
  assert.equal(
    sum.rows.slice(0, logit).reduce((all, [, , adds]) => all + thousandths(adds), 0),
    thousandths(sum.rows[logit][2]),
  );
  const { cells } = JSON.parse(
    attn("lens", "--model", kFolder, `${kSentence}&word=brush`, "--row", "16", "--format", "json"),
  );
  const last = cells.find(({ layer, position }) => layer === 2 && position === 16);
  assert.equal(thousandths(sum.rows[logit][2]), Math.round(last.chosen.logit * 1000));
  await close(page);
});

test("the logit lens fits a small phone, and a finger opens a cell", async () => {
  const page = await browser.open(`${kSentence}&model=first-words&view=lens`, kPhone);
  await eventually("cells", async () => (await items(page)).some(({ name }) => /^lens=0\./.test(name)));
  await at_rest(page);
  const shown = (await items(page)).filter(({ name }) => /^lens=\d+\.\d+$/.test(name));
  assert.ok(shown.length >= 9, `${shown.length} cells`);
  const { name } = shown[0];
  const { x, y } = await item(page, name);
  await page.touchscreen.tap(x, y);
  await eventually("the open cell", async () => link_of(page).includes("lens=0"));
  await close(page);
});

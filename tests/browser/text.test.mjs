// The picture as text: the same numbers, in step with the canvas, and accessible as far as a machine can tell.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { at_rest, browser_of_file, click_item, in_playground, item, link_of, troubles_of } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const browser = browser_of_file();

/** What axe-core finds wrong with the page, as short sentences. */
async function violations(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  });
}

const show_text = async (page) => {
  await page.getByRole("button", { name: "Show as text" }).click();
  await page.getByRole("heading", { name: "The picture as text" }).waitFor();
  await page.waitForFunction(() => document.querySelector("[data-part=plain]").ariaBusy === "false"); // large tables come bit by bit
};

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing wrong with the page and its text version, ${colorScheme}`, async () => {
    const page = await browser.open("cell=2,7,4&dropout=0.1", { colorScheme });
    assert.deepEqual(await violations(page), []);
    await show_text(page);
    assert.deepEqual(await violations(page), []);
    assert.equal(troubles_of(page), "");
    await page.context().close();
  });
}

test("a text version that does not arrive is told, the picture stays, and the next try shows it", async () => {
  let is_gone = true;
  const page = await browser.open("heads=4", {
    prepare: (page) => page.route("**/plain.js", (route) => (is_gone ? route.abort() : route.continue())),
  });
  await page.getByRole("button", { name: "Show as text" }).click();
  await page.waitForFunction(() => document.querySelector("[data-part=plain]").hidden);
  await at_rest(page);
  assert.ok(await item(page, "map=4"), "the picture is there");
  assert.equal(link_of(page), "heads=4");
  is_gone = false;
  await show_text(page);
  await page.context().close();
});

test("the text version has the lines of PyTorch that make the stage", async () => {
  const page = await browser.open("stage=weights");
  await show_text(page);
  const lines = page.getByRole("group", { name: "Lines of PyTorch" });
  assert.ok(!(await lines.isVisible()));
  await page.getByText("In PyTorch", { exact: true }).click();
  await lines.getByText("weights = torch.softmax(masked_scores, dim=-1)").waitFor();
  await page.getByRole("combobox", { name: "Stage" }).selectOption("scores");
  await lines.getByText("scores = queries @ keys.transpose(1, 2)").waitFor();
  await page.getByRole("button", { name: "Copy the lines" }).click();
  await page.getByText(/^(Copied\.|The browser does not let this page copy\.)$/).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.context().close();
});

test("the text version shows the state of the canvas, and the canvas what was changed in the text", async () => {
  const page = await browser.open();
  const { x, y } = await item(page, "mask=none");
  await page.mouse.click(x, y);
  await show_text(page); // before the mask has rested
  assert.equal(await page.getByRole("combobox", { name: "mask", exact: true }).inputValue(), "none");
  await page.getByRole("combobox", { name: "Stage" }).selectOption("scores");
  await page.getByRole("textbox", { name: "heads", exact: true }).fill("4");
  await page.getByRole("textbox", { name: "heads", exact: true }).blur();
  await page.getByRole("table", { name: /^scores, head 4\./ }).waitFor();
  assert.equal(link_of(page), "v=1&heads=4&mask=none&stage=scores");
  await page.getByRole("button", { name: "Show as text" }).click();
  await at_rest(page);
  assert.ok(await item(page, "map=4"));
  assert.equal(link_of(page), "v=1&heads=4&mask=none&stage=scores");
  await page.goBack();
  await at_rest(page);
  assert.equal(await in_playground(page, (playground) => playground.link()), "v=1&mask=none&stage=scores");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a cell is pinned by the keyboard or by a click, and its arithmetic is written out", async () => {
  const page = await browser.open();
  await show_text(page);
  await page.getByRole("combobox", { name: "Pinned query" }).selectOption("7");
  await page.getByRole("combobox", { name: "Pinned key" }).selectOption("4");
  await page.getByRole("combobox", { name: "Pinned head" }).selectOption("2");
  assert.equal(link_of(page), "v=1&cell=2,7,4");
  const lines = await page.locator(".plain-explanation p").allTextContents();
  assert.ok(
    lines.some((line) => /exp/.test(line)),
    lines.join(" | "),
  );
  const pinned = page.locator("td[aria-current]");
  assert.equal(await pinned.count(), 1);
  assert.ok(lines.at(-1).includes(await pinned.textContent()), "the last line is the number in the table");
  await page
    .getByRole("table", { name: /^weights, head 1\./ })
    .getByRole("cell")
    .nth(1 + 12)
    .click();
  assert.match(link_of(page), /cell=1,1,1/);
  await page.getByRole("combobox", { name: "Pinned query" }).selectOption("");
  assert.equal(link_of(page), "v=1");
  await page.context().close();
});

test("every setting of the key table has a control with its help, and turns the state", async () => {
  const page = await browser.open();
  await show_text(page);
  const keys = await in_playground(page, (playground) => playground.engine.keys());
  const controls = page.locator("form[aria-label=Settings] :is(input, select, textarea)");
  const of_numbers = keys.filter((key) => key.decides_numbers);
  const groups = [...new Set(of_numbers.map((key) => key.group))];
  assert.deepEqual(
    await controls.evaluateAll((list) => list.map((control) => control.name)),
    groups.flatMap((group) => of_numbers.filter((key) => key.group === group).map((key) => key.key)),
  );
  await page.getByRole("checkbox", { name: "bias" }).check();
  await page.getByRole("textbox", { name: "temperature" }).fill("NaN");
  await page.getByRole("textbox", { name: "temperature" }).blur();
  assert.match(await page.locator(".plain-notes").textContent(), /temperature/);
  assert.equal(link_of(page), "v=1&bias=1");
  assert.equal(await page.getByRole("textbox", { name: "temperature" }).inputValue(), "1");
  await page.getByRole("textbox", { name: "edits" }).fill("w_query[0,0]=0.5\nw_key[1,1]=2");
  await page.getByRole("textbox", { name: "edits" }).blur();
  assert.equal(link_of(page), "v=1&bias=1&edit=w_query[0,0]=0.5&edit=w_key[1,1]=2");
  await page.context().close();
});

test("rare groups of settings are folded until they hold a value, and a press opens them", async () => {
  const page = await browser.open();
  await show_text(page);
  const key_heads = page.getByRole("textbox", { name: "GQA: key heads" });
  assert.equal(await key_heads.isVisible(), false);
  assert.equal(await page.getByRole("textbox", { name: "heads", exact: true }).isVisible(), true);
  await page.locator("summary", { hasText: "Variants" }).click();
  await key_heads.fill("1");
  await key_heads.blur();
  assert.equal(link_of(page), "v=1&kv_heads=1");
  await page.locator("summary", { hasText: "Variants" }).click();
  assert.equal(await key_heads.isVisible(), false, "it is folded, though it holds a value");
  await page.getByRole("textbox", { name: "heads", exact: true }).fill("4");
  await page.getByRole("textbox", { name: "heads", exact: true }).blur();
  assert.equal(await key_heads.isVisible(), false, "and stays so");
  await page.getByRole("combobox", { name: "Lesson" }).selectOption("groups");
  await page.getByRole("heading", { name: /^GQA: fewer key heads, step 1/ }).waitFor();
  for (const summary of await page.locator(".plain-group").all()) {
    if (await summary.isVisible()) assert.equal(await summary.evaluate((group) => group.open), true);
  }
  assert.deepEqual(await violations(page), []);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("settings, views and lessons are found by the field's words", async () => {
  const page = await browser.open();
  await show_text(page);
  const field = page.getByRole("searchbox", { name: "Find a setting, a view or a lesson" });
  await field.fill("gqa");
  const found = page.locator(".plain-search");
  assert.equal(await found.getByRole("button").first().textContent(), "GQA: key heads");
  await found.getByRole("button", { name: "GQA: key heads" }).click();
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("name")), "kv_heads");
  assert.equal(await page.getByRole("textbox", { name: "GQA: key heads" }).isVisible(), true, "its group is open");
  assert.doesNotMatch(link_of(page), /kv_heads/);
  await field.fill("softmax");
  await found.getByRole("button", { name: "Softmax", exact: true }).click();
  assert.equal(link_of(page), "v=1&view=softmax");
  await field.fill("rotary");
  await found.getByRole("button", { name: /^RoPE: turning/ }).click();
  await page.getByRole("heading", { name: /^RoPE: turning instead of adding, step 1/ }).waitFor();
  await field.fill("zyzzyva");
  await page.getByText("Nothing is called “zyzzyva”.").waitFor();
  assert.deepEqual(await violations(page), []);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("controls that are left out or locked are so in the text version, too", async () => {
  const page = await browser.open("hide=control.seed&lock=heads,mask");
  await show_text(page);
  assert.equal(await page.locator("[name=seed]").isVisible(), false);
  assert.equal(await page.locator("[name=heads]").isDisabled(), true);
  assert.equal(await page.locator("[name=mask]").isDisabled(), true);
  assert.equal(await page.locator("[name=d_out]").isDisabled(), false);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("what a visitor types is text and never becomes part of the page", async () => {
  const evil = '<img src=x onerror="globalThis.hit=1"> </script><script>hit=1</script>';
  const page = await browser.open(`text=${encodeURIComponent(evil)}&tokens=${encodeURIComponent(evil)}`);
  await show_text(page);
  assert.equal(await page.locator("section img, section script").count(), 0);
  assert.equal(await page.evaluate(() => globalThis.hit), undefined);
  assert.match(await page.locator(".plain-notes").textContent(), /<img/);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("of a large matrix the piece around the pinned cell is shown, with a sentence that says so", async () => {
  const words = Array.from({ length: 300 }, (_, i) => `w${i}`).join("+");
  const page = await browser.open(`text=${words}&cell=1,200,150`);
  await show_text(page);
  const table = page.getByRole("table", { name: /^weights, head 1\./ });
  assert.equal(await table.getByRole("rowheader").count(), 64);
  assert.equal(await table.getByRole("rowheader").first().textContent(), "w168");
  assert.equal(await table.getByRole("columnheader").first().textContent(), "w118");
  await page.getByText("Of 300 rows, 168 to 231 are shown").waitFor();
  await page.context().close();
});

test("an empty sentence gets a friendly word", async () => {
  const page = await browser.open("text=");
  await show_text(page);
  await page.getByText("There are no tokens yet: type a sentence.").waitFor();
  assert.deepEqual(await violations(page), []);
  await page.context().close();
});

test("the canvas has a name, and a text that tells how to use it", async () => {
  const page = await browser.open();
  const canvas = page.getByRole("application", { name: "What each attention head does with the sentence" });
  const help = await canvas.evaluate(
    (element) => document.getElementById(element.getAttribute("aria-describedby")).textContent,
  );
  assert.match(help, /arrow keys.*Tab leaves/s);
  await page.context().close();
});

test("the text version costs nothing until it is shown", async () => {
  const page = await browser.open();
  await click_item(page, "mask=none");
  assert.equal(await page.locator("section.plain *").count(), 0);
  await page.context().close();
});

test("half a sentence takes nothing away in the text version either", async () => {
  const page = await browser.open("#text=free+speech+for+all&cell=1,3,2");
  await page.locator("[data-part=show-text]").click();
  const field = page.locator("[data-part=sentence]");
  await field.fill("one");
  await page.getByText("the pinned cell moved").waitFor();
  await field.fill("one two three four");
  await page.getByText("the pinned cell moved").waitFor({ state: "detached" });
  assert.match(link_of(page), /cell=1,3,2/);
  await page.context().close();
});

test("heads that need other channels are offered with them", async () => {
  const page = await browser.open();
  await show_text(page);
  const heads = page.getByRole("textbox", { name: "heads", exact: true });
  await heads.fill("3");
  await heads.blur();
  await page.getByText("3 heads need d_out 6").waitFor();
  await page.getByRole("button", { name: "Take 3 heads with d_out 6" }).click();
  await page.getByText("3 heads need d_out 6").waitFor({ state: "detached" });
  assert.match(link_of(page), /d_out=6/);
  assert.match(link_of(page), /heads=3/);
  await page.context().close();
});

test("a token is found by its letters, and the strongest cells of a head lead to their numbers", async () => {
  const page = await browser.open("text=The+cat+sat+on+the+mat&heads=2");
  await show_text(page);
  await page.getByRole("searchbox", { name: "Find a token" }).fill("THE");
  const found = page.locator(".plain-found");
  assert.deepEqual(await found.getByRole("button").allTextContents(), ["0: The", "4: the"]);
  await found.getByRole("button", { name: "4: the" }).click();
  assert.match(link_of(page), /cell=1,4,4/);
  await page.getByRole("searchbox", { name: "Find a token" }).fill("dog");
  assert.equal(await found.textContent(), "No token has this in it.");
  await page.getByRole("combobox", { name: "Pinned head" }).selectOption("2");
  await page.getByText("The 20 strongest cells of head 2").click();
  const cells = page.locator(".plain-strongest button");
  await cells.nth(19).waitFor(); // they are made when the list opens
  assert.equal(await cells.count(), 20);
  const first = await cells.first().textContent();
  const values = await cells.allTextContents();
  const numbers = values.map((text) => Number(text.match(/: ([\d.]+)$/)[1]));
  assert.deepEqual(
    numbers,
    [...numbers].sort((a, b) => b - a),
    "the largest first",
  );
  await cells.first().click();
  await page.waitForFunction(() => document.querySelector("[data-part=plain]").ariaBusy === "false");
  assert.equal(await page.locator("td[aria-current]").textContent(), first.match(/: ([\d.]+)$/)[1]);
  await page.getByRole("combobox", { name: "Stage" }).selectOption("context");
  assert.equal(await page.locator("details", { hasText: "strongest" }).isVisible(), false, "there are no keys");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

for (const look of [
  { colorScheme: "light" },
  { colorScheme: "dark" },
  { forcedColors: "active" },
  { isMobile: true, hasTouch: true },
]) {
  test(`buttons of the text version look like buttons, ${JSON.stringify(look)}`, async () => {
    const page = await browser.open("lesson=causal&step=2", look);
    await show_text(page);
    const wrong = await page.evaluate((is_touch) => {
      const channels = (color) =>
        color
          .match(/[\d.]+/g)
          .slice(0, 3)
          .map(Number);
      const light = (color) => {
        const [r, g, b] = channels(color).map((c) =>
          c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
      const ground = getComputedStyle(document.querySelector(".playground")).backgroundColor;
      return [...document.querySelectorAll("[data-part=plain] button")]
        .filter((button) => button.checkVisibility())
        .flatMap((button) => {
          const style = getComputedStyle(button);
          const box = button.getBoundingClientRect();
          const least = is_touch ? 44 : 24;
          const faults = [];
          if (style.borderTopStyle !== "solid" || parseFloat(style.borderTopWidth) < 1) faults.push("no border");
          if (!button.disabled && contrast(style.borderTopColor, ground) < 3)
            faults.push(`a pale border ${style.borderTopColor}`);
          if (box.height < least || box.width < least) faults.push(`small ${box.width} x ${box.height}`);
          if (button.scrollWidth > button.clientWidth) faults.push("its words are cut");
          return faults.map((fault) => `${button.textContent}: ${fault}`);
        });
    }, look.hasTouch === true);
    assert.deepEqual(wrong, []);
    assert.equal(await page.getByRole("button", { name: "Next", exact: true }).isVisible(), true);
    await page.context().close();
  });
}

test("a sentence that is written from the right begins at the right, in the field and the tokens", async () => {
  const page = await browser.open(`text=${encodeURIComponent("שלום עולם")}`);
  const field = page.getByRole("textbox", { name: "Sentence", exact: true });
  assert.equal(await field.evaluate((input) => getComputedStyle(input).direction), "rtl");
  await show_text(page);
  const boxes = await page
    .locator(".plain-tokens li")
    .evaluateAll((list) => list.map((one) => one.getBoundingClientRect().x));
  assert.ok(boxes[0] > boxes[1]);
  await page.context().close();
});

// The page computes the recorded bits: the digest of every golden link, asked from the page's engine in Chromium.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { at_rest, click_item, in_playground, item, start, troubles_of } from "./browser.mjs";

const lines_of = (name) =>
  readFileSync(new URL(`../golden/${name}`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");

let browser;
let page;
before(async () => {
  browser = await start();
  page = await browser.open();
});
after(() => browser?.close());

const digests_of = (links) =>
  in_playground(page, (playground, links) => links.map((link) => playground.engine.digest(link)), links);

test("every golden link has the recorded digest", async () => {
  const links = [...lines_of("links.txt"), ...lines_of("digest_links.txt"), ...lines_of("variant_links.txt")];
  const recorded = lines_of("digests.txt");
  assert.ok(links.length >= 300);
  assert.equal(recorded.length, links.length);
  const different = [];
  for (let first = 0; first < links.length; first += 20) {
    const some = links.slice(first, first + 20);
    (await digests_of(some)).forEach((digest, i) => {
      if (digest !== recorded[first + i]) different.push(`${digest} instead of ${recorded[first + i]}: ${some[i]}`);
    });
  }
  assert.deepEqual(different, []);
});

test("another number is another digest, another view is not", async () => {
  const [plain, lines, seed] = await digests_of(["text=a+b", "text=a+b&view=lines", "text=a+b&seed=7"]);
  assert.match(plain, /^[0-9a-f]{16}$/);
  assert.equal(lines, plain);
  assert.notEqual(seed, plain);
});

test("the text version computes the digest when asked, unless About is left out", async () => {
  const link = "text=a+b+c&heads=4&text=d";
  const page_as_text = await browser.open(link);
  await page_as_text.getByRole("button", { name: "Show as text" }).click();
  await page_as_text.getByRole("button", { name: "Digest of all numbers" }).click();
  const [digest] = await digests_of([link]);
  await page_as_text.getByText(`Digest: ${digest}`).waitFor();
  await page_as_text.getByRole("textbox", { name: "heads", exact: true }).fill("2");
  await page_as_text.getByRole("textbox", { name: "heads", exact: true }).blur();
  await page_as_text.getByText(`Digest: ${digest}`).waitFor({ state: "detached" });
  assert.equal(troubles_of(page_as_text), "");
  await page_as_text.context().close();

  const without = await browser.open("hide=about");
  await without.getByRole("button", { name: "Show as text" }).click();
  await without.getByRole("heading", { name: "The picture as text" }).waitFor();
  assert.equal(await without.getByRole("button", { name: "Digest of all numbers" }).isVisible(), false);
  await without.context().close();
});

test("the performance card measures in the page, and rests then", async () => {
  const measured = await browser.open("", { viewport: { width: 1280, height: 1500 } });
  await click_item(measured, "performance");
  await at_rest(measured);
  assert.ok(await item(measured, "measure"), "the table is there");
  assert.equal(troubles_of(measured), "");
  await measured.context().close();
});

test("nothing went wrong", () => assert.equal(troubles_of(page), ""));

// Five walks of visitors who have never been here, from the page's own address: what they want, and what they press. Each press is
// something in sight, and two are enough.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  at_rest,
  browser_of_file,
  click_item,
  close_untroubled,
  eventually,
  in_playground,
  items,
  link_of,
  mirror_of,
} from "./browser.mjs";

const browser = browser_of_file();

const kMostPresses = 2;

/** Opens the page, presses these names one after the other, and gives what is on the screen then. */
async function walk(presses) {
  assert.ok(presses.length <= kMostPresses, `${presses.length} presses`);
  const page = await browser.open("", { is_bare: true });
  await eventually("the scene", async () => (await in_sight(page)).has("off=in use"));
  for (const name of presses) {
    assert.ok((await in_sight(page)).has(name), `${name} is in sight`);
    await click_item(page, name);
  }
  return page;
}

const in_sight = async (page) =>
  new Set((await items(page)).filter(({ is_clipped }) => !is_clipped).map(({ name }) => name));

test("see what attention does: switch the head off, and another word comes next", async () => {
  const page = await walk(["off=in use"]);
  assert.match(link_of(page), /off=2:4/);
  const door = JSON.stringify(await mirror_of(page));
  assert.match(door, /Without it, “know” falls from 0\.17 to 0\.0008, and “beside” leads with 0\.20\./);
  await close_untroubled(page);
});

test("make a head look at a word: through the door to the head that learns, and play", async () => {
  const before = await walk(["door=teach"]);
  const weight_of = (page) =>
    in_playground(
      page,
      (playground) =>
        JSON.parse(playground.engine.trace(playground.link(), "weights")).sentences[0].stages[0].values[0][10][1],
    );
  const first = await weight_of(before);
  await close_untroubled(before);
  const page = await walk(["door=teach", "play"]);
  await eventually("steps", () => in_playground(page, (playground) => /steps=\d\d/.test(playground.link())));
  await eventually("it has learned to", async () => (await weight_of(page)) > 0.5);
  assert.ok(first < 0.2, `brush looks at artist with ${first} before`);
  await close_untroubled(page);
});

test("find the memory meter: its figure is in sight behind the door of the cache, a press shows all of it", async () => {
  const page = await walk(["door=cache"]);
  assert.ok((await in_sight(page)).has("cache=meter"));
  assert.ok(!(await in_sight(page)).has("length+"));
  await close_untroubled(page);
  const whole = await walk(["door=cache", "cache=meter"]);
  assert.ok((await in_sight(whole)).has("length+"));
  await close_untroubled(whole);
});

test("explain one number: behind the door of the numbers one is pinned, with its arithmetic", async () => {
  const page = await walk(["door=numbers"]);
  assert.match(link_of(page), /head=4&cell=4,5,2/);
  const names = await in_sight(page);
  for (const name of ["factor score", "factor q.k 0a", "factor q.k 0b"]) assert.ok(names.has(name), name);
  await close_untroubled(page);
});

test("use one's own sentence: type it, and read it with the model", async () => {
  const page = await walk([]);
  await page.locator("[data-part=sentence]").fill("my zebra sleeps near the dogs");
  await at_rest(page);
  await eventually("all of it is read", async () => (await in_sight(page)).has("read=first-words"));
  assert.equal(await page.locator("[data-part=sentence]").inputValue(), "my zebra sleeps near the dogs");
  await click_item(page, "read=first-words");
  await eventually("the model reads it", async () => (await in_sight(page)).has("off=in use"));
  assert.equal(await page.locator("[data-part=sentence]").inputValue(), "my zebra sleeps near the dogs");
  await close_untroubled(page);
});

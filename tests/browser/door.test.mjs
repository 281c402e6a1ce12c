// The opening scene as visitors meet it: at the page's own address, by pointer, touch and keyboard, with the model on its way,
// half-way, and not there.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  at_rest,
  browser_of_file,
  click_item,
  close_untroubled,
  drag,
  eventually,
  first_picture,
  items,
  link_of,
  mirror_of,
} from "./browser.mjs";

const browser = browser_of_file({ whole: true });
const kPhone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
const kDoors = {
  numbers: /view=matrix|cell=/,
  teach: /goal=pattern/,
  cache: /view=cache/,
  lesson: /lesson=/,
};

const names_of = async (page) => (await items(page)).map(({ name }) => name);
const scene_is_there = (page) =>
  eventually("the model reads the sentence", async () => (await names_of(page)).includes("off=in use"));

test("the page's own address opens the scene, and one press moves the next words", async () => {
  const page = await browser.open("", { is_bare: true });
  await scene_is_there(page);
  assert.equal(link_of(page), "", "the address stays as it was typed");
  await click_item(page, "off=in use");
  await at_rest(page);
  assert.match(link_of(page), /view=door/);
  assert.match(link_of(page), /off=2:4/);
  await page.goBack();
  await eventually("back", async () => link_of(page) === "");
  await at_rest(page);
  assert.match((await mirror_of(page)).link, /view=door$/);
  await close_untroubled(page);
});

test("a link with any key, even v=1 alone, is the matrix view", async () => {
  const page = await browser.open("v=1");
  assert.ok((await names_of(page)).includes("view=matrix"));
  await close_untroubled(page);
});

for (const [how, options, press] of [
  ["pointer", {}, click_item],
  ["touch", kPhone, tap_item],
  ["keyboard", {}, walk_to_item],
]) {
  test(`each door opens by ${how}, and the logo leads back`, async () => {
    const page = await browser.open("", { is_bare: true, ...options });
    for (const [door, link] of Object.entries(kDoors)) {
      await scene_is_there(page);
      await press(page, `door=${door}`);
      await eventually(`behind the door ${door}`, async () => link.test(link_of(page)));
      await at_rest(page);
      assert.equal((await mirror_of(page)).notes.join(), "");
      await page.locator("[data-part=start]:visible").first().click();
      await at_rest(page);
    }
    await close_untroubled(page);
  });
}

/** Brings an item into sight with a finger, and taps it. */
async function tap_item(page, name) {
  for (let tries = 0; tries < 20; ++tries) {
    const found = (await items(page)).find((item) => item.name === name && !item.is_clipped);
    if (found) return await page.touchscreen.tap((found.x0 + found.x1) / 2, (found.y0 + found.y1) / 2);
    await drag(page, { x: 180, y: 520 }, { x: 180, y: 380 });
    await at_rest(page);
  }
  assert.fail(`${name} does not come into sight`);
}

const kTitles = {
  "door=numbers": "See every number",
  "door=teach": "Teach a head",
  "door=cache": "Run a KV cache",
  "door=lesson": "Take a lesson",
};

/** Walks to a door with the arrow keys, hears its name, and opens it. */
async function walk_to_item(page, name) {
  const heard = async () => (await page.locator("[data-part=announcement]").textContent()) ?? "";
  const walk = async (key, most, is_there) => {
    for (let tries = 0; tries < most; ++tries) {
      if (is_there(await heard())) return true;
      await page.keyboard.press(key);
      await at_rest(page);
    }
    return is_there(await heard());
  };
  await page.locator("[data-part=canvas]").focus();
  const is_door = (words) => Object.values(kTitles).some((title) => words.includes(title));
  assert.ok(await walk("ArrowDown", 40, is_door), "the arrow keys reach the doors");
  const is_wanted = (words) => words.includes(kTitles[name]);
  assert.ok((await walk("ArrowLeft", 4, is_wanted)) || (await walk("ArrowRight", 4, is_wanted)), name);
  await page.keyboard.press("Enter");
}

test("words the model does not know: shown whole, read by random heads, then by the model with a press", async () => {
  const page = await browser.open("", { is_bare: true });
  await scene_is_there(page);
  await page.locator("[data-part=sentence]").fill("My zebra sleeps near the dogs tonight");
  await eventually("random heads read it", async () => (await names_of(page)).includes("read=first-words"));
  assert.equal((await mirror_of(page)).sentence.text, "My zebra sleeps near the dogs tonight");
  await click_item(page, "read=first-words");
  await scene_is_there(page);
  assert.equal((await mirror_of(page)).sentence.text, "My zebra sleeps near the dogs tonight");
  await close_untroubled(page);
});

for (const [what, handler, sentence] of [
  ["has no model", (route) => route.fulfill({ status: 404, body: "" }), /no trained model/],
  ["breaks off half-way", (route) => route.abort(), /could not be fetched|cannot be fetched/],
]) {
  test(`a host that ${what}: a sentence, and the matrix view a press away`, async () => {
    const page = await browser.open("", {
      is_bare: true,
      wait: false,
      prepare: (page) => page.route("**/models/**", handler),
    });
    await first_picture(page);
    const announcement = page.locator("[data-part=announcement]");
    await eventually("it is said", async () => sentence.test((await announcement.textContent()) ?? ""));
    assert.ok(!(await names_of(page)).includes("off=in use"));
    await click_item(page, "door=numbers");
    await at_rest(page);
    assert.ok((await names_of(page)).includes("stage=weights"));
    await page.context().close();
  });
}

test("no number is the model's before the model is there", async () => {
  let let_go;
  const held = new Promise((resolve) => (let_go = resolve));
  const page = await browser.open("", {
    is_bare: true,
    wait: false,
    prepare: (page) =>
      page.route("**/models/**", async (route) => {
        await held;
        await route.continue();
      }),
  });
  await page.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
  const before = await names_of(page);
  assert.ok(before.includes("door=numbers"));
  assert.ok(!before.some((name) => /^(head=|word=|off=)/.test(name)), before.join());
  let_go();
  await scene_is_there(page);
  await close_untroubled(page);
});

test("the model comes beside the rest of the program, once; one that broke off then is fetched again", async () => {
  const is_model = (request) => request.url().includes("/models/");
  for (const breaks_off of [false, true]) {
    let num_lists = 0;
    const asked = [];
    const page = await browser.open("", {
      is_bare: true,
      wait: false,
      prepare: async (page) => {
        page.on("request", (request) => is_model(request) && asked.push(request.url().split("/models/")[1]));
        await page.route("**/*_second*.wasm", async (route) => {
          await eventually("the model is on its way", () => asked.length > (breaks_off ? 0 : 3));
          await route.continue();
        });
        await page.route("**/models/list.json", (route) =>
          breaks_off && ++num_lists === 1 ? route.abort() : route.continue(),
        );
      },
    });
    await scene_is_there(page);
    const files = ["config.json", "model.safetensors", "tokenizer.json"].map((file) => `first-words/${file}`);
    const lists = Array.from({ length: breaks_off ? 2 : 1 }, () => "list.json");
    assert.deepEqual(asked.sort(), [...files, ...lists]);
    await page.context().close();
  }
});

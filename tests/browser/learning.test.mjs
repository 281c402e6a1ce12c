// Training that plays in a real browser: frames, the address bar and a page that is loaded anew in the middle. What each button
// does is tested without a browser: tests/ui/learn.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  at_rest,
  browser_of_file,
  click_item,
  eventually,
  first_picture,
  in_playground,
  item,
  link_of,
  next_frames,
  press_item,
  shown_number,
  troubles_of,
} from "./browser.mjs";
import { assert_in_pieces, link_words } from "./long_texts.mjs";
import { record } from "./tracing.mjs";

const browser = browser_of_file();

const kPattern = "goal=pattern&target=1:10>1&optimizer=adam&rate=0.05";
const shown_steps = (page) => shown_number(page, "steps");
const digest_of = (page) => in_playground(page, (playground) => playground.engine.digest(playground.link()));

async function playing(link) {
  const page = await browser.open(link);
  await press_item(page, "play");
  await eventually("steps are taken", async () => (await shown_steps(page)) >= 3);
  return page;
}

test("play, pause, one step, scrub and undo", async () => {
  const page = await playing(kPattern);
  await press_item(page, "play");
  await at_rest(page);
  const paused = await shown_steps(page);
  assert.ok(paused >= 3 && paused <= 100);
  assert.match(link_of(page), new RegExp(`steps=${paused}(&|$)`));

  await click_item(page, "play=step");
  assert.equal(await shown_steps(page), paused + 1);
  const digest = await digest_of(page);
  const { x0, x1, y } = await item(page, "slider=steps");
  await page.mouse.click(x0 + 2, y);
  await at_rest(page);
  const low = await shown_steps(page);
  assert.ok(low < paused, `${low} of ${paused}`);
  await page.mouse.click((x0 + x1) / 2, y);
  await at_rest(page);
  assert.ok((await shown_steps(page)) > low);
  await page.keyboard.press("Control+Z");
  await at_rest(page);
  await page.keyboard.press("Control+Z");
  await at_rest(page);
  assert.equal(await shown_steps(page), paused + 1);
  assert.equal(await digest_of(page), digest, "the same bits as before");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a page that is loaded anew while it plays shows a step that was taken, at rest", async () => {
  const page = await playing(kPattern);
  await eventually("the address has steps", () => /steps=\d/.test(link_of(page))); // what the address says is what is left
  await page.reload();
  await first_picture(page);
  const steps = await shown_steps(page);
  assert.ok(steps >= 1);
  assert.equal(link_of(page).match(/steps=(\d+)/)[1], `${steps}`);
  await press_item(page, "play=step");
  await at_rest(page);
  assert.equal(await shown_steps(page), steps + 1);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a tab that is closed while it plays loses nothing: its link and the next visit show steps that were taken", async () => {
  const page = await playing(`${kPattern}&target=2:10>7`);
  await eventually("the address has steps", () => /steps=\d/.test(link_of(page)));
  const link = link_of(page);
  const context = page.context();
  assert.equal(troubles_of(page), "");
  await page.close({ runBeforeUnload: true });
  for (const is_link of [true, false]) {
    const again = await context.newPage();
    const errors = [];
    again.on("pageerror", (error) => errors.push(error.message));
    again.on("console", (message) => errors.push(message.text()));
    await again.goto(is_link ? `${browser.url}#${link}` : browser.url);
    await first_picture(again);
    if (!is_link) await again.getByRole("button", { name: "Continue" }).click();
    await at_rest(again);
    const steps = await shown_steps(again);
    assert.ok(steps >= Number(/steps=(\d+)/.exec(link)[1]), `${steps} steps, ${is_link ? "by the link" : "continued"}`);
    assert.match(
      await in_playground(again, (playground) => playground.link()),
      /target=1:10(>|%3E)1&target=2:10(>|%3E)7/,
    );
    await press_item(again, "play=step");
    await at_rest(again);
    assert.equal(await shown_steps(again), steps + 1, "it goes on from there");
    assert.deepEqual(errors, []);
    await again.close();
  }
  await context.close();
});

/** The page's tasks while a training plays to its end. */
async function tasks_of_play(link, speed) {
  const page = await browser.open(link);
  await click_item(page, speed);
  const { x, y } = await item(page, "play");
  const { tasks } = await record(browser.browser, page, async () => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await next_frames(page); // a hand takes longer: the press, the release and what follows are not one task
    await page.mouse.up();
    await at_rest(page);
  });
  assert.ok((await shown_steps(page)) >= 100);
  await page.context().close();
  return tasks;
}

test("a training that plays is done in pieces, at any speed", async () => {
  const large = `${kPattern}&target=2:10>7&d_in=48&d_out=48&text=${link_words(128)}`; // some 650 pieces, the longest .014 of all
  for (const speed of ["speed=1", "speed=100", "speed=fast"])
    assert_in_pieces(await tasks_of_play(large, speed), 0.1, speed);
});

test("a sentence changed while it plays stops it, and nothing is lost", async () => {
  const page = await playing(kPattern);
  const sentence = page.getByRole("textbox", { name: "Sentence" });
  await sentence.focus();
  await page.keyboard.press("End");
  await page.keyboard.type(" today");
  await at_rest(page);
  const steps = await shown_steps(page);
  assert.ok(steps >= 3);
  assert.match(link_of(page), /target=1:10(>|%3E)1/);
  assert.match(await sentence.inputValue(), / today$/);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("under reduced motion nothing plays by itself", async () => {
  const page = await browser.open(kPattern, { reducedMotion: "reduce" });
  assert.equal(await shown_steps(page), 0);
  await click_item(page, "play=step");
  assert.equal(await shown_steps(page), 1);
  await at_rest(page);
  assert.equal(await shown_steps(page), 1);
  await click_item(page, "play");
  assert.equal(await shown_steps(page), 100, "all steps at once");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a lesson that trains is walked by its links, each with its own steps", async () => {
  const page = await browser.open("lesson=readings&step=1");
  const seen = new Set();
  for (let step = 1; step <= 4; ++step) {
    await page.goto(`${browser.url}#lesson=readings&step=${step}`);
    await at_rest(page);
    assert.match(link_of(page), new RegExp(`lesson=readings(&|$)`));
    seen.add(await digest_of(page));
  }
  assert.ok(seen.size >= 2);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

// The Chromium that serves a whole run, and what a file does without it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { with_chromium } from "../../tools/lib/chromium.mjs";
import { eventually, start } from "./browser.mjs";

/** start(), as a file of a run with this browser does it. */
async function start_in_run(t, address) {
  const folder = mkdtempSync(join(tmpdir(), "attn-run-"));
  const before = process.env.ATTN_CHROMIUM;
  t.after(() => {
    rmSync(folder, { recursive: true });
    if (before === undefined) delete process.env.ATTN_CHROMIUM;
    else process.env.ATTN_CHROMIUM = before;
  });
  process.env.ATTN_CHROMIUM = address;
  return start({ folder });
}

/** The pages that a browser has open, whoever opened them. */
async function num_pages({ browser }) {
  const session = await browser.newBrowserCDPSession();
  const { targetInfos } = await session.send("Target.getTargets");
  return targetInfos.filter(({ type }) => type === "page").length;
}

test("the browser of a run outlives each file, and what a file leaves open is closed", async (t) => {
  await with_chromium(async ({ ATTN_CHROMIUM }) => {
    const first = await start_in_run(t, ATTN_CHROMIUM);
    const before = await num_pages(first);
    await (await first.browser.newContext()).newPage();
    assert.equal(await num_pages(first), before + 1);
    await first.close();
    const second = await start_in_run(t, ATTN_CHROMIUM);
    await eventually("no page of the first file", async () => (await num_pages(second)) === before);
    const session = await second.browser.newBrowserCDPSession();
    const gone = new Promise((resolve) => second.browser.once("disconnected", resolve));
    await session.send("Browser.crash").catch(() => {}); // it does not answer any more
    await gone;
    const third = await start_in_run(t, ATTN_CHROMIUM);
    assert.equal(third.browser.isConnected(), true, "a file after it has one of its own");
    for (const one of [second, third]) await one.close();
  });
});

test("where the run's browser is none, a file starts its own", async (t) => {
  const one = await start_in_run(t, "ws://127.0.0.1:1/nobody");
  assert.equal(one.browser.isConnected(), true);
  await one.close();
  assert.equal(one.browser.isConnected(), false);
});

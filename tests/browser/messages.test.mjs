// What the playground in a frame says to the page around it, whom it obeys, and that nothing typed gets out unasked.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { at_rest, dist_file, in_playground, item } from "./browser.mjs";
import { eventually } from "../patience.mjs";
import { frame_has_heard, frame_of, has_heard, kListen, page_has_heard, start_with_host, type_in } from "./hosts.mjs";

let world;
before(async () => (world = await start_with_host()));
after(() => world?.close());

const kStyle = "border:0;width:1000px;height:600px";
const frame_at = (address, attributes = "") => `<iframe src="${address}" style="${kStyle}" ${attributes}></iframe>`;
const page_with = (...frames) => `<!doctype html><body style="margin:0">${kListen}${frames.join("\n")}</body>`;
const allowed = () => `${world.url}index.html?host=${world.host_origin}`;

const heard = (page, type) => page.evaluate((type) => globalThis.heard.filter(({ data }) => data.type === type), type);
const ask = (page, message, place = 0) =>
  page.evaluate(({ message, place }) => globalThis.ask(document.querySelectorAll("iframe")[place], message), {
    message,
    place,
  });
test("anybody hears that it is ready and how high it would like to be, and nothing else", async () => {
  const page = await world.open(page_with(frame_at(`${world.url}index.html#text=given+by+the+author`)));
  const frame = await frame_of(page);
  await type_in(frame, "private words");
  const said = await page.evaluate(() => globalThis.heard.map(({ data }) => data));
  assert.deepEqual([...new Set(said.map(({ type }) => type))].sort(), ["ready", "size"]);
  assert.ok(said.every(({ attention }) => attention === 1));
  assert.doesNotMatch(JSON.stringify(said), /private|author/);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("a page that the address does not name is not obeyed, and not told", async () => {
  const queries = [
    "",
    "?host=https://elsewhere.example",
    `?host=${world.host_origin}.example`,
    "?host=null",
    "?host=*",
  ];
  const page = await world.open(
    page_with(...queries.map((query) => frame_at(`${world.url}index.html${query}#heads=1`))),
    { viewport: { width: 1280, height: 620 * queries.length } },
  );
  for (const [place, query] of queries.entries()) {
    const frame = await frame_of(page, `iframe >> nth=${place}`);
    for (const message of [{ type: "hello" }, { type: "set_state", link: "heads=4" }, { type: "get_state" }]) {
      await page.evaluate(
        ([place, message]) => frames[place].postMessage({ attention: 1, id: 1, ...message }, "*"),
        [place, message],
      );
    }
    await type_in(frame, "private words");
    assert.match(await in_playground(frame, (one) => one.link()), /text=private\+words&heads=1/, query);
  }
  assert.deepEqual(await heard(page, "result"), []);
  assert.deepEqual(await heard(page, "change"), []);
  assert.doesNotMatch(JSON.stringify(await page.evaluate(() => globalThis.heard)), /private/);
  await page.context().close();
});

test("the page that the address names commands, and is told of changes once it said hello", async () => {
  const page = await world.open(page_with(frame_at(`${allowed()}#heads=4`)));
  const frame = await frame_of(page);
  assert.deepEqual(await ask(page, { type: "get_state" }), { link: "v=1&heads=4" });
  await type_in(frame, "before hello");
  assert.deepEqual(await heard(page, "change"), []);
  assert.deepEqual(await ask(page, { type: "hello" }), { link: "v=1&text=before+hello&heads=4" });
  await type_in(frame, "after hello");
  const changes = await heard(page, "change");
  assert.equal(changes.at(-1).data.link, "v=1&text=after+hello&heads=4");
  assert.equal(changes.at(-1).origin, new URL(world.url).origin);
  assert.deepEqual(await ask(page, { type: "set_state", link: "text=set&heads=3" }), { link: "v=1&text=set" });
  await at_rest(frame);
  assert.equal(await frame.getByRole("textbox", { name: "Sentence" }).inputValue(), "set");
  assert.equal(new URL(frame.url()).hash, "#text=set&heads=3");
  assert.equal(new URL(frame.url()).searchParams.get("host"), world.host_origin);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("a stage that is not there is an error, not another stage", async () => {
  const page = await world.open(page_with(frame_at(`${allowed()}#text=one+two&out=0`)));
  await frame_of(page);
  for (const stage of ["nope", "output", ""]) await assert.rejects(ask(page, { type: "get_stage", stage }), /no stage/);
  await page.context().close();
});

test("the numbers of a stage come as they are, a hidden key as minus infinity", async () => {
  const page = await world.open(page_with(frame_at(`${allowed()}#text=one+two&text=three&heads=2`)));
  const frame = await frame_of(page);
  const [first, second] = await ask(page, { type: "get_stage", stage: "masked_scores" });
  const trace = JSON.parse(await in_playground(frame, (one) => one.engine.trace(one.link(), "masked_scores")));
  assert.deepEqual(first.shape, [2, 2, 2]);
  assert.deepEqual(second.tokens, ["three"]);
  const numbers = await page.evaluate(async () => {
    const [stage] = await globalThis.ask(document.querySelector("iframe"), {
      type: "get_stage",
      stage: "masked_scores",
    });
    return { kind: stage.values.constructor.name, values: Array.from(stage.values, String) };
  });
  assert.equal(numbers.kind, "Float32Array");
  const expected = trace.sentences[0].stages[0].values.flat(2);
  // JSON has the shortest text that gives the same float again
  assert.deepEqual(
    numbers.values,
    expected.map((value) => String(value === null ? -Infinity : Math.fround(value))),
  );
  await page.context().close();
});

test("files of the export table come as bytes, and what cannot be made is said in a sentence", async () => {
  const page = await world.open(page_with(frame_at(`${allowed()}#text=one+two`)));
  await frame_of(page);
  const start_of = await page.evaluate(async () => {
    const { bytes, media_type } = await globalThis.ask(document.querySelector("iframe"), {
      type: "export",
      kind: "png",
    });
    return { media_type, start: [...bytes.subarray(0, 4)] };
  });
  assert.deepEqual(start_of, { media_type: "image/png", start: [0x89, 0x50, 0x4e, 0x47] });
  await assert.rejects(ask(page, { type: "export", kind: "gif" }), /[A-Za-z ]{10}/);
  await assert.rejects(ask(page, { type: "dance" }), /does not know the message "dance"/);
  await page.context().close();
});

test("an answer to a check is told as an answer, and a link from outside is none", async () => {
  const page = await world.open(page_with(frame_at(`${allowed()}#text=one+two&heads=1&check=weights&score=1/2/0`)));
  const frame = await frame_of(page);
  await ask(page, { type: "hello" });
  await type_in(frame, "one two three");
  assert.ok((await heard(page, "change")).length > 0);
  assert.deepEqual(await heard(page, "answer"), [], "the score is what it was");

  await ask(page, { type: "set_state", link: "text=one+two&heads=1&check=weights&cell=1,0,0" });
  await at_rest(frame);
  const { x, y } = await item(frame, "answer");
  await page.mouse.click(x, y);
  await at_rest(frame);
  await page.keyboard.type("1"); // the first word has nobody but itself to look at
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => globalThis.heard.some(({ data }) => data.type === "answer"));
  const answers = (await heard(page, "answer")).map(({ data }) => data);
  assert.deepEqual(answers, [{ attention: 1, type: "answer", right: 1, asked: 1, hints: 0 }]);
  await page.context().close();
});

test("what was answered is told whole, predictions too, and comes back into another visit", async () => {
  const page = await world.open(page_with(frame_at(`${allowed()}#lesson=causal&step=4`)));
  const frame = await frame_of(page);
  await ask(page, { type: "hello" });
  assert.deepEqual(await ask(page, { type: "get_answers" }), []);
  const { x, y } = await item(frame, "predict=1");
  await page.mouse.click(x, y);
  await page.waitForFunction(() => globalThis.heard.some(({ data }) => data.type === "answers"));
  const [{ data }] = await heard(page, "answers");
  const [{ lesson, step, question, tries }] = data.answers;
  assert.deepEqual([lesson, step, question, tries], ["causal", 4, "prediction", 1]);
  assert.deepEqual(await heard(page, "answer"), [], "no number was asked for");
  await page.context().close();

  const later = await world.open(page_with(frame_at(`${allowed()}#lesson=causal&step=4`)));
  await frame_of(later);
  assert.deepEqual(await ask(later, { type: "get_answers", earlier: data.answers }), data.answers);
  assert.deepEqual(await ask(later, { type: "get_answers" }), data.answers, "they stay");
  await assert.rejects(ask(later, { type: "get_answers", earlier: "all" }), /The earlier answers are no list/);
  await later.context().close();
});

test("a sibling is not obeyed, whatever its origin, and neither is nonsense", async () => {
  const page = await world.open(page_with(frame_at(`${allowed()}#heads=1`), `<iframe srcdoc="a sibling"></iframe>`));
  const frame = await frame_of(page);
  const sibling = page.frames().find((one) => one.url() === "about:srcdoc");
  await has_heard(frame, (last) =>
    sibling.evaluate((last) => {
      const link = { attention: 1, type: "set_state", id: 1, link: "heads=4" };
      for (const message of [link, { attention: 1, type: "hello" }, last]) parent.frames[0].postMessage(message, "*");
    }, last),
  );
  for (const nonsense of [
    null,
    "hello",
    7,
    [],
    {},
    { attention: 2, type: "get_state", id: 1 },
    { type: "get_state", id: 1 },
  ]) {
    await page.evaluate(
      (message) => document.querySelector("iframe").contentWindow.postMessage(message, "*"),
      nonsense,
    );
  }
  await frame_has_heard(frame);
  await page_has_heard(frame);
  assert.match(await in_playground(frame, (playground) => playground.link()), /heads=1/);
  assert.deepEqual(await heard(page, "result"), []);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("a page of the playground's own origin needs no name", async () => {
  world.copy_playground();
  const page = await world.open(page_with(frame_at(`${world.host}playground/index.html#heads=4`)));
  await frame_of(page);
  assert.deepEqual(await ask(page, { type: "hello" }), { link: "v=1&heads=4" });
  await page.context().close();
});

/** The playground, whose site has this line in its head, as docs/hosting.md says. */
const with_setting = (line) => (page) =>
  page.route(/\/index\.html/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace("<title>", `${line}$&`) });
  });
const setting = (origins) => `<meta name="attention-hosts" content="${origins}" />`;

test("a site that allows certain pages refuses all others that the address names, and tells them nothing", async () => {
  const elsewhere = "https://elsewhere.example";
  for (const origins of ["", elsewhere, `${world.host_origin}.example ${elsewhere}`, "*", "null"]) {
    const page = await world.open(page_with(frame_at(`${allowed()}&host=${elsewhere}&host=null#heads=1`)), {
      prepare: with_setting(setting(origins)),
    });
    const frame = await frame_of(page);
    for (const message of [{ type: "hello" }, { type: "get_state" }, { type: "set_state", link: "heads=4" }])
      await assert.rejects(ask(page, message), /does not let http:\/\/127\.0\.0\.1:\d+ command it/, origins);
    await type_in(frame, "private words");
    assert.match(await in_playground(frame, (one) => one.link()), /text=private\+words&heads=1/);
    assert.doesNotMatch(JSON.stringify(await page.evaluate(() => globalThis.heard)), /private/);
    assert.deepEqual(await heard(page, "change"), []);
    assert.ok((await heard(page, "ready")).length === 1 && (await heard(page, "size")).length > 0);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  }
});

test("the pages that a site allows command it as everywhere, and those of its own origin", async () => {
  world.copy_playground();
  for (const [address, origins] of [
    [allowed(), `https://elsewhere.example  ${world.host_origin}`],
    [`${world.host}playground/index.html`, ""],
  ]) {
    const page = await world.open(page_with(frame_at(`${address}#heads=4`)), {
      prepare: with_setting(setting(origins)),
    });
    const frame = await frame_of(page);
    assert.deepEqual(await ask(page, { type: "hello" }), { link: "v=1&heads=4" });
    await type_in(frame, "for the host");
    await eventually("the change was told", async () =>
      /text=for\+the\+host/.test((await heard(page, "change")).at(-1)?.data.link),
    );
    await page.context().close();
  }
  const page = await world.open(page_with(frame_at(`${world.url}index.html#heads=4`)), {
    prepare: with_setting(setting(world.host_origin)),
  });
  const frame = await frame_of(page);
  await page.evaluate(() => frames[0].postMessage({ attention: 1, type: "get_state", id: 5 }, "*"));
  await frame_has_heard(frame);
  await page_has_heard(frame);
  assert.deepEqual(await heard(page, "result"), [], "to be allowed is not to be named");
  await page.context().close();
});

test("a built site with the line of docs/hosting.md refuses, under its strict policy", async (t) => {
  const [line] = readFileSync(new URL("../../docs/hosting.md", import.meta.url), "utf8").match(
    /<meta name="attention-hosts".*/,
  );
  const folder = mkdtempSync(join(tmpdir(), "attn-allowed-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(dist_file("site"), folder, { recursive: true });
  const index = join(folder, "index.html");
  writeFileSync(index, readFileSync(index, "utf8").replace("<title>", `${line}\n    $&`));
  const site = await start_with_host({ folder });
  t.after(() => site.close());
  const page = await site.open(page_with(frame_at(`${site.url}index.html?host=${site.host_origin}#heads=1`)));
  await frame_of(page);
  await assert.rejects(ask(page, { type: "hello" }), /does not let http/);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("in a sandbox it obeys the page that its address names, and no page without an origin", async () => {
  const sandbox = 'sandbox="allow-scripts"';
  const page = await world.open(
    page_with(frame_at(`${allowed()}#heads=4`, sandbox), frame_at(`${world.url}index.html#heads=1`, sandbox)),
  );
  await frame_of(page, "iframe >> nth=0");
  const nameless = await frame_of(page, "iframe >> nth=1");
  await page.waitForFunction(() => globalThis.heard.filter(({ data }) => data.type === "ready").length === 2);
  assert.deepEqual(await ask(page, { type: "get_state" }), { link: "v=1&heads=4" });
  await page.evaluate(() => frames[1].postMessage({ attention: 1, type: "get_state", id: 5 }, "*"));
  await frame_has_heard(nameless);
  await page_has_heard(nameless);
  assert.deepEqual(
    (await heard(page, "result")).filter(({ place }) => place === 1),
    [],
  );
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

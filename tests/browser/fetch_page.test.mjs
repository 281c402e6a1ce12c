// The page that fetches models: from an honest host, and from hosts that lie, each of which is refused in a sentence while what was there
// stays. There is no internet here: the hosts are servers on this machine, which are other hosts to the browser.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { words_of } from "../../web/model_host.js";
import { kKnownModels } from "../../web/known_models.js";
import { at_rest, browser_of_file, click_item, eventually, in_playground, items, link_of } from "./browser.mjs";
import { write_model } from "../model/checkpoints.mjs";
import { llama_gguf } from "../model/gguf.mjs";
import { kOpen, LyingHost } from "./lying_host.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = browser_of_file({ whole: true });

const kFiles = ["config.json", "tokenizer.json", "model.safetensors"];
const bytes_of = (file) => readFileSync(new URL(`../../models/first-words/${file}`, import.meta.url));
const kSize = kFiles.reduce((sum, file) => sum + bytes_of(file).length, 0);
const kModel = Object.fromEntries(kFiles.map((file) => [`/models/own/${file}`, bytes_of(file)]));
const kNumbers = "/models/own/model.safetensors";
const kConfig = "/models/own/config.json";
const kHub = Object.fromEntries(kFiles.map((file) => [`/someone/model/resolve/main/${file}`, bytes_of(file)]));

const kGguf = "/files/stories.gguf";

let parent;
let host;
let other;
before(async () => {
  parent = mkdtempSync(join(tmpdir(), "attn-fetch-"));
  const gguf = llama_gguf(write_model(parent, "llama"));
  host = await new LyingHost({ ...kModel, ...kHub, ...in_two_parts(), [kGguf]: gguf }).start();
  other = await new LyingHost(kModel).start();
});
after(async () => {
  await Promise.all([host?.close(), other?.close()]);
  rmSync(parent, { recursive: true, force: true });
});
afterEach(() => [host, other].forEach((one) => one.forget()));

const open_page = async (options = {}) => {
  const page = await browser.open("", { path: "fetch.html", wait: false, ...options });
  await page.getByRole("textbox", { name: "Address of the model" }).waitFor();
  return page;
};

const address_of = (page) => page.getByRole("textbox", { name: "Address of the model" });
const status_of = (page) => page.locator("[data-part=status]");
const fill = (page, path = "models/own/") => address_of(page).fill(host.url + path);
const press_look = (page) => page.getByRole("button", { name: /^Look/ }).click();
const fetch_button = (page) => page.getByRole("button", { name: /^Fetch / });
const said = (page, words) => status_of(page).filter({ hasText: words }).waitFor();
const kOpened = "The model is open in the playground below.";

async function look(page, path) {
  await fill(page, path);
  await press_look(page);
  await fetch_button(page).waitFor();
}

/** Nothing went wrong but what a test lets go wrong: browsers say on the console that a host's file is not there or not readable. */
function assert_untroubled(page) {
  const expected = [
    /^request: http:\/\/127\.0\.0\.1:/,
    /^console: Failed to load resource/,
    /^console: Access to fetch at/,
  ];
  assert.deepEqual(
    page.troubles.filter((trouble) => !expected.some((one) => one.test(trouble))),
    [],
  );
}

async function close(page) {
  assert_untroubled(page);
  await page.context().close();
}

/** What the playground computes in a page or a frame. */
const digest_in = (place, link) => in_playground(place, ({ engine }, link) => engine.digest(link), link);

test("a model from an honest host has the numbers of the same files dropped", async () => {
  const page = await open_page({
    prepare: (_, context) =>
      context.addCookies([{ name: "secret", value: "cookie", domain: "127.0.0.1", path: "/", sameSite: "Lax" }]),
  });
  await fill(page);
  await page.getByRole("button", { name: `Look at ${host.host}`, exact: true }).waitFor();
  assert.deepEqual(host.asked, [], "nothing is contacted before a press");
  await press_look(page);
  await page.getByRole("button", { name: `Fetch ${words_of(kSize)} from ${host.host}`, exact: true }).waitFor();
  assert.equal(host.sent, kFiles.length, "one byte of each file");
  await fetch_button(page).click();
  await said(page, kOpened);
  for (const { headers } of host.asked)
    for (const name of ["cookie", "referer", "authorization"]) assert.equal(headers[name], undefined, name);

  const frame = page.frames()[1];
  await at_rest(frame);
  const link = await in_playground(frame, (playground) => playground.link());
  assert.match(link, /model=gpt2-[0-9a-f]{16}/);
  const dropped = await browser.open("v=1");
  await dropped.locator("[data-part=root]").evaluate(
    (root, files) => {
      const dataTransfer = new DataTransfer();
      for (const [name, base64] of files)
        dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
      root.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    kFiles.map((file) => [file, bytes_of(file).toString("base64")]),
  );
  await eventually("the dropped model is open", async () => /model=gpt2-/.test(link_of(dropped)));
  await at_rest(dropped);
  const wanted = link.replace(/text=[^&]*/, "text=the+dog+sees+the+cat");
  assert.equal(await digest_in(frame, wanted), await digest_in(dropped, wanted));
  await dropped.context().close();

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save model.safetensors" }).click(),
  ]);
  assert.deepEqual(readFileSync(await download.path()), bytes_of("model.safetensors"));
  await close(page);
});

test("the address of a model's page at a hub means the files below resolve/main", async () => {
  const page = await open_page();
  await look(page, "someone/model");
  assert.equal(host.asked[0].path, "/someone/model/resolve/main/config.json");
  await close(page);
});

/** The model's numbers in two files, and the list of them: { path: bytes }. */
function in_two_parts() {
  const whole = bytes_of("model.safetensors");
  const begin = 8 + Number(whole.readBigUInt64LE(0));
  const { __metadata__: _, ...tensors } = JSON.parse(whole.subarray(8, begin));
  const names = Object.keys(tensors);
  const part_of = (some) => {
    let at = 0;
    const entries = some.map((name) => {
      const [from, to] = tensors[name].data_offsets;
      return { name, bytes: whole.subarray(begin + from, begin + to), offsets: [at, (at += to - from)] };
    });
    const header = JSON.stringify(
      Object.fromEntries(entries.map(({ name, offsets }) => [name, { ...tensors[name], data_offsets: offsets }])),
    );
    const padded = Buffer.from(header.padEnd(Math.ceil(header.length / 8) * 8));
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(padded.length));
    return Buffer.concat([size, padded, ...entries.map(({ bytes }) => bytes)]);
  };
  const files = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"];
  const halves = [names.filter((_, i) => i % 2 === 0), names.filter((_, i) => i % 2 === 1)];
  const weight_map = Object.fromEntries(halves.flatMap((some, i) => some.map((name) => [name, files[i]])));
  const others = Object.fromEntries(
    ["config.json", "tokenizer.json"].map((file) => [`/parts/own/${file}`, bytes_of(file)]),
  );
  return {
    ...others,
    "/parts/own/model.safetensors.index.json": Buffer.from(JSON.stringify({ metadata: {}, weight_map })),
    ...Object.fromEntries(files.map((file, i) => [`/parts/own/${file}`, part_of(halves[i])])),
  };
}

test("a model in several parts is read by their list, and what a list should not say is refused", async () => {
  const page = await open_page();
  await look(page, "parts/own/");
  await page.getByRole("rowheader", { name: "model-00002-of-00002.safetensors" }).waitFor();
  await fetch_button(page).click();
  await said(page, kOpened);
  const list = "/parts/own/model.safetensors.index.json";
  for (const [text, sentence] of [
    ['{"weight_map": {"a": "../../secret.bin"}}', "does not list the parts of a model"],
    ['{"weight_map": {"a": "https://other.example/a.bin"}}', "does not list the parts of a model"],
    ['{"weight_map": {}}', "does not list the parts of a model"],
    ['{"weight_map": {"a": 7}}', "does not list the parts of a model"],
    ["<html>", "is a web page, not JSON"],
    [
      '{"weight_map": {"a": "lost.bin"}}',
      "has no file lost.bin that this page can read, but model.safetensors.index.json names it.",
    ],
  ]) {
    host.lies[list] = (request, response) => host.honest(request, response, Buffer.from(text));
    await press_look(page);
    await said(page, sentence);
    assert.equal(await fetch_button(page).isVisible(), false);
  }
  assert.ok(host.asked.every(({ path }) => path.startsWith("/parts/own/")));
  await close(page);
});

test("the address of one file means it and what lies beside it; a GGUF file comes alone", async () => {
  const page = await open_page();
  await look(page, "models/own/model.safetensors");
  assert.equal(await fetch_button(page).textContent(), `Fetch ${words_of(kSize)} from ${host.host}`);
  const gguf = host.url.replace(/\/$/, kGguf);
  await address_of(page).fill(gguf);
  await press_look(page);
  await fetch_button(page).waitFor();
  assert.equal(await page.locator("[data-part=files] tbody tr").count(), 1);
  await fetch_button(page).click();
  await said(page, kOpened);
  const frame = page.frames()[1];
  await at_rest(frame);
  assert.match(await in_playground(frame, (playground) => playground.link()), /model=llama-/);
  await address_of(page).fill(`${host.url}lost/model.gguf`);
  await press_look(page);
  await said(page, `${host.host} has no file model.gguf at this address.`);
  await close(page);
});

// What a host may do without being refused: [what, what it does, with the test's page afterwards].
for (const [what, answer] of [
  [
    "ignores ranges",
    (request, response, bytes) => {
      const { range, ...headers } = request.headers;
      host.honest({ method: request.method, headers }, response, bytes);
    },
  ],
  [
    "lets no site read more than the usual headers",
    (request, response, bytes) => host.honest(request, response, bytes, { exposes: false }),
  ],
]) {
  test(`a host that ${what} is read all the same`, async () => {
    const page = await open_page();
    host.lies["*"] = answer;
    await look(page);
    assert.equal(await fetch_button(page).textContent(), `Fetch ${words_of(kSize)} from ${host.host}`);
    await fetch_button(page).click();
    await said(page, kOpened);
    await close(page);
  });
}

test("a host that lets no site read that a file is not there is read all the same, whichever folder is meant", async () => {
  const page = await open_page();
  host.lies["*"] = (request, response, bytes) =>
    bytes === undefined ? response.writeHead(404).end() : host.honest(request, response, bytes);
  for (const path of ["models/own", "models/own/", "someone/model", "models/own/model.safetensors", "parts/own"])
    await look(page, path);
  await close(page);
});

test("a redirect to another host is named before the files are fetched, and another one later is refused", async () => {
  const page = await open_page();
  const to = (target) => (_, response) =>
    response.writeHead(302, { ...kOpen, Location: `${target.url}${kNumbers.slice(1)}` }).end();
  host.lies[kNumbers] = to(other);
  await look(page);
  await said(page, `It sends this page to ${other.host} for some of them.`);
  assert.equal(await fetch_button(page).textContent(), `Fetch ${words_of(kSize)} from ${host.host} and ${other.host}`);
  delete host.lies[kNumbers]; // from now on it sends the file itself
  await fetch_button(page).click();
  await said(
    page,
    `${host.host} now sends this page to ${host.host} for model.safetensors, not to ${other.host} as before.`,
  );
  host.lies[kNumbers] = to(other);
  await press_look(page);
  await said(page, `It sends this page to ${other.host}`);
  await fetch_button(page).click();
  await said(page, kOpened);
  await close(page);
});

// Lies that are seen when the page looks: [what, path, the host's answer, the sentence].
for (const [what, path, answer, sentence] of [
  [
    "redirects without end",
    kConfig,
    (_, response) => response.writeHead(302, { ...kOpen, Location: kConfig }).end(),
    "cannot be read by this page: it does not answer, redirects without end, or does not allow",
  ],
  [
    "does not let other sites read",
    "*",
    (_, response) => response.writeHead(200).end("{}"),
    "does not allow pages of other sites to read its files (CORS). Download the model's files there yourself",
  ],
  [
    "has nothing there",
    "*",
    (_, response) => response.writeHead(404, kOpen).end(),
    "has no config.json at this address",
  ],
  [
    "asks for a password",
    kConfig,
    (_, response) => response.writeHead(401, { ...kOpen, "WWW-Authenticate": "Basic" }).end(),
    "asks for an account or a password for config.json (401). This page never sends any.",
  ],
  [
    "is broken",
    kNumbers,
    (_, response) => response.writeHead(500, kOpen).end(),
    "could not send model.safetensors: it answered 500",
  ],
  [
    "says no size",
    kNumbers,
    (_, response) => response.writeHead(200, kOpen).end("x"),
    "does not say how large model.safetensors is, so it is not fetched.",
  ],
  ["has an empty file", kConfig, (_, response) => response.writeHead(416, kOpen).end(), "config.json at 127.0.0.1"],
  ["hangs up", kConfig, (_, response) => response.destroy(), "cannot be read by this page"],
]) {
  test(`looking at a host that ${what} ends in a sentence`, async () => {
    const page = await open_page();
    host.lies[path] = answer;
    await fill(page);
    await press_look(page);
    await said(page, sentence);
    assert.equal(await fetch_button(page).isVisible(), false);
    await close(page);
  });
}

const kTrickle = 64; // bytes at a time
/** An honest answer to the look, and then a lie: the answer to the fetch. */
const after_look = (answer, options) => (request, response, bytes) => {
  if (request.method === "HEAD" || request.headers.range === "bytes=0-0")
    host.honest(request, response, bytes, options);
  else answer(response, bytes);
};
const endless = (response) => {
  response.writeHead(200, kOpen);
  const go_on = () => !response.destroyed && response.write(Buffer.alloc(kTrickle * 1024), go_on);
  go_on();
};

// Lies that are seen when the page fetches, after an honest look: [what, path, the host's answer, the sentence].
for (const [what, path, answer, sentence] of [
  [
    "sends less than it said",
    kNumbers,
    after_look((response, bytes) => {
      response.writeHead(200, { ...kOpen, "Content-Length": bytes.length });
      response.write(bytes.subarray(0, 1000), () => response.destroy());
    }),
    /model\.safetensors from \S+ ended after [\d,]+ of [\d,]+ bytes/,
  ],
  [
    "ends early and says nothing of it",
    kNumbers,
    after_look((response, bytes) => response.writeHead(200, kOpen).end(bytes.subarray(0, 1000))),
    /ended after 1,000 of [\d,]+ bytes/,
  ],
  [
    "sends more than it said",
    kNumbers,
    after_look((response, bytes) => response.writeHead(200, kOpen).end(Buffer.concat([bytes, bytes]))),
    "is longer than the",
  ],
  ["never stops sending", kNumbers, after_look(endless), "is longer than the"],
  [
    "says another size now",
    kNumbers,
    after_look((response, bytes) =>
      response.writeHead(200, { ...kOpen, "Content-Length": 5 }).end(bytes.subarray(0, 5)),
    ),
    "has changed since this page looked",
  ],
  [
    "has another file of the same size now",
    kNumbers,
    after_look((response, bytes) =>
      response.writeHead(200, { ...kOpen, "Access-Control-Expose-Headers": "ETag", ETag: '"new"' }).end(bytes),
    ),
    "has changed since this page looked. Please look again.",
  ],
  [
    "lost the file",
    kNumbers,
    after_look((response) => response.writeHead(404, kOpen).end()),
    "has no file model.safetensors any more",
  ],
  [
    "has a web page instead of JSON",
    kConfig,
    (request, response) => host.honest(request, response, Buffer.from("<!doctype html><title>Sign in</title>")),
    "is a web page, not JSON. Is this the address of a model's files?",
  ],
  [
    "has a cut config",
    kConfig,
    (request, response, bytes) => host.honest(request, response, bytes.subarray(0, 20)),
    /config\.json from \S+ is not JSON/,
  ],
]) {
  test(`fetching from a host that ${what} ends in a sentence, and nothing is opened`, async () => {
    const page = await open_page();
    host.lies[path] = answer;
    await look(page);
    await fetch_button(page).click();
    await said(page, sentence);
    assert.equal(await page.locator("iframe[src]").count(), 0, "no playground was asked for");
    assert.equal(await page.getByRole("button", { name: /^Save/ }).count(), 0);
    await close(page);
  });
}

test("a kind that is not known is refused by the playground, and the model that was open stays", async () => {
  const page = await open_page();
  await look(page);
  await fetch_button(page).click();
  await said(page, kOpened);
  const frame = page.frames()[1];
  await at_rest(frame);
  const before = await in_playground(frame, (playground) => playground.link());
  const unknown = Buffer.from(String(bytes_of("config.json")).replace('"gpt2"', '"nobody"'));
  host.lies[kConfig] = (request, response) => host.honest(request, response, unknown);
  await press_look(page);
  await fetch_button(page).waitFor();
  await fetch_button(page).click();
  await said(page, "the playground below could not open them: it says why");
  await frame.locator("[data-part=announcement]").filter({ hasText: "nobody" }).waitFor({ state: "attached" });
  assert.equal(await in_playground(frame, (playground) => playground.link()), before);
  await close(page);
});

test("Stop ends a fetch, by keyboard, and the rest of the page goes on", async () => {
  const page = await open_page();
  host.lies[kNumbers] = after_look((response, bytes) => {
    response.writeHead(200, { ...kOpen, "Content-Length": bytes.length });
    response.write(bytes.subarray(0, 1000)); // and no more
  });
  await fill(page);
  await address_of(page).press("Enter");
  await fetch_button(page).waitFor();
  await fetch_button(page).press("Enter");
  await page.locator("[data-part=share]").filter({ hasText: " of " }).waitFor();
  await page.getByRole("button", { name: "Stop" }).press("Enter");
  await said(page, "Stopped. What was there stays.");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^Fetch /, "the focus goes back");
  delete host.lies[kNumbers];
  await page.keyboard.press("Enter");
  await said(page, kOpened);
  await close(page);
});

test("a playground that does not come is waited for no longer than somebody wants, and comes the next time", async () => {
  const page = await open_page();
  await page.route("**/boot.js", (route) => route.abort());
  await look(page);
  await fetch_button(page).click();
  await said(page, "All files are here. The playground is opening them.");
  await page.getByRole("button", { name: "Stop" }).click();
  await said(page, "Stopped. What was there stays.");
  await page.unroute("**/boot.js");
  await fetch_button(page).click();
  await said(page, kOpened);
  await close(page);
});

test("an address that cannot be meant gets a sentence, and nothing is contacted", async () => {
  const page = await open_page();
  for (const [address, sentence] of [
    ["", "Please paste the address of a model."],
    ["two words", "This is no address."],
    [`http://name:password@${host.host}/models/own/`, "has a user's name or a password in it"],
    ["http://models.example/some/model", "Only addresses that begin with https:// can be fetched."],
    ["ftp://models.example/some/model", "Only addresses that begin with https://"],
    [host.url, "names a host and no model"],
  ]) {
    await address_of(page).fill(address);
    await press_look(page);
    await said(page, sentence);
  }
  assert.deepEqual(host.asked, []);
  await close(page);
});

test("without a network, and where the site's policy forbids it, a sentence says so", async () => {
  const page = await open_page();
  await page.context().setOffline(true);
  await fill(page);
  await press_look(page);
  await said(page, "There is no network: this page can fetch nothing now.");
  await page.context().close();

  const strict = await open_page({
    prepare: (page) =>
      page.route("**/fetch.html", async (route) => {
        const response = await route.fetch();
        const headers = { ...response.headers(), "content-security-policy": "connect-src 'self'" };
        await route.fulfill({ response, headers });
      }),
  });
  await fill(strict);
  await press_look(strict);
  await said(strict, `The policy of this site does not let this page contact ${host.host}.`);
  assert.deepEqual(host.asked, []);
  await strict.context().close();
});

test("in a frame the page fetches nothing and says why; in a sandbox its text says what it needs", async () => {
  for (const [sandbox, words] of [
    ["", "in a tab of its own only"],
    ['sandbox="allow-scripts"', "a tab of its own"],
  ]) {
    const page = await browser.open("", {
      path: "around.html",
      wait: false,
      prepare: (page) =>
        page.route("**/around.html", (route) =>
          route.fulfill({
            contentType: "text/html",
            body: `<!doctype html><iframe ${sandbox} src="fetch.html"></iframe>`,
          }),
        ),
    });
    const frame = page.frameLocator("iframe");
    await frame.locator("[data-part=message]").filter({ hasText: words }).waitFor();
    assert.equal(await frame.locator("[data-part=main]").isVisible(), false);
    await page.context().close();
  }
});

test("a page of another origin cannot hand over files, even if it may command", async () => {
  const page = await browser.browser.newPage();
  const { origin } = new URL(host.url);
  const body = `<!doctype html><script>
    globalThis.answer = new Promise((resolve) => addEventListener("message", ({ data, source }) => {
      const files = [new File(["{}"], "config.json")];
      if (data.type === "ready") source.postMessage({ attention: 1, type: "open_files", id: 7, files }, "*");
      if (data.type === "result") resolve(data);
    }));
  </script><iframe src="${browser.url}?host=${origin}#v=1" width="800" height="600"></iframe>`;
  host.lies["/around.html"] = (_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(body);
  await page.goto(`${host.url}around.html`);
  const { id, error } = await page.evaluate(() => globalThis.answer);
  assert.deepEqual([id, error], [7, "Only a page of the playground's own origin may hand over files."]);
  await page.close();
});

test("the list fills in an address and contacts nothing; the page is accessible, light and dark, and fits a phone", async () => {
  const page = await open_page({ viewport: { width: 360, height: 640 } });
  const rows = await page.locator("[data-part=known] tbody tr").count();
  assert.equal(rows, kKnownModels.length);
  for (const { name, address } of kKnownModels) {
    await page.getByRole("button", { name: `Fill in ${name}`, exact: true }).click();
    assert.equal(await address_of(page).inputValue(), address);
    await page.getByRole("button", { name: `Look at ${new URL(address).host}`, exact: true }).waitFor();
  }
  assert.deepEqual(page.troubles, [], "no request, and no word on the console");
  await look(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(wide, 0, "nothing is wider than the phone");
  await page.evaluate(axe);
  for (const viewport of [
    { width: 360, height: 640 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await page.evaluate(() => window.axe.run());
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
        [],
        `${viewport.width} ${colorScheme}`,
      );
    }
  }
  await close(page);
});

test("the playground leads to the page with its state, in the picture and as text, unless the site leaves it out", async () => {
  const link = "text=the+dog+sees&heads=2";
  const viewport = { width: 1280, height: 1600 }; // the whole card
  const page = await browser.open(link, { viewport });
  await click_item(page, "share");
  const [opened] = await Promise.all([page.context().waitForEvent("page"), click_item(page, "fetch")]);
  await opened.getByRole("textbox", { name: "Address of the model" }).waitFor();
  assert.equal(new URL(opened.url()).pathname, "/fetch.html");
  assert.match(opened.url(), /#.*text=the\+dog\+sees/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Show as text" }).click();
  const as_text = page.getByRole("link", { name: "Fetch a model from an address" });
  assert.match(await as_text.getAttribute("href"), /^fetch\.html#.*text=the\+dog\+sees/);
  await page.context().close();

  const without = await browser.open(link, {
    viewport,
    prepare: (page) =>
      page.route(browser.url, async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace(/ *<meta name="attention-fetch"[^>]*>\n/, "");
        await route.fulfill({ response, body });
      }),
  });
  await click_item(without, "share");
  const names = (await items(without)).map(({ name }) => name);
  assert.ok(names.includes("open") && !names.includes("fetch"), names.join(" "));
  await without.keyboard.press("Escape");
  await without.getByRole("button", { name: "Show as text" }).click();
  await without.getByRole("button", { name: "Open a session file or numbers" }).waitFor();
  assert.equal(await without.getByRole("link", { name: "Fetch a model from an address" }).isVisible(), false);
  await without.context().close();
});

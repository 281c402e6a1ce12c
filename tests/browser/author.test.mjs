// The author's page: its switches change the playground beside them and what is handed out, the playground's own changes come
// back, and what is pasted elsewhere shows the same state.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import axe from "axe-core";
import jsqr from "jsqr";
import pngjs from "pngjs";
import { encode } from "uqr";
import { browser_of_file, click_item, eventually, troubles_of } from "./browser.mjs";

const kText = "text=free+speech+for+all";

const browser = browser_of_file({ whole: true });

async function open_author(link, options = {}) {
  const page = await browser.open(link, { path: "author.html", wait: false, ...options });
  await page.locator("[data-part=message]").waitFor({ state: "hidden" });
  await playground(page).locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
  return page;
}

const playground = (page) => page.frameLocator("[data-part=frame]");
const handed_out = (page) => page.getByRole("textbox", { name: "Link", exact: true }).inputValue();
const link_handed_out = async (page) => (await handed_out(page)).split("#")[1] ?? "";
const snippet_of = (page) => page.getByRole("tabpanel").locator("code").textContent();
/** The link of the playground in the frame, when it is what is wanted or nothing changes any more. */
async function frame_link(page, wanted) {
  const frame = page.frames().find((one) => one.parentFrame());
  const link = () => new URL(frame.url()).hash.slice(1);
  await eventually(wanted, () => link() === wanted).catch(() => {}); // the caller's comparison shows both
  return link();
}
const open_group = (page, title) => page.locator("summary", { hasText: new RegExp(`^${title}$`) }).click();

test("what is switched off is off in the playground and in everything that is handed out", async () => {
  const page = await open_author(kText);
  const parts = await page
    .locator("details", { hasText: "Parts of the screen" })
    .locator(".author-tick")
    .allTextContents();
  assert.deepEqual(
    parts.filter((label) => !/^[A-Z]/.test(label)),
    [],
    "every part has words of its own",
  );
  await page.getByRole("checkbox", { name: "Sentence" }).uncheck();
  const link = "v=1&text=free+speech+for+all&hide=sentence";
  assert.equal(await link_handed_out(page), link);
  await playground(page).getByRole("textbox", { name: "Sentence", exact: true }).waitFor({ state: "hidden" });
  assert.match(await snippet_of(page), /hide=sentence"/);

  await page.getByRole("radio", { name: "With everything" }).check();
  await playground(page).getByRole("textbox", { name: "Sentence", exact: true }).waitFor();
  assert.equal(await link_handed_out(page), link, "looking at it changes nothing");
  await page.getByRole("radio", { name: "As the class sees it" }).check();
  await playground(page).getByRole("textbox", { name: "Sentence", exact: true }).waitFor({ state: "hidden" });
  await page.getByRole("checkbox", { name: "Sentence" }).check();
  assert.equal(await link_handed_out(page), "v=1&text=free+speech+for+all");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("what is changed in the playground comes back, and what is left out stays left out", async () => {
  const page = await open_author(`${kText}&hide=settings&lock=seed`);
  await page.getByRole("radio", { name: "With everything" }).check();
  const everything = "v=1&text=free+speech+for+all";
  assert.equal(await frame_link(page, everything), everything); // what is typed before would be lost with the link before
  const field = playground(page).getByRole("textbox", { name: "Sentence", exact: true });
  await field.fill("typed in the frame");
  const wanted = "v=1&text=typed+in+the+frame&hide=settings&lock=seed";
  await page.waitForFunction((link) => document.querySelector("#author-link").value.endsWith(`#${link}`), wanted);
  await page.waitForURL(({ hash }) => hash === `#${wanted}`); // the page's own address keeps it
  await page.reload();
  await playground(page).locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
  await page.waitForFunction((link) => document.querySelector("#author-link").value.endsWith(`#${link}`), wanted);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("stages, blanks and controls", async () => {
  const page = await open_author(`${kText}&cell=2,2,1`);
  await open_group(page, "Stages");
  await page.getByRole("checkbox", { name: "scaled scores" }).uncheck();
  await open_group(page, "Numbers to fill in");
  await page.getByRole("button", { name: "Blank the pinned number" }).click();
  const blank = page.getByRole("textbox", { name: "Blank", exact: true });
  await blank.fill("scores[1,*,0]");
  await blank.press("Enter");
  await blank.fill("nonsense");
  await page.getByRole("button", { name: "Add" }).click();
  const wrong = page.locator("#author-blank-wrong");
  assert.match(await wrong.textContent(), /“nonsense” does not name a number of a stage/);
  assert.equal(await blank.inputValue(), "nonsense", "it stays, to be mended");
  assert.equal(await blank.getAttribute("aria-invalid"), "true");
  for (const [name, sentence] of [
    ["weights[9,2,1]", /has heads 1 to \d+, rows 0 to \d+ and columns 0 to \d+ here/],
    ["weights[2,1]", /needs \[head,row,column\]/],
    ["weights[2,2,1]", /blank already/],
  ]) {
    await blank.fill(name);
    assert.equal(await wrong.textContent(), "", "not while it is typed");
    await blank.press("Enter");
    assert.match(await wrong.textContent(), sentence);
  }
  await blank.fill("");
  await open_group(page, "Controls");
  await page.getByRole("radio", { name: "heads: fixed", exact: true }).check();
  await page.getByRole("radio", { name: "seed: hidden", exact: true }).check();
  const link = new URLSearchParams(await link_handed_out(page));
  assert.deepEqual(
    link
      .get("hide")
      .split(/,(?![^[]*\])/)
      .sort(),
    ["control.seed", "scores[1,*,0]", "stage.scaled_scores", "weights[2,2,1]"],
  );
  assert.equal(link.get("lock"), "heads");
  assert.equal(await frame_link(page, await link_handed_out(page)), await link_handed_out(page));

  await page.getByRole("button", { name: "Show weights[2,2,1] again" }).click();
  await page.getByRole("checkbox", { name: "Everything is fixed" }).check();
  await page.getByRole("radio", { name: "heads: open", exact: true }).check();
  const changed = new URLSearchParams(await link_handed_out(page));
  assert.doesNotMatch(changed.get("hide"), /weights/);
  assert.ok(!changed.get("lock").split(",").includes("heads"));
  assert.ok(changed.get("lock").split(",").includes("seed"));
  await page.context().close();
});

test("a lesson and its step, the colours, the size, a link that is pasted", async () => {
  const page = await open_author(`${kText}&hide=legend`);
  await page.getByRole("combobox", { name: "Lesson" }).selectOption("causal");
  await page.getByRole("spinbutton", { name: "Step" }).fill("3");
  await page.getByRole("spinbutton", { name: "Step" }).press("Tab");
  assert.match(await link_handed_out(page), /lesson=causal&step=3/);
  assert.match(await link_handed_out(page), /hide=legend/);
  await page.getByRole("combobox", { name: "Lesson" }).selectOption("");
  assert.doesNotMatch(await link_handed_out(page), /lesson/);
  await page.getByRole("combobox", { name: "Colours" }).selectOption("dark");
  await playground(page).locator("[data-theme=dark]").waitFor();
  await page.getByRole("textbox", { name: "Height" }).fill("500 px");
  await page.getByRole("textbox", { name: "Height" }).press("Tab");
  await page.getByRole("textbox", { name: "Width" }).fill("720");
  await page.getByRole("textbox", { name: "Width" }).press("Tab");
  const { width, height } = await page.locator("[data-part=frame]").boundingBox();
  assert.deepEqual([width, height], [720, 500]);
  assert.match(await snippet_of(page), /width="720" height="500"/);
  const pasted = page.getByRole("textbox", { name: "A link you have" });
  await pasted.fill("https://example.org/playground/#text=pasted&heads=4");
  await pasted.press("Enter");
  assert.equal(await link_handed_out(page), "v=1&text=pasted&heads=4");
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the QR code is the library's, can be read, and is refused where no phone could read it", async () => {
  const page = await open_author(kText);
  const address = await handed_out(page);
  const svg = page.locator(".author-qr svg");
  const data = await svg.screenshot();
  const { width, height, data: pixels } = pngjs.PNG.sync.read(data);
  assert.equal(jsqr(new Uint8ClampedArray(pixels), width, height).data, address);

  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the QR code (SVG)" }).click();
  const file = readFileSync(await (await saved).path(), "utf8");
  assert.deepEqual(modules_of(file), encode(address, { ecc: "L", border: 4 }).data);
  assert.match(await svg.locator("title").textContent(), /^QR code of http/);

  const pasted = page.getByRole("textbox", { name: "A link you have" });
  await pasted.fill(`text=${"long+words+".repeat(200)}`);
  await pasted.press("Enter");
  await page.getByText("too long for a QR code").waitFor();
  await page.getByText(/characters; .* of them are “sentence”/).waitFor();
  assert.equal(await page.getByRole("button", { name: "Save the QR code (SVG)" }).isDisabled(), true);
  await page.context().close();
});

/** The modules that an SVG of qr_code.js draws. */
function modules_of(svg) {
  const size = Number(svg.match(/viewBox="0 0 (\d+)/)[1]);
  const modules = Array.from({ length: size }, () => Array(size).fill(false));
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    modules[y].fill(true, Number(x), Number(x) + Number(length));
  return modules;
}

test("the poster is a picture of the state, in its colours", async () => {
  const page = await open_author(`${kText}&theme=dark`);
  const save = page.getByRole("button", { name: "Save the poster (PNG)" });
  await page.locator(".author-poster").waitFor();
  const saved = page.waitForEvent("download");
  await save.click();
  const { width, height, data } = pngjs.PNG.sync.read(readFileSync(await (await saved).path()));
  assert.ok(width > 300 && height > 200);
  assert.ok(data[0] < 64, "dark ground");
  await page.context().close();
});

test("each snippet that is HTML shows the state in a page of its own", async () => {
  const author = await open_author(`${kText}&hide=lessons&heads=4`);
  const tabs = await author.getByRole("tab").allTextContents();
  const snippets = [];
  for (const tab of tabs) {
    await author.getByRole("tab", { name: tab, exact: true }).click();
    snippets.push({ tab, text: await snippet_of(author) });
  }
  await author.context().close();
  assert.equal(new Set(snippets.map(({ text }) => text)).size >= 7, true);
  for (const { tab, text } of snippets) {
    const html = html_of(tab, text);
    if (html === null) continue;
    const page = await browser.open("", {
      path: "course.html",
      wait: false,
      prepare: (page) =>
        page.route("**/course.html", (route) =>
          route.fulfill({ contentType: "text/html", body: `<!doctype html><meta charset="utf-8"><body>${html}` }),
        ),
    });
    await page.waitForFunction(
      () => document.querySelector("iframe") || document.querySelector("attention-playground"),
    );
    const frame = await inner_frame(page);
    await frame.locator("[data-part=sentence]").waitFor();
    await frame.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" });
    assert.equal(await frame.locator("[data-part=sentence]").inputValue(), "free speech for all", tab);
    const { width, height } = await (await frame.frameElement()).boundingBox();
    assert.ok(width > 1000, `${tab}: ${width}`);
    if (tab !== "Element") assert.equal(Math.round(height), 640, tab);
    assert.equal(troubles_of(page), "", tab);
    await page.context().close();
  }
});

/** What the page gets that such a snippet was pasted into; null where that takes the system's own programs. */
function html_of(tab, text) {
  if (tab === "Jupyter Book") return null;
  if (tab === "Quarto") return text.match(/^```\{=html\}\n([^]*)\n```$/)[1];
  if (tab === "reveal.js") return text.replace("data-src", "src"); // what reveal.js does when the slide comes near
  return text.replace("style={{ border: 0 }}", 'style="border: 0"'); // Docusaurus' JSX
}

async function inner_frame(page) {
  return eventually("a frame", () => page.frames().find((one) => one.parentFrame() && one.url().includes("#")));
}

test("copying says so, and the clipboard has it", async () => {
  const page = await open_author(kText, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("tab", { name: "Quarto" }).click();
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page
    .locator("[data-part=announcement]", { hasText: "What to paste into Quarto is copied." })
    .waitFor({ state: "attached" });
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await snippet_of(page));
  await page.getByRole("button", { name: "Copy the link" }).click();
  await page.waitForFunction(async (link) => (await navigator.clipboard.readText()) === link, await handed_out(page));
  await page.context().close();
});

test("where the browser lets nothing be copied, the page says so and not that it did", async () => {
  const refuse = () => {
    Clipboard.prototype.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
    Document.prototype.execCommand = () => false;
  };
  const page = await open_author(kText, { prepare: (page) => page.addInitScript(refuse) });
  for (const name of ["Copy", "Copy the link"]) {
    await page.getByRole("button", { name, exact: true }).click();
    await page
      .locator("[data-part=announcement]", { hasText: "The browser does not let this page copy" })
      .waitFor({ state: "attached" });
    assert.match(await page.locator(".author-copied").textContent(), /^The browser does not let this page copy/);
    await page.evaluate(() => {
      for (const part of document.querySelectorAll("[data-part=announcement], .author-copied")) part.textContent = "";
    });
  }
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the address where it will be hosted is put into everything", async () => {
  const page = await open_author(kText);
  await page.getByText("on your own machine").waitFor();
  const address = page.getByRole("textbox", { name: "The playground is at" });
  await address.fill("course.example.org/tools/playground/index.html");
  await address.press("Tab");
  assert.equal(await handed_out(page), "https://course.example.org/tools/playground/#v=1&text=free+speech+for+all");
  assert.match(await snippet_of(page), /src="https:\/\/course\.example\.org\/tools\/playground\/#v=1&amp;text=/);
  assert.equal(await page.getByText("on your own machine").count(), 0);
  await page.context().close();
});

test("tabs are walked with the arrow keys, and nothing moves on the way", async () => {
  const page = await open_author(kText);
  const panel = page.getByRole("tabpanel").locator("pre");
  await page.getByRole("tab", { name: "HTML" }).focus();
  const { y } = await panel.boundingBox();
  for (let i = 0; i < 8; ++i) {
    await page.keyboard.press("ArrowRight");
    assert.equal((await panel.boundingBox()).y, y);
  }
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Canvas");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "HTML");
  await page.context().close();
});

for (const [name, options] of [
  ["light, wide", { viewport: { width: 1440, height: 900 } }],
  ["dark", { colorScheme: "dark" }],
  ["a phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
]) {
  test(`accessible, and nothing hangs over the edge: ${name}`, async () => {
    const page = await open_author(`${kText}&cell=2,2,1&hide=weights[2,2,1]`, options);
    for (const title of ["Stages", "Numbers to fill in", "Controls"]) await open_group(page, title);
    await page.locator(".author-poster").waitFor();
    // As one expression: the page's security policy lets no script of ours in.
    const { violations } = await page.evaluate(
      `${axe.source}; axe.run({ exclude: ["iframe"] }, { resultTypes: ["violations"], iframes: false })`,
    );
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`),
      [],
    );
    assert.equal(await page.getByRole("group", { name: "What to paste" }).count(), 1);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.context().close();
  });
}

test("Share and the text version lead to the author's page with the state", async () => {
  const page = await browser.open("#heads=4&d_out=8");
  await click_item(page, "share");
  const [author] = await Promise.all([page.context().waitForEvent("page"), click_item(page, "prepare")]);
  assert.match(author.url(), /\/author\.html#.*heads=4/);
  await author.close();
  await page.getByRole("button", { name: "Show as text" }).click();
  const link = page.getByRole("link", { name: "Prepare for a class" });
  assert.match(await link.getAttribute("href"), /^author\.html#.*heads=4/);
  await page.context().close();
});

// --- packages for course systems ---

const package_part = (page) => page.getByRole("region", { name: "As a package for a course system" });
const said_of_package = (page, text) => package_part(page).getByRole("status").getByText(text).waitFor();

/** Presses the button with the keyboard; the course that the saved package's page has, and its files' names. */
async function save_package(page) {
  const saved = page.waitForEvent("download");
  await package_part(page).getByRole("button", { name: "Save the package" }).press("Enter");
  const download = await saved;
  const script =
    "import zipfile, sys, json; z = zipfile.ZipFile(sys.argv[1]); " +
    "print(json.dumps([z.namelist(), z.read('course.html').decode()]))";
  const file = await download.path();
  const [names, html] = JSON.parse(execFileSync("python3", ["-c", script, file], { encoding: "utf8" }));
  const given = html.match(/<meta name="attention-course" content="([^"]*)"/)[1];
  const course = JSON.parse(given.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)));
  return { course, names, name: download.suggestedFilename(), bytes: readFileSync(file) };
}

test("in a package each student can have numbers of their own", async () => {
  const page = await open_author("text=a+b&seed=7&check=weights");
  const tick = package_part(page).getByRole("checkbox", { name: /^Each student gets numbers of their own/ });
  assert.equal((await save_package(page)).course.seeds, undefined);
  await tick.press("Space");
  const { course } = await save_package(page);
  assert.deepEqual(course.seeds, { base: 7, keys: ["seed", "embed_seed"] });
  assert.match(course.link, /seed=7/, "those of somebody without a name");
  // A whole lesson goes on to steps with numbers of their own; a step does not.
  await page.goto(`${page.url().split("#")[0]}#lesson=causal&step=8`);
  await tick.waitFor({ state: "hidden" });
  await package_part(page).getByRole("combobox", { name: "What counts" }).selectOption("step");
  await tick.waitFor();
  assert.deepEqual((await save_package(page)).course.seeds?.keys, ["seed"], "its embeddings are typed");
  assert.equal(page.troubles.join("\n"), "");
  await page.context().close();
});

test("where no seed decides a number a package says so, and the box is to be unticked", async () => {
  const page = await open_author("text=a+b&init=none&embed=typed&d_in=2&x=1,0;0,1&pos=none&check=weights");
  await package_part(page)
    .getByRole("checkbox", { name: /^Each student/ })
    .check();
  await package_part(page).getByRole("button", { name: "Save the package" }).click();
  await said_of_package(page, /No seed decides any number here.* Untick the box\./);
  await page.context().close();
});

test("a package of a lesson or of its step, whose questions are counted", async () => {
  const page = await open_author("lesson=causal&step=1&hide=theme");
  const part = package_part(page);
  const whole = await save_package(page);
  assert.equal(whole.name, "attention-causal-scorm12.zip");
  assert.ok(whole.names.includes("imsmanifest.xml"));
  await said_of_package(page, /2\.\d MB\. 6 questions count for the score\./);
  assert.deepEqual(whole.course.asked, [
    { lesson: "causal", step: 4, count: 1 },
    { lesson: "causal", step: 8, count: 2 },
    { lesson: "causal", step: 9, count: 3 },
  ]);
  assert.equal(whole.course.title, "Causal attention");
  assert.match(whole.course.link, /lesson=causal&step=1.*hide=theme/);
  assert.deepEqual((await save_package(page)).bytes, whole.bytes, "the same bytes again");

  // Here what is left out would take the place of the step's own blanks.
  await page.getByRole("checkbox", { name: "Light or dark" }).check();
  await page.getByRole("spinbutton", { name: "Step" }).fill("8");
  await page.getByRole("spinbutton", { name: "Step" }).press("Tab");
  await page.waitForURL(({ hash }) => /step=8$/.test(hash));
  await part.getByLabel("What counts").selectOption("this step");
  await part.getByLabel("Format").selectOption("xapi");
  await part.getByLabel("Title in the course").fill(`Week 3 </title> & "more"`);
  const step = await save_package(page);
  assert.deepEqual(step.course.asked, [{ lesson: "causal", step: 8, count: 2 }]);
  assert.equal(step.course.title, `Week 3 </title> & "more"`);
  assert.ok(step.names.includes("tincan.xml"));
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("a package of a task, of a state that asks nothing, and of a lesson whose model is opened for it", async () => {
  for (const [link, asked, sentence] of [
    [`${kText}&heads=1&check=weights`, [{ lesson: "", step: 0, count: 10 }], "10 questions count for the score."],
    [`${kText}&view=cache&check=counts`, [{ lesson: "", step: 0, count: 5 }], "5 questions count for the score."],
    [kText, [], "It asks nothing: it counts as completed once it was opened."],
    ["lesson=block", null, "5 questions count for the score."], // two of them are sums of the model's numbers
  ]) {
    const page = await open_author(link);
    const { course } = await save_package(page);
    await said_of_package(page, sentence);
    if (asked !== null) assert.deepEqual(course.asked, asked);
    assert.equal(troubles_of(page), "");
    await page.context().close();
  }
});

test("no package where the model has no room, nor without the site's files: a sentence", async () => {
  const page = await open_author("lesson=own-sentence");
  await package_part(page).getByRole("button", { name: "Save the package" }).click();
  await said_of_package(
    page,
    "A package has no room for the model own-words, which this reads with: hand out the link.",
  );
  await page.getByRole("combobox", { name: "Lesson" }).selectOption("causal");
  await page.route("**/sandbox.js", (route) => route.abort());
  await package_part(page).getByRole("button", { name: "Save the package" }).click();
  await said_of_package(page, "This site did not send sandbox.js, which a package needs.");
  await page.context().close();
});

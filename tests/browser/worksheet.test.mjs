// Worksheets on paper: nothing is cut off or hangs over an edge, on A4 and on Letter, and each student's begins on a page of its own.
// The author's page makes those of a class, and questions for a course system.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { browser_of_file, eventually, troubles_of } from "./browser.mjs";

const kAsks = "text=The+artist+painted+the+portrait+of+a+woman+with+a+brush&check=weights";
const kHostile = ["=1+1", "<img src=x onerror=alert(1)>", "n".repeat(300), "محمد علي", "😀 Émile", '"Lovelace, Ada"'];
const kPapers = { a4: { width: 595.28, height: 841.89 }, letter: { width: 612, height: 792 } }; // points
const kMargin = (14 / 25.4) * 72; // of a page, in points

const browser = browser_of_file({ whole: true });
const folder = mkdtempSync(join(tmpdir(), "attn-worksheets-"));
after(() => rmSync(folder, { recursive: true }));

function attn(...args) {
  const run = spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout;
}

/** Opens a page from disk as it is printed: as wide as the paper between its margins. */
async function on_paper(html, paper) {
  const file = join(folder, "sheet.html");
  writeFileSync(file, html);
  const width = Math.floor(((kPapers[paper].width - 2 * kMargin) / 72) * 96);
  const context = await browser.browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  const troubles = [];
  page.on("console", (message) => troubles.push(message.text()));
  page.on("dialog", (dialog) => troubles.push(dialog.message()));
  await page.emulateMedia({ media: "print" });
  await page.goto(pathToFileURL(file).href);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  const over = await page.evaluate(() =>
    [...document.querySelectorAll("body, section, p, table, td, th, pre, span")]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
      .map((one) => `${one.tagName}.${one.className}: ${one.textContent.slice(0, 40)}`),
  );
  const sections = await page.locator("section").count();
  await context.close();
  const boxes = [...pdf.matchAll(/\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/g)].map(([, w, h]) => [Number(w), Number(h)]);
  const num_pages = pdf.match(/\/Type\s*\/Page\b(?!s)/g).length;
  return { over, troubles, boxes, num_pages, sections };
}

for (const paper of ["a4", "letter"]) {
  test(`sheets of every kind fit on ${paper}`, async () => {
    const links = [
      kAsks,
      `${kAsks.replace("check=weights", "hide=weights[1,9,6]")}`,
      "text=The+cat+sat&check=queries&bias=1",
      "text=The+cat+sat&check=context&dropout=0.5&d_in=16&d_out=16&heads=2",
      `text=${"incomprehensibilities".repeat(3)}+%D9%85%D8%AD%D9%85%D8%AF+注意+b&hide=scores[1,3,*]`,
      "lesson=causal&step=8",
    ];
    for (const link of links) {
      for (const key of ["", "&key=1"]) {
        const sheet = attn("export", "worksheet", link, "--options", `paper=${paper}${key}`);
        const { over, troubles, boxes, num_pages } = await on_paper(sheet, paper);
        assert.deepEqual(over, [], link);
        assert.deepEqual(troubles, [], link);
        assert.ok(num_pages >= 1 && num_pages < 30, `${link}: ${num_pages} pages`);
        for (const [width, height] of boxes) {
          assert.ok(Math.abs(width - kPapers[paper].width) < 2, `${width} wide`);
          assert.ok(Math.abs(height - kPapers[paper].height) < 2, `${height} high`);
        }
      }
    }
  });
}

test("the sheets of a class begin on a page each, and no name is more than a text", async () => {
  const list = join(folder, "names.txt");
  writeFileSync(list, kHostile.join("\n"));
  attn("variants", "text=The+cat+sat&hide=weights[1,2,*]", "--names", list, "--out", join(folder, "class"));
  for (const [name, wanted] of Object.entries({
    "worksheets.html": kHostile.length,
    "key.html": kHostile.length + 1,
  })) {
    const html = readFileSync(join(folder, "class", name), "utf8");
    const { over, troubles, num_pages, sections } = await on_paper(html, "a4");
    assert.deepEqual(
      { over, troubles, num_pages, sections },
      { over: [], troubles: [], num_pages: wanted, sections: wanted },
    );
  }
});

async function open_author(link) {
  const page = await browser.open(link, { path: "author.html", wait: false, acceptDownloads: true });
  await page.locator("[data-part=message]").waitFor({ state: "hidden" });
  return page;
}

const said = (page) => page.locator("[data-part=variants] [role=status]").textContent();

async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return readFileSync(await download.path(), "utf8");
}

test("thirty students have their links and worksheets in less than three seconds, the files of attn variants", async () => {
  const page = await open_author(kAsks);
  const names = Array.from({ length: 30 }, (_, n) => `Student ${n + 1}`);
  await page.getByRole("textbox", { name: /^Names/ }).fill(names.join("\n"));
  const begin = performance.now();
  await page.getByRole("button", { name: "Make one per student" }).click();
  await page.getByText("30 links; each asks for 132 numbers.").waitFor();
  const worksheets = await saved(page, page.getByRole("button", { name: "Save all worksheets" }));
  const seconds = (performance.now() - begin) / 1000;
  console.log(`thirty links and worksheets of 132 numbers each: ${seconds.toFixed(2)} s`);
  assert.ok(seconds < 3, `${seconds} s`);
  assert.equal(await page.locator(".author-variants tbody tr").count(), 30);

  const list = join(folder, "thirty.txt");
  writeFileSync(list, names.join("\n"));
  const of_attn = join(folder, "thirty");
  const address = await page.getByRole("textbox", { name: "The playground is at" }).inputValue();
  const started = performance.now();
  attn("variants", kAsks, "--names", list, "--out", of_attn, "--address", address);
  console.log(`attn variants: ${((performance.now() - started) / 1000).toFixed(2)} s`);
  assert.ok(performance.now() - started < 3000);
  const same = (name, text) => assert.ok(readFileSync(join(of_attn, name), "utf8") === text, `${name} differs`);
  same("worksheets.html", worksheets);
  same("key.html", await saved(page, page.getByRole("button", { name: "Save the key", exact: true })));
  same("key.csv", await saved(page, page.getByRole("button", { name: "Save the key (CSV)" })));
  same("links.csv", await saved(page, page.getByRole("button", { name: "Save the links (CSV)" })));
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("hostile names stay texts in the table and in every file, by keyboard alone", async () => {
  const page = await open_author("text=The+cat+sat&hide=weights[1,2,*]");
  await page.getByRole("textbox", { name: /^Names/ }).focus();
  await page.keyboard.insertText([...kHostile, kHostile[3]].join("\n"));
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("7 links; each asks for 3 numbers.").waitFor();
  const rows = page.locator(".author-variants tbody tr");
  assert.deepEqual(await rows.locator("th").allTextContents(), [...kHostile.slice(0, 5), "Lovelace, Ada", kHostile[3]]);
  const seeds = await rows.locator("td:nth-child(2)").allTextContents();
  assert.equal(new Set(seeds).size, 7);
  assert.match(await page.locator("[data-part=variants] .author-notes").textContent(), /another student of the list/);
  const links = await saved(page, page.getByRole("button", { name: "Save the links (CSV)" }));
  assert.ok(links.includes("\r\n'=1+1,"));
  const key = await saved(page, page.getByRole("button", { name: "Save the key", exact: true }));
  assert.ok(key.includes("&lt;img src=x onerror=alert(1)&gt;") && !key.includes("<img"));
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  const { violations } = await page.evaluate(
    `${axe.source}; axe.run({ exclude: ["iframe"] }, { resultTypes: ["violations"], iframes: false })`,
  );
  assert.deepEqual(violations.map(({ id }) => id), []); // prettier-ignore
  // The link of a row opens the student's numbers.
  const [, second] = await page.locator(".author-variants tbody a").evaluateAll((all) => all.map(({ href }) => href));
  assert.match(second, new RegExp(`&seed=${seeds[1]}&`));
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("what the page cannot make it says, and a table goes with the link it was made of", async () => {
  const page = await open_author("text=The+cat+sat");
  const make = page.getByRole("button", { name: "Make one per student" });
  await make.click();
  await eventually("a sentence", async () => (await said(page)) === "There is no name in the list: write one a line.");
  await page.getByRole("button", { name: "Save a worksheet" }).click();
  assert.match(await said(page), /^Nothing is asked for here/);
  await page.getByRole("textbox", { name: /^Names/ }).fill("Ada\nBob");
  await make.click();
  await page.getByText("2 links; each asks for nothing.").waitFor();
  assert.match(await page.locator("[data-part=variants] .author-notes").textContent(), /the link asks for nothing/);
  assert.equal(await page.getByRole("button", { name: "Save all worksheets" }).isVisible(), false);
  await page.goto(`${browser.url}author.html#text=The+cat+sat&check=weights`);
  await page.getByText("You have changed the playground: make them again.").waitFor();
  assert.equal(await page.locator(".author-variants").isVisible(), false);
  const sheet = await saved(page, page.getByRole("button", { name: "Save a worksheet" }));
  assert.match(sheet, /size: A4/);
  await page.getByLabel("Paper", { exact: true }).selectOption("letter");
  assert.match(await saved(page, page.getByRole("button", { name: "Save its key" })), /size: letter[^]*Worked out/);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the questions of a link and of a class are the files of attn, in each format", async () => {
  const link = "text=The+cat+sat&hide=weights[2,2,*]";
  const page = await open_author(link);
  const list = join(folder, "class.txt");
  writeFileSync(list, kHostile.join("\n"));
  await page.getByRole("textbox", { name: /^Names/ }).fill(kHostile.join("\n"));
  await page.getByRole("button", { name: "Make one per student" }).click();
  await page.getByText("6 links; each asks for 3 numbers.").waitFor();
  for (const [format, name] of Object.entries({
    moodle: "questions.xml",
    gift: "questions.txt",
    qti: "questions.zip",
  })) {
    await page.getByLabel("Questions for a course system").selectOption(format);
    const bytes_of = async (button) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: button }).click(),
      ]);
      assert.equal(download.suggestedFilename(), name);
      return readFileSync(await download.path());
    };
    const own = spawnSync(join(process.env.ATTN_NATIVE, "attn"), ["export", format, link]).stdout;
    assert.ok(own.length > 0 && own.equals(await bytes_of("Save its questions")), `${format} of the link`);
    const out = join(folder, `class-${format}`);
    attn("variants", link, "--names", list, "--questions", format, "--out", out);
    assert.ok(readFileSync(join(out, name)).equals(await bytes_of("Save all questions")), `${format} of the class`);
  }
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

test("the pinned number's whole row is one press away, so that its rest does not give it away", async () => {
  const page = await open_author("text=The+cat+sat&cell=1,2,1");
  await page.locator("summary", { hasText: /^Numbers to fill in$/ }).click();
  await page.getByRole("button", { name: "Blank its row" }).click();
  const link = page.getByRole("textbox", { name: "Link", exact: true });
  await eventually("the row in the link", async () => (await link.inputValue()).includes("hide=weights[1,2,*]"));
  assert.equal(await page.getByRole("button", { name: "Blank its row" }).isDisabled(), true);
  assert.equal(troubles_of(page), "");
  await page.context().close();
});

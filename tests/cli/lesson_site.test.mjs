// attn lessons --site: every lesson has a page that is whole without a script, and whose links open the steps that they name.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { policy_of } from "../../tools/lib/policy.mjs";

const kBase = "https://example.org/a-course/playground";
const kMostBytes = 40_000; // of a page: a tenth of the page that it leads to

const run = (...args) =>
  spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { encoding: "utf8", maxBuffer: 1 << 26 });
function attn(...args) {
  const { status, stdout, stderr } = run(...args);
  assert.deepEqual([status, stderr], [0, ""], args.join(" "));
  return stdout;
}

let folder;
let lessons; // names, as attn lists them
before(() => {
  folder = mkdtempSync(join(tmpdir(), "attn-lesson-site-"));
  lessons = attn("lessons").match(/^\S+/gm);
  assert.equal(attn("lessons", "--site", join(folder, "site")), "");
});
after(() => rmSync(folder, { recursive: true, force: true }));

const page = (name, site = "site") => readFileSync(join(folder, site, "lesson", name), "utf8");

/** What is read of a piece of HTML. */
const text_of = (html) =>
  html
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" })[name])
    .replace(/\s+/g, " ")
    .trim();

/** Whether all of these words stand in the text, one after the other, with others between them. */
function has_in_order(text, words) {
  let at = 0;
  for (const word of words) {
    at = text.indexOf(word, at);
    if (at < 0) return false;
    at += word.length;
  }
  return true;
}

test("there is a page for every lesson, a list of them and a style sheet, and nothing else", () => {
  const names = [...lessons.map((name) => `${name}.html`), "index.html", "lesson.css"].sort();
  assert.deepEqual(readdirSync(join(folder, "site/lesson")).sort(), names);
  const links = [...page("index.html").matchAll(/<li><a href="([^"]+)\.html">/g)].map(([, name]) => name);
  assert.deepEqual(links, lessons);
});

test("a page has the words of every step, with the numbers put in, and none of the answers before their time", () => {
  let num_reasons = 0;
  for (const name of lessons) {
    const [title, ...steps] = attn("lessons", name).split(/\n\n(?=\d+\. )/);
    const html = page(`${name}.html`);
    assert.equal(text_of(/<h1>(.*)<\/h1>/.exec(html)[1]), title.trim());
    const sections = html.split("<section ").slice(1);
    assert.equal(sections.length, steps.length, name);
    const about = text_of(/<\/h1>\s*<p>(.*?)<\/p>/s.exec(html)[1]);
    steps.forEach((step, n) => {
      const [head, words] = step.split("\n");
      const text = text_of(sections[n].replace(/^[^>]*>/, ""));
      const [, step_title] = /^(\d+\. .*?) {3}#/.exec(head);
      assert.ok(text.startsWith(step_title), `${name}: ${head}`);
      const said = n === 0 ? words.trim().replace(about, "") : words.trim();
      const sentences = said.split(/(?<=[.:?]) |To keep: /).filter((word) => word && word !== "To keep:");
      assert.ok(has_in_order(text, sentences), `${name}, step ${n + 1}: ${words}`);
      assert.doesNotMatch(text, /[{}]/, "a number that was not put in");
      const reason = /^ {3}Predict: [^]*^ {5}([^-* \d].*)$/m.exec(step)?.[1];
      if (reason) {
        num_reasons += 1;
        assert.ok(!text.includes(reason), `${name}, step ${n + 1} tells what it asks: ${reason}`);
      }
    });
  }
  assert.ok(num_reasons > 40, `${num_reasons} reasons`);
});

test("every link opens the step that it names, one folder up", () => {
  let count = 0;
  for (const name of lessons) {
    const html = page(`${name}.html`);
    const num_steps = html.split("<section ").length - 1;
    const hrefs = [...html.matchAll(/ href="([^"]*)"/g)].map(([, href]) => href.replaceAll("&amp;", "&"));
    const opened = hrefs
      .filter((href) => href.includes("#"))
      .map((href) => new URL(href, `${kBase}/lesson/${name}.html`));
    assert.equal(opened.length, num_steps + 1, name);
    opened.forEach(({ origin, pathname, hash }, n) => {
      assert.equal(origin + pathname, `${kBase}/`);
      assert.equal(hash, `#lesson=${name}&step=${Math.max(n, 1)}`);
      const { link, notes } = JSON.parse(attn("trace", hash, "--stage", "embeddings"));
      assert.ok(`#${link}`.endsWith(hash.slice(1)) && notes.length === 0, `${hash}: ${link} ${notes}`);
      count += 1;
    });
    assert.deepEqual(hrefs.filter((href) => !href.includes("#")), ["../icon.svg", "lesson.css", "./"], name); // prettier-ignore
  }
  assert.ok(count > 300, `${count} links`);
});

test("the pages are well-formed, small, and run nothing", () => {
  const files = ["index", ...lessons].map((name) => {
    const html = page(`${name}.html`);
    assert.ok(html.startsWith('<!doctype html>\n<html lang="en">\n'), name);
    assert.doesNotMatch(html, /<script|<style| style=| on\w+=|javascript:|https?:/, name);
    assert.match(
      html,
      /<title>[^<]+ · Attention Playground<\/title>\n<meta name="description" content="[^"]{20,300}" \/>/,
    );
    assert.ok(Buffer.byteLength(html) < kMostBytes, `${name}: ${Buffer.byteLength(html)} bytes`);
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
    const file = join(folder, `${name}.xml`);
    writeFileSync(file, html.replace("<!doctype html>\n", ""));
    return file;
  });
  const { status, stderr } = spawnSync("xmllint", ["--noout", ...files], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
});

test("the policy is the one of nginx's sample", () => {
  const sample = readFileSync(new URL("../../hosting/nginx.conf", import.meta.url), "utf8");
  const [, pattern, policy] = sample.match(/~(\/lesson\/\S+)\s+"([^"]*)"/);
  assert.ok(sample.indexOf(pattern) < sample.indexOf("~/index"), "the first one that fits is taken");
  for (const name of ["index", ...lessons]) {
    assert.match(`/playground/lesson/${name}.html`, new RegExp(pattern));
    assert.equal(policy_of(page(`${name}.html`)), policy);
  }
});

test("only with the site's address a page says where it is, with a picture where there is one", () => {
  for (const name of ["index", ...lessons]) assert.doesNotMatch(page(`${name}.html`), /canonical|og:/, name);
  const args = ["lessons", "--site", join(folder, "known"), "--base"];
  attn(...args, kBase);
  writeFileSync(join(folder, "known/lesson/causal.png"), "");
  attn(...args, `${kBase}/`); // over what is there
  const head = (name) => page(name, "known").split("</head>")[0];
  for (const [name, address] of [
    ["index", `${kBase}/lesson/`],
    ...lessons.map((one) => [one, `${kBase}/lesson/${one}.html`]),
  ]) {
    assert.ok(head(`${name}.html`).includes(`<link rel="canonical" href="${address}" />`), name);
    assert.ok(head(`${name}.html`).includes(`<meta property="og:url" content="${address}" />`), name);
    assert.match(
      head(`${name}.html`),
      /<meta property="og:title" content="[^"]+" \/>\n<meta property="og:description" content="[^"]+" \/>/,
    );
    assert.equal(head(`${name}.html`).includes("og:image"), name === "causal", name);
  }
  assert.ok(head("causal.html").includes(`<meta property="og:image" content="${kBase}/lesson/causal.png" />`));
  const body = (html) => html.split("</head>")[1];
  for (const name of lessons) assert.equal(body(page(`${name}.html`, "known")), body(page(`${name}.html`)));
  assert.equal(statSync(join(folder, "known/lesson/causal.png")).size, 0, "the picture stays as it was");
});

test("what is no https address, no folder and no option is refused in a sentence, and nothing is written", () => {
  const bad = [
    ...[
      "http://example.org/",
      "example.org",
      "//example.org/",
      "javascript:alert(1)",
      "https://",
      "https:///a",
      "https://.",
    ],
    ...[
      "https://a b/",
      'https://a/"><script>',
      "https://a/'",
      "https://a/\n",
      "https://a/<b>",
      "https://a/?b",
      "https://a/#b",
    ],
    ...[
      "https://user@a/",
      "https://user:pass@a/",
      "https://a:/",
      "https://a:port/",
      "https://a:1234567/",
      "https://a//b/",
    ],
    ...[
      "https://a/b:c",
      "https://-a/",
      "https://a\\b/",
      "https://ä.example/",
      "ftp://a/",
      "https://a/\u2028",
      `https://a/${"b".repeat(1000)}`,
    ],
  ];
  const site = join(folder, "none");
  for (const base of bad) {
    const { status, stdout, stderr } = run("lessons", "--site", site, "--base", base);
    assert.deepEqual([status, stdout], [2, ""], base);
    assert.match(
      stderr,
      /--base wants the https address of the site, as https:\/\/example\.org\/playground\/, not /,
      base,
    );
  }
  for (const [args, said] of [
    [["--site"], /--site wants a value after it\./],
    [["--site", ""], /--site wants a value after it\./],
    [["--base", kBase], /The folder is missing/],
    [["--site", site, "--base"], /--base wants a value after it\./],
    [["--site", site, "--bass", kBase], /attn lessons has no option/],
    [["--site", join(folder, "site/lesson/causal.html")], /causal\.html/],
  ]) {
    const { status, stderr } = run("lessons", ...args);
    assert.equal(status, 2, args.join(" "));
    assert.match(stderr, said);
  }
  assert.ok(!existsSync(site));
  for (const base of ["https://a", "https://a:8443/b_c/~d/%20/", "https://xn--4ca.example/"])
    attn("lessons", "--site", join(folder, "good"), "--base", base);
});

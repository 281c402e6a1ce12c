// Every kind of file, made of sentences and links that are meant to break it, read by the programs it is made for: nothing in it
// is more than a text. check_hostile.py says what that means for each kind.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import RevealMarkdown from "reveal.js/plugin/markdown";
import { kDressedLinks, kHostileLinks, kHostileSentences } from "./hostile_sentences.mjs";
import { check_formulas, parts_of } from "./markdown.mjs";
import { python, run_python } from "./python.mjs";
import { attn } from "./random_links.mjs";

const kLinks = [...kHostileLinks, ...kDressedLinks];
const kStage = ["--stage", "weights"];
const kViews = JSON.parse(attn("keys", "--format", "json"))
  .find(({ key }) => key === "view")
  .choices.filter((view) => !["model", "lens", "journey", "patch"].includes(view)); // they take a model, which decides what may be written
const kGoal = "&goal=pattern&target=1:0>0&steps=2"; // without one the view learn has no figure
const kKeys = JSON.parse(attn("keys", "--format", "json")).map(({ key }) => key);
const kExtensions = { svg: ".svg", session: ".attention", csv: ".csv", tsv: ".tsv", json: ".json", npy: ".npy" };
Object.assign(kExtensions, {
  npz: ".npz",
  pytorch: ".py",
  numpy: ".py",
  notebook: ".ipynb",
  code: ".py",
  class: ".py",
  solution: ".md",
});

const kOfBlanks = ["worksheet", "moodle", "gift", "qti"]; // what has nothing to hold where nothing is asked

const folder = mkdtempSync(join(tmpdir(), "attn-hostile-"));
after(() => rmSync(folder, { recursive: true }));

/** The exports of a link in a folder of their own, by kind; nothing else is in there. */
function files_of(link, name) {
  const files = {};
  for (const [kind, extension] of Object.entries(kExtensions)) {
    const own = join(folder, `${name}-${kind}`);
    mkdirSync(own);
    attn("export", kind, link, ...kStage, "--out", own);
    const [file, ...others] = readdirSync(own);
    assert.deepEqual(others, []);
    assert.match(file, /^attention(-[a-z0-9_]+)*\.[a-z]+$/, link);
    assert.ok(file.endsWith(extension) && file.length < 64, file);
    files[kind] = join(own, file);
  }
  return files;
}

/** The spreadsheet of a link in a file of that name; nothing where there are too many tokens for one. */
function workbook_of(link, name) {
  const file = join(folder, `${name}.xlsx`);
  const made = spawnSync(join(process.env.ATTN_NATIVE, "attn"), ["export", "xlsx", link, "--out", file], {
    encoding: "utf8",
  });
  if (made.status !== 0) assert.match(made.stderr, /at most 64 tokens|The sentence is empty/, link);
  return made.status === 0 ? file : undefined;
}

/** The link with ordinary words in place of its tokens: the same ones where tokens are the same. */
function ordinary_link(link, trace) {
  const words = new Map();
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const word_of = (token) => {
    if (!words.has(token)) words.set(token, `w${letters[Math.trunc(words.size / 26)]}${letters[words.size % 26]}`);
    return words.get(token);
  };
  const settings = link.split("&").filter((pair) => !/^(text|tokens|compare)=/.test(pair));
  const texts = trace.sentences.map(({ tokens }) => `text=${tokens.map(word_of).join("+")}`);
  return [...texts, ...settings].join("&");
}

// reveal.js brings a reader of Markdown along and makes it ready for a deck: here is one without slides.
const plugin = RevealMarkdown();
await plugin.init({ getConfig: () => ({}), getRevealElement: () => ({ querySelectorAll: () => [] }) });

/** The solution as a page, its formulas left out: they are KaTeX's. */
function html_of(markdown) {
  check_formulas(markdown);
  const shown = {
    text: (text) => text,
    code: (text) => `\`${text}\``,
    inline: () => "formula",
    display: () => "formula",
  };
  return plugin.marked.parse(
    parts_of(markdown)
      .map(({ kind, text }) => shown[kind](text))
      .join(""),
  );
}

test("every kind is tried", () => {
  const listed = attn("export", "--list").match(/^\w+/gm);
  // Questions are read in questions.test.mjs. Tables of an open model: tests/cli/models.test.mjs.
  const kOfModels = ["votes", "lens", "journey", "patch"];
  assert.deepEqual([...Object.keys(kExtensions), "xlsx", ...kOfBlanks, "png", ...kOfModels].sort(), listed.sort());
});

/** What is left of a page when the tags that the program writes are taken away, with attributes of its own: texts. */
function texts_of(html) {
  const [, head, style, body] = /^(<!doctype html>[^]*?)<style>([^<]*)<\/style>([^]*)$/.exec(html);
  assert.doesNotMatch(style, /url|import|@font/);
  assert.match(head, /content="default-src 'none'; style-src 'unsafe-inline'"/);
  const tag =
    /<\/?(?:head|body|html|section|div|span|h1|h2|p|table|caption|thead|tbody|tr|td|th|pre|bdi)(?: (?:class|scope|dir)="[a-z-]+")*>/g;
  return body.replaceAll(tag, "");
}

test("a worksheet and its key hold hostile sentences as texts between tags of ours", () => {
  kLinks.forEach((link, n) => {
    const { sentences, link: legal } = JSON.parse(attn("trace", link, ...kStage));
    const shown = Number(/(?:^|&)sentence=(\d+)/.exec(legal)?.[1] ?? 1);
    const options = n % 2 === 0 ? "" : "key=1&paper=letter";
    const text = texts_of(attn("export", "worksheet", `${link}&hide=weights[1,0,*]&check=`, "--options", options));
    assert.doesNotMatch(text, /[<>]/, link);
    assert.doesNotMatch(text, /&(?!amp;|lt;|gt;|quot;|#39;)/, link);
    const decoded = text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" })[name]); // prettier-ignore
    const [first] = sentences[shown - 1].tokens;
    if (/^[\x21-\x7e]{1,16}$/.test(first)) assert.ok(decoded.includes(first), link);
  });
});

test("what hostile sentences are exported to is read as texts by the programs it is for, and its links reopen the state", () => {
  const cases = kLinks.map((link, n) => {
    const trace = JSON.parse(attn("trace", link));
    const files = files_of(link, String(n));
    const ordinary = ordinary_link(link, trace);
    const workbooks = [workbook_of(link, n) ?? null, workbook_of(ordinary, `${n}-ordinary`) ?? null];
    const figures = [kViews[n % kViews.length], kViews[(n + 5) % kViews.length]].map((view, i) => {
      const file = join(folder, `${n}-${i}.svg`);
      attn(
        "export",
        "svg",
        `${link}&view=${view}${link.includes("compare=") ? "" : "&compare=seed%3D2"}${view === "learn" ? kGoal : ""}`,
        "--out",
        file,
      );
      return file;
    });
    return {
      link,
      trace,
      files,
      workbooks,
      figures,
      keys: kKeys,
      shown: Number(/(?:^|&)sentence=(\d+)/.exec(trace.link)?.[1] ?? 1),
      html: html_of(readFileSync(files.solution, "utf8")),
      explanation: attn("explain", link, "--stage", "embeddings", "--row", "0", "--column", "0", "--format", "csv"),
      ordinary: Object.fromEntries(
        ["numpy", "pytorch", "notebook", "code", "class"].map((kind) => [
          kind,
          attn("export", kind, ordinary, ...kStage),
        ]),
      ),
    };
  });
  const result = JSON.parse(
    run_python(join(import.meta.dirname, "check_hostile.py"), [], { input: JSON.stringify(cases) }),
  );
  assert.deepEqual(result.failures.slice(0, 10), []);
  const with_workbook = cases.filter(({ workbooks }) => workbooks[0] !== null);
  assert.ok(with_workbook.length > cases.length / 2, `${with_workbook.length} spreadsheets`);
  assert.equal(result.files, cases.length * 17 + with_workbook.length);
  console.log(`${result.files} files of ${cases.length} links`);
  cases.forEach(({ trace, files }, n) => {
    assert.equal(result.links[n].length, 5, "the link stands in three scripts, in the notebook and in the solution");
    for (const link of [...result.links[n], JSON.parse(readFileSync(files.json)).link]) {
      const again = JSON.parse(attn("trace", `#${link}`, ...kStage));
      assert.equal(again.link, trace.link);
      assert.deepEqual(again.sentences.map(({ text }) => text), trace.sentences.map(({ text }) => text)); // prettier-ignore
    }
    assert.equal(JSON.parse(attn("trace", "--session", files.session, ...kStage)).link, trace.link);
  });
});

/** The script run in an own folder the ways there are to run one: what each printed. */
function run_every_way(script, name) {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  writeFileSync(join(cwd, "s.py"), script);
  const ways = {
    "by its path": ["s.py"],
    "as a module": ["-m", "s"],
    imported: ["-c", "import s"],
    "by runpy": ["-c", "import runpy; runpy.run_path('s.py')"],
  };
  const printed = Object.entries(ways).map(([way, args]) => {
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1", PYTHONIOENCODING: "utf-8" };
    const { status, stdout, stderr } = spawnSync(python, args, { cwd, encoding: "utf8", env });
    assert.deepEqual({ way, status, stderr }, { way, status: 0, stderr: "" });
    return stdout;
  });
  assert.deepEqual(readdirSync(cwd), ["s.py"], "the script wrote nothing");
  return printed;
}

test("a script prints the same however it is run, and nothing in it runs that somebody typed", () => {
  const links = kHostileLinks.filter((link) => /coding|import/.test(link) && !/compare=.*%25/.test(link));
  assert.ok(links.length > 10);
  links.forEach((link, n) => {
    const [first, ...others] = run_every_way(attn("export", "numpy", link), `run-${n}`);
    assert.match(first, /^(sentence \d+: )?embeddings \(/);
    assert.doesNotMatch(first, /PWNED/);
    for (const printed of others) assert.equal(printed, first);
  });
});

test("the scripts of hostile sentences compute the program's numbers", () => {
  const cases = [...kHostileSentences.map((text) => `text=${encodeURIComponent(text)}`), ...kDressedLinks].map(
    (link) => {
      const trace = JSON.parse(attn("trace", link));
      const shown = Number(/(?:^|&)sentence=(\d+)/.exec(trace.link)?.[1] ?? 1);
      return { link, shown, trace, numpy: attn("export", "numpy", link), pytorch: attn("export", "pytorch", link) };
    },
  );
  const result = JSON.parse(
    run_python(join(import.meta.dirname, "run_scripts.py"), [], { input: JSON.stringify(cases) }),
  );
  assert.deepEqual(result.failures.slice(0, 5), []);
});

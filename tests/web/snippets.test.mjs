// What is pasted into course pages: the same state everywhere, whatever the link and the title say.
import assert from "node:assert/strict";
import { test } from "node:test";
import { transformSync } from "esbuild";
import RevealMarkdown from "reveal.js/plugin/markdown";
import { full_address, snippets } from "../../web/snippets.js";
import { kHostileLinks, kHostileSentences } from "../share/hostile_sentences.mjs";

const kEmbed = {
  address: "https://example.org/playground/",
  link: "v=1&text=a+%22b%22+%3C%26&heads=4&edit=w_query[0,1]=0.5",
  title: 'The "brush" & <friends>',
  width: "100%",
  height: 640,
};
const kWhole = `${kEmbed.address}#${kEmbed.link}`;

const snippet = (name) => snippets.find((one) => one.name === name);
const unescaped = (text) =>
  text
    .replace(/&#(\d+);/g, (_, number) => String.fromCharCode(number))
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
/** The attributes of the one tag of this name, which has at most a link in it. */
function attributes_of(text, name) {
  const tags = [
    ...text.matchAll(
      new RegExp(
        `<${name}((?:\\s+[\\w-]+="[^"]*"|\\s+style=\\{\\{.*?\\}\\})*)\\s*>(?:<a href[^<]*</a>)?</${name}>`,
        "g",
      ),
    ),
  ];
  assert.equal(tags.length, 1, text);
  return Object.fromEntries(
    [...tags[0][1].matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, unescaped(value)]),
  );
}

test("there is a row for each kind of page, with its trap in a sentence", () => {
  assert.deepEqual(
    snippets.map(({ name }) => name),
    ["html", "element", "quarto", "myst", "docusaurus", "mkdocs", "reveal", "moodle", "canvas"],
  );
  for (const { title, trap } of snippets) {
    assert.ok(title.length > 0 && title.length < 20);
    assert.match(trap, /^[A-Zsd].{40,300}\.$/, title);
  }
});

test("every frame shows the whole state under the title, in the size that was chosen", () => {
  for (const name of ["html", "quarto", "docusaurus", "mkdocs", "moodle", "canvas"]) {
    const { src, title, width, height } = attributes_of(snippet(name).write(kEmbed), "iframe");
    assert.deepEqual(
      { src, title, width, height },
      { src: kWhole, title: kEmbed.title, width: "100%", height: "640" },
      name,
    );
  }
});

test("reveal.js loads the frame with its slide", () => {
  const text = snippet("reveal").write(kEmbed);
  const attributes = attributes_of(text, "iframe");
  assert.equal(attributes["data-src"], kWhole);
  assert.equal(attributes.src, undefined);
  assert.match(text, /^<section>[^]*<\/section>$/);
});

test("the element gets the link as it is, and its module from the same place", () => {
  const text = snippet("element").write(kEmbed);
  const { src, link, title } = attributes_of(text, "attention-playground");
  assert.deepEqual({ src, link, title }, { src: kEmbed.address, link: kEmbed.link, title: kEmbed.title });
  assert.equal(attributes_of(text, "script").src, "https://example.org/playground/attention-playground.js");
  const [, href, name] = /<a href="([^"]*)">([^<]*)<\/a>/.exec(text); // where the module cannot be loaded
  assert.deepEqual([unescaped(href), unescaped(name)], [kWhole, kEmbed.title]);
});

test("Quarto leaves the frame outside, in a block of raw HTML", () => {
  const text = snippet("quarto").write(kEmbed);
  assert.match(text, /^```\{=html\}\n<iframe [^\n]*><\/iframe>\n```$/);
  assert.equal(attributes_of(text, "iframe")["data-external"], "1");
});

test("Jupyter Book gets MyST's own directive", () => {
  const lines = snippet("myst")
    .write({ ...kEmbed, title: "a *b*\n[c]", width: "700" })
    .split("\n");
  assert.deepEqual(lines, [
    `:::{iframe} ${kWhole}`,
    ":width: 700px",
    ":placeholder: attention-playground.png",
    "a \\*b\\* \\[c\\]",
    ":::",
  ]);
});

test("Docusaurus gets JSX", () => {
  const text = snippet("docusaurus").write(kEmbed);
  assert.match(text, / style=\{\{ border: 0 \}\}><\/iframe>$/);
  assert.doesNotMatch(text, /style="/);
});

test("where attributes are cleaned away, nothing depends on them", () => {
  for (const name of ["moodle", "canvas"]) {
    assert.deepEqual(Object.keys(attributes_of(snippet(name).write(kEmbed), "iframe")), [
      "src",
      "title",
      "width",
      "height",
      "frameborder",
    ]);
  }
});

test("frames in one's own pages are sandboxed and may not reach their origin", () => {
  for (const name of ["html", "reveal"]) {
    const { sandbox } = attributes_of(snippet(name).write(kEmbed), "iframe");
    assert.match(sandbox, /\ballow-scripts\b/);
    assert.doesNotMatch(sandbox, /same-origin/);
  }
});

test("the usual state needs no hash", () => {
  assert.equal(full_address(kEmbed.address, ""), kEmbed.address);
  assert.equal(attributes_of(snippet("html").write({ ...kEmbed, link: "" }), "iframe").src, kEmbed.address);
});

const in_one_line = (text) => text.replace(/\s+/g, " ");
/** What the playground reads of a link. */
const state_of = (link) => [...new URLSearchParams(link)];
const link_of = (address) => address.slice(address.indexOf("#") + 1);
const hostile = [
  ...kHostileLinks.map((link) => ({ ...kEmbed, link })),
  ...kHostileSentences.map((title) => ({ ...kEmbed, title })),
];

test("nothing that is typed or linked is read as more than a text", () => {
  for (const embed of hostile) {
    for (const name of ["html", "quarto", "mkdocs", "moodle", "canvas", "reveal"]) {
      const text = snippet(name).write(embed);
      const attributes = attributes_of(text, "iframe");
      assert.deepEqual(state_of(link_of(attributes.src ?? attributes["data-src"])), state_of(embed.link));
      assert.equal(attributes.title, in_one_line(embed.title));
      const tag = /<iframe.*<\/iframe>/.exec(text)[0];
      assert.doesNotMatch(tag, /[{}$`\\]/, `${name}: what templates, formulas or code begin with`);
      assert.equal(tag.match(/[<>]/g).length, 4, name);
      assert.equal(text.split("\n").length, { quarto: 3, reveal: 3 }[name] ?? 1, name);
    }
    const element = snippet("element").write(embed);
    const { link, title } = attributes_of(element, "attention-playground");
    assert.deepEqual(state_of(link), state_of(embed.link));
    assert.equal(title, in_one_line(embed.title));
    const [, href, name] = /<a href="([^"]*)">([^<]*)<\/a>/.exec(element);
    assert.deepEqual(state_of(link_of(unescaped(href))), state_of(embed.link));
    assert.equal(unescaped(name), in_one_line(embed.title));
    assert.equal(element.match(/[<>]/g).length, 12);
    assert.doesNotMatch(element, /[{}$`\\]/);
  }
});

test("Docusaurus reads the same out of its JSX", () => {
  for (const embed of hostile) {
    const { code } = transformSync(snippet("docusaurus").write(embed), { loader: "jsx", jsxFactory: "read" });
    const props = new Function("read", `return ${code}`)((name, props, ...children) => {
      assert.deepEqual([name, children], ["iframe", []]);
      return props;
    });
    assert.deepEqual(state_of(link_of(props.src)), state_of(embed.link));
    assert.equal(props.title, in_one_line(embed.title));
    assert.deepEqual(Object.keys(props), ["src", "title", "width", "height", "loading", "style"]);
  }
});

test("Jupyter Book reads a title as a line of text", async () => {
  const plugin = RevealMarkdown(); // which brings a reader of Markdown along
  await plugin.init({ getConfig: () => ({}), getRevealElement: () => ({ querySelectorAll: () => [] }) });
  const titles = [
    ...kHostileSentences,
    "- a",
    "+ a",
    "1. a",
    "12) a",
    "---",
    "===",
    "% a",
    "(a)=",
    "# a",
    "> a",
    "&copy; & a",
  ];
  for (const title of titles) {
    const lines = snippet("myst")
      .write({ ...kEmbed, title })
      .split("\n");
    assert.equal(lines.length, 5, title);
    const shown = in_one_line(title.trim());
    const html = shown.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
    const read = plugin.marked.parse(lines[3], { gfm: false }); // GitHub's additions are not MyST's
    assert.equal(read.replace(/&quot;/g, '"').replace(/&#39;/g, "'"), `<p>${html}</p>\n`);
    assert.doesNotMatch(lines[3], /^[-+=%(]|(?<!\\)[@:${}`]/);
  }
  for (const { link } of hostile) {
    const [first] = snippet("myst")
      .write({ ...kEmbed, link })
      .split("\n");
    assert.match(first, /^:::\{iframe\} [^\s{}$`\\]+$/);
    assert.deepEqual(state_of(link_of(first)), state_of(link));
  }
});

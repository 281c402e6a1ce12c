// What is pasted into course pages: the same state everywhere, whatever the link and the title say.
import assert from "node:assert/strict";
import { test } from "node:test";
import { full_address, snippets } from "../../web/snippets.js";

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
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
/** The attributes of the one tag of this name. */
function attributes_of(text, name) {
  const tags = [
    ...text.matchAll(new RegExp(`<${name}((?:\\s+[\\w-]+="[^"]*"|\\s+style=\\{\\{.*?\\}\\})*)\\s*></${name}>`, "g")),
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

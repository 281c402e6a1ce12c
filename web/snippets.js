// How to put a playground into a page. Each kind of page has a row: what to paste, and what can go wrong in that kind of page.
// Text in, text out: knows no document and no engine.
/** @import { Embed, Snippet } from "./types" */

/** @type {Snippet[]} */
export const snippets = [
  {
    name: "html",
    title: "HTML",
    trap: "sandbox lets the playground run but keeps it away from your page; remove allow-downloads and allow-popups if readers should not save files or open tabs.",
    write: (embed) => iframe(embed, { sandbox: kSandbox, loading: "lazy", style: "border:0" }),
  },
  {
    name: "element",
    title: "Element",
    trap: "If your page has a content security policy, it must allow the playground's address in script-src and in frame-src, and the playground's host must let other sites load the module (docs/hosting.md).",
    write: (embed) =>
      `<script type="module" src="${escaped(embed.address)}attention-playground.js"></script>\n` +
      tag(
        "attention-playground",
        {
          src: embed.address,
          link: pasted_link(embed.link),
          title: embed.title,
          width: embed.width,
          height: String(embed.height),
        },
        // Readers see this link if the module cannot be loaded.
        tag("a", { href: full_address(embed.address, pasted_link(embed.link)) }, escaped(embed.title)),
      ),
  },
  {
    name: "quarto",
    title: "Quarto",
    trap: "With embed-resources: true, Quarto would try to copy the playground into the document; data-external prevents that, so readers need a network.",
    write: (embed) =>
      `\`\`\`{=html}\n${iframe(embed, { loading: "lazy", style: "border:0", "data-external": "1" })}\n\`\`\``,
  },
  {
    name: "myst",
    title: "Jupyter Book",
    trap: "MyST takes a width but no height (the theme decides the frame's shape), and a printed book shows the placeholder: put the poster beside the page.",
    write: ({ address, link, title, width }) =>
      [
        `:::{iframe} ${full_address(address, pasted_link(link))}`,
        `:width: ${css_width(width)}`,
        `:placeholder: ${kPoster}`,
        markdown_text(title),
        ":::",
      ].join("\n"),
  },
  {
    name: "docusaurus",
    title: "Docusaurus",
    trap: "MDX reads this as JSX, so a style is an object; a <script> in a page does not run when readers follow a link inside the site, so use this frame, not the element.",
    write: (embed) => iframe(embed, { loading: "lazy" }).replace("></iframe>", " style={{ border: 0 }}></iframe>"),
  },
  {
    name: "mkdocs",
    title: "MkDocs",
    trap: "Leave an empty line before and after it and do not indent it, or Markdown takes it for text; with instant navigation, scripts in a page do not run again, but a frame still works.",
    write: (embed) => iframe(embed, { loading: "lazy", style: "border:0" }),
  },
  {
    name: "reveal",
    title: "reveal.js",
    trap: "data-src instead of src: the playground loads when its slide comes near, not with the deck; reveal.js empties the frame when the slide is far away, and changes made in it are lost.",
    write: (embed) => {
      const frame = iframe(embed, { sandbox: kSandbox, style: "border:0" }).replace(" src=", " data-src=");
      return `<section>\n  ${frame}\n</section>`;
    },
  },
  {
    name: "moodle",
    title: "Moodle",
    trap: "Paste it into the source view (</>) of a page or label: Moodle removes sandbox and style, and removes the whole frame from texts that students write; where frames are forbidden, upload attention-playground.html as a File instead.",
    write: (embed) => iframe(embed, { frameborder: "0" }),
  },
  {
    name: "canvas",
    title: "Canvas",
    trap: "Paste it into the editor's HTML view: Canvas keeps src, width, height and title of a frame, removes scripts and unknown attributes when the page is saved, and shows https addresses only.",
    write: (embed) => iframe(embed, { frameborder: "0" }),
  },
];

const kSandbox = "allow-scripts allow-downloads allow-popups";
const kPoster = "attention-playground.png";

/**
 * The address of a state.
 * @param {string} address where the playground is hosted, ending in "/"
 * @param {string} link
 */
export function full_address(address, link) {
  return link === "" ? address : `${address}#${link}`;
}

/** @param {Embed} embed @param {Record<string, string>} more attributes */
function iframe({ address, link, title, width, height }, more) {
  const src = full_address(address, pasted_link(link));
  return tag("iframe", { src, title, width, height: String(height), ...more });
}

/**
 * The link with more characters encoded: page generators fill in braces and read $$ as a formula, even inside attributes.
 * @param {string} link
 */
function pasted_link(link) {
  return link.replace(/[\s"<>`{}$\\|^]/g, encodeURIComponent);
}

/** @param {string} name @param {Record<string, string>} attributes @param {string} [content] HTML */
function tag(name, attributes, content = "") {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return `<${name}${written.join("")}>${content}</${name}>`;
}

/** The text on one line, as an attribute in HTML and in JSX. @param {string} text */
function escaped(text) {
  return text
    .replace(/&/g, "&amp;")
    .replace(/"/g, "&quot;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/[`{}$\\]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/\s+/g, " ");
}

/** The text on one line, with Markdown's special characters escaped. @param {string} text */
function markdown_text(text) {
  return text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[\\`*_{}[\]<>$#:|~^@]|&(?=#?\w+;)/g, "\\$&")
    .replace(/^[-+=%(]|^(\d+)(?=[.)])/, (start, digits) => (digits ? `${digits}\\` : `\\${start}`));
}

/** @param {string} width of a frame: "100%" or pixels */
function css_width(width) {
  return width.endsWith("%") ? width : `${width}px`;
}

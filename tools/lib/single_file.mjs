// The page as one file: script, style and icon inside it, and a policy that allows exactly these and not a single request.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { hash_source, with_policy } from "./policy.mjs";

/** Returns the HTML made of an assembled page's index.html, styles.css, icon.svg, sandbox.js and the scripts of models and spreadsheets. */
export function single_file(page) {
  const read = (name) => readFileSync(join(page, name), "utf8");
  const models = existsSync(join(page, "models")) ? readdirSync(join(page, "models")) : [];
  const with_script = models.map((name) => `models/${name}/model.js`);
  const before = [...with_script, "workbook_module.js"].filter((name) => existsSync(join(page, name)));
  const scripts = [...before, "sandbox.js"].map((name) => inside_script(read(name).trim()));
  const style = read("styles.css");
  if (/<\/style/i.test(style)) throw new Error("styles.css says </style and cannot stand inside a page");
  const icon = `data:image/svg+xml;base64,${Buffer.from(read("icon.svg")).toString("base64")}`;

  let html = read("index.html");
  const swap = (from, to) => {
    if (html.split(from).length !== 2) throw new Error(`index.html should say ${from} once`);
    html = html.replace(from, () => to);
  };
  swap('<link rel="stylesheet" href="styles.css" />', `<style>${style}</style>`);
  swap('href="icon.svg"', `href="${icon}"`);
  swap('    <script src="boot.js" defer></script>\n', "");
  swap('    <meta name="attention-fetch" content="fetch.html" />\n', ""); // no page is beside it
  swap("  </body>", `${scripts.map((script) => `    <script>${script}</script>\n`).join("")}  </body>`);
  return with_policy(html, {
    "script-src": [...scripts.map(hash_source), "'wasm-unsafe-eval'"],
    "style-src": [hash_source(style)],
    "img-src": ["data:", "blob:"],
    "connect-src": [],
    "worker-src": [],
    "manifest-src": [],
  });
}

/** A program that means the same and ends no <script> element before its end. */
export function inside_script(script) {
  const safe = script.replace(/<\/(?=script)/gi, "<\\/").replace(/<!--/g, "\\x3c!--");
  if (/<\/script|<!--/i.test(safe)) throw new Error("sandbox.js cannot stand inside a page");
  return safe;
}

// What SECURITY.md promises of the page's text itself: its policies, and what no module of it does.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { policy_of } from "../../tools/lib/policy.mjs";

const project = fileURLToPath(new URL("../..", import.meta.url));
const read = (name) => readFileSync(join(project, name), "utf8");
const modules = readdirSync(join(project, "web"), { recursive: true }).filter((name) => /\.m?js$/.test(name));

test("each page's policy allows its own site and nothing else", () => {
  for (const page of [
    "web/index.html",
    "web/author.html",
    "web/collect.html",
    "web/course/course.html",
    "hosting/404.html",
  ]) {
    const directives = new Map(
      policy_of(read(page))
        .split(";")
        .map((directive) => directive.trim().split(/\s+/))
        .map(([name, ...sources]) => [name, sources]),
    );
    for (const name of ["default-src", "base-uri", "form-action"])
      assert.deepEqual(directives.get(name), ["'none'"], page);
    for (const [name, sources] of directives) {
      for (const source of sources)
        assert.match(source, /^('none'|'self'|'wasm-unsafe-eval'|'sha256-[\w+/=]+'|blob:)$/, `${page}: ${name}`);
    }
    assert.ok(!directives.get("script-src")?.includes("blob:"), page);
  }
});

test("the page that fetches models may contact other hosts, and differs in nothing else", () => {
  const allowed = "connect-src https: http://localhost:* http://127.0.0.1:*; ";
  const policy = policy_of(read("web/fetch.html"));
  assert.ok(policy.includes(allowed));
  const of_author = policy_of(read("web/author.html")).replace(" 'wasm-unsafe-eval'", "").replace(" blob:", "");
  assert.equal(policy.replace(allowed, ""), of_author.replace("connect-src 'self'; ", ""));
  // What a page of the site loads otherwise contacts nobody else.
  for (const name of modules.filter((name) => !/^(model_host|fetch|sw)\.js$/.test(name)))
    assert.doesNotMatch(read(join("web", name)), /model_host\.js"/, name);
});

test("the page that collects answers can ask for nothing once it is there", () => {
  const policy = policy_of(read("web/collect.html"));
  assert.match(policy, /^default-src 'none'; /);
  assert.doesNotMatch(policy, /connect-src|frame-src|wasm|blob:/);
  assert.doesNotMatch(read("web/collect.js"), /fetch\(|XMLHttpRequest|localStorage|sessionStorage|indexedDB/);
});

/** The list on fetch.html names models; it contacts nobody. */
const is_listed = (module, address) => module === "known_models.js" && address === "https://huggingface.co";
// XML namespaces and words of standards, by which course systems know what a package holds, are names and no addresses. A package's
// policy names the visitor's own machine.
const kNames = {
  "course_package.js": /^http:\/\/(localhost|127\.0\.0\.1)$/,
  "course_manifest.js": /^http:\/\/(www\.(imsproject\.org|imsglobal\.org|adlnet\.org)|projecttincan\.com|adlnet\.gov)$/,
  "course/xapi.js": /^http:\/\/adlnet\.gov$/,
};

test("no module sets a cookie, turns text into code or markup, or knows another site's address", () => {
  assert.ok(modules.length > 40);
  for (const name of modules) {
    const text = read(join("web", name)).replace(/\/\*[^]*?\*\/|(?<!:)\/\/.*/g, "");
    const found = text.match(
      /document\.cookie|\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write|sendBeacon|WebSocket|EventSource/,
    );
    assert.equal(found?.[0], undefined, name);
    // Names of formats are no addresses that anybody asks for; example.org is nobody's.
    const addresses = [...text.matchAll(/https?:\/\/[\w.-]+/g)].map(([address]) => address);
    assert.deepEqual(
      addresses.filter(
        (one) =>
          !/^https?:\/\/(www\.w3\.org|.*example(\.org)?)$/.test(one) &&
          !is_listed(name, one) &&
          !kNames[name]?.test(one),
      ),
      [],
      name,
    );
  }
});

test("the README leads to SECURITY.md, and that to files that are there", () => {
  assert.match(read("README.md"), /\(SECURITY\.md\)/);
  const text = read("SECURITY.md");
  for (const [, file] of text.matchAll(/\]\(([^)]+)\)|\b(?=(docs\/\w+\.md))/g))
    if (file) assert.ok(existsSync(join(project, file)), file);
  assert.doesNotMatch(text, /[\w.]+@[\w.]+/, "no address that nobody reads");
  assert.ok(text.split(/\s+/).length < 1000, "two pages");
});

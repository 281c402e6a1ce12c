// What the tests of packages for course systems share: a package in a folder of a local server, pages of course systems around it, and a
// record store. The run-times are npm's scorm-again; the archive is unpacked by Python.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "../../tools/serve.mjs";
import { course_of, make_package } from "../../web/course_package.js";
import { kPatience } from "../patience.mjs";
import { dist_file } from "./browser.mjs";
import { find_chromium } from "./chromium.mjs";

const require = createRequire(import.meta.url);

export const kRuntimes = {
  scorm12: { script: "scorm12.min.js", make: "API = new Scorm12API", name: "API" },
  scorm2004: { script: "scorm2004.min.js", make: "API_1484_11 = new Scorm2004API", name: "API_1484_11" },
};

/** A step that asks for two weights, 0.4833 and 0.5167, and one that asks for a prediction. */
export const kTask = {
  title: `Causal </title><script>alert("1")</script> &amp; 'attention' {"a": 1}`,
  link: "lesson=causal&step=8",
  asked: [{ lesson: "causal", step: 8, count: 2 }],
};

/** Reads the files of a site. */
export const read_of = (site) => async (name) => new Uint8Array(readFileSync(join(site, name)));

/** A local server with a package of each kind below "scorm12/", "scorm2004/", "xapi/", and a browser. */
export async function start_course(task = kTask) {
  // One of them from a built site, whose files have other names.
  const site = (kind) => (kind === "scorm2004" ? dist_file("site") : process.env.ATTN_PAGE);
  const folder = mkdtempSync(join(tmpdir(), "attn-course-"));
  for (const kind of ["scorm12", "scorm2004", "xapi"]) {
    const course = course_of(kind, task.title, task.link, task.asked, task.seeds);
    writeFileSync(join(folder, `${kind}.zip`), await make_package(course, read_of(site(kind))));
    execFileSync("python3", ["-m", "zipfile", "-e", join(folder, `${kind}.zip`), join(folder, kind)]);
    const runtime = kRuntimes[kind];
    if (runtime)
      copyFileSync(
        require.resolve(`scorm-again/${runtime.script.replace(/\.min\.js$/, "/min")}`),
        join(folder, runtime.script),
      );
  }
  const server = await serve(folder);
  const browser = await find_chromium({});
  return {
    folder,
    url: server.url,
    /** Writes a page of a course system and opens it. Options are Playwright's. */
    async open(html, { path = "lms.html", search = "", ...options } = {}) {
      if (html !== null) writeFileSync(join(folder, path), `<!doctype html><meta charset="utf-8"><body>${html}`);
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      context.setDefaultTimeout(kPatience);
      const opened = await context.newPage();
      opened.troubles = [];
      opened.on("console", (message) => opened.troubles.push(`console: ${message.text()} ${message.location().url}`));
      opened.on("pageerror", (error) => opened.troubles.push(`error: ${error.message}`));
      await opened.goto(`${server.url}${path}${search}`);
      return opened;
    },
    async close() {
      await browser.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const kFrame = (kind) => `<iframe src="${kind}/course.html" style="width:100%;height:760px;border:0"></iframe>`;

/** A course system with scorm-again's run-time, which begins with what it had before. */
export function course_system(kind, before = null) {
  const { script, make, name } = kRuntimes[kind];
  return `<script src="${script}"></script><script>
    ${make}({ autocommit: false, logLevel: 5 });
    globalThis.committed = 0;
    ${name}.on(${name === "API" ? '"LMSCommit"' : '"Commit"'}, () => ++globalThis.committed);
    ${before === null ? "" : `${name}.loadFromJSON(${JSON.stringify(before).replaceAll("<", "\\u003c")});`}
  </script>${kFrame(kind)}`;
}

/** A course system whose API is this script. */
export const own_system = (kind, script) => `<script>${script}</script>${kFrame(kind)}`;

/** What the run-time has: its elements. */
export const elements_of = (page, kind) =>
  page.evaluate((name) => JSON.parse(JSON.stringify(globalThis[name].cmi)), kRuntimes[kind].name);

/** The outer page and the playground inside it, in a frame of the page or as the page itself. */
export function parts_of(page, is_framed = true) {
  const outer = is_framed ? page.frameLocator("iframe") : page;
  const inside = outer.frameLocator("attention-playground iframe");
  return {
    outer,
    inside,
    said: outer.locator("[data-part=said]"),
    progress: outer.locator("[data-part=progress]"),
    ready: () => inside.locator("[data-part=skeleton][hidden]").waitFor({ state: "attached" }),
    /** Goes over to the text version. */
    show_text: () => inside.getByRole("button", { name: "Show as text" }).click(),
    async answer(text) {
      await inside.getByRole("textbox", { name: /^Your answer: / }).fill(text);
      await inside.getByRole("button", { name: "Check the answer" }).click();
    },
    says: (text) => outer.locator("[data-part=said]", { hasText: text }).waitFor(),
    has_progress: (text) => outer.locator("[data-part=progress]", { hasText: text }).waitFor(),
  };
}

/**
 * A record store on this machine: keeps statements and documents, and holds each request against the specification's own rules.
 * `status` of the next answers may be set to another than 200.
 */
export async function start_store() {
  const store = {
    statements: [],
    documents: new Map(),
    wrong: [],
    requests: 0,
    status: 0,
    has_auth: "Basic c2VjcmV0",
    is_silent: false,
  };
  const server = createServer(async (request, response) => {
    const headers = {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Headers": "authorization, content-type, x-experience-api-version",
      "Access-Control-Allow-Methods": "GET, PUT, POST",
    };
    if (request.method === "OPTIONS") return response.writeHead(204, headers).end();
    store.requests += 1;
    let body = "";
    for await (const part of request) body += part;
    if (store.is_silent) return;
    const end = (status, text = "") => response.writeHead(status, headers).end(text);
    if (request.headers["x-experience-api-version"] !== "1.0.3") store.wrong.push("version");
    if (store.status) return end(store.status);
    if (request.headers.authorization !== store.has_auth) return end(401);
    const { pathname, searchParams } = new URL(request.url, "http://store");
    if (pathname === "/xapi/activities/state") {
      for (const name of ["activityId", "agent", "stateId"]) if (!searchParams.get(name)) store.wrong.push(name);
      const key = String(searchParams);
      if (request.method === "PUT") store.documents.set(key, body);
      else if (!store.documents.has(key)) return end(404);
      return request.method === "PUT" ? end(204) : end(200, store.documents.get(key));
    }
    if (pathname !== "/xapi/statements" || request.method !== "POST") return end(404);
    for (const statement of JSON.parse(body)) {
      const known = store.statements.find(({ id }) => id === statement.id);
      if (!/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(statement.id))
        store.wrong.push("id");
      for (const name of ["actor", "verb", "object"]) if (!statement[name]) store.wrong.push(name);
      if (!known) store.statements.push(statement);
    }
    end(200, "[]");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return Object.assign(store, {
    host: `127.0.0.1:${port}`,
    endpoint: `http://127.0.0.1:${port}/xapi/`,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  });
}

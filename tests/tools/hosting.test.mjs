// The samples in hosting/ and the commands of docs/hosting.md: they name what there is, and nginx itself takes its sample.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import YAML from "yaml";
import { make_site } from "../../tools/lib/site.mjs";
import { policy_of } from "../../tools/lib/policy.mjs";
import { eventually } from "../patience.mjs";

const project = new URL("../../", import.meta.url).pathname;
const read = (name) => readFileSync(join(project, name), "utf8");
const sample = read("hosting/nginx.conf");

/** A site of the real pages and a program of one line. Returns its folder. */
async function small_site(t) {
  const folder = mkdtempSync(join(tmpdir(), "attn-hosting-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const page = join(folder, "page");
  mkdirSync(page);
  const names = [
    "index.html",
    "author.html",
    "styles.css",
    "author.css",
    "collect.html",
    "collect.css",
    "fetch.html",
    "fetch.css",
    "icon.svg",
    "boot.js",
    "offline.js",
    "sw.js",
    "manifest.webmanifest",
  ];
  for (const name of [...names, "attention-playground.js"]) cpSync(join(project, "web", name), join(page, name));
  for (const name of ["main.js", "author.js", "collect.js", "fetch.js"])
    writeFileSync(join(page, name), 'import "./load_engine.js";\nexport {};\n');
  for (const name of ["plain.js", "incoming.js", "figure.js", "framed.js", "sheet.js", "workbook.js"])
    writeFileSync(join(page, name), "export {};\n");
  const parts = ["first", "second", "rest"].map((part) => `attention_playground_${part}.wasm`);
  for (const name of parts) writeFileSync(join(page, name), Buffer.alloc(4000));
  const addresses = parts.map((name) => `new URL("${name}", import.meta.url).href`);
  writeFileSync(join(page, "load_engine.js"), `globalThis.parts = [${addresses.join(", ")}];\n`);
  writeFileSync(join(page, "engine.mjs"), `export const text = "${"engine ".repeat(200)}";\n`);
  const site = join(folder, "site");
  await make_site({ page, hosting: join(project, "hosting"), out: site });
  return { folder, site };
}

test("the policies in nginx's sample are those of the pages", async (t) => {
  const { site } = await small_site(t);
  for (const name of ["index", "author", "collect", "fetch", "404"]) {
    const [, policy] = sample.match(new RegExp(`~/${name}\\\\.html\\$\\s+"([^"]*)"`));
    assert.equal(policy, policy_of(readFileSync(join(site, `${name}.html`), "utf8")), `${name}.html`);
  }
});

// Where tools/lib/nginx.sh looks, too.
const starts = (program) => program && spawnSync(program, ["-v"]).status === 0;
const nginx = [process.env.NGINX, "nginx", "/usr/sbin/nginx", join(project, ".toolchain/nginx/usr/sbin/nginx")].find(
  starts,
);
const modules =
  process.env.NGINX_MODULES ?? join(nginx?.includes("/") ? dirname(dirname(nginx)) : "/usr", "lib/nginx/modules");
const brotli = join(modules, "ngx_http_brotli_static_module.so");

/** Starts nginx with the sample, without the right to change anything on this machine. Returns the site's address. */
async function start_nginx(t, folder, site) {
  const port = await free_port();
  const has_brotli = existsSync(brotli);
  let server = sample
    .replace("listen 80;", `listen 127.0.0.1:${port};`)
    .replace(/ +listen \[::\]:80;\n/, "")
    .replace("/var/www/attention-playground/", `${site}/`);
  if (!has_brotli) server = server.replace("brotli_static on;", ""); // as the sample says
  const place = (name) => join(folder, name);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${place(kind)};`);
  const config = `${has_brotli ? `load_module ${brotli};` : ""}
    daemon off; master_process off; pid ${place("nginx.pid")}; error_log ${place("error.log")};
    events {} http { access_log off; ${paths.join(" ")}\n${server}\n}`;
  writeFileSync(place("nginx.conf"), config);
  const args = ["-p", folder, "-e", place("error.log"), "-c", place("nginx.conf")];
  const checked = spawnSync(nginx, ["-t", ...args], { encoding: "utf8" });
  assert.equal(checked.status, 0, checked.stderr);
  const child = spawn(nginx, args, { stdio: "ignore" });
  t.after(() => child.kill());
  const url = `http://127.0.0.1:${port}/playground/`;
  await eventually("an answer of nginx", () => ask(url).catch(() => null)).catch((error) => {
    throw new Error(`${error.message}: ${readFileSync(place("error.log"), "utf8")}`);
  });
  return { url, has_brotli };
}

const free_port = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

function ask(url, encoding = "identity") {
  return new Promise((resolve, reject) => {
    get(url, { headers: { "accept-encoding": encoding } }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
      );
    }).on("error", reject);
  });
}

test("nginx serves the site below its folder as the sample says", async (t) => {
  assert.ok(nginx, "there is no nginx: run tools/setup hosting");
  const { folder, site } = await small_site(t);
  const { url, has_brotli } = await start_nginx(t, folder, site);
  const hashed = (stem) => readdirSync(site).find((name) => new RegExp(`^${stem}-[0-9A-Z]{8}\\.[a-z]+$`).test(name));
  const types = {
    "": "text/html; charset=utf-8",
    "author.html": "text/html; charset=utf-8",
    "collect.html": "text/html; charset=utf-8",
    "fetch.html": "text/html; charset=utf-8",
    "engine.mjs": "text/javascript; charset=utf-8",
    [hashed("attention_playground_first")]: "application/wasm",
    [hashed("main")]: "text/javascript; charset=utf-8",
    [hashed("styles")]: "text/css; charset=utf-8",
    "manifest.webmanifest": "application/manifest+json",
    "icon.svg": "image/svg+xml",
    "icon-192.png": "image/png",
  };
  for (const [name, type] of Object.entries(types)) {
    const { status, headers, body } = await ask(url + name);
    assert.deepEqual([status, headers["content-type"]], [200, type], name);
    assert.deepEqual(body, readFileSync(join(site, name || "index.html")), name);
    const is_for_ever = /-[0-9A-Z]{8}\./.test(name);
    assert.equal(headers["cache-control"], is_for_ever ? "public, max-age=31536000, immutable" : "no-cache", name);
    assert.equal(headers["x-content-type-options"], "nosniff");
  }
  for (const name of ["index.html", "author.html", "collect.html", "fetch.html"]) {
    const html = readFileSync(join(site, name), "utf8");
    assert.equal((await ask(url + name)).headers["content-security-policy"], policy_of(html));
  }
  assert.equal((await ask(`${url}engine.mjs`)).headers["content-security-policy"], undefined);
  assert.equal((await ask(`${url}attention-playground.js`)).headers["access-control-allow-origin"], "*");
  assert.equal((await ask(`${url}engine.mjs`)).headers["access-control-allow-origin"], undefined);

  const packed = { gzip: gunzipSync, ...(has_brotli && { br: brotliDecompressSync }) };
  for (const [encoding, unpack] of Object.entries(packed)) {
    const { headers, body } = await ask(`${url}engine.mjs`, encoding);
    assert.equal(headers["content-encoding"], encoding);
    assert.deepEqual(unpack(body), readFileSync(join(site, "engine.mjs")));
  }
  const missing = await ask(`${url}deep/below/nothing.html`);
  assert.equal(missing.status, 404);
  assert.deepEqual(missing.body, readFileSync(join(site, "404.html")));
  assert.equal(missing.headers["content-security-policy"], policy_of(missing.body.toString()));
});

test("the workflow for GitHub Pages is what GitHub reads, with the rights it needs and no more", () => {
  const { jobs, permissions, on } = YAML.parse(read("hosting/github-pages.yml"), { strict: true });
  assert.deepEqual(Object.keys(on), ["push", "workflow_dispatch"]);
  assert.deepEqual(permissions, {});
  assert.deepEqual(
    Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions])),
    { build: { contents: "read" }, deploy: { pages: "write", "id-token": "write" } },
    "no job gets a right from elsewhere",
  );
  assert.equal(jobs.deploy.needs, "build");
  const steps = jobs.build.steps;
  assert.ok(steps.some(({ run }) => run === "tools/dist"));
  const step = (action) => steps.find(({ uses }) => uses?.startsWith(`${action}@`));
  assert.deepEqual(step("actions/upload-pages-artifact").with, { path: "dist/site", "include-hidden-files": true });
  assert.equal(step("actions/checkout").with["persist-credentials"], false, "the build cannot read the token");
});

test("the workflow names each action by commit, and says which version that is", () => {
  const text = read("hosting/github-pages.yml");
  const used = Object.values(YAML.parse(text).jobs).flatMap(({ uses, steps = [] }) => [
    uses,
    ...steps.map(({ uses }) => uses),
  ]);
  const named = [...text.matchAll(/^ *(?:- )?uses: *(.*)$/gm)].map(([, name]) => name);
  assert.equal(named.length, used.filter(Boolean).length);
  assert.equal(named.length, 3);
  for (const name of named) assert.match(name, /^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test("every command in docs/hosting.md does what is said there", async (t) => {
  const { folder, site } = await small_site(t);
  for (const name of ["hosting", "tools", "web"]) cpSync(join(project, name), join(folder, name), { recursive: true });
  mkdirSync(join(folder, "dist"));
  cpSync(site, join(folder, "dist/site"), { recursive: true });
  const blocks = [...read("docs/hosting.md").matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block);
  const commands = blocks
    .join("")
    .split("\n")
    .map((line) => line.replace(/\s+#.*/, "").trim())
    .filter((line) => line !== "");
  const run = (command) => spawnSync("bash", ["-euc", command], { cwd: folder, encoding: "utf8" });
  for (const command of commands) {
    if (command.startsWith("tools/dist")) {
      // Builds for minutes: here only what it would do, in its own words.
      const help = run("tools/dist --help");
      assert.equal(help.status, 0, help.stderr);
      assert.match(help.stdout, new RegExp(`^ *${command} +dist/|^ *${command} +the `, "m"));
    } else if (command.startsWith("node tools/serve.mjs")) {
      const child = spawn(process.execPath, command.replace("8000", "0").split(" ").slice(1), { cwd: folder });
      const url = await new Promise((resolve) =>
        child.stdout.on("data", (text) => resolve(String(text).match(/http\S+/)[0])),
      );
      assert.deepEqual((await ask(url)).body, readFileSync(join(site, "index.html")));
      child.kill();
    } else if (/\/(etc|var)\/|^nginx /.test(command)) {
      // Belongs to an administrator; what it copies must be there. The test above starts nginx with it.
      for (const [, name] of command.matchAll(/^cp (?:-r )?(\S+)/g)) assert.ok(existsSync(join(folder, name)), command);
    } else {
      const { status, stderr } = run(command);
      assert.equal(status, 0, stderr);
    }
  }
  assert.deepEqual(readFileSync(join(folder, ".github/workflows/pages.yml"), "utf8"), read("hosting/github-pages.yml"));
  assert.equal(commands.length, 11);
});

test("the files that docs/hosting.md names are in the project or made by it", async (t) => {
  const { site } = await small_site(t);
  const text = read("docs/hosting.md");
  for (const name of [
    "author.html",
    "collect.html",
    "fetch.html",
    "attention-playground.js",
    "sw.js",
    "manifest.webmanifest",
    "404.html",
    "robots.txt",
    ".nojekyll",
  ]) {
    assert.ok(text.includes(`\`${name}\``), name);
    assert.ok(existsSync(join(site, name)), name);
  }
});

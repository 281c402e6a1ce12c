// What the address of a model means, and whether docs/models.md lists the models that fetch.html lists. Nothing is contacted;
// tests/browser/fetch_page.test.mjs has the hosts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { kKnownModels } from "../../web/known_models.js";
import { has_all_inside, read_address } from "../../web/model_address.js";
import { words_of } from "../../web/model_host.js";

const docs = readFileSync(new URL("../../docs/models.md", import.meta.url), "utf8");
const kHub = "https://hub.example";

for (const [address, folders, file = null, query = ""] of [
  [`${kHub}/a/b`, [`${kHub}/a/b/resolve/main/`, `${kHub}/a/b/`]],
  [`  ${kHub}/a/b\n`, [`${kHub}/a/b/resolve/main/`, `${kHub}/a/b/`]],
  ["hub.example/a/b", [`${kHub}/a/b/resolve/main/`, `${kHub}/a/b/`]],
  [`${kHub}/gpt2`, [`${kHub}/gpt2/resolve/main/`, `${kHub}/gpt2/`]],
  [`${kHub}/a/b/`, [`${kHub}/a/b/`, `${kHub}/a/b/resolve/main/`]],
  [`${kHub}/a/b?library=x#top`, [`${kHub}/a/b/resolve/main/`, `${kHub}/a/b/`]],
  [`${kHub}/a/b/tree/main`, [`${kHub}/a/b/resolve/main/`]],
  [`${kHub}/a/b/tree/step%2F3/small`, [`${kHub}/a/b/resolve/step%2F3/small/`]],
  [`${kHub}/a/b/resolve/v1`, [`${kHub}/a/b/resolve/v1/`]],
  [`${kHub}/a/b/blob/main/config.json`, [`${kHub}/a/b/resolve/main/`]],
  [`${kHub}/a/b/blob/main/own.bin?download=true`, [`${kHub}/a/b/resolve/main/`], "own.bin", "?download=true"],
  [`${kHub}/models/deep/er/x`, [`${kHub}/models/deep/er/x/`]],
  [`${kHub}/a/my%20model.gguf`, [`${kHub}/a/`], "my model.gguf"],
  [`${kHub}/ckpt.pt`, [`${kHub}/`], "ckpt.pt"],
  [`${kHub}/a/../b/m.zip`, [`${kHub}/b/`], "m.zip"],
  ["http://localhost:81/m/", ["http://localhost:81/m/", "http://localhost:81/m/resolve/main/"]],
  ["http://127.0.0.1/m/config.json", ["http://127.0.0.1/m/"]],
]) {
  test(`the address ${address.trim()} means ${file ?? "the usual files"} in ${folders[0]}`, () => {
    assert.deepEqual(read_address(address), { host: new URL(folders[0]).host, folders, file, query });
  });
}

for (const [address, sentence] of [
  ["", /^Please paste the address of a model/],
  ["gpt2", /^This is no address/],
  ["https://", /^This is no address/],
  ["https://user@hub.example/a/b", /a user's name or a password/],
  ["https://:word@hub.example/a/b", /a user's name or a password/],
  ["http://hub.example/a/b", /^Only addresses that begin with https:/],
  ["http://localhost.example/a/b", /^Only addresses that begin with https:/],
  ["http://127.0.0.1.example/a", /^Only addresses that begin with https:/],
  ["file:///models/gpt2", /^Only addresses that begin with https:/],
  ["javascript:alert(1)", /^Only addresses that begin with https:/],
  ["data:text/plain,x", /^Only addresses that begin with https:/],
  ["https://hub.example/", /names a host and no model/],
  ["https://hub.example/a/%E0.pth", /characters that no file name has/], // no UTF-8
  ["https://hub.example/a/b%2F..%2Fc.pth", /characters that no file name has/],
  ["https://hub.example/a/b%E2%80%AEsrotsnetefas.bin", /characters that no file name has/], // it would be written from right to left
]) {
  test(`the address ${address || "that is empty"} gets a sentence`, () => {
    assert.throws(() => read_address(address), { message: sentence });
  });
}

test("a GGUF file and an archive have settings and tokenizer inside, other files of numbers have not", () => {
  assert.deepEqual(["a.gguf", "a.ZIP", "a.safetensors", "a.bin", "a.pt"].map(has_all_inside), [
    ...[true, true, false, false, false],
  ]);
});

test("sizes are said as hosts say them", () => {
  const said = [0, 665, 999, 1000, 1_355_256, 99_949_999, 548_105_171, 999_500_000, 1_503_300_328].map(words_of);
  assert.deepEqual(said, [
    ...["0 bytes", "665 bytes", "999 bytes", "1.0 kB", "1.4 MB", "99.9 MB", "548 MB", "1.0 GB", "1.5 GB"],
  ]);
});

test("docs/models.md lists the same models as fetch.html, of kinds that it says are read", () => {
  const [, kinds] = docs.match(/\n## What works\n([^]*?)\n## /);
  for (const { name, address, kind, bytes, shows } of kKnownModels) {
    assert.ok(docs.includes(`| ${name} | ${kind} | ${words_of(bytes)} | ${shows} | ${address} |`), name);
    assert.ok(kinds.includes(`\n| ${kind} | \``), `${kind} of ${name}`);
    assert.equal(read_address(address).folders[0], `${address}/resolve/main/`);
  }
  const [, list] = docs.match(/\n### Small models to begin with\n([^]*?)\n#/);
  assert.equal(list.match(/^\| .*https:/gm).length, kKnownModels.length, "no row more");
});

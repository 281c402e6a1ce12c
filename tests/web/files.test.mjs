// What the page knows of files beside the engine.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const text_of = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("the page refuses to read just the files that the engine refuses to open", () => {
  const [, page_factor, page_exponent] = /kMaxFileBytes = (\d+) \* 2 \*\* (\d+)/.exec(text_of("web/incoming.js"));
  const [, factor, exponent] = /kMaxFileBytes = (\d+) << (\d+)/.exec(text_of("src/share/opening/open_file.h"));
  assert.equal(page_factor * 2 ** page_exponent, factor * 2 ** exponent);
});

// A test that hangs ends by itself and is named, and the tests after it run.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { read_tap } from "../../tools/lib/results.mjs";

const kLimit = fileURLToPath(new URL("../limit.mjs", import.meta.url));
const skip = !process.allowedNodeEnvironmentFlags.has("--import") && "this node knows no --import";

const kFile = `
  import { createServer } from "node:http";
  import { after, before, test } from "node:test";
  let server;
  before(() => (server = createServer().listen(0)));
  after(() => server.close());
  test("good", (t) => t.after(() => {}));
  test("hangs", () => new Promise(() => {}));
  test("has its own limit", { timeout: 1 }, () => new Promise(() => {}));
  test("is left out", { skip: "why" }, () => {});
  test("comes after", async () => {});
`;

test("a test that hangs is ended and named, and those after it run", { skip }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), "attn-limit-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "a.test.mjs"), kFile);
  const { NODE_TEST_CONTEXT, ...env } = process.env; // set inside a test, it makes an inner runner report to the outer one
  const args = [
    "--import",
    kLimit,
    "--test",
    "--test-reporter=tap",
    "--test-reporter-destination=report.tap",
    "a.test.mjs",
  ];
  const { status } = spawnSync(process.execPath, args, { cwd: folder, env: { ...env, ATTN_TEST_LIMIT: "2" } });
  const tap = readFileSync(join(folder, "report.tap"), "utf8");
  const results = read_tap("web", tap, status);
  assert.deepEqual(results.failures, ["web: hangs", "web: has its own limit"]);
  assert.equal(String(results), "2 passed, 2 failed, 1 skipped");
  assert.match(tap, /timed out after 2000ms/);
  assert.match(tap, /timed out after 1ms/);
});

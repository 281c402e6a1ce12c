// Counting: what the test programs report, and above all what they fail to report.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Results, read_catch2, read_tap } from "../../tools/lib/results.mjs";

const test_case = (name, success, skips = 0) =>
  `<TestCase name="${name}" tags="[a]"><Expression success="${success}"/>${skips ? "<Skip filename='a'> no &lt;GPU&gt; </Skip>" : ""}` +
  `<OverallResult success="${success}" skips="${skips}"/></TestCase>`;
const report = (...cases) =>
  `<Catch2TestRun>${cases.join("")}<OverallResultsCases successes="1" failures="0" expectedFailures="0" skips="0"/>`;

test("Catch2's test cases are counted, failed and skipped ones by name", () => {
  const xml = report(test_case("a &amp; b", true), test_case("c &lt; d", false), test_case("e", true, 1));
  const results = read_catch2("core", xml, 1);
  assert.equal(String(results), "1 passed, 1 failed, 1 skipped");
  assert.deepEqual(results.failures, ["core: c < d"]);
  assert.deepEqual(results.skips, ["core: e: no <GPU>"]);
});

test("a program that dies in the middle is a failure, with what it had passed", () => {
  const xml = `<Catch2TestRun>${test_case("a", true)}<TestCase name="b">`;
  assert.equal(String(read_catch2("core", xml, 134)), "1 passed, 1 failed");
  assert.equal(String(read_catch2("core", xml, 0)), "1 passed, 1 failed");
  assert.equal(String(read_catch2("core", "", "SIGSEGV")), "0 passed, 1 failed");
});

test("an exit code that contradicts the report is a failure", () => {
  assert.equal(String(read_catch2("core", report(test_case("a", true)), 1)), "1 passed, 1 failed");
  assert.equal(String(read_catch2("core", report(test_case("a", true)), 0)), "1 passed, 0 failed");
});

test("results add up", () => {
  const all = new Results();
  const part = new Results();
  part.pass(2);
  part.fail("x");
  part.skip("y");
  all.add(part);
  all.add(part);
  assert.equal(String(all), "4 passed, 2 failed, 2 skipped");
  assert.equal(all.total, 8);
});

/** What node's own test runner reports about a file of this text. */
function tap_of(t, text) {
  const folder = mkdtempSync(join(tmpdir(), "attn-tap-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "a.test.mjs"), `import { test, describe } from "node:test";\n${text}`);
  const args = ["--test", "--test-reporter=tap", "--test-reporter-destination=report.tap", "a.test.mjs"];
  const environment = { ...process.env };
  delete environment.NODE_TEST_CONTEXT; // set inside a test, it makes an inner runner report to the outer one
  const { status } = spawnSync(process.execPath, args, { cwd: folder, env: environment });
  return read_tap("web", readFileSync(join(folder, "report.tap"), "utf8"), status);
}

test("node's tests are counted, the suites around them are not", (t) => {
  const results = tap_of(
    t,
    `describe("suite", () => { test("one", () => {}); test("two", () => { throw new Error("no"); }); });
     test("three", { skip: "no screen" }, () => {}); test("four", () => {});`,
  );
  assert.equal(String(results), "2 passed, 1 failed, 1 skipped");
  assert.deepEqual(results.failures, ["web: two"]);
  assert.match(results.skips[0], /three # SKIP no screen/);
});

test("a file that cannot be loaded, one without a test, and an unfinished test are failures", (t) => {
  assert.equal(String(tap_of(t, 'import "./missing.mjs";')), "0 passed, 1 failed");
  assert.equal(String(tap_of(t, "")), "0 passed, 1 failed");
  assert.equal(String(tap_of(t, 'test("later", { todo: true }, () => {});')), "0 passed, 1 failed");
});

test("a report that breaks off is a failure", () => {
  assert.equal(String(read_tap("web", "TAP version 13\nok 1 - a\n", 1)), "0 passed, 1 failed");
});

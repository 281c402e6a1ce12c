// Counts of tests, and how to read them from what Catch2 and node's test runner report. Knows no part of this project.

/** The results of a number of tests. Each failure and each skipped test has a line that names it. */
export class Results {
  passed = 0;
  failures = [];
  skips = [];

  pass(count = 1) {
    this.passed += count;
  }

  fail(line, count = 1) {
    for (let i = 0; i < count; ++i) this.failures.push(line);
  }

  skip(line) {
    this.skips.push(line);
  }

  add(other) {
    this.passed += other.passed;
    this.failures.push(...other.failures);
    this.skips.push(...other.skips);
  }

  get total() {
    return this.passed + this.failures.length + this.skips.length;
  }

  toString() {
    const skipped = this.skips.length > 0 ? `, ${this.skips.length} skipped` : "";
    return `${this.passed} passed, ${this.failures.length} failed${skipped}`;
  }
}

/**
 * Test cases of a Catch2 program from its XML report.
 * A report without its last element means that the program died: one more failure.
 */
export function read_catch2(name, xml, exit_code) {
  const results = new Results();
  const totals = xml.match(
    /<OverallResultsCases successes="(\d+)" failures="(\d+)" expectedFailures="(\d+)"(?: skips="(\d+)")?/,
  );
  for (const test_case of xml.matchAll(/<TestCase name="([^"]*)"[\s\S]*?<\/TestCase>/g)) {
    const result = test_case[0].match(/<OverallResult success="(true|false)" skips="(\d+)"/);
    const title = unescape_xml(test_case[1]);
    if (result?.[1] === "false") results.fail(`${name}: ${title}`);
    else if (result && Number(result[2]) > 0) results.skip(`${name}: ${title}: ${skip_reason(test_case[0])}`);
    else if (result) results.pass();
  }
  if (!totals) {
    results.fail(`${name}: stopped before its end (exit code ${exit_code}); see its last lines above`);
  } else if (exit_code !== 0 && results.failures.length === 0) {
    results.fail(`${name}: exit code ${exit_code} although no test failed`);
  }
  return results;
}

function skip_reason(xml) {
  return unescape_xml(xml.match(/<Skip[^>]*>([\s\S]*?)<\/Skip>/)?.[1].trim() || "no reason given");
}

function unescape_xml(text) {
  const signs = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => signs[name]);
}

/**
 * Tests of `node --test` from its TAP report: each leaf is a test, a suite around them is not.
 * A file without any test, and a test that says of itself that it is not finished, count as failed.
 */
export function read_tap(name, tap, exit_code) {
  const results = new Results();
  const count = (word) => Number(tap.match(new RegExp(`^# ${word} (\\d+)$`, "m"))?.[1] ?? NaN);
  const [passed, failed, cancelled, unfinished] = ["pass", "fail", "cancelled", "todo"].map(count);
  if (Number.isNaN(passed + failed + cancelled + unfinished)) {
    results.fail(`${name}: node's test runner stopped before its end (exit code ${exit_code})`);
    return results;
  }
  const titles = (pattern) =>
    tap.split("\n").flatMap((line) => {
      const match = line.trim().match(pattern);
      return match ? [match[1]] : [];
    });
  const empty_files = titles(/^ok \d+ - (.*\.test\.mjs)$/);
  results.pass(passed - empty_files.length);
  for (const file of empty_files) results.fail(`${name}: no test in ${file}`);
  // Suites around a failed test report "not ok" as well, after the tests in them.
  const failed_titles = titles(/^not ok \d+ - (.*)$/);
  for (let i = 0; i < failed + cancelled; ++i) results.fail(`${name}: ${failed_titles[i] ?? "a test"}`);
  results.fail(`${name}: a test is marked as unfinished`, unfinished);
  for (const title of titles(/^ok \d+ - (.* # SKIP.*)$/)) results.skip(`${name}: ${title}`);
  if (exit_code !== 0 && results.failures.length === 0) {
    results.fail(`${name}: exit code ${exit_code} although no test failed`);
  }
  return results;
}

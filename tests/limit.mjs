// Ends a test that hangs, so that the run goes on and its name is known:
//   node --import ./tests/limit.mjs --test FILE...
// Node's own --test-timeout ends a whole file and does not say at which test. ATTN_TEST_LIMIT: seconds for each test.
import { createRequire, syncBuiltinESMExports } from "node:module";

const kSeconds = Number(process.env.ATTN_TEST_LIMIT ?? 900); // several times what one thing may take (patience.mjs)

const runner = createRequire(import.meta.url)("node:test");
const { test } = runner;

/** `test` with a limit where the test has none of its own. */
function limited(...values) {
  const work = values.pop();
  const [name, options] = typeof values[0] === "string" ? values : [work.name, values[0]];
  return test(name, { timeout: kSeconds * 1000, ...options }, work);
}

runner.test = Object.assign(limited, test);
syncBuiltinESMExports();

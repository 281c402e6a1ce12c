// Processor time of the programs that a test run starts, and who pays for it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { Costs } from "../../tools/lib/costs.mjs";

const skip = existsSync("/proc/self/stat") ? false : "only Linux says what programs took";

/** Ends when it has worked for so many seconds of its own processor time, however long that takes. */
const busy = (seconds) => `while (process.cpuUsage().user < ${seconds * 1e6});`;
/** Starts the one that works, and waits for it. */
const parent = (seconds) =>
  `require("child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(busy(seconds))}])`;

function run(costs, script) {
  return new Promise((resolve) => {
    spawn(process.execPath, ["-e", script]).on("exit", () => {
      costs.count();
      resolve();
    });
  });
}

test("what a program took is its part's, with what it waited for, and not the part's beside it", { skip }, async () => {
  const costs = new Costs();
  let end_of_builds;
  const builds = new Promise((resolve) => (end_of_builds = resolve));
  const builder = costs.of("builds", async () => {
    await builds;
  });
  await costs.of("core", async () => {
    await run(costs, parent(2));
    await costs.of("builds", () => run(costs, busy(1)));
  });
  end_of_builds();
  await builder;
  assert.deepEqual(costs.payers, ["builds", "core"]);
  const [core, built] = [costs.seconds("core"), costs.seconds("builds")];
  assert.ok(core >= 2, `core: ${core} s`);
  assert.ok(built >= 1, `builds: ${built} s`);
  assert.equal(costs.seconds("ui"), 0);
  const before = costs.seconds("core");
  await costs.of("core", () => run(costs, busy(0.2)));
  assert.ok(costs.seconds("core") >= before + 0.2, "a part that goes on pays more");
  assert.equal(costs.seconds("builds"), built, "and the other one does not");
});

// attn where the machine gives it little memory: an answer, or a sentence and exit code 2; never an abort.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const kAttn = join(process.env.ATTN_NATIVE, "attn");
const kModel = new URL("../../models/first-words", import.meta.url).pathname;
const kSteps = 12; // of memory, from what the program itself needs to more than the command does

/** Runs it with at most so many kilobytes of addresses. */
function attn_within(kilobytes, args) {
  return spawnSync("bash", ["-c", `ulimit -v ${kilobytes}; exec "$@"`, "-", kAttn, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** The least memory, to a hundredth, with which this ends well; in kilobytes. */
function least_memory(args, most) {
  let [too_little, enough] = [0, most];
  while (enough - too_little > most / 100) {
    const middle = Math.ceil((too_little + enough) / 2);
    if (attn_within(middle, args).status === 0) enough = middle;
    else too_little = middle;
  }
  return enough;
}

const kLong = `text=${"x+".repeat(2048)}`;
const kCommands = {
  "trace of wide heads": ["trace", `${kLong}&heads=16&d_in=1024&d_out=1024`, "--stage", "keys"],
  "explain of many heads": ["explain", `${kLong}&heads=8&d_in=64&d_out=64&cell=1,2,1`, "--stage", "weights"],
  "export of a training": [
    ...["export", "csv", `text=${"x+".repeat(700)}&heads=16&d_in=64&d_out=64&goal=next&steps=1&view=learn`],
    ...["--stage", "grad_weights"],
  ],
  "cache of many tokens": ["cache", `${kLong}&heads=4&d_in=64&d_out=64`, "--format", "json"],
  "words of a model": ["generate", "--model", kModel, "--text", "the artist", "--count", "4"],
};

for (const [name, args] of Object.entries(kCommands)) {
  test(`little memory is an answer or a sentence: ${name}`, () => {
    const itself = least_memory(["--version"], 1 << 20);
    const enough = least_memory(args, 1 << 23);
    assert.ok(enough > itself);
    for (let k = 1; k <= kSteps; ++k) {
      const kilobytes = Math.round(itself + ((enough - itself) * k) / kSteps);
      const { status, signal, stderr } = attn_within(kilobytes, args);
      assert.equal(signal, null, `${kilobytes} kB: ${stderr}`);
      if (status === 0) continue;
      assert.equal(status, 2, `${kilobytes} kB: ${stderr}`);
      assert.match(stderr, /^(note: [^\n]*\n)*[A-Z0-9][^\n]*memory[^\n]*\.\n$/, `${kilobytes} kB`);
    }
  });
}

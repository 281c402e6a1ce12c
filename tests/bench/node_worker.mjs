// One contender in a node process of its own, told by messages what to do (see hosts.mjs).
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Runner } from "./runner.mjs";

const require = createRequire(import.meta.url);
const folder_of = (package_name) => dirname(require.resolve(package_name));
let runner;

const kCommands = {
  async open({ module, options }) {
    const { create } = await import(module);
    runner = new Runner(await create({ options, folder_of }));
  },
  start: ({ shape, with_weights, reference_file }) => {
    const bytes = readFileSync(reference_file);
    const numbers = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    return runner.start(shape, with_weights, numbers);
  },
  batch: ({ calls }) => runner.batch(calls),
  measure: () => runner.measure(),
};

console.log = () => {}; // some libraries introduce themselves
process.on("message", async ({ command, ...details }) => {
  try {
    process.send({ result: await kCommands[command](details) });
  } catch (error) {
    process.send({ error: error.message });
  }
});

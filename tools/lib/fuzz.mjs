// Tries each fuzz target for a while, in order: tools/fuzz calls it when they are built. What an input reached
// first is kept in build/fuzz/kept, and the next run begins with it; so is what stopped a target, until that is fixed.
//   node tools/lib/fuzz.mjs SECONDS TARGET...
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { command_of, kTargets } from "./fuzz_targets.mjs";

const root = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");

const [seconds, ...names] = process.argv.slice(2);
for (const name of names) {
  const target = kTargets[name];
  const kept = join(root, "build/fuzz/kept", name);
  mkdirSync(kept, { recursive: true });
  const seed = String(Math.floor(Math.random() * 2 ** 31));
  console.log(`-- ${name}, --seed ${seed}`);
  const args = ["--seconds", seconds, "--seed", seed, "--keep", kept, ...(target.program ? [kept] : [])];
  const [program, all] = command_of(target, join(root, "build/fuzz"), args);
  if (spawnSync(program, all, { cwd: root, stdio: "inherit" }).status !== 0) process.exitCode = 1;
}

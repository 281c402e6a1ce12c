// The kernels are compiled for instructions that a processor may not have. What the linker could pick from there for all
// the program, and what would round differently, must not be in them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "kernels-"));
after(() => rmSync(folder, { recursive: true }));

const run = (command, ...words) => {
  const answer = spawnSync(command, words, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  assert.equal(answer.status, 0, answer.stderr);
  return answer.stdout;
};

/** The flags of each instruction set, as the build has them; the least has none. */
const flags = { baseline: [] };
if (process.arch === "x64") {
  const cmake = readFileSync(join(root, "tools/cmake/kernels.cmake"), "utf8");
  for (const [, set, words] of cmake.matchAll(/set\(attn_flags_(\w+) ([^)]*)\)/g)) flags[set] = words.split(" ");
  assert.deepEqual(Object.keys(flags), ["baseline", "avx2", "avx512"]);
}

for (const [set, words] of Object.entries(flags)) {
  test(`the ${set} kernels bring nothing that others could be linked with, and fuse nothing`, () => {
    const object = join(folder, `${set}.o`);
    const xsimd = ".toolchain/deps/xsimd/include";
    const options = ["-std=c++20", "-O3", "-ffp-contract=off", `-DATTN_KERNELS=${set}`, "-Isrc", "-isystem", xsimd];
    run("c++", ...options, ...words, "-c", "src/core/kernels/simd_kernels.cpp", "-o", object);
    const symbols = run("nm", "-C", object).split("\n");
    // Weak ones: inline functions and templates, of which the linker keeps one for all files.
    const weak = symbols.filter((line) => / [WVuvw] /.test(line) && !line.includes("personality"));
    assert.deepEqual(weak, []);
    const instructions = run("objdump", "-d", "--no-show-raw-insn", object);
    if (process.arch === "x64") assert.match(instructions, /mulps/);
    assert.doesNotMatch(instructions, /\bvf(n?m)(add|sub)/);
    if (set === "avx512") assert.match(instructions, /%zmm/);
  });
}

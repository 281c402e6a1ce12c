// Assembles the engine's npm package as a folder: engine.js and engine.wasm, learning.js and learning.wasm (each whole by itself:
// who computes forward alone loads nothing of the others), the types, the readme (docs/engine.md), the licence and package.json.
//   node tools/engine.mjs MODULE_FOLDER OUT_FOLDER
import { build } from "esbuild";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const kProject = fileURLToPath(new URL("..", import.meta.url));

/** What package.json says beside the project's own version and licence. */
const kPackage = {
  name: "attention-playground-engine",
  description: "Multi-head causal attention with access to every stage, in WebAssembly: for node, browsers and workers",
  keywords: ["attention", "transformer", "multi-head attention", "webassembly", "teaching"],
  type: "module",
  exports: {
    ".": { types: "./engine.d.ts", default: "./engine.js" },
    "./engine.wasm": "./engine.wasm",
    "./learning": { types: "./learning.d.ts", default: "./learning.js" },
    "./learning.wasm": "./learning.wasm",
  },
  types: "./engine.d.ts",
  files: ["engine.js", "engine.d.ts", "engine.wasm", "learning.js", "learning.d.ts", "learning.wasm"],
  sideEffects: false,
};

export async function assemble_engine({ module, out }) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const modules = { engine: "attention_engine.wasm", learning: "attention_engine_learning.wasm" };
  for (const [name, wasm] of Object.entries(modules)) {
    await build({
      entryPoints: [join(kProject, `web/engine/${name}.js`)],
      outfile: join(out, `${name}.js`),
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      external: ["node:*"],
      logLevel: "warning",
    });
    cpSync(join(module, wasm), join(out, `${name}.wasm`));
    cpSync(join(kProject, `web/engine/${name}.d.ts`), join(out, `${name}.d.ts`));
  }
  cpSync(join(kProject, "docs/engine.md"), join(out, "README.md"));
  cpSync(join(kProject, "LICENSE"), join(out, "LICENSE"));
  const { version, license, engines } = JSON.parse(readFileSync(join(kProject, "package.json"), "utf8"));
  writeFileSync(join(out, "package.json"), `${JSON.stringify({ ...kPackage, version, license, engines }, null, 2)}\n`);
}

async function main([module, out]) {
  if (!out) throw new Error("usage: engine.mjs MODULE_FOLDER OUT_FOLDER");
  await assemble_engine({ module, out });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2).map((path) => resolve(path)));

// What a page needs of the contenders, in one folder: each module with its library as one file, the libraries' WebAssembly, the
// project's own modules.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const kAssets = [
  "onnxruntime-web/dist/ort-wasm-simd-threaded.mjs",
  "onnxruntime-web/dist/ort-wasm-simd-threaded.wasm",
  "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm",
];
const kPage = '<!doctype html><meta charset="utf-8"><title>Bench</title><link rel="icon" href="data:,">';

/** folder: of the bench; web: of its WebAssembly build; site: what is made. modules: paths in the folder. */
export async function make_site({ folder, web, site, modules }) {
  rmSync(site, { recursive: true, force: true });
  mkdirSync(site, { recursive: true });
  await build({
    entryPoints: [...modules, "runner.mjs"].map((module) => ({
      in: join(folder, module),
      out: basename(module, ".mjs"),
    })),
    outdir: site,
    bundle: true,
    format: "esm",
    minify: true,
    platform: "browser",
    logLevel: "error",
    external: ["worker_threads", "perf_hooks", "node:*"], // asked for in node only
  });
  const packages = join(folder, "node_modules");
  for (const asset of kAssets) copyFileSync(join(packages, asset), join(site, basename(asset)));
  for (const file of ["limits.mjs", "limits.wasm", "engine/engine.js", "engine/engine.wasm"])
    copyFileSync(join(web, file), join(site, basename(file)));
  writeFileSync(join(site, "bench.html"), kPage);
}

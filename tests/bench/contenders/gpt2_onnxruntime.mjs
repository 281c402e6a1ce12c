// A whole graph on onnxruntime-web's WebAssembly backend, one thread, in a page.
import * as ort from "onnxruntime-web/wasm";

/** Fetches the graph. run(x) takes the numbers of its input and gives those of its output. */
export async function create(address, dims) {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "error";
  const asset = (file) => new URL(file, location.href).href;
  ort.env.wasm.wasmPaths = { mjs: asset("ort-wasm-simd-threaded.mjs"), wasm: asset("ort-wasm-simd-threaded.wasm") };
  const graph = new Uint8Array(await (await fetch(address)).arrayBuffer());
  const options = { executionProviders: ["wasm"], graphOptimizationLevel: "all" };
  const session = await ort.InferenceSession.create(graph, options);
  return {
    async run(x) {
      const { output } = await session.run({ x: new ort.Tensor("float32", Float32Array.from(x), dims) });
      return [...output.data];
    },
  };
}

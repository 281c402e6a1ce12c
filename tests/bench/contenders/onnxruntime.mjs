// onnxruntime-web on its WebAssembly backend, one thread. options.graph: "plain" operators, or the operator "attention".
import * as ort from "onnxruntime-web/wasm";
import { attention_graph, plain_graph } from "../onnx.mjs";

export function create({ options, asset }) {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "error";
  if (asset) {
    ort.env.wasm.wasmPaths = {
      mjs: asset("ort-wasm-simd-threaded.mjs"),
      wasm: asset("ort-wasm-simd-threaded.wasm"),
    };
  }
  return {
    version: ort.env.versions.web,
    async prepare(problem, with_weights) {
      const is_plain = options.graph === "plain";
      const graph = is_plain ? plain_graph(problem, with_weights) : attention_graph(problem, with_weights);
      const session = await ort.InferenceSession.create(graph, {
        executionProviders: ["wasm"],
        graphOptimizationLevel: "all",
      });
      const dims = [problem.num_tokens, problem.d_in];
      return async () => {
        const outputs = await session.run({ x: new ort.Tensor("float32", problem.x, is_plain ? dims : [1, ...dims]) });
        return { context: outputs.context.data, weights: with_weights ? outputs.weights.data : null };
      };
    },
  };
}

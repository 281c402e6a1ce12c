// GPT-2 as transformers.js runs it on its WebAssembly backend, one thread, in a page: from the files of its own server alone.
import { AutoModelForCausalLM, DynamicCache, Tensor, env } from "@huggingface/transformers";

/**
 * The model of that name below models/. read(tokens) goes on from the keys and values of the tokens before and gives the logits of
 * the last one.
 */
export async function create_decoder(name) {
  Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, localModelPath: "/models/" });
  Object.assign(env, { useBrowserCache: false, useWasmCache: false });
  const asset = (file) => new URL(`transformers/${file}`, location.href).href;
  env.backends.onnx.wasm.numThreads = 1;
  env.backends.onnx.wasm.wasmPaths = {
    mjs: asset("ort-wasm-simd-threaded.asyncify.mjs"),
    wasm: asset("ort-wasm-simd-threaded.asyncify.wasm"),
  };
  const model = await AutoModelForCausalLM.from_pretrained(name, { dtype: "fp32", device: "wasm" });
  const whole_numbers = (numbers, dims) => new Tensor("int64", BigInt64Array.from(numbers, BigInt), dims);
  let length;
  let past;
  return {
    /** The same from the beginning. */
    read_new(tokens) {
      length = 0;
      past = null;
      return this.read(tokens);
    },
    async read(tokens) {
      length += tokens.length;
      const { logits, ...present } = await model({
        input_ids: whole_numbers(tokens, [1, tokens.length]),
        attention_mask: whole_numbers(Array(length).fill(1), [1, length]),
        num_logits_to_keep: whole_numbers([1], []),
        past_key_values: past,
      });
      const renamed = ([name, tensor]) => [name.replace("present", "past_key_values"), tensor];
      past = new DynamicCache(Object.fromEntries(Object.entries(present).map(renamed)));
      return logits.data;
    },
  };
}

// GPT-2's graphs on onnxruntime-web's WebAssembly backend, one thread, in a page.
import * as ort from "onnxruntime-web/wasm";

async function open(address) {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "error";
  const asset = (file) => new URL(file, location.href).href;
  ort.env.wasm.wasmPaths = { mjs: asset("ort-wasm-simd-threaded.mjs"), wasm: asset("ort-wasm-simd-threaded.wasm") };
  const graph = new Uint8Array(await (await fetch(address)).arrayBuffer());
  return ort.InferenceSession.create(graph, { executionProviders: ["wasm"], graphOptimizationLevel: "all" });
}

/** The layers alone. run(x) takes the numbers of their input and gives those of their output. */
export async function create_layers(address, dims) {
  const session = await open(address);
  return {
    async run(x) {
      const { output } = await session.run({ x: new ort.Tensor("float32", Float32Array.from(x), dims) });
      return output.data;
    },
  };
}

/** The whole model. read(tokens) goes on from the keys and values of the tokens before and gives the last token's logits. */
export async function create_decoder(address) {
  const session = await open(address);
  const inputs = session.inputMetadata.filter(({ name }) => name.startsWith("past_key_values"));
  const past_names = inputs.map(({ name }) => name);
  // One size alone has no number: how many tokens there are.
  const nothing = inputs.map(({ name, shape }) => {
    const dims = shape.map((size) => (typeof size === "number" ? size : 0));
    return [name, new ort.Tensor("float32", new Float32Array(0), dims)];
  });
  const whole_numbers = (numbers, dims) => new ort.Tensor("int64", BigInt64Array.from(numbers, BigInt), dims);
  let length;
  let past;
  return {
    /** The same from the beginning. */
    read_new(tokens) {
      length = 0;
      past = Object.fromEntries(nothing);
      return this.read(tokens);
    },
    async read(tokens) {
      const places = tokens.map((_, i) => length + i);
      length += tokens.length;
      const { logits, ...present } = await session.run({
        input_ids: whole_numbers(tokens, [1, tokens.length]),
        attention_mask: whole_numbers(Array(length).fill(1), [1, length]),
        position_ids: whole_numbers(places, [1, tokens.length]),
        num_logits_to_keep: whole_numbers([1], []),
        ...past,
      });
      past = Object.fromEntries(past_names.map((name) => [name, present[name.replace("past_key_values", "present")]]));
      return logits.data;
    },
  };
}

// TensorFlow.js on its WebAssembly backend, one thread. options.style: "batched" takes all heads in one product, as one
// writes it first; "per_head" takes two-dimensional products, the only ones that backend has fast kernels for.
import * as tf from "@tensorflow/tfjs-core";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";

export async function create({ options, asset, folder_of }) {
  const folder = asset ? asset("./") : `${folder_of("@tensorflow/tfjs-backend-wasm")}/`;
  setWasmPaths(folder);
  tf.env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
  if (!(await tf.setBackend("wasm"))) throw new Error("TensorFlow.js has no WebAssembly backend here");
  await tf.ready();
  return {
    version: tf.version_core,
    prepare(problem, with_weights) {
      const { num_tokens: T } = problem;
      const numbers = new Float32Array(T * T);
      for (let i = 0; i < T; ++i) numbers.fill(-Infinity, i * T + i + 1, (i + 1) * T);
      const mask = tf.tensor2d(numbers, [T, T]);
      const attend = options.style === "per_head" ? attend_per_head : attend_batched;
      return () => {
        const [context, weights] = tf.tidy(() => attend(problem, mask, with_weights));
        const result = { context: context.dataSync(), weights: with_weights ? weights.dataSync() : null };
        context.dispose();
        weights?.dispose();
        return result;
      };
    },
  };
}

/** The three (T, d_out) matrices. */
function project({ num_tokens, d_in, d_out, x, w_query, w_key, w_value }) {
  const embeddings = tf.tensor2d(x, [num_tokens, d_in]);
  return [w_query, w_key, w_value].map((w) => tf.matMul(embeddings, tf.tensor2d(w, [d_in, d_out])));
}

function attend_batched(problem, mask, with_weights) {
  const { num_tokens, d_out, num_heads } = problem;
  const head_dim = d_out / num_heads;
  const [query, key, value] = project(problem).map((matrix) =>
    tf.transpose(tf.reshape(matrix, [num_tokens, num_heads, head_dim]), [1, 0, 2]),
  );
  const scores = tf.mul(tf.matMul(query, key, false, true), 1 / Math.sqrt(head_dim));
  const weights = tf.softmax(tf.add(scores, mask));
  const context = tf.reshape(tf.transpose(tf.matMul(weights, value), [1, 0, 2]), [num_tokens, d_out]);
  return with_weights ? [context, weights] : [context];
}

function attend_per_head(problem, mask, with_weights) {
  const { num_tokens, d_out, num_heads } = problem;
  const head_dim = d_out / num_heads;
  const [query, key, value] = project(problem);
  const scaled_query = tf.mul(query, 1 / Math.sqrt(head_dim));
  const contexts = [];
  const all_weights = [];
  for (let h = 0; h < num_heads; ++h) {
    const head = (matrix) => tf.slice(matrix, [0, h * head_dim], [num_tokens, head_dim]);
    const scores = tf.matMul(head(scaled_query), tf.transpose(head(key)));
    const weights = tf.softmax(tf.add(scores, mask));
    contexts.push(tf.matMul(weights, head(value)));
    all_weights.push(weights);
  }
  const context = num_heads > 1 ? tf.concat(contexts, 1) : contexts[0];
  if (!with_weights) return [context];
  return [context, num_heads > 1 ? tf.stack(all_weights) : all_weights[0]];
}

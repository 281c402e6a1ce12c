// The engine module that learns, or TensorFlow.js, for tests/bench/learning.mjs: the lines of native/learning.cpp, the same problem.
//   node learning_worker.mjs ours ENGINE_FOLDER | tfjs batched | tfjs per_head
import { build } from "esbuild";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const kNumWords = 32;
const [kind_of_contender, option] = process.argv.slice(2);

function numbers(count, reach, seed) {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 31 - 1) * reach;
  });
}

function problem_of(T, d_in, d_out, heads) {
  const reach = 2 / Math.sqrt(d_in);
  const matrix = (seed) => numbers(d_in * d_out, reach, seed);
  const [wq, wk, wv] = [2, 3, 4].map(matrix);
  const x = numbers(T * d_in, 1.7, 1);
  const next = Array.from({ length: T }, (_, i) => i % kNumWords);
  return { T, d_in, d_out, heads, x, wq, wk, wv, next, vocabulary: numbers(kNumWords * d_out, 0.1, 5) };
}

async function make_ours(folder) {
  const { createLearningEngine } = await import(pathToFileURL(join(folder, "learning.js")).href);
  const engine = await createLearningEngine();
  return ({ T, d_in, d_out, heads, x, wq, wk, wv, next, vocabulary }) => {
    const matrix = (data) => ({ data, shape: [d_in, d_out] });
    const layer = engine.layer({ wq: matrix(wq), wk: matrix(wk), wv: matrix(wv), heads });
    const problem = { x: { data: x, shape: [T, d_in] }, layer };
    const learning = { ...problem, next, vocabulary: { data: vocabulary, shape: [kNumWords, d_out] } };
    let training = null;
    return {
      forward: () => engine.attention({ ...problem, stages: ["weights", "merged"] }),
      gradient: () => engine.gradients(learning),
      step: (count) => (training ??= engine.training({ ...learning, rate: 1e-3 })).step(count),
    };
  };
}

/** Its gradients come as modules that node takes for scripts: bundled, they find the same registry, which is global. */
async function register_gradients(core) {
  const { outputFiles } = await build({
    entryPoints: [join(dirname(core), "register_all_gradients.js")],
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "error",
  });
  await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

async function make_tfjs(style) {
  const require = createRequire(new URL("../package.json", import.meta.url));
  const tf = await import("@tensorflow/tfjs-core");
  const { setWasmPaths } = await import("@tensorflow/tfjs-backend-wasm");
  setWasmPaths(`${dirname(require.resolve("@tensorflow/tfjs-backend-wasm"))}/`);
  await register_gradients(require.resolve("@tensorflow/tfjs-core"));
  tf.env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
  await tf.setBackend("wasm");
  await tf.ready();
  return ({ T, d_in, d_out, heads, x, wq, wk, wv, next, vocabulary }) => {
    const head_dim = d_out / heads;
    const given = [tf.tensor2d(x, [T, d_in]), ...[wq, wk, wv].map((w) => tf.tensor2d(w, [d_in, d_out]))];
    const hidden = new Float32Array(T * T);
    for (let i = 0; i < T; ++i) hidden.fill(-1e9, i * T + i + 1, (i + 1) * T);
    const mask = tf.tensor2d(hidden, [T, T]);
    const words = tf.tensor2d(vocabulary, [kNumWords, d_out]);
    const wanted = tf.cast(tf.oneHot(tf.tensor1d(next, "int32"), kNumWords), "float32");
    const attend = (embeddings, ...matrices) => {
      const roles = matrices.map((w) => tf.matMul(embeddings, w));
      if (style === "batched") {
        const cut = (role) => tf.transpose(tf.reshape(role, [T, heads, head_dim]), [1, 0, 2]);
        const [query, key, value] = roles.map(cut);
        const scores = tf.mul(tf.matMul(query, key, false, true), 1 / Math.sqrt(head_dim));
        const context = tf.matMul(tf.softmax(tf.add(scores, mask)), value);
        return tf.reshape(tf.transpose(context, [1, 0, 2]), [T, d_out]);
      }
      const contexts = Array.from({ length: heads }, (_, h) => {
        const [query, key, value] = roles.map((role) => tf.slice(role, [0, h * head_dim], [T, head_dim]));
        const scores = tf.mul(tf.matMul(query, tf.transpose(key)), 1 / Math.sqrt(head_dim));
        return tf.matMul(tf.softmax(tf.add(scores, mask)), value);
      });
      return heads > 1 ? tf.concat(contexts, 1) : contexts[0];
    };
    const loss = (...tensors) => {
      const logits = tf.matMul(attend(...tensors), words, false, true);
      return tf.neg(tf.div(tf.sum(tf.mul(wanted, tf.logSoftmax(logits))), T));
    };
    const gradients = tf.grads(loss);
    return {
      forward: () => tf.tidy(() => void attend(...given).dataSync()),
      gradient: () => tf.tidy(() => gradients(given).forEach((tensor) => tensor.dataSync())),
    };
  };
}

const prepare = kind_of_contender === "ours" ? await make_ours(option) : await make_tfjs(option);
for await (const line of createInterface({ input: process.stdin })) {
  const [T, d_in, d_out, heads, kind, calls] = line.split(" ");
  const call = prepare(problem_of(+T, +d_in, +d_out, +heads))[kind];
  const count = Number(calls);
  call(1);
  const start = performance.now();
  if (kind === "step") call(count);
  else for (let k = 0; k < count; ++k) call();
  console.log((performance.now() - start) / count);
}

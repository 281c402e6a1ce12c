// The engine's JavaScript module. Matrices are a layer, handed over in advance as onnxruntime has them as constants and tfjs as
// tensors. Results are views, which stay valid until the next call.

export async function create({ asset }) {
  const address = asset ? asset("engine.js") : new URL("../../../build/web/engine/engine.js", import.meta.url).href;
  const { createEngine } = await import(address);
  const engine = await createEngine();
  return {
    version: "",
    prepare({ num_tokens, d_in, d_out, num_heads, x, w_query, w_key, w_value }, with_weights) {
      const matrix = (data) => ({ data, shape: [d_in, d_out] });
      const problem = {
        x: { data: x, shape: [num_tokens, d_in] },
        layer: engine.layer({ wq: matrix(w_query), wk: matrix(w_key), wv: matrix(w_value), heads: num_heads }),
        causal: true,
        stages: with_weights ? ["merged", "weights"] : ["merged"],
      };
      return () => {
        const { merged, weights } = engine.attention(problem);
        return { context: merged.data, weights: weights?.data ?? null };
      };
    },
  };
}

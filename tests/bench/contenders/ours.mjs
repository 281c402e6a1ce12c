// The engine's JavaScript module. Results are views, which stay valid until the next call.

export async function create({ asset }) {
  const address = asset
    ? asset("engine.js")
    : new URL("../../../build/bench-web/engine/engine.js", import.meta.url).href;
  const { createEngine } = await import(address);
  const engine = await createEngine();
  return {
    version: "",
    prepare({ num_tokens, d_in, d_out, num_heads, x, w_query, w_key, w_value }, with_weights) {
      const inputs = {
        x,
        wq: w_query,
        wk: w_key,
        wv: w_value,
        num_tokens,
        d_in,
        d_out,
        heads: num_heads,
        causal: true,
      };
      const stages = with_weights ? ["merged", "weights"] : ["merged"];
      return () => {
        const { merged, weights } = engine.attention({ ...inputs, stages });
        return { context: merged, weights: weights ?? null };
      };
    },
  };
}

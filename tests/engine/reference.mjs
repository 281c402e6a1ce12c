// Attention in double precision, in plain loops: what engine.attention() is held against. Reads the same arguments, tensors
// only, no dropout. Each stage comes as { data: number[], shape }.

const zeros = (...shape) => ({ data: Array(shape.reduce((product, length) => product * length, 1)).fill(0), shape });

/** x . w + b, cut into heads: (heads, T, head_dim). */
function project(x, w, b, heads) {
  const [T, d_in] = x.shape;
  const d_out = w.shape[1];
  const head_dim = d_out / heads;
  const result = zeros(heads, T, head_dim);
  for (let i = 0; i < T; ++i) {
    for (let column = 0; column < d_out; ++column) {
      let sum = 0;
      for (let c = 0; c < d_in; ++c) sum += x.data[i * d_in + c] * w.data[c * d_out + column];
      const h = Math.floor(column / head_dim);
      result.data[(h * T + i) * head_dim + (column % head_dim)] = sum + (b ? b[column] : 0);
    }
  }
  return result;
}

/** Softmax of some numbers; -Infinity counts as nothing. */
function softmax(row) {
  const row_max = Math.max(...row);
  const exps = row.map((score) => Math.exp(score - row_max));
  const row_sum = exps.reduce((sum, exp) => sum + exp, 0);
  return exps.map((exp) => exp / row_sum);
}

export function reference({ x, wq, wk, wv, wo, bq, bk, bv, bo, ...settings }) {
  const {
    heads = 1,
    kv_heads = heads,
    causal = true,
    mask,
    mask_at = "before",
    scale = "sqrt",
    temperature = 1,
  } = settings;
  const [T] = x.shape;
  const d_out = wq.shape[1];
  const head_dim = d_out / heads;
  const divisor = { sqrt: Math.sqrt(head_dim), none: 1, dim: head_dim }[scale] * temperature;
  const is_hidden = (i, j) => (causal && j > i) || Boolean(mask?.data[i * T + j]);

  const stages = { embeddings: x, queries: project(x, wq, bq, heads), keys: project(x, wk, bk, kv_heads) };
  stages.values = project(x, wv, bv, kv_heads);
  for (const name of ["scores", "scaled_scores", "masked_scores", "unmasked_weights", "weights"]) {
    stages[name] = zeros(heads, T, T);
  }
  stages.context = zeros(heads, T, head_dim);
  stages.merged = zeros(T, d_out);
  for (let h = 0; h < heads; ++h) {
    const shared = Math.floor((h * kv_heads) / heads); // the key head that this head reads
    for (let i = 0; i < T; ++i) {
      const first = (h * T + i) * T;
      const put = (name, row) => row.forEach((number, j) => (stages[name].data[first + j] = number));
      const scores = Array.from({ length: T }, (_, j) => {
        let sum = 0;
        for (let c = 0; c < head_dim; ++c) {
          sum += stages.queries.data[(h * T + i) * head_dim + c] * stages.keys.data[(shared * T + j) * head_dim + c];
        }
        return sum;
      });
      const scaled = scores.map((score) => score / divisor);
      const masked = scaled.map((score, j) => (is_hidden(i, j) ? -Infinity : score));
      const unmasked_weights = softmax(scaled);
      let weights = softmax(masked);
      if (mask_at !== "before") {
        weights = unmasked_weights.map((weight, j) => (is_hidden(i, j) ? 0 : weight));
        const left = mask_at === "after" ? weights.reduce((sum, weight) => sum + weight, 0) : 1;
        weights = weights.map((weight) => weight / left);
      }
      put("scores", scores);
      put("scaled_scores", scaled);
      put("masked_scores", masked);
      put("unmasked_weights", unmasked_weights);
      put("weights", weights);
      for (let c = 0; c < head_dim; ++c) {
        let sum = 0;
        for (let j = 0; j < T; ++j) {
          if (!is_hidden(i, j)) sum += weights[j] * stages.values.data[(shared * T + j) * head_dim + c];
        }
        stages.context.data[(h * T + i) * head_dim + c] = sum;
        stages.merged.data[i * d_out + h * head_dim + c] = sum;
      }
    }
  }
  if (wo) stages.output = { data: project(stages.merged, wo, bo, 1).data, shape: [T, d_out] };
  return stages;
}

// Plain loops over typed arrays, as one writes them without a library; hidden pairs are skipped.

function product(a, b, rows, inner, columns) {
  const result = new Float32Array(rows * columns);
  for (let i = 0; i < rows; ++i) {
    const first = i * columns;
    for (let c = 0; c < inner; ++c) {
      const factor = a[i * inner + c];
      const b_first = c * columns;
      for (let j = 0; j < columns; ++j) result[first + j] += factor * b[b_first + j];
    }
  }
  return result;
}

function attend({ num_tokens: T, d_in, d_out, num_heads, x, w_query, w_key, w_value }, with_weights) {
  const head_dim = d_out / num_heads;
  const divisor = Math.sqrt(head_dim);
  const query = product(x, w_query, T, d_in, d_out);
  const key = product(x, w_key, T, d_in, d_out);
  const value = product(x, w_value, T, d_in, d_out);
  const context = new Float32Array(T * d_out);
  const weights = new Float32Array(with_weights ? num_heads * T * T : T); // or one row, again and again
  for (let h = 0; h < num_heads; ++h) {
    for (let i = 0; i < T; ++i) {
      const row = with_weights ? (h * T + i) * T : 0;
      const first = i * d_out + h * head_dim;
      let row_max = -Infinity;
      for (let j = 0; j <= i; ++j) {
        const key_first = j * d_out + h * head_dim;
        let score = 0;
        for (let c = 0; c < head_dim; ++c) score += query[first + c] * key[key_first + c];
        score /= divisor;
        weights[row + j] = score;
        if (score > row_max) row_max = score;
      }
      let row_sum = 0;
      for (let j = 0; j <= i; ++j) {
        const exp = Math.exp(weights[row + j] - row_max);
        weights[row + j] = exp;
        row_sum += exp;
      }
      for (let j = 0; j <= i; ++j) {
        const weight = weights[row + j] / row_sum;
        const value_first = j * d_out + h * head_dim;
        weights[row + j] = weight;
        for (let c = 0; c < head_dim; ++c) context[first + c] += weight * value[value_first + c];
      }
    }
  }
  return { context, weights: with_weights ? weights : null };
}

export const create = () => ({ version: "", prepare: (problem, with_weights) => () => attend(problem, with_weights) });

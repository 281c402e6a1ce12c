// ml-matrix: matrices of doubles in plain JavaScript.
import { Matrix } from "ml-matrix";

const matrix_of = (numbers, rows, columns) =>
  new Matrix(Array.from({ length: rows }, (_, i) => numbers.subarray(i * columns, (i + 1) * columns)));

function attend({ num_tokens: T, d_in, d_out, num_heads, x, w_query, w_key, w_value }, with_weights) {
  const head_dim = d_out / num_heads;
  const embeddings = matrix_of(x, T, d_in);
  const [query, key, value] = [w_query, w_key, w_value].map((w) => embeddings.mmul(matrix_of(w, d_in, d_out)));
  const context = new Float32Array(T * d_out);
  const all_weights = with_weights ? new Float32Array(num_heads * T * T) : null;
  for (let h = 0; h < num_heads; ++h) {
    const head = (matrix) => matrix.subMatrix(0, T - 1, h * head_dim, (h + 1) * head_dim - 1);
    const weights = head(query).mmul(head(key).transpose()).div(Math.sqrt(head_dim));
    for (let i = 0; i < T; ++i) {
      let row_max = -Infinity;
      for (let j = 0; j <= i; ++j) row_max = Math.max(row_max, weights.get(i, j));
      let row_sum = 0;
      for (let j = 0; j < T; ++j) {
        const exp = j <= i ? Math.exp(weights.get(i, j) - row_max) : 0;
        weights.set(i, j, exp);
        row_sum += exp;
      }
      weights.mulRow(i, 1 / row_sum);
      if (!with_weights) continue;
      for (let j = 0; j < T; ++j) all_weights[(h * T + i) * T + j] = weights.get(i, j);
    }
    const head_context = weights.mmul(head(value));
    for (let i = 0; i < T; ++i) {
      for (let c = 0; c < head_dim; ++c) context[i * d_out + h * head_dim + c] = head_context.get(i, c);
    }
  }
  return { context, weights: all_weights };
}

export const create = () => ({ version: "", prepare: (problem, with_weights) => () => attend(problem, with_weights) });

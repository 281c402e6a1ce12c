// mathjs: matrices as arrays of arrays of numbers.
import { multiply, transpose } from "mathjs";

const matrix_of = (numbers, rows, columns) =>
  Array.from({ length: rows }, (_, i) => Array.from(numbers.subarray(i * columns, (i + 1) * columns)));

/** The softmax of the keys that query i may see; 0 for the others. */
function softmax(scores, i) {
  const row_max = Math.max(...scores.slice(0, i + 1));
  const exps = scores.map((score) => Math.exp(score - row_max));
  for (let j = i + 1; j < exps.length; ++j) exps[j] = 0;
  const row_sum = exps.reduce((sum, exp) => sum + exp, 0);
  return exps.map((exp) => exp / row_sum);
}

function attend({ num_tokens: T, d_in, d_out, num_heads, x, w_query, w_key, w_value }, with_weights) {
  const head_dim = d_out / num_heads;
  const embeddings = matrix_of(x, T, d_in);
  const [query, key, value] = [w_query, w_key, w_value].map((w) => multiply(embeddings, matrix_of(w, d_in, d_out)));
  const context = new Float32Array(T * d_out);
  const all_weights = with_weights ? new Float32Array(num_heads * T * T) : null;
  for (let h = 0; h < num_heads; ++h) {
    const head = (matrix) => matrix.map((row) => row.slice(h * head_dim, (h + 1) * head_dim));
    const scores = multiply(multiply(head(query), transpose(head(key))), 1 / Math.sqrt(head_dim));
    const weights = scores.map(softmax);
    const head_context = multiply(weights, head(value));
    for (let i = 0; i < T; ++i) {
      if (with_weights) all_weights.set(weights[i], (h * T + i) * T);
      context.set(head_context[i], i * d_out + h * head_dim);
    }
  }
  return { context, weights: all_weights };
}

export const create = () => ({ version: "", prepare: (problem, with_weights) => () => attend(problem, with_weights) });

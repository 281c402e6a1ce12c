// The problems of the bench: shapes, seeded numbers, the work they take, and the answer in double precision.
// The same in node and in the page, so it imports nothing.

const shape = (num_tokens, d_in, d_out, num_heads) => ({ num_tokens, d_in, d_out, num_heads });

/** S0 to S6 grow from the lectures' example to a layer of GPT-2 small; the others are there to find cliffs. */
export const kShapes = {
  S0: shape(11, 8, 4, 2),
  S1: shape(6, 3, 2, 1),
  S2: shape(64, 64, 64, 4),
  S3: shape(128, 768, 768, 12),
  S4: shape(512, 768, 768, 12),
  S5: shape(1024, 768, 768, 12),
  S6: shape(2048, 768, 768, 12),
  T100: shape(100, 96, 96, 3),
  T777: shape(777, 768, 768, 12),
  D1: shape(256, 64, 64, 64), // head_dim 1
  D5: shape(256, 60, 60, 12), // head_dim 5
  D80: shape(256, 640, 640, 8), // head_dim 80
};

/**
 * What causal attention needs at least: hidden pairs are not computed.
 * flops: multiplications and additions of the projections and the two products; exps: one a visible pair;
 * weight_bytes: the (num_heads, T, T) weights, the zeros of hidden pairs included.
 */
export function work_of({ num_tokens: T, d_in, d_out, num_heads }) {
  const pairs = (T * (T + 1)) / 2;
  const projection_flops = 3 * 2 * T * d_in * d_out;
  return {
    flops: projection_flops + 2 * 2 * pairs * d_out,
    dense_flops: projection_flops + 2 * 2 * T * T * d_out,
    exps: num_heads * pairs,
    weight_bytes: 4 * num_heads * T * T,
  };
}

/** Uniform numbers of variance `variance`, the same everywhere: a linear congruential generator (Numerical Recipes). */
function uniform_numbers(count, variance, seed) {
  const reach = Math.sqrt(3 * variance);
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 31 - 1) * reach;
  });
}

/**
 * The numbers of one problem: x (T, d_in) and three (d_in, d_out) matrices, row-major. The scores have a variance of about
 * two, so the softmax is neither flat nor a single 1.
 */
export function make_problem(shape_of_it) {
  const { num_tokens, d_in, d_out } = shape_of_it;
  const matrix = (seed) => uniform_numbers(d_in * d_out, 1.4 / d_in, seed);
  const x = uniform_numbers(num_tokens * d_in, 1, 1);
  return { ...shape_of_it, x, w_query: matrix(2), w_key: matrix(3), w_value: matrix(4) };
}

const kAllRows = 128; // up to this many tokens every row is checked
const kSampledRows = 40;

/** The query rows that are checked: the first, the last, and others spread evenly between. */
export function checked_rows(num_tokens) {
  const count = num_tokens <= kAllRows ? num_tokens : kSampledRows;
  const step = count > 1 ? (num_tokens - 1) / (count - 1) : 0;
  return Array.from({ length: count }, (_, k) => Math.round(k * step));
}

/** The rows `rows` of a (., inner) times b (inner, columns), in double. */
function product_rows(a, b, inner, columns, rows) {
  const result = new Float64Array(rows.length * columns);
  rows.forEach((row, r) => {
    const sums = result.subarray(r * columns, (r + 1) * columns);
    for (let c = 0; c < inner; ++c) {
      const factor = a[row * inner + c];
      for (let j = 0; j < columns; ++j) sums[j] += factor * b[c * columns + j];
    }
  });
  return result;
}

/** The checked rows in double precision: context (rows, d_out), then weights (rows, num_heads, T), in one array. */
export function reference_of(problem) {
  const { num_tokens: T, d_in, d_out, num_heads, x, w_query, w_key, w_value } = problem;
  const head_dim = d_out / num_heads;
  const rows = checked_rows(T);
  const every_row = Array.from({ length: T }, (_, i) => i);
  const query = product_rows(x, w_query, d_in, d_out, rows);
  const key = product_rows(x, w_key, d_in, d_out, every_row);
  const value = product_rows(x, w_value, d_in, d_out, every_row);
  const reference = new Float64Array(rows.length * (d_out + num_heads * T));
  const { context, weights } = split_reference(problem, reference);
  rows.forEach((i, r) => {
    for (let h = 0; h < num_heads; ++h) {
      const first = h * head_dim;
      const row = weights.subarray((r * num_heads + h) * T, (r * num_heads + h + 1) * T);
      let row_max = -Infinity;
      for (let j = 0; j <= i; ++j) {
        let score = 0;
        for (let c = first; c < first + head_dim; ++c) score += query[r * d_out + c] * key[j * d_out + c];
        row[j] = score / Math.sqrt(head_dim);
        row_max = Math.max(row_max, row[j]);
      }
      let row_sum = 0;
      for (let j = 0; j <= i; ++j) row_sum += row[j] = Math.exp(row[j] - row_max);
      for (let j = 0; j <= i; ++j) {
        row[j] /= row_sum;
        for (let c = first; c < first + head_dim; ++c) context[r * d_out + c] += row[j] * value[j * d_out + c];
      }
    }
  });
  return reference;
}

function split_reference({ num_tokens, d_out }, reference) {
  const split = checked_rows(num_tokens).length * d_out;
  return { context: reference.subarray(0, split), weights: reference.subarray(split) };
}

// Sums of up to 768 products of float rounding error 6e-8 stay an order below this; a wrong head, mask or scale does not.
export const kTolerance = 1e-4;

/**
 * The largest absolute difference to the reference in context (T, d_out) and weights (num_heads, T, T) (null: not asked
 * for). Infinity where a length is wrong, and where a number is none.
 */
export function error_of(problem, result, reference) {
  const { num_tokens: T, d_out, num_heads } = problem;
  const { context, weights } = split_reference(problem, reference);
  if (result.context.length !== T * d_out) return Infinity;
  if (result.weights && result.weights.length !== num_heads * T * T) return Infinity;
  let worst = 0;
  const compare = (got, got_first, want, want_first, count) => {
    for (let k = 0; k < count; ++k) {
      const difference = Math.abs(got[got_first + k] - want[want_first + k]);
      if (!(difference <= worst)) worst = Number.isNaN(difference) ? Infinity : difference;
    }
  };
  checked_rows(T).forEach((i, r) => {
    compare(result.context, i * d_out, context, r * d_out, d_out);
    if (!result.weights) return;
    for (let h = 0; h < num_heads; ++h) compare(result.weights, (h * T + i) * T, weights, (r * num_heads + h) * T, T);
  });
  return worst;
}

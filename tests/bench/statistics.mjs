// From samples to figures: medians, whose turn it is, ratios, tables. Knows nothing about how a sample is taken.

/** The middle of the numbers; NaN of none. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)];
  return sorted.length === 0 ? NaN : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The order of one round: forwards, then backwards, so that nobody always follows the same neighbour. */
export const in_turn = (contenders, round) => (round % 2 === 0 ? contenders : [...contenders].reverse());

const kEnoughCalm = 3;

/**
 * samples: [{ ms, is_calm, round }]. The median is of the calm samples, taken beside a canary at its usual speed, where there are
 * three of them; else of all, and the figure counts as noisy.
 */
export function summarize(samples) {
  const calm = samples.filter(({ is_calm }) => is_calm);
  const used = (calm.length >= kEnoughCalm ? calm : samples).map(({ ms }) => ms);
  return {
    ms: median(used),
    fastest_ms: Math.min(...used),
    slowest_ms: Math.max(...used),
    samples: samples.length,
    calm_samples: calm.length,
    is_noisy: calm.length < kEnoughCalm,
    rounds: by_round(samples, ({ ms }) => ms),
  };
}

/** What each round came to, its last sample; null: it had none. */
export function by_round(samples, figure_of) {
  const rounds = Array.from({ length: Math.max(0, ...samples.map(({ round }) => round + 1)) }, () => null);
  for (const sample of samples) rounds[sample.round] = figure_of(sample);
  return rounds;
}

/**
 * The median over the rounds of what `figure` makes of both; NaN where they share none. A machine that is now fast and now slow
 * for everybody moves it less than the medians of each.
 */
export function median_of_rounds(ours, theirs, figure) {
  const shared = ours.flatMap((one, round) =>
    one === null || (theirs[round] ?? null) === null ? [] : [figure(one, theirs[round])],
  );
  return median(shared);
}

/** The fastest of the peers that gave the right numbers, or null. rows: [{ kind, ms, error }]. */
export function best_peer(rows, tolerance) {
  const peers = rows.filter(({ kind, ms, error }) => kind === "peer" && ms > 0 && error <= tolerance);
  return peers.reduce((best, row) => (best && best.ms <= row.ms ? best : row), null);
}

/** GFLOP/s from floating point operations and milliseconds. */
export const gflops = (flops, ms) => flops / ms / 1e6;

/** Three digits that count: 0.0123, 1.23, 12.3, 1230. */
export function three_digits(number) {
  if (!Number.isFinite(number)) return "-";
  if (number >= 100) return number.toFixed(0);
  return String(Number(number.toPrecision(3)));
}

/** rows of text as a Markdown table; the first row is the head, the first column is to the left, the others to the right. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length), 3));
  const line = (row) =>
    `| ${row.map((text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]))).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(rows[0]), rule, ...rows.slice(1).map(line)].join("\n");
}

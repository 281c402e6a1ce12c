// The figures of one run as tables on the terminal: times, ratios to the best peer, share of the machine's peak, the noise.
import { kGoals } from "./contenders.mjs";
import { kTolerance } from "./problems.mjs";
import { best_peer, gflops, median_of_rounds, table, three_digits } from "./statistics.mjs";

const percent = (part) => (Number.isFinite(part) ? `${(100 * part).toFixed(0)} %` : "-");

/** "0.123", with a star where the machine was never calm; a word where there is no time. */
function time_text(row) {
  if (!row) return "";
  if (row.failure) return "failed";
  if (!(row.error <= kTolerance)) return "wrong";
  return three_digits(row.ms) + (row.is_noisy ? "*" : "");
}

/** The rows of one environment and variant as columns of shapes. */
function time_table(rows, shapes) {
  const row_of = (name, shape) => rows.find((row) => row.name === name && row.shape === shape);
  const names = [...new Set(rows.filter(({ kind }) => kind !== "limit").map(({ name }) => name))];
  return table([
    ["median ms", ...shapes],
    ...names.map((name) => [name, ...shapes.map((shape) => time_text(row_of(name, shape)))]),
  ]);
}

/** The limits of an instruction set, the best that was seen in any of these rows; null where they were not measured. */
function limits_in(rows, set) {
  const limits = rows.filter((row) => row.kind === "limit" && row.set === set && !row.failure);
  if (limits.length === 0) return null;
  const best = (name) => Math.max(...limits.map((row) => row[name]));
  return { multiply_add: best("multiply_add"), softmax: best("softmax"), write: best("write") };
}

/** Each row of ours that is right, with its shape, the best peer there, the limits of its instruction set and its peaks there. */
function our_rows(rows, shapes) {
  return shapes.flatMap((shape) => {
    const here = rows.filter((row) => row.shape === shape);
    return here
      .filter(({ kind, ms, error }) => kind === "ours" && ms > 0 && error <= kTolerance)
      .map((ours) => ({
        shape,
        ours,
        peer: best_peer(here, kTolerance),
        limits: limits_in(rows, ours.set),
        peaks: here.find(({ kind, set, failure }) => kind === "limit" && set === ours.set && !failure)?.rounds ?? [],
      }));
  });
}

const label = ({ shape, ours }) => (ours.set ? `${shape} ${ours.set}` : shape);

/** Ours against the best peer and the peak. */
function ratio_table(rows, shapes, { work_of_shape, goals }) {
  const lines = our_rows(rows, shapes).map((row) => {
    const { shape, ours, peer, limits, peaks } = row;
    const { flops } = work_of_shape(shape);
    const rate = gflops(flops, ours.ms);
    const goal = goals?.[shape];
    return [
      label(row),
      peer?.name ?? "-",
      three_digits(peer ? ours.ms / peer.ms : NaN),
      three_digits(peer ? median_of_rounds(ours.rounds, peer.rounds, (a, b) => a / b) : NaN),
      three_digits(peer ? ours.fastest_ms / peer.fastest_ms : NaN),
      goal === undefined ? "" : `${goal}`,
      three_digits(rate),
      percent(rate / limits?.multiply_add),
      percent(median_of_rounds(ours.rounds, peaks, (ms, peak) => gflops(flops, ms) / peak)),
    ];
  });
  const head = [
    ...["size", "best peer", "ours / peer", "round by round", "fastest / fastest", "goal"],
    ...["GFLOP/s", "of the peak", "of its round's"],
  ];
  return table([head, ...lines]);
}

/** What the limits say ours takes at least, part by part, beside what it takes. */
function limit_table(rows, shapes, work_of_shape) {
  const lines = our_rows(rows, shapes)
    .filter(({ limits }) => limits)
    .map((row) => {
      const { flops, exps, weight_bytes } = work_of_shape(row.shape);
      const { multiply_add, softmax, write } = row.limits;
      const parts = [flops / multiply_add, exps / softmax, weight_bytes / write].map(
        (nanoseconds) => nanoseconds / 1e6,
      );
      const sum = parts[0] + parts[1] + parts[2];
      return [label(row), ...[...parts, sum, row.ours.ms].map(three_digits), percent(sum / row.ours.ms)];
    });
  const head = ["size", "products at the peak, ms", "softmax", "writing weights", "sum", "ours", "sum / ours"];
  return table([head, ...lines]);
}

/** The limits, each the best that was seen. */
function limit_lines(rows) {
  return [...new Set(rows.map(({ name }) => name))].map((name) => {
    const own = rows.filter((row) => row.name === name);
    const best = (of) => Math.max(...own.map(of));
    const kernels = own[0].kernels.map((_, k) => three_digits(best((row) => row.kernels[k])));
    const [exp, softmax] = ["exp", "softmax"].map((part) => three_digits(1 / best((row) => row[part])));
    return (
      `${name}: multiply and add ${kernels.join(", ")} GFLOP/s (the best counts as the peak), exp ${exp} ns, ` +
      `in the softmax ${softmax} ns, writing ${three_digits(best((row) => row.write))} GB/s`
    );
  });
}

/** What failed or gave wrong numbers, a sentence each. */
function complaints(rows) {
  const bad = rows.filter(({ kind, failure, error }) => failure || (kind !== "limit" && !(error <= kTolerance)));
  const sentences = bad.map(({ environment, shape, name, failure, error }) => {
    const why = failure ? failure.split("\n", 1)[0] : `off by ${error}`;
    return `${environment} ${shape} ${name}: ${why}`;
  });
  return [...new Set(sentences)];
}

/** The report as text; is_right: nothing failed, no number was wrong. */
export function report_text(report) {
  const shapes = Object.keys(report.shapes);
  const work_of_shape = (shape) => report.shapes[shape];
  const disturbance = three_digits(report.canary.median_ms / report.canary.usual_ms);
  const parts = [
    `${report.processor}, ${report.cores} cores; ${report.clock} clock; canary ${disturbance} times its best`,
  ];
  for (const [name, version] of Object.entries(report.environments)) {
    for (const with_weights of [true, false]) {
      const is_here = (row) => row.environment === name && [undefined, with_weights].includes(row.with_weights);
      const rows = report.rows.filter(is_here);
      const goals = with_weights && name !== "native" ? kGoals : null;
      parts.push(
        `## ${name} ${version}: ${with_weights ? "context and weights" : "context only"}`,
        time_table(rows, shapes),
        ratio_table(rows, shapes, { work_of_shape, goals }),
      );
      if (with_weights) parts.push(limit_table(rows, shapes, work_of_shape));
    }
    parts.push(...limit_lines(report.rows.filter((row) => row.environment === name && row.kernels)));
  }
  const bad = complaints(report.rows);
  parts.push("* = fewer than three samples beside a calm canary", ...bad);
  return { text: parts.join("\n\n"), is_right: bad.length === 0 };
}

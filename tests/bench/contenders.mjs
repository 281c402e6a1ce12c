// Who takes part, and where. kind: "ours", "peer", or "limit" (what the machine can do, contenders/limits.mjs).
// most_flops: too slow to wait for beyond that much work of the dense form.

const script = (name, kind, module, options = {}, most_flops = Infinity) => ({
  name,
  kind,
  module: `contenders/${module}.mjs`,
  options,
  most_flops,
});
const program = (name, kind, executable, args = []) => ({ name, kind, executable, args, most_flops: Infinity });

const kScripts = [
  script("limits", "limit", "limits"),
  script("ours", "ours", "ours"),
  script("onnxruntime plain", "peer", "onnxruntime", { graph: "plain" }),
  script("onnxruntime Attention", "peer", "onnxruntime", { graph: "attention" }),
  script("tfjs batched", "peer", "tfjs", { style: "batched" }),
  script("tfjs per head", "peer", "tfjs", { style: "per_head" }),
  script("JavaScript loops", "peer", "loops", {}, 6e9),
  script("ml-matrix", "peer", "ml_matrix", {}, 3e9),
  script("mathjs", "peer", "mathjs", {}, 1e7),
];

/** Ours and the limits once for each instruction set that the processor has; `set` as simd_kernels.h names it. */
const for_instructions = (flag, folder, set) => [
  { ...program(`limits ${set}`, "limit", `bench_limits_${folder}`, [set]), flag, set },
  { ...program(`ours ${set}`, "ours", "bench_ours", [set]), flag, set },
];

/** The contenders of each environment, in the order of a round. */
export const kContenders = {
  node: kScripts,
  chromium: kScripts,
  native: [
    ...for_instructions("", "baseline", "baseline"),
    ...for_instructions("avx2", "avx2", "AVX2"),
    ...for_instructions("avx512dq", "avx512", "AVX-512"),
    program("OpenBLAS dense", "peer", "bench_openblas", ["dense"]),
    program("OpenBLAS causal", "peer", "bench_openblas", ["causal"]),
    program("Eigen causal", "peer", "bench_eigen"),
  ],
};

/** What ours takes, in times of the best peer, context and weights, in node and in Chromium; S1: of the loops. */
export const kGoals = { S0: 0.25, S1: 1, S2: 0.35, S3: 0.6, S4: 0.5, S5: 0.5, S6: 0.35 };

// The limits of WebAssembly here: measure() gives, in 10^9 a second, operations of the micro-kernels (one number a shape,
// see limits.h), exps alone and within the engine's softmax, and bytes written.

const kTries = 12;
const kPieceMs = 1; // short, so that most tries are not interrupted

/** Work a second, in units of 10^9: the best of some short tries, as a limit is a maximum. */
function rate(piece) {
  let best = 0;
  let repetitions = 1;
  for (let tries = 0; tries < kTries;) {
    const start = performance.now();
    const work = piece(repetitions);
    const ms = performance.now() - start;
    if (ms < kPieceMs) {
      repetitions *= 2;
    } else {
      best = Math.max(best, work / ms / 1e6);
      ++tries;
    }
  }
  return best;
}

export async function create({ asset }) {
  const address = asset ? asset("limits.mjs") : new URL("../../../build/web/limits.mjs", import.meta.url).href;
  const { default: instantiate } = await import(address);
  const limits = await instantiate();
  return {
    version: "",
    measure() {
      const multiply_add = [];
      for (let shape = 0; limits._limits_multiply_add(shape, 1) > 0; ++shape)
        multiply_add.push(rate((repetitions) => limits._limits_multiply_add(shape, repetitions)));
      return {
        multiply_add,
        exp: rate(limits._limits_exp),
        softmax: rate(limits._limits_softmax),
        write: rate(limits._limits_write),
      };
    },
  };
}

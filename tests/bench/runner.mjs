// Runs one contender where it stands: the same in a node process and in a page. hosts.mjs drives it from outside.
//
// A contender's module has create(environment) -> { version, prepare(problem, with_weights) -> attend } where
// attend() -> { context, weights } (or a promise of it) is what is timed; weights is null when it is not wanted. What a person
// does once (a graph, a mask, a session) belongs into prepare. contenders/limits.mjs has measure() instead.
import { error_of, kShapes, make_problem } from "./problems.mjs";

export class Runner {
  #contender;
  #attend;

  constructor(contender) {
    this.#contender = contender;
  }

  /** The first call, which nobody times, held against the reference. */
  async start(shape, with_weights, reference) {
    const problem = make_problem(kShapes[shape]);
    this.#attend = await this.#contender.prepare(problem, with_weights);
    const error = error_of(problem, await this.#attend(), reference);
    return { error, version: this.#contender.version };
  }

  /** Milliseconds a call. One call more goes ahead, as the caches are cold after the others' turns. */
  async batch(calls) {
    await this.#attend();
    const start = performance.now();
    for (let k = 0; k < calls; ++k) {
      const result = this.#attend();
      if (result instanceof Promise) await result;
    }
    return (performance.now() - start) / calls;
  }

  /** What the machine can do here, see contenders/limits.mjs. */
  measure() {
    return this.#contender.measure();
  }
}

// What the parts of a test run cost in processor time: what a machine has to do, whatever else it does meanwhile. The time on the
// clock grows with that. Knows no part of this project.
import { AsyncLocalStorage } from "node:async_hooks";
import { existsSync, readFileSync } from "node:fs";

const kStat = "/proc/self/stat"; // proc(5); Linux only
const kTicks = 100; // a second, on every Linux that programs see

export class Costs {
  #seconds = new Map(); // of each payer, in the order they came
  #counted = 0;
  #payer = new AsyncLocalStorage();

  /** Calls `work`: what count() finds in it, and in what it waits for, is `payer`'s. */
  async of(payer, work) {
    this.#seconds.set(payer, this.seconds(payer));
    return this.#payer.run(payer, async () => {
      const result = await work();
      this.count(); // what was started elsewhere than in run()
      return result;
    });
  }

  /**
   * To be called when a program has ended: adds what the programs took that ended since the last call, and those they waited for.
   * Programs whose parent did not wait for them are not among them: the last of a browser that was killed.
   */
  count() {
    const all = Costs.#of_ended_programs();
    const payer = this.#payer.getStore();
    this.#seconds.set(payer, this.seconds(payer) + all - this.#counted);
    this.#counted = all;
  }

  /** Seconds of processor time; 0 where the system does not tell. */
  seconds(payer) {
    return this.#seconds.get(payer) ?? 0;
  }

  get payers() {
    return [...this.#seconds.keys()];
  }

  static #of_ended_programs() {
    if (!existsSync(kStat)) return 0;
    const after_name = readFileSync(kStat, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const [user, system] = after_name.slice(13, 15); // cutime, cstime
    return (Number(user) + Number(system)) / kTicks;
  }
}

// How long tests wait. They wait for what they mean and not for a time, so a machine that is busy makes them slow and not wrong;
// these limits only end what would never come.
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds for one thing that a test waits for: far more than it takes where ten other programs are at work. */
export const kPatience = 120_000;

/** Calls `probe` until it gives something true, and returns that; fails with `what` when it does not in time. */
export async function eventually(what, probe) {
  const end = Date.now() + kPatience;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await sleep(50);
  }
}

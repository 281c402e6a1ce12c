// Messages of any kind between a page and the playground in its frame, and the running of the targets that try them. The same
// ones each time.
//   [--runs N] [--seconds N] [--seed N]
import assert from "node:assert/strict";
import { parseArgs, types } from "node:util";

const kLongest = 20; // s for all that one message starts

/** Numbers that look random, the same ones for the same seed (mulberry32). @param {number} seed */
function dice(seed) {
  const next = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  const below = (size) => next() % size;
  return { below, one_of: (list) => list[below(list.length)] };
}

export const kTypes = [
  "hello",
  "get_state",
  "set_state",
  "near",
  "get_stage",
  "get_answers",
  "export",
  "result",
  "ready",
  "size",
  "error",
];
export const kNoTypes = ["", "HELLO", "__proto__", "constructor", "toString", "hasOwnProperty", "then"];
export const kKeys = [
  "attention",
  "type",
  "id",
  "link",
  "stage",
  "kind",
  "options",
  "is_near",
  "earlier",
  "height",
  "__proto__",
  "then",
];
export const kTexts = [
  "",
  "heads=2",
  "score=7/9/1",
  "text=a%20b",
  "\uD800",
  "png",
  "weights",
  "x".repeat(5000),
  "a\0b",
  "#?&=%zz",
];

/** What structured cloning carries, and a message can hold. */
export function any_value({ below, one_of }, depth = 0) {
  const makers = [
    () => one_of(kTexts),
    () => one_of(kTypes),
    () => one_of([0, -0, 1, -1, NaN, Infinity, 1e308, 2 ** 53, 10n, true, false, null, undefined]),
    () => new Date(below(1e9)),
    () => new Map([[one_of(kKeys), 1]]),
    () => new Set([1]),
    () => /ab/g,
    () => new Error(one_of(kTexts)),
    () => new Uint8Array(below(100)),
    () => new ArrayBuffer(below(100)),
    () => new MessageChannel().port1,
    () => ({ toString: one_of(kTexts), valueOf: null }),
    () => Object.create(null),
    () => Array.from({ length: below(4) }, () => (depth > 3 ? 0 : any_value({ below, one_of }, depth + 1))),
    () => nested(below(3000)),
    () =>
      Object.fromEntries(
        Array.from({ length: below(4) }, () => [
          one_of(kKeys),
          depth > 3 ? 0 : any_value({ below, one_of }, depth + 1),
        ]),
      ),
  ];
  return one_of(makers)();
}

function nested(depth) {
  let value = [];
  for (let i = 0; i < depth; ++i) value = [value];
  return value;
}

/** All that can only be handed over, not copied. */
function ports_in(value, ports = new Set(), seen = new Set()) {
  const stack = [value];
  while (stack.length > 0) {
    const one = stack.pop();
    if (typeof one !== "object" || one === null || seen.has(one)) continue;
    seen.add(one);
    if (Object.getPrototypeOf(one) === MessagePort.prototype) ports.add(one);
    else if (types.isMap(one)) stack.push(...one.values());
    else if (!ArrayBuffer.isView(one)) stack.push(...Object.values(one));
  }
  return [...ports];
}

/** What arrives of a message. */
export const copy_of = (sent) => structuredClone(sent, { transfer: ports_in(sent) });

/**
 * Tries one message after the other, as many or as long as the command line says. What stops it is told with its seed.
 * @param {string} name of the target
 * @param {(random: ReturnType<typeof dice>) => Promise<void>} try_one
 */
export async function try_many(name, try_one) {
  const { values } = parseArgs({
    options: {
      runs: { type: "string" },
      seconds: { type: "string" },
      seed: { type: "string" },
      keep: { type: "string" },
    },
  });
  const first = Number(values.seed ?? 1);
  const end = Date.now() + 1000 * Number(values.seconds ?? 0);
  let seed = first;
  process.on("unhandledRejection", (error) => {
    throw error;
  });
  process.on("uncaughtException", (error) => {
    console.error(`the message of --seed ${seed} --runs 1: ${/** @type {Error} */ (error).stack}`);
    process.exit(1);
  });
  const runs = Number(values.runs ?? 0);
  for (; seed < first + runs || Date.now() < end; ++seed) {
    const random = dice(seed);
    const timer = setTimeout(() => assert.fail("it takes too long"), kLongest * 1000);
    await try_one(random);
    clearTimeout(timer);
  }
  console.log(`${name}: ${seed - first} messages, nothing found`);
}

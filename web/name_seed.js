// Numbers of one's own in a package: the seed of a student's name, the same that the author's page and `attn variants` give it
// (src/core/words/name_seed.h, docs/files.md), so that the teacher's key holds.
import { with_values } from "./links.js";

/** @import { Course } from "./types" */

const kLargestSeed = 999_999_999n;
const kMask = (1n << 64n) - 1n;

/** What turns the direction of writing is named, unless it is an isolate that ends. @param {string} line */
function without_turns(line) {
  let open = 0;
  const named = line.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (mark) => {
    if (mark === "\u2068" && ++open > 0) return mark;
    if (mark === "\u2069" && open > 0 && open-- > 0) return mark;
    return `<U+${mark.charCodeAt(0).toString(16).padStart(4, "0")}>`;
  });
  return named + "\u2069".repeat(open);
}

/**
 * A name as it is hashed: one line, without white space at its ends, with one blank for each run of white space inside.
 * @param {string} name
 */
export function normal_name(name) {
  const line = name
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/[\t-\r\x85\u2028\u2029]/g, " ")
    .replace(/\p{Cc}/gu, "\ufffd")
    .replace(/\p{Noncharacter_Code_Point}/gu, "");
  return without_turns(line)
    .replace(/\p{White_Space}+/gu, " ")
    .replace(/^ | $/g, "");
}

/** "Lovelace, Ada", as course systems write names, in the order of a list of names: "Ada Lovelace". @param {string} name */
export function spoken_name(name) {
  const parts = name.split(",").map((part) => part.trim());
  return parts.length === 2 && parts.every((part) => part !== "") ? `${parts[1]} ${parts[0]}` : name.trim();
}

/** SplitMix64's last part. @param {bigint} z */
function mixed(z) {
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & kMask;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & kMask;
  return z ^ (z >> 31n);
}

/**
 * 1 to 999,999,999. Two names may have one seed: a package knows no list, in which the second would get the next.
 * @param {string} name
 * @param {number} base the seed of the link that was handed out
 */
export function seed_of_name(name, base) {
  let hash = 0xcbf29ce484222325n; // FNV-1a
  for (const byte of new TextEncoder().encode(normal_name(name)))
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & kMask;
  return Number((mixed(hash ^ mixed((BigInt(base) + 0x9e3779b97f4a7c15n) & kMask)) % kLargestSeed) + 1n);
}

/**
 * The link with the numbers of this student; the course's own where all have the same, or nobody is named.
 * @param {Course} course
 * @param {string} learner
 */
export function link_for({ link, seeds }, learner) {
  if (!seeds || normal_name(learner) === "") return link;
  const seed = String(seed_of_name(learner, seeds.base));
  return seeds.keys.reduce((link, key) => with_values(link, key, [seed]), link);
}

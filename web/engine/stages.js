// The wanted stages of attention() as bits, in the order of TensorId (src/core/attention/stage_info.h).
import { choice_of, shown } from "./arguments.js";

/** "-": a stage of rotary positions or ALiBi, which links have and attention() has not. @type {readonly string[]} */
export const kStageNames = (
  "embeddings queries keys values - - scores scaled_scores - masked_scores unmasked_weights weights dropped_weights " +
  "context merged output"
).split(" ");
const kOffered = kStageNames.filter((name) => name !== "-");

const bit_of = (/** @type {string} */ name) => 1 << kStageNames.indexOf(name);
const kBits = new Map(kOffered.map((name) => [name, bit_of(name)]));
const kUsual = bit_of("weights") | bit_of("merged");
const kOutput = bit_of("output");
const kMasked = bit_of("masked_scores");
const kUnmasked = bit_of("unmasked_weights");
const kDropped = bit_of("dropped_weights");

/**
 * @param {unknown} names an array, or undefined for the usual ones
 * @param {{ has_output: boolean, masks_before: boolean, drops: boolean }} settings
 */
export function wanted_stages(names, { has_output, masks_before, drops }) {
  if (names === undefined) return has_output ? kUsual | kOutput : kUsual;
  if (!Array.isArray(names)) throw new TypeError(`stages is ${shown(names)}: it should be an array of names of stages`);
  let bits = 0;
  for (let i = 0; i < names.length; ++i) {
    bits |= kBits.get(names[i]) ?? bit_of(kOffered[choice_of(`stages[${i}]`, names[i], kOffered)]);
  }
  if (bits === 0) throw new RangeError("stages is []: it should name at least one stage");
  if (!has_output && bits & kOutput) throw missing("output", "comes with wo only");
  if (!masks_before && bits & kMasked) throw missing("masked_scores", 'comes with mask_at "before" only');
  if (masks_before && bits & kUnmasked)
    throw missing("unmasked_weights", 'comes with mask_at "after" or "after_raw" only');
  if (!drops && bits & kDropped) throw missing("dropped_weights", "comes with a dropout above 0 only");
  return bits;
}

/**
 * @param {string} stage
 * @param {string} why
 */
const missing = (stage, why) => new RangeError(`stages has "${stage}", which ${why}`);

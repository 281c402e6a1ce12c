// What a course system keeps between two visits: the state and the answers as one text, packed, because SCORM 1.2 has room for 4,096
// letters. What comes back may be anybody's: it is a state and answers, or nothing.

/** @import { AnswerRecord, KeptVisit } from "../types" */

const kVersion = "attn1:";
const kMostUnpacked = 4 * 2 ** 20; // bytes

/** Whether it has what report.js reads; the engine looks at the rest. @param {any} one */
const is_answer = (one) =>
  ["lesson", "question", "asked", "typed"].every((name) => typeof one?.[name] === "string") &&
  ["step", "tries", "right_at", "last"].every((name) => Number.isFinite(one[name]));

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} stream */
const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);

/**
 * As many answers as there is room for: those that were answered longest ago are left out.
 * @param {KeptVisit} visit
 * @param {number} most letters of the text
 * @returns {Promise<string>} of ASCII
 */
export async function pack(visit, most) {
  const answers = visit.answers.map(({ title, step_title, ...answer }) => /** @type {AnswerRecord} */ (answer));
  const lately = [...answers].sort((a, b) => b.last - a.last);
  for (let count = answers.length; ; count = Math.floor(count * 0.9)) {
    const text = await packed({ ...visit, answers: lately.slice(0, count) });
    if (text.length <= most) return text;
    if (count === 0) return "";
  }
}

/** @param {KeptVisit} visit */
async function packed(visit) {
  const bytes = new TextEncoder().encode(JSON.stringify(visit));
  const stream = through(bytes, new CompressionStream("deflate-raw"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (const byte of packed) letters += String.fromCharCode(byte);
  return kVersion + btoa(letters);
}

/**
 * What pack() wrote of this package; null for anything else.
 * @param {string} text
 * @param {string} id of the package
 * @returns {Promise<KeptVisit | null>}
 */
export async function unpack(text, id) {
  if (!text.startsWith(kVersion)) return null;
  try {
    const bytes = Uint8Array.from(atob(text.slice(kVersion.length)), (letter) => letter.charCodeAt(0));
    let count = 0;
    const limit = new TransformStream({
      transform(/** @type {Uint8Array} */ part, controller) {
        if ((count += part.length) > kMostUnpacked) throw new Error("it would go on for as long as it likes");
        controller.enqueue(part);
      },
    });
    const stream = through(bytes, new DecompressionStream("deflate-raw")).pipeThrough(limit);
    const visit = JSON.parse(await new Response(stream).text());
    const is_visit =
      visit?.id === id &&
      typeof visit.link === "string" &&
      Array.isArray(visit.answers) &&
      visit.answers.every(is_answer);
    return is_visit ? { id, link: visit.link, answers: visit.answers } : null;
  } catch {
    return null;
  }
}

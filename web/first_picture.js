// Which links the first part of the engine's WebAssembly can draw by itself. tools/split.mjs draws pictures of these links and puts
// the functions they call into the first part. All other functions are in later parts, which load after the first picture.

// Long enough that computing takes a moment, in which the picture shows its progress, and that the memory has to grow.
const kLongText = "attention+is+all+you+need,+they+said.+".repeat(120).slice(0, -1);

/**
 * Keys that these links may have, with any value. tools/split.mjs draws pictures with the values listed here. The default state
 * has none of these keys.
 */
export const kFirstKeys = {
  text: [kLongText, "Attention+is+all+you+need", "The+quick+brown+fox+jumps+over+the+lazy+dog+again+and+again"],
  heads: ["1", "4"],
  d_in: ["1024", "8"],
  d_out: ["1024", "8", "16"],
  seed: ["7"],
  theme: ["dark", "light"],
};

/** More keys that these links may have, but only with these values. Together they take 11 KB of the first part, compressed. */
export const kFirstValues = {
  view: ["lines", "door"],
  stage: ["scores"],
  mask: ["none"],
  pos: ["none"],
  hide: ["settings"],
};

/**
 * Whether the first part suffices for the first picture of a link; it has no letters but English ones. If it does not after all,
 * the page fetches what is missing while drawing.
 * @param {import("./types").Link} link
 */
export function is_drawn_by_first_part(link) {
  const values = new Map(Object.entries(kFirstValues));
  return [...new URLSearchParams(link)].every(
    ([key, value]) =>
      (Object.hasOwn(kFirstKeys, key) && /^[ -~]*$/.test(value)) || key === "v" || values.get(key)?.includes(value),
  );
}

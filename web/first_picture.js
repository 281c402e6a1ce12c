// Which links the first part of the engine's WebAssembly can draw by itself. tools/split.mjs draws pictures of such links and
// makes that part of the functions they take; all other functions are in the second part, which comes after the first picture.

// Long enough to take a moment, in which the picture says how far it is, and more memory than is always there.
const kLongText = "attention+is+all+you+need,+they+said.+".repeat(60).slice(0, -1);

/**
 * Keys of such links, whatever their value is, each with values that are drawn when the module is divided. The default state needs
 * none of them.
 */
export const kFirstKeys = {
  text: [kLongText, "Attention+is+all+you+need", "The+quick+brown+fox+jumps+over+the+lazy+dog+again+and+again"],
  heads: ["1", "4"],
  d_in: ["1024", "8"],
  d_out: ["1024", "8", "16"],
  seed: ["7"],
  theme: ["dark", "light"],
};

/** Keys of such links with the values that they may have. All of them together take 11 KB of the first part, packed. */
export const kFirstValues = {
  view: ["lines"],
  stage: ["scores"],
  mask: ["none"],
  pos: ["none"],
  hide: ["settings"],
};

/**
 * Whether the first picture of a link takes nothing but the first part. If it takes more after all, the second part is fetched
 * while it is drawn.
 * @param {import("./types").Link} link
 */
export function is_drawn_by_first_part(link) {
  const values = new Map(Object.entries(kFirstValues));
  return [...new URLSearchParams(link)].every(
    ([key, value]) => Object.hasOwn(kFirstKeys, key) || key === "v" || values.get(key)?.includes(value),
  );
}

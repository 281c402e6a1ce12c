// The lessons as the program has them.
import { attn } from "./random_links.mjs";

/** The number of steps of each lesson. @returns {Map<string, number>} */
export function lesson_steps() {
  const { legal } = JSON.parse(attn("keys", "--format", "json")).find(({ key }) => key === "lesson");
  const names = legal.replace(/ or /, ", ").split(", ");
  return new Map(
    names.map((name) => {
      const { link } = JSON.parse(attn("trace", `lesson=${name}&step=999`)); // which is the last there is
      return [name, Number(/step=(\d+)/.exec(link)?.[1] ?? 1)];
    }),
  );
}

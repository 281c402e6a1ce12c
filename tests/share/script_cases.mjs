// Exported scripts with the numbers that they should print; run_scripts.py runs them and compares.
import assert from "node:assert/strict";
import { join } from "node:path";
import { lesson_steps } from "./lesson_steps.mjs";
import { run_python } from "./python.mjs";
import { attn, attn_bytes } from "./random_links.mjs";

function case_of(link) {
  const trace = JSON.parse(attn("trace", link));
  if (trace.sentences.every((sentence) => sentence.tokens.length === 0)) return [];
  const sentence = /(?:^|&)sentence=(\d+)/.exec(trace.link);
  const shown = !sentence && trace.link.includes("lesson=") ? undefined : Number(sentence?.[1] ?? 1); // a step may have its own
  const scripts = { numpy: attn("export", "numpy", link), pytorch: attn("export", "pytorch", link) };
  return [{ link, shown, trace, ...scripts, ...archives_of(trace) }];
}

/** The archives of a state with a goal: as it is, and before the first step. */
function archives_of({ link, sentences }) {
  const has_goal = sentences.some(({ stages }) => stages.some(({ name }) => name.startsWith("grad_")));
  if (!has_goal) return {};
  const archive = (state) => attn_bytes("export", "npz", state).toString("base64");
  const trained = archive(link);
  return { trained, untrained: /(?:^|&)(?:steps|lesson)=/.test(link) ? archive(`${link}&steps=0`) : trained };
}

/**
 * Runs the scripts of these links, all in one process: `args` are those of run_scripts.py, `name` is the Python, one with NumPy
 * where nothing is said. Returns what was compared, and fails where a number differs.
 */
export function compare(links, args = [], name = undefined) {
  const cases = links.flatMap(case_of);
  const result = JSON.parse(
    run_python(join(import.meta.dirname, "run_scripts.py"), args, { input: JSON.stringify(cases), name }),
  );
  assert.deepEqual(result.failures.slice(0, 5), []);
  return { ...result, cases };
}

/**
 * The links of all steps of all lessons that have a script: a model's matrices come from its files, and no seed draws them. Without
 * what a step leaves blank, which its script does not print.
 */
export function lesson_links() {
  const links = step_links().filter((link) => !shows_model(link));
  assert.ok(links.length > 100, `${links.length} steps`);
  return links.map((link) => `${link}&check=&hide=`);
}

/** The links of all steps of all lessons. */
export const step_links = () =>
  [...lesson_steps()].flatMap(([lesson, count]) =>
    Array.from({ length: count }, (_, i) => `lesson=${lesson}&step=${i + 1}`),
  );

/** Whether a link's numbers are a trained model's. Laid over with the keys of a model alone, which no other state takes without a note. */
export const shows_model = (link) => JSON.parse(attn("trace", `${link}&layer=2`)).notes.length === 0;

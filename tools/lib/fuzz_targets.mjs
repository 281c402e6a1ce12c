// The fuzz targets: the program of each, and what it begins with, all of it golden. tests/fuzz/fuzz.test.mjs runs them shortly and
// the same way each time, tools/fuzz for as long as you like.
import { join } from "node:path";

const kGolden = "tests/golden";
const kLinks = ["--links", `${kGolden}/links.txt`];
const kNumpy = `${kGolden}/numpy`;
const words = (name) => ["--words", `tests/fuzz/${name}.dict`];

/** By name: its program, its arguments, and how many inputs the short run tries. */
export const kTargets = {
  links: {
    program: "link_fuzz",
    begin: [
      ...words("link"),
      ...kLinks,
      "--links",
      `${kGolden}/digest_links.txt`,
      "--links",
      `${kGolden}/variant_links.txt`,
    ],
    runs: 4000,
  },
  answers: { program: "answers_fuzz", begin: [...words("session"), ...kLinks], runs: 10_000 },
  sessions: { program: "session_fuzz", begin: [...words("session"), ...kLinks], runs: 20_000 },
  safetensors: { program: "safetensors_fuzz", begin: [...words("safetensors"), ...kLinks], runs: 10_000 },
  models: { program: "model_fuzz", begin: ["--most", "60000", ...words("model"), ...kLinks], runs: 6000 },
  gguf: { program: "gguf_fuzz", begin: ["--most", "40000", ...words("gguf"), ...kLinks], runs: 8000 },
  npy: { program: "npy_fuzz", begin: [...words("numpy"), ...kLinks, kNumpy], runs: 8000 },
  npz: { program: "npz_fuzz", begin: [...words("numpy"), ...kLinks, kNumpy], runs: 4000 },
  tables: { program: "table_fuzz", begin: [...words("table"), ...kLinks], runs: 6000 },
  tokenizers: { program: "tokenizer_fuzz", begin: [...words("tokenizer"), ...kLinks], runs: 5000 },
  torch: { program: "torch_fuzz", begin: [...words("torch"), ...kLinks], runs: 10_000 },
  commands: { program: "command_fuzz", begin: [...words("link"), ...kLinks], runs: 2000 },
  visits: { program: "visit_fuzz", begin: ["--most", "250", ...kLinks], runs: 150 },
  messages: { script: "tests/fuzz/messages_fuzz.mjs", begin: [], runs: 20_000 },
  element: { script: "tests/fuzz/element_fuzz.mjs", begin: [], runs: 20_000 },
};

/** The program and the arguments of a target. @param {string} folder of the built programs */
export function command_of({ program, script, begin }, folder, args) {
  return program ? [join(folder, program), [...begin, ...args]] : [process.execPath, [script, ...begin, ...args]];
}

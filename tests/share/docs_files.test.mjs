// Runs the examples of docs/files.md, from top to bottom in one folder.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { run_python } from "./python.mjs";

const folder = dirname(fileURLToPath(import.meta.url));
const text = readFileSync(join(folder, "../../docs/files.md"), "utf8");

/** Every block between ``` and ```, with its language and its line. */
function blocks() {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, code, offset], index) => ({
    language,
    code,
    name: `example ${index + 1}`,
    line: text.slice(0, text.indexOf(code)).split("\n").length,
  }));
}

function run(command, args, options) {
  const result = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28, ...options });
  assert.equal(result.status, 0, `${result.error ?? ""}${result.stderr}`);
  return result.stdout;
}

const kRunners = {
  sh: (code, { cwd, env }) => run("bash", ["-euo", "pipefail", "-c", code], { cwd, env }),
  python: (code, { cwd, name }) => {
    const program = join(cwd, `${name}.py`);
    writeFileSync(program, code);
    return run_python(program, [], { cwd });
  },
  // A session file: its link has every key that the example has.
  json: (code, { cwd, env }) => {
    writeFileSync(join(cwd, "example.attention"), code);
    const { link, notes } = JSON.parse(run("attn", ["trace", "--session", "example.attention"], { cwd, env }));
    assert.deepEqual(notes, []);
    const keys = new URLSearchParams(link);
    for (const key of Object.keys(JSON.parse(code).state)) assert.ok(keys.has(key), `${key}: ${link}`);
  },
};

test("every example of docs/files.md runs", async (t) => {
  const cwd = mkdtempSync(join(tmpdir(), "attn-docs-"));
  const env = { ...process.env, PATH: `${process.env.ATTN_NATIVE}:${process.env.PATH}` };
  try {
    const examples = blocks();
    assert.ok(examples.length >= 6, "the examples are found");
    for (const { language, code, name, line } of examples) {
      await t.test(`line ${line} (${language})`, () => {
        assert.ok(kRunners[language], `nobody runs ${language}`);
        kRunners[language](code, { cwd, env, name });
      });
    }
  } finally {
    rmSync(cwd, { recursive: true });
  }
});

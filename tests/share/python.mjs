// The Python that the exported files are read and run with: one that has NumPy. tools/setup numpy sees to it that there is one.
import { spawnSync } from "node:child_process";

const python = [process.env.PYTHON, "python3", "/usr/bin/python3"].find(
  (name) => name && spawnSync(name, ["-c", "import numpy"]).status === 0,
);

/** Runs a Python program in this folder, with these arguments and this standard input; returns what it printed, or throws. */
export function run_python(program, args = [], { input = "", cwd } = {}) {
  if (!python) throw new Error("no Python with NumPy was found: run tools/setup numpy, or set PYTHON");
  const result = spawnSync(python, [program, ...args], {
    input,
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 30,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", PYTHONIOENCODING: "utf-8" },
  });
  if (result.status !== 0) throw new Error(`${program} ended with ${result.status ?? result.signal}: ${result.stderr}`);
  return result.stdout;
}

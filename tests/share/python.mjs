// The Python that the exported files are read and run with: one that has NumPy. tools/setup numpy sees to it that there is one.
import { spawnSync } from "node:child_process";

export const python = python_with("numpy");

/** A Python that has this module, or nothing. @param {string} module */
export function python_with(module) {
  const names = [process.env.PYTHON, "python3", "/usr/bin/python3"];
  return names.find((name) => name && spawnSync(name, ["-c", `import ${module}`]).status === 0);
}

/** Runs a Python program in this folder, with these arguments and this standard input; returns what it printed, or throws. */
export function run_python(program, args = [], { input = "", cwd, name = python } = {}) {
  if (!name) throw new Error("no Python with NumPy was found: run tools/setup numpy, or set PYTHON");
  const result = spawnSync(name, [program, ...args], {
    input,
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 30,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", PYTHONIOENCODING: "utf-8" },
  });
  if (result.status !== 0) throw new Error(`${program} ended with ${result.status ?? result.signal}: ${result.stderr}`);
  return result.stdout;
}

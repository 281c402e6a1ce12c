// Formatting: clang-format for C++, prettier for the rest, TypeScript for the types of the page. Each tool counts as one test.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Results } from "./results.mjs";
import { project_files } from "../check_rooms.mjs";

const kClangFormats = [".toolchain/llvm/bin/clang-format", "clang-format-19", "clang-format"];

/** The clang-format to use: the project's own, or one of the system of the same version. */
function find_clang_format(root) {
  for (const name of kClangFormats) {
    const program = name.includes("/") ? join(root, name) : name;
    const answer = spawnSync(program, ["--version"], { encoding: "utf8" });
    if (answer.status === 0 && / version 19\./.test(answer.stdout)) return program;
  }
  return null;
}

export function check_style(root) {
  const results = new Results();
  const files = project_files(root);

  const check = (name, program, args) => {
    const answer = spawnSync(program, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
    if (answer.status === 0) {
      results.pass();
      return;
    }
    console.log(`${answer.stdout ?? ""}${answer.stderr ?? ""}${answer.error?.message ?? ""}`.trim());
    results.fail(`style: ${name}`);
  };

  const cpp = files.filter((file) => /^(src|tests)\/.*\.(cpp|h)$/.test(file));
  const clang_format = find_clang_format(root);
  if (!clang_format) results.fail("style: clang-format 19 is missing: run tools/setup style");
  else if (cpp.length > 0) check("clang-format", clang_format, ["--dry-run", "--Werror", ...cpp]);

  const web = files.filter(
    (file) => /^(web|tests|tools)\/.*\.(m?js|ts|css|html)$/.test(file) || /^[^/]*\.(mjs|json)$/.test(file),
  );
  check("prettier", join(root, "node_modules/.bin/prettier"), ["--check", "--log-level=warn", ...web]);

  const tsc = join(root, "node_modules/.bin/tsc");
  const types = files.filter((file) => /^web\/.*\.d\.ts$/.test(file));
  if (existsSync(join(root, "web/tsconfig.json"))) check("types", tsc, ["--noEmit", "--project", "web"]);
  else if (types.length > 0)
    check("types", tsc, ["--noEmit", "--strict", "--lib", "es2022,dom,dom.iterable", ...types]);
  return results;
}

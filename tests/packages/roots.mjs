// What the tests of the packages share: the package itself, and a minimal Debian to try it in.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const root = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");

/** Where tools/package has put the packages. */
const packages = process.env.ATTN_PACKAGES ?? join(root, "dist");

/** The newest package with this ending. */
export function package_file(ending) {
  const names = readdirSync(packages).filter(
    (name) => name.startsWith("attention-playground") && name.endsWith(ending),
  );
  if (names.length === 0) throw new Error(`${packages} holds no ${ending}: run tools/package`);
  return join(packages, names.sort().at(-1));
}

/** A folder of the test's own, gone after the test `t`. */
export function temporary_folder(t) {
  const folder = mkdtempSync(join(tmpdir(), "attn-packages-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a program to its end; a failure throws with what it said. Returns its standard output. */
export function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    maxBuffer: 1 << 26,
    ...options,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}: ${error ?? ""}${stderr}`);
  return stdout;
}

/** Why no clean root can be made here; empty where one can. */
export function why_no_root() {
  if (process.getuid() !== 0) return "needs root";
  for (const program of ["debootstrap", "unshare", "dpkg-deb"])
    if (spawnSync("which", [program]).status !== 0) return `needs ${program}`;
  if (spawnSync("unshare", ["--mount", "--net", "--pid", "--fork", "true"]).status !== 0)
    return "unshare is not allowed";
  return "";
}

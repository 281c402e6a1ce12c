// A throwaway copy of the project's tools with a PATH of its own, so that tests can try the set-up on machines that this one is
// not: without apt, with an old compiler, with a network that fails.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { kPatience } from "../patience.mjs";

const project = join(dirname(fileURLToPath(import.meta.url)), "../..");

// What the set-up's scripts call on any machine.
const kBasics =
  "bash sh env cat chmod cksum cut dirname basename find flock grep head id ln ls mkdir mktemp mv printf readlink rm sed sort tail tar touch tr true uname xz gzip node npm python3 cmake ninja c++ cc pkg-config";

export class ProjectCopy {
  constructor(test) {
    this.folder = mkdtempSync(join(tmpdir(), "attn-tools-"));
    this.bin = join(this.folder, "bin");
    test.after(() => rmSync(this.folder, { recursive: true, force: true }));
    mkdirSync(this.bin);
    cpSync(join(project, "tools"), join(this.folder, "tools"), { recursive: true });
    for (const name of ["package.json", "package-lock.json", ".npmrc"])
      cpSync(join(project, name), join(this.folder, name));
    for (const name of kBasics.split(" ")) this.link(name);
    this.fake("git", "exit 0"); // asked for, but nothing is fetched here
    this.pretend_npm_is_set_up();
  }

  path(...parts) {
    return join(this.folder, ...parts);
  }

  /** Puts this machine's program on the copy's PATH, if this machine has it. */
  link(name) {
    const found = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
    if (found.startsWith("/") && !existsSync(join(this.bin, name))) symlinkSync(found, join(this.bin, name));
  }

  unlink(name) {
    rmSync(join(this.bin, name), { force: true });
  }

  /** Puts a script of the given text on the copy's PATH. */
  fake(name, script) {
    this.unlink(name);
    this.write(join("bin", name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(this.bin, name), 0o755);
  }

  write(file, text) {
    mkdirSync(dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), text);
  }

  /** Adds a folder of the project. */
  copy(folder) {
    cpSync(join(project, folder), this.path(folder), { recursive: true });
  }

  read(file) {
    return readFileSync(this.path(file), "utf8");
  }

  exists(file) {
    return existsSync(this.path(file));
  }

  /** A folder that looks like an Emscripten of this version. */
  emscripten(folder, version) {
    this.write(join(folder, "emscripten-version.txt"), `${version}\n`);
    this.write(join(folder, "em++"), "#!/bin/sh\n");
    chmodSync(this.path(folder, "em++"), 0o755);
    return this.path(folder);
  }

  pretend_npm_is_set_up() {
    const sum = spawnSync("cksum", {
      input: readFileSync(this.path("package-lock.json")),
      encoding: "utf8",
    }).stdout.trim();
    this.write("node_modules/.set-up", sum);
  }

  /** Runs a tool with nothing of this machine's environment but the copy's PATH. Returns { status, output }. */
  run(command, args = [], env = {}) {
    const result = spawnSync(this.path(command), args, {
      encoding: "utf8",
      timeout: 5 * kPatience,
      env: { PATH: this.bin, HOME: this.folder, LC_ALL: "C", ...env },
    });
    return { status: result.status, output: result.stdout + result.stderr };
  }
}

// The parts of the test suite that a change can reach: tools/test --since REV runs these. A change to a hall reaches each hall whose
// files include it, by however many steps; the arrows are the includes themselves, room by room.
//   node tools/lib/reached.mjs REV      prints the parts, one line
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { project_files } from "../check_rooms.mjs";

// The parts that test a room's program, by hall; "*" is all of src/.
const kPartsOfHall = {
  core: ["core"],
  model: ["model"],
  playground: ["playground"],
  scene: ["scene"],
  views: ["views"],
  share: ["share", "torch", "office"],
  render: ["ui"],
  ui: ["ui"],
  app: ["app"],
  disk: ["cli"],
  platform: ["desktop"],
  cli: ["cli"],
};
// What is made of several halls: reached by a change in any of these.
const kMadeOf = {
  torch: ["cli"],
  wasm: ["core", "model", "playground"],
  fuzz: ["share", "model", "cli"],
  engine: ["playground", "top"],
  browser: ["app", "platform", "top"],
  desktop: ["app", "platform", "cli", "top"],
  bench: ["core", "model"],
};

// Files outside src/: the first pattern that matches says what they reach; what no pattern knows reaches everything.
const kPartsOfPath = [
  [/^(README|STYLE|SECURITY|LICENSE)|^docs\/performance/, ["style"]],
  [/^docs\//, ["style", "share", "browser", "engine"]],
  [/^tests\/tools\/|^tools\/(play|serve|shots|package)/, ["tools", "style"]],
  [/^hosting\//, ["tools", "browser"]],
  [/^tests\/(render|ui)\//, ["ui"]],
  [/^tests\/(disk|cli)\//, ["cli"]],
  [/^tests\/(platform|desktop)\//, ["desktop"]],
  [/^tests\/packages\/|^packaging\/|^tools\/cmake\/package/, ["packages"]],
  [/^tests\/bench\/|^tools\/bench/, ["bench", "tools"]],
  [/^tests\/golden\//, ["core", "model", "playground", "share", "wasm", "fuzz", "cli", "engine"]],
  [/^tests\/playground\/(random_states|link_traces)/, ["playground", "scene", "views", "share", "ui"]],
  [/^tests\/core\/[a-z_]+\.h$/, ["core", "playground", "wasm"]],
  [/^tests\/model\/checkpoints/, ["model", "wasm", "torch", "cli", "browser"]],
  [/^tests\/(core|model)\//, ["core", "model", "wasm"]],
  [/^tests\/share\/python/, ["share", "torch", "office", "model", "core"]],
  [/^tests\/share\/random_links/, ["share", "torch", "office"]],
  [
    /^tests\/(app|browser|engine|fuzz|office|playground|scene|share|torch|views|wasm|web)\//,
    (path) => [path.split("/")[1]],
  ],
  [/^web\/engine\//, ["engine", "browser", "web"]],
  [/^web\//, ["web", "browser", "engine", "tools"]],
  [/^shaders\//, ["ui", "app", "browser", "desktop"]],
  [/^models\//, ["model", "playground", "share", "ui", "cli", "browser", "desktop"]],
  [/^examples\//, ["browser", "engine", "share"]],
];

const room_of = (file) => file.match(/^src\/(.*)\/[^/]*$/)?.[1] ?? "";

/** For each room of src/ the rooms that include one of its headers. */
function rooms_including(files, read) {
  const users = new Map();
  for (const file of files.filter((one) => /^src\/.*\.(cpp|h)$/.test(one))) {
    for (const [, header] of read(file).matchAll(/^[ \t]*#\s*include\s+"([^"]+)"/gm)) {
      const room = room_of(`src/${header}`);
      if (!users.has(room)) users.set(room, new Set());
      users.get(room).add(room_of(file));
    }
  }
  return users;
}

/**
 * The parts that a change of these files reaches, or "all". Style is always among them.
 * @param {string[]} changed paths
 * @param {string[]} files of the project
 * @param {(file: string) => string} read
 */
export function parts_reached(changed, files, read) {
  const parts = new Set(["style"]);
  const rooms = new Set();
  for (const path of changed) {
    if (/^src\//.test(path)) {
      rooms.add(room_of(path));
      continue;
    }
    const rule = kPartsOfPath.find(([pattern]) => pattern.test(path));
    if (!rule) return "all";
    for (const part of typeof rule[1] === "function" ? rule[1](path) : rule[1]) parts.add(part);
  }
  const users = rooms_including(files, read);
  for (const room of rooms) for (const user of users.get(room) ?? []) rooms.add(user); // a set's walk meets what it gets meanwhile
  const areas = new Set([...rooms].map((room) => room.split("/")[0] || "top"));
  for (const area of areas) {
    if (area !== "top" && !kPartsOfHall[area]) return "all";
    for (const part of kPartsOfHall[area] ?? []) parts.add(part);
  }
  for (const [part, made_of] of Object.entries(kMadeOf)) {
    if (made_of.some((area) => areas.has(area))) parts.add(part);
  }
  return [...parts];
}

/** The files that differ between a revision and the work tree, new ones among them. */
function changed_since(root, revision) {
  const git = (...args) => {
    const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr.trim());
    return stdout.split("\n").filter(Boolean);
  };
  const base = git("merge-base", revision, "HEAD")[0];
  return [...git("diff", "--name-only", base), ...git("ls-files", "--others", "--exclude-standard")];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  try {
    const changed = changed_since(root, process.argv[2]);
    const read = (file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "");
    const parts = changed.length === 0 ? [] : parts_reached(changed, project_files(root), read);
    console.log(parts === "all" ? parts : parts.join(" "));
  } catch (error) {
    console.error(`error: what changed since '${process.argv[2]}' cannot be found: ${error.message}`);
    process.exitCode = 1;
  }
}

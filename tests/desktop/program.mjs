// Starts the desktop program for a test, watches its frames, types and clicks as a person would, and ends it.
// Needs ATTN_NATIVE (the folder of the program), and a screen in DISPLAY for all but the tests of its absence.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PNG } from "pngjs";
import { eventually, kPatience } from "../patience.mjs";

export { eventually } from "../patience.mjs";

const kProgram = join(process.env.ATTN_NATIVE ?? "build/dev", "attention-playground");

/** A folder of the test's own, gone after the test `t`. */
export function temporary_folder(t) {
  const folder = mkdtempSync(join(tmpdir(), "attn-desktop-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The environment of a program that remembers its visits under `home` and hears no wishes of this machine's desktop. */
function environment(home, more) {
  const { XDG_STATE_HOME, XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS, ...rest } = process.env;
  return { ...rest, HOME: home, ...more };
}

/** Where a program with this home keeps the last visit. */
export const visit_file = (home) => join(home, ".local/state/attention-playground/last-visit");

/** The link in that file as the program's own reader would see it; nothing while there is none. */
export function saved_link(home) {
  if (!existsSync(visit_file(home))) return undefined;
  const line = readFileSync(visit_file(home), "utf8")
    .split("\n")
    .find((text) => text.startsWith("link "));
  return new URLSearchParams(line?.slice("link ".length));
}

/** Runs the program to its end. Resolves to { status, stdout, stderr }. */
export function run_to_end(home, args, env = {}) {
  return spawnSync(kProgram, args, { encoding: "utf8", env: environment(home, env), timeout: kPatience });
}

/** Draws a screenshot of `link`. Returns { png, items }, items by their names. */
export function screenshot(home, link, { scale = 1, theme = "light", size = "1280x800" } = {}) {
  const file = join(home, `picture-${theme}-${scale}.png`);
  const options = ["--screenshot", file, "--scale", String(scale), "--theme", theme, "--size", size, "--items-report"];
  const { status, stdout, stderr } = run_to_end(home, [...options, link]);
  if (status !== 0) throw new Error(`the screenshot ended with ${status}: ${stderr}`);
  const items = new Map(JSON.parse(stdout).map((item) => [item.name, item]));
  return { png: PNG.sync.read(readFileSync(file)), items };
}

/**
 * A session bus of the test's own with file dialogs that answer by themselves: questions to save with `save`, questions to open
 * with `open`. Returns { env, questions() }; both are gone after the test `t`.
 */
export async function file_dialogs(t, { save, open = [] }) {
  const bus = spawn("dbus-daemon", ["--session", "--nofork", "--print-address"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  t.after(() => bus.kill());
  let address = "";
  bus.stdout.setEncoding("utf8").on("data", (text) => (address += text));
  await eventually("the bus", () => address.endsWith("\n"));
  const env = { DBUS_SESSION_BUS_ADDRESS: address.trim() };
  const folder = process.env.ATTN_NATIVE_TESTS ?? process.env.ATTN_NATIVE ?? "build/dev";
  const portal = spawn(join(folder, "fake_portal"), [save, ...open], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  t.after(() => portal.kill());
  let said = "";
  portal.stdout.setEncoding("utf8").on("data", (text) => (said += text));
  await eventually("the dialogs", () => said.startsWith("ready\n"));
  return { env, questions: () => said.trim().split("\n").slice(1) };
}

function xdotool(...args) {
  const { status, stdout, stderr } = spawnSync("xdotool", args.map(String), { encoding: "utf8" });
  if (status !== 0) throw new Error(`xdotool ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

/** The program's windows on the screen. */
function windows() {
  const { stdout } = spawnSync("xdotool", ["search", "--onlyvisible", "--class", "attention-playground"], {
    encoding: "utf8",
  });
  return stdout.split("\n").filter(Boolean);
}

// The system calls in which a program waits for something from outside, with the place of the time that it waits at most, and the
// value there for one that never ends: poll, ppoll and pselect6. The numbers are those of each machine's system.
const kWaits = {
  x64: new Map([
    [7, { place: 2, never: [0xffffffff, 0xffffffffffffffffn] }],
    [271, { place: 2, never: [0] }],
    [270, { place: 4, never: [0] }],
  ]),
  arm64: new Map([
    [73, { place: 2, never: [0] }],
    [72, { place: 4, never: [0] }],
  ]),
}[process.arch];

/** Whether a process waits for something from outside and for no time: nothing has come, and by itself it will do nothing. */
function waits_for_good(pid) {
  const [call, ...values] = readFileSync(`/proc/${pid}/syscall`, "utf8").trim().split(" "); // proc(5)
  const wait = kWaits.get(Number(call)); // none while it is running
  return wait !== undefined && wait.never.some((never) => BigInt(values[wait.place]) === BigInt(never));
}

/** A running program. */
export class Program {
  static #running = new Set();

  /**
   * Starts it and waits until it has drawn its first picture and rests. Ends with the test `t` at the latest. `env` is added to
   * its environment; `under` is a command that runs it, as strace does.
   */
  static async start(t, home, args = [], { env = {}, under = [] } = {}) {
    const program = new Program(home, args, env, under);
    t.after(() => program.child.kill("SIGKILL"));
    await eventually("the first frame", () => {
      if (program.child.exitCode !== null)
        throw new Error(`the program ended with ${program.child.exitCode}: ${program.stderr}`);
      return program.num_frames > 0;
    });
    await eventually("its window among those of the screen", () => {
      // A window of a program that has ended does not count: the screen gives its number to the next one.
      const others = [...Program.#running].map((one) => one.window);
      program.window = windows().find((one) => !others.includes(one));
      return program.window !== undefined;
    });
    program.pid = xdotool("getwindowpid", program.window); // another one than the child's, under strace
    program.focus();
    await program.rest();
    return program;
  }

  constructor(home, args, env, under) {
    this.num_frames = 0;
    this.is_at_rest = false;
    this.is_iconified = false; // it says so, and what it draws before it has heard of it is drawn by right
    this.stderr = "";
    this.stdout = "";
    const [command, ...rest] = [...under, kProgram, "--frames-report", "--items-report", ...args];
    this.child = spawn(command, rest, { stdio: ["ignore", "pipe", "pipe"], env: environment(home, env) });
    this.child.stdout.setEncoding("utf8").on("data", (text) => (this.stdout += text));
    this.child.stderr.setEncoding("utf8").on("data", (text) => {
      this.stderr += text;
      const reports = this.stderr.match(/^(frame \d+ at|at rest|iconified) .*$/gm) ?? [];
      this.num_frames = reports.filter((line) => line.startsWith("frame")).length;
      this.is_at_rest = reports.at(-1)?.startsWith("at rest") ?? false;
      this.is_iconified = reports.at(-1)?.startsWith("iconified") ?? false;
    });
    Program.#running.add(this);
    this.end = new Promise((resolve) =>
      this.child.on("close", (code, signal) => {
        Program.#running.delete(this);
        resolve(code ?? signal);
      }),
    );
  }

  /**
   * Waits until nothing is left to draw, nor will be until something comes from outside. What xdotool and the like have done has
   * reached the program when they end, and wakes it at once.
   */
  async rest() {
    await eventually("a program at rest", async () => (await this.waits()) && this.is_at_rest);
  }

  /** Whether it has taken in all that has reached it, and waits for more. What it has said before that has been read. */
  async waits() {
    const does_wait = waits_for_good(this.pid);
    await new Promise(setImmediate); // after what its pipes hold
    return does_wait;
  }

  /** Makes it the window that gets the keys. */
  focus() {
    xdotool("windowfocus", "--sync", this.window);
  }

  get title() {
    return xdotool("getwindowname", this.window);
  }

  /** What stood where in the last frame, by name. Only after quit(). */
  get items() {
    return new Map(JSON.parse(this.stdout).map((item) => [item.name, item]));
  }

  /** Clicks into the middle of an item, which is given in points. */
  async click(item, scale = 1) {
    const [x, y] = [(item.x0 + item.x1) / 2, (item.y0 + item.y1) / 2].map((points) => Math.round(points * scale));
    xdotool("mousemove", "--window", this.window, x, y);
    await this.rest();
    xdotool("click", 1);
    await this.rest();
  }

  /** [x, y, width, height] of the window on the screen, in pixels. */
  get place() {
    const text = xdotool("getwindowgeometry", "--shell", this.window);
    return ["X", "Y", "WIDTH", "HEIGHT"].map((name) => Number(text.match(new RegExp(`^${name}=(-?\\d+)$`, "m"))[1]));
  }

  /** Drops files on the window, as a file manager does. */
  drop(...files) {
    const script = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "drop.py");
    const { status, stderr } = spawnSync("python3", [script, this.window, ...files], {
      encoding: "utf8",
      timeout: kPatience,
    });
    if (status !== 0) throw new Error(`the drop ended with ${status}: ${stderr}`);
  }

  /** Says on behalf of a window manager, which the tests' screen lacks, that the window is iconified or back again. */
  set_iconified(is_iconified) {
    const script = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "iconify.py");
    const { status, stderr } = spawnSync("python3", [script, this.window, is_iconified ? "1" : "0"], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
  }

  key(...keys) {
    xdotool("key", ...keys);
  }

  /**
   * Holds one key while it presses another, as slowly as a person: ImGui does not see a chord that begins and ends within
   * one frame, and a busy machine draws slowly.
   */
  async chord(held, pressed) {
    xdotool("keydown", held);
    try {
      await this.rest();
      xdotool("key", pressed);
      await this.rest();
    } finally {
      xdotool("keyup", held); // the screen's keyboard outlives this program
    }
    await this.rest();
  }

  type(text) {
    xdotool("type", "--delay", 30, text);
  }

  /** Quits as a person would. Resolves to the exit code. */
  async quit() {
    this.key("ctrl+q");
    return this.end;
  }
}

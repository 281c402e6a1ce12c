// The desktop program never uses a network: every system call of a whole visit that has to do with one is written down and read.
// Needs strace.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Program, eventually, file_dialogs, saved_link, screenshot, temporary_folder } from "./program.mjs";

const kWindow = ["--size", "1000x700", "--scale", "1"];
const has_strace = spawnSync("strace", ["-e", "trace=none", "true"]).status === 0;

/** The families of the sockets that were made, and of the addresses that they were for, other than files; each once. */
function read_trace(text) {
  const families = (pattern) => [...new Set([...text.matchAll(pattern)].map(([, family]) => family))];
  return {
    sockets: families(/\bsocket(?:pair)?\((\w+)/g),
    addresses: families(/sa_family=(AF_\w+)/g).filter((family) => family !== "AF_UNIX"),
  };
}

test(
  "a whole visit makes sockets to the screen and the desktop's bus, and no others",
  { skip: !has_strace && "strace is missing or may not trace here" },
  async (t) => {
    const home = temporary_folder(t);
    const items = screenshot(home, "", { size: "1000x700" }).items;
    const save = join(home, "saved.attention");
    const open = join(home, "open.attention");
    writeFileSync(
      open,
      '{"format": "attention-playground session", "version": 1, "state": {"text": ["https://example.org"]}}',
    );
    const dialogs = await file_dialogs(t, { save, open: [open] });
    const trace = join(home, "trace");
    const program = await Program.start(t, home, kWindow, {
      env: dialogs.env,
      under: ["strace", "-f", "-qq", "-e", "trace=%network", "-o", trace],
    });
    await program.click(items.get("text"));
    await program.chord("ctrl", "a");
    program.type("http://example.org/ attends");
    await eventually("the typed sentence", () => saved_link(home)?.get("text") === "http://example.org/ attends");
    await program.click(items.get("lessons"));
    await program.chord("ctrl", "s");
    await eventually("the saved session", () => existsSync(save));
    await program.chord("ctrl", "o");
    await eventually("the opened session", () => saved_link(home)?.get("text") === "https://example.org");
    assert.equal(await program.quit(), 0);

    const { sockets, addresses } = read_trace(readFileSync(trace, "utf8"));
    assert.deepEqual(sockets, ["AF_UNIX"]);
    assert.deepEqual(addresses, []);
  },
);

test(
  "a program that does use a network is found out by the same reading",
  { skip: !has_strace && "strace is missing or may not trace here" },
  (t) => {
    const trace = join(temporary_folder(t), "trace");
    const script = 'require("node:dgram").createSocket("udp4").connect(9, "127.0.0.1", function () { this.close(); })';
    const command = [process.execPath, "-e", script];
    const { status } = spawnSync("strace", ["-f", "-qq", "-e", "trace=%network", "-o", trace, ...command]);
    assert.equal(status, 0);
    const { sockets, addresses } = read_trace(readFileSync(trace, "utf8"));
    assert.ok(sockets.includes("AF_INET"), sockets.join(" "));
    assert.ok(addresses.includes("AF_INET"), addresses.join(" "));
  },
);

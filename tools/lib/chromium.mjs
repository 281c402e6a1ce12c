// One Chromium for all browser tests of a run: to start one for each file takes longer than many of their tests.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const kProgram = join(
  import.meta.dirname ?? new URL(".", import.meta.url).pathname,
  "../../tests/browser/chromium.mjs",
);

/**
 * Starts it, calls use({ ATTN_CHROMIUM }) with the environment in which tests find it, and ends it. In a process of its own, which
 * answers whatever else the run does. Where it does not start, the environment is empty, and each file starts one of its own.
 */
export async function with_chromium(use) {
  const server = spawn(process.execPath, [kProgram], { stdio: ["pipe", "pipe", "inherit"] });
  const end = once(server, "close");
  server.stdin.on("error", () => {}); // it has died
  try {
    const address = await new Promise((resolve) => {
      let text = "";
      server.stdout.setEncoding("utf8").on("data", (more) => {
        text += more;
        if (text.endsWith("\n")) resolve(text.trim());
      });
      void end.then(() => resolve(null));
    });
    return await use(address === null ? {} : { ATTN_CHROMIUM: address });
  } finally {
    server.stdin.end();
    await end; // so that its processor time is counted
  }
}

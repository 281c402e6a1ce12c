// A screen without a monitor for tests that open a window: Xvfb on the first free display.
import { spawn } from "node:child_process";

// -noreset: otherwise the server starts afresh whenever its last window closes, and turns the next window away meanwhile.
/** Starts Xvfb, calls use({ DISPLAY, ... }) with the environment that windows need, and stops Xvfb again. */
export async function with_screen(use) {
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-noreset"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  try {
    const display = await new Promise((resolve, reject) => {
      let text = "";
      server.stdio[3].setEncoding("utf8").on("data", (more) => {
        text += more;
        if (text.endsWith("\n")) resolve(text.trim());
      });
      server.once("error", reject);
      server.once("exit", () => reject(new Error("Xvfb did not start")));
    });
    // Software OpenGL, X11 even if a Wayland session is around.
    return await use({ DISPLAY: `:${display}`, LIBGL_ALWAYS_SOFTWARE: "1", WAYLAND_DISPLAY: "" });
  } finally {
    server.kill();
  }
}

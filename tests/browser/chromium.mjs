// How the tests get a Chromium: the one that serves a whole run, where there is one, or one of their own. As a program it is that one:
//   node tests/browser/chromium.mjs     prints its address for ATTN_CHROMIUM, and ends when its standard input does
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { kPatience } from "../patience.mjs";

const kArguments = [
  ...["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  ...["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"],
  ...["--disable-sync", "--font-render-hinting=none"], // letters are as wide in the shell as in the whole browser
];

// Chromium's engine without windows, menus and services: a page opens in a third of the processor time.
const kShell = "/usr/bin/chromium-headless-shell";
const kWhole = "/usr/bin/chromium";

const options_of = ({ args = [], whole = false }) => ({
  executablePath: process.env.CHROMIUM ?? (!whole && existsSync(kShell) ? kShell : kWhole),
  args: [...kArguments, ...args],
  timeout: kPatience,
});

/**
 * The run's browser, or a new one where there is none, where it has died, and where it would not do. To close it closes only what
 * was opened with it.
 * @param {{ args?: string[], whole?: boolean }} wishes as start()'s in browser.mjs
 */
export async function find_chromium({ args = [], whole = false }) {
  const address = process.env.ATTN_CHROMIUM;
  if (address && args.length === 0 && !whole) {
    try {
      return await chromium.connect(address, { timeout: kPatience });
    } catch (error) {
      const [why] = error.message.split("\n");
      console.error(`a Chromium of this file's own is started, as the run's cannot be reached: ${why}`);
    }
  }
  return chromium.launch(options_of({ args, whole }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await chromium.launchServer(options_of({}));
  server.on("close", () => process.stdin.destroy()); // also when it dies: then this ends, as nobody can reach it
  process.stdin.on("end", () => server.close()).resume();
  console.log(server.wsEndpoint());
}

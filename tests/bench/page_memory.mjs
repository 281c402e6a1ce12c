// How much memory the browser's process that draws a page takes.
import { readFileSync } from "node:fs";

/** In MB, without the program's own pages, which all processes share. */
export function megabytes_of(pid) {
  const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
  return ((Number(resident) - Number(shared)) * 4096) / 1e6;
}

/** Of a browser with one page of ours: the process of its pages that takes the most memory. */
export async function page_process(browser) {
  const session = await browser.browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const pages = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  return pages.reduce((most, pid) => (megabytes_of(pid) > megabytes_of(most) ? pid : most));
}

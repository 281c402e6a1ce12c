// What the page's own thread did, told by the browser's tracing: in processor time, which other programs on the machine do not
// lengthen as they do the time on the clock.

const kCategories = ["toplevel", "blink.user_timing"];

/**
 * Records what happens during `work()` and resolves to the page's thread as
 * { tasks: [{ at, ms, processor_ms }], marks: [{ name, at, processor_at }] }, in order, times in ms.
 */
export async function record(browser, page, work) {
  const session = await browser.newBrowserCDPSession();
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    for (const event of value) events.push(event);
  });
  const traceConfig = { includedCategories: kCategories, recordMode: "recordAsMuchAsPossible" };
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  await page.evaluate(() => performance.mark("the page's thread"));
  try {
    await work();
  } finally {
    const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
    await session.send("Tracing.end");
    await complete;
    await session.detach();
  }
  const { pid, tid } = events.find((event) => event.name === "the page's thread");
  const own = events.filter((event) => event.pid === pid && event.tid === tid).sort((a, b) => a.ts - b.ts);
  return {
    tasks: own
      .filter((event) => event.ph === "X" && event.name.endsWith("RunTask"))
      .map((event) => ({ at: event.ts / 1000, ms: event.dur / 1000, processor_ms: (event.tdur ?? 0) / 1000 })),
    marks: own
      .filter((event) => event.cat.includes("user_timing"))
      .map((event) => ({ name: event.name, at: event.ts / 1000, processor_at: event.tts / 1000 })),
  };
}

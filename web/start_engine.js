// Starts the engine's module for one canvas, and connects its requests and reports to the page.
import { copy_text } from "./clipboard.js";
import { make_engine, make_picture, parts_of } from "./page_engine.js";
import { guarded, kNoMemory } from "./guarded.js";
import { load_module } from "./load_engine.js";
import { rasterize } from "./rasterize.js";

/** @import { FrameReport, FrameRequest, Host, StartedEngine } from "./types" */

/**
 * Rejects if the module cannot be loaded.
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLElement} root
 * @param {(sentence: string) => void} on_failure there is no picture (any more); the sentence says why
 * @param {(sentence: string) => void} on_stop the program has stopped for good; the sentence says so
 * @param {boolean} wants_all whether the page needs all parts of the module right away (see is_drawn_by_first_part)
 * @returns {Promise<StartedEngine>}
 */
export async function start_engine(canvas, root, on_failure, on_stop, wants_all) {
  /** @type {FrameReport | null} */
  let report = null;
  /** The request of the frame being drawn. @type {FrameRequest | null} */
  let request = null;
  const take_report = () => {
    const taken = report;
    report = null;
    return taken;
  };
  /** @type {Host} */
  const host = {
    requested: ({ save, ...wish }) => {
      request = { ...wish, save: save && { ...save, parts: parts_of(module, save) } };
    },
    frame_done: (done) => {
      report = { ...done, request };
      request = null;
    },
    failed: on_failure,
    no_memory: () => {
      throw new Error(kNoMemory);
    },
    copy: (text) => void copy_text(text, root),
    rasterize,
    figure_drawing: () => null, // until all is there
  };
  const loaded = await load_module({ canvas, host, noInitialRun: true }, wants_all);
  // With the second part, which begins figures, comes the script that draws them.
  const load_second = async () => {
    const [{ figure_drawing }] = await Promise.all([import("./figure.js"), loaded.load_second()]);
    host.figure_drawing = figure_drawing;
  };
  const load_rest = () => load_second().then(loaded.load_rest);
  const module = guarded(loaded.module, on_stop);
  if (wants_all) await load_rest();
  return {
    module,
    engine: make_engine(module),
    start_picture: () => (module.callMain() === 0 ? make_picture(module, take_report) : null),
    load_second,
    load_rest,
  };
}

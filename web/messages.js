// What the playground in a frame says to the page around it, and what it does for that page. Every message is
// {attention: 1, type, ...}; docs/embedding.md has the table. Anybody may know that the playground is ready, how high it would
// like to be, and that it failed. Commands are taken from the parent window alone, if the frame's own address names its
// origin (?host=https://course.example) or it is the playground's own; only who said "hello" so is told what was typed. Where the
// site has a list of allowed origins, <meta name="attention-hosts">, all others that the address names are refused.
import { values_of } from "./links.js";

/** @import { Engine, Link, Playground, StageNumbers } from "./types" */

const kVersion = 1;

export class Messages {
  /** The origin that asked to be told of changes. @type {string | null} */
  #listener = null;
  /** @type {Playground | null} */
  #playground = null;
  /** @type {(link: Link) => void} */
  #open_link = () => {};
  #score = "";
  #has_failed = false;
  #abort = new AbortController();
  #window;
  #hosts;
  /** Which of them the site lets command; null: all. */
  #allowed;

  /** @param {Window} window whose parent is another window */
  constructor(window) {
    this.#window = window;
    const { origin, search } = window.location;
    const own = origin === "null" ? [] : [origin];
    this.#hosts = [...own, ...new URLSearchParams(search).getAll("host")];
    const setting = /** @type {HTMLMetaElement | null} */ (window.document.querySelector("meta[name=attention-hosts]"));
    this.#allowed = setting && [...own, ...setting.content.split(/[\s,]+/)];
  }

  /**
   * The playground can be used: obeys commands from now on.
   * @param {Playground} playground
   * @param {(link: Link) => void} open_link
   */
  start(playground, open_link) {
    if (playground.engine === null || this.#has_failed) return; // what failed was said
    this.#playground = playground;
    this.#open_link = open_link;
    this.#score = score_of(playground.link());
    const stop = { signal: this.#abort.signal };
    this.#window.addEventListener("message", (event) => void this.#take(event), stop);
    this.#say("ready", {}, "*");
  }

  destroy() {
    this.#abort.abort();
  }

  /** @param {string} message one of the page's own sentences */
  failed(message) {
    this.#has_failed = true;
    this.#say("error", { message }, "*");
  }

  /** How high the frame has to be for nothing to scroll in it. @param {number} height CSS pixels */
  wants_height(height) {
    this.#say("size", { height }, "*");
  }

  /** The visitor changed something. @param {Link} link */
  changed(link) {
    const score = score_of(link);
    const is_answer = score !== this.#score && score !== "";
    this.#score = score;
    if (this.#listener === null) return;
    this.#say("change", { link }, this.#listener);
    if (!is_answer) return;
    const [right, asked, hints] = score.split("/").map(Number);
    this.#say("answer", { right, asked, hints }, this.#listener);
  }

  /** @param {MessageEvent} event */
  async #take({ data, origin, source }) {
    const { parent } = this.#window;
    if (source !== parent || !this.#hosts.includes(origin) || data?.attention !== kVersion) return;
    const { id, type } = data;
    let result;
    try {
      if (this.#allowed?.includes(origin) === false)
        throw new Error(`The site of this playground does not let ${origin} command it.`);
      const value = await this.#obey(data, origin);
      if (value === undefined) throw new Error(`This playground knows no message "${type}".`);
      result = { id, value };
    } catch (error) {
      result = { id, error: /** @type {Error} */ (error).message };
    }
    try {
      this.#say("result", result, origin);
    } catch {
      // An id that cannot be sent back, such as a port: whoever asked so waits for nothing.
    }
  }

  /** The answer to a command, or what it will be; undefined: nobody knows it. @param {any} command @param {string} origin */
  #obey(command, origin) {
    const playground = /** @type {Playground} */ (this.#playground);
    const engine = /** @type {Engine} */ (playground.engine);
    const state = () => ({ link: engine.legal_link(playground.link()) });
    switch (command.type) {
      case "hello":
        this.#listener = origin;
        return state();
      case "get_state":
        return state();
      case "set_state":
        this.#open_link(String(command.link));
        return state();
      case "near":
        playground.tell_near(command.is_near === true);
        return {};
      case "get_stage":
        return stage_of(engine.trace(playground.link(), String(command.stage)));
      case "export":
        return engine.make_file(playground.link(), String(command.kind), String(command.options ?? ""));
    }
  }

  /** @param {string} type @param {object} content @param {string} origin */
  #say(type, content, origin) {
    // A page from disk or in a sandbox has no origin that could be named: its window alone is meant.
    const target = origin === "null" ? "*" : origin;
    this.#window.parent.postMessage({ attention: kVersion, type, ...content }, target);
  }
}

/** @param {Link} link */
function score_of(link) {
  return values_of(link, "score")[0] ?? "";
}

/**
 * A stage of each sentence, its numbers in the order of its shape.
 * @param {string} trace the engine's, of one stage
 * @returns {StageNumbers[]}
 */
function stage_of(trace) {
  if (trace === "") throw new Error("These are more numbers than a page can hold.");
  const { sentences } = JSON.parse(trace);
  return sentences.map((/** @type {any} */ { text, tokens, stages: [stage] }) => ({
    text,
    tokens,
    stage: stage?.name ?? "",
    shape: stage?.shape ?? [],
    // A hidden key's score is minus infinity, for which JSON has no word.
    values: Float32Array.from((stage?.values ?? []).flat(2), (value) => value ?? -Infinity),
  }));
}

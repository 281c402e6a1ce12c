// The messages between a playground in a frame and the page around it. Every message is {attention: 1, type, ...};
// docs/embedding.md has the table. Any page is told that the playground is ready, how high it would like to be, and that it failed.
// Only the parent window may send commands, and only if the frame's address names its origin (?host=https://course.example) or
// the origin is the playground's own. Only a page that has said "hello" this way is told what the visitor types. If the site lists
// allowed origins in <meta name="attention-hosts">, it refuses all others, even those that the address names.
import { values_of } from "./links.js";

/** @import { Engine, Link, Playground, StageNumbers } from "./types" */

const kVersion = 1;
const kAnswers = { format: "attention-playground-answers", version: 1 }; // as in src/share/formats/answer_sheet.h

export class Messages {
  /** The origin that said "hello" and is told of changes. @type {string | null} */
  #listener = null;
  /** @type {Playground | null} */
  #playground = null;
  /** @type {(link: Link) => void} */
  #open_link = () => {};
  #score = "";
  #has_failed = false;
  /** The answers that were told last, as JSON. */
  #told_answers = "";
  #abort = new AbortController();
  #window;
  #hosts;
  /** The origins that the site allows to send commands; null: all. */
  #allowed;

  /** @param {Window} window its parent is another window */
  constructor(window) {
    this.#window = window;
    const { origin, search } = window.location;
    const own = origin === "null" ? [] : [origin];
    this.#hosts = [...own, ...new URLSearchParams(search).getAll("host")];
    const setting = /** @type {HTMLMetaElement | null} */ (window.document.querySelector("meta[name=attention-hosts]"));
    this.#allowed = setting && [...own, ...setting.content.split(/[\s,]+/)];
  }

  /**
   * The playground is ready: obeys commands from now on.
   * @param {Playground} playground
   * @param {(link: Link) => void} open_link
   */
  start(playground, open_link) {
    if (playground.engine === null || this.#has_failed) return; // failed() has already said so
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

  /** Tells the page around how high the frame must be so that nothing in it scrolls. @param {number} height CSS pixels */
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

  /** The visitor may have answered something: tells all answers if so. */
  answered() {
    if (this.#listener === null || this.#playground === null) return;
    const told = /** @type {Engine} */ (this.#playground.engine).answers("");
    if (told === this.#told_answers) return;
    this.#told_answers = told;
    this.#say("answers", { answers: JSON.parse(told).answers }, this.#listener);
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
      if (value === undefined) throw new Error(`This playground does not know the message "${type}".`);
      result = { id, value };
    } catch (error) {
      result = { id, error: /** @type {Error} */ (error).message };
    }
    try {
      this.#say("result", result, origin);
    } catch {
      // The id cannot be sent back, for example because it is a port: the sender gets no answer.
    }
  }

  /** The answer to a command, or a promise of it; undefined: unknown command. @param {any} command @param {string} origin */
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
      case "open_files": {
        const files = Array.isArray(command.files) ? command.files : [];
        if (origin !== this.#window.location.origin || !files.every((/** @type {any} */ file) => file instanceof File))
          throw new Error("Only a page of the playground's own origin may hand over files.");
        return playground.open_files(files).then((opened) => ({ opened: opened === true }));
      }
      case "get_answers": {
        const before = engine.answers("");
        this.#told_answers = engine.answers(kept_text(command.earlier));
        if (this.#told_answers !== before) playground.answers_replaced();
        return JSON.parse(this.#told_answers).answers;
      }
      case "near":
        playground.tell_near(command.is_near === true);
        return {};
      case "get_stage":
        if (!command.stage) throw new Error("There is no stage without a name.");
        return stage_of(engine.trace(playground.link(), String(command.stage)));
      case "export":
        return engine.make_file(playground.link(), String(command.kind), String(command.options ?? ""));
    }
  }

  /** @param {string} type @param {object} content @param {string} origin */
  #say(type, content, origin) {
    // The origin of a page from disk or in a sandbox cannot be named; "*" still reaches only the parent window.
    const target = origin === "null" ? "*" : origin;
    this.#window.parent.postMessage({ attention: kVersion, type, ...content }, target);
  }
}

/** The answers of an earlier visit as the engine reads them; empty without any. @param {unknown} earlier */
function kept_text(earlier) {
  if (earlier === undefined || earlier === null) return "";
  if (!Array.isArray(earlier)) throw new Error("The earlier answers are no list.");
  return JSON.stringify({ ...kAnswers, answers: earlier });
}

/** @param {Link} link */
function score_of(link) {
  return values_of(link, "score")[0] ?? "";
}

/**
 * One stage of each sentence, with its numbers in the order of its shape.
 * @param {string} trace the engine's trace of one stage
 * @returns {StageNumbers[]}
 */
function stage_of(trace) {
  const { error, sentences } = JSON.parse(trace);
  if (error !== undefined) throw new Error(error);
  return sentences.map((/** @type {any} */ { text, tokens, stages: [stage] }) => ({
    text,
    tokens,
    stage: stage?.name ?? "",
    shape: stage?.shape ?? [],
    // A hidden key's score is minus infinity, which JSON cannot express: it has null instead.
    values: Float32Array.from((stage?.values ?? []).flat(2), (value) => value ?? -Infinity),
  }));
}

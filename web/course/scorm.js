// SCORM's run-times. A table has what differs between 1.2 and 2004 (4th edition): where the API is, what its functions and elements are
// called, how values are written. The course of a session is the same: begin, set, commit, end. All calls return at once.

import { spoken_name } from "../name_seed.js";

/** @import { CourseItem, CourseReport, CourseRuntime } from "../types" */

/**
 * @typedef {object} Row
 * @property {string} api the name of the object that a course system puts into a window
 * @property {Record<"initialize" | "get" | "set" | "commit" | "terminate" | "error" | "error_string", string>} functions
 * @property {string[]} learner the elements that say who the student is, the name first
 * @property {string} kept the element that keeps a text for the next visit
 * @property {number} most_kept letters of it
 * @property {string} raw the element of the score, on its scale
 * @property {string} completion that of the status
 * @property {(report: CourseReport) => string[][]} score elements and values
 * @property {(report: CourseReport) => string[][]} status
 * @property {(seconds: number) => string[][]} end
 * @property {(item: CourseItem) => string[][]} interaction members and values, in the order in which they are set
 */

const kMostWindows = 50; // between the page and the window with the API
const kNotThere = new Set(["401", "402"]); // the course system has no such element
const kNeverTaken = /^4\d\d$/; // nor takes this value ever
const kNumber = /^-?\d{1,12}(\.\d{1,12})?$/;

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");
/** "0001:02:03.45" @param {number} seconds @param {number} digits of the hours */
function clock(seconds, digits) {
  const whole = Math.floor(seconds);
  const hours = Math.min(Math.floor(whole / 3600), 9999);
  return `${String(hours).padStart(digits, "0")}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}
/** A share with at most seven decimals, as 2004 has them. @param {number} share */
const decimal = (share) => String(Number(share.toFixed(7)));

/** Text in which nothing is taken for SCORM 2004's marks, {lang=en} and [,]. @param {string} text @param {number} most letters */
const plain = (text, most) =>
  [
    ...text
      .replace(/[[{]/g, "(")
      .replace(/[\]}]/g, ")")
      .replace(/\p{Cc}+/gu, " "),
  ]
    .slice(0, most)
    .join("");
/** The time of a record; unknown: now. @param {number} seconds since 1970 */
const moment = (seconds) => (seconds > 0 ? new Date(seconds * 1000) : new Date());

/** As SCORM 2004 has it: a zone stands only behind a fraction. @param {number} seconds since 1970 */
const time_of = (seconds) =>
  moment(seconds)
    .toISOString()
    .replace(/\d\dZ$/, "Z");

/** @type {Record<"scorm12" | "scorm2004", Row>} */
export const kRows = {
  scorm12: {
    api: "API",
    functions: {
      ...{ initialize: "LMSInitialize", get: "LMSGetValue", set: "LMSSetValue", commit: "LMSCommit" },
      ...{ terminate: "LMSFinish", error: "LMSGetLastError", error_string: "LMSGetErrorString" },
    },
    learner: ["cmi.core.student_name", "cmi.core.student_id"],
    kept: "cmi.suspend_data",
    most_kept: 4096,
    raw: "cmi.core.score.raw",
    completion: "cmi.core.lesson_status",
    score: ({ right, asked }) => [
      ["cmi.core.score.min", "0"],
      ["cmi.core.score.max", "100"],
      ["cmi.core.score.raw", String(Math.round((100 * right) / asked))],
    ],
    status: ({ is_done }) => [["cmi.core.lesson_status", is_done ? "completed" : "incomplete"]],
    end: (seconds) => [
      ["cmi.core.session_time", clock(seconds, 4)],
      ["cmi.core.exit", "suspend"],
    ],
    interaction: ({ id, typed, is_right, last }) => [
      ["id", id],
      ["time", clock_of(moment(last))],
      ["type", kNumber.test(typed) ? "numeric" : "fill-in"],
      ["weighting", "1"],
      ["student_response", plain(typed, 250)],
      ["result", is_right ? "correct" : "wrong"],
      ...(is_right ? [["correct_responses.0.pattern", plain(typed, 250)]] : []),
    ],
  },
  scorm2004: {
    api: "API_1484_11",
    functions: {
      ...{ initialize: "Initialize", get: "GetValue", set: "SetValue", commit: "Commit" },
      ...{ terminate: "Terminate", error: "GetLastError", error_string: "GetErrorString" },
    },
    learner: ["cmi.learner_name", "cmi.learner_id"],
    kept: "cmi.suspend_data",
    most_kept: 64000,
    raw: "cmi.score.raw",
    completion: "cmi.completion_status",
    score: ({ right, settled, asked }) => [
      ["cmi.score.min", "0"],
      ["cmi.score.max", String(asked)],
      ["cmi.score.raw", String(right)],
      ["cmi.score.scaled", decimal(right / asked)],
      ["cmi.progress_measure", decimal(settled / asked)],
    ],
    status: ({ is_done, right, asked }) => [
      ["cmi.completion_status", is_done ? "completed" : "incomplete"],
      ["cmi.success_status", is_done && asked > 0 && right === asked ? "passed" : "unknown"],
    ],
    end: (seconds) => [
      [
        "cmi.session_time",
        `PT${Math.floor(seconds / 3600)}H${Math.floor(seconds / 60) % 60}M${Math.floor(seconds) % 60}S`,
      ],
      ["cmi.exit", "suspend"],
    ],
    interaction: ({ id, asked, typed, is_right, last }) => {
      const is_number = kNumber.test(typed);
      return [
        ["id", id],
        ["type", is_number ? "numeric" : "other"],
        ["timestamp", time_of(last)],
        ["description", plain(asked, 250)],
        ["weighting", "1"],
        ["learner_response", plain(typed, 4000)],
        ["result", is_right ? "correct" : "incorrect"],
        ...(is_right ? [["correct_responses.0.pattern", is_number ? `${typed}[:]${typed}` : plain(typed, 4000)]] : []),
      ];
    },
  },
};

/** @param {Date} date */
const clock_of = (date) => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;

/** @implements {CourseRuntime} */
export class ScormRuntime {
  #row;
  #window;
  #begin = Date.now();
  /** @type {any} */
  #api = null;
  #learner = "";
  #is_on = false;
  #has_ended = false;
  /** What the course system had when the session began: where it keeps no answers, a later visit takes nothing away. */
  #had = { score: -1, is_done: false };
  /** The number of the next interaction. */
  #next = 0;
  /** The place and the last written text of each question's interaction; place -1: an earlier visit wrote it. @type {Map<string, { at: number, text: string }>} */
  #written = new Map();
  /** Elements that the course system does not have. @type {Set<string>} */
  #absent = new Set();

  /** @param {"scorm12" | "scorm2004"} kind @param {Window} window */
  constructor(kind, window) {
    this.#row = kRows[kind];
    this.#window = window;
  }

  /** Letters of what is kept. */
  get most_kept() {
    return this.#row.most_kept;
  }

  /** As the course system calls the student, the first name first. */
  get learner() {
    return this.#learner;
  }

  /** Begins the session. Returns what the last visit left; throws a sentence. */
  async start() {
    this.#begin_session();
    return this.#get(this.#row.kept);
  }

  /** @param {CourseReport} report of an earlier visit: it was reported then */
  know({ items }) {
    for (const item of items) this.#written.set(item.id, { at: -1, text: JSON.stringify(item) });
  }

  /** Sets and commits all. Throws a sentence if the course system did not take it; the next call says all again. @param {CourseReport} report @param {string} kept */
  async report(report, kept) {
    this.#report(report, kept);
  }

  /** The same, and ends the session. @param {CourseReport} report @param {string} kept */
  finish(report, kept) {
    if (this.#has_ended) return;
    this.#report(report, kept);
    this.#succeed("terminate");
    this.#has_ended = true;
    this.#is_on = false;
  }

  #begin_session() {
    if (this.#is_on || this.#has_ended) return;
    this.#api = find_api(this.#window, this.#row.api);
    if (this.#api === null) throw new Error("no SCORM run-time was found around this page");
    this.#succeed("initialize");
    this.#is_on = true;
    this.#learner =
      this.#row.learner.map((element) => spoken_name(this.#get(element))).find((name) => name !== "") ?? "";
    const { raw, completion } = this.#row;
    const score = this.#get(raw);
    this.#had = {
      score: score === "" ? -1 : Number(score) || 0,
      is_done: /^(completed|passed)$/.test(this.#get(completion)),
    };
    this.#next = Math.max(0, Math.floor(Number(this.#get("cmi.interactions._count"))) || 0);
  }

  /** @param {CourseReport} report @param {string} kept */
  #report(report, kept) {
    this.#begin_session();
    if (report.asked > 0) {
      const score = this.#row.score(report);
      const raw = Number(new Map(/** @type {[string, string][]} */ (score)).get(this.#row.raw));
      if (raw >= this.#had.score) this.#set_all(score);
    }
    if (report.is_done || !this.#had.is_done) this.#set_all(this.#row.status(report));
    // Now, too: while a page goes, browsers let many course systems send nothing any more.
    this.#set_all(this.#row.end((Date.now() - this.#begin) / 1000));
    if (kept !== "") this.#set(this.#row.kept, kept);
    for (const item of report.items) this.#write(item);
    this.#succeed("commit");
  }

  /** @param {CourseItem} item */
  #write(item) {
    const text = JSON.stringify(item);
    const before = this.#written.get(item.id);
    if (before?.text === text || this.#absent.has("cmi.interactions")) return;
    const at = before && before.at >= 0 ? before.at : this.#next;
    for (const [member, value] of this.#row.interaction(item)) {
      if (is_true(this.#call("set", `cmi.interactions.${at}.${member}`, value))) continue;
      // Single answers are optional in SCORM 1.2, and some course systems take less of them than they should.
      if (!kNeverTaken.test(this.#error_code())) throw new Error(this.#why(`cmi.interactions.${at}.${member}`));
      if (member === "id") return void this.#absent.add("cmi.interactions");
    }
    if (at === this.#next) this.#next += 1;
    this.#written.set(item.id, { at, text });
  }

  /** @param {string[][]} values */
  #set_all(values) {
    for (const [element, value] of values) this.#set(element, value);
  }

  /** Throws a sentence if the course system has the element and refuses the value. @param {string} element @param {string} value */
  #set(element, value) {
    if (this.#absent.has(element) || is_true(this.#call("set", element, value))) return;
    if (!kNotThere.has(this.#error_code())) throw new Error(this.#why(element));
    this.#absent.add(element);
  }

  /** @param {string} element */
  #get(element) {
    const value = this.#call("get", element);
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  }

  /** @param {"initialize" | "commit" | "terminate"} name */
  #succeed(name) {
    if (!is_true(this.#call(name, ""))) throw new Error(this.#why(this.#row.functions[name]));
  }

  /** @param {keyof Row["functions"]} name @param {string[]} values */
  #call(name, ...values) {
    try {
      return this.#api[this.#row.functions[name]](...values);
    } catch (error) {
      throw new Error(`it failed at ${this.#row.functions[name]} (${words_of(error)})`);
    }
  }

  #error_code() {
    return words_of(this.#call("error"));
  }

  /** @param {string} what it refused */
  #why(what) {
    const code = this.#error_code();
    if (!/^\d+$/.test(code) || code === "0") return `it did not answer ${what} with “true”`;
    const words = words_of(this.#call("error_string", code));
    return `it refused ${what} (${words === "" ? "error" : words}, ${code})`;
  }
}

/** @param {unknown} answer as SCORM has it, and as some write it */
const is_true = (answer) => answer === true || answer === "true";

/** What somebody else's program said, or threw, as one short line. @param {any} said */
function words_of(said) {
  try {
    return plain(String(said?.message ?? said ?? ""), 120)
      .trim()
      .replace(/\.$/, "");
  } catch {
    return ""; // it has no text
  }
}

/**
 * The API of the windows around the page, or of the window that opened them and those around that; null: there is none. Windows of
 * other origins have none for this page.
 * @param {Window} window
 * @param {string} name
 */
function find_api(window, name) {
  for (const start of [() => window, () => window.opener, () => window.top?.opener]) {
    const found = within(start, name);
    if (found !== null) return found;
  }
  return null;
}

/** @param {() => Window | null | undefined} start @param {string} name */
function within(start, name) {
  try {
    let here = /** @type {any} */ (start());
    for (let i = 0; here && i < kMostWindows; ++i) {
      const next = here.parent;
      const found = api_in(here, name);
      if (found) return found;
      if (next === here) break;
      here = next;
    }
  } catch {
    // of another origin
  }
  return null;
}

/** @param {any} window @param {string} name */
function api_in(window, name) {
  try {
    return window[name] ?? null;
  } catch {
    return null; // of another origin; a window around it may be of this one
  }
}

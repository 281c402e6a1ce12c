// xAPI 1.0.3: statements to a record store, and the document in which it keeps a visit. The launch link of the course system names the
// store, and says as whom to speak to it. Nothing is sent before the visitor presses a button that names the host.

/** @import { Course, CourseItem, CourseReport, CourseRuntime } from "../types" */

const kVersion = "1.0.3";
const kVerbs = "http://adlnet.gov/expapi/verbs/";
const kTypes = "http://adlnet.gov/expapi/activities/";
const kStateId = "attention-playground";
const kPatience = 20_000; // ms for one answer
const kMostKept = 200_000; // letters

/**
 * Reads a launch link. Null: it names no record store. Throws a sentence if the store is none that is spoken to.
 * @param {string} search of the page's address
 * @param {Course} course
 */
export function read_launch(search, course) {
  const given = new URLSearchParams(search);
  const endpoint = given.get("endpoint");
  if (endpoint === null) return null;
  const address = URL.canParse(endpoint) ? new URL(endpoint) : null;
  const is_loopback = address !== null && /^(localhost|127\.0\.0\.1)$/.test(address.hostname);
  if (address === null || !(address.protocol === "https:" || (address.protocol === "http:" && is_loopback)))
    throw new Error("the launch link names a record store that is no https address");
  if (address.username !== "" || address.password !== "")
    throw new Error("the launch link has a password in the address of the record store");
  const auth = given.get("auth") ?? "";
  if (!/^[\x20-\x7e]*$/.test(auth)) throw new Error("the credentials in the launch link cannot be sent");
  address.hash = "";
  if (!address.pathname.endsWith("/")) address.pathname += "/";
  return {
    address,
    auth,
    actor: actor_of(given.get("actor")),
    activity: given.get("activity_id") || course.id,
    registration: given.get("registration") || null,
  };
}

/** Somebody with one way of being told apart, as xAPI 1.0 has it; older launch links give lists. @param {string | null} text */
function actor_of(text) {
  let actor;
  try {
    actor = JSON.parse(text ?? "");
  } catch {
    throw new Error("the launch link does not say who you are");
  }
  const first = (/** @type {any} */ value) => (Array.isArray(value) ? value[0] : value);
  const account = first(actor?.account);
  const who = {
    name: first(actor?.name),
    mbox: first(actor?.mbox),
    mbox_sha1sum: first(actor?.mbox_sha1sum),
    openid: first(actor?.openid),
    account: account && {
      homePage: account.homePage ?? account.accountServiceHomePage,
      name: account.name ?? account.accountName,
    },
  };
  const given = Object.entries(who).filter(([, value]) => value !== undefined && value !== null);
  if (!given.some(([name]) => name !== "name")) throw new Error("the launch link does not say who you are");
  return { objectType: "Agent", ...Object.fromEntries(given) };
}

/** @implements {CourseRuntime} */
export class StatementRuntime {
  most_kept = kMostKept;
  #course;
  #launch;
  #begin = Date.now();
  #has_begun = false;
  #is_completed = false;
  /** The last statement on each question, as text. @type {Map<string, string>} */
  #said = new Map();
  /** Statements that the store has not taken yet, in order: sent again they keep their ids, so that it counts each once. @type {object[]} */
  #waiting = [];
  #kept = "";

  /** @param {Course} course @param {NonNullable<ReturnType<typeof read_launch>>} launch */
  constructor(course, launch) {
    this.#course = course;
    this.#launch = launch;
  }

  /** The host that the visitor has to agree to. */
  get host() {
    return this.#launch.address.host;
  }

  /** The name in the launch link, or what else tells this student apart. */
  get learner() {
    const { name, mbox, account, mbox_sha1sum, openid } = /** @type {any} */ (this.#launch.actor);
    const is_said = (/** @type {unknown} */ one) => typeof one === "string" && one.trim() !== "";
    const said = [name, mbox, account?.name, mbox_sha1sum, openid].find(is_said) ?? "";
    return said.replace(/^mailto:/, "").trim();
  }

  async start() {
    const answer = await this.#ask("GET", this.#state_address());
    this.#kept = answer === null ? "" : answer.slice(0, kMostKept);
    this.#has_begun = true;
    this.#add("initialized", this.#activity());
    return this.#kept;
  }

  /** @param {CourseReport} report */
  know(report) {
    for (const item of report.items) this.#said.set(item.id, JSON.stringify(item));
    this.#is_completed = report.is_done;
  }

  /** @param {CourseReport} report @param {string} kept */
  async report(report, kept) {
    if (!this.#has_begun) await this.start();
    this.#add_of(report);
    if (kept !== "" && kept !== this.#kept) {
      await this.#ask("PUT", this.#state_address(), kept, "application/octet-stream");
      this.#kept = kept;
    }
    const sent = [...this.#waiting];
    if (sent.length === 0) return;
    await this.#ask("POST", new URL("statements", this.#launch.address), JSON.stringify(sent));
    this.#waiting = this.#waiting.filter((one) => !sent.includes(one));
  }

  /** Nobody can wait for an answer any more: it is sent while the page goes. @param {CourseReport} report */
  finish(report) {
    if (!this.#has_begun) return;
    this.#add_of(report);
    this.#add("terminated", this.#activity(), { duration: `PT${Math.round((Date.now() - this.#begin) / 1000)}S` });
    const body = JSON.stringify(this.#waiting.splice(0));
    void this.#fetch("POST", new URL("statements", this.#launch.address), body, "application/json", true).catch(
      () => {},
    );
  }

  // --- statements ---

  /** @param {CourseReport} report */
  #add_of(report) {
    for (const item of report.items) {
      const text = JSON.stringify(item);
      if (this.#said.get(item.id) === text) continue;
      this.#said.set(item.id, text);
      this.#add("answered", this.#question(item), { success: item.is_right, response: item.typed }, true);
    }
    if (!report.is_done || this.#is_completed) return;
    this.#is_completed = true;
    const { right, asked } = report;
    const score = asked > 0 ? { score: { scaled: right / asked, raw: right, min: 0, max: asked } } : {};
    this.#add("completed", this.#activity(), { completion: true, ...score });
  }

  /** @param {string} verb @param {object} object @param {object} [result] @param {boolean} [is_part] */
  #add(verb, object, result, is_part = false) {
    const { actor, registration } = this.#launch;
    const context = {
      ...(registration === null ? {} : { registration }),
      ...(is_part ? { contextActivities: { parent: [this.#activity()] } } : {}),
    };
    this.#waiting.push({
      id: random_id(),
      timestamp: new Date().toISOString(),
      actor,
      verb: { id: kVerbs + verb, display: { "en-US": verb } },
      object,
      ...(result ? { result } : {}),
      ...(Object.keys(context).length > 0 ? { context } : {}),
    });
  }

  #activity() {
    const definition = { type: `${kTypes}lesson`, name: { "en-US": this.#course.title } };
    return { objectType: "Activity", id: this.#launch.activity, definition };
  }

  /** @param {CourseItem} item */
  #question({ id, asked }) {
    const definition = {
      type: `${kTypes}cmi.interaction`,
      name: { "en-US": asked },
      description: { "en-US": asked },
      interactionType: "other",
    };
    return { objectType: "Activity", id: `${this.#launch.activity}/${id}`, definition };
  }

  // --- the store ---

  #state_address() {
    const { address, activity, actor, registration } = this.#launch;
    const state = new URL("activities/state", address);
    const given = { activityId: activity, agent: JSON.stringify(actor), stateId: kStateId };
    state.search = String(new URLSearchParams(registration === null ? given : { ...given, registration }));
    return state;
  }

  /** The body of an answer; null: there is no such document. Rejects with a sentence. @param {string} method @param {URL} address @param {string} [body] @param {string} [type] */
  async #ask(method, address, body, type = "application/json") {
    let response;
    try {
      response = await this.#fetch(method, address, body, type);
    } catch (error) {
      const is_late = /** @type {Error} */ (error).name === "TimeoutError";
      throw new Error(
        is_late ? `${this.host} did not answer within 20 seconds` : `${this.host} cannot be reached from this page`,
      );
    }
    const { status, ok } = response;
    if (method === "GET" && status === 404) return null;
    if (status === 401 || status === 403)
      throw new Error(`${this.host} refuses the credentials of the launch link (${status}); open the course once more`);
    if (!ok) throw new Error(`${this.host} refuses it (${status})`);
    return response.text();
  }

  /** @param {string} method @param {URL} address @param {string} [body] @param {string} [type] @param {boolean} [keepalive] */
  #fetch(method, address, body, type, keepalive = false) {
    const headers = { "X-Experience-API-Version": kVersion, Authorization: this.#launch.auth };
    return fetch(address, {
      method,
      body,
      keepalive,
      headers: body === undefined ? headers : { ...headers, "Content-Type": String(type) },
      credentials: "omit",
      referrerPolicy: "no-referrer",
      redirect: "error", // nobody agreed to another host
      cache: "no-store",
      signal: AbortSignal.timeout(kPatience),
    });
  }
}

/** A UUID of version 4; pages without https have no crypto.randomUUID. */
function random_id() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

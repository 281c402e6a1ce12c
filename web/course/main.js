// The outer page of a package for course systems: the playground in a sandboxed frame, and what its element tells, told to the course
// system. Where none answers, the playground works all the same, and a sentence says so. Bundled into course.js, a classic script,
// which also runs when the page is opened from disk.
import "../attention-playground.js";
import { make } from "../dom.js";
import { pack, unpack } from "./keep.js";
import { link_for, normal_name } from "../name_seed.js";
import { progress_of, report_of } from "./report.js";
import { ScormRuntime } from "./scorm.js";
import { read_launch, StatementRuntime } from "./xapi.js";

/** @import { AttentionPlayground } from "../attention-playground.js" */
/** @import { AnswerRecord, Course, CourseRuntime, KeptVisit } from "../types" */

const kAlone = "You can work with the playground, but nothing is reported. Open it from your course.";
const kUntilNow = "You can work with the playground; it is tried again with your next answer and when you leave.";
const kAgain = "Nothing is lost while this page is open: it is tried again with your next answer and when you leave.";

class CoursePage {
  #course;
  /** @type {CourseRuntime | null} */
  #runtime = null;
  /** @type {AnswerRecord[]} */
  #answers = [];
  #link;
  /** What the course system should keep, packed. */
  #kept = "";
  /** @type {AttentionPlayground | null} */
  #playground = null;
  /** Work that was begun is ended before the next begins. @type {Promise<unknown>} */
  #queue = Promise.resolve();
  #has_begun = false;
  /** Whether the numbers are already those of the student. */
  #is_own = false;
  /** Whose numbers they are, a sentence; empty where all have the same. */
  #whose = "";
  #has_left = false;

  /** @param {Course} course */
  constructor(course) {
    this.#course = course;
    this.#link = course.link;
    document.title = course.title;
    part("title").textContent = course.title;
    part("again").addEventListener("click", () => this.#report_soon());
    addEventListener("pagehide", () => this.#leave());
    addEventListener("pageshow", ({ persisted }) => persisted && location.reload()); // its session has ended
    this.#show_progress();
    void this.#start();
  }

  async #start() {
    const { kind } = this.#course;
    if (kind === "xapi") return this.#offer_store();
    this.#runtime = new ScormRuntime(kind, window);
    let earlier = null;
    try {
      earlier = await this.#begin(this.#runtime);
      const link = this.#own_link(); // says whose they are, also where an earlier visit began with them
      if (earlier === null) this.#link = link;
      say("The course system is ready: it hears your answers.");
    } catch (error) {
      this.#fail("The course system does not answer", error, kAlone);
      part("again").hidden = false;
    }
    this.#show_progress();
    this.#open(earlier);
  }

  /** The playground is there; the store hears nothing before a press. */
  #offer_store() {
    let runtime;
    try {
      const launch = read_launch(location.search, this.#course);
      runtime = launch && new StatementRuntime(this.#course, launch);
    } catch (error) {
      this.#open(null);
      return this.#fail("Nothing can be reported", error, kAlone);
    }
    if (runtime) this.#link = this.#own_link(runtime);
    this.#show_progress();
    this.#open(null);
    if (!runtime) return say(`No course system has opened this page: it names no record store. ${kAlone}`);
    const agree = part("agree");
    agree.textContent = `Report my answers to ${runtime.host}`;
    agree.hidden = false;
    say("Nothing is sent before you press the button.");
    agree.addEventListener("click", () => {
      agree.hidden = true;
      part("said").focus();
      say(`Speaking to ${runtime.host} …`);
      this.#runtime = runtime;
      this.#report_soon();
    });
  }

  /** The link with the student's own numbers, where the package has such. */
  #own_link(runtime = this.#runtime) {
    const learner = runtime?.learner ?? "";
    this.#is_own = true;
    if (this.#course.seeds)
      this.#whose =
        learner === "" ? " Everybody has these numbers." : ` The numbers are those of “${normal_name(learner)}”.`;
    return link_for(this.#course, learner);
  }

  /** Begins the session. Resolves to what the last visit left. @param {CourseRuntime} runtime */
  async #begin(runtime) {
    const kept = await runtime.start();
    this.#has_begun = true;
    const earlier = await unpack(kept, this.#course.id);
    if (earlier) runtime.know(report_of(this.#course, earlier.answers));
    return earlier;
  }

  /** @param {KeptVisit | null} earlier */
  #open(earlier) {
    if (earlier) {
      this.#link = earlier.link;
      this.#answers = earlier.answers;
    }
    const playground = make("attention-playground", {
      ...{ src: "index.html", link: this.#link, loading: "eager", title: this.#course.title },
      // Browsers let a sandbox load nothing from disk, where every file is a site of its own anyway.
      sandbox: location.protocol !== "file:" && "allow-scripts",
    });
    this.#playground = playground;
    playground.addEventListener("ready", () => {
      // It knows nothing of an earlier visit, nor, where the frame was loaded anew, of this one.
      this.#do(() => this.#remind(this.#answers));
      if (this.#has_begun) this.#report_soon();
    });
    playground.addEventListener("answers", ({ detail }) => {
      this.#answers = detail.answers;
      this.#report_soon();
    });
    playground.addEventListener("change", ({ detail }) => {
      this.#link = detail.link;
      this.#do(() => this.#pack());
    });
    playground.addEventListener("error", ({ detail }) => say(detail.message));
    part("main").append(playground);
  }

  /** What the last visit left is heard of only now. @param {KeptVisit | null} earlier */
  async #take_over(earlier) {
    if (earlier === null && (this.#is_own || !this.#course.seeds)) return;
    const is_fresh = this.#answers.length === 0;
    if (earlier) await this.#remind(earlier.answers);
    const own = this.#own_link();
    const link = earlier?.link ?? own;
    this.#show_progress();
    if (is_fresh) this.#link = (await this.#playground?.setState(link)) ?? this.#link;
  }

  /** Gives the playground what was answered before. @param {AnswerRecord[]} earlier */
  async #remind(earlier) {
    try {
      this.#answers = (await this.#playground?.getAnswers(earlier)) ?? earlier;
    } catch (error) {
      say(`Your earlier answers are not shown: ${words(error)}`);
    }
    this.#show_progress();
  }

  async #pack() {
    const visit = { id: this.#course.id, link: this.#link, answers: this.#answers };
    if (this.#runtime) this.#kept = await pack(visit, this.#runtime.most_kept);
  }

  #report_soon() {
    this.#show_progress();
    this.#do(() => this.#report());
  }

  /** Once all that was begun is ended; what fails keeps nothing after it from its turn. @param {() => Promise<void>} work */
  #do(work) {
    this.#queue = this.#queue.then(work).catch((error) => this.#fail("This page could not go on", error, kAgain));
  }

  async #report() {
    if (!this.#runtime || this.#has_left) return;
    try {
      if (!this.#has_begun) await this.#take_over(await this.#begin(this.#runtime));
      await this.#pack();
      await this.#runtime.report(report_of(this.#course, this.#answers), this.#kept);
      if (document.activeElement === part("again")) part("said").focus();
      part("again").hidden = true;
      say("The course system has your answers.");
    } catch (error) {
      this.#fail("The course system did not take your answers", error, this.#has_begun ? kAgain : kUntilNow);
      part("again").hidden = false;
    }
  }

  #leave() {
    if (this.#has_left) return;
    this.#has_left = true;
    try {
      this.#runtime?.finish(report_of(this.#course, this.#answers), this.#has_begun ? this.#kept : "");
    } catch {
      // Nobody is there any more to be told.
    }
  }

  #show_progress() {
    part("progress").textContent = progress_of(report_of(this.#course, this.#answers)) + this.#whose;
  }

  /** @param {string} what @param {unknown} error @param {string} advice */
  #fail(what, error, advice) {
    say(`${what}: ${words(error)}. ${advice}`);
  }
}

/** @param {string} name @returns {HTMLElement} */
function part(name) {
  const found = /** @type {HTMLElement | null} */ (document.querySelector(`[data-part="${name}"]`));
  if (!found) throw new Error(`course.html has no part "${name}"`);
  return found;
}

/** @param {string} sentence */
function say(sentence) {
  part("said").textContent = sentence;
}

/** @param {unknown} error */
const words = (error) => /** @type {Error} */ (error).message;

const given = /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=attention-course]"));
if (given?.content) new CoursePage(JSON.parse(given.content));
else
  say("This page is a part of packages for course systems, which the author's page makes. By itself it shows nothing.");

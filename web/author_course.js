// What the author's page makes for a course system's own way of opening lessons: a package of SCORM or xAPI, with the playground inside.
import { button, field, save } from "./author_handout.js";
import { asked_by, course_of, make_package, read_of_site, seeds_of } from "./course_package.js";
import { make } from "./dom.js";
import { Models } from "./models.js";

/** @import { RawModule } from "./attention_playground.mjs" */
/** @import { CourseKind, Engine, Mirror } from "./types" */

/** @type {Record<CourseKind, string>} */
const kKinds = { scorm12: "SCORM 1.2", scorm2004: "SCORM 2004, 4th edition", xapi: "xAPI (tincan.xml)" };
const kInside = "first-words"; // the model that a package has inside

export class CoursePackages {
  #engine;
  #models;
  #mirror = /** @type {Mirror | null} */ (null);
  #is_named = false;
  #kind = make(
    "select",
    { id: "author-package" },
    ...Object.entries(kKinds).map(([kind, label]) => make("option", { value: kind }, label)),
  );
  #scope = make(
    "select",
    { id: "author-package-scope" },
    make("option", { value: "lesson" }, "the whole lesson"),
    make("option", { value: "step" }, "this step"),
  );
  #scope_field = field("What counts", this.#scope);
  #own = make("input", { id: "author-package-own", type: "checkbox" });
  #own_field = make(
    "label",
    { class: "author-tick" },
    this.#own,
    " Each student gets numbers of their own, from the name in the course system",
  );
  #title = make("input", { id: "author-package-title", type: "text", autocomplete: "off", dir: "auto" });
  #save = button("Save the package");
  #status = make("p", { class: "author-hint", role: "status" });

  /** @param {HTMLElement} section @param {Engine} engine @param {RawModule} module */
  constructor(section, engine, module) {
    this.#engine = engine;
    this.#models = new Models(module, document.baseURI, { on_brought: () => {}, on_lost: () => {} });
    this.#scope.addEventListener("change", () => this.#show_choices());
    this.#title.addEventListener("input", () => (this.#is_named = this.#title.value.trim() !== ""));
    this.#save.addEventListener("click", () => void this.#make());
    section.append(
      make(
        "p",
        { class: "author-hint" },
        "A ZIP file of about 2.4 MB with the playground inside. Upload it as a SCORM package (in Moodle) or as xAPI content: the course " +
          "system then has each student’s answers and score, and opens it again where the student left it.",
      ),
      field("Format", this.#kind),
      this.#scope_field,
      this.#own_field,
      field("Title in the course", this.#title),
      make("div", { class: "author-row" }, this.#save, this.#status),
    );
  }

  /** @param {Mirror} mirror what the page prepares now */
  show(mirror) {
    this.#mirror = mirror;
    this.#scope_field.hidden = mirror.lesson === null;
    this.#status.textContent = "";
    this.#show_choices();
  }

  /** In a whole lesson each step brings its own numbers. */
  #show_choices() {
    this.#own_field.hidden = this.#mirror?.lesson != null && this.#is_whole;
    this.#show_title();
  }

  get #is_whole() {
    return this.#scope.value === "lesson";
  }

  #show_title() {
    if (this.#is_named || this.#mirror === null) return;
    const { lesson, sentence } = this.#mirror;
    const name =
      lesson === null ? sentence.text : this.#is_whole ? lesson.title : `${lesson.title}: ${lesson.step_title}`;
    this.#title.value = name || "Attention Playground";
  }

  async #make() {
    if (this.#mirror === null) return;
    const { link } = this.#mirror;
    this.#save.disabled = true;
    this.#status.textContent = "The page is making it …";
    try {
      if (this.#models.wanted_by(link) === kInside && !this.#models.is_open(kInside))
        await this.#models.open_listed(kInside, () => {}, new AbortController().signal);
      const asked = await asked_by(this.#engine, link, this.#is_whole);
      const kind = /** @type {CourseKind} */ (this.#kind.value);
      const seeds = this.#own.checked && !this.#own_field.hidden ? await seeds_of(this.#engine, link) : undefined;
      if (seeds === null)
        throw new Error("No seed decides any number here: all students would get the same. Untick the box.");
      const zip = await make_package(course_of(kind, this.#title.value, link, asked, seeds), read_of_site);
      const { lesson } = this.#mirror;
      const name = `attention-${lesson?.is_task ? "task" : (lesson?.name ?? "playground")}-${kind}.zip`;
      save(name, new Blob([zip], { type: "application/zip" }));
      const count = asked.reduce((sum, step) => sum + step.count, 0);
      this.#status.textContent =
        `${name} is made: ${(zip.length / 1e6).toFixed(1)} MB. ` +
        (count === 0
          ? "It asks nothing: it counts as completed once it was opened."
          : `${count === 1 ? "1 question counts" : `${count} questions count`} for the score.`);
    } catch (error) {
      this.#status.textContent = /** @type {Error} */ (error).message;
    }
    this.#save.disabled = false;
  }
}

// The author's page: a playground in a frame, switches for what a class sees of it, and what to hand out. One link holds all of
// that except the frame's size. The link is also in this page's address, so an author can bookmark a prepared playground.
import { AddressBar } from "./address_bar.js";
import { CoursePackages } from "./author_course.js";
import { EmbeddedPlayground } from "./author_frame.js";
import { Handout } from "./author_handout.js";
import { with_author, without_author } from "./author_link.js";
import { Tasks } from "./author_tasks.js";
import { Variants } from "./author_variants.js";
import { Switches } from "./author_switches.js";
import { make } from "./dom.js";
import { use_fonts } from "./fonts.js";
import { missing_for_engine } from "./requirements.js";
import { start_engine } from "./start_engine.js";

/** @import { RawModule } from "./attention_playground.mjs" */
/** @import { AuthorSettings, Engine, Mirror } from "./types" */

class AuthorPage {
  /** @type {AuthorSettings} */
  #settings = { width: "100%", height: 640, title: "Attention Playground" };
  #link = "";
  #sees_all = false;
  #engine;
  #address_bar = new AddressBar(window);
  #playground;
  #switches;
  #handout;
  #variants;
  #packages;
  #tasks;

  /** @param {Engine} engine @param {RawModule} module */
  constructor(engine, module) {
    this.#engine = engine;
    this.#playground = new EmbeddedPlayground(/** @type {HTMLIFrameElement} */ (part("frame")), (link) =>
      this.#take(this.#sees_all ? with_author(link, this.#link) : link, true),
    );
    const change = {
      link: (/** @type {string} */ link) => this.#take(link, true),
      settings: (/** @type {Partial<AuthorSettings>} */ settings) => this.#resize(settings),
    };
    this.#switches = new Switches(part("switches"), engine, change);
    this.#handout = new Handout(part("handout"), engine, { announce, settings: change.settings });
    this.#tasks = new Tasks(part("tasks"), engine, {
      ...{ announce, link: change.link, address: () => this.#handout.address },
    });
    this.#variants = new Variants(part("variants"), engine, { announce, address: () => this.#handout.address });
    this.#packages = new CoursePackages(part("course"), engine, module);
    const sees = /** @type {HTMLFieldSetElement} */ (part("sees"));
    sees.disabled = false;
    sees.addEventListener("change", (event) => {
      this.#sees_all = /** @type {HTMLInputElement} */ (event.target).value === "all";
      this.#show_in_frame();
    });
    this.#address_bar.listen((link) => this.#take(link, false));
    this.#take(this.#address_bar.read(), false);
    this.#resize({});
    part("message").hidden = true;
  }

  /** @param {string} link @param {boolean} is_new_step the author made the change; it did not come from the address */
  #take(link, is_new_step) {
    const mirror = this.#engine.mirror(link);
    const is_changed = mirror.link !== this.#link;
    this.#link = mirror.link;
    if (is_new_step && is_changed) this.#address_bar.write(this.#link, true);
    this.#show_in_frame();
    this.#show_notes(mirror);
    this.#switches.show(mirror, this.#settings);
    this.#handout.show(mirror, this.#settings);
    this.#variants.show(this.#link);
    this.#packages.show(mirror);
    this.#tasks.show(mirror);
    /** @type {HTMLAnchorElement} */ (part("open")).href = this.#link === "" ? "./" : `./#${this.#link}`;
  }

  #show_in_frame() {
    this.#playground.show(this.#sees_all ? without_author(this.#link) : this.#link);
  }

  /** @param {Mirror} mirror */
  #show_notes({ notes }) {
    const list = part("notes");
    list.hidden = notes.length === 0;
    list.replaceChildren(...notes.map((note) => make("li", {}, note)));
  }

  /** @param {Partial<AuthorSettings>} settings */
  #resize(settings) {
    this.#settings = { ...this.#settings, ...settings };
    const frame = /** @type {HTMLIFrameElement} */ (part("frame"));
    frame.width = this.#settings.width;
    frame.height = String(this.#settings.height);
    const mirror = this.#engine.mirror(this.#link);
    this.#switches.show(mirror, this.#settings);
    this.#handout.show(mirror, this.#settings);
  }
}

/** @param {string} name @returns {HTMLElement} */
function part(name) {
  const found = /** @type {HTMLElement | null} */ (document.querySelector(`[data-part="${name}"]`));
  if (!found) throw new Error(`author.html has no part "${name}"`);
  return found;
}

/** @param {string} sentence */
function announce(sentence) {
  part("announcement").textContent = sentence;
}

async function start() {
  const lack = missing_for_engine();
  if (lack !== null) throw new Error(lack);
  const { engine, module } = await start_engine(
    document.createElement("canvas"),
    part("root"),
    () => {},
    announce,
    true,
  );
  use_fonts(document, engine);
  return new AuthorPage(engine, module);
}

start().catch((error) => {
  console.error(error);
  const message = part("message");
  message.textContent = `The author's page could not be started. ${error.message}`;
});

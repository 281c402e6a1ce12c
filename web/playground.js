// One playground on a page: puts together engine, picture, sentence field, text version and the place where links are kept.
// Several can live on one page, each with an engine of its own. Nothing outlives destroy().
import { use_fonts } from "./fonts.js";
import { values_of, with_sentence, with_values } from "./links.js";
import { find_parts } from "./parts.js";
import { PictureView } from "./picture_view.js";
import { PlainView } from "./plain.js";
import { missing_for_engine, missing_for_picture } from "./requirements.js";
import { start_engine } from "./start_engine.js";

/** @import { Engine, FrameReport, Mirror, Picture, Playground, PlaygroundOptions } from "./types" */

const kTypingPause = 150; // ms without typing, then the text version is made anew
const kNotLoaded = "The playground's program could not be loaded. Please check the connection and reload the page.";
const kBroken =
  "The playground stopped because of a mistake in its program. Please reload the page: the address keeps what you made.";
const kLost = "The browser took the graphics away for a moment. The picture comes back by itself.";

let num_playgrounds = 0;

/**
 * Starts a playground in an element with the markup of index.html. Resolves when it can be used, also if all that can be
 * shown is a sentence that says why there is no picture.
 * @param {HTMLElement} root
 * @param {PlaygroundOptions} [options]
 * @returns {Promise<Playground>}
 */
export async function create_playground(root, options = {}) {
  const playground = new PagePlayground(root, options);
  await playground.start();
  return playground;
}

/** @implements {Playground} */
class PagePlayground {
  /** @type {Engine | null} */
  engine = null;
  /** @type {Picture | null} */
  picture = null;
  /** @type {PictureView | null} */
  #view = null;
  /** @type {PlainView | null} */
  #plain = null;
  /** What the text version shows. @type {Mirror | null} */
  #mirror = null;
  /** The state as last heard of; the picture's may be a moment ahead. */
  #link;
  #is_dark = false;
  #typing_timer = 0;
  #abort = new AbortController();
  #parts;
  #root;
  #links;
  #window;
  #dark_query;
  #calm_query;

  /** @param {HTMLElement} root @param {PlaygroundOptions} options */
  constructor(root, { links }) {
    this.#root = root;
    this.#links = links;
    this.#link = links?.read() ?? "";
    this.#window = /** @type {Window} */ (root.ownerDocument.defaultView);
    this.#dark_query = this.#window.matchMedia("(prefers-color-scheme: dark)");
    this.#calm_query = this.#window.matchMedia("(prefers-reduced-motion: reduce)");
    this.#parts = find_parts(root);
    this.#parts.help.id = `playground-help-${++num_playgrounds}`;
    this.#parts.canvas.setAttribute("aria-describedby", this.#parts.help.id);
  }

  async start() {
    const lack = missing_for_engine();
    if (lack !== null) return this.#fail(lack);
    let started;
    try {
      const { canvas } = this.#parts;
      started = await start_engine(canvas, this.#root, (sentence) => this.#give_up_picture(sentence));
    } catch (error) {
      console.error(error);
      return this.#fail(kNotLoaded);
    }
    if (this.#abort.signal.aborted) return;
    this.engine = started.engine;
    use_fonts(this.#root.ownerDocument, this.engine);
    this.#listen();
    const no_picture = missing_for_picture();
    if (no_picture !== null) return this.#give_up_picture(no_picture);
    const picture = started.start_picture();
    if (picture !== null) this.#start_picture(picture);
  }

  link() {
    if (this.picture && !this.#is_plain) {
      this.picture.hurry();
      this.#view?.draw_now();
    }
    return this.#link;
  }

  /** @param {string} link */
  open_link(link) {
    this.#link = link;
    if (this.#is_plain) this.#show_plain();
    else this.picture?.open_link(link);
    this.#view?.want_frame();
  }

  draw() {
    this.picture?.want_items();
    this.#view?.draw_now();
    return this.picture?.items() ?? [];
  }

  frames() {
    return this.#view?.num_frames ?? 0;
  }

  is_idle() {
    return this.#view?.is_idle ?? true;
  }

  destroy() {
    this.#abort.abort();
    this.#window.clearTimeout(this.#typing_timer);
    this.#view?.destroy();
    this.#plain?.destroy();
    this.#links?.destroy();
  }

  get #is_plain() {
    return !this.#parts.plain.hidden;
  }

  #listen() {
    const stop = { signal: this.#abort.signal };
    const { sentence, show_text, theme } = this.#parts;
    sentence.addEventListener("input", () => this.#sentence_typed(), stop);
    sentence.addEventListener(
      "keydown",
      (event) => event.key === "Enter" && !event.isComposing && sentence.blur(),
      stop,
    );
    show_text.addEventListener("click", () => (this.#is_plain ? this.#hide_plain() : this.#open_plain()), stop);
    theme.addEventListener("click", () => this.#toggle_theme(), stop);
    for (const query of [this.#dark_query, this.#calm_query]) {
      query.addEventListener("change", () => this.#preferences_changed(), stop);
    }
    this.#links?.listen((link) => this.open_link(link));
    show_text.disabled = false;
    theme.disabled = false;
  }

  // --- the picture ---

  /** @param {Picture} picture */
  #start_picture(picture) {
    this.picture = picture;
    const { canvas, typing, sentence } = this.#parts;
    this.#view = new PictureView(canvas, typing, picture, {
      on_report: (report) => this.#take_report(report),
      on_lost: (is_lost) => this.#show_message(is_lost ? kLost : ""),
      on_error: (error) => {
        console.error(error);
        this.#fail(kBroken);
      },
    });
    picture.set_preferences(this.#dark_query.matches, this.#calm_query.matches);
    if (this.#window.matchMedia("(pointer: coarse)").matches) picture.expect_fingers();
    if (this.#link !== "") picture.open_link(this.#link);
    if (sentence.value !== "") picture.type_sentence(sentence.value); // typed while the engine was loading
    this.#view.start();
  }

  /** @param {FrameReport} report */
  #take_report(report) {
    const { sentence, skeleton, message, announcement } = this.#parts;
    if (!skeleton.hidden) {
      skeleton.hidden = true;
      message.hidden = true;
    }
    this.#show_theme(report.is_dark);
    if (report.sentence !== null && report.sentence !== sentence.value) sentence.value = report.sentence;
    if (report.announcement !== null) announcement.textContent = report.announcement;
    if (report.link !== null) {
      this.#link = report.link;
      this.#links?.write(report.link, report.is_new_step);
    }
  }

  #preferences_changed() {
    this.picture?.set_preferences(this.#dark_query.matches, this.#calm_query.matches);
    this.#view?.want_frame();
    if (this.#is_plain) this.#show_theme_of_link();
  }

  // --- the field and the buttons ---

  #sentence_typed() {
    const { value } = this.#parts.sentence;
    if (!this.#is_plain) {
      this.picture?.type_sentence(value);
      this.#view?.want_frame();
      return;
    }
    this.#window.clearTimeout(this.#typing_timer);
    this.#typing_timer = this.#window.setTimeout(() => {
      const batch = this.#mirror?.values.text ?? [];
      this.#plain_changed(with_sentence(this.#link, batch, this.#mirror?.sentence.number ?? 1, value));
    }, kTypingPause);
  }

  #toggle_theme() {
    const is_dark = !this.#is_dark;
    const is_systems = is_dark === this.#dark_query.matches;
    const link = with_values(this.link(), "theme", is_systems ? [] : [is_dark ? "dark" : "light"]);
    this.open_link(link);
    this.#links?.write(link, true);
  }

  /** @param {boolean} is_dark */
  #show_theme(is_dark) {
    this.#is_dark = is_dark;
    this.#root.dataset.theme = is_dark ? "dark" : "light";
    this.#parts.theme_label.textContent = is_dark ? "Light colours" : "Dark colours";
  }

  #show_theme_of_link() {
    const chosen = values_of(this.#link, "theme")[0];
    this.#show_theme(chosen === "dark" || (chosen !== "light" && this.#dark_query.matches));
  }

  // --- the text version ---

  #open_plain() {
    this.link(); // what the picture holds back for a moment comes along
    this.#parts.frame.hidden = true;
    this.#parts.plain.hidden = false;
    this.#label_text_button();
    this.#show_plain();
    this.#parts.plain.focus();
  }

  #hide_plain() {
    this.#parts.plain.hidden = true;
    this.#parts.frame.hidden = false;
    this.#label_text_button();
    this.picture?.open_link(this.#link);
    this.#view?.want_frame();
    this.#parts.canvas.focus();
  }

  #label_text_button() {
    const { show_text } = this.#parts;
    show_text.setAttribute("aria-pressed", String(this.#is_plain));
  }

  /** Makes the text version of #link, or makes it anew. */
  #show_plain() {
    if (!this.engine) return;
    const { plain, sentence } = this.#parts;
    this.#plain ??= new PlainView(plain, this.engine, (link) => this.#plain_changed(link));
    const mirror = this.#plain.show(this.#link);
    this.#mirror = mirror;
    this.#link = mirror.link;
    if (this.#root.ownerDocument.activeElement !== sentence) sentence.value = mirror.sentence.text;
    this.#show_theme_of_link();
  }

  /** The visitor changed something in the text version, or typed while it is shown. @param {string} link */
  #plain_changed(link) {
    this.#link = link;
    this.#show_plain();
    this.#links?.write(this.#link, true);
  }

  // --- what went wrong ---

  /** There is no picture; the numbers are there. @param {string} sentence */
  #give_up_picture(sentence) {
    this.#view?.destroy();
    this.#view = null;
    this.picture = null;
    const { frame, plain, show_text, skeleton } = this.#parts;
    skeleton.hidden = true;
    frame.hidden = true;
    plain.hidden = false;
    show_text.hidden = true;
    this.#show_plain();
    this.#plain?.explain_absence(sentence);
  }

  /** There is nothing but a sentence. @param {string} sentence */
  #fail(sentence) {
    this.#view?.destroy();
    this.#view = null;
    this.#parts.skeleton.hidden = true;
    this.#show_message(sentence);
  }

  /** Shows a sentence over the picture; empty: takes it away. @param {string} sentence */
  #show_message(sentence) {
    const { message } = this.#parts;
    message.textContent = sentence;
    message.classList.toggle("message-solid", sentence !== "");
    message.hidden = sentence === "";
  }
}

// One playground on a page: puts together the engine, the picture, the sentence field, the text version and the link store. A page
// can have several, each with its own engine. destroy() undoes everything.
import { Files } from "./files.js";
import { kFirstFonts, kPageFonts, use_fonts } from "./fonts.js";
import { fit_new_canvas } from "./frames.js";
import { kBroken } from "./guarded.js";
import { address_of, has_fetch_page, is_scene } from "./links.js";
import { is_drawn_by_first_part } from "./first_picture.js";
import { find_parts } from "./parts.js";
import { PictureView } from "./picture_view.js";
import { missing_for_engine, missing_for_picture } from "./requirements.js";
import { SentenceField } from "./sentence_field.js";
import { can_share } from "./share_link.js";
import { start_engine } from "./start_engine.js";
import { kPaper, Theme } from "./theme.js";

/** @import { PlainView } from "./plain.js" */
/** @import { RawModule } from "./attention_playground.mjs" */
/** @import { Incoming } from "./incoming.js" */
/** @import { Sheet } from "./sheet.js" */
/** @import { Engine, FrameReport, NamedFile, Picture, Playground, PlaygroundOptions, StartedEngine } from "./types" */

const kNotLoaded = "The playground's program could not be loaded. Please check the connection and reload the page.";
const kNoText = "The text version could not be loaded. Please check the connection and try again.";
const kNotTaken =
  "Files and models cannot be opened: a script could not be loaded. Please check the connection and try again.";
const kNoSheet =
  "Your answers are not kept: a script could not be loaded. Please check the connection and reload the page.";
const kLongLink = 2000; // characters; the first frame of a long text takes a while
const kModelPatience = 3000; // ms to wait for a link's model before its text is shown with drawn matrices
const kPatience = 500; // ms to wait for the first frame, which never comes while the picture is out of sight
const kLost = "The browser took the graphics away for a moment. The picture comes back by itself.";

let num_playgrounds = 0;

/** The text version's script, which is no part of a first visit. */
const load_plain = () => import("./plain.js");
/** That of files and models on their way in: the same. */
const load_incoming = () => import("./incoming.js");
/** That of what is offered when the program has stopped: the same. */
const load_stopped = () => import("./stopped.js");
/** That of the answers: the same. */
const load_sheet = () => import("./sheet.js");

/**
 * Starts a playground in an element with the markup of index.html. Resolves when it is ready, even if all it can show is a
 * sentence that says why there is no picture.
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
  /** The last known state; the picture may be a moment ahead of it. */
  #link;
  /** The last one of which everything was there and drawn. @type {string | null} */
  #rested = null;
  #has_stopped = false;
  #on_first_frame = () => {};
  /** The timer that checks whether the text version's numbers are ready. */
  #preparing = 0;
  #abort = new AbortController();
  #parts;
  #root;
  #links;
  #on_error;
  #on_answers;
  #autosave;
  #window;
  #theme;
  #sentence;
  #files;
  #is_printing = false;
  /** The picture as it is printed. @type {HTMLCanvasElement | null} */
  #paper = null;
  /** Sentences for the visitor from before the first picture. @type {string[]} */
  #untold = [];
  /** @type {Incoming | null} */
  #incoming = null;
  /** @type {Sheet | null} */
  #sheet = null;
  #num_answers = 0;
  #has_all = (/** @type {RawModule} */ _) => {};
  /** Whether the rest of the engine is on its way. */
  #is_loading = false;
  /** Resolves once the engine can open models. @type {Promise<RawModule>} */
  #all = new Promise((resolve) => (this.#has_all = resolve));

  /** @param {HTMLElement} root @param {PlaygroundOptions} options */
  constructor(root, { links, autosave, on_error, on_answers }) {
    this.#root = root;
    this.#links = links;
    this.#autosave = autosave;
    this.#on_error = on_error;
    this.#on_answers = on_answers;
    this.#link = links?.read() ?? "";
    this.#window = /** @type {Window} */ (root.ownerDocument.defaultView);
    this.#parts = find_parts(root);
    this.#theme = new Theme(root, this.#parts.theme_label);
    this.#sentence = new SentenceField(this.#parts.sentence, (text) => this.#sentence_typed(text), this.#abort.signal);
    this.#sentence.restrict_as(this.#link);
    this.#files = new Files(root, {
      on_files: (files, entries) => this.#with_incoming((incoming) => incoming.take(files, entries)),
      on_note: (sentence) => this.tell(sentence),
    });
    this.#parts.help.id = `playground-help-${++num_playgrounds}`;
    this.#parts.canvas.setAttribute("aria-describedby", this.#parts.help.id);
  }

  async start() {
    const lack = missing_for_engine();
    if (lack !== null) return this.#fail(lack);
    const { canvas } = this.#parts;
    fit_new_canvas(canvas);
    const no_picture = missing_for_picture(canvas); // now, while the engine is loading
    const wants_all = no_picture !== null || !is_drawn_by_first_part(this.#link);
    let started;
    try {
      started = await start_engine(
        canvas,
        this.#root,
        (sentence) => this.#give_up_picture(sentence),
        (sentence) => this.#stop(sentence),
        wants_all,
      );
    } catch (error) {
      console.error(error);
      return this.#fail(kNotLoaded);
    }
    if (this.#abort.signal.aborted) return;
    this.engine = started.engine;
    if (wants_all) {
      this.#has_all(started.module);
      await Promise.race([this.#find_model(), new Promise((resolve) => setTimeout(resolve, kModelPatience))]);
      if (this.#abort.signal.aborted) return;
    }
    const picture = no_picture === null ? started.start_picture() : null;
    if (this.#link.length > kLongLink) await new Promise((resolve) => setTimeout(resolve)); // in a task of its own
    if (this.#abort.signal.aborted) return;
    this.#listen();
    const first_frame = this.#first_frame();
    if (picture !== null) this.#start_picture(picture);
    const { ownerDocument } = this.#root;
    use_fonts(ownerDocument, this.engine, kPageFonts); // while the browser brings the picture to the screen
    if (no_picture === null) await first_frame;
    const second = is_scene(this.#link) ? started.load_second() : null; // the scene waits for its model: both at once
    if (second && !wants_all) {
      second.catch(() => {}); // told below
      void this.#with_incoming(async (incoming) => incoming.fetch_ahead(this.#link), started.module);
    }
    use_fonts(ownerDocument, this.engine, wants_all ? undefined : kFirstFonts);
    if (no_picture !== null) {
      this.#give_up_picture(no_picture);
      this.keep_answers();
    }
    for (const sentence of this.#untold.splice(0)) this.tell(sentence);
    if (no_picture !== null) return;
    if (!second) await this.#is_at_ease();
    if (this.#abort.signal.aborted) return;
    try {
      await (second ?? started.load_second());
      this.#has_all(started.module);
      const finding = this.#find_model();
      // Now, as the connection may be gone when they are asked for.
      for (const load of [load_plain, load_incoming, load_stopped]) load().catch(() => {});
      const patience = new Promise((resolve) => setTimeout(resolve, kModelPatience));
      if (!wants_all) await Promise.race([finding, patience]); // the model comes first
    } catch (error) {
      console.error(error);
      return this.#fail(kNotLoaded);
    }
    void this.#end_loading(started);
  }

  /** Brings the rest of the engine, which nothing of what is shown has to wait for. @param {StartedEngine} started */
  async #end_loading(started) {
    if (this.#abort.signal.aborted) return;
    this.#is_loading = true;
    try {
      await started.load_rest();
      if (this.engine) use_fonts(this.#root.ownerDocument, this.engine);
      this.picture?.has_all(this.#autosave?.visited ?? "");
      this.#view?.want_frame();
      this.keep_answers();
    } catch (error) {
      console.error(error);
      this.#fail(kNotLoaded);
    }
    this.#is_loading = false;
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
    void this.#find_model();
    if (this.#is_plain) return this.#show_plain();
    this.picture?.open_link(link);
    this.#view?.want_frame();
  }

  /** @param {File[]} files */
  open_files(files) {
    return this.#with_incoming((incoming) => incoming.take(files, []));
  }

  /** @param {boolean} is_near */
  tell_near(is_near) {
    this.#view?.tell_near(is_near);
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
    return (this.#view?.is_idle ?? true) && !this.#incoming?.is_reading && !this.#is_loading;
  }

  destroy() {
    this.#abort.abort();
    this.#window.clearTimeout(this.#preparing);
    this.#view?.destroy();
    this.#plain?.destroy();
    this.#sheet?.destroy();
    this.#files.destroy();
    this.#links?.destroy();
  }

  get #is_plain() {
    return !this.#parts.plain.hidden;
  }

  #listen() {
    const stop = { signal: this.#abort.signal };
    const { show_text, theme } = this.#parts;
    for (const start of this.#root.querySelectorAll("[data-part=start][href]"))
      start.addEventListener("click", (event) => this.#go_to_start(event), stop);
    show_text.addEventListener("click", () => (this.#is_plain ? this.#hide_plain() : this.#open_plain()), stop);
    theme.addEventListener("click", () => this.#toggle_theme(), stop);
    this.#theme.listen(() => this.#preferences_changed(), stop.signal);
    this.#links?.listen((link) => this.open_link(link));
    for (const event of ["beforeprint", "afterprint"]) {
      this.#window.addEventListener(event, () => this.#print(event === "beforeprint"), stop);
    }
    show_text.disabled = false;
    theme.disabled = false;
  }

  // --- the picture ---

  /** Resolves once the first frame is drawn, or after a while if the picture is out of sight. @returns {Promise<void>} */
  #first_frame() {
    return new Promise((resolve) => {
      this.#on_first_frame = resolve;
      setTimeout(resolve, kPatience);
    });
  }

  /** Resolves once the page is idle, or after a while: what is on the screen comes first. @returns {Promise<unknown>} */
  #is_at_ease() {
    const page = this.#window;
    return new Promise((resolve) => {
      if (page.requestIdleCallback) page.requestIdleCallback(resolve, { timeout: kPatience });
      else page.setTimeout(resolve, kPatience); // Safari
    });
  }

  /** @param {Picture} picture */
  #start_picture(picture) {
    this.picture = picture;
    const { canvas, typing } = this.#parts;
    this.#view = new PictureView(canvas, typing, picture, {
      on_report: (report) => this.#take_report(report),
      on_lost: (is_lost) => this.#show_message(is_lost ? kLost : ""),
      on_error: (error) => {
        if (this.#has_stopped) return; // and has said so
        console.error(error);
        this.#stop(kBroken);
      },
    });
    picture.set_preferences(...this.#theme.preferences);
    const address = address_of(this.#root.ownerDocument.URL);
    picture.set_address(address, can_share(address), has_fetch_page(this.#root.ownerDocument));
    if (this.#window.matchMedia("(pointer: coarse)").matches) picture.expect_fingers();
    if (this.#link !== "") picture.open_link(this.#link);
    if (this.#sentence.value !== "") picture.type_sentence(this.#sentence.value); // typed while the engine was loading
    this.#view.start();
  }

  /** @param {FrameReport} report */
  #take_report(report) {
    const { skeleton, message, announcement } = this.#parts;
    if (!skeleton.hidden) {
      this.#end_waiting();
      message.hidden = true;
      this.#on_first_frame();
    }
    if (this.#theme.show(report.is_dark) && !this.#is_printing) this.#preferences_changed();
    this.#sentence.restrict({ hides: report.hides_sentence, locks: report.locks_sentence });
    if (report.sentence !== null) this.#sentence.show(report.sentence);
    if (report.announcement !== null) announcement.textContent = report.announcement;
    if (report.link !== null) {
      this.#link = report.link;
      this.#links?.write(report.link, report.is_new_step);
      void this.#find_model();
    }
    if (!report.has_work && !report.wants_another) this.#rested = this.#link;
    if (report.num_answers !== this.#num_answers) {
      this.#num_answers = report.num_answers;
      this.keep_answers();
    }
    const opens = report.request?.opens;
    if (opens === "sheet") this.#with_sheet((sheet) => sheet.open());
    else if (opens) this.#window.open(`${opens}.html#${this.#link}`, "_blank", "noopener");
    if (report.request !== null) void this.#files.answer(report.request);
  }

  #preferences_changed() {
    this.picture?.set_preferences(...this.#theme.preferences);
    this.#view?.want_frame();
    if (this.#is_plain) this.#theme.show_of(this.#link);
  }

  /** Paper is light, whatever the screen is. @param {boolean} is_printing */
  #print(is_printing) {
    this.#is_printing = is_printing;
    this.picture?.set_preferences(...(is_printing ? kPaper : this.#theme.preferences));
    this.#paper?.remove();
    this.#paper = is_printing && this.#view ? this.#view.copy() : null;
    if (this.#paper) this.#parts.canvas.after(this.#paper);
    else this.#view?.want_frame();
  }

  // --- the field and the buttons ---

  /** @param {string} value */
  #sentence_typed(value) {
    if (is_scene(this.#link))
      void this.#with_incoming(async (incoming) => {
        if ((await incoming.open_kept()) && this.#is_plain)
          this.#with_plain((plain) => plain.type_sentence(this.#sentence.value)); // the picture reads it anew by itself
      });
    if (this.#is_plain) {
      this.#with_plain((plain) => plain.type_sentence(value));
    } else {
      this.picture?.type_sentence(value);
      this.#view?.draw_soon();
    }
  }

  /** Back to the opening scene, with the sentence that the visitor typed. @param {Event} event */
  #go_to_start(event) {
    event.preventDefault();
    if (this.engine) this.change_link(this.engine.act(this.link(), "door=start").link);
  }

  #toggle_theme() {
    this.change_link(this.#theme.changed_in(this.link()));
  }

  // --- files and models ---

  /** Opens a link as a step of the visitor's. @param {string} link */
  change_link(link) {
    this.open_link(link);
    this.#links?.write(link, true);
  }

  /** Opens the model that the link or its lesson names, if this is its first time. */
  async #find_model() {
    if (/model=|lesson=/.test(this.#link) || is_scene(this.#link))
      await this.#with_incoming((incoming) => incoming.find_model(this.#link));
    else this.#incoming?.leave_stopped();
  }

  /**
   * Calls `action` once the script is there, and all of the engine; resolves to what it gave, if it could.
   * @template Result
   * @param {(incoming: Incoming) => Promise<Result>} action
   * @param {RawModule | Promise<RawModule>} needs of the engine
   */
  async #with_incoming(action, needs = this.#all) {
    const module = await needs;
    try {
      const { Incoming } = await load_incoming();
      if (this.#abort.signal.aborted) return;
      this.#incoming ??= new Incoming(module, this, this.#files.hint);
      return await action(this.#incoming);
    } catch (error) {
      console.error(error);
      this.tell(kNotTaken);
    }
  }

  // --- answers ---

  /** Something was answered, here or in the text version. */
  keep_answers() {
    this.#on_answers?.();
    this.#with_sheet((sheet) => sheet.keep());
  }

  /** Calls `action` once the script is there. @param {(sheet: Sheet) => void} action */
  #with_sheet(action) {
    const { engine } = this;
    load_sheet()
      .then(({ Sheet }) => {
        if (!engine || this.#has_stopped || this.#abort.signal.aborted) return;
        action((this.#sheet ??= new Sheet(this.#root, engine, this)));
      })
      .catch((error) => {
        console.error(error);
        this.tell(kNoSheet);
      });
  }

  get autosave() {
    return this.#autosave;
  }

  /** The answers are others now, and not by answering. */
  answers_replaced() {
    if (this.#is_plain) this.#show_plain();
    this.want_frame();
  }

  /** @param {NamedFile} file */
  save({ bytes, ...file }) {
    void this.#files.save({ ...file, parts: [bytes] });
  }

  /** @param {string} sentence */
  announce(sentence) {
    this.#parts.announcement.textContent = sentence;
  }

  want_frame() {
    this.#view?.want_frame();
  }

  /** @param {NamedFile} file */
  take_file(file) {
    if (this.#is_plain) {
      this.#with_plain((plain) => plain.open_file(file));
    } else {
      try {
        this.picture?.add_file(file);
      } catch (error) {
        this.tell(`${file.name}: ${/** @type {Error} */ (error).message}`);
      }
      this.#view?.want_frame();
    }
  }

  /** Tells the visitor something, in the picture or in the text version. @param {string} sentence */
  tell(sentence) {
    if (this.#is_plain) {
      this.#with_plain((plain) => plain.tell(sentence));
    } else if (this.picture) {
      this.picture.note(sentence);
      this.#view?.want_frame();
    } else {
      this.#untold.push(sentence);
    }
  }

  // --- the text version ---

  #open_plain() {
    this.link(); // includes changes that the picture has not reported yet
    this.#swap_versions(true);
    this.#show_plain();
    this.#parts.plain.focus();
  }

  #hide_plain() {
    this.#swap_versions(false);
    this.picture?.open_link(this.#link);
    this.#view?.want_frame();
    this.#parts.canvas.focus();
  }

  /** @param {boolean} is_plain */
  #swap_versions(is_plain) {
    this.#parts.frame.hidden = is_plain;
    this.#parts.plain.hidden = !is_plain;
    this.#parts.show_text.setAttribute("aria-pressed", String(is_plain));
  }

  /**
   * Makes the text version of #link: at once, or as soon as a long text's numbers are ready. Then calls on_shown, unless another
   * version was asked for in the meantime.
   * @param {() => void} [on_shown]
   */
  #show_plain(on_shown) {
    this.#with_plain((plain, engine) => this.#prepare_plain(plain, engine, on_shown));
  }

  /** @param {PlainView} plain @param {Engine} engine @param {() => void} [on_shown] */
  #prepare_plain(plain, engine, on_shown) {
    this.#window.clearTimeout(this.#preparing);
    if (!this.#is_plain) return;
    let is_ready = false;
    try {
      is_ready = engine.prepare(this.#link);
    } catch (refusal) {
      this.#link = plain.refuse(/** @type {Error} */ (refusal).message);
      return;
    }
    if (!is_ready) {
      plain.wait();
      this.#preparing = this.#window.setTimeout(() => this.#is_plain && this.#show_plain(on_shown), 0);
      return;
    }
    const mirror = plain.show(this.#link);
    this.#link = mirror.link;
    if (!this.#sentence.has_focus) this.#sentence.show(mirror.sentence.text);
    this.#sentence.restrict_as(this.#link);
    this.#theme.show_of(this.#link);
    on_shown?.();
  }

  /**
   * Calls `action` with the text version, once its script is there.
   * @param {(plain: PlainView, engine: Engine) => void} action
   */
  #with_plain(action) {
    const { engine } = this;
    if (!engine || this.#abort.signal.aborted) return;
    if (this.#plain) return action(this.#plain, engine);
    load_plain().then(
      ({ PlainView }) => {
        if (this.#abort.signal.aborted) return;
        this.#plain ??= new PlainView(this.#parts.plain, engine, {
          on_change: (link) => this.#plain_changed(link),
          files: this.#files,
          autosave: this.#autosave,
          on_answers: () => this.keep_answers(),
          on_sheet: () => this.#with_sheet((sheet) => sheet.open()),
        });
        action(this.#plain, engine);
      },
      (error) => {
        console.error(error);
        if (!this.picture) return this.#fail(kNotLoaded);
        this.#hide_plain();
        this.tell(kNoText);
      },
    );
  }

  /** The visitor changed something in the text version, or typed while it is shown. @param {string} link */
  #plain_changed(link) {
    this.#link = link;
    void this.#find_model();
    this.#show_plain(() => this.#links?.write(this.#link, true));
  }

  /** Removes the skeleton that stands in for the picture and reveals the page (styles.css). */
  #end_waiting() {
    this.#parts.skeleton.hidden = true;
    this.#root.dataset.shown = "";
  }

  // --- what went wrong ---

  /** Shows the text version for good, because there is no picture. @param {string} sentence the reason */
  #give_up_picture(sentence) {
    this.#view?.destroy();
    this.#view = null;
    this.picture = null;
    this.#end_waiting();
    this.#parts.show_text.hidden = true;
    this.#swap_versions(true);
    this.#show_plain();
    this.#with_plain((plain) => plain.explain_absence(sentence));
  }

  /** Stops, and shows nothing but a sentence. @param {string} sentence */
  #fail(sentence) {
    this.#view?.destroy();
    this.#view = null;
    this.#parts.canvas.style.visibility = "hidden"; // else the browser draws that its context is lost
    this.#end_waiting();
    this.#show_message(sentence);
    this.#on_error?.(sentence);
  }

  /** The program has ended: says so, and offers to start anew. The text version may go on. @param {string} sentence */
  #stop(sentence) {
    if (this.#has_stopped) return;
    this.#has_stopped = true;
    this.picture = null;
    this.#fail(sentence);
    load_stopped().then(
      ({ offer_new_starts }) => {
        if (this.#links) offer_new_starts(this.#parts.message, this.#link, this.#rested, this.#links);
      },
      () => this.#show_message(`${sentence} Please reload the page: the address keeps what you made.`),
    );
  }

  /** Shows a sentence over the picture; an empty one removes it. @param {string} sentence */
  #show_message(sentence) {
    const { message } = this.#parts;
    message.textContent = sentence;
    message.classList.toggle("message-solid", sentence !== "");
    message.hidden = sentence === "";
  }
}

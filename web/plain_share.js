// Saving, copying and opening in the text version: one row for each kind of export in the engine's table.
import { copy_text } from "./clipboard.js";
import { make } from "./dom.js";
import { address_of, has_author_page, has_fetch_page, names_of } from "./links.js";
import { can_share, share_link } from "./share_link.js";

/** @import { Files } from "./files.js" */
/** @import { Engine, ExportInfo, FileOffer, NamedFile, PlaygroundOptions } from "./types" */

const kPatience = 100; // ms before it says that the file is being made

const kScopes = /** @type {const} */ ({
  view: "Figure of the chosen view",
  stage: "Numbers of the chosen stage",
  state: "Everything",
});

export class PlainShare {
  #link = "";
  #engine;
  #files;
  #on_change;
  heading = make("h3", {}, "Save, copy, open");
  #prepare = make("a", { target: "_blank", rel: "noopener" }, "Prepare for a class");
  #fetch = make("a", { target: "_blank", rel: "noopener" }, "Fetch a model from an address");
  #open = this.#button("Open a file …", "Open a session file or numbers", () => this.#files.ask());
  #send = this.#button("Send …", "Send the link to this state", () => void this.#share_link());
  #outcome = make("p", { role: "status", class: "plain-outcome" });
  #offer = make("div", { class: "plain-offer", role: "group", tabindex: -1, hidden: true });

  /**
   * @param {Engine} engine
   * @param {object} page
   * @param {(link: string) => void} page.on_change the visitor opened a file
   * @param {Files} page.files
   * @param {PlaygroundOptions["autosave"]} page.autosave
   */
  constructor(engine, { on_change, files, autosave }) {
    this.#engine = engine;
    this.#files = files;
    this.#on_change = on_change;
    this.#send.hidden = !can_share(address_of(document.URL));
    const rows = Object.entries(kScopes).flatMap(([scope, title]) => {
      const infos = engine.exports().filter((info) => info.scope === scope);
      return infos.length === 0 ? [] : [make("h4", {}, title), make("ul", {}, ...infos.map((info) => this.#row(info)))];
    });
    this.element = make(
      "div",
      { class: "plain-share" },
      make(
        "p",
        {},
        this.#send,
        " ",
        this.#button("Copy link", "Copy the link to this state", () => this.#copy_link()),
      ),
      ...rows,
      make("p", {}, this.#open),
      make("p", {}, this.#fetch),
      make("p", {}, this.#prepare),
      this.#offer,
      this.#outcome,
      ...(autosave ? [make_memory_choice(autosave)] : []),
    );
  }

  /** @param {string} link */
  show(link) {
    this.#link = link;
    this.#prepare.href = `author.html#${link}`;
    this.#fetch.href = `fetch.html#${link}`;
    this.#fetch.hidden = !has_fetch_page(this.#fetch.ownerDocument);
    this.#prepare.hidden = !has_author_page(this.#prepare.ownerDocument.URL);
    const is_hidden = names_of(link, "hide").includes("share");
    this.heading.hidden = is_hidden;
    this.element.hidden = is_hidden;
  }

  /** The visitor brought a file. @param {NamedFile} file */
  open({ name, bytes }) {
    try {
      const offer = this.#engine.open_file(this.#link, name, bytes);
      if (offer.is_certain) this.#take(offer.choices[0], `Opened ${name}.`);
      else this.#ask(name, offer);
    } catch (error) {
      this.tell(`${name}: ${sentence_of(error)}`);
    }
  }

  /** @param {string} sentence */
  tell(sentence) {
    this.#outcome.textContent = sentence;
  }

  /** @param {ExportInfo} info */
  #row(info) {
    const save = this.#button("Save", `Save: ${info.label}`, () => void this.#save(info));
    const copy = this.#button("Copy", `Copy: ${info.label}`, () => this.#copy(info));
    return make(
      "li",
      {},
      make("strong", {}, info.label),
      ` ${info.about} `,
      save,
      ...(info.is_text ? [" ", copy] : []),
    );
  }

  /** @param {string} label @param {string} name for screen readers @param {() => void} act */
  #button(label, name, act) {
    const button = make("button", { type: "button", class: "text-button", "aria-label": name }, label);
    button.addEventListener("click", act);
    return button;
  }

  /** @param {ExportInfo} info */
  async #save(info) {
    const word = setTimeout(() => this.tell("The file is being made."), kPatience);
    try {
      const file = await this.#engine.make_file(this.#link, info.name);
      this.tell(`Made ${file.name}.`);
      void this.#files.save({ ...file, parts: [file.bytes] });
    } catch (error) {
      this.tell(sentence_of(error));
    } finally {
      clearTimeout(word);
    }
  }

  /** Makes the file at once: browsers let a page copy only while it handles a click. @param {ExportInfo} info */
  #copy(info) {
    try {
      const { bytes } = this.#engine.export_file(this.#link, info.name);
      void this.#copy_text(new TextDecoder().decode(bytes), `Copied: ${info.label}.`);
    } catch (error) {
      this.tell(sentence_of(error));
    }
  }

  /** The link with the page's address, if others can open that address. */
  get #whole_link() {
    const address = address_of(document.URL);
    return address === "" ? this.#link : `${address}#${this.#link}`;
  }

  #copy_link() {
    void this.#copy_text(this.#whole_link, "The link is copied.");
  }

  async #share_link() {
    if (!(await share_link(this.#whole_link)))
      this.tell("The browser does not let this page share: copy the link instead.");
  }

  /** @param {string} text @param {string} outcome */
  async #copy_text(text, outcome) {
    const is_copied = await copy_text(text, this.element);
    this.tell(is_copied ? outcome : "The browser does not let this page copy.");
  }

  /** @param {string} name @param {FileOffer} offer */
  #ask(name, offer) {
    const choices = offer.choices.map((choice) =>
      this.#button(choice.label, [choice.label, ...choice.notes].join(". "), () =>
        this.#take(choice, `Opened ${name}.`),
      ),
    );
    const cancel = this.#button("Cancel", "Cancel", () => this.#close_offer());
    this.#offer.replaceChildren(make("p", {}, offer.question), ...[...choices, cancel].flatMap((one) => [one, " "]));
    this.#offer.setAttribute("aria-label", name);
    this.#offer.hidden = false;
    this.#offer.focus();
  }

  #close_offer() {
    this.#offer.hidden = true;
    this.#open.focus(); // most likely, the file came from this button
  }

  /** @param {FileOffer["choices"][number]} choice @param {string} outcome */
  #take(choice, outcome) {
    if (!this.#offer.hidden) this.#close_offer();
    this.#on_change(choice.link);
    this.tell([outcome, ...choice.notes].join(" "));
  }
}

/** The switch for remembering the last state. @param {NonNullable<PlaygroundOptions["autosave"]>} autosave */
function make_memory_choice(autosave) {
  const box = make("input", { type: "checkbox" });
  box.checked = autosave.is_on;
  box.addEventListener("change", () => autosave.set_on(box.checked));
  return make("label", { class: "plain-memory" }, box, " Keep my last state in this browser");
}

/** @param {unknown} error */
function sentence_of(error) {
  return error instanceof Error ? error.message : String(error);
}

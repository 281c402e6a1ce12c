// The page that fetches the files of a model from the address that a visitor names, and hands them to a playground in its frame. It
// contacts a host only after a press on a button that names it. model_address.js reads the address, model_host.js asks.
import { make } from "./dom.js";
import { FetchFrame } from "./fetch_frame.js";
import { kKnownModels } from "./known_models.js";
import { read_address } from "./model_address.js";
import { fetch_file, look, read_json, words_of } from "./model_host.js";

/** @import { HostFile } from "./model_host.js" */

const kFramed = "This page contacts other hosts, so it works in a tab of its own only, not inside another page.";
const kStopped = "Stopped. What was there stays.";
const kHeardShares = 4; // quarters
const kKeepDownload = 60_000; // ms after which the browser has certainly started the download

/** @template {HTMLElement} [Kind=HTMLElement] @param {string} name @returns {Kind} */
function part(name) {
  const found = document.querySelector(`[data-part="${name}"]`);
  if (!found) throw new Error(`fetch.html has no part "${name}"`);
  return /** @type {Kind} */ (found);
}

class FetchPage {
  /** What the host said it has, once somebody looked. @type {HostFile[]} */
  #found = [];
  /** What was fetched of it. @type {File[]} */
  #files = [];
  /** Stops what is going on; null: nothing is. @type {AbortController | null} */
  #stopper = null;
  #address = /** @type {HTMLInputElement} */ (part("address"));
  #look = /** @type {HTMLButtonElement} */ (part("look"));
  #fetch = /** @type {HTMLButtonElement} */ (part("fetch"));
  #progress = /** @type {HTMLProgressElement} */ (part("progress"));
  #frame = new FetchFrame(/** @type {HTMLIFrameElement} */ (part("frame")));
  #link = window.location.hash.slice(1); // the state of the playground that the visitor came from

  constructor() {
    this.#address.addEventListener("input", () => this.#address_changed());
    part("form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#work(this.#look, (signal) => this.#look_at_host(signal));
    });
    this.#fetch.addEventListener("click", () => void this.#work(this.#fetch, (signal) => this.#fetch_all(signal)));
    part("stop").addEventListener("click", () => this.#stopper?.abort(new Error(kStopped)));
    part("known").replaceChildren(this.#known_table());
    /** @type {HTMLAnchorElement} */ (part("back")).href = `./${window.location.hash}`;
    this.#address_changed();
    part("message").hidden = true;
    part("main").hidden = false;
  }

  /** The button names the host; what was found belongs to the address before. */
  #address_changed() {
    this.#stopper?.abort(new Error(kStopped));
    this.#found = [];
    part("found").hidden = true;
    part("status").textContent = "";
    this.#look.textContent = "Look";
    try {
      this.#look.textContent = `Look at ${read_address(this.#address.value).host}`;
    } catch {
      // a press says what is wrong
    }
  }

  /**
   * One thing at a time, which *Stop* ends.
   * @param {HTMLElement} button that was pressed
   * @param {(signal: AbortSignal) => Promise<void>} action
   */
  async #work(button, action) {
    if (this.#stopper) return;
    const stopper = (this.#stopper = new AbortController());
    const { signal } = stopper;
    part("share").textContent = "";
    this.#progress.removeAttribute("value"); // it is not known yet how far it is
    part("going").hidden = false;
    try {
      await action(signal);
    } catch (error) {
      part("status").textContent = /** @type {Error} */ (signal.aborted ? signal.reason : error).message;
    }
    this.#stopper = null;
    const had_focus = part("stop").matches(":focus");
    part("going").hidden = true;
    if (had_focus) button.focus();
  }

  /** @param {AbortSignal} signal */
  async #look_at_host(signal) {
    part("found").hidden = true;
    const place = read_address(this.#address.value);
    part("status").textContent = `Asking ${place.host} …`;
    this.#found = await look(place, signal);
    this.#files = [];
    part("files").replaceChildren(this.#files_table());
    const known = this.#found.reduce((sum, { size }) => sum + (size ?? 0), 0);
    const hosts = [...new Set(this.#found.flatMap(({ host, from }) => [host, from]))];
    this.#fetch.textContent = `Fetch ${words_of(known)} from ${hosts.join(" and ")}`;
    part("found").hidden = false;
    const others = hosts.filter((host) => host !== place.host);
    part("status").textContent =
      `${place.host} has ${this.#found.length} files of a model, ${words_of(known)} together.` +
      (others.length > 0 ? ` It sends this page to ${others.join(" and ")} for some of them.` : "");
  }

  /** @param {AbortSignal} signal */
  async #fetch_all(signal) {
    const total = this.#found.reduce((sum, { size }) => sum + (size ?? 0), 0);
    let done = 0;
    let heard = 0;
    const { host } = this.#found[0];
    this.#progress.max = total;
    this.#progress.value = 0;
    const on_bytes = (/** @type {number} */ bytes) => {
      done += bytes;
      this.#progress.value = done;
      part("share").textContent = `${words_of(done)} of ${words_of(total)}`;
      const quarter = Math.floor((done / total) * kHeardShares);
      if (quarter > heard && quarter < kHeardShares) part("announcement").textContent = `${quarter * 25} % are here.`;
      heard = Math.max(heard, quarter);
    };
    part("status").textContent = `Fetching from ${host} …`;
    /** @type {File[]} */
    const files = [];
    for (const one of this.#found) {
      const file = await fetch_file(one, signal, on_bytes);
      if (file.name.endsWith(".json")) await read_json(file, one.from); // before anything large is fetched
      files.push(file);
    }
    this.#files = files;
    part("files").replaceChildren(this.#files_table());
    part("status").textContent = "All files are here. The playground is opening them.";
    part("playground").hidden = false;
    const is_open = await this.#frame.open(files, this.#link, signal);
    part("status").textContent = is_open
      ? "The model is open in the playground below."
      : "The files are here, but the playground below could not open them: it says why. What was there stays.";
    part("playground").focus();
  }

  /** The files at the host; those that are here can be saved, so that nobody has to fetch them again. */
  #files_table() {
    const rows = this.#found.map(({ name, from, size }, i) => {
      const file = this.#files[i];
      const save = make("button", { class: "author-button", type: "button" }, `Save ${name}`);
      save.addEventListener("click", () => save_file(file));
      return make(
        "tr",
        {},
        make("th", { scope: "row", dir: "auto" }, name),
        make("td", { class: "fetch-size" }, size === null ? "size not said" : words_of(size)),
        make("td", {}, from),
        make("td", {}, ...(file ? [save] : [])),
      );
    });
    return table(["File", "Size", "Host that sends it", "Here"], rows);
  }

  #known_table() {
    const rows = kKnownModels.map(({ name, address, kind, bytes, shows }) => {
      const fill = make("button", { class: "author-button", type: "button" }, `Fill in ${name}`);
      fill.addEventListener("click", () => {
        this.#address.value = address;
        this.#address_changed();
        part("announcement").textContent = `The address of ${name} is filled in.`;
        this.#look.focus();
      });
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, name),
        make("td", {}, kind),
        make("td", { class: "fetch-size" }, words_of(bytes)),
        make("td", { class: "fetch-shows" }, shows),
        make("td", { class: "fetch-address" }, address),
        make("td", {}, fill),
      );
    });
    return table(["Model", "Kind", "Numbers", "Shows well", "Address", "Use it"], rows);
  }
}

/** @param {string[]} head @param {HTMLElement[]} rows */
function table(head, rows) {
  const columns = head.map((title) => make("th", { scope: "col" }, title));
  return make("table", {}, make("thead", {}, make("tr", {}, ...columns)), make("tbody", {}, ...rows));
}

/** @param {File} file */
function save_file(file) {
  const address = URL.createObjectURL(file);
  make("a", { href: address, download: file.name }).click();
  window.setTimeout(() => URL.revokeObjectURL(address), kKeepDownload);
}

if (window.parent === window) new FetchPage();
else part("message").textContent = kFramed;

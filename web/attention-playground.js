// <attention-playground text="free speech" heads="2"></attention-playground>: the playground in a frame, for other people's pages.
// Attributes are the keys of a link; only the frame knows which keys exist. This file speaks the messages of messages.js and knows
// nothing else of the playground. It works in any host page: no style sheet, no inline style, no dependency. See docs/embedding.md.

// These attributes mean something in HTML or to this element, so they are not keys; neither are those with a dash (data-, aria-).
const kNoKeys = new Set(
  "src link height width loading poster title sandbox class id style slot part role hidden tabindex dir inert is nonce translate".split(
    " ",
  ),
);
// As in framed.js: reserves the height that the frame will ask for, so that nothing moves when it loads.
const kNarrow = 680;
const kHeight = 640;
const kNarrowHeight = 760;
const kMaxHeight = 100_000; // the most a frame may ask for, in CSS pixels
const kMargin = "400px"; // the distance from the visible part at which it loads, or takes its graphics back
// How long the frame may stay silent, in ms: while it loads, and once it has loaded.
const kPatience = 40_000;
const kShortPatience = 8_000;

// Any rule of the host page for this element wins over :host; the rules for the frame are !important and win over the page's.
const kRules = `:host{display:block;position:relative;overflow:hidden}
:host([hidden]),::slotted(:not(iframe)){display:none!important}
a{position:absolute;padding:1em;background:Canvas}
::slotted(iframe){position:absolute!important;inset:0!important;border:0!important;max-width:none!important;width:100%!important;height:100%!important}`;

/** @typedef {{ resolve: (value: any) => void, reject: (error: Error) => void }} Waiting */

export class AttentionPlayground extends HTMLElement {
  /** The last known state. */
  #link = "";
  /** @type {HTMLIFrameElement | null} */
  #frame = null;
  /** The frame's origin, as its messages give it. */
  #origin = "";
  /** Why no command can be answered; empty while commands may still be answered. */
  #failure = "";
  #abort = new AbortController();
  #is_ready = false;
  #is_near = false;
  /** Commands without an answer, including those not sent yet. @type {Map<number, Waiting & { message: object }>} */
  #requests = new Map();
  #num_requests = 0;
  /** Gives up on a silent frame; 0 once the frame has said something. */
  #timer = 0;
  /** Takes the frame's place if nothing answers there. */
  #way_out = document.createElement("a");
  #style;

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet(); // no content security policy forbids these
    sheet.replaceSync(kRules);
    this.#style = /** @type {CSSStyleRule} */ (sheet.cssRules[0]).style;
    shadow.adoptedStyleSheets = [sheet];
    shadow.append(document.createElement("slot"));
  }

  connectedCallback() {
    this.#abort = new AbortController();
    const stop = this.#abort.signal;
    this.#failure = "";
    this.#link = this.#link_of_attributes();
    this.#keep_place();

    const attributes = new MutationObserver((records) =>
      this.#changed(records.map((record) => /** @type {string} */ (record.attributeName))),
    );
    attributes.observe(this, { attributes: true });
    const sight = new IntersectionObserver(
      (entries) => this.#look(/** @type {IntersectionObserverEntry} */ (entries.at(-1)).isIntersecting),
      {
        rootMargin: kMargin,
      },
    );
    sight.observe(this);
    stop.addEventListener("abort", () => {
      attributes.disconnect();
      sight.disconnect();
    });
    addEventListener("message", (event) => this.#take(event), { signal: stop });
    if (this.getAttribute("loading") === "eager") this.#load();
  }

  disconnectedCallback() {
    this.#abort.abort();
    this.#frame?.remove();
    this.#frame = null;
    this.#is_ready = false;
    this.#calm();
    this.#give_up("The playground was removed.");
  }

  /** Resolves to the state, as a link without '#'. */
  async getState() {
    return (await this.#ask("get_state")).link;
  }

  /** Opens a state. Resolves to it with every value moved to the nearest legal one. @param {string} link */
  async setState(link) {
    return this.#keep((await this.#ask("set_state", { link })).link);
  }

  /** Resolves to the numbers of a stage: for each sentence {text, tokens, stage, shape, values}. @param {string} stage */
  getStage(stage) {
    return this.#ask("get_stage", { stage });
  }

  /** Resolves to the view as a picture. @param {Record<string, string>} [options] */
  async exportPNG(options = {}) {
    const query = String(new URLSearchParams(options));
    const { bytes, media_type } = await this.#ask("export", { kind: "png", options: query });
    return new Blob([bytes], { type: media_type });
  }

  /** Resolves to what the visitor answered, after adding what an earlier call gave. @param {object[]} [earlier] */
  getAnswers(earlier) {
    return this.#ask("get_answers", { earlier });
  }

  // --- attributes ---

  #keys() {
    return this.getAttributeNames().filter(is_key);
  }

  /** The attribute `link`, overridden by the attributes for single keys. */
  #link_of_attributes() {
    return this.#laid_over(this.getAttribute("link") ?? "", this.#keys());
  }

  /** The link with the attributes' values for these keys; a key without an attribute is removed. @param {string} link @param {string[]} keys */
  #laid_over(link, keys) {
    const values = new URLSearchParams(link);
    for (const key of keys) {
      const value = this.getAttribute(key);
      if (value === null) values.delete(key);
      else values.set(key, value);
    }
    return String(values);
  }

  /** @param {string[]} names */
  #changed(names) {
    if (names.includes("src") || names.includes("sandbox")) {
      this.disconnectedCallback();
      this.connectedCallback();
      return;
    }
    if (names.includes("height") || names.includes("width") || names.includes("poster")) this.#keep_place();
    if (this.#frame) this.#frame.title = this.#title;
    const keys = names.filter(is_key);
    if (names.includes("link")) this.#link = this.#link_of_attributes();
    else if (keys.length > 0) this.#link = this.#laid_over(this.#link, keys);
    else return;
    // replace() needs no permission and adds no step to the history.
    this.#frame?.contentWindow?.location.replace(this.#address);
  }

  get #title() {
    return this.getAttribute("title") ?? "Attention Playground";
  }

  /** Throws unless `src` is the address of a page: addresses with javascript:, data: or blob: would run as part of this page. */
  get #address() {
    const address = new URL(this.getAttribute("src") ?? new URL("index.html", import.meta.url), document.baseURI);
    if (!/^(https?|file):$/.test(address.protocol)) throw new Error();
    address.searchParams.set("host", self.origin);
    address.hash = this.#link;
    return address;
  }

  // --- what is seen ---

  /** @param {number} [height] CSS pixels that the frame asks for */
  #keep_place(height) {
    const style = this.#style;
    style.background = this.#still;
    const own = `${height ?? kHeight}px`;
    style.width = "auto";
    style.height = own;
    // The setters accept a length and nothing else, so an attribute cannot smuggle in another rule; an invalid value changes nothing.
    style.width = this.#length("width") || "auto";
    style.height = this.#length("height") || own;
    // The width is known only now.
    if (height === undefined && this.clientWidth < kNarrow) this.#keep_place(kNarrowHeight);
  }

  /** As for iframes: a bare number means CSS pixels. @param {string} name */
  #length(name) {
    const text = this.getAttribute(name);
    return text && /^[\d.]+$/.test(text) ? `${text}px` : text;
  }

  /** The author's picture, or a causal mask: a staircase of squares. */
  get #still() {
    const poster = this.getAttribute("poster");
    if (poster !== null) return `url("${CSS.escape(poster)}") center / contain no-repeat`;
    const squares = [];
    for (let i = 0; i < 4; ++i) {
      for (let j = 0; j <= i; ++j) {
        const place = `calc(50% + ${j * 28 - 42}px) calc(50% + ${i * 28 - 42}px) / 24px 24px`;
        squares.push(`linear-gradient(#8884, #8884) ${place} no-repeat`);
      }
    }
    return squares.join();
  }

  /** @param {boolean} is_near */
  #look(is_near) {
    this.#is_near = is_near;
    if (is_near) this.#load();
    if (this.#is_ready) this.#send({ attention: 1, type: "near", is_near });
  }

  #load() {
    if (this.#frame || this.#failure) return;
    let address;
    try {
      address = this.#address;
    } catch {
      // Later, so that listeners added right after the element hear it.
      queueMicrotask(() => this.#tell("error", { message: this.#failure }));
      return this.#give_up("The attribute src is not the address of a page.");
    }
    const frame = document.createElement("iframe");
    this.#frame = frame;
    frame.title = this.#title;
    frame.allow = "clipboard-write";
    const sandbox = this.getAttribute("sandbox");
    if (sandbox !== null) frame.setAttribute("sandbox", sandbox);
    const has_origin = sandbox === null || frame.sandbox.contains("allow-same-origin");
    this.#origin = has_origin && address.protocol !== "file:" ? address.origin : "null";
    frame.style.visibility = "hidden"; // the still picture shows until the frame has loaded
    frame.onload = () => {
      frame.style.visibility = "";
      if (this.#timer) this.#wait(kShortPatience);
    };
    frame.src = address.href;
    this.append(frame);
    this.#wait(kPatience);
  }

  /** If the frame stays silent this long, shows a link in its place. @param {number} patience ms */
  #wait(patience) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const frame = /** @type {HTMLIFrameElement} */ (this.#frame);
      frame.style.visibility = "hidden";
      const link = this.#way_out;
      link.href = frame.src;
      link.textContent = frame.title;
      this.shadowRoot?.append(link);
      const message = `No playground answers at ${frame.src.split("?")[0]}.`;
      this.#give_up(message);
      this.#tell("error", { message });
    }, patience);
  }

  /** The frame said something: stop waiting. */
  #calm() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#way_out.remove();
  }

  // --- messages ---

  /**
   * Sends a command as soon as the frame can take it. Resolves to the answer.
   * @param {string} type
   * @param {object} [content]
   */
  #ask(type, content) {
    if (this.isConnected) this.#load();
    return new Promise((resolve, reject) => {
      if (this.#failure) throw new Error(this.#failure);
      const message = { attention: 1, type, id: ++this.#num_requests, ...content };
      this.#requests.set(message.id, { resolve, reject, message });
      if (this.#is_ready) this.#send(message);
    });
  }

  /** @param {object} message */
  #send(message) {
    // The origin of a sandboxed frame, or of one from disk, cannot be named.
    this.#frame?.contentWindow?.postMessage(message, this.#origin === "null" ? "*" : this.#origin);
  }

  /** Rejects all waiting commands, and those to come. @param {string} why */
  #give_up(why) {
    this.#failure = why;
    for (const { reject } of this.#requests.values()) reject(new Error(why));
    this.#requests.clear();
  }

  /** @param {string} type @param {object} detail */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** @param {MessageEvent} event */
  #take({ data, origin, source }) {
    if (!this.#frame || source !== this.#frame.contentWindow || data?.attention !== 1) return;
    // It must come from the origin the frame was loaded from. A frame in a sandboxed host is sandboxed too: then both are "null".
    if (origin !== this.#origin && origin !== self.origin) return;
    this.#origin = origin;
    this.#calm();
    this.#frame.style.visibility = "";
    const { attention, type, id, ...detail } = data;
    if (type === "result") {
      const request = this.#requests.get(id);
      this.#requests.delete(id);
      if (detail.error === undefined) request?.resolve(detail.value);
      else request?.reject(new Error(sentence(detail.error)));
      return;
    }
    if (type === "size" && Number.isFinite(detail.height))
      this.#keep_place(Math.min(Math.max(detail.height, 1), kMaxHeight));
    if (type === "change") this.#keep(detail.link);
    if (type === "error") this.#give_up(sentence(detail.message));
    if (type === "ready") {
      this.#failure = "";
      this.#send({ attention: 1, type: "hello" });
      if (!this.#is_ready) for (const { message } of this.#requests.values()) this.#send(message);
      this.#is_ready = true;
      this.#look(this.#is_near);
    }
    if (["ready", "change", "answer", "answers", "error"].includes(type)) this.#tell(type, detail);
  }

  /** Remembers the link that the frame sent; anything else leaves the last known state. @param {unknown} link */
  #keep(link) {
    return typeof link === "string" ? (this.#link = link) : this.#link;
  }
}

/** The frame's error message, or a general one if it sent none. @param {unknown} told */
function sentence(told) {
  return typeof told === "string" && told ? told : "The playground failed.";
}

/** @param {string} name */
function is_key(name) {
  return !kNoKeys.has(name) && !name.includes("-");
}

if (!customElements.get("attention-playground")) customElements.define("attention-playground", AttentionPlayground);

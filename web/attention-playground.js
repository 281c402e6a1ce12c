// <attention-playground text="free speech" heads="2"></attention-playground>: the playground in a frame, for other people's pages.
// Attributes are the keys of a link; which there are is the frame's business. Knows messages.js, nothing else of the playground,
// and works beside any host page: no style sheet, no inline style, no dependency. docs/embedding.md tells all of it.

// Attributes with a meaning of their own in HTML or here, and those with a dash (data-, aria-), are no keys.
const kNoKeys = new Set(
  "src link height width loading poster title sandbox class id style slot part role hidden tabindex dir inert is nonce translate".split(
    " ",
  ),
);
// The same as in framed.js: what the frame will ask for is kept free, so that nothing moves when it comes.
const kNarrow = 680;
const kHeight = 640;
const kNarrowHeight = 760;
const kMargin = "400px"; // how near it comes before it loads, or takes its graphics back

/** @typedef {{ resolve: (value: any) => void, reject: (error: Error) => void }} Waiting */

export class AttentionPlayground extends HTMLElement {
  /** The state as last heard of. */
  #link = "";
  /** @type {HTMLIFrameElement | null} */
  #frame = null;
  #abort = new AbortController();
  #is_ready = false;
  #is_near = false;
  /** Commands that the frame has not answered, or not even taken. @type {Map<number, Waiting & { message: object }>} */
  #requests = new Map();
  #num_requests = 0;
  #style = new CSSStyleSheet();

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [this.#style]; // which no content security policy forbids
    shadow.append(document.createElement("slot"));
  }

  connectedCallback() {
    this.#abort = new AbortController();
    const stop = this.#abort.signal;
    this.#link = this.#link_of_attributes();
    this.#keep_place();

    const attributes = new MutationObserver((records) =>
      this.#changed(records.map((record) => String(record.attributeName))),
    );
    attributes.observe(this, { attributes: true });
    const sight = new IntersectionObserver((entries) => this.#look(entries[entries.length - 1].isIntersecting), {
      rootMargin: kMargin,
    });
    sight.observe(this);
    stop.addEventListener("abort", () => {
      attributes.disconnect();
      sight.disconnect();
    });
    window.addEventListener("message", (event) => this.#take(event), { signal: stop });
    if (this.getAttribute("loading") === "eager") this.#load();
  }

  disconnectedCallback() {
    this.#abort.abort();
    this.#frame?.remove();
    this.#frame = null;
    this.#is_ready = false;
    this.#give_up("The playground was removed.");
  }

  /** The state, as a link without '#'. */
  async getState() {
    return (await this.#ask("get_state")).link;
  }

  /** Opens a state; resolves to it with every value moved to the nearest legal one. @param {string} link */
  async setState(link) {
    return (this.#link = (await this.#ask("set_state", { link })).link);
  }

  /** The numbers of a stage: for each sentence {text, tokens, stage, shape, values}. @param {string} stage */
  getStage(stage) {
    return this.#ask("get_stage", { stage });
  }

  /** The view as a picture. @param {Record<string, string>} [options] */
  async exportPNG(options = {}) {
    const query = String(new URLSearchParams(options));
    const { bytes, media_type } = await this.#ask("export", { kind: "png", options: query });
    return new Blob([bytes], { type: media_type });
  }

  // --- attributes ---

  #keys() {
    return this.getAttributeNames().filter(is_key);
  }

  /** `link`, with the single attributes laid over it. */
  #link_of_attributes() {
    return this.#laid_over(this.getAttribute("link") ?? "", this.#keys());
  }

  /** The link with these keys as the attributes have them, or left out. @param {string} link @param {string[]} keys */
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
    // Needs no permission and leaves no step for Back.
    this.#frame?.contentWindow?.location.replace(this.#address);
  }

  get #title() {
    return this.getAttribute("title") ?? "Attention Playground";
  }

  get #page() {
    return new URL(this.getAttribute("src") ?? new URL("index.html", import.meta.url), document.baseURI);
  }

  get #address() {
    const address = this.#page;
    address.searchParams.set("host", location.origin);
    address.hash = this.#link;
    return address.href;
  }

  // --- what is seen ---

  /** @param {number} [height] CSS pixels that the frame asks for */
  #keep_place(height) {
    // Weaker than any rule of the page's own for this element; what concerns the frame is stronger.
    this.#style.replaceSync(`
      :host { display: block; position: relative; overflow: hidden; background: ${this.#still};
        width: ${this.#length("width") ?? "auto"}; height: ${this.#length("height") ?? `${height ?? kHeight}px`} }
      :host([hidden]), ::slotted(:not(iframe)) { display: none !important }
      ::slotted(iframe) { position: absolute !important; inset: 0 !important; border: 0 !important; max-width: none !important;
        width: 100% !important; height: 100% !important }`);
    // Only now is it known how wide it is.
    if (height === undefined && this.clientWidth < kNarrow) this.#keep_place(kNarrowHeight);
  }

  /** As iframes have it: a number is in CSS pixels. @param {string} name */
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
    if (this.#frame) return;
    const frame = document.createElement("iframe");
    this.#frame = frame;
    frame.title = this.#title;
    frame.allow = "clipboard-write";
    const sandbox = this.getAttribute("sandbox");
    if (sandbox !== null) frame.setAttribute("sandbox", sandbox);
    frame.style.visibility = "hidden"; // the still picture is seen until something is there
    frame.onload = () => (frame.style.visibility = "");
    frame.src = this.#address;
    this.append(frame);
  }

  // --- messages ---

  /**
   * Sends a command, as soon as the frame can take it. Resolves to its answer.
   * @param {string} type
   * @param {object} [content]
   */
  #ask(type, content) {
    if (this.isConnected) this.#load();
    return new Promise((resolve, reject) => {
      const message = { attention: 1, type, id: ++this.#num_requests, ...content };
      this.#requests.set(message.id, { resolve, reject, message });
      if (this.#is_ready) this.#send(message);
    });
  }

  /** @param {object} message */
  #send(message) {
    const { origin } = this.#page;
    // A sandboxed frame, or one from disk, has no origin that could be named.
    const target = this.hasAttribute("sandbox") || origin === "null" ? "*" : origin;
    this.#frame?.contentWindow?.postMessage(message, target);
  }

  /** Nobody will answer any more. @param {string} why */
  #give_up(why) {
    for (const { reject } of this.#requests.values()) reject(new Error(why));
    this.#requests.clear();
  }

  /** @param {MessageEvent} event */
  #take({ data, source }) {
    if (!this.#frame || source !== this.#frame.contentWindow || data?.attention !== 1) return;
    const { attention, type, id, ...detail } = data;
    if (type === "result") {
      const request = this.#requests.get(id);
      this.#requests.delete(id);
      if (detail.error === undefined) request?.resolve(detail.value);
      else request?.reject(new Error(detail.error));
      return;
    }
    if (type === "size") this.#keep_place(detail.height);
    if (type === "change") this.#link = detail.link;
    if (type === "error") this.#give_up(detail.message);
    if (type === "ready") {
      this.#send({ attention: 1, type: "hello" });
      if (!this.#is_ready) for (const { message } of this.#requests.values()) this.#send(message);
      this.#is_ready = true;
      this.#look(this.#is_near);
    }
    if (/^(ready|change|answer|error)$/.test(type)) this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** @param {string} name */
function is_key(name) {
  return !kNoKeys.has(name) && !name.includes("-");
}

if (!customElements.get("attention-playground")) customElements.define("attention-playground", AttentionPlayground);

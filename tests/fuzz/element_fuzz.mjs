// Any message to a page with <attention-playground> (web/attention-playground.js), from any window and origin: nothing is thrown,
// no style but a height within limits is set, a stranger changes nothing, and who waits for an answer gets one or a sentence.
// The browser is a stand-in.
//   node tests/fuzz/element_fuzz.mjs [--runs N] [--seconds N] [--seed N]
import assert from "node:assert/strict";
import { any_value, copy_of, kKeys, kNoTypes, kTexts, kTypes, try_many } from "./any_message.mjs";

const kOwn = "https://playground.example";
const kHost = "https://course.example";
const kEvents = ["ready", "change", "answer", "error"];
const kMaxHeight = 100_000;

/** What the element's module finds in a browser, as far as it asks. */
const watchers = { attributes: null, receive: null };
Object.assign(globalThis, {
  self: { origin: kHost },
  addEventListener: (type, receive) => {
    assert.equal(type, "message");
    watchers.receive = receive;
  },
  customElements: { get: () => undefined, define: () => {} },
  CSS: { escape: (text) => text },
  CSSStyleSheet: class {
    cssRules = [{ style: {} }];
    replaceSync() {}
  },
  MutationObserver: class {
    constructor(changed) {
      watchers.attributes = (name) => changed([{ attributeName: name }]);
    }
    observe() {}
    disconnect() {}
  },
  IntersectionObserver: class {
    observe() {}
    disconnect() {}
  },
  HTMLElement: class extends EventTarget {
    attributes = new Map();
    clientWidth = 1000;
    isConnected = true;
    attachShadow() {
      return (this.shadowRoot = { adoptedStyleSheets: [], children: [], append: (one) => this.#add(one) });
    }
    #add(one) {
      this.shadowRoot.children.push(one);
      one.remove = () => (this.shadowRoot.children = this.shadowRoot.children.filter((other) => other !== one));
    }
    append() {}
    getAttribute(name) {
      return this.attributes.get(name) ?? null;
    }
    getAttributeNames() {
      return [...this.attributes.keys()];
    }
  },
  document: {
    baseURI: `${kHost}/page.html`,
    createElement: (name) => ({
      name,
      style: {},
      remove: () => {},
      ...(name === "iframe" && { contentWindow: make_window() }),
    }),
  },
});
const { AttentionPlayground } = await import("../../web/attention-playground.js");

function make_window() {
  const window = { said: [], address: "", postMessage: (message, target) => window.said.push({ message, target }) };
  window.location = { replace: (address) => (window.address = String(address)) };
  return window;
}

/** An element in a page, with its frame and two who wait for an answer. */
function make_page() {
  const element = new AttentionPlayground();
  element.attributes.set("src", `${kOwn}/index.html`).set("loading", "eager").set("heads", "2");
  const told = [];
  for (const type of kEvents) element.addEventListener(type, (event) => told.push(event));
  let frame = null;
  element.append = (child) => (frame = child);
  element.connectedCallback();
  const answers = [element.getState(), element.setState("heads=1")].map((promise) => {
    const answer = { is_there: false, error: null };
    promise.then(
      () => (answer.is_there = true),
      (error) => Object.assign(answer, { is_there: true, error }),
    );
    return answer;
  });
  const { style } = element.shadowRoot.adoptedStyleSheets[0].cssRules[0];
  return { element, told, frame, style, answers };
}

/** All of a page that a message may change. */
function seen_in({ told, frame, style, answers, element }) {
  watchers.attributes("heads"); // which writes the state into the frame's address
  const { said, address } = frame.contentWindow;
  return {
    style: { ...style },
    frame: { ...frame.style },
    children: element.shadowRoot.children.length,
    told: told.length,
    said: said.length,
    address,
    answered: answers.map(({ is_there }) => is_there),
  };
}

/** A message as the frame sends it, with some of it changed. */
function any_message(random) {
  const { below, one_of } = random;
  if (below(20) === 0) return any_value(random);
  const message = {
    attention: 1,
    type: one_of(kTypes.concat("change", "answer")),
    id: 1 + below(3),
    link: one_of(kTexts),
    value: { link: one_of(kTexts) },
    height: one_of([500, 0, -1, 1e9, 0.1, NaN, Infinity, "7", "1px; position: fixed", 1e-9]),
    message: "It broke.",
  };
  if (below(2) === 0) message.error = one_of(kTexts);
  for (let changes = below(4); changes > 0; --changes) {
    const key = one_of([...kKeys, "value", "message", "error"]);
    if (below(4) === 0) delete message[key];
    else if (key === "type" && below(2) === 0) message.type = one_of(kNoTypes);
    else message[key] = any_value(random);
  }
  return message;
}

function check_style({ style }, told_height) {
  assert.deepEqual(Object.keys(style).sort(), ["background", "height", "width"]);
  assert.equal(style.width, "auto");
  const [, height] = /^(\d+(?:\.\d+)?)px$/.exec(style.height) ?? assert.fail(`a height of ${style.height}`);
  assert.ok(Number(height) >= 1 && Number(height) <= kMaxHeight, `a height of ${style.height}`);
  if (Number.isFinite(told_height)) assert.equal(Number(height), Math.min(Math.max(told_height, 1), kMaxHeight));
}

/** Sends a few messages, and holds what comes of each against what is promised. */
async function try_messages(random) {
  const { below, one_of } = random;
  const page = make_page();
  let own = kOwn; // the origin that is heard, besides the page's own
  for (let count = 1 + below(3); count > 0; --count) {
    const data = copy_of(any_message(random));
    const origin = one_of([kOwn, kOwn, kOwn, kHost, "null", "https://elsewhere.example", `${kOwn}.example`, "*", ""]);
    const source = one_of([page.frame.contentWindow, page.frame.contentWindow, make_window(), null, globalThis]);
    const before = seen_in(page);
    watchers.receive({ data, origin, source });
    await new Promise((resolve) => setImmediate(resolve));
    const after = seen_in(page);
    const may = source === page.frame.contentWindow && [own, kHost].includes(origin) && data?.attention === 1;
    if (!may) {
      assert.deepEqual(after, before, "a stranger changed something");
      continue;
    }
    own = origin;
    check_style(page, data.type === "size" ? data.height : undefined);
    if (data.type !== "size") assert.equal(after.style.height, before.style.height);
    const is_event = kEvents.includes(data.type);
    assert.equal(after.told - before.told, is_event ? 1 : 0);
    if (is_event) assert.equal(page.told.at(-1).type, data.type);
    if (data.type === "change" && typeof data.link === "string") {
      const state = new URLSearchParams(data.link);
      state.set("heads", "2");
      assert.equal(new URL(after.address).hash.slice(1), new URL(`a:#${state}`).hash.slice(1));
    } else if (data.type !== "result") assert.equal(after.address, before.address);
    const num_answered = ({ answered }) => answered.filter(Boolean).length;
    const num_new = num_answered(after) - num_answered(before);
    if (data.type === "error") assert.equal(num_answered(after), 2);
    else if (data.type !== "result") assert.equal(num_new, 0);
    else assert.ok(num_new <= 1 && (num_new === 0 || [1, 2].includes(data.id)));
    for (const { error } of page.answers) {
      if (error === null) continue;
      assert.ok(error instanceof Error && error.message !== "", "no sentence");
      if (data.type === "error") assert.ok(!error.message.includes("[object"), error.message);
    }
  }
  page.element.disconnectedCallback();
}

await try_many("element", try_messages);

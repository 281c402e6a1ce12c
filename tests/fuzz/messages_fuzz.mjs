// Any message to the playground in a frame (web/messages.js), from anybody: it answers whom it may, once, with what can be sent,
// and hands the engine nothing but texts. The page around and the engine are stand-ins; what the commands do with their texts is
// command_fuzz's business.
//   node tests/fuzz/messages_fuzz.mjs [--runs N] [--seconds N] [--seed N]
import assert from "node:assert/strict";
import { Messages } from "../../web/messages.js";
import { any_value, copy_of, kKeys, kNoTypes, kTexts, kTypes, try_many } from "./any_message.mjs";

const kHost = "https://course.example";
const kOwn = "https://playground.example";

/** A command as the element sends it, with some of it changed. */
function any_message(random) {
  const { below, one_of } = random;
  if (below(20) === 0) return any_value(random);
  const message = {
    attention: 1,
    type: one_of(kTypes),
    id: below(100),
    link: one_of(kTexts),
    stage: "weights",
    kind: "png",
    options: "dark=1",
    earlier: [],
    is_near: true,
  };
  for (let changes = below(4); changes > 0; --changes) {
    const key = one_of(kKeys);
    if (below(4) === 0) delete message[key];
    else if (key === "type" && below(2) === 0) message.type = one_of(kNoTypes);
    else message[key] = any_value(random);
  }
  return message;
}

/** A playground in a frame, of which only the messages are real. */
function make_frame(random) {
  const said = []; // to the page around: { message, target }
  const parent = { postMessage: (message, target) => said.push({ message: structuredClone(message), target }) };
  let receive;
  const window = {
    parent,
    location: { search: `?host=${kHost}&host=null`, origin: kOwn },
    document: { querySelector: () => null }, // the site names no pages
    addEventListener: (type, handler) => {
      assert.equal(type, "message");
      receive = handler;
    },
  };
  const calls = [];
  const take = (...texts) => {
    for (const text of texts) assert.equal(typeof text, "string", "the engine takes texts");
    calls.push(texts);
  };
  const refuse = () => {
    if (random.below(5) === 0) throw new Error("The engine refused.");
  };
  const trace = JSON.stringify({
    sentences: [{ text: "a", tokens: ["a"], stages: [{ name: "weights", shape: [1], values: [[null]] }] }],
  });
  const engine = {
    answers: (kept) => (take(kept), refuse(), `{"answers":[${random.one_of(["", "{}"])}]}`),
    legal_link: (link) => (take(link), refuse(), link),
    trace: (link, stage) => (take(link, stage), refuse(), random.one_of(["", trace])),
    make_file: async (link, kind, options) => (
      take(link, kind, options),
      refuse(),
      { name: "a", bytes: new Uint8Array(2) }
    ),
  };
  let link = "heads=1";
  const playground = {
    engine,
    link: () => link,
    answers_replaced: () => {},
    tell_near: (is_near) => assert.equal(typeof is_near, "boolean"),
  };
  const messages = new Messages(/** @type {any} */ (window));
  messages.start(/** @type {any} */ (playground), (opened) => {
    take(opened);
    link = opened;
  });
  return { said, parent, calls, receive, messages };
}

/** Sends one message, and holds what comes of it against what is promised. */
async function try_message(random, frame) {
  const { below, one_of } = random;
  const sent = any_message(random);
  const data = copy_of(sent);
  const origin = one_of([kHost, kHost, kHost, kOwn, "null", "https://elsewhere.example", `${kHost}.example`, "*", ""]);
  const source = below(10) === 0 ? {} : frame.parent;
  frame.said.length = frame.calls.length = 0;
  frame.receive({ data, origin, source });
  await new Promise((resolve) => setImmediate(resolve));
  const results = frame.said.filter(({ message }) => message.type === "result");
  assert.equal(results.length, frame.said.length, "nothing but results");
  const may = source === frame.parent && [kHost, kOwn, "null"].includes(origin) && data?.attention === 1;
  if (!may) {
    assert.equal(results.length, 0, "an answer to somebody who may not ask");
    assert.equal(frame.calls.length, 0, "work for somebody who may not ask");
    return;
  }
  // A port cannot be sent back, and what is nested very deeply perhaps not.
  assert.ok(results.length === 1 || (results.length === 0 && typeof data.id === "object"), "one answer");
  if (results.length === 0) return;
  const [{ message, target }] = results;
  assert.equal(target, origin === "null" ? "*" : origin);
  if (typeof data.id === "object") assert.equal(typeof message.id, "object");
  else assert.ok(Object.is(message.id, data.id));
  if (message.error === undefined) assert.ok(message.value !== undefined && kTypes.includes(data.type));
  else assert.ok(typeof message.error === "string" && message.error !== "");
}

await try_many("messages", (random) => try_message(random, make_frame(random)));

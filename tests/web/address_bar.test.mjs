// The address bar: what is written, what counts as news from outside, and how seldom a browser is bothered.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { AddressBar } from "../../web/address_bar.js";

/** As much of a window as the address bar uses. The history is a list of addresses and a place in it. */
class FakeWindow extends EventTarget {
  entries = ["http://localhost/"];
  place = 0;
  refuses = false;
  timers = new Map();
  num_timers = 0;
  setTimeout = (work, ms) => {
    const timer = ++this.num_timers;
    this.timers.set(timer, { work, time: now + ms });
    return timer;
  };
  clearTimeout = (timer) => this.timers.delete(timer);
  get location() {
    return { href: this.entries[this.place] };
  }
  history = {
    pushState: (_state, _title, address) => this.#change(address, true),
    replaceState: (_state, _title, address) => this.#change(address, false),
  };
  #change(address, is_new) {
    if (this.refuses) throw new Error("SecurityError");
    this.entries.length = this.place + 1;
    if (is_new) this.place += 1;
    this.entries[this.place] = `http://localhost/${address}`;
  }
  go(steps) {
    this.place += steps;
    this.dispatchEvent(new Event("popstate"));
    this.dispatchEvent(new Event("hashchange"));
  }
}

let window;
let now;

beforeEach(() => {
  window = new FakeWindow();
  now = 1000;
});

/** Lets `ms` pass for the clock and for the window's timers. */
function pass(ms) {
  now += ms;
  for (const [timer, { work, time }] of [...window.timers]) {
    if (time > now) continue;
    window.timers.delete(timer);
    work();
  }
}

/** Puts the clock into the test's hands. */
function with_clock(context) {
  const clock = mock.method(performance, "now", () => now);
  context.after(() => clock.mock.restore());
}

test("the link is what stands after the first #, undecoded", () => {
  window.entries = ["http://localhost/?a=1#text=50%25+%23&heads=2"];
  assert.equal(new AddressBar(window).read(), "text=50%25+%23&heads=2");
  window.entries = ["http://localhost/"];
  assert.equal(new AddressBar(window).read(), "");
});

test("a new step can be gone back from, a replaced one cannot", () => {
  const bar = new AddressBar(window);
  bar.write("heads=1", true);
  bar.write("heads=2", false);
  bar.write("heads=4", true);
  assert.deepEqual(
    window.entries.map((entry) => new URL(entry).hash),
    ["", "#heads=2", "#heads=4"],
  );
});

test("Back tells the link once, although the browser tells it twice", () => {
  const heard = [];
  const bar = new AddressBar(window);
  bar.listen((link) => heard.push(link));
  bar.write("heads=2", true);
  window.go(-1);
  window.go(1);
  assert.deepEqual(heard, ["", "heads=2"]);
});

test("what the page wrote itself is no news", () => {
  const heard = [];
  const bar = new AddressBar(window);
  bar.listen((link) => heard.push(link));
  bar.write("heads=2", true);
  window.dispatchEvent(new Event("hashchange"));
  assert.deepEqual(heard, []);
});

test("a browser that counts changes is never asked too often, and the newest link arrives in the end", (context) => {
  with_clock(context);
  const bar = new AddressBar(window);
  for (let i = 0; i < 200; ++i) {
    bar.write(`seed=${i}`, false);
    pass(10);
  }
  assert.equal(bar.read(), "seed=79", "100 in 30 s are one too many for Safari");
  pass(30_000);
  assert.equal(bar.read(), "seed=199");
});

test("a step that waited is still a step", (context) => {
  with_clock(context);
  const bar = new AddressBar(window);
  for (let i = 0; i < 80; ++i) bar.write(`seed=${i}`, false);
  bar.write("heads=1", true);
  bar.write("heads=2", false);
  pass(30_001);
  assert.equal(window.entries.length, 2);
  assert.equal(bar.read(), "heads=2");
});

test("a link from outside is newer than one that waits", (context) => {
  with_clock(context);
  const bar = new AddressBar(window);
  bar.listen(() => {});
  bar.write("seed=1", true);
  for (let i = 2; i < 90; ++i) bar.write(`seed=${i}`, false);
  window.go(-1);
  pass(60_000);
  assert.equal(bar.read(), "");
});

test("where there is no history, nothing breaks", () => {
  window.refuses = true;
  const bar = new AddressBar(window);
  bar.write("heads=2", true);
  assert.equal(bar.read(), "");
});

test("after destroy nothing is heard and nothing is written", (context) => {
  with_clock(context);
  const heard = [];
  const bar = new AddressBar(window);
  bar.listen((link) => heard.push(link));
  for (let i = 0; i < 90; ++i) bar.write(`seed=${i}`, true);
  bar.destroy();
  pass(60_000);
  window.go(-1);
  assert.deepEqual(heard, []);
  assert.equal(window.entries.length, 81);
});

test("an address without a link stands for the link the page starts with, and stays as it is", () => {
  assert.equal(new AddressBar(window, "view=door").read(), "view=door");
  window.entries = ["http://localhost/#v=1"];
  assert.equal(new AddressBar(window, "view=door").read(), "v=1");
  assert.deepEqual(window.entries, ["http://localhost/#v=1"]);
});

test("going back to the page's own address opens the start again", () => {
  const bar = new AddressBar(window, "view=door");
  const heard = [];
  bar.listen((link) => heard.push(link));
  bar.write("heads=4", true);
  window.go(-1);
  assert.deepEqual(heard, ["view=door"]);
  bar.destroy();
});

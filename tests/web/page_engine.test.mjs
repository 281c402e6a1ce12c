// The engine's functions as the page calls them, where the module has no memory left: nothing is written anywhere, what was taken
// is given back, and there is a sentence. The module is a stand-in.
import assert from "node:assert/strict";
import { test } from "node:test";
import { make_engine, make_picture } from "../../web/page_engine.js";

const kSize = 5000;
const kFile = { name: "weights.npy", media_type: "", bytes: new Uint8Array(1000).fill(7) };

/** A module with so many bytes, of which the n-th request gets nothing. */
function make_module(refused) {
  const module = {
    HEAPU8: new Uint8Array(kSize),
    num_requests: 0,
    taken: new Set(),
    added: [],
    _malloc(size) {
      const is_refused = ++module.num_requests === refused;
      const begin = 8 + [...module.taken].reduce((sum, [, length]) => sum + length, 0);
      if (is_refused || begin + size > kSize) return 0;
      module.taken.add([begin, size]);
      return begin;
    },
    _free(pointer) {
      for (const one of module.taken) if (one[0] === pointer) module.taken.delete(one);
    },
    stringToNewUTF8(text) {
      const bytes = new TextEncoder().encode(`${text}\0`);
      const begin = module._malloc(bytes.length);
      if (begin !== 0) module.HEAPU8.set(bytes, begin);
      return begin;
    },
    UTF8ToString: (pointer) => {
      const end = module.HEAPU8.indexOf(0, pointer);
      return new TextDecoder().decode(module.HEAPU8.slice(pointer, end));
    },
    _engine_open(link, name, begin, size) {
      for (const pointer of [link, name, begin]) assert.notEqual(pointer, 0);
      assert.ok(module.HEAPU8.slice(begin, begin + size).every((byte) => byte === 7));
      const answer = new TextEncoder().encode('{"question":"?","is_certain":true,"choices":[]}\0');
      module.HEAPU8.set(answer, kSize - 100);
      return kSize - 100;
    },
    _web_add_file(name, size) {
      assert.notEqual(name, 0);
      const begin = module._malloc(size + 1); // the program keeps it
      if (begin !== 0) module.added.push([module.UTF8ToString(name), begin, size]);
      return begin;
    },
    _web_note: (sentence) => assert.notEqual(sentence, 0),
  };
  return module;
}

/** What was thrown; null where nothing was. */
function thrown_by(work) {
  try {
    work();
    return null;
  } catch (error) {
    return error.message;
  }
}

const kSentence = /^There is not enough memory left/;

test("whichever request is refused, a file that the engine opens is opened or there is a sentence", () => {
  const open = (module) => make_engine(module).open_file("heads=1", kFile.name, kFile.bytes);
  const free = make_module(0);
  assert.equal(open(free).is_certain, true);
  assert.equal(free.num_requests, 3, "the file, the link and the name");
  for (let n = 1; n <= free.num_requests; ++n) {
    const module = make_module(n);
    assert.match(String(thrown_by(() => open(module))), kSentence);
    assert.ok(
      module.HEAPU8.slice(0, 8).every((byte) => byte === 0),
      "nothing is written from address 0 on",
    );
    assert.equal(module.taken.size, 0, "what was taken is given back");
    assert.equal(open(module).is_certain, true, "and the next file is opened");
  }
});

test("whichever request is refused, a file is added to the picture or there is a sentence", () => {
  const add = (module) => make_picture(module, () => null).add_file(kFile);
  const free = make_module(0);
  add(free);
  const [[name, begin, size]] = free.added;
  assert.deepEqual([name, size], [kFile.name, kFile.bytes.length]);
  assert.deepEqual(free.HEAPU8.slice(begin, begin + size), kFile.bytes);
  assert.equal(free.taken.size, 1, "the file alone stays");
  for (let n = 1; n <= free.num_requests; ++n) {
    const module = make_module(n);
    assert.match(String(thrown_by(() => add(module))), kSentence);
    assert.ok(module.HEAPU8.slice(0, 8).every((byte) => byte === 0));
    assert.equal(module.taken.size, 0);
    add(module);
    assert.equal(module.added.length, 1);
  }
});

test("a file without a byte, and one that is larger than all memory", () => {
  const module = make_module(0);
  const picture = make_picture(module, () => null);
  picture.add_file({ ...kFile, bytes: new Uint8Array(0) });
  assert.equal(module.added.length, 1);
  const large = { ...kFile, bytes: new Uint8Array(2 * kSize) };
  assert.match(String(thrown_by(() => picture.add_file(large))), kSentence);
  assert.match(String(thrown_by(() => make_engine(module).open_file("", "a", large.bytes))), kSentence);
});

test("a text for which there is no memory is handed to nobody", () => {
  const module = make_module(1);
  assert.match(String(thrown_by(() => make_picture(module, () => null).note("a sentence"))), kSentence);
  make_picture(module, () => null).note("a sentence");
  assert.equal(module.taken.size, 0);
});

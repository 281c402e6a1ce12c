// What is offered once the program has stopped, and that nobody reads how it did.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { guarded, kBroken, kNoMemory } from "../../web/guarded.js";
import { new_starts } from "../../web/stopped.js";

const links = (...of) => new_starts(...of).map((way) => way.link);

test("what was shown before comes first, then the sentence alone, then the beginning", () => {
  assert.deepEqual(links("text=a+b&heads=64&view=learn", "text=a+b&heads=2", {}), ["text=a+b&heads=2", "text=a+b", ""]);
  assert.deepEqual(links("text=a&text=b&heads=3", null, {}), ["text=a&text=b&heads=3", "text=a&text=b", ""]);
  assert.deepEqual(links("", null, {}), [""]);
});

test("a link that stopped the program twice is not offered again", () => {
  const link = "text=&lesson=causal";
  assert.deepEqual(links(link, link, { [link]: 1 }), [link, "text=", ""]);
  assert.deepEqual(links(link, link, { [link]: 2 }), ["text=", ""]);
  assert.deepEqual(links(link, link, { [link]: 2, "text=": 2 }), [""]);
  assert.deepEqual(links("", "", { "": 2 }), []);
});

test("an end of the program is told once a call, as a sentence", (t) => {
  const on_stop = mock.fn();
  t.mock.method(console, "error", () => {});
  const ends = { _aborts: "Aborted(). Build with -sASSERTIONS for more info.", _wants: kNoMemory };
  const module = guarded(
    {
      HEAPU8: new Uint8Array(2),
      UTF8ToString: () => {
        throw new TypeError("as it is");
      },
      _works: (a, b) => a + b,
      ...Object.fromEntries(
        Object.entries(ends).map(([name, message]) => [
          name,
          () => {
            throw new WebAssembly.RuntimeError(message);
          },
        ]),
      ),
    },
    on_stop,
  );
  assert.equal(module._works(1, 2), 3);
  assert.equal(module._works, module._works);
  assert.equal(module.HEAPU8.length, 2);
  assert.throws(() => module._aborts(), { message: kBroken });
  assert.throws(() => module._wants(), { message: kNoMemory });
  assert.throws(() => module.UTF8ToString(0), { message: "as it is" });
  assert.deepEqual(
    on_stop.mock.calls.map((call) => call.arguments[0]),
    [kBroken, kNoMemory],
  );
});

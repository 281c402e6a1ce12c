// A later part of a divided module: whoever calls it too early gets it at once, and everybody gets the same results.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { LaterPart } from "../../web/later_part.js";

const kAddress = "https://course.example/rest.wasm";

// One function without arguments, at place 0 of the table, which the first part exports: "seven" is what it returns.
// (module (import "primary" "t" (table 1 funcref)) (func (result i32) i32.const 7) (elem (i32.const 0) 0))
const kRest = Uint8Array.from([
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 5, 1, 96, 0, 1, 127], // types: () -> i32
  ...[2, 15, 1, 7, 112, 114, 105, 109, 97, 114, 121, 1, 116, 1, 112, 0, 1], // imports: primary.t, a table
  ...[3, 2, 1, 0], // functions: one of that type
  ...[9, 7, 1, 0, 65, 0, 11, 1, 0], // elements: it goes to place 0
  ...[10, 6, 1, 4, 0, 65, 7, 11], // code: i32.const 7
]);

let table;
let num_fetches;
let num_requests;
let status;
beforeEach(() => {
  table = new WebAssembly.Table({ element: "anyfunc", initial: 1 });
  num_fetches = num_requests = 0;
  status = 200;
  mock.method(globalThis, "fetch", async () => {
    num_fetches += 1;
    return new Response(kRest, { status });
  });
  // A synchronous request as browsers answer it: the bytes as characters, from 0x80 on moved to U+F780.
  globalThis.XMLHttpRequest = class {
    open(method, address, is_asynchronous) {
      assert.deepEqual([method, address, is_asynchronous], ["GET", kAddress, false]);
    }
    overrideMimeType(type) {
      assert.equal(type, "text/plain; charset=x-user-defined");
    }
    send() {
      num_requests += 1;
      this.status = status;
      this.responseText = String.fromCharCode(...kRest.map((byte) => byte)).replace(/[\x80-\xff]/g, (character) =>
        String.fromCharCode(0xf700 + character.charCodeAt(0)),
      );
    }
  };
});
afterEach(() => {
  mock.restoreAll();
  delete globalThis.XMLHttpRequest;
});

/** A part whose part before has come to life. */
function joined() {
  const window = { closed: false, length: 0 };
  window.parent = window;
  const part = new LaterPart(kAddress, window);
  part.join({ exports: { memory: {}, t: table } });
  return part;
}

test("after it has come its functions are in the table", async () => {
  const part = joined();
  await part.load();
  assert.equal(table.get(0)(), 7);
  assert.equal(part.stand_ins[0](), 7, "who kept the stand-in");
  assert.deepEqual([num_fetches, num_requests], [1, 0]);
});

test("a call that is too early waits for it", async () => {
  const part = joined();
  assert.equal(part.stand_ins[0](), 7);
  assert.equal(part.stand_ins[0](), 7);
  assert.deepEqual([num_fetches, num_requests], [0, 1]);
  await part.load();
  assert.equal(table.get(0)(), 7);
});

test("it is fetched ahead once", async () => {
  const part = joined();
  part.prepare();
  await part.load();
  assert.equal(num_fetches, 1);
});

test("what cannot be fetched is told to who waits, and to who calls", async () => {
  status = 404;
  const part = joined();
  part.prepare();
  await assert.rejects(part.load(), /404/);
  assert.throws(() => part.stand_ins[0](), /404/);
  status = 200;
  await part.load();
  assert.equal(table.get(0)(), 7, "the next try");
});

// (module (import "primary" "t" (table 1 funcref)) (import "placeholder" "0" (func (result i32))) (elem (i32.const 0) 0)
//   (export "t" (table 0)))
const kMiddle = Uint8Array.from([
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 5, 1, 96, 0, 1, 127], // types: () -> i32
  ...[2, 31, 2, 7, ...Buffer.from("primary"), 1, 116, 1, 112, 0, 1], // imports: primary.t, a table
  ...[11, ...Buffer.from("placeholder"), 1, 48, 0, 0], // and placeholder.0, a function of that type
  ...[7, 5, 1, 1, 116, 1, 0], // exports: the table as t
  ...[9, 7, 1, 0, 65, 0, 11, 1, 0], // elements: what it has imported goes to place 0
]);

test("a call of a function that is in the part behind the next one brings both", async () => {
  const window = { closed: false, length: 0 };
  window.parent = window;
  const rest = new LaterPart(kAddress, window);
  const middle = new LaterPart("https://course.example/middle.wasm", window, rest);
  middle.join({ exports: { t: table } });
  const asked = [];
  mock.method(globalThis, "fetch", async (address) => {
    asked.push(address);
    return new Response(/middle/.test(address) ? kMiddle : kRest);
  });
  await middle.load();
  assert.equal(table.get(0)(), 7, "the rest is asked for by the call");
  assert.deepEqual([asked.length, num_requests], [1, 1]);
  await rest.load();
  assert.equal(table.get(0)(), 7);
  assert.deepEqual([asked.length, num_requests], [1, 1], "it is there already");
});

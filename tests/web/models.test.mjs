// The page's way of opening a model: which bytes go where, what is fetched and when. The module is played by the test.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Models, SliceReader } from "../../web/models.js";

const kHeader = new TextEncoder().encode("{}");
const kNumbers = Uint8Array.from({ length: 30 }, (_, i) => i + 1);
const kFirst = 1 << 12; // where the module wants the numbers

/** A safetensors file with this header's length in its first bytes. */
function tensors(name, length = BigInt(kHeader.length)) {
  const first = new Uint8Array(8);
  new DataView(first.buffer).setBigUint64(0, length, true);
  return new File([first, kHeader, kNumbers], name);
}

/** As src/page_models.cpp, for a model of 30 bytes that are wanted in three slices. */
/** Of models that are whole in memory nothing is brought later. */
const kUnused = { on_brought: () => assert.fail(), on_lost: () => assert.fail() };

function play_module() {
  const memory = new Uint8Array(1 << 14);
  let free = 8;
  const put = (bytes) => {
    memory.set(bytes, free);
    free += bytes.length;
    return free - bytes.length;
  };
  const text = (string) => put(new TextEncoder().encode(`${string}\0`));
  const read = (at) => new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at)));
  const file = "model.safetensors";
  let slices = [0, 10, 20].map((at) => ({ file, begin: 8 + kHeader.length + at, at: kFirst + at, size: 10 }));
  const module = {
    HEAPU8: memory,
    host: {},
    named: [],
    UTF8ToString: read,
    stringToNewUTF8: text,
    _malloc: (size) => put(new Uint8Array(size)),
    _free() {},
    parts: [],
    _models_begin: () => ([module.named, module.parts] = [[], []]),
    _models_add_text: (name, at, size) => module.named.push([read(name), size]),
    _models_add_tensors: (name, size) => module.named.push([read(name), size]),
    _models_add_part: (name, begin, at, size) =>
      module.parts.push([read(name), begin, ...memory.subarray(at, at + size)]),
    // Needs the header in two parts.
    _models_open: () =>
      text(
        JSON.stringify(
          module.parts.length < 2 ? { needs: file, begin: module.parts.length * 8, size: 2 } : { bytes: 30 },
        ),
      ),
    _models_next: () => text(JSON.stringify(slices[0] ?? { done: true })),
    _models_slice_is_there: () => slices.shift(),
    _models_take: (name) => text(JSON.stringify({ name: read(name) || "by-digest" })),
    _models_of_link: (link) => text(JSON.stringify({ name: /model=(\w+)/.exec(read(link))?.[1] ?? "" })),
    _models_is_open: () => 0,
  };
  return module;
}

const never = new AbortController().signal; // nobody stops it
const original = globalThis.fetch;
afterEach(() => (globalThis.fetch = original));

test("each byte of a model goes where the module wants it, and the share of them is told", async () => {
  const module = play_module();
  const shares = [];
  const files = [tensors("model.safetensors"), new File(["{}"], "config.json")];
  const name = await new Models(module, "http://host/page/", kUnused).open(files, never, "", (share) =>
    shares.push(share),
  );
  assert.equal(name, "by-digest");
  assert.deepEqual(module.named, [
    ["config.json", 2],
    ["model.safetensors", 40],
  ]);
  assert.deepEqual(module.parts, [
    ["model.safetensors", 0, kHeader.length, 0],
    ["model.safetensors", 8, ...kHeader],
  ]);
  assert.deepEqual([...module.HEAPU8.subarray(kFirst, kFirst + 30)], [...kNumbers]);
  assert.deepEqual(
    shares.map((share) => share.toFixed(2)),
    ["0.33", "0.67", "1.00"],
  );
});

test("of several forms of the same numbers the safetensors are handed over", async () => {
  const module = play_module();
  const models = new Models(module, "http://host/", kUnused);
  await models.open([new File(["PK"], "pytorch_model.bin"), tensors("model.safetensors")], never);
  assert.deepEqual(module.named, [["model.safetensors", 40]]);
});

test("what the engine refuses is its sentence, and the next model is opened all the same", async () => {
  const module = play_module();
  const models = new Models(module, "http://host/", kUnused);
  const open = module._models_open;
  module._models_open = () => module.stringToNewUTF8('{"error":"No."}');
  await assert.rejects(models.open([], never), /^Error: No\.$/);
  module._models_open = open;
  assert.equal(await models.open([tensors("model.safetensors")], never, "mine"), "mine");
});

test("the list is fetched once, when somebody asks, and rows that are none are left out", async () => {
  const asked = [];
  const list = [{ name: "a", folder: "b c", files: ["config.json"] }, 3, { name: 1, files: [] }, { name: "d" }];
  globalThis.fetch = async (address) => {
    asked.push(String(address));
    return { ok: true, json: async () => list, blob: async () => new Blob(["{}"]) };
  };
  const models = new Models(play_module(), "http://host/page/index.html", kUnused);
  assert.deepEqual(asked, []);
  assert.equal(await models.open_listed("none", () => {}, never), false);
  assert.deepEqual(
    (await models.list()).map(({ name }) => name),
    ["a"],
  );
  assert.deepEqual(asked, ["http://host/page/models/list.json"]);
  globalThis.fetch = async (address) => {
    asked.push(String(address));
    return { ok: false, status: 404 };
  };
  await assert.rejects(
    models.open_listed("a", () => {}, never),
    /^Error: The model a cannot be fetched: config\.json, 404\.$/,
  );
  assert.equal(asked[1], "http://host/page/models/b%20c/config.json");
});

test("a host without a list has no models", async () => {
  globalThis.fetch = async () => ({ ok: false });
  assert.deepEqual(await new Models(play_module(), "http://host/", kUnused).list(), []);
});

test("where there is no connection, or the list is none, a sentence says so", async () => {
  globalThis.fetch = async () => Promise.reject(new TypeError("no network"));
  await assert.rejects(
    new Models(play_module(), "http://host/", kUnused).list(),
    /^Error: The model could not be fetched\. Please/,
  );
  globalThis.fetch = async () => new Response("<html>");
  await assert.rejects(
    new Models(play_module(), "http://host/", kUnused).list(),
    /^Error: models\/list\.json .* is no JSON\.$/,
  );
});

test("a model that does not fit into memory is refused before the engine asks for it", async () => {
  const module = play_module();
  const models = new Models(module, "http://host/", kUnused);
  const malloc = module._malloc;
  let wanted = 0;
  module._malloc = (size) => (size > 40 ? ((wanted = size), 0) : malloc(size));
  await assert.rejects(models.open([tensors("model.safetensors")], never), /not enough memory left/);
  assert.equal(wanted, 41);
  assert.deepEqual(module.named, []);
});

test("reading is stopped between two slices, and the next model is opened all the same", async () => {
  const module = play_module();
  const models = new Models(module, "http://host/", kUnused);
  let begun = 0;
  const begin = module._models_begin;
  module._models_begin = () => {
    begun += 1;
    begin();
  };
  const stop = new AbortController();
  const shares = [];
  const on_progress = (share) => {
    shares.push(share);
    stop.abort();
  };
  await assert.rejects(models.open([tensors("model.safetensors")], stop.signal, "", on_progress), {
    name: "AbortError",
  });
  assert.equal(shares.length, 1);
  assert.equal(await models.open([tensors("model.safetensors")], never), "by-digest");
  assert.equal(begun, 3, "begun, what came of it is gone, begun anew");
});

test("slices are read into one buffer again and again, and a file that has become shorter is told by its name", async () => {
  const reader = new SliceReader();
  const file = new File([kNumbers], "model.safetensors");
  const first = await reader.read(file, 0, 10);
  assert.deepEqual([...first], [...kNumbers.subarray(0, 10)]);
  const place = first.buffer;
  const second = await reader.read(file, 25, 30);
  assert.deepEqual([...second], [26, 27, 28, 29, 30]);
  assert.ok(place.detached ?? place.byteLength === 0, "the buffer went on to the next slice");
  await assert.rejects(reader.read(file, 25, 31), /could not read model\.safetensors/);
  assert.deepEqual([...(await reader.read(file, 3, 4))], [4], "and the reader goes on");
});

test("where streams do not read into a buffer, slices are read as they come", async () => {
  const bytes = new File([kNumbers], "model.safetensors");
  const file = {
    name: bytes.name,
    size: bytes.size,
    slice: (a, b) => ({ arrayBuffer: () => bytes.slice(a, b).arrayBuffer() }),
  };
  assert.deepEqual([...(await new SliceReader().read(file, 5, 8))], [6, 7, 8]);
});

test("what an open model wants of its files is read, and work that stood still goes on", async () => {
  const module = play_module();
  const wanted = [
    { model: "big", file: "model.safetensors", begin: 3, at: kFirst, size: 4 },
    { model: "big", file: "model.safetensors", begin: 9, at: kFirst + 4, size: 2 },
    { model: "big", file: "model.safetensors", begin: 90, at: kFirst, size: 5 }, // beyond the file's end
  ];
  const text = (answer) => module.stringToNewUTF8(`${JSON.stringify(answer)}`);
  const calls = [];
  module._models_take = () => text({ name: "big", in_parts: true });
  module._models_wanted = () => {
    // The engine's memory may grow while the file is read: what was its array before is nobody's then.
    queueMicrotask(() => (module.HEAPU8 = module.HEAPU8.slice()));
    return text(wanted.shift() ?? { done: true });
  };
  module._models_brought = () => calls.push([...module.HEAPU8.subarray(kFirst, kFirst + 6)]) === 2;
  module._models_close = (name) => calls.push(module.UTF8ToString(name));
  const told = [];
  const models = new Models(module, "http://host/", {
    on_brought: () => calls.push("goes on"),
    on_lost: (sentence) => told.push(sentence),
  });
  const bytes = Uint8Array.from({ length: 40 }, (_, i) => i);
  await models.open([new File([bytes], "model.safetensors")], never);
  module.HEAPU8.fill(0, kFirst, kFirst + 6);
  module.host.model_wants_bytes();
  module.host.model_wants_bytes(); // it is at it
  assert.equal(models.is_bringing, true);
  while (models.is_bringing) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.deepEqual(calls, [[3, 4, 5, 6, 0, 0], [3, 4, 5, 6, 9, 10], "goes on", "big"]);
  assert.equal(told.length, 1);
  assert.match(
    told[0],
    /^The browser could not read model\.safetensors: .* The model is closed: open its files again\.$/,
  );
});

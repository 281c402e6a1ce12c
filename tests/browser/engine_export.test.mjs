// The engine's exports in the page: the same files that `attn export` writes, PNG besides, and files read back.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { PNG } from "pngjs";
import { in_playground, start, troubles_of } from "./browser.mjs";

const kBrush = "text=The+artist+painted+the+portrait+of+a+woman+with+a+brush";

let browser;
let page;
before(async () => {
  browser = await start();
  page = await browser.open();
});
after(() => browser?.close());

/** The file in the page with the bytes as a Buffer, or { error }: by export_file, a spreadsheet by make_file. */
async function export_file(link, kind, options = "", call = kind === "xlsx" ? "make_file" : "export_file") {
  const answer = await in_playground(
    page,
    async (playground, { link, kind, options, call }) => {
      try {
        const file = await playground.engine[call](link, kind, options);
        let binary = "";
        for (const byte of file.bytes) binary += String.fromCharCode(byte);
        return { ...file, bytes: btoa(binary) };
      } catch (error) {
        return { error: error.message };
      }
    },
    { link, kind, options, call },
  );
  return answer.bytes === undefined ? answer : { ...answer, bytes: Buffer.from(answer.bytes, "base64") };
}

const open_file = (link, name, bytes) =>
  in_playground(
    page,
    (playground, { link, name, bytes }) => {
      try {
        return playground.engine.open_file(
          link,
          name,
          Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)),
        );
      } catch (error) {
        return { error: error.message };
      }
    },
    { link, name, bytes: Buffer.from(bytes).toString("base64") },
  );

const attn = (...args) => spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { maxBuffer: 1 << 28 });
const table = () => in_playground(page, (playground) => playground.engine.exports());

test("the table has what the command line lists, in its order", async () => {
  const rows = await table();
  const listed = attn("export", "--list").stdout.toString();
  const names = [...listed.matchAll(/^(\w+)/gm)].map((match) => match[1]);
  assert.deepEqual(
    rows.map((row) => row.name),
    names,
  );
  for (const row of rows) {
    assert.ok(row.label && row.about, row.name);
    assert.match(row.scope, /^(view|stage|state)$/);
    assert.match(row.extension, /^\.\w+$/);
    assert.match(row.media_type, /^\w+\/[\w+.-]+$/);
    assert.equal(typeof row.is_text, "boolean");
  }
});

test("every file is the one that the command line writes, byte for byte", async () => {
  const links = [
    kBrush,
    `${kBrush}&dropout=0.3&heads=4&stage=context&edit=w_query[0,1]=0.5`,
    "text=%E6%B3%A8+a&view=lines",
  ];
  const different = [];
  for (const row of await table()) {
    if (row.name === "png") continue; // drawn by whoever shows it
    if (["votes", "lens", "journey", "patch"].includes(row.name)) continue; // a model's: models.test.mjs
    // A step's link names lesson and step alone; the module of spreadsheets knows no lessons.
    const steps =
      row.name === "xlsx" ? ["lesson=byte-pairs&step=2", "lesson=causal&step=3", "lesson=trainable&step=6"] : [];
    for (const one of [...links, ...steps]) {
      const asks = ["worksheet", "moodle", "gift", "qti"].includes(row.name);
      const link = asks ? `${one}&hide=weights[1,1,*]` : one;
      const options = row.scope === "view" ? "dark=1&head=1" : "";
      const native = attn("export", row.name, link, ...(options ? ["--options", options] : []));
      assert.equal(native.status, 0, native.stderr.toString());
      const file = await export_file(link, row.name, options);
      assert.ok(file.bytes, `${row.name}: ${file.error}`);
      if (!file.bytes.equals(native.stdout)) different.push(`${row.name} of ${link}`);
      assert.ok(file.name.startsWith("attention") && file.name.endsWith(row.extension), file.name);
      assert.equal(file.media_type, row.media_type);
      assert.deepEqual(file.notes, []);
    }
  }
  assert.deepEqual(different, []);
});

test("a spreadsheet is made in pieces, by a module that no visit fetches before", async () => {
  const other = await browser.open();
  const asked = [];
  other.on("request", (request) => asked.push(new URL(request.url()).pathname.split("/").pop()));
  await in_playground(other, ({ engine }) => engine.make_file("text=a+b", "csv"));
  assert.deepEqual(asked.filter((name) => name.includes("workbook")), []); // prettier-ignore
  const begin = await in_playground(other, async ({ engine }) => [
    ...(await engine.make_file("text=a+b", "xlsx")).bytes.slice(0, 4),
  ]);
  assert.equal(String.fromCharCode(...begin), "PK\x03\x04");
  assert.ok(asked.includes("attention_workbook.wasm"), asked.join(" "));
  const { error } = await export_file("text=a+b", "xlsx", "", "export_file");
  assert.match(error, /make_file/);
  for (const [link, sentence] of [
    ["text=a+b&check=weights", /left blank/],
    ["text=a+b+c&goal=next&d_in=4&d_out=4&steps=2", /set the steps to 0/],
    ["text=a&heads=9&d_out=9", /8 heads/],
  ])
    assert.match((await export_file(link, "xlsx")).error, sentence);
  await other.context().close();
});

test("options are moved to what is legal, with notes", async () => {
  const { notes } = await export_file("heads=2", "svg", "head=9&scale=99&ink=1");
  assert.equal(notes.length, 3);
  assert.match(notes[0], /^head set to 2: /);
});

test("what cannot be exported is said in a sentence", async () => {
  for (const [link, kind] of [
    ["", "word"],
    ["text=", "svg"],
    ["text=", "png"],
    ["text=", "csv"],
  ]) {
    const { error } = await export_file(link, kind);
    assert.match(error ?? "", /^[A-Z].*\.$/, `${kind} of "${link}"`);
  }
});

test("files made in pieces are those made at once, one after the other, whatever comes between", async () => {
  const long = `text=${Array.from({ length: 400 }, (_, i) => `w${i % 61}`).join("+")}&heads=2`;
  const answers = await in_playground(
    page,
    async ({ engine }, long) => {
      const wanted = [
        [long, "csv", "stage=scores"],
        [long, "svg"],
        [long, "word"],
        ["text=", "json"],
        ["text=one+two", "json", "stage=context"],
        [long, "png", "scale=1"],
      ];
      const made = wanted.map((one) => engine.make_file(...one));
      const between = engine.export_file("text=something+else", "json"); // takes the place of what is begun
      const same = (a, b) => a.length === b.length && a.every((byte, k) => byte === b[k]);
      const results = await Promise.allSettled(made);
      return {
        between: between.name,
        files: results.map(({ status, value, reason }, k) => {
          if (status === "rejected") return reason.message;
          const whole = engine.export_file(...wanted[k]);
          return [value.name === whole.name, value.media_type === whole.media_type, same(value.bytes, whole.bytes)];
        }),
      };
    },
    long,
  );
  assert.equal(answers.between, "attention-something-else-weights.json");
  const as_it_is = [true, true, true];
  const [csv, svg, word, empty, json, png] = answers.files;
  assert.deepEqual([csv, svg, json, png], [as_it_is, as_it_is, as_it_is, as_it_is]);
  assert.match(word, /no export/);
  assert.match(empty, /empty/);
});

test("a PNG has the size of the SVG times the scale, and its own type and name", async () => {
  const svg = await export_file(kBrush, "svg");
  const [, width, height] = svg.bytes.toString().match(/<svg[^>]* width="([\d.]+)[^"]*"[^>]* height="([\d.]+)/);
  for (const scale of [1, 2, 0.5]) {
    const file = await export_file(kBrush, "png", `scale=${scale}`);
    assert.equal(file.media_type, "image/png");
    assert.match(file.name, /^attention-the-artist-.*\.png$/);
    const png = PNG.sync.read(file.bytes);
    assert.deepEqual([png.width, png.height], [Math.round(width * scale), Math.round(height * scale)]);
  }
});

test("a session file goes out and comes in again as the same link", async () => {
  for (const line of readFileSync(new URL("../golden/links.txt", import.meta.url), "utf8")
    .split("\n")
    .slice(0, 12)) {
    const link = line.trim();
    if (!link || link.startsWith("#")) continue;
    const { link: legal } = await in_playground(page, (playground, link) => playground.engine.mirror(link), link);
    const file = await export_file(link, "session");
    const offer = await open_file("text=something+else", file.name, file.bytes);
    assert.equal(offer.is_certain, true);
    assert.equal(offer.choices.length, 1);
    assert.deepEqual(offer.choices[0], { label: offer.choices[0].label, link: legal, notes: [] });
  }
});

test("a file that is none is refused in a sentence", async () => {
  for (const bytes of ["", "{", "hello", "\u0000\u0001\u0002"]) {
    const { error } = await open_file("", "broken.attention", bytes);
    assert.match(error ?? "", /^[A-Z].*\.$/, JSON.stringify(bytes));
  }
});

test("the page has nothing to complain about", () => assert.equal(troubles_of(page), ""));

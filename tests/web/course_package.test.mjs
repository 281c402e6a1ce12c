// Packages for course systems: the manifests have what the standards require, whatever a title says; the files are those of a site, the
// same bytes twice; what a visit keeps comes back, and what others left there does no harm.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { course_of, kMostPackage, make_package } from "../../web/course_package.js";
import { manifest_of, xml_text } from "../../web/course_manifest.js";
import { pack, unpack } from "../../web/course/keep.js";
import { progress_of, report_of } from "../../web/course/report.js";

let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), "attn-package-"))));
after(() => rmSync(folder, { recursive: true, force: true }));

const kHostile = `</title><script>alert(1)</script> & "quotes" 'and' ]]> \u0000\u0008\ud800 \u202e {lang=en}[,] 文字 ${"x".repeat(500)}`;
const kAsked = [
  { lesson: "causal", step: 4, count: 1 },
  { lesson: "causal", step: 8, count: 2 },
];
const bytes = (text) => new TextEncoder().encode(text);

// --- the manifests ---

/** What xmllint, a reader that is not ours, finds at an XPath; text with its ends trimmed. */
function found(file, path) {
  const { status, stdout, stderr } = spawnSync("xmllint", ["--nonet", "--xpath", path, file], { encoding: "utf8" });
  assert.equal(status, 0, `${path}: ${stderr}`);
  return stdout.trim();
}
const named = (name) => `*[local-name()="${name}"]`;

const kEditions = {
  scorm12: [
    "1.2",
    "http://www.imsproject.org/xsd/imscp_rootv1p1p2",
    "http://www.adlnet.org/xsd/adlcp_rootv1p2",
    "scormtype",
  ],
  scorm2004: [
    "2004 4th Edition",
    "http://www.imsglobal.org/xsd/imscp_v1p1",
    "http://www.adlnet.org/xsd/adlcp_v1p3",
    "scormType",
  ],
};

for (const [kind, [version, space, adl, type]] of Object.entries(kEditions)) {
  test(`${kind}: the manifest has each element that the standard requires, whatever the title is`, () => {
    const course = course_of(kind, kHostile, "lesson=causal", kAsked);
    const file = join(folder, "imsmanifest.xml");
    writeFileSync(file, manifest_of(course, ["course.html", "fonts/LICENSE.txt"]));
    const manifest = `/${named("manifest")}`;
    assert.equal(found(file, `namespace-uri(${manifest})`), space);
    assert.equal(found(file, `string(${manifest}/${named("metadata")}/${named("schema")})`), "ADL SCORM");
    assert.equal(found(file, `string(${manifest}/${named("metadata")}/${named("schemaversion")})`), version);
    const organizations = `${manifest}/${named("organizations")}`;
    const organization = `${organizations}/${named("organization")}`;
    assert.equal(found(file, `string(${organizations}/@default)`), found(file, `string(${organization}/@identifier)`));
    const item = `${organization}/${named("item")}`;
    const resource = `${manifest}/${named("resources")}/${named("resource")}`;
    assert.equal(found(file, `string(${item}/@identifierref)`), found(file, `string(${resource}/@identifier)`));
    for (const place of [organization, item]) {
      const title = found(file, `string(${place}/${named("title")})`);
      assert.ok(title.startsWith(`</title><script>alert(1)</script> & "quotes" 'and' ]]>`), title);
      assert.equal([...title].length, 200);
    }
    assert.equal(found(file, `count(${resource})`), "1");
    assert.equal(found(file, `string(${resource}/@type)`), "webcontent");
    assert.equal(found(file, `string(${resource}/@href)`), "course.html");
    assert.equal(found(file, `string(${resource}/@*[local-name()="${type}" and namespace-uri()="${adl}"])`), "sco");
    assert.equal(found(file, `count(${resource}/${named("file")})`), "2");
    assert.match(found(file, `string(${manifest}/@identifier)`), /^[A-Za-z_][\w.-]*$/, "an identifier of XML");
  });
}

test("xapi: tincan.xml names the activity and the page that begins it", () => {
  const file = join(folder, "tincan.xml");
  const course = course_of("xapi", kHostile, "lesson=causal", kAsked);
  writeFileSync(file, manifest_of(course, []));
  const activity = `/${named("tincan")}/${named("activities")}/${named("activity")}`;
  assert.equal(found(file, `namespace-uri(/${named("tincan")})`), "http://projecttincan.com/tincan.xsd");
  assert.equal(found(file, `string(${activity}/@id)`), course.id);
  assert.match(course.id, /^urn:attention-playground:[0-9a-f]{8}$/);
  assert.equal(found(file, `string(${activity}/${named("launch")})`), "course.html");
  assert.match(found(file, `string(${activity}/${named("name")})`), /^<\/title><script>/);
});

test("any character gives XML that can be read", () => {
  const file = join(folder, "any.xml");
  for (let code = 0; code < 0x300; ++code) {
    writeFileSync(file, `<a b="${xml_text(String.fromCharCode(code))}"/>`);
    if (code % 16 < 2 || code < 0x30) found(file, "string(/a/@b)");
  }
  for (const text of ["\ud800", "\udc00\ud800", "\ufffe", "\uffff", "😀"]) {
    writeFileSync(file, `<a>${xml_text(text)}</a>`);
    found(file, "string(/a)");
  }
});

// --- the package ---

// A site as this page's, but for its programs.
const web = (name) => readFileSync(new URL(`../../web/${name}`, import.meta.url));
const kHosts = '<meta name="attention-hosts" content="https://course.example" />';
const kSite = {
  "index.html": bytes(web("index.html").toString().replace("    <meta name", `    ${kHosts}\n$&`)),
  "course.html": web("course/course.html"),
  "course.css": web("course/course.css"),
  ...Object.fromEntries(["styles.css", "boot.js", "icon.svg"].map((name) => [name, web(name)])),
  "course.js": bytes("(() => {})();\n"),
  "sandbox.js": bytes("(() => {})();\n".repeat(1e5)),
  "fonts/LICENSE.txt": bytes("licence"),
};
const read = async (name) => {
  assert.ok(name in kSite, `${name} is of this site`);
  return new Uint8Array(kSite[name]);
};

test("a package has what a lesson needs and nothing else, the same bytes twice, at most 2.5 MB", async () => {
  for (const kind of ["scorm12", "scorm2004", "xapi"]) {
    const course = course_of(kind, kHostile, "lesson=causal&step=4", kAsked);
    const zip = await make_package(course, read);
    assert.ok(zip.length <= kMostPackage, `${zip.length} bytes`);
    assert.deepEqual(await make_package(course, read), zip);
    const unpacked = mkdtempSync(join(folder, "package-"));
    writeFileSync(join(unpacked, "a.zip"), zip);
    execFileSync("python3", ["-m", "zipfile", "-e", join(unpacked, "a.zip"), join(unpacked, "a")]);
    const names = readdirSync(join(unpacked, "a"), { recursive: true }).filter((name) =>
      statSync(join(unpacked, "a", name)).isFile(),
    );
    assert.ok(!names.some((name) => /^sw\.|^author|^collect|^fetch|^models|\.wasm$|\.d\.ts$/.test(name)), names.join());
    for (const name of ["course.html", "course.js", "course.css", "index.html", "sandbox.js", "fonts/LICENSE.txt"])
      assert.ok(names.includes(name), name);
    assert.ok(names.includes(kind === "xapi" ? "tincan.xml" : "imsmanifest.xml"));
    const outer = readFileSync(join(unpacked, "a/course.html"), "utf8");
    assert.doesNotMatch(outer, /<script>alert/);
    assert.equal(/connect-src/.test(outer), kind === "xapi", "only xAPI asks for anything but files of the package");
    const index = readFileSync(join(unpacked, "a/index.html"), "utf8");
    assert.doesNotMatch(index, /attention-(fetch|hosts)/);
    for (const [, name] of index.matchAll(/<(?:link|script)\b[^>]*? (?:href|src)="([^"]+)"/g))
      assert.ok(names.includes(name), name);
  }
});

test("a site that is another or has no file of it, and a package that would be too large: a sentence", async () => {
  const course = course_of("scorm12", "a", "", kAsked);
  const other = (changed, text) => async (name) => (name === changed ? bytes(text) : read(name));
  await assert.rejects(make_package(course, other("course.html", "<p>none</p>")), {
    message: "This site's course.html is not the one that belongs to this page.",
  });
  const missing = async (name) => {
    if (name === "sandbox.js") throw new Error("This site did not send sandbox.js.");
    return read(name);
  };
  await assert.rejects(make_package(course, missing), { message: "This site did not send sandbox.js." });
  const random = new Uint8Array(3e6).map((_, i) => (Math.imul(i, 2654435761) >>> 13) ^ (Math.imul(i * i, 40503) >>> 7));
  await assert.rejects(
    make_package(course, async (name) => (name === "sandbox.js" ? random : read(name))),
    { message: /^The package would have [\d.]+ MB, and 2\.5 MB is the most\.$/ },
  );
});

test("another title, link or question is another package; the same is the same", () => {
  const one = course_of("scorm12", " A\n lesson ", "heads=1", kAsked);
  assert.equal(one.title, "A lesson");
  assert.equal(course_of("scorm2004", "A lesson", "heads=1", kAsked).id, one.id);
  for (const other of [
    ["B", "heads=1", kAsked],
    ["A lesson", "heads=2", kAsked],
    ["A lesson", "heads=1", []],
  ])
    assert.notEqual(course_of("scorm12", ...other).id, one.id);
  assert.equal(course_of("scorm12", "  ", "", []).title, "Attention Playground");
});

// --- what is reported ---

const answer = (step, question, more = {}) => ({
  ...{
    lesson: "causal",
    step,
    title: "",
    step_title: "",
    question,
    asked: `${question} in words`,
    numbers: "",
    typed: "1",
  },
  ...{ tries: 1, right_at: 0, hints: 0, told: false, mistakes: [], first: 1, last: 2, ...more },
});

test("as many questions count as are asked, in their steps, each once", () => {
  const course = course_of("scorm12", "a", "", kAsked);
  const counts = (answers) => {
    const { right, settled, asked, is_done } = report_of(course, answers);
    return [right, settled, asked, is_done];
  };
  assert.deepEqual(counts([]), [0, 0, 3, false]);
  const right = { right_at: 1 };
  const first = answer(8, "weights[1,1,0]", right);
  assert.deepEqual(counts([first]), [1, 1, 3, false]);
  assert.deepEqual(counts([first, answer(8, "weights[1,1,0]", { ...right, numbers: "seed=7" })]), [1, 1, 3, false]);
  assert.deepEqual(counts([answer(9, "weights[1,1,0]", right), { ...first, lesson: "heads" }]), [0, 0, 3, false]);
  assert.deepEqual(counts([answer(8, "weights[1,1,0]")]), [0, 0, 3, false], "a wrong number can still be mended");
  assert.deepEqual(counts([answer(8, "weights[1,1,0]", { told: true, tries: 0 })]), [0, 1, 3, false]);
  assert.deepEqual(counts([answer(4, "prediction")]), [0, 1, 3, false], "a wrong prediction tells how it is");
  const more = ["weights[1,1,1]", "weights[1,1,2]"].map((question) => answer(8, question, right));
  assert.deepEqual(counts([first, ...more, answer(4, "prediction", right)]), [3, 3, 3, true], "at most what is asked");
  assert.equal(
    report_of(course, [answer(8, "weights[1,1,0]", { tries: 0, hints: 1 })]).items.length,
    0,
    "a hint is none",
  );
  assert.deepEqual(report_of({ ...course, asked: [] }, [first]), {
    right: 0,
    settled: 0,
    asked: 0,
    is_done: true,
    items: [],
  });
});

test("the better one of two on one question is reported, and its name is one for any course system", () => {
  const course = course_of("scorm12", "a", "", [{ lesson: "", step: 0, count: 1 }]);
  const own = { lesson: "", step: 0 };
  const { items } = report_of(course, [
    answer(0, "weights[1,10,4]", { ...own, right_at: 2, tries: 2, typed: "0.5" }),
    answer(0, "weights[1,10,4]", { ...own, numbers: "seed=2", typed: "0.9" }),
    answer(0, "weights[11,0,4]", { ...own }),
  ]);
  assert.deepEqual(
    items.map(({ id, typed, is_right }) => [id, typed, is_right]),
    [
      ["task-0-weights-1-10-4", "0.5", true],
      ["task-0-weights-11-0-4", "1", false],
    ],
  );
});

test("how far a visitor is, in words", () => {
  const report = { right: 1, settled: 2, asked: 3, is_done: false, items: [] };
  assert.equal(progress_of(report), "2 of 3 answered, 1 right.");
  assert.equal(progress_of({ ...report, settled: 3, is_done: true }), "All answered: 1 of 3 right.");
  assert.match(progress_of({ ...report, asked: 0 }), /Nothing is asked here/);
});

// --- what is kept ---

const visit = (count) => ({
  id: "urn:attention-playground:1",
  link: "lesson=causal&step=8",
  answers: Array.from({ length: count }, (_, i) =>
    answer(8, `weights[1,${i},${(i * 7919) % 1000}]`, { last: i, typed: `0.${i}文` }),
  ),
});

test("a visit comes back as it was, in the room that SCORM 1.2 has for 60 answers", async () => {
  const text = await pack(visit(60), 4096);
  assert.match(text, /^attn1:[A-Za-z0-9+/=]+$/);
  const { link, answers } = await unpack(text, "urn:attention-playground:1");
  assert.equal(link, "lesson=causal&step=8");
  assert.deepEqual(
    answers.map(({ question }) => question),
    visit(60)
      .answers.map(({ question }) => question)
      .reverse(),
  );
});

test("where there is no room for all, those that were answered last stay", async () => {
  const text = await pack(visit(1000), 4096);
  assert.ok(text.length <= 4096);
  const { answers } = await unpack(text, "urn:attention-playground:1");
  assert.ok(answers.length > 50 && answers.length < 1000, answers.length);
  assert.equal(answers[0].last, 999);
  assert.equal(await pack({ ...visit(1), link: "x".repeat(20) }, 10), "");
});

test("what another package or anybody left is no visit", async () => {
  const text = await pack(visit(3), 4096);
  assert.equal(await unpack(text, "urn:attention-playground:2"), null);
  for (const other of [
    "",
    "attn1:",
    "attn2:AAAA",
    "attn1:%",
    text.slice(0, -8),
    `${text.slice(0, 40)}AAAA${text.slice(44)}`,
  ])
    assert.equal(await unpack(other, "urn:attention-playground:1"), null, other);
  const bomb = await pack({ ...visit(0), link: "x".repeat(2 ** 23) }, 2 ** 20);
  assert.equal(await unpack(bomb, "urn:attention-playground:1"), null, "it would go on for as long as it likes");
});

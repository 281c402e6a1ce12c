// Questions for course systems, read back: xmllint and gift-pegjs find nothing wrong with them, three readers find the same
// questions, and these judge as Check me does. No course system was asked: what is tested is what their documentation says.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { kHostileSentences } from "./hostile_sentences.mjs";
import { read_gift, read_moodle, read_qti, read_stored_zip } from "./question_readers.mjs";
import { attn, attn_bytes, make_dice, random_link } from "./random_links.mjs";

const folder = mkdtempSync(join(tmpdir(), "attn-questions-"));
after(() => rmSync(folder, { recursive: true }));

/** Says that each text is well-formed XML. */
function lint(texts, what) {
  const files = texts.map((text, n) => {
    const file = join(folder, `${n}.xml`);
    writeFileSync(file, text);
    return file;
  });
  const { status, stderr } = spawnSync("xmllint", ["--noout", ...files], { encoding: "utf8" });
  assert.equal(status, 0, `${what}: ${stderr}`);
}

/** The questions in all three formats, as bytes of Moodle XML, GIFT and QTI; says that they are the same and well-formed. */
function same_questions(moodle, gift, qti, what) {
  lint([moodle, ...read_stored_zip(qti).values()], what); // pictures are among the latter
  const readings = { moodle: read_moodle(moodle.toString()), gift: read_gift(gift.toString()), qti: read_qti(qti) };
  const shared = ({ section, name, is_numeric, stem, asks, answers, other, reason }) => ({
    ...{ section, name, is_numeric, stem, asks, other, reason },
    answers: answers.map((answer) =>
      is_numeric ? { ...answer, number: Number(answer.number), tolerance: Number(answer.tolerance) } : answer,
    ),
  });
  for (const format of ["gift", "qti"])
    assert.deepEqual(readings[format].map(shared), readings.moodle.map(shared), `${what}: ${format}`);
  assert.deepEqual(readings.qti.map(({ picture }) => picture), readings.moodle.map(({ picture }) => picture)); // prettier-ignore
  for (const { says_nothing } of readings.qti)
    // without an answer
    assert.deepEqual(says_nothing, { is_right: false, feedback: undefined });
  return readings;
}

const kLarge = { encoding: "utf8", maxBuffer: 1 << 28 };

const exported = (link) =>
  same_questions(...["moodle", "gift", "qti"].map((kind) => attn_bytes("export", kind, link)), link);

const kLinks = [
  "text=The+cat+sat&hide=weights[2,2,*]",
  "text=a+b+c&check=scores,weights",
  "text=a+b&check=queries&bias=1",
  "text=a+b+c&check=context&dropout=0.5&heads=2&d_out=4",
  "text=a+b&check=output",
  "text=a+b+c&goal=pattern&target=1:2>0&steps=2&check=grad_scores",
  "text=a+b+c&check=weights&view=vectors", // no picture
  "text=%D9%85%D8%AD%D9%85%D8%AF+%E6%B3%A8&check=weights",
  "lesson=causal&step=8",
  "lesson=off&step=6",
];

test("three readers find the same questions, which judge as Check me does", () => {
  for (const link of kLinks) {
    const { moodle, gift, qti } = exported(link);
    if (!moodle.some(({ is_numeric }) => is_numeric)) continue;
    const sheet = attn("export", "worksheet", link, "--options", "key=1");
    for (const [n, question] of moodle.entries()) {
      if (!question.is_numeric) continue;
      // The key of the worksheet has the right number, as the screen prints it.
      const shown = Number(question.answers[0].number);
      if (Math.abs(shown) >= 0.001)
        assert.ok(sheet.includes(`${shown < 0 ? "−" : ""}${Math.abs(shown).toFixed(4)}`), `${link}: ${shown}`);
      // Within half a unit of the second decimal is right, as Check me has it; what no answer has is another.
      assert.ok(Math.abs(Number(question.answers[0].tolerance) - 0.005) < 1e-4);
      for (const [m, answer] of question.answers.entries()) {
        for (const reader of [moodle, gift, qti]) {
          for (const typed of [answer.number, Number(answer.number).toFixed(2), Number(answer.number).toFixed(4)]) {
            const said = reader[n].judge(Number(typed));
            assert.deepEqual([said.is_right, said.feedback], [m === 0, answer.feedback], `${link}: ${typed}`);
          }
          assert.equal(reader[n].judge(98765).feedback, question.other);
        }
        if (m > 0) assert.match(answer.feedback, /^Not yet, because \S+ comes out when you .+\.$/);
      }
    }
  }
});

test("random states ask the same in every format, or a sentence says why not", () => {
  const stages = attn("trace", "text=a+b", "--format", "csv").matchAll(/^\d+,(\w+),/gm);
  const kStages = [...new Set([...stages].map(([, stage]) => stage)), "dropped_weights", "sink_weights", "grad_scores"];
  const dice = make_dice(11);
  let num_files = 0;
  for (let n = 0; n < 16; ++n) {
    const link = `${random_link(dice)}&check=${dice.one_of(kStages)},${dice.one_of(kStages)}`;
    const { status, stderr } = spawnSync(join(process.env.ATTN_NATIVE, "attn"), ["export", "gift", link], kLarge);
    if (status === 0) exported(link);
    else assert.ok(status === 2 && /^[A-Z].*\.$/m.test(stderr), `${link}: ${status} ${stderr}`);
    num_files += status === 0 ? 1 : 0;
  }
  console.log(`${num_files} of 16 random states ask`);
  assert.ok(num_files >= 8);
});

test("what a step asks is a choice, and each wrong one has its why", () => {
  const names = attn("lessons").match(/^[a-z-]+(?= )/gm);
  let num_choices = 0;
  for (const name of names) {
    for (const step of attn("lessons", name).split(/\n(?=\d+\. )/)) {
      if (!/^ {3}Predict: /m.test(step)) continue;
      const [link] = /lesson=\S+&step=\d+/.exec(step) ?? [];
      if (!link) continue;
      const questions = exported(link).moodle.filter(({ is_numeric }) => !is_numeric);
      assert.equal(questions.length, 1, link);
      num_choices += 1;
      const [{ answers, reason, asks }] = questions;
      assert.ok(answers.some(({ is_right }) => is_right) && answers.some(({ is_right }) => !is_right), link);
      for (const { feedback } of answers) assert.ok(feedback.length > 0, link);
      assert.match(reason, /^<p>.+<\/p>$/);
      assert.match(asks, /[.?!]$/);
    }
  }
  console.log(`${num_choices} predictions`);
  assert.ok(num_choices > 40);
});

test("hostile sentences stay texts in every format", () => {
  const kSigns = [
    "]]> <script>alert(1)</script> } ~ = # { : \\ \\n // ::x:: -> %50% &&058;",
    "a\n\n::b::{T}\n\nc",
    "x".repeat(300),
  ];
  for (const sentence of [...kSigns, ...kHostileSentences]) {
    const link = `text=${encodeURIComponent(sentence)}&heads=1&hide=weights[1,0,*],weights[1,1,*]`;
    const { moodle } = exported(link);
    assert.ok(moodle.length >= 1);
    for (const { stem, asks, reason, answers, name, section } of moodle) {
      const kTags = /<\/?(?:p|span|table|caption|thead|tbody|tr|td|th|strong|br)(?: (?:class|scope)="[a-z]+")*\/?>/g;
      for (const html of [stem, asks, reason, ...answers.map(({ feedback }) => feedback)])
        assert.doesNotMatch(html.replaceAll(kTags, ""), /[<>]|&(?!amp;|lt;|gt;|quot;|#39;)/, link);
      assert.ok(Buffer.byteLength(name) <= 200 && Buffer.byteLength(section) <= 200);
      assert.doesNotMatch(name + section, /[\n\r\0]/);
    }
  }
});

test("a class has a category for each name, and numbers of its own in it", () => {
  const kNames = [
    "Ada Lovelace",
    "n".repeat(300),
    `${"n".repeat(300)} the second`,
    "a / b // ] ]]> <b>x</b> {~=#:\\}",
    "محمد علي",
    "$CATEGORY: x",
    "=1+1",
  ];
  const list = join(folder, "names.txt");
  writeFileSync(list, kNames.join("\n"));
  const link = "text=The+cat+sat&hide=weights[2,2,*]";
  const of = (format) => attn_bytes("variants", link, "--names", list, "--questions", format);
  const { moodle } = same_questions(of("moodle"), of("gift"), of("qti"), "a class");
  const { variants } = JSON.parse(attn("variants", link, "--names", list, "--format", "json"));
  assert.equal(moodle.length, 3 * kNames.length);
  for (const [n, { name, seed, answers }] of variants.entries()) {
    const own = moodle.slice(3 * n, 3 * n + 3);
    for (const [m, question] of own.entries()) {
      const end = `, seed ${seed}`;
      assert.equal(question.section, name.length > 200 ? name.slice(0, 200 - end.length) + end : name + end);
      assert.ok(Math.abs(Number(question.answers[0].number) - answers[m]) < 1e-6);
    }
  }
  // Into a folder beside all that is printed.
  const out = join(folder, "class");
  attn("variants", link, "--names", list, "--questions", "qti", "--out", out);
  assert.deepEqual(readFileSync(join(out, "questions.zip")), of("qti"));
  readFileSync(join(out, "worksheets.html"));
});

test("what cannot be made is said in a sentence", () => {
  const refused = (...args) => {
    const { status, stderr, stdout } = spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { encoding: "utf8" });
    assert.deepEqual([status, stdout], [2, ""]);
    return stderr;
  };
  assert.match(refused("export", "gift", "text=a+b"), /Nothing is asked for here/);
  assert.match(refused("export", "moodle", "text=&check=weights"), /The sentence is empty/);
  const list = join(folder, "many.txt");
  writeFileSync(list, Array.from({ length: 500 }, (_, n) => `Student ${n}`).join("\n"));
  assert.match(
    refused("variants", "check=weights", "--names", list, "--questions", "moodle"),
    /The questions would be larger than 64 MiB: ask for fewer numbers, or for fewer students at once\./,
  );
  assert.match(
    refused("variants", "text=a", "--names", list, "--questions", "xml"),
    /--questions is moodle, gift or qti, not “?"?xml/,
  );
});

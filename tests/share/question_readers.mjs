// Readers of question files, as small as they can be: Moodle XML, GIFT (gift-pegjs does the work) and packages of QTI 2.1. Each
// returns the same list, and a judge: what the system would say to an answer, by the rules of its own documentation.
import assert from "node:assert/strict";
import { parse } from "gift-pegjs";

const kEntities = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const unescaped = (text) => text.replaceAll(/&(#?\w+);/g, (_, name) => kEntities[name] ?? assert.fail(`&${name};`));

/**
 * XML as elements { name, attributes, children, text }, text with entities and CDATA read. Well-formed already: xmllint says so.
 * @param {string} xml
 */
export function read_xml(xml) {
  const root = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const token =
    /<\?[^]*?\?>|<!\[CDATA\[([^]*?)\]\]>|<\/([\w:-]+)>|<([\w:-]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g;
  let end = 0;
  for (const { index, 0: whole, 1: cdata, 2: closes, 3: opens, 4: attributes, 5: slash, 6: text } of xml.matchAll(
    token,
  )) {
    assert.equal(index, end, `no XML of ours: ${xml.slice(end, end + 80)}`);
    end += whole.length;
    if (cdata !== undefined) open.at(-1).text += cdata;
    else if (closes) assert.equal(open.pop().name, closes);
    else if (opens) {
      const element = { name: opens, attributes: {}, children: [], text: "", begin: end };
      for (const [, key, value] of attributes.matchAll(/([\w:-]+)="([^"]*)"/g))
        element.attributes[key] = unescaped(value);
      open.at(-1).children.push(element);
      if (slash !== "/") open.push(element);
    } else if (text) open.at(-1).text += unescaped(text);
    if (closes) Object.assign(root, { last_end: index });
  }
  assert.equal(end, xml.length);
  return root.children[0];
}

export const all_of = (element, name) => element.children.filter((child) => child.name === name);
/** The one child of that name. */
export function one_of(element, name) {
  const found = all_of(element, name);
  assert.equal(found.length, 1, `${found.length} <${name}> in <${element.name}>`);
  return found[0];
}

/** What is inside of the first such element, as it is written. */
const inside = (xml, name) => new RegExp(`<${name}(?: [^>]*)?>([^]*?)</${name}>`).exec(xml)[1];

/** Spaces and what QTI 2.1 has no element for make no difference. */
const plain_html = (html) =>
  html
    .replaceAll(/<(\/?)bdi>/g, "<$1span>")
    .replaceAll(/\s+/g, " ")
    .trim();

const split_stem = (html) => {
  const [, before, asks] = /^([^]*?)<p><strong>([^]*)<\/strong><\/p>$/.exec(plain_html(html));
  const [, stem, picture] = /^([^]*?)(<p><img [^>]*><\/p>)?\s*$/.exec(before);
  return { stem: stem.trim(), asks, image: picture };
};

/** @param {string} xml */
export function read_moodle(xml) {
  const quiz = read_xml(xml);
  assert.equal(quiz.name, "quiz");
  const text_of = (element) => one_of(element, "text").text;
  const questions = [];
  let section = "";
  for (const element of quiz.children) {
    assert.equal(element.name, "question");
    const { type } = element.attributes;
    if (type === "category") {
      section = text_of(one_of(element, "category"))
        .replace("$course$/Attention Playground/", "")
        .replaceAll("//", "/");
      continue;
    }
    assert.match(type, /^(numerical|multichoice)$/);
    const is_numeric = type === "numerical";
    const asked = one_of(element, "questiontext");
    assert.equal(asked.attributes.format, "html");
    const { stem, asks, image } = split_stem(text_of(asked));
    const [file, ...others] = all_of(asked, "file");
    assert.deepEqual(others, []);
    assert.equal(file !== undefined, image !== undefined);
    if (file) {
      assert.deepEqual(file.attributes, { name: "picture.svg", path: "/", encoding: "base64" });
      assert.ok(image.includes('src="@@PLUGINFILE@@/picture.svg"'));
      assert.match(file.text, /^[A-Za-z0-9+/]+={0,2}$/);
    }
    for (const name of ["defaultgrade", "penalty", "hidden"]) assert.match(one_of(element, name).text, /^[\d.]+$/);
    const answers = all_of(element, "answer").map((answer) => {
      const feedback = one_of(answer, "feedback");
      assert.equal(feedback.attributes.format, "html");
      const common = { is_right: answer.attributes.fraction === "100", feedback: text_of(feedback) };
      assert.match(answer.attributes.fraction, /^(100|0)$/);
      if (!is_numeric) return { ...common, html: plain_html(text_of(answer)) };
      const number = text_of(answer);
      assert.match(number, /^(\*|-?\d+(\.\d+)?)$/);
      return { ...common, number, tolerance: one_of(answer, "tolerance").text };
    });
    if (is_numeric) {
      assert.equal(answers.at(-1).number, "*");
      for (const name of ["unitgradingtype", "unitpenalty", "showunits", "unitsleft"]) one_of(element, name);
    } else {
      assert.equal(one_of(element, "single").text, "true");
      assert.match(one_of(element, "shuffleanswers").text, /^(true|1)$/);
      assert.match(one_of(element, "answernumbering").text, /^(abc|ABCD|123|none)$/);
      for (const name of ["correctfeedback", "partiallycorrectfeedback", "incorrectfeedback"]) one_of(element, name);
    }
    questions.push({
      section,
      name: text_of(one_of(element, "name")),
      is_numeric,
      stem,
      asks,
      picture: file && Buffer.from(file.text, "base64").toString(),
      answers: is_numeric ? answers.slice(0, -1) : answers,
      other: is_numeric ? answers.at(-1).feedback : undefined,
      reason: plain_html(text_of(one_of(element, "generalfeedback"))),
      // Moodle takes the first answer within its tolerance; "*" is any number.
      judge: (number) =>
        answers.find((one) => one.number === "*" || Math.abs(Number(one.number) - number) <= Number(one.tolerance)),
    });
  }
  return questions;
}

/** @param {string} text */
export function read_gift(text) {
  const questions = [];
  let section = "";
  for (const one of parse(text)) {
    if (one.type === "Category") {
      section = one.title.replace("$course$/Attention Playground/", "").replaceAll("//", "/").replaceAll("\\\\", "\\");
      continue;
    }
    assert.match(one.type, /^(Numerical|MC)$/);
    assert.equal(one.stem.format, "html");
    assert.equal(one.hasEmbeddedAnswers, false);
    const is_numeric = one.type === "Numerical";
    const { stem, asks } = split_stem(one.stem.text);
    const answers = one.choices.map((choice) => {
      assert.equal(choice.feedback.format, "html");
      const feedback = choice.feedback.text;
      if (!is_numeric) return { is_right: choice.isCorrect, html: plain_html(choice.text.text), feedback };
      // A wrong number is a right one of 0 per cent.
      const { type, number, range } = choice.text;
      if (type !== "range") assert.ok(!choice.isCorrect && choice.text.text === "*");
      return { is_right: choice.isCorrect && choice.weight === 100, number, tolerance: range, feedback };
    });
    questions.push({
      section,
      name: one.title,
      is_numeric,
      stem,
      asks,
      answers: is_numeric ? answers.slice(0, -1) : answers,
      other: is_numeric ? answers.at(-1).feedback : undefined,
      reason: plain_html(one.globalFeedback.text),
      judge: (value) =>
        answers.find(({ number, tolerance }) => number === undefined || Math.abs(number - value) <= tolerance),
    });
  }
  return questions;
}

/** The files of an archive whose entries are stored as they are, by their names. @param {Buffer} bytes */
export function read_stored_zip(bytes) {
  const files = new Map();
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50;) {
    assert.equal(bytes.readUInt16LE(at + 8), 0, "stored");
    assert.equal(bytes.readUInt16LE(at + 6) & 8, 0, "the size stands before the bytes");
    const size = bytes.readUInt32LE(at + 18);
    const name_size = bytes.readUInt16LE(at + 26);
    const begin = at + 30 + name_size + bytes.readUInt16LE(at + 28);
    files.set(bytes.toString("utf8", at + 30, at + 30 + name_size), bytes.toString("utf8", begin, begin + size));
    at = begin + size;
  }
  return files;
}

/** Runs the rules of an item: { SCORE, FEEDBACK } of a response. */
function process_response(item, response) {
  const correct = one_of(one_of(one_of(item, "responseDeclaration"), "correctResponse"), "value").text;
  const value_of = (element) => {
    if (element.name === "variable") return response;
    return element.name === "correct" ? correct : (assert.equal(element.name, "baseValue"), element.text);
  };
  const holds = (expression) => {
    const [a, b] = expression.children;
    if (expression.name === "isNull") return response === undefined;
    if (expression.name === "match") return value_of(a) === value_of(b);
    assert.equal(expression.name, "equal");
    assert.equal(expression.attributes.toleranceMode, "absolute");
    const [below, above] = expression.attributes.tolerance.split(" ").map(Number);
    const [x, y] = [Number(value_of(a)), Number(value_of(b))];
    return x >= y - below && x <= y + above;
  };
  const outcomes = { SCORE: "0" };
  const condition = one_of(one_of(item, "responseProcessing"), "responseCondition");
  assert.deepEqual(
    [condition.children[0].name, condition.children.at(-1).name.slice(0, 12)],
    ["responseIf", "responseElse"],
  );
  for (const { name, children } of condition.children) {
    const rules = name === "responseElse" ? children : holds(children[0]) ? children.slice(1) : null;
    if (!rules) continue;
    for (const rule of rules) {
      assert.equal(rule.name, "setOutcomeValue");
      outcomes[rule.attributes.identifier] = one_of(rule, "baseValue").text;
    }
    break;
  }
  return outcomes;
}

/** @param {Buffer} bytes */
export function read_qti(bytes) {
  const files = read_stored_zip(bytes);
  const manifest = read_xml(files.get("imsmanifest.xml"));
  assert.equal(manifest.attributes.xmlns, "http://www.imsglobal.org/xsd/imscp_v1p1");
  assert.deepEqual(
    manifest.children.map(({ name }) => name),
    ["metadata", "organizations", "resources"],
  );
  assert.equal(one_of(one_of(manifest, "metadata"), "schema").text, "QTIv2.1 Package");
  const resources = all_of(one_of(manifest, "resources"), "resource");
  const named = resources.flatMap((resource) => all_of(resource, "file").map((file) => file.attributes.href));
  assert.deepEqual([...new Set(["imsmanifest.xml", ...named])].sort(), [...files.keys()].sort());
  assert.equal(resources[0].attributes.type, "imsqti_test_xmlv2p1");
  const items = resources.slice(1);
  for (const { attributes } of items) assert.equal(attributes.type, "imsqti_item_xmlv2p1");
  assert.deepEqual(
    all_of(resources[0], "dependency").map(({ attributes }) => attributes.identifierref),
    items.map(({ attributes }) => attributes.identifier),
  );
  const test = read_xml(files.get(resources[0].attributes.href));
  assert.equal(test.name, "assessmentTest");
  const questions = [];
  for (const section of all_of(one_of(test, "testPart"), "assessmentSection")) {
    assert.equal(section.attributes.visible, "true");
    for (const { attributes } of all_of(section, "assessmentItemRef"))
      questions.push(read_item(files, attributes, section.attributes.title));
  }
  assert.equal(questions.length, items.length);
  return questions;
}

function read_item(files, { identifier, href }, section) {
  const xml = files.get(href);
  const item = read_xml(xml);
  const { xmlns, title, adaptive, timeDependent } = item.attributes;
  assert.deepEqual(
    { name: item.name, xmlns, own: item.attributes.identifier, adaptive, timeDependent },
    {
      name: "assessmentItem",
      xmlns: "http://www.imsglobal.org/xsd/imsqti_v2p1",
      own: identifier,
      adaptive: "false",
      timeDependent: "false",
    },
  );
  // In the order in which the schema has them.
  const kOrder = ["responseDeclaration", "outcomeDeclaration", "itemBody", "responseProcessing", "modalFeedback"];
  const places = item.children.map(({ name }) => kOrder.indexOf(name));
  assert.deepEqual(places, [...places].sort());
  const is_numeric = one_of(item, "responseDeclaration").attributes.baseType === "float";
  const feedback = new Map();
  for (const [, name, html] of xml.matchAll(
    /<modalFeedback outcomeIdentifier="FEEDBACK" identifier="([\w-]+)" showHide="show">([^]*?)<\/modalFeedback>/g,
  ))
    feedback.set(name, plain_html(html).split(/(?<=<\/p>)(?=<p>)/));
  const body = inside(xml, "itemBody");
  const said = (name) => feedback.get(name)[0].replace(/^<p>([^]*)<\/p>$/, "$1");
  const judge = (response) => {
    const { SCORE, FEEDBACK } = process_response(item, response === undefined ? undefined : String(response));
    return { is_right: SCORE === "1", feedback: FEEDBACK && said(FEEDBACK) };
  };
  const interaction = is_numeric
    ? /<p>([^]*)<\/p>\s*<p><textEntryInteraction responseIdentifier="RESPONSE" expectedLength="12"\/><\/p>\s*$/
    : /<choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="1">([^]*)<\/choiceInteraction>\s*$/;
  const at = is_numeric
    ? body.lastIndexOf("<p>", body.lastIndexOf("<textEntryInteraction") - 4)
    : body.indexOf("<choiceInteraction");
  const [, inner] = interaction.exec(body.slice(at));
  const [, stem, image] = /^([^]*?)(<p><img src="[\w.-]+" alt="[^"]*"\/><\/p>)?\s*$/.exec(
    plain_html(body.slice(0, at)),
  );
  const choices = [...inner.matchAll(/<simpleChoice identifier="([\w-]+)">([^]*?)<\/simpleChoice>/g)];
  const condition = one_of(one_of(item, "responseProcessing"), "responseCondition");
  const tests = condition.children.slice(1, -1).map(({ children: [test] }) => test);
  const correct = one_of(one_of(one_of(item, "responseDeclaration"), "correctResponse"), "value").text;
  const answers = is_numeric
    ? tests.map((test) => {
        const [, other] = test.children;
        const number = other.name === "correct" ? correct : other.text;
        return { ...judge(number), number, tolerance: test.attributes.tolerance.split(" ")[0] };
      })
    : choices.map(([, name, html]) => ({ ...judge(name), html: plain_html(html) }));
  return {
    section,
    name: title,
    is_numeric,
    stem: stem.trim(),
    asks: is_numeric ? plain_html(inner) : plain_html(inside(inner, "prompt")),
    picture: image && files.get(/src="([^"]*)"/.exec(image)[1]),
    answers,
    other: is_numeric ? said("other") : undefined,
    reason: feedback.get(is_numeric ? "right" : choices[0][1])[1],
    judge,
    says_nothing: judge(undefined),
  };
}

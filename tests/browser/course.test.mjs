// Packages for course systems as students meet them: in a course system with npm's scorm-again as its run-time, with run-times that fail,
// without any, in a window that one opened, and with a record store for xAPI.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { pack } from "../../web/course/keep.js";
import { seed_of_name } from "../../web/name_seed.js";
import { course_of, kMostPackage, make_package } from "../../web/course_package.js";
import { dist_file, eventually } from "./browser.mjs";
import {
  course_system,
  elements_of,
  kTask,
  own_system,
  parts_of,
  read_of,
  start_course,
  start_store,
} from "./course_world.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
// What Chromium says by itself: about contexts that are given back on purpose, and about a document that is not there yet.
const kNoTrouble = /CONTEXT_LOST_WEBGL|favicon|404 .*activities\/state/;

let world;
before(async () => (world = await start_course()));
after(() => world?.close());

const troubles_of = (page) => page.troubles.filter((text) => !kNoTrouble.test(text)).join("\n");

async function close(page) {
  assert.equal(troubles_of(page), "");
  await page.context().close();
}

test("a package has at most 2.5 MB, from the page and from a built site", async () => {
  for (const site of [process.env.ATTN_PAGE, dist_file("site")]) {
    const course = course_of("xapi", "A title of a common length", "lesson=causal&step=1", kTask.asked);
    const { length } = await make_package(course, read_of(site));
    assert.ok(length <= kMostPackage && length > 2e6, `${length} bytes`);
  }
});

const kKinds = [
  {
    kind: "scorm12",
    status: ({ core }) => [core.lesson_status, core.score.raw],
    open: ["incomplete", "0"],
    half: ["incomplete", "50"],
    done: ["completed", "100"],
    interactions: ({ interactions }) =>
      Object.values(interactions).map((one) => [one.id, one.type, one.student_response, one.result]),
    wrong: "wrong",
    left: ({ core }) => core.session_time,
    time: /^\d+:0\d:\d\d$/,
  },
  {
    kind: "scorm2004",
    status: (cmi) => [cmi.completion_status, cmi.success_status, cmi.score.scaled, cmi.score.raw, cmi.score.max],
    open: ["incomplete", "unknown", "0", "0", "2"],
    half: ["incomplete", "unknown", "0.5", "1", "2"],
    done: ["completed", "passed", "1", "2", "2"],
    interactions: ({ interactions }) =>
      Object.values(interactions).map((one) => [one.id, one.type, one.learner_response, one.result]),
    wrong: "incorrect",
    left: ({ session_time }) => session_time,
    time: /^PT0H\d+M\d+S$/,
  },
];
const kFirst = "causal-8-weights-1-1-0";
const kSecond = "causal-8-weights-1-1-1";

for (const { kind, status, open, half, done, interactions, wrong, left, time } of kKinds) {
  test(`${kind}: score, status and each answer arrive, and the next visit goes on`, async () => {
    const page = await world.open(course_system(kind));
    const course = parts_of(page);
    await course.ready();
    await course.says("The course system has your answers.");
    assert.equal(await course.outer.getByRole("heading").textContent(), kTask.title);
    await course.has_progress("0 of 2 answered, 0 right.");
    assert.deepEqual(status(await elements_of(page, kind)), open);
    await course.show_text();
    await course.answer("0.11");
    await eventually("a wrong answer", async () => interactions(await elements_of(page, kind)).length === 1);
    assert.deepEqual(interactions(await elements_of(page, kind)), [[kFirst, "numeric", "0.11", wrong]]);
    await course.answer("0.4833");
    await course.has_progress("1 of 2 answered, 1 right.");
    await eventually("half of it", async () => status(await elements_of(page, kind)).join() === half.join());
    assert.deepEqual(interactions(await elements_of(page, kind)), [[kFirst, "numeric", "0.4833", "correct"]]);
    assert.ok((await page.evaluate(() => globalThis.committed)) >= 3, "each answer is committed");

    await page.evaluate(() => document.querySelector("iframe").remove());
    const before = await elements_of(page, kind);
    assert.match(left(before), time);
    await close(page);

    const again = await world.open(course_system(kind, { suspend_data: before.suspend_data }));
    const next = parts_of(again);
    await next.ready();
    await next.has_progress("1 of 2 answered, 1 right.");
    await next.show_text();
    await next.inside.getByText("Score: 1 of 1 right").first().waitFor();
    await next.answer("0.5167");
    await next.has_progress("All answered: 2 of 2 right.");
    await eventually("all of it", async () => status(await elements_of(again, kind)).join() === done.join());
    assert.deepEqual(
      interactions(await elements_of(again, kind)),
      [[kSecond, "numeric", "0.5167", "correct"]],
      "what was reported before is not reported again",
    );
    await close(again);
  });
}

test("a prediction is settled by its first choice, and completed is not passed", async () => {
  const prediction = {
    title: "Causal",
    link: "lesson=causal&step=4",
    asked: [{ lesson: "causal", step: 4, count: 1 }],
  };
  const other = await start_course(prediction);
  try {
    const page = await other.open(course_system("scorm2004"));
    const course = parts_of(page);
    await course.ready();
    await course.show_text();
    await course.inside.getByRole("button", { name: "by nothing: they are right" }).press("Enter");
    await course.has_progress("All answered: 0 of 1 right.");
    const { interactions, status } = kKinds[1];
    await eventually("it arrives", async () => interactions(await elements_of(page, "scorm2004")).length === 1);
    const elements = await elements_of(page, "scorm2004");
    assert.deepEqual(interactions(elements), [
      ["causal-4-prediction", "other", "by nothing: they are right", "incorrect"],
    ]);
    assert.deepEqual(status(elements), ["completed", "unknown", "0", "0", "1"]);
    await close(page);
  } finally {
    await other.close();
  }
});

test("where nothing is kept for the next visit, it takes neither score nor status away", async () => {
  const page = await world.open(
    course_system("scorm12", { core: { lesson_status: "completed", score: { raw: "75" } } }),
  );
  const course = parts_of(page);
  await course.ready();
  await course.says("The course system has your answers.");
  const status = async () => {
    const { core } = await elements_of(page, "scorm12");
    return [core.lesson_status, core.score.raw];
  };
  assert.deepEqual(await status(), ["completed", "75"]);
  await course.show_text();
  await course.answer("0.4833");
  await course.has_progress("1 of 2 answered, 1 right.");
  assert.deepEqual(await status(), ["completed", "75"]);
  await course.answer("0.5167");
  await eventually("more than before", async () => (await status()).join() === "completed,100");
  await close(page);
});

test("in a window that the course system opened, by the keyboard alone", async () => {
  const page = await world.open(`<script src="scorm12.min.js"></script>
    <script>API = new Scorm12API({ autocommit: false, logLevel: 5 });</script>
    <button onclick="window.open('scorm12/course.html')">Open</button>`);
  const opened = page.waitForEvent("popup");
  await page.getByRole("button").press("Enter");
  const window = await opened;
  const course = parts_of(window, false);
  await course.ready();
  await course.says("The course system has your answers.");
  // What has the focus: a part of the playground's page, or what it is called.
  const focused = () =>
    course.inside
      .locator(":focus")
      .evaluate((one) => one.dataset.part ?? one.labels?.[0]?.textContent ?? one.textContent, null, { timeout: 1000 })
      .catch(() => "");
  const tab_to = async (name) => {
    for (let i = 0; i < 60 && !name.test(await focused()); ++i) await window.keyboard.press("Tab");
    assert.match(await focused(), name);
  };
  await tab_to(/^show-text$/);
  await window.keyboard.press("Enter");
  await course.inside.locator("[data-part=plain]:not([hidden])").waitFor();
  await tab_to(/^Your answer: /);
  await window.keyboard.type("0.4833");
  await tab_to(/^Check the answer$/);
  await window.keyboard.press("Enter");
  await course.has_progress("1 of 2 answered, 1 right.");
  await eventually("it arrives", async () => (await elements_of(page, "scorm12")).core.score.raw === "50");
  await window.close();
  await eventually("the session ends", async () => (await elements_of(page, "scorm12")).core.session_time !== "");
  await close(page);
});

const kBroken = [
  {
    name: "throws",
    script: `API = new Proxy({}, { get: () => () => { throw new Error("<b>no</b> session"); } })`,
    says: "it failed at LMSInitialize (<b>no</b> session). You can work with the playground",
  },
  {
    name: "has half of its functions",
    script: `API = { LMSInitialize: () => "true", LMSGetValue: () => "" }`,
    says: "it failed at LMSSetValue",
  },
  {
    name: "says false",
    script: `API = { LMSInitialize: () => "false", LMSGetLastError: () => "101", LMSGetErrorString: () => "General exception" }`,
    says: "it refused LMSInitialize (General exception, 101)",
  },
  {
    name: "answers with nothing, as one that waits for its server",
    script: `API = new Proxy({}, { get: () => () => new Promise(() => {}) })`,
    says: "it did not answer LMSInitialize with “true”",
  },
];

for (const { name, script, says } of kBroken) {
  test(`a run-time that ${name} gets a sentence, and the playground works all the same`, async () => {
    const page = await world.open(own_system("scorm12", script));
    const course = parts_of(page);
    await course.says(says);
    await course.ready();
    await course.show_text();
    await course.answer("0.4833");
    await course.has_progress("1 of 2 answered, 1 right.");
    await course.says("it is tried again with your next answer");
    await close(page);
  });
}

test("what a run-time did not take is told again with the next answer, at a press, and at the end", async () => {
  const script = `
    values = {}; takes = true;
    API = {
      LMSInitialize: () => "true", LMSGetValue: () => "", LMSFinish: () => "true", LMSGetLastError: () => "391",
      LMSGetErrorString: () => "The server is full.", LMSCommit: () => String(takes),
      LMSSetValue: (name, value) => { if (takes) values[name] = value; return String(takes); },
    };`;
  const page = await world.open(own_system("scorm12", script));
  const takes = (does) => page.evaluate((does) => (globalThis.takes = does), does);
  const score = () => page.evaluate(() => globalThis.values["cmi.core.score.raw"]);
  const course = parts_of(page);
  await course.ready();
  await course.says("The course system has your answers.");
  await course.show_text();
  await takes(false);
  await course.answer("0.4833");
  await course.says("it refused cmi.core.score.min (The server is full, 391)");
  assert.equal(await score(), "0");
  await takes(true);
  await course.outer.getByRole("button", { name: "Report again" }).press("Enter");
  await course.says("The course system has your answers.");
  assert.equal(await score(), "50");
  await course.outer.getByRole("button", { name: "Report again" }).waitFor({ state: "hidden" });
  assert.equal(
    await page.evaluate(() => globalThis.values["cmi.core.exit"]),
    "suspend",
    "kept if the end is not heard",
  );
  await takes(false);
  await course.answer("0.5167");
  await course.says("Nothing is lost");
  await takes(true);
  await page.evaluate(() => document.querySelector("iframe").remove());
  assert.equal(await score(), "100", "at the end");
  assert.equal(await page.evaluate(() => globalThis.values["cmi.interactions.1.result"]), "correct");
  await close(page);
});

test("a run-time without single answers, as SCORM 1.2 allows, gets the rest", async () => {
  const script = `
    values = {};
    API = {
      LMSInitialize: () => "true", LMSGetValue: () => "", LMSFinish: () => "true", LMSCommit: () => "true",
      LMSGetLastError: () => last, LMSGetErrorString: () => "Not implemented", last: "0",
      LMSSetValue: (name, value) => {
        last = /interactions|suspend|score.m/.test(name) ? "401" : "0";
        if (last === "0") values[name] = value;
        return String(last === "0");
      },
    }; last = "0";`;
  const page = await world.open(own_system("scorm12", script));
  const course = parts_of(page);
  await course.ready();
  await course.show_text();
  await course.answer("0.4833");
  await course.says("The course system has your answers.");
  await eventually("the score", () => page.evaluate(() => globalThis.values["cmi.core.score.raw"] === "50"));
  await close(page);
});

test("a course system that comes late is found, and what it kept is not written over", async () => {
  const kept = await kept_of_half();
  const page = await world.open(own_system("scorm12", ""));
  const course = parts_of(page);
  await course.says("no SCORM run-time was found around this page");
  await course.ready();
  await page.evaluate((kept) => {
    globalThis.values = { "cmi.suspend_data": kept };
    const yes = () => "true";
    globalThis.API = {
      ...{ LMSInitialize: yes, LMSFinish: yes, LMSCommit: yes },
      LMSGetValue: (name) => globalThis.values[name] ?? "",
      LMSSetValue: (name, value) => ((globalThis.values[name] = value), "true"),
    };
  }, kept);
  await course.outer.getByRole("button", { name: "Report again" }).click();
  await course.says("The course system has your answers.");
  await course.has_progress("1 of 2 answered, 1 right.");
  assert.equal(await page.evaluate(() => globalThis.values["cmi.core.score.raw"]), "50");
  await close(page);
});

/** What a visit leaves in which the first of two questions was answered. */
async function kept_of_half() {
  const page = await world.open(course_system("scorm12"));
  const course = parts_of(page);
  await course.ready();
  await course.show_text();
  await course.answer("0.4833");
  await course.has_progress("1 of 2 answered, 1 right.");
  await course.says("The course system has your answers.");
  await eventually("it is kept", async () => (await elements_of(page, "scorm12")).core.score.raw === "50");
  const { suspend_data } = await elements_of(page, "scorm12");
  await close(page);
  return suspend_data;
}

/** Packed as a visit, and none. */
async function odd_visit() {
  const { id } = course_of("scorm12", kTask.title, kTask.link, kTask.asked);
  const last = { lesson: "causal", step: 8, question: "weights[1,1,0]", asked: "", typed: "", tries: 1, right_at: "1" };
  return pack(/** @type {any} */ ({ id, link: "heads=1", answers: [{ ...last, last: 0 }] }), 4096);
}

test("a text that somebody else has left is no visit", async () => {
  for (const suspend_data of ["", "page=3", "attn1:!!", `attn1:${btoa("no deflated bytes")}`, await odd_visit()]) {
    const page = await world.open(course_system("scorm12", { suspend_data }));
    const course = parts_of(page);
    await course.ready();
    await course.says("The course system has your answers.");
    await course.has_progress("0 of 2 answered, 0 right.");
    await close(page);
  }
});

test("without a course system it says so and works, also opened from disk", async () => {
  const from_server = await world.open(null, { path: "scorm2004/course.html" });
  const context = from_server.context();
  const from_disk = await context.newPage();
  from_disk.troubles = [];
  from_disk.on("console", (message) => from_disk.troubles.push(message.text()));
  await from_disk.goto(pathToFileURL(join(world.folder, "scorm2004/course.html")).href);
  for (const page of [from_server, from_disk]) {
    const course = parts_of(page, false);
    await course.says("no SCORM run-time was found around this page. You can work with the playground");
    await course.ready();
    await course.show_text();
    await course.answer("0.4833");
    await course.has_progress("1 of 2 answered, 1 right.");
    assert.equal(troubles_of(page), "");
  }
  await context.close();
});

test("the outer page has no flaw that axe finds, light and dark, wide and narrow", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ]) {
      const page = await world.open(null, { path: "scorm12/course.html", colorScheme, viewport: { width, height } });
      await parts_of(page, false).says("no SCORM run-time");
      await page.evaluate(() => (document.querySelector("[data-part=again]").hidden = false));
      const { violations } = await page.evaluate(`${axe}; axe.run("header")`);
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
        [],
      );
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await page.context().close();
    }
  }
});

// --- xAPI ---

const kActor = { name: "Ada <b>&\"'", mbox: "mailto:ada@example.org" };
const launch_link = (store, more = {}) =>
  `?${new URLSearchParams({
    ...{ endpoint: store.endpoint, auth: store.has_auth, actor: JSON.stringify(kActor) },
    ...{ activity_id: "https://course.example/causal", registration: "0b1d5f7e-6f1f-4f0e-9d0b-2f3c3a4b5c6d", ...more },
  })}`;
const verbs = ({ statements }) => statements.map(({ verb }) => verb.id.split("/").at(-1));

async function with_store(work) {
  const store = await start_store();
  try {
    await work(store);
    assert.deepEqual(store.wrong, []);
  } finally {
    await store.close();
  }
}
const open_xapi = (search) => world.open(null, { path: "xapi/course.html", search });

test("xAPI: nothing is sent before the press, then each answer, the score, and what the next visit needs", () =>
  with_store(async (store) => {
    const page = await open_xapi(launch_link(store));
    const course = parts_of(page, false);
    await course.ready();
    await course.says("Nothing is sent before you press the button.");
    await course.show_text();
    await course.answer("0.11");
    await course.answer("0.4833");
    await course.has_progress("1 of 2 answered, 1 right.");
    assert.equal(store.requests, 0);
    await page.getByRole("button", { name: `Report my answers to ${store.host}` }).press("Enter");
    await course.says("The course system has your answers.");
    assert.deepEqual(verbs(store), ["initialized", "answered"]);
    const [, answered] = store.statements;
    assert.deepEqual(answered.actor, { objectType: "Agent", ...kActor });
    assert.deepEqual(answered.result, { success: true, response: "0.4833" });
    assert.equal(answered.object.id, `https://course.example/causal/${kFirst}`);
    assert.equal(answered.context.registration, "0b1d5f7e-6f1f-4f0e-9d0b-2f3c3a4b5c6d");
    assert.equal(answered.context.contextActivities.parent[0].id, "https://course.example/causal");
    await close(page);

    const again = await open_xapi(launch_link(store));
    const next = parts_of(again, false);
    await next.ready();
    await again.getByRole("button", { name: /^Report my answers to / }).click();
    await next.has_progress("1 of 2 answered, 1 right.");
    await next.show_text();
    await next.answer("0.5167");
    await next.has_progress("All answered: 2 of 2 right.");
    await eventually("it is completed", () => verbs(store).includes("completed"));
    assert.deepEqual(
      verbs(store).filter((verb) => verb !== "terminated"),
      [...["initialized", "answered", "initialized", "answered", "completed"]],
    );
    const { result } = store.statements.find(({ verb }) => verb.id.endsWith("completed"));
    assert.deepEqual(result, { completion: true, score: { scaled: 1, raw: 2, min: 0, max: 2 } });
    await again.goto("about:blank");
    await eventually("the end is told", () => verbs(store).at(-1) === "terminated");
    await close(again);
  }));

test("xAPI: a store that refuses or never answers gets a sentence, and hears everything once later", () =>
  with_store(async (store) => {
    const page = await open_xapi(launch_link(store));
    const course = parts_of(page, false);
    await course.ready();
    await course.show_text();
    store.status = 403;
    await page.getByRole("button", { name: /^Report my answers to / }).click();
    await course.says(`${store.host} refuses the credentials of the launch link (403)`);
    store.status = 500;
    await course.answer("0.4833");
    await course.says(`${store.host} refuses it (500)`);
    store.status = 0;
    store.is_silent = true;
    await page.evaluate(() => {
      const wait = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = () => wait(300); // for the page's 20 seconds
    });
    await page.getByRole("button", { name: "Report again" }).click();
    await course.says(`${store.host} did not answer within 20 seconds`);
    store.is_silent = false;
    await page.getByRole("button", { name: "Report again" }).click();
    await course.says("The course system has your answers.");
    assert.deepEqual(verbs(store), ["initialized", "answered"]);
    await page.context().close(); // the browser itself logs what was refused
  }));

test("xAPI: launch links to nowhere, to http, with passwords, without a name: a sentence and no button", async () => {
  await with_store(async (store) => {
    for (const [search, sentence] of [
      ["", "it names no record store"],
      [launch_link(store, { endpoint: "http://store.example/" }), "no https address"],
      [launch_link(store, { endpoint: "javascript:alert(1)" }), "no https address"],
      [launch_link(store, { endpoint: "https://ada:secret@store.example/" }), "has a password"],
      [launch_link(store, { actor: "Ada" }), "does not say who you are"],
      [launch_link(store, { auth: "Basic\u0001" }), "credentials in the launch link cannot be sent"],
    ]) {
      const page = await open_xapi(search);
      await parts_of(page, false).says(sentence);
      assert.equal(await page.getByRole("button").count(), 0, sentence);
      await close(page);
    }
    assert.equal(store.requests, 0);
  });
});

// --- numbers of one's own ---

/** The seed of the link that the playground shows. */
const seed_in = (page, is_framed) =>
  (is_framed ? page.frames()[1] : page.mainFrame()).evaluate(async () => {
    const link = await document.querySelector("attention-playground").getState();
    return Number(new URLSearchParams(link).get("seed"));
  });

test("each student has numbers of their own, from the name that the course system or the launch link says", async () => {
  const seeds = { base: 5, keys: ["seed"] };
  const own = await start_course({ ...kTask, link: "text=a+b&seed=5&check=weights", asked: [], seeds });
  try {
    const names = {
      scorm12: { core: { student_name: "Lovelace, Ada", student_id: "7" } },
      scorm2004: { learner_name: "Lovelace, Ada", learner_id: "7" },
    };
    for (const [kind, before] of Object.entries(names)) {
      const page = await own.open(course_system(kind, before));
      const course = parts_of(page);
      await course.ready();
      await course.has_progress("The numbers are those of “Ada Lovelace”.");
      assert.equal(await seed_in(page, true), seed_of_name("Ada Lovelace", 5), kind);
      await close(page);
    }
    const nobody = await own.open(course_system("scorm12", { core: { student_name: "", student_id: "" } }));
    await parts_of(nobody).ready();
    await parts_of(nobody).has_progress("Everybody has these numbers.");
    assert.equal(await seed_in(nobody, true), 5);
    await close(nobody);
    await with_store(async (store) => {
      const actor = JSON.stringify({ name: "Grace Hopper", mbox: "mailto:grace@example.org" });
      const page = await own.open(null, { path: "xapi/course.html", search: launch_link(store, { actor }) });
      const course = parts_of(page, false);
      await course.ready();
      await course.has_progress("The numbers are those of “Grace Hopper”.");
      assert.equal(await seed_in(page, false), seed_of_name("Grace Hopper", 5));
      assert.equal(store.requests, 0, "nothing is asked for that");
      await close(page);
      const odd = JSON.stringify({ name: { first: "Grace" }, mbox: 7, account: { name: [] } });
      const strange = await own.open(null, { path: "xapi/course.html", search: launch_link(store, { actor: odd }) });
      await parts_of(strange, false).has_progress("Everybody has these numbers.");
      await parts_of(strange, false).ready();
      await close(strange);
    });
  } finally {
    await own.close();
  }
});

test("a course system that comes late brings its student's numbers, unless something was answered", async () => {
  const seeds = { base: 5, keys: ["seed"] };
  const own = await start_course({ ...kTask, link: "text=a+b&seed=5&check=weights", asked: [], seeds });
  try {
    const page = await own.open(own_system("scorm12", ""));
    const course = parts_of(page);
    await course.says("no SCORM run-time was found around this page");
    await course.ready();
    assert.equal(await seed_in(page, true), 5);
    await page.evaluate(() => {
      const yes = () => "true";
      globalThis.API = { LMSInitialize: yes, LMSFinish: yes, LMSCommit: yes, LMSSetValue: yes };
      globalThis.API.LMSGetValue = (name) => (name === "cmi.core.student_name" ? "Lovelace, Ada" : "");
    });
    await course.outer.getByRole("button", { name: "Report again" }).click();
    await course.has_progress("The numbers are those of “Ada Lovelace”.");
    await eventually("her numbers", async () => (await seed_in(page, true)) === seed_of_name("Ada Lovelace", 5));
    await close(page);
  } finally {
    await own.close();
  }
});

// A package for course systems: the playground's own files, as this site has them, in a ZIP archive with a page around it that speaks to
// the course system (web/course). Fetches nothing but files of this site.
import { seed_of_name } from "./name_seed.js";
import { kStart, manifest_name, manifest_of } from "./course_manifest.js";
import { crc32 } from "./hand_in.js";
import { values_of } from "./links.js";
import { zip_of } from "./zip_archive.js";

/** @import { Course, CourseKind, Engine } from "./types" */
/** @import { ArchiveFile } from "./zip_archive.js" */

export const kMostPackage = 2_500_000; // bytes
const kModelsInside = ["", "first-words"]; // sandbox.js has that one inside, and no other
const kMostTitle = 200; // letters
const kSeeds = ["seed", "embed_seed", "dropout_seed"];
const kSomebody = "Somebody";
const kWithPage = ["course.js", "course.css", "sandbox.js", "icon.svg", "fonts/LICENSE.txt"];
// A record store may be anywhere; the visitor's press names its host.
const kStores = "connect-src https: http://localhost:* http://127.0.0.1:*; ";

/**
 * What a link asks, step by step: of its lesson, of its step, or of the state.
 * @param {Engine} engine has the model open that the link wants
 * @param {string} link
 * @param {boolean} is_whole all steps of the lesson
 * @returns {Promise<Course["asked"]>} throws a sentence where the package could not ask it
 */
export async function asked_by(engine, link, is_whole) {
  const { lesson } = engine.mirror(link);
  const asked = [];
  const first = lesson === null ? 0 : is_whole ? 1 : lesson.step;
  const last = lesson === null ? 0 : is_whole ? lesson.count : lesson.step;
  for (let step = first; step <= last; ++step) {
    // Going on, the playground adds the step's own blanks to what the author leaves out.
    const here =
      lesson === null || step === lesson.step ? link : `lesson=${encodeURIComponent(lesson.name)}&step=${step}`;
    const count = await questions_of(engine, here);
    if (count > 0) asked.push({ lesson: lesson?.in_answers ?? "", step, count });
  }
  engine.forget();
  return asked;
}

/** @param {Engine} engine @param {string} link */
async function questions_of(engine, link) {
  while (!engine.prepare(link)) await new Promise((resolve) => setTimeout(resolve));
  const { check, lesson, values } = engine.visit(link);
  const model = values.model?.[0] ?? "";
  if (!kModelsInside.includes(model))
    throw new Error(`A package has no room for the model ${model}, which this reads with: hand out the link.`);
  // A cache's questions come one after the other, as "Question 1 of 5: …".
  const counted = Number(/^Question \d+ of (\d+):/.exec(check?.title ?? "")?.[1] ?? 0);
  return (check?.questions.length || counted) + (lesson?.asks?.question ? 1 : 0);
}

/**
 * The keys of a link that a student's name decides, with the link's own seed. Null: nobody can have other numbers.
 * @param {Engine} engine has the model open that the link wants
 * @param {string} link
 * @returns {Promise<Course["seeds"] | null>}
 */
export async function seeds_of(engine, link) {
  const made = JSON.parse(new TextDecoder().decode(await engine.variants(link, kSomebody, "json", "a4", "")));
  const [{ seed, link: own }] = made.variants;
  const keys = kSeeds.filter((key) => values_of(own, key).includes(String(seed)));
  if (keys.length === 0) return null;
  const base = Number(engine.mirror(link).values.seed?.[0]);
  // The package computes seeds by itself; a teacher's key must have the same.
  if (seed_of_name(kSomebody, base) !== seed) throw new Error("This page could not tell the numbers of each student.");
  return { base, keys };
}

/**
 * @param {CourseKind} kind
 * @param {string} title
 * @param {string} link
 * @param {Course["asked"]} asked
 * @param {Course["seeds"]} [seeds] each student has numbers of their own
 * @returns {Course}
 */
export function course_of(kind, title, link, asked, seeds) {
  const line = title.replace(/\p{Cs}/gu, "\ufffd").replace(/\s+/g, " ");
  const short = [...line.trim()].slice(0, kMostTitle).join("");
  const own = crc32(new TextEncoder().encode(JSON.stringify([short, link, asked, ...(seeds ? [seeds] : [])])));
  const id = `urn:attention-playground:${own.toString(16).padStart(8, "0")}`;
  return { kind, id, title: short || "Attention Playground", link, asked, ...(seeds && { seeds }) };
}

/**
 * The archive's bytes, the same for the same course and site. Rejects with a sentence.
 * @param {Course} course
 * @param {(name: string) => Promise<Uint8Array<ArrayBuffer>>} read a file of this site
 */
export async function make_package(course, read) {
  const index = without_site_rules(text_of(await read("index.html")));
  const names = [...new Set([...kWithPage, ...named_by(index)])];
  /** @type {ArchiveFile[]} */
  const files = [
    { name: kStart, bytes: bytes_of(outer_page(text_of(await read(kStart)), course)) },
    { name: "index.html", bytes: bytes_of(index) },
    ...(await Promise.all(names.map(async (name) => ({ name, bytes: await read(name) })))),
  ];
  const manifest = manifest_of(
    course,
    files.map(({ name }) => name),
  );
  const zip = await zip_of([...files, { name: manifest_name(course.kind), bytes: bytes_of(manifest) }]);
  if (zip.length > kMostPackage)
    throw new Error(`The package would have ${(zip.length / 1e6).toFixed(1)} MB, and 2.5 MB is the most.`);
  return zip;
}

/** Of the folder of this page. Rejects with a sentence. @param {string} name @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function read_of_site(name) {
  const response = await fetch(new URL(name, document.baseURI)).catch(() => null);
  if (!response?.ok)
    throw new Error(
      `This site did not send ${name}, which a package needs. Please check the connection and try again.`,
    );
  return new Uint8Array(await response.arrayBuffer());
}

/** @param {Uint8Array} bytes */
const text_of = (bytes) => new TextDecoder().decode(bytes);
/** @param {string} text */
const bytes_of = (text) => new TextEncoder().encode(text);

/**
 * index.html without what a site says of other pages: which hosts may command it, and that models can be fetched.
 * @param {string} html
 */
const without_site_rules = (html) => html.replace(/^ *<meta name="attention-(hosts|fetch)"[^>]*>\n?/gm, "");

/** Styles, icons and scripts that a page names. @param {string} html */
const named_by = (html) =>
  [...html.matchAll(/<(?:link|script)\b[^>]*? (?:href|src)="([^":?#]+)"/g)].map(([, name]) => name);

/** The outer page of this course. @param {string} html @param {Course} course */
function outer_page(html, course) {
  const given = JSON.stringify(course).replace(/[&"<>]/g, (letter) => `&#${letter.charCodeAt(0)};`);
  const own = put(
    html,
    '<meta name="attention-course" content="" />',
    `<meta name="attention-course" content="${given}" />`,
  );
  return course.kind === "xapi" ? put(own, "base-uri 'none'", `${kStores}base-uri 'none'`) : own;
}

/** @param {string} html @param {string} from @param {string} to */
function put(html, from, to) {
  if (html.split(from).length !== 2)
    throw new Error("This site's course.html is not the one that belongs to this page.");
  return html.replace(from, () => to);
}

// Fetches the texts that a model of our own is trained on, and writes them as two files: what it reads, and what is held out.
//   node tools/texts.mjs OUT [LIST]
// LIST (tools/texts.json if it is not named) says which packages, in which versions and with which SHA-256: the system's
// package manager and npm fetch them. OUT/read.txt and OUT/held-out.txt hold the documents, one after the other, each ended by a
// line with a form feed; the same list gives the same bytes everywhere. What was fetched stays in OUT/packages.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { read_r_texts } from "./lib/r_data.mjs";

const kHeading = /^(CHAPTER|Chapter|Epilogue\b|EPILOGUE\b)/;
export const kDocumentEnd = "\n\f\n";

/**
 * A text as visitors type: the lines of a paragraph as one, paragraphs on lines of their own, quotes and dashes of a keyboard, no
 * marks for italics.
 */
export function plain_text(text) {
  const marks = { "“": '"', "”": '"', "‘": "'", "’": "'", "—": "--", "–": "-", "‑": "-", "\u00a0": " ", _: "" };
  const typed = text.replaceAll("\r\n", "\n").replace(/[“”‘’—–‑\u00a0_]/g, (mark) => marks[mark]);
  return typed
    .split(/\n[ \t]*\n+/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .filter((paragraph) => paragraph !== "")
    .join("\n");
}

/** A book's chapters, without their headings and without what stands before the first one. */
export function chapters_of(text) {
  const chapters = [];
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    if (kHeading.test(line)) chapters.push([]);
    else chapters.at(-1)?.push(line);
  }
  return chapters.map((lines) => lines.join("\n"));
}

/** The documents of each source, in order: those that are held out, and the others as often as the source is to be read. */
export function divide(sources, { every, from }) {
  const is_apart = (_, k) => k % every === from;
  const held_out = sources.flatMap(({ documents }) => documents.filter(is_apart));
  const read = sources.flatMap(({ documents, times = 1 }) => {
    const others = documents.filter((document, k) => !is_apart(document, k));
    return Array(times).fill(others).flat();
  });
  return { read, held_out };
}

/** The file of a package, fetched if it is not there, with the bytes that the list wants. */
function fetch_package({ by, package: name, version, sha256 }, folder) {
  const begin = by === "npm" ? name.replace("@", "").replace("/", "-") : name;
  const find = () => readdirSync(folder).find((file) => file.startsWith(begin));
  if (!find()) {
    const [program, args] =
      by === "npm" ? ["npm", ["pack", `${name}@${version}`]] : ["apt-get", ["download", `${name}=${version}`]];
    execFileSync(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  }
  const file = join(folder, find());
  const found = createHash("sha256").update(readFileSync(file)).digest("hex");
  if (found !== sha256)
    throw new Error(`${basename(file)} has the SHA-256 ${found}, not ${sha256} as the list has it.`);
  return file;
}

/** The folder with what is in the package. */
function unpack(file) {
  const folder = `${file}.unpacked`;
  if (existsSync(folder)) return folder;
  mkdirSync(folder);
  if (file.endsWith(".deb")) execFileSync("dpkg-deb", ["-x", file, folder]);
  else execFileSync("tar", ["-xzf", file, "-C", folder]);
  return folder;
}

/** The texts of a source, in the order of their names. */
function texts_of(source, folder) {
  if (source.r_data) {
    const texts = [...read_r_texts(join(folder, source.r_data))];
    return texts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, lines]) => lines.join("\n"));
  }
  const [path, wanted] = [join(folder, dirname(source.files)), basename(source.files)];
  const names = readdirSync(path).filter((name) => (wanted === "*.txt" ? name.endsWith(".txt") : name === wanted));
  return names.sort().map((name) => readFileSync(join(path, name), "utf8"));
}

function main([out, list = fileURLToPath(new URL("texts.json", import.meta.url))]) {
  if (!out) throw new Error("usage: texts.mjs OUT [LIST]");
  const { sources, held_out } = JSON.parse(readFileSync(list, "utf8"));
  const packages = join(resolve(out), "packages");
  mkdirSync(packages, { recursive: true });
  const found = sources.map((source) => {
    const texts = texts_of(source, unpack(fetch_package(source, packages)));
    const documents = source.documents === "chapters" ? texts.flatMap(chapters_of) : texts;
    const plain = documents.map(plain_text).filter((text) => text !== "");
    console.log(`${source.title}: ${plain.length} documents, ${plain.join("").length.toLocaleString("en")} characters`);
    return { documents: plain, times: source.times };
  });
  for (const [name, documents] of Object.entries(divide(found, held_out))) {
    const text = documents.map((document) => document + kDocumentEnd).join("");
    const file = join(out, `${name.replace("_", "-")}.txt`);
    writeFileSync(file, text);
    const hash = createHash("sha256").update(text).digest("hex");
    console.log(
      `${file}: ${documents.length} documents, ${Buffer.byteLength(text).toLocaleString("en")} bytes, ${hash}`,
    );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));

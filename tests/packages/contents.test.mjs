// The packages as files: what is inside, what they ask for, how the programs were built.
import assert from "node:assert/strict";
import { readFileSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { package_file, root, run, temporary_folder } from "./roots.mjs";

const kPrograms = ["attention-playground", "attn"];
const kFiles = [
  ...kPrograms.map((name) => `bin/${name}`),
  "share/applications/attention-playground.desktop",
  "share/doc/attention-playground/changelog.gz",
  "share/doc/attention-playground/copyright",
  ...[16, 22, 24, 32, 48, 64, 128, 256, 512].map(
    (width) => `share/icons/hicolor/${width}x${width}/apps/attention-playground.png`,
  ),
  "share/icons/hicolor/scalable/apps/attention-playground.svg",
  "share/man/man1/attention-playground.1.gz",
  "share/man/man1/attn.1.gz",
  "share/metainfo/org.example.attention_playground.metainfo.xml",
  "share/mime/packages/attention-playground.xml",
].sort();

/** Unpacks both packages. Returns the folder that holds bin/ and share/ of each. */
function unpack(t) {
  const folder = temporary_folder(t);
  run("dpkg-deb", ["-x", package_file(".deb"), join(folder, "deb")]);
  run("tar", ["-C", folder, "-xzf", package_file(".tar.gz")]);
  const name = basename(package_file(".tar.gz"), ".tar.gz");
  return { deb: join(folder, "deb/usr"), tarball: join(folder, name) };
}

/** All files below a folder, as paths from there. */
const files_in = (folder) =>
  run("find", [".", "-type", "f", "-printf", "%P\n"], { cwd: folder }).trim().split("\n").sort();

test("both packages hold the programs, their icons, pages, types and licences, and nothing else", (t) => {
  const { deb, tarball } = unpack(t);
  assert.deepEqual(files_in(deb), kFiles);
  assert.deepEqual(files_in(tarball), ["README.txt", ...kFiles].sort());
});

test("the programs are stripped, position independent, and bind at the start to what they may not change", (t) => {
  const { deb } = unpack(t);
  for (const name of kPrograms) {
    const program = join(deb, "bin", name);
    const text = run("readelf", ["-W", "-h", "-l", "-d", "-S", program]);
    assert.match(text, /Type:\s+DYN \(Position-Independent Executable file\)/);
    assert.match(text, /GNU_RELRO/);
    assert.match(text, /FLAGS.*\bNOW\b/);
    assert.doesNotMatch(text, /\.symtab|\.debug_info|RPATH|RUNPATH/);
    assert.match(run("readelf", ["-W", "--dyn-syms", program]), /__stack_chk_fail/);
  }
});

test("the package asks for libraries of Debian 12, and attn for none of the window's", (t) => {
  const depends = run("dpkg-deb", ["-f", package_file(".deb"), "Depends"]);
  for (const name of ["libc6", "libstdc++6", "libglfw3", "libpango-1.0-0", "libcairo2", "libglib2.0-0"])
    assert.match(depends, new RegExp(`(^|, )${name.replaceAll(/[.+]/g, "\\$&")} \\(>= `), `${name} with a version`);
  const libc = depends
    .match(/libc6 \(>= ([\d.]+)\)/)[1]
    .split(".")
    .map(Number);
  assert.ok(libc[0] === 2 && libc[1] <= 36, `libc6 ${libc.join(".")} is newer than Debian 12's 2.36`);
  const { deb } = unpack(t);
  assert.doesNotMatch(run("readelf", ["-d", join(deb, "bin/attn")]), /glfw|pango|cairo|libGL|glib/);
});

test("the programs of the tarball run from any folder", (t) => {
  const { tarball } = unpack(t);
  const moved = join(temporary_folder(t), "a place");
  renameSync(tarball, moved);
  assert.match(run(join(moved, "bin/attention-playground"), ["--version"]), /^attention-playground \d/);
  assert.match(run(join(moved, "bin/attn"), ["keys"]), /^heads /m);
  const picture = join(moved, "picture.png");
  run(join(moved, "bin/attention-playground"), ["--screenshot", picture, "text=A+dog"], {
    env: { ...process.env, HOME: moved },
  });
  assert.equal(readFileSync(picture).subarray(1, 4).toString(), "PNG");
});

test("every library and font that is built in has its licence in the package", () => {
  const text = readFileSync(join(root, "packaging/copyright"), "utf8");
  const named = [...text.matchAll(/^Files: (.*)$/gm)].flatMap(([, names]) => names.split(" "));
  const libraries = [
    ...readFileSync(join(root, "tools/cmake/dependencies.cmake"), "utf8").matchAll(/attn_find_library\((\w+) /g),
  ].map(([, name]) => name);
  assert.ok(libraries.length > 5);
  const fonts = Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies).filter(
    (name) => name.startsWith("@ibm/plex"),
  );
  for (const name of [...libraries.filter((it) => it !== "catch2"), ...fonts])
    assert.ok(named.includes(name), `packaging/copyright does not speak of ${name}`);
  for (const [, licence] of text.matchAll(/^Files: [^]*?^License: (.*)$/gm))
    assert.match(
      text,
      new RegExp(`^License: ${licence.replaceAll(".", "\\.")}\n .{3}`, "m"),
      `${licence} is not quoted`,
    );
});

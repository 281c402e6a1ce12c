// The manual pages tell what the programs tell about themselves, no less and no more.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root, run } from "../packages/roots.mjs";

const program = (name) => join(process.env.ATTN_NATIVE ?? join(root, "build/release"), name);

/** The source of a page as text without its dots, backslashes and fonts. */
const page = (name) =>
  readFileSync(join(root, "packaging", `${name}.1`), "utf8")
    .replaceAll("\\-", "-")
    .replaceAll("\\&", "")
    .replaceAll("\\e", "\\");

const words = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([word]) => word))].sort();
const options_in = (text) => words(text, /--[a-z]+(?:-[a-z]+)*/g);

for (const name of ["attn", "attention-playground"]) {
  test(`${name}.1 names the options that ${name} --help names`, () => {
    assert.deepEqual(options_in(page(name)), options_in(run(program(name), ["--help"])));
  });

  test(
    `${name}.1 is set without a warning`,
    { skip: spawnSync("man", ["--version"]).status !== 0 && "man is missing" },
    () => {
      const { status, stdout, stderr } = spawnSync(
        "man",
        ["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", join(root, "packaging", `${name}.1`)],
        {
          encoding: "utf8",
          env: { ...process.env, MANROFFSEQ: "", MANWIDTH: "80" },
        },
      );
      assert.equal(status, 0);
      assert.equal(stderr, "");
      assert.ok(stdout.length > 1000);
    },
  );
}

test("attn.1 names every command and every stage that attn --help names", () => {
  const help = run(program("attn"), ["--help"]);
  const commands = words(help, /(?<=^ {2}attn )[a-z]+/gm);
  assert.ok(commands.includes("trace"));
  for (const command of commands) assert.match(page("attn"), new RegExp(`^\\.B ${command}$`, "m"));
  assert.ok(page("attn").includes(help.match(/^Stages: (.*)\.$/m)[1]), "the list of stages");
});

test("attn.1 lists the keys of a link with their meanings, in the order of attn keys", () => {
  const lines = run(program("attn"), ["keys"]).trimEnd().split("\n");
  const keys = lines.filter((line) => !line.startsWith(" ")).map((line) => line.match(/^(\S+)\s+(.*)$/).slice(1));
  const section = page("attn").match(/^\.SH KEYS OF A LINK\n([^]*?)^\.SH/m)[1];
  const told = [...section.matchAll(/^\.TP\n\.B (\S+)\n(.*)\.$/gm)].map((match) => match.slice(1));
  assert.deepEqual(told, keys);
});

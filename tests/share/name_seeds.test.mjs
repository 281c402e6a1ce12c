// A package for a course system computes the seed of a student's name by itself (web/name_seed.js): it must be the one that
// `attn variants` gives, or the teacher's key would be another's.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { link_for, normal_name, seed_of_name, spoken_name } from "../../web/name_seed.js";
import { attn, make_dice } from "./random_links.mjs";

/** { name, seed } of each name as the command line has them, in the order of the list. */
function seeds_of(t, names, base) {
  const folder = mkdtempSync(join(tmpdir(), "attn-names-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "names.txt"), names.join("\n"));
  const link = `text=a+b&check=weights&seed=${base}`;
  return JSON.parse(attn("variants", link, "--names", join(folder, "names.txt"), "--format", "json")).variants;
}

const kNames = [
  ...["Ada Lovelace", "  Grace \u00a0 Hopper\u2003", "محمد", "שרה כהן", "李明", "Zoë", "Zoe\u0308", "O’Brien-Smith"],
  ...[
    "a\u200db",
    "a\u202eb",
    "a\u2068b\u2069",
    "a\u2068b",
    "a\u2069b",
    "\u200fAb",
    "=1+1",
    "<img src=x>",
    "😀 👩‍👩‍👧",
    "x".repeat(300),
  ],
  ...["a\u0007b", "a\u0085b", "a\u001fb", "a\ufdd0b", "a\ufffeb", "a\u{1fffe}b", "a\u2028b", "\u3000Li"],
];

test("seeds of names are those of the command line", (t) => {
  for (const base of [1, 123, 4294967295]) {
    const made = seeds_of(t, kNames, base);
    assert.equal(made.length, kNames.length);
    for (const [i, { name, seed, is_moved }] of made.entries()) {
      assert.equal(normal_name(kNames[i]), name);
      if (!is_moved) assert.equal(seed_of_name(kNames[i], base), seed, name);
    }
  }
});

test("so are those of random names, of whatever characters", (t) => {
  const dice = make_dice(2026);
  const letters = [
    ..."aéß文 😀'.-\u200d\u200e\u202d\u2066\u2067\u2068\u2069\u00a0\u00ad\u0301\u061c\u2007\ufeff\u0007",
  ];
  const names = Array.from(
    { length: 400 },
    (_, i) => `n${i} ` + Array.from({ length: 1 + dice.below(12) }, () => letters[dice.below(letters.length)]).join(""),
  );
  for (const [i, { name, seed, is_moved }] of seeds_of(t, names, 7).entries()) {
    assert.equal(normal_name(names[i]), name);
    if (!is_moved) assert.equal(seed_of_name(names[i], 7), seed, JSON.stringify(names[i]));
  }
});

test("the seed takes the place of the keys that decide numbers, and of no others", () => {
  const course = { link: "seed=7&heads=2&embed_seed=1", seeds: { base: 7, keys: ["seed", "embed_seed"] } };
  const seed = seed_of_name("Ada", 7);
  assert.equal(link_for(course, " Ada "), `heads=2&seed=${seed}&embed_seed=${seed}`);
  assert.equal(link_for(course, "  "), course.link, "nobody is named");
  assert.equal(link_for({ link: course.link }, "Ada"), course.link, "all have the same");
});

test("a name that a course system turned round is the one of a list", () => {
  assert.equal(spoken_name("Lovelace, Ada"), "Ada Lovelace");
  assert.equal(spoken_name(" van der Berg ,Jan "), "Jan van der Berg");
  for (const name of ["Ada Lovelace", "Lovelace,", ", Ada", "a, b, c", ""])
    assert.equal(spoken_name(name), name.trim());
});

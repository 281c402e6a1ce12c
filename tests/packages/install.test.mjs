// The .deb in a minimal Debian without a network: installed, started, its files open with it, and gone again. Needs root,
// debootstrap and a screen; the first time also Debian's mirror.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PNG } from "pngjs";
import { package_file, root, run, temporary_folder, why_no_root } from "./roots.mjs";

const skip = why_no_root() || false;
const kScript = join(root, "tests/packages/clean_root.sh");

function num_colors(file) {
  const { data } = PNG.sync.read(readFileSync(file));
  const colors = new Set();
  for (let i = 0; i < data.length; i += 4) colors.add(data.readUInt32BE(i));
  return colors.size;
}

for (const suite of ["bookworm", "trixie"]) {
  test(`on a minimal Debian ${suite} without a network the package installs, works and goes`, { skip }, (t) => {
    const results = temporary_folder(t);
    const read = (name) => readFileSync(join(results, name), "utf8");
    const deb = package_file(".deb");
    run("bash", [kScript, "prepare", suite, deb], { stdio: ["ignore", "inherit", "pipe"] });
    run("bash", [kScript, "try", suite, deb, results]);

    assert.match(read("version"), /^attention-playground \d+\.\d+\.\d+\n$/);
    for (const picture of ["picture.png", "session.png"])
      assert.ok(num_colors(join(results, picture)) > 100, `${picture} shows text and maps`);
    assert.notDeepEqual(readFileSync(join(results, "picture.png")), readFileSync(join(results, "session.png")));

    const stage = JSON.parse(read("weights.json")).sentences[0].stages[0];
    assert.deepEqual(stage.shape, [2, 3, 3]);
    for (const head of stage.values)
      for (const row of head) assert.ok(Math.abs(row.reduce((sum, weight) => sum + (weight ?? 0), 0) - 1) < 1e-6);

    assert.match(read("mimeinfo.cache"), /^application\/x-attention-playground=attention-playground\.desktop;$/m);
    assert.match(read("globs2"), /^\d+:application\/x-attention-playground:\*\.attention$/m);
    assert.match(read("magic"), /application\/x-attention-playground[^]*"attention-playground session"/);
    assert.match(read("attn.1"), /^\.TH ATTN 1/m);
    assert.equal(read("left"), "", "files of ours are left after the package was removed");
  });
}

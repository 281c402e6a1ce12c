// attn on the folder of a model: what it prints, and what it says of folders, files and arguments that are wrong.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { safetensors, write_model } from "../model/checkpoints.mjs";

const parent = mkdtempSync(join(tmpdir(), "attn-models-"));
after(() => rmSync(parent, { recursive: true, force: true }));
const gpt2 = write_model(parent, "gpt2");
const bert = write_model(parent, "bert");

function attn(...args) {
  const { status, stdout, stderr } = spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { encoding: "utf8" });
  return { status, stdout, stderr };
}
function printed(...args) {
  const { status, stdout, stderr } = attn(...args);
  assert.equal(stderr, "");
  assert.equal(status, 0);
  return stdout;
}
function refusal(...args) {
  const { status, stdout, stderr } = attn(...args);
  assert.equal(status, 2, stdout);
  assert.equal(stdout, "");
  return stderr.trimEnd();
}

let num_copies = 0;
/** A copy of the GPT-2 folder, changed. */
function changed(change) {
  const folder = join(parent, `copy${++num_copies}`);
  cpSync(gpt2, folder, { recursive: true });
  change(folder);
  return folder;
}
const change_config = (key, value) => (folder) => {
  const path = join(folder, "config.json");
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), [key]: value }));
};

test("a trace of more numbers than are printed is refused, a stage of it is not", () => {
  const folder = changed(change_config("n_positions", 1000));
  change_config("n_embd", 2)(folder);
  change_config("n_head", 2)(folder);
  change_config("n_layer", 5)(folder);
  const shapes = { "wte.weight": [24, 2], "wpe.weight": [1000, 2], "ln_f.weight": [2], "ln_f.bias": [2] };
  for (const layer of [0, 1, 2, 3, 4]) {
    const own = { "ln_1.weight": [2], "ln_1.bias": [2], "ln_2.weight": [2], "ln_2.bias": [2] };
    for (const [name, inputs, outputs] of [
      ["attn.c_attn", 2, 6],
      ["attn.c_proj", 2, 2],
      ["mlp.c_fc", 2, 8],
      ["mlp.c_proj", 8, 2],
    ])
      Object.assign(own, { [`${name}.weight`]: [inputs, outputs], [`${name}.bias`]: [outputs] });
    for (const [name, shape] of Object.entries(own)) shapes[`h.${layer}.${name}`] = shape;
  }
  writeFileSync(join(folder, "model.safetensors"), safetensors(shapes));
  const trace = ["trace", "--model", folder, "--tokens", Array(1000).fill(1).join()];
  const sentence = /^The trace would be too large: [\d,]+ numbers, and at most 33,554,432 are printed: choose a layer/;
  for (const of of [[], ["--format", "csv"]]) assert.match(refusal(...trace, ...of), sentence);
  assert.equal(attn(...trace, "--stage", "final_stream").status, 0);
});

test("a folder without config.json is told how many heads there are, and what was assumed is said", () => {
  const folder = changed((copy) => rmSync(join(copy, "config.json")));
  assert.match(
    refusal("trace", "--model", folder, "text=the+hat"),
    /^The tensors are those of GPT-2 and do not tell how many heads there are: .* \{"n_head": 12\}\. The command attn takes --heads 12 instead\.$/,
  );
  const stage = ["text=the+hat", "--stage", "final_stream"];
  const { stages } = JSON.parse(printed("trace", "--model", gpt2, ...stage));
  const { status, stdout, stderr } = attn("trace", "--model", folder, "--heads", "4", ...stage);
  assert.equal(status, 0, stderr);
  const trace = JSON.parse(stdout);
  assert.deepEqual(trace.stages, stages);
  assert.equal(trace.notes[0], "no file says what kind of model it is: its tensors are those of GPT-2");
  assert.match(trace.notes[1], /^the tensors' shapes say "n_embd": 16, /);
  assert.match(
    trace.notes[2],
    /^assumed, as no file says it: "layer_norm_epsilon": 1e-05, "activation_function": "gelu_new"/,
  );
  for (const note of trace.notes) assert.ok(stderr.includes(note), note);
  assert.match(refusal("trace", "--model", folder, "--heads", "0", ...stage), /--heads wants a whole number from 1/);
  assert.match(refusal("trace", "--model", folder, "--heads", "7", ...stage), /"n_head" is 7, which does not divide/);
  assert.match(
    refusal("trace", "--model", gpt2, "--heads", "2", ...stage),
    /^--heads is for folders without config\.json/,
  );
});

test("a trace has the tokens with their bytes, and the stages of the layer", () => {
  const trace = JSON.parse(printed("trace", "--model", gpt2, "text=the+hat&layer=2"));
  assert.equal(trace.model, "GPT-2");
  assert.equal(trace.parameters, 24 * 16 + 12 * 16 + 2 * (12 * 16 * 16 + 13 * 16) + 2 * 16);
  assert.deepEqual(trace.tokens, [
    { id: 21, text: "th", bytes: [0, 2] },
    { id: 4, text: "e", bytes: [2, 3] },
    { id: 20, text: "\u0120", bytes: [3, 4] },
    { id: 7, text: "h", bytes: [4, 5] },
    { id: 0, text: "a", bytes: [5, 6] },
    { id: 19, text: "t", bytes: [6, 7] },
  ]);
  const shapes = Object.fromEntries(trace.stages.map(({ name, layer, shape }) => [`${layer ?? ""}/${name}`, shape]));
  assert.deepEqual(shapes["2/weights"], [4, 6, 6]);
  assert.deepEqual(shapes["2/mlp_hidden"], [6, 64]);
  assert.deepEqual(shapes["/final_stream"], [6, 16]);
  assert.equal(shapes["1/weights"], undefined);
  assert.equal(shapes["/logits"], undefined);
});

test("weights sum to 1, and so do the probabilities", () => {
  for (const stage of ["weights", "probabilities"]) {
    const csv = printed("trace", "--model", gpt2, "text=the+hat&layer=1", "--stage", stage, "--format", "csv");
    const sums = new Map();
    for (const line of csv.trimEnd().split("\n").slice(1)) {
      const [, name, head, row, , value] = line.split(",");
      assert.equal(name, stage);
      sums.set(`${head},${row}`, (sums.get(`${head},${row}`) ?? 0) + Number(value));
    }
    assert.equal(sums.size, stage === "weights" ? 24 : 6);
    for (const sum of sums.values()) assert.ok(Math.abs(sum - 1) < 1e-6);
  }
});

test("logits have a number for each token of the vocabulary, and a head that is off changes them", () => {
  const [logits] = JSON.parse(printed("trace", "--model", gpt2, "text=the", "--stage", "logits")).stages;
  assert.deepEqual(logits.shape, [2, 24]);
  const [off] = JSON.parse(printed("trace", "--model", gpt2, "text=the&off=1:3", "--stage", "logits")).stages;
  assert.notDeepEqual(off.values, logits.values);
  const by_number = printed("trace", "--model", gpt2, "--tokens", "21,4", "--stage", "logits");
  assert.deepEqual(JSON.parse(by_number).stages[0].values, logits.values);
});

test("generate goes on with the same tokens for the same seed, and stops where positions end", () => {
  const generate = (...more) => attn("generate", "--model", gpt2, "--text", "the", "--count", "6", ...more);
  assert.equal(generate().stdout, generate("--seed", "123").stdout);
  assert.ok(generate().stdout.startsWith("the"));
  assert.notEqual(generate("--seed", "4").stdout, generate("--seed", "5").stdout);
  assert.equal(generate("--temperature", "0").stdout, generate("--top-k", "1", "--seed", "9").stdout);
  const long = generate("--count", "50");
  assert.equal(long.status, 0);
  assert.equal(long.stderr, "note: the model has no position for more than 12 tokens\n");
});

test("an export holds all layers", () => {
  const file = join(parent, "out.npz");
  printed("export", "npz", "--model", gpt2, "text=the", "--out", file);
  const names = readFileSync(file, "latin1");
  for (const name of ["1/weights.npy", "2/after.npy", "logits.npy", "tokens.npy"])
    assert.ok(names.includes(name), name);
});

test("keys that a model decides are noted", () => {
  const { notes } = JSON.parse(printed("trace", "--model", gpt2, "text=the&heads=2&d_in=4", "--stage", "weights"));
  assert.deepEqual(notes, ['a model decides, so these do not count: "heads", "d_in"']);
});

test("wrong arguments are refused in a sentence", () => {
  assert.equal(refusal("generate", "--text", "a"), "Say which model: --model and the folder with its files.");
  assert.equal(refusal("trace", "--model", gpt2), "There is no text: give a link with text=..., --text or --tokens.");
  assert.equal(refusal("trace", "--model", gpt2, "text=the&layer=3"), "There is no layer 3: the model has 2.");
  assert.match(refusal("trace", "--model", gpt2, "text=the&layer=0"), /^layer wants a whole number from 1/);
  assert.match(refusal("trace", "--model", gpt2, "text=the&off=3:1"), /^There is no head 1 in layer 3 to switch off/);
  assert.match(refusal("trace", "--model", gpt2, "text=the&off=x"), /^off wants heads such as 2:3/);
  assert.match(
    refusal("trace", "--model", gpt2, "text=the&edit=w_query[0,1]=1"),
    /^Say of which layer: edit=1.w_query/,
  );
  assert.match(refusal("trace", "--model", gpt2, "text=the&edit=1.w_query[0,99]=1"), /^There is no number at row 0/);
  assert.match(refusal("trace", "--model", gpt2, "text=the&edit=1.nonsense"), /^edit: "1.nonsense" left out/);
  assert.match(
    refusal("trace", "--model", gpt2, "text=the", "--stage", "output"),
    /^A model has no stage "output"; its stages are/,
  );
  assert.equal(
    refusal("trace", "--model", gpt2, "text=the", "--count", "2"),
    'attn trace with a model has no option "--count".',
  );
  assert.equal(refusal("cache", "--model", gpt2), "attn cache takes no --model.");
  assert.match(refusal("export", "csv", "--model", gpt2, "text=a"), /^Of a model there are three exports/);
  assert.equal(refusal("trace", "--model", gpt2, "text=zoo"), 'The model\'s vocabulary does not have "z".');
  assert.equal(
    refusal("trace", "--model", gpt2, "--tokens", "24"),
    "There is no token 24: the model has the tokens 0 to 23.",
  );
  assert.equal(
    refusal("trace", "--model", gpt2, `text=${"a".repeat(13)}`),
    "The sentence has 13 tokens, and the model has 12 positions.",
  );
  assert.equal(
    refusal("trace", "--model", gpt2, "--tokens", new Array(2000).fill("3").join(",")),
    "The sentence has 2000 tokens, and the model has 12 positions.",
  );
  assert.equal(
    refusal("generate", "--model", bert, "--text", "a"),
    "This model does not write on: its tokens see those behind them.",
  );
  assert.equal(
    refusal("trace", "--model", bert, "text=a", "--stage", "logits"),
    "This model has no logits: its files have no head.",
  );
  assert.match(
    refusal("generate", "--model", gpt2, "--text", "a", "--temperature", "-1"),
    /^--temperature wants 0 or a number/,
  );
});

test("folders and files that are wrong are refused in a sentence", () => {
  const num_bytes = statSync(join(gpt2, "model.safetensors")).size;
  const trace = (folder, text = "text=the") => refusal("trace", "--model", folder, text);
  assert.match(trace(join(parent, "nothing")), /is neither a folder with a model's files nor a \.gguf file\.$/);
  const empty = join(parent, "empty");
  mkdirSync(empty);
  assert.match(trace(empty), /has no file with numbers \(\.safetensors, \.bin, \.pt or \.gguf\)\.$/);
  assert.match(
    trace(changed((folder) => rmSync(join(folder, "model.safetensors")))),
    /has no file with numbers \(\.safetensors, \.bin, \.pt or \.gguf\)\.$/,
  );
  assert.equal(
    trace(changed((folder) => truncateSync(join(folder, "model.safetensors"), 5000))),
    `The file "model.safetensors" is cut short: ${num_bytes - 5000} bytes of its tensors are missing.`,
  );
  assert.match(
    trace(changed((folder) => writeFileSync(join(folder, "model.safetensors"), "PK\x03\x04 not ours"))),
    /^The file "model\.safetensors" is an incomplete archive/,
  );
  assert.match(
    trace(changed(change_config("n_embd", 32))),
    /^config\.json says "n_embd": 32|^config\.json says "vocab_size": 24 and "n_embd": 32/,
  );
  assert.equal(
    trace(changed((folder) => rmSync(join(folder, "tokenizer.json")))),
    "There is no tokenizer: tokenizer.json is missing, and so are vocab.json with merges.txt, vocab.txt and tokenizer.model.",
  );
  const folder = changed((path) => writeFileSync(join(path, "more.safetensors"), safetensors({ "wte.weight": [2] })));
  assert.equal(trace(folder), 'The tensor "wte.weight" is in two files: "model.safetensors" and "more.safetensors".');
  const small = changed(change_config("vocab_size", 24));
  writeFileSync(
    join(small, "tokenizer.json"),
    readFileSync(join(small, "tokenizer.json"), "utf8").replace('"he":22', '"he":99'),
  );
  assert.equal(
    trace(small),
    "The tokenizer has the token 99, but config.json says that the model has 24 tokens: these files do not belong together.",
  );
});

test("the votes for a word add up to its logit as they are printed, also with a head off", () => {
  for (const off of ["", "&off=2:3"]) {
    const lines = printed("votes", "--model", gpt2, `text=the+hat&word=th&layer=2&head=3${off}`).split("\n");
    const first = lines.findIndex((line) => line.startsWith("Who voted for “th”"));
    const number = (line) => Math.round(Number(/(\S+)$/.exec(line)[1].replace("−", "-")) * 1000);
    let sum = 0;
    let at = first + 2; // behind the head of the table
    for (; !lines[at].includes("logit of “th”"); ++at) sum += number(lines[at]);
    assert.ok(at - first > 12, `${at}`);
    assert.equal(sum, number(lines[at]));
    if (off) assert.match(lines.join("\n"), /2 · head 3, off +0\.000/);
    assert.match(lines.join("\n"), off ? /Head 3 of layer 2 on again/ : /Head 3 of layer 2 switched off/);
    // It is the logit that the trace prints.
    const [logits] = JSON.parse(printed("trace", "--model", gpt2, `text=the+hat${off}`, "--stage", "logits")).stages;
    const all = logits.values.at(-1).map((logit) => Math.round(logit * 1000));
    assert.ok(all.some((logit) => Math.abs(logit - number(lines[at])) <= 1));
  }
});

const sum_of = ({ terms, divisor }) => terms.reduce((sum, { product }) => sum + product, 0) / divisor;

test("every number of a model is explained, and the steps come to the number that the trace prints", () => {
  const link = "text=the+hat&layer=2";
  const cells = [
    ["before", 1, 3],
    ["embeddings", 5, 15],
    ["values", 5, 1, 3],
    ["weights", 3, 1, 2],
    ["attention_added", 0, 0],
    ["middle", 4, 7],
    ["mlp_input", 4, 7],
    ["mlp_sums", 2, 63],
    ["mlp_hidden", 2, 63],
    ["after", 2, 5],
    ["final_stream", 5, 2],
    ["logits", 5, 23],
    ["probabilities", 5, 0],
  ];
  for (const [stage, row, column, head] of cells) {
    const where = [
      "--stage",
      stage,
      "--row",
      `${row}`,
      "--column",
      `${column}`,
      ...(head ? ["--head", `${head}`] : []),
    ];
    const explained = JSON.parse(printed("explain", "--model", gpt2, link, ...where, "--format", "json"));
    const [trace] = JSON.parse(printed("trace", "--model", gpt2, link, "--stage", stage)).stages;
    const shown = (head ? trace.values[head - 1] : trace.values)[row][column];
    assert.equal(explained.shown, shown, stage);
    const last = explained.steps.at(-1);
    assert.equal(last.name, stage);
    // 64 products of numbers near 1 at most, each rounded to 2^-24 of itself.
    assert.ok(Math.abs(sum_of(last) - shown) < 64 * 6e-8, `${stage}: ${sum_of(last)} for ${shown}`);
    assert.equal(sum_of(last), last.value);
    assert.match(explained.lines[0], new RegExp(`^${stage} = `));
  }
});

test("an explanation says where each factor stands, as text and for spreadsheets", () => {
  const where = ["--stage", "mlp_sums", "--row", "1", "--column", "3"];
  const text = printed("explain", "--model", gpt2, "text=the+hat&layer=1", ...where).split("\n");
  assert.equal(text[0], 'mlp_sums of layer 1, token 1 "e", channel 3');
  assert.match(text[1], /^mlp_sums = mlp_input · \S*h\.0\.mlp\.c_fc\.weight \+ \S*h\.0\.mlp\.c_fc\.bias$/);
  assert.match(text[2], /^= \S+ × \S+ \+ .* … \(10 more\) … /);
  const csv = printed("explain", "--model", gpt2, "text=the+hat&layer=1", ...where, "--format", "csv").split("\n");
  assert.equal(csv[0], "step,label,a,a_source,b,b_source,value");
  assert.match(csv[3], /^mlp_sums,,\S+,"mlp_input of layer 1 \[1,2\]",\S+,"\S*h\.0\.mlp\.c_fc\.weight \[2,3\]",\S+$/);
  assert.match(csv.at(-2), /^shown,,,,,,-?[0-9.e-]+$/);
  const word = ["--stage", "probabilities", "--row", "1"];
  assert.match(
    printed("explain", "--model", gpt2, "text=the&word=th", ...word),
    /^probabilities, token 1 "e", word 21 "th"/,
  );
});

test("the program's own model goes by its name, where there is no folder of this name", () => {
  const where = ["text=the+dog+sees+the+cat&layer=2", "--stage", "mlp_hidden", "--row", "3", "--column", "5"];
  const folder = fileURLToPath(new URL("../../models/first-words", import.meta.url));
  assert.equal(printed("explain", "--model", "first-words", ...where), printed("explain", "--model", folder, ...where));
  assert.equal(
    refusal("explain", "--model", "last-words", ...where),
    '"last-words" is neither a folder with a model\'s files nor a .gguf file.',
  );
  const [link, ...cell] = where;
  assert.match(printed("explain", `model=first-words&${link}`, ...cell), /^mlp_hidden, token 3 "\S+", channel 5\n/);
});

test("an explanation of what is not there is refused in a sentence", () => {
  const refused = (link, ...where) => refusal("explain", "--model", gpt2, link, ...where);
  assert.equal(refused("text=the"), "Say which number: --stage, --row and --column.");
  const at = (row, column, ...more) => ["--row", row, "--column", column, ...more];
  assert.equal(refused("text=the", "--stage", "after", ...at("0", "0")), "Say of which layer: layer=1 in the link.");
  assert.equal(refused("text=the&layer=1", "--stage", "weights", ...at("0", "0")), "Say which head: --head.");
  assert.equal(
    refused("text=the&layer=1", "--stage", "weights", ...at("0", "0", "--head", "5")),
    "There is no head 5: weights has heads 1 to 4 here.",
  );
  assert.equal(
    refused("text=the&layer=1", "--stage", "after", ...at("2", "0")),
    "There is no row 2: after has rows 0 to 1 here.",
  );
  assert.equal(
    refused("text=the", "--stage", "logits", ...at("1", "24")),
    "There is no column 24: logits has columns 0 to 23 here.",
  );
  assert.equal(
    refused("text=the&layer=1", "--stage", "mlp_gate", ...at("0", "0")),
    "This model has no stage mlp_gate.",
  );
  assert.equal(
    refused("text=the", "--stage", "logit_input", ...at("0", "0")),
    "This model has no stage logit_input: its logits are made of final_stream.",
  );
  assert.equal(
    refused("text=the", "--stage", "logits", "--row", "1"),
    "Say which word: --column, or word=... in the link.",
  );
  assert.equal(
    refused("text=the&word=zebra", "--stage", "logits", "--row", "1"),
    'The model\'s vocabulary does not have "zebra".',
  );
  assert.equal(
    refusal("trace", "--model", gpt2, "text=the", "--stage", "logit_input"),
    "This model has no stage logit_input: its logits are made of final_stream.",
  );
  assert.match(refused("text=the", "--count", "3"), /attn explain with a model has no option "--count"/);
});

test("a nudge of any number of the files says how the loss moves, and of GPT-2 the gradient is the same", () => {
  const nudge = (...more) => printed("nudge", "--model", gpt2, "text=the+hat", ...more);
  for (const [tensor, place] of [
    ["wte.weight", "4,3"],
    ["h.1.attn.c_attn.weight", "2,40"],
    ["h.0.mlp.c_proj.bias", "5"],
    ["ln_f.weight", "15"],
  ]) {
    const answer = JSON.parse(nudge("--tensor", tensor, "--place", place, "--format", "json"));
    assert.ok(Math.abs((answer.up - answer.down) / (2 * answer.epsilon) - answer.slope) < 1e-12);
    // The difference leaves out terms of epsilon^2 = 1e-8; layers' inputs are rounded to float, 6e-8.
    assert.ok(Math.abs(answer.gradient - answer.slope) < 1e-6, tensor);
    assert.match(nudge("--tensor", tensor, "--place", place), /^loss with it \+ [\d.e-]+: \d\.\d{10}$/m);
  }
  const refused = (link, ...more) => refusal("nudge", "--model", gpt2, link, ...more);
  const at = (tensor, place) => ["--tensor", tensor, "--place", place];
  assert.match(refused("text=the"), /^Say which number: --tensor/);
  assert.equal(refused("text=the", ...at("wte.weight", "24,0")), "There is no number 24,0: wte.weight is (24, 16).");
  assert.equal(refused("text=the", ...at("wte.weight", "3")), "There is no number 3: wte.weight is (24, 16).");
  assert.match(refused("text=the", ...at("c_fc.bias", "3")), /names with it are "h\.0\.mlp\.c_fc\.bias"/);
  assert.match(refused("text=the", ...at("nothing", "3")), /; one of its names is "/);
  assert.match(refused("text=a", ...at("wte.weight", "0,0")), /^A loss is of next words/);
  assert.match(refused("text=the", ...at("wte.weight", "0,x")), /^--place wants a whole number/);
  assert.match(refused("text=the", "--format", "csv", ...at("wte.weight", "0,0")), /there is no CSV/);
});

test("the logit lens: tables whose sum adds up, a line a word, an object a cell; the last layer is the model's own answer", () => {
  const link = "text=the+hat&word=th&lens=1";
  const text = printed("lens", "--model", gpt2, link, "--row", "1");
  assert.match(text, /^Each cell asks the last norm and the unembedding/);
  assert.match(text, /not what the model “has decided” there/);
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith("The logit of “th” after “"));
  const number = (line) => Math.round(Number(/(\S+)$/.exec(line)[1].replace("−", "-")) * 1000);
  let sum = 0;
  let at = first + 2; // behind the head of the table
  for (; !/^ {2}logit /.test(lines[at]); ++at) sum += number(lines[at]);
  assert.ok(at - first > 8, `${at}`);
  assert.equal(sum, number(lines[at]));
  assert.equal(printed("lens", "--model", gpt2, link, "--row", "1", "--format", "text"), text);

  const { cells, word, tokens } = JSON.parse(printed("lens", "--model", gpt2, link, "--format", "json"));
  assert.equal(word, "th");
  const layers = Math.max(...cells.map(({ layer }) => layer));
  assert.equal(cells.length, (layers + 1) * tokens.length);
  const opened = cells.find(({ layer, position }) => layer === 1 && position === 1);
  assert.equal(Math.round(opened.chosen.logit * 1000), number(lines[at]));
  const explained = JSON.parse(
    printed("explain", "--model", gpt2, link, "--stage", "logits", "--row", "1", "--format", "json"),
  );
  assert.equal(explained.shown, opened.chosen.logit);
  const [probabilities] = JSON.parse(
    printed("trace", "--model", gpt2, "text=the+hat", "--stage", "probabilities"),
  ).stages;
  for (const { position, words } of cells.filter(({ layer }) => layer === layers))
    for (const { id, probability } of words) assert.equal(probability, probabilities.values[position][id]);

  const csv = printed("lens", "--model", gpt2, link, "--format", "csv").trimEnd().split("\n");
  assert.equal(csv[0], "layer,position,token,rank,id,word,logit,probability");
  const written = cells.reduce((count, { words, chosen }) => count + words.length + (chosen.rank > words.length), 0);
  assert.equal(csv.length, written + 1);
});

test("a lens of what is not there is refused, and the export of the page has the command's bytes", () => {
  assert.match(
    refusal("lens", "--model", bert, "text=the+hat"),
    /^This model has no logit lens: its files have no head/,
  );
  assert.match(refusal("lens", "--model", gpt2, "text=the&lens=9"), /^There is no layer 9: the model has layers 0 to /);
  assert.match(refusal("lens", "--model", gpt2, "text=the&lens=-1"), /^lens wants a whole number from 0/);
  assert.match(
    refusal("lens", "--model", gpt2, "text=the", "--row", "7"),
    /^There is no row 7: the text has rows 0 to \d/,
  );
  assert.match(refusal("lens", "--model", gpt2, "text=the&word=zebra"), /does not have "zebra"/);
  assert.match(refusal("lens", "--model", gpt2, "text=the", "--column", "2"), /has no option "--column"/);
  assert.match(
    refusal("explain", "--model", gpt2, "text=the&lens=9&word=th", "--stage", "logits", "--row", "0"),
    /^There is no layer 9/,
  );
  const files = new URL("../../models/first-words", import.meta.url).pathname;
  const text = "text=the+artist+painted+the+portrait&word=picture";
  const lens = printed("lens", "--model", files, text, "--format", "csv");
  assert.equal(printed("export", "lens", `model=first-words&view=lens&${text}`), lens);
  assert.match(refusal("export", "lens", "text=a+b"), /no logit lens while no model is open/);
});

test("the journey of a token: tables, an object a share, a line a share; the export of the page has the command's bytes", () => {
  const text = printed("journey", "--model", gpt2, "text=the+hat&layer=1", "--row", "1");
  assert.match(text, /^One token on its way through the model/);
  assert.match(text, /\n {2}head 1 +looks most at “/);
  assert.equal(printed("journey", "--model", gpt2, "text=the+hat", "--row", "1", "--format", "text"), text);
  const { sums, stops, row } = JSON.parse(
    printed("journey", "--model", gpt2, "text=the+hat", "--row", "1", "--format", "json"),
  );
  assert.equal(row, 1);
  for (const { length, shares } of sums)
    assert.ok(Math.abs(shares.reduce((sum, { along }) => sum + along, 0) - length) < 1e-9 * (1 + length));
  const traced = JSON.parse(printed("trace", "--model", gpt2, "text=the+hat&layer=1", "--stage", "mlp_hidden"));
  const length = Math.sqrt(traced.stages[0].values[1].reduce((sum, one) => sum + one * one, 0));
  const stop = stops.find(({ layer, stage }) => layer === 1 && stage === "mlp_hidden");
  assert.ok(Math.abs(stop.length - length) < 1e-7 * length); // the trace prints floats in their shortest text
  const bare = printed("journey", "--model", bert, "text=the+hat");
  assert.match(bare, /norms come after its sums/);
  assert.match(bare, /Its files have no head/);

  assert.match(refusal("journey", "--model", gpt2, "text=the&layer=9"), /^There is no layer 9/);
  assert.match(refusal("journey", "--model", gpt2, "text=the", "--row", "7"), /^There is no row 7/);
  const files = new URL("../../models/first-words", import.meta.url).pathname;
  const link = "text=the+artist+painted+the+portrait";
  assert.equal(
    printed("export", "journey", `model=first-words&view=journey&${link}`),
    printed("journey", "--model", files, link, "--format", "csv"),
  );
  assert.match(refusal("export", "journey", "text=a+b"), /no journey while no model is open/);
});

test("patches: tables, an object a patch, a line a patch; any command runs the patched text; the page's export has the command's bytes", () => {
  const compare = "compare=text%3Dthe%2Bcat%2Bhat";
  const text = printed("patch", "--model", gpt2, `text=the+hat+cat&${compare}`);
  assert.match(text, /^Each cell puts a row of numbers from B’s run/);
  assert.match(text, /\n {2}4 h +−\d\.\d{3} +−\d\.\d{3}\n/);
  const json = JSON.parse(printed("patch", "--model", gpt2, `text=the+hat+cat&${compare}`, "--format", "json"));
  const of_stream = json.effects.filter(({ part }) => part === "stream");
  assert.ok(of_stream.some(({ effect }) => Math.abs(effect) > 1e-3));
  for (const { position, effect } of of_stream) if (position === 1) assert.equal(effect, 0); // the same token in both
  // The logits of the patched text, by another command.
  const { layer, word } = of_stream.find(({ position }) => position === 2);
  const link = `text=the+hat+cat&${compare}&patch=stream.${layer}@2`;
  const { stages } = JSON.parse(printed("trace", "--model", gpt2, link, "--stage", "logits"));
  const logits = stages[0].values.at(-1);
  assert.ok(logits.some((one) => Math.abs(one - word) < 1e-5 * (1 + Math.abs(word))));
  assert.match(
    printed("explain", "--model", gpt2, link + `&layer=${layer}`, "--stage", "before", "--row", "1", "--column", "2"),
    /the other text's number, put here by a patch/,
  );
  assert.match(printed("export", "pytorch", "--model", gpt2, link), /for is_other in \(1, 0\)/);

  assert.match(refusal("patch", "--model", gpt2, "text=the+hat"), /^attn patch needs a second text/);
  assert.match(refusal("patch", "--model", gpt2, "text=the+hat&compare=text%3Dzebra"), /^The second text: /);
  assert.match(refusal("patch", "--model", bert, `text=the+hat&${compare}`), /no head, so there is no choice/);
  assert.match(refusal("patch", "--model", gpt2, `text=the&${compare}`, "--row", "7"), /^There is no row 7/);
  assert.match(refusal("trace", "--model", gpt2, "text=the&patch=stream.1@1"), /^There is no second text/);
  assert.match(
    refusal("trace", "--model", gpt2, `text=the&${compare}&patch=stream.9@1`),
    /^There is no head 1 in layer 9/,
  );
  assert.match(
    refusal("trace", "--model", gpt2, `text=the&${compare}&patch=brook.1@1`),
    /^patch: "brook.1@1" left out/,
  );
  const files = new URL("../../models/first-words", import.meta.url).pathname;
  const first_words = "text=the+artist+painted&compare=text%3Dthe%2Bwoman%2Bpainted";
  assert.equal(
    printed("export", "patch", `model=first-words&view=patch&${first_words}%26model%3Dfirst-words`),
    printed("patch", "--model", files, first_words, "--format", "csv"),
  );
  assert.match(refusal("export", "patch", "text=a+b"), /nothing to patch while no model is open/);
});

test("a picture of the model is an SVG file, and what is not there is said", () => {
  const svg = printed("export", "svg", "--model", gpt2, "text=the+hat&layer=1&map=rollout");
  assert.match(svg, /^<\?xml|^<svg/);
  for (const words of ["Layers × heads", "Layers 1 to 1 · rollout", "The next word", "logit of"]) {
    assert.ok(svg.includes(words), words);
  }
  assert.equal(
    refusal("votes", "--model", gpt2, "text=the&word=zebra"),
    'The model\'s vocabulary does not have "zebra".',
  );
  assert.equal(refusal("votes", "--model", gpt2, "text=the&head=9"), "There is no head 9: each layer has 4.");
  assert.equal(refusal("votes", "--model", gpt2, "text=the&map=sum"), 'map wants head, mean or rollout, not "sum".');
  assert.match(printed("votes", "--model", bert, "text=the+hat"), /This model has no logits: its files have no head/);
});

test("the table of votes is the same of the command, and of the export that the page and the window have", () => {
  const files = new URL("../../models/first-words", import.meta.url).pathname;
  const text = "text=the+artist+painted+the+portrait+of+a+woman+with+a+brush&layer=2&head=7&off=2:3&word=the";
  const votes = printed("votes", "--model", files, text, "--format", "csv");
  assert.equal(printed("export", "votes", `model=first-words&view=model&${text}`), votes);
  const rows = votes
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  const thousandths = (table) =>
    rows.filter(([name]) => name === table).reduce((sum, row) => sum + Math.round(Number(row[5]) * 1000), 0);
  assert.equal(thousandths("vote"), thousandths("logit"));
  assert.equal(rows.filter(([table, , , , what]) => table === "vote" && /^head/.test(what)).length, 16);
  assert.match(votes, /^vote,2,3,the,head off,0\.000$/m);
  assert.equal(
    refusal("votes", "--model", files, "text=the", "--format", "json"),
    "attn votes prints tables, or with --format csv one table for a spreadsheet; there is no JSON.",
  );
  assert.match(refusal("export", "votes", "text=a+b"), /no table of a model/);
});

test("a link that names the model of the program has the numbers of that model's files", () => {
  const text = "text=the+artist+painted+the+portrait+of+a+woman+with+a+brush";
  const rows = (...more) =>
    printed("trace", ...more, "--stage", "weights", "--format", "csv")
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",").slice(-4).join(","));
  const files = new URL("../../models/first-words", import.meta.url).pathname;
  assert.deepEqual(
    rows(`model=first-words&${text}&layer=2&off=1:3`),
    rows("--model", files, `${text}&layer=2&off=1:3`),
  );
  // A number changed by hand in the layer below.
  const edit = "&layer=2&edit=1.w_out[0,5]=4";
  assert.deepEqual(rows(`model=first-words&${text}${edit}`), rows("--model", files, `${text}${edit}`));
  assert.notDeepEqual(rows("--model", files, `${text}${edit}`), rows("--model", files, `${text}&layer=2`));
  const { notes } = JSON.parse(printed("trace", `model=first-words&${text}&heads=3`, "--stage", "weights"));
  assert.deepEqual(notes, ['heads: the model "first-words" decides']);
});

test("docs/models.md has the tables that the program prints of the kinds it reads", () => {
  const docs = readFileSync(new URL("../../docs/models.md", import.meta.url), "utf8");
  const tables = printed("kinds").trimEnd().split("\n\n");
  assert.equal(tables.length, 3);
  for (const table of tables) assert.ok(docs.includes(`\n\n${table}\n\n`), `docs/models.md lacks\n${table}`);
});

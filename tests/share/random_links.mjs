// Links of small random states for the tests of exports: every kind of number, size and setting; always the same ones.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Runs the attn command; returns what it prints. */
export function attn(...args) {
  const result = spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(result.status, 0, result.stderr);
  return result.stdout;
}

/** The same, as bytes. */
export function attn_bytes(...args) {
  const result = spawnSync(join(process.env.ATTN_NATIVE, "attn"), args, { maxBuffer: 1 << 28 });
  assert.equal(result.status, 0, String(result.stderr));
  return result.stdout;
}

/** mulberry32: always the same numbers. */
export function make_dice(seed) {
  let state = seed;
  const below = (size) => {
    state = (state + 0x6d2b79f5) | 0;
    let z = Math.imul(state ^ (state >>> 15), 1 | state);
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z;
    return ((z ^ (z >>> 14)) >>> 0) % size;
  };
  return { below, one_of: (list) => list[below(list.length)], chance: (percent) => below(100) < percent };
}

const kTexts = [
  "The artist painted the portrait of a woman with a brush",
  "a b c a b",
  "Say \"it's\" \\n 'twice' {x} %s $y",
  "注意力機制 カタカナ",
  "العربية تكتب من اليمين",
  "👩‍👩‍👧 🇩🇪 e\u0301 \ud835\udd38",
  "line\nbreak\ttab # no comment",
  "one",
  "",
  "a\u202eb zero\u200dwidth \ufffd",
];

function random_number(dice) {
  return dice.one_of([0, 1, -1, 0.5, -0.25, 3, 1e-3, -1e-5, 0.1, 2.5, (dice.below(4001) - 2000) / 997]);
}

function random_rows(dice, rows, columns) {
  const row = () => Array.from({ length: columns }, () => random_number(dice)).join(",");
  return Array.from({ length: rows }, row).join(";");
}

function random_seed(dice) {
  return dice.one_of([0, 1, 123, 4294967295, 4294967296, "18446744073709551615", dice.below(100000)]);
}

/**
 * A recipe for such a state, now and then none. Not Adam together with a bias of the keys: no weight depends on that bias, its gradient is nothing but
 * rounding, and Adam makes whole steps of it. Nor where identities make what is turned alone: queries and keys of such numbers take from X what they give it.
 */
export function random_recipe(dice, link) {
  const keys = [];
  if (dice.chance(8)) return "goal=none";
  const is_rounding = /(^|&)bias=1/.test(link) || (/(^|&)init=identity/.test(link) && /(^|&)rope_dim=/.test(link));
  const value = (key) => new RegExp(`(?:^|&)${key}=([^&]*)`).exec(link)?.[1];
  const is_next = dice.chance(50) && value("d_in") === value("d_out");
  keys.push(`goal=${is_next ? "next" : "pattern"}`);
  for (let n = 1 + dice.below(4); n > 0; n--) {
    const sentence = dice.chance(80) ? "" : "2/";
    const query = dice.below(4);
    keys.push(
      `target=${sentence}${1 + dice.below(2)}:${query}>${dice.below(1 + query)}${dice.one_of(["", "", "=0.3", "=2"])}`,
    );
  }
  // Latents of normal numbers make keys of hundreds: steps go astray, and each multiplies what floats had rounded.
  const most_steps = /(^|&)init=torch.randn/.test(link) && /(^|&)latent/.test(link) ? 1 : 6;
  keys.push(`steps=${Math.min(dice.below(7), most_steps)}`);
  keys.push(`optimizer=${dice.one_of(is_rounding ? ["sgd", "momentum"] : ["sgd", "momentum", "adam", "adamw"])}`);
  keys.push(`rate=${dice.one_of([0.1, 0.01, 0.003])}`);
  if (dice.chance(40))
    keys.push(
      `train=${dice.one_of(["x", "w_query,w_key", "w_query,x", "w_out,b_out,w_value", "w_key", "b_query,b_out", "w_query,w_key,w_value,w_out,x"])}`,
    );
  return keys.join("&");
}

/** Keys that pin a number of the way back, for a link that has a recipe: a link's last stage counts, and its last cell. */
export function random_pin(dice, link) {
  const stages = ["grad_w_query", "grad_w_value", "grad_queries", "grad_scores", "grad_embeddings"];
  if (/(^|&)goal=next/.test(link)) stages.push("logits", "probabilities", "grad_logits");
  if (/(^|&)bias=1/.test(link)) stages.push("grad_b_query");
  return `stage=${dice.one_of(stages)}&cell=1,0,1`;
}

// With dice of their own, so that all else stays as it is.
const kLatentDice = make_dice(2405);
const kRopeDice = make_dice(4434);

/** Adds the keys of latent attention; returns whether there are any. */
function add_latents(add, init, d_out) {
  const width = () => (kLatentDice.chance(35) ? 1 + kLatentDice.below(d_out) : 0);
  const [latent, query_latent] = [width(), width()];
  const value = kLatentDice.one_of([0.5, -1, 0]);
  if (init === "none") return false;
  if (latent > 0) add("latent", latent);
  if (query_latent > 0) add("latent_queries", query_latent);
  if (latent > 0 && value !== 0) add("edit", `w_down_kv[0,0]=${value}`);
  return latent > 0 || query_latent > 0;
}

const kSinkDice = make_dice(2508);

/** A sink that each head learns; now and then with a mask after the softmax, which a note sets right. */
function add_sinks(add, mask_at, heads) {
  const is_on = kSinkDice.chance(30);
  const edit = [kSinkDice.below(heads), kSinkDice.one_of([0.5, -1, 2.25])];
  if (!is_on || (mask_at !== "before" && kSinkDice.chance(90))) return;
  add("sink_logits", 1);
  if (mask_at === "before") add("edit", `sink_logits[${edit[0]}]=${edit[1]}`);
}

const kNormDice = make_dice(2505);

/**
 * Norms of queries and keys, with an edited weight; now and then with a latent, which a note sets right. Not of heads of one number:
 * only its sign is left, and its gradient is nothing but rounding.
 */
function add_norms(add, keys, head_dim) {
  const is_on = kNormDice.chance(35);
  const edit = [
    kNormDice.one_of(["q_norm", "k_norm"]),
    kNormDice.below(head_dim),
    kNormDice.one_of([0.5, -1, 2.25, 0]),
  ];
  const has_latent = keys.some((key) => key.startsWith("latent"));
  if (!is_on || head_dim === 1 || (has_latent && kNormDice.chance(90))) return;
  add("qk_norm", 1);
  if (!has_latent) add("edit", `${edit[0]}[${edit[1]}]=${edit[2]}`);
}

const kCapDice = make_dice(2408);

/** Caps of scores and of logits, which count with the goal `next`: so low that they bend them, and Gemma 2's. */
function add_caps(add) {
  for (const key of ["score_cap", "logit_cap"]) {
    const [is_on, cap] = [kCapDice.chance(35), kCapDice.one_of([0.5, 1, 2.5, 50])];
    if (is_on) add(key, cap);
  }
}

/** Numbers that are turned alone, where there is a latent; now and then without it or odd, which a note sets right. */
function add_rope_dim(add, keys, pos, heads) {
  const own = kRopeDice.one_of([0, 2, 2, 4, 6, 3]);
  const cell = [kRopeDice.below(2), kRopeDice.below(2 * heads)];
  const value = kRopeDice.one_of([0.5, -1, 0]);
  const has_latent = keys.some((key) => key.startsWith("latent="));
  if (pos !== "rope" || own === 0 || (!has_latent && kRopeDice.chance(90))) return;
  add("rope_dim", own);
  if (value !== 0) add("edit", `w_query_rope[${cell}]=${value}`);
  if (value !== 0) add("edit", `w_key_rope[0,${cell[0]}]=${value}`);
}

/** A small state: every kind of number, size and setting; edits inside and outside of the tensors. */
export function random_link(dice) {
  const keys = [];
  const add = (key, value) => keys.push(`${key}=${encodeURIComponent(value)}`);
  const num_sentences = dice.chance(70) ? 1 : 2 + dice.below(2);
  for (let s = 0; s < num_sentences; s++) add("text", dice.one_of(kTexts));
  if (dice.chance(20)) add("tokens", "chars");
  const init = dice.one_of([
    "torch.linear",
    "torch.linear",
    "torch.rand",
    "torch.randn",
    "torch.randn",
    "identity",
    "none",
  ]);
  const heads = 1 + dice.below(4);
  const d_out = heads * (1 + dice.below(4));
  add("init", init);
  add("d_in", init === "none" ? d_out : 1 + dice.below(9));
  add("d_out", d_out);
  add("heads", heads);
  if (dice.chance(40)) add("kv_heads", 1 + dice.below(heads));
  if (dice.chance(30)) add("kv_from", "mean");
  const has_latents = add_latents(add, init, d_out);
  add("out", init === "none" ? 0 : dice.below(2));
  add("bias", init === "none" ? 0 : dice.below(2));
  add("embed", dice.one_of(["hash", "ngrams", "torch", "typed"]));
  const place = dice.one_of(["none", "sin", "rope", "rope", "alibi"]);
  // Not with torch.randn: scores so far apart leave rows without a weight where the mask comes after the softmax.
  const pos = place === "sin" && heads % 2 === 1 && init !== "torch.randn" ? "learned" : place;
  add("pos", pos);
  add_rope_dim(add, keys, pos, heads);
  if (pos === "rope" && dice.chance(50)) add("rope_pairs", "neighbours");
  if (pos === "rope" && dice.chance(40)) add("rope_base", dice.one_of([1, 100, 500000]));
  if (pos === "rope" && dice.chance(40)) add("pos_shift", dice.one_of([1, -3, 250]));
  for (let n = dice.below(3); n > 0; n--) add("x", random_rows(dice, dice.below(4), 1 + dice.below(5)));
  add("seed", random_seed(dice));
  add("embed_seed", random_seed(dice));
  add("mask", dice.one_of(["causal", "none"]));
  const window = dice.chance(40) ? 1 + dice.below(6) : 0;
  if (window > 0) add("mask_window", window);
  if (dice.chance(30)) add("mask_sinks", 1 + dice.below(3)); // without a window, or with too few tokens, a note
  const mask_at = dice.one_of(["before", "before", "after", "raw"]);
  add("mask_at", mask_at);
  add_sinks(add, mask_at, heads);
  add_caps(add);
  add_norms(add, keys, d_out / heads);
  // A softmax of all keys may leave the few in the window less than a float holds: divided by their sum, they are rounding. Two
  // products behind each other, as with latents, make scores that are large enough without a window.
  const scale = dice.one_of(["sqrt", "none", "dim"]);
  add("scale", (window > 0 || has_latents) && mask_at === "after" && scale === "none" ? "sqrt" : scale);
  if (dice.chance(30)) add("temperature", dice.one_of([0.5, 0.3, 2, 10]));
  if (dice.chance(40)) add("dropout", dice.one_of([0.1, 0.5, 0.25, 0.9]));
  add("dropout_seed", random_seed(dice));
  const tensors = ["w_query", "w_key", "w_value", "w_out", "b_query", "b_key", "b_value", "b_out"];
  for (let n = dice.below(5); n > 0; n--) {
    const tensor = dice.one_of([...tensors, "x", "queries", "keys", "values", "mask", "mask"]);
    const is_bias = tensor.startsWith("b_");
    const sentence = tensors.includes(tensor) || dice.chance(60) ? [] : [dice.below(num_sentences)];
    const cell = [...sentence, ...(is_bias ? [] : [dice.below(3)]), dice.below(4)];
    const rows = is_bias ? 1 : 1 + dice.below(3);
    const block =
      tensor === "mask"
        ? Array.from({ length: rows }, () => `${dice.below(2)},${dice.below(2)}`).join(";")
        : random_rows(dice, rows, 1 + dice.below(3));
    add("edit", `${tensor}[${cell.join(",")}]=${block}`);
  }
  add("sentence", 1 + dice.below(num_sentences));
  add("stage", dice.one_of(["embeddings", "queries", "scores", "weights", "context", "merged"]));
  if (dice.chance(60)) add("cell", `${1 + dice.below(heads)},${dice.below(3)},${dice.below(3)}`);
  return keys.join("&");
}

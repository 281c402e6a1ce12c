// GGUF files for tests: any settings and tensors, a tokenizer.json's tokens, and a folder of transformers as llama.cpp's
// convert_hf_to_gguf.py turns it into one file.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const kAlignment = 32;
const number = (size, write) => (value) => {
  const bytes = Buffer.alloc(size);
  bytes[write](value);
  return bytes;
};
const u32 = number(4, "writeUInt32LE");
const u64 = (value) => number(8, "writeBigUInt64LE")(BigInt(value));
const text = (value) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
};

/** By type: its number in the file, and how a value is written. */
const kTypes = {
  u32: [4, u32],
  i32: [5, number(4, "writeInt32LE")],
  f32: [6, number(4, "writeFloatLE")],
  flag: [7, (value) => Buffer.from([value ? 1 : 0])],
  text: [8, text],
};

/** [type, value], a list of one type as [type, values]. */
function value_bytes([type, value]) {
  const [id, write] = kTypes[type];
  if (!Array.isArray(value)) return Buffer.concat([u32(id), write(value)]);
  return Buffer.concat([u32(9), u32(id), u64(value.length), ...value.map(write)]);
}

const padding = (length) => Buffer.alloc((kAlignment - (length % kAlignment)) % kAlignment);

/**
 * The bytes of a file.
 * @param {Record<string, [string, any]>} settings
 * @param {{ name: string, shape: number[], type?: number, bytes: Buffer }[]} [tensors] the fastest side last; type 0 is F32
 */
export function gguf(settings, tensors = []) {
  const head = [Buffer.from("GGUF"), u32(3), u64(tensors.length), u64(Object.keys(settings).length)];
  for (const [key, value] of Object.entries(settings)) head.push(text(key), value_bytes(value));
  const data = [];
  let begin = 0;
  for (const { name, shape, type = 0, bytes } of tensors) {
    head.push(text(name), u32(shape.length), ...shape.toReversed().map(u64), u32(type), u64(begin));
    data.push(bytes, padding(bytes.length));
    begin += bytes.length + padding(bytes.length).length;
  }
  const before = Buffer.concat(head);
  return Buffer.concat([before, padding(before.length), ...data]);
}

const kType = { normal: 1, unknown: 2, control: 3, user_defined: 4, unused: 5, byte: 6 };

/**
 * The settings of a tokenizer.json of byte pairs or of BERT's.
 * @param {any} json
 * @param {{ pre?: string, add_bos?: boolean, bos?: number }} more `pre`: how it cuts words; without it SentencePiece's kind is meant
 */
export function tokenizer_settings(json, { pre, add_bos, bos } = {}) {
  const tokens = [];
  const types = [];
  const is_bert = json.model.type === "WordPiece";
  const is_pieces = !is_bert && pre === undefined;
  for (const [token, id] of Object.entries(json.model.vocab)) {
    const is_whole = /^\[.*\]$/.test(token) && token.length > 1;
    tokens[id] = !is_bert || is_whole ? token : token.startsWith("##") ? token.slice(2) : `\u2581${token}`;
    types[id] = is_pieces && /^<0x[0-9A-F]{2}>$/.test(token) ? kType.byte : kType.normal;
  }
  for (const { id, content, special } of json.added_tokens) {
    tokens[id] = content;
    const is_unknown = is_pieces && content === json.model.unk_token;
    types[id] = is_unknown ? kType.unknown : special ? kType.control : kType.user_defined;
  }
  for (let id = 0; id < tokens.length; ++id) {
    tokens[id] ??= `[PAD${id}]`;
    types[id] ??= kType.unused;
  }
  const settings = {
    "tokenizer.ggml.model": ["text", is_bert ? "bert" : is_pieces ? "llama" : "gpt2"],
    "tokenizer.ggml.tokens": ["text", tokens],
    "tokenizer.ggml.token_type": ["i32", types],
  };
  if (is_pieces) {
    // The earlier a merge makes a token, the better is its score.
    const ranks = new Map();
    for (const merge of json.model.merges) {
      const made = (Array.isArray(merge) ? merge : merge.split(" ")).join("");
      if (!ranks.has(made)) ranks.set(made, ranks.size);
    }
    settings["tokenizer.ggml.scores"] = ["f32", tokens.map((token) => -(ranks.get(token) ?? 1e6))];
  }
  if (pre !== undefined) {
    settings["tokenizer.ggml.pre"] = ["text", pre];
    const merges = json.model.merges.map((merge) => (Array.isArray(merge) ? merge.join(" ") : merge));
    settings["tokenizer.ggml.merges"] = ["text", merges];
  }
  if (bos !== undefined) settings["tokenizer.ggml.bos_token_id"] = ["u32", bos];
  if (add_bos !== undefined) settings["tokenizer.ggml.add_bos_token"] = ["flag", add_bos];
  return settings;
}

const kLlamaNames = [
  ["model.embed_tokens", "token_embd"],
  ["model.norm", "output_norm"],
  ["model.layers.", "blk."],
  ["input_layernorm", "attn_norm"],
  ["post_attention_layernorm", "ffn_norm"],
  ["self_attn.q_proj", "attn_q"],
  ["self_attn.k_proj", "attn_k"],
  ["self_attn.v_proj", "attn_v"],
  ["self_attn.o_proj", "attn_output"],
  ["mlp.gate_proj", "ffn_gate"],
  ["mlp.up_proj", "ffn_up"],
  ["mlp.down_proj", "ffn_down"],
];

/** The tensors of a safetensors file of F32, as [{ name, shape, bytes }]. @param {Buffer} file */
function tensors_of(file) {
  const end = 8 + Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.subarray(8, end).toString());
  return Object.entries(header).map(([name, { shape, data_offsets }]) => ({
    name,
    shape,
    bytes: file.subarray(end + data_offsets[0], end + data_offsets[1]),
  }));
}

/** Rows of both halves of a head in turns. */
function paired({ shape, bytes }, num_heads) {
  const row = bytes.length / shape[0];
  const head = shape[0] / num_heads;
  const from = (to) => to - (to % head) + (to % 2) * (head / 2) + Math.floor((to % head) / 2);
  return Buffer.concat(
    Array.from({ length: shape[0] }, (_, to) => bytes.subarray(from(to) * row, (from(to) + 1) * row)),
  );
}

/** The GGUF file of a folder that write_model (checkpoints.mjs) wrote as "llama". @param {string} folder */
export function llama_gguf(folder) {
  const read = (name) => readFileSync(join(folder, name));
  const config = JSON.parse(read("config.json").toString());
  const { num_attention_heads: heads, num_key_value_heads: kv_heads } = config;
  const tensors = tensors_of(read("model.safetensors")).map((tensor) => {
    const num_heads = tensor.name.includes("q_proj") ? heads : tensor.name.includes("k_proj") ? kv_heads : 0;
    const name = kLlamaNames.reduce((before, [from, to]) => before.replace(from, to), tensor.name);
    return { ...tensor, name, bytes: num_heads === 0 ? tensor.bytes : paired(tensor, num_heads) };
  });
  const settings = {
    "general.architecture": ["text", "llama"],
    "llama.context_length": ["u32", config.max_position_embeddings],
    "llama.embedding_length": ["u32", config.hidden_size],
    "llama.block_count": ["u32", config.num_hidden_layers],
    "llama.feed_forward_length": ["u32", config.intermediate_size],
    "llama.attention.head_count": ["u32", heads],
    "llama.attention.head_count_kv": ["u32", kv_heads],
    "llama.attention.layer_norm_rms_epsilon": ["f32", config.rms_norm_eps ?? 1e-6],
    "llama.rope.dimension_count": ["u32", config.hidden_size / heads],
    ...tokenizer_settings(JSON.parse(read("tokenizer.json").toString()), { pre: "gpt-2" }),
  };
  return gguf(settings, tensors);
}

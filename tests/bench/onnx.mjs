// Attention as an ONNX graph, for onnxruntime: the few messages of onnx.proto that it takes, written as protocol buffers.
// Knows nothing about the library. Field numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto

/** A message of protocol buffers: wire types 0 (whole numbers), 2 (bytes, text, messages) and 5 (float). */
class Message {
  parts = [];

  /** A whole number, negative ones as 64 bits. */
  whole(field, value) {
    return this.#add(varint((field << 3) | 0), varint(value));
  }
  float(field, value) {
    return this.#add(varint((field << 3) | 5), bytes_of(new Float32Array([value])));
  }
  bytes(field, value) {
    return this.#add(varint((field << 3) | 2), varint(value.length), value);
  }
  text(field, value) {
    return this.bytes(field, new TextEncoder().encode(value));
  }
  message(field, value) {
    return this.bytes(field, value.encoded());
  }
  encoded() {
    const result = new Uint8Array(this.parts.reduce((sum, part) => sum + part.length, 0));
    let end = 0;
    for (const part of this.parts) {
      result.set(part, end);
      end += part.length;
    }
    return result;
  }

  #add(...parts) {
    this.parts.push(...parts);
    return this;
  }
}

const bytes_of = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** Seven bits a byte, the lowest first; the top bit says that more follow. */
function varint(value) {
  const result = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    result.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Uint8Array.from(result);
}

const kFloat = 1; // TensorProto.DataType
const kInt64 = 7;
const kBool = 9;
const kAttributeFloat = 1; // AttributeProto.AttributeType
const kAttributeInt = 2;
const kAttributeText = 3;
const kAttributeInts = 7;

/** AttributeProto: a list is whole numbers, { float } a float, text is text, a number a whole number. */
function attribute(name, value) {
  const message = new Message().text(1, name);
  if (Array.isArray(value)) {
    for (const one of value) message.whole(8, one);
    return message.whole(20, kAttributeInts);
  }
  if (typeof value === "string") return message.text(4, value).whole(20, kAttributeText);
  if (typeof value === "object") return message.float(2, value.float).whole(20, kAttributeFloat);
  return message.whole(3, value).whole(20, kAttributeInt);
}

/** NodeProto. An output without a name is one that is not wanted. */
function node(operator, inputs, outputs, attributes = {}) {
  const message = new Message();
  for (const name of inputs) message.text(1, name);
  for (const name of outputs) message.text(2, name);
  message.text(4, operator);
  for (const [name, value] of Object.entries(attributes)) message.message(5, attribute(name, value));
  return message;
}

/** TensorProto from a Float32Array or a BigInt64Array. */
function tensor(name, dims, data) {
  const message = new Message();
  for (const dim of dims) message.whole(1, dim);
  message.whole(2, data instanceof Float32Array ? kFloat : kInt64);
  return message.text(8, name).bytes(9, bytes_of(data));
}

/** ValueInfoProto; a size that only a run tells has a name. */
function value_info(name, dims, type = kFloat) {
  const dimensions = new Message();
  for (const dim of dims)
    dimensions.message(1, typeof dim === "string" ? new Message().text(2, dim) : new Message().whole(1, dim));
  const tensor_type = new Message().whole(1, type).message(2, dimensions);
  return new Message().text(1, name).message(2, new Message().message(1, tensor_type));
}

/** ModelProto with its GraphProto. */
function model(opset, { nodes, constants, inputs, outputs }) {
  const graph = new Message();
  for (const one of nodes) graph.message(1, one);
  graph.text(2, "attention");
  for (const one of constants) graph.message(5, one);
  for (const one of inputs) graph.message(11, one);
  for (const one of outputs) graph.message(12, one);
  const operators = new Message().text(1, "").whole(2, opset);
  return new Message()
    .whole(1, opset >= 23 ? 11 : 8) // the oldest file format that knows the operators
    .message(7, graph)
    .message(8, operators)
    .encoded();
}

const projections = [node("MatMul", ["x", "w_query"], ["query"])].concat([
  node("MatMul", ["x", "w_key"], ["key"]),
  node("MatMul", ["x", "w_value"], ["value"]),
]);

/** The three matrices as constants: the library may arrange them in advance. */
function matrices({ d_in, d_out, w_query, w_key, w_value }) {
  const matrix = (name, data) => tensor(name, [d_in, d_out], data);
  return [matrix("w_query", w_query), matrix("w_key", w_key), matrix("w_value", w_value)];
}

/** From x (T, d_in) to context (T, d_out) and, if wanted, weights (num_heads, T, T), in plain operators. */
export function plain_graph(problem, with_weights) {
  const { num_tokens: T, d_in, d_out, num_heads } = problem;
  const head_dim = d_out / num_heads;
  const mask = new Float32Array(T * T);
  for (let i = 0; i < T; ++i) mask.fill(-Infinity, i * T + i + 1, (i + 1) * T);
  const whole_numbers = (...values) => BigInt64Array.from(values, BigInt);
  const split = (name, perm) => [
    node("Reshape", [name, "split_shape"], [`${name}_split`]),
    node("Transpose", [`${name}_split`], [`${name}_heads`], { perm }),
  ];
  return model(17, {
    nodes: [
      ...projections,
      ...split("query", [1, 0, 2]),
      ...split("key", [1, 2, 0]), // transposed as well
      ...split("value", [1, 0, 2]),
      node("MatMul", ["query_heads", "key_heads"], ["scores"]),
      node("Mul", ["scores", "scale"], ["scaled_scores"]),
      node("Add", ["scaled_scores", "mask"], ["masked_scores"]),
      node("Softmax", ["masked_scores"], ["weights"], { axis: -1 }),
      node("MatMul", ["weights", "value_heads"], ["context_heads"]),
      node("Transpose", ["context_heads"], ["context_split"], { perm: [1, 0, 2] }),
      node("Reshape", ["context_split", "merged_shape"], ["context"]),
    ],
    constants: [
      ...matrices(problem),
      tensor("split_shape", [3], whole_numbers(T, num_heads, head_dim)),
      tensor("merged_shape", [2], whole_numbers(T, d_out)),
      tensor("scale", [], new Float32Array([1 / Math.sqrt(head_dim)])),
      tensor("mask", [T, T], mask),
    ],
    inputs: [value_info("x", [T, d_in])],
    outputs: [value_info("context", [T, d_out])].concat(with_weights ? [value_info("weights", [num_heads, T, T])] : []),
  });
}

/** The same with the operator Attention of opset 23, whose tensors have a batch axis in front. */
export function attention_graph(problem, with_weights) {
  const { num_tokens: T, d_in, d_out, num_heads } = problem;
  const kAfterSoftmax = 3; // what the fourth output holds
  const attributes = {
    is_causal: 1,
    q_num_heads: num_heads,
    kv_num_heads: num_heads,
    scale: { float: 1 / Math.sqrt(d_out / num_heads) },
    ...(with_weights ? { qk_matmul_output_mode: kAfterSoftmax } : {}),
  };
  const results = with_weights ? ["context", "", "", "weights"] : ["context"];
  return model(23, {
    nodes: [...projections, node("Attention", ["query", "key", "value"], results, attributes)],
    constants: matrices(problem),
    inputs: [value_info("x", [1, T, d_in])],
    outputs: [value_info("context", [1, T, d_out])].concat(
      with_weights ? [value_info("weights", [1, num_heads, T, T])] : [],
    ),
  });
}

const kDecodeOutputs = ["context", "present_key", "present_value"];

/** Inputs and outputs of a decode step: one token, and the keys and values of `past` tokens before it. */
function decode_values({ d_in, d_out, num_heads }, past, batch) {
  const kept = (name, length) => value_info(name, [...batch, num_heads, length, d_out / num_heads]);
  return {
    inputs: [value_info("x", [...batch, 1, d_in]), kept("past_key", past), kept("past_value", past)],
    outputs: [
      value_info("context", [...batch, 1, d_out]),
      kept("present_key", past + 1),
      kept("present_value", past + 1),
    ],
  };
}

/** One token after `past` others in plain operators, with an output projection w_out: keys and values are joined to the past. */
export function plain_decode_graph(problem, past) {
  const { d_in, d_out, num_heads, w_out } = problem;
  const head_dim = d_out / num_heads;
  const whole_numbers = (...values) => BigInt64Array.from(values, BigInt);
  const cut = (name) => node("Reshape", [name, "cut_shape"], [`${name}_head`]); // (1, d_out) to (heads, 1, head_dim)
  return model(17, {
    nodes: [
      ...projections,
      ...["query", "key", "value"].map(cut),
      node("Concat", ["past_key", "key_head"], ["present_key"], { axis: 1 }),
      node("Concat", ["past_value", "value_head"], ["present_value"], { axis: 1 }),
      node("Transpose", ["present_key"], ["turned_key"], { perm: [0, 2, 1] }),
      node("MatMul", ["query_head", "turned_key"], ["scores"]),
      node("Mul", ["scores", "scale"], ["scaled_scores"]),
      node("Softmax", ["scaled_scores"], ["weights"], { axis: -1 }),
      node("MatMul", ["weights", "present_value"], ["context_head"]),
      node("Reshape", ["context_head", "row_shape"], ["merged"]),
      node("MatMul", ["merged", "w_out"], ["context"]),
    ],
    constants: [
      ...matrices(problem),
      tensor("w_out", [d_out, d_out], w_out),
      tensor("cut_shape", [3], whole_numbers(num_heads, 1, head_dim)),
      tensor("row_shape", [2], whole_numbers(1, d_out)),
      tensor("scale", [], new Float32Array([1 / Math.sqrt(head_dim)])),
    ],
    ...decode_values(problem, past, []),
  });
}

/** The same with the operator Attention of opset 23, which takes the past. */
export function attention_decode_graph(problem, past) {
  const { d_out, num_heads, w_out } = problem;
  const attributes = {
    q_num_heads: num_heads,
    kv_num_heads: num_heads,
    scale: { float: 1 / Math.sqrt(d_out / num_heads) },
  };
  const taken = ["query", "key", "value", "", "past_key", "past_value"];
  return model(23, {
    nodes: [
      ...projections,
      node("Attention", taken, ["merged", ...kDecodeOutputs.slice(1)], attributes),
      node("MatMul", ["merged", "w_out"], ["context"]),
    ],
    constants: [...matrices(problem), tensor("w_out", [d_out, d_out], w_out)],
    ...decode_values(problem, past, [1]),
  });
}

/**
 * What both graphs of GPT-2 are written with. Tokens are rows, so that the library may join a product with its bias. weights_of(name)
 * gives a tensor by its name in the model's file.
 */
class Gpt2Writer {
  nodes = [];
  constants = [];

  constructor({ width, num_heads, mlp }, weights_of) {
    Object.assign(this, { width, num_heads, mlp, weights_of });
    const head_dim = width / num_heads;
    this.numbers("split_shape", [4], [1, -1, num_heads, head_dim]);
    this.numbers("merged_shape", [2], [-1, width]);
    this.constants.push(tensor("scale", [], new Float32Array([1 / Math.sqrt(head_dim)])));
  }

  add(...of_node) {
    this.nodes.push(node(...of_node));
  }

  /** A constant of whole numbers. */
  numbers(name, dims, values) {
    this.constants.push(tensor(name, dims, BigInt64Array.from(values, BigInt)));
  }

  /** A tensor of the model's file. */
  constant(name, dims) {
    this.constants.push(tensor(name, dims, this.weights_of(name)));
    return name;
  }

  norm(name, from, to) {
    const taken = [from, this.constant(`${name}.weight`, [this.width]), this.constant(`${name}.bias`, [this.width])];
    this.add("LayerNormalization", taken, [to], { axis: -1, epsilon: { float: 1e-5 } });
  }

  linear(name, dims, from, to) {
    this.add("MatMul", [from, this.constant(`${name}.weight`, dims)], [`${to}_product`]);
    this.add("Add", [`${to}_product`, this.constant(`${name}.bias`, [dims[1]])], [to]);
  }

  /** From the stream to what a layer's attention adds to it. keys_of and values_of name what the queries meet, given the new ones. */
  attention(layer, stream, to, { keys_of, values_of }) {
    const { width } = this;
    const at = (name) => `h.${layer}/${name}`;
    this.norm(`h.${layer}.ln_1`, stream, at("normed"));
    this.linear(`h.${layer}.attn.c_attn`, [width, 3 * width], at("normed"), at("all"));
    this.add("Split", [at("all")], ["query", "key", "value"].map(at), { axis: 1, num_outputs: 3 });
    for (const name of ["query", "key", "value"]) {
      this.add("Reshape", [at(name), "split_shape"], [at(`${name}_split`)]);
      this.add("Transpose", [at(`${name}_split`)], [at(`${name}_heads`)], { perm: [0, 2, 1, 3] });
    }
    this.add("Transpose", [keys_of(at("key_heads"))], [at("turned_keys")], { perm: [0, 1, 3, 2] });
    this.add("MatMul", [at("query_heads"), at("turned_keys")], [at("scores")]);
    this.add("Mul", [at("scores"), "scale"], [at("scaled_scores")]);
    this.add("Add", [at("scaled_scores"), "mask"], [at("masked_scores")]);
    this.add("Softmax", [at("masked_scores")], [at("weights")], { axis: -1 });
    this.add("MatMul", [at("weights"), values_of(at("value_heads"))], [at("context_heads")]);
    this.add("Transpose", [at("context_heads")], [at("context_split")], { perm: [0, 2, 1, 3] });
    this.add("Reshape", [at("context_split"), "merged_shape"], [at("context")]);
    this.linear(`h.${layer}.attn.c_proj`, [width, width], at("context"), to);
  }

  /** The rest of a layer. Gives the name of the stream after it. */
  after_attention(layer, stream, added) {
    const at = (name) => `h.${layer}/${name}`;
    this.add("Add", [stream, added], [at("middle")]);
    this.norm(`h.${layer}.ln_2`, at("middle"), at("mlp_input"));
    this.linear(`h.${layer}.mlp.c_fc`, [this.width, this.mlp], at("mlp_input"), at("mlp_sums"));
    this.add("Gelu", [at("mlp_sums")], [at("mlp_hidden")], { approximate: "tanh" });
    this.linear(`h.${layer}.mlp.c_proj`, [this.mlp, this.width], at("mlp_hidden"), at("mlp_added"));
    this.add("Add", [at("middle"), at("mlp_added")], [at("after")]);
    return at("after");
  }

  model(values) {
    return model(20, { nodes: this.nodes, constants: this.constants, ...values });
  }
}

/**
 * GPT-2's layers up to the output projection of the last one's attention, as one exports the model: from x (T, width), token vectors
 * and positions added, to output (T, width).
 */
export function gpt2_graph(shape, weights_of) {
  const { num_tokens: T, width, num_layers } = shape;
  const writer = new Gpt2Writer(shape, weights_of);
  const mask = new Float32Array(T * T);
  for (let i = 0; i < T; ++i) mask.fill(-Infinity, i * T + i + 1, (i + 1) * T);
  writer.constants.push(tensor("mask", [T, T], mask));
  const met = { keys_of: (keys) => keys, values_of: (values) => values };
  let stream = "x";
  for (let layer = 0; layer < num_layers - 1; ++layer) {
    writer.attention(layer, stream, `h.${layer}/output`, met);
    stream = writer.after_attention(layer, stream, `h.${layer}/output`);
  }
  writer.attention(num_layers - 1, stream, "output", met);
  return writer.model({ inputs: [value_info("x", [T, width])], outputs: [value_info("output", [T, width])] });
}

/**
 * The whole GPT-2 with the keys and values of tokens before, under the names that transformers.js knows. num_logits_to_keep (0: all)
 * says how many tokens, from the end, have logits; they are made with the matrix of the token vectors.
 */
export function gpt2_decoder_graph(shape, weights_of) {
  const { width, num_layers, num_heads, num_positions, vocabulary } = shape;
  const writer = new Gpt2Writer(shape, weights_of);
  writer.numbers("minus_one", [1], [-1]);
  writer.numbers("column_shape", [2], [-1, 1]);
  writer.numbers("zero", [], [0]);
  writer.numbers("one", [], [1]);
  writer.numbers("first_axis", [1], [0]);
  writer.numbers("far_end", [1], [2n ** 62n]);
  writer.constants.push(tensor("nothing", [], new Float32Array([0])));
  writer.constants.push(tensor("hidden", [], new Float32Array([-Infinity])));

  writer.add("Reshape", ["input_ids", "minus_one"], ["ids"]);
  writer.add("Reshape", ["position_ids", "minus_one"], ["places"]);
  writer.add("Gather", [writer.constant("wte.weight", [vocabulary, width]), "ids"], ["token_vectors"]);
  writer.add("Gather", [writer.constant("wpe.weight", [num_positions, width]), "places"], ["position_vectors"]);
  writer.add("Add", ["token_vectors", "position_vectors"], ["x"]);

  // A token sees those at its place and before that the attention mask does not hide.
  writer.add("Shape", ["attention_mask"], ["mask_shape"]);
  writer.add("Gather", ["mask_shape", "one"], ["num_keys"]);
  writer.add("Range", ["zero", "num_keys", "one"], ["key_places"]);
  writer.add("Reshape", ["places", "column_shape"], ["query_places"]);
  writer.add("LessOrEqual", ["key_places", "query_places"], ["is_before"]);
  writer.add("Cast", ["attention_mask"], ["is_there"], { to: kBool });
  writer.add("And", ["is_before", "is_there"], ["is_seen"]);
  writer.add("Where", ["is_seen", "nothing", "hidden"], ["mask"]);

  const kept = [];
  const present = [];
  let stream = "x";
  for (let layer = 0; layer < num_layers; ++layer) {
    const joined = (part) => (name) => {
      const [past, whole] = [`past_key_values.${layer}.${part}`, `present.${layer}.${part}`];
      kept.push(value_info(past, [1, num_heads, "past_length", width / num_heads]));
      present.push(value_info(whole, [1, num_heads, "length", width / num_heads]));
      writer.add("Concat", [past, name], [whole], { axis: 2 });
      return whole;
    };
    const added = `h.${layer}/output`;
    writer.attention(layer, stream, added, { keys_of: joined("key"), values_of: joined("value") });
    stream = writer.after_attention(layer, stream, added);
  }
  writer.add("Neg", ["num_logits_to_keep"], ["minus_kept"]);
  writer.add("Reshape", ["minus_kept", "minus_one"], ["first_kept"]);
  writer.add("Slice", [stream, "first_kept", "far_end", "first_axis"], ["kept_stream"]);
  writer.norm("ln_f", "kept_stream", "final_stream");
  writer.add("Gemm", ["final_stream", "wte.weight"], ["kept_logits"], { transB: 1 });
  writer.add("Unsqueeze", ["kept_logits", "first_axis"], ["logits"]);
  return writer.model({
    inputs: [
      value_info("input_ids", [1, "new_length"], kInt64),
      value_info("attention_mask", [1, "length"], kInt64),
      value_info("position_ids", [1, "new_length"], kInt64),
      value_info("num_logits_to_keep", [], kInt64),
      ...kept,
    ],
    outputs: [value_info("logits", [1, "kept_length", vocabulary]), ...present],
  });
}

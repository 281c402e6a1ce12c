// A safetensors file as torch.save writes its tensors: an archive with a pickle of one dictionary, and a storage for each tensor.
const kStorages = { F32: "Float", F16: "Half", BF16: "BFloat16" };

const little = (number, size) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(number));
  return bytes.subarray(0, size);
};
const text = (string) => Buffer.concat([Buffer.from("X"), little(Buffer.byteLength(string), 4), Buffer.from(string)]);
const whole = (number) => Buffer.concat([Buffer.from([0x8a, 8]), little(number, 8)]);
const tuple = (items) => Buffer.concat([Buffer.from("("), ...items, Buffer.from("t")]);

function tensor(key, type, shape) {
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, size) => product * size, 1));
  const count = shape.reduce((product, size) => product * size, 1);
  const storage = Buffer.from(`ctorch\n${kStorages[type]}Storage\n`);
  return Buffer.concat([
    Buffer.from("ctorch._utils\n_rebuild_tensor_v2\n("),
    tuple([text("storage"), storage, text(String(key)), text("cpu"), whole(count)]),
    Buffer.from("Q"),
    whole(0),
    tuple(shape.map(whole)),
    tuple(strides.map(whole)),
    Buffer.from("\x89ccollections\nOrderedDict\n)RtR", "latin1"),
  ]);
}

function stored_zip(entries) {
  const parts = [];
  const list = [];
  let at = 0;
  for (const [name, bytes] of entries) {
    const sizes = Buffer.concat([
      little(0, 4),
      little(bytes.length, 4),
      little(bytes.length, 4),
      little(name.length, 2),
      little(0, 2),
    ]);
    const head = Buffer.concat([Buffer.from("PK\x03\x04"), little(20, 2), little(0, 8), sizes, Buffer.from(name)]);
    const entry = [Buffer.from("PK\x01\x02"), little(20, 2), little(20, 2), little(0, 8), sizes];
    list.push(...entry, Buffer.alloc(10), little(at, 4), Buffer.from(name));
    parts.push(head, bytes);
    at += head.length + bytes.length;
  }
  const contents = Buffer.concat(list);
  const counts = [little(entries.length, 2), little(entries.length, 2), little(contents.length, 4), little(at, 4)];
  return Buffer.concat([...parts, contents, Buffer.from("PK\x05\x06"), little(0, 4), ...counts, little(0, 2)]);
}

/** @param {Buffer} safetensors */
export function torch_file(safetensors) {
  const length = Number(safetensors.readBigUInt64LE(0));
  const header = JSON.parse(safetensors.subarray(8, 8 + length).toString());
  delete header.__metadata__;
  const numbers = safetensors.subarray(8 + length);
  const pickle = [Buffer.from([0x80, 2]), Buffer.from("}(")];
  const entries = [];
  Object.entries(header).forEach(([name, { dtype, shape, data_offsets }], key) => {
    pickle.push(text(name), tensor(key, dtype, shape));
    entries.push([`model/data/${key}`, numbers.subarray(...data_offsets)]);
  });
  pickle.push(Buffer.from("u."));
  return stored_zip([["model/data.pkl", Buffer.concat(pickle)], ...entries, ["model/version", Buffer.from("3\n")]]);
}

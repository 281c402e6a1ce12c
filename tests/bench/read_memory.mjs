// How fast WebAssembly reads memory: a loop of SIMD loads, written by hand, over as many bytes as what is measured reads.

const kPage = 65_536;
const kI32 = 0x7f, kF32 = 0x7d, kV128 = 0x7b; // prettier-ignore

/** Unsigned LEB128. */
function whole(value) {
  const bytes = [];
  do {
    bytes.push((value & 127) | (value > 127 ? 128 : 0));
    value >>>= 7;
  } while (value > 0);
  return bytes;
}
const section = (id, ...bytes) => [id, ...whole(bytes.length), ...bytes];

/** sum(first, end) adds four floats at a time into four sums: loads wait for nothing but memory. */
function module_bytes(pages) {
  const get = (local) => [0x20, local];
  const set = (local) => [0x21, local];
  const load = (offset) => [...get(0), 0xfd, 0x00, 4, offset];
  const add = [0xfd, 0xe4, 0x01];
  const code = [
    ...[1, 4, kV128], // four locals, 2 to 5
    ...[0x03, 0x40], // loop
    ...[0, 1, 2, 3].flatMap((k) => [...get(2 + k), ...load(16 * k), ...add, ...set(2 + k)]),
    ...[...get(0), 0x41, ...[0xc0, 0x00], 0x6a, 0x22, 0], // first += 64
    ...[...get(1), 0x49, 0x0d, 0, 0x0b], // while first < end
    ...[...get(2), ...get(3), ...add, ...get(4), ...get(5), ...add, ...add, 0xfd, 0x1f, 0, 0x0b],
  ];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 2, kI32, kI32, 1, kF32),
    ...section(3, 1, 0),
    ...section(5, 1, 0, ...whole(pages)),
    ...section(7, 2, 3, 0x73, 0x75, 0x6d, 0, 0, 3, 0x6d, 0x65, 0x6d, 2, 0), // "sum", "mem"
    ...section(10, 1, ...whole(code.length), ...code),
  ]);
}

/** A function that reads that many bytes, once through. */
export async function reader(bytes) {
  const pages = Math.ceil(bytes / kPage) + 1;
  const { instance } = await WebAssembly.instantiate(module_bytes(pages));
  new Float32Array(instance.exports.mem.buffer).fill(1); // pages that nobody wrote to are all the same page
  const end = Math.ceil(bytes / 64) * 64;
  return () => instance.exports.sum(0, end);
}

// Models in ZIP archives: one that Python's zipfile wrote, and those that were changed, cut or made to do harm.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { files_in_zip } from "../../web/zip_folder.js";

// "my model/" with config.json (deflated), model.safetensors (stored, its local header with sizes of 64 bits) and README.md, and a
// resource fork of config.json under __MACOSX/; with a comment.
const kOfPython = Buffer.from(
  "UEsDBBQAAAAAAAAAIQAAAAAAAAAAAAAAAAAJAAAAbXkgbW9kZWwvUEsDBBQAAAAIAAAAIQAVmDwdDAAAAIwAAAAUAAAAbXkgbW9kZWwvY29uZmlnLmpzb26rVkpUsjKsrR4MFABQSwMELQAAAAAAAAAhADwupg3//////////xoAFABteSBtb2RlbC9tb2RlbC5zYWZldGVuc29ycwEAEAAoAAAAAAAAACgAAAAAAAAAAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJ1BLAwQUAAAAAAAAACEAgxbcjAEAAAABAAAAHwAAAF9fTUFDT1NYL215IG1vZGVsLy5fY29uZmlnLmpzb254UEsDBBQAAAAAAAAAIQCDFtyMAQAAAAEAAAASAAAAbXkgbW9kZWwvUkVBRE1FLm1keFBLAQIUAxQAAAAAAAAAIQAAAAAAAAAAAAAAAAAJAAAAAAAAAAAAAACAAQAAAABteSBtb2RlbC9QSwECFAMUAAAACAAAACEAFZg8HQwAAACMAAAAFAAAAAAAAAAAAAAAgAEnAAAAbXkgbW9kZWwvY29uZmlnLmpzb25QSwECLQMtAAAAAAAAACEAPC6mDSgAAAAoAAAAGgAAAAAAAAAAAAAAgAFlAAAAbXkgbW9kZWwvbW9kZWwuc2FmZXRlbnNvcnNQSwECFAMUAAAAAAAAACEAgxbcjAEAAAABAAAAHwAAAAAAAAAAAAAAgAHZAAAAX19NQUNPU1gvbXkgbW9kZWwvLl9jb25maWcuanNvblBLAQIUAxQAAAAAAAAAIQCDFtyMAQAAAAEAAAASAAAAAAAAAAAAAACAARcBAABteSBtb2RlbC9SRUFETUUubWRQSwUGAAAAAAUABQBOAQAASAEAAAkAYSBjb21tZW50",
  "base64",
);
const is_wanted = (name) => name.endsWith("config.json") || name.endsWith(".safetensors");
const in_zip = (bytes, name = "model.zip") => files_in_zip(new File([bytes], name), is_wanted);

const number = (value, bytes) => {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value));
  else buffer.writeUIntLE(value, 0, bytes);
  return buffer;
};

/** An archive with one entry, "a/config.json". Sizes of 64 bits where `is_long`. */
function archive({ data, packed = data, method = 0, flags = 0, size = data.length, is_long = false }) {
  const name = Buffer.from("a/config.json");
  const short = (value) => number(is_long ? 0xffffffff : value, 4);
  const local = [number(0x04034b50, 4), number(45, 2), number(flags, 2), number(method, 2), Buffer.alloc(8)];
  const first = Buffer.concat([...local, Buffer.alloc(8), number(name.length, 2), number(0, 2), name, packed]);
  const extra = is_long
    ? Buffer.concat([number(1, 2), number(24, 2), number(size, 8), number(packed.length, 8), number(0, 8)])
    : Buffer.alloc(0);
  const entry = Buffer.concat([
    ...[number(0x02014b50, 4), number(45, 2), number(45, 2), number(flags, 2), number(method, 2), Buffer.alloc(8)],
    ...[short(packed.length), short(size), number(name.length, 2), number(extra.length, 2)],
    ...[Buffer.alloc(10), short(0), name, extra],
  ]);
  const end64 = Buffer.concat([
    ...[number(0x06064b50, 4), number(44, 8), Buffer.alloc(12), number(1, 8), number(1, 8)],
    ...[number(entry.length, 8), number(first.length, 8)],
  ]);
  const locator = Buffer.concat([
    number(0x07064b50, 4),
    number(0, 4),
    number(first.length + entry.length, 8),
    number(1, 4),
  ]);
  const long = is_long ? [end64, locator] : [];
  const counts = [Buffer.alloc(4), number(1, 2), number(1, 2)];
  const end = [number(0x06054b50, 4), ...counts, short(entry.length), short(first.length), number(0, 2)];
  return Buffer.concat([first, entry, ...long, ...end]);
}

test("the files of a folder come out of an archive, stored or deflated, and others stay inside", async () => {
  const files = await in_zip(kOfPython);
  assert.deepEqual(
    files.map(({ name }) => name),
    ["config.json", "model.safetensors"],
  );
  assert.equal(await files[0].text(), '{"a":1}'.repeat(20));
  assert.deepEqual(
    [...new Uint8Array(await files[1].arrayBuffer())],
    Array.from({ length: 40 }, (_, i) => i),
  );
});

test("sizes of 64 bits are read", async () => {
  const data = Buffer.from("0123456789".repeat(50));
  const [file] = await in_zip(archive({ data, packed: deflateRawSync(data), method: 8, is_long: true }));
  assert.equal(await file.text(), data.toString());
});

test("what is no archive has no files", async () => {
  for (const bytes of ["", "PK", Buffer.alloc(70000), '{"a": 1}']) assert.deepEqual(await in_zip(bytes), []);
});

test("encrypted, packed otherwise, longer than it says, damaged: a sentence", async () => {
  const data = Buffer.from("x".repeat(1000));
  const packed = deflateRawSync(data);
  for (const [bytes, sentence] of [
    [archive({ data, flags: 1 }), '"a/config.json" in model.zip is encrypted: unpack the archive first.'],
    [
      archive({ data, method: 12 }),
      '"a/config.json" in model.zip is packed in a way that is not read here: unpack the archive first.',
    ],
    ...[999, 1001].map((size) => [
      archive({ data, packed, method: 8, size }),
      '"a/config.json" in model.zip is damaged, and cannot be unpacked.',
    ]),
    [
      archive({ data, packed: Buffer.from("no deflated bytes"), method: 8 }),
      '"a/config.json" in model.zip is damaged, and cannot be unpacked.',
    ],
  ])
    await assert.rejects(in_zip(bytes), { message: sentence });
});

test("an archive that is cut or changed anywhere gives files or a sentence", async () => {
  for (let cut = 1; cut < kOfPython.length; ++cut) {
    const files = await in_zip(kOfPython.subarray(cut)).catch((error) => error);
    assert.ok(Array.isArray(files) || /damaged/.test(files.message), `${cut}: ${files.message}`);
  }
  for (let at = 0; at < kOfPython.length; ++at) {
    const changed = Buffer.from(kOfPython);
    changed[at] ^= 1 << (at % 8);
    const files = await in_zip(changed).catch((error) => error);
    const is_told = /damaged|encrypted|not read here/.test(files.message ?? "");
    assert.ok(Array.isArray(files) || is_told, `${at}: ${files.message}`);
  }
});

// Writes a ZIP archive: the same bytes for the same files, packed by the browser. The format: PKWARE's APPNOTE 6.3, without 64-bit sizes.
import { crc32 } from "./hand_in.js";

/** @typedef {{ name: string, bytes: Uint8Array<ArrayBuffer> }} ArchiveFile */

const kLocal = 0x04034b50; // signatures
const kEntry = 0x02014b50;
const kEnd = 0x06054b50;
const kNeeds = 20; // version 2.0: deflated files
const kDeflated = 8;
const kFirstDay = 0x21; // 1 January 1980, as no archive of these tells when it was made

/** @param {number[]} numbers of two bytes @returns {[number, 2 | 4][]} */
const shorts = (...numbers) => numbers.map((number) => [number, 2]);
/** @param {number[]} numbers of four bytes @returns {[number, 2 | 4][]} */
const longs = (...numbers) => numbers.map((number) => [number, 4]);

/** Numbers of two or four bytes, the lowest first. @param {[number, 2 | 4][]} numbers */
function written(...numbers) {
  const bytes = new Uint8Array(numbers.reduce((sum, [, size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [number, size] of numbers) {
    if (size === 2) view.setUint16(at, number, true);
    else view.setUint32(at, number, true);
    at += size;
  }
  return bytes;
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function deflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * The files in the order of their names.
 * @param {ArchiveFile[]} files each less than 4 GiB; names of ASCII, "/" between folders
 */
export async function zip_of(files) {
  const parts = [];
  const list = [];
  let at = 0;
  for (const { name, bytes } of [...files].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const letters = new TextEncoder().encode(name);
    const packed = await deflated(bytes);
    const common = [
      ...shorts(kNeeds, 0, kDeflated, 0, kFirstDay),
      ...longs(crc32(bytes), packed.length, bytes.length),
      ...shorts(letters.length, 0),
    ];
    const local = [written(...longs(kLocal), ...common), letters, packed];
    list.push(written(...longs(kEntry), ...shorts(kNeeds), ...common, ...shorts(0, 0, 0), ...longs(0, at)), letters);
    parts.push(...local);
    at += size_of(local);
  }
  const count = files.length;
  const end = written(...longs(kEnd), ...shorts(0, 0, count, count), ...longs(size_of(list), at), ...shorts(0));
  return joined([...parts, ...list, end]);
}

/** @param {Uint8Array[]} parts */
const size_of = (parts) => parts.reduce((sum, part) => sum + part.length, 0);

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const all = new Uint8Array(size_of(parts));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

// The files in a ZIP archive, as those of a folder. Only the list of the archive is read; what was stored as it is stays a part of the
// archive's file, the rest is unpacked by the browser. The format: PKWARE's APPNOTE 6.3, with its 64-bit sizes.

const kEnd = 0x06054b50; // signatures
const kEnd64 = 0x06064b50;
const kLocator64 = 0x07064b50;
const kEntry = 0x02014b50;
const kLocal = 0x04034b50;
const kEndBytes = 22;
const kLongestComment = 0xffff;
const kLocatorBytes = 20;
const kEntryBytes = 46;
const kLocalBytes = 30;
const kOf64Bits = 0xffffffff; // the number is in the extra field
const kMaxList = 2 ** 24; // bytes of the archive's list
const kStored = 0;
const kDeflated = 8;

/** @typedef {{ name: string, method: number, is_secret: boolean, packed: number, size: number, at: number }} Entry */

/**
 * The files whose last name `is_wanted`; none for a file that is no ZIP archive. Rejects with a sentence.
 * @param {File} file
 * @param {(name: string) => boolean} is_wanted
 * @returns {Promise<File[]>}
 */
export async function files_in_zip(file, is_wanted) {
  const entries = await list(file);
  const files = [];
  for (const entry of entries) {
    const name = entry.name.slice(entry.name.lastIndexOf("/") + 1);
    if (!is_wanted(name) || entry.name.startsWith("__MACOSX/")) continue;
    files.push(new File([await content(file, entry)], name));
  }
  return files;
}

/** @param {Blob} part */
const view_of = async (part) => new DataView(await part.arrayBuffer());

/** @param {File} file @param {string} why */
const refusal = (file, why) => new Error(`${file.name} ${why}`);

/** @param {File} file */
const damaged = (file) => refusal(file, "is cut or damaged: the list of its files cannot be read.");

/** A number of 64 bits; beyond 2^53 no file reaches. @param {DataView} view @param {number} at */
const long = (view, at) => Number(view.getBigUint64(at, true));

/** @param {File} file @returns {Promise<Entry[]>} */
async function list(file) {
  const tail_at = Math.max(0, file.size - kEndBytes - kLongestComment);
  const tail = await view_of(file.slice(tail_at));
  let end = tail.byteLength - kEndBytes;
  while (end >= 0 && tail.getUint32(end, true) !== kEnd) --end;
  if (end < 0) return [];
  let size = tail.getUint32(end + 12, true);
  let at = tail.getUint32(end + 16, true);
  const locator = end - kLocatorBytes;
  if (locator >= 0 && tail.getUint32(locator, true) === kLocator64) {
    const end64_at = long(tail, locator + 8);
    const end64 = await view_of(file.slice(end64_at, end64_at + 56));
    if (end64.byteLength < 56 || end64.getUint32(0, true) !== kEnd64) throw damaged(file);
    size = long(end64, 40);
    at = long(end64, 48);
  }
  if (size > kMaxList || at + size > file.size) throw damaged(file);
  return entries_of(file, await view_of(file.slice(at, at + size)));
}

/** @param {File} file @param {DataView} view the archive's list @returns {Entry[]} */
function entries_of(file, view) {
  const entries = [];
  for (let at = 0; at + kEntryBytes <= view.byteLength;) {
    if (view.getUint32(at, true) !== kEntry) throw damaged(file);
    const [name_bytes, extra_bytes, comment_bytes] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const after = at + kEntryBytes + name_bytes + extra_bytes + comment_bytes;
    if (after > view.byteLength) throw damaged(file);
    const name_at = view.byteOffset + at + kEntryBytes;
    entries.push({
      name: new TextDecoder().decode(new Uint8Array(view.buffer, name_at, name_bytes)),
      method: view.getUint16(at + 10, true),
      is_secret: (view.getUint16(at + 8, true) & 1) !== 0,
      ...sizes_of(view, at, at + kEntryBytes + name_bytes, extra_bytes),
    });
    at = after;
  }
  return entries;
}

/** Sizes and place of an entry; those that need 64 bits are in its extra field, in this order. @param {DataView} view */
function sizes_of(view, /** @type {number} */ at, /** @type {number} */ extra, /** @type {number} */ extra_bytes) {
  const numbers = [24, 20, 42].map((place) => view.getUint32(at + place, true));
  for (let field = extra; field + 4 <= extra + extra_bytes; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== 1) continue;
    let next = field + 4;
    numbers.forEach((number, i) => {
      if (number !== kOf64Bits || next + 8 > extra + extra_bytes) return;
      numbers[i] = long(view, next);
      next += 8;
    });
  }
  const [size, packed, place] = numbers;
  return { size, packed, at: place };
}

/** @param {File} file @param {Entry} entry @returns {Promise<Blob>} */
async function content(file, { name, method, is_secret, packed, size, at }) {
  const what = `"${name}" in ${file.name}`;
  if (is_secret) throw new Error(`${what} is encrypted: unpack the archive first.`);
  const local = await view_of(file.slice(at, at + kLocalBytes));
  if (local.byteLength < kLocalBytes || local.getUint32(0, true) !== kLocal) throw damaged(file);
  const begin = at + kLocalBytes + local.getUint16(26, true) + local.getUint16(28, true);
  const part = file.slice(begin, begin + packed);
  if (part.size !== packed) throw damaged(file);
  if (method === kStored) return part;
  if (method !== kDeflated)
    throw new Error(`${what} is packed in a way that is not read here: unpack the archive first.`);
  let count = 0;
  const limit = new TransformStream({
    transform(/** @type {Uint8Array} */ bytes, controller) {
      if ((count += bytes.length) > size) throw damaged(file); // it would go on for as long as it likes
      controller.enqueue(bytes);
    },
  });
  const unpacked = part.stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(limit);
  const blob = await new Response(unpacked).blob().catch(() => null);
  if (blob?.size !== size) throw new Error(`${what} is damaged, and cannot be unpacked.`);
  return blob;
}

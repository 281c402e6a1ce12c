// The parts of a WebAssembly file: code, data, and the fonts (TrueType) in the data; and which functions it imports. Knows both
// formats only as far as that.

const kTypes = 1;
const kImports = 2;
const kCode = 10;
const kData = 11;
const kHeader = 8; // bytes: "\0asm" and the version
const kTableEntry = 16; // bytes of a font's table directory: tag, checksum, offset, length

/** A reader of a file's numbers, from `at` on. */
export function reader(bytes, at = 0) {
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const take = (size) => bytes.subarray(at, (at += size));
  return { number, take, is_done: () => at >= bytes.length };
}

/** The sections of a file as [{ id, bytes }]. */
export function sections(wasm) {
  const found = [];
  for (const from = reader(wasm, kHeader); !from.is_done();) {
    const id = from.number();
    found.push({ id, bytes: from.take(from.number()) });
  }
  return found;
}

/** The function types as [{ values }], the types of parameters and results alike, by the bytes they are written as. */
function function_types(wasm) {
  const types = [];
  const from = reader(sections(wasm).find(({ id }) => id === kTypes)?.bytes ?? Buffer.from([0]));
  for (let left = from.number(); left > 0; --left) {
    if (from.number() !== 0x60) throw new Error("a type that is no function's");
    types.push({ values: [...from.take(from.number()), ...from.take(from.number())] });
  }
  return types;
}

/** The functions imported from a namespace as [{ name, values }]. */
export function imported_functions(wasm, namespace) {
  const types = function_types(wasm);
  const found = [];
  const from = reader(sections(wasm).find(({ id }) => id === kImports)?.bytes ?? Buffer.from([0]));
  const text = () => from.take(from.number()).toString("utf8");
  const limits = () => (from.number() & 1 ? [from.number(), from.number()] : [from.number()]);
  for (let left = from.number(); left > 0; --left) {
    const [module, name, kind] = [text(), text(), from.number()];
    if (kind === 0) {
      const { values } = types[from.number()];
      if (module === namespace) found.push({ name, values });
    } else if (kind === 1) {
      from.number(); // what the table holds
      limits();
    } else if (kind === 2) limits();
    else if (kind === 3)
      from.take(2); // a global: its type, and whether it changes
    else throw new Error(`an import of kind ${kind}`);
  }
  return found;
}

/** The data of a file as [{ place, bytes }]. @param {Buffer} data the section's */
export function pieces_of(data) {
  const from = reader(data);
  const pieces = [];
  for (let left = from.number(); left > 0; --left) {
    if (from.number() !== 0) throw new Error("data that go to no fixed place");
    const [, place] = [from.number(), from.number()]; // i32.const
    from.number(); // end
    pieces.push({ place, bytes: from.take(from.number()) });
  }
  return pieces;
}

/** The memory that the data fill, without the zeros before it. */
function memory_of(data) {
  const pieces = pieces_of(data);
  const begin = Math.min(...pieces.map(({ place }) => place));
  const memory = Buffer.alloc(Math.max(...pieces.map(({ place, bytes }) => place + bytes.length)) - begin);
  for (const { place, bytes } of pieces) bytes.copy(memory, place - begin);
  return memory;
}

/** The length of the TrueType file that begins there; 0: none does. */
function font_length(bytes, at) {
  const num_tables = bytes.readUInt16BE(at + 4);
  const end_of_directory = 12 + kTableEntry * num_tables;
  if (num_tables < 6 || num_tables > 40 || at + end_of_directory > bytes.length) return 0;
  let end = 0;
  for (let entry = at + 12; entry < at + end_of_directory; entry += kTableEntry) {
    if (!/^[A-Za-z][\w/ ]{3}$/.test(bytes.toString("latin1", entry, entry + 4))) return 0;
    end = Math.max(end, bytes.readUInt32BE(entry + 8) + bytes.readUInt32BE(entry + 12));
  }
  return at + end <= bytes.length ? end : 0;
}

/** Parts the data into fonts and what stands between them. */
function without_fonts(data) {
  const magic = Buffer.from([0, 1, 0, 0, 0]);
  const fonts = [];
  const others = [];
  let begin = 0;
  for (let at = data.indexOf(magic); at >= 0 && at + 12 <= data.length;) {
    const length = font_length(data, at);
    if (length > 0) {
      others.push(data.subarray(begin, at));
      fonts.push(data.subarray(at, at + length));
      begin = at + length;
    }
    at = data.indexOf(magic, at + Math.max(length, 1));
  }
  others.push(data.subarray(begin));
  return { fonts: Buffer.concat(fonts), others: Buffer.concat(others) };
}

/** { code, fonts, data, tables }: the bytes of each, together about the file; data with the zeros that the file leaves out. */
export function wasm_parts(wasm) {
  const all = sections(wasm);
  const of = (wanted) => Buffer.concat(all.filter(({ id }) => wanted(id)).map(({ bytes }) => bytes));
  const data = of((id) => id === kData);
  const { fonts, others } = without_fonts(data.length > 0 ? memory_of(data) : data);
  return { code: of((id) => id === kCode), fonts, data: others, tables: of((id) => id !== kCode && id !== kData) };
}

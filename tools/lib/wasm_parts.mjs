// The parts of a WebAssembly file: code, data, and the fonts (TrueType) in the data; which functions it imports, and how large its
// table is. Knows both formats only as far as that.

const kCustom = 0;
const kTypes = 1;
const kImports = 2;
const kFunctions = 3;
const kTables = 4;
const kElements = 9;
export const kCode = 10;
const kData = 11;
const kOfFunctions = 1; // the part of a section of names
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

/** What a file imports, as { functions: [{ module, name, values }], tables: [{ size }] }. */
function imports_of(wasm) {
  const types = function_types(wasm);
  const found = { functions: [], tables: [] };
  const from = reader(sections(wasm).find(({ id }) => id === kImports)?.bytes ?? Buffer.from([0]));
  const text = () => from.take(from.number()).toString("utf8");
  const limits = () => (from.number() & 1 ? [from.number(), from.number()] : [from.number()]);
  for (let left = from.number(); left > 0; --left) {
    const [module, name, kind] = [text(), text(), from.number()];
    if (kind === 0) {
      found.functions.push({ module, name, values: types[from.number()].values });
    } else if (kind === 1) {
      from.number(); // what the table holds
      found.tables.push({ size: limits()[0] });
    } else if (kind === 2) limits();
    else if (kind === 3)
      from.take(2); // a global: its type, and whether it changes
    else throw new Error(`an import of kind ${kind}`);
  }
  return found;
}

/** The functions imported from a namespace as [{ name, values }]. */
export const imported_functions = (wasm, namespace) =>
  imports_of(wasm)
    .functions.filter(({ module }) => module === namespace)
    .map(({ name, values }) => ({ name, values }));

/** A number as a file writes it. */
export function leb(value) {
  const bytes = [];
  do {
    bytes.push((value % 128) + (value >= 128 ? 128 : 0));
    value = Math.floor(value / 128);
  } while (value > 0);
  return Buffer.from(bytes);
}

/** As leb, for a number with a sign: its first byte has one bit less. */
export function signed_leb(value) {
  const bytes = [];
  for (; value >= 64; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Buffer.from([...bytes, value]);
}

/** A file with these sections. @param {Buffer} header its first eight bytes @param {{ id: number, bytes: Buffer }[]} all */
export const written = (header, all) =>
  Buffer.concat([
    header.subarray(0, kHeader),
    ...all.flatMap(({ id, bytes }) => [Buffer.from([id]), leb(bytes.length), bytes]),
  ]);

/** The file with its own table as large as the largest that one of the others imports: they put their functions into it. */
export function with_table_of(others, wasm) {
  const sizes = others.flatMap((other) => imports_of(other).tables.map(({ size }) => size));
  const all = sections(wasm);
  const own = all.find(({ id }) => id === kTables);
  if (!own || sizes.length === 0) return wasm;
  const from = reader(own.bytes);
  const [number, holds, has_limit, least] = [from.number(), from.number(), from.number(), from.number()];
  if (number !== 1 || has_limit !== 1) throw new Error("there should be one table, of a size that is known");
  const size = Math.max(least, ...sizes);
  const bytes = Buffer.concat([Buffer.from([1, holds, 1]), leb(size), leb(size)]);
  return written(
    wasm,
    all.map((section) => (section === own ? { id: kTables, bytes } : section)),
  );
}

/** The file with a name for each function, as debuggers take them: short ones, since parts export functions by their names. */
export function with_function_names(wasm) {
  const all = sections(wasm);
  const own = all.find(({ id }) => id === kFunctions);
  const count = imports_of(wasm).functions.length + (own ? reader(own.bytes).number() : 0);
  const text = (value) => Buffer.concat([leb(value.length), Buffer.from(value)]);
  const names = Array.from({ length: count }, (_, number) =>
    Buffer.concat([leb(number), text(`f${number.toString(36)}`)]),
  );
  const part = Buffer.concat([leb(count), ...names]);
  const bytes = Buffer.concat([text("name"), leb(kOfFunctions), leb(part.length), part]);
  return written(wasm, [...all, { id: kCustom, bytes }]);
}

/** The numbers of a file's own functions by their names. */
export function function_numbers(wasm) {
  const found = new Map();
  const num_imported = imports_of(wasm).functions.length;
  for (const { bytes } of sections(wasm).filter(({ id }) => id === kCustom)) {
    const from = reader(bytes);
    if (from.take(from.number()).toString("latin1") !== "name") continue;
    while (!from.is_done()) {
      const kind = from.number();
      const part = reader(from.take(from.number()));
      if (kind !== kOfFunctions) continue;
      for (let left = part.number(); left > 0; --left) {
        const number = part.number();
        const name = part.take(part.number()).toString("utf8");
        if (number >= num_imported) found.set(name, number);
      }
    }
  }
  return found;
}

/** The file without names and other notes. */
export const without_notes = (wasm) =>
  written(
    wasm,
    sections(wasm).filter(({ id }) => id !== kCustom),
  );

/** What a file puts into its table, as a map from places to functions' numbers. */
export function table_of(wasm) {
  const found = new Map();
  const from = reader(sections(wasm).find(({ id }) => id === kElements)?.bytes ?? Buffer.from([0]));
  for (let left = from.number(); left > 0; --left) {
    if (from.number() !== 0) throw new Error("elements that go to no fixed place");
    const [, begin] = [from.number(), from.number()]; // i32.const
    from.number(); // end
    const count = from.number();
    for (let i = 0; i < count; ++i) found.set(begin + i, from.number());
  }
  return found;
}

/** The file with another table of functions, from places to numbers. Neighbours stand in one piece. */
export function with_table(wasm, table) {
  const pieces = [];
  for (const [place, number] of [...table].sort(([a], [b]) => a - b)) {
    const last = pieces.at(-1);
    if (last && last.begin + last.numbers.length === place) last.numbers.push(number);
    else pieces.push({ begin: place, numbers: [number] });
  }
  const bytes = Buffer.concat([
    leb(pieces.length),
    ...pieces.flatMap(({ begin, numbers }) => [
      Buffer.from([0, 0x41]),
      signed_leb(begin),
      Buffer.from([0x0b]),
      leb(numbers.length),
      ...numbers.map(leb),
    ]),
  ]);
  return written(
    wasm,
    sections(wasm).map((section) => (section.id === kElements ? { id: kElements, bytes } : section)),
  );
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

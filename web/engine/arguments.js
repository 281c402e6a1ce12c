// Reads and checks the arguments of attention() and brings them into one form. Each refusal names the argument, what it was and
// what it should be. Knows no WebAssembly.

/**
 * A value as a refusal quotes it.
 * @param {unknown} value
 * @returns {string}
 */
export function shown(value) {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value))
    return value.length > 8 ? `an array of ${value.length}` : `[${value.map(shown_inside).join(", ")}]`;
  const name = Object.prototype.toString.call(value).slice(8, -1);
  return ArrayBuffer.isView(value)
    ? `${article(name)} ${name}`
    : name === "Object"
      ? "an object"
      : `${article(name)} ${name}`;
}

/** @param {unknown} value */
const shown_inside = (value) => (Array.isArray(value) ? "[…]" : shown(value));

/** @param {string} name */
const article = (name) => (/^[AEIO]/.test(name) ? "an" : "a"); // a Uint8Array

/** @param {readonly (number | string)[]} shape */
const shape_text = (shape) => `[${shape.join(", ")}]`;

/**
 * @param {unknown} array
 * @param {string} kind
 */
const is_typed = (array, kind) =>
  ArrayBuffer.isView(array) && Object.prototype.toString.call(array) === `[object ${kind}]`;

/**
 * A matrix in the form {data, shape}. A length given as a name may be any number.
 * @param {string} name for refusals
 * @param {any} value
 * @param {number | string} rows
 * @param {number | string} columns
 * @returns {{ data: Float32Array, shape: readonly number[] }}
 */
export function matrix_of(name, value, rows, columns) {
  const shape = value?.shape;
  const data = value?.data;
  const is_plain = // the usual case, checked quickly
    data instanceof Float32Array &&
    Array.isArray(shape) &&
    shape.length === 2 &&
    (typeof rows === "number" ? shape[0] === rows : Number.isInteger(shape[0]) && shape[0] >= 1) &&
    (typeof columns === "number" ? shape[1] === columns : Number.isInteger(shape[1]) && shape[1] >= 1) &&
    data.length === shape[0] * shape[1];
  return is_plain ? value : tensor_of(name, value, [rows, columns], "Float32Array");
}

/**
 * A vector of `length` numbers; it may come as a bare Float32Array.
 * @param {string} name
 * @param {any} value
 * @param {number} length
 * @returns {{ data: Float32Array, shape: readonly number[] }}
 */
export const vector_of = (name, value, length) => tensor_of(name, value, [length], "Float32Array");

/**
 * @param {string} name
 * @param {any} value
 * @param {number} num_tokens
 * @returns {{ data: Uint8Array, shape: readonly number[] }}
 */
export const mask_of = (name, value, num_tokens) => tensor_of(name, value, [num_tokens, num_tokens], "Uint8Array");

/**
 * A tensor, from one of the forms that attention() takes: {data, shape}, or nested arrays.
 * @param {string} name for refusals
 * @param {any} value
 * @param {readonly (number | string)[]} wanted shape
 * @param {"Float32Array" | "Uint8Array"} kind
 * @returns {{ data: any, shape: readonly number[] }}
 */
function tensor_of(name, value, wanted, kind) {
  const should = `it should be ${kind_text(wanted, kind)}`;
  if (value === null || typeof value !== "object") throw new TypeError(`${name} is ${shown(value)}: ${should}`);
  const is_vector = wanted.length === 1;
  const is_flat = Array.isArray(value) || (is_vector && is_typed(value, kind));
  if (!is_flat && !("data" in value && "shape" in value)) throw new TypeError(`${name} is ${shown(value)}: ${should}`);
  const tensor = !is_flat ? value : is_vector ? read_vector(name, value, kind) : read_rows(name, value, kind);
  check_shape(name, tensor.shape, wanted);
  if (!is_typed(tensor.data, kind)) {
    throw new TypeError(`${name}.data is ${shown(tensor.data)}: it should be ${article(kind)} ${kind}`);
  }
  const count = tensor.shape.reduce(
    (/** @type {number} */ product, /** @type {number} */ length) => product * length,
    1,
  );
  if (tensor.data.length !== count) {
    throw new RangeError(
      `${name}.data has ${tensor.data.length} numbers: its shape ${shape_text(tensor.shape)} needs ${count}`,
    );
  }
  return tensor;
}

/**
 * @param {readonly (number | string)[]} wanted
 * @param {string} kind
 */
function kind_text(wanted, kind) {
  const nested = wanted.length === 1 ? "an array of numbers" : "an array of rows of numbers";
  return `{data: ${kind}, shape: ${shape_text(wanted)}} or ${nested}`;
}

/**
 * @param {string} name
 * @param {any} shape
 * @param {readonly (number | string)[]} wanted
 */
function check_shape(name, shape, wanted) {
  const should = `it should be ${shape_text(wanted)}`;
  if (!Array.isArray(shape)) throw new TypeError(`${name}.shape is ${shown(shape)}: ${should}`);
  for (const length of shape) {
    if (typeof length !== "number") throw new TypeError(`${name}.shape is ${shown(shape)}: ${should}`);
    if (!Number.isInteger(length) || length < 1 || length >= 2 ** 31) {
      throw new RangeError(`${name}.shape is ${shape_text(shape)}: its lengths should be whole numbers of at least 1`);
    }
  }
  const fits =
    shape.length === wanted.length && wanted.every((length, i) => typeof length === "string" || length === shape[i]);
  if (!fits) throw new RangeError(`${name}.shape is ${shape_text(shape)}: ${should}`);
}

/**
 * @param {string} name
 * @param {ArrayLike<unknown>} numbers
 * @param {string} kind
 */
function read_vector(name, numbers, kind) {
  const data = kind === "Float32Array" ? new Float32Array(numbers.length) : new Uint8Array(numbers.length);
  for (let c = 0; c < numbers.length; ++c) data[c] = read_number(`${name}[${c}]`, numbers[c], kind);
  return { data, shape: [numbers.length] };
}

/**
 * @param {string} name
 * @param {unknown[]} rows
 * @param {string} kind
 */
function read_rows(name, rows, kind) {
  const width = /** @type {any} */ (rows[0])?.length ?? 0;
  const data = kind === "Float32Array" ? new Float32Array(rows.length * width) : new Uint8Array(rows.length * width);
  for (let i = 0; i < rows.length; ++i) {
    const row = /** @type {any} */ (rows[i]);
    if (!Array.isArray(row) && !is_typed(row, kind)) {
      throw new TypeError(`${name}[${i}] is ${shown(row)}: it should be an array of numbers`);
    }
    if (row.length !== width) {
      throw new RangeError(`${name}[${i}] has ${row.length} numbers: it should have ${width}, as ${name}[0] has`);
    }
    for (let c = 0; c < width; ++c) data[i * width + c] = read_number(`${name}[${i}][${c}]`, row[c], kind);
  }
  return { data, shape: [rows.length, width] };
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {string} kind
 */
function read_number(name, value, kind) {
  if (typeof value === "number") return value;
  if (kind === "Uint8Array" && typeof value === "boolean") return value ? 1 : 0;
  throw new TypeError(
    `${name} is ${shown(value)}: it should be a number${kind === "Uint8Array" ? " or a boolean" : ""}`,
  );
}

/**
 * A number in a range.
 * @param {string} name
 * @param {unknown} value
 * @param {(value: number) => boolean} fits
 * @param {string} should in words
 * @returns {number}
 */
export function number_of(name, value, fits, should) {
  if (typeof value !== "number") throw new TypeError(`${name} is ${shown(value)}: it should be ${should}`);
  if (!fits(value)) throw new RangeError(`${name} is ${value}: it should be ${should}`);
  return value;
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {boolean}
 */
export function flag_of(name, value) {
  if (typeof value !== "boolean") throw new TypeError(`${name} is ${shown(value)}: it should be true or false`);
  return value;
}

/**
 * The index of a word in a list.
 * @param {string} name
 * @param {unknown} value
 * @param {readonly string[]} words
 */
export function choice_of(name, value, words) {
  const should = `it should be one of ${words.map((word) => JSON.stringify(word)).join(", ")}`;
  if (typeof value !== "string") throw new TypeError(`${name} is ${shown(value)}: ${should}`);
  const place = words.indexOf(value);
  if (place < 0) throw new RangeError(`${name} is ${shown(value)}: ${should}`);
  return place;
}

/**
 * Refuses anything that is not an object, and unknown members: a misspelt one would silently have no effect.
 * @param {string} name
 * @param {unknown} value
 * @param {ReadonlySet<string>} known
 */
export function check_members(name, value, known) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new TypeError(`${name} is ${shown(value)}: it should be an object with ${[...known].join(", ")}`);
  }
  for (const member in value) {
    if (!known.has(member)) {
      throw new TypeError(`${name} has a member ${shown(member)}: it should have only ${[...known].join(", ")}`);
    }
  }
}

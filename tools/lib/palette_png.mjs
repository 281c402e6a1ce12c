// Pictures of few colours as small PNG files (PNG 1.2, colour type 3): one byte a pixel, where four take three times the room.
import { deflateSync } from "node:zlib";

const kSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const kMostColours = 256;
const kExact = 160; // the most frequent ones, of areas; the others are those of the edges of letters

/** The bytes of a PNG file. Of more than 256 colours, less frequent ones become one that is near; nothing is transparent. */
export function palette_png({ width, height, pixels }) {
  const counts = new Map();
  const colour_at = (pixel) => (pixels[4 * pixel] << 16) | (pixels[4 * pixel + 1] << 8) | pixels[4 * pixel + 2];
  for (let pixel = 0; pixel < width * height; pixel++)
    counts.set(colour_at(pixel), (counts.get(colour_at(pixel)) ?? 0) + 1);
  const palette = palette_of([...counts].sort(([a, many_a], [b, many_b]) => many_b - many_a || a - b).map(([one]) => one)); // prettier-ignore
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const place_of = (colour) => {
    if (!places.has(colour)) places.set(colour, nearest(palette, colour));
    return places.get(colour);
  };
  const rows = Buffer.alloc(height * (width + 1)); // each begins with the number of its filter, 0: none
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = place_of(colour_at(y * width + x));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3], 8); // bits, and that they name a colour of the palette
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const parts = [
    ["IHDR", head],
    ["PLTE", colours],
    ["IDAT", deflateSync(rows, { level: 9 })],
    ["IEND", Buffer.alloc(0)],
  ];
  return Buffer.concat([kSignature, ...parts.map(([name, bytes]) => chunk(name, bytes))]);
}

/** Of colours in order the first ones, and those that are farther than some distance from all before them: the smallest that leaves few enough. */
function palette_of(colours) {
  for (let near = 0; ; near = Math.ceil(1.3 * near + 1)) {
    const palette = colours.slice(0, kExact);
    for (const colour of colours.slice(kExact)) {
      if (palette.every((one) => distance(one, colour) > near ** 2)) palette.push(colour);
      if (palette.length > kMostColours) break;
    }
    if (palette.length <= kMostColours) return palette;
  }
}

/** The square of how far two colours are apart. */
function distance(a, b) {
  return ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;
}

function nearest(palette, colour) {
  const distances = palette.map((one) => distance(one, colour));
  return distances.indexOf(Math.min(...distances));
}

/** The check sum of a part, CRC-32; node has one of its own from version 20.15 on. */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(name, bytes) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), bytes]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(bytes.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

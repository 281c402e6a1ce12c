// Draws a piece of text with the browser's own text engine, for scripts and emoji that are missing from the built-in fonts.
/** @import { TextPicture } from "./types" */

const kFamily = '"Attention Sans", system-ui, sans-serif';
const kMaxWidth = 4096; // device pixels; longer text is cut off
const kRightToLeft =
  /^[^\p{L}\u200f]*[\u200f\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** @type {CanvasRenderingContext2D | null} */
let shared_context = null;

function context_2d() {
  shared_context ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  return shared_context;
}

/**
 * The string at `pixel_size` device pixels per em, shaped by the browser. Width 0 if there is nothing to draw.
 * @param {string} text
 * @param {number} pixel_size
 * @param {boolean} is_bold
 * @returns {TextPicture}
 */
export function rasterize(text, pixel_size, is_bold) {
  const nothing = {
    width: 0,
    height: 0,
    left: 0,
    top: 0,
    advance: 0,
    is_colored: false,
    rgba: new Uint8ClampedArray(),
  };
  const context = context_2d();
  if (!context || text === "") return nothing;
  const font = `${is_bold ? 600 : 400} ${pixel_size}px ${kFamily}`;
  const direction = kRightToLeft.test(text) ? "rtl" : "ltr";
  const set_up = () => Object.assign(context, { font, direction, textAlign: "left", textBaseline: "alphabetic" });
  set_up();
  const size = context.measureText(text);
  // One more pixel on each side for smoothed edges.
  const left = Math.floor(-size.actualBoundingBoxLeft) - 1;
  const top = Math.ceil(size.actualBoundingBoxAscent) + 1;
  const width = Math.min(kMaxWidth, Math.ceil(size.actualBoundingBoxRight) + 1 - left);
  const height = Math.ceil(size.actualBoundingBoxDescent) + 1 + top;
  if (!(width > 2 && height > 2)) return { ...nothing, advance: size.width || 0 };

  context.canvas.width = width; // this empties the canvas and forgets the font
  context.canvas.height = height;
  /** @param {string} ink */
  const draw = (ink) => {
    set_up();
    context.clearRect(0, 0, width, height);
    context.fillStyle = ink;
    context.fillText(text, -left, top);
    return context.getImageData(0, 0, width, height).data;
  };
  const black = draw("#000");
  const is_colored = has_color(black);
  // Letters beside an emoji keep the colour they are drawn in, so draw them grey, which is legible on light and dark.
  const rgba = is_colored ? draw("#808080") : black;
  return { width, height, left, top, advance: size.width, is_colored, rgba };
}

/** @param {Uint8ClampedArray} rgba the text drawn in black */
function has_color(rgba) {
  for (let i = 0; i < rgba.length; i += 4) {
    if (rgba[i + 3] > 0 && (rgba[i] > 0 || rgba[i + 1] > 0 || rgba[i + 2] > 0)) return true;
  }
  return false;
}

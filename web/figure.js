// Draws figures (src/share/figure.h as JSON) on a 2D canvas, and makes PNG files of them. Knows nothing of what a figure shows.
/** @import { Figure, FigureLook, FigureRect, FigureText } from "./types" */

/** As src/platform/figure_engine_desktop.cpp names them: the picture's own typefaces, then the system's. */
const kFonts = {
  sans: '400 SIZEpx "Attention Sans", "IBM Plex Sans", system-ui, sans-serif',
  sans_bold: '600 SIZEpx "Attention Sans", "IBM Plex Sans", system-ui, sans-serif',
  mono: '400 SIZEpx "Attention Mono", "IBM Plex Mono", ui-monospace, monospace',
};
const kAligns = /** @type {const} */ ({ start: "left", middle: "center", end: "right" });
const kTouching = 0.02; // points
const kRightToLeft = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * One point of the figure is one unit of the context.
 * @param {CanvasRenderingContext2D} context
 * @param {Figure} figure
 */
export function draw_figure(context, figure) {
  if (figure.ground !== null) {
    context.fillStyle = figure.ground;
    context.fillRect(0, 0, figure.width, figure.height);
  }
  const scale = context.getTransform().a;
  for (const element of figure.elements) {
    context.save();
    if (element.kind === "text") {
      draw_text(context, element);
    } else {
      draw_shape(context, element.kind === "rect" ? path_of_rect(element, scale) : new Path2D(element.d), element);
    }
    context.restore();
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Path2D} path
 * @param {FigureLook} look
 */
function draw_shape(context, path, look) {
  context.globalAlpha = look.opacity ?? 1;
  if (look.fill !== undefined) {
    context.fillStyle = look.fill;
    context.fill(path);
  }
  if (look.line === undefined) return;
  context.strokeStyle = look.line;
  context.lineWidth = look.line_width ?? 1;
  context.miterLimit = 4; // as in SVG
  context.setLineDash(look.dashes ?? []);
  context.stroke(path);
}

/**
 * @param {FigureRect} rect
 * @param {number} scale pixels a point
 */
function path_of_rect({ x, y, width, height, corner = 0, is_crisp }, scale) {
  const path = new Path2D();
  if (is_crisp) {
    // Whole pixels; where two edges are meant to be one they overlap rather than leave a gap.
    const [left, top] = [x, y].map((edge) => Math.round((edge - kTouching) * scale) / scale);
    const [right, bottom] = [x + width, y + height].map((edge) => Math.round((edge + kTouching) * scale) / scale);
    path.rect(left, top, right - left, bottom - top);
  } else if (corner > 0) {
    path.roundRect(x, y, width, height, Math.min(corner, width / 2, height / 2));
  } else {
    path.rect(x, y, width, height);
  }
  return path;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {FigureText} text
 */
function draw_text(context, { x, y, text, size, font = "sans", anchor = "start", ink, turn = 0 }) {
  context.translate(x, y);
  if (turn !== 0) context.rotate((turn * Math.PI) / 180);
  context.font = kFonts[font].replace("SIZE", String(size));
  context.direction = kRightToLeft.test(text) ? "rtl" : "ltr";
  context.textAlign = kAligns[anchor];
  context.textBaseline = "alphabetic";
  context.fillStyle = ink;
  context.fillText(text, 0, 0);
}

/**
 * A PNG file, `scale` pixels a point; a sentence where the browser cannot draw it. At once, as the engine cannot wait.
 * @param {string} json a Figure
 * @param {number} scale
 * @returns {Uint8Array<ArrayBuffer> | string}
 */
export function png_of_figure(json, scale) {
  /** @type {Figure} */
  const figure = JSON.parse(json);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(figure.width * scale));
  canvas.height = Math.max(1, Math.round(figure.height * scale));
  const failure = `This browser cannot draw a picture of ${canvas.width} × ${canvas.height} pixels: a smaller scale may help.`;
  const context = canvas.getContext("2d", { willReadFrequently: true }); // its pixels are read back at once
  if (!context) return failure;
  context.scale(scale, scale);
  draw_figure(context, figure);
  const [head, base64] = canvas.toDataURL("image/png").split(",");
  canvas.width = canvas.height = 0; // gives the memory back at once
  if (head !== "data:image/png;base64" || !base64) return failure;
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < bytes.length; ++k) bytes[k] = letters.charCodeAt(k);
  return bytes;
}

// Draws figures (src/scene/kit/figure.h as JSON) on a 2D canvas, for PNG files. Knows nothing of what a figure shows.
/** @import { FigureElement, FigureLook, FigureRect, FigureText } from "./types" */

/** As src/platform/figure_engine_desktop.cpp names them: the picture's own typefaces, then the system's. */
const kFonts = {
  sans: '400 SIZEpx "Attention Sans", "IBM Plex Sans", system-ui, sans-serif',
  sans_bold: '600 SIZEpx "Attention Sans", "IBM Plex Sans", system-ui, sans-serif',
  mono: '400 SIZEpx "Attention Mono", "IBM Plex Mono", ui-monospace, monospace',
};
const kAligns = /** @type {const} */ ({ start: "left", middle: "center", end: "right" });
const kTouching = 0.02; // points
/** Words that are set apart do not count. */
const kRightToLeft =
  /^(?:[\u2066-\u2068][^\u2069]*\u2069|[^\p{L}\u2066-\u2068])*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

const kPieceMs = 8; // of drawing before the page gets to respond

/** A figure that is drawn some rows of pixels at a time. */
class FigureDrawing {
  #context;
  #scale;
  /** @type {(FigureElement & { path?: Path2D })[]} */ #elements = [];
  /** The first of the rows being drawn, and the index of the next element. */
  #first = -1;
  #next = 0;

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} scale pixels per point
   */
  constructor(context, scale) {
    this.#context = context;
    this.#scale = scale;
  }

  /** @param {string} json more elements of the figure */
  add(json) {
    this.#elements.push(...JSON.parse(json));
  }

  /**
   * Continues drawing the rows from `first` up to, not including, `end`. Returns their pixels once they are drawn, null until then.
   * @param {number} first
   * @param {number} end
   */
  draw(first, end) {
    const context = this.#context;
    const { width } = context.canvas;
    const scale = this.#scale;
    if (first !== this.#first) this.#begin(first);
    const stop = performance.now() + kPieceMs;
    while (this.#next < this.#elements.length) {
      const element = this.#elements[this.#next++];
      if (!may_touch(element, first / scale, end / scale)) continue;
      this.#draw(element);
      if (performance.now() > stop) {
        context.getImageData(0, 0, 1, 1); // forces the browser to draw now instead of queueing the work
        return null;
      }
    }
    return context.getImageData(0, 0, width, end - first).data;
  }

  /** @param {number} first */
  #begin(first) {
    const context = this.#context;
    const { width, height } = context.canvas;
    this.#first = first;
    this.#next = 0;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    context.setTransform(this.#scale, 0, 0, this.#scale, 0, -first); // one unit is one point of the figure
  }

  /** @param {FigureElement & { path?: Path2D }} element */
  #draw(element) {
    this.#context.save();
    if (element.kind === "text") {
      draw_text(this.#context, element);
    } else {
      element.path ??= element.kind === "rect" ? path_of_rect(element, this.#scale) : new Path2D(element.d);
      draw_shape(this.#context, element.path, element);
    }
    this.#context.restore();
  }
}

/**
 * Begins a figure that is drawn `rows` rows of pixels at a time; null if the browser gives no canvas of that size.
 * @param {number} width
 * @param {number} rows
 * @param {number} scale pixels per point
 */
export function figure_drawing(width, rows, scale) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = rows;
  const context = canvas.getContext("2d", { willReadFrequently: true }); // its pixels are read back at once
  return context && new FigureDrawing(context, scale);
}

/**
 * Whether an element may reach into the strip between two heights. True may be wrong, false never is.
 * @param {FigureElement} element
 * @param {number} top
 * @param {number} bottom
 */
function may_touch(element, top, bottom) {
  if (element.kind === "path") return true;
  if (element.kind === "text") {
    const reach = 2 * element.size; // more than the letters of any script need
    return (element.turn ?? 0) !== 0 || (element.y + reach > top && element.y - reach < bottom);
  }
  const reach = 1 + (element.line_width ?? 1); // crisp edges move to whole pixels
  return element.y + element.height + reach > top && element.y - reach < bottom;
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
 * @param {number} scale pixels per point
 */
function path_of_rect({ x, y, width, height, corner = 0, is_crisp }, scale) {
  const path = new Path2D();
  if (is_crisp) {
    // Edges on whole pixels; where two rectangles share an edge, they overlap rather than leave a gap.
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

// What the modules of the page say to each other, and to the engine. Whoever embeds the playground needs Playground,
// PlaygroundOptions and Engine; the rest is inside the page.

/** The stages, heads, tokens ... of a link: a query string such as "text=A+small+step&heads=2", without '#'. */
export type Link = string;

/** One key of the link, as the engine's key table describes it. */
export interface KeyInfo {
  key: string;
  label: string;
  kind: "text" | "choice" | "whole_number" | "number" | "flag" | "list";
  /** Legal words of a choice, else empty. */
  choices: string[];
  /** What people see of them. */
  labels: string[];
  /** Bounds of numbers; null where there is none. */
  low: number | null;
  high: number | null;
  legal: string;
  help: string;
  default: string;
  decides_numbers: boolean;
  repeats: boolean;
}

/** The names that `hide` and `lock` understand: parts as they are, stages as "stage.NAME", controls (link keys) as "control.KEY". */
export interface Hideable {
  parts: string[];
  stages: { name: string; title: string; has_heads: boolean }[];
  controls: string[];
}

/** Some rows or columns of a matrix: their names, and where they stand in the whole of it. */
export interface Span {
  first: number;
  labels: string[];
  total: number;
}

/** What the picture of a link shows, in words and numbers. Heads count from 1, rows and columns from 0. */
export interface Mirror {
  /** The link with every value moved to the nearest legal one. */
  link: Link;
  notes: string[];
  offer: { label: string; link: Link } | null;
  sentence: { number: number; count: number; text: string };
  tokens: string[];
  /** The stages these inputs have; empty without tokens. */
  stages: StageSummary[];
  /** The chosen stage; null without tokens. */
  shown: ShownStage | null;
  /** The chosen view, and what it shows besides the stage's own numbers. */
  view: { kind: string; tables: TextTable[] };
  /** The step of the lesson that is on; null outside lessons. */
  lesson: LessonStep | null;
  /** All there are, in order. */
  lessons: LessonName[];
  /** Of each key that decides numbers, decoded: a link leaves out what is as its lesson or the default has it. */
  values: Record<string, string[]>;
}

/** Words and numbers as the picture prints them; the first column names the rows. */
export interface TextTable {
  title: string;
  columns: string[];
  rows: string[][];
}

export interface LessonName {
  name: string;
  title: string;
  about: string;
  /** How many. */
  steps: number;
  /** How long they take, about. */
  minutes: number;
}

/** Steps count from 1. */
export interface LessonStep {
  name: string;
  title: string;
  step: number;
  count: number;
  step_title: string;
  text: string;
  /** How many of the printed numbers follow; empty when nothing was printed. */
  printed_sentence: string;
  printed: TextTable[];
  /** The same state outside the lesson. */
  leave: Link;
}

export interface StageSummary {
  name: string;
  title: string;
  letters: string;
  shape: number[];
  formula: string;
  meaning: string;
  has_heads: boolean;
}

export interface ShownStage {
  name: string;
  row_kind: string;
  column_kind: string;
  rows: Span;
  columns: Span;
  num_heads: number;
  /**
   * At most 16 of them, the enlarged one only if there is one. Values as the picture prints them; null is a hidden key. Without
   * values where they are many: mirror_head() has them.
   */
  heads: { head: number; values: (string | null)[][] | null }[];
  pinned: { head: number | null; row: number; column: number; value: string | null; lines: string[] } | null;
  /** The largest numbers of the pinned, enlarged or first head, the largest first; null where the picture offers none. */
  strongest: { head: number; cells: { row: number; column: number; value: string }[] } | null;
}

/** The built-in fonts. */
export type FontName = "sans-regular" | "sans-semibold" | "mono-regular";

/** The numbers, without any picture. Every string may be anything: bad input gives the nearest legal state and a note. */
export interface Engine {
  /** Every stage of a link, or one, as the attn command prints it; empty if it were more than 2^23 numbers. */
  trace(link: Link, stage?: string, format?: "json" | "csv" | "text"): string;
  /** One short number for all numbers of a link: 16 hexadecimal digits, the same on every machine that computes the same bits. */
  digest(link: Link): string;
  /** The terms behind one number; head from 1, row and column from 0, moved to the nearest legal cell; empty without tokens. */
  explain(
    link: Link,
    stage: string,
    head: number,
    row: number,
    column: number,
    format?: "json" | "csv" | "text",
  ): string;
  keys(): KeyInfo[];
  hideable(): Hideable;
  /**
   * Works on a link's numbers for about 10 ms; long texts take several calls with the same link. True when they are there: then
   * mirror() of this link is quick. Throws a sentence for people where there is no memory for them.
   */
  prepare(link: Link): boolean;
  mirror(link: Link): Mirror;
  /** The values of a head that the mirror left out. */
  mirror_head(link: Link, head: number): (string | null)[][];
  /** Gives back the memory of the numbers that prepare() and mirror() computed. */
  forget(): void;
  /** The link with every value moved to the nearest legal one. Computes nothing. */
  legal_link(link: Link): Link;
  /** The colour of t in [0, 1] on a map, as [r, g, b] of 0 to 255. */
  map_color(map: "sequential" | "diverging", is_dark: boolean, t: number): [number, number, number];
  /** The bytes of a built-in font, to be copied before the next call. */
  font(name: FontName): Uint8Array<ArrayBuffer>;
  /** Everything that can be taken home, in the order it is offered. */
  exports(): ExportInfo[];
  /**
   * A file of the export table: what `attn export` writes, and PNG drawn by this page. `options` is a query string:
   * "dark=1&transparent=1&title=0&legend=0&head=2&scale=3&stage=weights"; heads count from 1.
   * Throws an Error whose message is a sentence for people: an empty sentence, a stage that is not there or is blank, too large.
   */
  export_file(link: Link, kind: string, options?: string): ExportedFile;
  /** The same in pieces, the page answering between them; one file after the other. Rejects where export_file throws. */
  make_file(link: Link, kind: string, options?: string): Promise<ExportedFile>;
  /** What a file offers on top of a link. Throws an Error whose message says what is wrong with the file, and where. */
  open_file(link: Link, name: string, bytes: Uint8Array): FileOffer;
}

/** A row of the export table. */
export interface ExportInfo {
  /** For export_file: "pytorch". */
  name: string;
  /** For people: "PyTorch script". */
  label: string;
  about: string;
  /** What of the state the file holds. */
  scope: "view" | "stage" | "state";
  /** With the dot. */
  extension: string;
  media_type: string;
  /** Can be copied as text. */
  is_text: boolean;
}

export interface ExportedFile {
  /** Without folders. */
  name: string;
  media_type: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Options that were moved to the nearest legal value, or ignored. */
  notes: string[];
}

/** What can be done with a file. */
export interface FileOffer {
  question: string;
  /** The first choice fits as it is and nothing else is meant: no need to ask. */
  is_certain: boolean;
  /** At least one; `link` is the whole state afterwards. */
  choices: { label: string; link: Link; notes: string[] }[];
}

/** A part of a view as vectors, in points, y down: src/scene/kit/figure.h as JSON. Colours are "#rrggbb". */
export type FigureElement = FigureRect | FigurePath | FigureText;

/** A figure that is drawn some rows of pixels at a time; later elements lie on top. */
export interface FigureDrawing {
  /** An array of FigureElement. */
  add(json: string): void;
  /** Draws more of these rows, for some milliseconds: their red, green, blue and alpha once they are drawn. */
  draw(first: number, end: number): Uint8ClampedArray | null;
}

/** How an area is filled and outlined; what is absent is not drawn. */
export interface FigureLook {
  fill?: string;
  line?: string;
  /** Absent: 1. */
  line_width?: number;
  /** Lengths of line and gap in turn; absent: solid. */
  dashes?: number[];
  /** Of fill and line; absent: 1. */
  opacity?: number;
  /** Neighbours stand without a gap and show no seam. */
  is_crisp?: boolean;
}

export interface FigureRect extends FigureLook {
  kind: "rect";
  x: number;
  y: number;
  width: number;
  height: number;
  /** Radius; absent: 0. */
  corner?: number;
}

export interface FigurePath extends FigureLook {
  kind: "path";
  /** As in SVG: M, L, H, V, C and Z with absolute coordinates. */
  d: string;
}

export interface FigureText {
  kind: "text";
  /** On the baseline, at the anchor. */
  x: number;
  y: number;
  text: string;
  /** Points an em. */
  size: number;
  /** Absent: "sans". */
  font?: "sans" | "sans_bold" | "mono";
  /** Absent: "start", which is the left end in every script. */
  anchor?: "start" | "middle" | "end";
  ink: string;
  /** Degrees clockwise around (x, y); absent: 0. */
  turn?: number;
}

/** A stage of one sentence as a frame tells it to the page around. */
export interface StageNumbers {
  text: string;
  tokens: string[];
  stage: string;
  /** Such as [num_heads, T, T]; empty without tokens. */
  shape: number[];
  /** In the order of the shape; -Infinity is a hidden key. */
  values: Float32Array;
}

/** The module of an engine; with parts of it still missing (second_part.js), it fetches them when they are called. */
export interface LoadedModule {
  module: import("./attention_playground.mjs").RawModule;
  /** Resolves when nothing is missing any more; rejects when it cannot be fetched. */
  load_rest(): Promise<void>;
}

/** An engine that may have a picture. */
export interface StartedEngine {
  engine: Engine;
  /** Needs WebGL2; null after a failure. */
  start_picture(): Picture | null;
  /** As LoadedModule's. */
  load_rest(): Promise<void>;
}

/** What one drawn frame tells the page. */
export interface FrameReport {
  wants_another: boolean;
  /** Picture.work() has something to do. */
  has_work: boolean;
  /** Seconds until a frame is wanted even if nothing happens. */
  wake_after: number | null;
  is_dark: boolean;
  cursor: string;
  /** What the sentence field should say, if it does not. */
  sentence: string | null;
  /** The state rested: show this link. */
  link: Link | null;
  is_new_step: boolean;
  announcement: string | null;
  /** The author of the page left the sentence field out, or fixed what it says. */
  hides_sentence: boolean;
  locks_sentence: boolean;
  /** What the visitor asked of the page in this frame; null: nothing. */
  request: FrameRequest | null;
  wants_text: boolean;
  /** CSS pixels from the canvas's top left corner. */
  caret: { x: number; y: number; height: number };
}

/** What became of a piece of work. */
export interface WorkReport {
  has_more: boolean;
  /** There is something new to see. */
  wants_frame: boolean;
}

/** What the picture cannot do itself. */
export interface FrameRequest {
  /** To the clipboard. */
  copy: string | null;
  /** A link, to the system's sheet for sharing. */
  share: string | null;
  /** To the visitor's files. */
  save: OutgoingFile | null;
  /** Ask the visitor for files to open. */
  wants_file: boolean;
  /** Open the author's page with this state. */
  opens_author_page: boolean;
}

/** A file on its way out, in parts that are made when they are asked for: all of them, one after the other. */
export interface OutgoingFile {
  name: string;
  media_type: string;
  parts: Iterable<Uint8Array<ArrayBuffer>>;
}

/** A file on its way in or out; the name has no folders. */
export interface NamedFile {
  name: string;
  media_type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Device pixels, and how many of them make a CSS pixel. */
export interface ViewSize {
  width: number;
  height: number;
  scale: number;
}

/** What a system insists on: ground, text and links, 0xRRGGBB. */
export type ForcedColors = [ground: number, text: number, links: number];

/** The picture of one canvas: the engine's other half. Everything but frame() takes effect at the next frame. */
export interface Picture {
  /**
   * Draws now, but nothing where the canvas shows this picture already, unless it `is_due`; null when the program has stopped.
   */
  frame(seconds: number, size: ViewSize, is_due: boolean): FrameReport | null;
  /** Does a piece of the work that the last frame left, some 10 ms. */
  work(): WorkReport;
  open_link(link: Link): void;
  type_sentence(text: string): void;
  /** A file was dropped or chosen. Throws a sentence where there is no memory for it. */
  add_file(file: NamedFile): void;
  /** A sentence for the visitor. */
  note(sentence: string): void;
  /** Steps of lessons that were seen in earlier visits: "causal=1 causal=2". */
  add_visited(steps: string): void;
  /** Where links to this page lead, without '#'; empty where that is nothing to hand on. Whether the browser can share them. */
  set_address(address: string, can_share: boolean): void;
  hurry(): void;
  /** `colors`: that the system insists on, or null. */
  set_preferences(is_dark: boolean, reduces_motion: boolean, colors: ForcedColors | null): void;
  expect_fingers(): void;
  gl_lost(): void;
  gl_restored(): void;
  pointer_at(kind: PointerKind, x: number, y: number): void;
  pointer_gone(): void;
  pointer_button(is_down: boolean): void;
  wheel(right: number, down: number): void;
  can_scroll(x: number, y: number): boolean;
  /** Two fingers, or Control and the wheel, over what can be zoomed; notches of a wheel, positive to enlarge. */
  zoom(notches: number): void;
  can_zoom(): boolean;
  /** Returns whether the picture knows the key. */
  key(name: string, is_down: boolean): boolean;
  modifiers(control: boolean, shift: boolean, alt: boolean, meta: boolean): void;
  use_mac_keys(is_mac: boolean): void;
  text(text: string): void;
  paste(text: string): void;
  focus(has_focus: boolean, by_pointer: boolean): void;
  /** The next frame writes down what stands where; for tests. */
  want_items(): void;
  /** What stood where when it was last written down. */
  items(): Item[];
}

/** Something on the canvas, named by what it does; CSS pixels from the canvas's top left corner. */
export interface Item {
  name: string;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  is_clipped: boolean;
}

export type PointerKind = 0 | 1 | 2; // mouse, finger, pen

/** A piece of text as pixels; see src/render/text_bitmap.h for the units. */
export interface TextPicture {
  width: number;
  height: number;
  left: number;
  top: number;
  advance: number;
  is_colored: boolean;
  rgba: Uint8ClampedArray;
}

/** What the engine's module asks of the page. */
export interface Host {
  /** Comes before frame_done. The bytes of a file to save stay in the module's memory until _web_file_taken. */
  requested(
    request: Omit<FrameRequest, "save"> & {
      save: { name: string; media_type: string; begin: number; size: number } | null;
    },
  ): void;
  frame_done(report: Omit<FrameReport, "request">): void;
  failed(sentence: string): void;
  copy(text: string): void;
  rasterize(text: string, pixel_size: number, is_bold: boolean): TextPicture;
  /** Begins a figure of so many pixels a point; null where the browser gives no canvas of so many pixels. */
  figure_drawing(width: number, rows: number, scale: number): FigureDrawing | null;
}

/** Where the state is remembered: the address bar, or nothing. */
export interface LinkStore {
  read(): Link;
  write(link: Link, is_new_step: boolean): void;
  /** Calls back with each link that arrives from outside (Back, an edited address). */
  listen(on_link: (link: Link) => void): void;
  destroy(): void;
}

export interface PlaygroundOptions {
  /** Absent: the state is remembered nowhere. */
  links?: LinkStore;
  /**
   * Whether the last state is kept for the next visit, and the switch for it; and the steps of lessons that were seen, as they are
   * kept. Absent: nothing can be.
   */
  autosave?: { readonly is_on: boolean; set_on(is_on: boolean): void; readonly visited: string };
  /** Called with the sentence that is shown when nothing works any more. */
  on_error?: (sentence: string) => void;
}

export interface Playground {
  /** Absent where WebAssembly does not run. */
  readonly engine: Engine | null;
  /** Absent without WebGL2; the text version stands in its place. */
  readonly picture: Picture | null;
  /** The present state. */
  link(): Link;
  open_link(link: Link): void;
  /** Whether somebody may look soon, where the page around knows it better than the browser tells. */
  tell_near(is_near: boolean): void;
  /** Draws at once, if the canvas can be seen, and tells what stands where; for tests, which read the pixels back. */
  draw(): Item[];
  /** Frames drawn so far. */
  frames(): number;
  /** Nothing waits to be drawn or remembered. */
  is_idle(): boolean;
  /** Undoes everything: listeners, timers, the GL context. */
  destroy(): void;
}

// --- the author's page ---

/** What the snippets need to know of a prepared playground. */
export interface Embed {
  /** Where the playground is hosted, ending in "/". */
  address: string;
  link: Link;
  title: string;
  /** "100%" or pixels. */
  width: string;
  /** CSS pixels. */
  height: number;
}

/** How a playground gets into one kind of page. */
export interface Snippet {
  name: string;
  title: string;
  /** One sentence about what goes wrong there. */
  trap: string;
  write(embed: Embed): string;
}

/** What is chosen on the author's page and is no part of the link. */
export type AuthorSettings = Pick<Embed, "width" | "height" | "title">;

export interface AuthorChanges {
  link(link: Link): void;
  settings(settings: Partial<AuthorSettings>): void;
}

// The types that the page's modules and the engine exchange. Pages that embed the playground need Playground, PlaygroundOptions and
// Engine; all others are internal.

/** The stages, heads, tokens ... of a link: a query string such as "text=A+small+step&heads=2", without '#'. */
export type Link = string;

/** One key of the link, as the engine's key table describes it. */
export interface KeyInfo {
  key: string;
  label: string;
  kind: "text" | "choice" | "whole_number" | "number" | "flag" | "list";
  /** The legal words of a choice; empty for other kinds. */
  choices: string[];
  /** What people see instead of these words. */
  labels: string[];
  /** Bounds of a number; null: no bound. */
  low: number | null;
  high: number | null;
  legal: string;
  help: string;
  default: string;
  /** The settings that stand together: "Variants"; empty for keys that decide no number. */
  group: string;
  decides_numbers: boolean;
  repeats: boolean;
}

/** Something that was looked for by its words. */
export interface Found {
  kind: "setting" | "view" | "lesson";
  /** Of the link key, the view, the lesson. */
  name: string;
  title: string;
  /** "setting, Variants" */
  where: string;
  about: string;
}

/** The names that `hide` and `lock` accept: parts as they are, stages as "stage.NAME", controls (link keys) as "control.KEY". */
export interface Hideable {
  parts: string[];
  stages: { name: string; title: string; has_heads: boolean }[];
  controls: string[];
}

/** Some rows or columns of a matrix: their names, and their place among all of them. */
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
  /** The stages that this state has; empty without tokens. */
  stages: StageSummary[];
  /** The chosen stage; null without tokens. */
  shown: ShownStage | null;
  /** The chosen view, and what it shows besides the stage's own numbers. */
  view: { kind: string; tables: TextTable[]; values: Record<string, string[]> };
  /** What can be done here beside choosing values. Empty and null outside a visit. */
  undo: Act[];
  acts: { title: string; words: string[]; acts: Act[] }[];
  check: CheckText | null;
  /** The current step of a lesson; null outside lessons. */
  lesson: LessonStep | null;
  /** All lessons, in order. */
  lessons: LessonName[];
  /** The decoded values of each key that decides numbers, including those that the link leaves out. */
  values: Record<string, string[]>;
  /** Those that the model decides. */
  fixed: string[];
  /** The titles of the groups of settings that are open before the visitor opens or folds one. */
  open_groups: string[];
}

/** Something that Engine.act does. */
export interface Act {
  name: string;
  label: string;
  is_possible: boolean;
}

/** Check me: what is asked, and how it goes. */
export interface CheckText {
  /** The act that begins or ends it; empty if the author left it out. */
  toggle: Act[];
  help: string;
  scopes: Act[];
  questions: Act[];
  /** Index among the questions; -1: none. */
  current: number;
  title: string;
  lines: string[];
  remark: string;
  /** The act that takes an answer; empty: nothing can be answered. */
  field: string;
  typed: string;
  acts: Act[];
  score: string;
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
  /** Those of one group follow one another: "Training". */
  group: string;
  about: string;
  /** The number of steps. */
  steps: number;
  /** About how long they take. */
  minutes: number;
}

/** A prediction: its choices are acts. */
export interface AskedText {
  /** Empty: nothing is asked. */
  question: string;
  /** What is put in order, as it stands; else empty. */
  order: string[];
  choices: Act[];
  /** On the last choice; empty before. */
  said: string;
}

/** Steps count from 1. */
export interface LessonStep {
  /** As links name it; of a teacher's task all of it. */
  name: string;
  title: string;
  /** A teacher's own, which is in no list of lessons. */
  is_task: boolean;
  /** As its answers name it (AnswerRecord). */
  in_answers: string;
  step: number;
  count: number;
  step_title: string;
  /** What the lesson is about, in its first step; else empty. */
  goal: string;
  /** "Answer to step 5: 0.4419."; empty where the step before asks nothing. */
  answer: string;
  text: string;
  /** Two or three sentences to keep of the lesson, in its last step; else none. */
  keep: string[];
  /** What the step asks before it goes on; null outside a visit. */
  asks: AskedText | null;
  /** Says how many of the lecture's printed numbers come out; empty if the lecture printed none. */
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
   * At most 16 heads, or only the enlarged one. Values are as the picture prints them; null is a hidden key. `values` is null if
   * there are many: mirror_head() has them.
   */
  heads: { head: number; values: (string | null)[][] | null }[];
  pinned: { head: number | null; row: number; column: number; value: string | null; lines: string[] } | null;
  /** The largest numbers of the pinned, enlarged or first head, the largest first; null where the picture offers none. */
  strongest: { head: number; cells: { title: string; row: number; column: number; value: string }[] } | null;
}

/** The built-in fonts: what the program writes itself, and more for what visitors write. */
type FontPart = "sans-regular" | "sans-semibold" | "mono-regular";
export type FontName = FontPart | `${FontPart}-more`;

/** Questions as files for course systems. */
export type QuestionKind = "moodle" | "gift" | "qti";
/** What engine.variants makes: CSV of links or right answers, pages for print, questions for a course system, or JSON. */
export type VariantsKind = "json" | "links" | "answers" | "worksheets" | "key" | QuestionKind;
export type Paper = "a4" | "letter";

/** A link for each student of a list. Of the numbers that it asks for the words and the right answers. */
export interface Variants {
  notes: string[];
  asked: { question: string; asked: string }[];
  variants: { name: string; seed: number; is_moved: boolean; link: string; answers: number[] }[];
}

/** The numbers, without a picture. Any string is accepted: bad input gives the nearest legal state and a note. */
export interface Engine {
  /** Every stage of a link, or one, as the attn command prints it; `{"error"}` for a stage that is not there and for more than 2^23 numbers. */
  trace(link: Link, stage?: string, format?: "json" | "csv" | "text"): string;
  /** A digest of all numbers of a link: 16 hexadecimal digits, the same on every machine that computes the same bits. */
  digest(link: Link): string;
  /** The terms of one number. Heads count from 1, rows and columns from 0; a bad cell moves to the nearest legal one. Empty without tokens. */
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
  /** The settings, views and lessons that these words find in the state of a link, the best first. */
  find(link: Link, query: string): Found[];
  /**
   * Works on a link's numbers for about 10 ms; long texts take several calls with the same link. True: they are ready, and mirror()
   * of this link is quick. Throws a sentence for people if there is no memory for them.
   */
  prepare(link: Link): boolean;
  mirror(link: Link): Mirror;
  /** The values of a head for which the mirror has null. */
  mirror_head(link: Link, head: number): (string | null)[][];
  /** The mirror of the visit that the text version shares with the picture, which goes to this link: with undo, checks, answers. */
  visit(link: Link): Mirror;
  /**
   * Does what the visit's mirror offers under this name, with what was typed. `link` is the state afterwards, `said` a sentence for
   * the visitor. Not done: call again. The numbers of `link` should be ready.
   */
  act(link: Link, name: string, typed?: string): { is_done: boolean; link: Link; said: string };
  /**
   * The answers of the visit as JSON, `{"answers": AnswerRecord[]}` and more (docs/files.md), after adding those of `kept`, such a
   * text or "". Throws a sentence if `kept` is none.
   */
  answers(kept: string): string;
  /** Forgets the answers of a lesson; "": those outside lessons; "*": all. */
  clear_answers(lesson: string): void;
  /** Frees the memory of the numbers that prepare() and mirror() computed. */
  forget(): void;
  /** The link with every value moved to the nearest legal one. Computes nothing. */
  legal_link(link: Link): Link;
  /** The colour of t in [0, 1] on a map, as [r, g, b] of 0 to 255. */
  map_color(map: "sequential" | "diverging", is_dark: boolean, t: number): [number, number, number];
  /** A copy of a built-in font's bytes. */
  font(name: FontName): Uint8Array<ArrayBuffer>;
  /** All kinds of exported files, in the order in which they are offered. */
  exports(): ExportInfo[];
  /**
   * A file of the export table: what `attn export` writes, or a PNG drawn by this page. `options` is a query string:
   * "dark=1&transparent=1&title=0&legend=0&head=2&scale=3&stage=weights"; heads count from 1.
   * Throws an Error with a sentence for people: if there are no tokens, if the stage is missing or blank, or if the file is too large. A
   * spreadsheet ("xlsx") comes from make_file alone.
   */
  export_file(link: Link, kind: string, options?: string): ExportedFile;
  /** The same in pieces, so that the page stays responsive; one file after the other. Rejects where export_file throws for want of numbers or room. */
  make_file(link: Link, kind: string, options?: string): Promise<ExportedFile>;
  /**
   * The task of a file, or of a link that shows one: the link that opens it, without "#", the task as a file's JSON, and what a class
   * should not meet. Throws a sentence for people.
   */
  task(file_or_link: string): { link: Link; file: string; notes: string[] };
  /**
   * For each of the names, a line each or a pasted table, a link with numbers of their own: as `Variants` in JSON, or a file. `address`
   * stands before each link. Rejects with a sentence for people. Nothing of it leaves the page.
   */
  variants(
    link: Link,
    names: string,
    kind: VariantsKind,
    paper: Paper,
    address: string,
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** What opening a file would make of a link. Throws an Error that says what is wrong with the file, and where. */
  open_file(link: Link, name: string, bytes: Uint8Array): FileOffer;
}

/** One answered question; steps count from 1, times in seconds since 1970, 0 where nobody knows. */
export interface AnswerRecord {
  /** As links name it; empty: outside lessons, with step 0. */
  lesson: string;
  step: number;
  /** Of the lesson, and of the step; empty where the lesson is unknown. */
  title: string;
  step_title: string;
  /** "weights[1,10,4]" */
  question: string;
  /** The same in words. */
  asked: string;
  /** The link whose numbers were asked for. */
  numbers: string;
  /** The last try. */
  typed: string;
  tries: number;
  /** The try that was right; 0: none. */
  right_at: number;
  hints: number;
  /** The student gave up and was told. */
  told: boolean;
  /** The named ones, in the order in which they were made. */
  mistakes: string[];
  first: number;
  last: number;
}

/** What a student hands in. */
export interface HandIn {
  who: string;
  answers: AnswerRecord[];
  /** Its checksum is right; absent where it was never read. */
  is_intact?: boolean;
}

/** What was read of a file or of pasted text, and sentences on what was not. */
export interface ReadHandIns {
  hand_ins: HandIn[];
  problems: string[];
}

/** A row of the export table. */
export interface ExportInfo {
  /** The kind that export_file takes: "pytorch". */
  name: string;
  /** For people: "PyTorch script". */
  label: string;
  about: string;
  /** How much of the state the file holds. */
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
  /** Says which options were moved to the nearest legal value, or ignored. */
  notes: string[];
}

/** What can be done with a file. */
export interface FileOffer {
  question: string;
  /** The first choice fits and must be what the visitor meant, so there is no need to ask. */
  is_certain: boolean;
  /** At least one; `link` is the whole state afterwards. */
  choices: { label: string; link: Link; notes: string[] }[];
}

/** A vector shape of a view, in points, y down: src/scene/kit/figure.h as JSON. Colours are "#rrggbb". */
export type FigureElement = FigureRect | FigurePath | FigureText;

/** Draws a figure some rows of pixels at a time; later elements lie on top. */
export interface FigureDrawing {
  /** An array of FigureElement. */
  add(json: string): void;
  /** Works on these rows for some milliseconds. Returns their red, green, blue and alpha once they are drawn, null until then. */
  draw(first: number, end: number): Uint8ClampedArray | null;
}

/** How to fill and outline an area; without `fill` or `line`, that part is not drawn. */
export interface FigureLook {
  fill?: string;
  line?: string;
  /** Absent: 1. */
  line_width?: number;
  /** Lengths of lines and gaps, alternating; absent: solid. */
  dashes?: number[];
  /** Opacity of fill and line; absent: 1. */
  opacity?: number;
  /** Neighbouring rectangles have no gap and no seam. */
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
  /** The anchor's place on the baseline. */
  x: number;
  y: number;
  text: string;
  /** Points per em. */
  size: number;
  /** Absent: "sans". */
  font?: "sans" | "sans_bold" | "mono";
  /** Absent: "start", the left end in every script. */
  anchor?: "start" | "middle" | "end";
  ink: string;
  /** Degrees clockwise around (x, y); absent: 0. */
  turn?: number;
}

/** A stage of one sentence, as a frame sends it to the page around. */
export interface StageNumbers {
  text: string;
  tokens: string[];
  stage: string;
  /** For example [num_heads, T, T]; empty without tokens. */
  shape: number[];
  /** In the order of the shape; -Infinity is a hidden key. */
  values: Float32Array;
}

/** The module of an engine. Later parts of it may still be missing (later_part.js); the module fetches them when they are called. */
export interface LoadedModule {
  module: import("./attention_playground.mjs").RawModule;
  /** Resolves when the second part is loaded: the opening scene, its model, all views. Rejects if it cannot be fetched. */
  load_second(): Promise<void>;
  /** Resolves when all parts are loaded; rejects if one cannot be fetched. */
  load_rest(): Promise<void>;
}

/** An engine that may have a picture. */
export interface StartedEngine {
  module: import("./attention_playground.mjs").RawModule;
  engine: Engine;
  /** Needs WebGL2; returns null after a failure. */
  start_picture(): Picture | null;
  /** As LoadedModule's. */
  load_second(): Promise<void>;
  load_rest(): Promise<void>;
}

/** A model beside the page, as models/list.json names it. */
export interface ListedModel {
  /** As links name it: model=NAME. */
  name: string;
  /** In the folder of the list; without it, the name. */
  folder?: string;
  files: string[];
}

/** What one drawn frame tells the page. */
export interface FrameReport {
  wants_another: boolean;
  /** The input is answered, and something moves by itself: the other frame need not be part of the input's event. */
  plays: boolean;
  /** Picture.work() has more to do. */
  has_work: boolean;
  /** Seconds until a frame is needed even if nothing happens; null: never. */
  wake_after: number | null;
  is_dark: boolean;
  cursor: string;
  /** The new content of the sentence field; null: no change. */
  sentence: string | null;
  /** The state has settled: show this link. */
  link: Link | null;
  is_new_step: boolean;
  announcement: string | null;
  /** Counts what was answered, and what changed that. */
  num_answers: number;
  /** The page's author left out the sentence field, or fixed its content. */
  hides_sentence: boolean;
  locks_sentence: boolean;
  /** What the visitor asked the page to do in this frame; null: nothing. */
  request: FrameRequest | null;
  wants_text: boolean;
  /** CSS pixels from the canvas's top left corner. */
  caret: { x: number; y: number; height: number };
}

/** The result of a piece of work. */
export interface WorkReport {
  has_more: boolean;
  /** There is something new to see. */
  wants_frame: boolean;
}

/** What the picture cannot do itself and asks the page to do. */
export interface FrameRequest {
  /** Text for the clipboard. */
  copy: string | null;
  /** A link for the system's share sheet. */
  share: string | null;
  /** A file for the visitor to save. */
  save: OutgoingFile | null;
  /** Ask the visitor for files to open. */
  wants_file: boolean;
  /** Open the author's page or the one that fetches models, with this state, or the sheet of answers. */
  opens: "author" | "fetch" | "sheet" | null;
}

/** A file that leaves the page. Its parts are made when asked for; ask for all of them, in order. */
export interface OutgoingFile {
  name: string;
  media_type: string;
  parts: Iterable<Uint8Array<ArrayBuffer>>;
}

/** A file that enters or leaves the page; the name has no folders. */
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

/** What a system insists on, 0xRRGGBB: ground, text, links, what is chosen, and what is written on that. */
export type ForcedColors = [ground: number, text: number, links: number, chosen: number, on_chosen: number];

/** The picture of one canvas: the engine's other half. All calls except frame() take effect at the next frame. */
export interface Picture {
  /**
   * Draws now. Skips drawing if the canvas already shows this picture, unless it `is_due`. Null: the program has stopped.
   */
  frame(seconds: number, size: ViewSize, is_due: boolean): FrameReport | null;
  /** Does a piece of the work that the last frame left, about 10 ms. */
  work(): WorkReport;
  open_link(link: Link): void;
  type_sentence(text: string): void;
  /** The visitor dropped or chose a file. Throws a sentence if there is no memory for it. */
  add_file(file: NamedFile): void;
  /** Shows the visitor a sentence. */
  note(sentence: string): void;
  /** All parts of the engine are there. `visited`: the lesson steps seen in earlier visits: "causal=1 causal=2". */
  has_all(visited: string): void;
  /** The address for links to this page, without '#', empty if others could not open it; and whether the browser can share it. */
  set_address(address: string, can_share: boolean, has_fetch_page: boolean): void;
  hurry(): void;
  /** `colors`: those that the system insists on, or null. */
  set_preferences(is_dark: boolean, reduces_motion: boolean, colors: ForcedColors | null): void;
  expect_fingers(): void;
  gl_lost(): void;
  gl_restored(): void;
  pointer_at(kind: PointerKind, x: number, y: number): void;
  pointer_gone(): void;
  pointer_button(is_down: boolean): void;
  wheel(right: number, down: number): void;
  can_scroll(x: number, y: number): boolean;
  /** Two fingers, or Control and the wheel, zoom; in notches of a wheel, positive enlarges. */
  zoom(notches: number): void;
  can_zoom(): boolean;
  /** Returns whether the picture knows the key. */
  key(name: string, is_down: boolean): boolean;
  modifiers(control: boolean, shift: boolean, alt: boolean, meta: boolean): void;
  use_mac_keys(is_mac: boolean): void;
  text(text: string): void;
  paste(text: string): void;
  focus(has_focus: boolean, by_pointer: boolean): void;
  /** Makes the next frame record what is where; for tests. */
  want_items(): void;
  /** What was where when a frame last recorded it. */
  items(): Item[];
}

/** A control or cell on the canvas, named after what it does; in CSS pixels from the canvas's top left corner. */
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

/** What the page does for the engine's module. */
export interface Host {
  /** Comes before frame_done. The bytes of a file to save stay in the module's memory until _web_file_taken. */
  requested(
    request: Omit<FrameRequest, "save"> & {
      save: { name: string; media_type: string; begin: number; size: number } | null;
    },
  ): void;
  frame_done(report: Omit<FrameReport, "request">): void;
  failed(sentence: string): void;
  /** The engine wanted memory and got none. Does not return. */
  no_memory(): never;
  /** An open model's numbers are wanted from its files: only where there is such a model. */
  model_wants_bytes?(): void;
  copy(text: string): void;
  rasterize(text: string, pixel_size: number, is_bold: boolean): TextPicture;
  /** Begins a figure with `scale` pixels per point; null if the browser gives no canvas of that many pixels. */
  figure_drawing(width: number, rows: number, scale: number): FigureDrawing | null;
}

/** Remembers the state, for example in the address bar. */
export interface LinkStore {
  read(): Link;
  /** What read() gives where there is no link. */
  readonly start?: Link;
  write(link: Link, is_new_step: boolean): void;
  /** Calls back with each link that arrives from outside (Back, an edited address). */
  listen(on_link: (link: Link) => void): void;
  /**
   * The program stopped with this link, and `rested` was the last one of which everything was there. Returns how often it stopped
   * with which link, reloads counted in.
   */
  stopped(link: Link, rested: Link | null): Record<Link, number>;
  /** Reloads the page with this link. */
  start_anew(link: Link): void;
  destroy(): void;
}

export interface PlaygroundOptions {
  /** Absent: nothing remembers the state. */
  links?: LinkStore;
  /**
   * Whether the last state is kept for the next visit, the switch for that, and the lesson steps seen so far. Absent: nothing can be
   * kept.
   */
  autosave?: {
    readonly is_on: boolean;
    set_on(is_on: boolean): void;
    readonly visited: string;
    readonly storage: Storage;
  };
  /** Called with the sentence that the page shows when the playground has stopped working. */
  on_error?: (sentence: string) => void;
  /** Called when the visitor may have answered something. */
  on_answers?: () => void;
}

export interface Playground {
  /** Null if WebAssembly does not run. */
  readonly engine: Engine | null;
  /** Null without WebGL2; the text version replaces it. */
  readonly picture: Picture | null;
  /** The current state. */
  link(): Link;
  open_link(link: Link): void;
  /** Takes files as if they were dropped. Resolves to whether they were a model's that is open now; else the visitor is told why not. */
  open_files(files: File[]): Promise<boolean | undefined>;
  /** The page around says whether the visitor may see the picture soon; it knows that better than the browser. */
  tell_near(is_near: boolean): void;
  /** Answers came from elsewhere, or were cleared: shows them. */
  answers_replaced(): void;
  /** Draws at once if the canvas is visible, and returns what is where; for tests, which read the pixels back. */
  draw(): Item[];
  /** Frames drawn so far. */
  frames(): number;
  /** Nothing is waiting to be drawn or remembered. */
  is_idle(): boolean;
  /** Undoes everything: listeners, timers, the GL context. */
  destroy(): void;
}

/** What files and models on their way in need of a playground. */
export interface IncomingPage {
  link(): Link;
  open_link(link: Link): void;
  /** The same, as a step of the visitor's that is remembered. */
  change_link(link: Link): void;
  take_file(file: NamedFile): void;
  /** Tells the visitor a sentence. */
  tell(sentence: string): void;
  /** Tells it those who hear the page, and shows nothing. */
  announce(sentence: string): void;
  /** There is something new to draw. */
  want_frame(): void;
}

// --- packages for course systems ---

export type CourseKind = "scorm12" | "scorm2004" | "xapi";

/** What a package is about, as its outer page has it. */
export interface Course {
  kind: CourseKind;
  /** A URN of its own, the same for the same link and title. */
  id: string;
  title: string;
  link: Link;
  /** How many questions count, in which step; steps count from 1, outside lessons: "" and 0. */
  asked: { lesson: string; step: number; count: number }[];
  /** Each student has numbers of their own: the link's seed, and the keys that the seed of a student's name takes the place of. */
  seeds?: CourseSeeds;
}

export interface CourseSeeds {
  base: number;
  keys: string[];
}

/** One answered question. */
export interface CourseItem {
  /** Letters, digits and "-". */
  id: string;
  asked: string;
  typed: string;
  is_right: boolean;
  /** It is right, or the answer was told. */
  is_settled: boolean;
  tries: number;
  /** Seconds since 1970; 0: unknown. */
  last: number;
}

/** Counts of questions: `right` and `settled` are at most `asked`. */
export interface CourseReport {
  right: number;
  settled: number;
  asked: number;
  is_done: boolean;
  items: CourseItem[];
}

/** What is kept between two visits. */
export interface KeptVisit {
  /** Of the package. */
  id: string;
  link: Link;
  answers: AnswerRecord[];
}

/** A course system, whatever it speaks. Errors are parts of sentences: "it refused …". */
export interface CourseRuntime {
  /** Letters of what it keeps. */
  readonly most_kept: number;
  /** The student's name, or what else tells students apart; "": unknown, or not yet. */
  readonly learner: string;
  /** Begins. Resolves to what the last visit left, or "". */
  start(): Promise<string>;
  /** This was reported in an earlier visit. */
  know(report: CourseReport): void;
  /** Tells all that is new. Once it rejected, the next call tells it again. */
  report(report: CourseReport, kept: string): Promise<void>;
  /** The same for the last time, at once. */
  finish(report: CourseReport, kept: string): void;
}

// --- the author's page ---

/** What the snippets need to know about a prepared playground. */
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

/** How to put a playground into one kind of page. */
export interface Snippet {
  name: string;
  title: string;
  /** A sentence about what can go wrong there. */
  trap: string;
  write(embed: Embed): string;
}

/** What the author chooses that is not part of the link. */
export type AuthorSettings = Pick<Embed, "width" | "height" | "title">;

export interface AuthorChanges {
  link(link: Link): void;
  settings(settings: Partial<AuthorSettings>): void;
}

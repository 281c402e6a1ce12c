// Room checks: what neither a compiler nor a link list can see. Reads the project's text files and holds them to STYLE.md.
//   node tools/check_rooms.mjs      prints each violation as file:line: sentence
// tests/tools/check_rooms.test.mjs shows for each check a text that it refuses.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Results } from "./lib/results.mjs";

const kMaxLines = 400;

// Each hall with the halls its files may include; main.cpp may include everything.
const kMayInclude = {
  core: ["core"],
  model: ["core", "model"],
  playground: ["core", "model", "playground"],
  scene: ["core", "playground", "scene"],
  views: ["core", "model", "playground", "scene", "views"],
  share: ["core", "model", "playground", "scene", "views", "share"],
  render: ["core", "playground", "scene", "render", "embedded"],
  ui: ["core", "model", "playground", "scene", "views", "share", "render", "ui", "embedded"],
  app: ["core", "playground", "scene", "views", "share", "render", "ui", "app"],
  disk: ["disk"],
  platform: ["core", "disk", "platform"],
  cli: ["core", "model", "playground", "scene", "views", "share", "disk", "cli"],
};
// The types of text bitmaps, figures and pictures, which need no GL and no state, and the fonts to draw them with. And the plain
// data that a frame takes and gives.
const kAlsoAllowed = {
  playground: ["embedded/models.h"],
  app: ["platform/frame_io.h"],
  platform: [
    ...["render/text_bitmap.h", "embedded/fonts.h"],
    ...["scene/kit/figure.h", "scene/pens/figure_json.h", "scene/pens/png_drawing.h", "scene/pens/png_writer.h"],
  ],
};
// The rooms of each hall, the lowest first: a file includes its own room and those before it. "" is the hall itself.
const kRooms = {
  core: ["ground", "kernels", "words", "graph", "attention", "operations", "fast", "learn", "explain"],
  model: ["files", "words", "grammar", "layers", "explain", "roles", "learn"],
  playground: [
    "text",
    "state",
    "steps",
    "link",
    "numbers",
    "models",
    "check",
    "lessons",
    "find",
    "print",
    "cache",
    "visit",
  ],
  scene: ["kit", "pens"],
  views: [
    ...[
      "stage",
      "lines",
      "matrix",
      "vectors",
      "compare",
      "edit",
      "split",
      "stacked",
      "cost",
      "cache",
      "model",
      "lens",
      "journey",
      "patch",
      "door",
      "softmax",
      "dots",
    ],
    ...["learn", "", "words"],
  ],
  share: ["formats", "spreadsheet", "scripts", "solution", "worksheet", "questions", "variants", "exports", "opening"],
  render: [""],
  ui: [
    ...["look", "frame", "kit", "check", "lines", "matrix", "edit", "inspector", "vectors", "views", "lessons"],
    ...["learn", "settings", "share", "shell"],
  ],
  app: [""],
  disk: [""],
  platform: [""],
  cli: [""],
};

const hall_of = (file) => file.match(/^src\/([a-z]+)\//)?.[1];
/** The folder within the hall: "" for a file of the hall itself, "a/b" for one that stands deeper than a room. */
const room_of = (file) => file.match(/^src\/[a-z]+\/(?:(.*)\/)?[^/]*$/)?.[1] ?? "";
const is_cpp = (file) => /\.(cpp|h)$/.test(file);
const in_src = (file) => file.startsWith("src/") && is_cpp(file);
const in_halls =
  (...halls) =>
  (file) =>
    halls.includes(hall_of(file));

/** The same text with comments blanked out, line by line; include paths and other string literals stay. */
export function without_comments(text) {
  const pattern = /R"([^(\s]*)\([\s\S]*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  return text.replace(pattern, (part) => (part.startsWith("/") ? part.replace(/[^\n]/g, " ") : part));
}

/** A check that refuses a pattern in the code (comments do not count) of the files it applies to. */
const refuse = (name, applies, pattern, sentence) => ({
  name,
  applies,
  check: (file, text) => matches(is_cpp(file) ? without_comments(text) : text, pattern, sentence),
});

function* matches(text, pattern, sentence) {
  for (const match of text.matchAll(
    new RegExp(pattern.source, pattern.flags.includes("g") ? pattern.flags : pattern.flags + "g"),
  )) {
    yield { line: line_of(text, match.index), sentence: `${sentence}: ${match[0].trim()}` };
  }
}

const line_of = (text, index) => text.slice(0, index).split("\n").length;

/** Every #include of the project's own headers, as { line, header }. */
function* own_includes(text) {
  for (const match of without_comments(text).matchAll(/^[ \t]*#\s*include\s+"([^"]+)"/gm))
    yield { line: line_of(text, match.index), header: match[1] };
}

function* check_includes(file, text) {
  const hall = hall_of(file);
  if (!hall) return;
  const allowed = kMayInclude[hall];
  if (!allowed) {
    yield { line: 1, sentence: `src/${hall} is no hall that tools/check_rooms.mjs knows` };
    return;
  }
  for (const { line, header } of own_includes(text)) {
    if (!header.includes("/")) {
      yield { line, sentence: `includes start at src/, "${header}" does not` };
    } else if (!allowed.includes(header.split("/")[0]) && !kAlsoAllowed[hall]?.includes(header)) {
      yield { line, sentence: `${hall} must not include "${header}"` };
    }
  }
}

function* check_order(file, text) {
  const hall = hall_of(file);
  if (!kRooms[hall]) return; // check_includes says so
  const place = kRooms[hall].indexOf(room_of(file));
  if (place < 0) {
    yield { line: 1, sentence: `src/${hall} has no room for this file: the rooms are ${kRooms[hall].join(", ")}` };
    return;
  }
  for (const { line, header } of own_includes(text)) {
    const target = `src/${header}`;
    if (hall_of(target) === hall && kRooms[hall].indexOf(room_of(target)) > place)
      yield { line, sentence: `${hall}/${room_of(file)} must not include "${header}": that room comes later` };
  }
}

/** A unit is a .cpp with its .h: the path of either without its ending. */
const unit_of = (file) => file.replace(/\.(cpp|h)$/, "");

/** The units in src/ that include each other, directly or by way of others; each list is a circle. */
export function circles_of_units(files, read) {
  const included = new Map();
  for (const file of files.filter(in_src)) {
    const unit = unit_of(file);
    if (!included.has(unit)) included.set(unit, new Set());
    for (const { header } of own_includes(read(file))) {
      const target = unit_of(`src/${header}`);
      if (target !== unit) included.get(unit).add(target);
    }
  }
  // Tarjan: a unit reached again while still open closes a circle with all units opened after it.
  const places = new Map();
  const open = [];
  const circles = [];
  const visit = (unit) => {
    const place = places.size;
    places.set(unit, place);
    open.push(unit);
    let lowest = place;
    for (const target of included.get(unit) ?? []) {
      if (!places.has(target)) lowest = Math.min(lowest, visit(target));
      else if (open.includes(target)) lowest = Math.min(lowest, places.get(target));
    }
    if (lowest === place) {
      const circle = open.splice(open.indexOf(unit));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return lowest;
  };
  for (const unit of included.keys()) if (!places.has(unit)) visit(unit);
  return circles;
}

/** xtensor's reducers inside a wider expression give wrong numbers: each is stored in a variable on its own. */
function* check_reductions(file, text) {
  const code = without_comments(text);
  for (const match of code.matchAll(/\bxt::(amax|amin|sum|prod|mean|variance|stddev|norm_\w+|argmax|argmin)\s*[(<]/g)) {
    let end = code.indexOf("(", match.index);
    for (let depth = 0; end < code.length; ++end) {
      if (code[end] === "(") ++depth;
      if (code[end] === ")" && --depth === 0) break;
    }
    const before = code.slice(0, match.index).trimEnd();
    const after = code
      .slice(end + 1)
      .replace(/^\s*\(\s*\)/, "")
      .trimStart();
    const is_alone = /[^=!<>+\-*/]=$/.test(before) && after.startsWith(";");
    if (!is_alone) {
      yield {
        line: line_of(code, match.index),
        sentence: `xt::${match[1]} stands inside a wider expression: store it on its own line`,
      };
    }
  }
}

// The headers that presets with ATTN_QUICK read once for a whole room (tools/cmake/options.cmake), and what only they bring.
const kHeaders = {
  algorithm:
    /\bstd::(adjacent_find|all_of|any_of|clamp|copy|copy_n|count|count_if|equal|fill|fill_n|find|find_if|find_if_not|lower_bound|max|max_element|min|min_element|minmax|none_of|remove_if|replace|reverse|rotate|sort|stable_sort|transform|unique|upper_bound|ranges::\w+)\b/,
  array: /\bstd::array\b/,
  cmath:
    /\bstd::(abs|acos|atan2|cbrt|ceil|cos|erfc?|exp|exp2|floor|fmod|hypot|isfinite|isinf|isnan|ldexp|l?lround|log|log10|log2|nearbyint|pow|round|sin|sqrt|tanh?|trunc)\b/,
  cstdint: /\bstd::u?int(8|16|32|64)_t\b/,
  functional: /\bstd::(function|greater|invoke|less|ref)\b/,
  limits: /\bstd::numeric_limits\b/,
  map: /\bstd::map\b/,
  memory: /\bstd::(make_shared|make_unique|shared_ptr|unique_ptr|weak_ptr)\b/,
  optional: /\bstd::(make_optional|nullopt|nullopt_t|optional)\b/,
  set: /\bstd::set\b/,
  span: /\bstd::span\b/,
  string: /\bstd::(string|to_string)\b/,
  string_view: /\bstd::string_view\b/,
  utility: /\bstd::(exchange|forward|move|pair|swap)\b/,
  vector: /\bstd::vector\b/,
};

/** What a file includes in <>, by itself or by the project's own headers. */
function headers_of(file, read, seen = new Set()) {
  const headers = new Set();
  if (seen.has(file)) return headers;
  seen.add(file);
  for (const [, system, own] of without_comments(read(file)).matchAll(
    /^[ \t]*#\s*include\s+(?:<([^>]+)>|"([^"]+)")/gm,
  )) {
    if (system) headers.add(system);
    else if (!own.startsWith("embedded/")) headers_of(`src/${own}`, read, seen).forEach((one) => headers.add(one));
  }
  return headers;
}

function* check_headers(file, text, read) {
  const code = without_comments(text);
  const found = headers_of(file, read);
  for (const [header, pattern] of Object.entries(kHeaders)) {
    const match = code.match(pattern);
    if (match && !found.has(header)) {
      yield { line: line_of(code, match.index), sentence: `${match[0]} needs #include <${header}>` };
    }
  }
}

function* check_length(file, text) {
  const lines = text.split("\n").length - 1;
  if (lines > kMaxLines) yield { line: lines, sentence: `${lines} lines, at most ${kMaxLines} are allowed` };
}

/** CMakeLists.txt lists every source file by name, or nobody compiles it. */
function* check_listed(file, text, read) {
  if (!read("CMakeLists.txt").includes(file)) yield { line: 1, sentence: "is not listed in CMakeLists.txt" };
}

const kChecks = [
  refuse(
    "the browser is known to src/platform only",
    (file) => in_src(file) && hall_of(file) !== "platform",
    /__EMSCRIPTEN__|\bEM_(ASM|JS)\w*|<emscripten[^>]*>/,
    "only src/platform may know the browser",
  ),
  refuse(
    "ImGui is used by src/ui, src/platform, src/app and main only",
    in_halls("core", "model", "playground", "scene", "views", "share", "render", "cli"),
    /\bimgui\w*\.h\b|\bIm(Gui|Vec|Draw)\w*/,
    "no ImGui in this room",
  ),
  refuse(
    "GL is called by src/render and src/platform only",
    (file) => in_src(file) && !["render", "platform"].includes(hall_of(file)),
    /<(GL|GLES\d|EGL)\/[^>]*>|\bGL_[A-Z]\w+|\bgl[A-Z]\w*\s*\(/,
    "no GL in this room",
  ),
  refuse(
    "xsimd is used by src/core/kernels only",
    (file) => in_src(file) && !file.startsWith("src/core/kernels/"),
    /\bxsimd\b/,
    "xsimd belongs into src/core/kernels",
  ),
  {
    name: "includes follow core <- playground <- scene <- views <- share <- render, ui <- app <- main -> platform -> disk",
    applies: in_src,
    check: check_includes,
  },
  { name: "rooms of a hall include only the rooms before them", applies: in_src, check: check_order },
  { name: "what the standard library is used for is included", applies: in_src, check: check_headers },
  refuse(
    "nothing in src/ depends on the standard library's own random numbers or hashes",
    in_src,
    /\bstd::(hash|shuffle|sample|random_device|default_random_engine|(uniform|normal|bernoulli)\w*_distribution)\b/,
    "differs between standard libraries",
  ),
  refuse("nothing in src/ throws", in_src, /\bthrow\b|\btry\s*\{|\bcatch\s*\(/, "src/ is built without exceptions"),
  refuse(
    "core, model, playground, scene, views and share know no clock and no files",
    in_halls("core", "model", "playground", "scene", "views", "share"),
    /#\s*include\s*<(chrono|ctime|time\.h|fstream|filesystem|iostream|thread)>/,
    "no clock, files or console in this room",
  ),
  refuse(
    "xtensor's expressions are stored in named types",
    in_src,
    /\bauto\s*(const)?\s*[&]*\s*\w+\s*=\s*xt::/,
    "never auto for an expression",
  ),
  { name: "each reduction has its own line", applies: in_src, check: check_reductions },
  {
    name: `no file in src/ is longer than ${kMaxLines} lines`,
    applies: (file) => file.startsWith("src/"),
    check: check_length,
  },
  {
    name: "every source file is listed in CMakeLists.txt",
    applies: (file) => /^(src|tests)\/.*\.cpp$/.test(file),
    check: check_listed,
  },
  refuse("shaders carry no #version", (file) => file.endsWith(".glsl"), /^\s*#version.*/m, "the loader adds it"),
  refuse(
    "no fast-math",
    (file) => /(CMakeLists\.txt|CMakePresets\.json|\.cmake)$/.test(file),
    /-ffast-math|-Ofast|-funsafe-math\w*|-ffinite-math-only|-fassociative-math/,
    "masks are real infinities",
  ),
  refuse(
    "no addresses of package registries or mirrors",
    () => true,
    /https?:\/\/(registry|deb|ftp|security|archive|snapshot|mirrors?|packages|pypi|files|static)\.[\w.-]+/,
    "the machine's own configuration decides",
  ),
  refuse(
    "no absolute paths of one machine",
    () => true,
    /(?<![\w.\-~}/])\/(home|root|Users|work)\/\w+/,
    "works on one machine only",
  ),
  refuse(
    "no test waits for a time",
    (file) => file.startsWith("tests/") && !file.startsWith("tests/bench/"), // a bench may hold what it measures
    /\bwaitForTimeout\s*\(/,
    "wait for what is meant: eventually(), at_rest(), next_frames()",
  ),
  refuse("nothing is left for later", () => true, /\b(TO[D]O|FIX[M]E|XX[X])\b/, "finish it or file it"),
];

const kCircles = "no circles of units";

/** The project's text files as git sees them: tracked, or new and not ignored. */
export function project_files(root) {
  const answer = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  if (answer.status !== 0) throw new Error(`git cannot list the project's files: ${answer.stderr}`);
  return answer.stdout
    .split("\0")
    .filter(
      (file) =>
        file &&
        !/\.(png|ttf|woff2|ico|wasm)$/.test(file) &&
        statSync(join(root, file), { throwIfNoEntry: false })?.isFile(),
    );
}

/** All violations in files, whose texts come from read(file), as { check, file, line, sentence }. */
export function find_violations(files, read) {
  const violations = [];
  for (const { name, applies, check } of kChecks) {
    for (const file of files.filter(applies)) {
      for (const { line, sentence } of check(file, read(file), read))
        violations.push({ check: name, file, line, sentence });
    }
  }
  for (const circle of circles_of_units(files, read)) {
    const sentence = `includes lead in a circle: ${circle.join(", ")}`;
    violations.push({ check: kCircles, file: circle[0], line: 1, sentence });
  }
  return violations;
}

/** Runs all checks on a folder; each check counts as one test. */
export function check_rooms(root) {
  const texts = new Map();
  const read = (file) => {
    const path = join(root, file);
    if (!texts.has(file)) texts.set(file, existsSync(path) ? readFileSync(path, "utf8") : ""); // compilers miss it, too
    return texts.get(file);
  };
  const violations = find_violations(project_files(root), read);
  for (const { file, line, sentence } of violations) console.log(`${file}:${line}: ${sentence}`);
  const results = new Results();
  for (const name of [...kChecks.map((check) => check.name), kCircles]) {
    if (violations.some(({ check }) => check === name)) results.fail(`rooms: ${name}`);
    else results.pass();
  }
  return results;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const results = check_rooms(fileURLToPath(new URL("..", import.meta.url)));
  console.log(String(results));
  process.exitCode = results.failures.length > 0 ? 1 : 0;
}

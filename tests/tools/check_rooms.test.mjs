// Each room check refuses what it is for, and leaves alone what only looks like it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { circles_of_units, find_violations, without_comments } from "../../tools/check_rooms.mjs";

/** The names of the checks that refuse one file of this text, in a project that lists it. */
function refusals(file, text) {
  const read = (name) => (name === "CMakeLists.txt" && name !== file ? file : text);
  return [...new Set(find_violations([file], read).map(({ check }) => check))];
}

const assert_refused = (file, text, pattern) => {
  const found = refusals(file, text);
  assert.equal(found.length, 1, `${file}: ${text}: ${found}`);
  assert.match(found[0], pattern);
};
const assert_accepted = (file, text) => assert.deepEqual(refusals(file, text), [], `${file}: ${text}`);

// file, text, pattern of the check's name; without a pattern the text is accepted.
const kCases = [
  ["src/core/ground/a.cpp", "#ifdef __EMSCRIPTEN__\n#endif\n", /browser/],
  ["src/main.cpp", "#include <emscripten.h>\n", /browser/],
  ["src/platform/a_web.cpp", "#include <emscripten/html5.h>\n#ifdef __EMSCRIPTEN__\n#endif\n"],
  ["src/core/ground/a.cpp", "// __EMSCRIPTEN__ is not known here\n"],

  ["src/render/a.cpp", "#include <imgui.h>\n", /ImGui/],
  ["src/core/ground/a.h", "ImVec2 p;\n", /ImGui/],
  ["src/ui/kit/a.cpp", "#include <imgui.h>\nImVec2 p;\n"],

  ["src/ui/kit/a.cpp", "#include <GLES3/gl3.h>\n", /GL is called/],
  ["src/main.cpp", "glClear(1);\n", /GL is called/],
  ["src/render/a.cpp", "#include <GLES3/gl3.h>\nvoid f() { glClear(GL_COLOR_BUFFER_BIT); }\n"],
  ["src/ui/kit/a.cpp", "auto glyphs = glance(1);\n"],

  ["src/core/attention/attention.cpp", "#include <xsimd/xsimd.hpp>\n", /xsimd/],
  ["src/core/kernels/simd_kernels.cpp", "#include <xsimd/xsimd.hpp>\n"],

  ["src/core/ground/a.cpp", '#include "playground/state/state.h"\n', /includes follow/],
  ["src/playground/text/a.cpp", '#include "render/heatmap.h"\n', /includes follow/],
  ["src/cli/a.cpp", '#include "ui/ui.h"\n', /includes follow/],
  ["src/platform/a.cpp", '#include "render/heatmap.h"\n', /includes follow/],
  ["src/share/exports/a.cpp", '#include "disk/replace_file.h"\n', /includes follow/],
  ["src/disk/a.cpp", '#include "platform/files_desktop.h"\n', /includes follow/],
  ["src/core/ground/a.cpp", '#include "tokens.h"\n', /includes follow/],
  ["src/stray/a.cpp", "\n", /includes follow/],
  ["src/ui/kit/a.cpp", '#include "render/heatmap.h"\n#include "core/words/tokens.h"\n#include "embedded/fonts.h"\n'],
  ["src/core/a.cpp", "\n", /rooms of a hall/],
  ["src/core/cellar/a.cpp", "\n", /rooms of a hall/],
  ["src/core/ground/deeper/a.cpp", "\n", /rooms of a hall/],
  ["src/core/ground/a.cpp", '#include "core/words/tokens.h"\n', /rooms of a hall/],
  ["src/core/attention/a.cpp", '#include "core/words/tokens.h"\n#include "core/attention/b.h"\n'],
  ["src/views/lines/a.cpp", '#include "views/words/mirror.h"\n', /rooms of a hall/],
  ["src/views/words/a.cpp", '#include "views/lines/targets.h"\n#include "views/figures.h"\n'],
  ["src/main.cpp", '#include "platform/platform.h"\n#include "ui/ui.h"\n'],

  ["src/core/ground/a.cpp", "std::vector<int> v;\n", /is included/],
  ["src/core/ground/a.cpp", "#include <vector>\nstd::vector<int> v;\n"],
  ["src/core/ground/a.cpp", "#include <string>\nstd::string_view text;\n", /is included/],
  ["src/core/ground/a.cpp", "// std::vector is not used\n"],

  ["src/core/ground/a.cpp", "std::hash<int> h;\n", /random numbers or hashes/],
  ["src/core/ground/a.cpp", "std::uniform_real_distribution<float> d;\n", /random numbers or hashes/],
  ["src/core/ground/a.cpp", "std::normal_distribution<float> d;\n", /random numbers or hashes/],
  ["src/core/ground/a.cpp", "std::shuffle(a, b, c);\n", /random numbers or hashes/],
  ["src/core/ground/a.cpp", "std::mt19937 generator;\n"],

  ["src/core/ground/a.cpp", "throw 1;\n", /throws/],
  ["src/cli/a.cpp", "void f() { try { g(); } catch (...) {} }\n", /throws/],
  ["src/core/ground/a.cpp", "// never throw\nint catcher();\n"],

  ["src/playground/text/a.cpp", "#include <chrono>\n", /no clock/],
  ["src/core/ground/a.cpp", "#include <fstream>\n", /no clock/],
  ["src/platform/a.cpp", "#include <chrono>\n"],

  ["src/core/ground/a.cpp", "const auto e = xt::exp(m);\n", /named types/],
  ["src/core/ground/a.cpp", "const Matrix e = xt::exp(m - xt::amax(m, {1}, xt::keep_dims));\n", /reduction/],
  ["src/core/ground/a.cpp", "const Matrix e = m / xt::sum(m, {1});\n", /reduction/],
  ["src/core/ground/a.cpp", "return xt::sum(m)();\n", /reduction/],
  ["src/core/ground/a.cpp", "const Matrix s = xt::sum(m, {1}, xt::keep_dims) + 1;\n", /reduction/],
  [
    "src/core/ground/a.cpp",
    "const Matrix s =\n    xt::sum(f(m), {1}, xt::keep_dims);\nconst float t = xt::sum(m)();\n",
  ],

  ["src/core/ground/a.cpp", "int a;\n".repeat(401), /longer than/],
  ["src/core/ground/a.cpp", "int a;\n".repeat(400)],

  ["shaders/a.frag.glsl", "#version 300 es\n", /#version/],
  ["shaders/a.frag.glsl", "// the loader adds the version\nvoid main() {}\n"],

  ["CMakeLists.txt", "add_compile_options(-ffast-math)\n", /fast-math/],
  ["tools/cmake/options.cmake", "add_compile_options(-Ofast)\n", /fast-math/],
  ["tools/cmake/options.cmake", "add_compile_options(-O3)\n"],

  ["tools/a.sh", `curl ${"https:"}//registry.example.org/x\n`, /registries/],
  ["README.md", `see ${"http:"}//deb.example.org\n`, /registries/],
  ["README.md", `see ${"https:"}//github.com/ocornut/imgui\n`],
  ["tools/a.sh", `cd ${"/home"}/me/project\n`, /absolute paths/],
  ["tools/a.sh", `cp x ${"/root"}/y\n`, /absolute paths/],
  ["tools/a.sh", "cd ../work/home/x\n"],
  ["tests/browser/a.test.mjs", `await page.${"waitFor"}Timeout(500);\n`, /waits for a time/],
  ["tests/desktop/a.test.mjs", `  await frame.page().${"waitFor"}Timeout (kPause);\n`, /waits for a time/],
  ["tests/browser/a.test.mjs", "await page.waitForFunction(() => 1);\n"],
  ["tests/bench/a.mjs", `await page.${"waitFor"}Timeout(kHeld);\n`],
  ["web/a.js", `// ${"TO"}${"DO"}: later\n`, /later/],
];

for (const [i, [file, text, pattern]] of kCases.entries()) {
  const shown = text.split("\n")[0].slice(0, 60);
  if (pattern) test(`${i}: ${file} is refused: ${shown}`, () => assert_refused(file, text, pattern));
  else test(`${i}: ${file} is accepted: ${shown}`, () => assert_accepted(file, text));
}

test("a source file that CMakeLists.txt does not list is refused", () => {
  const read = (name) => (name === "CMakeLists.txt" ? "add_library(core src/core/ground/b.cpp)" : "\n");
  const [violation] = find_violations(["src/core/ground/a.cpp", "src/core/ground/b.cpp"], read);
  assert.equal(violation.file, "src/core/ground/a.cpp");
});

test("a violation names its line", () => {
  const [violation] = find_violations(["src/main.cpp"], () => "int a;\n\nthrow 1;  // src/main.cpp\n");
  assert.equal(violation.line, 3);
});

test("only comments are taken out, and lines stay where they are", () => {
  const text = 'a("// no comment");  // a comment\n/* two\nlines */ b(\'"\');  // "quoted"\nR"(// raw)"\n';
  const left = without_comments(text);
  assert.equal(left.split("\n").length, text.split("\n").length);
  assert.match(left, /no comment/);
  assert.match(left, /raw/);
  assert.match(left, /b\('"'\);/);
  assert.doesNotMatch(left, /a comment|two|lines|quoted/);
});

test("what a header of the project includes need not be included again", () => {
  const texts = {
    "CMakeLists.txt": "src/core/ground/a.cpp",
    "src/core/ground/a.cpp": '#include "core/ground/b.h"\nstd::vector<int> v;\n',
    "src/core/ground/b.h": '#include "core/ground/c.h"\n',
    "src/core/ground/c.h": '#include "core/ground/b.h"\n#include <vector>\n',
  };
  assert.deepEqual(
    find_violations(["src/core/ground/a.cpp"], (name) => texts[name]),
    [],
  );
  texts["src/core/ground/c.h"] = "\n";
  assert.deepEqual(
    find_violations(["src/core/ground/a.cpp"], (name) => texts[name]).map(({ sentence }) => sentence),
    ["std::vector needs #include <vector>"],
  );
});

test("a circle of units is found, and a unit's own .cpp and .h are none", () => {
  const files = {
    "src/a/one.h": '#include "a/two.h"\n',
    "src/a/one.cpp": '#include "a/one.h"\n',
    "src/a/two.h": "",
    "src/a/two.cpp": '#include "a/two.h"\n#include "a/three.h"\n',
    "src/a/three.h": '// #include "a/one.h"\n',
    "src/a/three.cpp": '#include "a/three.h"\n',
  };
  const circles = (texts) => circles_of_units(Object.keys(texts), (file) => texts[file] ?? "");
  assert.deepEqual(circles(files), []);
  assert.deepEqual(circles({ ...files, "src/a/three.cpp": '#include "a/one.h"\n' }), [
    ["src/a/one", "src/a/three", "src/a/two"],
  ]);
  assert.deepEqual(circles({ ...files, "src/a/two.h": '#include "a/one.h"\n' }), [["src/a/one", "src/a/two"]]);
});

// Files that become C++: the generated text must give back the same bytes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fonts_source, models_header, models_source, shader_name, shaders_header } from "../../tools/embed.mjs";

/** The text that a C++ compiler reads from the adjacent raw literals after `name`. */
function text_of(header, name) {
  const [, literals] = header.match(new RegExp(`${name} =\\n([\\s\\S]*?);\\n(?:\\n//|\\n})`));
  return [...literals.matchAll(/R"~\(([\s\S]*?)\)~"/g)].map(([, text]) => text).join("");
}

test("a shader's name says its file", () => {
  assert.equal(shader_name("shaders/heatmap.vert.glsl"), "kHeatmapVert");
  assert.equal(shader_name("/a.b/color_map-2.frag.glsl"), "kColorMap2Frag");
});

test("a shader's text survives, however long it is", () => {
  const short = 'void main() { /* "quotes" and \\ and ) */ }\n';
  const long = Array.from({ length: 9000 }, (_, i) => `int line_${i};`).join("\n");
  const header = shaders_header([
    { file: "a.vert.glsl", text: short },
    { file: "b.frag.glsl", text: long },
  ]);
  assert.equal(text_of(header, "kAVert"), short);
  assert.equal(text_of(header, "kBFrag"), long);
});

test("a shader's comments and indents stay at home, and its lines where they are", () => {
  const text = "// What it does.\nvoid main() {\n    a = b / c;  // why\n\n  b = a;\n}\n";
  assert.equal(text_of(shaders_header([{ file: "a.glsl", text }]), "kA"), "\nvoid main() {\na = b / c;\n\nb = a;\n}\n");
});

test("an empty shader is an empty text", () => {
  assert.match(shaders_header([{ file: "a.vert.glsl", text: "" }]), /kAVert =\n {4}"";/);
});

test("two shaders of one name, and a text that would end its literal, are refused", () => {
  const text = "";
  assert.throws(
    () =>
      shaders_header([
        { file: "a_b.glsl", text },
        { file: "a.b.glsl", text },
      ]),
    /kAB/,
  );
  assert.throws(() => shaders_header([{ file: "a.glsl", text: ')~"' }]), /a\.glsl/);
});

test("a font's bytes survive", () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * 7) % 256);
  const source = fonts_source([{ name: "kSans", bytes }]);
  const [, numbers] = source.match(/kSansBytes\[\] = \{\n([\s\S]*?)\};/);
  assert.deepEqual(numbers.split(",").slice(0, -1).map(Number), [...bytes]);
});

test("a model's files keep their names and bytes, and the header declares what the source defines", () => {
  const bytes = Uint8Array.from({ length: 70 }, (_, i) => 255 - i);
  const source = models_source([{ name: "small", files: [{ name: "config.json", bytes }] }]);
  const [, numbers] = source.match(/model0File0\[\] = \{([\d,\s]*)\}/);
  assert.deepEqual(
    numbers
      .split(",")
      .filter((text) => text.trim() !== "")
      .map(Number),
    [...bytes],
  );
  assert.match(source, /\{"config\.json", model0File0, 70\}/);
  assert.match(source, /kEmbeddedModels\[\] = \{\{"small", model0Files, 1\}\}/);
  for (const name of ["kEmbeddedModels", "kNumEmbeddedModels"]) assert.ok(models_header().includes(name), name);
});

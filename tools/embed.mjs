// Turns files into C++, which makes them part of the program. Used by the build (tools/cmake/embedded.cmake):
//   node tools/embed.mjs shaders out.h shaders/heatmap.vert.glsl …
//   node tools/embed.mjs models out.h out.cpp models/first-words …
//   node tools/embed.mjs fonts out.h out.cpp kSansRegular=sans-regular.ttf …
// Knows nothing about what the files say.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const kMaxLiteral = 16000; // C++ compilers must take string literals of 65,536 characters; stay well below

/** "heatmap.vert.glsl" → "kHeatmapVert"; words end at "_", "-" and ".". */
export function shader_name(file) {
  const words = basename(file, ".glsl").split(/[._-]+/);
  return "k" + words.map((word) => word[0].toUpperCase() + word.slice(1)).join("");
}

/** A text as one C++ expression of raw string literals. The delimiter must not occur in it. */
function raw_literal(text, file) {
  if (text.includes(')~"')) throw new Error(`${file} contains )~" which ends the literal it would become`);
  const parts = [];
  for (let start = 0; start < text.length; start += kMaxLiteral) {
    parts.push(`R"~(${text.slice(start, start + kMaxLiteral)})~"`);
  }
  return parts.join("\n    ") || '""';
}

/** A shader without what only people read; each line stays where it is, as compilers name lines. @param {string} text */
const without_comments = (text) => text.replace(/[ \t]*\/\/.*|^[ \t]+/gm, "");

/** The header with each shader's text as a std::string_view; its data() ends with a zero. */
export function shaders_header(files) {
  const lines = [
    "// Written by tools/embed.mjs from shaders/. Texts of the shaders, without #version and comments.",
    "#pragma once",
    "",
    "#include <string_view>",
    "",
    "namespace attn::shaders {",
    "",
  ];
  const seen = new Map();
  for (const { file, text } of files) {
    const name = shader_name(file);
    if (seen.has(name)) throw new Error(`${file} and ${seen.get(name)} would both be called ${name}`);
    seen.set(name, file);
    lines.push(
      `// ${basename(file)}`,
      `inline constexpr std::string_view ${name} =`,
      `    ${raw_literal(without_comments(text), file)};`,
      "",
    );
  }
  lines.push("}  // namespace attn::shaders", "");
  return lines.join("\n");
}

export function fonts_header(names) {
  return [
    "// Written by tools/embed.mjs. Font files (TrueType) that are part of the program.",
    "#pragma once",
    "",
    "#include <cstddef>",
    "",
    "namespace attn {",
    "",
    "struct EmbeddedFile {",
    "    const unsigned char* data;",
    "    std::size_t size;  // bytes",
    "};",
    "",
    `extern const EmbeddedFile ${names.join(", ")};`,
    "",
    "}  // namespace attn",
    "",
  ].join("\n");
}

const kOfModel = ["config.json", "model.safetensors", "tokenizer.json"]; // the files of a model that are computed with

export function models_header() {
  return `// Written by tools/embed.mjs from models/. Trained models that are part of the program.
#pragma once

#include <cstddef>

namespace attn {

struct EmbeddedModelFile {
    const char* name;
    const unsigned char* data;
    std::size_t size;  // bytes
};

struct EmbeddedModel {
    const char* name;
    const EmbeddedModelFile* files;
    std::size_t num_files;
};

extern const EmbeddedModel kEmbeddedModels[];
extern const std::size_t kNumEmbeddedModels;

}  // namespace attn
`;
}

/** `models`: [{ name, files: [{ name, bytes }] }], at least one. */
export function models_source(models) {
  const lines = ["// Written by tools/embed.mjs.", '#include "embedded/models.h"', "", "namespace attn {", ""];
  models.forEach(({ files }, m) => {
    files.forEach(({ bytes }, f) => {
      lines.push(`static const unsigned char model${m}File${f}[] = {`);
      for (let start = 0; start < bytes.length; start += 32)
        lines.push(bytes.subarray(start, start + 32).join(",") + ",");
      lines.push("};");
    });
    const rows = files.map(({ name, bytes }, f) => `{"${name}", model${m}File${f}, ${bytes.length}}`);
    lines.push(`static const EmbeddedModelFile model${m}Files[] = {${rows.join(", ")}};`);
  });
  const rows = models.map(({ name, files }, m) => `{"${name}", model${m}Files, ${files.length}}`);
  lines.push(
    `const EmbeddedModel kEmbeddedModels[] = {${rows.join(", ")}};`,
    `const std::size_t kNumEmbeddedModels = ${models.length};`,
    "",
    "}  // namespace attn",
    "",
  );
  return lines.join("\n");
}

export function fonts_source(files) {
  const lines = ["// Written by tools/embed.mjs.", '#include "embedded/fonts.h"', "", "namespace attn {", ""];
  for (const { name, bytes } of files) {
    lines.push(`static const unsigned char ${name}Bytes[] = {`);
    for (let start = 0; start < bytes.length; start += 32)
      lines.push(bytes.subarray(start, start + 32).join(",") + ",");
    lines.push("};", `const EmbeddedFile ${name}{${name}Bytes, sizeof ${name}Bytes};`, "");
  }
  lines.push("}  // namespace attn", "");
  return lines.join("\n");
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function main([kind, ...rest]) {
  if (kind === "shaders" && rest.length >= 1) {
    const [header, ...files] = rest;
    write(header, shaders_header(files.map((file) => ({ file, text: readFileSync(file, "utf8") }))));
  } else if (kind === "fonts" && rest.length >= 3) {
    const [header, source, ...fonts] = rest;
    const files = fonts.map((font) => {
      const [name, file] = font.split("=");
      return { name, bytes: readFileSync(file) };
    });
    write(header, fonts_header(files.map(({ name }) => name)));
    write(source, fonts_source(files));
  } else if (kind === "models" && rest.length >= 3) {
    const [header, source, ...folders] = rest;
    const models = folders.map((folder) => ({
      name: basename(folder),
      files: kOfModel.map((name) => ({ name, bytes: readFileSync(join(folder, name)) })),
    }));
    write(header, models_header());
    write(source, models_source(models));
  } else {
    throw new Error(
      "usage: embed.mjs shaders OUT.h FILE… | embed.mjs models OUT.h OUT.cpp FOLDER… | embed.mjs fonts OUT.h OUT.cpp NAME=FILE…",
    );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));

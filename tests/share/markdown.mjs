// The worked solution's Markdown, taken apart: text, formulas, code.
import assert from "node:assert/strict";
import katex from "katex";

/** The parts of a Markdown text: {kind: "display" | "inline" | "code" | "text", text}. */
export function parts_of(markdown) {
  const parts = [];
  let end = 0;
  for (const match of markdown.matchAll(/\$\$([^$]+)\$\$|\$([^$\n]+)\$|`([^`\n]+)`/g)) {
    parts.push({ kind: "text", text: markdown.slice(end, match.index) });
    const kind = match[1] !== undefined ? "display" : match[2] !== undefined ? "inline" : "code";
    parts.push({ kind, text: match[1] ?? match[2] ?? match[3] });
    end = match.index + match[0].length;
  }
  parts.push({ kind: "text", text: markdown.slice(end) });
  return parts;
}

/** Every formula is one that KaTeX reads, and nothing else looks like one. */
export function check_formulas(markdown) {
  for (const { kind, text } of parts_of(markdown)) {
    if (kind === "text") assert.ok(!/(?<!\\)[$`]/.test(text), `a $ or \` outside of formulas: ${text}`);
    if (kind === "display" || kind === "inline")
      katex.renderToString(text, { displayMode: kind === "display", throwOnError: true, strict: "error" });
  }
}

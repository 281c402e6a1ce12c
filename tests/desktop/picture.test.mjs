// The picture itself: what the program draws at every scale and theme, held against the numbers of the attn command.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { screenshot, temporary_folder } from "./program.mjs";

const kSentence = "The artist painted the portrait of a woman with a brush";
const kNumTokens = 11;

/** The weights of each head as the command prints them: null where the key is hidden. */
function weights_of(link) {
  const attn = join(process.env.ATTN_NATIVE ?? "build/dev", "attn");
  const { stdout } = spawnSync(attn, ["trace", link, "--stage", "weights", "--format", "json"], { encoding: "utf8" });
  return JSON.parse(stdout).sentences[0].stages[0].values;
}

/** [r, g, b] at a place given in points. */
function color_at(png, scale, x, y) {
  const i = (Math.floor(y * scale) * png.width + Math.floor(x * scale)) * 4;
  return [...png.data.subarray(i, i + 3)];
}

/** Relative luminance by WCAG 2, 0 to 1. */
function luminance(color) {
  const linear = color.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

/** The ground of a cell, near its lower left corner: clear of the number in the middle, the rounded corner and the gap. */
function cell_color(png, scale, map, row, column) {
  const side = (map.x1 - map.x0) / kNumTokens;
  return color_at(png, scale, map.x0 + (column + 0.2) * side, map.y0 + (row + 0.85) * side);
}

function num_colors(png) {
  const colors = new Set();
  for (let i = 0; i < png.data.length; i += 4) colors.add(png.data.readUInt32BE(i));
  return colors.size;
}

for (const theme of ["light", "dark"]) {
  for (const scale of [1, 1.25, 2]) {
    test(`at scale ${scale} in the ${theme} theme the cells show the weights`, (t) => {
      const { png, items } = screenshot(temporary_folder(t), "", { scale, theme });
      assert.deepEqual([png.width, png.height], [1280 * scale, 800 * scale]);
      assert.ok(num_colors(png) > 100, "text and maps bring many colours");

      const cells = [];
      weights_of("").forEach((head, h) =>
        head.forEach((row, i) =>
          row.forEach((weight, j) => {
            if (weight === null || j > i) return;
            cells.push({ weight, shown: luminance(cell_color(png, scale, items.get(`map=${h + 1}`), i, j)) });
          }),
        ),
      );
      assert.equal(cells.length, (2 * kNumTokens * (kNumTokens + 1)) / 2);
      cells.sort((a, b) => a.weight - b.weight);
      const towards = theme === "light" ? -1 : 1; // larger weights are darker on paper, brighter in the dark
      for (let k = 1; k < cells.length; ++k)
        assert.ok(
          (cells[k].shown - cells[k - 1].shown) * towards >= -1e-3, // luminance of colours rounded to 8 bits
          `${cells[k - 1].weight} and ${cells[k].weight} are drawn the wrong way round`,
        );
      const range = Math.abs(cells.at(-1).shown - cells[0].shown);
      assert.ok(range > 0.4, `the least and the largest weight differ by only ${range} in luminance`);
    });
  }
}

test("hidden keys are hatched: two colours, neither far from the paper", (t) => {
  const { png, items } = screenshot(temporary_folder(t), "", { scale: 2 });
  const map = items.get("map=1");
  const side = (map.x1 - map.x0) / kNumTokens;
  const colors = new Set();
  for (let dx = 4; dx < side - 4; dx += 0.5)
    colors.add(color_at(png, 2, map.x0 + 9 * side + dx, map.y0 + side / 2).join());
  assert.ok(colors.size >= 2, `one colour only: ${[...colors]}`);
  for (const color of colors)
    assert.ok(luminance(color.split(",").map(Number)) > 0.5, `${color} is dark for a hidden key`);
});

test("other sentences and settings give other pictures", (t) => {
  const home = temporary_folder(t);
  const pictures = [
    "",
    "text=A+dog+barks",
    "heads=4",
    "seed=1",
    "stage=queries",
    "cell=1,3,2",
    "head=2",
    "view=numbers",
  ].map((link) => screenshot(home, link).png.data.toString("latin1"));
  assert.equal(new Set(pictures).size, pictures.length);
});

test("any text and any size of window is drawn to the end", (t) => {
  const home = temporary_folder(t);
  const texts = [
    "",
    " ",
    "a",
    "مرحبا بالعالم",
    "注意力 机制",
    "😀👩‍👩‍👧",
    "e\u0301\u0301\u0301",
    "word ".repeat(3000),
    "\ufffd\u0007",
  ];
  for (const text of texts) {
    const link = `text=${encodeURIComponent(text)}`;
    for (const size of ["1280x800", "360x480"]) assert.ok(num_colors(screenshot(home, link, { size }).png) > 20, text);
  }
});

test("noise in place of a link is drawn with a note, not refused", (t) => {
  const home = temporary_folder(t);
  const plain = screenshot(home, "").png;
  const noisy = screenshot(home, "heads=5&d_out=16&nonsense=1&temperature=nan&cell=9,9,9&%%%").png;
  assert.notDeepEqual(noisy.data, plain.data);
});

test(`the default sentence is "${kSentence}"`, (t) => {
  const home = temporary_folder(t);
  const explicit = screenshot(home, `text=${kSentence.replaceAll(" ", "+")}`).png;
  assert.deepEqual(screenshot(home, "").png.data, explicit.data);
});

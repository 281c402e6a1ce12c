// Which links are drawn before the second part of the engine is there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { is_drawn_by_first_part } from "../../web/first_picture.js";

for (const [link, is_drawn] of [
  ["", true],
  ["v=1&text=A+sentence+of+one%27s+own&heads=3", true],
  ["view=lines&mask=none", true],
  ["text=caf%C3%A9", false], // letters that the program does not write itself
  ["view=vectors", false], // a value that is not drawn when the module is divided
  ["hide=settings,share", false],
  ["text=one&lesson=causal", false],
  ["constructor=1", false],
]) {
  test(`the first part ${is_drawn ? "draws" : "does not draw"} "${link}"`, () => {
    assert.equal(is_drawn_by_first_part(link), is_drawn);
  });
}

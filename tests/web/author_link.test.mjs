// What the author's page does to links: the lists of names stay lists, and nothing of the state is lost on the way.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  blanks_of,
  control_mode,
  lesson_link,
  link_in,
  longest_key,
  names_of,
  read_names,
  with_author,
  with_control_mode,
  with_name,
  without_author,
} from "../../web/author_link.js";

const kKeys = ["heads", "seed", "mask"];

test("names are split at commas outside brackets", () => {
  assert.deepEqual(read_names("settings, weights[1,7,4],stage.scores,,output[ *, 0 ]"), [
    "settings",
    "weights[1,7,4]",
    "stage.scores",
    "output[ *, 0 ]",
  ]);
  assert.deepEqual(read_names(""), []);
  assert.deepEqual(read_names("weights[1,7"), ["weights[1,7"], "a bracket that is open stays what it is");
});

test("a name is put in once and taken out again", () => {
  const link = with_name("text=a&hide=settings", "hide", "weights[1,7,4]", true);
  assert.equal(link, "text=a&hide=settings,weights[1,7,4]");
  assert.equal(with_name(link, "hide", "settings", true), "text=a&hide=weights[1,7,4],settings");
  assert.equal(with_name(link, "hide", "settings", false), "text=a&hide=weights[1,7,4]");
  assert.equal(with_name("hide=settings&text=a", "hide", "settings", false), "text=a", "an empty list is no key");
  assert.deepEqual(blanks_of(link), ["weights[1,7,4]"]);
});

test("a control is open, fixed or hidden, and back", () => {
  let link = "text=a";
  for (const mode of ["fixed", "hidden", "fixed", "open", "hidden", "open"]) {
    link = with_control_mode(link, "heads", mode, kKeys);
    assert.equal(control_mode(link, "heads"), mode);
    assert.equal(control_mode(link, "seed"), "open");
  }
  assert.equal(link, "text=a");
});

test("when everything is fixed, one control can still be freed or hidden", () => {
  assert.equal(control_mode("lock=all", "seed"), "fixed");
  const freed = with_control_mode("lock=all", "seed", "open", kKeys);
  assert.deepEqual(names_of(freed, "lock"), ["heads", "mask"]);
  const hidden = with_control_mode("lock=all", "seed", "hidden", kKeys);
  assert.equal(control_mode(hidden, "seed"), "hidden");
  assert.deepEqual(names_of(hidden, "lock"), ["all"]);
  assert.equal(control_mode(with_control_mode(hidden, "seed", "fixed", kKeys), "seed"), "fixed");
});

test("what the author hides comes back over what is edited without it", () => {
  const prepared = "text=a&hide=settings,stage.scores&heads=2&lock=all";
  assert.equal(without_author(prepared), "text=a&heads=2");
  assert.equal(with_author("text=b&heads=4", prepared), "text=b&heads=4&hide=settings,stage.scores&lock=all");
});

test("a lesson starts with its own state, under the same roof", () => {
  assert.equal(
    lesson_link("text=a&heads=4&hide=settings&theme=dark", "causal", 3),
    "lesson=causal&step=3&hide=settings&theme=dark",
  );
});

test("whatever is pasted, the link is found in it", () => {
  assert.equal(link_in(" https://example.org/playground/#text=a&heads=2 "), "text=a&heads=2");
  assert.equal(link_in("#text=a%23b"), "text=a%23b");
  assert.equal(link_in("text=a&heads=2"), "text=a&heads=2");
  assert.equal(link_in("https://example.org/playground/"), "");
});

test("what makes a link long is named", () => {
  assert.deepEqual(longest_key("v=1&text=ab&x=1,2;3,4&text=cd"), { key: "text", length: 16 });
  assert.deepEqual(longest_key("heads=2"), { key: "heads", length: 8 });
  assert.equal(longest_key(""), null);
});

// Small changes to a link, which the engine then reads as it reads any other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { address_of, has_author_page, names_of, values_of, with_sentence, with_values } from "../../web/links.js";

test("a key is replaced wherever it stood, and the others stay as they were written", () => {
  assert.equal(with_values("v=1&heads=2&edit=w_query[0,1]=0.5", "heads", ["4"]), "v=1&edit=w_query[0,1]=0.5&heads=4");
  assert.equal(with_values("theme=dark&a=1&theme=light", "theme", []), "a=1");
  assert.equal(with_values("", "theme", ["dark"]), "theme=dark");
});

test("a key that begins like another is another", () => {
  assert.equal(with_values("text=a&texture=b", "text", []), "texture=b");
  assert.equal(with_values("d_in=3", "d", ["4"]), "d_in=3&d=4");
});

test("what was written is read back, whatever it is", () => {
  const odd = ["a b", "a+b", "50 % & more", "#?=&", "naïve 😀", "\u0627\u0644", "\n\t", "[1,2;3]", "%41"];
  assert.deepEqual(values_of(with_values("v=1", "text", odd), "text"), odd);
});

test("a sentence of a batch is replaced and the others stay", () => {
  const batch = ["one", "two", "three"];
  const link = with_values("heads=2", "text", batch);
  assert.deepEqual(values_of(with_sentence(link, batch, 2, "zwei"), "text"), ["one", "zwei", "three"]);
  assert.deepEqual(values_of(with_sentence("lesson=batch", batch, 2, "zwei"), "text"), ["one", "zwei", "three"]);
  assert.deepEqual(values_of(with_sentence("heads=2", [], 1, "first"), "text"), ["first"]);
  assert.deepEqual(values_of(with_sentence("text=a", ["a"], 3, "b"), "text"), ["a", "b"], "no holes in the batch");
  assert.deepEqual(batch, ["one", "two", "three"], "the batch itself is not changed");
});

test("the names of hide and lock are found among values with brackets", () => {
  const link = "hide=sentence,weights[1,7,4],+notes&lock=text&lock=heads,seed";
  assert.ok(["sentence", "notes"].every((name) => names_of(link, "hide").includes(name)));
  assert.deepEqual(names_of(link, "lock"), ["text", "heads", "seed"]);
  assert.deepEqual(names_of("heads=2", "lock"), []);
});

test("only addresses that somebody else can open are handed on", () => {
  assert.equal(address_of("https://example.org/a/?host=b#text=c?d"), "https://example.org/a/");
  assert.equal(address_of("http://localhost:8000/"), "http://localhost:8000/");
  assert.equal(address_of("file:///home/me/a.html#x\ny"), "file:///home/me/a.html");
  assert.equal(address_of("about:srcdoc"), "");
  assert.equal(address_of("blob:https://example.org/1234"), "");
});

test("the author's page stands beside pages on the web, not beside a single file", () => {
  assert.ok(has_author_page("https://example.org/playground/#heads=2"));
  assert.ok(has_author_page("http://localhost:8000/index.html?x"));
  assert.ok(!has_author_page("file:///home/me/attention-playground.html"));
  assert.ok(!has_author_page("https://example.org/files/attention-playground.html#heads=2"));
  assert.ok(!has_author_page("about:srcdoc"));
});

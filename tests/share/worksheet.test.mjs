// Worksheets of all that the lessons ask for, and what no printed sheet tells: a blank weight from the rest of its row.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { attn } from "./random_links.mjs";

const boxes_in = (html) => html.match(/<td class="box"><\/td>/g)?.length ?? 0;

/** The numbers in the rows of a table of this title, in all its parts; null in the place of a box, nothing for hidden keys. */
function rows_of(html, title) {
  const rows = new Map();
  for (const [, caption, body] of html.matchAll(/<caption>([^<]*)<\/caption>[^]*?<tbody>([^]*?)<\/tbody>/g)) {
    if (caption.replace(/, columns .*/, "") !== title) continue;
    for (const [, label, cells] of body.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/g)) {
      const numbers = [...cells.matchAll(/<td(?: class="(\w+)")?>([^<]*)<\/td>/g)]
        .filter(([, kind]) => kind !== "hidden" && kind !== "none")
        .map(([, , text]) => (text === "" ? null : Number(text.replace("−", "-"))));
      rows.set(label, [...(rows.get(label) ?? []), ...numbers]);
    }
  }
  return [...rows.values()];
}

test("every exercise of the lessons has a worksheet that asks for its numbers, a key and a solution", () => {
  const names = attn("lessons").match(/^[a-z-]+(?= )/gm);
  let num_exercises = 0;
  for (const name of names) {
    for (const step of attn("lessons", name).split(/\n(?=\d+\. )/)) {
      const answers = [...step.matchAll(/^ {3}Asks for: .*: (\S+)$/gm)].map(([, answer]) => answer);
      if (answers.length === 0) continue;
      const [link] = /lesson=\S+&step=\d+/.exec(step);
      num_exercises += 1;
      assert.equal(boxes_in(attn("export", "worksheet", link)), answers.length, link);
      const key = attn("export", "worksheet", link, "--options", "key=1");
      for (const answer of answers) assert.ok(key.includes(`<td class="answer">${answer}</td>`), `${link}: ${answer}`);
      assert.ok(attn("export", "solution", link).includes("\\square"), link);
    }
  }
  console.log(`${num_exercises} exercises`);
  assert.ok(num_exercises >= 59);
});

test("no blank weight is what the rest of its row leaves of 1", () => {
  const text = "text=The+cat+sat+down+again&heads=1";
  for (const mask of ["", "&mask=none", "&mask_window=2", "&mask_at=after", "&mask_at=raw", "&sink_logits=1"]) {
    const { values } = JSON.parse(attn("trace", text + mask)).sentences[0].stages.find(
      ({ name }) => name === "weights",
    );
    for (const [row, column] of [
      [1, 0],
      [2, 2],
      [4, 3],
      [4, 4],
    ]) {
      const sheet = attn("export", "worksheet", `${text}${mask}&hide=weights[1,${row},${column}]`);
      assert.equal(boxes_in(sheet), 1);
      const [numbers] = rows_of(sheet, "weights, head 1");
      assert.ok(numbers.filter((number) => number === null).length >= 2, `${mask}: row ${row}, column ${column}`);
      const rest = 1 - numbers.reduce((sum, number) => sum + (number ?? 0), 0);
      assert.ok(Math.abs(rest - values[0][row][column]) > 1e-3, `${mask}: ${rest}`);
      assert.deepEqual(rows_of(sheet, "context, head 1"), []);
    }
  }
});

test("every stage of every kind of layer has a worksheet, or a sentence says why not", () => {
  const links = [
    "text=a+b+c&bias=1&dropout=0.3",
    "text=a+b+c&goal=next&d_out=8&steps=2&logit_cap=3",
    "text=a+b+c&goal=pattern&target=1:2>0&bias=1&qk_norm=1&pos=rope&sink_logits=1&dropout=0.3",
    "text=a+b+c&heads=4&d_out=8&latent=3&latent_queries=4&pos=rope&rope_dim=2",
    "text=a+b+c&heads=4&d_out=8&kv_heads=2&mask_at=after&pos=alibi&score_cap=3",
    "text=a+b&init=none&d_in=4&d_out=4&mask_at=raw&goal=pattern&target=1:1>0",
    "text=a+b&embed=typed&x=1,2;3,4&d_in=2&d_out=2&heads=1&pos=learned",
    "model=first-words&layer=2&text=The+artist",
  ];
  const refused = [];
  for (const link of links) {
    for (const { name } of JSON.parse(attn("trace", link)).sentences[0].stages) {
      const run = spawnSync(
        join(process.env.ATTN_NATIVE, "attn"),
        ["export", "worksheet", `${link}&check=${name}`, "--options", "key=1"],
        { encoding: "utf8", maxBuffer: 1 << 26 },
      );
      if (run.status === 2) refused.push(name);
      else assert.equal(run.status, 0, `${link}&check=${name}: ${run.stderr}`);
      if (run.status === 2) assert.match(run.stderr, /^[A-Z].*\.$/m);
    }
  }
  // Those around a model's attention, and what has more numbers than one can be asked for.
  assert.deepEqual([...new Set(refused)].filter((name) => !/^(before|attention_|middle|mlp_|after|final_|logit)/.test(name)).sort(), []); // prettier-ignore
});

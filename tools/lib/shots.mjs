// Takes the pictures of the page that people are asked to look at, and puts them on a contact sheet: tools/shots calls it when
// the page is built.
//   node tools/lib/shots.mjs PAGE_FOLDER OUT_FOLDER [WORD...]
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { click_item, eventually, items, start } from "../../tests/browser/browser.mjs";

const kFinger = { hasTouch: true, isMobile: true };
/** The windows: the smallest phone, a phone, a phone on its side, a laptop, the same at 200 %, a large screen. */
const kWindows = [
  { name: "320x480", viewport: { width: 320, height: 480 }, ...kFinger },
  { name: "360x640", viewport: { width: 360, height: 640 }, ...kFinger },
  { name: "844x390", viewport: { width: 844, height: 390 }, ...kFinger },
  { name: "1280x800", viewport: { width: 1280, height: 800 } },
  { name: "1280x800-at-200", viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
  { name: "1920x1080", viewport: { width: 1920, height: 1080 } },
];

const kBrush = "text=The+artist+painted+the+portrait+of+a+woman+with+a+brush";
const kAsked = "text=the+artist+painted+the+portrait+of+a+woman+with+a+brush+.+who+has+the+brush+%3F+the";
/** The scenes: a name and a link, or the page's own address; then what is pressed, one after the other. */
const kScenes = [
  { name: "door", is_bare: true, press: [] },
  { name: "door-off", is_bare: true, press: ["off=in use"] },
  { name: "door-brush", is_bare: true, press: ["start=2"] },
  { name: "door-unknown", link: "view=door&text=my+zebra+sleeps+near+the+dogs" },
  { name: "door-random", link: "view=door&model=&text=my+zebra+sleeps+near+the+dogs" },
  { name: "door-to-numbers", is_bare: true, press: ["door=numbers"] },
  { name: "door-to-teach", is_bare: true, press: ["door=teach"] },
  { name: "door-to-cache", is_bare: true, press: ["door=cache"] },
  { name: "door-to-lesson", is_bare: true, press: ["door=lesson"] },
  { name: "first", link: "" },
  { name: "cell", link: `${kBrush}&d_in=6&d_out=4&heads=2&cell=1,10,1` },
  { name: "enlarged", link: `${kBrush}&d_in=6&d_out=4&heads=2&head=1` },
  { name: "lesson", link: "lesson=heads&step=2" },
  { name: "three", link: "text=The+cat+sat&heads=1" },
  { name: "four", link: `${kBrush}&d_out=8&heads=4` },
  { name: "lines", link: `${kBrush}&d_out=4&heads=2&view=lines` },
  { name: "numbers", link: `${kBrush}&d_out=4&heads=2&view=numbers` },
  { name: "compare", link: `${kBrush}&d_out=4&heads=2&view=compare&compare=seed%3D7` },
  { name: "edit", link: `${kBrush}&view=edit` },
  { name: "vectors", link: `${kBrush}&d_out=4&heads=2&view=vectors` },
  { name: "split", link: `${kBrush}&d_out=4&heads=2&view=split&phase=2` },
  { name: "cache", link: `${kBrush}&d_out=4&heads=2&view=cache&prompt=4&at=3` },
  { name: "model", link: `${kAsked}&model=first-words&layer=2&view=model&head=7` },
  { name: "dots", link: "view=dots&pairs_dim=100" },
  { name: "learning", link: `${kBrush}&d_out=4&view=learn&goal=pattern&target=1:10>1,10>7&rate=0.05&steps=150` },
  { name: "arrows", link: "lesson=trainable&step=6" },
  { name: "printed", link: "lesson=causal&step=3" },
  { name: "hand", link: "lesson=no-weights&step=5" },
  { name: "check", link: "text=The+cat+sat&view=matrix&check=weights" },
  { name: "right-to-left", link: "text=הכלב+החום+נבח+על+החתול&d_out=4&heads=2&view=vectors&cell=1,4,2" },
];

const [page_folder, out, ...words] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const browser = await start({ folder: page_folder });
try {
  const taken = await take_all(browser);
  for (const theme of ["light", "dark"]) {
    if (taken.some((one) => one.theme === theme)) await make_sheet(browser, taken, theme);
  }
} finally {
  await browser.close();
}

/** Takes every wanted picture; returns them as `{scene, window, theme, file}`. */
async function take_all(browser) {
  const taken = [];
  for (const theme of ["light", "dark"]) {
    for (const { name: window, ...options } of kWindows) {
      for (const { name: scene, link = "", is_bare = false, press } of kScenes) {
        const name = `${scene}-${window}-${theme}`;
        if (words.length > 0 && !words.every((word) => word.split("|").some((part) => name.includes(part)))) continue;
        const page = await browser.open(link, { ...options, is_bare, colorScheme: theme });
        if (press)
          await eventually("the scene", async () => (await items(page)).some((one) => one.name === "off=in use"));
        for (const name of press ?? []) await press_in_sight(page, name);
        const file = join(out, `${name}.png`);
        await page.screenshot({ path: file });
        if (page.troubles.length > 0) console.error(`${name}: ${page.troubles.join("; ")}`);
        await page.context().close();
        taken.push({ scene, window, theme, file });
        console.log(file);
      }
    }
  }
  return taken;
}

/** Scrolls the scene until the item is in sight, and presses it. */
async function press_in_sight(page, name) {
  const is_in_sight = async () => (await items(page)).some((one) => one.name === name && !one.is_clipped);
  for (let tries = 0; tries < 20 && !(await is_in_sight()); ++tries) {
    await page.mouse.move(150, 250);
    await page.mouse.wheel(0, 90);
    await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => done(true))));
  }
  await click_item(page, name);
}

/** One picture of all pictures of a theme: a row for each scene, a column for each window. */
async function make_sheet(browser, taken, theme) {
  const kHeight = 260; // of each picture on the sheet, in CSS pixels
  const cell = ({ file, scene, window }) => {
    const data = readFileSync(file).toString("base64");
    return `<figure><img height="${kHeight}" src="data:image/png;base64,${data}"><figcaption>${scene}, ${window}</figcaption></figure>`;
  };
  const scenes = kScenes.filter(({ name }) => taken.some((one) => one.scene === name));
  const rows = scenes.map(({ name }) => taken.filter((one) => one.scene === name && one.theme === theme));
  const style =
    "body{margin:12px;font:13px sans-serif;background:#888}div{display:flex;gap:12px}figure{margin:0 0 12px}";
  const body = rows.map((row) => `<div>${row.map(cell).join("")}</div>`).join("");
  const page = await browser.browser.newPage({ viewport: { width: 2400, height: 800 } });
  await page.setContent(`<style>${style}</style>${body}`);
  const file = join(out, `${theme}.png`);
  writeFileSync(file, await page.screenshot({ fullPage: true }));
  console.log(file);
  await page.close();
}

// The switches of the author's page: where the playground starts, which parts are left out, what is fixed. They show a state and
// ask for changes; they remember nothing.
import {
  blanks_of,
  control_mode,
  lesson_link,
  link_in,
  names_of,
  with_control_mode,
  with_name,
} from "./author_link.js";
import { fill_stages, show_asked } from "./author_tasks.js";
import { make } from "./dom.js";
import { values_of, with_values } from "./links.js";

/** @import { AuthorChanges, AuthorSettings, Engine, Mirror } from "./types" */
/** @import { ControlMode } from "./author_link.js" */

const kPartLabels = /** @type {Record<string, string>} */ ({
  sentence: "Sentence",
  tokens: "Tokens",
  stages: "Strip of stages",
  settings: "Settings",
  views: "Views (Attention, Lines …)",
  undo: "Undo and redo",
  inspector: "Explanation of a number",
  legend: "Legend",
  values: "Numbers in the cells",
  notes: "Notes",
  lessons: "Lessons",
  check: "Check me",
  share: "Share",
  theme: "Light or dark",
  about: "About, with the digest",
  performance: "Performance",
  training: "Training: play, scrubber, loss",
  effects: "What each head's going would do",
});
const kModes = /** @type {[ControlMode, string][]} */ ([
  ["open", "open"],
  ["fixed", "fixed"],
  ["hidden", "hidden"],
]);
const kThemes = [
  ["", "as the reader's system"],
  ["light", "light"],
  ["dark", "dark"],
];

/**
 * Says why a typed blank would have no effect; empty if it has one.
 * @param {Mirror} mirror of the link with the blank
 * @param {string} name the blank as typed
 * @param {string} before the link without the blank
 */
function why_no_blank(mirror, name, before) {
  const [, stage_name, places] = /^(\w+)\[([^\]]*)\]$/.exec(name.replaceAll(" ", "")) ?? [];
  const stage = mirror.stages.find((one) => one.name === stage_name);
  if (stage === undefined) return `“${name}” does not name a number of a stage here. Example: weights[1,7,4].`;
  const counts = stage.shape;
  const indices = places.split(",");
  if (indices.length !== counts.length)
    return `${stage_name} needs ${stage.has_heads ? "[head,row,column]" : "[row,column]"}.`;
  const is_inside = indices.every((index, at) => {
    const first = stage.has_heads && at === 0 ? 1 : 0;
    return index === "*" || (/^\d+$/.test(index) && Number(index) >= first && Number(index) < counts[at] + first);
  });
  const [rows, columns] = counts.slice(-2);
  const heads = stage.has_heads ? `heads 1 to ${counts[0]}, ` : "";
  if (!is_inside) return `${stage_name} has ${heads}rows 0 to ${rows - 1} and columns 0 to ${columns - 1} here.`;
  return mirror.link === before ? "This number is blank already." : "";
}

export class Switches {
  #mirror = /** @type {Mirror | null} */ (null);
  /** Functions that show a state, one for each switch. @type {((mirror: Mirror, settings: AuthorSettings) => void)[]} */
  #shows = [];
  #engine;
  #change;

  /**
   * @param {HTMLElement} form
   * @param {Engine} engine
   * @param {AuthorChanges} change
   */
  constructor(form, engine, change) {
    this.#engine = engine;
    this.#change = change;
    form.addEventListener("submit", (event) => event.preventDefault());
    const { parts, stages, controls } = engine.hideable();
    form.append(
      group("Start", true, this.#start_rows()),
      group("Parts of the screen", true, [
        make("p", { class: "author-hint" }, "The playground leaves out what is not ticked."),
        make("div", { class: "author-ticks" }, ...parts.map((name) => this.#tick(name, kPartLabels[name] ?? name))),
      ]),
      group("Stages", false, [
        make(
          "p",
          { class: "author-hint" },
          "A stage without a tick is missing from the strip of stages, and its numbers show as “?” everywhere else.",
        ),
        make(
          "div",
          { class: "author-ticks" },
          ...stages.map(({ name }) => this.#tick(`stage.${name}`, name.replace("_", " "))),
        ),
      ]),
      group("Numbers to fill in", false, this.#blank_rows()),
      group("Controls", false, this.#control_rows(controls)),
    );
  }

  /** @param {Mirror} mirror @param {AuthorSettings} settings */
  show(mirror, settings) {
    this.#mirror = mirror;
    for (const show of this.#shows) show(mirror, settings);
  }

  get #link() {
    return this.#mirror?.link ?? "";
  }

  // --- where it starts ---

  #start_rows() {
    const pasted = make("input", { id: "author-paste", type: "text", autocomplete: "off", spellcheck: "false" });
    const open = () => {
      if (pasted.value.trim() === "") return;
      this.#change.link(link_in(pasted.value));
      pasted.value = "";
    };
    pasted.addEventListener("keydown", (event) => event.key === "Enter" && open());

    const lesson = make("select", { id: "author-lesson" });
    const step = make("input", { id: "author-step", type: "number", min: 1, value: 1 });
    const step_title = make("p", { class: "author-hint" });
    const go = () => {
      if (lesson.value !== "")
        this.#change.link(lesson_link(this.#link, lesson.value, Math.max(1, Math.round(step.valueAsNumber) || 1)));
      else if (this.#mirror?.lesson) this.#change.link(this.#mirror.lesson.leave);
    };
    lesson.addEventListener("change", () => {
      step.value = "1";
      go();
    });
    step.addEventListener("change", go);
    this.#shows.push((mirror) => {
      if (lesson.options.length === 0) {
        lesson.append(make("option", { value: "" }, "none"));
        lesson.append(...mirror.lessons.map(({ name, title }) => make("option", { value: name }, title)));
      }
      for (const task of lesson.querySelectorAll("[data-task]")) task.remove();
      if (mirror.lesson?.is_task)
        lesson.append(make("option", { value: mirror.lesson.name, "data-task": true }, `Task: ${mirror.lesson.title}`));
      lesson.value = mirror.lesson?.name ?? "";
      step.disabled = mirror.lesson === null;
      step.max = String(mirror.lesson?.count ?? 1);
      step.value = String(mirror.lesson?.step ?? 1);
      step_title.textContent = mirror.lesson ? `of ${mirror.lesson.count}: ${mirror.lesson.step_title}` : "";
    });

    const theme = make(
      "select",
      { id: "author-theme" },
      ...kThemes.map(([value, label]) => make("option", { value }, label)),
    );
    theme.addEventListener("change", () =>
      this.#change.link(with_values(this.#link, "theme", theme.value === "" ? [] : [theme.value])),
    );
    this.#shows.push(({ link }) => (theme.value = values_of(link, "theme")[0] ?? ""));

    return [
      field("A link you have", make("div", { class: "author-join" }, pasted, button("Take it", open)), "author-paste"),
      field("Lesson", lesson),
      field("Step", make("div", { class: "author-join" }, step, step_title), "author-step"),
      field("Colours", theme),
      make(
        "div",
        { class: "author-pair" },
        field("Width", this.#size_field("width", "100%"), "author-width"),
        field("Height", this.#size_field("height", "640"), "author-height"),
      ),
    ];
  }

  /** @param {"width" | "height"} side @param {string} usual */
  #size_field(side, usual) {
    const input = make("input", {
      id: `author-${side}`,
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      "aria-description": side === "width" ? "pixels, or percent of the page's column" : "pixels",
    });
    input.addEventListener("change", () => {
      const [, digits, percent] = input.value.match(/^\s*(\d{1,4})\s*(%?)/) ?? [, usual.replace("%", ""), ""];
      const is_percent = side === "width" && (percent === "%" || Number(digits) <= 100);
      if (is_percent) this.#change.settings({ width: `${Math.min(100, Math.max(10, Number(digits)))}%` });
      else if (side === "width") this.#change.settings({ width: String(Math.max(280, Number(digits))) });
      else this.#change.settings({ height: Math.min(4000, Math.max(200, Number(digits))) });
    });
    this.#shows.push((_, settings) => (input.value = String(settings[side])));
    return input;
  }

  // --- what is left out ---

  /** @param {string} name in hide= @param {string} label */
  #tick(name, label) {
    const input = make("input", { type: "checkbox", name });
    input.addEventListener("change", () => this.#change.link(with_name(this.#link, "hide", name, !input.checked)));
    this.#shows.push(({ link }) => (input.checked = !names_of(link, "hide").includes(name)));
    return make("label", { class: "author-tick" }, input, label);
  }

  #blank_rows() {
    const asked = make("select", { id: "author-ask" });
    fill_stages(asked, this.#engine);
    asked.addEventListener("change", () =>
      this.#change.link(with_values(this.#link, "check", asked.value === "" ? [] : [asked.value])),
    );
    this.#shows.push(({ link, lesson }) => {
      show_asked(asked, link);
      asked.disabled = lesson !== null; // whose step says what it asks
    });
    const typed = make("input", {
      id: "author-blank",
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "weights[1,7,4]",
    });
    const list = make("ul", { class: "author-blanks", "aria-label": "Blank numbers" });
    const blank = (/** @type {string} */ name) => this.#change.link(with_name(this.#link, "hide", name, true));
    const wrong = make("p", { id: "author-blank-wrong", class: "author-wrong", role: "alert" });
    typed.setAttribute("aria-describedby", wrong.id);
    const judge = (/** @type {string} */ sentence) => {
      wrong.textContent = sentence;
      typed.setAttribute("aria-invalid", String(sentence !== ""));
    };
    typed.addEventListener("input", () => judge(""));
    const add = () => {
      const name = typed.value.trim();
      if (name === "" || this.#mirror === null) return;
      judge(why_no_blank(this.#engine.mirror(with_name(this.#link, "hide", name, true)), name, this.#link));
      if (wrong.textContent !== "") return;
      blank(name);
      typed.value = "";
    };
    typed.addEventListener("keydown", (event) => event.key === "Enter" && add());
    const pinned = button("Blank the pinned number", () => blank(pinned.value));
    const row = button("Blank its row", () => blank(row.value));
    this.#shows.push((mirror) => {
      pinned.value = pinned_name(mirror);
      pinned.disabled = pinned.value === "" || blanks_of(mirror.link).includes(pinned.value);
      row.value = pinned.value.replace(/\d+\]$/, "*]");
      row.disabled = row.value === "" || blanks_of(mirror.link).includes(row.value);
      const items = blanks_of(mirror.link).map((name) => {
        const remove = button("×", () => this.#change.link(with_name(this.#link, "hide", name, false)));
        remove.setAttribute("aria-label", `Show ${name} again`);
        return make("li", {}, make("code", {}, name), remove);
      });
      list.replaceChildren(...items);
    });
    return [
      field("Ask for this stage (Check me)", asked),
      make(
        "p",
        { class: "author-hint" },
        "Click a number in the playground and blank it, or type stage[head,row,column]: heads count from 1, rows and columns " +
          "from 0, * stands for all. Stages without heads: output[row,column]. A weight that is blank alone is 1 minus the rest of " +
          "its row.",
      ),
      make("div", { class: "author-row" }, pinned, row),
      field("Blank", make("div", { class: "author-join" }, typed, button("Add", add)), "author-blank"),
      wrong,
      list,
    ];
  }

  // --- what is fixed ---

  /** @param {string[]} keys */
  #control_rows(keys) {
    const all = make("input", { type: "checkbox", name: "lock-all" });
    all.addEventListener("change", () =>
      this.#change.link(with_values(this.#link, "lock", all.checked ? ["all"] : [])),
    );
    this.#shows.push(({ link }) => (all.checked = names_of(link, "lock").includes("all")));
    const infos = new Map(this.#engine.keys().map((info) => [info.key, info]));
    const rows = keys.map((key) => {
      const label = infos.get(key)?.label || key;
      const radios = kModes.map(([mode, word]) => {
        const input = make("input", {
          type: "radio",
          name: `mode-${key}`,
          value: mode,
          "aria-label": `${label}: ${word}`,
        });
        input.addEventListener("change", () => this.#change.link(with_control_mode(this.#link, key, mode, keys)));
        this.#shows.push(({ link }) => (input.checked = control_mode(link, key) === mode));
        return make("td", {}, make("label", { class: "author-radio" }, input));
      });
      const help = infos.get(key)?.help ?? "";
      return make("tr", {}, make("th", { scope: "row", title: help }, label, " ", make("code", {}, key)), ...radios);
    });
    const heads = ["control", ...kModes.map(([, word]) => word)].map((word) => make("th", { scope: "col" }, word));
    return [
      make(
        "p",
        { class: "author-hint" },
        "Fixed: readers see it but cannot change it. Hidden: readers do not see it. Both keep the current value.",
      ),
      make("label", { class: "author-tick" }, all, "Everything is fixed"),
      make(
        "table",
        { class: "author-controls" },
        make("thead", {}, make("tr", {}, ...heads)),
        make("tbody", {}, ...rows),
      ),
    ];
  }
}

/** The pinned number as hide= names it; empty if no number is pinned. @param {Mirror} mirror */
function pinned_name({ shown }) {
  if (!shown?.pinned) return "";
  const { head, row, column } = shown.pinned;
  return `${shown.name}[${head === null ? "" : `${head},`}${row},${column}]`;
}

/** @param {string} title @param {boolean} is_open @param {Node[]} children */
function group(title, is_open, children) {
  return make("details", { class: "author-group", open: is_open }, make("summary", {}, title), ...children);
}

/** @param {string} label @param {HTMLElement} control @param {string} [id] of the control itself, if it is wrapped */
function field(label, control, id = control.id) {
  return make("div", { class: "author-field" }, make("label", { for: id }, label), control);
}

/** @param {string} label @param {() => void} on_click */
function button(label, on_click) {
  const made = make("button", { type: "button", class: "author-button" }, label);
  made.addEventListener("click", on_click);
  return made;
}

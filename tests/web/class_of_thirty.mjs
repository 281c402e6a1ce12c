// A class of thirty, made up but always the same: what they answered, with names that try to be formulas, markup and more. For the
// tests of what is handed in, in node and in a browser.

const kNames = [
  ...[
    "Ada Lovelace",
    "Bão Nguyễn",
    "Çelik, Özge",
    "=1+1",
    "@SUM(A1:A9)",
    "+49 30 1234",
    "-2+3",
    "\t=cmd|' /C calc'!A0",
  ],
  ...[
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    'Quo"te, "Com;ma"',
    "O'Hara",
    "'=1",
    "__proto__",
  ],
  ...[
    "نور الهدى",
    "李小龍",
    "👩‍🎓 Emoji",
    "\u202eesrever",
    "  spaces   inside  ",
    "Line\nbreak",
    "{{7*7}}",
    "%s%n",
    "ATTN1-",
    "NULL",
  ],
  ...["x".repeat(300), "Émile", "émile", "Zoë 10", "Zoë 9", "Zoë 2"],
];

const kQuestions = [
  { lesson: "causal", step: 8, question: "weights[1,1,0]", asked: "weights, head 1, journey → Your" },
  { lesson: "causal", step: 8, question: "weights[1,1,1]", asked: "weights, head 1, journey → journey" },
  { lesson: "dropout", step: 6, question: "dropped_weights[1,2,1]", asked: 'dropped, head 1, =starts → "journey"' },
  { lesson: "groups", step: 4, question: "count[1,4,2]", asked: "How many numbers does a token leave now?" },
  { lesson: "", step: 0, question: "scores[2,0,3]", asked: "scores, head 2, <b>a</b> → @x" },
];
const kMistakes = [
  "forget to divide by √2",
  "mask after the softmax and do not divide by the row sum again",
  "take the slope of head 2",
  '=HYPERLINK("https://example.org")',
];

/** Numbers from 0 on that look random and are always the same. */
function* dice(seed) {
  for (let state = seed >>> 0; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state >>> 8;
  }
}

const kBegin = 1_796_000_000; // on a day in 2026

/** The hand-ins of the class, as their pages make them. */
export function class_of_thirty() {
  return kNames.map((who, student) => {
    const next = dice(student + 1);
    const roll = (sides) => next.next().value % sides;
    const asked = kQuestions.filter((_, i) => i === student % kQuestions.length || roll(4) > 0);
    const answers = asked.map((question, i) => {
      const tries = roll(4);
      const is_right = tries > 0 && roll(3) > 0;
      const first = kBegin + student * 3600 + i * 240 + roll(60);
      return {
        ...question,
        title: "",
        step_title: "",
        numbers:
          question.lesson === ""
            ? "v=1&text=a+small+step&heads=2"
            : `v=1&lesson=${question.lesson}&step=${question.step}`,
        typed: tries > 0 ? ["-0.5", "0.4833", "=1+1", "0,2"][roll(4)] : "",
        tries,
        right_at: is_right ? tries : 0,
        hints: roll(4),
        told: !is_right && roll(2) === 0,
        mistakes: Array.from(
          { length: Math.max(0, tries - Number(is_right)) },
          () => kMistakes[roll(kMistakes.length)],
        ),
        first,
        last: first + roll(600),
      };
    });
    return { who, answers };
  });
}

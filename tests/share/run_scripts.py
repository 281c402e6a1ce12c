"""Runs exported scripts and holds all they print against what the program prints.

Standard input: a JSON list of {"link", "numpy", "pytorch", "trace"}: two scripts and what `attn trace` prints for the link.
With --torch PyTorch itself runs its scripts, with --no-pytorch nobody, else torch_stand_in.py.
Standard output: {"numbers": how many were compared, "worst": the largest part of its tolerance that one of them used,
"failures": sentences}.

Tolerance. Both sides compute in float32 and add in another order, so that a number differs by a few units of rounding (6e-8) of
the largest number that took part: 2e-6 of the largest number of its stage, or 2e-6 in small stages, is some thirty such units.
Softmax turns an absolute error of a score into a relative one of a weight, so with large scores, which have large errors, the
tolerance of what follows grows with the largest scaled score."""

import json
import math
import re
import sys

import numpy as np

if "--torch" in sys.argv:
    import torch  # noqa: F401
else:
    import torch_stand_in

    sys.modules["torch"] = torch_stand_in

TOLERANCE = 2e-6
FOUR_DECIMALS = 0.5e-4


def run(script, link):
    """What the script prints: [(sentence from 1, stage, array, text)], and the losses before and after each step."""
    printed = []
    losses = []
    title = None

    def record(*parts):
        nonlocal title
        if len(parts) == 1 and isinstance(parts[0], str) and parts[0].startswith("step "):
            losses.append(float(parts[0].split("loss ")[1]))
        elif len(parts) == 1 and isinstance(parts[0], str):
            printed.append(("pinned", None, None, parts[0]))
        elif len(parts) > 1:  # the title of a stage, behind "sentence 2:" in a batch
            sentence = int(parts[0][len("sentence ") : -1]) if parts[0].startswith("sentence ") else None
            title = (sentence, *parts[-3:-1])
        else:
            numbers = array_of(parts[0])
            assert title[2] == numbers.shape
            printed.append((title[0], title[1], numbers, str(parts[0])))

    # As bytes, as in a file: Python finds out by itself what they mean.
    exec(compile(script.encode(), link, "exec"), {"print": record, "__name__": "__main__"})
    return printed, losses


def array_of(numbers):
    """Of a NumPy array, a tensor, or what stands in for one."""
    if isinstance(numbers, np.ndarray):
        return numbers
    return numbers.array if hasattr(numbers, "array") else numbers.numpy()


def expected_numbers(trace):
    """{(sentence, stage): numbers}: sentences without tokens have none."""
    return {
        (s + 1, stage["name"]): np.array(stage["values"], dtype=np.float64)  # null becomes NaN
        for s, sentence in enumerate(trace["sentences"])
        for stage in sentence["stages"]
    }


def printed_numbers(text):
    return np.array([float(word) for word in re.sub(r"[][]", " ", text).split()])


def compare(library, case, totals):
    expected = expected_numbers(case["trace"])
    printed, losses = run(case[library], case["link"])
    if losses:
        check_losses(losses, case["trace"])
        if losses[0] < 1e-5 and "optimizer=adam" in case["link"]:
            return  # all that is left of the gradient is rounding, and Adam makes whole steps of it
    only_sentence = next(iter(expected))[0]
    found = {}
    for sentence, stage, numbers, text in printed:
        if sentence == "pinned":
            check_pinned(case, text, expected)
            continue
        found[(sentence or only_sentence, stage)] = (numbers, text)
    assert list(found) == list(expected), f"stages {list(found)}, want {list(expected)}"
    for (sentence, stage), (numbers, text) in found.items():
        want = expected[(sentence, stage)]
        assert numbers.shape == want.shape, f"{stage} is {numbers.shape}, want {want.shape}"
        assert numbers.dtype == np.float32, f"{stage} holds {numbers.dtype}"
        scores = np.abs(expected[(sentence, "scaled_scores")]).max()
        size = np.nanmax(np.abs(want), initial=1.0)
        is_after_softmax = list(expected).index((sentence, stage)) > list(expected).index((sentence, "scaled_scores"))
        # Training carries differences on from step to step, and Adam divides a gradient by its size: a thousand times as much.
        steps = 1000 if losses else 1
        tolerance = TOLERANCE * steps * size * (max(1.0, scores) if is_after_softmax else 1)
        difference = np.abs(numbers - want)
        finite = np.isfinite(want)
        assert not np.isfinite(numbers[~finite]).any(), f"{stage} is finite where the program has no finite number"
        worst = difference[finite].max(initial=0)
        assert worst <= tolerance, f"sentence {sentence}, {stage}: off by {worst}, tolerance {tolerance}"
        totals["numbers"] += want.size
        totals["worst"] = max(totals["worst"], worst / tolerance)
        if library == "numpy" and want.size <= 10_000:
            shown = printed_numbers(text)
            assert shown.shape == (want.size,), f"{stage}: {shown.size} numbers printed, want {want.size}"
            off = np.abs(shown - want.ravel())[finite.ravel()].max(initial=0)
            assert off <= FOUR_DECIMALS + tolerance, f"{stage} is printed wrong by {off}"


def check_losses(losses, trace):
    """The notes of a sentence say: trained for 5 steps: the loss went from 2.2984 to 0.5849."""
    note = next(note for sentence in trace["sentences"] for note in sentence["notes"] if note.startswith("trained for"))
    words = re.search(r"for ([\d,]+) steps?: the loss went from (\S+) to (\S+)", note).groups()
    steps, first, last = (word.replace("\u2212", "-") for word in words)
    assert int(steps.replace(",", "")) == len(losses) - 1, f"{len(losses) - 1} steps, want {steps}"
    for loss, shown in ((losses[0], float(first)), (losses[-1], float(last))):
        assert abs(loss - shown) <= 0.6e-4 * max(1, abs(shown)), f"loss {loss}, want {shown}"


def check_pinned(case, text, expected):
    """weights[0, 2, 1] = 0.1234, of the sentence on the screen, or of any where the case does not say which that is."""
    stage, index, number = re.fullmatch(r"(\w+)\[([\d, ]+)\] = (\S+)", text).groups()
    place = tuple(int(i) for i in index.split(", "))
    shown = case.get("shown")
    wanted = [numbers[place] for (sentence, name), numbers in expected.items() if name == stage and shown in (None, sentence)]
    assert len(wanted) == 1 or shown is None
    assert any(is_pinned(float(number), value) for value in wanted), f"pinned {text}, want {wanted}"


def is_pinned(number, wanted):
    if not math.isfinite(wanted):
        return not math.isfinite(number)
    return abs(number - wanted) <= FOUR_DECIMALS + TOLERANCE * 100 * max(1, abs(wanted))


def main():
    totals = {"numbers": 0, "worst": 0.0, "failures": []}
    np.seterr(all="ignore")  # 0 / 0 is a state one can choose
    for case in json.load(sys.stdin):
        for library in ("numpy",) if "--no-pytorch" in sys.argv else ("numpy", "pytorch"):
            try:
                compare(library, case, totals)
            except Exception as error:  # a script's mistake can be of any kind
                totals["failures"].append(f"{library}: {case['link']}: {type(error).__name__}: {error}")
    json.dump({**totals, "worst": float(totals["worst"])}, sys.stdout)


main()

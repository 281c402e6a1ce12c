"""Runs exported scripts and holds all they print against what the program prints.

Standard input: a JSON list of {"link", "numpy", "pytorch", "trace"}: two scripts and what `attn trace` prints for the link.
Standard output: {"numbers": how many were compared, "worst": the largest part of its tolerance that one of them used,
"failures": sentences}.

Tolerance. Both sides compute in float32 and add in another order, so that a number differs by a few units of rounding (6e-8) of
the largest number that took part: 2e-6 of the largest number of its stage, or 2e-6 in small stages, is some thirty such units.
Softmax turns an absolute error of a score into a relative one of a weight, so with large scores, which have large errors, the
tolerance of what follows grows with the largest scaled score."""

import ast
import json
import math
import re
import sys

import numpy as np
import torch_stand_in

sys.modules["torch"] = torch_stand_in

TOLERANCE = 2e-6
FOUR_DECIMALS = 0.5e-4


def run(script, link):
    """What the script prints: [(sentence from 1, stage, array, text)]."""
    printed = []
    title = None

    def record(*parts):
        nonlocal title
        if len(parts) == 1 and isinstance(parts[0], str):
            printed.append(("pinned", None, None, parts[0]))
        elif len(parts) > 1:  # the title of a stage, behind "sentence 2:" in a batch
            sentence = int(parts[0][len("sentence ") : -1]) if parts[0].startswith("sentence ") else None
            title = (sentence, *parts[-3:-1])
        else:
            numbers = getattr(parts[0], "array", parts[0])
            assert title[2] == numbers.shape
            printed.append((title[0], title[1], numbers, str(parts[0])))

    ast.parse(script)
    exec(compile(script, link, "exec"), {"print": record, "__name__": "__main__"})
    return printed


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
    printed = run(case[library], case["link"])
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
        tolerance = TOLERANCE * size * (max(1.0, scores) if is_after_softmax else 1)
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


def check_pinned(case, text, expected):
    """weights[0, 2, 1] = 0.1234"""
    stage, index, number = re.fullmatch(r"(\w+)\[([\d, ]+)\] = (\S+)", text).groups()
    place = tuple(int(i) for i in index.split(", "))
    wanted = [numbers[place] for (sentence, name), numbers in expected.items() if name == stage and sentence == case["shown"]]
    assert len(wanted) == 1
    if math.isfinite(wanted[0]):
        slack = FOUR_DECIMALS + TOLERANCE * 100 * max(1, abs(wanted[0]))
        assert abs(float(number) - wanted[0]) <= slack, f"pinned {text}, want {wanted[0]}"
    else:
        assert not math.isfinite(float(number))


def main():
    totals = {"numbers": 0, "worst": 0.0, "failures": []}
    np.seterr(all="ignore")  # 0 / 0 is a state one can choose
    for case in json.load(sys.stdin):
        for library in ("numpy", "pytorch"):
            try:
                compare(library, case, totals)
            except Exception as error:  # a script's mistake can be of any kind
                totals["failures"].append(f"{library}: {case['link']}: {type(error).__name__}: {error}")
    json.dump({**totals, "worst": float(totals["worst"])}, sys.stdout)


main()

"""Runs exported scripts and holds all they print against what the program prints.

Standard input: a JSON list of {"link", "numpy", "pytorch", "trace"}: two scripts and what `attn trace` prints for the link; for a
state with a goal also "trained" and "untrained", its NPZ in base64 as it is and before the first step.
With --torch PyTorch itself runs its scripts, else torch_stand_in.py, which has no gradients: scripts with a goal are left out. With
--numpy PyTorch's scripts are not run.
Standard output: {"numbers": how many were compared, "gradients": how many of them are gradients, "worst" and "worst_gradient": the
largest part of its tolerance that one of them used, "beyond": scripts of what no normal float holds, "failures": sentences}.

Tolerance. Both sides compute in float32 and add in another order, so that a number differs by a few units of rounding (6e-8) of
the largest number that took part: 2e-6 of the largest number of its stage, or 2e-6 in small stages, is some thirty such units.
A score is a query's number times a key's, which may be large where the score is small: it is as far off as the largest of both
together say. Softmax turns an absolute error of a score into a relative one of a weight, so with large scores, which have large errors, the
tolerance of what follows grows with the largest scaled score.

Gradients are compared in the same way, as parts of the largest gradient of the state, of whatever stage: what is small beside it
is what is left when numbers of its size are subtracted from each other. Where all are small, because the weights are nearly what
they should be, they are what is left of weights, which are off by a rounding of 1, times keys and queries. With several steps they are compared before the first one
and after the last one.

What training changes is carried on from step to step, and Adam divides a gradient by its size, so that after steps everything may
be a thousand times as far off."""

import base64
import io
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
ROUNDING = 1e-7
SCORES = ("scores", "scaled_scores", "capped_scores", "biased_scores", "masked_scores")
AFTER_STEPS = 1000
FOUR_DECIMALS = 0.5e-4
GRADIENTS_OF_STAGES = (
    (
        "capped_logits logits output merged context dropped_weights weights masked_scores biased_scores capped_scores scaled_scores "
        "scores rotated_queries rotated_keys normed_queries normed_keys queries keys values position_queries position_keys query_latents latents embeddings"
    ).split()
)


class Printed:
    """What a script prints."""

    def __init__(self):
        self.losses = []  # before the first step, and after each
        self.stages = {}  # (sentence from 1 or None, stage): (array, text)
        self.gradients = {}  # (number of steps, sentence from 1 or None, name without "grad_"): array
        self.pinned = []  # lines
        self.title = None

    def record(self, *parts):
        if len(parts) == 1 and isinstance(parts[0], str) and parts[0].startswith("step "):
            step, loss = re.fullmatch(r"step (\d+): loss (\S+)", parts[0]).groups()
            assert int(step) == len(self.losses), f"step {step} follows {len(self.losses)} steps"
            self.losses.append(float(loss))
        elif len(parts) == 1 and isinstance(parts[0], str):
            self.pinned.append(parts[0])
        elif len(parts) > 1:  # the title of a stage, behind "sentence 2:" in a batch
            sentence = int(parts[0][len("sentence ") : -1]) if parts[0].startswith("sentence ") else None
            self.title = (sentence, *parts[0 if sentence is None else 1 :][:2])
        else:
            self.add(*self.title, parts[0])

    def add(self, sentence, name, shape, numbers):
        array = array_of(numbers)
        assert shape == array.shape, f"{name} is {array.shape}, printed as {shape}"
        if name.startswith("grad_"):
            self.gradients[(len(self.losses) - 1, sentence, name[len("grad_") :])] = np.array(array)
        else:
            self.stages[(sentence, name)] = (array, str(numbers))


def run(script, link):
    printed = Printed()
    # As bytes, as in a file: Python finds out by itself what they mean.
    exec(compile(script.encode(), link, "exec"), {"print": printed.record, "__name__": "__main__"})
    return printed


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
    """Returns the gradients that the script printed."""
    expected = expected_numbers(case["trace"])
    printed = run(case[library], case["link"])
    losses = printed.losses
    has_goal = "trained" in case and case["numpy"].count("def attention(") == 1
    assert bool(losses) == has_goal, f"{len(losses)} losses printed"
    archives = {key: np.load(io.BytesIO(base64.b64decode(case[key]))) for key in ("untrained", "trained")} if losses else {}
    is_beyond = any(step == 0 and not np.isfinite(array).all() for (step, _, _), array in printed.gradients.items())
    if losses and math.isfinite(losses[0]) and not math.isfinite(archives["trained"]["losses"][0]):
        check_vanished(printed, "a finite loss, want an infinite one")
        totals["beyond"] += 1
        return {}
    if is_beyond:  # 1 / weight is more than a float holds: the program, which does not divide by it, goes on, and no script can
        assert losses[0] > 5, f"a gradient is not finite, and the loss is {losses[0]}"
        totals["beyond"] += 1
        losses = losses[:1]
    if losses:
        check_losses(losses, archives["trained"]["losses"][: len(losses)], case["trace"])
    if is_beyond:
        return {}
    if losses:
        if not math.isfinite(losses[0]):
            return {}  # a wished weight is 0
    if len(losses) > 1 and losses[0] < 1e-5 and "optimizer=adam" in case["link"]:
        return {}  # all that is left of the gradient is rounding, and Adam makes whole steps of it
    only_sentence = next(iter(expected))[0]
    for text in printed.pinned:
        check_pinned(case, text, expected)
    forward = [key for key in expected if not key[1].startswith("grad_")]
    found = {(sentence or only_sentence, stage): numbers for (sentence, stage), numbers in printed.stages.items()}
    assert list(found) == forward, f"stages {list(found)}, want {forward}"
    after_steps = AFTER_STEPS if len(losses) > 1 else 1
    for (sentence, stage), (numbers, text) in found.items():
        want = expected[(sentence, stage)]
        assert numbers.shape == want.shape, f"{stage} is {numbers.shape}, want {want.shape}"
        assert numbers.dtype == np.float32, f"{stage} holds {numbers.dtype}"
        scores = np.abs(expected[(sentence, "scaled_scores")]).max()
        size = np.nanmax(np.abs(want[np.isfinite(want)]), initial=1.0)
        if stage in SCORES:
            products = [np.abs(expected[(sentence, role)]).max() for role in ("queries", "keys")]
            size = max(size, *products, products[0] * products[1])
        is_after_softmax = forward.index((sentence, stage)) > forward.index((sentence, "scaled_scores"))
        tolerance = TOLERANCE * after_steps * size * (max(1.0, scores) if is_after_softmax else 1)
        difference = np.abs(numbers - want)
        finite = np.isfinite(want)
        if np.isfinite(numbers[~finite]).any():
            check_vanished(printed, f"{stage} is finite where the program has no finite number")
        worst = difference[finite].max(initial=0)
        assert worst <= tolerance, f"sentence {sentence}, {stage}: off by {worst}, tolerance {tolerance}"
        totals["numbers"] += want.size
        totals["worst"] = max(totals["worst"], worst / tolerance)
        if library == "numpy" and want.size <= 10_000:
            shown = printed_numbers(text)
            assert shown.shape == (want.size,), f"{stage}: {shown.size} numbers printed, want {want.size}"
            off = np.abs(shown - want.ravel())[finite.ravel()].max(initial=0)
            assert off <= FOUR_DECIMALS + tolerance, f"{stage} is printed wrong by {off}"
    if losses:
        check_gradients(printed, archives, expected, totals)
    return printed.gradients


def check_vanished(printed, sentence):
    """The program takes a weight below the smallest normal float for 0, which ends in 0 / 0 or in an infinite loss; a script goes
    on with what is left of it. `sentence` is said where there is no such weight."""
    weights = [numbers for (_, stage), (numbers, _) in printed.stages.items() if stage in ("weights", "unmasked_weights")]
    tiny = np.finfo(np.float32).tiny
    assert any(((numbers > 0) & (numbers < tiny)).any() for numbers in weights), sentence


def check_losses(losses, want, trace):
    """All of them; the first and the last one also as a note of the trace says them."""
    assert len(losses) == len(want), f"{len(losses)} losses, want {len(want)}"
    for step, (loss, wanted) in enumerate(zip(losses, want)):
        if not math.isfinite(wanted):
            assert not math.isfinite(loss), f"the loss after {step} steps is {loss}, want {wanted}"
            continue
        tolerance = 1e-6 + (0.5e-6 + TOLERANCE * (20 if step else 2)) * max(1, abs(wanted))  # six decimals are printed
        assert abs(loss - wanted) <= tolerance, f"the loss after {step} steps is {loss}, want {wanted}"
    if len(losses) > 1 and math.isfinite(losses[0]):
        notes = [note for sentence in trace["sentences"] for note in sentence["notes"] if note.startswith("trained for")]
        steps, *shown = re.search(r"for ([\d,]+) steps?: the loss went from (\S+) to (\S+)", notes[0]).groups()
        assert int(steps.replace(",", "")) == len(losses) - 1, f"{len(losses) - 1} steps, want {steps}"
        for loss, word in zip((losses[0], losses[-1]), shown):
            number = float(word.replace("\u2212", "-"))
            assert abs(loss - number) <= 0.6e-4 * max(1, abs(number)), f"loss {loss}, want {word}"


def check_gradients(printed, archives, expected, totals):
    last = len(printed.losses) - 1
    present = {stage for _, stage in expected}
    sentences = {sentence for sentence, _ in expected}
    only_sentence = next(iter(sentences)) if len(sentences) == 1 else None
    scores = largest(expected, "scaled_scores")
    floor = ROUNDING / TOLERANCE * max(1, scores) * max(1, largest(expected, "queries"), largest(expected, "keys"))
    for step, archive in {0: archives["untrained"], last: archives["trained"]}.items():
        found = {(sentence, name): array for (at, sentence, name), array in printed.gradients.items() if at == step}
        size = max(np.abs(array).max(initial=0) for array in found.values()) * max(1, scores) + floor
        of_layer = {name[len("grad_") :]: archive[name] for name in archive.files if re.fullmatch(r"grad_([wb]_\w+|[qk]_norm|sink_logits)", name)}
        matrices = {name for name in archive.files if re.fullmatch(r"[wb]_\w+|[qk]_norm|sink_logits", name)}
        assert matrices <= set(of_layer), f"no gradient at {matrices - set(of_layer)}"
        printed_of_layer = {name for sentence, name in found if re.fullmatch(r"[wb]_\w+|[qk]_norm|sink_logits", name)}
        assert printed_of_layer == matrices, f"gradients of {printed_of_layer} printed, want {matrices}"
        for (sentence, name), array in found.items():
            assert array.dtype == np.float32, f"grad_{name} holds {array.dtype}"
            if name in matrices:
                want = of_layer[name]
            else:  # at a stage: where the program has it, it is in the trace
                want = expected.get((sentence or only_sentence, "grad_" + name)) if step == last else None
            if want is not None and name in ("weights", "dropped_weights"):
                # A hidden key is not mixed here, and its weight has no gradient; PyTorch gives it one, which ends at the mask.
                hidden = hidden_keys(expected, sentence or only_sentence)
                array = np.where(hidden, 0, array)
                want = np.where(hidden, 0, want)
            if want is not None:
                what = f"the gradient at {name} after {step} steps"
                compare_gradient(what, array, want, size, step, totals)
        if step == last:
            wanted = [name for name in GRADIENTS_OF_STAGES if name in present]
            for at in sentences:
                names = [name for sentence, name in found if name not in matrices and (sentence or only_sentence) == at]
                assert names == wanted, f"gradients at {names}, want {wanted}"


def hidden_keys(expected, sentence):
    """(num_heads, T, T): whether the mask hides the key. A score of minus infinity is no number in the trace."""
    masked = expected.get((sentence, "masked_scores"))
    return expected[(sentence, "weights")] == 0 if masked is None else ~np.isfinite(masked)


def largest(expected, name):
    return max(np.abs(numbers).max() for (_, stage), numbers in expected.items() if stage == name)


def compare_gradient(what, array, want, size, step, totals):
    assert array.shape == want.shape, f"{what} is {array.shape}, want {want.shape}"
    tolerance = TOLERANCE * (AFTER_STEPS if step else 1) * size
    worst = np.abs(array - want)[np.isfinite(want)].max(initial=0)
    assert worst <= tolerance, f"{what}: off by {worst}, tolerance {tolerance}"
    totals["gradients"] += want.size
    totals["worst_gradient"] = max(totals["worst_gradient"], worst / tolerance)


def compare_libraries(link, numpy, pytorch, totals):
    """Gradients that both scripts print, those of stages too."""
    assert set(numpy) == set(pytorch), f"only one script prints gradients at {set(numpy) ^ set(pytorch)}"
    for step in {key[0] for key in numpy}:
        size = 1 + max(np.abs(numpy[key]).max(initial=0) for key in numpy if key[0] == step)
        for key in (key for key in numpy if key[0] == step):
            what = f"NumPy's gradient at {key[2]} after {step} steps"
            compare_gradient(what, numpy[key], pytorch[key], size * 10, step, totals)


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
    totals = {"numbers": 0, "worst": 0.0, "beyond": 0, "gradients": 0, "worst_gradient": 0.0, "failures": []}
    np.seterr(all="ignore")  # 0 / 0 is a state one can choose
    for case in json.load(sys.stdin):
        gradients = {}
        for library in ("numpy", "pytorch"):
            if library == "pytorch" and ("--numpy" in sys.argv or ("--torch" not in sys.argv and "trained" in case)):
                continue
            try:
                gradients[library] = compare(library, case, totals)
            except Exception as error:  # a script's mistake can be of any kind
                totals["failures"].append(f"{library}: {case['link']}: {type(error).__name__}: {error}")
        if len(gradients) == 2 and all(gradients.values()):
            try:
                compare_libraries(case["link"], gradients["numpy"], gradients["pytorch"], totals)
            except AssertionError as error:
                totals["failures"].append(f"{case['link']}: {error}")
    totals = {key: float(value) if isinstance(value, np.floating) else value for key, value in totals.items()}
    json.dump(totals, sys.stdout)


main()

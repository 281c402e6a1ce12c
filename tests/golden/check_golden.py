#!/usr/bin/env python3
"""Checks the golden files beside it, with a second implementation of everything they need: MT19937, PyTorch's uniforms,
normals and nn.Linear, attention, FNV-1a and SplitMix64, all in plain Python. It shares no code with the program.

    check_golden.py           recompute every number in every file; exit 1 and name the first that differs
    check_golden.py --write   write hashed.json and draws.json, whose numbers nobody published, then check

Python's floats are doubles; float32() rounds to the program's precision where a golden value is a float's bits.
"""

import json
import math
import struct
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
INFINITY = math.inf


def float32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def bits_of(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


# --- random numbers ------------------------------------------------------------------------------------------------------


class Mt19937:
    """Matsumoto and Nishimura 1998, seeded with one 32-bit integer."""

    def __init__(self, seed):
        self.state = [seed & 0xFFFFFFFF]
        for i in range(1, 624):
            last = self.state[-1]
            self.state.append((1812433253 * (last ^ (last >> 30)) + i) & 0xFFFFFFFF)
        self.next = 624

    def draw32(self):
        if self.next == 624:
            for i in range(624):
                y = (self.state[i] & 0x80000000) | (self.state[(i + 1) % 624] & 0x7FFFFFFF)
                self.state[i] = self.state[(i + 397) % 624] ^ (y >> 1) ^ (0x9908B0DF if y & 1 else 0)
            self.next = 0
        y = self.state[self.next]
        self.next += 1
        y ^= y >> 11
        y ^= (y << 7) & 0x9D2C5680
        y ^= (y << 15) & 0xEFC60000
        return y ^ (y >> 18)

    def uniform24(self):
        return (self.draw32() & 0xFFFFFF) / 2**24

    def uniform53(self):
        high = self.draw32()
        return ((high << 32 | self.draw32()) & (2**53 - 1)) / 2**53


def torch_rand(generator, rows, columns):
    return [[generator.uniform24() for _ in range(columns)] for _ in range(rows)]


def torch_linear(generator, n_in, n_out, bias):
    """Weight as (n_in, n_out), and the bias."""
    bound = 1 / math.sqrt(n_in)
    drawn = [[(2 * generator.uniform24() - 1) * bound for _ in range(n_in)] for _ in range(n_out)]
    b = [(2 * generator.uniform24() - 1) * bound for _ in range(n_out)] if bias else [0.0] * n_out
    return [list(column) for column in zip(*drawn)], b


def torch_randn(generator, count):
    """The regime of 16 elements and more."""
    values = [generator.uniform24() for _ in range(count)]

    def to_normals(first):
        for j in range(first, first + 8):
            radius = math.sqrt(-2 * math.log(1 - values[j]))
            angle = 2 * math.pi * values[j + 8]
            values[j], values[j + 8] = radius * math.cos(angle), radius * math.sin(angle)

    for first in range(0, count - 15, 16):
        to_normals(first)
    if count % 16:
        values[count - 16 :] = [generator.uniform24() for _ in range(16)]
        to_normals(count - 16)
    return values


# --- attention -----------------------------------------------------------------------------------------------------------


def times(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def softmax(row):
    exps = [math.exp(x - max(row)) for x in row]
    return [e / sum(exps) for e in exps]


def head_stages(query, key, value, causal, divisor, keep=None, dropout=0.0):
    """Every stage of one head, by name."""
    T = len(query)
    scores = times(query, [list(column) for column in zip(*key)])
    scaled = [[s / divisor for s in row] for row in scores]
    masked = [[-INFINITY if causal and j > i else scaled[i][j] for j in range(T)] for i in range(T)]
    weights = [softmax(row) for row in masked]
    dropped = weights
    if keep:
        dropped = [[weights[i][j] * keep[i * T + j] / (1 - dropout) for j in range(T)] for i in range(T)]
    return {
        "queries": query, "keys": key, "values": value, "scores": scores, "scaled_scores": scaled,
        "masked_scores": masked, "weights": weights, "dropped_weights": dropped, "context": times(dropped, value),
    }  # fmt: skip


def columns_of(matrix, first, last):
    return [row[first:last] for row in matrix]


def side_by_side(matrices):
    return [sum(rows, []) for rows in zip(*matrices)]


def masked_after(weights, divides_again):
    """The causal mask after the softmax; the rows divided by what is left of them, or not."""
    masked = [[w if j <= i else 0.0 for j, w in enumerate(row)] for i, row in enumerate(weights)]
    return [[w / sum(row) for w in row] for row in masked] if divides_again else masked


def notebook_case(inputs, case):
    """The stage that `case` names, as a matrix."""
    d_in, d_out, num_heads = len(inputs[0]), case["d_out"], case["num_heads"]
    generator = Mt19937(case["seed"])
    roles, linear = [], None
    for _ in range(3):
        if case["init"] == "none":
            roles.append(inputs)
        elif case["init"] == "torch.rand":
            roles.append(times(inputs, torch_rand(generator, d_in, d_out)))
        else:
            roles.append(times(inputs, torch_linear(generator, d_in, d_out, False)[0]))
    if case["out"]:
        linear = torch_linear(generator, d_out, d_out, True)
    keep, dropout = None, case.get("dropout", 0.0)
    if dropout:
        draws = Mt19937(case["dropout_seed"])
        keep = [draws.uniform53() < 1 - dropout for _ in range(len(inputs) ** 2)]
    head_dim = d_out // num_heads
    divisor = math.sqrt(head_dim) if case["scale"] == "sqrt" else 1
    heads = []
    for h in range(num_heads):
        query, key, value = (columns_of(role, h * head_dim, (h + 1) * head_dim) for role in roles)
        mask_at = case.get("mask_at", "before")
        head = head_stages(query, key, value, case["mask"] == "causal" and mask_at == "before", divisor, keep, dropout)
        if mask_at != "before":
            head["weights"] = masked_after(head["weights"], mask_at == "after")
        heads.append(head)
    if case["stage"] == "output":
        merged = side_by_side([head["context"] for head in heads])
        return [[x + b for x, b in zip(row, linear[1])] for row in times(merged, linear[0])]
    return heads[0][case["stage"]]


# --- hashed embeddings ---------------------------------------------------------------------------------------------------

MASK64 = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def fnv1a64(text):
    hash64 = 0xCBF29CE484222325
    for byte in text.encode():
        hash64 = ((hash64 ^ byte) * 0x100000001B3) & MASK64
    return hash64


def mix64(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return z ^ (z >> 31)


def hashed_vector(text, d_in, seed):
    state = fnv1a64(text) ^ mix64((seed + GOLDEN) & MASK64)
    vector = []
    for c in range(d_in):
        u = (mix64((state + (c + 1) * GOLDEN) & MASK64) >> 40) / 2**24
        vector.append(float32((2 * u - 1) * float32(math.sqrt(3))))
    return vector


def ngram_pieces(token):
    marked = f"<{token}>"
    grams = [marked[i : i + n] for n in (3, 4, 5) for i in range(len(marked) - n + 1)]
    return list(dict.fromkeys([token] + grams))


def ngram_vector(token, d_in, seed):
    pieces = ngram_pieces(token)
    scale = float32(1 / math.sqrt(len(pieces)))
    total = [0.0] * d_in
    for piece in pieces:
        vector = hashed_vector(piece, d_in, seed)
        total = [float32(t + float32(v * scale)) for t, v in zip(total, vector)]
    return total


def hashed_golden():
    tokens = ["The", "artist", "brush", "a", "été", "画家", "👩‍🎨", "banana"]
    cases = []
    for seed in (0, 123, 2**64 - 1):
        for token in tokens:
            cases.append({
                "token": token,
                "seed": str(seed),
                "fnv1a64": f"{fnv1a64(token):016x}",
                "pieces": " ".join(ngram_pieces(token)),
                "word_bits": " ".join(f"{bits_of(v):08x}" for v in hashed_vector(token, 5, seed)),
                "ngram_bits": " ".join(f"{bits_of(v):08x}" for v in ngram_vector(token, 5, seed)),
            })  # fmt: skip
    return {"source": "check_golden.py in this folder; bits are those of IEEE single precision floats", "cases": cases}


# --- the files -----------------------------------------------------------------------------------------------------------


def require_close(name, computed, golden, tolerance):
    if isinstance(golden, list):
        if len(computed) != len(golden):
            sys.exit(f"{name}: {len(golden)} entries, computed {len(computed)}")
        for i, (c, g) in enumerate(zip(computed, golden)):
            require_close(f"{name}[{i}]", c, g, tolerance)
        return
    golden = -INFINITY if golden is None else golden
    if not (computed == golden or abs(computed - golden) <= tolerance):
        sys.exit(f"{name}: the file says {golden}, computed {computed}, tolerance {tolerance}")


def load(name):
    return json.loads((FOLDER / name).read_text())


def check_journey():
    golden = load("journey-6x3.json")
    generator = Mt19937(golden["weight_init"]["torch_manual_seed"])
    matrices = {name: torch_rand(generator, 3, 2) for name in golden["weight_init"]["order"]}
    query, key, value = (times(golden["inputs"], matrices[name]) for name in ("W_query", "W_key", "W_value"))
    stages = head_stages(query, key, value, False, math.sqrt(2)) | matrices
    for name, values in golden["recomputed"].items():
        require_close(f"journey recomputed {name}", stages[name], values, 0.5001e-6)  # six decimals are written
    printed = golden["printed_in_lecture"]
    for name, stage in (("query", "queries"), ("weights", "weights"), ("context", "context")):
        require_close(f"journey {name}", stages[stage][1], printed[f"{name}_of_journey"], printed["tolerance"])


def check_weight_split():
    golden = load("weight-split-3x6.json")
    head_dim = golden["head_dim"]

    def check(part, roles):
        split = [[columns_of(role, h * head_dim, (h + 1) * head_dim) for role in roles] for h in range(2)]
        heads = [head_stages(*head, True, math.sqrt(head_dim)) for head in split]
        for stage in ("scores", "weights", "context"):
            computed = [head[stage] for head in heads]
            require_close(f"{part} {stage}", computed, golden[part][f"{stage}_per_head"], 0.5001e-6)
        return side_by_side([head["context"] for head in heads])

    roles = [times(golden["inputs"], golden[name]) for name in ("W_query", "W_key", "W_value")]
    for role, name in zip(roles, ("queries", "keys", "values")):
        require_close(f"recomputed {name}", role, golden["recomputed"][name], 0.5001e-4)  # four decimals are written
    require_close("recomputed context", check("recomputed", roles), golden["recomputed"]["context"], 0.5001e-6)
    step6 = [golden["printed"][f"step6_{role}_per_head"] for role in ("query", "key", "value")]
    check("recomputed_from_printed_step6", [side_by_side(heads) for heads in step6])


def check_print(golden, print_, half_digit):
    """A code cell that prints a row or a number of a case, or takes something else out of its stage."""
    if "no_stage" in print_:
        scores = times([golden["inputs"][1]], [list(column) for column in zip(*golden["inputs"])])[0]
        computed = [score / sum(scores) for score in scores]
    else:
        case = next(case for case in golden["cases"] if case["name"] == print_["case"])
        computed = notebook_case(golden["inputs"], case | {"stage": print_.get("stage", case["stage"])})
    if print_.get("take") == "row sums":
        computed = [sum(row) for row in computed]
    if print_.get("take") == "visible":
        computed = [[int(number != -INFINITY) for number in row] for row in computed]
    for place in ("row", "column"):
        computed = computed[print_[place]] if place in print_ else computed
    require_close(f"cell {print_['cell']}", computed, print_["printed"], half_digit)


def check_notebook():
    golden = load("notebook-ch03.json")
    half_digit = 0.5e-4 + 2e-6  # four decimals are printed, of numbers computed in single precision
    for case in golden["cases"]:
        require_close(case["name"], notebook_case(golden["inputs"], case), case["printed"], half_digit)
    for print_ in golden["prints_of_ch03"]:
        if "printed" in print_:
            check_print(golden, print_, half_digit)
    stacked, generator = golden["stacked_heads"], Mt19937(golden["stacked_heads"]["seed"])
    contexts = []
    for _ in range(2):
        roles = [times(golden["inputs"], torch_linear(generator, 3, stacked["head_dim"], False)[0]) for _ in range(3)]
        contexts.append(head_stages(*roles, True, math.sqrt(stacked["head_dim"]))["context"])
    require_close(stacked["name"], side_by_side(contexts), stacked["printed"], half_digit)
    ones, generator = golden["dropout_of_ones"], Mt19937(golden["dropout_of_ones"]["seed"])
    kept = [[2.0 * (generator.uniform53() < 0.5) for _ in range(6)] for _ in range(6)]
    require_close("dropout of ones", kept, ones["printed"], 0)
    batched = golden["batched_product"]
    for matrix, product in zip(batched["heads"], batched["printed"]):
        require_close(batched["name"], times(matrix, [list(column) for column in zip(*matrix)]), product, half_digit)
    values = torch_randn(Mt19937(golden["embedding"]["seed"]), 18)
    rows = [values[i : i + 3] for i in range(0, 18, 3)]
    require_close(golden["embedding"]["name"], rows, golden["embedding"]["printed"], half_digit)


# Seeds of draws.json: the usual ones, the largest of 32 bits, and larger ones, of which PyTorch's MT19937 takes the low 32.
DRAW_SEEDS = (0, 1, 42, 123, 789, 5489, 2**32 - 1, 2**32, 2**32 + 123, 2**63 + 7, 2**64 - 1)


def draws_golden():
    """The first and the last of 1,000 draws of each seed, and FNV-1a 64 of all of them written as "a,b,...,"."""
    seeds = []
    for seed in DRAW_SEEDS:
        generator = Mt19937(seed)
        draws = [generator.draw32() for _ in range(1000)]
        digest = fnv1a64("".join(f"{draw}," for draw in draws))
        seeds.append({"seed": str(seed), "first": draws[:3], "last": draws[-1], "digest": f"{digest:016x}"})
    return {"count": 1000, "seeds": seeds}


def check_draws():
    if load("draws.json") != draws_golden():
        sys.exit("draws.json is not what check_golden.py --write makes")


def check_hashed():
    if load("hashed.json") != hashed_golden():
        sys.exit("hashed.json is not what check_golden.py --write makes")


def main():
    if sys.argv[1:] not in ([], ["--write"]):
        sys.exit(__doc__)
    if sys.argv[1:] == ["--write"]:
        for name, golden in (("hashed.json", hashed_golden()), ("draws.json", draws_golden())):
            (FOLDER / name).write_text(json.dumps(golden, indent=2, ensure_ascii=False) + "\n")
    for check in (check_journey, check_weight_split, check_notebook, check_hashed, check_draws):
        check()
        print(f"{check.__name__}: ok")


if __name__ == "__main__":  # torch_stand_in.py draws with the generator of this file
    main()

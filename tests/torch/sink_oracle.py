#!/usr/bin/env python3
"""Attention with a sink that each head learned, by PyTorch in double with autograd, written as gpt-oss's eager attention
writes it: the logit is one more column of the masked scores, and that column is dropped again behind the softmax.
And the same once more with a cap of the scores, between scale and mask as in Gemma 2's eager attention.

    sink_oracle.py           compute the file's numbers anew; exit 1 and name the first that differs
    sink_oracle.py --write   write tests/golden/sink-4x4.json
"""

import json
import sys
from pathlib import Path

import torch

FILE = Path(__file__).parent.parent / "golden" / "sink-4x4.json"
HEADS, DIM, DIGITS = 2, 2, 9


def inputs():
    torch.manual_seed(21)
    rounded = lambda *shape: [[round(x, 3) for x in row] for row in torch.randn(*shape).tolist()]
    return {
        "inputs": rounded(4, 4),
        "W_query": rounded(4, 4),
        "W_key": rounded(4, 4),
        "W_value": rounded(4, 4),
        "vocabulary": rounded(5, 4),
        "next": [2, 0, 4, -1],
        "sink_logits": [0.75, -1.5],
        "score_cap": 0.75,
        "target": {"head": 1, "query": 3, "shares": [0.5, 0, 0.25, 0.25]},
    }


def compute(given):
    plain, capped = attention(given, None), attention(given, given["score_cap"])
    return {**plain, **{f"capped_{name}": numbers for name, numbers in capped.items()}}


def attention(given, cap):
    tensor = lambda name: torch.tensor(given[name], dtype=torch.float64)
    leaves = {name: tensor(name).requires_grad_() for name in ("W_query", "W_key", "W_value", "sink_logits")}
    x = tensor("inputs")
    heads = lambda w: (x @ w).view(4, HEADS, DIM).transpose(0, 1)
    query, key, value = (heads(leaves[name]) for name in ("W_query", "W_key", "W_value"))
    scores = query @ key.transpose(1, 2) * DIM**-0.5
    if cap is not None:
        scores = torch.tanh(scores / cap) * cap
    scores = scores.masked_fill(torch.ones(4, 4).triu(1).bool(), float("-inf"))
    sinks = leaves["sink_logits"].reshape(HEADS, 1, 1).expand(HEADS, 4, 1)
    combined = torch.cat([scores, sinks], dim=-1)
    combined = combined - combined.max(dim=-1, keepdim=True).values
    shares = torch.softmax(combined, dim=-1)
    weights = shares[..., :-1]
    merged = (weights @ value).transpose(0, 1).reshape(4, 4)
    rows = lambda t: [[round(n, DIGITS) for n in row] for row in t.tolist()]
    found = {
        "weights": [rows(weights[h]) for h in range(HEADS)],
        "sink_weights": [rows(shares[h, :, -1:]) for h in range(HEADS)],
        "merged": rows(merged),
    }
    wanted = torch.tensor([n for n in given["next"] if n >= 0])
    next_loss = torch.nn.functional.cross_entropy((merged @ tensor("vocabulary").T)[:3], wanted)
    target = given["target"]
    row = weights[target["head"], target["query"]]
    pattern_loss = -(torch.tensor(target["shares"], dtype=torch.float64) * row.log()).sum()
    for kind, loss in (("next", next_loss), ("pattern", pattern_loss)):
        grads = torch.autograd.grad(loss, list(leaves.values()), retain_graph=True, allow_unused=True)
        found["loss_of_" + kind] = round(loss.item(), DIGITS)
        for name, grad in zip(leaves, grads):
            if grad is None:
                continue
            found[f"grad_{name}_of_{kind}"] = rows(grad.reshape(1, -1) if grad.dim() == 1 else grad)
    return found


def first_difference(a, b, name):
    if isinstance(a, list):
        if len(a) != len(b):
            return name
        return next((d for i, (x, y) in enumerate(zip(a, b)) if (d := first_difference(x, y, f"{name}[{i}]"))), None)
    return None if abs(a - b) <= 2 * 10**-DIGITS else name


def main():
    if "--write" in sys.argv:
        given = inputs()
        lines = [f"  {json.dumps(key)}: {json.dumps(number)}" for key, number in {**given, **compute(given)}.items()]
        FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    held = json.loads(FILE.read_text())
    found = compute(held)
    for name, numbers in found.items():
        if where := first_difference(numbers, held[name], name):
            sys.exit(f"{FILE.name}: {where} is not what PyTorch computes")
    print(f"{len(found)} tensors are PyTorch's")


main()

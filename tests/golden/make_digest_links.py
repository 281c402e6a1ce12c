#!/usr/bin/env python3
"""Prints the links of digest_links.txt: sizes around the numbers of lanes that processors have, with every choice that
decides a number. The same list on every machine; golden.test.mjs holds the file to it.

    make_digest_links.py > digest_links.txt
"""

import random

SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65)
WORDS = "it was the best of times the worst age wisdom foolishness epoch belief light darkness spring hope".split()
generator = random.Random(5)


def pick(*choices):
    return choices[int(generator.random() * len(choices))]


def text_of(num_tokens):
    return "+".join(pick(*WORDS) for _ in range(num_tokens))


def number(low, high):
    return f"{low + generator.random() * (high - low):.3f}"


def link(*texts, **values):
    pairs = [f"text={text}" for text in texts]
    return "&".join(pairs + [f"{key}={value}" for key, value in values.items()])


def size_links():
    for n in SIZES:
        yield link(text_of(n))
        yield link(text_of(n), mask="none", pos="none", heads=1, d_out=3, scale="none")
        yield link(text_of(n), dropout=0.3, d_in=5, d_out=12, heads=3, init="torch.randn")
        yield link(text_of(n), mask_at="after", temperature=0.4, d_out=8)
        yield link(text_of(5), d_out=n, heads=1, d_in=6)
        yield link(text_of(9), d_out=2 * n, heads=2, mask="none", init="torch.rand")
        yield link(text_of(17), d_out=5 * n, heads=5, d_in=9, bias=1, scale="dim")
        yield link(text_of(7), d_in=n, d_out=n, heads=n if n < 9 else 1, init="identity", embed="torch")
        yield link(text_of(n), d_in=n, d_out=n, heads=1, init="none", out=0, embed="ngrams")


def mixed_link():
    """Anything with anything."""
    num_heads = pick(1, 1, 2, 3, 4, 7)
    d_out = num_heads * pick(*SIZES[:15])
    values = {"d_in": pick(*SIZES), "d_out": d_out, "heads": num_heads}
    values["init"] = pick("torch.rand", "torch.linear", "torch.randn", "identity")
    values["seed"] = pick(0, 42, 123, 789)
    values["embed"] = pick("hash", "ngrams", "torch")
    values["embed_seed"] = pick(0, 7, 123)
    values["pos"] = pick("none", "sin")
    values["mask"] = pick("causal", "none")
    values["mask_at"] = pick("before", "before", "after", "raw")
    values["scale"] = pick("sqrt", "none", "dim")
    values["temperature"] = pick(1, 0.1, 0.7, 3)
    values["dropout"] = pick(0, 0, 0.1, 0.5, 0.9)
    values["dropout_seed"] = pick(1, 123)
    values["bias"] = pick(0, 1)
    values["out"] = pick(0, 1)
    values["tokens"] = pick("words", "words", "words", "chars")
    longest = 15 if values["tokens"] == "chars" else 65
    texts = [text_of(pick(*[n for n in SIZES if n <= longest])) for _ in range(pick(1, 1, 1, 2, 3))]
    edits = [f"edit=x[0,0]={number(-3, 3)},{number(-3, 3)}", "edit=mask[0,0]=1", f"edit=keys[0,0]={number(-2, 2)}"]
    if values["mask"] == "none":
        edits.append("edit=mask[1,0]=1")
    chosen = [edit for edit in edits if pick(True, False, False, False)]
    return "&".join([link(*texts, **values), *chosen])


def main():
    for one in size_links():
        print(one)
    for _ in range(130):
        print(mixed_link())


main()

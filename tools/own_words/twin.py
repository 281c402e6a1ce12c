"""The training of a model that reads texts, by PyTorch: the same recipe, the same texts in the same order, the same first numbers.

    twin.py TEXTS RECIPE [--steps N] [--seed N] [--threads N] [--keep FILE]

after ids.mjs; prints a line for each 50 steps. --keep: after each 100 steps everything that the next one needs is in FILE, and a
run that finds it there goes on from it, with the same numbers.
"""
import argparse
import json
import math
import os
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/torch"))
from training_oracle import Draws, first_numbers, loss_of  # noqa: E402

kHeldOutTexts = 64


def sentence_beginnings(ids, token_bytes, beginning):
    """Where a document begins, and a blank with no small letter behind it after a stop and perhaps quotes."""
    found, first = [], 0
    for last in np.flatnonzero(ids == beginning):
        text, at = "".join(token_bytes[one] for one in ids[first:last]), 0
        for place in range(first, last):
            begins = text[at] == " " and at + 1 < len(text) and not "a" <= text[at + 1] <= "z"
            before = text[max(0, at - 20) : at].rstrip("\"'") if begins else ""
            if place == first or before[-1:] in (".", "?", "!"):
                found.append(place)
            at += len(token_bytes[ids[place]])
        first = last + 1
    return np.array(found)


def batch_of(ids, sentences, beginning, seed, step, texts, size):
    draws = Draws(seed * 1000003 + step)
    rows = []
    for _ in range(texts):
        at = sentences[draws.draw32() % len(sentences)]
        rows.append(np.concatenate([[beginning], ids[at : at + size]]))
    return torch.from_numpy(np.array(rows).astype(np.int64))


def held_out_loss(compute, ids, sentences, beginning, size):
    """Of some texts that begin with a sentence, spread evenly: not those that attn takes, but as many."""
    starts = sentences[sentences + size <= len(ids)]
    starts = starts[np.arange(kHeldOutTexts) * len(starts) // kHeldOutTexts]
    rows = np.array([np.concatenate([[beginning], ids[at : at + size]]) for at in starts])
    with torch.no_grad():
        return compute(torch.from_numpy(rows.astype(np.int64))).item()


def llama_numbers(model, vocabulary, seed):
    """In the order of the file; the same bits as attn draws."""
    torch.manual_seed(seed)
    width, mlp = model["width"], model["mlp_width"]
    numbers = {"embed": torch.randn(vocabulary, width) * np.float32(model["embedding_deviation"])}
    for layer in range(model["layers"]):
        numbers[f"{layer}.norm_1"] = torch.ones(width)
        for name, inputs, outputs in (("q", width, width), ("k", width, width), ("v", width, width), ("o", width, width),
                                      ("gate", width, mlp), ("up", width, mlp), ("down", mlp, width)):
            if name == "gate":
                numbers[f"{layer}.norm_2"] = torch.ones(width)
            bound = float(np.float32(1 / math.sqrt(inputs)))
            numbers[f"{layer}.{name}"] = torch.empty(outputs, inputs).uniform_(-bound, bound)
    numbers["norm"] = torch.ones(width)
    return numbers


def llama_loss(numbers, model, ids):
    heads, width = model["heads"], model["width"]
    head_dim, T = width // heads, ids.shape[1] - 1
    angles = torch.arange(T)[:, None] / 10000 ** (torch.arange(0, head_dim, 2) / head_dim)
    cosines, sines = (torch.cat([f(angles)] * 2, -1) for f in (torch.cos, torch.sin))

    def turned(x):
        a, b = x.chunk(2, -1)
        return x * cosines + torch.cat([-b, a], -1) * sines

    def norm(name, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * numbers[name]

    x = numbers["embed"][ids[:, :-1]]
    later = torch.triu(torch.ones(T, T, dtype=torch.bool), 1)
    for layer in range(model["layers"]):
        def linear(name, x):
            return F.linear(x, numbers[f"{layer}.{name}"])

        n = norm(f"{layer}.norm_1", x)
        q, k, v = (linear(one, n).view(*x.shape[:2], heads, -1).transpose(1, 2) for one in "qkv")
        scores = (turned(q) @ turned(k).transpose(-1, -2) / math.sqrt(head_dim)).masked_fill(later, -math.inf)
        x = x + linear("o", (scores.softmax(-1) @ v).transpose(1, 2).reshape(x.shape))
        n = norm(f"{layer}.norm_2", x)
        x = x + linear("down", F.silu(linear("gate", n)) * linear("up", n))
    logits = norm("norm", x) @ numbers["embed"].T
    return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())


def keep(path, step, numbers, optimizer, sums):
    """All of it or what was there before: a run may be stopped while it writes."""
    unfinished = path + ".unfinished"
    torch.save({"step": step, "numbers": {name: one.detach() for name, one in numbers.items()},
                "optimizer": optimizer.state_dict(), "sums": sums[-50:]}, unfinished)
    os.replace(unfinished, path)


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("texts")
    asked.add_argument("recipe")
    for name, default in (("steps", 0), ("seed", 0), ("threads", 1)):
        asked.add_argument(f"--{name}", type=int, default=default)
    asked.add_argument("--keep")
    asked = asked.parse_args()
    torch.set_num_threads(asked.threads)
    recipe = json.load(open(asked.recipe))
    model, training = recipe["model"], recipe["training"]
    seed, steps, size = asked.seed or training["seeds"][0], asked.steps or training["steps"], model["positions"]
    token_bytes = json.load(open(os.path.join(asked.texts, "token-bytes.json")))
    beginning = len(token_bytes) - 1
    rows = {}
    for name in ("read", "held-out"):
        ids = np.fromfile(os.path.join(asked.texts, f"{name}.ids"), dtype="<i4")
        sentences = sentence_beginnings(ids, token_bytes, beginning)
        rows[name] = (ids, sentences[sentences + size <= len(ids)])
    kind = model.get("kind", "gpt2")
    make, loss = (llama_numbers, llama_loss) if kind == "llama" else (first_numbers, loss_of)
    numbers = {name: one.requires_grad_() for name, one in make(model, len(token_bytes), seed).items()}
    matrices = [one for one in numbers.values() if one.dim() == 2]
    vectors = [one for one in numbers.values() if one.dim() == 1]
    print(f"{kind}: {sum(one.numel() for one in numbers.values())} numbers", flush=True)
    optimizer = torch.optim.AdamW(
        [dict(params=matrices, weight_decay=training["decay"]), dict(params=vectors, weight_decay=0.0)],
        lr=1.0, betas=(training["beta1"], training["beta2"]), eps=training["epsilon"],
    )
    since, sums, first = time.time(), [], 0
    if asked.keep and os.path.exists(asked.keep):
        kept = torch.load(asked.keep)
        with torch.no_grad():
            for name, one in kept["numbers"].items():
                numbers[name].copy_(one)
        optimizer.load_state_dict(kept["optimizer"])
        sums, first = kept["sums"], kept["step"]
    for step in range(first, steps):
        rate = training["rate"] * min(1, (step + 1) / training["warm_up"]) * (0.5 + 0.5 * math.cos(math.pi * step / training["steps"]))
        ids = batch_of(*rows["read"], beginning, seed, step, training["batch"], size)
        one = loss(numbers, model, ids)
        optimizer.zero_grad()
        one.backward()
        torch.nn.utils.clip_grad_norm_(list(numbers.values()), training["longest_gradient"])
        for group in optimizer.param_groups:
            group["lr"] = rate + training["least_rate"]
        optimizer.step()
        sums.append(one.item())
        if step < 5 or (step + 1) % 50 == 0 or step + 1 == steps:
            mean = sum(sums[-50:]) / len(sums[-50:])
            held_out = held_out_loss(lambda texts: loss(numbers, model, texts), *rows["held-out"], beginning, size)
            print(f"step {step + 1}, loss {one.item():.4f}, mean of 50 {mean:.4f}, held out {held_out:.4f}, {time.time() - since:.1f} s", flush=True)
        if asked.keep and (step + 1) % 100 == 0:
            keep(asked.keep, step + 1, numbers, optimizer, sums)


main()

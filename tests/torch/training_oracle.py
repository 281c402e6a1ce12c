"""The first steps of our own model's training, taken by PyTorch: the recipe is read, its sentences are made and its numbers are drawn
a second time, here.

    training_oracle.py ATTN RECIPE     prints a line of JSON: what was compared, and the worst share of its tolerance

PyTorch computes the gradients in double, from the floats before the step, and takes the steps with its own AdamW and
clip_grad_norm_ in float. attn's gradients are read from the checkpoint after one step, whose running mean is (1 - beta1) times them.
"""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

import numpy
import torch
import torch.nn.functional as F

kSteps = 5
# attn's gradients are float sums over 2,048 rows: off by some roundings (6e-8) of the largest number of their tensor.
kNearGradient = 5e-6
# Adam divides a gradient by its own size: where there is next to nothing, a rounding decides where the number goes, and no further than
# the rates add up to. Elsewhere steps agree to a small share of them.
kNothing = 1e-6
kShareOfRates = 1e-3


def read_safetensors(path):
    data = open(path, "rb").read()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    return {
        name: torch.from_numpy(numpy.frombuffer(data[8 + size :][slice(*one["data_offsets"])], dtype="<f4").copy())
        for name, one in header.items()
    }


class Draws:
    """The 32-bit draws of torch.manual_seed(seed)."""

    def __init__(self, seed):
        self.bits = numpy.random.RandomState(seed & 0xFFFFFFFF)._bit_generator

    def draw32(self):
        return int(self.bits.random_raw())

    def uniform53(self):
        high, low = self.draw32(), self.draw32()
        return ((high << 32 | low) & ((1 << 53) - 1)) / (1 << 53)

    def below(self, count):
        return self.draw32() * count >> 32


class Grammar:
    def __init__(self, recipe):
        self.words = {"<s>": 0}
        self.classes = {name: [self.id(word) for word in text.split()] for name, text in recipe["classes"].items()}
        self.templates = []
        for kind in recipe["kinds"]:
            trained = [one for one in kind["templates"] if not one.get("held_out")]
            whole = sum(one.get("share", 1) for one in trained)
            for one in kind["templates"]:
                for word in one["text"].split():
                    if word[0] not in "$#~":
                        self.id(word)
            self.templates += [(kind.get("share", 1) * one.get("share", 1) / whole, one["text"].split()) for one in trained]
        whole = sum(share for share, _ in self.templates)
        self.templates = [(share / whole, slots) for share, slots in self.templates]

    def id(self, word):
        return self.words.setdefault(word, len(self.words))

    def sentence(self, draws):
        rest = draws.uniform53()
        for share, slots in self.templates:
            rest -= share
            if rest < 0:
                break
        kept, made = {}, []
        for slot in slots:
            if slot[0] == "#":
                made.append(kept[int(slot[1:])])
            elif slot[0] == "$":
                name, _, unlike = slot[1:].partition("!")
                name, _, number = name.partition("#")
                others = [kept[int(one)] for one in unlike.split(",") if one]
                words = [word for word in self.classes[name] if word not in others]
                made.append(words[draws.below(len(words))])
                if number:
                    kept[int(number)] = made[-1]
            elif slot[0] == "~":
                name, size, copies = slot[1:].split(":")
                first = []
                for _ in range(int(size)):
                    words = [word for word in self.classes[name] if word not in first]
                    first.append(words[draws.below(len(words))])
                made += first * int(copies)
            else:
                made.append(self.words[slot])
        return made

    def batch(self, seed, step, texts, size):
        draws, rows = Draws(seed * 1000003 + step), []
        for _ in range(texts):
            row = [0]
            while len(row) < size:
                row += self.sentence(draws)
            rows.append(row[:size])
        return torch.tensor(rows)


def first_numbers(model, vocabulary, seed):
    """In the order of the file; PyTorch's generator draws, too, so they are the same bits."""
    torch.manual_seed(seed)
    width, mlp, numbers = model["width"], model["mlp_width"], {}
    for name, rows in (("wte.weight", vocabulary), ("wpe.weight", model["positions"])):
        numbers[name] = torch.randn(rows, width) * numpy.float32(model["embedding_deviation"])

    def norm(name):
        numbers[name + ".weight"], numbers[name + ".bias"] = torch.ones(width), torch.zeros(width)

    def linear(name, inputs, outputs):
        bound = float(numpy.float32(1 / math.sqrt(inputs)))
        numbers[name + ".weight"] = torch.empty(inputs, outputs).uniform_(-bound, bound)
        numbers[name + ".bias"] = torch.zeros(outputs)

    for layer in range(model["layers"]):
        at = f"h.{layer}."
        norm(at + "ln_1")
        linear(at + "attn.c_attn", width, 3 * width)
        linear(at + "attn.c_proj", width, width)
        norm(at + "ln_2")
        linear(at + "mlp.c_fc", width, mlp)
        linear(at + "mlp.c_proj", mlp, width)
    norm("ln_f")
    return numbers


def gelu(x):
    return x / 2 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def loss_of(numbers, model, ids):
    heads, width = model["heads"], model["width"]
    x = numbers["wte.weight"][ids[:, :-1]] + numbers["wpe.weight"][: ids.shape[1] - 1]
    T = x.shape[1]

    def norm(name, x):
        return F.layer_norm(x, (width,), numbers[name + ".weight"], numbers[name + ".bias"], 1e-5)

    def linear(name, x):
        return x @ numbers[name + ".weight"] + numbers[name + ".bias"]

    later = torch.triu(torch.ones(T, T, dtype=torch.bool), 1)
    for layer in range(model["layers"]):
        at = f"h.{layer}."
        q, k, v = [
            part.view(*part.shape[:2], heads, -1).transpose(1, 2)
            for part in linear(at + "attn.c_attn", norm(at + "ln_1", x)).split(width, -1)
        ]
        scores = (q @ k.transpose(-1, -2) / math.sqrt(width // heads)).masked_fill(later, -math.inf)
        x = x + linear(at + "attn.c_proj", (scores.softmax(-1) @ v).transpose(1, 2).reshape(x.shape))
        x = x + linear(at + "mlp.c_proj", gelu(linear(at + "mlp.c_fc", norm(at + "ln_2", x))))
    logits = norm("ln_f", x) @ numbers["wte.weight"].T
    return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())


def flat(tensors):
    return torch.cat([one.detach().flatten() for one in tensors])


def attn_after(attn, recipe, steps):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [attn, "train", "--recipe", recipe, "--out", folder, "--steps", str(steps), "--files", "no"],
            check=True,
            capture_output=True,
        )
        return read_safetensors(os.path.join(folder, "training.checkpoint"))


def main(attn, path):
    recipe = json.load(open(path))
    model, training = recipe["model"], recipe["training"]
    torch.set_num_threads(1)
    seed = training["seeds"][0]
    grammar = Grammar(recipe)
    numbers = {name: one.requires_grad_() for name, one in first_numbers(model, len(grammar.words), seed).items()}
    matrices = [one for one in numbers.values() if one.dim() == 2]
    vectors = [one for one in numbers.values() if one.dim() == 1]
    settings = dict(lr=1.0, betas=(training["beta1"], training["beta2"]), eps=training["epsilon"])
    optimizer = torch.optim.AdamW(
        [dict(params=matrices, weight_decay=training["decay"]), dict(params=vectors, weight_decay=0.0)], **settings
    )
    losses, rates, least_gradient = [], [], None
    for step in range(kSteps):
        rate = training["rate"] * min(1, (step + 1) / training["warm_up"]) * (0.5 + 0.5 * math.cos(math.pi * step / training["steps"]))
        rates.append(rate + training["least_rate"])
        ids = grammar.batch(seed, step, training["batch"], model["positions"] + 1)
        doubles = {name: one.detach().double().requires_grad_() for name, one in numbers.items()}
        loss = loss_of(doubles, model, ids)
        gradients = torch.autograd.grad(loss, list(doubles.values()))
        losses.append(loss.item())
        for one, gradient in zip(numbers.values(), gradients):
            one.grad = gradient.float()
        torch.nn.utils.clip_grad_norm_(list(numbers.values()), training["longest_gradient"])
        if step == 0:
            first = [one.grad.clone() for one in numbers.values()]
        sizes = flat([one.grad for one in numbers.values()]).abs()
        least_gradient = sizes if least_gradient is None else torch.minimum(least_gradient, sizes)
        for group in optimizer.param_groups:
            group["lr"] = rates[-1]
        optimizer.step()

    own = attn_after(attn, path, 1)
    worst, at = [0.0, 0.0, 0.0], 0
    for gradient in first:
        mean = own["mean"][at : at + gradient.numel()].double() / (1 - training["beta1"])
        at += gradient.numel()
        off = (mean - gradient.flatten().double()).abs().max().item()
        worst[0] = max(worst[0], off / (kNearGradient * gradient.abs().max().item() + 1e-9))
    own = attn_after(attn, path, kSteps)
    assert own["numbers"].numel() == at
    off = (own["numbers"] - flat(numbers.values())).abs().double()
    bound = torch.where(least_gradient < kNothing, 2.0, kShareOfRates) * sum(rates) + 1e-7
    worst[1] = (off / bound).max().item()
    worst[2] = max(abs(a - b) / (1e-6 * b) for a, b in zip(own["losses"].tolist(), losses))
    print(json.dumps(dict(numbers=at, gradients=worst[0], steps=worst[1], losses=worst[2], weak=int((least_gradient < kNothing).sum()))))


if __name__ == "__main__":
    main(*sys.argv[1:])

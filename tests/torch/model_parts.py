"""What the random checkpoints of tests have in common: their tensors and files, heads, masks, norms, and the stages of an attention."""
import json
import math
import os
import struct

import torch
import torch.nn.functional as F

kNear = 5e-6
kNearSlope = 2e-8
T, D, L, H, V, P = 19, 48, 3, 4, 101, 32
TYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}


class Checkpoint:
    """Tensors by name: drawn at first use, rounded to the type of the file, and used as doubles."""

    def __init__(self, kind, seed):
        self.kind = kind
        self.generator = torch.Generator().manual_seed(seed)
        self.tensors = {}  # as the file has them
        self.leaves = {}  # as doubles, which have gradients

    def draw(self, name, *shape, scale=None, around=0.0):
        scale = scale or 1 / math.sqrt(shape[-1])
        numbers = torch.randn(*shape, generator=self.generator, dtype=torch.float64) * scale + around
        self.tensors[name] = numbers.to(TYPES[self.kind])
        self.leaves[name] = self.tensors[name].double().requires_grad_()
        return self.leaves[name]

    def norm(self, name, *names, bias=True, size=D):
        weight, *rest = names or ("weight", "bias")
        drawn = self.draw(f"{name}.{weight}", size, scale=0.3, around=1.0)
        return (drawn, self.draw(f"{name}.{rest[0]}", size, scale=0.3)) if bias else (drawn, None)

    def linear(self, name, outputs, inputs, bias=True):
        return self.draw(f"{name}.weight", outputs, inputs), self.draw(f"{name}.bias", outputs, scale=0.3) if bias else None

    def conv(self, name, inputs, outputs):
        weight = self.draw(f"{name}.weight", inputs, outputs, scale=1 / math.sqrt(inputs))
        return weight.T, self.draw(f"{name}.bias", outputs, scale=0.3)

    def save(self, folder, config):
        header, data = {"__metadata__": {"format": "pt"}}, b""
        for name, tensor in self.tensors.items():
            raw = tensor.contiguous().view(torch.int32 if self.kind == "F32" else torch.int16).numpy().tobytes()
            header[name] = {"dtype": self.kind, "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(raw)]}
            data += raw
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        with open(os.path.join(folder, "model.safetensors"), "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text + data)
        with open(os.path.join(folder, "config.json"), "w") as file:
            json.dump(config, file)


class Patches:
    """What the run under way takes over from another one: (part, layer, head, row) with part "stream", "mlp", "head" or "weights"; layers,
    heads and rows from 0. `other` are that run's stages, a dict a layer."""

    def __init__(self):
        self.begin()

    def begin(self, patches=(), other=()):
        self.patches, self.other, self.layer = patches, other, 0

    def rows(self, part, rows):
        """`rows` with those of the patches in the layer under way."""
        mine = [row for name, layer, _, row in self.patches if (name, layer) == (part, self.layer)]
        if not mine:
            return rows
        rows = rows.clone()
        for row in mine:
            rows[row] = self.other[self.layer][{"stream": "before", "mlp": "mlp_added"}[part]][row]
        return rows

    def stream(self, layer, x):
        """The stream before a layer, which begins."""
        self.layer = layer
        return self.rows("stream", x)

    def heads(self, context, values):
        """What the heads hand on. Weights are multiplied with the values of the run under way."""
        mine = [patch for patch in self.patches if patch[1] == self.layer and patch[0] in ("head", "weights")]
        if mine:
            context = context.clone()
        for part, layer, head, row in mine:
            theirs = self.other[layer]
            context[head, row] = theirs["weights"][head, row] @ values[head] if part == "weights" else theirs["context"][head, row]
        return context


PATCHES = Patches()


def heads_of(x, number):
    return x.view(x.shape[0], number, -1).transpose(0, 1)


def attend(stages, queries, keys, values, divisor, hidden, cap=None, bias=None):
    """The stages of an attention whose queries, keys and values are cut into heads."""
    group = queries.shape[0] // keys.shape[0]
    scores = queries @ keys.repeat_interleave(group, 0).transpose(1, 2)
    weighed = scores / divisor
    if cap:
        weighed = stages["capped_scores"] = cap * torch.tanh(weighed / cap)
    if bias is not None:
        weighed = stages["biased_scores"] = weighed + bias
    weights = weighed.masked_fill(hidden, -math.inf).softmax(-1)
    of_heads = values.repeat_interleave(group, 0)
    context = weights @ of_heads
    merged = PATCHES.heads(context, of_heads).transpose(0, 1).reshape(T, -1)
    stages.update(queries=queries, keys=keys, values=values, scores=scores, scaled_scores=scores / divisor, weights=weights,
                  context=context, merged=merged)
    return merged


def causal(window=0):
    i, j = torch.arange(T)[:, None], torch.arange(T)[None, :]
    return (j > i) | (j <= i - window if window else False)


def layer_norm(x, weights, eps=1e-5):
    return F.layer_norm(x, (x.shape[-1],), weights[0], weights[1], eps)


def rms_norm(x, weights, eps=1e-6):
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps) * weights[0]


def gelu_tanh(x):
    return F.gelu(x, approximate="tanh")


def rotate_half(x):
    return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), -1)


def unembed(final, weight, bias=None, change=lambda logits: logits):
    """What comes after the last norm: the stages of the whole model."""
    return {"final_stream": final, "logits": change(F.linear(final, weight, bias))}


def transformed(stream, dense, norm, eps, tokens, bias):
    """The same of BERT's head, which has a layer of its own before the unembedding; there is no last norm."""
    y = layer_norm(F.gelu(F.linear(stream, *dense)), norm, eps)
    return {"final_stream": stream, "logit_input": y, "logits": F.linear(y, tokens, bias)}

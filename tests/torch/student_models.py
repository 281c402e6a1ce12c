"""Models as people write them themselves, with random numbers: nanoGPT's and minGPT's layout, minGPT's of 2020, and that of GPTModel.
Saves each as their training programs do, and prints the logits of some tokens as JSON. Argument: a folder for the files."""
import json
import sys

import torch
from torch import nn
from torch.nn import functional as F

FOLDER = sys.argv[1]
WIDTH, HEADS, LAYERS, VOCABULARY, POSITIONS = 12, 3, 2, 17, 9
IDS = torch.tensor([3, 1, 16, 0, 7])


def attend(query, key, value):
    heads = [each.view(-1, HEADS, WIDTH // HEADS).transpose(0, 1) for each in (query, key, value)]
    scores = heads[0] @ heads[1].transpose(1, 2) / (WIDTH // HEADS) ** 0.5
    hidden = torch.triu(torch.ones(scores.shape[1:], dtype=torch.bool), diagonal=1)
    weights = scores.masked_fill(hidden, -torch.inf).softmax(-1)
    return (weights @ heads[2]).transpose(0, 1).reshape(-1, WIDTH)


class Norm(nn.Module):
    def __init__(self, has_bias):
        super().__init__()
        self.weight = nn.Parameter(1 + torch.rand(WIDTH) / 2)
        self.bias = nn.Parameter(torch.rand(WIDTH)) if has_bias else None

    def forward(self, x):
        return F.layer_norm(x, (WIDTH,), self.weight, self.bias, 1e-5)


class StackedAttention(nn.Module):
    def __init__(self, has_bias, has_mask):
        super().__init__()
        self.c_attn = nn.Linear(WIDTH, 3 * WIDTH, bias=has_bias)
        self.c_proj = nn.Linear(WIDTH, WIDTH, bias=has_bias)
        if has_mask:
            self.register_buffer("bias", torch.tril(torch.ones(POSITIONS, POSITIONS))[None, None])

    def forward(self, x):
        return self.c_proj(attend(*self.c_attn(x).split(WIDTH, dim=-1)))


class StackedBlock(nn.Module):
    def __init__(self, has_bias, has_mask):
        super().__init__()
        self.ln_1, self.ln_2 = Norm(has_bias), Norm(has_bias)
        self.attn = StackedAttention(has_bias, has_mask)
        self.mlp = nn.ModuleDict({"c_fc": nn.Linear(WIDTH, 4 * WIDTH, bias=has_bias), "c_proj": nn.Linear(4 * WIDTH, WIDTH, bias=has_bias)})
        self.gelu = nn.GELU(approximate="tanh" if has_mask else "none")

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp.c_proj(self.gelu(self.mlp.c_fc(self.ln_2(x))))


class StackedModel(nn.Module):
    """has_mask, as minGPT: a mask in each layer, GELU by tanh, a head of its own; else as nanoGPT."""

    def __init__(self, has_bias, has_mask):
        super().__init__()
        blocks = [StackedBlock(has_bias, has_mask) for _ in range(LAYERS)]
        parts = {"wte": nn.Embedding(VOCABULARY, WIDTH), "wpe": nn.Embedding(POSITIONS, WIDTH), "h": nn.ModuleList(blocks), "ln_f": Norm(has_bias)}
        self.transformer = nn.ModuleDict(parts)
        self.lm_head = nn.Linear(WIDTH, VOCABULARY, bias=False)
        if not has_mask:
            self.lm_head.weight = self.transformer.wte.weight

    def forward(self, ids):
        x = self.transformer.wte(ids) + self.transformer.wpe(torch.arange(len(ids)))
        for block in self.transformer.h:
            x = block(x)
        return self.lm_head(self.transformer.ln_f(x))


class ScaledNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale, self.shift = nn.Parameter(1 + torch.rand(WIDTH) / 2), nn.Parameter(torch.rand(WIDTH))

    def forward(self, x):
        return F.layer_norm(x, (WIDTH,), self.scale, self.shift, 1e-5)


class NamedAttention(nn.Module):
    def __init__(self, has_bias):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(WIDTH, WIDTH, bias=has_bias) for _ in range(3))
        self.out_proj = nn.Linear(WIDTH, WIDTH)
        self.register_buffer("mask", torch.triu(torch.ones(POSITIONS, POSITIONS), diagonal=1))

    def forward(self, x):
        return self.out_proj(attend(self.W_query(x), self.W_key(x), self.W_value(x)))


class NamedBlock(nn.Module):
    def __init__(self, has_bias):
        super().__init__()
        self.att = NamedAttention(has_bias)
        layers = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(approximate="tanh"), nn.Linear(4 * WIDTH, WIDTH))
        self.ff = nn.ModuleDict({"layers": layers})
        self.norm1, self.norm2 = ScaledNorm(), ScaledNorm()

    def forward(self, x):
        x = x + self.att(self.norm1(x))
        return x + self.ff.layers(self.norm2(x))


class GPTModel(nn.Module):
    def __init__(self, has_bias):
        super().__init__()
        self.tok_emb, self.pos_emb = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(POSITIONS, WIDTH)
        self.trf_blocks = nn.Sequential(*(NamedBlock(has_bias) for _ in range(LAYERS)))
        self.final_norm = ScaledNorm()
        self.out_head = nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, ids):
        x = self.tok_emb(ids) + self.pos_emb(torch.arange(len(ids)))
        return self.out_head(self.final_norm(self.trf_blocks(x)))


class EarlyAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.key, self.query, self.value, self.proj = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.register_buffer("mask", torch.tril(torch.ones(POSITIONS, POSITIONS))[None, None])

    def forward(self, x):
        return self.proj(attend(self.query(x), self.key(x), self.value(x)))


class EarlyBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1, self.ln2, self.attn = Norm(True), Norm(True), EarlyAttention()
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH), nn.Dropout(0.0))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class EarlyModel(nn.Module):
    """minGPT as it was in 2020: positions are a parameter with an axis for the batch."""

    def __init__(self):
        super().__init__()
        self.tok_emb = nn.Embedding(VOCABULARY, WIDTH)
        self.pos_emb = nn.Parameter(torch.rand(1, POSITIONS, WIDTH))
        self.blocks = nn.Sequential(*(EarlyBlock() for _ in range(LAYERS)))
        self.ln_f, self.head = Norm(True), nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, ids):
        x = self.tok_emb(ids) + self.pos_emb[0, : len(ids)]
        return self.head(self.ln_f(self.blocks(x)))


def main():
    torch.manual_seed(5)
    logits = {}

    def save(name, model, wrap):
        with torch.no_grad():
            logits[name] = model(IDS).tolist()
        torch.save(wrap(model.state_dict()), f"{FOLDER}/{name}.pt")

    sizes = {"n_layer": LAYERS, "n_head": HEADS, "n_embd": WIDTH, "block_size": POSITIONS, "bias": False, "vocab_size": VOCABULARY, "dropout": 0.0}
    compiled = lambda tensors: {f"_orig_mod.{name}": tensor for name, tensor in tensors.items()}
    checkpoint = lambda tensors: {"model": compiled(tensors), "optimizer": {"state": {}, "param_groups": []}, "model_args": sizes, "iter_num": 9, "config": {"dataset": "x", "n_head": 4}}
    save("nanogpt", StackedModel(False, False), checkpoint)
    save("nanogpt_tensors", StackedModel(False, False), compiled)
    save("nanogpt_biases", StackedModel(True, False), lambda tensors: tensors)
    save("mingpt", StackedModel(True, True), lambda tensors: {f"module.{name}": tensor for name, tensor in tensors.items()})
    save("mingpt_2020", EarlyModel(), lambda tensors: tensors)
    save("gpt_model", GPTModel(False), lambda tensors: tensors)
    save("gpt_model_biases", GPTModel(True), lambda tensors: {"model_state_dict": tensors, "optimizer_state_dict": {"state": {}}})
    torch.save(nn.MultiheadAttention(WIDTH, HEADS).state_dict(), f"{FOLDER}/module.pt")
    print(json.dumps({"ids": IDS.tolist(), "heads": HEADS, "logits": logits}))


main()

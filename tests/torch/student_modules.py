"""Attention modules as people write and save them, with random numbers: PyTorch's own, one of its encoder layers, a lecture's heads in a
list, and tensors that are stored turned. Saves each state_dict, and what each makes of X, a line each. Argument: the folder for the files;
those of tests/golden/modules were written by PyTorch 1.13.1."""
import sys

import torch
from torch import nn

FOLDER = sys.argv[1]
WIDTH, HEADS, LENGTH = 6, 3, 4
torch.manual_seed(3)
X = torch.rand(LENGTH, WIDTH)
HIDDEN = torch.triu(torch.ones(LENGTH, LENGTH, dtype=torch.bool), diagonal=1)


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.key, self.query, self.value = (nn.Linear(WIDTH, WIDTH // HEADS, bias=False) for _ in range(3))
        self.register_buffer("tril", torch.tril(torch.ones(8, 8)))

    def forward(self, x):
        scores = self.query(x) @ self.key(x).T * (WIDTH // HEADS) ** -0.5
        return scores.masked_fill(self.tril[: len(x), : len(x)] == 0, -torch.inf).softmax(-1) @ self.value(x)


class ListOfHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList([Head() for _ in range(HEADS)])
        self.proj = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        return self.proj(torch.cat([head(x) for head in self.heads], dim=-1))


def main():
    outputs = {}

    def save(name, module, attend):
        with torch.no_grad():
            for parameter in module.parameters():
                parameter.copy_(torch.randn_like(parameter) / 2)
            outputs[name] = attend(module.eval())
        torch.save(module.state_dict(), f"{FOLDER}/{name}.pt")

    of_torch = lambda module: module(X[:, None], X[:, None], X[:, None], attn_mask=HIDDEN)[0][:, 0]
    save("module", nn.MultiheadAttention(WIDTH, HEADS), of_torch)
    save("encoder_layer", nn.TransformerEncoderLayer(WIDTH, HEADS, 8), lambda layer: of_torch(layer.self_attn))
    save("heads", ListOfHeads(), lambda module: module(X))
    turned = nn.MultiheadAttention(WIDTH, HEADS, bias=False)
    save("turned", turned, of_torch)
    stored = {name: tensor.T.contiguous().T for name, tensor in turned.state_dict().items()}
    torch.save({"model_state_dict": {f"blocks.0.attn.{name}": tensor for name, tensor in stored.items()}}, f"{FOLDER}/turned.pt")
    with open(f"{FOLDER}/outputs.txt", "w") as file:
        for name, numbers in {"x": X, **outputs}.items():
            print(name, *numbers.flatten().tolist(), file=file)


main()

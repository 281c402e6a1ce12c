# PyTorch on one thread, for tests/bench/learning.mjs: the lines of native/learning.cpp, the same problem.
import math
import sys
import time

import torch

NUM_WORDS = 32
torch.set_num_threads(1)


def problem_of(T, d_in, d_out):
    torch.manual_seed(1)
    x = torch.randn(T, d_in, requires_grad=True)
    matrices = [(torch.randn(d_in, d_out) / math.sqrt(d_in)).requires_grad_() for _ in range(3)]
    vocabulary = 0.05 * torch.randn(NUM_WORDS, d_out)
    hidden = torch.triu(torch.ones(T, T, dtype=torch.bool), 1)
    return x, matrices, vocabulary, hidden, torch.arange(T) % NUM_WORDS


def attend(x, matrices, hidden, heads):
    T, d_out = x.shape[0], matrices[0].shape[1]
    query, key, value = ((x @ w).view(T, heads, d_out // heads).transpose(0, 1) for w in matrices)
    scores = query @ key.transpose(1, 2) / math.sqrt(d_out // heads)
    weights = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1)
    return (weights @ value).transpose(0, 1).reshape(T, d_out)


for line in sys.stdin:
    T, d_in, d_out, heads, kind, calls = line.split()
    x, matrices, vocabulary, hidden, wanted = problem_of(int(T), int(d_in), int(d_out))
    heads, calls = int(heads), int(calls)

    def loss_of():
        return torch.nn.functional.cross_entropy(attend(x, matrices, hidden, heads) @ vocabulary.T, wanted)

    def forward():
        with torch.no_grad():
            attend(x, matrices, hidden, heads)

    optimizer = torch.optim.SGD(matrices, lr=1e-3)

    def step():
        optimizer.zero_grad()
        loss_of().backward()
        optimizer.step()

    call = {"forward": forward, "gradient": lambda: torch.autograd.grad(loss_of(), [x, *matrices]), "step": step}[kind]
    call()
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    print(1000 * (time.perf_counter() - begin) / calls, flush=True)

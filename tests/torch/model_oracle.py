"""Random checkpoints of every kind of model, computed by PyTorch and by attn: all stages of all layers, the logits, and what a nudge
of some numbers of every tensor says of the gradient.

    model_oracle.py ATTN     prints a line of JSON for each checkpoint: its name, numbers compared, the worst share of the tolerance

PyTorch computes in double, with the very numbers that the file holds. attn computes in float: a stage may be off by kNear of its
largest number. Sums here have up to 4 * 48 products, each rounded to 2^-24 = 6e-8 of itself; three layers of them, and norms that
divide by what may be less than 1, stay within some hundred roundings. A nudge's slope is computed in double on both sides; it leaves
out terms of the nudge's square, 1e-8, times the third derivative: kNearSlope of the largest gradient of the tensor, and of 1.
"""
import io
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy
import torch
import torch.nn.functional as F

from model_families import FAMILIES
from model_parts import PATCHES, TYPES, Checkpoint, D, H, L, P, T, V, attend, causal, gelu_tanh, heads_of, kNear, kNearSlope, layer_norm, rms_norm, rotate_half, transformed, unembed

def pre_norm_mlp(stages, middle, norm, first, second, activation):
    stages["mlp_input"] = norm(middle)
    stages["mlp_sums"] = F.linear(stages["mlp_input"], *first)
    stages["mlp_hidden"] = activation(stages["mlp_sums"])
    stages["mlp_added"] = PATCHES.rows("mlp", F.linear(stages["mlp_hidden"], *second))
    return middle + stages["mlp_added"]


def gpt(file, ids, is_neo):
    """GPT-2, or GPT-Neo: the names and layouts of its attention, no division, a window in every other layer."""
    prefix = "transformer." if is_neo else ""
    tokens, places = file.draw(f"{prefix}wte.weight", V, D), file.draw(f"{prefix}wpe.weight", P, D)
    x, layers = tokens[ids] + places[:T], []
    for layer in range(L):
        x = PATCHES.stream(layer, x)
        name, stages = f"{prefix}h.{layer}", {"before": x}
        first, second = file.norm(f"{name}.ln_1"), file.norm(f"{name}.ln_2")
        stages["embeddings"] = y = layer_norm(x, first)
        if is_neo:
            roles = [F.linear(y, *file.linear(f"{name}.attn.attention.{role}_proj", D, D, bias=False)) for role in "qkv"]
            out = file.linear(f"{name}.attn.attention.out_proj", D, D)
            mlp = file.linear(f"{name}.mlp.c_fc", 4 * D, D), file.linear(f"{name}.mlp.c_proj", D, 4 * D)
        else:
            roles = F.linear(y, *file.conv(f"{name}.attn.c_attn", D, 3 * D)).split(D, -1)
            out = file.conv(f"{name}.attn.c_proj", D, D)
            mlp = file.conv(f"{name}.mlp.c_fc", D, 4 * D), file.conv(f"{name}.mlp.c_proj", 4 * D, D)
        divisor = 1 if is_neo else math.sqrt(D // H)
        merged = attend(stages, *(heads_of(role, H) for role in roles), divisor, causal(5 if is_neo and layer % 2 else 0))
        stages["attention_added"] = F.linear(merged, *out)
        stages["middle"] = x + stages["attention_added"]
        x = stages["after"] = pre_norm_mlp(stages, stages["middle"], lambda m: layer_norm(m, second), *mlp, gelu_tanh)
        layers.append(stages)
    last = file.norm(f"{prefix}ln_f")
    end = lambda stream: unembed(layer_norm(stream, last), tokens)
    config = (
        dict(model_type="gpt_neo", hidden_size=D, num_layers=L, num_heads=H, vocab_size=V, max_position_embeddings=P,
             window_size=5, attention_types=[[["global", "local"], 1], [["global"], 1]], activation_function="gelu_new")
        if is_neo else dict(model_type="gpt2", n_embd=D, n_layer=L, n_head=H, vocab_size=V, n_positions=P)
    )
    return config, layers, end


def bert(file, ids):
    eps, x = 1e-12, 0
    tokens = file.draw("bert.embeddings.word_embeddings.weight", V, D)
    places = file.draw("bert.embeddings.position_embeddings.weight", P, D)
    types = file.draw("bert.embeddings.token_type_embeddings.weight", 2, D)
    x = layer_norm(tokens[ids] + places[:T] + types[0], file.norm("bert.embeddings.LayerNorm", "gamma", "beta"), eps)
    layers = []
    for layer in range(L):
        x = PATCHES.stream(layer, x)
        name, stages = f"bert.encoder.layer.{layer}", {"before": x, "embeddings": x}
        roles = [heads_of(F.linear(x, *file.linear(f"{name}.attention.self.{role}", D, D)), H) for role in ("query", "key", "value")]
        merged = attend(stages, *roles, math.sqrt(D // H), torch.zeros(T, T, dtype=torch.bool))
        stages["attention_added"] = F.linear(merged, *file.linear(f"{name}.attention.output.dense", D, D))
        stages["middle"] = middle = layer_norm(x + stages["attention_added"], file.norm(f"{name}.attention.output.LayerNorm"), eps)
        stages["mlp_input"] = middle
        stages["mlp_sums"] = F.linear(middle, *file.linear(f"{name}.intermediate.dense", 2 * D, D))
        stages["mlp_hidden"] = F.gelu(stages["mlp_sums"])
        stages["mlp_added"] = PATCHES.rows("mlp", F.linear(stages["mlp_hidden"], *file.linear(f"{name}.output.dense", D, 2 * D)))
        x = stages["after"] = layer_norm(middle + stages["mlp_added"], file.norm(f"{name}.output.LayerNorm"), eps)
        layers.append(stages)
    head = "cls.predictions"
    dense, norm = file.linear(f"{head}.transform.dense", D, D), file.norm(f"{head}.transform.LayerNorm")
    bias = file.draw(f"{head}.bias", V, scale=0.3)
    end = lambda stream: transformed(stream, dense, norm, eps, tokens, bias)
    config = dict(model_type="bert", hidden_size=D, num_hidden_layers=L, num_attention_heads=H, intermediate_size=2 * D,
                  vocab_size=V, max_position_embeddings=P, type_vocab_size=2, hidden_act="gelu")
    return config, layers, end


# What config.json says of rotary positions, by name: the object "rope_scaling", and members beside it. T is 19.
ROPES = {
    "linear": ({"rope_type": "linear", "factor": 4.0}, {}),
    "dynamic": ({"type": "dynamic", "factor": 2.0}, {}),
    "llama3": ({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                "original_max_position_embeddings": 64}, {"rope_theta": 50.0}),
    "yarn": ({"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64}, {}),
    "yarn between pairs": ({"rope_type": "yarn", "factor": 8.0, "beta_fast": 16, "beta_slow": 2, "truncate": False, "mscale": 0.7,
                            "mscale_all_dim": 1.0}, {"rope_theta": 100.0, "max_position_embeddings": 512}),
    "yarn of a given length": ({"rope_type": "yarn", "factor": 4.0, "attention_factor": 1.3}, {}),
    "longrope": ({"rope_type": "longrope", "short_factor": [1.0, 1.1, 1.2, 1.3, 1.4, 1.5], "long_factor": [2.0] * 6},
                 {"original_max_position_embeddings": 24}),
    "longrope, long": ({"type": "su", "short_factor": [1.0] * 6, "long_factor": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]},
                       {"original_max_position_embeddings": 16}),
    "partial": (None, {"partial_rotary_factor": 0.5}),
    "not in all layers": (None, {"no_rope_layers": [1, 0, 1]}),
    "every second layer not": (None, {"no_rope_layer_interval": 2}),
}


def frequencies_of(scaling, config, size):
    """By the papers' formulas: the angle from a position to the next, and what cosine and sine are multiplied by."""
    base, most = config["rope_theta"], config["max_position_embeddings"]
    plain = base ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)
    kind = (scaling or {}).get("rope_type", (scaling or {}).get("type"))
    if kind is None or kind == "dynamic":  # which changes nothing up to max_position_embeddings
        return plain, 1.0
    factor = scaling.get("factor", 1.0)
    first = scaling.get("original_max_position_embeddings", config.get("original_max_position_embeddings", most))
    if kind == "linear":
        return plain / factor, 1.0
    if kind == "llama3":
        low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
        found = []
        for one in plain.tolist():
            wavelength = 2 * math.pi / one
            if wavelength < first / high:
                found.append(one)
            elif wavelength > first / low:
                found.append(one / factor)
            else:
                smooth = (first / wavelength - low) / (high - low)
                found.append((1 - smooth) * one / factor + smooth * one)
        return torch.tensor(found, dtype=torch.float64), 1.0
    if kind == "yarn":
        place = lambda turns: size * math.log(first / (turns * 2 * math.pi)) / (2 * math.log(base))
        low, high = place(scaling.get("beta_fast", 32)), place(scaling.get("beta_slow", 1))
        if scaling.get("truncate", True):
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, size - 1)
        high = high + 0.001 if low == high else high
        ramp = ((torch.arange(size // 2, dtype=torch.float64) - low) / (high - low)).clamp(0, 1)
        longer = lambda scale: 0.1 * scale * math.log(factor) + 1
        length = longer(scaling["mscale"]) / longer(scaling["mscale_all_dim"]) if "mscale" in scaling else longer(1)
        return ramp * plain / factor + (1 - ramp) * plain, scaling.get("attention_factor", length)
    factors = scaling["long_factor" if T > first else "short_factor"]
    length = math.sqrt(1 + math.log(most / first) / math.log(first))
    return plain / torch.tensor(factors, dtype=torch.float64), length


def llama(file, ids, kind, scaling=None, beside={}):
    """Llama, Mistral (a window), Qwen2 (biases), Qwen3 (norms of queries and keys, heads wider than the stream)."""
    key_heads, size = 2, 16 if kind == "qwen3" else D // H
    config = dict(model_type=kind, hidden_size=D, num_hidden_layers=L, num_attention_heads=H, num_key_value_heads=key_heads,
                  intermediate_size=2 * D, vocab_size=V, max_position_embeddings=P, rms_norm_eps=1e-6, rope_theta=10000.0,
                  hidden_act="silu", head_dim=size, tie_word_embeddings=kind == "qwen3") | beside
    if scaling:
        config["rope_scaling"] = scaling
    if kind == "mistral":
        config["sliding_window"] = 4
    turned = int(size * config.get("partial_rotary_factor", 1))
    every = config.get("no_rope_layer_interval", L + 1)
    is_turned = config.get("no_rope_layers", [int((layer + 1) % every != 0) for layer in range(L)])
    tokens = file.draw("model.embed_tokens.weight", V, D, scale=1.0)
    frequencies, stretch = frequencies_of(scaling, config, turned)
    angles = (torch.arange(T, dtype=torch.float64)[:, None] * frequencies).repeat(1, 2)

    def turn(x, layer):
        if not is_turned[layer]:
            return x
        first, rest = x[..., :turned], x[..., turned:]
        return torch.cat((first * angles.cos() * stretch + rotate_half(first) * angles.sin() * stretch, rest), -1)

    x, layers = tokens[ids], []
    for layer in range(L):
        x = PATCHES.stream(layer, x)
        name, stages = f"model.layers.{layer}", {"before": x}
        stages["embeddings"] = y = rms_norm(x, file.norm(f"{name}.input_layernorm", bias=False))
        roles = [heads_of(F.linear(y, *file.linear(f"{name}.self_attn.{role}_proj", number * size, D, bias=kind == "qwen2")), number)
                 for role, number in (("q", H), ("k", key_heads), ("v", key_heads))]
        if kind == "qwen3":
            for i, role in enumerate("qk"):
                roles[i] = rms_norm(roles[i], file.norm(f"{name}.self_attn.{role}_norm", bias=False, size=size))
        window = 4 if kind == "mistral" else 0
        merged = attend(stages, turn(roles[0], layer), turn(roles[1], layer), roles[2], math.sqrt(size), causal(window))
        stages["attention_added"] = F.linear(merged, *file.linear(f"{name}.self_attn.o_proj", D, H * size, bias=False))
        stages["middle"] = middle = x + stages["attention_added"]
        stages["mlp_input"] = y = rms_norm(middle, file.norm(f"{name}.post_attention_layernorm", bias=False))
        stages["mlp_gate"] = F.linear(y, *file.linear(f"{name}.mlp.gate_proj", 2 * D, D, bias=False))
        stages["mlp_sums"] = F.linear(y, *file.linear(f"{name}.mlp.up_proj", 2 * D, D, bias=False))
        stages["mlp_hidden"] = F.silu(stages["mlp_gate"]) * stages["mlp_sums"]
        down = file.linear(f"{name}.mlp.down_proj", D, 2 * D, bias=False)
        stages["mlp_added"] = PATCHES.rows("mlp", F.linear(stages["mlp_hidden"], *down))
        x = stages["after"] = middle + stages["mlp_added"]
        layers.append(stages)
    last = file.norm("model.norm", bias=False)
    unembedding = tokens if kind == "qwen3" else file.draw("lm_head.weight", V, D)
    return config, layers, lambda stream: unembed(rms_norm(stream, last), unembedding)


def attention_only(file, ids):
    """TransformerLens' "shortformer": positions are added to what queries and keys are made of; no norms, no MLP."""
    size = D // H
    tokens, places = file.draw("embed.W_E", V, D, scale=0.5), file.draw("pos_embed.W_pos", P, D, scale=0.5)
    x, layers = tokens[ids], []
    for layer in range(L):
        x = PATCHES.stream(layer, x)
        name, stages = f"blocks.{layer}.attn", {"before": x, "embeddings": x}
        project = lambda y, role: torch.einsum("td,hdc->htc", y, file.draw(f"{name}.W_{role}", H, D, size, scale=1 / math.sqrt(D)))
        placed = x + places[:T]
        queries, keys, values = project(placed, "Q"), project(placed, "K"), project(x, "V")
        merged = attend(stages, queries, keys, values, math.sqrt(size), causal())
        out = file.draw(f"{name}.W_O", H, size, D, scale=1 / math.sqrt(D))
        stages["attention_added"] = torch.einsum("thc,hcd->td", merged.view(T, H, size), out) + file.draw(f"{name}.b_O", D)
        x = stages["after"] = stages["middle"] = x + stages["attention_added"]
        layers.append(stages)
    config = dict(attn_only=True, d_model=D, n_layers=L, n_heads=H, d_head=size, d_vocab=V, n_ctx=P, normalization_type=None,
                  positional_embedding_type="shortformer")
    unembedding = file.draw("unembed.W_U", D, V)
    return config, layers, lambda stream: {"final_stream": stream, "logits": stream @ unembedding}


KINDS = {
    "gpt2": lambda file, ids: gpt(file, ids, False),
    "gpt_neo": lambda file, ids: gpt(file, ids, True),
    "bert": bert,
    **{kind: (lambda file, ids, kind=kind: llama(file, ids, kind)) for kind in ("llama", "mistral", "qwen2", "qwen3")},
    "attention only": attention_only,
    **FAMILIES,
    **{f"llama {name}": (lambda file, ids, more=more: llama(file, ids, "llama", *more)) for name, more in ROPES.items()},
}


def compare_nudges(attn, folder, file, ids, logits, result):
    """The gradient of the loss at the first, the last and a middle number of every tensor, and what attn nudge says."""
    F.cross_entropy(logits[:-1], ids[1:]).backward()
    for tensor, leaf in file.leaves.items():
        for number in sorted({0, leaf.numel() // 2 + 1, leaf.numel() - 1}):
            place = [int(index) for index in numpy.unravel_index(number, leaf.shape)]
            command = [attn, "nudge", "--model", folder, "--tokens", ",".join(map(str, ids.tolist())), "--format", "json"]
            command += ["--tensor", tensor, "--place", ",".join(map(str, place))]
            answer = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            wanted = 0.0 if leaf.grad is None else float(leaf.grad[tuple(place)])
            largest = 0.0 if leaf.grad is None else float(leaf.grad.abs().max())
            result["slopes"] += 1
            for value in [answer["slope"]] + ([] if answer["gradient"] is None else [answer["gradient"]]):
                result["worst_slope"] = max(result["worst_slope"], abs(value - wanted) / (kNearSlope * max(largest, 1.0)))
            result["gradients"] += answer["gradient"] is not None


kLensWords = 5  # that attn lens prints of a cell
kAsked = 17  # the word that its ranks are asked for


def compare_lens(attn, folder, ids, layers, end, result):
    """Every cell of the logit lens: the stream before the first layer and after each, through what comes after the last.

    A probability is off by a logit's error times itself: kNear of the largest logit, or of 1. The words' order is that of their logits,
    where these are further apart.
    """
    command = [attn, "lens", "--model", folder, "--tokens", ",".join(map(str, ids.tolist())), "--format", "json", f"word=token+{kAsked}"]
    cells = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["cells"]
    if [(cell["layer"], cell["position"]) for cell in cells] != [(layer, i) for layer in range(L + 1) for i in range(T)]:
        raise RuntimeError(f"{result['name']}: the lens has other cells")
    streams = [layers[0]["before"]] + [stages["after"] for stages in layers]
    logits = torch.stack([end(stream)["logits"] for stream in streams]).detach()
    for cell, row in zip(cells, logits.flatten(0, 1)):
        near = kNear * max(float(row.abs().max()), 1.0)
        wanted = row.softmax(-1)
        for word in cell["words"] + [cell["chosen"]]:
            off = max(abs(word["logit"] - float(row[word["id"]])), abs(word["probability"] - float(wanted[word["id"]])))
            result["worst_lens"] = max(result["worst_lens"], off / near)
            above = int((row > row[word["id"]] + 2 * near).sum())
            level = int((row >= row[word["id"]] - 2 * near).sum())
            if not above < word["rank"] <= level:
                raise RuntimeError(f"{result['name']}: {word} of layer {cell['layer']}, position {cell['position']} has a rank from {above + 1}")
        result["cells"] += 1
        if len(cell["words"]) != kLensWords or cell["chosen"]["id"] != kAsked:
            raise RuntimeError(f"{result['name']}: a cell has {len(cell['words'])} words, and {cell['chosen']}")


kLooked = 11  # the token whose journey is compared


def parts_of_heads(stages):
    """What each head and the bias add to the stream at one token: the output projection is linear in the context, so a head's part is its
    Jacobian times the head's numbers. A norm of the sum multiplies each number by what it made of the sum's."""
    out = stages.get("attention_out", stages["attention_added"])[kLooked]
    context = stages["context"]
    probe = torch.zeros_like(out, requires_grad=True)
    (pulled,) = torch.autograd.grad(out, context, probe, create_graph=True)
    parts = []
    for head in range(len(context)):
        only = torch.zeros_like(context)
        only[head] = context[head].detach()
        parts.append(torch.autograd.grad((pulled * only).sum(), probe, retain_graph=True)[0])
    bias = out.detach() - sum(parts)
    factor = stages["attention_added"][kLooked].detach() / out.detach()
    return [part * factor for part in parts], bias * factor


def compare_journey(attn, folder, ids, layers, result):
    """One token's way: how long each row is, what each head and MLP adds, how much of that lies along the sum.

    Each of a row's numbers may be off by kNear of the largest one. These errors are rounding, which averages out: a length, and a
    product with a direction, are off by no more than one number may be.
    """
    command = [attn, "journey", "--model", folder, "--tokens", ",".join(map(str, ids.tolist())), "--row", str(kLooked), "--format", "json"]
    journey = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)

    def held(got, wanted, largest, what):
        share = abs(got - wanted) / (kNear * largest)
        result["lengths"] += 1
        if not share <= result["worst_journey"]:
            result["worst_journey"], result["where_journey"] = share, what

    for stop in journey["stops"]:
        numbers = layers[stop["layer"] - 1].get(stop["stage"])
        if numbers is None:
            continue
        row = (numbers[:, kLooked] if numbers.dim() == 3 else numbers[kLooked]).detach()
        held(stop["length"], float(row.norm()), float(row.abs().max()), f"{stop['layer']}/{stop['stage']}")
    for sum_of in journey["sums"]:
        if sum_of["layer"] == 0:
            continue
        stages = layers[sum_of["layer"] - 1]
        parts, bias = parts_of_heads(stages)
        is_of_mlp = any(share["part"] == "mlp" for share in sum_of["shares"])
        added = {"stream": stages["middle" if is_of_mlp else "before"][kLooked].detach(), "bias": bias}
        if is_of_mlp:
            added["mlp"] = stages["mlp_added"][kLooked].detach()
        vectors = [parts[share["head"]] if share["part"] == "head" else added[share["part"]] for share in sum_of["shares"]]
        whole = sum(vectors)
        largest = max(float(vector.abs().max()) for vector in vectors)
        held(sum_of["length"], float(whole.norm()), largest, f"{sum_of['layer']}/{sum_of['stream']}")
        for share, vector in zip(sum_of["shares"], vectors):
            what = f"{sum_of['layer']}/{share['part']} {share['head']}"
            held(share["length"], float(vector.norm()), largest, what)
            held(share["along"], float(vector @ whole / whole.norm()), largest, what + " along")
            if share["part"] == "head":
                weights = stages["weights"][share["head"], kLooked].detach()
                held(share["weight"], float(weights.max()), 1.0, what + " weight")
                if weights[share["most_seen"]] < weights.max() - 2 * kNear:
                    raise RuntimeError(f"{result['name']}: {what} looks most at {int(weights.argmax())}")


def patched_run(name, kind, seed, ids, patches=(), other=()):
    """The stages of all layers and of the end, of the same random model on these tokens."""
    file = Checkpoint(kind, seed)
    torch.randint(V, (T,), generator=file.generator)  # as compare() draws before the weights
    with torch.no_grad():
        PATCHES.begin(patches, other)
        _, layers, end = KINDS[name](file, ids)
        PATCHES.begin()
        return layers, end(layers[-1]["after"])


kChosen = (17, 55)  # the two words of a choice


def compare_patches(attn, folder, name, kind, seed, ids, result):
    """A run with patches of all kinds, stage by stage; and the effect of each patch of attn patch on the choice between two words."""
    ids_b = ids.clone()
    ids_b[3:9] = (ids[3:9] * 7 + 13) % V
    numbers = lambda tokens: ",".join(map(str, tokens.tolist()))
    other, end_b = patched_run(name, kind, seed, ids_b)
    has_mlp = "mlp_added" in other[0]
    patches = [("stream", 1, 0, 5), ("head", 0, 2, 7), ("weights", 1, 3, 8), ("stream", 2, 0, 3)] + [("mlp", 1, 0, 4)] * has_mlp
    layers, ends = patched_run(name, kind, seed, ids, patches, other)
    word = lambda part, layer, head, row: (
        f"{part}.{layer + 1}" if part in ("stream", "mlp") else f"{'weights.' if part == 'weights' else ''}{layer + 1}:{head + 1}"
    ) + f"@{row + 1}"
    tokens = ["--model", folder, "--tokens", numbers(ids), "--other-tokens", numbers(ids_b)]
    command = [attn, "export", "npz", *tokens, "patch=" + ",".join(word(*patch) for patch in patches)]
    ours = numpy.load(io.BytesIO(subprocess.run(command, capture_output=True, check=True).stdout))
    compare_stages(ours, layers, ends, f"{name} {kind} patched", result)

    first, second = kChosen
    command = [attn, "patch", *tokens, "--format", "json", f"word=token+{first}&against=token+{second}"]
    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    row = T - 1
    whole, whole_end = patched_run(name, kind, seed, ids)
    choice = lambda end: (float(end["logits"][row, first]), float(end["logits"][row, second]))
    largest = max(float(whole_end["logits"].abs().max()), 1.0)

    def held(effect, end, what):
        result["effects"] += 1
        off = max(abs(effect[key] - wanted) for key, wanted in zip(("word", "against"), choice(end))) / (kNear * largest)
        if not off <= result["worst_effect"]:
            result["worst_effect"], result["where_effect"] = off, what

    held(found["here"], whole_end, "here")
    held(found["there"], end_b, "there")
    for effect in found["effects"]:
        layer = effect["layer"] - 1
        if effect["part"] == "stream":
            one = [("stream", layer, 0, effect["position"] - 1)]
        else:
            one = [("head", layer, effect["head"] - 1, token) for token in range(T)]
        held(effect, patched_run(name, kind, seed, ids, one, other)[1], word(*one[0]))
    if len(found["effects"]) != L * (T + H):
        raise RuntimeError(f"{name}: {len(found['effects'])} effects")


def compare_stages(ours, layers, ends, name, result):
    """Every stage of the file, and that it has no other ones."""
    theirs = {f"{number + 1}/{stage}": numbers for number, stages in enumerate(layers) for stage, numbers in stages.items()}
    theirs.update(ends, probabilities=ends["logits"].softmax(-1))
    left_out = {"tokens"} | {f"{number + 1}/masked_scores" for number in range(L)}
    missing = set(theirs) ^ (set(ours.files) - left_out)
    if missing:
        raise RuntimeError(f"{name}: only one has {sorted(missing)}")
    for stage, wanted in theirs.items():
        got, wanted = ours[stage].astype(numpy.float64), wanted.detach().numpy()
        if got.shape != wanted.shape:
            raise RuntimeError(f"{name}: {stage} is {got.shape}, want {wanted.shape}")
        share = float(numpy.abs(got - wanted).max() / (kNear * numpy.abs(wanted).max()))
        result["numbers"] += wanted.size
        if not share <= result["worst"]:
            result["worst"], result["where"] = share, stage
    return len(theirs)


def compare(attn, name, kind, seed):
    file = Checkpoint(kind, seed)
    ids = torch.randint(V, (T,), generator=file.generator)
    config, layers, end = KINDS[name](file, ids)
    ends = end(layers[-1]["after"])
    logits = ends["logits"]
    with tempfile.TemporaryDirectory() as folder:
        file.save(folder, config)
        command = [attn, "export", "npz", "--model", folder, "--tokens", ",".join(map(str, ids.tolist()))]
        answer = subprocess.run(command, capture_output=True, check=False)
        result = {"name": f"{name} {kind}", "numbers": 0, "worst": 0.0, "where": "", "slopes": 0, "gradients": 0, "worst_slope": 0.0,
                  "cells": 0, "worst_lens": 0.0, "lengths": 0, "worst_journey": 0.0, "where_journey": "",
                  "effects": 0, "worst_effect": 0.0, "where_effect": ""}
        compare_lens(attn, folder, ids, layers, end, result)
        compare_journey(attn, folder, ids, layers, result)
        if kind == "F32":
            compare_patches(attn, folder, name, kind, seed, ids, result)
        if "logit_input" not in ends and kind == "F32":  # BERT sees the words that follow, so it has no next one to lose at
            compare_nudges(attn, folder, file, ids, logits, result)
    if answer.returncode != 0:
        raise RuntimeError(f"{name} {kind}: {answer.stderr.decode()}")
    ours = numpy.load(io.BytesIO(answer.stdout))
    result["stages"] = compare_stages(ours, layers, ends, f"{name} {kind}", result)
    return result


if __name__ == "__main__":
    torch.set_num_threads(1)
    for index, name in enumerate(KINDS):
        # Positions do not depend on the type of the numbers.
        for kind in ["F32"] if name.removeprefix("llama ") in ROPES else TYPES:
            print(json.dumps(compare(sys.argv[1], name, kind, 10 + index)), flush=True)

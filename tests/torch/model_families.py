"""Random checkpoints of families of models that came after GPT-2, BERT and Llama, each written from its paper's formulas: the names and
shapes of its files, what config.json says, and all stages in PyTorch."""
import math

import torch
import torch.nn.functional as F

from model_parts import PATCHES, D, H, L, P, T, V, attend, causal, gelu_tanh, heads_of, layer_norm, rms_norm, rotate_half, transformed, unembed


def turn(x, base, turned=None, neighbours=False, scale=1.0):
    """The first `turned` numbers of each head by their position: halves, or neighbours."""
    turned = turned or x.shape[-1]
    angles = torch.arange(T, dtype=torch.float64)[:, None] * base ** (-torch.arange(0, turned, 2, dtype=torch.float64) / turned) / scale
    first, rest = x[..., :turned], x[..., turned:]
    if neighbours:
        a, b = first[..., 0::2], first[..., 1::2]
        first = torch.stack((a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()), -1).flatten(-2)
    else:
        angles = angles.repeat(1, 2)
        first = first * angles.cos() + rotate_half(first) * angles.sin()
    return torch.cat((first, rest), -1)


def mlp(stages, y, first, second, activation, gate=None, after=None):
    """What an MLP adds: `after` is the norm of it, where there is one."""
    stages["mlp_input"] = y
    stages["mlp_sums"] = F.linear(y, *first)
    if gate:
        stages["mlp_gate"] = F.linear(y, *gate)
        stages["mlp_hidden"] = activation(stages["mlp_gate"]) * stages["mlp_sums"]
    else:
        stages["mlp_hidden"] = activation(stages["mlp_sums"])
    added = F.linear(stages["mlp_hidden"], *second)
    if after:
        stages["mlp_out"] = added
        added = after(added)
    stages["mlp_added"] = added = PATCHES.rows("mlp", added)
    return added


def gpt_neox(file, ids, is_parallel=True):
    """GPT-NeoX-20B (Black et al. 2022) and Pythia: x + attention(ln1 x) + MLP(ln2 x); a head's query, key and value lie together."""
    size = D // H
    tokens = file.draw("gpt_neox.embed_in.weight", V, D)
    x, layers = tokens[ids], []
    for layer in range(L):
        x = PATCHES.stream(layer, x)
        name, stages = f"gpt_neox.layers.{layer}", {"before": x}
        first, second = file.norm(f"{name}.input_layernorm"), file.norm(f"{name}.post_attention_layernorm")
        stages["embeddings"] = y = layer_norm(x, first)
        roles = F.linear(y, *file.linear(f"{name}.attention.query_key_value", 3 * D, D)).view(T, H, 3, size)
        queries, keys, values = (roles[:, :, role].transpose(0, 1) for role in range(3))
        merged = attend(stages, turn(queries, 50.0, 6), turn(keys, 50.0, 6), values, math.sqrt(size), causal())
        stages["attention_added"] = F.linear(merged, *file.linear(f"{name}.attention.dense", D, D))
        stages["middle"] = middle = x + stages["attention_added"]
        up, down = file.linear(f"{name}.mlp.dense_h_to_4h", 2 * D, D), file.linear(f"{name}.mlp.dense_4h_to_h", D, 2 * D)
        x = stages["after"] = middle + mlp(stages, layer_norm(x if is_parallel else middle, second), up, down, F.gelu)
        layers.append(stages)
    last = file.norm("gpt_neox.final_layer_norm")
    config = dict(model_type="gpt_neox", hidden_size=D, num_hidden_layers=L, num_attention_heads=H, intermediate_size=2 * D, vocab_size=V,
                  max_position_embeddings=P, rotary_pct=0.5, rotary_emb_base=50, hidden_act="gelu", layer_norm_eps=1e-5,
                  use_parallel_residual=is_parallel, tie_word_embeddings=False)
    unembedding = file.draw("embed_out.weight", V, D)
    return config, layers, lambda stream: unembed(layer_norm(stream, last), unembedding)


def masked(file, ids, kind):
    """RoBERTa (Liu et al. 2019) and DistilBERT (Sanh et al. 2019): BERT with other positions, types and names."""
    eps, is_distil, name = 1e-5, kind == "distilbert", {"distilbert": "distilbert", "xlm-roberta": "roberta"}.get(kind, kind)
    tokens, places = (file.draw(f"{name}.embeddings.{of}_embeddings.weight", size, D) for of, size in (("word", V), ("position", P)))
    x = tokens[ids]
    if is_distil:
        eps, x = 1e-12, x + places[:T]
    else:
        ids[4] = 1  # padding: it has a position of its own, and those behind it count on without it
        x = tokens[ids] + places[torch.where(ids == 1, 1, (ids != 1).cumsum(0) + 1)]
        x = x + file.draw(f"{name}.embeddings.token_type_embeddings.weight", 1, D)[0]
    x = layer_norm(x, file.norm(f"{name}.embeddings.LayerNorm"), eps)
    layers = []
    inner = (
        ("attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin", "sa_layer_norm", "ffn.lin1", "ffn.lin2",
         "output_layer_norm")
        if is_distil else
        ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "attention.output.LayerNorm",
         "intermediate.dense", "output.dense", "output.LayerNorm")
    )
    for layer in range(L):
        x = PATCHES.stream(layer, x)
        stages, whole = {"before": x, "embeddings": x}, f"{name}.{'transformer' if is_distil else 'encoder'}.layer.{layer}"
        query, key, value, out, first, up, down, second = (f"{whole}.{one}" for one in inner)
        roles = [heads_of(F.linear(x, *file.linear(one, D, D)), H) for one in (query, key, value)]
        merged = attend(stages, *roles, math.sqrt(D // H), torch.zeros(T, T, dtype=torch.bool))
        stages["attention_added"] = F.linear(merged, *file.linear(out, D, D))
        stages["middle"] = middle = layer_norm(x + stages["attention_added"], file.norm(first), eps)
        added = mlp(stages, middle, file.linear(up, 2 * D, D), file.linear(down, D, 2 * D), F.gelu)
        x = stages["after"] = layer_norm(middle + added, file.norm(second), eps)
        layers.append(stages)
    dense, norm, bias = ("vocab_transform", "vocab_layer_norm", "vocab_projector.bias") if is_distil else (
        "lm_head.dense", "lm_head.layer_norm", "lm_head.bias")
    dense, norm, bias = file.linear(dense, D, D), file.norm(norm), file.draw(bias, V, scale=0.3)
    sizes = dict(model_type=kind, vocab_size=V, max_position_embeddings=P)
    if is_distil:
        config = sizes | dict(dim=D, n_layers=L, n_heads=H, hidden_dim=2 * D, activation="gelu", sinusoidal_pos_embds=False)
    else:
        config = sizes | dict(hidden_size=D, num_hidden_layers=L, num_attention_heads=H, intermediate_size=2 * D, type_vocab_size=1,
                              pad_token_id=1, layer_norm_eps=eps, hidden_act="gelu")
    return config, layers, lambda stream: transformed(stream, dense, norm, eps, tokens, bias)


def gemma(file, ids, kind, newer=False):
    """Gemma (2403.08295), Gemma 2 (2408.00118) and Gemma 3 (2503.19786)."""
    is_2, is_3, size, key_heads = kind == "gemma2", kind == "gemma3_text", 16, 2
    scalar, window = 25.0, 4
    norm = lambda x, name, width=D: rms_norm(x, (1 + file.draw(f"{name}.weight", width, scale=0.3),))
    tokens = file.draw("model.embed_tokens.weight", V, D, scale=0.5)
    x, layers = tokens[ids] * torch.tensor(math.sqrt(D), dtype=file.tensors["model.embed_tokens.weight"].dtype).double(), []
    for layer in range(L):
        x = PATCHES.stream(layer, x)
        name, stages = f"model.layers.{layer}", {"before": x}
        is_local = layer % 2 == 0 if is_2 else (layer + 1) % 3 != 0 if is_3 else False
        stages["embeddings"] = y = norm(x, f"{name}.input_layernorm")
        roles = [heads_of(F.linear(y, *file.linear(f"{name}.self_attn.{role}_proj", number * size, D, bias=False)), number)
                 for role, number in (("q", H), ("k", key_heads), ("v", key_heads))]
        if is_3:
            roles[:2] = [norm(roles[i], f"{name}.self_attn.{role}_norm", size) for i, role in enumerate("qk")]
        base, scale = (20.0, 1.0) if is_3 and is_local else (300.0, 8.0 if is_3 else 1.0)
        queries, keys = (turn(role, base, scale=scale) for role in roles[:2])
        divisor = math.sqrt(scalar if is_2 or is_3 else size)
        merged = attend(stages, queries, keys, roles[2], divisor, causal(window if is_local else 0), 5.0 if is_2 else None)
        added = F.linear(merged, *file.linear(f"{name}.self_attn.o_proj", D, H * size, bias=False))
        after = None
        if is_2 or is_3:
            stages["attention_out"] = added
            added = norm(added, f"{name}.post_attention_layernorm")
            after = lambda made, name=name: norm(made, f"{name}.post_feedforward_layernorm")
        stages["attention_added"] = added
        stages["middle"] = middle = x + added
        y = norm(middle, f"{name}.{'pre_feedforward_layernorm' if after else 'post_attention_layernorm'}")
        gate, up = (file.linear(f"{name}.mlp.{part}_proj", 2 * D, D, bias=False) for part in ("gate", "up"))
        down = file.linear(f"{name}.mlp.down_proj", D, 2 * D, bias=False)
        x = stages["after"] = middle + mlp(stages, y, up, down, gelu_tanh, gate, after)
        layers.append(stages)
    last = (1 + file.draw("model.norm.weight", D, scale=0.3),)
    cap = (lambda logits: 3.0 * torch.tanh(logits / 3.0)) if is_2 else (lambda logits: logits)
    config = dict(model_type=kind, hidden_size=D, num_hidden_layers=L, num_attention_heads=H, num_key_value_heads=key_heads, head_dim=size,
                  intermediate_size=2 * D, vocab_size=V, max_position_embeddings=P, rms_norm_eps=1e-6, rope_theta=300.0,
                  hidden_act="gelu" if kind == "gemma" else "gelu_pytorch_tanh")
    if is_2 or is_3:
        config |= dict(hidden_activation="gelu_pytorch_tanh", query_pre_attn_scalar=scalar, sliding_window=window)
    if is_2:
        config |= dict(attn_logit_softcapping=5.0, final_logit_softcapping=3.0)
    if is_3:
        config |= dict(attn_logit_softcapping=None, final_logit_softcapping=None)
        full = {"rope_type": "linear", "factor": 8.0}
        if newer:
            del config["rope_theta"]
            local = {"rope_type": "default", "rope_theta": 20.0}
            config |= dict(rope_parameters={"full_attention": full | {"rope_theta": 300.0}, "sliding_attention": local},
                           layer_types=["sliding_attention", "sliding_attention", "full_attention"])
        else:
            config |= dict(rope_local_base_freq=20.0, rope_scaling=full, sliding_window_pattern=3)
    return config, layers, lambda stream: unembed(rms_norm(stream, last), tokens, change=cap)


def like_llama(file, ids, kind):
    """SmolLM3 (layers without positions), Phi-3 (2404.14219: stacked matrices, a window), OLMo 2 (2501.00656: norms of what is added)."""
    is_phi, is_olmo, size, key_heads = kind == "phi3", kind == "olmo2", D // H, 2
    window = 4 if is_phi else 0
    norm = lambda x, name, width=D: rms_norm(x, file.norm(name, bias=False, size=width), 1e-5)
    tokens = file.draw("model.embed_tokens.weight", V, D, scale=1.0)
    x, layers = tokens[ids], []
    for layer in range(L):
        x = PATCHES.stream(layer, x)
        name, stages = f"model.layers.{layer}", {"before": x}
        stages["embeddings"] = y = x if is_olmo else norm(x, f"{name}.input_layernorm")
        numbers = (H, key_heads, key_heads)
        if is_phi:
            roles = F.linear(y, *file.linear(f"{name}.self_attn.qkv_proj", sum(numbers) * size, D, bias=False))
            roles = list(roles.split([number * size for number in numbers], -1))
        else:
            roles = [F.linear(y, *file.linear(f"{name}.self_attn.{role}_proj", number * size, D, bias=False))
                     for role, number in zip("qkv", numbers)]
        if is_olmo:
            roles[:2] = [norm(roles[i], f"{name}.self_attn.{role}_norm", numbers[i] * size) for i, role in enumerate("qk")]
        roles = [heads_of(role, number) for role, number in zip(roles, numbers)]
        if kind != "smollm3" or layer != 1:
            roles[:2] = [turn(role, 70.0, 6 if is_phi else None) for role in roles[:2]]
        merged = attend(stages, *roles, math.sqrt(size), causal(window))
        added, after = F.linear(merged, *file.linear(f"{name}.self_attn.o_proj", D, D, bias=False)), None
        if is_olmo:
            stages["attention_out"] = added
            added = norm(added, f"{name}.post_attention_layernorm")
            after = lambda made, name=name: norm(made, f"{name}.post_feedforward_layernorm")
        stages["attention_added"] = added
        stages["middle"] = middle = x + added
        y = middle if is_olmo else norm(middle, f"{name}.post_attention_layernorm")
        if is_phi:
            whole = file.draw(f"{name}.mlp.gate_up_proj.weight", 4 * D, D)
            gate, up = (whole[: 2 * D],), (whole[2 * D:],)
        else:
            gate, up = (file.linear(f"{name}.mlp.{part}_proj", 2 * D, D, bias=False) for part in ("gate", "up"))
        down = file.linear(f"{name}.mlp.down_proj", D, 2 * D, bias=False)
        x = stages["after"] = middle + mlp(stages, y, up, down, F.silu, gate, after)
        layers.append(stages)
    last = file.norm("model.norm", bias=False)
    config = dict(model_type=kind, hidden_size=D, num_hidden_layers=L, num_attention_heads=H, num_key_value_heads=key_heads,
                  intermediate_size=2 * D, vocab_size=V, max_position_embeddings=P, rms_norm_eps=1e-5, rope_theta=70.0, hidden_act="silu")
    if is_phi:
        config |= dict(sliding_window=window, partial_rotary_factor=0.5, tie_word_embeddings=False, rope_scaling=None)
    if kind == "smollm3":
        config |= dict(no_rope_layer_interval=2)
    unembedding = tokens if kind == "smollm3" else file.draw("lm_head.weight", V, D)
    return config, layers, lambda stream: unembed(rms_norm(stream, last, 1e-5), unembedding)


def opt(file, ids, is_before=True):
    """OPT (Zhang et al. 2022): two rows of the positions' table come before the first token's."""
    name = "model.decoder"
    tokens, places = file.draw(f"{name}.embed_tokens.weight", V, D), file.draw(f"{name}.embed_positions.weight", P + 2, D)
    x, layers = tokens[ids] + places[2: T + 2], []
    for layer in range(L):
        x = PATCHES.stream(layer, x)
        whole, stages = f"{name}.layers.{layer}", {"before": x}
        first, second = file.norm(f"{whole}.self_attn_layer_norm"), file.norm(f"{whole}.final_layer_norm")
        stages["embeddings"] = y = layer_norm(x, first) if is_before else x
        roles = [heads_of(F.linear(y, *file.linear(f"{whole}.self_attn.{role}_proj", D, D)), H) for role in "qkv"]
        merged = attend(stages, *roles, math.sqrt(D // H), causal())
        stages["attention_added"] = F.linear(merged, *file.linear(f"{whole}.self_attn.out_proj", D, D))
        middle = x + stages["attention_added"]
        stages["middle"] = middle = middle if is_before else layer_norm(middle, first)
        y = layer_norm(middle, second) if is_before else middle
        after = middle + mlp(stages, y, file.linear(f"{whole}.fc1", 2 * D, D), file.linear(f"{whole}.fc2", D, 2 * D), F.relu)
        x = stages["after"] = after if is_before else layer_norm(after, second)
        layers.append(stages)
    last = file.norm(f"{name}.final_layer_norm") if is_before else None
    config = dict(model_type="opt", hidden_size=D, num_hidden_layers=L, num_attention_heads=H, ffn_dim=2 * D, vocab_size=V,
                  max_position_embeddings=P, word_embed_proj_dim=D, do_layer_norm_before=is_before, activation_function="relu")
    return config, layers, lambda stream: unembed(layer_norm(stream, last) if last else stream, tokens)


def beside(file, ids, kind):
    """Phi (2309.05463), GPT-J (2021) and Command R (2024): attention and MLP read one norm of the stream, and are added to it together.
    StableLM 2 (2402.17834): the same where it says so, else one after the other."""
    gated, is_gptj, is_phi, size = kind.startswith(("stablelm", "cohere")), kind == "gptj", kind == "phi", D // H
    key_heads, is_parallel = H if is_gptj else 2, kind != "stablelm"
    biases, activation = not gated, F.silu if gated else gelu_tanh
    prefix, model = ("transformer", "transformer.h") if is_gptj else ("model", "model.layers")
    tokens = file.draw(f"{prefix}.{'wte' if is_gptj else 'embed_tokens'}.weight", V, D)
    places = dict(base=10000.0 if is_gptj else 40.0, turned=size if kind == "cohere" else 6, neighbours=is_gptj or kind == "cohere")
    x, layers = tokens[ids], []
    for layer in range(L):
        x = PATCHES.stream(layer, x)
        name, stages = f"{model}.{layer}", {"before": x}
        stages["embeddings"] = y = layer_norm(x, file.norm(f"{name}.{'ln_1' if is_gptj else 'input_layernorm'}", bias=kind != "cohere"))
        attention = f"{name}.{'attn' if is_gptj else 'self_attn'}"
        roles = [heads_of(F.linear(y, *file.linear(f"{attention}.{role}_proj", number * size, D, bias=is_phi or kind.startswith("stablelm"))),
                          number) for role, number in (("q", H), ("k", key_heads), ("v", key_heads))]
        merged = attend(stages, turn(roles[0], **places), turn(roles[1], **places), roles[2], math.sqrt(size), causal())
        out = {"phi": "dense", "gptj": "out_proj"}.get(kind, "o_proj")
        stages["attention_added"] = F.linear(merged, *file.linear(f"{attention}.{out}", D, D, bias=is_phi))
        stages["middle"] = middle = x + stages["attention_added"]
        if not is_parallel:
            y = layer_norm(middle, file.norm(f"{name}.post_attention_layernorm"))
        up, down = {"phi": ("fc1", "fc2"), "gptj": ("fc_in", "fc_out")}.get(kind, ("up_proj", "down_proj"))
        gate = file.linear(f"{name}.mlp.gate_proj", 2 * D, D, bias=False) if gated else None
        first, second = file.linear(f"{name}.mlp.{up}", 2 * D, D, bias=biases), file.linear(f"{name}.mlp.{down}", D, 2 * D, bias=biases)
        x = stages["after"] = middle + mlp(stages, y, first, second, activation, gate)
        layers.append(stages)
    last = file.norm({"phi": "model.final_layernorm", "gptj": "transformer.ln_f"}.get(kind, "model.norm"), bias=kind != "cohere")
    head = (tokens,) if kind == "cohere" else file.linear("lm_head", V, D, bias=is_phi or is_gptj)
    scale = 0.25 if kind == "cohere" else 1.0
    end = lambda stream: unembed(layer_norm(stream, last), *head, change=lambda logits: logits * scale)
    if is_gptj:
        return dict(model_type="gptj", n_embd=D, n_layer=L, n_head=H, n_positions=P, n_inner=2 * D, vocab_size=V, rotary_dim=6,
                    activation_function="gelu_new"), layers, end
    config = dict(model_type=kind.split(",")[0], hidden_size=D, num_hidden_layers=L, num_attention_heads=H, num_key_value_heads=key_heads,
                  intermediate_size=2 * D, vocab_size=V, max_position_embeddings=P, rope_theta=40.0, hidden_act="silu" if gated else "gelu_new")
    if kind == "cohere":
        return config | dict(logit_scale=0.25, use_qk_norm=False), layers, end
    config |= dict(partial_rotary_factor=0.5, tie_word_embeddings=False, qk_layernorm=False)
    return config | ({} if is_phi else dict(use_parallel_residual=is_parallel)), layers, end


def starcoder2(file, ids):
    """StarCoder 2 (2402.19173): Llama's attention with biases and a window, layer norms, an MLP of two matrices."""
    size, key_heads = D // H, 2
    tokens = file.draw("model.embed_tokens.weight", V, D)
    x, layers = tokens[ids], []
    for layer in range(L):
        x = PATCHES.stream(layer, x)
        name, stages = f"model.layers.{layer}", {"before": x}
        stages["embeddings"] = y = layer_norm(x, file.norm(f"{name}.input_layernorm"))
        roles = [heads_of(F.linear(y, *file.linear(f"{name}.self_attn.{role}_proj", number * size, D)), number)
                 for role, number in (("q", H), ("k", key_heads), ("v", key_heads))]
        merged = attend(stages, turn(roles[0], 90.0), turn(roles[1], 90.0), roles[2], math.sqrt(size), causal(5))
        stages["attention_added"] = F.linear(merged, *file.linear(f"{name}.self_attn.o_proj", D, D))
        stages["middle"] = middle = x + stages["attention_added"]
        y = layer_norm(middle, file.norm(f"{name}.post_attention_layernorm"))
        added = mlp(stages, y, file.linear(f"{name}.mlp.c_fc", 2 * D, D), file.linear(f"{name}.mlp.c_proj", D, 2 * D), gelu_tanh)
        x = stages["after"] = middle + added
        layers.append(stages)
    last = file.norm("model.norm")
    config = dict(model_type="starcoder2", hidden_size=D, num_hidden_layers=L, num_attention_heads=H, num_key_value_heads=key_heads,
                  intermediate_size=2 * D, vocab_size=V, max_position_embeddings=P, rope_theta=90.0, hidden_act="gelu_pytorch_tanh",
                  norm_epsilon=1e-5, sliding_window=5, use_bias=True)
    return config, layers, lambda stream: unembed(layer_norm(stream, last), tokens)


def bloom(file, ids):
    """BLOOM (2211.05100): what is farther away counts less (Press et al. 2022); the tokens' vectors are normed."""
    size, apart = D // H, (torch.arange(T)[:, None] - torch.arange(T)).abs()
    slopes = 2.0 ** (-8 * torch.arange(1, H + 1, dtype=torch.float64) / H)
    tokens = file.draw("transformer.word_embeddings.weight", V, D)
    x = layer_norm(tokens[ids], file.norm("transformer.word_embeddings_layernorm"))
    layers = []
    for layer in range(L):
        x = PATCHES.stream(layer, x)
        name, stages = f"transformer.h.{layer}", {"before": x}
        stages["embeddings"] = y = layer_norm(x, file.norm(f"{name}.input_layernorm"))
        roles = F.linear(y, *file.linear(f"{name}.self_attention.query_key_value", 3 * D, D)).view(T, H, 3, size)
        roles = [roles[:, :, role].transpose(0, 1) for role in range(3)]
        merged = attend(stages, *roles, math.sqrt(size), causal(), bias=-slopes[:, None, None] * apart)
        stages["attention_added"] = F.linear(merged, *file.linear(f"{name}.self_attention.dense", D, D))
        stages["middle"] = middle = x + stages["attention_added"]
        y = layer_norm(middle, file.norm(f"{name}.post_attention_layernorm"))
        up, down = file.linear(f"{name}.mlp.dense_h_to_4h", 4 * D, D), file.linear(f"{name}.mlp.dense_4h_to_h", D, 4 * D)
        x = stages["after"] = middle + mlp(stages, y, up, down, gelu_tanh)
        layers.append(stages)
    last = file.norm("transformer.ln_f")
    config = dict(model_type="bloom", hidden_size=D, n_layer=L, n_head=H, vocab_size=V, seq_length=P, layer_norm_epsilon=1e-5,
                  apply_residual_connection_post_layernorm=False)
    return config, layers, lambda stream: unembed(layer_norm(stream, last), tokens)


FAMILIES = {
    **{kind: (lambda file, ids, kind=kind: beside(file, ids, kind)) for kind in ("phi", "stablelm", "stablelm, beside", "cohere", "gptj")},
    "starcoder2": starcoder2,
    "bloom": bloom,
    **{kind: (lambda file, ids, kind=kind: like_llama(file, ids, kind)) for kind in ("smollm3", "phi3", "olmo2")},
    "opt": opt,
    "opt, norms after": lambda file, ids: opt(file, ids, False),
    **{kind: (lambda file, ids, kind=kind: gemma(file, ids, kind)) for kind in ("gemma", "gemma2", "gemma3_text")},
    "gemma3_text, newer keys": lambda file, ids: gemma(file, ids, "gemma3_text", newer=True),
    **{kind: (lambda file, ids, kind=kind: masked(file, ids, kind)) for kind in ("roberta", "xlm-roberta", "camembert", "distilbert")},
    "gpt_neox": gpt_neox,
    "gpt_neox, one after the other": lambda file, ids: gpt_neox(file, ids, False),
}

# A llama of random numbers as a GGUF file in one of several types, and as the folder of transformers that has the same
# numbers: packed ones are unpacked here by NumPy, from the layout of ggml's blocks. Arguments: the type, a folder.
import json
import os
import struct
import sys

import numpy as np

TYPE, FOLDER = sys.argv[1:]
WIDTH, HEADS, KV_HEADS, MLP, TOKENS, LAYERS = 256, 4, 2, 512, 24, 2
HEAD = WIDTH // HEADS
random = np.random.default_rng(5)

# By name: the number in the file, numbers and bytes of a block.
PLAIN = {"F32": 0, "F16": 1, "BF16": 30}
BLOCKS = {"Q4_0": (2, 32, 18), "Q5_0": (6, 32, 22), "Q8_0": (8, 32, 34), "Q4_K": (12, 256, 144), "Q6_K": (14, 256, 210)}


def halves(blocks, at):
    return blocks[:, at : at + 2].copy().view(np.float16).astype(np.float32)


def low_and_high(octets):  # (blocks, parts, octets) to two runs of four bits each
    return np.stack([octets & 15, octets >> 4], axis=-2)


def unpack(name, blocks):
    d = halves(blocks, 208 if name == "Q6_K" else 0)
    if name == "Q8_0":
        return d * blocks[:, 2:].view(np.int8).astype(np.float32)
    if name == "Q4_0":
        q = low_and_high(blocks[:, None, 2:]).reshape(-1, 32).astype(np.float32) - 8
        return d * q
    if name == "Q5_0":
        fifth = np.unpackbits(blocks[:, 2:6], axis=1, bitorder="little")
        q = low_and_high(blocks[:, None, 6:]).reshape(-1, 32) | fifth << 4
        return d * (q.astype(np.float32) - 16)
    if name == "Q4_K":
        m, s = halves(blocks, 2), blocks[:, 4:16]
        factors = np.concatenate([s[:, 0:4] & 63, (s[:, 8:12] & 15) | (s[:, 0:4] >> 6) << 4], axis=1)
        lows = np.concatenate([s[:, 4:8] & 63, s[:, 8:12] >> 4 | (s[:, 4:8] >> 6) << 4], axis=1)
        q = low_and_high(blocks[:, 16:].reshape(-1, 4, 32)).reshape(-1, 8, 32).astype(np.float32)
        step, begin = d * factors.astype(np.float32), m * lows.astype(np.float32)
        return (step[:, :, None] * q - begin[:, :, None]).reshape(-1, 256)
    lower = low_and_high(blocks[:, :128].reshape(-1, 2, 64)).reshape(-1, 2, 2, 2, 32)  # half, high or low, which 32
    upper = blocks[:, 128:192].reshape(-1, 2, 1, 32) >> np.arange(0, 8, 2, dtype=np.uint8).reshape(1, 1, 4, 1) & 3
    q = lower.reshape(-1, 2, 4, 32) | upper << 4
    factors = blocks[:, 192:208].view(np.int8).astype(np.float32)
    values = (q.astype(np.float32) - 32).reshape(-1, 16, 16)
    return (d[:, :, None] * factors[:, :, None] * values).reshape(-1, 256)


def packed(name, rows, columns):
    _, numbers, size = BLOCKS[name]
    blocks = random.integers(0, 256, (rows * columns // numbers, size), dtype=np.uint8)
    for at in {"Q6_K": [208], "Q4_K": [0, 2]}.get(name, [0]):
        scale = random.uniform(0.2, 1, len(blocks)) / {"Q8_0": 1000, "Q6_K": 20000, "Q4_K": 4000}.get(name, 100)
        blocks[:, at : at + 2] = scale.astype(np.float16)[:, None].view(np.uint8)
    return blocks.tobytes(), unpack(name, blocks).reshape(rows, columns)


def matrix(name, rows, columns):  # what is in the GGUF file, and the same numbers in safetensors' type
    if name in BLOCKS:
        octets, numbers = packed(name, rows, columns)
        return octets, numbers, "F32"
    numbers = random.uniform(-0.1, 0.1, (rows, columns)).astype(np.float32)
    if name == "F16":
        numbers = numbers.astype(np.float16)
    if name == "BF16":
        numbers = (numbers.view(np.uint32) >> 16).astype(np.uint16)
    return numbers.tobytes(), numbers, name


def in_halves(numbers, heads):  # of rows that are in pairs
    return numbers.reshape(heads, HEAD // 2, 2, -1).swapaxes(1, 2).reshape(numbers.shape)


# As llama.cpp mixes types: "Q4_K_M" has some of its matrices in six bits.
kind_of = lambda part: TYPE if TYPE != "Q4_K_M" else "Q6_K" if part in ("output", "ffn_down", "attn_v") else "Q4_K"
mine, theirs = [], {}


def add(name, usual, rows, columns, part, heads=0):
    kind = kind_of(part)
    octets, numbers, twin = matrix(kind, rows, columns)
    number = PLAIN[kind] if kind in PLAIN else BLOCKS[kind][0]
    mine.append((name, (rows, columns), number, octets))
    theirs[usual] = (twin, (rows, columns), in_halves(numbers, heads) if heads else numbers)


def add_norm(name, usual):
    numbers = random.uniform(0.5, 1.5, WIDTH).astype(np.float32)
    mine.append((name, (WIDTH,), 0, numbers.tobytes()))
    theirs[usual] = ("F32", (WIDTH,), numbers)


add("token_embd.weight", "model.embed_tokens.weight", TOKENS, WIDTH, "token_embd")
for layer in range(LAYERS):
    here, there = f"blk.{layer}.", f"model.layers.{layer}."
    add_norm(here + "attn_norm.weight", there + "input_layernorm.weight")
    kv = KV_HEADS * HEAD
    add(here + "attn_q.weight", there + "self_attn.q_proj.weight", WIDTH, WIDTH, "attn_q", HEADS)
    add(here + "attn_k.weight", there + "self_attn.k_proj.weight", kv, WIDTH, "attn_k", KV_HEADS)
    add(here + "attn_v.weight", there + "self_attn.v_proj.weight", kv, WIDTH, "attn_v")
    add(here + "attn_output.weight", there + "self_attn.o_proj.weight", WIDTH, WIDTH, "attn_output")
    add_norm(here + "ffn_norm.weight", there + "post_attention_layernorm.weight")
    add(here + "ffn_gate.weight", there + "mlp.gate_proj.weight", MLP, WIDTH, "ffn_gate")
    add(here + "ffn_up.weight", there + "mlp.up_proj.weight", MLP, WIDTH, "ffn_up")
    add(here + "ffn_down.weight", there + "mlp.down_proj.weight", WIDTH, MLP, "ffn_down")
add_norm("output_norm.weight", "model.norm.weight")
add("output.weight", "lm_head.weight", TOKENS, WIDTH, "output")

text = lambda value: struct.pack("<Q", len(value)) + value.encode()
whole = lambda key, value: text("llama." + key) + struct.pack("<II", 4, value)
settings = [
    text("general.architecture") + struct.pack("<I", 8) + text("llama"),
    whole("context_length", 12),
    whole("embedding_length", WIDTH),
    whole("block_count", LAYERS),
    whole("feed_forward_length", MLP),
    whole("attention.head_count", HEADS),
    whole("attention.head_count_kv", KV_HEADS),
    whole("rope.dimension_count", HEAD),
    text("llama.attention.layer_norm_rms_epsilon") + struct.pack("<If", 6, 1e-5),
    text("llama.rope.freq_base") + struct.pack("<If", 6, 10000),
]
head = b"GGUF" + struct.pack("<IQQ", 3, len(mine), len(settings)) + b"".join(settings)
data = b""
for name, shape, number, octets in mine:
    sides = struct.pack(f"<{len(shape)}Q", *reversed(shape))
    head += text(name) + struct.pack("<I", len(shape)) + sides + struct.pack("<IQ", number, len(data))
    data += octets + bytes(-len(octets) % 32)
os.makedirs(FOLDER)
with open(f"{FOLDER}/model.gguf", "wb") as file:
    file.write(head + bytes(-len(head) % 32) + data)

os.makedirs(f"{FOLDER}/twin")
header, body = {}, b""
for name, (kind, shape, numbers) in theirs.items():
    octets = np.ascontiguousarray(numbers).tobytes()
    header[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(body), len(body) + len(octets)]}
    body += octets
text_of_header = json.dumps(header).encode()
with open(f"{FOLDER}/twin/model.safetensors", "wb") as file:
    file.write(struct.pack("<Q", len(text_of_header)) + text_of_header + body)
config = {
    "model_type": "llama",
    "hidden_size": WIDTH,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "num_key_value_heads": KV_HEADS,
    "intermediate_size": MLP,
    "vocab_size": TOKENS,
    "max_position_embeddings": 12,
    "rms_norm_eps": 1e-5,
    "hidden_act": "silu",
}
with open(f"{FOLDER}/twin/config.json", "w") as file:
    json.dump(config, file)

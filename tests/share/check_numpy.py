"""Compares exported .npz and .npy files with the JSON of `attn trace`; standard input says which (numpy.test.mjs). Prints how
many arrays and numbers were compared."""

import json
import sys

import numpy as np


def expected_array(stage):
    """The stage of a trace as float32; null, a hidden key, is minus infinity."""
    array = np.array(stage["values"], dtype=object)
    array[array == None] = -np.inf  # noqa: E711, element by element
    return array.astype(np.float32)


def check(found, wanted, name):
    if found.dtype != np.float32 or found.shape != wanted.shape or found.tobytes() != wanted.tobytes():
        sys.exit(f"{name}: {found.dtype} {found.shape}\n{found}\nwanted {wanted.shape}\n{wanted}")
    return wanted.size


def check_state(state):
    archive = np.load(state["npz"])
    sentences = state["trace"]["sentences"]
    shown = 1 if "sentence=2" in state["link"] else 0
    compared = set()
    numbers = 0
    for index, sentence in enumerate(sentences):
        prefix = f"{index + 1}/" if len(sentences) > 1 else ""
        for stage in sentence["stages"]:
            is_of_all = stage["name"].startswith(("grad_w_", "grad_b_", "grad_sink_"))  # the sentences share their matrices
            name = stage["name"] if is_of_all else prefix + stage["name"]
            wanted = expected_array(stage)
            if stage["name"].startswith(("grad_b_", "grad_sink_")):  # a row of a table on the screen, a vector as its bias in the file
                wanted = wanted[0]
            if name not in archive.files:
                if "hide=" in state["link"]:
                    continue
                sys.exit(f"{name} is missing")
            numbers += check(archive[name], wanted, name)
            compared.add(name)
            if index == shown and stage["name"] in state["stages"]:
                numbers += check(np.load(state["stages"][stage["name"]]), wanted, stage["name"] + ".npy")
                compared.add(stage["name"] + ".npy")
    # The matrices are not in the trace: they explain it. Without edited roles, queries are X times w_query plus b_query.
    if "w_query" in archive.files and len(sentences) == 1:
        source = "query_latents" if "query_latents" in archive.files else "embeddings"
        queries = archive[source] @ archive["w_query"]
        if "b_query" in archive.files:
            queries = queries + archive["b_query"]
        merged = np.concatenate(list(archive["queries"]), axis=1)
        if not np.allclose(queries, merged, rtol=1e-4, atol=1e-5):
            sys.exit("queries are not X times w_query")
    rest = {name.rsplit("/")[-1] for name in archive.files} - {name.rsplit("/")[-1] for name in compared}
    known = {"mask", "w_query", "w_key", "w_value", "w_down_query", "w_down_kv", "w_query_rope", "w_key_rope", "b_query", "b_key", "b_value", "w_out", "b_out", "q_norm", "k_norm", "sink_logits"}
    if "goal=" in state["link"]:  # a gradient beside each matrix and bias, of its shape
        learned = {name for name in rest if name[:2] in ("w_", "b_") or name in ("q_norm", "k_norm", "sink_logits")}
        for name in learned:
            if archive["grad_" + name].shape != archive[name].shape:
                sys.exit(f"grad_{name} is {archive['grad_' + name].shape}")
        known |= {"grad_" + name for name in learned} | {"losses"}
    if not rest <= known:
        sys.exit(f"nobody knows {rest - known}")
    return len(compared), numbers


totals = [check_state(state) for state in json.load(sys.stdin)]
print(json.dumps({"arrays": sum(a for a, _ in totals), "numbers": sum(n for _, n in totals)}))

"""The script that attn writes for a model, run by PyTorch on the very files: all stages of a layer and the logits beside attn's own.

    model_scripts.py ATTN FOLDER     prints a line of JSON for each script: its name, numbers compared, the worst share of the tolerance

Checkpoints are those of model_oracle.py, whose tolerance this is, too; FOLDER has files of student_models.py, which have no config.
"""
import ast
import contextlib
import io
import json
import os
import runpy
import shutil
import subprocess
import sys
import tempfile

import numpy
import torch

from model_oracle import KINDS, L, ROPES, T, V, Checkpoint, kNear

# Heads that are off and numbers that were typed over, one of each kind of tensor.
EDITED = ("off=2:1&off=1:2&off=2:4&off_by=mean&edit=2.x[1,3]=0.5&edit=2.queries[4,7]=-1&edit=2.keys[3,2]=0.25&edit=2.values[0,5]=2"
          "&edit=2.mask[6,2]=1&edit=2.w_query[3,4]=0.75&edit=2.w_key[0,1]=-0.5&edit=2.w_value[2,2]=1&edit=1.w_value[1,2]=3"
          "&edit=2.b_query[0,3]=0.5&edit=2.b_value[0,1]=-2")
EDITED_KINDS = ("gpt2", "bert", "qwen2", "qwen3", "attention only", "gpt_neox", "gemma2", "olmo2", "cohere", "bloom")
OUT = "&edit=2.w_out[1,1]=0.5&edit=2.b_out[0,2]=0.125"


# Patches of each kind from a second text, which is longer or shorter where a later token changes no earlier one.
PATCHED = "patch=stream.1@3,stream.2@9,2:1@*,1:3@5,weights.2:2@7"
PATCHED_EDITED = "&off=2:3&edit=2.x[1,3]=0.5&edit=1.w_value[1,2]=3&compare=off%3D1:1%26edit%3D2.values[0,5]%3D2"


def run(attn, folder, link, ids, heads=None, other=None):
    """The script's stages and logits, and attn's."""
    about = ["--model", folder, "--tokens", ",".join(map(str, ids)), link] + (["--heads", str(heads)] if heads else [])
    about += ["--other-tokens", ",".join(map(str, other))] if other else []
    script = subprocess.run([attn, "export", "pytorch", *about], capture_output=True, check=False)
    answer = subprocess.run([attn, "export", "npz", *about], capture_output=True, check=False)
    for one in (script, answer):
        if one.returncode != 0:
            raise RuntimeError(f"{folder} {link}: {one.stderr.decode()}")
    path = os.path.join(folder, "script.py")
    with open(path, "wb") as file:
        file.write(script.stdout)
    arguments, sys.argv = sys.argv, [path, folder, "--trust"]
    with contextlib.redirect_stdout(io.StringIO()):
        theirs = runpy.run_path(path)
    sys.argv = arguments
    os.remove(path)
    return theirs, numpy.load(io.BytesIO(answer.stdout)), script.stdout.decode()


def compare(name, theirs, ours):
    layer = theirs["shown"] + 1
    added = "attention_out" if f"{layer}/attention_out" in ours.files else "attention_added"
    names = {stage: added if stage == "output" else stage for stage in theirs["stages"]}
    behind = ("final_stream", "logit_input")  # the last layer; attn names no layer for them
    pairs = [(stage, ours[stage if stage in behind else f"{layer}/{names[stage]}"], numbers)
             for stage, numbers in theirs["stages"].items()]
    if theirs["logits"] is not None:
        pairs.append(("logits", ours["logits"], theirs["logits"]))
    result = {"name": name, "numbers": 0, "stages": len(pairs), "worst": 0.0, "where": ""}
    for stage, got, wanted in pairs:
        wanted, got = wanted.numpy(), got.astype(numpy.float64)
        if got.shape != wanted.shape:
            raise RuntimeError(f"{name}: {stage} is {wanted.shape}, and attn's is {got.shape}")
        finite = numpy.isfinite(wanted)
        if not (finite == numpy.isfinite(got)).all():
            raise RuntimeError(f"{name}: {stage} hides other keys")
        share = float(numpy.abs(got[finite] - wanted[finite]).max() / (kNear * numpy.abs(wanted[finite]).max()))
        result["numbers"] += wanted.size
        if not share <= result["worst"]:
            result["worst"], result["where"] = share, stage
    return result


def transformers_names(script):
    """What the part with transformers takes from it: imported names and members of what they return."""
    parts = [node for node in ast.parse(script).body if isinstance(node, ast.If)]
    if not parts:
        return []
    found = set()
    for node in ast.walk(parts[0]):
        if isinstance(node, ast.ImportFrom):
            found.update(alias.name for alias in node.names)
        if isinstance(node, ast.keyword):
            found.add(node.arg)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("answer", "model"):
            found.add(node.attr)
    return sorted(found)


def main(attn, students):
    for index, (name, make) in enumerate(KINDS.items()):
        kinds = ["F32"] if name.removeprefix("llama ") in ROPES else ["F32", "BF16"]
        for kind in kinds:
            file = Checkpoint(kind, 40 + index)
            ids = torch.randint(V, (T,), generator=file.generator)
            config = make(file, ids)[0]
            with tempfile.TemporaryDirectory() as folder:
                file.save(folder, config)
                links = [f"layer={number + 1}" for number in range(L)]
                if kind == "F32" and name in EDITED_KINDS:
                    links.append(f"layer=2&{EDITED}{'' if name in ('qwen3', 'gemma2') else OUT}")
                patched = []
                if kind == "F32" and "dynamic" not in name and "longrope" not in name:
                    mlp = "" if name == "attention only" else ",mlp.2@6"
                    patched = [f"layer={layer}&{PATCHED}{mlp}{more}" for layer, more in ((2, ""), (3, PATCHED_EDITED))]
                sees_both = config.get("model_type") in ("bert", "roberta", "xlm-roberta", "camembert", "distilbert", "electra", "albert")
                other = [(7 * one + 13) % V for one in ids.tolist()][: T if sees_both else 12]
                for link in links + patched:
                    theirs, ours, script = run(attn, folder, link, ids.tolist(), other=other if link in patched else None)
                    result = compare(f"{name} {kind} {link[:40]}", theirs, ours)
                    print(json.dumps(result | {"transformers": transformers_names(script)}), flush=True)
    for name in ("nanogpt", "nanogpt_biases", "mingpt", "mingpt_2020", "gpt_model", "gpt_model_biases"):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(students, f"{name}.pt"), folder)
            theirs, ours, script = run(attn, folder, "layer=2", [3, 1, 16, 0, 7], None if name == "nanogpt" else 3)
            print(json.dumps(compare(name, theirs, ours) | {"transformers": transformers_names(script)}), flush=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(sys.argv[1], sys.argv[2])

# The tensors of a safetensors file as torch.save writes them, in several ways. Arguments: the file, a folder for the others.
import collections
import json
import struct
import sys
import zipfile

import torch

SOURCE, FOLDER = sys.argv[1:]
TYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}


def read_safetensors(path):
    with open(path, "rb") as file:
        length = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(length))
        body = file.read()
    tensors = collections.OrderedDict()
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        kind = TYPES[entry["dtype"]]
        tensors[name] = torch.frombuffer(bytearray(body[begin:end]), dtype=kind).reshape(entry["shape"]).clone()
    return tensors


class Evil:
    def __reduce__(self):
        return (print, ("run",))


class Whole(torch.nn.Module):
    pass


def main():
    tensors = read_safetensors(SOURCE)
    save = lambda name, what, **more: torch.save(what, f"{FOLDER}/{name}.bin", **more)
    save("ordered", tensors)
    save("dict", dict(tensors))
    save("parameters", {name: torch.nn.Parameter(tensor) for name, tensor in tensors.items()})
    # Matrices that lie the other way round, one storage for all, every second number of a longer one.
    save("turned", {name: tensor.t().contiguous().t() if tensor.dim() == 2 else tensor for name, tensor in tensors.items()})
    together = torch.cat([tensor.reshape(-1) for tensor in tensors.values()])
    places, at = {}, 0
    for name, tensor in tensors.items():
        places[name] = together[at : at + tensor.numel()].view(tensor.shape)
        at += tensor.numel()
    save("together", places)
    save("sparse", {name: torch.stack([tensor, -tensor], dim=-1)[..., 0] for name, tensor in tensors.items()})
    optimizer = {"state": {0: {"step": 3, "exp_avg": torch.ones(4, 4)}}, "param_groups": [{"lr": 1e-3, "betas": (0.9, 0.95)}]}
    save("training", {"model_state_dict": tensors, "optimizer_state_dict": optimizer, "epoch": 7, "loss": 1.25, "best": None})
    save("nanogpt", {"model": tensors, "optimizer": optimizer, "model_args": {"n_layer": 2, "bias": False}, "iter_num": -5})
    # As before PyTorch 1.6.
    old = {"_use_new_zipfile_serialization": False}
    save("old", tensors, **old)
    save("old_together", places, **old)
    save("old_training", {"model_state_dict": tensors, "optimizer_state_dict": optimizer}, **old)
    # And what is refused.
    save("evil", {"model": tensors, "hook": Evil()})
    save("whole", Whole())
    save("numbers", [1, 2, 3])
    save("two", {"first": tensors, "second": tensors})
    right = open(f"{FOLDER}/ordered.bin", "rb").read()
    open(f"{FOLDER}/cut.bin", "wb").write(right[: len(right) // 2])
    right = open(f"{FOLDER}/old.bin", "rb").read()
    open(f"{FOLDER}/old_cut.bin", "wb").write(right[: len(right) * 3 // 4])
    open(f"{FOLDER}/old_begun.bin", "wb").write(right[:200])
    open(f"{FOLDER}/old_big.bin", "wb").write(right.replace(b"little_endianq\x02\x88", b"little_endianq\x02\x89"))
    save("old_evil", {"model": tensors, "hook": Evil()}, **old)
    with zipfile.ZipFile(f"{FOLDER}/ordered.bin") as archive:
        with zipfile.ZipFile(f"{FOLDER}/packed.bin", "w", zipfile.ZIP_DEFLATED) as packed:
            for entry in archive.namelist():
                packed.writestr(entry, archive.read(entry))
        with zipfile.ZipFile(f"{FOLDER}/short.bin", "w") as short:
            for entry in archive.namelist():
                contents = archive.read(entry)
                short.writestr(entry, contents[:8] if "/data/" in entry else contents)
    with zipfile.ZipFile(f"{FOLDER}/other.bin", "w") as other:
        other.writestr("readme.txt", "no tensors")


main()

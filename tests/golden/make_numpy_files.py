#!/usr/bin/env python3
"""Files that NumPy itself wrote, for the readers of .npy and .npz files.

    make_numpy_files.py --write   write numpy/*.npy, numpy/*.npz and numpy/expected.json
    make_numpy_files.py           read the files that are there with NumPy and compare them with what they should hold

expected.json: a file's name to {"shape", "numbers"} (in C order), or for an archive to an object of these by name.
"""

import io
import json
import sys
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "numpy"


def numbers(*shape):
    """Quarters from -3 to 3: the same in every type of float."""
    count = int(np.prod(shape))
    return ((np.arange(count) * 7 % 25 - 12) / 4).reshape(shape)


def arrays():
    """Name of a file to (array, version of the format)."""
    files = {}
    for kind in ("f2", "f4", "f8"):
        for order in "<>":
            name = f"{kind}-{'little' if order == '<' else 'big'}"
            files[name] = (numbers(3, 4).astype(order + kind), (1, 0))
            files[name + "-fortran"] = (np.asfortranarray(numbers(4, 3).astype(order + kind)), (1, 0))
    for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
        whole = numbers(2, 5) * 4 + (0 if kind[0] == "i" else 12)
        for order in "<>":
            files[f"{kind}-{'little' if order == '<' else 'big'}"] = (whole.astype(order + kind), (1, 0))
    files["bool"] = (numbers(3, 3) > 0, (1, 0))
    files["version2"] = (numbers(2, 3).astype("<f4"), (2, 0))
    files["version3"] = (numbers(2, 3).astype("<f4"), (3, 0))
    files["one-axis"] = (numbers(6).astype("<f4"), (1, 0))
    files["three-axes"] = (numbers(1, 2, 3).astype("<f8"), (1, 0))
    files["three-axes-fortran"] = (np.asfortranarray(numbers(2, 3, 4).astype("<f4")), (1, 0))
    files["no-axis"] = (np.float32(1.5), (1, 0))
    files["empty"] = (np.zeros((0, 3), "<f4"), (1, 0))
    files["not-finite"] = (np.array([[1, np.nan], [np.inf, -np.inf]], "<f4"), (1, 0))
    files["half-extremes"] = (np.array([6e-08, 6.1e-05, 65504, -0.0, np.inf], "<f2"), (1, 0))
    return files


def archives():
    """Name of a file to (how it is packed, arrays by name): what nn.Linear's state_dict looks like, and a notebook's."""
    return {
        "stored": (np.savez, {"x": numbers(4, 6).astype("<f4"), "w_query": numbers(6, 3), "b_query": numbers(3)}),
        "deflated": (np.savez_compressed, {"W_query.weight": numbers(3, 6).astype("<f4"), "note": np.array(["a text"])}),
        "unnamed": (np.savez, {"arr_0": numbers(4, 6)}),
    }


def refused():
    """Arrays that hold no numbers to use."""
    return {
        "objects": np.array([{"a": 1}, None], dtype=object),
        "complex": numbers(2, 2).astype("<c8"),
        "texts": np.array(["a", "bc"]),
        "records": np.array([(1, 2.0)], dtype=[("a", "<i4"), ("b", "<f4")]),
        "longdouble": numbers(2).astype(np.longdouble),
    }


def as_json(array):
    flat = np.ravel(array, order="C").astype("f8")
    return {"shape": list(array.shape), "numbers": [float(x) if np.isfinite(x) else str(x) for x in flat]}


def is_number(array):
    return array.dtype.kind in "biuf"


def expected():
    files = {f"{name}.npy": as_json(array) for name, (array, _) in arrays().items()}
    for name, (_, members) in archives().items():
        files[f"{name}.npz"] = {key: as_json(array) for key, array in members.items() if is_number(array)}
    return files


def write():
    FOLDER.mkdir(exist_ok=True)
    for name, (array, version) in arrays().items():
        with open(FOLDER / f"{name}.npy", "wb") as file:
            np.lib.format.write_array(file, np.asanyarray(array), version=version)
    for name, (save, members) in archives().items():
        save(FOLDER / f"{name}.npz", **members)
    for name, array in refused().items():
        np.save(FOLDER / f"refused-{name}.npy", array, allow_pickle=True)
    (FOLDER / "expected.json").write_text(json.dumps(expected(), indent=1) + "\n")


def check_same(name, found, wanted):
    if found.dtype != wanted.dtype or found.shape != wanted.shape or not np.array_equal(found, wanted, equal_nan=True):
        sys.exit(f"{name} is not what make_numpy_files.py --write makes")


def check():
    for name, (array, version) in arrays().items():
        data = (FOLDER / f"{name}.npy").read_bytes()
        check_same(name, np.load(io.BytesIO(data)), np.asanyarray(array))
        if tuple(data[6:8]) != version:
            sys.exit(f"{name} is not of version {version}")
    for name, (_, members) in archives().items():
        archive = np.load(FOLDER / f"{name}.npz")
        if sorted(archive.files) != sorted(members):
            sys.exit(f"{name} has other arrays than make_numpy_files.py --write makes")
        for key, array in members.items():
            if not is_number(array) and archive[key].tolist() != array.tolist():
                sys.exit(f"{name} has other texts")
            if is_number(array):
                check_same(f"{name}: {key}", archive[key], array)
    if json.loads((FOLDER / "expected.json").read_text()) != expected():
        sys.exit("expected.json is not what make_numpy_files.py --write makes")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    elif sys.argv[1:]:
        sys.exit(__doc__)
    check()

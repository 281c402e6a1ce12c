"""Reads exported notebooks as Jupyter does, and runs them.

Standard input: a JSON list of {"link", "notebook", "folder"}: the file's text, and the folder in which its cells run. Standard
output: {"ran": how many, "cells": how many cells with code, "compared": how many numbers of the page the cells compared, "texts":
what each notebook's cells printed, "failures": sentences}.

With --kernel nbconvert runs them, in a kernel of Debian's each. Without, this process runs the cells one after the other, which
takes a hundredth of the time."""

import contextlib
import io
import json
import os
import re
import sys

import nbformat
import torch

KERNEL = "--kernel" in sys.argv
COMPARED = re.compile(r"^(\w+): (\d+) of (\d+) numbers are the page's$", re.MULTILINE)


def run_in_kernel(notebook, folder):
    from nbconvert.preprocessors import ExecutePreprocessor

    ExecutePreprocessor(timeout=300, kernel_name="python3").preprocess(notebook, {"metadata": {"path": folder}})
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    others = [output for output in outputs if output.output_type != "stream" or output.name != "stdout"]
    assert not others, f"a cell gives more than prints: {others}"
    nbformat.validate(notebook)
    return "".join(output.text for output in outputs)


def run_here(notebook, folder):
    printed, names = io.StringIO(), {"__name__": "__main__"}
    before = os.getcwd()
    os.chdir(folder)
    torch.set_grad_enabled(True)
    try:
        with contextlib.redirect_stdout(printed):
            for cell in notebook.cells:
                if cell.cell_type == "code":
                    exec(compile(cell.source, cell.id, "exec"), names)
    finally:
        os.chdir(before)
    return printed.getvalue()


def check_form(text, notebook):
    """What the schema does not ask for: ids that differ, no outputs, lines as lists, and words before each cell with code."""
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    assert [cell.cell_type for cell in notebook.cells] == ["markdown", *["markdown", "code"] * (len(notebook.cells) // 2)]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None
    for cell in json.loads(text)["cells"]:
        assert isinstance(cell["source"], list) and all(line.endswith("\n") for line in cell["source"][:-1])
        assert not cell["source"][-1].endswith("\n")


def main():
    torch.set_num_threads(1)
    totals = {"ran": 0, "cells": 0, "compared": 0, "texts": [], "failures": []}
    for case in json.load(sys.stdin):
        text = ""
        try:
            notebook = nbformat.reads(case["notebook"], as_version=4)
            check_form(case["notebook"], notebook)
            text = (run_in_kernel if KERNEL else run_here)(notebook, case["folder"])
            found = COMPARED.findall(text)
            assert all(near == of for _, near, of in found), found
            totals["ran"] += 1
            totals["cells"] += sum(cell.cell_type == "code" for cell in notebook.cells)
            totals["compared"] += sum(int(of) for _, _, of in found)
        except Exception as error:  # a cell's mistake can be of any kind
            totals["failures"].append(f"{case['link']}: {type(error).__name__}: {str(error)[-600:]}")
        totals["texts"].append(text)
    json.dump(totals, sys.stdout)


main()

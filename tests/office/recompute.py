"""LibreOffice computes workbooks anew: the values that are stored beside the formulas are taken out first, so that none of
them can be believed.

Reads a list of cases from standard input, {"file", "inputs": {sheet: {cell: number}}, "stages": {sheet: values}}: the values
are nested lists of rows, one list of rows a head where a stage has heads, with null where a number is hidden. Prints
{"failures", "numbers", "worst"}; `worst` is the largest difference over the largest number of its stage, at least 1.
"""

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile

FIRST_HEADING = 4  # rows before the first matrix: src/share/spreadsheet/layer_sheets.h
TOLERANCE = 1e-6
HIDDEN = "−∞"
# Every sheet as a table of its own, numbers with all their digits: tokens 8 (as shown) and 12 (all sheets) of the filter.
FILTER = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1"


def sheet_parts(archive):
    """{name of a sheet: its file in the archive}, in the order of the sheets."""
    names = re.findall(r'<sheet name="([^"]+)"', archive.read("xl/workbook.xml").decode())
    return {name: f"xl/worksheets/sheet{n + 1}.xml" for n, name in enumerate(names)}


def without_values(xml):
    """No formula keeps its value; texts and numbers stay."""
    return re.sub(r"(<c [^>]*?)( t=\"(?:str|e)\")?(><f>[^<]*</f>)<v>[^<]*</v></c>", r"\1\3</c>", xml)


def with_inputs(xml, inputs):
    for cell, number in inputs.items():
        xml, count = re.subn(rf'(<c r="{cell}"[^>]*>)<v>[^<]*</v>', rf"\g<1><v>{number!r}</v>", xml)
        assert count == 1, f"{cell} is no input"
    return xml


def emptied(case, target):
    """Writes the workbook anew; returns the names of its sheets."""
    with zipfile.ZipFile(case["file"]) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        parts = sheet_parts(source)
        sheets = {file: name for name, file in parts.items()}
        for name in source.namelist():
            content = source.read(name)
            if name in sheets:
                xml = without_values(content.decode())
                assert not re.search(r"</f><v>", xml), "a formula has kept its value"
                content = with_inputs(xml, case.get("inputs", {}).get(sheets[name], {})).encode()
            archive.writestr(name, content)
    return list(parts)


def is_tensor(values):
    return bool(values) and isinstance(values[0][0], list)


def compared(case, tables):
    """Yields (stage, place, wanted, found) of each number."""
    for stage, values in case["stages"].items():
        table = tables[stage]
        matrices = values if is_tensor(values) else [values]
        for n, matrix in enumerate(matrices):
            first = FIRST_HEADING + n * (len(matrix) + 2) + 1
            for i, row in enumerate(matrix):
                for c, wanted in enumerate(row):
                    yield stage, (n, i, c), wanted, table[first + i][1 + c]


def check(case, tables):
    failures, numbers, worst = [], 0, 0
    largest = {}
    found = list(compared(case, tables))
    for stage, _, wanted, _ in found:
        largest[stage] = max(largest.get(stage, 1), abs(wanted or 0))
    for stage, place, wanted, text in found:
        numbers += 1
        is_score = wanted is None and "scores" in stage
        if is_score or wanted is None and text == HIDDEN:
            if text != HIDDEN:
                failures.append(f"{case['link']}: {stage}{place} is {text}, want {HIDDEN}")
            continue
        try:
            error = abs(float(text) - (wanted or 0)) / largest[stage]
        except ValueError:
            error = float("inf")
        worst = max(worst, error)
        if not error <= TOLERANCE:
            failures.append(f"{case['link']}: {stage}{place} is {text}, want {wanted}")
    return failures, numbers, worst


def main():
    cases = json.load(sys.stdin)
    failures, numbers, worst = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        files, sheets = [], []
        for n, case in enumerate(cases):
            files.append(os.path.join(folder, f"{n}.xlsx"))
            sheets.append(emptied(case, files[-1]))
        office = os.environ.get("SOFFICE", "soffice")
        profile = f"-env:UserInstallation=file://{folder}/profile"
        command = [office, profile, "--headless", "--convert-to", FILTER, "--outdir", folder, *files]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=1500)
        for n, case in enumerate(cases):
            tables = {}
            for name in sheets[n]:
                with open(os.path.join(folder, f"{n}-{name}.csv"), encoding="utf-8", newline="") as file:
                    tables[name] = list(csv.reader(file))
            more, count, error = check(case, tables)
            failures += more
            numbers += count
            worst = max(worst, error)
    json.dump({"failures": failures, "numbers": numbers, "worst": worst}, sys.stdout)


main()

"""Reads the exports of hostile links as the programs they are made for do, and says where one of them holds more than it should.

Standard input: a JSON list of cases (hostile_exports.test.mjs), each with what `attn trace` prints for the link, the path of each
export by its kind, the SVG figures of other views, and the scripts of an ordinary sentence with the same settings. Standard output:
{"files": how many were read, "links": what the scripts' comments say, case by case, "failures": sentences}."""

import ast
import csv
import io
import json
import math
import re
import sys
import tokenize
import xml.etree.ElementTree as ElementTree
import zipfile
from html.parser import HTMLParser

import numpy as np

COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # PEP 263
LINK = "# The state as a link: #"


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def texts_of(case):
    """The sentences that have tokens, and their tokens."""
    return [(s["text"], s["tokens"]) for s in case["trace"]["sentences"] if s["tokens"]]


# --- Python ---------------------------------------------------------------------------------------------------------------


def literal_tokens(tree):
    """What `tokens` or `sentences` is set to, and the program with empty texts in its place."""
    found = []
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in ("tokens", "sentences"):
            if isinstance(node.value, ast.Subscript):
                continue  # a notebook's one sentence of several
            found.append(ast.literal_eval(node.value))
            for text in ast.walk(node.value):
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    text.value = ""
    assert len(found) == 1, f"{len(found)} lists of tokens"
    lists = list(found[0].values()) if isinstance(found[0], dict) else found
    return lists, ast.dump(tree)


def comments_of(script):
    return [word.string for word in tokenize.tokenize(io.BytesIO(script).readline) if word.type == tokenize.COMMENT]


def check_script(script, ordinary, case):
    encoding, lines = tokenize.detect_encoding(io.BytesIO(script).readline)
    assert encoding == "utf-8" and len(lines) == 1, f"declared by line {len(lines)}: {encoding}"
    first, *others = script.split(b"\n")
    assert COOKIE.match(first).group(1) == b"utf-8", first
    for line in others:
        assert not COOKIE.match(line), f"a second declaration: {line}"
    tokens, program = literal_tokens(ast.parse(script))
    assert tokens == [each for _, each in texts_of(case)], f"other tokens: {tokens}"
    assert program == literal_tokens(ast.parse(ordinary.encode()))[1], "other statements than an ordinary sentence has"
    links = [line[len(LINK) :] for line in comments_of(script) if line.startswith(LINK)]
    without_link = [line for line in comments_of(script) if not line.startswith(LINK)]
    ordinary_comments = [line for line in comments_of(ordinary.encode()) if not line.startswith(LINK)]
    assert without_link == ordinary_comments, "other comments than an ordinary sentence has"
    assert len(links) <= 1
    for link in links:
        assert re.fullmatch(r"[-\w.~,;=&+%\[\]*/]+", link, re.ASCII), f"signs in the comment: {link}"
    return links[0] if links else None


NOTEBOOK_LINK = re.compile(r"\n```\n#([-\w.~,;=&+%\[\]*/]+)\n```$", re.ASCII)


def without_page(tree):
    """The program without the page's numbers, which follow from the tokens."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "page":
            node.value = ast.Constant(None)
    return tree


def cells_of(text):
    """The cells' words before the link, the code of all, and the link."""
    cells = json.loads(text)["cells"]
    words = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    link = NOTEBOOK_LINK.search(words[0])
    if link:
        words[0] = words[0][: link.start()]
    return words, "\n".join(code), link and link.group(1)


def check_notebook(text, ordinary, case):
    assert not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", text), "a control sign"
    words, code, link = cells_of(text)
    ordinary_words, ordinary_code, _ = cells_of(ordinary)
    assert words == ordinary_words, "other words than an ordinary sentence has"
    tokens, program = literal_tokens(without_page(ast.parse(code)))
    assert tokens == [each for _, each in texts_of(case)], f"other tokens: {tokens}"
    assert program == literal_tokens(without_page(ast.parse(ordinary_code)))[1], "other statements than an ordinary sentence has"
    assert comments_of(code.encode()) == comments_of(ordinary_code.encode()), "other comments than an ordinary sentence has"
    return link


def check_lines(code, ordinary):
    """A stage's lines name no token."""
    ast.parse(code)
    assert code == ordinary, "other lines than an ordinary sentence has"


# --- tables, JSON, archives -----------------------------------------------------------------------------------------------


def check_table(text, delimiter, case):
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    assert rows[0] == ["sentence", "stage", "head", "row", "column", "value"], rows[0]
    wanted = [
        [str(s + 1), "weights", str(h + 1), str(i), str(j), value]
        for s, sentence in enumerate(case["trace"]["sentences"])
        for stage in sentence["stages"]
        if stage["name"] == "weights"
        for h, matrix in enumerate(stage["values"])
        for i, row in enumerate(matrix)
        for j, value in enumerate(row)
    ]
    read = [[*row[:5], float(row[5]) if math.isfinite(float(row[5])) else None] for row in rows[1:]]
    assert read == wanted, "other rows than the trace has"


def check_explanation(text):
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert rows[0] == ["part", "label", "a", "a_source", "b", "b_source", "value"]
    for row in rows[1:]:
        assert len(row) == 7, row
        for column in (0, 1, 3, 5):
            assert not re.match("[=+\\-@\t\r＝＋－＠]", row[column]), f"a formula: {row}"
        for column in (2, 4, 6):
            assert row[column] == "" or isinstance(float(row[column]), float), row


def check_json(text, case):
    data = json.loads(text)  # strict: no control character in a text
    assert list(data) == ["link", "notes", "sentences"], list(data)
    assert data["link"] == case["trace"]["link"]
    for written, traced in zip(data["sentences"], case["trace"]["sentences"], strict=True):
        assert (written["text"], written["tokens"]) == (traced["text"], traced["tokens"])


def check_session(text, case):
    data = json.loads(text)
    assert list(data) == ["format", "version", "state"], list(data)
    texts = data["state"].get("text")
    assert texts == [sentence["text"] for sentence in case["trace"]["sentences"]], texts
    known = set(case["keys"])
    assert set(data["state"]) <= known, set(data["state"]) - known


def check_npy(path, case):
    shown = case["trace"]["sentences"][case["shown"] - 1]
    wanted = next(stage["shape"] for stage in shown["stages"] if stage["name"] == "weights")
    assert list(np.load(path, allow_pickle=False).shape) == wanted


def check_npz(path, case):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            assert re.fullmatch(r"(\d/)?[a-z_]+\.npy", name), f"a name in the archive: {name}"
    arrays = np.load(path, allow_pickle=False)
    assert all(arrays[name].dtype == np.float32 for name in arrays.files)


# --- figures and Markdown -------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"
SVG_TAGS = {"svg", "title", "desc", "rect", "g", "path", "text"}
SVG_ATTRIBUTES = set(
    "x y width height rx d transform fill stroke stroke-width stroke-dasharray fill-opacity stroke-opacity shape-rendering "
    "direction text-anchor font-size font-weight font-family pointer-events version viewBox role "
    "{http://www.w3.org/XML/1998/namespace}space".split()
)


def check_svg(data):
    for event in ("<!DOCTYPE", "<!ENTITY", "<![CDATA["):
        assert event.encode() not in data, event
    assert data.count(b"<?") == 1
    for element in ElementTree.fromstring(data).iter():
        assert element.tag.startswith(SVG) and element.tag[len(SVG) :] in SVG_TAGS, element.tag
        assert set(element.attrib) <= SVG_ATTRIBUTES, element.attrib
        for name, value in element.attrib.items():
            assert re.fullmatch(r"[-#\w.,%()' ]*", value, re.ASCII), f"{name} is {value}"


class Reader(HTMLParser):
    """Tags, texts of the cells of tables row by row, texts of `code`."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags = []
        self.rows = []
        self.codes = []
        self.text = []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, attributes))
        if tag == "tr":
            self.rows.append([])
        self.text = []

    def handle_data(self, data):
        self.text.append(data)

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.rows[-1].append("".join(self.text))
        if tag == "code":
            self.codes.append("".join(self.text))

    def handle_comment(self, data):
        self.tags.append(("comment", []))

    handle_decl = handle_pi = unknown_decl = handle_comment


HTML_TAGS = set("h1 h2 p code table thead tbody tr th td em br".split())


DIRECTION_MARKS = {0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def is_named(sign):
    number = ord(sign)
    return number in DIRECTION_MARKS or number & 0xFFFE == 0xFFFE or 0xFDD0 <= number <= 0xFDEF


def plain_token(token):
    """As the solution writes it: direction marks and what is no character by name, at most 40 letters."""
    signs = [f"U+{ord(sign):04x}" if is_named(sign) else sign for sign in token[:40]]
    return "".join(signs) + ("…" if len(token) > 40 else "")


def check_html(html, case):
    reader = Reader()
    reader.feed(html)
    reader.close()
    for tag, attributes in reader.tags:
        assert tag in HTML_TAGS and not attributes, f"<{tag}> {attributes} in the solution"
    shown = case["trace"]["sentences"][case["shown"] - 1]["tokens"]
    for row in reader.rows:
        if row[0].isdigit():
            assert row[1] == plain_token(shown[int(row[0])]), f"token {row[0]} reads {row[1]!r}"
    assert len(reader.codes) <= 1
    return reader.codes[0].removeprefix("#") if reader.codes else None


def check_markdown(text):
    """What makes pages of Markdown may look for these before Markdown is read."""
    for line in text.splitlines():
        if line.startswith(("State: ", "|", "#", "The steps")):
            assert not re.search(r"\{\{|\{%|\{#|\$\{|<%|`\{|`r ", line), f"a template: {line}"
    assert not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", text), "a control sign"


# --- spreadsheets ---------------------------------------------------------------------------------------------------------

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def sheet_cells(archive, name):
    """{place: (formula or None, text or None)} of a sheet. Any cell that is no number says its type."""
    cells = {}
    for cell in ElementTree.fromstring(archive.read(name)).iter(f"{SHEET}c"):
        assert cell.get("t") in (None, "inlineStr", "str"), f"a cell of the type {cell.get('t')}"
        formula = cell.find(f"{SHEET}f")
        texts = [part.text or "" for part in cell.iter(f"{SHEET}t")]
        cells[cell.get("r")] = (None if formula is None else formula.text, "".join(texts) if texts else None)
    return cells


def cell_text(token):
    """As src/share/spreadsheet/workbook_pen.h says it."""
    signs = [chr(0x2400 + ord(s)) if s < " " else "\ufffd" if s in "\ufffe\uffff" else s for s in token]
    return re.sub(r"(?=_x[0-9a-fA-F]{4}_)", "_x005F", "".join(signs))


def check_workbook(file, ordinary, case):
    """The same cells as those of an ordinary sentence, with the same formulas; the tokens are texts in front of their rows."""
    tokens = case["trace"]["sentences"][case["shown"] - 1]["tokens"]
    with zipfile.ZipFile(file) as one, zipfile.ZipFile(ordinary) as other:
        assert one.namelist() == other.namelist()
        assert one.read("xl/workbook.xml") == other.read("xl/workbook.xml"), "other names of sheets or cells"
        sheets = [name for name in one.namelist() if name.startswith("xl/worksheets/sheet")]
        for name in sheets[1:]:  # the first one says the sentence and its link
            found, wanted = sheet_cells(one, name), sheet_cells(other, name)
            assert found.keys() == wanted.keys(), f"other cells in {name}"
            for place in found:
                assert found[place][0] == wanted[place][0], f"{name} {place}: {found[place][0]}"
        assert all(formula is None for formula, _ in sheet_cells(one, sheets[0]).values())
        x = sheet_cells(one, sheets[-1])  # a stage with a row a token
        for n, token in enumerate(tokens):
            text = x[f"A{6 + n}"][1]
            assert text is not None and text.startswith(cell_text(token[:200])), f"token {n} reads {text!r}"


# --- all of a case --------------------------------------------------------------------------------------------------------


def check_case(case):
    """Yields (kind, what it is checked by); a check returns the link that stands in the file, if one does."""
    files = case["files"]
    text = {kind: bytes_of(path).decode("utf-8") for kind, path in files.items() if kind not in ("npy", "npz")}
    yield "numpy", lambda: check_script(bytes_of(files["numpy"]), case["ordinary"]["numpy"], case)
    yield "pytorch", lambda: check_script(bytes_of(files["pytorch"]), case["ordinary"]["pytorch"], case)
    yield "class", lambda: check_script(bytes_of(files["class"]), case["ordinary"]["class"], case)
    yield "notebook", lambda: check_notebook(text["notebook"], case["ordinary"]["notebook"], case)
    yield "code", lambda: check_lines(text["code"], case["ordinary"]["code"])
    yield "csv", lambda: check_table(text["csv"], ",", case)
    yield "tsv", lambda: check_table(text["tsv"], "\t", case)
    yield "explanation", lambda: check_explanation(case["explanation"])
    yield "json", lambda: check_json(text["json"], case)
    yield "session", lambda: check_session(text["session"], case)
    yield "npy", lambda: check_npy(files["npy"], case)
    yield "npz", lambda: check_npz(files["npz"], case)
    yield "solution", lambda: check_markdown(text["solution"])
    yield "solution as HTML", lambda: check_html(case["html"], case)
    if case["workbooks"][0] is not None:
        yield "spreadsheet", lambda: check_workbook(*case["workbooks"], case)
    for path in [files["svg"], *case["figures"]]:
        yield path, lambda path=path: check_svg(bytes_of(path))


def main():
    result = {"files": 0, "links": [], "failures": []}
    for case in json.load(sys.stdin):
        links = []
        for kind, check in check_case(case):
            try:
                link = check()
                if link is not None:
                    links.append(link)
            except Exception as error:  # a file may be wrong in any way
                result["failures"].append(f"{kind}: {case['link']}: {type(error).__name__}: {error}")
            result["files"] += 1
        result["links"].append(links)
    json.dump(result, sys.stdout)


main()

"""The pages that come from the program itself: commands, API, atlas, records, layouts."""

import ast
import csv
import json
import re
from collections.abc import Iterable, Iterator
from inspect import isfunction
from pathlib import Path
from urllib.parse import quote
from xml.etree.ElementTree import Element

import click
from charts import falling
from piece_names import piece_names

import magicert
from magicert.atlas import Atlas, read_atlas
from magicert.board import ORDERS, place_of
from magicert.chess import Piece, mask, square_name
from magicert.commands.app import COMMANDS, cli
from magicert.commands.command import VERBATIM, Context, paragraphs
from magicert.commands.tables import list_tables
from magicert.data import record_tables, tables_by_name, tables_folder
from magicert.drawing.markup import PICTURES, as_html, element, figure
from magicert.drawing.pictures import words_board
from magicert.show.atlas_page import atlas_body
from magicert.show.buffers import map_of, usage_of
from magicert.table import read_table
from magicert.table.files import TableFile

ROOT = Path(__file__).parents[1]
BAR = r"\|"
"""A bar in a cell of a table."""


def write(source: Path) -> None:
    """Write every generated page and file below the gathered documents."""
    atlas = read_atlas(tables_folder() / "atlas.toml")
    pages = {
        "reference/commands.md": "".join(commands()),
        "reference/api.md": api(),
        "explore/atlas.md": page("The atlas, square by square", atlas_body(atlas, tables_folder())),
        "explore/records.md": page("Records", records()),
        "explore/census.md": page("Census, file by file", census()),
        "explore/layouts.md": page("Eight ways to number the squares", layouts()),
    }
    for name, text in pages.items():
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    static = source / "_static"
    (static / "pictures.css").write_text(pictures_css(), "utf-8")
    (static / "atlas.js").write_text(f"globalThis.magicertAtlas = {fewest(atlas)};\n", "utf-8")
    (static / "pieces.js").write_text(f"globalThis.magicertPieces = {piece_names()};\n", "utf-8")
    (static / "example.js").write_text(f"globalThis.magicertExample = {example()};\n", "utf-8")
    (static / "copy.js").write_text(COPY, "utf-8")


COPY = """
addEventListener("DOMContentLoaded", () => {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.addEventListener("click", () => {
      navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.textContent = "copied";
    });
  }
});
"""


def page(title: str, body: Iterator[Element]) -> str:
    """A Markdown page with parts that are HTML already."""
    parts = [f"```{{raw}} html\n{as_html(part)}\n```" for part in body]
    script = '```{raw} html\n<script src="../_static/copy.js"></script>\n```'
    return "\n\n".join([f"# {title}", *parts, script]) + "\n"


def pictures_css() -> str:
    """The pictures' rules; the theme's own switch between light and dark turns them, too."""
    light = re.match(r"svg\{([^}]*)\}", PICTURES)
    dark = re.search(r"dark\)\{svg\{([^}]*)\}", PICTURES)
    assert light is not None
    assert dark is not None
    switch = "".join(
        f'body[data-theme="{name}"] svg{{{rules[1]}}}\n'
        for name, rules in (("light", light), ("dark", dark))
    )
    # The theme has icons of its own, which these rules must not touch.
    return re.sub(
        r"(?<![\w-])svg(?= text|\{)", ":is(.board,.map,.chart,.word)", f"{PICTURES}\n{switch}"
    )


def fewest(atlas: Atlas) -> str:
    """The fewest bits and the magic of each square, for the page that checks magics."""
    found = {
        piece.value: {
            square_name(square): [best.bits, best.magic]
            for square in range(64)
            if (best := atlas.best(piece, square)) is not None
        }
        for piece in Piece
    }
    return json.dumps(found)


def example() -> str:
    """A source with one wrong digit, for the same page."""
    table = read_table(tables_by_name()["surge"]).table
    lines = ["// An example: one digit of the rooks' numbers is wrong. Paste yours over it.", ""]
    for piece, piece_table in table.pieces.items():
        magics = [f"{magic:#018x}" for magic in piece_table.parameters["magic"]]
        if piece == Piece.ROOK:
            magics[3] = magics[3][:-3] + "f" + magics[3][-2:]
        shifts = [str(64 - mask(Piece(piece), square).bit_count()) for square in range(64)]
        for name, kind, row, words in (
            ("magics", "uint64_t", 4, magics),
            ("shifts", "int", 16, shifts),
        ):
            lines.append(f"const {kind} {piece}_{name}[64] = {{")
            lines += ["  " + ", ".join(words[at : at + row]) + "," for at in range(0, 64, row)]
            lines += ["};", ""]
    return json.dumps("\n".join(lines))


def commands() -> Iterator[str]:
    """Every command with its help and its options, asked from the program."""
    yield "# Commands and their options\n\nGenerated from `magicert COMMAND --help-all`. "
    yield "[Commands](../docs/commands.md) explains them, and what every command has.\n"
    context = click.Context(cli, info_name="magicert")
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        inner = Context(command, info_name=name, parent=context)
        usage = " ".join(command.collect_usage_pieces(inner))
        yield f"\n## magicert {name}\n\n```text\nmagicert {name} {usage}\n```\n\n{prose(command)}\n"
        rows = [row for _, options in inner.panels(everything=True) for row in options]
        if rows:
            yield "\n| option | |\n|---|---|\n"
            yield "".join(
                f"| `{names.replace('|', BAR)}` | {escaped(said)} |\n" for names, said in rows
            )


def prose(command: click.Command) -> str:
    """A command's help: paragraphs, and examples as code."""
    parts = []
    for lines in paragraphs(command.help or ""):
        if lines[0].startswith(VERBATIM):
            example = "\n".join(line.removeprefix(VERBATIM) for line in lines)
            parts.append(f"```console\n{example}\n```")
        else:
            parts.append(escaped(" ".join(lines)))
    return "\n\n".join(parts)


def escaped(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return re.sub(r"([\\`*_{}\[\]<>#|$])", r"\\\1", text)


def api() -> str:
    """What `import magicert` offers, from its docstrings."""
    parts = [
        "# Python, name by name",
        "The functions, then the classes, from their docstrings. [The guide](../docs/api.md) has "
        "longer examples.",
    ]
    public = sorted(magicert.PUBLIC.items(), key=lambda item: item[0][0].isupper())
    for name, module in public:
        thing = getattr(magicert, name)
        kind = "autofunction" if isfunction(thing) else "autodata"
        members = ""
        if isinstance(thing, type):
            kind, members = "autoclass", "\n   :members:"
        parts.append(f"## {name}\n\n```{{eval-rst}}\n.. {kind}:: {module}.{name}{members}\n```")
        if kind == "autofunction":
            parts.append(f"For example:\n\n```python\n{api_example(name)}\n```")
    return "\n\n".join(parts) + "\n"


def api_example(name: str) -> str:
    """The first statement of the guide's examples, which the tests run, that calls a function."""
    guide = (ROOT / "docs" / "api.md").read_text("utf-8")
    for block in re.findall(r"^```py(?:thon)?\n(.*?)^```", guide, re.MULTILINE | re.DOTALL):
        for statement in ast.parse(block).body:
            text = ast.get_source_segment(block, statement) or ""
            if f"magicert.{name}(" in text:
                return text
    raise ValueError(f"docs/api.md has no example of {name}")


def records() -> Iterator[Element]:
    """The project's shortest tables, with their maps and histories."""
    yield element("p", "The shortest tables that this project has found. Each map has a dot for a "
                  "slot, in the colour of the square that uses it.")  # fmt: skip
    meaning = "the colour of each square of rook and bishop, of free and of shared slots"
    yield element("p", element("img", src="../docs/pictures/buffer-key.svg", alt=meaning))
    yield element("h2", "Shared buffers of both pieces, from long to short")
    yield shortest()
    for name, path in record_tables().items():
        file = read_table(path)
        yield element("h2", f"{name}: {file.table.name}", id=name)
        yield from record(name, file)


def shortest() -> Element:
    """Every table that ships and shares one buffer between both pieces, measured."""
    rows = []
    for row in list_tables(tables_by_name()):
        table = read_table(Path(row.file)).table
        if table.shared and len(table.pieces) == 2:
            rows.append((row.slots, row.key, row.formula, f"{row.used:,}",
                         str(row.provenance.get("found_by", ""))))  # fmt: skip
    body = [
        (key, f"{slots:,}", used, element("code", formula), who)
        for slots, key, formula, used, who in sorted(rows, reverse=True)
    ]
    return wide_table(("table", "entries", "used", "index", "found by"), body)


def wide_table(names: Iterable[str], rows: Iterable[Iterable[str | Element]]) -> Element:
    """A table that scrolls where it is wider than the page."""
    head = element("tr", *(element("th", name) for name in names))
    body = [element("tr", *(element("td", cell) for cell in row)) for row in rows]
    table = element("table", element("thead", head), element("tbody", *body))
    return element("div", table, class_="wide")


def record(name: str, file: TableFile) -> Iterator[Element]:
    """One record: map, history, command."""
    for usage in usage_of(file):
        free = usage.length - usage.used
        yield figure(
            map_of(usage, name),
            f"{usage.length:,} entries, {usage.used:,} used, {free:,} free; certified by "
            f"magicert verify {name}",
        )
    points = history(file.table.provenance.notes)
    if len(points) > 2:
        yield figure(falling(f"history of {name}", points), "entries, by seconds of the run")
    if file.table.provenance.command:
        yield element("pre", file.table.provenance.command)
    if file.table.provenance.notes:
        yield element("p", file.table.provenance.notes, class_="quiet")


def history(notes: str) -> list[tuple[float, int]]:
    """The points of a history such as "0s 74,804; 3s 74,775"."""
    found = re.findall(r"(\d+)s ([\d,]+)", notes)
    return [(float(seconds), int(entries.replace(",", ""))) for seconds, entries in found]


def census() -> Iterator[Element]:
    """Every file that was read, linked at its commit."""
    with (tables_folder() / "census.tsv").open() as file:
        rows = [*csv.DictReader(file, delimiter="\t")]
    yield element("p", f"{len(rows)} files, as magicert verify read them in November 2026. "
                  "Numbers that only one file has are called own, with the start of their hash. ",
                  element("a", "What follows from it", href="../research/census/census.html"), ".",
    )  # fmt: skip
    body = []
    for row in rows:
        where = f"https://github.com/{row['repository']}/blob/{row['commit']}/{quote(row['path'])}"
        link = element("a", row["repository"], href=where)
        index = element("code", row["formula"]) if row["formula"] else ""
        body.append((link, row["language"], row["found"], row["rook"], row["bishop"], index))
    yield wide_table(("source", "language", "found", "rook", "bishop", "index"), body)


def layouts() -> Iterator[Element]:
    """The number of every square in each order."""
    yield element(
        "p", "Engines number the squares in eight ways. A number on a square is the bit that "
        "stands for it. ", element("code", "magicert show --layouts 0x..."), " draws any number.",
    )  # fmt: skip
    field = element("input", id="number", placeholder="0x8100000000000081", size=24)
    yield element("p", element("label", "Mark the squares of a number: ", field))
    boards = []
    for order in ORDERS:
        words = {square: [str(place_of(order, square))] for square in range(64)}
        along = "along the files" if order.endswith("files") else "along the ranks"
        boards.append(figure(words_board(order, words), f"{order}: bit 0 is {order[:2]}, {along}"))
    yield element("div", *boards, class_="row")
    yield element("script", src="../_static/layouts.js")
